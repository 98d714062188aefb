"""Rank Transfer: how far apart a pair is in the privileged space is how far apart it should be in X."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from widemargin.fitted import forget_fitted
from widemargin.privileged._base import (
    PrivilegedClassifier,
    warn_if_not_converged,
    warn_without_privileged,
)
from widemargin.privileged._training import (
    TrainingSet,
    privileged_space,
    read_training_set,
    sample_space,
)
from widemargin.solvers.kernel_space import KernelSpace
from widemargin.solvers.ranking_svm import solve_ranking_svm
from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space
from widemargin.validation import check_integer, check_number

__all__ = ["RankTransferSVC"]

Array = npt.NDArray[np.float64]


class RankTransferSVC(PrivilegedClassifier):
    r"""Rank Transfer: a ranking SVM whose pairwise margins come from a ranking of the privileged features.

    First a ranking SVM is trained on the privileged features, with margin 1 for every pair of a positive i and a
    negative j and weight `privileged_C`. With its values :math:`f^*`, the pairs that it orders wrongly are dropped,
    the others get :math:`\rho_{ij} = f^*(x^*_i) - f^*(x^*_j) > 0`, and

    .. math::
        \tfrac12 \|w\|^2 + C \sum_{(i, j)} \max(0, \rho_{ij} - \langle w, x_i - x_j \rangle)

    is minimised [1]_ [2]_. The loss is summed over the pairs. The differences of features are never formed: memory
    grows with the number of pairs (some twenty numbers a pair), not with pairs times features.

    A ranking has no threshold. The intercept is the one with the smallest weighted number of training errors.
    More than two classes are ranked one against the rest.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss summed over pairs in X, > 0.
    privileged_C : float, default=1.0
        Weight of the loss summed over pairs in the privileged space, > 0.
    kernel : str or callable, default="linear"
        "linear", "rbf", "poly", "sigmoid", "laplacian", "chi2", "precomputed", or a function of two sample matrices
        that returns their kernel matrix.
    gamma : {"scale", "auto"} or float, default="scale"
        Width of the rbf, poly, sigmoid, laplacian and chi2 kernels, >= 0: "scale" is 1 / (n_features * X.var()),
        "auto" is 1 / n_features.
    degree : float, default=3
        Degree of the poly kernel, >= 0.
    coef0 : float, default=0.0
        Constant of the poly and sigmoid kernels.
    privileged_kernel, privileged_gamma, privileged_degree, privileged_coef0 : object
        The same for the privileged features; the defaults are the same too.
    tol : float, default=1e-6
        Relative duality gap to reach in both stages, > 0.
    max_iter : int, default=-1
        Limit on the iterations of the interior point, >= 1, or -1 for its own.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes; a pair weighs the product of its samples' weights.
    privileged_transformer : transformer or None, default=None
        A clone of it is fitted to the privileged features and transforms them first.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_pairs_ : int or ndarray of shape (n_classes,)
        Pairs that were kept: the total less those the privileged space orders wrongly.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights w, with a linear kernel.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Negative thresholds.
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        Coefficients of the support vectors, with any other kernel.
    support_ : ndarray of int of shape (n_support,)
        Rows of X that are support vectors of some class, with any other kernel.
    support_vectors_ : ndarray or sparse matrix of shape (n_support, n_features)
        The rows themselves, unless the kernel is precomputed.
    objective_ : float, or ndarray of shape (n_classes,) for more than two classes
        Value of the objective in X, of a feasible point.
    dual_gap_ : float or ndarray, like `objective_`
        Primal minus dual value, both feasible: an upper bound on how far `objective_` is from the optimum.
    converged_ : bool
        Whether every gap, of both stages, is within `tol`.
    n_iter_ : int
        Iterations in X, the most that a class took.
    solver_ : str
        The algorithm that found the solution.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X had any.
    privileged_transformer_ : transformer
        The fitted clone, if there is one.

    See Also
    --------
    MarginTransferSVC : Transfers the margins of single samples; linear in their number.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to rank using privileged information", ICCV 2013.
    .. [2] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to transfer privileged information", 2014,
       section 3.3.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.privileged import RankTransferSVC
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.normal(size=(40, 2))
    >>> y = (clean[:, 0] > 0).astype(int)
    >>> X = clean + 0.5 * rng.normal(size=clean.shape)
    >>> model = RankTransferSVC(C=0.1).fit(X, y, X_privileged=clean)
    >>> model.predict([[2.0, 0.0], [-2.0, 0.0]])
    array([1, 0])
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"X_privileged": True}

    def __init__(
        self,
        C: float = 1.0,
        privileged_C: float = 1.0,
        *,
        kernel: Any = "linear",
        gamma: Any = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        privileged_kernel: Any = "linear",
        privileged_gamma: Any = "scale",
        privileged_degree: float = 3,
        privileged_coef0: float = 0.0,
        tol: float = 1e-6,
        max_iter: int = -1,
        class_weight: Any = None,
        privileged_transformer: Any = None,
    ) -> None:
        self.C = C
        self.privileged_C = privileged_C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.privileged_kernel = privileged_kernel
        self.privileged_gamma = privileged_gamma
        self.privileged_degree = privileged_degree
        self.privileged_coef0 = privileged_coef0
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.privileged_transformer = privileged_transformer

    def fit(self, X: Any, y: Any, X_privileged: Any = None, sample_weight: Any = None) -> RankTransferSVC:
        """Rank the privileged features, then X with the margins found.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features that exist at prediction time too; with kernel="precomputed" the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of any type, at least two different ones.
        X_privileged : array-like or sparse matrix of shape (n_samples, n_privileged_features), default=None
            Features that exist for the training samples only. Pairs with a sample whose row is NaN get the margin 1;
            None gives it to every pair (a plain ranking SVM), with a warning.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights. Samples of weight zero are left out.

        Returns
        -------
        RankTransferSVC
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, or an argument malformed: the message names it, what was expected,
            what was given and the remedy.
        """
        C = check_number("C", self.C, above=0)
        check_number("privileged_C", self.privileged_C, above=0)
        tol = check_number("tol", self.tol, above=0)
        check_integer("max_iter", self.max_iter, at_least=1, unlimited=-1)
        forget_fitted(self)
        data = read_training_set(self, X, y, X_privileged, sample_weight)
        if data.X_privileged is None:
            warn_without_privileged("RankTransferSVC trains a plain ranking SVM")
            privileged = None
        else:
            privileged = privileged_space(self, data, center=True)
        # Differences of samples do not see the origin, so centring is free.
        samples = sample_space(self, data, center=True)
        results, first_stages, n_pairs = [], [], []
        for y_ in data.signs():
            margins, first_stage = self._pair_margins(data, privileged, y_)
            first_stages += first_stage
            # Not margins > 0: of samples that tie in the privileged space, rounding would decide.
            kept = np.nonzero(margins > 1e-9 * margins.max())
            n_pairs.append(kept[0].size)
            result = _solve_pairs(samples.space, y_, data.weights, kept, margins[kept], C, tol, self.max_iter)
            result.solution["intercept"] = _threshold(result.solution["outputs"], y_, data.weights)
            results.append(result)
        self._set_decision_functions(data, samples, results)
        self._set_certificate(results, tol)
        warn_if_not_converged(f"{type(self).__name__}'s first stage", first_stages, tol, stacklevel=3)
        self.converged_ = self.converged_ and all(result.converged for result in first_stages)
        self.n_pairs_ = n_pairs[0] if data.n_problems == 1 else np.array(n_pairs)
        return self

    def _pair_margins(
        self, data: TrainingSet, privileged: KernelSpace | None, y: Array
    ) -> tuple[Array, list[SolverResult]]:
        """Margins of positives by negatives, not positive where the privileged space disagrees with the labels."""
        margins = np.ones((int((y > 0).sum()), int((y < 0).sum())))
        if privileged is None:
            return margins, []
        n = privileged.space.n_samples
        n_positive, n_negative = int((y[:n] > 0).sum()), int((y[:n] < 0).sum())
        if not n_positive or not n_negative:
            return margins, []
        everything = np.nonzero(np.ones((n_positive, n_negative)))
        result = _solve_pairs(
            privileged.space,
            y[:n],
            data.weights[:n],
            everything,
            np.ones(n_positive * n_negative),
            float(self.privileged_C),
            float(self.tol),
            self.max_iter,
        )
        values = result.solution["outputs"]
        margins[:n_positive, :n_negative] = values[y[:n] > 0][:, None] - values[y[:n] < 0]
        if margins.max() <= 0:
            raise ValueError(
                "X_privileged orders no pair of samples of different classes as their labels do, so no pair is left to "
                "learn from: check that its rows belong to the rows of X, or raise privileged_C."
            )
        return margins, [result]


def _solve_pairs(
    space: Space,
    y: Array,
    weights: Array,
    pairs: tuple[npt.NDArray[np.intp], ...],
    margins: Array,
    C: float,
    tol: float,
    max_iter: int,
) -> SolverResult:
    positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    first, second = pairs
    costs = C * weights[positive[first]] * weights[negative[second]]
    return solve_ranking_svm(
        space, positive, negative, (first, second), margins, costs, tol=tol, max_iter=max_iter
    )


def _threshold(outputs: Array, y: Array, weights: Array) -> float:
    """Intercept in the middle of the interval with the smallest weight of training errors, the widest if tied."""
    order = np.argsort(outputs, kind="stable")
    values = outputs[order]
    # errors[k]: the k smallest outputs are called negative, the others positive.
    change = np.where(y[order] > 0, weights[order], -weights[order])
    errors = weights[y < 0].sum() + np.concatenate([[0.0], np.cumsum(change)])
    width = np.concatenate([[1.0], np.diff(values), [1.0]])
    possible = width > 0
    least = errors[possible].min()
    tied = np.flatnonzero(possible & (errors <= least + 1e-9 * weights.sum()))
    k = int(tied[np.argmax(width[tied])])
    if k == 0:
        return 1.0 - float(values[0])
    if k == values.size:
        return -1.0 - float(values[-1])
    return -0.5 * float(values[k - 1] + values[k])

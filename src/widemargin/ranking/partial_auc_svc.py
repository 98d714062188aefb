"""The support vector machine for a range of false positive rates."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import _num_samples, check_is_fitted

from widemargin.blas import blas_threads
from widemargin.kernels import KERNELS
from widemargin.ranking._base import RankingClassifier, Samples
from widemargin.ranking._operating_point import operating_point
from widemargin.ranking._svm_features import KernelFeatures, LinearFeatures, ScoreFeatures
from widemargin.solvers.cutting_plane import minimise_by_cutting_planes
from widemargin.solvers.kernel_space import KernelSpace, resolve_kernel
from widemargin.solvers.partial_auc_risk import PartialAUCRisk
from widemargin.solvers.result import SolverResult
from widemargin.validation import (
    check_choice,
    check_fpr_range,
    check_integer,
    check_non_negative,
    check_number,
    check_square_kernel,
)

__all__ = ["PartialAUCSVC"]

Array = npt.NDArray[np.float64]


class PartialAUCSVC(RankingClassifier):
    r"""SVM that ranks positives above the negatives of a range of ranks, solved to a certified gap.

    Minimises

    .. math::
        \tfrac12 \|w\|^2 + C \, R(w), \qquad
        R(w) = \max_\pi \frac1{m (j_\beta - j_\alpha)} \Bigl( \sum_{i} \sum_{j = j_\alpha + 1}^{j_\beta}
        \pi_{i, (j)_\pi} - \sum_{i, j} \pi_{ij} \langle w, x^+_i - x^-_{(j)_\pi} \rangle \Bigr)

    over the orderings :math:`\pi` of m positives and n negatives, where :math:`\pi_{ij} = 1` if negative j is ranked
    above positive i: a convex upper bound on one minus the area under the ROC curve between the false positive rates
    :math:`\alpha` and :math:`\beta`, averaged over the pairs rather than summed. The range covers the negatives of
    ranks :math:`j_\alpha + 1` to :math:`j_\beta`, :math:`j_\alpha = \lceil n \alpha \rceil`,
    :math:`j_\beta = \lfloor n \beta \rfloor`. The second sum goes over the negatives ranked up to :math:`j_\beta`
    (``bound="tight"``, [2]_) or over all (``bound="structural"``, [1]_). For :math:`\alpha = 0` the tight bound is the
    mean hinge loss of the pairs with the :math:`j_\beta` highest negatives, and over (0, 1) that of all pairs: the SVM
    for the AUC.

    There is no intercept in the problem; `intercept_` only sets where `predict` divides the ranking.

    Parameters
    ----------
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        Range (alpha, beta) of false positive rates, ``0 <= alpha < beta <= 1``.
    C : float, default=1.0
        Weight of the averaged loss, > 0.
    bound : {"tight", "structural"}, default="tight"
        Which upper bound is minimised.
    kernel : str or callable, default="linear"
        "linear", "rbf", "poly", "sigmoid", "laplacian", "chi2", "precomputed", or a function of two sample matrices
        that returns their kernel matrix.
    gamma : {"scale", "auto"} or float, default="scale"
        Width of the rbf, poly, sigmoid, laplacian and chi2 kernels, >= 0: "scale" is 1 / (n_features * X.var()) with
        the variance over multiplicities, "auto" is 1 / n_features.
    degree : float, default=3
        Degree of the poly kernel, >= 0.
    coef0 : float, default=0.0
        Constant of the poly and sigmoid kernels.
    tol : float, default=1e-4
        Relative duality gap to reach, > 0: share of `objective_`, or of the possible decrease
        ``C - (objective_ - dual_gap_)`` from w = 0, where the objective is C, if that is smaller. The decrease is what
        counts where C or the features are so small that w = 0 is close to optimal.
    max_iter : int, default=1000
        Limit on the rounds of the cutting plane method, >= 1.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Labels; ``classes_[1]`` is the positive class.
    coef_ : ndarray of shape (1, n_features)
        Weights w, with a linear kernel.
    dual_coef_ : ndarray of shape (1, n_support)
        Coefficients of the support vectors, with any other kernel.
    support_ : ndarray of int of shape (n_support,)
        Rows of X with a coefficient, with any other kernel.
    support_vectors_ : ndarray or sparse matrix of shape (n_support, n_features)
        The rows themselves, unless the kernel is linear or precomputed.
    intercept_ : ndarray of shape (1,)
        Minus the threshold of largest true minus false positive rate on the training samples, among those whose false
        positive rate is in the range.
    objective_ : float
        Value of the problem at the solution, the smallest that was seen.
    dual_gap_ : float
        Upper bound on how far `objective_` is from the optimum.
    converged_ : bool
        Whether ``dual_gap_ <= tol * min(objective_, C - (objective_ - dual_gap_))``, or w = 0 is optimal but for
        rounding. False also where `tol` times the decrease is less than the rounding of `objective_`: the weights are
        then the best that were found, and features of a larger scale help.
    n_iter_ : int
        Rounds of the cutting plane method.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X had any.

    See Also
    --------
    widemargin.metrics.partial_auc_score : The area that is optimised.

    Notes
    -----
    A round costs O(n_samples * n_features + n_samples log n_samples) ten times over, and 10 to 100 rounds are usual.
    Kernels other than the linear one take the memory of three kernel matrices.

    References
    ----------
    .. [1] H. Narasimhan, S. Agarwal, "A structural SVM based approach for optimizing partial AUC", ICML 2013.
    .. [2] H. Narasimhan, S. Agarwal, "SVM_pAUC^tight: a new support vector method for optimizing partial AUC based on a
       tight convex upper bound", KDD 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from widemargin.metrics import partial_auc_score
    >>> from widemargin.ranking import PartialAUCSVC
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), PartialAUCSVC((0.0, 0.1), C=10)).fit(X[:300], y[:300])
    >>> bool(partial_auc_score(y[300:], model.decision_function(X[300:]), fpr_range=(0.0, 0.1)) > 0.9)
    True
    """

    def __init__(
        self,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        C: float = 1.0,
        *,
        bound: str = "tight",
        kernel: Any = "linear",
        gamma: Any = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        tol: float = 1e-4,
        max_iter: int = 1000,
    ) -> None:
        self.fpr_range = fpr_range
        self.C = C
        self.bound = bound
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PartialAUCSVC:
        """Fit the classifier.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Training samples; with kernel="precomputed" the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of two kinds; the larger one is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Multiplicities of at least 0. If all are whole numbers, a weight of 2 is the same as the sample twice and
            0 the same as leaving it out; otherwise the range is that of the negatives' weight, and a negative at its
            end counts in part.

        Returns
        -------
        PartialAUCSVC
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, there are not two classes, or `fpr_range` holds no negative or is too
            narrow for weights that are not whole numbers; the message then says what would do.
        """
        fpr_range = check_fpr_range(self.fpr_range)
        C = check_number("C", self.C, above=0)
        tol = check_number("tol", self.tol, above=0)
        max_iter = check_integer("max_iter", self.max_iter, at_least=1)
        check_choice("bound", self.bound, ("tight", "structural"))
        check_choice("kernel", self.kernel, KERNELS, function=True)
        samples = self._read_samples(X, y, sample_weight)
        risk = PartialAUCRisk(samples.positive, fpr_range, samples.sample_weight, self.bound)
        features = self._features(samples, _num_samples(X))
        with blas_threads(samples.positive.size * features.rows.shape[1]):
            result = minimise_by_cutting_planes(risk, features.rows, C, tol=tol, max_iter=max_iter)
        intercept = operating_point(result.solution["scores"], samples, fpr_range)
        self._set_function(samples, *features.function(result.solution["weights"]), intercept)
        self._set_certificate(result, tol)
        return self

    def decision_function(self, X: Any) -> Array:
        """Return the score of each sample plus `intercept_`, positive for ``classes_[1]``.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; for a precomputed kernel k(samples, training samples).

        Returns
        -------
        ndarray of shape (n_samples,)
            Scores.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        check_is_fitted(self)
        X = self._check_samples(X)
        if self._kernel.kernel == "linear":
            values = X @ self.coef_.ravel()
        elif self._kernel.kernel == "precomputed":
            values = X[:, self.support_] @ self.dual_coef_.ravel()
        elif self.support_.size == 0:
            values = np.zeros(X.shape[0])
        else:
            values = self._kernel(X, self.support_vectors_) @ self.dual_coef_.ravel()
        return np.asarray(values, dtype=float) + self.intercept_[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.positive_only = isinstance(self.kernel, str) and self.kernel == "chi2"
        return tags

    def _features(self, samples: Samples, n_rows: int) -> ScoreFeatures:
        X = samples.X.astype(np.float64, copy=False)
        precomputed = isinstance(self.kernel, str) and self.kernel == "precomputed"
        if precomputed and X.shape[1] == n_rows:
            X = X[:, samples.rows]
        if precomputed:
            X = check_square_kernel(
                "X",
                "kernel='precomputed'",
                X,
                "pass k(X_train, X_train), sliced on both axes where you select samples.",
            )
        if isinstance(self.kernel, str) and self.kernel == "chi2":
            check_non_negative("X", "kernel", X)
        self._kernel = resolve_kernel(
            self.kernel, self.gamma, self.degree, self.coef0, X, sample_weight=samples.sample_weight
        )
        if self._kernel.kernel == "linear":
            return LinearFeatures(X, samples.sample_weight)
        # Only differences of scores matter: the origin is free.
        return KernelFeatures(KernelSpace(self._kernel, X, center=True))

    def _set_function(self, samples: Samples, coefficients: Array, constant: float, intercept: float) -> None:
        self.intercept_ = np.array([constant + intercept])
        if self._kernel.kernel == "linear":
            self.coef_ = coefficients[None, :]
            return
        # Centring leaves the rounding of a mean where a coefficient was zero.
        used = np.flatnonzero(np.abs(coefficients) > 1e-14 * np.abs(coefficients).max())
        self.dual_coef_ = coefficients[None, used]
        self.support_ = samples.rows[used]
        if self._kernel.kernel != "precomputed":
            self.support_vectors_ = samples.X[used]

    def _set_certificate(self, result: SolverResult, tol: float) -> None:
        self.objective_ = result.objective
        self.dual_gap_ = result.gap
        self.n_iter_ = result.n_iter
        self.converged_ = result.converged
        if not result.converged:
            warnings.warn(
                f"PartialAUCSVC stopped after {result.n_iter} rounds with a gap of {result.gap:.3g} at an objective of "
                f"{result.objective:.6g}, above tol={tol:g} of it or of its decrease from w = 0: raise max_iter or "
                "tol, or scale the features.",
                ConvergenceWarning,
                stacklevel=3,
            )

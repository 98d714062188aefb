"""Margin Transfer: a sample's margin in the privileged space is the margin it is asked to have in X."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from widemargin.fitted import forget_fitted
from widemargin.privileged._base import (
    PrivilegedClassifier,
    warn_if_not_converged,
    warn_without_privileged,
)
from widemargin.privileged._training import TrainingSet, privileged_space, read_training_set, sample_space
from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space
from widemargin.solvers.svm import solve_svm
from widemargin.validation import check_choice, check_flag, check_integer, check_margins, check_number

__all__ = ["MarginTransferSVC"]

Array = npt.NDArray[np.float64]

SOLVERS = ("auto", "interior_point", "smo")


class MarginTransferSVC(PrivilegedClassifier):
    r"""Margin Transfer: an SVM whose margins come from a classifier of the privileged features.

    First an SVM :math:`f^*` is trained on the privileged features, equation (1) of the paper [1]_ with weight
    `privileged_C`. Then, with :math:`\rho_i = \max(y_i f^*(x^*_i), \epsilon)`, its problem (3) is minimised,

    .. math::
        \tfrac12 \|w\|^2 + C \sum_i \max(0, \rho_i - y_i (\langle w, x_i \rangle + b)),

    so that samples that were hard to classify with more information influence the classifier less. The loss is
    summed over the samples. The paper prints (3) without an intercept; ``fit_intercept=False`` is that problem. The
    dual is an ordinary SVM dual with linear term :math:`\rho`; nothing is divided by the margins, and
    :math:`\epsilon = 0` is allowed.

    More than two classes are told apart one against the rest, with the same C and `privileged_C` for all
    (section 5 of the paper).

    Parameters
    ----------
    C : float, default=1.0
        Weight of the summed loss in X, > 0.
    privileged_C : float, default=1.0
        Weight of the summed loss of the SVM in the privileged space, > 0.
    epsilon : float, default=0.1
        Smallest margin, >= 0, for given margins as for learned ones.
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
    fit_intercept : bool, default=True
        Whether the classifier of X has an (unpenalised) intercept. The one of the privileged space always has.
    solver : {"auto", "interior_point", "smo"}, default="auto"
        "interior_point" takes few iterations whatever the parameters; "smo" is faster for kernels in ordinary
        settings; "auto" chooses by size, and falls back to the interior point if "smo" stalls.
    tol : float, default=1e-6
        Relative duality gap to reach in both stages, > 0.
    max_iter : int, default=-1
        Limit on the iterations of the solver, >= 1, or -1 for the solver's own.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied into C and `privileged_C`.
    privileged_transformer : transformer or None, default=None
        A clone of it is fitted to the privileged features and transforms them first.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    margins_ : ndarray of shape (n_samples,) or (n_samples, n_classes)
        The margins asked of the training samples; NaN for samples of weight zero.
    privileged_decision_ : ndarray, like `margins_`
        Values of f* on the training samples, NaN where there are none; absent if the margins were given.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights w, with a linear kernel.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts b.
    privileged_coef_, privileged_intercept_ : ndarray
        Weights and intercepts of f*, in the space `privileged_transformer` maps to; absent if the margins were
        given, `privileged_coef_` only with a linear privileged kernel.
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        Coefficients of the support vectors, with any other kernel.
    support_ : ndarray of int of shape (n_support,)
        Rows of X that are support vectors of some class, with any other kernel.
    support_vectors_ : ndarray or sparse matrix of shape (n_support, n_features)
        The rows themselves, unless the kernel is precomputed.
    objective_ : float, or ndarray of shape (n_classes,) for more than two classes
        Value of the objective in X, the paper's (3a), at a feasible point.
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
    SVMPlus : Learns the slacks as a function of the privileged features.
    RankTransferSVC : Transfers margins of pairs.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to transfer privileged information", 2014,
       section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.privileged import MarginTransferSVC
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.normal(size=(60, 2))
    >>> y = (clean[:, 0] > 0).astype(int)
    >>> X = clean + 0.5 * rng.normal(size=clean.shape)
    >>> model = MarginTransferSVC(privileged_C=10).fit(X, y, X_privileged=clean)
    >>> model.predict([[2.0, 0.0], [-2.0, 0.0]])
    array([1, 0])
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"X_privileged": True, "margins": True}

    def __init__(
        self,
        C: float = 1.0,
        privileged_C: float = 1.0,
        *,
        epsilon: float = 0.1,
        kernel: Any = "linear",
        gamma: Any = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        privileged_kernel: Any = "linear",
        privileged_gamma: Any = "scale",
        privileged_degree: float = 3,
        privileged_coef0: float = 0.0,
        fit_intercept: bool = True,
        solver: str = "auto",
        tol: float = 1e-6,
        max_iter: int = -1,
        class_weight: Any = None,
        privileged_transformer: Any = None,
    ) -> None:
        self.C = C
        self.privileged_C = privileged_C
        self.epsilon = epsilon
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.privileged_kernel = privileged_kernel
        self.privileged_gamma = privileged_gamma
        self.privileged_degree = privileged_degree
        self.privileged_coef0 = privileged_coef0
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.privileged_transformer = privileged_transformer

    def fit(
        self, X: Any, y: Any, X_privileged: Any = None, margins: Any = None, sample_weight: Any = None
    ) -> MarginTransferSVC:
        """Fit the classifier of the privileged features, then the one of X with its margins.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features that exist at prediction time too; with kernel="precomputed" the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of any type, at least two different ones.
        X_privileged : array-like or sparse matrix of shape (n_samples, n_privileged_features), default=None
            Features that exist for the training samples only. A row of NaN marks a sample without them, whose margin
            is 1; None trains a plain SVM, with a warning.
        margins : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
            Margins to ask of the samples instead of learned ones, human easiness scores for instance
            (:func:`widemargin.privileged.easiness_to_margins`), floored at `epsilon`; one column a class if there
            are more than two. There is no first stage then.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights, multiplied into C and `privileged_C`. Samples of weight zero are left out.

        Returns
        -------
        MarginTransferSVC
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, or an argument malformed: the message names it, what was expected,
            what was given and the remedy.
        """
        self._check_parameters()
        C, epsilon, tol = float(self.C), float(self.epsilon), float(self.tol)
        if margins is not None and X_privileged is not None:
            warnings.warn(
                "margins were given, so X_privileged is not used: pass only one of the two.",
                UserWarning,
                stacklevel=2,
            )
            X_privileged = None
        forget_fitted(self)
        data = read_training_set(self, X, y, X_privileged, sample_weight)
        stage_one_converged = True
        if margins is not None:
            rho = check_margins(margins, data.n_rows, data.n_problems)[data.rows]
            if rho.max() <= epsilon and epsilon > 0:
                warnings.warn(
                    f"No margin is above epsilon={epsilon:g}, so all are equal to it and this is a plain SVM: pass "
                    "margins around 1, see easiness_to_margins.",
                    UserWarning,
                    stacklevel=2,
                )
        elif data.X_privileged is not None:
            rho, stage_one_converged = self._transferred_margins(data)
        else:
            warn_without_privileged("MarginTransferSVC, without margins either, trains a plain SVM")
            rho = np.ones((data.rows.size, data.n_problems))
        samples = sample_space(self, data, center=bool(self.fit_intercept))
        results = self._second_stage(data, samples.space, rho, C)
        self._set_decision_functions(data, samples, results)
        self._set_certificate(results, tol)
        self.converged_ = self.converged_ and stage_one_converged
        rho = np.maximum(rho, epsilon)
        self.margins_ = data.to_rows(rho[:, 0] if data.n_problems == 1 else rho)
        return self

    def _check_parameters(self) -> None:
        check_number("C", self.C, above=0)
        check_number("privileged_C", self.privileged_C, above=0)
        check_number("epsilon", self.epsilon, at_least=0)
        check_flag("fit_intercept", self.fit_intercept)
        check_number("tol", self.tol, above=0)
        check_choice("solver", self.solver, SOLVERS)
        check_integer("max_iter", self.max_iter, at_least=1, unlimited=-1)

    def _transferred_margins(self, data: TrainingSet) -> tuple[Array, bool]:
        """Train the first stage and set what it found; margins of samples without privileged features are 1."""
        privileged = privileged_space(self, data, center=True)
        results = self._first_stage(data, privileged.space, float(self.privileged_C))
        warn_if_not_converged(f"{type(self).__name__}'s first stage", results, float(self.tol))
        rho, decision = transferred_margins(data, results)
        self.privileged_decision_ = data.to_rows(decision[:, 0] if data.n_problems == 1 else decision)
        function = privileged.linear_function if privileged.is_linear else privileged.kernel_function
        functions = [function(result.solution) for result in results]
        if privileged.is_linear:
            self.privileged_coef_ = np.array([weights for weights, _ in functions])
        self.privileged_intercept_ = np.array([intercept for _, intercept in functions])
        return rho, all(result.converged for result in results)

    def _first_stage(
        self,
        data: TrainingSet,
        space: Space,
        C: float,
        starts: list[Array] | None = None,
        polish: bool = True,
    ) -> list[SolverResult]:
        """SVM on the privileged features, one result a binary problem."""
        n = space.n_samples
        results = []
        for k, y in enumerate(data.signs()):
            if np.unique(y[:n]).size < 2:
                label = data.classes.tolist()[1 if data.n_problems == 1 else k]
                raise ValueError(
                    f"X_privileged has values on one side only of class {label!r} against the rest: give some sample "
                    "of each side its privileged features, or pass margins."
                )
            results.append(
                solve_svm(
                    space,
                    y[:n],
                    np.ones(n),
                    C * data.weights[:n],
                    solver=self.solver,
                    tol=float(self.tol),
                    max_iter=int(self.max_iter),
                    alpha=None if starts is None else starts[k],
                    polish=polish,
                )
            )
        return results

    def _second_stage(
        self,
        data: TrainingSet,
        space: Space,
        rho: Array,
        C: float,
        starts: list[Array] | None = None,
        polish: bool = True,
    ) -> list[SolverResult]:
        """SVM on X with margins rho, floored at epsilon, one result a binary problem."""
        return [
            solve_svm(
                space,
                y,
                np.maximum(rho[:, k], float(self.epsilon)),
                C * data.weights,
                fit_intercept=bool(self.fit_intercept),
                solver=self.solver,
                tol=float(self.tol),
                max_iter=int(self.max_iter),
                alpha=None if starts is None else starts[k],
                polish=polish,
            )
            for k, y in enumerate(data.signs())
        ]


def transferred_margins(data: TrainingSet, results: list[SolverResult]) -> tuple[Array, Array]:
    """Margins and decision values of the first stage, of shape (n_samples, n_problems)."""
    rho = np.ones((data.rows.size, data.n_problems))
    decision = np.full_like(rho, np.nan)
    for k, (y, result) in enumerate(zip(data.signs(), results, strict=True)):
        values = result.solution["outputs"] + result.solution["intercept"]
        decision[: values.size, k] = values
        rho[: values.size, k] = y[: values.size] * values
    return rho, decision

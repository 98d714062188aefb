"""SVM+: the slacks of the training samples are a function of information that only exists at training time."""

from __future__ import annotations

import logging
import warnings
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from widemargin.fitted import forget_fitted
from widemargin.privileged._base import (
    CollapseWarning,
    PrivilegedClassifier,
    warn_without_privileged,
)
from widemargin.privileged._training import (
    TrainingSet,
    privileged_space,
    read_training_set,
    sample_space,
)
from widemargin.solvers.kernel_space import KernelSpace
from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space
from widemargin.solvers.svm import solve_svm
from widemargin.solvers.svm_plus import solve_svm_plus
from widemargin.solvers.svm_plus_squared import solve_svm_plus_squared
from widemargin.validation import check_choice, check_integer, check_number

__all__ = ["SVMPlus"]

Array = npt.NDArray[np.float64]

logger = logging.getLogger("widemargin")

LOSSES = ("hinge", "squared_hinge")
SOLVERS = ("auto", "interior_point", "smo")


class SVMPlus(PrivilegedClassifier):
    r"""SVM+ (learning using privileged information), solved to a certified gap.

    Minimises, with the hinge loss, the paper's problem (2) [1]_

    .. math::
        \tfrac12 \|w\|^2 + \tfrac\gamma2 \|w^*\|^2 + C \sum_i \xi_i
        \quad\text{s.t.}\quad \xi_i = \langle w^*, x^*_i \rangle + b^* \ge 0,\;
        y_i (\langle w, x_i \rangle + b) \ge 1 - \xi_i

    with unpenalised intercepts b and b*: the slack of a sample is a linear function of its privileged features.
    The loss is summed over the samples; :math:`\gamma` is `privileged_alpha`. With the squared hinge loss [2]_ the
    intercepts are penalised like the weights and the loss is :math:`\tfrac{C}{2} \sum_i \xi_i^2`, with no sign
    constraint on the slacks.

    More than two classes are told apart one against the rest, with the same C and `privileged_alpha` for all, so
    that the decision values are comparable (section 5 of the paper).

    Parameters
    ----------
    C : float, default=1.0
        Weight of the summed loss, > 0.
    privileged_alpha : float, default=1.0
        Weight of the squared norm of w*, > 0. Small values let the slack function fit anything, large ones make it
        constant.
    loss : {"hinge", "squared_hinge"}, default="hinge"
        Loss of the slacks, as above. Both can collapse (see Notes).
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
    solver : {"auto", "interior_point", "smo"}, default="auto"
        "interior_point" takes few iterations whatever the parameters; "smo" is faster for kernels in ordinary
        settings, and can stall; "auto" chooses by size, and falls back to the interior point if "smo" stalls.
    tol : float, default=1e-6
        Relative duality gap to reach, > 0: ``dual_gap_ <= tol * abs(objective_)``.
    max_iter : int, default=-1
        Limit on the iterations of the solver, >= 1, or -1 for the solver's own.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, multiplied into C.
    privileged_transformer : transformer or None, default=None
        A clone of it is fitted to the privileged features and transforms them first; inside a Pipeline, whose other
        steps see X only, this is where X_privileged is scaled or encoded.
    cache_size : float, default=4000
        Megabytes that the kernel matrices of one fit and their factors may take, > 0; more is an error. The default
        is enough for 11,000 samples with two nonlinear kernels.
    verbose : bool, default=False
        Whether to log the solver's outcome, with the logger "widemargin", at level INFO.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        Weights w, with a linear kernel.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts b.
    privileged_coef_, privileged_intercept_ : ndarray
        Weights w* and intercepts b* of the slack functions, in the space `privileged_transformer` maps to; absent
        without privileged features, `privileged_coef_` only with a linear privileged kernel.
    dual_coef_ : ndarray of shape (1, n_support) or (n_classes, n_support)
        Coefficients of the support vectors, with any other kernel.
    support_ : ndarray of int of shape (n_support,)
        Rows of X that are support vectors of some class, with any other kernel.
    support_vectors_ : ndarray or sparse matrix of shape (n_support, n_features)
        The rows themselves, unless the kernel is precomputed.
    objective_ : float, or ndarray of shape (n_classes,) for more than two classes
        Primal value of the solution, which is feasible.
    dual_gap_ : float or ndarray, like `objective_`
        Primal minus dual value, both feasible: an upper bound on how far `objective_` is from the optimum.
    converged_ : bool
        Whether every gap is within `tol`.
    n_iter_ : int
        Iterations, the most that a class took.
    solver_ : str
        The algorithm that found the solution.
    collapsed_ : bool
        Whether the optimum is w = 0 for some class (see Notes).
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X had any.
    privileged_transformer_ : transformer
        The fitted clone, if there is one.

    See Also
    --------
    MarginTransferSVC : Takes each sample's margin from a classifier of the privileged features.

    Notes
    -----
    A linear slack function of privileged features does not contain the plain SVM as a special case, and the exact
    optimum can be w = 0, w* = 0, b* = 1: a constant slack is cheaper than any classifier. Whether it is does not
    depend on C and `privileged_alpha`. This is detected with the certificate, a CollapseWarning is given, and the
    classifier predicts by its intercept.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to transfer privileged information", 2014,
       equation (2); after V. Vapnik, A. Vashist, "A new learning paradigm", Neural Networks 22 (2009).
    .. [2] W. Li, D. Dai, M. Tan, D. Xu, L. Van Gool, "Fast algorithms for linear and kernel SVM+", CVPR 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.privileged import SVMPlus
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.normal(size=(60, 2))
    >>> y = np.where(clean[:, 0] > 0, "right", "left")
    >>> X = clean + 0.5 * rng.normal(size=clean.shape)
    >>> model = SVMPlus(C=10, privileged_alpha=0.1, privileged_kernel="rbf").fit(X, y, X_privileged=clean)
    >>> bool(model.dual_gap_ <= 1e-6 * model.objective_)
    True
    >>> model.predict([[2.0, 0.0], [-2.0, 0.0]])
    array(['right', 'left'], dtype='<U5')
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"X_privileged": True}

    def __init__(
        self,
        C: float = 1.0,
        privileged_alpha: float = 1.0,
        *,
        loss: str = "hinge",
        kernel: Any = "linear",
        gamma: Any = "scale",
        degree: float = 3,
        coef0: float = 0.0,
        privileged_kernel: Any = "linear",
        privileged_gamma: Any = "scale",
        privileged_degree: float = 3,
        privileged_coef0: float = 0.0,
        solver: str = "auto",
        tol: float = 1e-6,
        max_iter: int = -1,
        class_weight: Any = None,
        privileged_transformer: Any = None,
        cache_size: float = 4000,
        verbose: bool = False,
    ) -> None:
        self.C = C
        self.privileged_alpha = privileged_alpha
        self.loss = loss
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.privileged_kernel = privileged_kernel
        self.privileged_gamma = privileged_gamma
        self.privileged_degree = privileged_degree
        self.privileged_coef0 = privileged_coef0
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.privileged_transformer = privileged_transformer
        self.cache_size = cache_size
        self.verbose = verbose

    def fit(self, X: Any, y: Any, X_privileged: Any = None, sample_weight: Any = None) -> SVMPlus:
        """Fit the classifier and its slack functions.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features that exist at prediction time too; with kernel="precomputed" the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of any type, at least two different ones.
        X_privileged : array-like or sparse matrix of shape (n_samples, n_privileged_features), default=None
            Features that exist for the training samples only. A row of NaN marks a sample without them, which gets
            an ordinary slack; None trains a plain SVM, with a warning.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights, multiplied into C. Samples of weight zero are left out.

        Returns
        -------
        SVMPlus
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, or an argument malformed: the message names it, what was expected,
            what was given and the remedy.
        """
        self._check_parameters()
        C, tol = float(self.C), float(self.tol)
        forget_fitted(self)
        data = read_training_set(self, X, y, X_privileged, sample_weight)
        self._check_memory(data)
        center = self.loss == "hinge"
        samples = sample_space(self, data, center=center)
        if data.X_privileged is None:
            warn_without_privileged("SVMPlus trains a plain SVM")
            privileged = None
        else:
            privileged = privileged_space(self, data, center=center)
        costs = C * data.weights
        results = [
            self._solve(samples.space, None if privileged is None else privileged.space, y_, costs)
            for y_ in data.signs()
        ]
        self._set_decision_functions(data, samples, results)
        self._set_certificate(results, tol)
        self._set_slack_functions(privileged, results)
        self._report_collapse(results)
        if self.verbose:
            logger.info(
                "SVMPlus: %s, %d iterations, objective %s, gap %s",
                self.solver_,
                self.n_iter_,
                self.objective_,
                self.dual_gap_,
            )
        return self

    def _check_parameters(self) -> None:
        check_number("C", self.C, above=0)
        check_choice("loss", self.loss, LOSSES)
        check_choice("solver", self.solver, SOLVERS)
        check_number("privileged_alpha", self.privileged_alpha, above=0)
        check_number("tol", self.tol, above=0)
        check_integer("max_iter", self.max_iter, at_least=1, unlimited=-1)

    def _check_memory(self, data: TrainingSet) -> None:
        n = data.rows.size
        factored = sum(
            kernel != "linear" or matrix.shape[1] >= n
            for kernel, matrix in ((self.kernel, data.X), (self.privileged_kernel, data.X_privileged))
            if matrix is not None
        )
        # Coordinate steps need both kernel matrices, the interior point a factor of each that has no features.
        matrices = factored + 2 if factored else 0
        needed = matrices * n * n * 8 / 1e6
        if needed > check_number("cache_size", self.cache_size, above=0):
            raise ValueError(
                f"cache_size is {self.cache_size:g} MB, but the kernel matrices of {n} samples and their factors "
                f"take {needed:.3g} MB: "
                "raise cache_size, use linear kernels with fewer features than samples, or train on fewer samples."
            )

    def _solve(
        self,
        space: Space,
        privileged: Space | None,
        y: Array,
        costs: Array,
        start: tuple[Array, Array] | None = None,
        polish: bool = True,
    ) -> SolverResult:
        """Solve one binary problem; `start` is a feasible (alpha, beta) of the hinge loss."""
        solver, tol, max_iter = self.solver, float(self.tol), int(self.max_iter)
        alpha = float(self.privileged_alpha)
        if self.loss == "squared_hinge":
            return solve_svm_plus_squared(
                space, privileged, y, costs, alpha, solver=solver, tol=tol, max_iter=max_iter
            )
        if privileged is None:
            return solve_svm(
                space, y, np.ones_like(y), costs, solver=solver, tol=tol, max_iter=max_iter, polish=polish
            )
        return solve_svm_plus(
            space,
            privileged,
            y,
            costs,
            alpha,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            start=start,
            polish=polish,
        )

    def _set_slack_functions(self, privileged: KernelSpace | None, results: list[SolverResult]) -> None:
        if privileged is None:
            return
        solutions = [result.solution for result in results]
        if privileged.is_linear:
            functions = [privileged.linear_function(solution, "privileged_") for solution in solutions]
            self.privileged_coef_ = np.array([weights for weights, _ in functions])
        else:
            functions = [privileged.kernel_function(solution, "privileged_") for solution in solutions]
        self.privileged_intercept_ = np.array([intercept for _, intercept in functions])

    def _report_collapse(self, results: list[SolverResult]) -> None:
        collapsed = [result.solution for result in results if result.solution.get("collapsed", False)]
        self.collapsed_ = bool(collapsed)
        if self.collapsed_:
            constant = not any(solution["slacks"].any() for solution in collapsed)
            reason = (
                "whatever C and privileged_alpha: no slack function of the privileged features pays for a classifier"
                if constant
                else "at this C and privileged_alpha: the privileged features excuse every error, as the labels would"
            )
            warnings.warn(
                f"The optimum of SVM+ is w = 0 here, {reason}, and predictions follow the intercept alone. Use a "
                "nonlinear privileged_kernel, other privileged features, or MarginTransferSVC.",
                CollapseWarning,
                stacklevel=3,
            )

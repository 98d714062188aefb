"""Margin Transfer with the penalties of both stages chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from widemargin.grid_search import Point, check_refit, grid_points
from widemargin.privileged._search import PrivilegedSearchCV
from widemargin.privileged._training import TrainingSet, privileged_space
from widemargin.privileged.margin_transfer import MarginTransferSVC, transferred_margins
from widemargin.privileged.svm_plus_cv import PAPER_GRID
from widemargin.solvers.kernel_space import KernelSpace
from widemargin.solvers.result import SolverResult

__all__ = ["MarginTransferSVCCV"]

Array = npt.NDArray[np.float64]


class MarginTransferSVCCV(PrivilegedSearchCV):
    r"""Margin Transfer whose C and `privileged_C` are chosen jointly by cross-validation.

    Chooses what GridSearchCV over :class:`MarginTransferSVC` with the same folds chooses, but computes the kernel
    matrices once for each fold, trains the first stage once for each fold and `privileged_C`, and starts each solver
    from its neighbour on the grid. The best pair is trained on all samples.

    Parameters
    ----------
    Cs : sequence of float, default=(1e-3, 1e-2, 1e-1, 1, 10, 100, 1000)
        Values of C to try, each > 0; the default is the paper's grid for L2-normalised features [1]_.
    privileged_Cs : sequence of float, default=(1e-3, 1e-2, 1e-1, 1, 10, 100, 1000)
        Values of `privileged_C` to try, each > 0.
    cv : int, splitter or iterable, default=None
        Folds: 5 stratified ones by default. The paper's five times five folds are
        ``RepeatedStratifiedKFold(n_splits=5, n_repeats=5)``. Where rows belong together, pass the folds themselves:
        ``list(GroupKFold(5).split(X, y, groups))``.
    scoring : str, callable or None, default=None
        Any single score of scikit-learn, which `score` gives, too; None is accuracy.
    n_jobs : int, default=None
        Folds to work on at the same time.
    refit : True or callable, default=True
        How the best point is chosen: True takes the highest mean score, the first of equal ones, as GridSearchCV
        does; a function gets `cv_results_` and returns the place of its choice.
    epsilon, kernel, gamma, degree, coef0 : object
        Passed to :class:`MarginTransferSVC`, as are the following.
    privileged_kernel, privileged_gamma, privileged_degree, privileged_coef0 : object
        Of the privileged features.
    fit_intercept, solver, tol, max_iter, class_weight, privileged_transformer : object
        Of the solver; with a transformer, a clone of it is fitted in each fold.

    Attributes
    ----------
    best_estimator_ : MarginTransferSVC
        The best pair, trained on all samples.
    best_params_ : dict
        Its C and `privileged_C`.
    best_score_ : float
        Its mean score over the folds.
    best_index_ : int
        Its place in `cv_results_`.
    cv_results_ : dict of ndarray
        Scores in the layout of GridSearchCV, without times.
    n_splits_ : int
        Number of folds.
    n_not_converged_ : int
        Fits of the search that missed `tol`.
    n_iter_ : int
        Iterations of `best_estimator_`.
    classes_ : ndarray of shape (n_classes,)
        Labels.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X had any.

    See Also
    --------
    MarginTransferSVC : The estimator with both penalties given.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to transfer privileged information", 2014,
       section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.privileged import MarginTransferSVCCV
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.normal(size=(40, 5))
    >>> y = (clean[:, 0] > 0).astype(int)
    >>> X = clean + 0.5 * rng.normal(size=clean.shape)
    >>> search = MarginTransferSVCCV(Cs=[0.01, 1], privileged_Cs=[1, 10]).fit(X, y, X_privileged=clean)
    >>> sorted(search.best_params_)
    ['C', 'privileged_C']
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"X_privileged": True}

    def __init__(
        self,
        Cs: Sequence[float] = PAPER_GRID,
        privileged_Cs: Sequence[float] = PAPER_GRID,
        *,
        cv: Any = None,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
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
        self.Cs = Cs
        self.privileged_Cs = privileged_Cs
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.refit = refit
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

    def fit(self, X: Any, y: Any, X_privileged: Any = None, sample_weight: Any = None) -> MarginTransferSVCCV:
        """Choose both penalties, and train on all samples with them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features that exist at prediction time too; with kernel="precomputed" the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of any type, at least two different ones.
        X_privileged : array-like or sparse matrix of shape (n_samples, n_privileged_features), default=None
            Features that exist for the training samples only, as in :class:`MarginTransferSVC`. Precomputed kernels
            are sliced on both axes.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the training losses; the scores are not weighted, and samples of weight zero are
            not scored.

        Returns
        -------
        MarginTransferSVCCV
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, an argument malformed, or a fold lacks a class.
        """
        template = self._template(MarginTransferSVC, ("C", "privileged_C"))
        template._check_parameters()
        check_refit(self.refit)
        grid = grid_points({"C": self.Cs, "privileged_C": self.privileged_Cs}, above=0)
        self._search(
            template, grid, _path, X, y, X_privileged, sample_weight, center=bool(self.fit_intercept)
        )
        return self


def _path(
    estimator: MarginTransferSVC, data: TrainingSet, samples: KernelSpace, grid: Sequence[Point]
) -> Iterator[tuple[int, list[SolverResult]]]:
    """Solve both stages along increasing penalties, each from the multipliers of the one before."""
    space = None
    if data.X_privileged is not None:
        space = privileged_space(estimator, data, center=True).space
    order = sorted(range(len(grid)), key=lambda i: (grid[i]["privileged_C"], grid[i]["C"]))
    first: list[SolverResult] | None = None
    first_C = 1.0
    for privileged_C, indices in groupby(order, key=lambda i: grid[i]["privileged_C"]):
        rho = np.ones((data.rows.size, data.n_problems))
        if space is not None:
            starts = _scaled(first, privileged_C / first_C)
            first, first_C = (
                estimator._first_stage(data, space, privileged_C, starts, polish=False),
                privileged_C,
            )
            rho, _ = transferred_margins(data, first)
        second: list[SolverResult] | None = None
        second_C = 1.0
        for index in indices:
            C = grid[index]["C"]
            starts = _scaled(second, C / second_C)
            second, second_C = estimator._second_stage(data, samples.space, rho, C, starts, polish=False), C
            yield index, second if first is None else list(map(_both_converged, first, second))


def _both_converged(first: SolverResult, second: SolverResult) -> SolverResult:
    """Second stage, converged only if the first is."""
    return replace(second, converged=first.converged and second.converged)


def _scaled(results: list[SolverResult] | None, ratio: float) -> list[Array] | None:
    """Multipliers that are feasible when every C is `ratio` times what it was."""
    return None if results is None else [ratio * result.dual["alpha"] for result in results]

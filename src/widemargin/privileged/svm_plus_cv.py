"""SVM+ with both penalties chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from widemargin.grid_search import Point, check_refit, grid_points
from widemargin.privileged._search import PrivilegedSearchCV
from widemargin.privileged._training import TrainingSet, privileged_space
from widemargin.privileged.svm_plus import SVMPlus
from widemargin.solvers.kernel_space import KernelSpace
from widemargin.solvers.result import SolverResult
from widemargin.solvers.svm_plus_path import SVMPlusPath

__all__ = ["SVMPlusCV"]

PAPER_GRID = (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)


class SVMPlusCV(PrivilegedSearchCV):
    r"""SVM+ whose C and `privileged_alpha` are chosen jointly by cross-validation.

    Chooses what GridSearchCV over :class:`SVMPlus` with the same folds chooses, but computes the kernel matrices
    once for each fold and starts each solver from its neighbour on the grid. The best pair is trained on all samples.

    Parameters
    ----------
    Cs : sequence of float, default=(1e-3, 1e-2, 1e-1, 1, 10, 100, 1000)
        Values of C to try, each > 0; the default is the paper's grid for L2-normalised features [1]_.
    privileged_alphas : sequence of float, default=(1e-3, 1e-2, 1e-1, 1, 10, 100, 1000)
        Values of `privileged_alpha` to try, each > 0.
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
    loss, kernel, gamma, degree, coef0 : object
        Passed to :class:`SVMPlus`, as are the following.
    privileged_kernel, privileged_gamma, privileged_degree, privileged_coef0 : object
        Of the privileged features.
    solver, tol, max_iter, class_weight, privileged_transformer, cache_size, verbose : object
        Of the solver; with a transformer, a clone of it is fitted in each fold.

    Attributes
    ----------
    best_estimator_ : SVMPlus
        The best pair, trained on all samples.
    best_params_ : dict
        Its C and `privileged_alpha`.
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
    SVMPlus : The estimator with both penalties given.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to transfer privileged information", 2014,
       section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.privileged import SVMPlusCV
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.normal(size=(40, 50))
    >>> y = (clean[:, :3].sum(axis=1) > 0).astype(int)
    >>> X = clean + rng.normal(size=clean.shape)
    >>> search = SVMPlusCV(Cs=[0.01, 1], privileged_alphas=[0.1, 10]).fit(X, y, X_privileged=clean)
    >>> sorted(search.best_params_)
    ['C', 'privileged_alpha']
    """

    __metadata_request__fit: ClassVar[dict[str, bool]] = {"X_privileged": True}

    def __init__(
        self,
        Cs: Sequence[float] = PAPER_GRID,
        privileged_alphas: Sequence[float] = PAPER_GRID,
        *,
        cv: Any = None,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
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
        self.Cs = Cs
        self.privileged_alphas = privileged_alphas
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.refit = refit
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

    def fit(self, X: Any, y: Any, X_privileged: Any = None, sample_weight: Any = None) -> SVMPlusCV:
        """Choose both penalties, and train on all samples with them.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Features that exist at prediction time too; with kernel="precomputed" the square kernel matrix.
        y : array-like of shape (n_samples,)
            Labels of any type, at least two different ones.
        X_privileged : array-like or sparse matrix of shape (n_samples, n_privileged_features), default=None
            Features that exist for the training samples only, as in :class:`SVMPlus`. Precomputed kernels are
            sliced on both axes.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative weights of the training losses; the scores are not weighted, and samples of weight zero are
            not scored.

        Returns
        -------
        SVMPlusCV
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, an argument malformed, or a fold lacks a class.
        """
        template = self._template(SVMPlus, ("C", "privileged_alpha"))
        template._check_parameters()
        check_refit(self.refit)
        grid = grid_points({"C": self.Cs, "privileged_alpha": self.privileged_alphas}, above=0)
        self._search(template, grid, _path, X, y, X_privileged, sample_weight, center=self.loss == "hinge")
        return self


def _path(
    estimator: SVMPlus, data: TrainingSet, samples: KernelSpace, grid: Sequence[Point]
) -> Iterator[tuple[int, list[SolverResult]]]:
    """Solve the grid along increasing C and decreasing `privileged_alpha`."""
    space = None
    if data.X_privileged is not None:
        space = privileged_space(estimator, data, center=estimator.loss == "hinge").space
    signs = list(data.signs())
    paths: list[SVMPlusPath] = []
    if space is not None and estimator.loss == "hinge" and space.n_samples == data.rows.size:
        paths = [
            SVMPlusPath(
                samples.space,
                space,
                y,
                data.weights,
                solver=estimator.solver,
                tol=float(estimator.tol),
                max_iter=int(estimator.max_iter),
            )
            for y in signs
        ]
    for index in sorted(range(len(grid)), key=lambda i: (grid[i]["C"], -grid[i]["privileged_alpha"])):
        C, alpha = grid[index]["C"], grid[index]["privileged_alpha"]
        if paths:
            yield index, [path.solve(C, alpha) for path in paths]
        else:
            estimator.privileged_alpha = alpha
            costs = C * data.weights
            yield index, [estimator._solve(samples.space, space, y, costs, polish=False) for y in signs]

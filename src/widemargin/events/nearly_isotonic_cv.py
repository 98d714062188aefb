"""The nearly-isotonic SVM with both penalties chosen by cross-validation."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted

from widemargin.blas import blas_threads
from widemargin.events._base import ShotClassifier
from widemargin.events._problem import ShotProblem, ShotSamples
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.events.path import PAPER_ALPHAS, solve_grid
from widemargin.fitted import forget_fitted
from widemargin.grid_search import (
    axis_values,
    check_refit,
    check_single_score,
    chosen_index,
    grid_points,
    search_results,
)

__all__ = ["NearlyIsotonicSVCCV"]

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


class NearlyIsotonicSVCCV(ClassifierMixin, BaseEstimator):
    r"""Nearly-isotonic SVM whose `isotonic_alpha` and `alpha` are chosen jointly by cross-validation.

    Chooses as GridSearchCV over :class:`NearlyIsotonicSVC` does, but reads and orders the videos once, computes their
    Gram matrices once for all folds where the Gram space is possible, starts each solution from its neighbour on the
    grid, and scores held-out videos with their saliency whatever the score: scikit-learn's scorers do not pass it on.
    The best pair is trained on all videos, from `init`.

    Parameters
    ----------
    isotonic_alphas, alphas : sequence of float, default=(1e-4, 1e-3, ..., 1e4)
        Values to try, each >= 0; the default is the paper's grid [1]_.
    cv : int, splitter or iterable, default=None
        Folds: 5 stratified ones by default. Where videos belong together, pass the folds themselves:
        ``list(GroupKFold(5).split(y, y, groups))``.
    scoring : str, callable or None, default=None
        Any single score of scikit-learn, such as "average_precision", which `score` gives, too; None is accuracy. A
        function of (estimator, X, y) gets a classifier of row numbers for X, whose scores are those of the videos.
    n_jobs : int, default=None
        Folds to work on at the same time.
    refit : True or callable, default=True
        How the best point is chosen: True takes the highest mean score, the first of equal ones, as GridSearchCV
        does; a function gets `cv_results_` and returns the place of its choice.
    penalty, norm, order, nonnegative, loss, smoothing, fit_intercept : object
        Passed to :class:`NearlyIsotonicSVC`, as are the following.
    n_shots, tie_tolerance, class_weight : object
        How videos are read and weighed; class weights are computed in each fold.
    init, solver, tol, max_iter, random_state : object
        Of the solver; `init` for the best pair alone.

    Attributes
    ----------
    best_estimator_ : NearlyIsotonicSVC
        The best pair, trained on all videos.
    best_params_ : dict
        Its `alpha` and `isotonic_alpha`.
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
        Number of columns of a 2-D X.
    feature_names_in_ : ndarray of shape (n_columns,)
        Their names, if X had any.

    See Also
    --------
    NearlyIsotonicSVC : The estimator with both penalties given.
    regularization_path : All solutions of a grid.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang, E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
       IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.1.3.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events import NearlyIsotonicSVCCV
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 50)
    >>> X = rng.normal(size=(100, 4, 3))
    >>> X[y == 1, 0] += 1.0
    >>> search = NearlyIsotonicSVCCV([0.0, 0.1], [0.01, 0.1], scoring="average_precision").fit(X, y)
    >>> sorted(search.best_params_)
    ['alpha', 'isotonic_alpha']
    """

    def __init__(
        self,
        isotonic_alphas: Sequence[float] = PAPER_ALPHAS,
        alphas: Sequence[float] = PAPER_ALPHAS,
        *,
        cv: Any = None,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        penalty: str = "l2",
        norm: int = 2,
        order: str = "nearly_isotonic",
        nonnegative: bool = False,
        loss: str = "squared_hinge",
        smoothing: float = 0.1,
        fit_intercept: bool = True,
        n_shots: int | None = None,
        tie_tolerance: float = 0.0,
        class_weight: Any = None,
        init: Any = "zeros",
        solver: str = "auto",
        tol: float = 1e-4,
        max_iter: int = 2000,
        random_state: Any = None,
    ) -> None:
        self.isotonic_alphas = isotonic_alphas
        self.alphas = alphas
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.refit = refit
        self.penalty = penalty
        self.norm = norm
        self.order = order
        self.nonnegative = nonnegative
        self.loss = loss
        self.smoothing = smoothing
        self.fit_intercept = fit_intercept
        self.n_shots = n_shots
        self.tie_tolerance = tie_tolerance
        self.class_weight = class_weight
        self.init = init
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any, saliency: Any = None, sample_weight: Any = None) -> NearlyIsotonicSVCCV:
        """Choose both penalties, and train on all videos with them.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Training videos.
        y : array-like of shape (n_videos,)
            Labels.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as in :meth:`NearlyIsotonicSVC.fit`.
        sample_weight : array-like of shape (n_videos,), default=None
            Weights of the training losses, at least 0; the scores are not weighted, and videos of weight zero are not
            scored.

        Returns
        -------
        NearlyIsotonicSVCCV
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range, an argument does not fit, or a fold lacks a class.
        """
        forget_fitted(self)
        template = self._template()
        check_refit(self.refit)
        isotonic = axis_values("isotonic_alpha", self.isotonic_alphas, at_least=0)
        other = axis_values("alpha", self.alphas, at_least=0)
        grid = grid_points({"isotonic_alpha": isotonic, "alpha": other}, at_least=0)
        template._check_parameters()
        samples = template._read_samples(X, y, saliency, sample_weight)
        self._copy_shape(template)
        scorer = self._scorer()
        folds = list(_folds(self.cv, samples, y))
        if not folds:
            raise ValueError("cv gives no fold: pass a number of folds, a splitter, or a list of splits.")
        with blas_threads(samples.X.size * samples.X.shape[0]):
            shared = template._shared_problem(samples, template._loss_weight(samples, samples.sample_weight))
            outcomes = Parallel(n_jobs=self.n_jobs)(
                delayed(_score_fold)(template, samples, shared, train, test, isotonic, other, scorer)
                for train, test in folds
            )
        scores = np.array([fold.T.ravel() for fold, _ in outcomes]).T
        self._choose(grid, scores, sum(n_failed for _, n_failed in outcomes))
        best = clone(template).set_params(**self.best_params_)
        with warnings.catch_warnings():
            # What is said of the parameters and the saliency has been said.
            warnings.filterwarnings("ignore", message="order=|saliency is constant", category=UserWarning)
            self.best_estimator_ = best.fit(X, y, saliency=saliency, sample_weight=sample_weight)
        self.n_iter_ = self.best_estimator_.n_iter_
        return self

    def decision_function(self, X: Any, saliency: Any = None) -> Array:
        """Return the scores that the best estimator gives videos.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as in :meth:`NearlyIsotonicSVC.decision_function`.

        Returns
        -------
        ndarray of shape (n_videos,) or (n_videos, n_classes)
            Scores; one column a class if there are more than two.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X, saliency)

    def predict(self, X: Any, saliency: Any = None) -> npt.NDArray[Any]:
        """Return the label that the best estimator gives each video.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as in :meth:`NearlyIsotonicSVC.decision_function`.

        Returns
        -------
        ndarray of shape (n_videos,)
            Labels of the kind passed to `fit`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X, saliency)

    def score(self, X: Any, y: Any, saliency: Any = None, sample_weight: Any = None) -> float:
        """Return the score of the best estimator on given videos, of the kind that chose it.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        y : array-like of shape (n_videos,)
            Their labels.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as in :meth:`NearlyIsotonicSVC.decision_function`.
        sample_weight : array-like of shape (n_videos,), default=None
            Weights of the videos.

        Returns
        -------
        float
            The score by `scoring`, or accuracy.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self)
        scored = ScoredVideos.of(self.best_estimator_, self.decision_function(X, saliency))
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self._scorer()(scored, scored.rows, np.asarray(y), **weights))

    def _template(self) -> NearlyIsotonicSVC:
        names = set(self._get_param_names()) & set(NearlyIsotonicSVC._get_param_names())
        return NearlyIsotonicSVC(**{name: getattr(self, name) for name in names})

    def _copy_shape(self, template: NearlyIsotonicSVC) -> None:
        self.classes_, self.n_features_in_ = template.classes_, template.n_features_in_
        if hasattr(template, "feature_names_in_"):
            self.feature_names_in_ = template.feature_names_in_

    def _scorer(self) -> Any:
        check_single_score(self.scoring)
        return check_scoring(ScoredVideos(), self.scoring)

    def _choose(self, grid: list[dict[str, float]], scores: Array, failed: int) -> None:
        if failed:
            warnings.warn(
                f"{failed} of {scores.size} fits of the grid search missed tol={self.tol:g}: raise max_iter or tol, or "
                "leave out the smallest alphas.",
                ConvergenceWarning,
                stacklevel=3,
            )
        finite = np.isfinite(scores)
        if not finite.any():
            raise ValueError(
                "every score of the grid search is NaN or infinite: choose a score that is defined on every fold, or "
                "folds with videos of all classes."
            )
        if not finite.all():
            warnings.warn(
                f"{int((~finite).sum())} of {finite.size} scores of the grid search are NaN or infinite, and rank "
                "last: choose folds with videos of all classes.",
                UserWarning,
                stacklevel=3,
            )
        self.n_splits_ = scores.shape[1]
        self.n_not_converged_ = failed
        self.cv_results_ = search_results(grid, scores)
        self.best_index_ = chosen_index(self.refit, self.cv_results_)
        self.best_params_ = grid[self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])


class ScoredVideos(ClassifierMixin, BaseEstimator):
    """A classifier of row numbers whose scores are known, for scorers that know nothing of saliency."""

    @classmethod
    def of(cls, model: ShotClassifier, values: Array) -> ScoredVideos:
        """Return the classifier of rows with given values of the decision function."""
        scored = cls()
        scored.classes_, scored.values_ = model.classes_, values
        return scored

    @property
    def rows(self) -> Indices:
        """Row numbers, as a column."""
        return np.arange(len(self.values_))[:, None]

    def fit(self, X: Any, y: Any) -> ScoredVideos:
        """Do nothing, since scorers ask for the method."""
        return self

    def decision_function(self, X: Indices) -> Array:
        """Return the known values."""
        return self.values_[X[:, 0]]

    def predict(self, X: Indices) -> npt.NDArray[Any]:
        """Return the labels that follow from the known values."""
        values = self.decision_function(X)
        return self.classes_[(values > 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)]


def _folds(cv: Any, samples: ShotSamples, y: Any) -> Any:
    """Yield masks of the training videos and numbers of the test videos, of positive weight, of each fold."""
    n_videos = samples.targets.size
    rows, positive = np.arange(n_videos), samples.sample_weight > 0
    n_classes = samples.targets.max() + 1
    for fold, (train, test) in enumerate(check_cv(cv, y, classifier=True).split(np.zeros((n_videos, 1)), y)):
        # Through `rows`, because a splitter may give masks, or rows counted from the end.
        mask = np.zeros(n_videos, dtype=bool)
        mask[rows[train]] = True
        mask &= positive
        held_out = rows[test][positive[rows[test]]]
        counts = np.bincount(samples.targets[mask], minlength=n_classes)
        if not counts.all() or not held_out.size:
            what = "no test video" if counts.all() else "a class without training videos"
            raise ValueError(
                f"cv gives {what} of positive weight in fold {fold}: use stratified folds, or fewer of them."
            )
        yield mask, held_out


def _score_fold(
    model: NearlyIsotonicSVC,
    samples: ShotSamples,
    shared: ShotProblem,
    train: npt.NDArray[np.bool_],
    test: Indices,
    isotonic_alphas: Sequence[float],
    alphas: Sequence[float],
    scorer: Any,
) -> tuple[Array, int]:
    """Return the scores of the grid on one fold, and how many fits missed their tolerance.

    The other videos have weight zero: neither X nor the Gram matrices are cut up.
    """
    weight = model._loss_weight(samples, np.where(train, samples.sample_weight, 0.0))
    problem = shared.reweighted(weight)
    labels = model.classes_[samples.targets[test]]
    scores, failed = np.empty((len(isotonic_alphas), len(alphas))), 0
    pairs = samples.pair_weights(weight)
    for place, _, solution in solve_grid(model, problem, pairs, isotonic_alphas, alphas):
        failed += not solution.result.converged
        values = solution.scores()[test]
        scored = ScoredVideos.of(model, values[:, 0] if values.shape[1] == 1 else values)
        scores[place] = scorer(scored, scored.rows, labels)
    return scores, failed

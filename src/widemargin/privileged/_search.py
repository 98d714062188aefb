"""Joint grid search over two penalties that pays once for what the grid points share.

Of a fold, the kernel matrices are computed once, the first stage of Margin Transfer is trained once for each of its
penalties, and every solver starts from the solution of the penalty before it. A generic grid search over the
estimators would repeat all of this, and the checks of the inputs, at every point.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils.validation import check_is_fitted

from widemargin.fitted import forget_fitted
from widemargin.grid_search import Point, check_single_score, chosen_index, search_results
from widemargin.privileged._base import PrivilegedClassifier
from widemargin.privileged._training import TrainingSet, read_training_set, sample_space
from widemargin.solvers.kernel_space import KernelSpace
from widemargin.solvers.result import SolverResult

__all__ = ["PrivilegedSearchCV"]

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]
# (grid point, one result a binary problem) in any order, for a training set and the space of its samples.
Path = Callable[[Any, TrainingSet, KernelSpace, Sequence[Point]], Iterator[tuple[int, list[SolverResult]]]]


class PrivilegedSearchCV(ClassifierMixin, BaseEstimator):
    """Base of the estimators that choose two penalties by cross-validation; subclasses define the grid."""

    def _search(
        self,
        template: PrivilegedClassifier,
        grid: list[Point],
        path: Path,
        X: Any,
        y: Any,
        X_privileged: Any,
        sample_weight: Any,
        center: bool,
    ) -> None:
        """Score the grid, keep the best point and train it on all samples."""
        forget_fitted(self)
        data = read_training_set(template, X, y, X_privileged, sample_weight)
        template._check_memory(data)
        self.classes_ = template.classes_
        self.n_features_in_ = template.n_features_in_
        if hasattr(template, "feature_names_in_"):
            self.feature_names_in_ = template.feature_names_in_
        scorer = self._scorer(template)
        folds = list(_folds(self.cv, data, y))
        if not folds:
            raise ValueError("cv gives no fold: pass a number of folds, a splitter, or a list of splits.")
        outcomes = Parallel(n_jobs=self.n_jobs)(
            delayed(_score_fold)(template, data, train, test, grid, path, center, scorer)
            for train, test in folds
        )
        scores = np.array([score for score, _ in outcomes]).T
        failed = sum(n_failed for _, n_failed in outcomes)
        if failed:
            warnings.warn(
                f"{failed} of {scores.size * data.n_problems} fits of the grid search missed tol={template.tol:g}: "
                "raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.n_splits_ = len(folds)
        self.n_not_converged_ = failed
        self.cv_results_ = search_results(grid, scores)
        self.best_index_ = chosen_index(self.refit, self.cv_results_)
        self.best_params_ = grid[self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        best = clone(template).set_params(**self.best_params_)
        self.best_estimator_ = best.fit(X, y, X_privileged=X_privileged, sample_weight=sample_weight)
        self.n_iter_ = self.best_estimator_.n_iter_

    def decision_function(self, X: Any) -> Array:
        """Return the values of the decision functions of the best estimator.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; for a precomputed kernel k(samples, training samples).

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            One column a class if there are more than two.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self)
        return self.best_estimator_.decision_function(X)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label that the best estimator gives each sample.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; for a precomputed kernel k(samples, training samples).

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels of the kind passed to `fit`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self)
        return self.best_estimator_.predict(X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the score of the best estimator on given samples, of the kind that chose it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the samples.

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
        scorer = self._scorer(self.best_estimator_)
        if scorer is None:
            return super().score(X, y, sample_weight)
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(scorer(self.best_estimator_, X, y, **weights))

    def _scorer(self, estimator: Any) -> Any:
        """Scorer that was asked for, None for accuracy."""
        check_single_score(self.scoring)
        if self.scoring is None:
            return None
        return check_scoring(estimator, self.scoring)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _template(self, estimator: type[PrivilegedClassifier], grid_names: tuple[str, str]) -> Any:
        """Estimator with this one's parameters, the two of the grid at their defaults."""
        names = [name for name in estimator._get_param_names() if name not in grid_names]
        return estimator(**{name: getattr(self, name) for name in names})


def _folds(cv: Any, data: TrainingSet, y: Any) -> Iterator[tuple[Indices, Indices]]:
    """Positions among the samples of `data` of each fold's training and test part.

    The rows the user passed are split, so that the folds are those of a generic search; samples of weight zero
    belong to neither part.
    """
    splitter = check_cv(cv, y, classifier=True)
    rows = np.arange(data.n_rows)
    position = np.full(data.n_rows, -1)
    position[data.rows] = np.arange(data.rows.size)
    for fold, (train, test) in enumerate(splitter.split(np.zeros((data.n_rows, 1)), y)):
        # Through `rows`, because a splitter may give masks, or rows counted from the end.
        train, test = (position[rows[part]] for part in (train, test))
        train, test = np.sort(train[train >= 0]), test[test >= 0]
        absent = np.setdiff1d(np.arange(data.classes.size), data.labels[train])
        if absent.size or not test.size:
            what = (
                f"no training sample of class {data.classes[absent].tolist()[0]!r}"
                if absent.size
                else "no test sample"
            )
            raise ValueError(
                f"cv gives {what} of positive weight in fold {fold}: use stratified folds, or fewer of them."
            )
        yield train, test


def _score_fold(
    template: PrivilegedClassifier,
    data: TrainingSet,
    train: Indices,
    test: Indices,
    grid: Sequence[Point],
    path: Path,
    center: bool,
    scorer: Any,
) -> tuple[Array, int]:
    """Scores of all grid points on one fold, and how many fits missed their tolerance."""
    part = data.subset(train)
    held_out = data.X[np.ix_(test, train)] if template.kernel == "precomputed" else data.X[test]
    labels = data.labels[test]
    estimator = copy.copy(template)
    samples = sample_space(estimator, part, center=center)
    kernel = None if samples.is_linear else samples.kernel(held_out, samples.X)
    seen = held_out
    if template.kernel == "precomputed":
        # The estimator looks its support vectors up among the columns of the rows that the user passed.
        seen = np.zeros((test.size, data.n_rows))
        seen[:, data.rows] = data.X[test]
    scores, failed = np.empty(len(grid)), 0
    for index, results in path(estimator, part, samples, grid):
        failed += sum(not result.converged for result in results)
        if scorer is None:
            values = _decision_values(samples, results, held_out, kernel)
            scores[index] = np.mean(_predicted(values) == labels)
        else:
            estimator._set_decision_functions(part, samples, results)
            scores[index] = scorer(estimator, seen, data.classes[labels])
    return scores, failed


def _decision_values(
    samples: KernelSpace, results: list[SolverResult], X: Any, kernel: Array | None
) -> Array:
    columns = []
    for result in results:
        if kernel is None:
            weights, intercept = samples.linear_function(result.solution)
            columns.append(X @ weights + intercept)
        else:
            coefficients, intercept = samples.kernel_function(result.solution)
            columns.append(kernel @ coefficients + intercept)
    return np.column_stack(columns)


def _predicted(values: Array) -> Indices:
    return (values[:, 0] > 0).astype(int) if values.shape[1] == 1 else values.argmax(axis=1)

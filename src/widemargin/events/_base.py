"""What the classifiers of ordered shots share: the videos they read, and how labels follow from scores."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import column_or_1d, compute_class_weight
from sklearn.utils.validation import _num_samples, check_is_fitted

from widemargin import _native
from widemargin.events._order import check_saliency, saliency_order
from widemargin.events._problem import ShotProblem, ShotSamples
from widemargin.events._videos import read_videos
from widemargin.proximal import ShotPenalty
from widemargin.solvers.shot_loss import LOSSES, ShotLoss
from widemargin.solvers.shot_space import ShotData
from widemargin.validation import (
    check_choice,
    check_features_finite,
    check_flag,
    check_labels,
    check_magnitude,
    check_number,
    check_numbers,
    check_sample_weight,
    proportional_weight,
)

__all__ = ["ShotClassifier"]

Array = npt.NDArray[np.float64]
Order = npt.NDArray[np.int32]

# Beyond these nothing is left of the smoothing, or of the hinge.
_LEAST_SMOOTHING, _LARGEST_SMOOTHING = 1e-6, 1e6
_TWINS = {"increments": "nearly_isotonic", "absolute": "total_variation", "total_variation": "absolute"}


class ShotClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers of ordered shots; subclasses have the parameters of `NearlyIsotonicSVC` read here."""

    classes_: npt.NDArray[Any]
    coef_: Array
    intercept_: Array

    def decision_function(self, X: Any, saliency: Any = None) -> Array:
        """Return the score of each video, positive for ``classes_[1]`` if there are two classes.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, for ``classes_[1]`` or for each of more than two classes; None: they are in order.

        Returns
        -------
        ndarray of shape (n_videos,) or (n_videos, n_classes)
            Scores; one column a class if there are more than two.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the shape of X differs from that in `fit`, or the saliency does not fit X.

        Warns
        -----
        UserWarning
            If `fit` had a saliency and this call has none.
        """
        return self._scores(X, saliency)

    def predict(self, X: Any, saliency: Any = None) -> npt.NDArray[Any]:
        """Return the label of each video.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as in `decision_function`.

        Returns
        -------
        ndarray of shape (n_videos,)
            Labels of the kind passed to `fit`: ``classes_[1]`` where the score is positive, or the class with the
            largest score, the first of equal ones.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the shape of X differs from that in `fit`, or the saliency does not fit X.
        """
        return self._labels(self._scores(X, saliency))

    def score(self, X: Any, y: Any, saliency: Any = None, sample_weight: Any = None) -> float:
        """Return the share of videos whose label is predicted.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Videos.
        y : array-like of shape (n_videos,)
            Their labels.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as in `decision_function`.
        sample_weight : array-like of shape (n_videos,), default=None
            Weights of the videos.

        Returns
        -------
        float
            The accuracy.
        """
        return float(accuracy_score(y, self._labels(self._scores(X, saliency)), sample_weight=sample_weight))

    def _labels(self, scores: Array) -> npt.NDArray[Any]:
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _scores(self, X: Any, saliency: Any) -> Array:
        check_is_fitted(self, "coef_")
        X = read_videos(self, X, self.n_shots, reset=False)
        order = self._order(X, saliency)
        weights, intercept = self._function(X.shape[1:])
        scores = np.empty((X.shape[0], weights.shape[0]))
        _native.shot_scores(X, order, weights, intercept, scores)
        return scores[:, 0] if self.classes_.size == 2 else scores

    def _function(self, shape: tuple[int, ...]) -> tuple[Array, Array]:
        """Return weights and intercepts for videos of a shape, checked: a model may have been changed elsewhere."""
        n_scores = 1 if self.classes_.size == 2 else self.classes_.size
        weights = check_numbers("coef_", self.coef_)
        intercept = check_numbers("intercept_", self.intercept_)
        expected = shape if n_scores == 1 else (n_scores, *shape)
        if weights.shape != expected or intercept.shape != (n_scores,):
            raise ValueError(
                f"coef_ has shape {weights.shape} and intercept_ {intercept.shape}, expected {expected} and "
                f"({n_scores},) for {self.classes_.size} classes: fit the model again."
            )
        check_features_finite("coef_", weights)
        check_features_finite("intercept_", intercept)
        return np.ascontiguousarray(weights).reshape(n_scores, *shape), np.ascontiguousarray(intercept)

    def _order(self, X: npt.NDArray[Any], saliency: Any) -> Order | None:
        if saliency is None:
            if self.sorts_shots_:
                warnings.warn(
                    "fit had a saliency and this call has none, so that the shots of X are taken to be in order: pass "
                    "saliency=, through metadata routing if a search or a pipeline makes the call.",
                    UserWarning,
                    stacklevel=4,
                )
            return None
        array = check_saliency(saliency, X.shape[0], X.shape[1], self.classes_.size, warn_if_constant=False)
        tie_tolerance = check_number("tie_tolerance_", self.tie_tolerance_, at_least=0)
        return saliency_order(array, tie_tolerance)[0]

    def _read_samples(self, X: Any, y: Any, saliency: Any, sample_weight: Any) -> ShotSamples:
        """Check the arguments of `fit` and the parameters of the loss; sets what later calls need to know."""
        check_choice("loss", self.loss, LOSSES)
        check_number("smoothing", self.smoothing, at_least=_LEAST_SMOOTHING, at_most=_LARGEST_SMOOTHING)
        tie_tolerance = check_number("tie_tolerance", self.tie_tolerance, at_least=0)
        check_flag("fit_intercept", self.fit_intercept)
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None: pass one label per video.")
        videos = read_videos(self, X, self.n_shots, reset=True)
        check_magnitude("X", videos)
        if _num_samples(y) != videos.shape[0]:
            raise ValueError(
                f"y has {_num_samples(y)} labels, X has {videos.shape[0]} videos: pass one label per video."
            )
        self.classes_, targets = check_labels(column_or_1d(y, warn=True))
        weight = check_sample_weight(sample_weight, videos.shape[0])
        self.sorts_shots_, self.tie_tolerance_ = saliency is not None, tie_tolerance
        order, separated = None, None
        if saliency is not None:
            checked = check_saliency(saliency, videos.shape[0], videos.shape[1], self.classes_.size)
            order, separated = saliency_order(checked, tie_tolerance)
        return ShotSamples(videos, targets, weight, order, separated)

    def _problem(self, samples: ShotSamples, weight: Array) -> ShotProblem:
        """Return the problem of samples with weights of sum 1."""
        n_scores = 1 if self.classes_.size == 2 else self.classes_.size
        data = ShotData(samples.X, samples.order, n_scores, weight, bool(self.fit_intercept))
        targets = samples.targets.astype(np.int32)
        return ShotProblem(data, ShotLoss(targets, weight, n_scores, self.loss, float(self.smoothing)))

    def _loss_weight(self, samples: ShotSamples, sample_weight: Array) -> Array:
        """Return the weights of the losses, with sum 1, for sample weights."""
        weight = sample_weight
        if self.class_weight is not None:
            present = np.flatnonzero(weight)
            factors = compute_class_weight(
                self.class_weight,
                classes=self.classes_,
                y=self.classes_[samples.targets[present]],
                sample_weight=weight[present],
            )
            if not (np.isfinite(factors).all() and factors.min() >= 0):
                raise ValueError(
                    f"class_weight must have finite factors of at least 0, got {self.class_weight!r}: pass such."
                )
            weight = weight * factors[samples.targets]
        weight = proportional_weight(weight, samples.targets, self.classes_.tolist())
        return weight / weight.sum()

    def _penalty(self, isotonic_alpha: float, alpha: float, pairs: Array | None) -> ShotPenalty:
        """Return the penalty for weights of the pairs of positions, None for ones; checks its parameters."""
        return ShotPenalty(
            isotonic_alpha, alpha, self.penalty, self.norm, self.order, self.nonnegative, pairs
        )

    def _check_penalty(self) -> None:
        self._penalty(0.0, 0.0, None)
        if self.norm == 2 and self.order in _TWINS:
            warnings.warn(
                f"order={self.order!r} is the same penalty as order={_TWINS[self.order]!r} under norm=2, since norms "
                "are not negative: pass norm=1 to tell them apart.",
                UserWarning,
                stacklevel=4,
            )

r"""The problem of the nearly-isotonic SVM in the space of its weights.

.. math::
    \min_{W, b} \; \sum_i s_i \, \ell\bigl(y_i, (\langle P_{ie} V_i, W^e \rangle + b_e)_e\bigr) + g(W),
    \qquad \sum_i s_i = 1

with :math:`P_{ie}` the order of the shots of video i for class e. With an intercept the videos are centred
implicitly: scores are :math:`\langle V - \bar V, W \rangle + b'`, :math:`\bar V` the weighted mean of the reordered
videos. The curvature falls by the share of the mean in it (50 times on non-negative features, and the steps to a
tolerance 30 times), and no centred copy is made.

A point is one vector of float64: W, then b' in units in which the curvature along it is that along W.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import Evaluation
from widemargin.solvers.shot_loss import ShotLoss

__all__ = ["MARGIN", "TINY", "ShotData", "WeightSpace", "remaining_room"]

Array = npt.NDArray[np.float64]
Order = npt.NDArray[np.int32]

# On centred videos one came within 15 % of the largest eigenvalue. A bound that is too low is raised on the way.
_POWER_ITERATIONS = 1
MARGIN = 1.02
"""What an estimated eigenvalue is multiplied by."""
TINY = float(np.finfo(float).tiny)
"""Smallest normal number, a bound on what is divided by."""


@dataclass(frozen=True)
class ShotData:
    """Videos, the order of their shots, and what a pass over them tells.

    Parameters
    ----------
    X : ndarray of shape (n_videos, n_shots, n_features)
        Features in float32 or float64, of any strides; never copied.
    order : ndarray of int32 of shape (n_videos, n_scores, n_shots) or None
        Which of the video's shots is at each position; None if they are in order.
    n_scores : int
        Number of scores a video.
    weight : ndarray of shape (n_videos,)
        Weights of the videos, with sum 1.
    fit_intercept : bool
        Whether the videos are centred.
    known_spread : float or None, default=None
        `spread`, if it is known from the same videos in another basis: its estimate depends on the basis, and with it
        which stationary point is found where there are several.
    """

    X: npt.NDArray[Any]
    order: Order | None
    n_scores: int
    weight: Array
    fit_intercept: bool
    known_spread: float | None = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of W: (n_scores, n_shots, n_features)."""
        return (self.n_scores, *self.X.shape[1:])

    @cached_property
    def mean(self) -> Array:
        """Weighted mean of the reordered videos, zero without an intercept, of the shape of W."""
        if not self.fit_intercept:
            return np.zeros(self.shape)
        return self.combine(np.repeat(self.weight[:, None], self.n_scores, axis=1))

    def shots_at(self, position: int) -> npt.NDArray[Any]:
        """Return the shots at a position, of shape (n_videos, n_features), for one score a video."""
        if self.order is None:
            return self.X[:, position]
        return self.X[np.arange(self.X.shape[0]), self.order[:, 0, position]]

    def combine(self, coefficients: Array) -> Array:
        """Return the sums of reordered videos with coefficients of shape (n_videos, n_scores)."""
        total = np.empty(self.shape)
        _native.shot_combination(self.X, self.order, coefficients, total)
        return total

    def scores(self, weights: Array, intercept: Array) -> Array:
        """Return the inner products of the reordered videos with W, plus intercepts."""
        scores = np.empty((self.X.shape[0], self.n_scores))
        _native.shot_scores(self.X, self.order, weights, intercept, scores)
        return scores

    def centred(self, weights: Array) -> Array:
        """Return the scores of the centred videos."""
        scores = self.scores(weights, np.zeros(self.n_scores))
        return scores - self.weight @ scores if self.fit_intercept else scores

    @cached_property
    def spread(self) -> float:
        """Estimate from below of the largest eigenvalue of the weighted covariance of the videos."""
        if self.known_spread is not None:
            return self.known_spread
        # In the space of weights, so that neither the order of the videos nor copies of one change the steps.
        scores = self.centred(np.random.default_rng(0).standard_normal(self.shape))
        for _ in range(_POWER_ITERATIONS):
            weighted = self.weight[:, None] * scores
            weights = self.combine(weighted) - weighted.sum(axis=0)[:, None, None] * self.mean
            norms = np.sqrt(np.einsum("ejk,ejk->e", weights, weights))
            weights /= np.maximum(norms, TINY)[:, None, None]
            scores = self.centred(weights)
        return float((self.weight @ scores**2).max())


def remaining_room(penalty: ShotPenalty, residual: float, weights: float, intercept_gain: float) -> float:
    """Return how much an objective could fall, were the penalty convex.

    Parameters
    ----------
    penalty : ShotPenalty
        The penalty; its l2 part makes the objective strongly convex.
    residual : float
        Norm of an element of the subdifferential by W.
    weights : float
        How far the optimum is taken to be where nothing bounds its distance.
    intercept_gain : float
        What a step of the intercept gains.

    Returns
    -------
    float
        |residual|^2 / (4 alpha) for the l2 penalty, a bound; |residual| weights without one, an estimate; plus
        `intercept_gain`, which is exact where the loss is quadratic.
    """
    if penalty.penalty == "l2" and penalty.alpha > 0:
        return residual * residual / (4.0 * penalty.alpha) + intercept_gain
    return residual * weights + intercept_gain


@dataclass(frozen=True)
class WeightSpace:
    """Points are weights and intercepts; one pass over the videos evaluates the loss and its gradient.

    Parameters
    ----------
    data : ShotData
        The videos.
    loss : ShotLoss
        The loss of their scores.
    penalty : ShotPenalty
        g.
    """

    data: ShotData
    loss: ShotLoss
    penalty: ShotPenalty

    @property
    def curvature(self) -> float:
        """First estimate of the curvature of the loss."""
        return MARGIN * self.loss.curvature * self._unit**2

    @cached_property
    def _unit(self) -> float:
        return float(np.sqrt(self.data.spread)) or 1.0

    @cached_property
    def _size(self) -> int:
        return int(np.prod(self.data.shape))

    def point(self, weights: Array, intercept: Array) -> Array:
        """Return the point of weights and intercepts of the videos as they are."""
        centred = intercept + np.einsum("ejk,ejk->e", self.data.mean, weights)
        return np.concatenate([weights.ravel(), centred / self._unit])

    def solution(self, point: Array) -> tuple[Array, Array]:
        """Return the weights and the intercepts of a point, for the videos as they are."""
        weights = self._weights(point)
        return weights.copy(), point[self._size :] * self._unit - np.einsum(
            "ejk,ejk->e", self.data.mean, weights
        )

    def evaluate(self, point: Array) -> Evaluation:
        """Return value, scores and gradient of the loss."""
        data, loss = self.data, self.loss
        weights, intercept = self.solution(point)
        scores = np.empty((data.X.shape[0], data.n_scores))
        gradient = np.empty_like(point)
        by_weights = self._weights(gradient)
        value, totals = _native.shot_pass(
            data.X,
            data.order,
            weights,
            intercept,
            loss.targets,
            loss.weight,
            loss.name,
            loss.smoothing,
            scores,
            by_weights,
        )
        if data.fit_intercept:
            by_weights -= totals[:, None, None] * data.mean
            gradient[self._size :] = totals * self._unit
        else:
            gradient[self._size :] = 0.0
        return Evaluation(value, scores, gradient)

    def value(self, scores: Array) -> float:
        """Return the loss from the scores alone."""
        return self.loss.value(scores)

    def inner(self, first: Array, second: Array) -> float:
        """Return the inner product of two points."""
        return float(first @ second)

    def penalty_value(self, point: Array) -> float:
        """Return g."""
        return self.penalty.value(self._weights(point))

    def prox(self, point: Array, step: float) -> Array:
        """Return the minimiser of 1 / (2 step) |z - point|^2 + g(z)."""
        new = point.copy()
        self.penalty.prox(self._weights(point), step, out=self._weights(new))
        return new

    def room(self, point: Array, residual: Array) -> float:
        """Return how much the objective could fall, were g convex, from an element of its subdifferential."""
        intercept = residual[self._size :] / self._unit
        gain = float(intercept @ intercept) / (2.0 * self.loss.curvature)
        # Weights of zero are not far from others: those that make scores of a size of 1.
        weights = max(float(np.linalg.norm(point[: self._size])), 1.0 / self._unit)
        by_weights = float(np.linalg.norm(residual[: self._size]))
        return remaining_room(self.penalty, by_weights, weights, gain)

    def _weights(self, point: Array) -> Array:
        return point[: self._size].reshape(self.data.shape)

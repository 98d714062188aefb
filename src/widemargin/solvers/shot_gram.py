r"""The problem of the nearly-isotonic SVM in the span of the videos, for fewer videos than features.

With the norms of the shots penalised and an l2 penalty, steps from zero never leave
:math:`W_j = \sum_i a_{ji} \tilde v^i_j`, and everything follows from the m Gram matrices of the shots at each position,
:math:`K_j = \tilde V_j \tilde V_j^\top`: scores :math:`\sum_j K_j a_j`, norms :math:`a_j^\top K_j a_j`. They cost one
matrix product once; a step then takes n^2 m products rather than 2 n m d, for any penalty and any choice of the
alphas.

A point is one vector: the coefficients a, their products K a, and the centred intercept. Each position has one more
coefficient, of a direction that no video has: the weights of a position where the shots of all videos are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import Evaluation
from widemargin.solvers.shot_loss import ShotLoss
from widemargin.solvers.shot_space import MARGIN, TINY, ShotData, remaining_room

__all__ = ["GramSpace", "ShotGram", "gram_spread", "spans_solution"]

Array = npt.NDArray[np.float64]

# Products with an n x n matrix cost nothing beside the Gram matrices themselves.
_POWER_ITERATIONS = 30


def spans_solution(penalty: ShotPenalty) -> bool:
    """Return whether steps with this penalty keep each shot's weights in the span of the videos' shots."""
    return penalty.norm == 2 and penalty.penalty == "l2" and not penalty.nonnegative


@dataclass(frozen=True)
class ShotGram:
    """Gram matrices of the shots at each position.

    In float64 for float32 videos as well: a small alpha divides the rounding of the products by itself, and weights
    differed by 2e-4 of the largest with matrices of float32 at alpha = 1e-5.

    Parameters
    ----------
    matrices : ndarray of shape (n_shots, n_videos, n_videos)
        Inner products of the shots less `origin`.
    origin : ndarray of shape (n_shots, n_features)
        What is subtracted: with an intercept, which makes up for it, the weighted mean of the shots at each position,
        since products of numbers far from zero have few digits left for their differences; otherwise zero.
    """

    matrices: Array
    origin: Array

    @classmethod
    def of(cls, data: ShotData) -> ShotGram:
        """Compute the matrices; a copy of one position's shots is made at a time."""
        n_videos, n_shots, _ = data.X.shape
        matrices = np.empty((n_shots, n_videos, n_videos))
        for position in range(n_shots):
            shots = data.shots_at(position) - data.mean[0, position]
            np.matmul(shots, shots.T, out=matrices[position])
        return cls(matrices, data.mean[0])

    def times(self, vector: Array) -> Array:
        """Return the products of all matrices with one vector, of shape (n_shots, n_videos)."""
        n_shots, n_videos, _ = self.matrices.shape
        rows = self.matrices.reshape(n_shots * n_videos, n_videos)
        return (rows @ vector).reshape(n_shots, n_videos)

    @cached_property
    def total(self) -> Array:
        """Sum of the matrices over the positions, the Gram matrix of the videos."""
        return self.matrices.sum(axis=0)

    @cached_property
    def anchors(self) -> npt.NDArray[np.intp]:
        """First video whose shot at each position is not at the origin, n_videos where all are."""
        # What is left of equal shots less their mean is rounding.
        rounding = 1e-24 * np.einsum("jk,jk->j", self.origin, self.origin)
        present = np.einsum("jii->ji", self.matrices) > rounding[:, None]
        return np.where(present.any(axis=1), present.argmax(axis=1), self.matrices.shape[1])


def gram_spread(gram: ShotGram, data: ShotData) -> float:
    """Return the largest eigenvalue of the weighted covariance of the videos."""
    direction = np.arange(1.0, data.weight.size + 1.0) % 7.0 - 3.0
    largest = 0.0
    for _ in range(_POWER_ITERATIONS):
        direction = _centred(data, direction)
        scores = gram.total @ direction
        length = float(direction @ scores)
        if length <= TINY:
            break
        scores -= data.weight @ scores if data.fit_intercept else 0.0
        largest = float(data.weight @ scores**2) / length
        direction = data.weight * scores / np.abs(scores).max()
    return largest


def _centred(data: ShotData, coefficients: Array) -> Array:
    """Return the coefficients that the videos have where the centred ones have the given ones."""
    return coefficients - data.weight * coefficients.sum() if data.fit_intercept else coefficients


@dataclass(frozen=True)
class GramSpace:
    """Points are coefficients of the videos' shots; a step costs one product with the Gram matrices.

    Parameters
    ----------
    data : ShotData
        The videos, with one score each.
    gram : ShotGram
        Their Gram matrices.
    spread : float
        Their `gram_spread`.
    loss : ShotLoss
        The loss of their scores.
    penalty : ShotPenalty
        g, one for which `spans_solution` holds.
    """

    data: ShotData
    gram: ShotGram
    spread: float
    loss: ShotLoss
    penalty: ShotPenalty

    @property
    def curvature(self) -> float:
        """First estimate of the curvature of the loss."""
        return MARGIN * self.loss.curvature * self._unit**2

    @cached_property
    def _unit(self) -> float:
        return float(np.sqrt(self.spread)) or 1.0

    def zero(self, intercept: Array) -> Array:
        """Return the point without weights and with an intercept."""
        point = np.zeros(2 * self._size + 1)
        point[-1] = intercept[0] / self._unit
        return point

    def solution(self, point: Array) -> tuple[Array, Array]:
        """Return the weights and the intercept of a point, for the videos as they are."""
        coefficients, _ = self._parts(point)
        weights = np.empty(self.data.shape)
        for position in range(weights.shape[1]):
            # A product of float64 and float32 converts all shots first; the pass converts them as it reads.
            shots, given = self.data.shots_at(position), coefficients[position, :-1, None].copy()
            _native.shot_combination(shots[:, None], None, given, weights[:, position : position + 1])
        weights[0] -= coefficients[:, :-1].sum(axis=1)[:, None] * self.gram.origin
        weights[0, :, 0] += coefficients[:, -1]
        centre = np.einsum("ejk,ejk->e", self.data.mean, weights)
        return weights, point[-1:] * self._unit - centre

    def scores(self, point: Array) -> Array:
        """Return the scores of all videos, of shape (n_videos, 1)."""
        scores = self._parts(point)[1][:, :-1].sum(axis=0)
        if self.data.fit_intercept:
            scores += point[-1] * self._unit - self.data.weight @ scores
        return scores[:, None]

    def evaluate(self, point: Array) -> Evaluation:
        """Return value, scores and gradient of the loss."""
        scores = self.scores(point)
        value, residual = self.loss.evaluate(scores)
        gradient = np.zeros_like(point)
        coefficients, products = self._parts(gradient)
        centred = _centred(self.data, residual[:, 0])
        coefficients[:, :-1] = centred
        products[:, :-1] = self.gram.times(centred)
        if self.data.fit_intercept:
            gradient[-1] = residual.sum() * self._unit
        return Evaluation(value, scores, gradient)

    def value(self, scores: Array) -> float:
        """Return the loss from the scores alone."""
        return self.loss.value(scores)

    def inner(self, first: Array, second: Array) -> float:
        """Return the inner product of two points."""
        size = self._size
        return float(first[:size] @ second[size:-1] + first[-1] * second[-1])

    def penalty_value(self, point: Array) -> float:
        """Return g."""
        return self.penalty.value(self._norms(point)[None, :, None])

    def prox(self, point: Array, step: float) -> Array:
        """Return the minimiser of 1 / (2 step) |z - point|^2 + g(z)."""
        norms = self._norms(point)
        target = self.penalty.prox_norms(norms, step)
        factor = np.divide(target, norms, out=np.zeros_like(norms), where=norms > 0)
        new = point.copy()
        coefficients, products = self._parts(new)
        coefficients *= factor[:, None]
        products *= factor[:, None]
        for position in np.flatnonzero((norms == 0) & (target > 0)):
            self._set_direction(coefficients[position], products[position], int(position), target[position])
        return new

    def room(self, point: Array, residual: Array) -> float:
        """Return how much the objective could fall, were g convex, from an element of its subdifferential."""
        gain = (residual[-1] / self._unit) ** 2 / (2.0 * self.loss.curvature)
        weights = max(float(np.linalg.norm(self._norms(point))), 1.0 / self._unit)
        by_weights = float(np.linalg.norm(self._norms(residual)))
        return remaining_room(self.penalty, by_weights, weights, float(gain))

    @property
    def _size(self) -> int:
        n_shots, n_videos, _ = self.gram.matrices.shape
        return n_shots * (n_videos + 1)

    def _parts(self, point: Array) -> tuple[Array, Array]:
        shape = (self.gram.matrices.shape[0], -1)
        return point[: self._size].reshape(shape), point[self._size : -1].reshape(shape)

    def _norms(self, point: Array) -> Array:
        coefficients, products = self._parts(point)
        return np.sqrt(np.maximum(np.einsum("ji,ji->j", coefficients, products), 0.0))

    def _set_direction(self, coefficients: Array, products: Array, position: int, length: float) -> None:
        anchor = self.gram.anchors[position]
        if anchor == coefficients.size - 1:
            coefficients[-1] = products[-1] = length
            return
        row = self.gram.matrices[position, anchor]
        coefficients[anchor] = length / np.sqrt(row[anchor])
        products[:-1] = coefficients[anchor] * row

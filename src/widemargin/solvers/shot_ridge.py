r"""The problem without an intercept and without an order, in a metric that takes the mean of the videos out.

Without an intercept videos cannot be centred, and the curvature along their mean is that of all of them together: 149
steps rather than 9 on non-negative features. If the penalty is a multiple of :math:`\|W\|_F^2`, its proximal map is a
formula in the metric :math:`M = I + \kappa \hat\mu \hat\mu^\top` too, with :math:`\hat\mu` the direction of the mean.
With :math:`\kappa = \|\mu\|^2 / \sigma`, :math:`\sigma` the largest eigenvalue of the covariance, no curvature is above
twice that of centred videos.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import Evaluation
from widemargin.solvers.shot_space import MARGIN, TINY, ShotData, WeightSpace

__all__ = ["RidgeSpace", "is_ridge"]

Array = npt.NDArray[np.float64]


def is_ridge(penalty: ShotPenalty) -> bool:
    """Return whether a penalty is a multiple of the sum of squares."""
    return penalty.isotonic_alpha == 0 and penalty.penalty == "l2" and not penalty.nonnegative


@dataclass(frozen=True)
class RidgeSpace(WeightSpace):
    """Weights under a penalty for which `is_ridge` holds, without an intercept."""

    @property
    def curvature(self) -> float:
        """First estimate of the curvature of the loss in the metric."""
        return MARGIN * self.loss.curvature * (self._centred.spread or 1.0)

    def inner(self, first: Array, second: Array) -> float:
        """Return the inner product of two points in the metric."""
        return super().inner(first, self._multiplied(second, self._stretch))

    def evaluate(self, point: Array) -> Evaluation:
        """Return value, scores and the gradient of the loss that belongs to the metric."""
        value, scores, gradient = super().evaluate(point)
        return Evaluation(value, scores, self._multiplied(gradient, 1.0 / self._stretch))

    def prox(self, point: Array, step: float) -> Array:
        """Return the minimiser of 1 / (2 step) |z - point|_M^2 + g(z)."""
        shrinkage = 2.0 * step * self.penalty.alpha
        # Along the mean the quadratic form is `stretch` times as steep, and shrinks less.
        along = self._stretch * (1.0 + shrinkage) / (self._stretch + shrinkage)
        return self._multiplied(point, along) / (1.0 + shrinkage)

    def room(self, point: Array, residual: Array) -> float:
        """Return how much the objective could fall, from an element of its subdifferential in the metric."""
        return super().room(point, self._multiplied(residual, self._stretch))

    @cached_property
    def _centred(self) -> ShotData:
        return replace(self.data, fit_intercept=True, known_spread=None)

    @cached_property
    def _mean_norms(self) -> Array:
        return np.sqrt(np.einsum("ejk,ejk->e", self._centred.mean, self._centred.mean))

    @cached_property
    def _directions(self) -> Array:
        return self._centred.mean / np.maximum(self._mean_norms, TINY)[:, None, None]

    @cached_property
    def _stretch(self) -> Array:
        """Eigenvalue of the metric along the mean, one a class; all others are 1."""
        return 1.0 + self._mean_norms**2 / max(self._centred.spread, TINY)

    def _multiplied(self, point: Array, along: Array) -> Array:
        """Return a point whose component along the mean of each class is multiplied."""
        new = point.copy()
        weights = self._weights(new)
        components = np.einsum("ejk,ejk->e", self._directions, weights)
        weights += ((along - 1.0) * components)[:, None, None] * self._directions
        return new

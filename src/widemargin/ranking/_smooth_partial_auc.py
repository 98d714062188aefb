r"""The partial AUC with both rates smoothed, its gradient, and the thresholds that belong to it.

With the normal distribution function :math:`\Phi` in place of the step and multiplicities v, the rates at a threshold
c are

.. math:: TPR(c) = \frac{\sum_+ v_i \Phi((f_i - c) / \sigma)}{\sum_+ v_i}, \qquad
          FPR(c) = \frac{\sum_- v_j \Phi((f_j - c) / \sigma)}{\sum_- v_j},

and the partial AUC is the mean of TPR(c(u)) over the rates u of the range, where FPR(c(u)) = u. The mean is taken by
Gauss-Legendre quadrature. Scores that tie give the diagonal of the ROC curve, as half credit does; a sum over pairs
with the negatives of the range would give them 1/2, and sums of trees tie much.

For the cost not to grow with samples times thresholds, scores are shared out between the two nearest points of a grid
of width sigma / 32, which changes the rates by at most 3e-5.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from widemargin.solvers.partial_auc_risk import RankRange

__all__ = ["SmoothPartialAUC"]

Array = npt.NDArray[np.float64]

_CELLS = 32
_NODES = 16
_RATE_TOL = 1e-10
_MOST_STEPS = 100
_FAR = 8.5
"""Normal deviates beyond which the distribution function is 0 or 1 in float64."""


class _Grid(NamedTuple):
    """Scores on a grid: point `lower[l]` and its right neighbour hold sample l, the latter by the share `upper[l]`."""

    points: Array
    mass: Array
    lower: npt.NDArray[np.intp]
    upper: Array


class SmoothPartialAUC:
    """The smoothed partial AUC as a function of the scores of all samples.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_samples,)
        Which samples are positive; both classes have positive weight.
    weight : ndarray of shape (n_samples,)
        Multiplicities.
    fpr_range : tuple of (float, float)
        Rates (alpha, beta), ``0 <= alpha < beta <= 1``.
    smoothing : float
        Standard deviation sigma of the normal distribution, in units of scores.

    Raises
    ------
    ValueError
        If the range holds no negative.
    """

    def __init__(
        self,
        positive: npt.NDArray[np.bool_],
        weight: Array,
        fpr_range: tuple[float, float],
        smoothing: float,
    ) -> None:
        self._positive = positive
        self._smoothing = smoothing
        self._shares = np.where(positive, weight / weight[positive].sum(), weight / weight[~positive].sum())
        negatives = weight[~positive]
        ranks = RankRange.of(fpr_range, negatives)
        nodes, node_weights = np.polynomial.legendre.leggauss(_NODES)
        total = float(negatives.sum())
        self._rates = (ranks.start + 0.5 * (1.0 + nodes) * (ranks.stop - ranks.start)) / total
        self._node_weights = 0.5 * node_weights

    def value(self, scores: Array) -> float:
        """Return the mean true positive rate over the range, in [0, 1]."""
        thresholds = self._thresholds(self._grid(scores, ~self._positive))
        grid = self._grid(scores, self._positive)
        rates = grid.mass @ ndtr(self._deviates(grid, thresholds))
        return float(rates @ self._node_weights)

    def gradient(self, scores: Array) -> Array:
        """Return the derivatives by the scores: positive for positives, negative for negatives, of sum zero."""
        negatives, positives = self._grid(scores, ~self._positive), self._grid(scores, self._positive)
        thresholds = self._thresholds(negatives)
        above = _density(self._deviates(positives, thresholds)) / self._smoothing
        # At a fixed rate, a threshold follows the negatives near it, each by its part of their density.
        below = _density(self._deviates(negatives, thresholds))
        below /= negatives.mass @ below
        gradient = np.empty(scores.size)
        gradient[self._positive] = _at_samples(positives, above @ self._node_weights)
        slopes = (positives.mass @ above) * self._node_weights
        gradient[~self._positive] = -_at_samples(negatives, below @ slopes)
        return gradient * self._shares

    def _grid(self, scores: Array, chosen: npt.NDArray[np.bool_]) -> _Grid:
        width = self._smoothing / _CELLS
        place = scores[chosen] / width
        lower = np.floor(place)
        cells, index = np.unique(np.concatenate([lower, lower + 1.0]), return_inverse=True)
        upper = place - lower
        shares = self._shares[chosen]
        halves = np.concatenate([shares * (1.0 - upper), shares * upper])
        mass = np.bincount(index, weights=halves).astype(np.float64)
        return _Grid(cells * width, mass, index[: lower.size], upper)

    def _deviates(self, grid: _Grid, thresholds: Array) -> Array:
        return (grid.points[:, None] - thresholds) / self._smoothing

    def _thresholds(self, negatives: _Grid) -> Array:
        """Solve FPR(c) = u for each u by Newton's method inside brackets that bisection shrinks."""
        reach = _FAR * self._smoothing
        low = np.full(_NODES, negatives.points[0] - reach)
        high = np.full(_NODES, negatives.points[-1] + reach)
        thresholds = np.interp(1.0 - self._rates, np.cumsum(negatives.mass), negatives.points)
        for _ in range(_MOST_STEPS):
            deviates = self._deviates(negatives, thresholds)
            excess = negatives.mass @ ndtr(deviates) - self._rates
            if np.abs(excess).max() <= _RATE_TOL:
                break
            low, high = np.where(excess > 0, thresholds, low), np.where(excess > 0, high, thresholds)
            density = negatives.mass @ _density(deviates) / self._smoothing
            with np.errstate(divide="ignore", over="ignore"):
                guess = thresholds + excess / density
            inside = (guess >= low) & (guess <= high)
            better = np.where(inside, guess, 0.5 * (low + high))
            thresholds = np.where(np.abs(excess) <= _RATE_TOL, thresholds, better)
        return thresholds


def _density(deviates: Array) -> Array:
    """Return the standard normal density."""
    return np.exp(-0.5 * deviates**2) / np.sqrt(2.0 * np.pi)


def _at_samples(grid: _Grid, values: Array) -> Array:
    """Return values at the points of the grid as seen by the samples."""
    return (1.0 - grid.upper) * values[grid.lower] + grid.upper * values[grid.lower + 1]

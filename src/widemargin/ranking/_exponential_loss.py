r"""The exponential loss of an ensemble: its value, the weights of samples that follow, and the best step.

.. math:: L(f) = \sum_l u_l \exp(-C_{y_l} y_l f(x_l)), \qquad y_l \in \{-1, +1\}

with shares :math:`u_l` that start with sum 1, and exponents :math:`C_+` and :math:`C_-` of positives and negatives,
both 1 unless costs differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.ranking._weak_learners import WeakLearner

__all__ = ["ExponentialLoss", "Step", "best_step"]

Array = npt.NDArray[np.float64]

_LEAST_EDGE = 1e-10
"""Edges below it are rounding: trees see weights in steps of 4e-12 of their sum."""

_LEAST_EXPONENT = -690.0
"""Its exponential is 2e-300, near the smallest normal float."""

_STEP_TOL = 1e-13
_MOST_NEWTON_STEPS = 200


@dataclass(frozen=True)
class Step:
    """A weak learner and how far to go with it.

    Parameters
    ----------
    learner : WeakLearner
        The weak learner.
    size : float
        What its outputs are multiplied by, before shrinkage; 0 if they do not lower the loss.
    error : float
        Share of the weight that it has on the wrong side.
    factor : float
        What the loss is multiplied by, before shrinkage.
    """

    learner: WeakLearner
    size: float
    error: float
    factor: float


def best_step(right: Array, wrong: Array, costs: Array) -> float:
    r"""Return the minimiser of :math:`\phi(a) = \sum_c R_c e^{-C_c a} + W_c e^{C_c a}` over a > 0.

    With equal costs it is :math:`\log(R / W) / 2C` in closed form. Else :math:`\phi'(a) = 0` is the hyperbolic equation
    of Masnadi-Shirazi and Vasconcelos, solved by Newton's method inside a bracket that bisection shrinks.

    Parameters
    ----------
    right, wrong : ndarray of shape (2,)
        Weight of the negatives and of the positives that a weak learner has right and wrong; some are wrong.
    costs : ndarray of shape (2,)
        Exponents of negatives and positives, with ``costs @ (right - wrong) > 0``.

    Returns
    -------
    float
        The step.
    """
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        # Logarithms, since a class without errors would meet 0 * inf at a large step.
        log_right, log_wrong = np.log(costs * right), np.log(costs * wrong)

        def slopes(a: float) -> tuple[float, float]:
            falling, rising = np.exp(log_right - costs * a), np.exp(log_wrong + costs * a)
            return float((rising - falling).sum()), float(costs @ (rising + falling))

        a = 0.5 * float(np.log(right.sum() / wrong.sum())) / float(costs.mean())
        low, high = 0.0, max(2.0 * a, 1.0)
        while slopes(high)[0] < 0:
            low, high = high, 2.0 * high
        a = a if low < a < high else 0.5 * (low + high)
        for _ in range(_MOST_NEWTON_STEPS):
            slope, curvature = slopes(a)
            low, high = (a, high) if slope < 0 else (low, a)
            change = -slope / curvature
            # The closed form for equal costs is a root up to rounding, and comes back as it is.
            if abs(change) <= _STEP_TOL * (1.0 + a):
                break
            a = a + change if low < a + change < high else 0.5 * (low + high)
        return a


class ExponentialLoss:
    """The loss at the scores so far.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_samples,)
        Which samples are positive.
    shares : ndarray of shape (n_samples,)
        Positive weights of the samples, with sum 1.
    n_whole_samples : float
        How many samples the shares stand for.
    costs : ndarray of shape (2,)
        Exponents of negatives and positives.
    """

    def __init__(
        self, positive: npt.NDArray[np.bool_], shares: Array, n_whole_samples: float, costs: Array
    ) -> None:
        self.costs = costs
        self.half_sample = 0.5 / n_whole_samples
        self._classes = positive.astype(np.intp)
        self._signs = np.where(positive, 1.0, -1.0)
        self._exponents = -costs[self._classes] * self._signs
        self._shares = shares
        self._scores = np.zeros(positive.size)
        self._update()

    def signed_weights(self, factors: Array | None = None) -> Array:
        """Return the weights, negative for negatives, times a factor for each class."""
        signs = self._signs
        return self._weights * (signs if factors is None else signs * factors[self._classes])

    def step(self, learner: WeakLearner, *, real: bool = False) -> Step:
        """Return the best step along outputs -1, 0 and +1; with `real`, that of size 1."""
        n_codes = learner.values.size
        keys = 2 * learner.codes.astype(np.intp) + self._classes
        by_class = np.bincount(keys, weights=self._weights, minlength=2 * n_codes).reshape(n_codes, 2)
        up, down = by_class[learner.values > 0].sum(axis=0), by_class[learner.values < 0].sum(axis=0)
        right, wrong = np.array([down[0], up[1]]), np.array([up[0], down[1]])
        error = float(wrong.sum())
        if self.costs @ (right - wrong) <= _LEAST_EDGE:
            return Step(learner, 0.0, error, 1.0)
        size = 1.0
        if not real:
            if error == 0.0:
                wrong = self.half_sample * right
                right = right - wrong
            size = best_step(right, wrong, self.costs)
        exponents = np.outer(size * learner.values, self.costs * [1.0, -1.0])
        with np.errstate(divide="ignore"):
            # Logarithms, for the same reason as in `best_step`.
            terms = np.exp(np.log(by_class) + exponents)
        return Step(learner, size, error, float(terms.sum()))

    def add(self, outputs: Array) -> None:
        """Add outputs to the scores."""
        self._scores += outputs
        self._update()

    def separates(self) -> bool:
        """Whether all scores have the right sign."""
        return bool(np.all(self._scores * self._signs > 0))

    def tilt(self, log_odds: float) -> None:
        """Multiply the weight of positives over that of negatives by exp(log_odds)."""
        self._shares = self._shares * np.exp(0.5 * log_odds * self._signs)
        self._update()

    def _update(self) -> None:
        """Follow the scores: weights of sum 1, in proportion to the terms of the loss, and its value."""
        exponents = self._exponents * self._scores
        # Separable classes drive every term below the smallest float after some hundred rounds. A weight that vanished
        # against the others would let a tree be wrong about its sample at no cost, with a step without bound.
        largest = float(exponents.max())
        terms = self._shares * np.exp(np.maximum(exponents - largest, _LEAST_EXPONENT))
        total = float(terms.sum())
        self._weights = terms / total
        self.value = total * float(np.exp(largest))

r"""Accelerated proximal gradient for a smooth convex loss of linear scores plus a penalty with an exact proximal map.

.. math::
    \min_w \; F(w) = f(w) + g(w), \qquad w^+ = \arg\min_z \tfrac1{2\eta} \|z - (y - \eta \nabla f(y))\|^2 + g(z)

with y ahead of w in the direction of the last step (FISTA [1]_). The penalty may be nonconvex: the theory of the
acceleration then gives no guarantee, but the plain step from y = w with a long enough quadratic bound never increases
F, and it is taken wherever the accelerated one did.

One pass over the data a step. The scores are linear in w, so that those of the new point follow from the scores ahead
of it and those of the last one, and with them its objective and the test of the quadratic bound.

References
----------
.. [1] A. Beck, M. Teboulle, "A fast iterative shrinkage-thresholding algorithm for linear inverse problems", SIAM
   Journal on Imaging Sciences 2(1), 2009.
.. [2] B. O'Donoghue, E. Candes, "Adaptive restart for accelerated gradient schemes", Foundations of Computational
   Mathematics 15(3), 2015.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Evaluation", "ScoreSpace", "StationaryResult", "minimise_by_proximal_gradient"]

Array = npt.NDArray[np.float64]

# A bound that failed is raised by the first factor, one that held lowered by the second: a failure costs a pass, and
# at these factors there is one in 15 steps at most. Lowering by 0.9 took as many passes, none at all a few more.
_RAISE = 1.6
_LOWER = 0.97
_TINY = float(np.finfo(float).tiny)
# Share of a value that its rounding may be, in float32 data as well: scores are sums of float64 products.
_ROUNDING = 1e-12
# The residual before the step is a guess of that after it; a check that fails costs a pass.
_CLOSE = 0.5


class Evaluation(NamedTuple):
    """The loss at a point.

    Parameters
    ----------
    value : float
        f.
    scores : ndarray
        Scores of all samples, linear in the point.
    gradient : ndarray
        Gradient of f as a point of the space.
    """

    value: float
    scores: Array
    gradient: Array


class ScoreSpace(Protocol):
    """Where the points live: vectors of float64 with an inner product of the space's own."""

    def evaluate(self, point: Array) -> Evaluation:
        """Return value, scores and gradient of the loss."""
        ...

    def value(self, scores: Array) -> float:
        """Return the loss from the scores alone."""
        ...

    def inner(self, first: Array, second: Array) -> float:
        """Return the inner product of two points."""
        ...

    def penalty_value(self, point: Array) -> float:
        """Return g."""
        ...

    def prox(self, point: Array, step: float) -> Array:
        """Return a new point, the minimiser of 1 / (2 step) |z - point|^2 + g(z)."""
        ...

    def room(self, point: Array, residual: Array) -> float:
        """Return how much F could fall below its value at the point, were g convex, from an element of dF there."""
        ...


@dataclass(frozen=True)
class StationaryResult:
    """Outcome of the minimisation of a function that need not be convex, with the certificate of how good it is.

    Parameters
    ----------
    point : ndarray
        The last point, which has the lowest objective.
    objective : float
        F there.
    stationarity : float
        Share of the objective by which it could still fall, were the penalty convex; 0 at a stationary point.
    curvature : float
        Estimate of the largest curvature of f along the steps, for the next problem with the same data.
    n_iter : int
        Steps taken.
    converged : bool
        Whether `stationarity` reached the tolerance.
    history : tuple of float
        Objective before the first step and after each; never increases.
    """

    point: Array
    objective: float
    stationarity: float
    curvature: float
    n_iter: int
    converged: bool
    history: tuple[float, ...] = field(repr=False)


def minimise_by_proximal_gradient(
    space: ScoreSpace,
    start: Array,
    curvature: float,
    *,
    tol: float,
    max_iter: int,
    report: Callable[[int, float, float], None] | None = None,
) -> StationaryResult:
    """Minimise f + g until what the certificate allows to gain is at most `tol` times the objective.

    Parameters
    ----------
    space : ScoreSpace
        Loss, penalty and geometry.
    start : ndarray
        First point; g must be finite there.
    curvature : float
        First estimate of the largest curvature of f, > 0; too small a one is found out and raised.
    tol : float
        Relative tolerance, > 0.
    max_iter : int
        Limit on the steps, >= 1.
    report : callable, optional
        Called after each step with its number, the objective and the estimate of `stationarity`.

    Returns
    -------
    StationaryResult
        The point and its certificate.
    """
    point, ahead, at = start, start, space.evaluate(start)
    scores, objective = at.scores, at.value + space.penalty_value(start)
    # No share of an objective of zero is positive. Without any score the objective is no lower than its minimum, and
    # does not depend on the start.
    least = max(tol * min(objective, space.value(np.zeros_like(scores))), _TINY)
    history = [objective]
    momentum, stationarity = 1.0, np.inf
    while len(history) <= max_iter:
        new = space.prox(ahead - at.gradient / curvature, 1.0 / curvature)
        move, way = new - ahead, new - point
        # A step back along the last one: the momentum leads astray [2]_.
        turned = space.inner(move, way) < 0.0
        next_momentum = 1.0 if turned else 0.5 + math.sqrt(0.25 + momentum * momentum)
        beta = 0.0 if turned else (momentum - 1.0) / next_momentum
        next_ahead = new + beta * way if beta else new
        next_at = space.evaluate(next_ahead)
        new_scores = (next_at.scores + beta * scores) / (1.0 + beta)
        new_loss = space.value(new_scores) if beta else next_at.value
        # What the step gains at least, if the bound holds; less than rounding says nothing of the bound.
        gain = 0.5 * curvature * space.inner(move, move)
        seen = gain > _ROUNDING * objective
        bound = at.value + space.inner(at.gradient, move) + gain
        if seen and new_loss > bound + _ROUNDING * at.value:
            curvature *= _RAISE
            continue
        new_objective = new_loss + space.penalty_value(new)
        if new_objective > objective:
            if ahead is not point:
                ahead, at, momentum = point, space.evaluate(point), 1.0
                continue
            if seen:
                # Rounding let a bound pass that does not hold.
                curvature *= _RAISE
                continue
            # Nothing that can be seen is left to gain: the end of this step and its start are as good.
            residual = next_at.gradient - at.gradient - curvature * move
            stationarity = _share(space, new, residual, objective, least)
            break
        # An element of the subdifferential of g at the new point.
        pull = -at.gradient - curvature * move
        point, scores, objective = new, new_scores, new_objective
        history.append(objective)
        # The gradient at the point is not known yet, that ahead of the step is close to it.
        stationarity = _share(space, point, at.gradient + pull, objective, least)
        if report is not None:
            report(len(history) - 1, objective, stationarity)
        if stationarity <= _CLOSE * tol or len(history) > max_iter:
            end = space.evaluate(point) if beta else next_at
            stationarity = _share(space, point, end.gradient + pull, objective, least)
            if stationarity <= tol:
                break
            ahead, at, momentum = point, end, 1.0
            continue
        ahead, at, momentum = next_ahead, next_at, next_momentum
        if seen:
            curvature *= _LOWER
    return StationaryResult(
        point,
        objective,
        stationarity,
        curvature,
        len(history) - 1,
        stationarity <= tol,
        tuple(history),
    )


def _share(space: ScoreSpace, point: Array, residual: Array, objective: float, least: float) -> float:
    return space.room(point, residual) / max(objective, least)

"""The intercepts that a large-margin objective leaves open once everything else is fixed, found exactly.

With the weights fixed, every objective of the package is convex and piecewise linear in its intercept. Sorting the
knots finds the minimum in O(n log n), which turns any dual iterate into the best primal point that shares its
weights: the tightest certificate that can be had from it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin import _native

__all__ = ["hinge_intercept", "slack_intercepts"]

Vector = npt.NDArray[np.float64]


def hinge_intercept(outputs: Vector, y: Vector, margins: Vector, C: Vector) -> tuple[float, float]:
    r"""Minimise :math:`\sum_i C_i \max(0, m_i - y_i (o_i + b))` over b.

    Parameters
    ----------
    outputs : ndarray of shape (n_samples,)
        The values o_i of the decision function without its intercept.
    y : ndarray of shape (n_samples,)
        Labels, -1 or 1.
    margins : ndarray of shape (n_samples,)
        The margin m_i asked of each sample.
    C : ndarray of shape (n_samples,)
        Weights > 0.

    Returns
    -------
    intercept, value : float
        The minimiser, the middle one if there are several and the finite end if they extend to infinity, and the
        minimum.
    """
    return _native.hinge_intercept(outputs, y, margins, C)


def slack_intercepts(outputs: Vector, slacks: Vector, y: Vector, C: Vector) -> tuple[float, float, float]:
    r"""Minimise the SVM+ loss over both intercepts, the weights being fixed.

    .. math::
        \min_{b, b^*} \sum_{i \le p} C_i (s_i + b^*) + \sum_{i > p} C_i \max(0, 1 - y_i (o_i + b))
        \quad\text{s.t.}\quad s_i + b^* \ge \max(0, 1 - y_i (o_i + b)) \text{ for } i \le p

    Parameters
    ----------
    outputs : ndarray of shape (n_samples,)
        The values o_i of the decision function without its intercept.
    slacks : ndarray of shape (n_privileged,)
        The values s_i of the slack function without its intercept, for the first n_privileged >= 1 samples; the
        others have ordinary slacks.
    y : ndarray of shape (n_samples,)
        Labels, -1 or 1.
    C : ndarray of shape (n_samples,)
        Weights > 0.

    Returns
    -------
    intercept, privileged_intercept, value : float
        The minimisers b and b*, and the minimum.
    """
    n = slacks.size
    need = 1.0 - slacks - y[:n] * outputs[:n]
    positive = y[:n] > 0
    floor = float(-slacks.min())
    above = float(need[positive].max(initial=-np.inf))  # b* >= above - b
    below = float(need[~positive].max(initial=-np.inf))  # b* >= below + b
    weight = float(C[:n].sum())
    # weight * max(floor, above - b, below + b) has one knot, or two with a flat part between them.
    if above + below > 2 * floor:
        left = right = 0.5 * (above - below)
    else:
        left, right = above - floor, floor - below
    ends = np.array([left, right])
    ends = ends[np.isfinite(ends)]
    tail_outputs, tail_y, tail_C = outputs[n:], y[n:], C[n:]
    knots = np.concatenate([ends, tail_y - tail_outputs])
    changes = np.concatenate([np.full(ends.size, weight), tail_C])
    descent = tail_C[tail_y > 0].sum() + (weight if np.isfinite(above) else 0.0)
    b = _minimise_piecewise_linear(knots, changes, descent)
    b_star = max(floor, above - b, below + b)
    value = C[:n] @ slacks + weight * b_star + tail_C @ np.maximum(0.0, 1.0 - tail_y * (tail_outputs + b))
    return b, b_star, float(value)


def _minimise_piecewise_linear(knots: Vector, changes: Vector, descent: float) -> float:
    """Minimiser of a convex function that falls with slope `descent` and whose slope grows at each knot."""
    order = np.argsort(knots, kind="stable")
    knots = knots[order]
    slopes = np.cumsum(changes[order]) - descent
    flat = 1e-12 * (descent + abs(slopes[-1]) + changes.max())
    if -descent >= -flat:  # it never falls: the finite end of the minimisers is the first knot
        return float(knots[0])
    first = int(np.argmax(slopes >= -flat)) if slopes[-1] >= -flat else slopes.size - 1
    if slopes[first] <= flat and first + 1 < slopes.size:
        return float(0.5 * (knots[first] + knots[first + 1]))
    return float(knots[first])

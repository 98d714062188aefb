"""Naive twins of the proximal maps: bounded least squares in the dual, and trial of every sign pattern."""

import itertools

import numpy as np
from scipy.optimize import lsq_linear, minimize

ONE_SIDED = ("nearly_isotonic", "increments")
ON_MAGNITUDES = ("nearly_isotonic", "absolute")


def pair_bounds(order, t, m):
    rise = np.broadcast_to(np.asarray(t, dtype=float), m - 1).copy()
    return rise, np.zeros(m - 1) if order in ONE_SIDED else rise


def omega(z, rise, fall):
    """Penalty on the order of the entries of a vector."""
    return rise @ np.maximum(np.diff(z), 0) + fall @ np.maximum(-np.diff(z), 0)


def shot_omega(W, order, norm, weights=1.0):
    """Penalty on the order of the shots of weights of shape (m, d), term by term as in the paper."""
    m = len(W)
    rise, fall = pair_bounds(order, weights, m)
    columns = np.linalg.norm(W, axis=1)[:, None] if norm == 2 else W
    if order in ON_MAGNITUDES:
        columns = np.abs(columns)
    return sum(omega(column, rise, fall) for column in columns.T)


def dual_prox(w, rise, fall, nonnegative=False):
    """argmin_z 1/2 |z - w|^2 + omega(z) as w - D'u (+ v), with u within the bounds and v >= 0."""
    m = len(w)
    linked = rise + fall > 0
    step_matrix = np.diff(np.eye(m), axis=0)[linked]
    columns, low, high = step_matrix.T, -fall[linked], rise[linked]
    if nonnegative:
        columns = np.hstack([columns, -np.eye(m)])
        low, high = np.append(low, np.zeros(m)), np.append(high, np.full(m, np.inf))
    if columns.shape[1] == 0:
        return w.copy()
    return w - columns @ lsq_linear(columns, w, (low, high), method="bvls", tol=1e-15).x


def magnitude_prox(w, rise, fall):
    """The same for the penalty on |z|, as the best over all sign patterns."""
    best = None
    for signs in itertools.product([1.0, -1.0], repeat=len(w)):
        z = np.array(signs) * dual_prox(np.array(signs) * w, rise, fall, nonnegative=True)
        value = 0.5 * np.sum((z - w) ** 2) + omega(np.abs(z), rise, fall)
        if best is None or value < best[0] - 1e-12:
            best = value, z
    return best[1]


def vector_prox(w, t, order, nonnegative=False):
    rise, fall = pair_bounds(order, t, len(w))
    if order in ON_MAGNITUDES and not nonnegative:
        return magnitude_prox(w, rise, fall)
    return dual_prox(w, rise, fall, nonnegative)


def shot_objective(Z, W, t, order, norm, penalty, shrinkage):
    """What prox_ordered minimises over Z, without its constraint."""
    size = np.sum(Z**2) if penalty == "l2" else np.abs(Z).sum()
    return 0.5 * np.sum((Z - W) ** 2) + shot_omega(Z, order, norm, t) + shrinkage * size


def searched_minimum(W, t, order, norm, penalty, shrinkage, nonnegative, starts):
    """Lowest objective that a local search finds from any of the starts."""

    def value(flat):
        Z = flat.reshape(W.shape)
        return shot_objective(np.maximum(Z, 0) if nonnegative else Z, W, t, order, norm, penalty, shrinkage)

    options = {"xatol": 1e-8, "fatol": 1e-10, "maxfev": 600}
    return min(minimize(value, start.ravel(), method="Nelder-Mead", options=options).fun for start in starts)

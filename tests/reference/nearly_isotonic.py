"""Naive twins of the nearly-isotonic SVM: objective by loops, plain proximal gradient, convex problems by SLSQP.

Nothing is centred or accelerated, and proximal maps are found by trying every pattern of rises, falls and ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import minimize

from reference.ordered_prox import shot_omega
from reference.shot_pass import shot_losses, shot_pass, shot_scores


@dataclass(frozen=True)
class Problem:
    """Videos as the classes see them, and all that the objective depends on."""

    X: Any
    targets: Any
    isotonic_alpha: float = 1e-3
    alpha: float = 1e-3
    penalty: str = "l2"
    norm: int = 2
    order: str = "nearly_isotonic"
    nonnegative: bool = False
    loss: str = "squared_hinge"
    smoothing: float = 0.1
    fit_intercept: bool = True
    weight: Any = None
    shots: Any = None
    pairs: Any = None

    @property
    def n_scores(self):
        n_classes = int(np.max(self.targets)) + 1
        return 1 if n_classes == 2 else n_classes

    @property
    def shares(self):
        weight = np.ones(len(self.X)) if self.weight is None else np.asarray(self.weight, dtype=float)
        return weight / weight.sum()

    def pair_weight(self, e, j):
        return 1.0 if self.pairs is None else self.pairs[e][j - 1]

    def objective(self, W, intercept):
        """Return the objective; W of shape (n_scores, n_shots, n_features)."""
        if self.nonnegative and (W < 0).any():
            return np.inf
        scores = shot_scores(self.X, self.shots, W, intercept)
        value = shot_losses(scores, self.targets, self.shares, self.loss, self.smoothing)[0]
        return value + self.penalty_value(W)

    def penalty_value(self, W):
        value = 0.0
        for e in range(len(W)):
            pairs = np.array([self.pair_weight(e, j) for j in range(1, W.shape[1])])
            value += self.isotonic_alpha * shot_omega(W[e], self.order, self.norm, pairs)
            value += self.alpha * sum(w * w if self.penalty == "l2" else abs(w) for w in W[e].ravel())
        return value

    def gradient(self, W, intercept):
        """Return the gradient of the loss by W and by the intercepts."""
        _, sums, _, by_weights = shot_pass(
            self.X, self.shots, W, intercept, self.targets, self.shares, self.loss, self.smoothing
        )
        return by_weights, sums if self.fit_intercept else np.zeros_like(sums)

    def curvature(self):
        """Return a bound on the curvature of the loss by W and intercepts."""
        rows = self.X.reshape(len(self.X), -1)
        moment = float(self.shares @ (np.sum(rows**2, axis=1) + self.fit_intercept))
        if self.n_scores == 1:
            return moment * {"hinge": 0.25 / self.smoothing, "logistic": 0.25}.get(self.loss, 1.0)
        return moment * {"squared": 1.0, "logistic": 0.5}.get(self.loss, 0.5 / self.smoothing)

    def prox(self, W, step):
        """Return argmin |Z - W|^2 / (2 step) + penalties."""
        return np.array([self._prox_of_class(W[e], step, e) for e in range(len(W))])

    def _prox_of_class(self, W, step, e):
        m, d = W.shape
        rise = np.array([step * self.isotonic_alpha * self.pair_weight(e, j) for j in range(1, m)])
        fall = rise if self.order in ("absolute", "total_variation") else 0.0 * rise
        shrinkage = step * self.alpha
        if self.norm == 2:
            return self._prox_of_norms(W, rise, fall, shrinkage)
        Z = np.empty_like(W)
        for f in range(d):
            w = W[:, f]
            if not self.nonnegative and self.order in ("nearly_isotonic", "absolute"):
                signs = np.where(w >= 0, 1.0, -1.0)
                Z[:, f] = signs * vector_prox(np.abs(w), rise, fall, True)
            else:
                Z[:, f] = vector_prox(w, rise, fall, self.nonnegative)
        return Z / (1.0 + 2.0 * shrinkage) if self.penalty == "l2" else soft(Z, shrinkage)

    def _prox_of_norms(self, W, rise, fall, shrinkage):
        threshold = shrinkage if self.penalty == "l1" else 0.0
        directions, lengths = np.zeros_like(W), np.empty(len(W))
        for j, row in enumerate(W):
            size = row if self.nonnegative else np.abs(row)
            left = np.maximum(size - threshold, 0.0)
            lengths[j] = np.sqrt(np.sum(left**2))
            if lengths[j] > 0:
                directions[j] = left / lengths[j]
            else:
                best = int(np.argmax(size))
                lengths[j] = size[best] - threshold
                directions[j, best] = 1.0
            if not self.nonnegative:
                directions[j] *= np.where(row >= 0, 1.0, -1.0)
        Z = vector_prox(lengths, rise, fall, True)[:, None] * directions
        return Z / (1.0 + 2.0 * shrinkage) if self.penalty == "l2" else Z


def soft(values, threshold):
    return np.sign(values) * np.maximum(np.abs(values) - threshold, 0.0)


def vector_prox(w, rise, fall, nonnegative):
    """Return argmin 1/2 |z - w|^2 + sum rise (z_j - z_{j-1})_+ + fall (z_{j-1} - z_j)_+ by trying every pattern."""
    best, least = None, np.inf
    for pattern in product((-1, 0, 1), repeat=len(w) - 1):
        z, start = np.empty(len(w)), 0
        for stop in range(1, len(w) + 1):
            if stop < len(w) and pattern[stop - 1] == 0:
                continue
            slope = 0.0
            if start > 0:
                slope += rise[start - 1] if pattern[start - 1] > 0 else -fall[start - 1]
            if stop < len(w):
                slope += -rise[stop - 1] if pattern[stop - 1] > 0 else fall[stop - 1]
            z[start:stop] = np.mean(w[start:stop]) - slope / (stop - start)
            start = stop
        if nonnegative:
            z = np.maximum(z, 0.0)
        step = np.diff(z)
        value = 0.5 * np.sum((z - w) ** 2) + np.sum(rise * np.maximum(step, 0) + fall * np.maximum(-step, 0))
        if value < least:
            best, least = z, value
    return best


def proximal_gradient(problem, W, intercept, n_steps):
    """Take plain steps of a safe length; return weights and intercepts."""
    step = 1.0 / problem.curvature()
    for _ in range(n_steps):
        by_weights, by_intercept = problem.gradient(W, intercept)
        W = problem.prox(W - step * by_weights, step)
        intercept = intercept - step * by_intercept
    return W, intercept


def convex_optimum(problem):
    """Return weights and intercepts of a convex problem with norm 1, by SLSQP with a bound on each rise and each part.

    The variables are the positive and negative parts of W, what each pair costs, and the intercepts.
    """
    shape = (problem.n_scores, *problem.X.shape[1:])
    size, n_pairs = int(np.prod(shape)), shape[0] * (shape[1] - 1) * shape[2]
    costs = problem.isotonic_alpha * np.array(
        [
            problem.pair_weight(e, j)
            for e in range(shape[0])
            for j in range(1, shape[1])
            for _ in range(shape[2])
        ]
    )

    def parts(v):
        W = (v[:size] - v[size : 2 * size]).reshape(shape)
        return W, v[2 * size : 2 * size + n_pairs], v[2 * size + n_pairs :]

    def function(v):
        W, rises, intercept = parts(v)
        value, sums, _, by_weights = shot_pass(
            problem.X,
            problem.shots,
            W,
            intercept,
            problem.targets,
            problem.shares,
            problem.loss,
            problem.smoothing,
        )
        by_weights = by_weights.ravel()
        both = v[:size] + v[size : 2 * size]
        if problem.penalty == "l2":
            value += problem.alpha * np.sum(W**2)
            by_weights = by_weights + 2 * problem.alpha * W.ravel()
            extra = 0.0
        else:
            value += problem.alpha * np.sum(both)
            extra = problem.alpha
        value += np.sum(costs * rises)
        return value, np.concatenate([by_weights + extra, extra - by_weights, costs, sums])

    rows = np.zeros((n_pairs, 2 * size + n_pairs + shape[0]))
    place = np.arange(size).reshape(shape)
    for row, (now, before) in enumerate(zip(place[:, 1:].ravel(), place[:, :-1].ravel(), strict=True)):
        rows[row, [now, size + before]] = -1.0
        rows[row, [before, size + now]] = 1.0
        rows[row, 2 * size + row] = 1.0
    constraints = [rows]
    if problem.order in ("absolute", "total_variation"):
        mirrored = -rows
        mirrored[:, 2 * size : 2 * size + n_pairs] *= -1.0
        constraints.append(mirrored)
    matrix = np.concatenate(constraints)
    bounds = [(0.0, np.inf)] * size + [(0.0, 0.0 if problem.nonnegative else np.inf)] * size
    bounds += [(0.0, np.inf)] * n_pairs
    bounds += [(-np.inf, np.inf) if problem.fit_intercept else (0.0, 0.0)] * shape[0]
    # From the corner at zero it can stop at once.
    found = [
        minimize(
            function,
            np.clip(np.full(matrix.shape[1], first), *np.transpose(bounds)),
            jac=True,
            method="SLSQP",
            bounds=bounds,
            constraints={"type": "ineq", "fun": lambda v: matrix @ v, "jac": lambda v: matrix},
            options={"maxiter": 500, "ftol": 1e-14},
        )
        for first in (0.0, 0.1)
    ]
    W, _, intercept = parts(min(found, key=lambda result: result.fun).x)
    return (np.maximum(W, 0.0) if problem.nonnegative else W), intercept

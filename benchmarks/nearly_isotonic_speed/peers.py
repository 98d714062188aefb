"""Solvers that a user could pick instead."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import prox_tv
from sklearn.svm import LinearSVC

from nearly_isotonic_speed.problems import Bags, FloatArray
from widemargin.proximal import prox_ordered

_POWER_STEPS = 30


def total_variation_by_row(w: FloatArray, t: float, method: str) -> FloatArray:
    """Proximal map of the total variation by prox_tv, whose binding takes one row at a time."""
    return np.array([prox_tv.tv1_1d(row, t, method=method) for row in w])


def nearly_isotonic_by_row(w: FloatArray, t: float, method: str) -> FloatArray:
    """The nearly-isotonic map by way of the total variation.

    The sum of increases of magnitudes is half their total variation and half of what the last is above the first, a
    linear term that a shift of these two takes into account.
    """
    shifted = np.abs(w)
    shifted[:, 0] += t / 2
    shifted[:, -1] -= t / 2
    magnitudes = np.maximum(total_variation_by_row(shifted, t / 2, method), 0)
    return np.copysign(magnitudes, w)


def plain_proximal_gradient(bags: Bags, enough: float, most_steps: int) -> tuple[FloatArray, float]:
    """Proximal gradient with steps 1/L from 0, without acceleration or centring, until the objective is `enough`.

    Two products with the videos in float32 a step. It takes the exact map from the package. Features that are not
    negative make L large, and many steps of an intercept necessary; `most_steps` are taken at most.
    """
    n_videos, n_shots, n_features = bags.X.shape
    X = bags.X.reshape(n_videos, -1)
    y = bags.y.astype(np.float32)
    W, intercept = np.zeros((n_shots, n_features)), 0.0
    step = 1 / _curvature(X)
    for _ in range(most_steps):
        scores = X @ W.ravel().astype(np.float32) + np.float32(intercept)
        if bags.objective_at(scores.astype(np.float64), W) <= enough:
            break
        residual = -y * np.maximum(1 - y * scores, 0) / n_videos
        gradient = (residual @ X).reshape(W.shape)
        W = prox_ordered(W - step * gradient, step * bags.isotonic_alpha, shrinkage=step * bags.alpha)
        intercept -= step * float(residual.sum())
    return W, intercept


def _curvature(X: np.ndarray) -> float:
    """Largest eigenvalue of the second moments of the features and a constant one, by power iteration."""
    scores = np.ones(len(X), dtype=np.float32)
    for _ in range(_POWER_STEPS):
        scores = X @ (scores @ X) + scores.sum()
        size = float(np.linalg.norm(scores))
        scores /= np.float32(size)
    return 1.02 * size / len(X)


def liblinear(bags: Bags, tol: float, *, dual: bool) -> LinearSVC:
    r"""Fit scikit-learn's LinearSVC to the problem without order and intercept.

    It minimises :math:`\frac12 |w|^2 + C \sum (1 - y t)_+^2`, which is
    :math:`\frac1{2n} \sum (1 - y t)_+^2 + \alpha |w|^2` over :math:`2 \alpha`, if C is :math:`1 / (4 \alpha n)`.
    """
    X = bags.X.reshape(len(bags.X), -1)
    return LinearSVC(
        C=1 / (4 * bags.alpha * len(X)),
        loss="squared_hinge",
        dual=dual,
        tol=tol,
        fit_intercept=False,
        max_iter=100_000,
        random_state=0,
    ).fit(X, bags.y)


def loosest_tolerance(
    fit: Callable[[float], LinearSVC], objective: Callable[[LinearSVC], float], enough: float
) -> float:
    """Return the largest tolerance on a grid of half decades with an objective that is low enough.

    Raises
    ------
    RuntimeError
        If none is.
    """
    tolerances = [mantissa * 10.0**-exponent for exponent in range(1, 9) for mantissa in (1.0, 0.3)]
    for tol in tolerances:
        if objective(fit(tol)) <= enough:
            return tol
    raise RuntimeError(f"no tolerance down to {tolerances[-1]:g} reaches an objective of {enough!r}")

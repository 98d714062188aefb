"""Naive twin of the model of cuts: accelerated projected gradient ascent of the dual."""

import numpy as np


def cut_model_objectives(offsets, features, C, multipliers, nonnegative=False):
    weights = features.T @ multipliers
    weights = np.maximum(weights, 0.0) if nonnegative else weights
    slack = max(0.0, np.max(offsets - features @ weights))
    energy = 0.5 * weights @ weights
    return energy + C * slack, offsets @ multipliers - energy


def solve_cut_model(offsets, features, C, nonnegative=False, n_steps=2_000):
    step = 1.0 / np.linalg.norm(features, 2) ** 2
    current = ahead = np.zeros(offsets.size)
    momentum = 1.0
    for _ in range(n_steps):
        weights = features.T @ ahead
        weights = np.maximum(weights, 0.0) if nonnegative else weights
        gradient = offsets - features @ weights
        following = project(ahead + step * gradient, C)
        if gradient @ (following - current) < 0:
            momentum, ahead, following = 1.0, current, current
            continue
        faster = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
        ahead = following + (momentum - 1.0) / faster * (following - current)
        current, momentum = following, faster
    return current


def project(point, C):
    """Nearest point with coordinates of at least 0 that sum to at most C."""
    clipped = np.maximum(point, 0.0)
    if clipped.sum() <= C:
        return clipped
    ordered = np.sort(point)[::-1]
    excess = (np.cumsum(ordered) - C) / np.arange(1, point.size + 1)
    return np.maximum(point - excess[np.flatnonzero(ordered > excess)[-1]], 0.0)

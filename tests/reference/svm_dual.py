"""Naive twin of the SVM dual solver: most violating pair, exact line search, nothing else."""

import numpy as np


def hinge_loss(intercept, output, y, margins, C):
    return C @ np.maximum(0.0, margins - y * (output + intercept))


def hinge_intercept(output, y, margins, C):
    """The loss is convex and piecewise linear in b, so some breakpoint minimises it: try them all."""
    breakpoints = np.sort(y * margins - output)
    losses = np.array([hinge_loss(b, output, y, margins, C) for b in breakpoints])
    minimisers = breakpoints[losses <= losses.min() + 1e-12 * (1.0 + abs(losses.min()))]
    if np.all(y > 0):
        return minimisers.max(), losses.min()
    if np.all(y < 0):
        return minimisers.min(), losses.min()
    return 0.5 * (minimisers.min() + minimisers.max()), losses.min()


def svm_objectives(K, y, margins, C, fit_intercept, alpha):
    """Primal value at the best intercept (or none) and dual value of one alpha."""
    beta = alpha * y
    output = K @ beta
    loss = (
        hinge_intercept(output, y, margins, C)[1] if fit_intercept else hinge_loss(0.0, output, y, margins, C)
    )
    norm = beta @ output
    return 0.5 * norm + loss, margins @ alpha - 0.5 * norm


def solve_svm_dual(K, y, margins, C, fit_intercept, violation=1e-9, max_iter=200_000):
    beta = np.zeros(len(y))
    lower, upper = np.minimum(0.0, y * C), np.maximum(0.0, y * C)
    for _ in range(max_iter):
        gradient = y * margins - K @ beta
        rise = np.where(beta < upper, gradient, -np.inf)
        fall = np.where(beta > lower, gradient, np.inf)
        direction = np.zeros(len(y))
        if fit_intercept:
            if rise.max() - fall.min() <= violation:
                break
            direction[rise.argmax()], direction[fall.argmin()] = 1.0, -1.0
        else:
            worst = max(rise.max(), -fall.min())
            if worst <= violation:
                break
            direction[rise.argmax() if rise.max() == worst else fall.argmin()] = 1.0
            direction *= 1.0 if rise.max() == worst else -1.0
        moved = direction != 0
        room = np.where(direction > 0, upper - beta, beta - lower)[moved].min()
        length = gradient @ direction / max(direction @ K @ direction, 1e-12)
        beta = np.clip(beta + min(length, room) * direction, lower, upper)
    return beta * y

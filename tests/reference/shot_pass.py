"""Naive twins of the passes over videos with reordered shots: one number at a time, in float64."""

from __future__ import annotations

import numpy as np


def soft_plus(margin, width):
    return width * np.logaddexp(0.0, margin / width)


def sigmoid(z):
    return np.exp(-np.logaddexp(0.0, -z))


def loss_of_video(scores, target, loss, smoothing):
    """Return the loss of one video and its derivatives by the scores."""
    k = len(scores)
    if k == 1:
        y, t = (1.0 if target == 1 else -1.0), scores[0]
        if loss == "squared":
            return 0.5 * (y - t) ** 2, np.array([t - y])
        if loss == "squared_hinge":
            excess = max(0.0, 1.0 - y * t)
            return 0.5 * excess**2, np.array([-y * excess])
        if loss == "hinge":
            margin = 1.0 - y * t
            return soft_plus(margin, smoothing), np.array([-y * sigmoid(margin / smoothing)])
        return soft_plus(-y * t, 1.0), np.array([-y * sigmoid(-y * t)])
    own = np.arange(k) == target
    if loss == "squared":
        gaps = scores - np.where(own, 1.0, -1.0)
        return 0.5 * np.sum(gaps**2), gaps
    width, margin = (1.0, 0.0) if loss == "logistic" else (smoothing, 1.0)
    a = (scores - scores[target] + margin * ~own) / width
    total = np.logaddexp.reduce(a)
    return width * total, np.exp(a - total) - own


def shot_losses(scores, targets, weight, loss, smoothing):
    value, residual = 0.0, np.zeros(scores.shape)
    for i, row in enumerate(scores):
        if weight[i] != 0.0:
            own, slopes = loss_of_video(row, targets[i], loss, smoothing)
            value += weight[i] * own
            residual[i] = weight[i] * slopes
    return value, residual


def reordered(X, order, i, e):
    """Return the shots of video i as class e sees them, (n_shots, n_features)."""
    return np.array([X[i, j if order is None else order[i, e, j]] for j in range(X.shape[1])], dtype=float)


def shot_scores(X, order, W, intercept):
    scores = np.empty((len(X), len(W)))
    for i in range(len(X)):
        for e in range(len(W)):
            scores[i, e] = np.sum(reordered(X, order, i, e) * W[e]) + intercept[e]
    return scores


def shot_combination(X, order, residual):
    gradient = np.zeros((residual.shape[1], *X.shape[1:]))
    for i in range(len(X)):
        for e in range(len(gradient)):
            if residual[i, e] != 0.0:
                gradient[e] += residual[i, e] * reordered(X, order, i, e)
    return gradient


def shot_pass(X, order, W, intercept, targets, weight, loss, smoothing):
    """Return value, residual sums, scores and gradient; scores of videos without weight are 0."""
    scores = np.zeros((len(X), len(W)))
    seen = np.flatnonzero(weight)
    scores[seen] = shot_scores(X[seen], None if order is None else order[seen], W, intercept)
    value, residual = shot_losses(scores, targets, weight, loss, smoothing)
    return value, residual.sum(axis=0), scores, shot_combination(X, order, residual)

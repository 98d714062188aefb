"""Naive twins of the boosted baselines: stumps by trying every threshold, sums written out as the papers have them."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr


def best_stump(X, signed_weights):
    """Feature, threshold and leaf signs of the stump with the least weighted error; a constant if no split has less."""
    sign = np.sign(signed_weights.sum())
    best, least = (0, np.inf, sign, sign), abs(signed_weights.sum()) + 1e-10
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for threshold in (values[:-1] + values[1:]) / 2:
            left = X[:, feature] <= threshold
            sums = signed_weights[left].sum(), signed_weights[~left].sum()
            if abs(sums[0]) + abs(sums[1]) > least:
                least = abs(sums[0]) + abs(sums[1]) + 1e-10
                best = feature, threshold, np.sign(sums[0]), np.sign(sums[1])
    return best


def stump_outputs(stump, X):
    feature, threshold, left, right = stump
    return np.where(X[:, feature] <= threshold, left, right)


def balanced(y, weight):
    """Weights that give each class one half."""
    return np.where(y > 0, weight / weight[y > 0].sum(), weight / weight[y < 0].sum()) / 2


def ada_boost(X, y, n_rounds, learning_rate=1.0, weight=None):
    """Stumps and steps by Freund and Schapire's multiplicative update; y is -1 or +1."""
    u = balanced(y, np.ones(len(y)) if weight is None else weight)
    stumps, steps = [], []
    for _ in range(n_rounds):
        u = u / u.sum()
        stump = best_stump(X, u * y)
        h = stump_outputs(stump, X)
        error = u[h != y].sum()
        step = learning_rate * 0.5 * np.log((1 - error) / error)
        u = u * np.exp(-step * y * h)
        stumps.append(stump)
        steps.append(step)
    return stumps, np.array(steps)


def asym_boost(X, y, n_rounds, asymmetry):
    """Viola and Jones' version: before each round positives gain asymmetry ** (1 / n_rounds) on negatives."""
    u = balanced(y, np.ones(len(y)))
    stumps, steps = [], []
    for _ in range(n_rounds):
        u = u * np.exp(y * np.log(np.sqrt(asymmetry)) / n_rounds)
        u = u / u.sum()
        stump = best_stump(X, u * y)
        h = stump_outputs(stump, X)
        error = u[h != y].sum()
        step = 0.5 * np.log((1 - error) / error)
        u = u * np.exp(-step * y * h)
        stumps.append(stump)
        steps.append(step)
    return stumps, np.array(steps)


def cost_sensitive_loss(y, scores, share, costs):
    """Sum of exp(-C1 f) over positives and exp(C2 f) over negatives, by share."""
    return float(share @ np.exp(-np.where(y > 0, costs[0], costs[1]) * y * scores))


def cost_sensitive_step(y, h, u, costs):
    """Root of the hyperbolic equation of Masnadi-Shirazi and Vasconcelos for outputs -1 and +1."""
    positive, wrong = y > 0, h != y
    b, d = u[positive & wrong].sum(), u[~positive & wrong].sum()
    total_positive, total_negative = u[positive].sum(), u[~positive].sum()

    def equation(a):
        return (
            2 * costs[0] * b * np.cosh(costs[0] * a)
            + 2 * costs[1] * d * np.cosh(costs[1] * a)
            - costs[0] * total_positive * np.exp(-costs[0] * a)
            - costs[1] * total_negative * np.exp(-costs[1] * a)
        )

    return brentq(equation, 0, 50, xtol=1e-14)


def fisher_weights(outputs, y, weight, ridge):
    """Fisher's direction for outputs of shape (n_samples, n_learners), with class covariances by loops."""
    means, scatter = {}, np.zeros((outputs.shape[1], outputs.shape[1]))
    for label in (-1, 1):
        h, u = outputs[y == label], weight[y == label] / weight[y == label].sum()
        means[label] = u @ h
        for row, share in zip(h, u, strict=True):
            scatter += share * np.outer(row - means[label], row - means[label])
    scatter += ridge * np.trace(scatter) / len(scatter) * np.eye(len(scatter))
    return np.linalg.solve(scatter, means[1] - means[-1]), means


def smooth_partial_auc(scores, positive, weight, fpr_range, smoothing):
    """Mean of the smoothed true positive rate over false positive rates, by a fine midpoint rule."""

    total = weight[~positive].sum()
    start, stop = np.ceil(fpr_range[0] * total - 1e-9) / total, np.floor(fpr_range[1] * total + 1e-9) / total
    levels = start + (np.arange(2000) + 0.5) / 2000 * (stop - start)
    grid = np.linspace(scores.min() - 9 * smoothing, scores.max() + 9 * smoothing, 8001)
    passed = ndtr((scores[:, None] - grid) / smoothing)
    true_rates, false_rates = (
        weight[chosen] @ passed[chosen] / weight[chosen].sum() for chosen in (positive, ~positive)
    )
    return float(np.interp(levels, false_rates[::-1], true_rates[::-1]).mean())

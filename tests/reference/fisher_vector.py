"""Fisher vectors and the likelihood they are gradients of, one vector and component at a time."""

import numpy as np


def densities(row, weights, means, deviations):
    """Weighted density of each component at a vector."""
    return np.array(
        [
            weight
            * np.prod(np.exp(-(((row - mean) / deviation) ** 2) / 2) / (np.sqrt(2 * np.pi) * deviation))
            for weight, mean, deviation in zip(weights, means, deviations, strict=True)
        ]
    )


def mean_log_likelihood(rows, weights, means, deviations):
    """Mean log-likelihood of some vectors."""
    return np.mean([np.log(densities(row, weights, means, deviations).sum()) for row in rows])


def fisher_vector(rows, weights, means, deviations):
    """Gradients for the means, then for the deviations, each component after the other."""
    for_means, for_deviations = np.zeros_like(means), np.zeros_like(means)
    for row in rows:
        joint = densities(row, weights, means, deviations)
        for k, posterior in enumerate(joint / joint.sum()):
            standard = (row - means[k]) / deviations[k]
            for_means[k] += posterior * standard / (len(rows) * np.sqrt(weights[k]))
            for_deviations[k] += posterior * (standard**2 - 1) / (len(rows) * np.sqrt(2 * weights[k]))
    return np.concatenate([for_means.ravel(), for_deviations.ravel()])

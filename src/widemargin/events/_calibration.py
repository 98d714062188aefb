r"""Sigmoids that turn scores into probabilities, fitted to many classifiers at once.

With scores :math:`s_i` of n samples, of which :math:`n_+` are positive, each pair of a slope a and an offset b solves

.. math:: \min_{a, b} \sum_{i=1}^n \log\bigl(1 + e^{a s_i + b}\bigr) - t_i (a s_i + b) ,

where :math:`t_i = (n_+ + 1) / (n_+ + 2)` for positive samples and :math:`1 / (n - n_+ + 2)` for the others, which
keeps the slope finite where the scores tell them apart (Platt, "Probabilistic outputs for support vector machines",
1999). The problem is convex; Newton steps with halving solve it (Lin, Lin and Weng, "A note on Platt's probabilistic
outputs for support vector machines", Machine Learning 68, 2007).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import expit

__all__ = ["fit_sigmoids"]

Array = npt.NDArray[np.float64]

_MAX_ITER = 100
_TOL = 1e-8


def fit_sigmoids(scores: Array, positive: npt.NDArray[np.bool_]) -> Array:
    """Return a slope, at least 0, and an offset for each classifier.

    A classifier whose scores are lower for positive samples gets the slope 0 and the offset that fits best with it.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_classifiers)
        Scores of samples that the classifiers were not trained on.
    positive : ndarray of bool of shape (n_samples, n_classifiers)
        Which samples are positive.

    Returns
    -------
    ndarray of shape (n_classifiers, 2)
        Slopes and offsets, for the scores as they are.
    """
    n_positive = positive.sum(axis=0)
    targets = np.where(positive, (n_positive + 1) / (n_positive + 2), 1 / (len(scores) - n_positive + 2))
    base = targets.mean(axis=0)
    # On standardised scores the two parameters are of one size, and the Hessian is well conditioned.
    centre, deviation = scores.mean(axis=0), scores.std(axis=0)
    deviation = np.where(deviation > 0, deviation, 1.0)
    standard = (scores - centre) / deviation
    slope, offset = np.zeros(scores.shape[1]), np.log(base / (1 - base))
    loss = _losses(standard, targets, slope, offset)
    for _ in range(_MAX_ITER):
        probability = expit(standard * slope + offset)
        difference, curvature = probability - targets, probability * (1 - probability)
        by_slope, by_offset = (difference * standard).sum(axis=0), difference.sum(axis=0)
        if max(np.abs(by_slope).max(), np.abs(by_offset).max()) <= _TOL * len(scores):
            break
        slope_slope = (curvature * standard**2).sum(axis=0) + 1e-12
        slope_offset = (curvature * standard).sum(axis=0)
        offset_offset = curvature.sum(axis=0) + 1e-12
        determinant = slope_slope * offset_offset - slope_offset**2
        slope_step = (offset_offset * by_slope - slope_offset * by_offset) / determinant
        offset_step = (slope_slope * by_offset - slope_offset * by_slope) / determinant
        size = np.ones(len(slope))
        for _ in range(30):
            new_loss = _losses(standard, targets, slope - size * slope_step, offset - size * offset_step)
            rises = new_loss > loss
            if not rises.any():
                break
            size[rises] /= 2
        size[new_loss > loss] = 0.0
        slope, offset = slope - size * slope_step, offset - size * offset_step
        loss = np.minimum(loss, new_loss)
        if not size.any():
            break
    falling = slope <= 0
    slope[falling], offset[falling] = 0.0, np.log(base / (1 - base))[falling]
    slope /= deviation
    return np.stack([slope, offset - slope * centre], axis=1)


def _losses(scores: Array, targets: Array, slope: Array, offset: Array) -> Array:
    arguments = scores * slope + offset
    losses: Array = (np.logaddexp(0, arguments) - targets * arguments).sum(axis=0)
    return losses

"""Where a ranking classifier divides its scores to predict."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin.ranking._base import Samples

__all__ = ["operating_point"]

# Rates are sums of weights over their total.
_RATE_ROUNDING = 1e-12


def operating_point(
    scores: npt.NDArray[np.float64], samples: Samples, fpr_range: tuple[float, float]
) -> float:
    """Choose the intercept of largest true minus false positive rate within a range of false positive rates.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
        Finite scores of the training samples.
    samples : Samples
        The training samples.
    fpr_range : tuple of (float, float)
        Range (alpha, beta) of false positive rates. If ties leave no threshold within it, the one of nearest false
        positive rate is taken; of equally good ones, that of the fewest positive predictions.

    Returns
    -------
    float
        Minus the threshold, which is the middle between two neighbouring scores. A threshold above or below all scores
        is away from them by half their range.
    """
    levels, level = np.unique(scores, return_inverse=True)
    # Rates of the thresholds from above all scores to below all.
    above = np.zeros((2, levels.size + 1))
    for row, members in enumerate((samples.positive, ~samples.positive)):
        mass = np.bincount(level[members], weights=samples.sample_weight[members], minlength=levels.size)
        above[row, 1:] = np.cumsum(mass[::-1])
    true_rate, false_rate = above / above[:, -1:]
    outside = np.maximum(np.maximum(fpr_range[0] - false_rate, false_rate - fpr_range[1]), 0.0)
    nearest = np.flatnonzero(outside <= outside.min() + _RATE_ROUNDING)
    gain = (true_rate - false_rate)[nearest]
    chosen = int(nearest[np.argmax(gain >= gain.max() - _RATE_ROUNDING)])
    margin = 0.5 * float(levels[-1] - levels[0]) or 1.0
    if chosen == 0:
        return -float(levels[-1] + margin)
    if chosen == levels.size:
        return -float(levels[0] - margin)
    return -float(0.5 * levels[-chosen] + 0.5 * levels[-chosen - 1])

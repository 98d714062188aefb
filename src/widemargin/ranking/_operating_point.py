"""The threshold at which a ranking classifier predicts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["operating_threshold"]

Array = npt.NDArray[np.float64]


def operating_threshold(
    scores: Array,
    positive: npt.NDArray[np.bool_],
    fpr_range: tuple[float, float],
    sample_weight: Array,
) -> float:
    """Choose the threshold of largest true minus false positive rate within a range of false positive rates.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
        Finite scores; a sample is predicted positive if its score is greater than the threshold.
    positive : ndarray of bool of shape (n_samples,)
        Which samples are positive; both classes have positive weight.
    fpr_range : tuple of (float, float)
        Range (alpha, beta) of false positive rates. If ties leave no threshold within it, the one of nearest false
        positive rate is taken.
    sample_weight : ndarray of shape (n_samples,)
        Weights of at least 0.

    Returns
    -------
    float
        The middle between two neighbouring scores. A threshold above or below all of them is away from them by half
        their range.
    """
    used = sample_weight > 0
    levels, level = np.unique(scores[used], return_inverse=True)
    # Rates of the thresholds from above all scores to below all.
    above = np.zeros((2, levels.size + 1))
    for row, members in enumerate((positive[used], ~positive[used])):
        mass = np.bincount(level[members], weights=sample_weight[used][members], minlength=levels.size)
        above[row, 1:] = np.cumsum(mass[::-1])
    true_rate, false_rate = above / above[:, -1:]
    outside = np.maximum(fpr_range[0] - false_rate, false_rate - fpr_range[1])
    # Rounding of the rates must not push a threshold out of the range.
    outside[outside < 1e-12] = 0.0
    nearest = np.flatnonzero(outside <= outside.min())
    gain = true_rate[nearest] - false_rate[nearest]
    chosen = nearest[np.flatnonzero(gain >= gain.max() - 1e-12)[0]]
    margin = 0.5 * float(levels[-1] - levels[0]) or 1.0
    bounds = np.concatenate([[levels[-1] + margin], levels[::-1], [levels[0] - margin]])
    if chosen in (0, levels.size):
        return float(bounds[0] if chosen == 0 else bounds[-1])
    return float(0.5 * bounds[chosen] + 0.5 * bounds[chosen + 1])

"""How sure is a difference measured on overlapping splits of the same samples: the corrected resampled interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import t as student

from widemargin.metrics.comparison import summarize_repeats
from widemargin.metrics.inputs import check_level, real_array
from widemargin.validation import check_number

__all__ = ["ResampledInterval", "resampled_interval"]

# A spread this far below the mean is the rounding of equal differences.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class ResampledInterval:
    """Mean of paired differences over overlapping splits, with its corrected confidence interval.

    Parameters
    ----------
    mean_difference : float
        Mean of the differences, in their unit.
    standard_error : float
        Corrected standard error of the mean; NaN for a single difference.
    low, high : float
        Ends of the confidence interval; minus and plus infinity for a single difference.
    p_value : float
        Two-sided p-value of the hypothesis that the mean is zero. It is at most ``1 - level`` exactly if the
        interval does not contain zero in its inside.
    level : float
        Confidence level of the interval.
    n_splits : int
        Number of differences.
    """

    mean_difference: float
    standard_error: float
    low: float
    high: float
    p_value: float
    level: float
    n_splits: int


def resampled_interval(
    differences: npt.ArrayLike, *, n_train: float, n_test: float, level: float = 0.95
) -> ResampledInterval:
    r"""Give the confidence interval of a mean difference over splits that share training samples.

    Scores of repeated cross-validation are not independent: any two training parts have most samples in common,
    so the plain standard error :math:`s / \sqrt{k}` over :math:`k` splits can be made as small as one likes
    by splitting more often. The corrected resampled t-test (Nadeau and Bengio [1]_, section 3) uses
    :math:`s \sqrt{1/k + n_{test}/n_{train}}` instead, with Student's t distribution of :math:`k - 1` degrees of
    freedom. It applies to repeated cross-validation as well as to random splits [2]_.

    Parameters
    ----------
    differences : array-like of shape (n_splits,)
        Score of one method minus that of another on the same split, at least one, finite.
    n_train, n_test : float
        Samples in the training and in the test part of a split, each > 0; their means if they vary.
    level : float, default=0.95
        Confidence level, in (0, 1).

    Returns
    -------
    ResampledInterval
        Mean, corrected standard error, interval and p-value. If all differences are equal, the interval is
        their value alone, and the p-value is 1 if they are zero and 0 otherwise. One difference says nothing about
        its spread: the interval is the whole line, and the p-value 1.

    Raises
    ------
    TypeError
        If `n_train`, `n_test` or `level` is not a number.
    ValueError
        If `differences` is empty, not one-dimensional or not finite, or another parameter out of its range.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
    .. [2] R. R. Bouckaert and E. Frank, "Evaluating the replicability of significance tests for comparing
       learning algorithms", PAKDD 2004.

    Examples
    --------
    >>> from widemargin.metrics import resampled_interval
    >>> interval = resampled_interval([1.0, 2.0, 3.0], n_train=4, n_test=1)
    >>> round(interval.low, 3), round(interval.high, 3), round(interval.p_value, 3)
    (-1.286, 5.286, 0.12)
    """
    level = check_level(level)
    ratio = check_number("n_test", n_test, above=0) / check_number("n_train", n_train, above=0)
    values = real_array("differences", differences)
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise ValueError(
            f"differences must be one finite number a split, at least one, got shape {values.shape} with "
            f"{np.count_nonzero(~np.isfinite(values))} that are not finite: leave out splits without both scores."
        )
    mean, plain_error = summarize_repeats(values)
    n_splits = values.size
    if n_splits == 1:
        return ResampledInterval(mean, math.nan, -math.inf, math.inf, 1.0, level, 1)
    if plain_error <= _ROUNDING * abs(mean):
        return ResampledInterval(mean, 0.0, mean, mean, float(mean == 0), level, n_splits)
    error = plain_error * math.sqrt(1 + n_splits * ratio)
    freedom = n_splits - 1
    half = float(student.ppf((1 + level) / 2, freedom)) * error
    p_value = 2 * float(student.sf(abs(mean) / error, freedom))
    return ResampledInterval(mean, error, mean - half, mean + half, p_value, level, n_splits)

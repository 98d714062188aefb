"""Is one method better than another? Paired tests over repeats, winners over tasks, rank agreement."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau, rankdata, wilcoxon

from widemargin.metrics.inputs import check_level, real_array

__all__ = [
    "MethodComparison",
    "PairedComparison",
    "compare_methods",
    "holm",
    "kendall_tau",
    "paired_wilcoxon",
    "summarize_repeats",
]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Alternative = Literal["two-sided", "greater", "less"]

# Above this many non-zero pairs the normal approximation is used; below, the exact null distribution.
_EXACT_PAIRS = 50
# 0.9 - 0.8 and 0.8 - 0.7 differ by 1e-16: without rounding, equal differences would get unequal ranks.
_DIFFERENCE_DECIMALS = 12


@dataclass(frozen=True)
class PairedComparison:
    """Outcome of a paired Wilcoxon signed-rank test.

    Parameters
    ----------
    statistic : float
        Smaller of the two signed rank sums for a two-sided test, else the rank sum of the positive
        differences, as in :func:`scipy.stats.wilcoxon`.
    p_value : float
        Probability of a statistic at least this extreme when the sign of every difference is a coin flip.
    mean_difference : float
        Mean of ``first - second``, in the unit of the scores.
    standard_error : float
        Standard error of `mean_difference`; NaN for a single pair.
    n_pairs : int
        Number of pairs given.
    n_nonzero : int
        Number of pairs whose two scores differ. Only these enter the test.
    """

    statistic: float
    p_value: float
    mean_difference: float
    standard_error: float
    n_pairs: int
    n_nonzero: int


@dataclass(frozen=True, eq=False)
class MethodComparison:
    """Several methods on several tasks: means, errors, winners and significance.

    Columns of every array follow `methods`, rows are tasks.

    Parameters
    ----------
    methods : tuple of str
        Names of all methods, in the order given.
    baseline : str
        The method that the others are tested against.
    excluded : tuple of str
        Reference methods that do not compete: they never win and are not tested.
    level : float
        Confidence level of the tests.
    mean : ndarray of shape (n_tasks, n_methods)
        Mean score over repeats.
    standard_error : ndarray of shape (n_tasks, n_methods)
        Standard error of `mean`; NaN with one repeat.
    p_value : ndarray of shape (n_tasks, n_methods)
        Two-sided paired Wilcoxon test against the baseline; NaN for the baseline and the excluded.
    winners : ndarray of bool of shape (n_tasks, n_methods)
        Methods with the best mean of their task. Ties have several winners.
    significant_gain, significant_loss : ndarray of bool of shape (n_tasks, n_methods)
        ``p_value <= 1 - level`` with a mean above (below) the baseline's.
    win_counts : dict of str to int
        For every competing method, the number of tasks it wins or shares.
    record : dict of str to tuple of (int, int, int)
        For every competing method but the baseline, the tasks with a mean above, equal to and below the
        baseline's.
    """

    methods: tuple[str, ...]
    baseline: str
    excluded: tuple[str, ...]
    level: float
    mean: FloatArray
    standard_error: FloatArray
    p_value: FloatArray
    winners: BoolArray
    significant_gain: BoolArray
    significant_loss: BoolArray
    win_counts: dict[str, int]
    record: dict[str, tuple[int, int, int]]


def paired_wilcoxon(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
) -> PairedComparison:
    """Test whether paired scores differ, by the Wilcoxon signed-rank test.

    The null hypothesis is that the differences are symmetric about zero. Pairs that do not differ are
    dropped, as Wilcoxon proposed; equal absolute differences share their mean rank. With at most 50
    differing pairs the p-value is exact, ties included: accuracies on a finite test set tie often, and there
    a normal approximation would be all that :func:`scipy.stats.wilcoxon` offers. Above 50 that function's
    normal approximation is used.

    Parameters
    ----------
    first, second : array-like of shape (n_pairs,)
        Scores of two methods on the same repeats, at least one pair, finite. Differences below 1e-12 of the
        largest score count as zero, and differences that agree to that precision count as tied.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        What to look for: any difference, `first` greater, or `first` less.

    Returns
    -------
    PairedComparison
        The test, with the mean difference and its standard error. Without any differing pair the statistic
        is 0 and the p-value 1.

    Raises
    ------
    ValueError
        If the lengths differ, an array is empty or not one-dimensional, or a score is NaN or infinite.

    References
    ----------
    .. [1] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.
    .. [2] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.

    Examples
    --------
    >>> from widemargin.metrics import paired_wilcoxon
    >>> paired_wilcoxon([0.80, 0.82, 0.85, 0.81, 0.90], [0.79, 0.80, 0.82, 0.77, 0.85]).p_value
    0.0625
    """
    first, second = _paired_vectors(first, second, "first", "second")
    if first.size == 0:
        raise ValueError("first and second are empty: pass at least one pair of scores.")
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"alternative must be 'two-sided', 'greater' or 'less', got {alternative!r}.")
    difference = first - second
    mean, error = summarize_repeats(difference)
    scale = max(np.abs(first).max(), np.abs(second).max())
    relative = np.round(difference / scale, _DIFFERENCE_DECIMALS) if scale > 0 else difference
    relative = relative[relative != 0]
    if relative.size == 0:
        statistic, p_value = 0.0, 1.0
    elif relative.size <= _EXACT_PAIRS:
        statistic, p_value = _exact_signed_rank(relative, alternative)
    else:
        result = wilcoxon(relative, alternative=alternative, method="asymptotic")
        statistic, p_value = float(result.statistic), float(result.pvalue)
    return PairedComparison(statistic, p_value, mean, error, first.size, relative.size)


def summarize_repeats(values: npt.ArrayLike) -> tuple[float, float]:
    """Mean of repeated measurements and its standard error.

    Parameters
    ----------
    values : array-like of shape (n_repeats,)
        One finite number a repeat, at least one.

    Returns
    -------
    mean : float
        The arithmetic mean.
    standard_error : float
        Sample standard deviation (``ddof=1``) divided by ``sqrt(n_repeats)``; NaN for one repeat.

    Raises
    ------
    ValueError
        If `values` is empty, not one-dimensional, or holds NaN or infinity.

    Examples
    --------
    >>> from widemargin.metrics import summarize_repeats
    >>> summarize_repeats([1.0, 3.0])
    (2.0, 1.0)
    """
    values = _finite_vector(values, "values")
    if values.size == 0:
        raise ValueError("values is empty: pass at least one repeat.")
    if values.size == 1:
        return float(values[0]), float("nan")
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size))


def compare_methods(
    scores: Mapping[str, npt.ArrayLike],
    baseline: str,
    *,
    level: float = 0.95,
    exclude: Collection[str] = (),
    tie_tolerance: float = 1e-9,
) -> MethodComparison:
    """Compare methods over tasks and repeats: who wins where, and which gains are significant.

    Every competing method is tested against the baseline on each task by :func:`paired_wilcoxon`, two-sided,
    over the repeats. The tests are not corrected for their number: with 45 tasks and ``level=0.95``, two
    or three of them come out significant by chance. Pass a column of `p_value` to :func:`holm` to correct.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_tasks, n_repeats)
        Scores of each method, greater is better. All arrays have one shape, and repeat `j` of a task uses
        the same training and test samples for every method.
    baseline : str
        Key of `scores` that the others are tested against.
    level : float, default=0.95
        Confidence level, in (0, 1).
    exclude : collection of str, default=()
        Keys of `scores` that are shown for reference and never compete.
    tie_tolerance : float, default=1e-9
        Means closer than this are tied, in the unit of the scores, at least 0. With 0.005 and scores in
        percent, methods tie that a table of two decimals could print alike.

    Returns
    -------
    MethodComparison
        Means, errors, winners, p-values and counts.

    Raises
    ------
    ValueError
        If the shapes differ, a score is not finite, a name is unknown, the baseline is excluded, `level` is
        outside (0, 1) or `tie_tolerance` is negative.

    Examples
    --------
    >>> from widemargin.metrics import compare_methods
    >>> scores = {"svm": [[80, 81], [70, 70]], "transfer": [[82, 83], [70, 70]], "best": [[95, 95], [90, 90]]}
    >>> result = compare_methods(scores, "svm", exclude=["best"])
    >>> result.win_counts
    {'svm': 1, 'transfer': 2}
    >>> result.record
    {'transfer': (1, 1, 0)}
    """
    arrays = {name: _score_table(values, name) for name, values in scores.items()}
    _check_names(arrays, baseline, exclude)
    level = check_level(level)
    if not tie_tolerance >= 0:
        raise ValueError(f"tie_tolerance must be at least 0, got {tie_tolerance!r}.")

    methods = tuple(arrays)
    table = np.stack([arrays[name] for name in methods], axis=1)
    n_tasks, n_methods, n_repeats = table.shape
    mean = table.mean(axis=2)
    if n_repeats > 1:
        standard_error = table.std(axis=2, ddof=1) / np.sqrt(n_repeats)
    else:
        standard_error = np.full((n_tasks, n_methods), np.nan)

    competes = np.array([name not in exclude for name in methods])
    best = mean[:, competes].max(axis=1, keepdims=True)
    winners = competes & (mean >= best - tie_tolerance)

    reference = methods.index(baseline)
    p_value = np.full((n_tasks, n_methods), np.nan)
    for method in np.flatnonzero(competes):
        if method != reference:
            for task in range(n_tasks):
                test = paired_wilcoxon(table[task, method], table[task, reference])
                p_value[task, method] = test.p_value
    difference = mean - mean[:, [reference]]
    significant = p_value <= 1 - level  # False where NaN

    above, below = difference > tie_tolerance, difference < -tie_tolerance
    record = {
        name: (int(above[:, k].sum()), int((~above & ~below)[:, k].sum()), int(below[:, k].sum()))
        for k, name in enumerate(methods)
        if competes[k] and k != reference
    }
    return MethodComparison(
        methods=methods,
        baseline=baseline,
        excluded=tuple(name for name in methods if name in exclude),
        level=level,
        mean=mean,
        standard_error=standard_error,
        p_value=p_value,
        winners=winners,
        significant_gain=significant & above,
        significant_loss=significant & below,
        win_counts={name: int(winners[:, k].sum()) for k, name in enumerate(methods) if competes[k]},
        record=record,
    )


def holm(p_values: npt.ArrayLike) -> FloatArray:
    """Correct p-values for the number of tests, by Holm's step-down method.

    Rejecting the hypotheses whose corrected value is at most `a` keeps the probability of any false
    rejection at or below `a`, whatever the dependence between the tests.

    Parameters
    ----------
    p_values : array-like of shape (n_tests,)
        P-values in [0, 1].

    Returns
    -------
    ndarray of shape (n_tests,)
        Corrected p-values in [0, 1], in the order given.

    Raises
    ------
    ValueError
        If a value is NaN or outside [0, 1], or the array is not one-dimensional.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
       Statistics 6, 1979.

    Examples
    --------
    >>> from widemargin.metrics import holm
    >>> holm([0.25, 0.125, 0.5])
    array([0.5  , 0.375, 0.5  ])
    """
    p_values = _finite_vector(p_values, "p_values")
    if np.any((p_values < 0) | (p_values > 1)):
        raise ValueError(
            f"p_values must lie in [0, 1], got values from {p_values.min()} to {p_values.max()}."
        )
    order = np.argsort(p_values, kind="stable")
    scaled = p_values[order] * np.arange(p_values.size, 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return corrected


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Measure how far two rankings agree, from -1 (reversed) to 1 (the same order): Kendall's tau-b.

    ``(C - D) / sqrt((n0 - n1) (n0 - n2))`` with `C` concordant and `D` discordant pairs, ``n0`` all pairs and
    ``n1``, ``n2`` the pairs tied in `a` and in `b`.

    Parameters
    ----------
    a, b : array-like of shape (n_samples,)
        Finite numbers.

    Returns
    -------
    float
        The coefficient; NaN where it is undefined: fewer than two samples, or `a` or `b` constant.

    Raises
    ------
    ValueError
        If the lengths differ, an array is not one-dimensional, or a value is NaN or infinite.

    Examples
    --------
    >>> from widemargin.metrics import kendall_tau
    >>> round(kendall_tau([1, 2, 3, 4], [10, 20, 40, 30]), 4)  # one of six pairs is discordant
    0.6667
    """
    a, b = _paired_vectors(a, b, "a", "b")
    if a.size < 2 or (a == a[0]).all() or (b == b[0]).all():
        return float("nan")
    return float(kendalltau(a, b).statistic)


def _exact_signed_rank(difference: FloatArray, alternative: Alternative) -> tuple[float, float]:
    """Statistic and exact p-value of non-zero differences, conditional on their tied ranks."""
    # Mean ranks are multiples of one half: twice the rank sum is an integer, and its distribution over all
    # 2^n signs is the product of the polynomials (1 + z^(2 rank)).
    doubled = np.rint(2 * rankdata(np.abs(difference))).astype(np.int64)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[:-rank]
    positive = doubled[difference > 0].sum()
    total = 2.0**difference.size
    greater = ways[positive:].sum() / total
    less = ways[: positive + 1].sum() / total
    if alternative == "greater":
        return float(positive / 2), float(greater)
    if alternative == "less":
        return float(positive / 2), float(less)
    return float(min(positive, doubled.sum() - positive) / 2), float(min(1.0, 2 * min(greater, less)))


def _finite_vector(values: npt.ArrayLike, name: str) -> FloatArray:
    array = real_array(name, values)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}: pass one row or column.")
    _check_finite(array, name)
    return array


def _paired_vectors(
    a: npt.ArrayLike, b: npt.ArrayLike, name_a: str, name_b: str
) -> tuple[FloatArray, FloatArray]:
    first, second = _finite_vector(a, name_a), _finite_vector(b, name_b)
    if first.size != second.size:
        raise ValueError(
            f"{name_a} has {first.size} values, {name_b} has {second.size}: pass one of each per pair."
        )
    return first, second


def _score_table(values: npt.ArrayLike, name: str) -> FloatArray:
    table = real_array(f"scores[{name!r}]", values)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(
            f"scores[{name!r}] must have shape (n_tasks, n_repeats) with at least one of each, "
            f"got {table.shape}: reshape one task's scores to (1, n_repeats)."
        )
    _check_finite(table, f"scores[{name!r}]")
    return table


def _check_finite(array: FloatArray, name: str) -> None:
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        place = tuple(int(i) for i in bad[0])
        raise ValueError(
            f"{name} must be finite, got {array[place]} at index {place[0] if array.ndim == 1 else place}: "
            "drop unfinished or failed repeats from every method before comparing."
        )


def _check_names(arrays: Mapping[str, FloatArray], baseline: str, exclude: Collection[str]) -> None:
    if isinstance(exclude, str):
        raise ValueError(
            f"exclude must be a collection of names, got the string {exclude!r}: use [{exclude!r}]."
        )
    known = f"scores has {', '.join(map(repr, arrays)) or 'no methods'}"
    if baseline not in arrays:
        raise ValueError(f"baseline must be a key of scores, got {baseline!r}; {known}.")
    for name in exclude:
        if name not in arrays:
            raise ValueError(f"exclude must hold keys of scores, got {name!r}; {known}.")
    if baseline in exclude:
        raise ValueError(f"baseline {baseline!r} is in exclude, but a baseline competes: take it out.")
    shape = arrays[baseline].shape
    for name, table in arrays.items():
        if table.shape != shape:
            raise ValueError(
                f"scores[{name!r}] has shape {table.shape}, scores[{baseline!r}] has {shape}: "
                "pass the same tasks and repeats for every method."
            )

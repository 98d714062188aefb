"""What the paper on Margin Transfer says about texts as privileged information, beside what we find on web images.

The images are others than the paper's: no level is compared, only tendencies. Section 4.3 and Table 6 of
V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information", arXiv:1410.0389, 2014.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.stats import t as student_t

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.claims import compare_lead, compare_means
from widemargin.experiments.summary import Answer, Claim, Comparison, compare_with_paper, signed
from widemargin.experiments.webqueries_printed import (
    mean_gain,
    printed_multiclass,
    printed_pairs,
)
from widemargin.metrics import PairedComparison

__all__ = ["NOTHING_TO_GAIN", "compare_with_texts"]

NOTHING_TO_GAIN = 99.5
"""Accuracy in percent from which on a task is saturated: less than one of 30 test images wrong in every sixth
repeat."""

# The paper calls its methods near equal, while SVM+ is 0.75 points below the SVM in the mean over Table 5.
NEAR_EQUAL = 1.0  # percentage points
NO_LEVEL = "Other data: the level says how hard the tasks are, nothing about the method."
REFERENCE_LEADS = Claim("Pairs: the SVM on X* is above the SVM on X", "Tables 4 and 5", "9 of 9", 9)


def compare_with_texts(
    binary: Mapping[str, AccuracyStudy], pairs: AccuracyStudy | None, multiclass: AccuracyStudy | None
) -> tuple[Comparison, ...]:
    """Put results beside what the paper says about texts.

    Parameters
    ----------
    binary : mapping of str to AccuracyStudy
        Results on tasks of two classes, those of `pairs` included, by what readers call these tasks.
    pairs : AccuracyStudy or None
        Results on pairs of queries, the paper's kind of task, if there are any.
    multiclass : AccuracyStudy or None
        Results on more queries at once, if there are any.

    Returns
    -------
    tuple of Comparison
        One line a claim.
    """
    lines = [
        _near_equal(study, place, key)
        for place, study in binary.items()
        for key in ("margin_transfer", "svm_plus")
    ]
    if pairs is not None:
        lines.append(compare_lead(pairs, "reference", "svm", REFERENCE_LEADS, comparable=False))
    if multiclass is not None:
        lines += compare_means(
            multiclass, _means_of_many(multiclass), comparable=False, level_within=None, no_level=NO_LEVEL
        )
    return tuple(lines)


def _near_equal(study: AccuracyStudy, place: str, key: str) -> Comparison:
    """Compare with the claim that texts do not help: see whether the mean difference is sure to be small.

    Where most tasks are tied or saturated, a small difference says that there was nothing to gain, not that the
    methods are near equal: then the claim is not clear. Such tasks are not left out of the test instead, because a
    choice of tasks by the accuracy of one method favours the other.
    """
    test = study.over_tasks(key, "svm")
    low, high = _interval(test)
    n_idle, idle = _tied_or_saturated(study, key)
    mostly_idle = 2 * n_idle > test.n_pairs
    answer: Answer = "not clear"
    if low >= -NEAR_EQUAL and high <= NEAR_EQUAL:
        answer = "not clear" if mostly_idle else "agrees"
    elif low > NEAR_EQUAL or high < -NEAR_EQUAL:
        answer = "disagrees"
    pairs = "tasks" if len(study.tasks) > 1 else "repeats"
    limit = f"{NEAR_EQUAL:g} point"
    if np.isfinite(low):
        sentence = (
            f"95 % interval of the mean difference over {test.n_pairs} {pairs}: {signed(low)} to {signed(high)} "
            f"points; near equal if all of it is within {limit} of zero."
        )
        if mostly_idle:
            sentence += f" But {idle}: tasks with nothing to gain are no evidence."
    else:
        sentence = f"One repeat has no interval, which would have to be within {limit} of zero."
    claim = Claim(
        f"{place}: {_name(study, key)} is near equal to the SVM",
        "section 4.3, Tables 4 and 5",
        f"{signed(mean_gain(printed_pairs(), key))} points",
    )
    return compare_with_paper(
        claim, f"{signed(test.mean_difference)} points", answer=answer, sentence=sentence
    )


def _tied_or_saturated(study: AccuracyStudy, key: str) -> tuple[int, str]:
    """Count the tasks, or repeats of a single task, that cannot tell a method from the SVM, and say how many."""
    if len(study.tasks) > 1:
        noun, svm, other = "tasks", study.means("svm"), study.means(key)
    else:
        (scores,) = study.scores.values()
        places = {method.key: place for place, method in enumerate(study.methods)}
        noun, svm, other = "repeats", scores[places["svm"]], scores[places[key]]
    tied, saturated = np.isclose(svm, other, rtol=0, atol=1e-9), svm >= NOTHING_TO_GAIN
    n_idle = int(np.count_nonzero(tied | saturated))
    words = (
        f"on {n_idle} of {svm.size} {noun} the two are tied ({np.count_nonzero(tied)}) or the SVM has "
        f"{NOTHING_TO_GAIN:g} % or more ({np.count_nonzero(saturated)})"
    )
    return n_idle, words


def _means_of_many(study: AccuracyStudy) -> dict[str, Claim]:
    """Return the mean over both lines of Table 6 with texts, for every method."""
    claims = {}
    for method in study.methods:
        mean = float(np.mean([line.mean[method.key] for line in printed_multiclass()]))
        statement = f"Many classes: accuracy of {method.name}, %"
        claims[method.key] = Claim(statement, "Table 6 (texts, mean of two)", f"{mean:.2f}", mean)
    return claims


def _interval(test: PairedComparison) -> tuple[float, float]:
    """Return the 95 % interval of the mean difference by Student's t; NaN for a single pair."""
    if test.n_pairs < 2:
        return np.nan, np.nan
    half = float(student_t.ppf(0.975, test.n_pairs - 1)) * test.standard_error
    return test.mean_difference - half, test.mean_difference + half


def _name(study: AccuracyStudy, key: str) -> str:
    return next(method.name for method in study.methods if method.key == key)

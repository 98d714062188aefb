"""Does it help, by how much, how sure: from the scores of all folds to an answer for each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.experiments.accuracy import Method
from widemargin.experiments.experiment import Row
from widemargin.experiments.own_data_methods import METHODS
from widemargin.experiments.summary import signed
from widemargin.metrics import (
    PairedComparison,
    ResampledInterval,
    paired_wilcoxon,
    resampled_interval,
    summarize_repeats,
)

__all__ = [
    "COLLAPSED",
    "FOLDS_FOR_AN_INTERVAL",
    "FOLDS_FOR_A_VERDICT",
    "HELPS",
    "HURTS",
    "N_TRIED",
    "SIGNIFICANT",
    "TOO_FEW",
    "UNCLEAR",
    "Answer",
    "Answers",
    "difference_from",
    "has_interval",
    "interval_in_words",
    "percent",
]

FloatArray = npt.NDArray[np.float64]

HELPS, HURTS, UNCLEAR = "helps", "hurts", "no clear difference"
TOO_FEW, COLLAPSED = "too few folds", "learned nothing"

N_TRIED = sum(not method.reference for method in METHODS) - 1
"""Methods that are compared with the plain SVM: every p-value is multiplied by it (Bonferroni)."""

SIGNIFICANT = 0.05
"""Largest corrected p-value of a difference; the intervals hold for all methods together with one minus it."""

FOLDS_FOR_A_VERDICT = 7
"""The signed-rank test of n pairs reaches 2^(1 - n), and two methods need a p-value of at most 0.025."""

FOLDS_FOR_AN_INTERVAL = 5
"""The spread of fewer differences says too little: two equal ones out of two are no certainty."""

# Of the folds: from here on a score tells which label w = 0 answers, and nothing about the method.
_NEARLY_ALWAYS = 0.8


@dataclass(frozen=True)
class Answer:
    """How a method with privileged information compares with the plain SVM.

    Parameters
    ----------
    method : Method
        The method.
    mean : float
        Its mean score over the folds, in percent.
    interval : ResampledInterval
        Its score minus that of the plain SVM, in percentage points.
    wilcoxon : PairedComparison
        The signed-rank test of the same differences.
    collapsed : bool
        Whether its optimum was w = 0 on nearly every fold, so that its score means nothing.
    """

    method: Method
    mean: float
    interval: ResampledInterval
    wilcoxon: PairedComparison
    collapsed: bool

    @property
    def p_value(self) -> float:
        """The p-value of the interval, corrected for the number of methods."""
        return min(1.0, N_TRIED * self.interval.p_value)

    @property
    def wilcoxon_p_value(self) -> float:
        """The p-value of the signed-rank test, corrected likewise."""
        return min(1.0, N_TRIED * self.wilcoxon.p_value)

    @property
    def verdict(self) -> str:
        """One of `HELPS`, `HURTS`, `UNCLEAR`, `TOO_FEW` and `COLLAPSED`; the first two only if both tests agree."""
        if self.collapsed:
            return COLLAPSED
        if self.interval.n_splits < FOLDS_FOR_A_VERDICT:
            return TOO_FEW
        if max(self.p_value, self.wilcoxon_p_value) > SIGNIFICANT:
            return UNCLEAR
        return HELPS if self.interval.mean_difference > 0 else HURTS

    def in_words(self, unit: str) -> str:
        """Print the difference with its interval.

        Parameters
        ----------
        unit : str
            What the points are of.

        Returns
        -------
        str
            Such as "+1.9 points of accuracy (interval +0.6 to +3.2)".
        """
        return f"{signed(self.interval.mean_difference, 1)} points of {unit} ({interval_in_words(self.interval)})"


@dataclass(frozen=True)
class Answers:
    """The answers for all methods, from the same folds.

    Parameters
    ----------
    baseline_mean : float
        Mean score of the plain SVM, in percent.
    competitors : tuple of Answer
        The methods with privileged information.
    """

    baseline_mean: float
    competitors: tuple[Answer, ...]

    @classmethod
    def from_rows(cls, rows: Sequence[Row]) -> Answers:
        """Test every method that competes.

        Overlapping folds make the signed-rank test optimistic, so the corrected resampled interval has to agree.
        Both are corrected for the number of methods by Bonferroni's rule, so that the interval that is shown is the
        one that decides.

        Parameters
        ----------
        rows : sequence of Row
            One row a fold.

        Returns
        -------
        Answers
            The answers.
        """
        baseline, *others = [method for method in METHODS if not method.reference]
        collapsed = float(np.mean([int(row["svm_plus_collapsed"]) for row in rows])) >= _NEARLY_ALWAYS
        answers = tuple(
            Answer(
                method,
                float(percent(rows, method.key).mean()),
                difference_from(rows, method.key),
                paired_wilcoxon(percent(rows, method.key), percent(rows, baseline.key)),
                collapsed and method.key == "svm_plus",
            )
            for method in others
        )
        return cls(float(percent(rows, baseline.key).mean()), answers)

    def having(self, verdict: str) -> list[Answer]:
        """Return the methods with a verdict.

        Parameters
        ----------
        verdict : str
            One of those of `Answer.verdict`.

        Returns
        -------
        list of Answer
            The methods, the highest mean first.
        """
        chosen = [answer for answer in self.competitors if answer.verdict == verdict]
        return sorted(chosen, key=lambda answer: -answer.mean)

    @property
    def best(self) -> Method:
        """The method to use: the best of those that help, or the plain SVM."""
        helping = self.having(HELPS)
        return helping[0].method if helping else METHODS[0]

    def sentence(self, unit: str) -> str:
        """Answer the question in plain words.

        Parameters
        ----------
        unit : str
            What the scores are, such as "accuracy".

        Returns
        -------
        str
            One sentence for each verdict that occurs.
        """
        helping, hurting, unclear, too_few, collapsed = (
            self.having(verdict) for verdict in (HELPS, HURTS, UNCLEAR, TOO_FEW, COLLAPSED)
        )
        compared = [_compared(answer, unit) for answer in (*helping, *hurting)]
        no_difference = [
            f"{answer.method.name} makes no clear difference: {answer.in_words(unit)}." for answer in unclear
        ]
        if helping:
            sentences = ["Yes, it helps:", *compared, *no_difference]
        elif hurting and unclear:
            names = " and ".join(answer.method.name for answer in hurting)
            sentences = [f"No clear gain, and {names} hurts:", *no_difference, *compared]
        elif hurting:
            sentences = ["No, it hurts:", *compared]
        else:
            start = "Too few folds for a verdict" if too_few else "No clear difference"
            parts = " and ".join(
                f"{answer.method.name} {answer.in_words(unit)}" for answer in (*unclear, *too_few)
            )
            sentences = [f"{start}: against a plain SVM, {parts}."]
        sentences += [
            f"{answer.method.name} learned nothing here: its optimum is w = 0." for answer in collapsed
        ]
        if any(has_interval(answer.interval) and not answer.collapsed for answer in self.competitors):
            sentences.append("Intervals: 95 % for both methods together.")
        return " ".join(sentences)


def percent(rows: Sequence[Row], key: str) -> FloatArray:
    """Return the scores of a method on all folds.

    Parameters
    ----------
    rows : sequence of Row
        One row a fold.
    key : str
        Key of the method, or "most_frequent".

    Returns
    -------
    ndarray of shape (n_folds,)
        Scores in percent.
    """
    return np.array([100 * float(row[f"{key}_score"]) for row in rows])


def difference_from(rows: Sequence[Row], key: str) -> ResampledInterval:
    """Return the interval of a method's score minus that of the plain SVM on the same test samples.

    Parameters
    ----------
    rows : sequence of Row
        One row a fold.
    key : str
        Key of the method.

    Returns
    -------
    ResampledInterval
        In percentage points, of the level that holds for all methods together with 95 %.
    """
    sizes = {name: summarize_repeats([float(row[name]) for row in rows])[0] for name in ("n_train", "n_test")}
    # The reference is tested on samples with privileged features alone.
    baseline = "svm_where_privileged" if key == "reference" else METHODS[0].key
    difference = percent(rows, key) - percent(rows, baseline)
    return resampled_interval(difference, **sizes, level=1 - SIGNIFICANT / N_TRIED)


def has_interval(interval: ResampledInterval) -> bool:
    """Tell whether the differences of the folds say how sure their mean is.

    Parameters
    ----------
    interval : ResampledInterval
        The interval.

    Returns
    -------
    bool
        False for fewer than five folds, and for differences that are the same on every fold, where the interval has
        no width.
    """
    return interval.n_splits >= FOLDS_FOR_AN_INTERVAL and interval.standard_error > 0


def interval_in_words(interval: ResampledInterval) -> str:
    """Print an interval, or why there is none.

    Parameters
    ----------
    interval : ResampledInterval
        In percentage points.

    Returns
    -------
    str
        Such as "interval +0.6 to +3.2".
    """
    if interval.n_splits < FOLDS_FOR_AN_INTERVAL:
        return "too few folds for an interval"
    if not has_interval(interval):
        return "the same on every fold"
    return f"interval {signed(interval.low, 1)} to {signed(interval.high, 1)}"


def _compared(answer: Answer, unit: str) -> str:
    way = "better" if answer.verdict == HELPS else "worse"
    size = signed(abs(answer.interval.mean_difference), 1).lstrip("+")
    return (
        f"{answer.method.name} is {way} than a plain SVM by {size} points of {unit} "
        f"({interval_in_words(answer.interval)})."
    )

"""Does it help, by how much, how sure: from the scores of all folds to an answer for each method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from widemargin.experiments.accuracy import Method
from widemargin.experiments.experiment import Row
from widemargin.experiments.own_data_methods import METHODS
from widemargin.experiments.summary import signed
from widemargin.metrics import (
    PairedComparison,
    ResampledInterval,
    holm,
    paired_wilcoxon,
    resampled_interval,
    summarize_repeats,
)

__all__ = [
    "HELPS",
    "HURTS",
    "UNCLEAR",
    "Answer",
    "Answers",
    "difference_from",
    "interval_in_words",
    "percent",
]

FloatArray = npt.NDArray[np.float64]

HELPS, HURTS, UNCLEAR = "helps", "hurts", "no clear difference"
_SIGNIFICANT = 0.05


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
    p_value : float
        The p-value of `interval`, corrected for the number of methods.
    wilcoxon_p_value : float
        The p-value of `wilcoxon`, corrected likewise.
    """

    method: Method
    mean: float
    interval: ResampledInterval
    wilcoxon: PairedComparison
    p_value: float
    wilcoxon_p_value: float

    @property
    def verdict(self) -> str:
        """One of `HELPS`, `HURTS` and `UNCLEAR`; the first two only if both tests agree at 95 %."""
        if max(self.p_value, self.wilcoxon_p_value) > _SIGNIFICANT:
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
            Such as "+1.9 points of accuracy (95 % interval +0.6 to +3.2)".
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

        Overlapping folds make the signed-rank test optimistic, so the corrected resampled interval has to agree;
        both are corrected for the number of methods by Holm's method.

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
        intervals = [difference_from(rows, method.key) for method in others]
        tests = [paired_wilcoxon(percent(rows, method.key), percent(rows, baseline.key)) for method in others]
        corrected = holm([interval.p_value for interval in intervals])
        corrected_tests = holm([test.p_value for test in tests])
        answers = tuple(
            Answer(
                method, float(percent(rows, method.key).mean()), interval, test, float(p_value), float(test_p)
            )
            for method, interval, test, p_value, test_p in zip(
                others, intervals, tests, corrected, corrected_tests, strict=True
            )
        )
        return cls(float(percent(rows, baseline.key).mean()), answers)

    def having(self, verdict: str) -> list[Answer]:
        """Return the methods with a verdict.

        Parameters
        ----------
        verdict : str
            One of `HELPS`, `HURTS` and `UNCLEAR`.

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
        helping, hurting, unclear = (self.having(verdict) for verdict in (HELPS, HURTS, UNCLEAR))
        if not helping and not hurting:
            parts = " and ".join(f"{answer.method.name} {answer.in_words(unit)}" for answer in unclear)
            return f"No clear difference: against a plain SVM, {parts}."
        compared = partial(_compared, unit=unit)
        no_difference = [
            f"{answer.method.name} makes no clear difference: {answer.in_words(unit)}." for answer in unclear
        ]
        if helping:
            sentences = [*map(compared, (*helping, *hurting)), *no_difference]
            return "Yes, it helps: " + " ".join(sentences)
        start = "No clear gain: " if unclear else "No, it hurts: "
        return start + " ".join([*no_difference, *map(compared, hurting)])


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
    """Return the interval of a method's score minus that of the plain SVM.

    Parameters
    ----------
    rows : sequence of Row
        One row a fold.
    key : str
        Key of the method.

    Returns
    -------
    ResampledInterval
        In percentage points.
    """
    sizes = {name: summarize_repeats([float(row[name]) for row in rows])[0] for name in ("n_train", "n_test")}
    return resampled_interval(percent(rows, key) - percent(rows, METHODS[0].key), **sizes)


def interval_in_words(interval: ResampledInterval) -> str:
    """Print an interval.

    Parameters
    ----------
    interval : ResampledInterval
        In percentage points.

    Returns
    -------
    str
        Such as "95 % interval +0.6 to +3.2".
    """
    if interval.n_splits == 1:
        return "one fold, which gives no interval"
    return f"{100 * interval.level:g} % interval {signed(interval.low, 1)} to {signed(interval.high, 1)}"


def _compared(answer: Answer, unit: str) -> str:
    way = "better" if answer.verdict == HELPS else "worse"
    size = signed(abs(answer.interval.mean_difference), 1).lstrip("+")
    return (
        f"{answer.method.name} is {way} than a plain SVM by {size} points of {unit} "
        f"({interval_in_words(answer.interval)})."
    )

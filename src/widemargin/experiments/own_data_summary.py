"""The table, the verdict and the plain words about a comparison on a user's own data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.experiments.experiment import Row
from widemargin.experiments.own_data_answer import (
    HELPS,
    HURTS,
    UNCLEAR,
    Answer,
    Answers,
    difference_from,
    interval_in_words,
    percent,
)
from widemargin.experiments.own_data_methods import METHODS, Choices
from widemargin.experiments.summary import Cell, Column, Summary, SummaryTable, signed
from widemargin.metrics import ResampledInterval

__all__ = ["LabelCounts", "summarise_folds"]

_MARKS = {HELPS: "gain", HURTS: "loss", UNCLEAR: ""}
_IMBALANCED = 0.75
_FEW_IN_TEST = 20
# Two tests corrected by Holm's method need p <= 0.025; the signed-rank test of n pairs reaches 2^(1 - n).
_FOLDS_FOR_A_VERDICT = 7


@dataclass(frozen=True)
class LabelCounts:
    """How often the labels occur.

    Parameters
    ----------
    most_frequent : str
        The most frequent label.
    share : float
        Its share of the samples.
    """

    most_frequent: str
    share: float

    @classmethod
    def of(cls, y: npt.NDArray[Any]) -> LabelCounts:
        """Count.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            Labels.

        Returns
        -------
        LabelCounts
            The counts.
        """
        classes, counts = np.unique(y, return_counts=True)
        return cls(str(classes[counts.argmax()]), float(counts.max() / y.size))


def summarise_folds(rows: Sequence[Row], choices: Choices, labels: LabelCounts) -> Summary:
    """Summarise the folds that are finished.

    Parameters
    ----------
    rows : sequence of Row
        One row a fold, at least one.
    choices : Choices
        How classifiers were trained.
    labels : LabelCounts
        How often the labels occur.

    Returns
    -------
    Summary
        The verdict, the table, and what there is to know about both.
    """
    answers = Answers.from_rows(rows)
    unit = choices.scoring.replace("_", " ")
    findings = [
        *_about_evidence(rows, answers),
        *_about_methods(rows, answers, choices),
        _about_reference(difference_from(rows, "reference")),
        *_about_labels(rows, answers, labels, choices),
    ]
    return Summary(
        verdict=answers.sentence(unit),
        findings=tuple(findings),
        tables=(_table(rows, answers, unit, labels),),
    )


def _about_evidence(rows: Sequence[Row], answers: Answers) -> list[str]:
    """Say what the verdict rests on, and what would make it surer."""
    n_folds = len(rows)
    sentences = []
    if n_folds < _FOLDS_FOR_A_VERDICT:
        sentences.append(
            f"{n_folds} {'fold is' if n_folds == 1 else 'folds are'} too few for any other verdict than no clear "
            f"difference: at least {_FOLDS_FOR_A_VERDICT} are needed. Raise --repeats."
        )
    n_test = float(np.mean([int(row["n_test"]) for row in rows]))
    if n_test < _FEW_IN_TEST:
        sentences.append(
            f"Each fold tests about {n_test:.0f} samples, so that one sample more or less is {100 / n_test:.0f} "
            "points: only large differences can be told from chance. More samples help, more repeats hardly."
        )
    for answer in answers.having(UNCLEAR):
        interval, p_value = answer.interval, max(answer.p_value, answer.wilcoxon_p_value)
        if interval.low > 0 or interval.high < 0:
            sentences.append(
                f"The interval of {answer.method.name} by itself leaves out zero, but two methods were tried: "
                f"corrected for that, the evidence is not enough (p = {p_value:.2g})."
            )
    return sentences


def _about_methods(rows: Sequence[Row], answers: Answers, choices: Choices) -> list[str]:
    """Say when the baseline wins, and when a method could not do its work."""
    sentences = []
    if all(answer.mean <= answers.baseline_mean for answer in answers.competitors):
        sentences.append(
            "The plain SVM has the highest mean score of the three: nothing was gained with the privileged features."
        )
    n_collapsed = sum(int(row["svm_plus_collapsed"]) for row in rows)
    if n_collapsed:
        sentences.append(
            f"SVM+ collapsed in {n_collapsed} of {len(rows)} folds: its optimum was w = 0, a classifier that has "
            "learned nothing, as happens with few features and many samples that overlap. Its score says little "
            "about the privileged features." + (" Try --kernel rbf." if choices.kernel == "linear" else "")
        )
    n_missed = sum(int(row["n_missed_tolerance"]) for row in rows)
    if n_missed:
        sentences.append(
            f"{n_missed} fits stopped before they reached their tolerance; their scores can be a little off."
        )
    return sentences


def _about_reference(interval: ResampledInterval) -> str:
    """Say whether there is anything to transfer."""
    start = (
        f"The SVM on X* differs by {signed(interval.mean_difference, 1)} points from the plain SVM "
        f"({interval_in_words(interval)}): "
    )
    if interval.low > 0:
        return (
            start + "the privileged features tell more about the labels, so there is something to transfer."
        )
    what = "tell less" if interval.high < 0 else "do not clearly tell more"
    return start + f"the privileged features {what} about the labels, so there may be little to transfer."


def _about_labels(rows: Sequence[Row], answers: Answers, labels: LabelCounts, choices: Choices) -> list[str]:
    """Put the scores beside those of a classifier that looks at nothing."""
    always = float(percent(rows, "most_frequent").mean())
    best = max(answers.baseline_mean, *(answer.mean for answer in answers.competitors))
    sentences = []
    if best < always + 1:
        sentences.append(
            f"Always answering {labels.most_frequent!r}, the most frequent label, scores {always:.1f} %: no method is "
            "clearly better than that, so these features can hardly tell the labels at all."
        )
    if labels.share >= _IMBALANCED and choices.scoring == "accuracy":
        sentences.append(
            f"{100 * labels.share:.0f} % of the labels are {labels.most_frequent!r}: accuracy says little about the "
            "others. --scoring balanced_accuracy counts every class the same."
        )
    return sentences


def _table(rows: Sequence[Row], answers: Answers, unit: str, labels: LabelCounts) -> SummaryTable:
    columns = (
        Column("method", numeric=False),
        Column(unit, "%"),
        Column("difference", "points"),
        Column("95 % interval", "points"),
        Column("p"),
        Column("Wilcoxon p"),
        Column("verdict", numeric=False),
    )
    means = {answer.method.key: answer.mean for answer in answers.competitors}
    means[METHODS[0].key] = answers.baseline_mean
    highest = max(means.values())
    always = float(percent(rows, "most_frequent").mean())
    lines = [_line(f"always {labels.most_frequent!r}", f"{always:.1f}")]
    lines.append(
        _line(METHODS[0].name, f"{answers.baseline_mean:.1f}", best=answers.baseline_mean >= highest - 1e-9)
    )
    lines += [_answer_line(answer, best=answer.mean >= highest - 1e-9) for answer in answers.competitors]
    interval = difference_from(rows, "reference")
    reference = float(percent(rows, "reference").mean())
    ends = (signed(interval.low, 1), signed(interval.high, 1))
    lines.append(
        tuple(
            Cell(text, reference=True)
            for text in (
                "SVM on X*",
                f"{reference:.1f}",
                signed(interval.mean_difference, 1),
                f"{ends[0]} to {ends[1]}" if interval.n_splits > 1 else "–",
                "–",
                "–",
                "reference",
            )
        )
    )
    count = "1 fold" if len(rows) == 1 else f"{len(rows)} folds"
    note = (
        f"Means over {count}, each tested on samples that were not trained on; difference to the plain SVM in "
        "percentage points. Training parts overlap, which makes the Wilcoxon test optimistic; the interval and its "
        "p-value are corrected for it (Nadeau and Bengio), and both p-values for two methods (Holm). A method helps or "
        "hurts only if both are at most 0.05. Bold: highest mean. Italics: sees X*, the privileged features, even in "
        "testing, and does not compete."
    )
    return SummaryTable("methods", f"Mean {unit} of the methods", note, columns, tuple(lines))


def _line(name: str, score: str, best: bool = False) -> tuple[Cell, ...]:
    return (Cell(name), Cell(score, best=best), *(Cell("–") for _ in range(4)), Cell(""))


def _answer_line(answer: Answer, best: bool) -> tuple[Cell, ...]:
    interval = answer.interval
    ends = f"{signed(interval.low, 1)} to {signed(interval.high, 1)}" if interval.n_splits > 1 else "–"
    return (
        Cell(answer.method.name),
        Cell(f"{answer.mean:.1f}", best=best),
        Cell(signed(interval.mean_difference, 1), mark=_MARKS[answer.verdict]),
        Cell(ends),
        Cell(_p_value(answer.p_value)),
        Cell(_p_value(answer.wilcoxon_p_value)),
        Cell(answer.verdict),
    )


def _p_value(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"

"""The table, the verdict and the plain words about a comparison on a user's own data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.experiments.experiment import Row
from widemargin.experiments.own_data_answer import (
    COLLAPSED,
    FOLDS_FOR_A_VERDICT,
    FOLDS_FOR_AN_INTERVAL,
    HELPS,
    HURTS,
    N_TRIED,
    SIGNIFICANT,
    TOO_FEW,
    UNCLEAR,
    Answer,
    Answers,
    difference_from,
    has_interval,
    interval_in_words,
    percent,
)
from widemargin.experiments.own_data_methods import METHODS, Choices
from widemargin.experiments.summary import Cell, Column, Summary, SummaryTable, p_text, signed
from widemargin.metrics import ResampledInterval

__all__ = ["OuterFolds", "SampleCounts", "summarise_folds"]

_MARKS = {HELPS: "gain", HURTS: "loss", UNCLEAR: "", TOO_FEW: "", COLLAPSED: ""}
_IMBALANCED = 0.75
_FEW_IN_TEST = 20


@dataclass(frozen=True)
class SampleCounts:
    """How often the labels occur, and how many samples have privileged features.

    Parameters
    ----------
    most_frequent : str
        The most frequent label.
    share : float
        Its share of the samples.
    n_samples, n_privileged : int
        All samples, and those with privileged features.
    """

    most_frequent: str
    share: float
    n_samples: int
    n_privileged: int

    @classmethod
    def of(cls, y: npt.NDArray[Any], present: npt.NDArray[np.bool_]) -> SampleCounts:
        """Count.

        Parameters
        ----------
        y : ndarray of shape (n_samples,)
            Labels.
        present : ndarray of bool of shape (n_samples,)
            Which samples have privileged features.

        Returns
        -------
        SampleCounts
            The counts.
        """
        classes, counts = np.unique(y, return_counts=True)
        share = float(counts.max() / y.size)
        return cls(str(classes[counts.argmax()]), share, y.size, int(np.count_nonzero(present)))


@dataclass(frozen=True)
class OuterFolds:
    """The folds that were asked for, of which an interrupted run has finished some.

    Parameters
    ----------
    n_folds : int
        Folds of one division of the samples.
    n_repeats : int
        Divisions.
    """

    n_folds: int
    n_repeats: int

    def advice(self) -> str:
        """Return how to get enough folds for a verdict.

        Returns
        -------
        str
            A sentence for a run that has too few.
        """
        if self.n_folds * self.n_repeats >= FOLDS_FOR_A_VERDICT:
            return "Run the same command again: it computes the folds that are left."
        n_repeats = -(-FOLDS_FOR_A_VERDICT // self.n_folds)
        return f"Run it again with --repeats {n_repeats} or more: finished folds are kept."


def summarise_folds(
    rows: Sequence[Row], choices: Choices, counts: SampleCounts, asked: OuterFolds
) -> Summary:
    """Summarise the folds that are finished.

    Parameters
    ----------
    rows : sequence of Row
        One row a fold, at least one.
    choices : Choices
        How classifiers were trained.
    counts : SampleCounts
        How often the labels and the privileged features occur.
    asked : OuterFolds
        The folds that were asked for.

    Returns
    -------
    Summary
        The verdict, the table, and what there is to know about both.
    """
    answers = Answers.from_rows(rows)
    unit = choices.scoring.replace("_", " ")
    findings = [
        *_about_evidence(rows, answers, asked),
        *_about_methods(rows, answers, choices),
        _about_reference(difference_from(rows, "reference"), counts),
        *_about_labels(rows, answers, counts, choices),
    ]
    return Summary(
        verdict=answers.sentence(unit),
        findings=tuple(findings),
        tables=(_table(rows, answers, unit, counts),),
    )


def _about_evidence(rows: Sequence[Row], answers: Answers, asked: OuterFolds) -> list[str]:
    """Say what the verdict rests on, and what would make it surer."""
    n_folds = len(rows)
    sentences = []
    if n_folds < FOLDS_FOR_A_VERDICT:
        least = min(1.0, N_TRIED * 2.0 ** (1 - n_folds))
        sentences.append(
            f"{n_folds} {'fold is' if n_folds == 1 else 'folds are'} too few for a verdict: with so few, the corrected "
            f"p-value of Wilcoxon's test cannot be below {least:.2g}, whatever the scores. At least "
            f"{FOLDS_FOR_A_VERDICT} are needed. {asked.advice()}"
        )
    sentences += [
        _tests_in_words(answer)
        for answer in answers.competitors
        if has_interval(answer.interval) and not answer.collapsed
    ]
    n_test = float(np.mean([int(row["n_test"]) for row in rows]))
    if n_test < _FEW_IN_TEST:
        sentences.append(
            f"Each fold tests about {n_test:.0f} samples, so that one sample more or less is {100 / n_test:.0f} "
            "points: only large differences can be told from chance. More samples help"
            + (", more repeats hardly." if n_folds >= FOLDS_FOR_A_VERDICT else ".")
        )
    return sentences


def _tests_in_words(answer: Answer) -> str:
    """Say what either test says, so that a reader knows which of them stands in the way of a verdict."""
    p_value, wilcoxon = p_text(answer.p_value), p_text(answer.wilcoxon_p_value)
    confirms = answer.wilcoxon_p_value <= SIGNIFICANT
    if answer.p_value <= SIGNIFICANT:
        end = "Wilcoxon's test agrees" if confirms else "Wilcoxon's test does not confirm it"
        link = "and" if confirms else "but"
        return f"{answer.method.name}: the interval leaves out zero ({p_value}), {link} {end} ({wilcoxon})."
    if confirms:
        return (
            f"{answer.method.name}: the interval contains zero ({p_value}), and so there is no clear difference. "
            f"Wilcoxon's test finds one ({wilcoxon}), but takes overlapping folds for independent."
        )
    return (
        f"{answer.method.name}: the interval contains zero ({p_value}), and Wilcoxon's test finds no difference either "
        f"({wilcoxon})."
    )


def _about_methods(rows: Sequence[Row], answers: Answers, choices: Choices) -> list[str]:
    """Say when the baseline wins, and when a method could not do its work."""
    sentences = []
    if all(answer.collapsed or answer.mean <= answers.baseline_mean for answer in answers.competitors):
        sentences.append(
            "No method has a higher mean score than the plain SVM: nothing was gained with the privileged features."
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


def _about_reference(interval: ResampledInterval, counts: SampleCounts) -> str:
    """Say whether there is anything to transfer."""
    where = ""
    if counts.n_privileged < counts.n_samples:
        where = (
            f"{counts.n_privileged} of {counts.n_samples} samples have privileged features; the SVM on X* is trained "
            "on them alone, and compared on them alone. "
        )
    start = (
        f"{where}The SVM on X* differs by {signed(interval.mean_difference, 1)} points from the plain SVM "
        f"({interval_in_words(interval)}): "
    )
    if interval.n_splits < FOLDS_FOR_AN_INTERVAL:
        return start + "whether there is something to transfer cannot be told yet."
    if interval.low > 0:
        return (
            start + "the privileged features tell more about the labels, so there is something to transfer."
        )
    what = "tell less" if interval.high < 0 else "do not clearly tell more"
    return start + f"the privileged features {what} about the labels, so there may be little to transfer."


def _about_labels(rows: Sequence[Row], answers: Answers, counts: SampleCounts, choices: Choices) -> list[str]:
    """Put the scores beside those of a classifier that looks at nothing."""
    always = float(percent(rows, "most_frequent").mean())
    best = max(
        answers.baseline_mean, *(answer.mean for answer in answers.competitors if not answer.collapsed)
    )
    sentences = []
    if best < always + 1:
        sentences.append(
            f"Always answering {counts.most_frequent!r}, the most frequent label, scores {always:.1f} %: no method is "
            "clearly better than that."
        )
    collapsed = {answer.method.key for answer in answers.competitors if answer.collapsed}
    n_constant = {
        method.name: sum(int(row[f"{method.key}_one_answer"]) for row in rows)
        for method in METHODS
        if method.key not in collapsed
    }
    constant = [f"{name} on {n} of {len(rows)}" for name, n in n_constant.items() if 2 * n > len(rows)]
    if constant:
        sentences.append(
            f"The same label for all test samples of a fold: {', '.join(constant)} folds. What such a classifier "
            "scores is the share of that label."
        )
    if counts.share >= _IMBALANCED and choices.scoring == "accuracy":
        sentences.append(
            f"{100 * counts.share:.0f} % of the labels are {counts.most_frequent!r}: accuracy says little about the "
            "others. --scoring balanced_accuracy counts every class the same, in training too."
        )
    return sentences


def _table(rows: Sequence[Row], answers: Answers, unit: str, counts: SampleCounts) -> SummaryTable:
    columns = (
        Column("method", numeric=False),
        Column("score", "%"),
        Column("difference", "points"),
        Column("95 % interval", "both together"),
        Column("verdict", numeric=False),
    )
    always = float(percent(rows, "most_frequent").mean())
    highest = max(
        answers.baseline_mean, *(answer.mean for answer in answers.competitors if not answer.collapsed)
    )
    lines = [
        _line(f"always {counts.most_frequent!r}", f"{always:.1f}"),
        _line(METHODS[0].name, f"{answers.baseline_mean:.1f}", best=answers.baseline_mean >= highest - 1e-9),
    ]
    lines += [_answer_line(answer, best=answer.mean >= highest - 1e-9) for answer in answers.competitors]
    interval = difference_from(rows, "reference")
    reference = (
        "SVM on X*",
        f"{percent(rows, 'reference').mean():.1f}",
        signed(interval.mean_difference, 1),
        _ends(interval),
        "reference",
    )
    lines.append(tuple(Cell(text, reference=True) for text in reference))
    count = "1 fold" if len(rows) == 1 else f"{len(rows)} folds"
    note = (
        f"Mean {unit} over {count}, each tested on samples that were not trained on; difference to the plain SVM in "
        "percentage points. The interval is corrected for training parts that overlap (Nadeau and Bengio); it has "
        f"{100 * interval.level:g} % for each method, so that both together have 95 %. A method helps or hurts if its "
        "interval leaves out zero and Wilcoxon's signed-rank test agrees; all p-values are doubled, because two "
        "methods are tried. Bold: highest mean. Italics: sees X*, the privileged features, even in testing, and does "
        "not compete."
    )
    return SummaryTable("methods", f"Mean {unit} of the methods", note, columns, tuple(lines))


def _line(name: str, score: str, best: bool = False) -> tuple[Cell, ...]:
    return (Cell(name), Cell(score, best=best), Cell("–"), Cell("–"), Cell(""))


def _answer_line(answer: Answer, best: bool) -> tuple[Cell, ...]:
    if answer.collapsed:
        # What w = 0 scores depends on which label comes first.
        return (Cell(answer.method.name), Cell("–"), Cell("–"), Cell("–"), Cell(answer.verdict))
    return (
        Cell(answer.method.name),
        Cell(f"{answer.mean:.1f}", best=best),
        Cell(signed(answer.interval.mean_difference, 1), mark=_MARKS[answer.verdict]),
        Cell(_ends(answer.interval)),
        Cell(answer.verdict),
    )


def _ends(interval: ResampledInterval) -> str:
    if not has_interval(interval):
        return "–"
    return f"{signed(interval.low, 1)} to {signed(interval.high, 1)}"

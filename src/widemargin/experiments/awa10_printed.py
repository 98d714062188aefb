"""Table 1 of the paper on Margin Transfer as printed, and our table beside it.

V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information", arXiv:1410.0389, 2014.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.summary import Cell, Column, SummaryTable, signed
from widemargin.metrics import kendall_tau

__all__ = ["PrintedPair", "compare_pair_by_pair", "describe_closeness", "printed_pairs"]

_CONTENDERS = ("svm", "margin_transfer", "svm_plus")


@dataclass(frozen=True)
class PrintedPair:
    """A line of the printed table.

    Parameters
    ----------
    classes : tuple of (str, str)
        The two animals.
    mean, standard_error : dict of str to float
        Accuracy in percent by the key of the method: ``svm``, ``margin_transfer``, ``svm_plus``, ``reference``.
    significant : str
        Key of the method whose gain over the SVM is marked as significant, or empty.
    """

    classes: tuple[str, str]
    mean: dict[str, float]
    standard_error: dict[str, float]
    significant: str

    @property
    def task(self) -> str:
        """The pair as the tasks of the experiment are called."""
        return " versus ".join(self.classes)

    @property
    def best(self) -> set[str]:
        """Keys of the methods with the highest mean, without the reference."""
        highest = max(self.mean[key] for key in _CONTENDERS)
        return {key for key in _CONTENDERS if self.mean[key] == highest}


@cache
def printed_pairs() -> tuple[PrintedPair, ...]:
    """Return the 45 lines of the printed table, in its order.

    Returns
    -------
    tuple of PrintedPair
        The lines.
    """
    keys = (*_CONTENDERS, "reference")
    text = files("widemargin.experiments").joinpath("awa10_printed.csv").read_text(encoding="utf-8")
    return tuple(
        PrintedPair(
            (line["first"], line["second"]),
            {key: float(line[key]) for key in keys},
            {key: float(line[f"{key}_error"]) for key in keys},
            line["significant"],
        )
        for line in csv.DictReader(text.splitlines())
    )


def compare_pair_by_pair(study: AccuracyStudy) -> SummaryTable:
    """Put every mean of ours beside the printed one.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on pairs that the paper has, all or some.

    Returns
    -------
    SummaryTable
        One row a pair, two columns a method; below, means and wins over the same pairs.
    """
    columns = [Column("task", numeric=False)]
    for method in study.methods:
        columns += [Column(method.name, "paper"), Column(method.name, "ours")]
    pairs = _printed(study)
    rows = []
    for pair, comparison in zip(pairs, study.comparisons.values(), strict=True):
        row = [Cell(pair.task)]
        for place, method in enumerate(study.methods):
            row.append(
                Cell(
                    f"{pair.mean[method.key]:.2f} ± {pair.standard_error[method.key]:.2f}",
                    best=method.key in pair.best,
                    mark="gain" * (pair.significant == method.key),
                    reference=method.reference,
                )
            )
            error = comparison.standard_error[0, place]
            gain, loss = comparison.significant_gain[0, place], comparison.significant_loss[0, place]
            row.append(
                Cell(
                    f"{comparison.mean[0, place]:.2f}" + (f" ± {error:.2f}" if np.isfinite(error) else ""),
                    best=bool(comparison.winners[0, place]),
                    mark="gain" * bool(gain) + "loss" * bool(loss),
                    reference=method.reference,
                )
            )
        rows.append(tuple(row))
    return SummaryTable(
        "beside_the_paper",
        "The paper's Table 1 beside ours",
        "Accuracy in percent, mean ± standard error, the paper's over 20 repeats. Bold: best of its row in the same "
        "table. ▲ / ▼: significantly above / below the SVM; the paper marks gains only.",
        tuple(columns),
        tuple(rows),
        (_mean_row(study, pairs), _win_row(study, pairs)),
    )


def describe_closeness(study: AccuracyStudy) -> str:
    """Say in a sentence how close our pairs are to the printed ones.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on pairs that the paper has.

    Returns
    -------
    str
        The sentence.
    """
    pairs = _printed(study)
    printed = {key: np.array([pair.mean[key] for pair in pairs]) for key in (*_CONTENDERS, "reference")}
    difference = study.means("svm") - printed["svm"]
    text = (
        f"Pair by pair our SVM differs from the printed one by {signed(difference.mean())} points in the mean "
        f"({np.abs(difference).mean():.2f} in the mean absolute difference)."
    )
    ours = np.round(study.means("margin_transfer") - study.means("svm"), 9)
    theirs = np.round(printed["margin_transfer"] - printed["svm"], 9)
    tau = kendall_tau(ours, theirs)
    if np.isfinite(tau):
        text += (
            f" The gains of Margin Transfer agree on which pairs profit with Kendall's tau {signed(tau)} "
            "(0: as unrelated lists would)."
        )
    return text


def _printed(study: AccuracyStudy) -> list[PrintedPair]:
    by_task = {pair.task: pair for pair in printed_pairs()}
    return [by_task[task] for task in study.tasks]


def _mean_row(study: AccuracyStudy, pairs: list[PrintedPair]) -> tuple[Cell, ...]:
    row = [Cell("mean over tasks")]
    for method in study.methods:
        theirs = float(np.mean([pair.mean[method.key] for pair in pairs]))
        ours = float(study.means(method.key).mean())
        row += [Cell(f"{value:.2f}", reference=method.reference) for value in (theirs, ours)]
    return tuple(row)


def _win_row(study: AccuracyStudy, pairs: list[PrintedPair]) -> tuple[Cell, ...]:
    row = [Cell("best on")]
    for method in study.methods:
        if method.reference:
            row += [Cell("–"), Cell("–")]
        else:
            row.append(Cell(str(sum(method.key in pair.best for pair in pairs))))
            row.append(Cell(str(study.wins(method.key))))
    return tuple(row)

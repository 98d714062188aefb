"""Accuracy tables as a paper prints them, and ours beside them line by line."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.claims import compare_lead
from widemargin.experiments.summary import Cell, Claim, Column, Comparison, SummaryTable, signed
from widemargin.metrics import kendall_tau
from widemargin.plots.gain_scatter import TASKS_FOR_TAU

__all__ = [
    "PrintedLine",
    "beside_printed",
    "compare_printed_lead",
    "describe_closeness",
    "lines_of",
    "printed_table",
    "read_printed",
]

_REFERENCE = "reference"
_ERROR = "_error"
_NOTE = (
    "Accuracy in percent, mean ± standard error, the paper's over 20 repeats. Bold: best of its row in the same "
    "table. ▲ / ▼: significantly above / below the SVM; the paper marks gains only."
)


@dataclass(frozen=True)
class PrintedLine:
    """A line of a printed table.

    Parameters
    ----------
    task : str
        The task, as tasks of the experiment are called.
    mean, standard_error : dict of str to float
        Accuracy in percent by the key of the method; ``reference``, if there, does not compete.
    significant : str
        Key of the method whose gain over the SVM is marked as significant, or empty.
    group : str, default=""
        Part of the data that the line is about, if the file has several.
    """

    task: str
    mean: dict[str, float]
    standard_error: dict[str, float]
    significant: str
    group: str = ""

    @property
    def best(self) -> set[str]:
        """Keys of the methods with the highest mean, without the reference."""
        contenders = {key: mean for key, mean in self.mean.items() if key != _REFERENCE}
        return {key for key, mean in contenders.items() if mean == max(contenders.values())}


def read_printed(file: str) -> tuple[PrintedLine, ...]:
    """Read a printed table from the package.

    Parameters
    ----------
    file : str
        Name of a CSV file beside this module, with the columns ``task``, ``<key>`` and ``<key>_error`` for every
        method, ``significant``, and perhaps ``group``.

    Returns
    -------
    tuple of PrintedLine
        The lines, in the order of the file.
    """
    text = files("widemargin.experiments").joinpath(file).read_text(encoding="utf-8")
    lines = list(csv.DictReader(text.splitlines()))
    keys = [name.removesuffix(_ERROR) for name in lines[0] if name.endswith(_ERROR)]
    return tuple(
        PrintedLine(
            line["task"],
            {key: float(line[key]) for key in keys},
            {key: float(line[key + _ERROR]) for key in keys},
            line["significant"],
            line.get("group", ""),
        )
        for line in lines
    )


def lines_of(study: AccuracyStudy, printed: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Return the printed line of every task of a study.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies.
    printed : sequence of PrintedLine
        The printed table.

    Returns
    -------
    list of PrintedLine
        In the order of our tasks; empty if one of them is not in the printed table, so that ours are other data.
    """
    by_task = {line.task: line for line in printed}
    return [by_task[task] for task in study.tasks] if by_task.keys() >= set(study.tasks) else []


def beside_printed(
    study: AccuracyStudy,
    printed: Sequence[PrintedLine],
    name: str,
    title: str,
    *,
    note: str = _NOTE,
    decimals: int = 2,
) -> SummaryTable:
    """Put every mean of ours beside the printed one.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on tasks that are all in the printed table. Methods that it lacks are left out.
    printed : sequence of PrintedLine
        The printed table.
    name, title : str
        Identifier and caption of the table.
    note : str, default=what the tables of accuracies need
        How to read it.
    decimals : int, default=2
        Decimals of the printed numbers.

    Returns
    -------
    SummaryTable
        One row a task, two columns a method; below, means and wins over the same tasks.
    """
    lines = lines_of(study, printed)
    methods = [method for method in study.methods if method.key in lines[0].mean]
    columns = [Column("task", numeric=False)]
    for method in methods:
        columns += [Column(method.name, "paper"), Column(method.name, "ours")]
    rows = []
    for line, comparison in zip(lines, study.comparisons.values(), strict=True):
        row = [Cell(line.task)]
        for method in methods:
            place = study.methods.index(method)
            row.append(_printed_cell(line, method, decimals))
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
        name,
        title,
        note,
        tuple(columns),
        tuple(rows),
        (_mean_row(study, methods, lines), _win_row(study, methods, lines)),
    )


def describe_closeness(study: AccuracyStudy, printed: Sequence[PrintedLine], key: str) -> str:
    """Say in a sentence how close our tasks are to the printed ones.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on tasks that are all in the printed table; the first method is the baseline.
    printed : sequence of PrintedLine
        The printed table.
    key : str
        Key of the method whose gains are compared.

    Returns
    -------
    str
        The sentence.
    """
    lines = lines_of(study, printed)
    baseline = study.methods[0]
    name = {method.key: method.name for method in study.methods}[key]
    theirs_mean, theirs_baseline = (np.array([line.mean[k] for line in lines]) for k in (key, baseline.key))
    difference = study.means(baseline.key) - theirs_baseline
    text = (
        f"Task by task our {baseline.name} differs from the printed one by {signed(difference.mean())} points in the "
        f"mean ({np.abs(difference).mean():.2f} in the mean absolute difference)."
    )
    ours = np.round(study.means(key) - study.means(baseline.key), 9)
    tau = kendall_tau(ours, np.round(theirs_mean - theirs_baseline, 9))
    if len(lines) >= TASKS_FOR_TAU and np.isfinite(tau):
        text += (
            f" The gains of {name} agree on which tasks profit with Kendall's tau {signed(tau)} "
            "(0: as unrelated lists would)."
        )
    return text


def printed_table(
    lines: Sequence[PrintedLine], methods: Sequence[Method], name: str, title: str, note: str
) -> SummaryTable:
    """Show printed lines in the manner of our own tables.

    Parameters
    ----------
    lines : sequence of PrintedLine
        The lines; the part of the data that a line is about stands after its task.
    methods : sequence of Method
        The methods of the columns, all of which the lines have.
    name, title, note : str
        Identifier, caption, and how to read the table.

    Returns
    -------
    SummaryTable
        One row a line, with means and wins below.
    """
    return SummaryTable(
        name,
        title,
        note,
        (Column("task", numeric=False), *(Column(method.name) for method in methods)),
        tuple(
            (Cell(f"{line.task} ({line.group})"), *(_printed_cell(line, method) for method in methods))
            for line in lines
        ),
        (
            (Cell("mean over tasks"), *(_printed_mean(lines, method) for method in methods)),
            (Cell("best on"), *(_printed_wins(lines, method) for method in methods)),
        ),
    )


def compare_printed_lead(
    study: AccuracyStudy,
    printed: Sequence[PrintedLine],
    first: str,
    second: str,
    statement: str,
    source: str,
    *,
    comparable: bool,
) -> Comparison:
    """Compare on how many tasks one method is above another, as the printed table counts it.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies.
    printed : sequence of PrintedLine
        The printed table.
    first, second : str
        Keys of the methods.
    statement, source : str
        The claim and the name of the table.
    comparable : bool
        Whether the tasks are the paper's, so that the numbers can be subtracted.

    Returns
    -------
    Comparison
        The line of the report's table.
    """
    above = sum(line.mean[first] > line.mean[second] for line in printed)
    below = sum(line.mean[first] < line.mean[second] for line in printed)
    claim = Claim(statement, source, f"{above} of {len(printed)}", above)
    return compare_lead(study, first, second, claim, leads_in_paper=above > below, comparable=comparable)


def _printed_cell(line: PrintedLine, method: Method, decimals: int = 2) -> Cell:
    return Cell(
        f"{line.mean[method.key]:.{decimals}f} ± {line.standard_error[method.key]:.{decimals}f}",
        best=method.key in line.best,
        mark="gain" * (line.significant == method.key),
        reference=method.reference,
    )


def _printed_mean(lines: Sequence[PrintedLine], method: Method) -> Cell:
    return Cell(f"{np.mean([line.mean[method.key] for line in lines]):.2f}", reference=method.reference)


def _printed_wins(lines: Sequence[PrintedLine], method: Method) -> Cell:
    return Cell("–" if method.reference else str(sum(method.key in line.best for line in lines)))


def _mean_row(
    study: AccuracyStudy, methods: Sequence[Method], lines: Sequence[PrintedLine]
) -> tuple[Cell, ...]:
    row = [Cell("mean over tasks")]
    for method in methods:
        ours = Cell(f"{study.means(method.key).mean():.2f}", reference=method.reference)
        row += [_printed_mean(lines, method), ours]
    return tuple(row)


def _win_row(
    study: AccuracyStudy, methods: Sequence[Method], lines: Sequence[PrintedLine]
) -> tuple[Cell, ...]:
    row = [Cell("best on")]
    for method in methods:
        ours = Cell("–" if method.reference else str(study.wins(method.key)))
        row += [_printed_wins(lines, method), ours]
    return tuple(row)

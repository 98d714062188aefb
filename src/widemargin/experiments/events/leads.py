"""Claims that some columns of a table are above others, tested over the repeats and corrected for their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.events.methods import Entrant
from widemargin.experiments.events.printed import Printed
from widemargin.experiments.summary import (
    Cell,
    Claim,
    Column,
    Comparison,
    SummaryTable,
    answer_by_test,
    compare_with_paper,
    p_text,
    signed,
)
from widemargin.metrics import PairedComparison, holm, paired_wilcoxon

__all__ = ["Lead", "compare_leads", "lead_sentence", "leads_table", "methods_of", "points"]

FloatArray = npt.NDArray[np.float64]

_LEVEL = 0.05


@dataclass(frozen=True)
class Lead:
    """A claim that some methods are above others.

    Parameters
    ----------
    statement : str
        The claim, in our words.
    first, second : tuple of str
        Keys of the methods that are said to be above, and of the others; the means over both are compared.
    source : str, default=""
        Where the paper claims it; empty for a question of our own.
    """

    statement: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    source: str = ""

    def difference(self, scores: Mapping[str, Any]) -> Any:
        """Return the mean of the first methods minus that of the others.

        Parameters
        ----------
        scores : mapping of str to float or ndarray
            Scores by key.

        Returns
        -------
        float or ndarray
            The difference.
        """
        first, second = (np.mean([scores[key] for key in keys], axis=0) for keys in (self.first, self.second))
        return first - second

    def printed_words(self, printed: Printed) -> str:
        """Print the differences of the paper's table.

        Parameters
        ----------
        printed : mapping
            The table.

        Returns
        -------
        str
            One difference a data set; "claimed" if the table has not all methods.
        """
        if (
            not all({*self.first, *self.second} <= values.keys() for values in printed.values())
            or not printed
        ):
            return "claimed"
        return ", ".join(f"{signed(self.difference(values), 1)}" for values in printed.values())


def methods_of(entrants: Sequence[Entrant]) -> list[Method]:
    """Return methods as a table of scores takes them.

    Parameters
    ----------
    entrants : sequence of Entrant
        The methods.

    Returns
    -------
    list of Method
        In the same order.
    """
    return [Method(entrant.key, entrant.name, entrant.sees) for entrant in entrants]


def points(test: PairedComparison) -> str:
    """Print a mean difference with its standard error.

    Parameters
    ----------
    test : PairedComparison
        Of percentage points.

    Returns
    -------
    str
        Without the error if there is one repeat only.
    """
    error = f" ± {test.standard_error:.1f}" if np.isfinite(test.standard_error) else ""
    return signed(test.mean_difference, 1) + error


def compare_leads(
    study: AccuracyStudy,
    leads: Sequence[Lead],
    tasks: Sequence[str],
    where: str,
    printed: Mapping[str, Printed],
    *,
    noun: str = "order",
) -> tuple[Comparison, ...]:
    """Put every claim beside our difference over some tasks.

    Parameters
    ----------
    study : AccuracyStudy
        Our scores.
    leads : sequence of Lead
        The claims.
    tasks : sequence of str
        The tasks over which scores are averaged, repeat by repeat; those that are not there are left out.
    where : str
        What the tasks are, as a part of a sentence.
    printed : mapping of str to mapping
        The paper's tables, by the source of the claims.
    noun : str, default="order"
        What a task is called.

    Returns
    -------
    tuple of Comparison
        One line a claim. Significance is corrected by Holm's method for the number of claims.
    """
    tests = [_over_tasks(study, lead, tasks) for lead in leads]
    corrected = holm([test.p_value for test in tests])
    lines = []
    for lead, test, p_value in zip(leads, tests, corrected, strict=True):
        own = [f"{task} {points(_on_task(study, lead, task))}" for task in study.tasks]
        by_task = f" By {noun}: {'; '.join(own)}." if len(own) > 1 else ""
        tested = f"one {study.sample}, which nothing can be tested with"
        if test.n_pairs > 1:
            tested = (
                f"Wilcoxon over {test.n_pairs} {study.sample}s, corrected for {len(leads)} claims: {p_text(p_value)}, "
                + ("significant" if p_value <= _LEVEL else "not significant")
            )
        lines.append(
            compare_with_paper(
                Claim(lead.statement, lead.source, lead.printed_words(printed[lead.source])),
                points(test),
                answer=answer_by_test(test.mean_difference > 0, float(p_value)),
                sentence=f"Points over {where}; {tested}.{by_task}",
            )
        )
    return tuple(lines)


def lead_sentence(study: AccuracyStudy, lead: Lead, tasks: Sequence[str], where: str) -> str:
    """Say whether a statement holds over some tasks.

    Parameters
    ----------
    study : AccuracyStudy
        Our scores.
    lead : Lead
        The statement.
    tasks : sequence of str
        The tasks over which scores are averaged, repeat by repeat; those that are not there are left out.
    where : str
        What the tasks are, as a part of a sentence.

    Returns
    -------
    str
        One sentence, whose test is not corrected.
    """
    test = _over_tasks(study, lead, tasks)
    if not test.p_value <= _LEVEL:
        answer = "not clear"
    else:
        answer = "this holds" if test.mean_difference > 0 else "the opposite holds"
    how = f"one {study.sample}"
    if test.n_pairs > 1:
        how = f"{p_text(test.p_value)} over {test.n_pairs} {study.sample}s"
    return f"{lead.statement}: {answer}, {points(test)} points over {where} ({how})."


def leads_table(study: AccuracyStudy, leads: Sequence[Lead], name: str, title: str) -> SummaryTable:
    """Show every difference on every task.

    Parameters
    ----------
    study : AccuracyStudy
        Our scores.
    leads : sequence of Lead
        Which differences.
    name, title : str
        Identifier and caption of the table.

    Returns
    -------
    SummaryTable
        One row a claim, one column a task. Marks are corrected by Holm's method for the claims of their column.
    """
    tests = [[_on_task(study, lead, task) for task in study.tasks] for lead in leads]
    # Column by column: ten repeats have no p-value below 0.002, which no correction for 40 cells would leave.
    corrected = [holm([test.p_value for test in column]) for column in zip(*tests, strict=True)]
    rows = []
    for lead, row, p_values in zip(leads, tests, zip(*corrected, strict=True), strict=True):
        cells = [Cell(lead.statement)]
        for test, p_value in zip(row, p_values, strict=True):
            side = "gain" if test.mean_difference > 0 else "loss"
            cells.append(Cell(points(test), mark=side if p_value <= _LEVEL else ""))
        rows.append(tuple(cells))
    return SummaryTable(
        name,
        title,
        f"Differences in percentage points of the {study.measure.name}, mean ± standard error over the "
        f"{study.sample}s: above zero the statement holds. ▲ / ▼: it holds / its opposite holds significantly, paired "
        f"two-sided Wilcoxon test over the {study.sample}s at 95 %, corrected by Holm's method for the {len(leads)} "
        "statements of the column.",
        (Column("statement", numeric=False), *(Column(task) for task in study.tasks)),
        tuple(rows),
    )


def _on_task(study: AccuracyStudy, lead: Lead, task: str) -> PairedComparison:
    return _test(_differences(study, lead, task))


def _over_tasks(study: AccuracyStudy, lead: Lead, tasks: Sequence[str]) -> PairedComparison:
    # An interrupted run may have none of these tasks yet: then what it has says what it can.
    present = [task for task in tasks if task in study.scores] or study.tasks
    by_task = [_differences(study, lead, task) for task in present]
    # The repeats are in the outer loop of a run: an interrupted one has the same first repeats of every task.
    n_repeats = min(row.size for row in by_task)
    return _test(np.mean([row[:n_repeats] for row in by_task], axis=0))


def _differences(study: AccuracyStudy, lead: Lead, task: str) -> FloatArray:
    keys = [method.key for method in study.methods]
    found: FloatArray = lead.difference(dict(zip(keys, study.scores[task], strict=True)))
    return found


def _test(differences: FloatArray) -> PairedComparison:
    return paired_wilcoxon(differences, np.zeros(differences.size))

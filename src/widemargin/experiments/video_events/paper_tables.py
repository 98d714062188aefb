"""The paper's Tables 1, 2, 5 and 6 of real videos: methods, claims and layout, whatever the videos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.bags import Trial
from widemargin.experiments.events.leads import Lead, methods_of
from widemargin.experiments.events.methods import (
    Choices,
    Entrant,
    Loss,
    Penalty,
    configurations,
    first_shots,
)
from widemargin.experiments.events.penalties import PenaltiesProtocol
from widemargin.experiments.events.printed import printed, with_printed
from widemargin.experiments.events.ranking_svm import TIMES, RankingSVMProtocol
from widemargin.experiments.events.tuning import MEAN_AP, attempt, result_columns
from widemargin.experiments.experiment import Row
from widemargin.experiments.summary import Cell, Column, SummaryTable

__all__ = [
    "PaperMethods",
    "attempt_timed",
    "halves_leads",
    "halves_tables",
    "penalty_tables",
    "printed_halves",
    "ranking_tables",
    "timed_columns",
]

LOSSES: tuple[Loss, ...] = ("squared_hinge", "squared")
PENALTIES: tuple[Penalty, ...] = ("l2", "l1")
SOURCES = {"squared_hinge": "Table 1", "squared": "Table 2"}
LOSS_WORDS = {"squared_hinge": "squared hinge loss", "squared": "least squares"}


@dataclass(frozen=True)
class PaperMethods:
    """The methods of every table.

    Parameters
    ----------
    halves : mapping of (Loss, Penalty) to sequence of Entrant
        The columns of Tables 1 and 2.
    entrants : sequence of Entrant
        These and what stands beside them.
    penalties : sequence of Entrant
        Penalties of the order, as in Table 5.
    rivals : sequence of Entrant
        The ranking SVM and what it is compared with, as in Table 6.
    """

    halves: Mapping[tuple[Loss, Penalty], Sequence[Entrant]]
    entrants: Sequence[Entrant]
    penalties: Sequence[Entrant]
    rivals: Sequence[Entrant]

    @classmethod
    def choosing(cls, choices: Choices) -> PaperMethods:
        """Make the methods.

        Parameters
        ----------
        choices : Choices
            What cross-validation chooses from.

        Returns
        -------
        PaperMethods
            With the mean of few salient shots beside the columns of the paper.
        """
        halves = {
            (loss, penalty): configurations(loss, penalty, choices)
            for loss in LOSSES
            for penalty in PENALTIES
        }
        columns = (entrant for half in halves.values() for entrant in half)
        return cls(
            halves,
            (*columns, first_shots("few_average", choices)),
            PenaltiesProtocol(choices=choices).entrants,
            RankingSVMProtocol(choices=choices).entrants,
        )


def timed_columns(entrants: Sequence[Entrant]) -> dict[str, type]:
    """Return the columns of a row of `attempt_timed`.

    Parameters
    ----------
    entrants : sequence of Entrant
        The methods.

    Returns
    -------
    dict of str to type
        Those of `result_columns`, and CPU seconds.
    """
    seconds: dict[str, type] = {f"{entrant.key}_{time}": float for entrant in entrants for time in TIMES}
    return result_columns(entrants, MEAN_AP) | seconds


def attempt_timed(entrants: Sequence[Entrant], trial: Trial) -> Row:
    """Let methods try the videos, with the CPU time that they take.

    Parameters
    ----------
    entrants : sequence of Entrant
        The methods.
    trial : Trial
        The videos.

    Returns
    -------
    Row
        Values of the columns of `timed_columns`.
    """
    row: Row = {}
    unconverged = 0
    for entrant in entrants:
        found = attempt(entrant, trial)
        row |= {f"{entrant.key}_{MEAN_AP.key}": found.score, f"{entrant.key}_choices": found.choice}
        row |= {f"{entrant.key}_{time}": getattr(found, f"{time}_seconds") for time in TIMES}
        unconverged += not found.converged
    return row | {"unconverged": unconverged}


def halves_leads(halves: Mapping[tuple[Loss, Penalty], Sequence[Entrant]]) -> tuple[Lead, ...]:
    """Return what the paper claims of losses and penalties.

    Parameters
    ----------
    halves : mapping of (Loss, Penalty) to sequence of Entrant
        The columns of Tables 1 and 2.

    Returns
    -------
    tuple of Lead
        Squared hinge against least squares, and l2 against l1.
    """
    keys = {half: tuple(entrant.key for entrant in own) for half, own in halves.items()}

    def of(place: int, value: str) -> tuple[str, ...]:
        return tuple(key for half, own in keys.items() if half[place] == value for key in own)

    both = "Tables 1 and 2"
    return (
        Lead(
            "Squared hinge is above least squares, mean of all columns",
            of(0, "squared_hinge"),
            of(0, "squared"),
            both,
        ),
        Lead("l2 is above l1, mean of all columns", of(1, "l2"), of(1, "l1"), both),
    )


def printed_halves() -> dict[str, Mapping[str, Mapping[str, float]]]:
    """Return the printed Tables 1 and 2, by the source that claims about them name.

    Returns
    -------
    dict of str to mapping
        "Table 1", and "Tables 1 and 2".
    """
    one, two = printed("Table 1"), printed("Table 2")
    return {"Table 1": one, "Tables 1 and 2": {data: {**one[data], **two[data]} for data in one}}


def halves_tables(
    halves: Mapping[tuple[Loss, Penalty], Sequence[Entrant]], rows: Sequence[Row], sample: str = "repeat"
) -> list[SummaryTable]:
    """Make the two halves of Tables 1 and 2.

    Parameters
    ----------
    halves : mapping of (Loss, Penalty) to sequence of Entrant
        The columns.
    rows : sequence of Row
        Average precision of all methods.
    sample : str, default="repeat"
        What a row of a task is, as in `AccuracyStudy`.

    Returns
    -------
    list of SummaryTable
        One for each loss and penalty, the paper's numbers below.
    """
    tables = []
    for (loss, penalty), entrants in halves.items():
        study = AccuracyStudy.from_rows(rows, methods_of(entrants), MEAN_AP, sample)
        title = f"{SOURCES[loss]}: {LOSS_WORDS[loss]}, {penalty} penalty"
        table = accuracy_table(study, f"{loss}_{penalty}", title)
        tables.append(with_printed(table, [entrant.key for entrant in entrants], SOURCES[loss]))
    return tables


def penalty_tables(
    entrants: Sequence[Entrant], rows: Sequence[Row], sample: str = "repeat"
) -> list[SummaryTable]:
    """Make Table 5, once for each loss.

    Parameters
    ----------
    entrants : sequence of Entrant
        The penalties of the order with both losses.
    rows : sequence of Row
        Their average precision; none makes no table.
    sample : str, default="repeat"
        What a row of a task is, as in `AccuracyStudy`.

    Returns
    -------
    list of SummaryTable
        The tables, the paper's numbers below.
    """
    if not rows:
        return []
    tables = []
    for loss, words in LOSS_WORDS.items():
        own = [entrant for entrant in entrants if entrant.estimator.loss == loss]
        study = AccuracyStudy.from_rows(rows, methods_of(own), MEAN_AP, sample)
        title = f"Table 5: {words}, penalties of each feature, (10)"
        table = accuracy_table(study, f"{loss}_penalties", title)
        tables.append(with_printed(table, [entrant.estimator.order for entrant in own], "Table 5"))
    return tables


def ranking_tables(
    entrants: Sequence[Entrant], rows: Sequence[Row], name: str, sample: str = "repeat"
) -> list[SummaryTable]:
    """Make Table 6: precision, and time.

    Parameters
    ----------
    entrants : sequence of Entrant
        The ranking SVM and what it is compared with.
    rows : sequence of Row
        What `attempt_timed` returned; none makes no table.
    name : str
        Identifier of the first table.
    sample : str, default="repeat"
        What a row of a task is, as in `AccuracyStudy`.

    Returns
    -------
    list of SummaryTable
        The tables.
    """
    if not rows:
        return []
    study = AccuracyStudy.from_rows(rows, methods_of(entrants), MEAN_AP, sample)
    table = accuracy_table(study, name, "Table 6: the ranking SVM on pooled shots")
    lines = []
    for time, words in TIMES.items():
        means = [
            float(np.mean([float(row[f"{entrant.key}_{time}"]) for row in rows])) for entrant in entrants
        ]
        lines.append((Cell(words), *(Cell(f"{mean:.3f}", best=mean == min(means)) for mean in means)))
    times = SummaryTable(
        "times",
        "Table 6: CPU seconds",
        f"Mean over the {sample}s. The paper's machine and data are others.",
        (Column("what", numeric=False), *(Column(entrant.name, entrant.sees) for entrant in entrants)),
        tuple(lines),
    )
    printed_keys = [f"{entrant.key.removeprefix('squared_hinge_l2_')}_map" for entrant in entrants]
    return [with_printed(table, printed_keys, "Table 6"), times]

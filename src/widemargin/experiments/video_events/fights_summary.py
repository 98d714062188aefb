"""What the experiment on fights found: Tables 1 and 2, and how composed videos compare with files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table, methods_of
from widemargin.experiments.events.methods import Entrant, Loss, Penalty
from widemargin.experiments.events.printed import printed, with_printed
from widemargin.experiments.events.ranking_svm import TIMES
from widemargin.experiments.events.tuning import MEAN_AP
from widemargin.experiments.experiment import Drawing, Row, Rows, Settings
from widemargin.experiments.summary import Cell, Column, Summary, SummaryTable, count_answers
from widemargin.experiments.video_events.untrimmed_summary import SEARCH, detection_leads

__all__ = ["MAP", "PENALTIES_TABLE", "RANKING", "SPLICED", "TIMES", "FightsMethods", "draw", "summarise"]

MAP, PENALTIES_TABLE, RANKING, SPLICED = "map", "penalties", "ranking", "spliced"
SOURCES = {"squared_hinge": "Table 1", "squared": "Table 2"}
LOSS_WORDS = {"squared_hinge": "squared hinge loss", "squared": "least squares"}
EVERY = "all rows of the table"


@dataclass(frozen=True)
class FightsMethods:
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


def summarise(compared: FightsMethods, rows: Rows, settings: Settings) -> Summary:
    """Make the summary.

    Parameters
    ----------
    compared : FightsMethods
        The methods.
    rows : mapping of str to sequence of Row
        The finished rows, of at least one table.
    settings : Settings
        Of the run.

    Returns
    -------
    Summary
        Tables, comparisons with the paper, and sentences.
    """
    files = [_files_sentence(rows[SPLICED])] if rows[SPLICED] else []
    further = [*_penalty_tables(compared.penalties, rows), *_ranking_tables(compared.rivals, rows)]
    halves, entrants, own = compared.halves, compared.entrants, rows[MAP]
    if not own:
        return Summary("Tables 1 and 2 are not begun yet.", tuple(files), tuple(further))
    methods = [*methods_of(entrants), SEARCH]
    study = AccuracyStudy.from_rows(own, methods, MEAN_AP)
    leads = (*detection_leads("Table 1"), *_halves_leads(halves))
    one, two = printed("Table 1"), printed("Table 2")
    both = {data: {**one[data], **two[data]} for data in one}
    sources = {"Table 1": one, "Tables 1 and 2": both}
    comparisons = compare_leads(study, leads, study.tasks, EVERY, sources, noun="row")
    beyond = (
        Lead(
            "NI-SVM_2 is above the mean of the most salient shots",
            ("squared_hinge_l2_ni2",),
            ("few_average",),
        ),
        Lead("NI-SVM_2 is above the saliency alone", ("squared_hinge_l2_ni2",), (SEARCH.key,)),
    )
    few = [entrant for entrant in entrants if entrant.key == "few_average"]
    best = [entrant for entrant in entrants if entrant.key == "squared_hinge_l2_ni2"]
    others = AccuracyStudy.from_rows(own, [*methods_of([*best, *few]), SEARCH], MEAN_AP)
    return Summary(
        verdict=(
            f"{lead_sentence(study, leads[0], study.tasks, EVERY)} "
            f"{lead_sentence(study, leads[1], study.tasks, EVERY)} {count_answers(comparisons)}"
        ),
        findings=(
            *winner_sentences(study, entrants),
            *(lead_sentence(study, lead, study.tasks, EVERY) for lead in beyond),
            *files,
            *unconverged_sentences(own, len(entrants)),
        ),
        tables=(
            *_paper_tables(halves, own),
            accuracy_table(others, "beyond", "Beyond the paper: few shots, and the saliency alone"),
            *further,
            leads_table(study, (*leads, *beyond), "statements", "Which method is above which"),
            choices_table(own, entrants),
        ),
        comparisons=comparisons,
    )


def draw(rows: Rows, settings: Settings) -> list[Drawing]:
    """Draw nothing: the tables say it all.

    Parameters
    ----------
    rows : mapping of str to sequence of Row
        The finished rows.
    settings : Settings
        Of the run.

    Returns
    -------
    list of Drawing
        Empty.
    """
    return []


def _halves_leads(halves: Mapping[tuple[Loss, Penalty], Sequence[Entrant]]) -> tuple[Lead, ...]:
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


def _paper_tables(
    halves: Mapping[tuple[Loss, Penalty], Sequence[Entrant]], rows: Sequence[Row]
) -> list[SummaryTable]:
    tables = []
    for (loss, penalty), entrants in halves.items():
        study = AccuracyStudy.from_rows(rows, methods_of(entrants), MEAN_AP)
        title = f"{SOURCES[loss]}: {LOSS_WORDS[loss]}, {penalty} penalty"
        table = accuracy_table(study, f"{loss}_{penalty}", title)
        tables.append(with_printed(table, [entrant.key for entrant in entrants], SOURCES[loss]))
    return tables


def _penalty_tables(entrants: Sequence[Entrant], rows: Rows) -> list[SummaryTable]:
    """Make Table 5, once for each loss."""
    if not rows[PENALTIES_TABLE]:
        return []
    tables = []
    for loss, words in LOSS_WORDS.items():
        own = [entrant for entrant in entrants if entrant.estimator.loss == loss]
        study = AccuracyStudy.from_rows(rows[PENALTIES_TABLE], methods_of(own), MEAN_AP)
        table = accuracy_table(
            study, f"{loss}_penalties", f"Table 5: {words}, penalties of each feature, (10)"
        )
        tables.append(with_printed(table, [entrant.estimator.order for entrant in own], "Table 5"))
    return tables


def _ranking_tables(entrants: Sequence[Entrant], rows: Rows) -> list[SummaryTable]:
    """Make Table 6: precision, and time."""
    own = rows[RANKING]
    if not own:
        return []
    study = AccuracyStudy.from_rows(own, methods_of(entrants), MEAN_AP)
    table = accuracy_table(study, RANKING, "Table 6: the ranking SVM on pooled shots")
    lines = []
    for time, words in TIMES.items():
        means = [float(np.mean([float(row[f"{entrant.key}_{time}"]) for row in own])) for entrant in entrants]
        lines.append((Cell(words), *(Cell(f"{mean:.3f}", best=mean == min(means)) for mean in means)))
    times = SummaryTable(
        "times",
        "Table 6: CPU seconds",
        "Mean over the repeats. The paper's machine and data are others.",
        (Column("what", numeric=False), *(Column(entrant.name, entrant.sees) for entrant in entrants)),
        tuple(lines),
    )
    printed_keys = [f"{entrant.key.removeprefix('squared_hinge_l2_')}_map" for entrant in entrants]
    return [with_printed(table, printed_keys, "Table 6"), times]


def _files_sentence(rows: Sequence[Row]) -> str:
    made, found, cuts, hit = (
        sum(int(row[column]) for row in rows) for column in ("made", "found", "cuts", "cuts_found")
    )
    similarity = float(np.mean([float(row["similarity"]) for row in rows]))
    return (
        f"As files, the videos of {made} shots gave {found} shots; {hit} of {cuts} cuts were found within 0.2 seconds. "
        "The features of the key frames found have a cosine similarity of "
        f"{similarity:.2f} (median) with those that were put together."
    )

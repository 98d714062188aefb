"""What the experiment on described videos found: the paper's tables over the events of a folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, Method, accuracy_table
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table, methods_of
from widemargin.experiments.events.methods import Entrant
from widemargin.experiments.events.printed import printed, with_printed
from widemargin.experiments.events.tuning import MEAN_AP, MEAN_F1
from widemargin.experiments.experiment import Drawing, Row, Rows, Settings
from widemargin.experiments.summary import Cell, Column, Summary, SummaryTable, count_answers
from widemargin.experiments.video_events.paper_tables import (
    PaperMethods,
    halves_leads,
    halves_tables,
    penalty_tables,
    printed_halves,
    ranking_tables,
)
from widemargin.experiments.video_events.untrimmed_summary import SEARCH, detection_leads

__all__ = [
    "AVERAGED",
    "FUSED",
    "FUSION",
    "MAP",
    "PENALTIES_TABLE",
    "RANKING",
    "RECOGNITION",
    "draw",
    "quoted_table",
    "summarise",
]

MAP, PENALTIES_TABLE, RANKING, FUSION, RECOGNITION = "map", "penalties", "ranking", "fusion", "recognition"
FUSED, AVERAGED = "side by side", "averaged scores"
SAMPLE = "event"
BEST = "squared_hinge_l2_ni2"
EVERY = "all lists"


def summarise(
    compared: PaperMethods, recognizers: Sequence[Entrant], rows: Rows, settings: Settings
) -> Summary:
    """Make the summary.

    Parameters
    ----------
    compared : PaperMethods
        The methods of Tables 1, 2, 5 and 6.
    recognizers : sequence of Entrant
        Those of Table 9.
    rows : mapping of str to sequence of Row
        The finished rows, of at least one table.
    settings : Settings
        Of the run.

    Returns
    -------
    Summary
        Tables, comparisons with the paper, and sentences.
    """
    detection = _detection(compared, _by_list(rows[MAP])) if rows[MAP] else Summary("Tables 1 and 2 wait.")
    recognition = _recognition(recognizers, rows[RECOGNITION]) if rows[RECOGNITION] else Summary("")
    fusion = _fusion(rows[FUSION]) if rows[FUSION] else Summary("")
    return Summary(
        verdict=f"{detection.verdict} {recognition.verdict}".strip(),
        findings=(*detection.findings, *fusion.findings, *recognition.findings),
        tables=(
            *detection.tables,
            *penalty_tables(compared.penalties, _by_list(rows[PENALTIES_TABLE]), SAMPLE),
            *ranking_tables(compared.rivals, _by_list(rows[RANKING]), RANKING, SAMPLE),
            *fusion.tables,
            *recognition.tables,
            quoted_table("Table 3", "Table 3, quoted: what others reach with one kind of features"),
            quoted_table("Table 4", "Table 4, quoted: what others reach with several kinds of features"),
        ),
        comparisons=(*detection.comparisons, *recognition.comparisons),
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


def quoted_table(source: str, title: str) -> SummaryTable:
    """Quote a table of the paper whose methods are not run here.

    Parameters
    ----------
    source : str
        "Table 3" or "Table 4".
    title : str
        Caption.

    Returns
    -------
    SummaryTable
        One row a method, all of it for reference.
    """
    values = printed(source)
    names = list(dict.fromkeys(name for column in values.values() for name in column))
    return SummaryTable(
        source.lower().replace(" ", "_"),
        title,
        "Mean average precision in percent as the paper prints it. None of it is computed here: the others' code, "
        "networks and videos are not at hand.",
        (Column("method", numeric=False), *map(Column, values)),
        tuple(
            (
                Cell(name, reference=True),
                *(
                    Cell(f"{column[name]:.1f}" if name in column else "–", reference=True)
                    for column in values.values()
                ),
            )
            for name in names
        ),
    )


def _detection(compared: PaperMethods, rows: Sequence[Row]) -> Summary:
    entrants = compared.entrants
    study = AccuracyStudy.from_rows(rows, [*methods_of(entrants), SEARCH], MEAN_AP, SAMPLE)
    leads = (*detection_leads("Table 1"), *halves_leads(compared.halves))
    comparisons = compare_leads(study, leads, study.tasks, EVERY, printed_halves(), noun="list")
    beyond = (
        Lead("NI-SVM_2 is above the mean of the most salient shots", (BEST,), ("few_average",)),
        Lead("NI-SVM_2 is above the search by words alone", (BEST,), (SEARCH.key,)),
    )
    shown = [entrant for entrant in entrants if entrant.key in (BEST, "few_average")]
    others = AccuracyStudy.from_rows(rows, [*methods_of(shown), SEARCH], MEAN_AP, SAMPLE)
    return Summary(
        verdict=(
            f"{lead_sentence(study, leads[0], study.tasks, EVERY)} "
            f"{lead_sentence(study, leads[1], study.tasks, EVERY)} {count_answers(comparisons)}"
        ),
        findings=(
            *winner_sentences(study, entrants),
            *(lead_sentence(study, lead, study.tasks, EVERY) for lead in beyond),
            *unconverged_sentences(rows, len(entrants)),
        ),
        tables=(
            *halves_tables(compared.halves, rows, SAMPLE),
            accuracy_table(others, "beyond", "Beyond the paper: few shots, and the search by words alone"),
            _events_table(rows, shown),
            leads_table(study, (*leads, *beyond), "statements", "Which method is above which"),
            choices_table(rows, entrants),
        ),
        comparisons=comparisons,
    )


def _events_table(rows: Sequence[Row], shown: Sequence[Entrant]) -> SummaryTable:
    """Show the average precision of every event, of few methods."""
    columns = {"squared_hinge_l2_average": "SVM_A"} | {entrant.key: entrant.name for entrant in shown}
    columns |= {SEARCH.key: SEARCH.name}
    lines = []
    for row in rows:
        values = [100 * float(row[f"{key}_{MEAN_AP.key}"]) for key in columns]
        cells = (Cell(f"{value:.1f}", best=value >= max(values) - 1e-9) for value in values)
        lines.append((Cell(str(row["task"])), Cell(str(row["event"])), *cells))
    return SummaryTable(
        "events",
        "The same by event",
        "Average precision in percent, mean over the repeats. Bold: best of the row.",
        (
            Column("list", numeric=False),
            Column("event", numeric=False),
            *(Column(name) for name in columns.values()),
        ),
        tuple(lines),
    )


def _recognition(recognizers: Sequence[Entrant], rows: Sequence[Row]) -> Summary:
    study = AccuracyStudy.from_rows(rows, methods_of(recognizers), MEAN_F1)
    leads = detection_leads("Table 9")
    comparisons = compare_leads(
        study, leads, study.tasks, "all events", {"Table 9": printed("Table 9")}, noun="list"
    )
    tables = []
    for penalty in ("l2", "l1"):
        half = [entrant for entrant in recognizers if entrant.estimator.penalty == penalty]
        table = accuracy_table(
            AccuracyStudy.from_rows(rows, methods_of(half), MEAN_F1),
            f"{RECOGNITION}_{penalty}",
            f"Table 9, {penalty} penalty: telling events apart",
        )
        tables.append(with_printed(table, [entrant.key for entrant in half], "Table 9"))
    return Summary(
        verdict=f"Recognition: {lead_sentence(study, leads[0], study.tasks, 'all events')}",
        findings=(*winner_sentences(study, recognizers), *unconverged_sentences(rows, len(recognizers))),
        tables=tuple(tables),
        comparisons=comparisons,
    )


def _fusion(rows: Sequence[Row]) -> Summary:
    """Compare kinds of features, and ways to bring them together, over the events of which all are finished."""
    by_way: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        by_way[str(row["way"])][str(row["event"])].append(float(row[MEAN_AP.key]))
    events = [event for event in next(iter(by_way.values())) if all(event in own for own in by_way.values())]
    if not events:
        return Summary("")
    methods = [Method(f"way_{place}", way, "NI-SVM_2") for place, way in enumerate(by_way)]
    scores: list[Row] = [
        {"task": str(rows[0]["list"])}
        | {
            f"{method.key}_{MEAN_AP.key}": float(np.mean(own[event]))
            for method, own in zip(methods, by_way.values(), strict=True)
        }
        for event in events
    ]
    study = AccuracyStudy.from_rows(scores, methods, MEAN_AP, SAMPLE)
    keys = {method.name: method.key for method in methods}
    single = [name for name in keys if name not in (FUSED, AVERAGED)]
    best = max(single, key=lambda name: float(study.means(keys[name])[0]), default="")
    subjects = {FUSED: "All kinds side by side", AVERAGED: "Averaged scores of all kinds"}
    leads = [
        Lead(f"{subject} are above {best} alone, the best kind of features", (keys[way],), (keys[best],))
        for way, subject in subjects.items()
        if way in keys and best
    ]
    title = "Table 4: kinds of features alone, side by side, and with averaged scores"
    return Summary(
        verdict="",
        findings=tuple(lead_sentence(study, lead, study.tasks, "all events") for lead in leads),
        tables=(accuracy_table(study, FUSION, title),),
    )


def _by_list(rows: Sequence[Row]) -> list[Row]:
    """Average numbers over the repeats of every event, and name tasks by their lists.

    Events that an interrupted run, or a list, lacks are left out of all lists, so that lists have the same events.
    """
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[str(row["list"]), str(row["event"])].append(row)
    lists = dict.fromkeys(name for name, _ in found)
    events = dict.fromkeys(event for _, event in found)
    shared = [event for event in events if all((name, event) in found for name in lists)] or list(events)
    return [
        _mean_row(found[name, event]) | {"task": name}
        for name in lists
        for event in shared
        if (name, event) in found
    ]


def _mean_row(rows: Sequence[Row]) -> Row:
    """Average the fractions and seconds; join choices; add up counts."""
    merged: Row = {}
    for column, first in rows[0].items():
        values = [row[column] for row in rows]
        if column.endswith("_choices"):
            merged[column] = "; ".join(map(str, values))
        elif isinstance(first, float):
            merged[column] = float(np.mean([float(value) for value in values]))
        else:
            merged[column] = sum(map(int, values)) if column == "unconverged" else first
    return merged

"""What the experiments on made videos found: tables in the layout of the paper's, and sentences also against us."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, Measure, Method, accuracy_table
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, methods_of
from widemargin.experiments.events.methods import Entrant
from widemargin.experiments.events.printed import printed, with_printed
from widemargin.experiments.events.tuning import MEAN_AP, MEAN_F1
from widemargin.experiments.experiment import Drawing, Row, Rows, Settings
from widemargin.experiments.summary import Cell, Column, Summary, SummaryTable, count_answers
from widemargin.experiments.video_events.evidence import METHODS
from widemargin.experiments.video_events.figures import draw_evidence, draw_scores, draw_votes, points_of

__all__ = ["DETECTION", "RECOGNITION", "SEARCH", "detection_leads", "draw", "summarise"]

DETECTION, RECOGNITION = "detection", "recognition"
SEARCH = Method("search", "search", "words alone")
EVERY = "all events"
START = "squared_hinge_l2_"


def detection_leads(source: str) -> tuple[Lead, ...]:
    """Return what the paper claims about one of its tables of seven columns, as differences of columns.

    Parameters
    ----------
    source : str
        The table, or an empty text for questions of our own.

    Returns
    -------
    tuple of Lead
        Most important first.
    """
    average, maximum, ordered, ni1, ni1p, ni2, ni2p = (
        f"{START}{column}" for column in ("average", "maximum", "ordered", "ni1", "ni1p", "ni2", "ni2p")
    )
    return (
        Lead("NI-SVM_2 is above average pooling", (ni2,), (average,), source),
        Lead("NI-SVM_1 is above average pooling", (ni1,), (average,), source),
        Lead("NI-SVM_2 is above the ordered shots alone (SVM_T)", (ni2,), (ordered,), source),
        Lead("The ordered shots alone are above average pooling", (ordered,), (average,), source),
        Lead("Average pooling is above maximum pooling", (average,), (maximum,), source),
        Lead("NI-SVM_2 is above NI-SVM_1", (ni2,), (ni1,), source),
        Lead("The convex variants are below the others", (ni1, ni2), (ni1p, ni2p), source),
    )


def summarise(
    detectors: Sequence[Entrant], recognizers: Sequence[Entrant], rows: Rows, settings: Settings
) -> Summary:
    """Make the summary of an experiment on made videos.

    Parameters
    ----------
    detectors, recognizers : sequence of Entrant
        The methods of both tables.
    rows : mapping of str to sequence of Row
        The finished rows, of at least one table.
    settings : Settings
        Of the run.

    Returns
    -------
    Summary
        Tables, comparisons with the paper, and sentences.
    """
    parts = [_detection(detectors, rows[DETECTION])] if rows[DETECTION] else []
    parts += [_recognition(recognizers, rows[RECOGNITION])] if rows[RECOGNITION] else []
    return Summary(
        verdict=" ".join(part.verdict for part in parts),
        findings=tuple(sentence for part in parts for sentence in part.findings),
        tables=tuple(table for part in parts for table in part.tables),
        comparisons=tuple(line for part in parts for line in part.comparisons),
    )


def draw(
    detectors: Sequence[Entrant], recognizers: Sequence[Entrant], rows: Rows, settings: Settings
) -> list[Drawing]:
    """Draw the scores of the methods, and how good their evidence is.

    Parameters
    ----------
    detectors, recognizers : sequence of Entrant
        The methods of both tables.
    rows : mapping of str to sequence of Row
        The finished rows.
    settings : Settings
        Of the run.

    Returns
    -------
    list of Drawing
        Of what has rows.
    """
    panels = {}
    if rows[DETECTION]:
        methods = [*methods_of(detectors), SEARCH]
        every = AccuracyStudy.from_rows(_over_events(rows[DETECTION], methods, MEAN_AP), methods, MEAN_AP)
        panels["detection, average precision"] = {"": points_of(every, EVERY)}
    if rows[RECOGNITION]:
        study = AccuracyStudy.from_rows(rows[RECOGNITION], methods_of(recognizers), MEAN_F1)
        panels["recognition, F1"] = {"": points_of(study, EVERY)}
    drawings = [draw_scores(panels, "Scores of the methods, mean over the events", "%")] if panels else []
    if rows[DETECTION]:
        drawings += [draw_evidence(rows[DETECTION]), draw_votes(rows[DETECTION])]
    return drawings


def _detection(detectors: Sequence[Entrant], rows: Sequence[Row]) -> Summary:
    methods = [*methods_of(detectors), SEARCH]
    every = AccuracyStudy.from_rows(_over_events(rows, methods, MEAN_AP), methods, MEAN_AP)
    by_event = AccuracyStudy.from_rows(rows, methods, MEAN_AP)
    leads = detection_leads("Table 1")
    few = Lead("NI-SVM_2 is above the mean of the most salient shots", (f"{START}ni2",), ("few_average",))
    search = Lead("NI-SVM_2 is above the search by words alone", (f"{START}ni2",), (SEARCH.key,))
    comparisons = compare_leads(every, leads, every.tasks, "all events", {"Table 1": printed("Table 1")})
    main = accuracy_table(every, DETECTION, "Table 1, squared hinge loss and l2 penalty: detection")
    return Summary(
        verdict=f"Detection: {lead_sentence(every, leads[0], every.tasks, EVERY)} {count_answers(comparisons)}",
        findings=(
            *(f"Detection. {sentence}" for sentence in winner_sentences(every, detectors)),
            lead_sentence(every, few, every.tasks, EVERY),
            lead_sentence(every, search, every.tasks, EVERY),
            *_evidence_sentences(rows),
            _cuts_sentence(rows),
            *unconverged_sentences(rows, len(detectors)),
        ),
        tables=(
            with_printed(main, [method.key for method in methods], "Table 1"),
            accuracy_table(by_event, "events", "The same by event"),
            _evidence_table(rows),
            _votes_table(rows),
            choices_table(rows, detectors),
        ),
        comparisons=comparisons,
    )


def _recognition(recognizers: Sequence[Entrant], rows: Sequence[Row]) -> Summary:
    study = AccuracyStudy.from_rows(rows, methods_of(recognizers), MEAN_F1)
    leads = detection_leads("Table 9")
    comparisons = compare_leads(study, leads, study.tasks, EVERY, {"Table 9": printed("Table 9")})
    table = accuracy_table(study, RECOGNITION, "Table 9, l2 penalty: telling all events apart")
    return Summary(
        verdict=f"Recognition: {lead_sentence(study, leads[0], study.tasks, EVERY)} {count_answers(comparisons)}",
        findings=(
            *(f"Recognition. {sentence}" for sentence in winner_sentences(study, recognizers)),
            *unconverged_sentences(rows, len(recognizers)),
        ),
        tables=(with_printed(table, [entrant.key for entrant in recognizers], "Table 9"),),
        comparisons=comparisons,
    )


def _over_events(rows: Sequence[Row], methods: Sequence[Method], measure: Measure) -> list[Row]:
    """Average the scores over the events of each repeat; repeats that lack events wait for them, if any is whole."""
    repeats = _by_repeat(rows)
    most = max(map(len, repeats))
    return [
        {"task": EVERY}
        | {
            column: float(np.mean([float(row[column]) for row in own]))
            for column in (f"{method.key}_{measure.key}" for method in methods)
        }
        for own in repeats
        if len(own) == most
    ]


def _by_repeat(rows: Sequence[Row]) -> list[list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[int(row["repeat"])].append(row)
    return list(found.values())


def _column(rows: Sequence[Row], column: str) -> Any:
    return np.array([float(row[column]) for row in rows])


def _evidence_sentences(rows: Sequence[Row]) -> list[str]:
    right = {key: 100 * _column(rows, f"right_{key}").mean() for key in METHODS}
    better, similar, worse = (int(_column(rows, vote).sum()) for vote in ("better", "similar", "worse"))
    rival = max(("baseline", "saliency"), key=right.__getitem__)
    lead = round(right["isotonic"] - right[rival], 6)
    verdict = f"{'as often as' if lead == 0 else 'more often than' if lead > 0 else 'less often than'} {METHODS[rival]}"
    shares = ", ".join(f"{name} {right[key]:.1f} %" for key, name in METHODS.items())
    returned = 100 * _column(rows, "returned").mean()
    return [
        f"Evidence: {shares} of the shots are right; {METHODS['isotonic']} is right {verdict}. Its evidence is "
        f"{returned:.1f} % of the length of the videos. Against {METHODS['baseline']}, the paper's baseline, it is "
        f"better in {better} videos, similar in {similar} and worse in {worse}."
    ]


def _cuts_sentence(rows: Sequence[Row]) -> str:
    # Every event of a repeat counts the same test videos.
    firsts = [own[0] for own in _by_repeat(rows)]
    cut, found = (int(_column(firsts, column).sum()) for column in ("n_cut", "n_found"))
    return f"The decoder found {found} shots in test videos that were made of {cut}."


def _evidence_table(rows: Sequence[Row]) -> SummaryTable:
    lines, keys = [], [f"right_{key}" for key in METHODS]
    for event, own in _by_event(rows).items():
        means = [100 * _column(own, key).mean() for key in keys]
        cells = [Cell(f"{mean:.1f}", best=bool(mean >= max(means) - 1e-9)) for mean in means]
        lines.append((Cell(event), *cells, Cell(f"{100 * _column(own, 'returned').mean():.1f}")))
    total = (
        Cell("mean over events"),
        *(Cell(f"{100 * _column(rows, key).mean():.1f}") for key in (*keys, "returned")),
    )
    table = SummaryTable(
        "evidence",
        "Table 7: right evidence shots, and how much of the videos they are",
        "Percent, mean over test videos of the event and repeats: of the best shots that are shown as evidence, those "
        "that show the event, by what ranks the shots. Last column: their share of the length of the video. Bold: best "
        "of the row.",
        (
            Column("event", numeric=False),
            *map(Column, METHODS.values()),
            Column("share of the video", "NI-SVM_2"),
        ),
        tuple(lines),
        (total,),
    )
    return with_printed(table, [*keys, "returned"], "Table 7")


def _votes_table(rows: Sequence[Row]) -> SummaryTable:
    votes = ("better", "similar", "worse")
    counted = {
        event: [int(_column(own, vote).sum()) for vote in votes] for event, own in _by_event(rows).items()
    }
    total = np.sum(list(counted.values()), axis=0)
    table = SummaryTable(
        "votes",
        "Table 8: is the evidence of NI-SVM_2 better than that of the baseline?",
        "Test videos, over all repeats, in which more, as many, or fewer shots of its evidence are right. In the paper "
        "ten people judged ten videos of each event, and their answers are averaged; its last column of MED13 sums to "
        "34, not 33.",
        (Column("event", numeric=False), *map(Column, votes)),
        tuple((Cell(event), *(Cell(str(count)) for count in counts)) for event, counts in counted.items()),
        ((Cell("total"), *(Cell(str(count)) for count in total)),),
    )
    return with_printed(table, votes, "Table 8")


def _by_event(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[str(row["task"])].append(row)
    return found

"""What the experiment on fights found: Tables 1 and 2, and how composed videos compare with files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table, methods_of
from widemargin.experiments.events.tuning import MEAN_AP
from widemargin.experiments.experiment import Drawing, Row, Rows, Settings
from widemargin.experiments.summary import Summary, count_answers
from widemargin.experiments.video_events.figures import draw_scores, points_of
from widemargin.experiments.video_events.paper_tables import (
    LOSS_WORDS,
    PaperMethods,
    halves_leads,
    halves_tables,
    penalty_tables,
    printed_halves,
    ranking_tables,
)
from widemargin.experiments.video_events.untrimmed_summary import SEARCH, detection_leads

__all__ = ["MAP", "PENALTIES_TABLE", "RANKING", "SPLICED", "draw", "summarise"]

MAP, PENALTIES_TABLE, RANKING, SPLICED = "map", "penalties", "ranking", "spliced"
EVERY = "all rows of the table"


def summarise(compared: PaperMethods, rows: Rows, settings: Settings) -> Summary:
    """Make the summary.

    Parameters
    ----------
    compared : PaperMethods
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
    further = [
        *penalty_tables(compared.penalties, rows[PENALTIES_TABLE]),
        *ranking_tables(compared.rivals, rows[RANKING], RANKING),
    ]
    halves, entrants, own = compared.halves, compared.entrants, rows[MAP]
    if not own:
        return Summary("Tables 1 and 2 are not begun yet.", tuple(files), tuple(further))
    methods = [*methods_of(entrants), SEARCH]
    study = AccuracyStudy.from_rows(own, methods, MEAN_AP)
    leads = (*detection_leads("Table 1"), *halves_leads(halves))
    comparisons = compare_leads(study, leads, study.tasks, EVERY, printed_halves(), noun="row")
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
            *halves_tables(halves, own),
            accuracy_table(others, "beyond", "Beyond the paper: few shots, and the saliency alone"),
            *further,
            leads_table(study, (*leads, *beyond), "statements", "Which method is above which"),
            choices_table(own, entrants),
        ),
        comparisons=comparisons,
    )


def draw(compared: PaperMethods, rows: Rows, settings: Settings) -> list[Drawing]:
    """Draw Tables 1 and 2: every loss and penalty side by side.

    Parameters
    ----------
    compared : PaperMethods
        The methods.
    rows : mapping of str to sequence of Row
        The finished rows.
    settings : Settings
        Of the run.

    Returns
    -------
    list of Drawing
        One figure, or none where no task has rows.
    """
    if not rows[MAP]:
        return []
    studies = {
        f"{LOSS_WORDS[loss]}, {penalty}": AccuracyStudy.from_rows(rows[MAP], methods_of(entrants), MEAN_AP)
        for (loss, penalty), entrants in compared.halves.items()
    }
    few = [entrant for entrant in compared.entrants if entrant.key == "few_average"]
    studies["few shots; no training"] = AccuracyStudy.from_rows(
        rows[MAP], [*methods_of(few), SEARCH], MEAN_AP
    )
    tasks = next(iter(studies.values())).tasks
    panels = {task: {name: points_of(study, task) for name, study in studies.items()} for task in tasks}
    return [
        draw_scores(
            panels,
            "Tables 1 and 2: average precision of every loss and penalty",
            "average precision, %",
            "Colours are losses and penalties; search is the saliency alone.",
        )
    ]


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

"""What the experiment on web images found: tables, words and figures."""

from __future__ import annotations

from dataclasses import replace

from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.corrected_verdict import corrected_verdict
from widemargin.experiments.experiment import Drawing, Rows, Settings
from widemargin.experiments.printed_tables import printed_table
from widemargin.experiments.privileged_comparison import METHODS, describe_agreement
from widemargin.experiments.privileged_figures import (
    draw_differences,
    draw_gain_against_privileged_advantage,
    draw_tau_matrices,
)
from widemargin.experiments.summary import Summary
from widemargin.experiments.webqueries_claims import NOTHING_TO_GAIN, compare_with_texts
from widemargin.experiments.webqueries_printed import NOTE, printed_multiclass, printed_pairs
from widemargin.experiments.webqueries_tasks import MULTICLASS, PAIRS, PER_QUERY, POOLED, query_names

__all__ = ["draw", "summarise"]

PLACES = {
    POOLED: "Relevance over all queries",
    PER_QUERY: "Relevance query by query",
    PAIRS: "Query against query",
    MULTICLASS: "Many queries at once",
}
PRINTED = {
    PAIRS: (printed_pairs, "The paper's Tables 4 and 5, as printed"),
    MULTICLASS: (printed_multiclass, "The paper's Table 6, texts, as printed"),
}


def _studies(rows: Rows) -> dict[str, AccuracyStudy]:
    return {table: AccuracyStudy.from_rows(rows[table], METHODS) for table in PLACES if rows.get(table)}


def summarise(rows: Rows, settings: Settings) -> Summary:
    """Say what was found.

    Parameters
    ----------
    rows : Rows
        The rows that exist, at least one.
    settings : Settings
        Settings of the run.

    Returns
    -------
    Summary
        Verdict, findings, tables, and what the paper says about texts.
    """
    studies = _studies(rows)
    tables = []
    for table, study in studies.items():
        tables.append(accuracy_table(study, table, PLACES[table]))
        if table in PRINTED:
            lines, printed_title = PRINTED[table]
            tables.append(printed_table(lines(), METHODS, f"printed_{table}", printed_title, NOTE))
    tests = [
        (f"{method.name} on {PLACES[table].lower()}", study.over_tasks(method.key, "svm"))
        for table, study in studies.items()
        for method in study.competitors
    ]
    findings = [
        f"{PLACES[table]}: {study.describe_gain(method.key)}"
        for table, study in studies.items()
        for method in study.competitors
    ]
    findings += _describe_levels(studies)
    findings += [
        describe_agreement(rows[table], PLACES[table]) for table in (PER_QUERY, PAIRS) if table in studies
    ]
    findings.append(
        "Pairs of queries share queries, and repeats share images: tests over them take both for independent, and are "
        "optimistic."
    )
    binary = {PLACES[table]: study for table, study in studies.items() if table != MULTICLASS}
    return Summary(
        verdict=corrected_verdict(
            tests, "no method differs significantly from the plain SVM on any kind of task"
        ),
        findings=tuple(findings),
        tables=tuple(tables),
        comparisons=compare_with_texts(binary, studies.get(PAIRS), studies.get(MULTICLASS)),
    )


def _describe_levels(studies: dict[str, AccuracyStudy]) -> list[str]:
    """Say how much images and words tell, and how many tasks leave nothing to gain."""
    levels = ", ".join(
        f"{study.means('svm').mean():.2f} and {study.means('reference').mean():.2f} % ({PLACES[table].lower()})"
        for table, study in studies.items()
    )
    sentences = [f"Mean accuracy of the SVM on images and of the SVM on words: {levels}."]
    for table, study in studies.items():
        perfect = int((study.means("svm") >= NOTHING_TO_GAIN).sum())
        if perfect:
            sentences.append(
                f"{PLACES[table]}: the SVM on images has {NOTHING_TO_GAIN:g} % or more on {perfect} of "
                f"{len(study.tasks)} tasks, where there is next to nothing to gain."
            )
    return sentences


def draw(rows: Rows, settings: Settings) -> list[Drawing]:
    """Draw differences, gains and agreement.

    Parameters
    ----------
    rows : Rows
        The rows that exist.
    settings : Settings
        Settings of the run.

    Returns
    -------
    list of Drawing
        Figures of those kinds of tasks that have rows.
    """
    studies = _studies(rows)
    comparisons = {
        PER_QUERY: [("margin_transfer", "svm"), ("svm_plus", "svm")],
        PAIRS: [("margin_transfer", "svm"), ("svm_plus", "svm"), ("margin_transfer", "svm_plus")],
    }
    drawings = [
        _told_apart(draw_differences(studies[table], first, second), table)
        for table, pairs in comparisons.items()
        for first, second in pairs
        if table in studies
    ]
    binary = [row for table in (POOLED, PER_QUERY, PAIRS) for row in rows.get(table, ())]
    if binary:
        study = AccuracyStudy.from_rows(binary, METHODS)
        drawings += [
            draw_gain_against_privileged_advantage(study, key) for key in ("margin_transfer", "svm_plus")
        ]
    if PAIRS in studies:
        pairs = {task: query_names(task) for task in studies[PAIRS].tasks}
        drawings.append(draw_tau_matrices(rows[PAIRS], pairs))
    return drawings


def _told_apart(drawing: Drawing, table: str) -> Drawing:
    """Tell the figures of two tables apart."""
    name = f"{table.replace('_', '-')}-{drawing.name}"
    return replace(drawing, name=name, title=f"{PLACES[table]}: {drawing.title}")

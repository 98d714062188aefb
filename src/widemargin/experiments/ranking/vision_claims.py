"""Table V of the paper, and what it claims, beside our results.

S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and structured
ensemble learning", arXiv:1409.5209, 2014.
"""

from __future__ import annotations

from functools import cache

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.printed_tables import PrintedLine, beside_printed, lines_of, read_printed
from widemargin.experiments.ranking.results import standings
from widemargin.experiments.summary import (
    Claim,
    Comparison,
    SummaryTable,
    answer_by_test,
    compare_with_paper,
    signed,
)

__all__ = ["beside_table_five", "claims_of_table_five", "printed_lines"]

OURS = "partial_auc"
RIVALS = ("adaboost", "ada_lda", "asym_boost")
SOURCE = "Table V"


@cache
def printed_lines() -> tuple[PrintedLine, ...]:
    """Return the nine lines of the printed table, in percent.

    Returns
    -------
    tuple of PrintedLine
        The lines; errors are standard deviations.
    """
    return read_printed("ranking/vision_printed.csv")


def beside_table_five(study: AccuracyStudy) -> SummaryTable | None:
    """Put every mean of ours beside the printed one.

    Parameters
    ----------
    study : AccuracyStudy
        Our partial AUC.

    Returns
    -------
    SummaryTable or None
        Two columns a method of the paper; None if a task of ours is not in the paper.
    """
    if not lines_of(study, printed_lines()):
        return None
    return beside_printed(
        study,
        printed_lines(),
        "beside_the_paper",
        "The paper's Table V beside ours",
        note=(
            "Partial AUC in percent. Ours: mean ± standard error. The paper's: mean ± standard deviation over 20 "
            "repeats, rounded to whole percent; it does not say how many samples were for training, and its faces are "
            "other ones, so that levels cannot be compared closely. Bold: best of its row in the same table, ours "
            f"among all methods here. ▲ / ▼: significantly above / below {study.methods[0].name}."
        ),
        decimals=0,
    )


def claims_of_table_five(study: AccuracyStudy, n_trees: int) -> tuple[Comparison, ...]:
    """Put the claim that pAUCEnsT is above the others beside our differences.

    Parameters
    ----------
    study : AccuracyStudy
        Our partial AUC.
    n_trees : int
        Number of trees of the tasks that are compared.

    Returns
    -------
    tuple of Comparison
        One line for each data set and method of the paper.
    """
    names = {method.key: method.name for method in study.methods}
    end = f", {n_trees} trees"
    printed = {line.task: line for line in printed_lines()}
    lines = []
    for rival in RIVALS:
        for standing in standings(study, OURS, rival):
            if not standing.task.endswith(end):
                continue
            same = printed.get(standing.task)
            if same:
                gap = same.mean[OURS] - same.mean[rival]
                shown = f"{signed(gap, 0)} ({same.mean[OURS]:.0f} against {same.mean[rival]:.0f})"
            else:
                gaps = {
                    line.task.removesuffix(end): line.mean[OURS] - line.mean[rival]
                    for line in printed_lines()
                    if line.task.endswith(end)
                }
                shown = ", ".join(f"{name} {signed(gap, 0)}" for name, gap in gaps.items())
            claim = Claim(
                f"{names[OURS]} is above {names[rival]}: {standing.task}",
                SOURCE,
                shown,
                gap if same else None,
            )
            lines.append(
                compare_with_paper(
                    claim,
                    standing.words,
                    value=standing.difference if same else None,
                    answer=answer_by_test(standing.difference > 0, standing.p_value),
                    sentence=f"Points; {standing.test_words}.",
                )
            )
    return tuple(lines)

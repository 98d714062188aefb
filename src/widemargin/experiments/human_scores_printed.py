"""Table 7 of the paper on Margin Transfer, people's scores as privileged information, beside what we find.

V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information", arXiv:1410.0389, 2014,
section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.claims import compare_means
from widemargin.experiments.experiment import Row
from widemargin.experiments.printed_tables import PrintedLine, compare_printed_lead, lines_of, read_printed
from widemargin.experiments.summary import (
    Claim,
    Comparison,
    answer_by_test,
    compare_with_paper,
    number,
    p_text,
    signed,
)
from widemargin.metrics import paired_wilcoxon

__all__ = ["compare_with_table_7", "pair_task", "printed_scores"]

TABLE = "Table 7"
AGAINST = " versus "
LEADS = (
    ("human", "svm", "Margin Transfer from people's scores is above the SVM"),
    ("human", "margin_transfer", "Margin Transfer from people's scores is above the one from X*"),
    ("margin_transfer", "svm", "Margin Transfer from X* is above the SVM"),
)
ANIMALS = ("giant panda", "leopard", "chimpanzee")
SAME_LEVEL_WITHIN = 1.0  # percentage points
NO_LEVEL = "Other tasks: the level says how hard they are, nothing about the method."


@cache
def printed_scores() -> tuple[PrintedLine, ...]:
    """Return the 28 lines of the printed table, in its order.

    Returns
    -------
    tuple of PrintedLine
        The lines, without the methods that the table lacks: SVM+ and the reference.
    """
    return read_printed("human_scores_printed.csv")


def pair_task(first: str, second: str) -> str:
    """Name a pair of classes, as the paper does if it has the pair.

    Parameters
    ----------
    first, second : str
        Names of the classes.

    Returns
    -------
    str
        The task.

    Examples
    --------
    >>> pair_task("seal", "rat"), pair_task("dog", "cat")
    ('rat versus seal', 'dog versus cat')
    """
    swapped = AGAINST.join((second, first))
    return (
        swapped if any(line.task == swapped for line in printed_scores()) else AGAINST.join((first, second))
    )


def compare_with_table_7(rows: Sequence[Row], methods: Sequence[Method]) -> list[Comparison]:
    """Put results on pairs of classes beside the paper's.

    Parameters
    ----------
    rows : sequence of Row
        Rows of our pairs, with accuracies and coefficients of agreement.
    methods : sequence of Method
        The methods of the table, the SVM first.

    Returns
    -------
    list of Comparison
        One line a claim.
    """
    printed = printed_scores()
    study = AccuracyStudy.from_rows(rows, methods)
    comparable = {line.task for line in lines_of(study, printed)} == {line.task for line in printed}
    lines = [
        compare_printed_lead(study, printed, first, second, statement, TABLE, comparable=comparable)
        for first, second, statement in LEADS
    ]
    for animal in ANIMALS:
        own_rows = [row for row in rows if animal in str(row["task"]).split(AGAINST)]
        if own_rows:
            own = AccuracyStudy.from_rows(own_rows, methods)
            theirs = [line for line in printed if animal in line.task.split(AGAINST)]
            first, second, statement = LEADS[0]
            statement = f"Pairs with {animal}: {statement}"
            lines.append(
                compare_printed_lead(own, theirs, first, second, statement, TABLE, comparable=comparable)
            )
    means = {
        method.key: float(np.mean([line.mean[method.key] for line in printed])) for method in study.methods
    }
    claims = {
        method.key: Claim(
            f"Mean accuracy of {method.name}, %", TABLE, f"{means[method.key]:.2f}", means[method.key]
        )
        for method in study.methods
    }
    lines += compare_means(
        study,
        claims,
        comparable=comparable,
        level_within=SAME_LEVEL_WITHIN if comparable else None,
        no_level=NO_LEVEL,
    )
    return [*lines, *_compare_agreement(rows)]


def _compare_agreement(rows: Sequence[Row]) -> list[Comparison]:
    """Compare how far classifiers agree with each other and with people, as Figure 3 does."""
    by_task: dict[str, list[tuple[float, float, float]]] = {}
    for row in rows:
        values = (float(row["tau"]), float(row["tau_human_decision"]), float(row["tau_human_privileged"]))
        by_task.setdefault(str(row["task"]), []).append(values)
    # A coefficient does not exist if decision values are all equal.
    tau = np.array([np.mean(values, axis=0) for values in by_task.values()])
    tau = tau[np.isfinite(tau).all(axis=1)]
    lines = []
    for place, other in ((1, "people and X"), (2, "people and X*")):
        claim = Claim(f"X and X* agree more on what is easy than {other}", "Figure 3", "claimed")
        if not len(tau):
            lines.append(compare_with_paper(claim, "no answer", sentence="No pair has all coefficients."))
            continue
        test = paired_wilcoxon(tau[:, 0], tau[:, place])
        lines.append(
            compare_with_paper(
                claim,
                f"{number(tau[:, 0].mean())} against {number(tau[:, place].mean())}",
                answer=answer_by_test(test.mean_difference > 0, test.p_value),
                sentence=(
                    f"Kendall's tau over all training images in the mean over {len(tau)} pairs, a difference of "
                    f"{signed(test.mean_difference)} ({p_text(test.p_value)}). The labels alone make all of them large."
                ),
            )
        )
    return lines

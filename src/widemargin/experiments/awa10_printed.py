"""Table 1 of the paper on Margin Transfer as printed, and our table beside it.

V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information", arXiv:1410.0389, 2014.
"""

from __future__ import annotations

from functools import cache

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.printed_tables import (
    PrintedLine,
    beside_printed,
    describe_closeness,
    read_printed,
)
from widemargin.experiments.summary import SummaryTable

__all__ = ["compare_pair_by_pair", "describe_pairs", "printed_pairs"]


@cache
def printed_pairs() -> tuple[PrintedLine, ...]:
    """Return the 45 lines of the printed table, in its order.

    Returns
    -------
    tuple of PrintedLine
        The lines.
    """
    return read_printed("awa10_printed.csv")


def compare_pair_by_pair(study: AccuracyStudy) -> SummaryTable:
    """Put every mean of ours beside the printed one.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on pairs that the paper has, all or some.

    Returns
    -------
    SummaryTable
        One row a pair, two columns a method; below, means and wins over the same pairs.
    """
    return beside_printed(study, printed_pairs(), "beside_the_paper", "The paper's Table 1 beside ours")


def describe_pairs(study: AccuracyStudy) -> str:
    """Say in a sentence how close our pairs are to the printed ones.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on pairs that the paper has.

    Returns
    -------
    str
        The sentence.
    """
    return describe_closeness(study, printed_pairs(), "margin_transfer")

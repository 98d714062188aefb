"""What the paper on Margin Transfer prints about texts as privileged information: Tables 4, 5 and a part of 6.

V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information", arXiv:1410.0389, 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from widemargin.experiments.printed_tables import PrintedLine, read_printed

__all__ = ["NOTE", "mean_gain", "printed_multiclass", "printed_pairs"]

NOTE = (
    "The paper's accuracies in percent on its own images with texts, mean ± standard error over 20 repeats: other "
    "data, so that levels cannot be compared with ours. It marks no difference in these tables as significant."
)
"""How to read these tables."""


@cache
def _printed() -> tuple[PrintedLine, ...]:
    return read_printed("webqueries_printed.csv")


def printed_pairs() -> list[PrintedLine]:
    """Return the lines of Tables 4 and 5: pairs of classes.

    Returns
    -------
    list of PrintedLine
        Nine lines.
    """
    return [line for line in _printed() if line.group != "Table 6"]


def printed_multiclass() -> list[PrintedLine]:
    """Return the lines of Table 6 with texts: all classes of a data set at once.

    Returns
    -------
    list of PrintedLine
        Two lines.
    """
    return [line for line in _printed() if line.group == "Table 6"]


def mean_gain(lines: Sequence[PrintedLine], key: str) -> float:
    """Return how far a method is above the SVM in the mean over printed lines.

    Parameters
    ----------
    lines : sequence of PrintedLine
        The lines.
    key : str
        Key of the method.

    Returns
    -------
    float
        The gain in percentage points.
    """
    return float(np.mean([line.mean[key] - line.mean["svm"] for line in lines]))

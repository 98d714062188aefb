"""The numbers of the paper's tables, shown below ours as context: they are of other data.

X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos", IEEE
Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from widemargin.experiments.summary import Cell, SummaryTable

__all__ = ["PAPER", "Printed", "printed", "with_printed"]

PAPER = (
    "Chang, Yu, Yang and Xing, Semantic pooling for complex event analysis in untrimmed videos, IEEE Transactions on "
    "Pattern Analysis and Machine Intelligence 39(8), 2017"
)

Printed = Mapping[str, Mapping[str, float]]
"""Numbers by data set and by key of the method."""

_NOTE = "In italics: what the paper prints for real videos, other data than ours; only the order of methods compares."


@cache
def printed(table: str) -> Printed:
    """Return a printed table.

    Parameters
    ----------
    table : str
        Such as "Table 1".

    Returns
    -------
    dict of str to dict of str to float
        Percent, or seconds, by data set and key.
    """
    text = files("widemargin.experiments.events").joinpath("printed.csv").read_text(encoding="utf-8")
    found: dict[str, dict[str, float]] = {}
    for line in csv.DictReader(text.splitlines()):
        if line["table"] == table:
            found.setdefault(line["data"], {})[line["key"]] = float(line["value"])
    return found


def with_printed(table: SummaryTable, keys: Sequence[str], source: str) -> SummaryTable:
    """Put the printed rows below our table.

    Parameters
    ----------
    table : SummaryTable
        Ours; its first column names the row.
    keys : sequence of str
        Key of the method of every further column.
    source : str
        The paper's table.

    Returns
    -------
    SummaryTable
        With one more row a data set of the paper; methods that the paper lacks have a dash.
    """
    rows = tuple(
        (
            Cell(f"{source}, {data}", reference=True),
            *(Cell(f"{values[key]:.1f}" if key in values else "–", reference=True) for key in keys),
        )
        for data, values in printed(source).items()
    )
    return replace(table, totals=table.totals + rows, note=f"{table.note} {_NOTE}")

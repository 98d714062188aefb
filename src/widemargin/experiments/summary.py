"""What an experiment found, in words and small tables: the part of the results that people read."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Cell", "Claim", "Column", "Comparison", "Summary", "SummaryTable", "compare_with_paper", "signed"]


@dataclass(frozen=True)
class Column:
    """Heading of a column.

    Parameters
    ----------
    title : str
        The method or quantity.
    note : str, default=""
        A few words in small print, such as what the method sees, or why it does not compete.
    numeric : bool, default=True
        Whether the column holds numbers, which are aligned.
    """

    title: str
    note: str = ""
    numeric: bool = True


@dataclass(frozen=True)
class Cell:
    """One entry, as it is printed, with what is to be seen at a glance.

    Parameters
    ----------
    text : str
        The entry.
    best : bool, default=False
        The best of its row, printed in bold.
    mark : {"", "gain", "loss"}, default=""
        Whether it is significantly above or below the baseline of its row.
    reference : bool, default=False
        Shown for reference only: it does not compete, and is printed in italics.
    """

    text: str
    best: bool = False
    mark: str = ""
    reference: bool = False


@dataclass(frozen=True)
class SummaryTable:
    """A small table for people.

    Parameters
    ----------
    name : str
        Identifier, unique in the experiment.
    title : str
        Caption above.
    note : str
        How to read it, below.
    columns : tuple of Column
        Headings; the first column names the row.
    rows : tuple of tuple of Cell
        As many cells in each row as there are columns.
    totals : tuple of tuple of Cell, default=()
        Last rows, set apart, for means and counts.
    """

    name: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    totals: tuple[tuple[Cell, ...], ...] = ()


@dataclass(frozen=True)
class Claim:
    """A number or statement that the paper prints.

    Parameters
    ----------
    statement : str
        The claim, in our words.
    source : str
        Where the paper prints it.
    printed : str
        The number as printed, with its unit or total.
    value : float or None, default=None
        The same as a number, if ours can be subtracted from it.
    """

    statement: str
    source: str
    printed: str
    value: float | None = None


@dataclass(frozen=True)
class Comparison:
    """A claim of the paper beside what we found.

    Parameters
    ----------
    statement, source, paper : str
        The claim, where it stands, and its number as printed.
    ours : str
        Our number.
    difference : str
        Ours minus the paper's, or empty where that has no meaning.
    agrees : bool or None
        Whether our results bear the claim out; None where they cannot say.
    sentence : str
        The comparison in words.
    """

    statement: str
    source: str
    paper: str
    ours: str
    difference: str
    agrees: bool | None
    sentence: str


@dataclass(frozen=True)
class Summary:
    """What an experiment found.

    Parameters
    ----------
    verdict : str
        The answer to its question, in one or two sentences. Says so when the baseline wins.
    findings : tuple of str
        Further sentences.
    tables : tuple of SummaryTable
        Small tables.
    comparisons : tuple of Comparison
        Claims of the paper beside our results.
    """

    verdict: str
    findings: tuple[str, ...] = ()
    tables: tuple[SummaryTable, ...] = ()
    comparisons: tuple[Comparison, ...] = ()


def signed(value: float, decimals: int = 2) -> str:
    """Print a difference with its sign, and zero without one.

    Parameters
    ----------
    value : float
        The difference.
    decimals : int, default=2
        Decimals to print.

    Returns
    -------
    str
        The number, with a true minus sign.

    Examples
    --------
    >>> signed(0.123), signed(-0.001), signed(-2.0, 0)
    ('+0.12', '0.00', '−2')
    """
    rounded = round(value, decimals)
    return f"{rounded:+.{decimals}f}".replace("-", "−") if rounded else f"{0:.{decimals}f}"


def compare_with_paper(
    claim: Claim,
    ours: str,
    *,
    value: float | None = None,
    agrees: bool | None = None,
    decimals: int = 2,
    sentence: str,
) -> Comparison:
    """Put our result beside a claim of the paper.

    Parameters
    ----------
    claim : Claim
        What the paper prints.
    ours : str
        Our result as it is to be printed.
    value : float or None, default=None
        Our result as a number comparable with ``claim.value``; gives the difference.
    agrees : bool or None, default=None
        Whether our result bears the claim out; None if it cannot say.
    decimals : int, default=2
        Decimals of the difference.
    sentence : str
        The comparison in words.

    Returns
    -------
    Comparison
        The line of the report's table.
    """
    difference = ""
    if value is not None and claim.value is not None:
        difference = signed(value - claim.value, decimals)
    return Comparison(claim.statement, claim.source, claim.printed, ours, difference, agrees, sentence)

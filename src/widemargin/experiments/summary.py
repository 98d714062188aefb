"""What an experiment found, in words and small tables: the part of the results that people read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Answer",
    "Cell",
    "Claim",
    "Column",
    "Comparison",
    "Summary",
    "SummaryTable",
    "answer_by_test",
    "compare_with_paper",
    "count_answers",
    "gain_or_loss",
    "number",
    "p_text",
    "signed",
]

Answer = Literal["agrees", "disagrees", "not clear", "no answer"]
"""What our results say to a claim: "not clear" if they lean to a side without being significant at 95 %, "no answer"
if they cannot be compared with it at all."""

_LEVEL = 0.05


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
    sentence : str
        The comparison in words.
    answer : {"agrees", "disagrees", "not clear", "no answer"}, default="no answer"
        Whether our results bear the claim out.
    """

    statement: str
    source: str
    paper: str
    ours: str
    difference: str
    sentence: str
    answer: Answer = "no answer"


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


def number(value: float, decimals: int = 2) -> str:
    """Print a number that may be negative or unknown.

    Parameters
    ----------
    value : float
        The number; NaN if it is not known.
    decimals : int, default=2
        Decimals to print.

    Returns
    -------
    str
        The number, with a true minus sign and none before zero, or a dash.

    Examples
    --------
    >>> number(0.123), number(-0.041), number(-0.001), number(float("nan"))
    ('0.12', '−0.04', '0.00', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def gain_or_loss(difference: float) -> str:
    """Name a difference of accuracies by its side, so that no loss is called a negative gain.

    Parameters
    ----------
    difference : float
        The difference in percentage points.

    Returns
    -------
    str
        Noun and number, without article.

    Examples
    --------
    >>> gain_or_loss(0.25), gain_or_loss(-0.25), gain_or_loss(0.001)
    ('gain of 0.25 points', 'loss of 0.25 points', 'difference of 0.00 points')
    """
    rounded = round(difference, 2)
    side = "gain" if rounded > 0 else "loss" if rounded < 0 else "difference"
    return f"{side} of {abs(rounded):.2f} points"


def p_text(p_value: float) -> str:
    """Print a p-value for people.

    Parameters
    ----------
    p_value : float
        The p-value.

    Returns
    -------
    str
        Two digits, or that it is below 0.001.

    Examples
    --------
    >>> p_text(0.0312), p_text(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return f"p = {p_value:.2g}" if p_value >= 0.001 else "p < 0.001"


def answer_by_test(holds: bool, p_value: float) -> Answer:
    """Answer a claim by the side that our results lean to, if they lean significantly.

    Parameters
    ----------
    holds : bool
        Whether our results lean to the side of the claim.
    p_value : float
        P-value of the test of what they lean by; NaN if it could not be made.

    Returns
    -------
    {"agrees", "disagrees", "not clear"}
        "not clear" unless the p-value is at most 0.05.

    Examples
    --------
    >>> answer_by_test(True, 0.03), answer_by_test(False, 0.03), answer_by_test(True, 0.2)
    ('agrees', 'disagrees', 'not clear')
    """
    if not p_value <= _LEVEL:
        return "not clear"
    return "agrees" if holds else "disagrees"


def compare_with_paper(
    claim: Claim,
    ours: str,
    *,
    value: float | None = None,
    answer: Answer = "no answer",
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
        Our result as a number of the same data as ``claim.value``; gives the difference. None on other data, where
        a difference has no meaning.
    answer : {"agrees", "disagrees", "not clear", "no answer"}, default="no answer"
        Whether our result bears the claim out, see `answer_by_test`.
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
    return Comparison(claim.statement, claim.source, claim.printed, ours, difference, sentence, answer)


def count_answers(comparisons: Sequence[Comparison]) -> str:
    """Say in a sentence how many claims hold, do not hold, and are not clear.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Lines of the report's table; those without an answer do not count.

    Returns
    -------
    str
        The sentence, or nothing if no claim has an answer.

    Examples
    --------
    >>> lines = [Comparison("more", "Table 1", "2", "1", "−1", "Less.", answer) for answer in ("agrees", "not clear")]
    >>> count_answers(lines)
    'Of 2 claims of the paper 1 holds here, 0 do not, and 1 is not clear.'
    """
    answers = [line.answer for line in comparisons if line.answer != "no answer"]
    if not answers:
        return ""
    held, failed, unclear = (answers.count(answer) for answer in ("agrees", "disagrees", "not clear"))
    claims = "1 claim" if len(answers) == 1 else f"{len(answers)} claims"
    return (
        f"Of {claims} of the paper {held} {'holds' if held == 1 else 'hold'} here, {failed} "
        f"{'does' if failed == 1 else 'do'} not, and {unclear} {'is' if unclear == 1 else 'are'} not clear."
    )

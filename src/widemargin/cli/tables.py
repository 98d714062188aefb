"""Summary tables in a terminal."""

from __future__ import annotations

from dataclasses import replace

from rich.table import Table
from rich.text import Text

from widemargin.experiments.summary import Cell, SummaryTable

__all__ = ["rich_table", "shortened"]

MARKS = {"": " ", "gain": "▲", "loss": "▼"}
MARK_STYLES = {"": "", "gain": "green", "loss": "red"}

LONGEST_TABLE = 12
EXTREMES = 5


def shortened(table: SummaryTable) -> SummaryTable:
    """Leave out of a long table what does not fit on a screen: all but the largest gains and losses.

    Parameters
    ----------
    table : SummaryTable
        Any table. Its first column of numbers is the baseline; columns with the paper's numbers, and those shown
        for reference, do not count as gains over it.

    Returns
    -------
    SummaryTable
        The same table if it has at most 12 rows, or no numbers to compare. Otherwise its last rows, and above
        them the five largest gains, the largest first, and the five largest losses, the largest last.
    """
    if len(table.rows) <= LONGEST_TABLE:
        return table
    compared = [
        place for place, column in enumerate(table.columns) if column.numeric and column.note != "paper"
    ]
    differences = {row: _differences(row, compared) for row in table.rows}
    comparable = [row for row in table.rows if differences[row]]
    gains = sorted((r for r in comparable if max(differences[r]) > 0), key=lambda r: -max(differences[r]))
    gains = gains[:EXTREMES]
    losses = sorted(
        (r for r in comparable if min(differences[r]) < 0 and r not in gains),
        key=lambda r: min(differences[r]),
    )
    rows = (*gains, *reversed(losses[:EXTREMES]))
    if not rows:
        return table
    note = (
        f"The {len(rows)} of {len(table.rows)} rows with the largest gains over {table.columns[compared[0]].title} "
        f"(first) and losses (last); all rows are on the page. {table.note}"
    )
    return replace(table, rows=rows, note=note)


def _differences(row: tuple[Cell, ...], compared: list[int]) -> list[float]:
    """Return what each competitor of a row has more than the baseline; nothing if there is no number."""
    cells = [row[place] for place in compared]
    try:
        baseline, *others = [float(cell.text.partition(" ")[0]) for cell in cells if not cell.reference]
    except ValueError:
        return []
    return [other - baseline for other in others]


def rich_table(table: SummaryTable) -> Table:
    """Return a summary table as the terminal shows it: wins bold, significance marked, reference in italics.

    Parameters
    ----------
    table : SummaryTable
        The table.

    Returns
    -------
    rich.table.Table
        What to print.
    """
    result = Table(
        title=Text(table.title), caption=Text(table.note), title_justify="left", caption_justify="left"
    )
    for column in table.columns:
        heading = Text(column.title)
        if column.note:
            heading.append(f"\n{column.note}", style="dim")
        result.add_column(heading, justify="right" if column.numeric else "left", overflow="fold")
    marked = [any(row[place].mark for row in table.rows) for place in range(len(table.columns))]
    for number, row in enumerate((*table.rows, *table.totals)):
        result.add_row(*map(_text, row, marked), end_section=number == len(table.rows) - 1)
    return result


def _text(cell: Cell, marked: bool) -> Text:
    """Return an entry; in a column with marks, those without one keep its place free, to stay aligned."""
    text = Text(cell.text, style="bold" if cell.best else "italic dim" if cell.reference else "")
    return text.append(f" {MARKS[cell.mark]}", style=MARK_STYLES[cell.mark]) if marked else text

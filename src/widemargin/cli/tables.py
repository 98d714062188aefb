"""Summary tables in a terminal."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from widemargin.experiments.summary import Cell, SummaryTable

__all__ = ["rich_table"]

MARKS = {"": " ", "gain": "▲", "loss": "▼"}
MARK_STYLES = {"": "", "gain": "green", "loss": "red"}


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
        result.add_column(heading, justify="right" if column.numeric else "left")
    for place, row in enumerate(table.rows):
        result.add_row(*map(_text, row), end_section=place == len(table.rows) - 1)
    for row in table.totals:
        result.add_row(*map(_text, row))
    return result


def _text(cell: Cell) -> Text:
    text = Text(cell.text, style="bold" if cell.best else "italic dim" if cell.reference else "")
    return text.append(f" {MARKS[cell.mark]}", style=MARK_STYLES[cell.mark])

"""Long tables in a terminal: only what is largest, and the last rows."""

from widemargin.cli.tables import shortened
from widemargin.experiments.summary import Cell, Column, SummaryTable

COLUMNS = (Column("task", numeric=False), Column("Base"), Column("New"), Column("Oracle"))


def table_of(gains):
    """A row for each gain of the method over the baseline; the reference is far above both."""
    rows = tuple(
        (Cell(f"{gain:+d}"), Cell("50.00 ± 0.10"), Cell(f"{50 + gain:.2f}"), Cell("99.00", reference=True))
        for gain in gains
    )
    return SummaryTable("t", "Title", "How to read it.", COLUMNS, rows, ((Cell("mean"),) * 4,))


def test_a_long_table_keeps_its_largest_gains_and_losses_and_its_last_rows():
    table = table_of([0, 3, -1, 7, -6, 2, 1, -2, 5, 4, 6, -3, -4, -5])
    short = shortened(table)
    tasks = [row[0].text for row in short.rows]
    assert tasks == ["+7", "+6", "+5", "+4", "+3", "-2", "-3", "-4", "-5", "-6"]
    assert short.totals == table.totals
    assert short.note.startswith("The 10 of 14 rows with the largest gains over Base")
    assert "all rows are on the page" in short.note
    assert short.note.endswith("How to read it.")


def test_rows_without_a_difference_are_neither_gains_nor_losses():
    assert [row[0].text for row in shortened(table_of([0] * 12 + [1])).rows] == ["+1"]


def test_numbers_of_the_paper_are_not_the_baseline():
    table = table_of(range(1, 14))
    columns = (table.columns[0], Column("Base", "paper"), *table.columns[2:])
    table = SummaryTable("t", "Title", "", columns, table.rows)
    assert shortened(table) == table  # one column is left, which has nothing to compare with


def test_short_tables_and_tables_without_numbers_stay_whole():
    short = table_of(range(12))
    assert shortened(short) == short
    words = tuple((Cell("a"), Cell("–"), Cell("b"), Cell("c")) for _ in range(13))
    table = SummaryTable("t", "Title", "", COLUMNS, words)
    assert shortened(table) == table

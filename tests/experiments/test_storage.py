"""Rows that outlive a killed run."""

import csv

import pytest

from widemargin.experiments.experiment import TableSpec
from widemargin.experiments.storage import (
    count_rows,
    read_table,
    write_table,
)

SPEC = TableSpec("t", {"accuracy": float, "label": str})
ROWS = [
    {"task": "cat, or dog", "repeat": 0, "accuracy": 0.1 + 0.2, "label": 'say "x"', "seconds": 1e-17},
    {"task": "cat, or dog", "repeat": 1, "accuracy": 1 / 3, "label": "", "seconds": 2.0},
    {"task": "3", "repeat": 0, "accuracy": 0.5, "label": "4", "seconds": 3.0},
]
TASKS = {"cat, or dog", "3"}


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    write_table(path, SPEC, ROWS)
    return path


def test_rows_come_back_exactly(table):
    assert read_table(table, SPEC, TASKS) == (ROWS, 0)


def test_a_missing_file_has_no_rows(tmp_path):
    assert read_table(tmp_path / "none.csv", SPEC, TASKS) == ([], 0)


def test_every_cut_of_a_file_keeps_the_complete_lines_and_only_those(table):
    content = table.read_bytes()
    for length in range(len(content)):
        table.write_bytes(content[:length])
        n_complete = max(content[:length].count(b"\n") - 1, 0)
        rows, n_damaged = read_table(table, SPEC, TASKS)
        assert rows == ROWS[:n_complete]
        assert n_damaged == int(length > 0 and content[length - 1 : length] != b"\n")


@pytest.mark.parametrize(
    "line",
    [
        b"3,1,0.5,4\n",  # a value is missing
        b"3,1,0.5,4,1.0,1.0\n",  # one too many
        b"3,one,0.5,4,1.0\n",  # not a number
        b"3,-1,0.5,4,1.0\n",  # no repeat
        b"3,1.0,0.5,4,1.0\n",  # not an integer
        b"fish,1,0.5,4,1.0\n",  # no task of this run
        b"3,1,0.5,\xff\x00,\n",  # rubbish
        b'3,1,0.5,"4,1.0\n',  # an open quotation
        b"\n",
    ],
)
def test_a_damaged_line_is_left_out_and_the_lines_after_it_are_kept(table, line):
    header, first, *rest = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(header + first + line + b"".join(rest))
    assert read_table(table, SPEC, TASKS) == (ROWS, 1)


LINE_BREAKS = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028"]


@pytest.fixture
def table_of_line_breaks(tmp_path):
    rows = [
        {"task": f"a{end}b{end}", "repeat": 0, "accuracy": 0.5, "label": f'{end}"{end}', "seconds": 1.0}
        for end in LINE_BREAKS
    ]
    path = tmp_path / "t.csv"
    write_table(path, SPEC, rows)
    return path, rows, {row["task"] for row in rows}


def test_line_breaks_in_values_come_back_exactly(table_of_line_breaks):
    path, rows, tasks = table_of_line_breaks
    assert read_table(path, SPEC, tasks) == (rows, 0)
    assert count_rows(path) == len(rows)
    with path.open(newline="", encoding="utf-8") as stream:
        assert [row["task"] for row in csv.DictReader(stream)] == [row["task"] for row in rows]


def test_every_cut_keeps_the_complete_rows_of_several_lines_and_reports_the_loss(table_of_line_breaks):
    path, rows, tasks = table_of_line_breaks
    content = path.read_bytes()
    ends = []
    for n_rows in range(len(rows) + 1):
        write_table(path, SPEC, rows[:n_rows])
        ends.append(len(path.read_bytes()))
    for length in range(ends[0], len(content)):
        path.write_bytes(content[:length])
        good, n_damaged = read_table(path, SPEC, tasks)
        assert good == rows[: sum(end <= length for end in ends[1:])]
        assert (n_damaged == 0) == (length in ends)


def test_a_damaged_row_of_several_lines_does_not_take_the_rows_after_it_along(table):
    header, first, *rest = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(header + first + b'3,1,0.5,"one\ntwo\nthree,1.0\n' + b"".join(rest))
    assert read_table(table, SPEC, TASKS) == (ROWS, 3)


def test_of_two_rows_of_one_unit_the_first_counts(table):
    table.write_bytes(table.read_bytes() + b"3,0,0.9,x,1.0\n")
    assert read_table(table, SPEC, TASKS) == (ROWS, 0)


def test_a_file_with_other_columns_has_no_good_row(table):
    other = TableSpec("t", {"accuracy": float})
    assert read_table(table, other, TASKS) == ([], 3)

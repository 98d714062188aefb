"""Results on disk: files that are old or new but never half written, and rows that outlive a killed run."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path

from widemargin.atomic import WriteError, atomic_write, remove_unfinished
from widemargin.experiments.experiment import Row, TableSpec

__all__ = [
    "WriteError",
    "atomic_write",
    "count_rows",
    "is_set_aside",
    "read_table",
    "remove_unfinished",
    "set_aside",
    "table_columns",
    "write_table",
]


def set_aside(folder: Path) -> Path:
    """Rename a folder of results that are not to be continued, without touching any that was set aside before.

    Parameters
    ----------
    folder : Path
        An existing folder.

    Returns
    -------
    Path
        Its new place: ``<name>.previous``, or the first of ``<name>.previous-2``, ``<name>.previous-3``, ...
        that is free.
    """
    for number in count(1):
        previous = folder.with_name(f"{folder.name}.previous" + (number > 1) * f"-{number}")
        if not previous.exists():
            break
    return folder.rename(previous)


def is_set_aside(folder: Path) -> bool:
    """Return whether a folder has a name that `set_aside` gives.

    Parameters
    ----------
    folder : Path
        Any path.

    Returns
    -------
    bool
        Whether its name ends in ``.previous``, with or without a number.
    """
    return re.search(r"\.previous(-\d+)?$", folder.name) is not None


def table_columns(spec: TableSpec) -> dict[str, type]:
    """Return all columns of a results table with their types, in the order of the file.

    Parameters
    ----------
    spec : TableSpec
        What the experiment says about the table.

    Returns
    -------
    dict of str to type
        ``task``, ``repeat``, the experiment's columns, ``seconds``.
    """
    return {"task": str, "repeat": int, **spec.columns, "seconds": float}


def write_table(path: Path, spec: TableSpec, rows: Sequence[Row]) -> None:
    """Write a results table as CSV, atomically. Numbers are written so that reading restores them exactly.

    Parameters
    ----------
    path : Path
        The CSV file.
    spec : TableSpec
        Its columns.
    rows : sequence of Row
        Its rows, in the order wanted in the file.
    """
    columns = list(table_columns(spec))
    lines = [_format_line(columns), *(_format_line([row[name] for name in columns]) for row in rows)]
    atomic_write(path, "".join(lines))


def read_table(path: Path, spec: TableSpec, tasks: Collection[str]) -> tuple[list[Row], int]:
    """Read the good rows of a results table.

    A row is good if it has one value of the right type for every column, belongs to a known task, and is complete.
    Lines of no good row are left out and counted, so that they can be computed again. A row has more than one line if
    a value in quotation marks has.

    Parameters
    ----------
    path : Path
        The CSV file, which need not exist.
    spec : TableSpec
        Its columns. A file with other columns has no good row.
    tasks : collection of str
        The tasks that rows can belong to.

    Returns
    -------
    rows : list of Row
        The good rows, as `write_table` got them. Of rows of the same task and repeat, the first.
    n_damaged : int
        Number of lines left out.
    """
    if not path.is_file():
        return [], 0
    columns = table_columns(spec)
    # A line that a killed writer did not end may have lost digits: what follows the last newline is damaged.
    *lines, rest = path.read_bytes().decode(errors="replace").split("\n")
    n_damaged = int(bool(rest))
    if not lines or lines[0] != ",".join(columns):
        return [], n_damaged + max(len(lines), 1) - 1
    rows: dict[tuple[str, int], Row] = {}
    start = 1
    while start < len(lines):
        end = _end_of_record(lines, start)
        row = _parse_record("\n".join(lines[start:end]), columns)
        if row is None or row["task"] not in tasks:
            # What looks like the start of a row of several lines may be the damaged end of another.
            n_damaged += 1
            start += 1
        else:
            rows.setdefault((str(row["task"]), int(row["repeat"])), row)
            start = end
    return list(rows.values()), n_damaged


def count_rows(path: Path) -> int:
    """Count the rows of a results table, good or damaged, without the header.

    Parameters
    ----------
    path : Path
        An existing CSV file.

    Returns
    -------
    int
        Number of rows that end, whatever number of lines they have.
    """
    outside_quotation_marks = path.read_bytes().split(b'"')[::2]
    return sum(part.count(b"\n") for part in outside_quotation_marks) - 1


def _format_line(values: Sequence[object]) -> str:
    r"""Return values as CSV that ends in ``\n``.

    Before Python 3.13 the writer puts quotation marks around a ``\r`` only if it is part of the end of a line.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(values)
    return text.getvalue().removesuffix("\r\n") + "\n"


def _end_of_record(lines: Sequence[str], start: int) -> int:
    """Return the number of the line after a record: where quotation marks are closed, or else the next line."""
    n_marks = 0
    for end in range(start, len(lines)):
        n_marks += lines[end].count('"')
        if n_marks % 2 == 0:
            return end + 1
    return start + 1


def _parse_record(record: str, columns: Mapping[str, type]) -> Row | None:
    """Return the values of one record of CSV, or None if they are not what the columns promise."""
    try:
        (fields,) = csv.reader(io.StringIO(record, newline=""), strict=True)
        row = {name: kind(text) for (name, kind), text in zip(columns.items(), fields, strict=True)}
    except (csv.Error, ValueError):
        return None
    return row if row["repeat"] >= 0 else None

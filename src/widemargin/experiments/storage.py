"""Results on disk: files that are old or new but never half written, and rows that outlive a killed run."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from pathlib import Path

from widemargin.atomic import atomic_write, remove_unfinished
from widemargin.experiments.experiment import Row, TableSpec

__all__ = [
    "atomic_write",
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
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    atomic_write(path, text.getvalue())


def read_table(path: Path, spec: TableSpec, tasks: Collection[str]) -> tuple[list[Row], int]:
    """Read the good rows of a results table.

    A row is good if it has one value of the right type for every column, belongs to a known task, and its
    line is complete. Other lines are left out and counted, so that they can be computed again.

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
    for line in lines[1:]:
        row = _parse_line(line, columns)
        if row is None or row["task"] not in tasks:
            n_damaged += 1
        else:
            rows.setdefault((str(row["task"]), int(row["repeat"])), row)
    return list(rows.values()), n_damaged


def _parse_line(line: str, columns: Mapping[str, type]) -> Row | None:
    """Return the values of one line of CSV, or None if they are not what the columns promise."""
    try:
        (fields,) = csv.reader([line], strict=True)
        row = {name: kind(text) for (name, kind), text in zip(columns.items(), fields, strict=True)}
    except (csv.Error, ValueError):
        return None
    return row if row["repeat"] >= 0 else None

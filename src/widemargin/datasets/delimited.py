"""Tables of text: numbers or labels separated by commas, semicolons, tabs or, in ``.txt``, spaces."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, check_table_size, first_repeated, places_of
from widemargin.validation import LARGEST_VALUE

__all__ = ["read_delimited_labels", "read_delimited_names", "read_delimited_numbers"]

FloatArray = npt.NDArray[np.float64]
Line = tuple[int, list[str]]
T = TypeVar("T")

_LARGEST_TEXT = 2**31
# Two million numbers of 32 characters. The parser holds a line in memory at several times its size.
_LONGEST_LINE = 2**26
_LONGEST_LABEL = 1000
_CHUNK = 2**24

_DECIMAL_POINTS = (
    "save the table with decimal points, in pandas with decimal='.' (semicolons between cells may stay)"
)
_MISSING = frozenset({"", "nan", "na"})
_DECIMAL_COMMA = re.compile(r"[+-]?[\d.]*,\d+([eE][+-]?\d+)?")


@dataclass(frozen=True)
class _Layout:
    """How a file is to be read: what its first line says, and what is wanted."""

    path: Path
    delimiter: str | None
    first_number: int
    first: list[str]
    names: tuple[str, ...] | None
    chosen: tuple[int, ...] | None
    missing_rows: bool

    def of(self, cells: Sequence[T]) -> Sequence[T]:
        """Return the chosen of the cells of a line, or of their places."""
        return cells if self.chosen is None else [cells[k] for k in self.chosen]


def read_delimited_numbers(
    path: Path, *, columns: Sequence[str] | None = None, missing_rows: bool = False
) -> tuple[FloatArray, tuple[str, ...] | None]:
    """Read a table of numbers; its first line names the columns unless all of its cells are numbers.

    Cells are separated by semicolons or tabs if the first line has any outside quotes, otherwise by commas; in a
    ``.txt`` file without any of these, by spaces. Cells may be quoted. The decimal sign is the point. Empty lines
    are left out.

    Parameters
    ----------
    path : Path
        The file, in UTF-8, with or without a byte order mark.
    columns : sequence of str or None, default=None
        Names of the columns to read, in this order; the others may hold anything. None reads all.
    missing_rows : bool, default=False
        Whether a row may be missing as a whole. It is a line whose cells are all empty, ``nan`` or ``NA``, or an
        empty line between others.

    Returns
    -------
    values : ndarray of shape (n_rows, n_columns)
        The numbers, all finite; NaN in a row that is missing.
    names : tuple of str, or None
        Names of the columns, if the first line has them.

    Raises
    ------
    DatasetError
        If the file is not such a table: the message names the line and the column, counted as an editor does.
    """
    n_lines = _count_lines(path)
    layout = _layout(path, columns, missing_rows)
    n_columns = len(layout.first) if layout.chosen is None else len(layout.chosen)
    check_table_size(path, n_lines, n_columns)
    plain = layout.chosen is None and not missing_rows
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for _ in range(layout.first_number - (layout.names is None)):
                file.readline()
            values = np.loadtxt(
                _filled(file) if plain else _rewritten(file, layout),
                delimiter=layout.delimiter if plain else "\t",
                quotechar='"' if plain else None,
                comments=None,
                ndmin=2,
                dtype=np.float64,
            )
    except ValueError as error:
        raise _first_problem(layout, str(error).partition("\n")[0]) from error
    usable = (np.abs(values) <= LARGEST_VALUE).all(axis=1)
    if missing_rows:
        usable |= np.isnan(values).all(axis=1)
    if values.shape[1] != n_columns or not usable.all():
        raise _first_problem(layout, "it has values that are not finite or too large")
    if layout.names is None or layout.chosen is None:
        return values, layout.names
    return values, tuple(layout.names[k] for k in layout.chosen)


def read_delimited_names(path: Path) -> tuple[str, ...] | None:
    """Read the names of the columns only.

    Parameters
    ----------
    path : Path
        The file, in UTF-8, with or without a byte order mark.

    Returns
    -------
    tuple of str, or None
        The cells of the first line that is not empty, if not all of them are numbers; empty for a column without a
        name, such as the index that pandas writes.

    Raises
    ------
    DatasetError
        If the file is no text, or the names are not different.
    """
    _count_lines(path)
    number, first = next(_lines(path, _delimiter(path)), (0, []))
    return None if all(map(_is_number, first)) else _names(path, number, first, unnamed=True)


def read_delimited_labels(path: Path) -> list[str]:
    """Read one label a line; in a ``.csv`` or ``.tsv`` file a label may be quoted.

    Parameters
    ----------
    path : Path
        The file, in UTF-8, with or without a byte order mark.

    Returns
    -------
    list of str
        The labels without surrounding spaces, the first of which may be a header.

    Raises
    ------
    DatasetError
        If a line has no label or several: the message names the line.
    """
    _count_lines(path)
    delimiter = {".csv": ",", ".tsv": "\t"}.get(path.suffix.lower(), "\n")
    labels = []
    for number, cells in _without_gaps(path, delimiter, "label"):
        if len(cells) > 1:
            raise DatasetError(
                f"{path} has {len(cells)} columns in line {number}: give a file with one column, the labels."
            )
        (label,) = cells
        if label.lower() == "nan":
            raise _missing(path, "label", number)
        if len(label) > _LONGEST_LABEL:
            raise DatasetError(
                f"{path} has a label of {len(label)} characters in line {number}: at most {_LONGEST_LABEL} are read."
            )
        labels.append(label)
    return labels


def _count_lines(path: Path) -> int:
    """Return the number of lines, of a file that is neither too large nor binary."""
    size = path.stat().st_size
    if size > _LARGEST_TEXT:
        raise DatasetError(
            f"{path} has {size} bytes, more than the 2 GiB that are read: give fewer rows, or save it as .npy."
        )
    n_lines, position, line_start = 1, 0, 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if b"\0" in chunk:
                raise _not_utf8(path)
            # Only a line that began in an earlier piece can be longer than a piece.
            first, last = chunk.find(b"\n"), chunk.rfind(b"\n")
            longest = position + (first if first >= 0 else len(chunk)) - line_start
            if longest > _LONGEST_LINE:
                raise DatasetError(
                    f"{path} has a line of more than {_LONGEST_LINE} bytes: save so wide a table as .npy."
                )
            n_lines += chunk.count(b"\n")
            if last >= 0:
                line_start = position + last
            position += len(chunk)
    return n_lines


def _layout(path: Path, columns: Sequence[str] | None, missing_rows: bool) -> _Layout:
    """Look at the first line, and at the second if that has names."""
    delimiter = _delimiter(path)
    lines = _lines(path, delimiter)
    number, first = next(lines, (0, []))
    if not first:
        raise DatasetError(f"{path} has only empty lines: give a table of numbers.")
    headless = all(map(_is_number, first)) or (missing_rows and _is_missing(first))
    names = None if headless else _names(path, number, first, unnamed=columns is not None)
    if names is not None and next(lines, None) is None:
        raise DatasetError(f"{path} has a line of column names only: give at least one row of numbers.")
    if len(first) == 1 and not missing_rows:
        for _ in _without_gaps(path, delimiter, "value"):
            pass
    chosen = None if columns is None else places_of(path, columns, names)
    return _Layout(path, delimiter, number, first, names, chosen, missing_rows)


def _delimiter(path: Path) -> str | None:
    """Return what separates the cells of the first line; None stands for spaces."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            first = next((line for line in file if line.strip()), "")
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    unquoted = re.sub(r'"[^"]*"', "", first)
    if path.suffix.lower() == ".tsv":
        return "\t"
    for delimiter in (";", "\t", ","):
        if delimiter in unquoted:
            return delimiter
    return None if path.suffix.lower() == ".txt" else ","


def _lines(path: Path, delimiter: str | None, *, with_empty: bool = False) -> Iterator[Line]:
    """Yield the number of each line and its cells without surrounding spaces; of an empty line no cells."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, raw in _cells(file, delimiter):
                cells = [cell.strip() for cell in raw]
                if cells == [""]:
                    cells = []
                if cells or with_empty:
                    yield number, cells
    except UnicodeDecodeError as error:
        raise _not_utf8(path) from error
    except csv.Error as error:
        raise DatasetError(f"{path} is not a table of separated cells ({error}).") from error


def _cells(file: Iterable[str], delimiter: str | None) -> Iterator[Line]:
    if delimiter is None or delimiter == "\n":
        for number, line in enumerate(file, start=1):
            yield number, line.split() if delimiter is None else [line]
        return
    reader = csv.reader(file, delimiter=delimiter)
    for cells in reader:
        yield reader.line_num, cells


def _without_gaps(path: Path, delimiter: str | None, what: str) -> Iterator[Line]:
    """Yield the lines of a single column, in which an empty line is a missing cell, except at the end."""
    gap = 0
    for number, cells in _lines(path, delimiter, with_empty=True):
        if not cells:
            gap = gap or number
            continue
        if gap:
            raise _missing(path, what, gap)
        yield number, cells


def _missing(path: Path, what: str, number: int) -> DatasetError:
    return DatasetError(
        f"{path} has no {what} in line {number}: fill it in, or remove the row from all files of these samples."
    )


def _filled(file: Iterator[str]) -> Iterator[str]:
    """Leave out the lines that hold nothing; one of tabs holds empty cells."""
    return (line for line in file if line.strip(" \r\n"))


def _rewritten(file: Iterable[str], layout: _Layout) -> Iterator[str]:
    """Yield the rows with the chosen cells separated by tabs, and NaN in those that are missing.

    A line with another number of cells is an error of its own, which the caller looks up.
    """
    missing = "\t".join(["nan"] * (len(layout.first) if layout.chosen is None else len(layout.chosen)))
    empty = 0
    for _, cells in _cells(file, layout.delimiter):
        # A quoted empty cell, as pandas writes it, is a row; an empty line is one only if others follow.
        if not cells or (len(cells) == 1 and cells[0].isspace()):
            empty += layout.missing_rows
            continue
        yield from [missing] * empty
        empty = 0
        if len(cells) != len(layout.first):
            raise ValueError("its lines have different numbers of cells")
        taken = layout.of(cells)
        if _is_missing(taken) and not layout.missing_rows:
            raise ValueError("it has a row without numbers")
        yield missing if _is_missing(taken) else "\t".join(taken)


def _is_missing(cells: Sequence[str]) -> bool:
    return all(cell.strip().lower() in _MISSING for cell in cells)


def _is_number(cell: str) -> bool:
    # Python accepts underscores and the digits of all scripts, the parser of tables does not.
    try:
        float(cell)
    except ValueError:
        return False
    return cell.isascii() and "_" not in cell


def _names(path: Path, number: int, cells: list[str], *, unnamed: bool) -> tuple[str, ...]:
    """Return the cells of the header, which must be different names, or empty if `unnamed` columns are allowed."""
    commas = [cell for cell in cells if _DECIMAL_COMMA.fullmatch(cell)]
    if commas and all(_is_number(cell) for cell in cells if cell not in commas):
        raise DatasetError(f"{path} has {commas[0]!r} in line {number}, a decimal comma: {_DECIMAL_POINTS}.")
    rule = f"{path} has names of columns in line {number}, because not all of its cells are numbers, but"
    if "" in cells and not unnamed:
        raise DatasetError(
            f"{rule} column {cells.index('') + 1} has none: name every column, fill missing values, and save a "
            "pandas table with index=False."
        )
    repeated = first_repeated(filter(None, cells))
    if repeated is not None:
        raise DatasetError(f"{rule} two are called {repeated!r}: give every column its own name.")
    return tuple(cells)


def _first_problem(layout: _Layout, reason: str) -> DatasetError:
    """Return the error that names the first cell which keeps the file from being a table of numbers."""
    path, names = layout.path, layout.names
    lines = _lines(path, layout.delimiter)
    next(lines)
    rows = lines if names is not None else iter([(layout.first_number, layout.first), *lines])
    remedy = "leave the whole row empty" if layout.missing_rows else "remove the row"
    places = layout.of(range(len(layout.first)))
    for number, cells in rows:
        if len(cells) != len(layout.first):
            return DatasetError(
                f"{path} has {len(cells)} cells in line {number}, but {len(layout.first)} in line "
                f"{layout.first_number}: give every line the same number of cells."
            )
        if layout.missing_rows and _is_missing(layout.of(cells)):
            continue
        for k in places:
            complaint = _complaint(cells[k], remedy)
            if complaint:
                column = f"column {k + 1}" + (f" ({names[k]!r})" if names else "")
                return DatasetError(f"{path} has {complaint.format(f'in line {number}, {column}')}.")
    return DatasetError(f"{path} cannot be read as a table of numbers ({reason}).")


def _complaint(cell: str, remedy: str) -> str:
    """Say what is wrong with a cell, with a gap for its place, or nothing if it is a number that can be used."""
    shown = repr(cell if len(cell) <= 40 else cell[:37] + "...").replace("{", "{{").replace("}", "}}")
    if not cell:
        return f"no value {{}}: fill missing values in, or {remedy}"
    if _DECIMAL_COMMA.fullmatch(cell):
        return f"{shown} {{}}, which has a decimal comma: {_DECIMAL_POINTS}"
    if not _is_number(cell):
        return f"{shown} {{}}, which is not a number: give numbers only, for instance 0 and 1 for no and yes"
    if math.isnan(float(cell)):
        return f"{shown} {{}}, a missing value: fill missing values in, or {remedy}"
    if math.isinf(float(cell)):
        return f"{shown} {{}}, which is not finite: replace it by a number of at most {LARGEST_VALUE:g}"
    if abs(float(cell)) > LARGEST_VALUE:
        return f"{shown} {{}}: give values of at most {LARGEST_VALUE:g}, in another unit"
    return ""


def _not_utf8(path: Path) -> DatasetError:
    return DatasetError(f"{path} is not UTF-8 text: save it as CSV UTF-8, or give the file its own suffix.")

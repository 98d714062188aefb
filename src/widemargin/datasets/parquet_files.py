"""Parquet tables, read with pyarrow if it is installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.array_files import finite_numbers
from widemargin.datasets.files import LARGEST_TABLE, DatasetError, check_table_size, first_repeated, places_of

__all__ = ["read_parquet_labels", "read_parquet_names", "read_parquet_numbers"]

_LARGEST_COLUMN_OF_TEXT = 2**30


def read_parquet_numbers(
    path: Path, *, columns: Sequence[str] | None = None, missing_rows: bool = False
) -> tuple[npt.NDArray[np.float64], tuple[str, ...]]:
    """Read a table of numbers with the names of its columns, without the index that pandas may have added.

    Parameters
    ----------
    path : Path
        The file.
    columns : sequence of str or None, default=None
        Names of the columns to read, in this order; the others may hold anything. None reads all.
    missing_rows : bool, default=False
        Whether a row may have no value in any column.

    Returns
    -------
    values : ndarray of shape (n_rows, n_columns)
        The numbers, all finite; NaN in a row that is missing.
    names : tuple of str
        Names of the columns.

    Raises
    ------
    DatasetError
        If pyarrow is missing, or the file is not such a table.
    """
    table = _read_table(path, columns)
    check_table_size(path, table.num_rows, table.num_columns)
    import pyarrow as pa

    values = np.empty((table.num_rows, table.num_columns))
    for k, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        kind = column.type
        if not (pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)):
            raise DatasetError(
                f"{path} has column {name!r} of type {kind}: give columns of numbers or booleans only."
            )
        if not missing_rows:
            _check_no_nulls(path, name, column)
        # Of booleans with gaps pyarrow makes objects, of integers with gaps floats and NaN.
        values[:, k] = (column.cast(pa.int8()) if pa.types.is_boolean(kind) else column).to_numpy()
    return finite_numbers(str(path), values, missing_rows=missing_rows), tuple(table.column_names)


def read_parquet_names(path: Path) -> tuple[str, ...]:
    """Read the names of the columns only, without the index that pandas may have added.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    tuple of str
        The names.

    Raises
    ------
    DatasetError
        If pyarrow is missing, the file is damaged, or two columns have the same name.
    """
    with _opened(path) as file:
        return tuple(_column_names(path, file))


def read_parquet_labels(path: Path) -> npt.NDArray[Any]:
    """Read the one column of a table, of numbers, booleans or strings.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    ndarray of shape (n_rows,)
        Its values.

    Raises
    ------
    DatasetError
        If pyarrow is missing, or the file is not such a table.
    """
    table = _read_table(path)
    if table.num_columns != 1:
        raise DatasetError(
            f"{path} has {table.num_columns} columns: give a file with one column, the labels."
        )
    import pyarrow as pa

    (name,), (column,) = table.column_names, table.columns
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    _check_no_nulls(path, name, column)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return np.array(column.to_pylist(), dtype=np.str_)
    if (
        pa.types.is_boolean(column.type)
        or pa.types.is_integer(column.type)
        or pa.types.is_floating(column.type)
    ):
        return column.to_numpy()
    raise DatasetError(f"{path} has labels of type {column.type}: give strings, integers or booleans.")


def _read_table(path: Path, columns: Sequence[str] | None = None) -> Any:
    """Read some columns, or all that are no index of pandas, unless they are too large."""
    with _opened(path) as file:
        names = _column_names(path, file)
        if columns is not None:
            places_of(path, columns, names)
            names = list(columns)
        rows = file.metadata.num_rows
        groups = range(file.metadata.num_row_groups)
        n_bytes = sum(file.metadata.row_group(k).total_byte_size for k in groups)
        if rows * len(names) > LARGEST_TABLE or n_bytes > 8 * LARGEST_TABLE:
            raise DatasetError(
                f"{path} has {rows} rows, {len(names)} columns and {n_bytes} bytes: at most {LARGEST_TABLE} "
                "numbers are read."
            )
        return file.read(columns=names, use_threads=False).select(names)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open a file, and make one error of everything that pyarrow may find wrong with it."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise DatasetError(
            f"{path} is a Parquet file, which pyarrow reads: install it with pip install pyarrow, or save as .csv."
        ) from error
    try:
        with pq.ParquetFile(path) as file:
            yield file
    except (OSError, ValueError, MemoryError, KeyError, pa.ArrowException) as error:
        if isinstance(error, DatasetError):
            raise
        reason = str(error).partition("\n")[0]
        raise DatasetError(f"{path} cannot be read as a Parquet file ({reason}).") from error


def _column_names(path: Path, file: Any) -> list[str]:
    described = (file.schema_arrow.pandas_metadata or {}).get("index_columns", [])
    index = {name for name in described if isinstance(name, str)}
    names = [name for name in file.schema_arrow.names if name not in index]
    repeated = first_repeated(names)
    if repeated is not None:
        raise DatasetError(f"{path} has two columns called {repeated!r}: give every column its own name.")
    return names


def _check_no_nulls(path: Path, name: str, column: Any) -> None:
    if column.null_count:
        row = column.is_null().to_pylist().index(True)
        raise DatasetError(
            f"{path} has no value in row {row + 1}, counted from 1, of column {name!r}: fill missing values in, or "
            "remove the row."
        )

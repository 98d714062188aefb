"""Arrays of NumPy and SciPy on disk: one of an archive, dense or sparse, never unpickled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix

from widemargin.datasets.files import (
    DatasetError,
    array_sizes,
    check_array_header,
    check_table_size,
    check_text,
    read_npz,
)
from widemargin.validation import LARGEST_VALUE

__all__ = ["MOST_COLUMNS", "finite_numbers", "read_array", "read_matrix", "split_member"]

MOST_COLUMNS = 2**25
"""Most columns that a sparse table may have; a linear model stores a weight for each."""

_MOST_ROWS = 2**28
_MARK = ".npz:"
_SPARSE_PARTS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
}


def split_member(path: str | Path) -> tuple[Path, str | None]:
    """Split ``archive.npz:name`` into the archive and the name of one of its arrays.

    Parameters
    ----------
    path : str or Path
        What the user gave. A file that exists under all of it is that file.

    Returns
    -------
    file : Path
        The file.
    member : str or None
        Name of the array, if there is one.
    """
    text = str(path)
    at = text.lower().rfind(_MARK)
    if at < 0 or Path(text).exists():
        return Path(text), None
    return Path(text[: at + len(_MARK) - 1]), text[at + len(_MARK) :]


def read_array(path: Path, member: str | None) -> npt.NDArray[Any]:
    """Read one array of an ``.npy`` or ``.npz`` file.

    Parameters
    ----------
    path : Path
        The file.
    member : str or None
        Name of the array; None if the archive has only one.

    Returns
    -------
    ndarray
        The array, of any shape and of any type but object.

    Raises
    ------
    DatasetError
        If the file cannot be read, holds Python objects, or several arrays of which none is named.
    """
    if path.suffix.lower() == ".npy":
        try:
            with path.open("rb") as file:
                check_array_header(file, path.stat().st_size)
            return check_text(np.load(path, allow_pickle=False))
        except (OSError, ValueError, EOFError, MemoryError) as error:
            reason = str(error).partition("\n")[0]
            raise DatasetError(
                f"{path} cannot be read as a plain array ({reason}): save numbers, or labels as strings, with np.save."
            ) from error
    names = list(array_sizes(path))
    if member is None:
        if len(names) != 1:
            listed = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            raise DatasetError(
                f"{path} holds {len(names)} arrays ({listed or 'none'}): name the one to read, as in "
                f"{path.name}:{names[0] if names else 'X'}."
            )
        (member,) = names
    return read_npz(path, [member])[member]


def read_matrix(
    path: Path, member: str | None, *, missing_rows: bool = False
) -> npt.NDArray[np.float64] | csr_matrix:
    """Read a two-dimensional array of numbers, or a sparse matrix that ``scipy.sparse.save_npz`` wrote.

    Parameters
    ----------
    path : Path
        An ``.npy`` or ``.npz`` file.
    member : str or None
        Name of an array in the archive.
    missing_rows : bool, default=False
        Whether a row of an array may be NaN as a whole.

    Returns
    -------
    ndarray or csr_matrix of shape (n_rows, n_columns)
        The numbers, all finite but those of missing rows.

    Raises
    ------
    DatasetError
        If the file does not hold such a matrix.
    """
    if (
        path.suffix.lower() == ".npz"
        and member is None
        and {"format", "shape", "data"} <= set(array_sizes(path))
    ):
        return _read_sparse(path)
    array = read_array(path, member)
    where = str(path) if member is None else f"{path}:{member}"
    if array.ndim != 2:
        remedy = (
            "one feature of many samples is array.reshape(-1, 1), one sample array.reshape(1, -1)"
            if array.ndim == 1
            else "flatten each sample, array.reshape(len(array), -1)"
        )
        raise DatasetError(
            f"{where} has {array.ndim} dimensions, shape {array.shape}, but a table has two: {remedy}."
        )
    check_table_size(path, *array.shape)
    return finite_numbers(where, array, missing_rows=missing_rows)


def finite_numbers(
    where: str, array: npt.NDArray[Any], *, missing_rows: bool = False
) -> npt.NDArray[np.float64]:
    """Return a two-dimensional array as float64.

    Parameters
    ----------
    where : str
        The file, for the message.
    array : ndarray of shape (n_rows, n_columns)
        Booleans, integers or floats.
    missing_rows : bool, default=False
        Whether a row may be NaN as a whole.

    Returns
    -------
    ndarray of float64 of shape (n_rows, n_columns)
        The numbers.

    Raises
    ------
    DatasetError
        If they are of another type, or one is not finite or above `LARGEST_VALUE`: the message names its row and
        column, counted from 1.
    """
    if array.dtype.kind not in "biuf":
        raise DatasetError(
            f"{where} holds values of type {array.dtype}: give real numbers, or booleans, which become 0 and 1."
        )
    values = np.ascontiguousarray(array, dtype=np.float64)
    finite = np.isfinite(values)
    if missing_rows:
        finite |= np.isnan(values).all(axis=1, keepdims=True)
    if not finite.all():
        row, column = (int(k) for k in np.argwhere(~finite)[0])
        remedy = "make the whole row NaN" if missing_rows else "remove the row"
        raise DatasetError(
            f"{where} has {values[row, column]} in row {row + 1}, column {column + 1}, both counted from 1: fill "
            f"missing values in, or {remedy}."
        )
    too_large = np.abs(values) > LARGEST_VALUE
    if too_large.any():
        row, column = (int(k) for k in np.argwhere(too_large)[0])
        raise DatasetError(
            f"{where} has {values[row, column]:g} in row {row + 1}, column {column + 1}, both counted from 1: give "
            f"values of at most {LARGEST_VALUE:g}, in another unit."
        )
    return values


def _read_sparse(path: Path) -> csr_matrix:
    """Read a sparse matrix from its parts, checking that they fit together before anything follows an index."""
    head = read_npz(path, ["format", "shape"])
    layout, shape = head["format"], head["shape"]
    name = (
        layout.item().decode(errors="replace") if layout.dtype.kind == "S" and layout.size == 1 else "unknown"
    )
    if name not in _SPARSE_PARTS:
        raise DatasetError(
            f"{path} holds a sparse matrix in the format {name!r}: save it with scipy.sparse.save_npz(path, X.tocsr())."
        )
    if shape.shape != (2,) or shape.dtype.kind not in "iu":
        raise DatasetError(
            f"{path} does not hold a two-dimensional sparse matrix: save one with two dimensions."
        )
    n_rows, n_columns = (int(length) for length in shape)
    if not (0 < n_rows <= _MOST_ROWS and 0 < n_columns <= MOST_COLUMNS):
        raise DatasetError(
            f"{path} holds a sparse matrix of shape {n_rows} x {n_columns}: at least one row and column are needed, "
            f"and at most {MOST_COLUMNS} columns are read."
        )
    parts = read_npz(path, _SPARSE_PARTS[name])
    data, first, second = parts.values()
    if any(part.ndim != 1 for part in parts.values()) or any(
        part.dtype.kind not in "iu" for part in (first, second)
    ):
        raise DatasetError(
            f"{path} does not hold a sparse matrix: its parts must be flat, its indices integers."
        )
    if data.dtype.kind not in "biuf" or not np.isfinite(data).all():
        raise DatasetError(
            f"{path} holds a sparse matrix with values that are not finite real numbers: fill missing values in, or "
            "remove their rows."
        )
    if data.size and np.abs(data.astype(np.float64)).max() > LARGEST_VALUE:
        raise DatasetError(
            f"{path} holds a sparse matrix with values above {LARGEST_VALUE:g}: give them in another unit."
        )
    data = data.astype(np.float64)
    try:
        if name == "coo":
            matrix = coo_matrix((data, (first, second)), shape=(n_rows, n_columns))
        else:
            layout_class = csr_matrix if name == "csr" else csc_matrix
            matrix = layout_class((data, first, second), shape=(n_rows, n_columns))
            matrix.check_format(full_check=True)
    except (ValueError, TypeError, OverflowError) as error:
        raise DatasetError(f"{path} does not hold a sparse matrix ({error}).") from error
    matrix = matrix.tocsr()
    matrix.sum_duplicates()
    return matrix

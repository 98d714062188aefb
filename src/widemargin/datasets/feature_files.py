"""A user's own table of features, in whichever of the common formats it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, issparse

from widemargin.datasets.array_files import read_matrix, split_member
from widemargin.datasets.delimited import read_delimited_names, read_delimited_numbers
from widemargin.datasets.files import DatasetError, check_file, places_of
from widemargin.datasets.parquet_files import read_parquet_names, read_parquet_numbers
from widemargin.datasets.svmlight_files import read_svmlight

__all__ = [
    "SVMLIGHT_SUFFIXES",
    "TEXT_SUFFIXES",
    "FeatureTable",
    "read_column_names",
    "read_features",
    "unknown_suffix",
]

TEXT_SUFFIXES = (".csv", ".tsv", ".txt")
SVMLIGHT_SUFFIXES = (".svmlight", ".libsvm", ".svm")


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Features of samples, one row a sample.

    Parameters
    ----------
    values : ndarray or csr_matrix of float64 of shape (n_rows, n_columns)
        The numbers, all finite; or NaN in all columns of a row that is missing, if it was allowed to be.
    names : tuple of str, or None
        A name for each column, all different, if the file has them. The columns of an svmlight file are named by
        their indices.
    labels : ndarray of float64 of shape (n_rows,), or None, default=None
        The number that starts each line of an svmlight file, whether or not it is of use.
    """

    values: npt.NDArray[np.float64] | csr_matrix
    names: tuple[str, ...] | None
    labels: npt.NDArray[np.float64] | None = None


def read_features(
    path: str | Path, *, columns: Sequence[str] | None = None, missing_rows: bool = False
) -> FeatureTable:
    r"""Read a table of features, in the format that its suffix says.

    ========================= ==========================================================================
    Suffix                    Content
    ========================= ==========================================================================
    .csv, .tsv, .txt          Numbers separated by comma, semicolon, tab or, in .txt, spaces, in UTF-8
                              with decimal points. The first line names the columns unless all of its
                              cells are numbers.
    .npy                      A two-dimensional array.
    .npz                      The same, ``archive.npz:name`` if there are several; or a sparse matrix of
                              ``scipy.sparse.save_npz``.
    .parquet                  Columns of numbers or booleans; needs pyarrow.
    .svmlight, .libsvm, .svm  Lines of a label and ``index:value`` pairs; the table is sparse.
    ========================= ==========================================================================

    Nothing is unpickled, and sizes are checked before memory is reserved: at most 2**28 numbers of a dense table
    are read.

    Parameters
    ----------
    path : str or Path
        The file.
    columns : sequence of str or None, default=None
        Names of the columns to read, in this order; the others may hold anything, such as text. Of text and Parquet
        only. None reads all columns.
    missing_rows : bool, default=False
        Whether rows of a dense table may be missing, as of samples whose privileged features nobody knows. Such a
        row is empty or NaN as a whole, in text also a line without anything between others; it is NaN in the
        result. A row that lacks only some values is an error all the same. In a sparse table an empty row is zeros.

    Returns
    -------
    FeatureTable
        The numbers as float64, and the names of the columns if there are any.

    Raises
    ------
    DatasetError
        If the file is missing, empty, damaged, too large, or has missing values, values above 1e70 or other things
        than numbers: the message names the file, the place, what was found and the remedy.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from widemargin.datasets import read_features
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "leaves.csv"
    ...     _ = path.write_text("length,width\n5.1,3.5\n4.9,3\n")
    ...     table = read_features(path)
    >>> table.names
    ('length', 'width')
    >>> table.values
    array([[5.1, 3.5],
           [4.9, 3. ]])
    """
    file, member = split_member(path)
    check_file(file)
    suffix = file.suffix.lower()
    if suffix in TEXT_SUFFIXES:
        table = FeatureTable(*read_delimited_numbers(file, columns=columns, missing_rows=missing_rows))
        return _some_row(file, table)
    if suffix == ".parquet":
        table = FeatureTable(*read_parquet_numbers(file, columns=columns, missing_rows=missing_rows))
        return _some_row(file, table)
    if columns is not None:
        places_of(file, columns, None)
    if suffix in (".npy", ".npz"):
        return _some_row(file, FeatureTable(read_matrix(file, member, missing_rows=missing_rows), None))
    if suffix in SVMLIGHT_SUFFIXES:
        return FeatureTable(*read_svmlight(file))
    raise unknown_suffix(file)


def read_column_names(path: str | Path) -> tuple[str, ...] | None:
    """Read the names of the columns of a table, without its numbers.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    tuple of str, or None
        The names, of which some may be empty; None if the file has none, or its format names no columns, as all but
        text and Parquet.

    Raises
    ------
    DatasetError
        If the file is missing, empty or damaged, or the names are not different.
    """
    file, _ = split_member(path)
    check_file(file)
    suffix = file.suffix.lower()
    if suffix in TEXT_SUFFIXES:
        return read_delimited_names(file)
    return read_parquet_names(file) if suffix == ".parquet" else None


def _some_row(path: Path, table: FeatureTable) -> FeatureTable:
    """Return a table that has at least one row which is not missing."""
    if not issparse(table.values) and np.isnan(table.values).all():
        raise DatasetError(
            f"{path} has values in none of its {len(table.values)} rows: give at least one row."
        )
    return table


def unknown_suffix(path: Path) -> DatasetError:
    """Return the error that lists the suffixes that are known.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    DatasetError
        To be raised.
    """
    known = ", ".join((*TEXT_SUFFIXES, ".npy", ".npz", ".parquet", *SVMLIGHT_SUFFIXES))
    return DatasetError(
        f"{path} has {f'the unknown suffix {path.suffix!r}' if path.suffix else 'no suffix'}: give a file with one of "
        f"{known}."
    )

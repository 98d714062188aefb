"""Sparse tables in the text format of SVMlight and LIBSVM, which carry their labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.datasets import load_svmlight_file

from widemargin.datasets.files import DatasetError
from widemargin.validation import LARGEST_VALUE

__all__ = ["read_svmlight"]

_LARGEST_TEXT = 2**30
# Every column gets a name.
_MOST_COLUMNS = 2**21


def read_svmlight(path: Path) -> tuple[csr_matrix, tuple[str, ...], npt.NDArray[np.float64]]:
    """Read a file of lines ``label index:value index:value ...``.

    The columns are named by their index in the file. Where no index is 0 the first column is index 1, as the format
    says; otherwise it is index 0, as scikit-learn writes it.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    values : csr_matrix of shape (n_rows, n_columns)
        The numbers; as many columns as the largest index needs.
    names : tuple of str
        The index of each column.
    labels : ndarray of shape (n_rows,)
        The first number of each line.

    Raises
    ------
    DatasetError
        If the file is larger than 1 GiB, no such table, or has an index above two million.
    """
    if path.stat().st_size > _LARGEST_TEXT:
        raise DatasetError(f"{path} is larger than the 1 GiB that is read: give fewer rows.")
    try:
        values, labels = load_svmlight_file(str(path), dtype=np.float64, zero_based=True)
    except (OSError, ValueError, OverflowError, MemoryError, IndexError) as error:
        reason = str(error).partition("\n")[0]
        raise DatasetError(
            f"{path} cannot be read as lines of a numeric label and index:value pairs ({reason})."
        ) from error
    n_rows, n_columns = values.shape
    if n_rows == 0 or values.nnz == 0:
        raise DatasetError(f"{path} has {n_rows} rows and {values.nnz} values: give at least one of each.")
    if n_columns > _MOST_COLUMNS:
        raise DatasetError(
            f"{path} has the index {n_columns - 1}: at most {_MOST_COLUMNS - 1} is read, so number the columns anew."
        )
    finite = np.isfinite(values.data)
    if not finite.all():
        place = int(np.flatnonzero(~finite)[0])
        row = int(np.searchsorted(values.indptr, place, side="right"))
        raise DatasetError(
            f"{path} has {values.data[place]} in row {row}, counted from 1, at index {values.indices[place]}: fill "
            "missing values in, or remove the row."
        )
    too_large = np.abs(values.data) > LARGEST_VALUE
    if too_large.any():
        place = int(too_large.argmax())
        row = int(np.searchsorted(values.indptr, place, side="right"))
        raise DatasetError(
            f"{path} has {values.data[place]:g} in row {row}, counted from 1, at index {values.indices[place]}: give "
            f"values of at most {LARGEST_VALUE:g}, in another unit."
        )
    first = 0 if (values.indices == 0).any() else 1
    return values[:, first:], tuple(str(k) for k in range(first, n_columns)), labels

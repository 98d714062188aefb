"""Sparse matrices in benchmark files: check the parts before they are put together, and say what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from widemargin.datasets.files import DatasetError

__all__ = ["SPARSE_PARTS", "dense_matrix"]

SPARSE_PARTS: tuple[str, ...] = ("data", "indices", "indptr", "shape")
"""Names of the arrays of a matrix in compressed rows, each behind the prefix of the matrix."""


def dense_matrix(
    arrays: Mapping[str, npt.NDArray[Any]],
    path: Path,
    *,
    prefix: str = "",
    counts: bool = True,
    most_images: int,
    most_features: int,
) -> npt.NDArray[np.float64]:
    """Return a matrix in compressed rows as a dense one.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Arrays of the file, among them the `SPARSE_PARTS` behind the prefix.
    path : Path
        The file, for messages.
    prefix : str, default=""
        Start of the names of the four parts.
    counts : bool, default=True
        Whether the entries must be integers of at least 0; otherwise finite numbers.
    most_images, most_features : int
        Largest numbers of rows and columns that are made dense.

    Returns
    -------
    ndarray of shape (n_images, n_features)
        The matrix.

    Raises
    ------
    DatasetError
        If the parts do not make a matrix, or one with too many rows or columns, or other entries.
    """
    names = [prefix + part for part in SPARSE_PARTS]
    data, indices, indptr, shape = (arrays[name] for name in names)
    integers = [part.ndim == 1 and part.dtype.kind in "iu" for part in (data, indices, indptr, shape)]
    if not counts:
        integers[0] = data.ndim == 1 and data.dtype.kind in "iuf"
    if not all(integers) or shape.size != 2:
        kind = "integers" if counts else "integers, only the first with fractions"
        raise DatasetError(
            f"{path} must hold {', '.join(names[:3])} and {names[3]} as one-dimensional {kind}, and of these two in "
            f"{names[3]}."
        )
    n_images, n_features = (int(size) for size in shape)
    if not (0 < n_images <= most_images and 0 < n_features <= most_features):
        raise DatasetError(
            f"{path} has {names[3]} {n_images} x {n_features}: at most {most_images} images and {most_features} "
            "features are read, at least one of each."
        )
    try:
        matrix = csr_matrix(
            (data.astype(np.float64), indices.astype(np.int64), indptr.astype(np.int64)),
            shape=(n_images, n_features),
        )
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise DatasetError(f"{path} does not hold a sparse matrix in {names[0]} ({error}).") from error
    if not np.isfinite(matrix.data).all():
        raise DatasetError(f"{path} has numbers in {names[0]} that are not finite.")
    if counts and matrix.data.size and matrix.data.min() < 0:
        raise DatasetError(f"{path} has negative counts in {names[0]}.")
    return np.asarray(matrix.toarray(), dtype=np.float64)

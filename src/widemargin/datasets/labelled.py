"""Images of several classes in one ``.npz`` file, with features in two spaces: what the readers of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import (
    DatasetError,
    MissingDatasetError,
    check_table_size,
    read_npz,
)
from widemargin.datasets.names import check_names
from widemargin.validation import LARGEST_VALUE

__all__ = ["check_class_index", "read_labelled"]

Arrays = dict[str, npt.NDArray[Any]]

_MOST_CLASSES = 10_000


def read_labelled(path: Path, further: Sequence[str]) -> tuple[Arrays, tuple[str, ...]]:
    """Read the arrays ``X``, ``X_privileged``, ``y`` and ``classes``, and further ones that the caller checks.

    Parameters
    ----------
    path : Path
        The file.
    further : sequence of str
        Names of further arrays, which the file must have.

    Returns
    -------
    arrays : dict of str to ndarray
        All arrays: both feature matrices with a row an image, finite, in the type of the file; ``y`` as int64.
    class_names : tuple of str
        Different names, one a class.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not in this layout; `MissingDatasetError` in the first case.
    """
    if not path.is_file():
        raise MissingDatasetError(f"{path} is missing: its layout is documented in docs/reproduce.md.")
    arrays = read_npz(path, ["X", "X_privileged", "y", "classes", *further])
    for name in ("X", "X_privileged"):
        matrix = arrays[name]
        if matrix.ndim != 2 or matrix.dtype.kind not in "fiu":
            raise DatasetError(
                f"{path} holds {name} of shape {matrix.shape} and type {matrix.dtype}: expected is a matrix of "
                "numbers, one row an image."
            )
        check_table_size(path, *matrix.shape)
        if not np.isfinite(matrix).all():
            raise DatasetError(
                f"{path} holds {name} with values that are not finite: leave out those images."
            )
        if np.abs(matrix.astype(np.float64, copy=False)).max() > LARGEST_VALUE:
            raise DatasetError(
                f"{path} holds {name} with values above {LARGEST_VALUE:g}: give them in another unit."
            )
    n_images = len(arrays["X"])
    if len(arrays["X_privileged"]) != n_images:
        raise DatasetError(
            f"{path} holds X of {n_images} images and X_privileged of {len(arrays['X_privileged'])}: both must have "
            "the same rows."
        )
    arrays["y"], names = check_class_index(arrays, path, n_images)
    if len(set(names)) < len(names) or not 2 <= len(names) <= _MOST_CLASSES:
        raise DatasetError(
            f"{path} holds {len(names)} names of classes, {len(set(names))} of them different: expected are at least "
            f"two, at most {_MOST_CLASSES}, all different."
        )
    return arrays, tuple(names)


def check_class_index(
    arrays: Mapping[str, npt.NDArray[Any]], path: Path, n_images: int
) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Return the index of the class of every image, and the names of all classes, as a file has them.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        Has ``y`` and ``classes``.
    path : Path
        The file, for the message.
    n_images : int
        Number of images, at least one.

    Returns
    -------
    y : ndarray of int of shape (n_images,)
        Index into the names.
    names : list of str
        The names.

    Raises
    ------
    DatasetError
        If ``y`` is not one integer an image, or ``classes`` not as many names as it indexes, or a name not a line of
        text.
    """
    y, classes = arrays["y"], arrays["classes"]
    if y.shape != (n_images,) or y.dtype.kind not in "iu":
        raise DatasetError(
            f"{path} holds y of shape {y.shape} and type {y.dtype}: expected are {n_images} integers."
        )
    if classes.ndim != 1 or classes.dtype.kind != "U" or int(y.min()) < 0 or int(y.max()) >= classes.size:
        raise DatasetError(f"{path} must hold names of classes, as many as y indexes.")
    names = [str(name) for name in classes]
    check_names(path, "classes", names)
    return y.astype(np.int64), names

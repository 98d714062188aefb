"""Images with the features of a bounding box as privileged information, in groups of similar classes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, data_folder
from widemargin.datasets.labelled import read_labelled
from widemargin.datasets.names import check_names

__all__ = ["BoundingBoxImages", "load_bounding_boxes"]


@dataclass(frozen=True, eq=False)
class BoundingBoxImages:
    """Features of whole images and of the box around the object in them.

    Parameters
    ----------
    X : ndarray of shape (n_images, n_features)
        Features of the whole image, in the type of the file.
    X_privileged : ndarray of shape (n_images, n_privileged_features)
        Features of the box.
    y : ndarray of int of shape (n_images,)
        Index into `class_names`.
    class_names : tuple of str
        Names of the classes.
    groups : tuple of str
        For every class the group that it belongs to; a class is told from the others of its group.
    """

    X: npt.NDArray[Any]
    X_privileged: npt.NDArray[Any]
    y: npt.NDArray[np.int64]
    class_names: tuple[str, ...]
    groups: tuple[str, ...]


def load_bounding_boxes(folder: str | Path) -> BoundingBoxImages:
    """Read ``bounding_boxes.npz``: images of several classes, seen whole and in their bounding box.

    The file holds ``X`` and ``X_privileged``, matrices of numbers with one row for each image, ``y``, the index of the
    class of every image, ``classes``, the names of all classes, and ``groups``, the name of the group of every class.

    Parameters
    ----------
    folder : str or Path
        Folder with the file.

    Returns
    -------
    BoundingBoxImages
        What the file holds.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not as described, or a group has one class only.
    """
    path = data_folder(folder) / "bounding_boxes.npz"
    arrays, names = read_labelled(path, ["groups"])
    groups = arrays["groups"]
    if groups.shape != (len(names),) or groups.dtype.kind != "U":
        raise DatasetError(
            f"{path} holds groups of shape {groups.shape} and type {groups.dtype}: expected are names, one for each "
            f"of {len(names)} classes."
        )
    check_names(path, "groups", map(str, groups))
    group_names, sizes = np.unique(groups, return_counts=True)
    if sizes.min() < 2:
        raise DatasetError(
            f"{path} has the group {str(group_names[sizes.argmin()])!r} with one class: there must be others to tell "
            "it from."
        )
    return BoundingBoxImages(
        arrays["X"], arrays["X_privileged"], arrays["y"], names, tuple(str(group) for group in groups)
    )

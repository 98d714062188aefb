"""Images with people's judgement of how easy they are to recognise, and attributes as the other kind of help."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, data_folder
from widemargin.datasets.labelled import read_labelled

__all__ = ["ScoredImages", "load_human_scores"]


@dataclass(frozen=True, eq=False)
class ScoredImages:
    """Features of images, features that exist in training only, and people's scores.

    Parameters
    ----------
    X : ndarray of shape (n_images, n_features)
        Histograms: not negative, no row without a positive number; in the type of the file.
    X_privileged : ndarray of shape (n_images, n_privileged_features)
        Privileged features, such as attributes.
    y : ndarray of int of shape (n_images,)
        Index into `class_names`.
    class_names : tuple of str
        Names of the classes.
    easiness : ndarray of shape (n_images,)
        Greater is easier; NaN for images that nobody judged.
    """

    X: npt.NDArray[Any]
    X_privileged: npt.NDArray[Any]
    y: npt.NDArray[np.int64]
    class_names: tuple[str, ...]
    easiness: npt.NDArray[np.float64]


def load_human_scores(folder: str | Path) -> ScoredImages:
    """Read ``human_scores.npz``: images of several classes, with people's scores of their easiness.

    The file holds ``X`` and ``X_privileged``, matrices of numbers with one row for each image, ``y``, the index of the
    class of every image, ``classes``, the names of all classes, and ``easiness``, one number an image: the greater,
    the easier for people, and NaN for an image that nobody judged. `aggregate_easiness` makes such scores of people's
    rankings.

    Parameters
    ----------
    folder : str or Path
        Folder with the file.

    Returns
    -------
    ScoredImages
        What the file holds.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not as described, or all scores are equal.
    """
    path = data_folder(folder) / "human_scores.npz"
    arrays, names = read_labelled(path, ["easiness"])
    X, easiness = arrays["X"], arrays["easiness"]
    if X.min() < 0 or not X.any(axis=1).all():
        raise DatasetError(
            f"{path} holds X with a negative value, or a row without a positive one: expected are histograms, whose "
            "rows can be scaled to the sum 1."
        )
    if easiness.shape != (len(X),) or easiness.dtype.kind not in "fiu" or np.isinf(easiness).any():
        raise DatasetError(
            f"{path} holds easiness of shape {easiness.shape} and type {easiness.dtype}: expected are {len(X)} finite "
            "numbers, or NaN for an image that nobody judged."
        )
    scores = easiness[np.isfinite(easiness)]
    if scores.size == 0 or scores.min() == scores.max():
        raise DatasetError(
            f"{path} holds easiness without two different scores: they must tell easy from hard."
        )
    return ScoredImages(X, arrays["X_privileged"], arrays["y"], names, easiness.astype(np.float64))

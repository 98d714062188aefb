"""Small grey images in an array of a file: what the readers of them check."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, check_table_size

__all__ = ["scaled_grey_images"]


def scaled_grey_images(
    path: Path, name: str, images: npt.NDArray[Any], shape: tuple[int, ...]
) -> npt.NDArray[np.float64]:
    """Return 8-bit images as rows of intensities, or say how they differ from what a file should hold.

    Parameters
    ----------
    path : Path
        The file, for the message.
    name : str
        Name of the array, for the message.
    images : ndarray
        What the file holds.
    shape : tuple of int
        Shape that each image must have.

    Returns
    -------
    ndarray of shape (n_images, n_pixels)
        Intensities in [0, 1], a row an image, at least one.

    Raises
    ------
    DatasetError
        If the array is not of 8-bit images of this shape, or has none or too many.
    """
    if images.dtype != np.uint8 or images.ndim != 1 + len(shape) or images.shape[1:] != shape:
        expected = ", ".join(["n_images", *map(str, shape)])
        raise DatasetError(
            f"{path} holds {name} of shape {images.shape} and type {images.dtype}: expected are 8-bit images, an array "
            f"of shape ({expected}) and type uint8."
        )
    n_pixels = math.prod(shape)
    check_table_size(path, len(images), n_pixels)
    return images.reshape(len(images), n_pixels) / 255.0

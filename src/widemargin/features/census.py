"""The census transform, and histograms of its codes in overlapping patches (CENTRIST descriptors)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["N_CODES", "census_transform", "patch_grid", "patch_histograms"]

N_CODES = 256
"""Number of codes that a pixel may have."""

# Rows and columns of the eight neighbours, in the order of the bits from the highest.
_NEIGHBOURS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))
# Counts of a band of patches. They are collected in 64 bits, so this many take 32 MiB.
_MOST_COUNTS = 2**22


def census_transform(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return a code for each pixel that has eight neighbours: which of them are not brighter than it.

    The neighbours from top left to bottom right give the bits from the highest to the lowest; a bit is 1 if the pixel
    is at least as bright as the neighbour (Zabih and Woodfill, "Non-parametric local transforms for computing visual
    correspondence", ECCV 1994, in the form that CENTRIST uses).

    Parameters
    ----------
    pixels : ndarray of uint8 of shape (height, width)
        A grey picture.

    Returns
    -------
    ndarray of uint8 of shape (max(height - 2, 0), max(width - 2, 0))
        Codes; none if the picture is lower or narrower than three pixels.
    """
    height, width = (max(length - 2, 0) for length in pixels.shape)
    codes = np.zeros((height, width), dtype=np.uint8)
    if codes.size == 0:
        return codes
    centre = pixels[1:-1, 1:-1]
    for bit, (row, column) in zip(range(7, -1, -1), _NEIGHBOURS, strict=True):
        darker = centre >= pixels[row : row + height, column : column + width]
        codes |= darker.view(np.uint8) << np.uint8(bit)
    return codes


def patch_grid(shape: tuple[int, ...], patch_size: int, step: int) -> tuple[int, int]:
    """Return how many rows and columns of patches lie inside an array of codes.

    Parameters
    ----------
    shape : tuple of two int
        Height and width of the codes.
    patch_size : int
        Side of a patch.
    step : int
        Distance of neighbouring patches, at least 1.

    Returns
    -------
    n_rows, n_columns : int
        Both 0 if no patch fits.
    """
    height, width = shape
    if min(height, width) < patch_size:
        return 0, 0
    return (height - patch_size) // step + 1, (width - patch_size) // step + 1


def patch_histograms(
    codes: npt.NDArray[np.uint8], patch_size: int, step: int
) -> Iterator[npt.NDArray[np.unsignedinteger[Any]]]:
    """Count the codes in square patches on a regular grid that begins at the top left corner.

    Codes are counted once, in cells as large as the step; a patch is the sum of its cells. Patches of a large picture
    come in bands of rows, so that memory does not grow with its height.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (height, width)
        Codes of pixels.
    patch_size : int
        Side of a patch, a multiple of `step`.
    step : int
        Distance of neighbouring patches, at least 1.

    Yields
    ------
    ndarray of shape (n_rows, n_columns, 256)
        The histograms of one band of `patch_grid` after the other, uint16, or uint32 if patches are larger than
        255 x 255.
    """
    n_rows, n_columns = patch_grid(codes.shape, patch_size, step)
    if n_rows == 0:
        return
    n_cells = patch_size // step
    width = n_columns + n_cells - 1
    dtype = np.uint16 if patch_size < 2**8 else np.uint32
    band = max(_MOST_COUNTS // (width * N_CODES), 1)
    for start in range(0, n_rows, band):
        height = min(band, n_rows - start) + n_cells - 1
        part = codes[start * step : (start + height) * step, : width * step]
        cells = _cell_histograms(part, step, height, width).astype(dtype)
        down = _sliding_sum(cells, n_cells)
        yield np.ascontiguousarray(_sliding_sum(down.swapaxes(0, 1), n_cells).swapaxes(0, 1))


def _cell_histograms(
    codes: npt.NDArray[np.uint8], step: int, height: int, width: int
) -> npt.NDArray[np.intp]:
    """Count the codes in `height` x `width` square cells that tile the array."""
    first = np.arange(height * width).reshape(height, width) * N_CODES
    places = codes.reshape(height, step, width, step) + first[:, None, :, None]
    return np.bincount(places.ravel(), minlength=first.size * N_CODES).reshape(height, width, N_CODES)


def _sliding_sum(values: npt.NDArray[Any], length: int) -> npt.NDArray[Any]:
    """Return sums of `length` neighbours along the first axis."""
    n_sums = len(values) - length + 1
    total = values[:n_sums].copy()
    for shift in range(1, length):
        total += values[shift : shift + n_sums]
    return total

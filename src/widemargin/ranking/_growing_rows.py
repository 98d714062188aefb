"""A matrix to which rows are appended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["GrowingRows"]

Array = npt.NDArray[np.float64]


class GrowingRows:
    """A matrix in a buffer with room for more rows, which doubles when it is full.

    Parameters
    ----------
    width : int
        Number of columns.
    """

    def __init__(self, width: int) -> None:
        self._buffer = np.empty((16, width))
        self._n_rows = 0

    @property
    def rows(self) -> Array:
        """The rows so far, as a view of shape (n_rows, width) that is good until the next change."""
        return self._buffer[: self._n_rows]

    def append(self, row: Array) -> None:
        """Append a row; a shorter one is filled up with zeros."""
        if self._n_rows == len(self._buffer):
            larger = np.empty((2 * self._n_rows, self._buffer.shape[1]))
            larger[: self._n_rows] = self._buffer
            self._buffer = larger
        self._buffer[self._n_rows, : row.size] = row
        self._buffer[self._n_rows, row.size :] = 0
        self._n_rows += 1

    def keep(self, kept: Sequence[int]) -> None:
        """Drop all rows but those of these ascending indices, in place."""
        for target, source in enumerate(kept):
            if target != source:
                self._buffer[target] = self._buffer[source]
        self._n_rows = len(kept)

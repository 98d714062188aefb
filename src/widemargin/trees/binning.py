"""Bins of features: what the growing of trees sees of real values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.trees._arrays import as_table
from widemargin.validation import check_integer

__all__ = ["BinMapper"]

_MOST_ROWS = 50_000
_MOST_BINS = 256


@dataclass(frozen=True)
class BinMapper:
    """Thresholds that put each feature's values into at most 255 bins, and missing values into one more.

    A feature with k thresholds has k + 1 bins of values: bin b holds threshold[b - 1] < x <= threshold[b], so that
    ``x <= threshold[b]`` exactly if its code is at most b. NaN has the code k + 1, whether or not the feature had
    any in `fit`. A feature with as few distinct values as bins gets one bin a value, with thresholds midway between
    neighbours; else bins hold about equally many rows, and a value that has a bin's share of rows by itself gets its
    own. Constant features have one bin.

    Parameters
    ----------
    thresholds : ndarray of float64 of shape (n_thresholds,)
        Increasing thresholds of the first feature, then of the second, and so on.
    offsets : ndarray of int64 of shape (n_features + 1,)
        Feature f has ``thresholds[offsets[f]:offsets[f + 1]]``.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.trees import BinMapper
    >>> X = np.array([[0.0, 5.0], [1.0, 5.0], [np.nan, 5.0], [3.0, 5.0]])
    >>> bins = BinMapper.fit(X)
    >>> bins.thresholds
    array([0.5, 2. ])
    >>> bins.transform(X)
    array([[0, 1, 3, 2],
           [0, 0, 0, 0]], dtype=uint8)
    """

    thresholds: npt.NDArray[np.float64]
    offsets: npt.NDArray[np.int64]

    @classmethod
    def fit(cls, X: Any, max_bins: int = _MOST_BINS, *, n_threads: int = 1) -> BinMapper:
        """Find thresholds.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Float32 or float64 in any memory layout, else converted to float64. NaN is a missing value; infinite
            values are the caller's to reject. Of more than 50,000 rows, 50,000 are looked at: one drawn from each
            of as many equal stretches, always the same.
        max_bins : int, default=256
            Bins a feature, that of missing values included; from 2 to 256.
        n_threads : int, default=1
            Threads at most; the result does not depend on it.

        Returns
        -------
        BinMapper
            The thresholds.

        Raises
        ------
        ValueError
            If X has not two dimensions or `max_bins` is out of range.
        TypeError
            If `max_bins` is not an integer.
        """
        max_bins = check_integer("max_bins", max_bins, at_least=2)
        if max_bins > _MOST_BINS:
            raise ValueError(
                f"max_bins must be at most {_MOST_BINS}, got {max_bins}: codes are single bytes."
            )
        table = as_table(X)
        thresholds, offsets = _native.fit_bins(table, _sample(table.shape[0]), max_bins - 1, n_threads)
        return cls(thresholds, offsets)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.offsets) - 1

    @cached_property
    def n_bins(self) -> npt.NDArray[np.int32]:
        """Bins of values of each feature, the one of missing values not counted: also the code of the latter."""
        return (np.diff(self.offsets) + 1).astype(np.int32)

    def transform(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.uint8]:
        """Return the codes of X, one row a feature.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As in `fit`.
        n_threads : int, default=1
            Threads at most.

        Returns
        -------
        ndarray of uint8 of shape (n_features, n_samples)
            C-contiguous.

        Raises
        ------
        ValueError
            If X has another number of features than in `fit`.
        """
        return _native.bin_codes(as_table(X, self.n_features), self.thresholds, self.offsets, n_threads)


def _sample(n_rows: int) -> npt.NDArray[np.int64]:
    """Rows to look at: all, or a fixed draw of one from each of equal stretches, so that no period of X matters."""
    if n_rows <= _MOST_ROWS:
        return np.arange(n_rows, dtype=np.int64)
    edges = np.linspace(0, n_rows, _MOST_ROWS + 1).astype(np.int64)
    return np.random.default_rng(0).integers(edges[:-1], edges[1:])

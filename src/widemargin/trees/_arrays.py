"""The arrays that the compiled loops take."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["as_table"]


def as_table(X: Any, n_features: int | None = None) -> npt.NDArray[Any]:
    """Return X as a two-dimensional array of float32 or float64 of any memory layout; those are not copied.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Features; NaN is a missing value. Infinite values are the caller's to reject.
    n_features : int, optional
        The number of columns expected.

    Returns
    -------
    ndarray of shape (n_samples, n_features)
        Float32 if X is, else float64.

    Raises
    ------
    ValueError
        If X has not two dimensions or not that number of columns.
    """
    table = np.asarray(X)
    if table.dtype not in (np.float32, np.float64):
        table = table.astype(np.float64)
    if table.ndim != 2:
        raise ValueError(
            f"X has {table.ndim} dimensions, expected (n_samples, n_features): reshape a single feature with "
            "reshape(-1, 1)."
        )
    if n_features is not None and table.shape[1] != n_features:
        raise ValueError(f"X has {table.shape[1]} features, expected {n_features}: pass those of the fit.")
    # Records and unaligned buffers have strides between whole elements.
    if any(stride % table.itemsize for stride in table.strides) or not table.flags.aligned:
        table = np.ascontiguousarray(table)
    return table.astype(table.dtype.newbyteorder("="), copy=False)

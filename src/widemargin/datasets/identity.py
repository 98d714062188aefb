"""Say which data a result was computed from."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

__all__ = ["array_identity"]


def array_identity(*arrays: npt.ArrayLike) -> str:
    """Hash the content of arrays, so that results of other data are never taken for results of these.

    Parameters
    ----------
    *arrays : array-like
        Numbers of any shape; their order matters, their memory layout does not.

    Returns
    -------
    str
        Twelve hexadecimal digits.

    Examples
    --------
    >>> array_identity([1.0, 2.0]) == array_identity([2.0, 1.0])
    False
    """
    digest = hashlib.sha256()
    for values in arrays:
        array = np.ascontiguousarray(values)
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()[:12]

"""Handwritten digits in two resolutions: the smallest real data set with privileged information."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits

__all__ = ["PrivilegedDigits", "load_privileged_digits"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PrivilegedDigits:
    """Digits as a classifier sees them later, and as they can be seen during training only.

    Parameters
    ----------
    X : ndarray of shape (1797, 16)
        Images of 4 x 4 pixels, each the mean of 2 x 2 pixels of the full image; intensities in [0, 1].
    X_privileged : ndarray of shape (1797, 64)
        The full images of 8 x 8 pixels; intensities in [0, 1].
    y : ndarray of int of shape (1797,)
        The digits, 0 to 9.
    """

    X: FloatArray
    X_privileged: FloatArray
    y: npt.NDArray[np.int64]


def load_privileged_digits() -> PrivilegedDigits:
    """Return scikit-learn's handwritten digits with the full image as privileged information.

    The low resolution stands for a cheap camera at work, the high one for the good camera of the laboratory
    where the training data were taken. The data are part of scikit-learn: nothing is downloaded.

    Returns
    -------
    PrivilegedDigits
        Both resolutions and the labels, one row an image.

    References
    ----------
    .. [1] E. Alpaydin and C. Kaynak, "Optical recognition of handwritten digits", UCI Machine Learning
       Repository, 1998.

    Examples
    --------
    >>> from widemargin.datasets import load_privileged_digits
    >>> digits = load_privileged_digits()
    >>> digits.X.shape, digits.X_privileged.shape
    ((1797, 16), (1797, 64))
    """
    pixels, labels = load_digits(return_X_y=True)
    full = pixels / 16.0
    pooled = full.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    return PrivilegedDigits(pooled, full, labels.astype(np.int64))

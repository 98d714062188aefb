"""USPS: handwritten digits of American postal codes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, data_folder, read_npz
from widemargin.datasets.grey_images import scaled_grey_images

__all__ = ["UspsDigits", "load_usps"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_N_PIXELS = 256


@dataclass(frozen=True, eq=False)
class UspsDigits:
    """Images of digits in two parts.

    Parameters
    ----------
    X_train : ndarray of shape (n_train, 256)
        Training images of 16 x 16 pixels; intensities in [0, 1].
    y_train : ndarray of int of shape (n_train,)
        Their digits, 0 to 9.
    X_test : ndarray of shape (n_test, 256)
        Test images.
    y_test : ndarray of int of shape (n_test,)
        Their digits.
    """

    X_train: FloatArray
    y_train: IntArray
    X_test: FloatArray
    y_test: IntArray


def load_usps(folder: str | Path) -> UspsDigits:
    """Read the USPS digits [1]_ from an ``.npz`` file.

    ``usps.npz`` has ``train_images`` and ``test_images``, 8-bit arrays with 256 pixels a row, and ``train_digits`` and
    ``test_digits``, an integer from 0 to 9 for each row. The set has 7,291 training and 2,007 test images; other
    numbers are read, too.

    Parameters
    ----------
    folder : str or Path
        Folder with the file.

    Returns
    -------
    UspsDigits
        Images and digits, in the order of the file.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not as described.

    References
    ----------
    .. [1] J. J. Hull, "A database for handwritten text recognition research", IEEE Transactions on Pattern Analysis
       and Machine Intelligence 16(5), 1994.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.datasets import load_usps
    >>> images, digits = np.zeros((3, 256), dtype=np.uint8), np.array([0, 7, 2])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(
    ...         Path(folder) / "usps.npz",
    ...         train_images=images,
    ...         train_digits=digits,
    ...         test_images=images,
    ...         test_digits=digits,
    ...     )
    ...     data = load_usps(folder)
    >>> data.X_train.shape, data.y_train % 2 == 0
    ((3, 256), array([ True, False,  True]))
    """
    path = data_folder(folder) / "usps.npz"
    arrays = read_npz(path, [f"{part}_{kind}" for part in ("train", "test") for kind in ("images", "digits")])
    read: list[npt.NDArray[np.float64]] = []
    labels: list[IntArray] = []
    for part in ("train", "test"):
        images = scaled_grey_images(path, f"{part}_images", arrays[f"{part}_images"], (_N_PIXELS,))
        digits = arrays[f"{part}_digits"]
        if digits.shape != (len(images),) or digits.dtype.kind not in "iu":
            raise DatasetError(
                f"{path} holds {part}_digits of shape {digits.shape} and type {digits.dtype}: expected are "
                f"{len(images)} integers, one for each of {part}_images."
            )
        if digits.min() < 0 or digits.max() > 9:
            raise DatasetError(
                f"{path} holds {part}_digits from {digits.min()} to {digits.max()}: digits must lie in [0, 9]; some "
                "copies of the set store the digit 0 as 10, so change that first."
            )
        read.append(images)
        labels.append(digits.astype(np.int64))
    return UspsDigits(read[0], labels[0], read[1], labels[1])

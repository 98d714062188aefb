"""MNIST+: the digits 5 and 8 on 10 x 10 pixels, with descriptions in words of the training images."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, data_folder, read_text_matrix

__all__ = ["MnistPlus", "load_mnist_plus"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_N_PIXELS = 100
_DIGITS = (5, 8)


@dataclass(frozen=True, eq=False)
class MnistPlus:
    """Training images with two kinds of description, and test images without.

    Parameters
    ----------
    X_train : ndarray of shape (n_train, 100)
        Training images of 10 x 10 pixels; intensities in [0, 1].
    y_train : ndarray of int of shape (n_train,)
        Their digits, 5 or 8.
    X_poetic : ndarray of shape (n_train, 21)
        Scores of a poetic description of each training image.
    X_holistic : ndarray of shape (n_train, 31)
        Scores of a holistic description of each training image.
    X_test : ndarray of shape (n_test, 100)
        Test images.
    y_test : ndarray of int of shape (n_test,)
        Their digits.
    """

    X_train: FloatArray
    y_train: IntArray
    X_poetic: FloatArray
    X_holistic: FloatArray
    X_test: FloatArray
    y_test: IntArray


def load_mnist_plus(folder: str | Path) -> MnistPlus:
    """Read MNIST+ [1]_ from its text files.

    Each line of ``train_features.txt`` and ``test_features.txt`` has the 100 pixels of an image (0 to 255), of
    ``train_labels.txt`` and ``test_labels.txt`` its digit, of ``train_PFfeatures.txt`` 21 and of
    ``train_YYfeatures.txt`` 31 scores, separated by commas. The set has 100 training and 1,866 test images;
    other numbers are read, too. The validation images, which have no description, are not read.

    Parameters
    ----------
    folder : str or Path
        Folder with the files.

    Returns
    -------
    MnistPlus
        Images, digits and descriptions, in the order of the files, which is by digit.

    Raises
    ------
    DatasetError
        If a file is missing or not as described, or the files differ in length.

    References
    ----------
    .. [1] V. Vapnik and A. Vashist, "A new learning paradigm: learning using privileged information", Neural
       Networks 22, 2009.
    """
    folder = data_folder(folder)
    X_train, y_train = _read_images(folder, "train")
    X_test, y_test = _read_images(folder, "test")
    poetic = _read_description(folder / "train_PFfeatures.txt", 21, len(X_train))
    holistic = _read_description(folder / "train_YYfeatures.txt", 31, len(X_train))
    return MnistPlus(X_train, y_train, poetic, holistic, X_test, y_test)


def _read_description(path: Path, n_features: int, n_images: int) -> FloatArray:
    """Read the scores of the training images."""
    scores = read_text_matrix(path, n_features)
    if len(scores) != n_images:
        raise DatasetError(
            f"{path} has {len(scores)} lines for {n_images} training images: one line an image."
        )
    return scores


def _read_images(folder: Path, part: str) -> tuple[FloatArray, IntArray]:
    """Read the images and digits of one part."""
    path = folder / f"{part}_features.txt"
    pixels = read_text_matrix(path, _N_PIXELS)
    if pixels.min() < 0 or pixels.max() > 255:
        raise DatasetError(
            f"{path} has values from {pixels.min():g} to {pixels.max():g}: pixels must lie in [0, 255]."
        )
    path = folder / f"{part}_labels.txt"
    labels = read_text_matrix(path, 1).ravel()
    if len(labels) != len(pixels):
        raise DatasetError(f"{path} has {len(labels)} labels for {len(pixels)} images: one line an image.")
    found = set(labels.tolist())
    if found != set(_DIGITS):
        raise DatasetError(
            f"{path} has the labels {', '.join(f'{label:g}' for label in sorted(found)[:5])}: expected are 5 and 8."
        )
    return pixels / 255, labels.astype(np.int64)

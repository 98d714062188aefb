"""CBCL faces: small pictures of faces and of other things."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import data_folder, read_npz
from widemargin.datasets.grey_images import scaled_grey_images

__all__ = ["CbclFaces", "load_cbcl_faces"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_SHAPE = (19, 19)


@dataclass(frozen=True, eq=False)
class CbclFaces:
    """Small images, of a face or not, in two parts.

    Parameters
    ----------
    X_train : ndarray of shape (n_train, 361)
        Training images of 19 x 19 pixels; intensities in [0, 1].
    y_train : ndarray of int of shape (n_train,)
        1 for a face, 0 for something else.
    X_test : ndarray of shape (n_test, 361)
        Test images.
    y_test : ndarray of int of shape (n_test,)
        1 for a face, 0 for something else.
    """

    X_train: FloatArray
    y_train: IntArray
    X_test: FloatArray
    y_test: IntArray


def load_cbcl_faces(folder: str | Path) -> CbclFaces:
    """Read the face set of MIT's Center for Biological and Computational Learning [1]_ from an ``.npz`` file.

    ``cbcl_faces.npz`` has ``train_faces``, ``train_nonfaces``, ``test_faces`` and ``test_nonfaces``, 8-bit arrays of
    shape (n_images, 19, 19). A few training images are in the set more than once; all are read. The test images come
    from other pictures than the training images and are harder.

    Parameters
    ----------
    folder : str or Path
        Folder with the file.

    Returns
    -------
    CbclFaces
        Images in the order of the file, in each part the faces first.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not as described.

    References
    ----------
    .. [1] B. Heisele, T. Poggio and M. Pontil, "Face detection in still gray images", A.I. Memo 1687, Massachusetts
       Institute of Technology, 2000.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.datasets import load_cbcl_faces
    >>> names = ("train_faces", "train_nonfaces", "test_faces", "test_nonfaces")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "cbcl_faces.npz", **{name: np.zeros((2, 19, 19), np.uint8) for name in names})
    ...     data = load_cbcl_faces(folder)
    >>> data.X_train.shape, data.y_train
    ((4, 361), array([1, 1, 0, 0]))
    """
    path = data_folder(folder) / "cbcl_faces.npz"
    names = [f"{part}_{kind}" for part in ("train", "test") for kind in ("faces", "nonfaces")]
    arrays = read_npz(path, names)
    images = {name: scaled_grey_images(path, name, arrays[name], _SHAPE) for name in names}
    X_train, y_train = _join(images["train_faces"], images["train_nonfaces"])
    X_test, y_test = _join(images["test_faces"], images["test_nonfaces"])
    return CbclFaces(X_train, y_train, X_test, y_test)


def _join(faces: FloatArray, others: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return faces and other images in one matrix, and which are faces."""
    return np.concatenate([faces, others]), np.repeat(np.array([1, 0]), [len(faces), len(others)])

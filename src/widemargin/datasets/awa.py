"""Animals with Attributes: the ten test classes, with attributes predicted from the images."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from widemargin.datasets.files import DatasetError, read_npz

__all__ = ["AnimalsWithAttributes", "load_awa10"]

FloatArray = npt.NDArray[np.float64]

# The set has 6,180 images and 2,000 words; dense, as the histograms are (four of five words occur in an image).
_MOST_IMAGES = 50_000
_MOST_FEATURES = 5_000


@dataclass(frozen=True, eq=False)
class AnimalsWithAttributes:
    """Images of animals as word histograms, with what is known of the animals as privileged information.

    Parameters
    ----------
    X : ndarray of shape (n_images, n_words)
        SURF histograms; every row sums to 1.
    X_privileged : ndarray of shape (n_images, n_attributes)
        Probability that the animal has each attribute, predicted from its image by models of other animals.
    y : ndarray of int of shape (n_images,)
        Index into `class_names`.
    class_names : tuple of str
        Names of the classes, with spaces.
    """

    X: FloatArray
    X_privileged: FloatArray
    y: npt.NDArray[np.int64]
    class_names: tuple[str, ...]


def load_awa10(folder: str | Path) -> AnimalsWithAttributes:
    """Read the ten test classes of Animals with Attributes [1]_ from two ``.npz`` files.

    ``awa10_surf.npz`` has word counts as a sparse matrix (``data``, ``indices``, ``indptr``, ``shape``), the class
    of every image as an index ``y``, and the names ``classes``, words joined by a plus sign.
    ``awa10_predicted_attributes.npz`` has ``attributes``, one row for each of the same images, and the same ``y``
    and ``classes``.

    Parameters
    ----------
    folder : str or Path
        Folder with both files.

    Returns
    -------
    AnimalsWithAttributes
        L1-normalised histograms, predicted attributes and classes, in the order of the files.

    Raises
    ------
    DatasetError
        If a file is missing, damaged or not as described, or the two do not fit together.

    References
    ----------
    .. [1] C. H. Lampert, H. Nickisch and S. Harmeling, "Learning to detect unseen object classes by
       between-class attribute transfer", CVPR 2009.
    """
    surf_path = Path(folder) / "awa10_surf.npz"
    surf = read_npz(surf_path, ["data", "indices", "indptr", "shape", "y", "classes"])
    counts = _dense_counts(surf, surf_path)
    y, names = _labels(surf, surf_path, counts.shape[0])
    attributes_path = Path(folder) / "awa10_predicted_attributes.npz"
    predicted = read_npz(attributes_path, ["attributes", "y", "classes"])
    same_labels, same_names = _labels(predicted, attributes_path, counts.shape[0])
    attributes = predicted["attributes"]
    if attributes.dtype.kind != "f" or attributes.ndim != 2 or len(attributes) != len(counts):
        raise DatasetError(
            f"{attributes_path} holds attributes of shape {attributes.shape} and type {attributes.dtype}: "
            f"expected are floats, one row for each of {len(counts)} images."
        )
    if not np.isfinite(attributes).all() or attributes.min() < 0 or attributes.max() > 1:
        raise DatasetError(f"{attributes_path} holds attributes outside [0, 1]: they must be probabilities.")
    if not np.array_equal(y, same_labels) or names != same_names:
        raise DatasetError(
            f"{attributes_path} has other labels than {surf_path.name}: the rows of both must be the same images."
        )
    present, labels = np.unique(y, return_inverse=True)
    return AnimalsWithAttributes(
        counts / counts.sum(axis=1, keepdims=True),
        attributes.astype(np.float64),
        labels.astype(np.int64),
        tuple(names[k].replace("+", " ") for k in present),
    )


def _dense_counts(arrays: dict[str, npt.NDArray[Any]], path: Path) -> FloatArray:
    """Return the sparse counts as a dense matrix whose rows have a sum."""
    parts = [arrays[name] for name in ("data", "indices", "indptr", "shape")]
    if any(part.ndim != 1 or part.dtype.kind not in "iu" for part in parts) or parts[3].size != 2:
        raise DatasetError(f"{path} must hold data, indices, indptr and shape as one-dimensional integers.")
    data, indices, indptr, shape = (part.astype(np.int64) for part in parts)
    n_images, n_words = (int(size) for size in shape)
    if not (0 < n_images <= _MOST_IMAGES and 0 < n_words <= _MOST_FEATURES):
        raise DatasetError(
            f"{path} has the shape {n_images} x {n_words}: at most {_MOST_IMAGES} images and {_MOST_FEATURES} "
            "words are read, at least one of each."
        )
    try:
        matrix = csr_matrix((data.astype(np.float64), indices, indptr), shape=(n_images, n_words))
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise DatasetError(f"{path} does not hold a sparse matrix ({error}).") from error
    counts = matrix.toarray()
    if counts.min() < 0 or not counts.sum(axis=1).all():
        raise DatasetError(
            f"{path} has negative counts or an image without a word: neither can be normalised."
        )
    return counts


def _labels(
    arrays: dict[str, npt.NDArray[Any]], path: Path, n_images: int
) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Return the index of the class of every image, and the names of all classes."""
    y, classes = arrays["y"], arrays["classes"]
    if y.shape != (n_images,) or y.dtype.kind not in "iu":
        raise DatasetError(
            f"{path} holds y of shape {y.shape} and type {y.dtype}: expected are {n_images} integers."
        )
    if classes.ndim != 1 or classes.dtype.kind != "U" or int(y.min()) < 0 or int(y.max()) >= classes.size:
        raise DatasetError(f"{path} must hold names of classes, as many as y indexes.")
    return y.astype(np.int64), [str(name) for name in classes]

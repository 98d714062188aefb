"""Animals with Attributes: the ten test classes, with attributes predicted from the images."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, data_folder, first_repeated, read_npz
from widemargin.datasets.labelled import check_class_index
from widemargin.datasets.sparse_matrices import SPARSE_PARTS, dense_matrix

__all__ = ["AnimalsWithAttributes", "load_awa10", "read_predicted_attributes"]

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
    surf_path = data_folder(folder) / "awa10_surf.npz"
    surf = read_npz(surf_path, [*SPARSE_PARTS, "y", "classes"])
    counts = dense_matrix(surf, surf_path, most_images=_MOST_IMAGES, most_features=_MOST_FEATURES)
    if not counts.sum(axis=1).all():
        raise DatasetError(f"{surf_path} has an image without a word, which cannot be normalised.")
    y, names = check_class_index(surf, surf_path, counts.shape[0])
    attributes_path = data_folder(folder) / "awa10_predicted_attributes.npz"
    attributes, same_labels, same_names = read_predicted_attributes(attributes_path, len(counts))
    if not np.array_equal(y, same_labels) or names != same_names:
        raise DatasetError(
            f"{attributes_path} has other labels than {surf_path.name}: the rows of both must be the same images."
        )
    present, labels = np.unique(y, return_inverse=True)
    class_names = tuple(names[k].replace("+", " ") for k in present)
    repeated = first_repeated(class_names)
    if repeated is not None:
        raise DatasetError(
            f"{surf_path} has two classes called {repeated!r}, a plus sign taken for a space: name each differently."
        )
    return AnimalsWithAttributes(
        counts / counts.sum(axis=1, keepdims=True),
        attributes,
        labels.astype(np.int64),
        class_names,
    )


def read_predicted_attributes(
    path: Path, n_images: int
) -> tuple[FloatArray, npt.NDArray[np.int64], list[str]]:
    """Read attributes that were predicted for images.

    Parameters
    ----------
    path : Path
        An ``.npz`` file with ``attributes``, ``y`` and ``classes``, see `load_awa10`.
    n_images : int
        Number of images, at least one.

    Returns
    -------
    attributes : ndarray of shape (n_images, n_attributes)
        Probabilities.
    y : ndarray of int of shape (n_images,)
        Index into the names.
    names : list of str
        Names of the classes, as the file has them.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not as described, or has another number of images.
    """
    predicted = read_npz(path, ["attributes", "y", "classes"])
    y, names = check_class_index(predicted, path, n_images)
    attributes = predicted["attributes"]
    if attributes.dtype.kind != "f" or attributes.ndim != 2 or len(attributes) != n_images:
        raise DatasetError(
            f"{path} holds attributes of shape {attributes.shape} and type {attributes.dtype}: "
            f"expected are floats, one row for each of {n_images} images."
        )
    if not np.isfinite(attributes).all() or attributes.min() < 0 or attributes.max() > 1:
        raise DatasetError(f"{path} holds attributes outside [0, 1]: they must be probabilities.")
    return attributes.astype(np.float64), y, names

"""Web images of search queries, with the words of the pages that they were found on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, data_folder, read_npz
from widemargin.datasets.names import check_names
from widemargin.datasets.sparse_matrices import SPARSE_PARTS, dense_matrix

__all__ = ["WebQueries", "load_web_queries"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

FILE = "webqueries40.npz"

# The set has 2,398 images with 4,096 features and 1,952 words; at these limits each dense matrix takes 0.8 GB.
_MOST_IMAGES = 20_000
_MOST_FEATURES = 5_000


@dataclass(frozen=True, eq=False)
class WebQueries:
    """Images that search queries returned, with the words around them as privileged information.

    Parameters
    ----------
    X : ndarray of shape (n_images, n_features)
        Features of the images, as stored.
    X_privileged : ndarray of shape (n_images, n_words)
        How often each word stands around the image. A row of zeros: no text is known.
    relevant : ndarray of int of shape (n_images,)
        1 if the image shows what the query asked for, else 0.
    query : ndarray of int of shape (n_images,)
        Number of the query that returned the image.
    words : tuple of str
        The words.
    """

    X: FloatArray
    X_privileged: FloatArray
    relevant: IntArray
    query: IntArray
    words: tuple[str, ...]


def load_web_queries(folder: str | Path) -> WebQueries:
    """Read images of the INRIA Web Queries [1]_, a part of them with features and words, from an ``.npz`` file.

    ``webqueries40.npz`` has two sparse matrices with one row an image: features ``image`` and counts of words
    ``text``, each in four arrays such as ``image_data``, ``image_indices``, ``image_indptr``, ``image_shape``. Beside
    them it has ``relevant`` (0 or 1) and ``query`` (an integer) of every image, and the ``words``.

    Parameters
    ----------
    folder : str or Path
        Folder with the file.

    Returns
    -------
    WebQueries
        Images and words as dense matrices, in the order of the file.

    Raises
    ------
    DatasetError
        If the file is missing, damaged or not as described, or no image has text.

    References
    ----------
    .. [1] J. Krapac, M. Allan, J. Verbeek and F. Jurie, "Improving web image search results using query-relative
       classifiers", CVPR 2010.
    """
    path = data_folder(folder) / FILE
    names = [f"{prefix}_{part}" for prefix in ("image", "text") for part in SPARSE_PARTS]
    arrays = read_npz(path, [*names, "relevant", "query", "words"])
    images, text = (
        dense_matrix(
            arrays,
            path,
            prefix=f"{prefix}_",
            counts=prefix == "text",
            most_images=_MOST_IMAGES,
            most_features=_MOST_FEATURES,
        )
        for prefix in ("image", "text")
    )
    if len(images) != len(text):
        raise DatasetError(
            f"{path} has {len(images)} images and {len(text)} texts: it must have one text an image, if only empty."
        )
    if not images.any(axis=1).all():
        raise DatasetError(f"{path} has an image whose features are all zero, which cannot be normalised.")
    if not text.any():
        raise DatasetError(
            f"{path} has no text at all: every count of words is zero, and at least one image must have a word."
        )
    for name in ("relevant", "query"):
        values = arrays[name]
        if values.shape != (len(images),) or values.dtype.kind not in "iu":
            raise DatasetError(
                f"{path} holds {name} of shape {values.shape} and type {values.dtype}: expected are {len(images)} "
                "integers."
            )
    if not np.isin(arrays["relevant"], (0, 1)).all():
        raise DatasetError(f"{path} holds relevant with other numbers than 0 and 1.")
    given = arrays["words"]
    if given.shape != (text.shape[1],) or given.dtype.kind != "U":
        raise DatasetError(
            f"{path} holds words of shape {given.shape} and type {given.dtype}: expected are {text.shape[1]} words."
        )
    words = [str(word) for word in given]
    check_names(path, "words", words)
    for word in words:
        if len(word.split()) > 1:
            raise DatasetError(f"{path} holds {word[:60]!r} among words: a word must be without white space.")
    return WebQueries(
        images,
        text,
        arrays["relevant"].astype(np.int64),
        arrays["query"].astype(np.int64),
        tuple(words),
    )

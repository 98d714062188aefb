"""Animals with Attributes in the folders in which it is distributed: one text file an image, tables of attributes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from widemargin.datasets.awa import read_predicted_attributes
from widemargin.datasets.files import DatasetError, MissingDatasetError, check_table_size, data_folder
from widemargin.datasets.names import check_names

__all__ = ["AwaImages", "load_awa_folder"]

FloatArray = npt.NDArray[np.float64]

# Several times what the set needs: 30,475 images; a histogram of 2,000 words has about 10 kB, a table about 40 kB.
_MOST_IMAGES = 100_000
_LARGEST_FILE = 2**20
_UNKNOWN = -1
_STRONGEST = 100

_CLASSES_EXPECTED = 'classes must be "test", "train", "all" or a list of names, got {!r}.'


@dataclass(frozen=True, eq=False)
class AwaImages:
    """Images of animals as histograms, with attributes of the animals.

    Parameters
    ----------
    X : ndarray of shape (n_images, n_features)
        Histograms; every row sums to 1.
    X_privileged : ndarray of shape (n_images, n_attributes)
        Predicted attributes of each image if a file with them was given, else the attributes of its class, which tell
        no more about an image than its label does.
    y : ndarray of int of shape (n_images,)
        Index into `class_names`.
    class_names : tuple of str
        Names of the classes that were read, with spaces, in the order of ``classes.txt``.
    class_attributes : ndarray of shape (n_classes, n_attributes)
        Attributes of these classes: 0 and 1, or strengths from 0 to 100; NaN where unknown.
    attribute_names : tuple of str
        Names of the attributes.
    image_names : tuple of str
        Names of the images' files, without extension.
    """

    X: FloatArray
    X_privileged: FloatArray
    y: npt.NDArray[np.int64]
    class_names: tuple[str, ...]
    class_attributes: FloatArray
    attribute_names: tuple[str, ...]
    image_names: tuple[str, ...]


def load_awa_folder(
    folder: str | Path,
    feature: str = "surf-hist",
    *,
    classes: Literal["test", "train", "all"] | Sequence[str] = "test",
    attributes: Literal["binary", "continuous"] = "binary",
    predicted: str | Path | None = None,
) -> AwaImages:
    """Read Animals with Attributes [1]_ from its own folder layout.

    The folder, ``Animals_with_Attributes`` as distributed, holds

    - ``classes.txt`` and ``predicates.txt``: a number and a name a line, numbered from 1, words of a name joined by a
      plus sign;
    - ``trainclasses.txt`` and ``testclasses.txt``: names of classes, one a line;
    - ``predicate-matrix-binary.txt`` and ``predicate-matrix-continuous.txt``: a line a class, a number an attribute,
      -1 where it is unknown;
    - ``Features/<feature>/<class>/*.txt``: one file an image, numbers separated by white space; names that start with
      a dot are left out.

    Only what is asked for needs to be there. Images come in the order of the classes in ``classes.txt`` and, in each,
    of the names of their files.

    Parameters
    ----------
    folder : str or Path
        The folder.
    feature : str, default="surf-hist"
        Folder below ``Features``: the set has ``cq-hist``, ``lss-hist``, ``phog-hist``, ``rgsift-hist``,
        ``sift-hist`` and ``surf-hist``.
    classes : {"test", "train", "all"} or sequence of str, default="test"
        The classes to read: those of ``testclasses.txt``, of ``trainclasses.txt``, all, or some by their names.
    attributes : {"binary", "continuous"}, default="binary"
        Which matrix the attributes of the classes come from.
    predicted : str or Path or None, default=None
        An ``.npz`` file with attributes predicted for exactly these images in the same order, in the layout of
        ``awa10_predicted_attributes.npz`` (see `load_awa10`).

    Returns
    -------
    AwaImages
        L1-normalised histograms, attributes and classes.

    Raises
    ------
    DatasetError
        If a file is missing, damaged or not as described, files do not fit together, or a class is not known.
    ValueError
        If `classes` is neither one of the words allowed nor a list of names, `attributes` none of the words allowed, or
        `feature` not the name of a folder.

    References
    ----------
    .. [1] C. H. Lampert, H. Nickisch and S. Harmeling, "Learning to detect unseen object classes by
       between-class attribute transfer", CVPR 2009.
    """
    folder = data_folder(folder)
    if attributes not in ("binary", "continuous"):
        raise ValueError(f'attributes must be "binary" or "continuous", got {attributes!r}.')
    if not isinstance(feature, str) or Path(feature).name != feature or not feature.strip("."):
        raise ValueError(
            f'feature must be the name of a folder below Features, such as "surf-hist", got {feature!r}.'
        )
    known = _read_numbered_names(folder / "classes.txt")
    attribute_names = _read_numbered_names(folder / "predicates.txt")
    chosen = _choose_classes(folder, classes, known)
    matrix = _read_matrix(
        folder / f"predicate-matrix-{attributes}.txt",
        len(known),
        len(attribute_names),
        binary=attributes == "binary",
    )
    class_attributes = matrix[[known.index(name) for name in chosen]]
    X, y, image_names = _read_images(folder / "Features" / feature, chosen)
    if predicted is None:
        X_privileged = class_attributes[y]
    else:
        X_privileged, index, names = read_predicted_attributes(Path(predicted), len(X))
        if [names[k] for k in index] != [chosen[k] for k in y]:
            raise DatasetError(
                f"{predicted} has other labels than the images of {folder}: its rows must be the same images in the "
                "same order."
            )
    return AwaImages(
        X,
        X_privileged,
        y,
        tuple(map(_shown, chosen)),
        class_attributes,
        tuple(attribute_names),
        image_names,
    )


def _choose_classes(folder: Path, classes: str | Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the names of the classes that are asked for, in the order of all names."""
    if isinstance(classes, str):
        if classes not in ("test", "train", "all"):
            raise ValueError(_CLASSES_EXPECTED.format(classes))
        if classes == "all":
            return list(known)
        path = folder / f"{classes}classes.txt"
        source = str(path)
        asked = [line.strip() for line in _read(path).splitlines() if line.strip()]
    else:
        if not isinstance(classes, Iterable) or not all(isinstance(name, str) for name in classes):
            raise ValueError(_CLASSES_EXPECTED.format(classes))
        source = "classes"
        asked = list(classes)
    shown_known, shown_asked = set(map(_shown, known)), set(map(_shown, asked))
    for name in asked:
        if _shown(name) not in shown_known:
            raise DatasetError(f"{name!r} is asked for by {source}, but classes.txt does not have it.")
    if not asked:
        raise DatasetError(f"{source} names no class: at least one is needed.")
    return [name for name in known if _shown(name) in shown_asked]


def _read_images(
    folder: Path, classes: Sequence[str]
) -> tuple[FloatArray, npt.NDArray[np.int64], tuple[str, ...]]:
    """Read the histograms of all images of some classes."""
    # The functions of os.path answer no where a name is too long for the system; the methods of Path raise.
    if not os.path.isdir(folder):
        there = sorted(
            path.name for path in folder.parent.glob("*") if path.is_dir() and not path.name.startswith(".")
        )
        raise MissingDatasetError(
            f"{folder} is missing: pass a feature whose folder is there ({', '.join(there) or 'there is none'})."
        )
    paths, labels = [], []
    for label, name in enumerate(classes):
        place = folder / name
        images = place.glob("*.txt") if os.path.isdir(place) else ()
        # A hidden file is no image; macOS puts such files, "._" before the name, beside copies on foreign discs.
        own = sorted(path for path in images if not path.name.startswith("."))
        if not own:
            raise MissingDatasetError(f"{place} has no .txt file: there must be one for each image.")
        paths += own
        labels += [label] * len(own)
    if len(paths) > _MOST_IMAGES:
        raise DatasetError(
            f"{folder} has {len(paths)} images of these classes: at most {_MOST_IMAGES} are read."
        )
    n_features = _read_numbers(paths[0]).size
    check_table_size(paths[0], len(paths), n_features)
    X = np.empty((len(paths), n_features))
    for row, path in enumerate(paths):
        values = _read_numbers(path)
        if values.size != n_features:
            raise DatasetError(
                f"{path} has {values.size} numbers, {paths[0].name} has {n_features}: all must have the same."
            )
        if values.min() < 0 or values.max() <= 0:
            raise DatasetError(f"{path} is no histogram: it has a negative number, or none above zero.")
        if values.max() > np.finfo(np.float64).max / values.size:
            raise DatasetError(
                f"{path} has the number {values.max():g}, too great for a sum of all: scale it down."
            )
        X[row] = values / values.sum()
    return X, np.array(labels, dtype=np.int64), tuple(path.stem for path in paths)


def _read_matrix(path: Path, n_classes: int, n_attributes: int, *, binary: bool) -> FloatArray:
    """Read the attributes of all classes; unknown ones become NaN."""
    lines = [line for line in _read(path).splitlines() if line.strip()]
    rows = [_parse(line, path) for line in lines]
    if len(rows) != n_classes or any(row.size != n_attributes for row in rows):
        raise DatasetError(
            f"{path} must have {n_classes} lines of {n_attributes} numbers, as classes.txt and predicates.txt say."
        )
    matrix = np.array(rows)
    unknown = matrix == _UNKNOWN
    known = np.isin(matrix, (0, 1)) if binary else (matrix >= 0) & (matrix <= _STRONGEST)
    if not (known | unknown).all():
        expected = "0 and 1" if binary else f"strengths from 0 to {_STRONGEST}"
        raise DatasetError(
            f"{path} has the number {matrix[~(known | unknown)][0]:g}: expected are {expected}, and {_UNKNOWN} where "
            "an attribute is unknown."
        )
    return np.where(unknown, np.nan, matrix)


def _shown(name: str) -> str:
    """Return what readers call a class: with spaces where the files have plus signs."""
    return name.replace("+", " ")


def _read_numbered_names(path: Path) -> list[str]:
    """Read lines of a number, counting from 1, and a name."""
    names: list[str] = []
    shown: set[str] = set()
    for line in _read(path).splitlines():
        if not line.strip():
            continue
        number, _, name = line.strip().replace("\t", " ", 1).partition(" ")
        name = name.strip()
        is_new = bool(name.strip(".")) and _shown(name) not in shown and not set(name) & set("/\\:")
        if number != str(len(names) + 1) or not is_new:
            raise DatasetError(
                f"{path} has the line {line.strip()[:60]!r}: expected is the number {len(names) + 1}, a tab and a new "
                "name."
            )
        names.append(name)
        shown.add(_shown(name))
    check_names(path, "its lines", names)
    if not names:
        raise DatasetError(f"{path} names nothing: expected are lines of a number, a tab and a name.")
    return names


def _read_numbers(path: Path) -> FloatArray:
    """Read all numbers of a file, at least one."""
    values = _parse(_read(path), path)
    if values.size == 0:
        raise DatasetError(f"{path} is empty: expected are numbers separated by white space.")
    return values


def _parse(text: str, path: Path) -> FloatArray:
    if "_" in text:
        raise DatasetError(f"{path} has an underscore, which no number has.")
    try:
        values = np.array(text.split(), dtype=np.float64)
    except ValueError as error:
        raise DatasetError(f"{path} cannot be read as numbers ({error}).") from error
    if not np.isfinite(values).all():
        raise DatasetError(f"{path} has numbers that are not finite.")
    return values


def _read(path: Path) -> str:
    """Return the content of a small text file."""
    if not os.path.isfile(path):
        raise MissingDatasetError(f"{path} is missing: pass the folder Animals_with_Attributes.")
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise DatasetError(f"{path} has {path.stat().st_size} bytes: at most 1 MiB is read.")
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path} cannot be read as text ({error}).") from error

"""Fifteen scenes: pictures of rooms, streets and landscapes in a folder a class."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, MissingDatasetError, data_folder, first_repeated
from widemargin.datasets.names import check_names

__all__ = ["ScenePictures", "load_scene_pictures"]

IntArray = npt.NDArray[np.int64]

_INDOOR = frozenset({"bedroom", "industrial", "kitchen", "livingroom", "office", "store"})
_OUTDOOR = frozenset(
    {
        "coast",
        "forest",
        "highway",
        "insidecity",
        "mountain",
        "opencountry",
        "street",
        "suburb",
        "tallbuilding",
    }
)
# Copies of the set name the laboratory that a class came from, as in MITcoast, CALsuburb and PARoffice.
_LABORATORY = re.compile(r"^(mit|cal|par)")
_ENDINGS = frozenset({".jpg", ".jpeg", ".png"})
_MOST_PICTURES = 100_000


@dataclass(frozen=True, eq=False)
class ScenePictures:
    """Files of pictures with their classes, in two parts; the pictures themselves are read by who needs them.

    Parameters
    ----------
    train_files : tuple of Path
        Training pictures.
    y_train : ndarray of int of shape (n_train,)
        Their classes, an index into `class_names`.
    test_files : tuple of Path
        Test pictures.
    y_test : ndarray of int of shape (n_test,)
        Their classes.
    class_names : tuple of str
        Names of the classes, sorted.
    indoor : ndarray of bool of shape (n_classes,)
        Whether the pictures of the class were taken indoors.
    """

    train_files: tuple[Path, ...]
    y_train: IntArray
    test_files: tuple[Path, ...]
    y_test: IntArray
    class_names: tuple[str, ...]
    indoor: npt.NDArray[np.bool_]


def load_scene_pictures(folder: str | Path) -> ScenePictures:
    """List the pictures of the fifteen scene categories [1]_.

    The folder ``scenes15`` has two folders, ``train`` and ``test``, and each of them a folder a class with its
    pictures (``.jpg``, ``.jpeg`` or ``.png``). The classes are those of the set, under names such as ``LivingRoom`` or
    ``MITcoast`` (capitals and the laboratory's abbreviation do not matter); a part of the classes will do. Names that
    start with a dot are left out, as is what is no ordinary file. No picture is opened.

    Parameters
    ----------
    folder : str or Path
        Folder with ``scenes15`` in it.

    Returns
    -------
    ScenePictures
        Files sorted by class and name.

    Raises
    ------
    DatasetError
        If a folder is missing or empty, the parts have other classes, a class is none of the fifteen, or two folders
        are of the same class.
    TypeError
        If `folder` is no path.

    References
    ----------
    .. [1] S. Lazebnik, C. Schmid and J. Ponce, "Beyond bags of features: spatial pyramid matching for recognizing
       natural scene categories", CVPR 2006.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from widemargin.datasets import load_scene_pictures
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in ("train", "test"):
    ...         for name in ("Kitchen", "Street"):
    ...             place = Path(folder) / "scenes15" / part / name
    ...             place.mkdir(parents=True)
    ...             (place / "image_0001.jpg").touch()
    ...     scenes = load_scene_pictures(folder)
    >>> scenes.class_names, scenes.indoor, [path.name for path in scenes.train_files]
    (('Kitchen', 'Street'), array([ True, False]), ['image_0001.jpg', 'image_0001.jpg'])
    """
    root = data_folder(folder) / "scenes15"
    names = _class_names(root / "train")
    test_names = _class_names(root / "test")
    if names != test_names:
        differing = sorted(set(names) ^ set(test_names))
        raise DatasetError(
            f"{root} has the class {differing[0]!r} in one of train and test only: both must have the same classes."
        )
    scenes = [_scene(root, name) for name in names]
    repeated = first_repeated(scenes)
    if repeated is not None:
        same = [name for name, scene in zip(names, scenes, strict=True) if scene == repeated]
        raise DatasetError(
            f"{root} has the folders {same[0]!r} and {same[1]!r} for the same class: merge them into one."
        )
    train_files, y_train = _list_pictures(root / "train", names)
    test_files, y_test = _list_pictures(root / "test", names)
    return ScenePictures(train_files, y_train, test_files, y_test, names, np.isin(scenes, list(_INDOOR)))


def _class_names(part: Path) -> tuple[str, ...]:
    """Return the names of the folders of a part, sorted."""
    if not part.is_dir():
        raise MissingDatasetError(f"{part} is missing: pass the folder in which scenes15 lies.")
    names = sorted(path.name for path in part.iterdir() if path.is_dir() and not path.name.startswith("."))
    if not names:
        raise DatasetError(f"{part} has no folder: there must be one for each class.")
    check_names(part, "the names of its folders", names)
    return tuple(names)


def _scene(root: Path, name: str) -> str:
    """Return which of the fifteen scenes a class is."""
    plain = _LABORATORY.sub("", re.sub(r"[\s_-]", "", name.lower()))
    if plain not in _INDOOR | _OUTDOOR:
        raise DatasetError(
            f"{root} has the class {name!r}, which is none of the fifteen scenes: expected are folders such as "
            "LivingRoom or Coast, so take others out."
        )
    return plain


def _list_pictures(part: Path, names: tuple[str, ...]) -> tuple[tuple[Path, ...], IntArray]:
    """Return the pictures of one part with their classes."""
    files: list[Path] = []
    counts: list[int] = []
    for name in names:
        own = sorted(
            path
            for path in (part / name).iterdir()
            if path.suffix.lower() in _ENDINGS and not path.name.startswith(".") and path.is_file()
        )
        if not own:
            raise DatasetError(f"{part / name} has no picture: there must be at least one .jpg or .png file.")
        files += own
        counts.append(len(own))
    if len(files) > _MOST_PICTURES:
        raise DatasetError(f"{part} has {len(files)} pictures: at most {_MOST_PICTURES} are read.")
    return tuple(files), np.repeat(np.arange(len(names)), counts)

"""Features that are added to an index later, in files of their own beside those of the videos."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.atomic import atomic_write
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.files import check_rows, read_arrays, write_arrays
from widemargin.events.index.header import read_json

__all__ = [
    "AddedArrays",
    "StoredFeatures",
    "added_kinds",
    "check_kind",
    "kind_digest",
    "make_kind",
]

Array = npt.NDArray[Any]

_KIND_FILE = "kind.json"
_LARGEST_FILE = 2**26
_SLACK = 1e-3


@dataclass(frozen=True)
class AddedArrays:
    """A folder with one file a content: a row of numbers for each shot, and maybe for each extra frame.

    Parameters
    ----------
    folder : Path
        The folder.
    width : int
        Numbers in a row.
    """

    folder: Path
    width: int

    def _file(self, digest: str) -> Path:
        return self.folder / f"{digest}.npz"

    def has(self, digest: str) -> bool:
        """Return whether there is a file for a content.

        Parameters
        ----------
        digest : str
            SHA-256 of a video.

        Returns
        -------
        bool
            Whether there is.
        """
        return self._file(digest).is_file()

    def write(self, digest: str, own: Array, extra: Array | None) -> None:
        """Write the file of a content.

        Parameters
        ----------
        digest : str
            SHA-256 of a video.
        own : ndarray of float32 of shape (n_shots, width)
            The rows of its shots.
        extra : ndarray of float32 of shape (n_extra, width) or None
            The rows of its extra frames.
        """
        arrays = {"own": own} if extra is None else {"own": own, "extra": extra}
        write_arrays(self._file(digest), arrays)

    def read(self, digest: str, n_shots: int, n_extra: int) -> tuple[Array, Array | None]:
        """Read the file of a content.

        Parameters
        ----------
        digest : str
            SHA-256 of a video.
        n_shots, n_extra : int
            Number of its shots and extra frames.

        Returns
        -------
        own : ndarray of float32 of shape (n_shots, width)
            The rows of its shots.
        extra : ndarray of float32 of shape (n_extra, width) or None
            The rows of its extra frames, if they were given.

        Raises
        ------
        VideoIndexError
            If it is missing or damaged.
        """
        path = self._file(digest)
        arrays = read_arrays(path)
        try:
            check_rows("own", arrays["own"], (n_shots, self.width))
            extra = arrays.get("extra")
            if extra is not None:
                check_rows("extra", extra, (n_extra, self.width))
        except (KeyError, ValueError) as error:
            raise VideoIndexError(
                f"{path} is damaged ({error}): add the arrays of its video again."
            ) from error
        return arrays["own"], np.zeros(
            (0, self.width), np.float32
        ) if extra is None and not n_extra else extra


def check_kind(name: str) -> str:
    """Return the name of a kind of features, which becomes the name of a folder.

    Parameters
    ----------
    name : str
        What the user passed.

    Returns
    -------
    str
        The name.

    Raises
    ------
    ValueError
        If it cannot be one.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}", name):
        raise ValueError(
            f"name must be 1 to 64 letters, digits, '.', '_' or '-' and not start with '.' or '-', got {name!r}."
        )
    return name


def added_kinds(folder: Path) -> dict[str, AddedArrays]:
    """Return the kinds of features that were added to an index.

    Parameters
    ----------
    folder : Path
        The index.

    Returns
    -------
    dict of str to AddedArrays
        The kinds in the order of their names.

    Raises
    ------
    VideoIndexError
        If the file of a kind is damaged.
    """
    kinds = {}
    for file in sorted((folder / "features").glob(f"*/{_KIND_FILE}")):
        width = read_json(file, _LARGEST_FILE).get("width")
        if type(width) is not int or width < 1:
            raise VideoIndexError(f"{file} is damaged (its width is {width!r}): delete its folder.")
        kinds[file.parent.name] = AddedArrays(file.parent, width)
    return kinds


def make_kind(folder: Path, name: str, width: int) -> AddedArrays:
    """Make room for a new kind of features.

    Parameters
    ----------
    folder : Path
        The index.
    name : str
        The kind.
    width : int
        Number of features.

    Returns
    -------
    AddedArrays
        Where they go.
    """
    place = folder / "features" / check_kind(name)
    place.mkdir(parents=True, exist_ok=True)
    atomic_write(place / _KIND_FILE, json.dumps({"width": width}))
    return AddedArrays(place, width)


def kind_digest(name: str, width: int) -> str:
    """Return what stands for an added kind, of which nothing is known but its name and width.

    Parameters
    ----------
    name : str
        The kind.
    width : int
        Number of features.

    Returns
    -------
    str
        A hash in hexadecimal digits.
    """
    return hashlib.sha256(json.dumps(["added", name, width]).encode()).hexdigest()


class StoredFeatures(Mapping[str, Array]):
    """The features of the frames of a video by kind; those that were added are read when they are asked for.

    Parameters
    ----------
    known : dict of str to ndarray
        Features of the networks.
    added : dict of str to AddedArrays
        The kinds that were added to the index.
    digest : str
        The content of the video.
    n_shots, n_extra : int
        Number of its shots and extra frames.
    extra : bool
        Whether this is about the extra frames.
    path : str
        The video, for messages.
    """

    def __init__(
        self,
        known: dict[str, Array],
        added: dict[str, AddedArrays],
        digest: str,
        n_shots: int,
        n_extra: int,
        *,
        extra: bool,
        path: str,
    ) -> None:
        self._known: dict[str, Array | None] = dict(known)
        self._added = added
        self._digest = digest
        self._sizes = n_shots, n_extra
        self._extra = extra
        self._path = path

    def __getitem__(self, kind: str) -> Array:
        found = self._find(kind)
        if found is None:
            if kind not in self._added:
                raise KeyError(kind)
            raise VideoIndexError(
                f"{self._path} has no features {kind!r} of its {'extra frames' if self._extra else 'shots'}: pass them "
                "to add_features, or leave this kind out."
            )
        return found

    def __contains__(self, kind: object) -> bool:
        return isinstance(kind, str) and self._find(kind) is not None

    def __iter__(self) -> Iterator[str]:
        kinds = dict.fromkeys([*self._known, *self._added])
        yield from (kind for kind in kinds if kind in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _find(self, kind: str) -> Array | None:
        """Return an array, which is read once."""
        if kind not in self._known and kind in self._added and self._added[kind].has(self._digest):
            self._known[kind] = self._added[kind].read(self._digest, *self._sizes)[self._extra]
        return self._known.get(kind)

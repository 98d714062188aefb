"""Concepts that are put beside or in place of the classes of an index's network."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from widemargin.atomic import atomic_write
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.features import AddedArrays
from widemargin.events.index.header import read_json
from widemargin.validation import check_choice

__all__ = [
    "ConceptMode",
    "Vocabulary",
    "new_vocabulary",
    "read_vocabulary",
    "remove_vocabulary",
    "write_vocabulary",
]

ConceptMode = Literal["replace", "append"]

_VOCABULARY_FILE = "concepts.json"
_LARGEST_FILE = 2**26


@dataclass(frozen=True)
class Vocabulary:
    """Concepts that were put beside or in place of the classes of the network.

    Parameters
    ----------
    names : tuple of str
        The concepts.
    mode : {"replace", "append"}
        Whether they are in place of the classes or behind them.
    arrays : AddedArrays
        Their probabilities.
    """

    names: tuple[str, ...]
    mode: ConceptMode
    arrays: AddedArrays

    def discard(self) -> None:
        """Delete what was written so far."""
        shutil.rmtree(self.arrays.folder, ignore_errors=True)


def new_vocabulary(
    folder: Path, names: Sequence[str], mode: ConceptMode, classes: Sequence[str]
) -> Vocabulary:
    """Make room for a vocabulary, which counts once `write_vocabulary` was called.

    Parameters
    ----------
    folder : Path
        The index.
    names : sequence of str
        The concepts.
    mode : {"replace", "append"}
        Whether they are in place of the classes or behind them.
    classes : sequence of str
        The classes of the network.

    Returns
    -------
    Vocabulary
        The vocabulary, without arrays yet.

    Raises
    ------
    ValueError
        If there is no name, or one twice.
    """
    check_choice("mode", mode, get_args(ConceptMode))
    if isinstance(names, str) or not names or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"concept_names must be a list of names, got {names!r}: pass at least one.")
    seen = set(classes) if mode == "append" else set()
    for name in names:
        if name in seen:
            raise ValueError(
                f"concept_names has {name!r} twice, or it is a class already: give each its own name."
            )
        seen.add(name)
    place = folder / "concepts" / secrets.token_hex(16)
    place.mkdir(parents=True)
    return Vocabulary(tuple(names), mode, AddedArrays(place, len(names)))


def write_vocabulary(folder: Path, vocabulary: Vocabulary) -> None:
    """Make a vocabulary that of the index, and delete earlier ones.

    Parameters
    ----------
    folder : Path
        The index.
    vocabulary : Vocabulary
        What `new_vocabulary` returned, with its arrays written.
    """
    place = vocabulary.arrays.folder
    content = {"names": vocabulary.names, "mode": vocabulary.mode, "folder": place.name}
    atomic_write(folder / _VOCABULARY_FILE, json.dumps(content))
    for other in (folder / "concepts").iterdir():
        if other != place:
            shutil.rmtree(other, ignore_errors=True)


def remove_vocabulary(folder: Path) -> None:
    """Go back to the classes of the network.

    Parameters
    ----------
    folder : Path
        The index.
    """
    (folder / _VOCABULARY_FILE).unlink(missing_ok=True)
    shutil.rmtree(folder / "concepts", ignore_errors=True)


def read_vocabulary(folder: Path) -> Vocabulary | None:
    """Read which concepts were put beside or in place of the classes of the network.

    Parameters
    ----------
    folder : Path
        The index.

    Returns
    -------
    Vocabulary or None
        The vocabulary, if there is one.

    Raises
    ------
    VideoIndexError
        If its file is damaged.
    """
    path = folder / _VOCABULARY_FILE
    if not path.exists():
        return None
    content = read_json(path, _LARGEST_FILE)
    names, mode, place = (content.get(key) for key in ("names", "mode", "folder"))
    good = isinstance(names, list) and names and all(isinstance(name, str) for name in names)
    if not good or mode not in get_args(ConceptMode) or not re.fullmatch(r"[0-9a-f]{32}", str(place)):
        raise VideoIndexError(f"{path} is damaged: delete it to go back to the classes of the network.")
    return Vocabulary(
        tuple(content["names"]),
        content["mode"],
        AddedArrays(folder / "concepts" / str(place), len(content["names"])),
    )

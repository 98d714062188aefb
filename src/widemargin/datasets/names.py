"""Names from a file: one line of text each, that a page, a drawing and a table can hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from widemargin.datasets.files import DatasetError

__all__ = ["check_names"]

# Controls such as line breaks, halves of surrogate pairs, and the separators of lines and of paragraphs.
_REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# No control characters, but no characters of XML either, which is what an SVG is.
_NOT_IN_XML = frozenset("\ufffe\uffff")


def check_names(path: Path, array: str, names: Iterable[str]) -> None:
    """Raise DatasetError if a name has a line break, another control character, or half a surrogate pair.

    An SVG with such a character is none that a browser draws, and a table with such a line break none that is read
    back line by line.

    Parameters
    ----------
    path : Path
        The file, for the message.
    array : str
        What holds the names, for the message.
    names : iterable of str
        The names.

    Raises
    ------
    DatasetError
        If there is such a name.
    """
    for name in names:
        for character in name:
            if character in _NOT_IN_XML or unicodedata.category(character) in _REFUSED_CATEGORIES:
                raise DatasetError(
                    f"{path} holds in {array} the name {name[:60]!a}, with the character "
                    f"U+{ord(character):04X}: names must be one line without control characters, so take it out."
                )

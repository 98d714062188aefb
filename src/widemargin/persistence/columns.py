"""Find the columns that a model was trained on in the table that it is given, by their names where there are any."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from widemargin.datasets.files import first_repeated
from widemargin.persistence.errors import ColumnsError

__all__ = ["ColumnMatch", "check_number", "listed", "match_names", "names_of"]

_SHOWN_NAMES = 5


@dataclass(frozen=True)
class ColumnMatch:
    """Where the columns of a model are in a table.

    Parameters
    ----------
    places : tuple of int of length n_features
        The column of the table, counted from 0, for every feature of the model in its order.
    others : tuple of str
        Names of the columns that the model does not know.
    """

    places: tuple[int, ...]
    others: tuple[str, ...]


def match_names(present: Sequence[str], known: Sequence[str], source: str) -> ColumnMatch:
    """Find every column of a model in a table.

    Names are the same if they differ in white space or in the Unicode form of their letters only (NFC and NFD, of
    which keyboards and file systems write either), unless two names of one side differ in nothing else.

    Parameters
    ----------
    present : sequence of str
        Names of the columns of the table, all different but those that are empty.
    known : sequence of str
        Names of the features of the model, all different.
    source : str
        The table, for messages.

    Returns
    -------
    ColumnMatch
        The columns to take, and the others.

    Raises
    ------
    ColumnsError
        If a column is missing, or two of the table have the same name: the message lists up to five of each side.
    """
    repeated = first_repeated(filter(None, present))
    if repeated is not None:
        raise ColumnsError(f"{source} has two columns called {repeated!r}: give every column its own name.")
    exact = {name: k for k, name in enumerate(present)}
    present_keys, known_keys = Counter(map(_key, present)), Counter(map(_key, known))
    similar = {_key(name): k for k, name in enumerate(present) if present_keys[_key(name)] == 1}
    places: list[int] = []
    missing: list[str] = []
    for name in known:
        key = _key(name)
        place = exact.get(name, similar.get(key) if known_keys[key] == 1 else None)
        if place is None:
            missing.append(name)
        else:
            places.append(place)
    taken = set(places)
    others = tuple(name for k, name in enumerate(present) if k not in taken)
    if not missing:
        return ColumnMatch(tuple(places), others)
    also = f", and has {listed(others)}, on which it was not" if others else ""
    ambiguous = any(present_keys[_key(name)] for name in missing)
    hint = "; some differ in white space or in the Unicode form of a letter only" if ambiguous else ""
    raise ColumnsError(
        f"{source} lacks {listed(missing)} of the {len(known)} columns that the model was trained on{also}: give a "
        f"table with all of them, under the same names{hint}."
    )


def check_number(n_columns: int, n_features: int, source: str) -> None:
    """Raise ColumnsError unless a table without names has as many columns as a model.

    Parameters
    ----------
    n_columns, n_features : int
        Columns of the table and of the model.
    source : str
        The table, for the message.

    Raises
    ------
    ColumnsError
        If the numbers differ.
    """
    if n_columns != n_features:
        raise ColumnsError(
            f"{source} has {n_columns} columns, but the model was trained on {n_features}: give the same columns in "
            "the same order, without the labels."
        )


def names_of(X: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of a DataFrame.

    Parameters
    ----------
    X : object
        A table of any kind.

    Returns
    -------
    tuple of str, or None
        The names, if there are columns and all names are text, as scikit-learn asks for.
    """
    columns = getattr(X, "columns", None)
    names = None if columns is None else tuple(columns)
    if not names or not all(isinstance(name, str) for name in names):
        return None
    return names


def listed(names: Sequence[str]) -> str:
    """Name some columns for a message.

    Parameters
    ----------
    names : sequence of str
        The names, at least one.

    Returns
    -------
    str
        Such as "the columns 'a', 'b'", with at most five of them.

    Examples
    --------
    >>> from widemargin.persistence.columns import listed
    >>> listed(["length"])
    "the column 'length'"
    """
    shown = ", ".join(repr(name) for name in names[:_SHOWN_NAMES])
    more = len(names) - _SHOWN_NAMES
    word = "the column" if len(names) == 1 else "the columns"
    return f"{word} {shown}" + (f" and {more} more" if more > 0 else "")


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())

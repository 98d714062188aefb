"""Arrays that a user adds to an index: a row for each frame of a video, and as many columns for every video."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_features_finite, check_numbers

__all__ = ["ArraysByPath", "arrays_by_content", "probabilities_for", "rows_for"]

Array = npt.NDArray[Any]
ArraysByPath = Mapping[str, npt.ArrayLike]


def arrays_by_content(
    frames: Callable[[str], tuple[str, int, int]],
    arrays: ArraysByPath,
    extra: ArraysByPath | None,
    width: int | None,
) -> dict[str, tuple[Array, Array | None]]:
    """Return a user's arrays by the content that they belong to.

    Parameters
    ----------
    frames : callable
        Gives for a path the digest of the content, and its numbers of shots and of extra frames.
    arrays, extra : mapping of str to array-like of shape (n_rows, width)
        A row for each shot, and for each extra frame, by path. `extra` may be None, or lack videos.
    width : int or None
        Number of columns; None for that of the first.

    Returns
    -------
    dict of str to tuple
        The rows for shots and for extra frames (None if they were not given) as float32, by digest.

    Raises
    ------
    ValueError
        If an array has another shape, or a value that is not finite as float32.
    """
    extra = {} if extra is None else extra
    for path in extra:
        if path not in arrays:
            raise ValueError(f"extra has {path!r}, and arrays has not: pass both, or none.")
    checked: dict[str, tuple[Array, Array | None]] = {}
    for path, value in arrays.items():
        digest, n_shots, n_extra = frames(path)
        own = rows_for("arrays", value, n_shots, path)
        its_extra = rows_for("extra", extra[path], n_extra, path) if path in extra and n_extra else None
        width = own.shape[1] if width is None else width
        for rows in (own, own if its_extra is None else its_extra):
            if rows.shape[1] != width:
                raise ValueError(
                    f"the arrays of {path!r} have {rows.shape[1]} columns, expected {width}: pass as many for "
                    "every video."
                )
        checked[digest] = own, its_extra
    return checked


def probabilities_for(name: str, value: Any, shape: tuple[int, int], path: str) -> Array:
    """Return a user's array of probabilities as float32.

    Parameters
    ----------
    name : str
        The parameter, for the messages.
    value : array-like
        What the user passed.
    shape : tuple of int
        The shape that it must have.
    path : str
        The video, for the messages.

    Returns
    -------
    ndarray of float32
        The same numbers.

    Raises
    ------
    ValueError
        If it has another shape, or values that are no probabilities.
    """
    rows = rows_for(name, value, shape[0], path)
    if rows.shape != shape or rows.min() < 0 or rows.max() > 1:
        raise ValueError(
            f"{name}[{path!r}] has shape {rows.shape} and values from {rows.min():g} to {rows.max():g}, expected "
            f"{shape} and probabilities from 0 to 1."
        )
    return rows


def rows_for(name: str, value: Any, n_rows: int, path: str) -> Array:
    """Return a user's array as float32 with a row for each frame of a video.

    Parameters
    ----------
    name : str
        The parameter, for the messages.
    value : array-like of shape (n_rows, n_columns)
        What the user passed.
    n_rows : int
        Number of frames.
    path : str
        The video, for the messages.

    Returns
    -------
    ndarray of float32 of shape (n_rows, n_columns)
        The same numbers.

    Raises
    ------
    ValueError
        If it has another shape, or a value that is not finite as float32.
    """
    array = check_numbers(f"{name}[{path!r}]", value)
    if array.ndim != 2 or len(array) != n_rows or array.shape[1] == 0:
        raise ValueError(
            f"{name}[{path!r}] has shape {array.shape}, expected ({n_rows}, n_columns): pass a row for each frame."
        )
    with np.errstate(over="ignore"):
        single = array.astype(np.float32)
    check_features_finite(f"{name}[{path!r}]", single)
    return single

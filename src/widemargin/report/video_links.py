"""Addresses of files on this machine, whatever bytes their names are made of."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote_from_bytes

__all__ = ["file_code", "file_url"]


def file_url(path: str, folder: Path | None = None) -> str:
    """Return the address of a file for a link.

    Links on the way to the file are not followed. Nothing is read, so the file need not exist.

    Parameters
    ----------
    path : str
        The file; if relative, from the working folder.
    folder : Path or None, default=None
        Where the page is kept. Files in it or below get an address relative to it, so that the folder can be moved.

    Returns
    -------
    str
        With every byte encoded that is no letter, digit, or one of ``_.-~/``; empty for an empty path.

    Examples
    --------
    >>> from pathlib import Path
    >>> file_url("/tapes/50 % off #2?.mp4")
    'file:///tapes/50%20%25%20off%20%232%3F.mp4'
    >>> file_url("/tapes/a b.mp4", Path("/tapes"))
    'a%20b.mp4'
    """
    if not path:
        return ""
    absolute = Path(os.path.abspath(path))
    if folder is not None:
        home = Path(os.path.abspath(folder))
        if absolute.is_relative_to(home):
            return quote_from_bytes(os.fsencode(absolute.relative_to(home).as_posix()), safe="/")
    return absolute.as_uri()


def file_code(path: str) -> str:
    """Return a path in letters, digits and ``%``, from which its very bytes can be had again.

    Parameters
    ----------
    path : str
        A path as it was given.

    Returns
    -------
    str
        With every byte encoded that is no letter, digit, or one of ``_.-~/``.

    Examples
    --------
    >>> file_code("two men.mp4")
    'two%20men.mp4'
    """
    return quote_from_bytes(os.fsencode(path), safe="/")

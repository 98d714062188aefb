"""The folder where what is costly to make, and the same for every user of a machine, is kept between runs."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder(*parts: str) -> Path:
    """Return a folder of the cache, and make it if it is not there.

    The cache is the folder that the environment variable ``WIDEMARGIN_CACHE`` names, else ``widemargin`` in
    ``XDG_CACHE_HOME``, else ``~/.cache/widemargin``. Everything in it can be deleted; it is made again when needed.

    Parameters
    ----------
    *parts : str
        Names of folders, from the outer to the inner.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    shared = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    base = Path(os.environ.get("WIDEMARGIN_CACHE") or shared / "widemargin")
    folder = base.joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder

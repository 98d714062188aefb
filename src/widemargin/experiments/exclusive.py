"""Keep two runs from writing into one results folder, where their rows would get mixed."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["FolderInUseError", "exclusive_use"]


class FolderInUseError(RuntimeError):
    """Another run writes into the folder; the message says which folder, and what to do."""


@contextmanager
def exclusive_use(folder: Path) -> Generator[None, None, None]:
    """Hold a folder of results for one run, as long as the context lasts.

    The lock is on the file ``.<name>.lock`` beside the folder, because the folder itself may be moved aside. The
    system ends the lock with the process, however that ends: a killed run leaves the file, and blocks nobody.

    Parameters
    ----------
    folder : Path
        The folder, which need not exist; the one above is made if missing.

    Yields
    ------
    None

    Raises
    ------
    FolderInUseError
        If another run holds it, in this process or another.
    OSError
        If the file of the lock cannot be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(folder.with_name(f".{folder.name}.lock"), blocking=False):
            yield
    except Timeout as error:
        raise FolderInUseError(
            f"Another run writes into {str(folder)!r}: give another --out, or wait until it ends."
        ) from error

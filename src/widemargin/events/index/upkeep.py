"""Several runs in one index: who may write about a content, and what is left over."""

from __future__ import annotations

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from widemargin.atomic import remove_unfinished
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.records import read_records

__all__ = ["content_lock", "remove_leftovers", "video_file"]

# Writing a file takes seconds; the clocks of machines that share a folder may differ by minutes.
_UNFINISHED_AGE = 3600.0


def video_file(folder: Path, digest: str) -> Path:
    """Return the file of a content.

    Parameters
    ----------
    folder : Path
        The index.
    digest : str
        SHA-256 of a video.

    Returns
    -------
    Path
        The file, whether it exists or not.
    """
    return folder / "videos" / f"{digest}.npz"


def content_lock(folder: Path, digest: str) -> BaseFileLock:
    """Return the lock that a process holds while it writes about a content, or takes away what is known of it.

    The system ends the lock with the process, however that ends. It may be released in another thread than the one that
    acquired it.

    Parameters
    ----------
    folder : Path
        The index.
    digest : str
        SHA-256 of a video.

    Returns
    -------
    FileLock
        The lock, to be used in a ``with`` statement.
    """
    locks = folder / "locks"
    locks.mkdir(exist_ok=True)
    return FileLock(locks / f"{digest}.lock", thread_local=False)


def remove_leftovers(folder: Path) -> None:
    """Remove what no record refers to any more, and what killed runs did not finish.

    If a record is damaged, what it refers to is unknown, and all is kept.

    Parameters
    ----------
    folder : Path
        The index.
    """
    for place in (folder, *folder.glob("*/"), *folder.glob("*/*/")):
        remove_unfinished(place, min_age=_UNFINISHED_AGE)
    try:
        used = _used(folder)
        files = [
            file
            for pattern in ("videos/*.npz", "features/*/*.npz", "concepts/*/*.npz")
            for file in folder.glob(pattern)
        ]
        for file in files:
            if file.stem not in used:
                _remove(folder, file)
    except VideoIndexError:
        return


def _used(folder: Path) -> set[str]:
    """Return the contents that records refer to."""
    return {record.digest for record in read_records(folder) if record.status != "failed"}


def _remove(folder: Path, file: Path) -> None:
    """Remove a file, unless another run is about to refer to it or does so already."""
    try:
        with content_lock(folder, file.stem).acquire(timeout=0):
            if file.stem not in _used(folder):
                file.unlink(missing_ok=True)
    except Timeout:
        return

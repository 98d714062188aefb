"""Keep two runs from writing into one results folder, where their rows would get mixed."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["FolderInUseError", "exclusive_use"]

_HELD_BY_ANOTHER = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class FolderInUseError(RuntimeError):
    """Another run writes into the folder; the message says which folder, and what to do."""


@contextmanager
def exclusive_use(folder: Path) -> Generator[None, None, None]:
    """Hold a folder of results for one run, as long as the context lasts.

    The lock is on the file ``.<name>.lock`` beside the folder, because the folder itself may be moved aside. The
    system ends the lock with the process, however that ends: a killed run leaves the file, and blocks nobody. A file
    system that has no locks gives no protection.

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
    path = folder.with_name(f".{folder.name}.lock")
    descriptor = _open_locked(path)
    if descriptor is None:
        raise FolderInUseError(
            f"Another run writes into {str(folder)!r}: give another --out, or wait until it ends."
        )
    try:
        yield
    finally:
        _remove_and_close(path, descriptor)


def _open_locked(path: Path) -> int | None:
    """Return the descriptor of the file, locked; or None if another has it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            # The run that had the lock may have removed the file between our two calls.
            if _is_at(path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int) -> bool:
    """Lock an open file if nobody has; on a file system without locks there is nothing to do."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _HELD_BY_ANOTHER
    return True


def _remove_and_close(path: Path, descriptor: int) -> None:
    """Remove the file while it is locked, so that no other run's file is removed; Windows only removes closed files."""
    if sys.platform == "win32":
        os.close(descriptor)
        with suppress(PermissionError):
            path.unlink(missing_ok=True)
    else:
        path.unlink(missing_ok=True)
        os.close(descriptor)

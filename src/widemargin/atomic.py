"""Files that are old or new but never half written."""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path

__all__ = ["WriteError", "atomic_write", "remove_unfinished"]


class WriteError(OSError):
    """A file cannot be written; ``strerror`` says why, and ``filename`` which."""


def atomic_write(path: Path, content: bytes | str) -> None:
    r"""Write a file so that a reader, or a crash, sees the old content or the new, never a part.

    Where the path is a symbolic link, the file that it leads to is written, and the link stays.

    Parameters
    ----------
    path : Path
        The file; its folder must exist.
    content : bytes or str
        What it shall hold; text is encoded as UTF-8. Bytes in a file's name that are no UTF-8 have no code, and are
        written as ``\udc80`` to ``\udcff``, which JSON reads as Python has them.

    Raises
    ------
    WriteError
        If it cannot be written, or exists and is a folder, a pipe or a device. Nothing is left behind then.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    try:
        target = _ordinary_file(path)
        # The name of the file is no part of this one, which could get longer than file systems allow.
        temporary = target.with_name(f".{os.getpid()}-{threading.get_ident()}.tmp")
        try:
            temporary.write_bytes(data)
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise WriteError(error.errno, error.strerror or str(error), str(path)) from error


def _ordinary_file(path: Path) -> Path:
    """Follow symbolic links, and raise OSError if what is there can hold no content of its own."""
    target = Path(os.path.realpath(path))
    try:
        target.stat()
    except FileNotFoundError:
        return target
    if target.is_dir():
        raise OSError(errno.EISDIR, "it is a folder")
    if not target.is_file():
        raise OSError(errno.EINVAL, "it is a pipe or a device, and no ordinary file")
    return target


def remove_unfinished(folder: Path, *, min_age: float = 0.0) -> None:
    """Remove the temporary files that a killed `atomic_write` left in a folder.

    Parameters
    ----------
    folder : Path
        An existing folder.
    min_age : float, default=0.0
        Seconds since a file was written to last for it to count as left behind. In a folder that several processes
        write to, larger than what writing a file takes.
    """
    latest = time.time() - min_age
    for path in folder.glob(".*.tmp"):
        try:
            if not min_age or path.stat().st_mtime < latest:
                path.unlink()
        except FileNotFoundError:
            continue

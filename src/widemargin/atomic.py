"""Files that are old or new but never half written."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["atomic_write", "remove_unfinished"]


def atomic_write(path: Path, content: bytes | str) -> None:
    """Write a file so that a reader, or a crash, sees the old content or the new, never a part.

    Parameters
    ----------
    path : Path
        The file; its folder must exist.
    content : bytes or str
        What it shall hold; text is encoded as UTF-8.
    """
    data = content.encode() if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary files that a killed `atomic_write` left in a folder.

    Parameters
    ----------
    folder : Path
        An existing folder.
    """
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)

"""Which file has which content: one small record a path, so that runs at the same time write no file together."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, Self

from widemargin.atomic import atomic_write
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.header import read_json

__all__ = ["PathRecord", "absolute_path", "read_record", "read_records", "record_file", "write_record"]

_LARGEST_FILE = 2**20
_BLOCK = 2**20


@dataclass(frozen=True)
class PathRecord:
    """What an index knows of a path.

    Parameters
    ----------
    path : str
        The path as it was given last.
    absolute : str
        The same from the root on; links are not resolved.
    size, mtime_ns : int
        Bytes of the file and the time of its last change when it was read, in nanoseconds.
    digest : str
        SHA-256 of its content, in hexadecimal digits; empty if it could not be opened.
    status : {"ok", "partial", "failed"}
        Whether all, some or nothing of it is in the index.
    reason : str
        What is missing, and why.
    """

    path: str
    absolute: str
    size: int
    mtime_ns: int
    digest: str
    status: Literal["ok", "partial", "failed"]
    reason: str

    def __post_init__(self) -> None:
        """Check the values, which may come from a file."""
        texts = (self.path, self.absolute, self.digest, self.status, self.reason)
        if not all(isinstance(value, str) for value in texts):
            raise ValueError("a value is no text")
        if self.path != os.fsdecode(os.fsencode(self.path)) or self.absolute != os.fsdecode(
            os.fsencode(self.absolute)
        ):
            raise ValueError("a path cannot be one")
        if type(self.size) is not int or type(self.mtime_ns) is not int:
            raise ValueError("size and mtime_ns are no integers")
        if self.status not in ("ok", "partial", "failed"):
            raise ValueError(f"the status is {self.status!r}")
        if not re.fullmatch(r"[0-9a-f]{64}", self.digest) and (self.digest or self.status != "failed"):
            raise ValueError("the digest is none")

    @classmethod
    def of_file(cls, path: str, known: PathRecord | None) -> Self:
        """Look at a file, and read it unless its size and time of change are as known.

        Parameters
        ----------
        path : str
            The file.
        known : PathRecord or None
            The record that the index has of it.

        Returns
        -------
        PathRecord
            A record with status "failed" until the video was read.

        Raises
        ------
        OSError
            If it cannot be read.
        """
        found = os.stat(path)
        if (
            known is not None
            and known.digest
            and (known.size, known.mtime_ns) == (found.st_size, found.st_mtime_ns)
        ):
            digest = known.digest
        else:
            digest = _content_digest(path)
        return cls(path, absolute_path(path), found.st_size, found.st_mtime_ns, digest, "failed", "")

    def still_holds(self) -> bool:
        """Return whether the file has not changed since this was made.

        Returns
        -------
        bool
            Whether its size and time of change are the same.
        """
        try:
            found = os.stat(self.absolute)
        except OSError:
            return False
        return (found.st_size, found.st_mtime_ns) == (self.size, self.mtime_ns)


def absolute_path(path: str) -> str:
    """Return a path from the root on, without resolving links or steps upwards, which links may give a meaning.

    Parameters
    ----------
    path : str
        Any path.

    Returns
    -------
    str
        The path.
    """
    return str(Path(path).absolute())


def record_file(folder: Path, path: str) -> Path:
    """Return the file that holds the record of a path.

    Parameters
    ----------
    folder : Path
        The index.
    path : str
        The path of a video.

    Returns
    -------
    Path
        The file, whether it exists or not.
    """
    name = hashlib.sha256(os.fsencode(absolute_path(path))).hexdigest()
    return folder / "paths" / f"{name}.json"


def write_record(folder: Path, record: PathRecord) -> None:
    """Write a record, in place of an earlier one of the same path.

    Parameters
    ----------
    folder : Path
        The index.
    record : PathRecord
        The record.
    """
    atomic_write(record_file(folder, record.absolute), json.dumps(asdict(record)))


def read_record(folder: Path, path: str) -> PathRecord | None:
    """Read what an index knows of a path.

    Parameters
    ----------
    folder : Path
        The index.
    path : str
        The path of a video.

    Returns
    -------
    PathRecord or None
        The record; None if there is none.

    Raises
    ------
    VideoIndexError
        If it is damaged.
    """
    file = record_file(folder, path)
    return _read(file) if file.exists() else None


def read_records(folder: Path) -> Iterator[PathRecord]:
    """Read all records of an index, in no order.

    Parameters
    ----------
    folder : Path
        The index.

    Yields
    ------
    PathRecord
        The record of a path.

    Raises
    ------
    VideoIndexError
        If one is damaged.
    """
    for file in (folder / "paths").glob("*.json"):
        yield _read(file)


def _read(file: Path) -> PathRecord:
    content = read_json(file, _LARGEST_FILE)
    try:
        record = PathRecord(**content)
    except (TypeError, ValueError) as error:
        raise VideoIndexError(f"{file} is damaged ({error}): delete it, and add its video again.") from error
    if file.name != record_file(Path(), record.absolute).name:
        raise VideoIndexError(f"{file} is damaged (its name is that of another path): delete it.")
    return record


def _content_digest(path: str) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()

"""All paths that an index knows: what they are called, and which one a user means."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.names import distinct_names, find_path
from widemargin.events.index.records import PathRecord, absolute_path, read_records

__all__ = ["Catalogue"]


class Catalogue:
    """The records of an index, as they were when this was made.

    A path is called as it was given last. Where two were given the same, in different folders, they are called by
    their whole paths.

    Parameters
    ----------
    folder : Path
        The index.

    Raises
    ------
    VideoIndexError
        If a record is damaged.
    """

    def __init__(self, folder: Path) -> None:
        records = sorted(read_records(folder), key=lambda record: (record.path, record.absolute))
        given = Counter(record.path for record in records)
        self._records = {
            record.path if given[record.path] == 1 else record.absolute: record for record in records
        }
        self._by_place = {record.absolute: record for record in records}
        good = [record.absolute for record in records if record.status != "failed"]
        self._names = dict(zip(good, distinct_names(good), strict=True))

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of videos that could be read, in alphabetical order."""
        return tuple(path for path, record in self._records.items() if record.status != "failed")

    @property
    def failed(self) -> dict[str, str]:
        """The paths of files that could not be read, and why."""
        return {path: record.reason for path, record in self._records.items() if record.status == "failed"}

    def all_records(self) -> tuple[PathRecord, ...]:
        """Return the records of all paths, failed ones included."""
        return tuple(self._records.values())

    def name(self, record: PathRecord) -> str:
        """Return the base name of a video, with folders where others have the same.

        Parameters
        ----------
        record : PathRecord
            The record of a video that could be read.

        Returns
        -------
        str
            The name.
        """
        return self._names[record.absolute]

    def called(self, record: PathRecord) -> str:
        """Return what a path is called.

        Parameters
        ----------
        record : PathRecord
            Its record.

        Returns
        -------
        str
            One of `paths` or `failed`.
        """
        return record.path if self._records.get(record.path) is record else record.absolute

    def get(self, path: str | Path) -> PathRecord | None:
        """Return the record of a path, if there is one.

        Parameters
        ----------
        path : str or Path
            What it is called, or another path of the same place.

        Returns
        -------
        PathRecord or None
            The record.
        """
        text = os.fsdecode(path)
        return self._records.get(text) or self._by_place.get(absolute_path(text))

    def record(self, path: str | Path) -> PathRecord:
        """Return the record of a video that could be read.

        Parameters
        ----------
        path : str or Path
            What it is called, or another path of the same place.

        Returns
        -------
        PathRecord
            The record.

        Raises
        ------
        VideoIndexError
            If there is none, or the file could not be read.
        """
        record = self.get(path)
        if record is None:
            raise VideoIndexError(
                f"The index has no video {os.fsdecode(path)!r}: add it first, or see `find` for other names."
            )
        if record.status == "failed":
            raise VideoIndexError(f"{record.path!r} is in the index, but could not be read: {record.reason}")
        return record

    def find(self, name: str | Path) -> PathRecord:
        """Return the record of the video that a name means.

        Parameters
        ----------
        name : str or Path
            A path, or its last parts, with or without the suffix.

        Returns
        -------
        PathRecord
            The record.

        Raises
        ------
        VideoIndexError
            If the name means no video, or more than one, or one that could not be read.
        """
        text = os.fsdecode(name)
        places = {path: record.absolute for path, record in self._records.items()}
        return self.record(find_path(text, absolute_path(text), places))

"""From what stands on the command line to the video files that are meant: files, folders and patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["VIDEO_SUFFIXES", "FoundVideos", "find_videos"]

VIDEO_SUFFIXES = frozenset(
    f".{name}"
    for name in (
        *(
            "3g2",
            "3gp",
            "asf",
            "avi",
            "divx",
            "dv",
            "f4v",
            "flv",
            "gif",
            "h264",
            "264",
            "h265",
            "265",
            "hevc",
        ),
        *(
            "ivf",
            "m1v",
            "m2t",
            "m2ts",
            "m2v",
            "m4v",
            "mjpeg",
            "mjpg",
            "mkv",
            "mov",
            "mp4",
            "mpe",
            "mpeg",
            "mpg",
        ),
        *("mts", "mxf", "nut", "ogm", "ogv", "qt", "rm", "rmvb", "ts", "vob", "webm", "wmv", "wtv", "y4m"),
    )
)
"""Suffixes in lower case of the files that are taken from a folder."""


@dataclass(frozen=True)
class FoundVideos:
    """The files that are meant, and what led to none.

    Parameters
    ----------
    paths : tuple of str
        The files in the order in which they were named, those of a folder or a pattern sorted, each once. A file that
        was named itself is there even if it does not exist.
    problems : tuple of str
        A sentence for each folder and each pattern without a file.
    """

    paths: tuple[str, ...]
    problems: tuple[str, ...]


def find_videos(given: Sequence[str]) -> FoundVideos:
    """Find the files that names, folders and patterns stand for.

    Paths stay as they were given, and links are not resolved; the same path by two names is there once.

    Parameters
    ----------
    given : sequence of str
        Names of files, which are taken whatever their suffix; folders, of which all files with a suffix of videos are
        taken, also in folders inside, but none that is hidden; or patterns with ``*``, ``?``, ``[...]`` or ``**``, as a
        shell would replace them.

    Returns
    -------
    FoundVideos
        The files.
    """
    paths: dict[str, str] = {}
    problems: list[str] = []
    for argument in given:
        for name in _matches(argument, problems):
            for path in _files(name, problems):
                paths.setdefault(os.path.abspath(path), path)
    return FoundVideos(tuple(paths.values()), tuple(problems))


def _matches(argument: str, problems: list[str]) -> list[str]:
    """Return what a pattern stands for; a name that exists is no pattern, whatever its characters."""
    if os.path.lexists(argument) or not glob.has_magic(argument):
        return [argument]
    found = sorted(glob.glob(argument, recursive=True))
    if not found:
        problems.append(
            f"{argument!r} is no file, and as a pattern it matches none: check the folder's name."
        )
    return found


def _files(name: str, problems: list[str]) -> list[str]:
    if not os.path.isdir(name):
        return [name]
    found = list(_videos_in(name, problems))
    if not found:
        problems.append(
            f"{name!r} is a folder in which no file has a suffix of videos: name files themselves, which are tried "
            "whatever their suffix."
        )
    return found


def _videos_in(folder: str, problems: list[str]) -> Iterator[str]:
    """Yield the videos of a folder and of those inside it; links to folders are followed, in a circle only once."""
    seen: set[tuple[int, int]] = set()

    def tell(error: OSError) -> None:
        problems.append(f"{error.filename!r} cannot be read ({error.strerror}): check its permissions.")

    for parent, folders, files in os.walk(folder, followlinks=True, onerror=tell):
        facts = os.stat(parent)
        if (facts.st_dev, facts.st_ino) in seen:
            folders.clear()
            continue
        seen.add((facts.st_dev, facts.st_ino))
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and os.path.splitext(name)[1].lower() in VIDEO_SUFFIXES:
                yield os.path.join(parent, name)

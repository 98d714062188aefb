"""What videos are called, and which one a user means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import PurePath

from widemargin.events.index.errors import VideoIndexError

__all__ = ["distinct_names", "find_path"]

_MOST_NAMED = 3


def distinct_names(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the base names of files, with as many folders before them as it takes to tell them apart.

    Parameters
    ----------
    paths : sequence of str
        Different paths from the root on.

    Returns
    -------
    tuple of str
        A name for each.

    Examples
    --------
    >>> distinct_names(["/x/a.mp4", "/x/b.mp4", "/y/b.mp4"])
    ('a.mp4', 'x/b.mp4', 'y/b.mp4')
    """
    parts = [PurePath(path).parts for path in paths]
    lengths = [1] * len(paths)
    while True:
        names = ["/".join(some[-length:]) for some, length in zip(parts, lengths, strict=True)]
        counts = Counter(names)
        shared = [
            row for row, name in enumerate(names) if counts[name] > 1 and lengths[row] < len(parts[row])
        ]
        if not shared:
            return tuple(names)
        for row in shared:
            lengths[row] += 1


def find_path(name: str, absolute: str, paths: Mapping[str, str]) -> str:
    """Return the path of the video that a name means.

    Parameters
    ----------
    name : str
        A path, or its last parts, with or without the suffix.
    absolute : str
        The same as a path from the root on.
    paths : mapping of str to str
        The paths that there are, as they are called, and from the root on.

    Returns
    -------
    str
        One of the paths as they are called.

    Raises
    ------
    VideoIndexError
        If the name means none of them, or several.
    """
    if name in paths:
        return name
    for matches in (
        [path for path, whole in paths.items() if whole == absolute],
        [path for path, whole in paths.items() if _ends_with(PurePath(whole), name)],
        [path for path, whole in paths.items() if _ends_with(PurePath(whole).with_suffix(""), name)],
    ):
        if len(matches) > 1:
            named = ", ".join(repr(match) for match in sorted(matches)[:_MOST_NAMED])
            raise VideoIndexError(
                f"{name!r} may be {len(matches)} videos of the index, such as {named}: give the path of "
                "the one that you mean."
            )
        if matches:
            return matches[0]
    near = _near(PurePath(name).name, paths)
    hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "add it first."
    raise VideoIndexError(f"The index has no video {name!r}: {hint}")


def _ends_with(path: PurePath, name: str) -> bool:
    parts = PurePath(name).parts
    return bool(parts) and path.parts[-len(parts) :] == parts


def _near(name: str, paths: Mapping[str, str]) -> list[str]:
    """Return the paths whose base names look most like a name."""
    by_name = {PurePath(path).name: path for path in paths}
    return [by_name[match] for match in get_close_matches(name, by_name, n=_MOST_NAMED)]

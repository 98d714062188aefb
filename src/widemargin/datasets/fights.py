"""Clips of surveillance cameras in which people fight, and others in which they do not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.files import DatasetError, MissingDatasetError, data_folder

__all__ = ["FightClips", "load_fight_clips"]

_ENDINGS = frozenset({".mp4", ".m4v", ".mov", ".mkv", ".avi", ".webm"})
_MOST_CLIPS = 10_000


@dataclass(frozen=True, eq=False)
class FightClips:
    """Files of short clips; the clips themselves are decoded by who needs them.

    Parameters
    ----------
    files : tuple of Path
        The clips: those with a fight first, each part sorted by name.
    fight : ndarray of bool of shape (n_clips,)
        Whether people fight in a clip.
    """

    files: tuple[Path, ...]
    fight: npt.NDArray[np.bool_]


def load_fight_clips(folder: str | Path) -> FightClips:
    """List the clips of the surveillance camera fight data set [1]_, or of a part of it.

    The folder ``fights`` has two folders, ``fight`` and ``no_fight``, with a file for each clip (``.mp4``, ``.m4v``,
    ``.mov``, ``.mkv``, ``.avi`` or ``.webm``). Names that start with a dot are left out, as is what is no ordinary
    file. No clip is opened.

    Parameters
    ----------
    folder : str or Path
        Folder with ``fights`` in it.

    Returns
    -------
    FightClips
        Files with what they show.

    Raises
    ------
    DatasetError
        If a folder is missing, or has no clip or too many.
    TypeError
        If `folder` is no path.

    References
    ----------
    .. [1] S. Aktı, G. A. Tataroğlu and H. K. Ekenel, "Vision-based fight detection from surveillance cameras", IPTA
       2019.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from widemargin.datasets import load_fight_clips
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part, name in (("fight", "a.mp4"), ("no_fight", "b.mp4"), ("no_fight", "c.mp4")):
    ...         place = Path(folder) / "fights" / part
    ...         place.mkdir(parents=True, exist_ok=True)
    ...         (place / name).touch()
    ...     clips = load_fight_clips(folder)
    >>> [path.name for path in clips.files], clips.fight.tolist()
    (['a.mp4', 'b.mp4', 'c.mp4'], [True, False, False])
    """
    root = data_folder(folder) / "fights"
    parts = [_clips(root / name) for name in ("fight", "no_fight")]
    return FightClips((*parts[0], *parts[1]), np.arange(sum(map(len, parts))) < len(parts[0]))


def _clips(part: Path) -> list[Path]:
    """Return the clips of one part."""
    if not part.is_dir():
        raise MissingDatasetError(f"{part} is missing: pass the folder in which fights lies.")
    files = sorted(
        path
        for path in part.iterdir()
        if path.suffix.lower() in _ENDINGS and not path.name.startswith(".") and path.is_file()
    )
    if not files:
        raise DatasetError(f"{part} has no clip: there must be at least one file such as fi001.mp4.")
    if len(files) > _MOST_CLIPS:
        raise DatasetError(f"{part} has {len(files)} clips: at most {_MOST_CLIPS} are read.")
    return files

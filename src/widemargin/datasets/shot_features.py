"""Videos that somebody else has described: a folder of features and concepts by shot, events in words, and lists.

The collections of the literature (TRECVID MED, CCV) come in layouts of their own, and their videos must be asked for.
This is one plain layout into which such features are easily put.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.feature_files import read_features
from widemargin.datasets.files import (
    DatasetError,
    MissingDatasetError,
    check_file,
    data_folder,
    first_repeated,
)
from widemargin.datasets.names import check_names
from widemargin.video import DescribedVideo

__all__ = ["ShotFeatures", "load_shot_features"]

_SUFFIXES = (".npy", ".npz", ".csv")
_LARGEST_LIST = 2**26
# Room for rounding in single precision.
_LARGEST_PROBABILITY = 1 + 1e-5

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ShotFeatures:
    """A folder of described videos; the videos themselves are read when they are asked for.

    Parameters
    ----------
    folder : Path
        The folder.
    kinds : tuple of str
        Names of the kinds of features.
    concept_names : tuple of str
        Names of the concepts.
    descriptions : mapping of str to str
        A few words on each event, by its name.
    lists : mapping of str to tuple of (str, str)
        Videos and their events, by the name of the list; the event is empty for a video of none.
    """

    folder: Path
    kinds: tuple[str, ...]
    concept_names: tuple[str, ...]
    descriptions: Mapping[str, str]
    lists: Mapping[str, tuple[tuple[str, str], ...]]

    def video(self, name: str) -> DescribedVideo:
        """Read a video.

        Parameters
        ----------
        name : str
            Its name in the lists.

        Returns
        -------
        DescribedVideo
            Features of every kind, concepts and times of its shots, and of its extra frames if there are any, which
            are taken to be evenly spaced. Without a file of times a shot lasts one second.

        Raises
        ------
        DatasetError
            If a file is missing or damaged, or files are of different numbers of shots.
        """
        features, concepts = self._arrays(self.folder, name)
        shots = self._shots(name, len(concepts))
        duration = float(shots[-1, 1])
        extra = self.folder / "extra"
        if _file(extra / "concepts", name) is None:
            return DescribedVideo(name, features, concepts, shots, shots.mean(axis=1), duration=duration)
        extra_features, extra_concepts = self._arrays(extra, name)
        n_extra = len(extra_concepts)
        widths = [(rows.shape[1], extra_features[kind].shape[1]) for kind, rows in features.items()]
        if any(own != other for own, other in widths):
            raise DatasetError(
                f"{extra / 'features'} has other numbers of features of the video {name!r} than "
                f"{self.folder / 'features'}: describe its extra frames as its key frames are."
            )
        return DescribedVideo(
            name,
            features,
            concepts,
            shots,
            shots.mean(axis=1),
            extra_features,
            extra_concepts,
            shots[0, 0] + (duration - shots[0, 0]) * (np.arange(n_extra) + 0.5) / n_extra,
            duration=duration,
        )

    def videos(self, chosen: str) -> tuple[list[DescribedVideo], npt.NDArray[np.str_]]:
        """Read all videos of a list.

        Parameters
        ----------
        chosen : str
            Name of the list.

        Returns
        -------
        videos : list of DescribedVideo
            The videos.
        events : ndarray of str of shape (n_videos,)
            Their events; empty for a video of none.

        Raises
        ------
        ValueError
            If there is no such list.
        DatasetError
            If a video cannot be read.
        """
        if chosen not in self.lists:
            raise ValueError(f"chosen is {chosen!r}: there are the lists {', '.join(self.lists)}.")
        found = self.lists[chosen]
        return [self.video(name) for name, _ in found], np.array([event for _, event in found], dtype=np.str_)

    def _arrays(self, root: Path, name: str) -> tuple[dict[str, Array], Array]:
        """Read features of every kind and concepts of the same frames of a video."""
        features = {kind: _table(root / "features" / kind, name) for kind in self.kinds}
        concepts = _table(root / "concepts", name)
        counts = {kind: len(rows) for kind, rows in features.items()} | {"concepts": len(concepts)}
        if len(set(counts.values())) > 1:
            listed = ", ".join(f"{kind} {count}" for kind, count in counts.items())
            raise DatasetError(
                f"{root} has different numbers of shots of the video {name!r}: {listed}. Give all of them the "
                "same shots in the same order."
            )
        if (
            concepts.shape[1] != len(self.concept_names)
            or concepts.min() < 0
            or concepts.max() > _LARGEST_PROBABILITY
        ):
            raise DatasetError(
                f"{root / 'concepts'} has {concepts.shape[1]} columns for the video {name!r}, or values outside 0 to "
                f"1: expected are probabilities of the {len(self.concept_names)} concepts of concepts.txt."
            )
        return features, concepts

    def _shots(self, name: str, n_shots: int) -> npt.NDArray[np.float64]:
        folder = self.folder / "times"
        if not folder.is_dir():
            starts = np.arange(n_shots, dtype=np.float64)
            return np.column_stack([starts, starts + 1])
        shots = _table(folder, name)
        if (
            shots.shape != (n_shots, 2)
            or (shots[:, 0] > shots[:, 1]).any()
            or (np.diff(shots[:, 0]) < 0).any()
        ):
            raise DatasetError(
                f"{folder} has a table of shape {shots.shape} for the video {name!r}: expected are start and end of "
                f"its {n_shots} shots, in seconds and in the order of time."
            )
        return shots


def load_shot_features(folder: str | Path) -> ShotFeatures:
    r"""Open a folder of features that were computed elsewhere, say those of MED or CCV videos.

    ==================================  ========================================================================
    File                                Content
    ==================================  ========================================================================
    ``features/KIND/VIDEO.npy``         Features of the key frames, a row a shot in the order of time; one folder
                                        for each kind. Also ``.npz`` with one array, or ``.csv``.
    ``concepts/VIDEO.npy``              Probability of each concept in the same key frames, likewise.
    ``concepts.txt``                    Names of the concepts, one a line, in the order of the columns.
    ``events.csv``                      First line ``event,description``, then a line an event.
    ``lists/NAME.csv``                  First line ``video,event``, then a line a video; the event is empty for a
                                        video of none. Lists are named for what they are for, such as
                                        ``train_10Ex``, ``train_100Ex`` and ``test``.
    ``times/VIDEO.csv``                 Start and end of each shot in seconds, a row a shot. May be left out.
    ``extra/features/KIND/VIDEO.npy``,  The same of frames evenly spaced over the video, which stand in for shots of a
    ``extra/concepts/VIDEO.npy``        video that has too few. May be left out.
    ==================================  ========================================================================

    Names of videos are those of the files without suffix. Nothing is unpickled, and sizes are checked before memory is
    reserved. Arrays are read when they are asked for.

    Parameters
    ----------
    folder : str or Path
        The folder.

    Returns
    -------
    ShotFeatures
        What is there.

    Raises
    ------
    DatasetError
        If a file or folder is missing or not in this layout, or a list names an unknown event or a video twice.
    TypeError
        If `folder` is no path.

    See Also
    --------
    widemargin.events.EventDetector : Trains on such videos.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.datasets import load_shot_features
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = Path(name)
    ...     for part, n_columns in (("features/cnn", 4), ("concepts", 2)):
    ...         (folder / part).mkdir(parents=True)
    ...         np.save(folder / part / "HVC1.npy", np.ones((3, n_columns)))
    ...     _ = (folder / "concepts.txt").write_text("cake\ncandle\n")
    ...     _ = (folder / "events.csv").write_text("event,description\nE006,a birthday party\n")
    ...     (folder / "lists").mkdir()
    ...     _ = (folder / "lists" / "train_10Ex.csv").write_text("video,event\nHVC1,E006\n")
    ...     collection = load_shot_features(folder)
    ...     videos, events = collection.videos("train_10Ex")
    >>> collection.kinds, collection.descriptions, videos[0].n_shots, events.tolist()
    (('cnn',), {'E006': 'a birthday party'}, 3, ['E006'])
    """
    root = data_folder(folder)
    for part in ("features", "concepts", "lists"):
        if not (root / part).is_dir():
            raise MissingDatasetError(f"{root / part} is missing: give a folder in the documented layout.")
    kinds = sorted(
        path.name for path in (root / "features").iterdir() if path.is_dir() and not path.name.startswith(".")
    )
    if not kinds:
        raise DatasetError(f"{root / 'features'} has no folder: there must be one for each kind of features.")
    path = root / "concepts.txt"
    concept_names = [line.strip() for line in _text(path).splitlines()]
    if not concept_names or not all(concept_names):
        raise DatasetError(f"{path} has no names, or an empty line: give one name a line.")
    check_names(path, "its lines", concept_names)
    path = root / "events.csv"
    events = _pairs(path, ("event", "description"))
    repeated = first_repeated([event for event, _ in events])
    if repeated is not None or not all(event and words for event, words in events):
        raise DatasetError(
            f"{path} has an event twice, or an empty cell: give each event once, with a description."
        )
    descriptions = dict(events)
    files = sorted(path for path in (root / "lists").glob("*.csv") if not path.name.startswith("."))
    if not files:
        raise DatasetError(f"{root / 'lists'} has no .csv file: give at least one list of videos.")
    lists = {path.stem: _list(path, descriptions) for path in files}
    return ShotFeatures(root, tuple(kinds), tuple(concept_names), descriptions, lists)


def _list(path: Path, descriptions: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the videos of a list with their events."""
    pairs = _pairs(path, ("video", "event"))
    for video, event in pairs:
        if not video or video.startswith(".") or Path(video).name != video:
            raise DatasetError(
                f"{path} has the video {video!r}: give names of files, without folder and suffix."
            )
        if event and event not in descriptions:
            raise DatasetError(f"{path} has the event {event!r}, which is not in events.csv.")
    repeated = first_repeated([video for video, _ in pairs])
    if repeated is not None:
        raise DatasetError(f"{path} has the video {repeated!r} twice: give each once.")
    return tuple(pairs)


def _pairs(path: Path, header: tuple[str, str]) -> list[tuple[str, str]]:
    """Read a table of two columns of text."""
    try:
        rows = [row for row in csv.reader(_text(path).splitlines(), strict=True) if row]
    except csv.Error as error:
        raise DatasetError(f"{path} is no table with commas ({error}).") from error
    first: Sequence[Any] = [cell.strip() for cell in rows[0]] if rows else []
    if tuple(first) != header or any(len(row) != 2 for row in rows) or len(rows) < 2:
        raise DatasetError(
            f"{path} is not in the layout: the first line is {','.join(header)}, and at least one line of two cells "
            "follows."
        )
    pairs = [(row[0].strip(), row[1].strip()) for row in rows[1:]]
    check_names(path, "its lines", [cell for pair in pairs for cell in pair])
    return pairs


def _text(path: Path) -> str:
    """Read a small text file."""
    check_file(path)
    if path.stat().st_size > _LARGEST_LIST:
        raise DatasetError(f"{path} has more than {_LARGEST_LIST} bytes, which is too much for a list.")
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path} cannot be read as text in UTF-8 ({error}).") from error


def _table(folder: Path, name: str) -> Array:
    """Read the table of a video in whatever format it is."""
    path = _file(folder, name)
    if path is None:
        raise DatasetError(f"{folder} has no file {name}.npy, .npz or .csv for the video {name!r}.")
    values = read_features(path).values
    if not isinstance(values, np.ndarray):
        raise DatasetError(f"{path} is sparse: save it as a plain array.")
    return values


def _file(folder: Path, name: str) -> Path | None:
    """Return the file of a video, if there is one."""
    paths = (folder / f"{name}{suffix}" for suffix in _SUFFIXES)
    return next((path for path in paths if path.is_file()), None)

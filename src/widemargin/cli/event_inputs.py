"""What the commands about videos read: an index, models that go with it, and the videos that names stand for."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path

from sklearn.exceptions import InconsistentVersionWarning

from widemargin.cli.errors import UsageError
from widemargin.cli.event_output import display_names, note
from widemargin.events import EventDetector, EventRecognizer
from widemargin.events.index import VideoIndex
from widemargin.persistence import load_event_model

__all__ = ["EventModel", "Videos", "check_new_file", "load_model_for", "open_for", "open_videos"]

EventModel = EventDetector | EventRecognizer


class Videos:
    """The videos of an index, and what they are called.

    Parameters
    ----------
    folder : Path
        The index.

    Raises
    ------
    VideoIndexError
        If there is none, or it is damaged.
    UsageError
        If it has no video.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = VideoIndex(folder)
        self.paths = self.index.paths
        if not self.paths:
            raise UsageError(
                f"The index {str(folder)!r} has no video: add some with widemargin events index VIDEO... --index DIR."
            )
        self.names = display_names(self.paths)
        self._by_name = {name: path for path, name in self.names.items()}

    def find(self, names: Sequence[str], source: str) -> list[str]:
        """Return the paths of videos that are named, each once.

        Parameters
        ----------
        names : sequence of str
            Paths as given when they were indexed, absolute paths, or their last parts with or without suffix, if only
            one video has them; or names as they are printed.
        source : str
            Where the names come from, for the message.

        Returns
        -------
        list of str
            The paths.

        Raises
        ------
        UsageError
            Which of them are not in the index, all of them.
        """
        paths, problems = [], []
        for name in names:
            try:
                paths.append(self._by_name.get(name) or self.index.find(name))
            except ValueError as error:
                problems.append(str(error))
        if problems:
            count = f"{source} names {len(problems)} videos that are not found. " if len(problems) > 1 else ""
            raise UsageError(count + " ".join(problems))
        return list(dict.fromkeys(paths))


def open_videos(folder: Path, *, concepts: bool = True) -> Videos:
    """Open an index.

    Parameters
    ----------
    folder : Path
        The index.
    concepts : bool, default=True
        Whether its videos must have concepts.

    Returns
    -------
    Videos
        Its videos.

    Raises
    ------
    VideoIndexError
        If there is none, or it is damaged.
    UsageError
        If it has no video or no concepts.
    """
    videos = Videos(folder)
    if concepts and not videos.index.concept_names:
        raise UsageError(
            f"The index {str(folder)!r} has no concepts, because its networks have no classes: add some with "
            "widemargin events concepts, or make an index with --network and --classes."
        )
    return videos


def open_for(path: Path, folder: Path | None) -> tuple[EventModel, Videos]:
    """Load a model, and open an index that it goes with.

    Parameters
    ----------
    path : Path
        File of the model.
    folder : Path or None
        The index; None for that of the training.

    Returns
    -------
    model : EventDetector or EventRecognizer
        The model.
    videos : Videos
        The videos of the index.

    Raises
    ------
    ModelFileError, VideoIndexError
        If either is no such thing, or damaged.
    UsageError
        If they do not go with each other, or no index is known.
    """
    if folder is not None:
        videos = open_videos(folder)
        return load_model_for(path, videos), videos
    model = _load_model(path)
    if model.index_folder_ is None or not os.path.isdir(model.index_folder_):
        raise UsageError(
            f"The index on which {str(path)!r} was trained is not where it was: give the folder with --index."
        )
    videos = open_videos(Path(model.index_folder_))
    _check_match(model, path, videos)
    return model, videos


def load_model_for(path: Path, videos: Videos) -> EventModel:
    """Load a model, and see that it goes with an index.

    Parameters
    ----------
    path : Path
        File of the model.
    videos : Videos
        The index.

    Returns
    -------
    EventDetector or EventRecognizer
        The model.

    Raises
    ------
    ModelFileError
        If it is no such file, or a damaged one.
    UsageError
        If it was trained with other concepts or another network than the index has.
    """
    model = _load_model(path)
    _check_match(model, path, videos)
    return model


def _load_model(path: Path) -> EventModel:
    """Load a model, and say if it may differ from what was saved."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", InconsistentVersionWarning)
        model = load_event_model(path)
    for item in caught[:1]:
        if isinstance(item.message, InconsistentVersionWarning):
            note(
                f"Warning: {path} was saved with scikit-learn {item.message.original_sklearn_version}, this is "
                f"{item.message.current_sklearn_version}: compare some results with known ones."
            )
    return model


def check_new_file(option: str, path: Path, suffix: str, inputs: Sequence[str] = ()) -> None:
    """See that a file can be written, before anything takes time.

    Parameters
    ----------
    option : str
        The option that names it, for the message.
    path : Path
        The file.
    suffix : str
        What such a file ends in, for the message.
    inputs : sequence of str, default=()
        Files that are read, and must not be replaced.

    Raises
    ------
    UsageError
        If it cannot be written, or is read.
    """
    given = f"{option} is {str(path)!r}"
    if path.is_dir():
        raise UsageError(
            f"{given}, which is a folder: give the name of a file, such as {path / f'event{suffix}'}."
        )
    if path.exists() and not path.is_file():
        raise UsageError(f"{given}, which is a pipe or a device: give the name of a file.")
    if path.exists() and any(os.path.exists(name) and path.samefile(name) for name in inputs):
        raise UsageError(f"{given}, which is read: give another name.")
    # The file is written where symbolic links lead to.
    probe = Path(os.path.realpath(path)).with_name(f".{os.getpid()}.tmp")
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(
            f"{given}, which cannot be written ({error.strerror}): give a file in a folder that exists and is yours."
        ) from error


def _check_match(model: EventModel, path: Path, videos: Videos) -> None:
    """Compare the concepts, the kinds of features and the networks of a model with those of an index."""
    index, folder = videos.index, str(videos.folder)
    remedy = "use the index on which it was trained, or train it again"
    missing = [name for name in model.feature_names_ if name not in index.feature_names]
    if missing:
        raise UsageError(
            f"{str(path)!r} was trained on the features {_listed(model.feature_names_)}, but the index {folder!r} has "
            f"{_listed(index.feature_names)}: {remedy}."
        )
    for name, digest in model.feature_digests_.items():
        if digest and digest != index.feature_digest(name):
            raise UsageError(
                f"{str(path)!r} was trained on features {name!r} of the network {digest[:12]}, but those of the index "
                f"{folder!r} are of the network {index.feature_digest(name)[:12]}: {remedy}."
            )
    theirs, ours = tuple(model.concept_names or ()), tuple(index.concept_names)
    if theirs and theirs != ours:
        raise UsageError(
            f"{str(path)!r} was trained with {len(theirs)} concepts, but the index {folder!r} has {len(ours)}: "
            f"{_difference(theirs, ours)}; {remedy}."
        )


def _difference(theirs: Sequence[str], ours: Sequence[str]) -> str:
    """Say how the concepts of a model differ from those of an index."""
    gone = [name for name in theirs if name not in set(ours)]
    new = [name for name in ours if name not in set(theirs)]
    parts = [f"the model alone has {_listed(gone)}"] * bool(gone) + [
        f"the index alone has {_listed(new)}"
    ] * bool(new)
    return ", ".join(parts) or "they are in another order"


def _listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first names in quotation marks."""
    return ", ".join(map(repr, names[:most])) + (", ..." if len(names) > most else "")

"""A folder of described videos as an experiment takes it: its lists, its events, and its videos as collections."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets import DatasetError, MissingDatasetError, array_identity
from widemargin.datasets.shot_features import ShotFeatures, load_shot_features
from widemargin.experiments.video_events.collection import NOTHING, Collection, VideoFrames
from widemargin.video import DescribedVideo
from widemargin.words import UnknownWordsWarning, concept_relevance

__all__ = ["DescribedFolder", "open_described_folder"]

FloatArray = npt.NDArray[Any]

_ALL = "all kinds"


@dataclass(frozen=True, eq=False)
class DescribedFolder:
    """What an experiment needs to know of a folder before it reads a video.

    Parameters
    ----------
    source : ShotFeatures
        The folder.
    identity : str
        What tells its files from others.
    """

    source: ShotFeatures
    identity: str

    @property
    def training_lists(self) -> tuple[str, ...]:
        """Names of the lists to train on, the shortest first."""
        names = [name for name in self.source.lists if name == "train" or name.startswith("train_")]
        return tuple(sorted(names, key=lambda name: (len(self.source.lists[name]), name)))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of features, and first that of all of them side by side if there are several."""
        own = self.source.kinds
        return own if len(own) == 1 else (_ALL, *own)

    def events(self, chosen: str, n_positives: int) -> tuple[str, ...]:
        """Return the events that can be learned from a list and tested.

        Parameters
        ----------
        chosen : str
            Name of the list.
        n_positives : int
            How many of its videos must show the event, and how many must not.

        Returns
        -------
        tuple of str
            In the order of events.csv.
        """
        trained = [event for _, event in self.source.lists[chosen]]
        tested = [event for _, event in self.source.lists["test"]]
        return tuple(
            event
            for event in self.source.descriptions
            if n_positives <= trained.count(event) <= len(trained) - n_positives
            and 0 < tested.count(event) < len(tested)
        )

    def relevance(self) -> FloatArray:
        """Compare every event with every concept.

        Returns
        -------
        ndarray of shape (n_events, n_concepts)
            Relevance, with the word vectors that come with the package.

        Raises
        ------
        DatasetError
            If a description has no known word.
        """
        names = self.source.concept_names
        return np.array(
            [
                _relevance(self.source.folder / "events.csv", event, words, names)
                for event, words in self.source.descriptions.items()
            ]
        )

    def collection(self, chosen: str, kind: str) -> Collection:
        """Read the videos of a list; the last few lists are remembered.

        Parameters
        ----------
        chosen : str
            Name of the list.
        kind : str
            One of `kinds`.

        Returns
        -------
        Collection
            The videos. Which of their shots show the event is not known.
        """
        return _read(self.source.folder, self.identity, chosen, kind)


def open_described_folder(folder: Path) -> DescribedFolder:
    """Open a folder, and see whether one can train and test with it.

    Parameters
    ----------
    folder : Path
        The folder, in the layout of `load_shot_features`.

    Returns
    -------
    DescribedFolder
        What is there.

    Raises
    ------
    MissingDatasetError
        If it does not exist.
    DatasetError
        If it is damaged, a list is missing, or a video is in the test list and in a training list.
    """
    if not folder.is_dir():
        raise MissingDatasetError(
            f"{folder} is missing: put features of videos there, in the layout of load_shot_features."
        )
    source = load_shot_features(folder)
    found = DescribedFolder(source, _identity(folder))
    if "test" not in source.lists or not found.training_lists:
        raise DatasetError(
            f"{folder / 'lists'} has the lists {', '.join(source.lists)}: needed are test.csv and at least one of "
            "train.csv, train_10Ex.csv, train_100Ex.csv or another whose name starts with train_."
        )
    tested = {video for video, _ in source.lists["test"]}
    for name in found.training_lists:
        both = next((video for video, _ in source.lists[name] if video in tested), None)
        if both is not None:
            raise DatasetError(
                f"{folder / 'lists'} has the video {both!r} in test.csv and in {name}.csv: take it out of one."
            )
    return found


def _identity(folder: Path) -> str:
    """Hash the texts, and names, sizes and times of the arrays, which is quicker than to read them."""
    facts = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        stat = path.stat()
        facts.append(f"{path.relative_to(folder).as_posix()} {stat.st_size} {stat.st_mtime_ns}")
    return array_identity(np.frombuffer("\n".join(facts).encode(), dtype=np.uint8))


@cache
def _relevance(path: Path, event: str, description: str, concept_names: tuple[str, ...]) -> FloatArray:
    """Compare an event with every concept; once in a process."""
    with warnings.catch_warnings():
        # The protocol counts the concepts that nothing is known of.
        warnings.simplefilter("ignore", UnknownWordsWarning)
        try:
            return concept_relevance(description, concept_names)
        except ValueError as error:
            raise DatasetError(
                f"{path} describes the event {event!r} in words that cannot be used: {error}"
            ) from error


@lru_cache(maxsize=3)
def _read(folder: Path, identity: str, chosen: str, kind: str) -> Collection:
    source = load_shot_features(folder)
    numbers: Mapping[str, int] = {event: number for number, event in enumerate(source.descriptions)}
    kinds = source.kinds if kind == _ALL else (kind,)
    frames = []
    for name, event in source.lists[chosen]:
        video = _one_kind(source.video(name), kinds)
        n_frames = video.n_shots + len(video.extra_times)
        shown = np.full(n_frames, NOTHING, dtype=np.int64)
        frames.append(VideoFrames.of(video, _ALL, shown, video.n_shots, numbers.get(event, NOTHING)))
    widths = {part.features.shape[1] for part in frames}
    if len(widths) > 1:
        raise DatasetError(
            f"{folder} has videos of {min(widths)} and of {max(widths)} features of {kind}: give all videos the same."
        )
    return Collection.join(frames)


def _one_kind(video: DescribedVideo, kinds: tuple[str, ...]) -> DescribedVideo:
    """Put kinds of features side by side, each of unit length, so that none outweighs another."""
    features = np.concatenate([_unit(video.features[kind]) for kind in kinds], axis=1)
    if not len(video.extra_times):
        return replace(video, features={_ALL: features})
    extra = np.concatenate([_unit(video.extra_features[kind]) for kind in kinds], axis=1)
    return replace(video, features={_ALL: features}, extra_features={_ALL: extra})


def _unit(rows: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: FloatArray = rows / np.where(lengths > 0, lengths, 1)
    return unit

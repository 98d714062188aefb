"""``widemargin events concepts``: a vocabulary of one's own for an index, learnt from pictures and clips."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import Videos, open_videos
from widemargin.cli.event_output import note, printable, warnings_as_notes
from widemargin.cli.name_lists import read_columns
from widemargin.events.concept_detectors import ConceptDetectors
from widemargin.features import PictureError, read_picture
from widemargin.networks import ImageNetwork, NetworkError
from widemargin.video import KeyFrame, VideoError, VideoReader

__all__ = ["run"]

_PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".ppm", ".tif", ".tiff", ".webp"})
Floats = npt.NDArray[np.float32]


def run(folder: Path, labels: str, kind: str | None, in_place: bool, timeout: float) -> int:
    """Train a detector for each concept, and let them say what is in the videos of an index.

    Parameters
    ----------
    folder : Path
        The index.
    labels : str
        Table with the columns ``file`` and ``concept``; a file has a row for each of its concepts.
    kind : str or None
        The kind of features, which is a network of the index; None for the first.
    in_place : bool
        Whether the concepts are in place of the classes of the network, and not behind them.
    timeout : float
        Seconds without a sign of life of the decoder after which a clip is given up.

    Returns
    -------
    int
        Exit code: 0, or 1 if some files could not be read, which stderr then names.

    Raises
    ------
    UsageError, VideoIndexError, NetworkError
        With what is wrong.
    """
    pairs = read_columns(labels, ("concept", "label"))
    concepts = list(dict.fromkeys(concept for _, concept in pairs if concept))
    if not concepts:
        raise UsageError(f"{labels!r} names no concept: write one for each file.")
    videos = open_videos(folder, concepts=False)
    network = _NetworkOfIndex(videos, kind)
    shown: dict[str, set[str]] = {}
    for file, concept in pairs:
        shown.setdefault(file, set()).add(concept)
    rows, targets, n_failed = [], [], 0
    with ExitStack() as stack:
        reader = stack.enter_context(VideoReader(timeout))
        for file, features in _described(list(shown), labels, network, reader):
            if features is None:
                n_failed += 1
                continue
            rows.append(features)
            target = [concept in shown[file] for concept in concepts]
            targets.append(np.tile(np.array(target, dtype=np.int8), (len(features), 1)))
    if not rows:
        raise UsageError(f"No file that {labels!r} names could be read: check the names.")
    detectors = ConceptDetectors(concept_names=concepts)
    try:
        with warnings_as_notes():
            detectors.fit(np.concatenate(rows), np.concatenate(targets))
    except ValueError as error:
        raise UsageError(f"{labels!r}: {error}") from error
    videos.index.apply_detectors(detectors, network.kind, mode="replace" if in_place else "append")
    n_pictures = sum(map(len, rows))
    print(
        printable(
            f"{folder}: {len(concepts)} concepts learnt from {n_pictures} pictures are "
            f"{'in place of' if in_place else 'behind'} the classes of the network."
        )
    )
    return 1 if n_failed else 0


@dataclass(frozen=True)
class _Source:
    """A file that shows concepts.

    Parameters
    ----------
    path : str
        Where it is.
    in_index : str or None
        Its path in the index, if it is a video of it.
    """

    path: str
    in_index: str | None


class _NetworkOfIndex:
    """The network of an index that makes the features of one kind; loaded when it is needed first."""

    def __init__(self, videos: Videos, kind: str | None) -> None:
        names = videos.index.feature_names
        self.kind = names[0] if kind is None else kind
        self.videos = videos
        specs = [spec for spec in videos.index.settings.networks if spec.name == self.kind]
        if not specs:
            known = ", ".join(repr(spec.name) for spec in videos.index.settings.networks)
            raise UsageError(
                f"--features is {kind!r}, but pictures are described by a network of the index: give one of {known}."
            )
        self._spec = specs[0]
        self._network: ImageNetwork | None = None

    def describe(self, pictures: Sequence[Any]) -> Floats:
        """Return the features of pictures."""
        if self._network is None:
            self._network = self._spec.load()
        return self._network.describe(pictures).features


def _described(
    files: Sequence[str], labels: str, network: _NetworkOfIndex, reader: VideoReader
) -> Iterator[tuple[str, Floats | None]]:
    """Yield each file with the features of its pictures, or None if it cannot be read, which a note says."""
    for file in files:
        source = _found(file, labels, network.videos)
        try:
            yield file, _features(source, network, reader)
        except (PictureError, VideoError, NetworkError) as error:
            note(f"Warning: {file!r} is left out: {error}")
            yield file, None


def _found(file: str, labels: str, videos: Videos) -> _Source:
    """Look for a file in the index, where it says, and in the folder of the table."""
    try:
        path = videos.index.find(file)
    except ValueError:
        beside = os.path.join(os.path.dirname(labels), file)
        return _Source(file if os.path.exists(file) or not os.path.exists(beside) else beside, None)
    return _Source(path, path)


def _features(source: _Source, network: _NetworkOfIndex, reader: VideoReader) -> Floats:
    if source.in_index is not None:
        video = network.videos.index.video(source.in_index, thumbnails=False)
        return np.asarray(video.features[network.kind])
    if os.path.splitext(source.path)[1].lower() in _PICTURES:
        return network.describe([read_picture(source.path, "RGB")])
    features: list[Floats] = []
    settings = replace(network.videos.index.settings.shots, n_extra_frames=0)

    def describe(frame: KeyFrame) -> None:
        features.append(network.describe([frame.pixels]))

    reader.read(source.path, settings, describe)
    return np.concatenate(features)

"""Untrimmed videos put together of short clips: as rows of numbers that were computed once, or as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets import EventVideos, splice_videos
from widemargin.experiments.video_events.collection import NOTHING, Collection

__all__ = ["Composed", "compose", "piece_rows", "splice"]

IntArray = npt.NDArray[np.int64]

_RATE = 12.0


@dataclass(frozen=True, eq=False)
class Composed:
    """Videos of which every shot is a piece of a clip.

    Parameters
    ----------
    videos : Collection
        The videos; their shots have the numbers of the frame in the middle of the piece.
    rows : tuple of ndarray of int
        Of each video, the rows of the clips that its shots are.
    """

    videos: Collection
    rows: tuple[IntArray, ...]


def piece_rows(clips: Collection, clip: int, seconds: float) -> IntArray:
    """Return the extra frames of a clip that are the middle of a piece of it.

    Parameters
    ----------
    clips : Collection
        The clips.
    clip : int
        Which, from 0.
    seconds : float
        Length of a piece.

    Returns
    -------
    ndarray of int
        Rows of the collection; of a clip that is shorter than a piece, or has no extra frames, the row nearest to its
        middle.
    """
    rows, n_own = clips.frames(clip), int(clips.n_own[clip])
    length = float(clips.spans[rows][:n_own].sum())
    extra = np.arange(rows.start + n_own, rows.stop)
    times = clips.times[extra]
    inside = extra[(times >= seconds / 2) & (times <= length - seconds / 2)]
    if inside.size:
        return inside
    every = np.arange(rows.start, rows.stop)
    return every[[int(np.abs(clips.times[every] - length / 2).argmin())]]


def compose(
    clips: Collection,
    relevant: Sequence[int] | IntArray,
    others: Sequence[int] | IntArray,
    *,
    n_positives: int,
    n_negatives: int,
    n_shots: tuple[int, int],
    n_relevant: tuple[int, int],
    seconds: float,
    rng: np.random.RandomState,
) -> Composed:
    """Put videos together, of which some show an event in a few of their shots.

    Parameters
    ----------
    clips : Collection
        The clips.
    relevant, others : sequence of int
        Clips that show the event, whose number is 0, and clips that do not.
    n_positives, n_negatives : int
        Videos with and without the event.
    n_shots, n_relevant : (int, int)
        Least and largest number of shots, and of those that show the event. No clip is twice in a video.
    seconds : float
        Length of a shot.
    rng : RandomState
        Draws everything.

    Returns
    -------
    Composed
        Videos with the event first.
    """
    stock = {int(clip): piece_rows(clips, int(clip), seconds) for clip in (*relevant, *others)}
    found = []
    for number in range(n_positives + n_negatives):
        total = rng.randint(n_shots[0], n_shots[1] + 1)
        n_event = rng.randint(n_relevant[0], n_relevant[1] + 1) if number < n_positives else 0
        drawn = [*rng.permutation(relevant)[:n_event], *rng.permutation(others)[: total - n_event]]
        rows = [stock[int(clip)][rng.randint(stock[int(clip)].size)] for clip in rng.permutation(drawn)]
        found.append(np.array(rows, dtype=np.int64))
    every = np.concatenate(found)
    lengths = np.array([rows.size for rows in found])
    times = np.concatenate([seconds * (np.arange(length) + 0.5) for length in lengths])
    videos = Collection(
        clips.features[every],
        clips.concepts[every],
        times,
        np.full(every.size, seconds),
        clips.shown[every],
        np.append(0, np.cumsum(lengths)),
        lengths,
        lengths,
        np.where(np.arange(len(found)) < n_positives, 0, NOTHING),
    )
    return Composed(videos, tuple(found))


def splice(
    folder: Path,
    files: Sequence[Path],
    clips: Collection,
    rows: Sequence[IntArray],
    event: str,
    seconds: float,
) -> EventVideos:
    """Cut the files of composed videos together.

    Parameters
    ----------
    folder : Path
        Where they are written.
    files : sequence of Path
        The file of each clip.
    clips : Collection
        The clips.
    rows : sequence of ndarray of int
        Of each video, the rows of the clips that its shots are.
    event : str
        Name of the event.
    seconds : float
        Length of a shot.

    Returns
    -------
    EventVideos
        Files and truth.
    """
    # So that a shot is a whole number of frames, and ends when it should.
    rate = max(round(_RATE * seconds), 1) / seconds
    paths, shots, shown, events = [], [], [], []
    for number, own in enumerate(rows):
        owners = np.searchsorted(clips.starts, own, side="right") - 1
        starts = np.maximum(clips.times[own] - seconds / 2, 0)
        pieces: list[Any] = [
            (files[clip], start, start + seconds) for clip, start in zip(owners, starts, strict=True)
        ]
        path = folder / f"spliced-{number:03d}.mp4"
        shots.append(splice_videos(path, pieces, rate=rate))
        paths.append(path)
        shown.append(tuple(event if clips.shown[row] != NOTHING else "" for row in own))
        events.append(event if event in shown[-1] else "")
    return EventVideos(tuple(paths), tuple(events), tuple(shots), tuple(shown))

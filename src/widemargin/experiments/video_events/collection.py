"""The frames of many videos in numbers, with the truth of what each shows: what experiments on videos start from."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.atomic import atomic_write
from widemargin.datasets.files import read_npz
from widemargin.video import DescribedVideo

__all__ = ["NOTHING", "Collection"]

FloatArray = npt.NDArray[Any]
IntArray = npt.NDArray[np.int64]

NOTHING = -1
"""What stands for no event in place of its number."""


@dataclass(frozen=True, eq=False)
class Collection:
    """Videos as rows of frames: of each video its shots in the order of time, then its extra frames.

    Parameters
    ----------
    features : ndarray of float32 of shape (n_frames, n_features)
        Features of each frame, of unit length.
    concepts : ndarray of float32 of shape (n_frames, n_concepts)
        Probability of each concept in each frame.
    times, spans : ndarray of shape (n_frames,)
        Time of each frame in its video, and how long what it stands for lasts, in seconds.
    shown : ndarray of int of shape (n_frames,)
        Number of the event that each frame shows, or `NOTHING`.
    starts : ndarray of int of shape (n_videos + 1,)
        Row of the first frame of each video, and the number of rows.
    n_own : ndarray of int of shape (n_videos,)
        How many frames of each video are its shots.
    n_cut : ndarray of int of shape (n_videos,)
        How many shots each video was made of.
    events : ndarray of int of shape (n_videos,)
        Number of the event of each video, or `NOTHING`.
    """

    features: FloatArray
    concepts: FloatArray
    times: FloatArray
    spans: FloatArray
    shown: IntArray
    starts: IntArray
    n_own: IntArray
    n_cut: IntArray
    events: IntArray

    def __len__(self) -> int:
        """Return the number of videos."""
        return len(self.events)

    @property
    def mean_shots(self) -> int:
        """The rounded mean number of shots that were found in a video, at least 1."""
        return max(int(self.n_own.mean() + 0.5), 1)

    def frames(self, video: int) -> slice:
        """Return the rows of a video.

        Parameters
        ----------
        video : int
            Which, from 0.

        Returns
        -------
        slice
            Of the arrays of frames.
        """
        return slice(int(self.starts[video]), int(self.starts[video + 1]))

    def described(self, video: int) -> DescribedVideo:
        """Return a video as a search by words takes it: its concepts and times.

        Parameters
        ----------
        video : int
            Which, from 0.

        Returns
        -------
        DescribedVideo
            Without features.
        """
        rows, n_own = self.frames(video), int(self.n_own[video])
        concepts, times, spans = self.concepts[rows], self.times[rows], self.spans[rows]
        ends = np.cumsum(spans[:n_own])
        return DescribedVideo(
            f"video {video}",
            {},
            concepts[:n_own],
            np.column_stack([ends - spans[:n_own], ends]),
            times[:n_own],
            extra_concepts=concepts[n_own:],
            extra_times=times[n_own:],
        )

    def videos(self, chosen: Sequence[int] | IntArray) -> Collection:
        """Return some of the videos.

        Parameters
        ----------
        chosen : sequence of int
            Which, from 0.

        Returns
        -------
        Collection
            Copies, in the given order.
        """
        places = np.asarray(chosen, dtype=np.int64)
        rows = np.concatenate([np.arange(self.starts[k], self.starts[k + 1]) for k in places])
        lengths = (self.starts[1:] - self.starts[:-1])[places]
        return Collection(
            self.features[rows],
            self.concepts[rows],
            self.times[rows],
            self.spans[rows],
            self.shown[rows],
            np.append(0, np.cumsum(lengths)),
            self.n_own[places],
            self.n_cut[places],
            self.events[places],
        )

    def without_extra(self) -> Collection:
        """Return the videos with their shots alone, without extra frames.

        Returns
        -------
        Collection
            Copies.
        """
        kept = np.concatenate(
            [start + np.arange(count) for start, count in zip(self.starts[:-1], self.n_own, strict=True)]
        )
        return Collection(
            self.features[kept],
            self.concepts[kept],
            self.times[kept],
            self.spans[kept],
            self.shown[kept],
            np.append(0, np.cumsum(self.n_own)),
            self.n_own,
            self.n_cut,
            self.events,
        )

    def save(self, path: Path) -> None:
        """Write all arrays into a file, atomically.

        Parameters
        ----------
        path : Path
            The file, by custom with the suffix ``.npz``.
        """
        buffer = io.BytesIO()
        np.savez(buffer, **{field.name: getattr(self, field.name) for field in fields(self)})
        atomic_write(path, buffer.getvalue())

    @classmethod
    def load(cls, path: Path) -> Collection:
        """Read what `save` wrote.

        Parameters
        ----------
        path : Path
            The file.

        Returns
        -------
        Collection
            The same.

        Raises
        ------
        DatasetError
            If the file is missing or damaged.
        """
        return cls(**read_npz(path, [field.name for field in fields(cls)]))

    @classmethod
    def join(cls, videos: Sequence[VideoFrames]) -> Collection:
        """Put videos together.

        Parameters
        ----------
        videos : sequence of VideoFrames
            The videos, at least one.

        Returns
        -------
        Collection
            In the given order.
        """
        features = np.concatenate([video.features for video in videos]).astype(np.float32)
        length = np.linalg.norm(features, axis=1, keepdims=True)
        return cls(
            features / np.where(length > 0, length, 1),
            np.concatenate([video.concepts for video in videos]).astype(np.float32),
            np.concatenate([video.times for video in videos]),
            np.concatenate([video.spans for video in videos]),
            np.concatenate([video.shown for video in videos]).astype(np.int64),
            np.append(0, np.cumsum([len(video.times) for video in videos])),
            np.array([video.n_own for video in videos]),
            np.array([video.n_cut for video in videos]),
            np.array([video.event for video in videos]),
        )


@dataclass(frozen=True, eq=False)
class VideoFrames:
    """One video on its way into a collection; the fields are those of `Collection`, of one video.

    Parameters
    ----------
    features, concepts, times, spans, shown : ndarray
        Of its frames.
    n_own, n_cut, event : int
        Of the video.
    """

    features: FloatArray
    concepts: FloatArray
    times: FloatArray
    spans: FloatArray
    shown: IntArray
    n_own: int
    n_cut: int
    event: int

    @classmethod
    def of(cls, video: DescribedVideo, kind: str, shown: IntArray, n_cut: int, event: int) -> VideoFrames:
        """Take what is needed of a video of an index.

        Parameters
        ----------
        video : DescribedVideo
            The video.
        kind : str
            Which of its features.
        shown : ndarray of int of shape (n_frames,)
            What its frames show, shots first.
        n_cut : int
            How many shots it was made of.
        event : int
            Number of its event.

        Returns
        -------
        VideoFrames
            Shots first, then extra frames, each of which stands for an equal part of the video.
        """
        n_extra = len(video.extra_times)
        parts = [video.features[kind]], [video.concepts]
        if n_extra:
            parts[0].append(video.extra_features[kind])
            parts[1].append(video.extra_concepts)
        lengths = np.asarray(video.shots)[:, 1] - np.asarray(video.shots)[:, 0]
        return cls(
            np.concatenate(parts[0]),
            np.concatenate(parts[1]),
            np.concatenate([video.key_times, video.extra_times]),
            np.concatenate([lengths, np.full(n_extra, video.duration / max(n_extra, 1))]),
            shown,
            video.n_shots,
            n_cut,
            event,
        )

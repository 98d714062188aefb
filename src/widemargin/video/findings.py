"""What a pass over a video tells while it goes on, and how that becomes a summary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.video.errors import VideoError
from widemargin.video.summary import KeyFrame, Shot, VideoSummary

__all__ = ["End", "Finding", "Findings", "FirstFrame", "Progress", "ProtocolError", "ShotFound"]


class ProtocolError(ValueError):
    """What came is no finding, not a whole one, or none that can come at this place."""


@dataclass(frozen=True, eq=False)
class FirstFrame:
    """What is known as soon as one frame is there, and its picture in case that no more is to come.

    The fields are those of `VideoSummary`; `picture` is an array of uint8 of shape (height, width, 3).
    """

    picture: npt.NDArray[np.uint8]
    width: int
    height: int
    rotation: int
    start_time: float
    codec: str


@dataclass(frozen=True)
class Progress:
    """How far the pass is: seconds and frames decoded, and the length in seconds that the file claims, or None."""

    done: float
    n_frames: int
    duration: float | None


@dataclass(frozen=True, eq=False)
class ShotFound:
    """A shot that is over, and the picture of its key frame."""

    shot: Shot
    picture: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class End:
    """The pass is over: whether something is missing, what there is to say of it, and the length.

    A remark that does not mean that pictures are missing is a problem as well, but leaves `complete` true.
    """

    complete: bool
    problems: tuple[str, ...]
    duration: float
    n_frames: int


Finding = FirstFrame | Progress | ShotFound | KeyFrame | End
"""In this order: a FirstFrame, a ShotFound for each shot, a KeyFrame for each extra frame, an End; Progress between."""


class Findings:
    """Gathers what a pass tells into a summary, and passes pictures on.

    Parameters
    ----------
    on_key_frame : callable
        Called with each `KeyFrame`.
    on_progress : callable or None
        Called with seconds done and the length that the file claims, or None.
    """

    def __init__(
        self,
        on_key_frame: Callable[[KeyFrame], None],
        on_progress: Callable[[float, float | None], None] | None,
    ) -> None:
        self._on_key_frame = on_key_frame
        self._on_progress = on_progress
        self._first: FirstFrame | None = None
        self._shots: list[Shot] = []
        self._extra_times: list[float] = []
        self._progress = Progress(0.0, 1, None)

    def add(self, finding: Finding) -> VideoSummary | None:
        """Take what comes next.

        Parameters
        ----------
        finding : FirstFrame, Progress, ShotFound, KeyFrame or End
            What was found.

        Returns
        -------
        VideoSummary or None
            The summary at the end, before it None.

        Raises
        ------
        ProtocolError
            If it cannot come at this place.
        """
        if isinstance(finding, FirstFrame) != (self._first is None):
            raise ProtocolError(f"{type(finding).__name__} does not come at this place.")
        if isinstance(finding, FirstFrame):
            self._first = finding
        elif isinstance(finding, Progress):
            self._progress = finding
            if self._on_progress is not None:
                self._on_progress(finding.done, finding.duration)
        elif isinstance(finding, ShotFound):
            self._add_shot(finding.shot, finding.picture)
        elif isinstance(finding, KeyFrame):
            self._extra_times.append(finding.time)
            self._on_key_frame(finding)
        else:
            return self._summary(finding)
        return None

    def broken_off(self, reason: str) -> VideoSummary:
        """Summarise what there is of a pass that did not come to its end.

        Frames after the last shot that ended are lost. Before the end of the first shot the first frame stands for all.

        Parameters
        ----------
        reason : str
            Why, as a sentence.

        Returns
        -------
        VideoSummary
            Partial.

        Raises
        ------
        VideoError
            If there was no frame.
        """
        if self._first is None:
            raise VideoError(reason)
        if not self._shots:
            shot = Shot(0.0, self._progress.done, 0.0, self._progress.n_frames)
            self._add_shot(shot, self._first.picture)
        done = max(self._progress.done, self._shots[-1].end)
        n_frames = max(self._progress.n_frames, sum(shot.n_frames for shot in self._shots))
        return self._summary(End(False, (reason,), done, n_frames))

    def _add_shot(self, shot: Shot, picture: npt.NDArray[np.uint8]) -> None:
        self._shots.append(shot)
        self._on_key_frame(KeyFrame(len(self._shots) - 1, shot.key_time, picture))

    def _summary(self, end: End) -> VideoSummary:
        if self._first is None or not self._shots:
            raise ProtocolError("End does not come at this place.")
        return VideoSummary(
            status="ok" if end.complete else "partial",
            problems=end.problems,
            shots=tuple(self._shots),
            extra_times=tuple(self._extra_times),
            duration=end.duration,
            n_frames=end.n_frames,
            width=self._first.width,
            height=self._first.height,
            rotation=self._first.rotation,
            start_time=self._first.start_time,
            codec=self._first.codec,
        )

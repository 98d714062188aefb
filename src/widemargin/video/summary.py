"""What is known of a video after one pass over it: its shots, their key frames, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

__all__ = ["KeyFrame", "Shot", "VideoSummary"]


@dataclass(frozen=True)
class Shot:
    """Frames that were taken without a break.

    Parameters
    ----------
    start, end : float
        Seconds from the first frame of the video; the end of a shot is the start of the next.
    key_time : float
        Time of the frame that stands for the shot, from `start` to `end`.
    n_frames : int
        Number of its frames, at least 1.
    """

    start: float
    end: float
    key_time: float
    n_frames: int


@dataclass(frozen=True, eq=False)
class KeyFrame:
    """A picture from a video.

    Parameters
    ----------
    shot : int or None
        Number of the shot, from 0, for which the picture stands; None for one of the extra frames of a video of few
        shots.
    time : float
        Seconds from the first frame of the video.
    pixels : array of uint8 of shape (height, width, 3)
        The picture, RGB and upright.
    """

    shot: int | None
    time: float
    pixels: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class VideoSummary:
    """All that one pass over a video tells, except for the pictures.

    Parameters
    ----------
    status : {"ok", "partial"}
        Whether all of the file could be decoded.
    problems : tuple of str
        What could not, one sentence each; empty if nothing is known to be missing.
    shots : tuple of Shot
        The shots in the order of time, at least one.
    extra_times : tuple of float
        Times of the extra frames in seconds, increasing; empty if there are enough shots.
    duration : float
        Seconds from the start of the first frame to the end of the last.
    n_frames : int
        Number of frames decoded, at least 1.
    width, height : int
        Size in pixels of the first frame, as it is shown.
    rotation : int
        Degrees counter-clockwise by which the stored frames were turned to be upright: 0, 90, 180 or 270.
    start_time : float
        Time in seconds that the file gives its first frame, which counts as 0 here.
    codec : str
        FFmpeg's name of how the pictures are coded.
    """

    status: Literal["ok", "partial"]
    problems: tuple[str, ...]
    shots: tuple[Shot, ...]
    extra_times: tuple[float, ...]
    duration: float
    n_frames: int
    width: int
    height: int
    rotation: int
    start_time: float
    codec: str

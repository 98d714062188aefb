"""Which frames stand for a video: one of each shot, and some evenly spaced, chosen in one pass with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from widemargin.video.settings import KeyFrameRule

__all__ = ["CentreFrame", "EvenFrames", "HeldFrame", "RandomFrame", "ShotFrames", "candidates_for"]

FRAME_BYTES = 2**26
"""Memory that decoded frames waiting for a choice may hold in one place, in bytes."""


class HeldFrame(NamedTuple):
    """A frame whose shot is not over yet."""

    number: int
    time: float
    frame: Any
    """The decoded frame and its rotation, or whatever is to be chosen; None, if it was let go to save memory."""
    size: int
    """Bytes that `frame` holds."""


class Candidates(Protocol):
    """Frames of one shot, of which one will stand for it."""

    def push(self, held: HeldFrame) -> None:
        """Take the next frame of the shot."""

    def choose(self, start: float, end: float) -> HeldFrame | None:
        """Return the frame for a shot of this start and end; None, if all were let go."""


class CentreFrame:
    """The frame nearest to the centre of a shot whose end is not known yet.

    The centre only moves ahead while the shot goes on, so that frames before the nearest one so far are let go. If the
    others hold too much memory, every other one goes, and of the frames to come only those at the wider spacing are
    taken.

    Parameters
    ----------
    max_bytes : int, default=64 MB
        Memory that the frames may hold; at least one is held all the same.
    """

    def __init__(self, max_bytes: int = FRAME_BYTES) -> None:
        self._max_bytes = max_bytes
        self._held: deque[HeldFrame] = deque()
        self._n_bytes = 0
        self._stride = 1
        self._start: float | None = None

    def push(self, held: HeldFrame) -> None:
        """Take the next frame of the shot.

        Parameters
        ----------
        held : HeldFrame
            The frame.
        """
        if self._start is None:
            self._start = held.time
        if held.frame is None or (self._held and held.number % self._stride):
            return
        self._held.append(held)
        self._n_bytes += held.size
        centre = (self._start + held.time) / 2
        while len(self._held) > 1 and self._held[1].time <= centre:
            self._n_bytes -= self._held.popleft().size
        while self._n_bytes > self._max_bytes and len(self._held) > 1:
            self._stride *= 2
            self._held = deque(
                [item for item in self._held if item.number % self._stride == 0] or [self._held[0]]
            )
            self._n_bytes = sum(item.size for item in self._held)

    def choose(self, start: float, end: float) -> HeldFrame | None:
        """Return the frame nearest to the centre.

        Parameters
        ----------
        start, end : float
            The shot in seconds.

        Returns
        -------
        HeldFrame or None
            The frame, the earlier of two that are equally near; None, if there is none.
        """
        # The middle of a frame's own time on the screen is unknown here; the centre of the first and the last
        # timestamp is within half a frame of it.
        centre = (start + end) / 2
        return min(self._held, key=lambda held: abs(held.time - centre), default=None)


class RandomFrame:
    """One frame of a shot, each equally likely, drawn while they come.

    Parameters
    ----------
    random : random.Random
        Source of chance.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._count = 0
        self._chosen: HeldFrame | None = None

    def push(self, held: HeldFrame) -> None:
        """Take the next frame of the shot.

        Parameters
        ----------
        held : HeldFrame
            The frame.
        """
        if held.frame is None:
            return
        self._count += 1
        if self._random.random() * self._count < 1.0:
            self._chosen = held

    def choose(self, start: float, end: float) -> HeldFrame | None:
        """Return the frame that was drawn.

        Parameters
        ----------
        start, end : float
            The shot in seconds.

        Returns
        -------
        HeldFrame or None
            The frame; None, if there is none.
        """
        return self._chosen


def candidates_for(rule: KeyFrameRule, seed: int, shot: int, max_bytes: int = FRAME_BYTES) -> Candidates:
    """Return the candidates of one shot under a rule.

    Parameters
    ----------
    rule : {"centre", "random"}
        Which frame stands for the shot.
    seed : int
        Seed of random choices.
    shot : int
        Number of the shot, so that each one of a video has chances of its own.
    max_bytes : int, default=64 MB
        Memory that decoded frames may hold.

    Returns
    -------
    CentreFrame or RandomFrame
        No frames yet.
    """
    if rule == "centre":
        return CentreFrame(max_bytes)
    return RandomFrame(Random(f"{seed}/{shot}"))


class ShotFrames:
    """Frames on their way into shots: which frame stands for each, although a boundary is known only some frames later.

    Parameters
    ----------
    rule : {"centre", "random"}
        Which frame stands for a shot.
    seed : int
        Seed of random choices.
    lag : int
        Frames after which a boundary is certain.
    max_bytes : int, default=64 MB
        Memory that the last `lag` frames may hold together; if they are larger, only some are held. As much again goes
        to the current shot.
    """

    def __init__(self, rule: KeyFrameRule, seed: int, lag: int, max_bytes: int = FRAME_BYTES) -> None:
        self._rule: KeyFrameRule = rule
        self._seed = seed
        self._lag = lag
        self._max_bytes = max_bytes
        self._recent: deque[HeldFrame] = deque()
        self._n_shots = 0
        self._candidates = candidates_for(rule, seed, 0, max_bytes)
        self._first: HeldFrame | None = None
        self._latest: HeldFrame | None = None
        self._n_frames = 0

    def push(self, number: int, time: float, frame: Any, size: int) -> None:
        """Take the next frame of the video.

        Parameters
        ----------
        number : int
            Its number, from 0.
        time : float
            Its time in seconds.
        frame : object
            What is handed back if it is chosen.
        size : int
            Bytes that it holds.
        """
        # A power of two, as the spacing of the candidates is, so that these find the frames they take.
        stride = 1 << (((self._lag + 1) * size - 1) // self._max_bytes).bit_length()
        held = HeldFrame(number, time, None if number % stride else frame, size)
        if held.frame is not None:
            self._latest = held
        self._recent.append(held)
        while len(self._recent) > self._lag + 1:
            self._settle()

    def close(self, end_number: int, end: float) -> tuple[HeldFrame, float, int]:
        """End the current shot and start the next.

        Parameters
        ----------
        end_number : int
            Number of the first frame after the shot; it must have been pushed within the last `lag` frames, or be the
            number of all frames.
        end : float
            Time at which the shot ends.

        Returns
        -------
        held : HeldFrame
            The frame that stands for the shot.
        start : float
            Time of its first frame.
        n_frames : int
            Number of its frames.
        """
        while self._recent and self._recent[0].number < end_number:
            self._settle()
        assert self._first is not None, "a shot has at least one frame"
        # Of a shot shorter than the spacing at which large frames are held there may be none: a neighbour stands in.
        held = self._candidates.choose(self._first.time, end) or self._latest
        assert held is not None, "the first frame of a video is always held"
        result = held, self._first.time, self._n_frames
        self._n_shots += 1
        self._candidates = candidates_for(self._rule, self._seed, self._n_shots, self._max_bytes)
        self._first = None
        self._n_frames = 0
        return result

    def time_of(self, number: int) -> float:
        """Return the time of one of the last frames.

        Parameters
        ----------
        number : int
            Its number.

        Returns
        -------
        float
            Seconds from the first frame.
        """
        return next(held.time for held in self._recent if held.number == number)

    def _settle(self) -> None:
        """Count the oldest of the recent frames among the current shot."""
        held = self._recent.popleft()
        self._first = self._first or held
        self._n_frames += 1
        self._candidates.push(held)


class EvenFrames:
    """Frames evenly spaced over a video whose length is not known beforehand.

    Every frame is taken until there are twice as many as are wanted; then every other one goes, and from there on only
    frames at the wider spacing are taken. So there are always as many as are wanted, or all. Most are let go again:
    so their pictures are made at the end, as far as the memory allows.

    Parameters
    ----------
    count : int
        Number of frames wanted, at least 0.
    max_bytes : int, default=64 MB
        Memory that decoded frames may hold. Of those beyond it, the pictures are made at once.
    """

    def __init__(self, count: int, max_bytes: int = FRAME_BYTES) -> None:
        self._count = count
        self._max_bytes = max_bytes
        self._stride = 1
        self._kept: list[_EvenFrame] = []

    def push(self, number: int, time: float, picture: Callable[[], npt.NDArray[np.uint8]], size: int) -> None:
        """Take the next frame of the video.

        Parameters
        ----------
        number : int
            Its number, from 0.
        time : float
            Its time in seconds.
        picture : callable
            Makes the picture from the decoded frame, which it holds; called only if the frame is taken.
        size : int
            Bytes of the decoded frame.
        """
        if not self._count or number % self._stride:
            return
        if len(self._kept) == 2 * self._count:
            self._kept = self._kept[::2]
            self._stride *= 2
            if number % self._stride:
                return
        if sum(kept.size for kept in self._kept) + size > self._max_bytes:
            made = picture()
            self._kept.append(_EvenFrame(time, lambda: made, 0))
        else:
            self._kept.append(_EvenFrame(time, picture, size))

    def drop(self) -> None:
        """Let all frames go and take no more, because there are enough shots."""
        self._count = 0
        self._kept = []

    def finish(self) -> Iterator[tuple[float, npt.NDArray[np.uint8]]]:
        """Yield the frames.

        Yields
        ------
        (float, array of uint8 of shape (height, width, 3))
            Time and picture of as many frames as are wanted, the first one among them, or of all frames, if there are
            fewer.
        """
        n_kept = len(self._kept)
        n_wanted = min(n_kept, self._count)
        for i in range(n_wanted):
            kept = self._kept[i * n_kept // n_wanted]
            yield kept.time, kept.picture()


class _EvenFrame(NamedTuple):
    """A frame that may be among the evenly spaced ones."""

    time: float
    picture: Callable[[], npt.NDArray[np.uint8]]
    size: int
    """Bytes of the decoded frame that `picture` holds; 0, if the picture is made."""

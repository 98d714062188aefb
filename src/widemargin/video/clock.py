"""Seconds from timestamps that may be missing, repeated, out of order or absurd."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

__all__ = ["FrameClock"]

_USUAL_RATE = 25.0
_LEAST_RATE, _LARGEST_RATE = 0.05, 1000.0
# No show of slides reaches it; a 33-bit clock that wraps, after a day, does.
_LARGEST_STEP = 3600.0
# Decoders put frames into order within 16; more than twice as many that are out of order have a clock of their own.
_PATIENCE = 32


class FrameClock:
    """Time of each frame in seconds from the first one.

    A timestamp is the only clock. A frame without one comes one frame interval after the one before it, and so does one
    whose timestamp goes back, or ahead by more than an hour. After 32 such in a row the file has set its clock anew:
    that is counted, and its timestamps go on from there.

    Parameters
    ----------
    time_base : Fraction or None
        Seconds a tick, for frames that do not tell it themselves.
    rates : sequence of Fraction, float or None
        Frame rates that the file claims, the most trusted first. The first from 0.05 to 1000 frames a second counts;
        without any, 25.
    """

    def __init__(self, time_base: Fraction | None, rates: Sequence[Fraction | float | None]) -> None:
        sane = (float(rate) for rate in rates if rate is not None and _LEAST_RATE <= rate <= _LARGEST_RATE)
        self._interval = 1.0 / next(sane, _USUAL_RATE)
        self._time_base = time_base
        self._shift: float | None = None
        self._n_odd = 0
        self.start_time = 0.0
        """Timestamp of the first frame in seconds; 0, if it has none."""
        self.time = 0.0
        """Time of the last frame in seconds from the first."""
        self.end = 0.0
        """Time at which the last frame ends."""
        self.n_jumps = 0
        """Number of jumps of the timestamps."""

    def tick(self, frame: Any) -> float:
        """Return the time of the next frame.

        Parameters
        ----------
        frame : av.VideoFrame
            The frame, in the order in which frames are shown.

        Returns
        -------
        float
            Seconds from the first frame, never less than for the frame before.
        """
        time_base = frame.time_base or self._time_base
        raw = _seconds(frame.pts if frame.pts is not None else frame.dts, time_base)
        length = _seconds(frame.duration or None, time_base)
        if length is None or not 1 / _LARGEST_RATE <= length <= 1 / _LEAST_RATE:
            length = self._interval
        if self._shift is None:
            self.start_time = raw or 0.0
            self._shift = self.start_time
        else:
            self.time = self.end if raw is None else self._checked(raw)
        self.end = self.time + length
        return self.time

    @property
    def furthest(self) -> float:
        """Time that the file reached, counted from its own zero or from the first frame, whichever is later."""
        return self.end + max(self.start_time, 0.0)

    def _checked(self, raw: float) -> float:
        """Return the time that a timestamp stands for, if it can be right."""
        shift = self._shift or 0.0
        if 0.0 <= raw - shift - self.time <= _LARGEST_STEP:
            self._n_odd = 0
            return raw - shift
        self._n_odd += 1
        if self._n_odd > _PATIENCE:
            self._n_odd = 0
            self.n_jumps += 1
            self._shift = raw - self.end
        return self.end


def _seconds(ticks: int | None, time_base: Fraction | None) -> float | None:
    """Convert ticks of a time base."""
    return None if ticks is None or not time_base else float(ticks * time_base)

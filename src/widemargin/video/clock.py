"""Seconds from timestamps that may be missing, repeated, out of order or absurd."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

__all__ = ["FrameClock"]

# All times are whole nanoseconds: a hundred thousand frame intervals add up to within 0.1 ms, at a seventh of the cost
# of fractions.
_SECOND = 10**9
_USUAL_RATE = Fraction(25)
_LEAST_RATE, _LARGEST_RATE = Fraction(1, 20), Fraction(1000)
_SHORTEST, _LONGEST = _SECOND // 1000, 20 * _SECOND
# No show of slides reaches it; a 33-bit clock that wraps, after a day, does.
_LARGEST_STEP = 3600 * _SECOND
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
        sane = (Fraction(rate) for rate in rates if rate is not None and _LEAST_RATE <= rate <= _LARGEST_RATE)
        self._interval = round(_SECOND / next(sane, _USUAL_RATE))
        self._time_base = time_base
        self._zero: int | None = None
        self._time = 0
        self._end = 0
        self._n_odd = 0
        self.start_time = 0.0
        """Timestamp of the first frame in seconds; 0, if it has none."""
        self.n_jumps = 0
        """How many times the file set its clock anew."""

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
        stamp = _nanoseconds(frame.pts if frame.pts is not None else frame.dts, time_base)
        length = _nanoseconds(frame.duration or None, time_base)
        if length is None or not _SHORTEST <= length <= _LONGEST:
            length = self._interval
        if self._zero is None:
            self._zero = stamp or 0
            self.start_time = self._zero / _SECOND
        else:
            self._time = self._end if stamp is None else self._checked(stamp, self._zero)
        self._end = self._time + length
        return self._time / _SECOND

    @property
    def end(self) -> float:
        """Time at which the last frame ends, in seconds from the first."""
        return self._end / _SECOND

    @property
    def furthest(self) -> float:
        """Time that the file reached, counted from its own zero or from the first frame, whichever is later."""
        return self.end + max(self.start_time, 0.0)

    def _checked(self, stamp: int, zero: int) -> int:
        """Return the time that a timestamp stands for, if it can be right."""
        if 0 <= stamp - zero - self._time <= _LARGEST_STEP:
            self._n_odd = 0
            return stamp - zero
        self._n_odd += 1
        if self._n_odd > _PATIENCE:
            self._n_odd = 0
            self.n_jumps += 1
            self._zero = stamp - self._end
        return self._end


def _nanoseconds(ticks: int | None, time_base: Fraction | None) -> int | None:
    """Convert ticks of a time base."""
    if ticks is None or not time_base:
        return None
    return (2 * ticks * time_base.numerator * _SECOND // time_base.denominator + 1) // 2

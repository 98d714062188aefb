"""Where one shot ends and the next begins, decided while the frames come in."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_number
from widemargin.video.histograms import N_BINS, N_LUMA_BINS

__all__ = ["BoundaryDetector"]

Array = npt.NDArray[Any]

# The numbers below were chosen on some videos of the benchmark of boundaries and of `make_event_videos`, and judged on
# videos of other seeds.

# Brightness is 0.4 of a histogram; where there are no colours it alone counts as if it were 0.65. That finds 0.94 to
# 1.0 of the cuts of grey pictures in place of 0.77 to 0.89; with 0.8, F1 of films in colour falls from 0.978 to 0.970.
_LUMA_FACTOR = 0.65 / 0.4

# A cut changes the histogram by this much at least (total variation, 0 to 1), ...
_CUT_CHANGE = 0.16
# ... by this many times as much as the frames around it change, which a moving camera may do steadily, ...
_CUT_CONTRAST = 1.8
_NEIGHBOURS = 8
# ... measured by the mean of the largest changes: every second frame or two of three may be a repeated one, ...
_N_LARGEST = 5
# ... and no frame shortly after is as similar as this to one shortly before, as it is around a flash. Within this time
# there is one cut at most; at a low rate of frames it is two frames, and neighbouring shots are near.
_FLASH_SECONDS = 0.34
_FLASH_SHARE = 0.45

# A dissolve changes the histogram by this much within twice one of these numbers of frames, ...
_SPANS = (6, 12)
_SLOW_CHANGE = 0.27
# ... by this many times as much as the spans before and after it, ...
_SLOW_CONTRAST = 3.0
# ... most of all frames as near as this, not this near to a cut, ...
_SLOW_PEAK = 6
_SLOW_FROM_CUT = 15
# ... and what was before does not come back, as it does when something passes by.
_RETURN_FRAMES = 28
_RETURN_SHARE = 0.3

# A frame is blank if two neighbouring bins hold this share of its brightness; fades to and from it are part of it.
_BLANK_SHARE = 0.97
_FADE_FRAMES = 28
_BLANK_FROM_CUT = 3

_LAG = 31
_STRENGTH_LAG = _LAG - _SLOW_PEAK
# Rows of histograms kept, half of them to be written yet when the older half was moved.
_KEPT = 2 * _LAG + 2


class BoundaryDetector:
    """Find the frames that start a new shot from the histograms of all frames, with bounded delay and memory.

    Three kinds of boundary are found. A cut is a change from one frame to the next that stands out from its
    neighbourhood and after which nothing looks as before; a dissolve is a change within 12 or 24 frames that stands
    out from the spans before and after it; a fade is the first of at least two blank frames. Each is reported as one
    frame: the first of the new picture, the middle of a dissolve, the first blank frame of a fade. Flashes, camera
    movement and objects that pass by within about a second are not boundaries. Differences are total variations
    between histograms, so that they depend on neither the size of the frames nor small movements.

    Parameters
    ----------
    threshold : float, default=1.0
        How large a change starts a new shot, in units of the default; larger finds fewer. Above 0. It applies to
        cuts and dissolves; blank frames start a shot at any value.
    min_length : float, default=0.5
        Shortest shot in seconds, at least 0; the last one may be shorter.

    Attributes
    ----------
    lag : int
        A boundary is reported at the latest when this many frames after it have been pushed.

    Notes
    -----
    Frames before the first and after the last count as copies of them. Transitions of more than about 30 frames that
    are not through a blank picture are not found.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.video.boundaries import BoundaryDetector
    >>> from widemargin.video.histograms import N_BINS
    >>> dark, light = np.eye(N_BINS, dtype=np.float32)[[0, 20]]
    >>> detector = BoundaryDetector()
    >>> [f for i in range(80) for f in detector.push(light if i < 40 else dark, i / 25)] + detector.finish()
    [40]
    """

    lag: int = _LAG

    def __init__(self, threshold: float = 1.0, min_length: float = 0.5) -> None:
        self.threshold = check_number("threshold", threshold, above=0.0)
        self.min_length = check_number("min_length", min_length, at_least=0.0)
        self._histograms = np.zeros((2 * _KEPT, N_BINS), np.float32)
        self._means = np.zeros((2 * _KEPT, N_BINS), np.float32)
        self._steps = np.zeros(2 * _KEPT)
        self._strengths = np.zeros(2 * _KEPT)
        self._cuts = np.zeros(2 * _KEPT, bool)
        self._blank = np.zeros(2 * _KEPT, bool)
        self._times = np.zeros(2 * _KEPT)
        # Frames are numbered in `_n_frames` from 0; `_end` is the row behind the newest of them.
        self._n_frames = 0
        self._end = 0
        self._last_start = 0.0

    def push(self, histogram: npt.NDArray[np.float32], time: float) -> list[int]:
        """Take the next frame.

        Parameters
        ----------
        histogram : array of float32 of shape (N_BINS,)
            What `frame_histogram` tells of it.
        time : float
            When it is shown, in seconds, not before the last one.

        Returns
        -------
        list of int
            Numbers, from 0, of the frames that are now certain to start a shot, increasing; the first frame of all is
            never among them.
        """
        if self._n_frames == 0:
            self._last_start = time
            for _ in range(_KEPT):
                self._append(histogram, time)
        self._append(histogram, time)
        self._n_frames += 1
        return self._decide(self._n_frames - 1 - _LAG)

    def finish(self) -> list[int]:
        """Say which of the last frames start a shot, once there are no more.

        Returns
        -------
        list of int
            Their numbers, increasing.
        """
        if self._n_frames == 0:
            return []
        last = self._histograms[self._end - 1].copy()
        starts = []
        for number in range(self._n_frames - _LAG, self._n_frames):
            self._append(last, self._times[self._end - 1])
            starts += self._decide(number)
        return starts

    def _append(self, histogram: npt.NDArray[np.float32], time: float) -> None:
        """Store a frame and what became known with it of earlier ones."""
        if self._end == len(self._histograms):
            for kept in self._records():
                kept[:_KEPT] = kept[-_KEPT:]
            self._end = _KEPT
        row = self._end
        self._end += 1
        self._histograms[row] = histogram
        self._times[row] = time
        self._cuts[row] = False
        self._strengths[row] = self._steps[row] = 0.0
        luma = self._histograms[row, :N_LUMA_BINS]
        self._blank[row] = (luma[:-1] + luma[1:]).max() > _BLANK_SHARE * luma.sum()
        if row >= 2:
            self._steps[row] = _difference(self._histograms[row], self._histograms[row - 1])
            self._means[row - 1] = self._histograms[row - 2 : row + 1].mean(axis=0)
        if row >= _KEPT:
            self._cuts[row - _NEIGHBOURS] = self._is_cut(row - _NEIGHBOURS)
            self._strengths[row - _STRENGTH_LAG] = self._strength(row - _STRENGTH_LAG)

    def _records(self) -> tuple[Array, ...]:
        return (
            self._histograms,
            self._means,
            self._steps,
            self._strengths,
            self._cuts,
            self._blank,
            self._times,
        )

    def _is_cut(self, row: int) -> bool:
        """Say whether the change to this frame stands out, and lasts."""
        step = self._steps[row]
        if step < self.threshold * _CUT_CHANGE:
            return False
        reach = self._frames_in(row, _FLASH_SECONDS)
        around = self._steps[row - _NEIGHBOURS : row + _NEIGHBOURS + 1].copy()
        around[_NEIGHBOURS] = 0.0
        if step < around[_NEIGHBOURS - reach : _NEIGHBOURS + reach + 1].max():
            return False
        if step < self.threshold * _CUT_CONTRAST * _usual_step(around, reach):
            return False
        before = self._histograms[row - reach : row]
        after = self._histograms[row : row + reach + 1]
        return bool(_smallest_difference(before, after) >= _FLASH_SHARE * step)

    def _frames_in(self, row: int, seconds: float) -> int:
        """Return how many frames after this one are shown within so many seconds, from 2 to `_NEIGHBOURS`."""
        times = self._times[row + 1 : row + _NEIGHBOURS + 1]
        return max(int(np.searchsorted(times, self._times[row] + seconds, side="right")), 2)

    def _strength(self, row: int) -> float:
        """Return by how much the pictures around this frame differ if that stands out, else 0.

        Summed over the spans: the longest alone differs as much everywhere around a short dissolve.
        """
        total, stands_out = 0.0, False
        for span in _SPANS:
            far_before, before, after, far_after = self._means[row - 2 * span : row + 2 * span + 1 : span][
                [0, 1, 3, 4]
            ]
            change = _difference(before, after)
            total += change
            if change > self.threshold * _SLOW_CHANGE:
                usual = max(_difference(far_before, before), _difference(after, far_after))
                stands_out |= change > self.threshold * _SLOW_CONTRAST * usual
        return total if stands_out else 0.0

    def _decide(self, number: int) -> list[int]:
        """Return the frame in a list if it starts a shot: `_LAG` frames after it are known."""
        row = self._end - 1 - _LAG
        if number < 1 or not (self._cuts[row] or self._starts_blank(row) or self._is_dissolve(row)):
            return []
        if self._times[row] - self._last_start < self.min_length:
            return []
        self._last_start = float(self._times[row])
        return [number]

    def _starts_blank(self, row: int) -> bool:
        if not self._blank[row] or self._blank[row - 1] or not self._blank[row + 1]:
            return False
        return not self._cuts[row - _BLANK_FROM_CUT : row + _BLANK_FROM_CUT + 1].any()

    def _is_dissolve(self, row: int) -> bool:
        strength = self._strengths[row]
        if strength == 0.0:
            return False
        if strength <= self._strengths[row - _SLOW_PEAK : row].max():
            return False
        if strength < self._strengths[row + 1 : row + _SLOW_PEAK + 1].max():
            return False
        if self._cuts[row - _SLOW_FROM_CUT : row + _SLOW_FROM_CUT + 1].any():
            return False
        if self._blank[row - _FADE_FRAMES : row + _FADE_FRAMES + 1].any():
            return False
        before = self._histograms[row - _RETURN_FRAMES : row - _SPANS[-1] + 1]
        after = self._histograms[row + _SPANS[-1] : row + _RETURN_FRAMES + 1]
        return bool(_smallest_difference(before, after) >= _RETURN_SHARE * strength)


def _usual_step(steps: Array, reach: int) -> float:
    """Return the mean of the largest changes around a frame, other cuts of a quick sequence of shots left out."""
    centre = len(steps) // 2
    rest = steps.copy()
    for side in (slice(0, centre - reach), slice(centre + reach + 1, None)):
        if rest[side].size:
            rest[side][rest[side].argmax()] = 0.0
    rest.sort()
    return float(rest[-_N_LARGEST:].mean())


def _difference(first: Array, second: Array) -> float:
    """Return by how much two histograms differ: total variation, or that of brightness alone, which counts for less."""
    apart = np.abs(first - second)
    luma = float(apart[:N_LUMA_BINS].sum())
    return 0.5 * max(luma + float(apart[N_LUMA_BINS:].sum()), _LUMA_FACTOR * luma)


def _smallest_difference(before: Array, after: Array) -> float:
    """Return the smallest difference between a histogram of the one group and one of the other."""
    apart = np.abs(before[:, None] - after)
    luma = apart[..., :N_LUMA_BINS].sum(axis=2)
    return 0.5 * float(np.maximum(luma + apart[..., N_LUMA_BINS:].sum(axis=2), _LUMA_FACTOR * luma).min())

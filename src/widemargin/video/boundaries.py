"""Where one shot ends and the next begins, decided while the frames come in."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

__all__ = ["BoundaryDetector"]


class BoundaryDetector:
    """Find the frames that start a new shot from the histograms of all frames, with bounded delay and memory.

    Parameters
    ----------
    threshold : float, default=1.0
        How large a change starts a new shot, in units of the default; larger finds fewer. Above 0.
    min_length : float, default=0.5
        Shortest shot in seconds, at least 0; the last one may be shorter.

    Attributes
    ----------
    lag : int
        A boundary is reported at the latest when this many frames after it have been pushed.
    """

    lag = 8
    _floor = 0.12
    _ratio = 3.0

    def __init__(self, threshold: float = 1.0, min_length: float = 0.5) -> None:
        self.threshold = threshold
        self.min_length = min_length
        self._histograms: deque[npt.NDArray[np.float32]] = deque(maxlen=2 * self.lag + 2)
        self._times: deque[float] = deque(maxlen=2 * self.lag + 2)
        self._n = 0
        self._last_start: float | None = None

    def push(self, histogram: npt.NDArray[np.float32], time: float) -> list[int]:
        """Take the next frame, and return the numbers of the frames that are now certain to start a shot."""
        if self._last_start is None:
            self._last_start = time
        self._histograms.append(histogram)
        self._times.append(time)
        self._n += 1
        return self._decide(self._n - 1 - self.lag)

    def finish(self) -> list[int]:
        """Return the remaining boundaries once there are no more frames."""
        return [f for n in range(max(0, self._n - self.lag), self._n) for f in self._decide(n)]

    def _decide(self, frame: int) -> list[int]:
        """Return the frame in a list if it starts a shot."""
        first = self._n - len(self._histograms)
        at = frame - first
        if frame < 1 or at < 1:
            return []
        window = np.array(self._histograms)
        low, high = max(1, at - self.lag), min(len(window) - 1, at + self.lag)
        steps = np.abs(window[low : high + 1] - window[low - 1 : high]).sum(axis=1) / 2
        step = steps[at - low]
        others = np.delete(steps, at - low)
        moving = others[others > 0]
        usual = float(moving.mean()) if len(moving) else 0.0
        if step < self.threshold * max(self._floor, self._ratio * usual) or step < steps.max():
            return []
        before, after = window[max(0, at - 4) : at], window[at : at + 5]
        apart = np.abs(before[:, None] - after[None]).sum(axis=2) / 2
        if apart.min() < 0.4 * step:
            return []
        time = self._times[at]
        if self._last_start is None or time - self._last_start < self.min_length:
            return []
        self._last_start = time
        return [frame]

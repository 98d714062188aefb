"""Losses of the scores of videos: two classes with one score a video, or several with one a class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin import _native

__all__ = ["LOSSES", "ShotLoss"]

Array = npt.NDArray[np.float64]

LOSSES = ("squared_hinge", "hinge", "squared", "logistic")


@dataclass(frozen=True)
class ShotLoss:
    r"""Weighted mean of the losses of all videos.

    With one score t a video and y = +1 for target 1, -1 for target 0:

    ============= =========================================
    squared_hinge :math:`\tfrac12 \max(0, 1 - yt)^2`
    hinge         :math:`\mu \log(1 + e^{(1 - yt) / \mu})`
    squared       :math:`\tfrac12 (y - t)^2`
    logistic      :math:`\log(1 + e^{-yt})`
    ============= =========================================

    With one score a class: ``hinge`` and ``squared_hinge`` are both the smoothed multiclass hinge loss
    :math:`\mu \log \sum_e e^{(t_e - t_y + 1 - [e = y]) / \mu}`, ``logistic`` the cross entropy of the softmax, and
    ``squared`` the sum over classes of the squared loss with y = +1 for the video's own class.

    Parameters
    ----------
    targets : ndarray of int32 of shape (n_videos,)
        Class of each video.
    weight : ndarray of shape (n_videos,)
        Weights, >= 0, with sum 1.
    n_scores : int
        1 for two classes, else the number of classes.
    name : str
        One of `LOSSES`.
    smoothing : float
        mu of the hinge losses, > 0.
    """

    targets: npt.NDArray[np.int32]
    weight: Array
    n_scores: int
    name: str
    smoothing: float

    @property
    def curvature(self) -> float:
        """Upper bound on the second derivative of a video's loss along any direction of its scores."""
        if self.n_scores == 1:
            return {"hinge": 0.25 / self.smoothing, "logistic": 0.25}.get(self.name, 1.0)
        return {"squared": 1.0, "logistic": 0.5}.get(self.name, 0.5 / self.smoothing)

    def value(self, scores: Array) -> float:
        """Return the weighted mean for scores of shape (n_videos, n_scores)."""
        return self.evaluate(scores)[0]

    def evaluate(self, scores: Array) -> tuple[float, Array]:
        """Return the weighted mean, and its derivative by the scores."""
        residual = np.empty_like(scores)
        value = _native.shot_losses(scores, self.targets, self.weight, self.name, self.smoothing, residual)
        return value, residual

    def first_intercept(self) -> Array:
        """Return intercepts near the best ones without any features."""
        if self.n_scores > 1:
            return np.zeros(self.n_scores)
        return np.array([2.0 * self.weight @ self.targets - 1.0])

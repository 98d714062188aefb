"""Rows to map, and bags of shots to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Protocol:
    """How thoroughly to measure."""

    repetitions: int
    quick: bool


def rows_to_map(n_rows: int, n_columns: int) -> dict[str, FloatArray]:
    """Make rows that are hard for different algorithms: ramps are the worst for those of taut strings.

    Weights of a classifier that has learned the order decrease; all are positive, but for the random ones.
    """
    rng = np.random.default_rng(0)
    down = np.linspace(10.0, 1.0, n_columns) + rng.uniform(0, 0.1, size=(n_rows, 1))
    noise = rng.normal(scale=0.5, size=(n_rows, n_columns))
    return {
        "random": rng.normal(size=(n_rows, n_columns)),
        "decreasing": down,
        "increasing": np.ascontiguousarray(down[:, ::-1]),
        "noisy, decreasing": down + noise,
        "noisy, increasing": np.ascontiguousarray(down[:, ::-1]) + noise,
    }


@dataclass(frozen=True)
class Bags:
    """Videos whose shots are in order of their relevance, most relevant first.

    Parameters
    ----------
    X : ndarray of float32 of shape (n_videos, n_shots, n_features)
        Nonnegative features of unit length.
    y : ndarray of shape (n_videos,)
        -1 or +1.
    isotonic_alpha, alpha : float
        Weights of the penalty on the order and of the squared norm.
    fit_intercept : bool
        Whether there is an intercept, which is not penalised.
    """

    X: npt.NDArray[np.float32]
    y: FloatArray
    isotonic_alpha: float = 1e-3
    alpha: float = 1e-3
    fit_intercept: bool = True

    @property
    def name(self) -> str:
        n_videos, n_shots, n_features = self.X.shape
        return f"{n_videos:,} videos, {n_shots} shots, {n_features:,} features"

    def objective(self, weights: npt.ArrayLike, intercept: float = 0.0) -> float:
        """Compute the objective from weights of shape (n_shots, n_features), the same way for everybody."""
        W = np.asarray(weights, dtype=np.float64).reshape(self.X.shape[1:])
        scores = np.array([np.vdot(video.astype(np.float64), W) for video in self.X]) + intercept
        return self.objective_at(scores, W)

    def objective_at(self, scores: FloatArray, W: FloatArray) -> float:
        """Compute the objective from the scores, too."""
        missing = np.maximum(1 - self.y * scores, 0)
        norms = np.linalg.norm(W, axis=1)
        increases = np.maximum(np.diff(norms), 0).sum()
        return float(
            0.5 * (missing @ missing) / len(missing)
            + self.isotonic_alpha * increases
            + self.alpha * (norms @ norms)
        )


@lru_cache(maxsize=1)
def salient_bags(
    n_videos: int, n_features: int, n_shots: int, *, seed: int = 0
) -> tuple[npt.NDArray[np.float32], FloatArray]:
    """Draw videos, one in ten of an event, whose shots show a look of it the more often the further ahead they are."""
    rng = np.random.default_rng(seed)
    y = np.where(rng.random(n_videos) < 0.1, 1.0, -1.0)
    y[:3] = 1.0
    looks = np.maximum(rng.normal(size=(5, n_features)), 0).astype(np.float32)
    shown = 0.8 * np.exp(-np.arange(n_shots) / 6)
    X = np.empty((n_videos, n_shots, n_features), dtype=np.float32)
    for video, label in zip(X, y, strict=True):
        # The shift leaves two thirds of the features of a plain shot at zero, as in convolutional networks.
        video[:] = rng.standard_normal((n_shots, n_features), dtype=np.float32) - np.float32(0.3)
        if label > 0:
            relevant = rng.random(n_shots) < shown
            video[relevant] += 0.25 * looks[rng.integers(len(looks), size=relevant.sum())]
        np.maximum(video, 0, out=video)
        video /= np.linalg.norm(video, axis=1, keepdims=True)
    return X, y

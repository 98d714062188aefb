"""Data to learn from: a noisy linear rule of any size, and real digits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets import load_usps
from widemargin.metrics import partial_auc_score

FPR_RANGE = (0.0, 0.1)


@dataclass(frozen=True)
class Problem:
    """Training samples of two classes, and others to score on.

    Parameters
    ----------
    name : str
        What to print.
    X, y : ndarray
        Training samples and their labels.
    X_test, y_test : ndarray
        The others.
    """

    name: str
    X: npt.NDArray[np.float64]
    y: npt.NDArray[np.int64]
    X_test: npt.NDArray[np.float64]
    y_test: npt.NDArray[np.int64]

    def score(self, model: Any) -> float:
        """Return the partial AUC of a fitted classifier on the other samples."""
        scores = (
            model.decision_function(self.X_test)
            if hasattr(model, "decision_function")
            else model.predict_proba(self.X_test)[:, 1]
        )
        return float(partial_auc_score(self.y_test, scores, fpr_range=FPR_RANGE))


@cache
def noisy_rule(n_samples: int, n_features: int) -> Problem:
    """Draw normal features, the first ten of which decide the label up to normal noise."""
    X, y = draw(n_samples, n_features, seed=0)
    return Problem(f"{n_samples:,} x {n_features}", X, y, *draw(4000, n_features, seed=1))


def draw(
    n_samples: int, n_features: int, *, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Draw samples of the noisy rule and their labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    y = (X[:, :10].sum(axis=1) + 2.0 * rng.normal(size=n_samples) > 0).astype(np.int64)
    return X, y


def usps(folder: Path) -> Problem:
    """Read the USPS digits, even against odd: real features have ties and few values."""
    digits = load_usps(folder)
    return Problem(
        f"USPS, even against odd, {len(digits.X_train):,} x {digits.X_train.shape[1]}",
        np.asarray(digits.X_train, dtype=np.float64),
        digits.y_train % 2,
        np.asarray(digits.X_test, dtype=np.float64),
        digits.y_test % 2,
    )

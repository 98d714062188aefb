"""Scores that are weighted sums of weak learners, whatever chose the weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.trees import Tree, TreeEnsemble

__all__ = ["WeightedSum"]

Array = npt.NDArray[np.float64]


class WeightedSum:
    """A weighted sum of trees, or of classifiers with outputs -1 and +1.

    Parameters
    ----------
    learners : list of Tree, or list of classifier
        At least one.
    weights : ndarray of shape (n_learners,)
        Their weights.
    """

    def __init__(self, learners: list[Any], weights: Array) -> None:
        self._learners = learners
        self._weights = weights
        self._trees = _joined(learners, weights)

    @property
    def learners(self) -> list[Any]:
        """The weak learners."""
        return self._learners

    @property
    def weights(self) -> Array:
        """Their weights."""
        return self._weights

    def __call__(self, X: Any, n_threads: int = 1) -> Array:
        """Return the sum for each row of X."""
        if self._trees is not None:
            return self._trees.predict(X, n_threads=n_threads)
        total = np.zeros(X.shape[0])
        for outputs in self._weighted_outputs(X, n_threads):
            total += outputs
        return total

    def partial_sums(self, X: Any, n_threads: int = 1) -> Iterator[Array]:
        """Yield the sum of the first learner, the first two, and so on; the last equals the sum to the last bit."""
        total = np.zeros(X.shape[0])
        for outputs in self._weighted_outputs(X, n_threads):
            total += outputs
            yield total.copy()

    def split_gains(self) -> Array:
        """Return the gain of the splits of each feature, as a share of the total; zeros if there are no splits."""
        if self._trees is None:
            raise AttributeError("feature_importances_ needs trees as weak learners.")
        trees = self._trees
        weights = np.repeat(np.abs(self._weights), np.diff(trees.roots))
        splits = trees.feature >= 0
        gains = np.zeros(trees.n_features)
        np.add.at(gains, trees.feature[splits], (weights * trees.gain)[splits])
        total = gains.sum()
        return gains / total if total > 0 else gains

    def _weighted_outputs(self, X: Any, n_threads: int) -> Iterator[Array]:
        if self._trees is None:
            for learner, weight in zip(self._learners, self._weights, strict=True):
                yield weight * np.where(learner.predict(X) > 0, 1.0, -1.0)
            return
        for learner, weight, leaves in zip(
            self._learners, self._weights, self._trees.leaves(X, n_threads=n_threads), strict=True
        ):
            yield (learner.leaf_values * weight)[leaves]

    # Trees are stored together: ten small arrays each, as files of an archive, would take longer to load than to grow.
    def __getstate__(self) -> dict[str, Any]:
        learners = self._learners if self._trees is None else TreeEnsemble.of(self._learners)
        return {"learners": learners, "weights": self._weights}

    def __setstate__(self, state: dict[str, Any]) -> None:
        learners, self._weights = state["learners"], state["weights"]
        self._learners = learners.trees() if isinstance(learners, TreeEnsemble) else learners
        self._trees = _joined(self._learners, self._weights)


def _joined(learners: list[Any], weights: Array) -> TreeEnsemble | None:
    return TreeEnsemble.of(learners, weights) if isinstance(learners[0], Tree) else None

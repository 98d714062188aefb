"""Rows of numbers whose products with a weight vector are an SVM's scores: the features, or a factor of the kernel."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from widemargin.solvers.kernel_space import KernelSpace

__all__ = ["KernelFeatures", "LinearFeatures", "ScoreFeatures"]

Array = npt.NDArray[np.float64]


class ScoreFeatures(Protocol):
    """Samples as the solver sees them."""

    rows: Any

    def function(self, weights: Array) -> tuple[Array, float]:
        """Return coefficients and constant of ``rows @ weights`` in terms of the samples as they came."""
        ...


class LinearFeatures:
    """The features themselves, moved to their mean if they are dense.

    Only differences of scores matter, so the move changes nothing but the rounding: features far from the origin would
    cost the certificates several digits.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Samples.
    sample_weight : ndarray of shape (n_samples,)
        Multiplicities, by which the mean is weighted.
    """

    def __init__(self, X: Any, sample_weight: Array) -> None:
        self._mean = np.zeros(X.shape[1])
        if not issparse(X):
            self._mean = np.average(X, axis=0, weights=sample_weight)
        self.rows = X if issparse(X) else X - self._mean

    def function(self, weights: Array) -> tuple[Array, float]:
        """Return weights over the features as they came, and the constant."""
        return weights, -float(weights @ self._mean)


class KernelFeatures:
    """A pivoted Cholesky factor of the kernel matrix.

    Parameters
    ----------
    space : KernelSpace
        The samples under the kernel.
    """

    def __init__(self, space: KernelSpace) -> None:
        self._space = space
        self.rows = space.space.features

    def function(self, weights: Array) -> tuple[Array, float]:
        """Return coefficients over the samples in terms of the kernel as it came, and the constant."""
        return self._space.kernel_function({"weights": weights, "expansion": None, "intercept": 0.0})

"""Rows of numbers whose products with a weight vector are an SVM's scores: the features, or a factor of the kernel."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from widemargin.kernels import Kernel, positive_part
from widemargin.solvers.space import Space
from widemargin.validation import LARGEST_VALUE, check_choice, check_number, check_square_kernel

__all__ = ["KernelFeatures", "LinearFeatures", "ScoreFeatures", "check_domain", "resolve_gamma"]

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
    kernel : Kernel
        The kernel.
    X : ndarray or sparse matrix
        Samples, or the square matrix of a precomputed kernel.
    """

    def __init__(self, kernel: Kernel, X: Any) -> None:
        self._projector: Array | None = None
        gram = kernel(X, X)
        if kernel.kernel == "precomputed":
            gram = check_square_kernel(
                "X",
                "kernel='precomputed'",
                gram,
                "pass k(X_train, X_train), sliced on both axes where you select samples.",
            )
        elif callable(kernel.kernel):
            gram = check_square_kernel("kernel's matrix", "a function as kernel", gram, "return k(A, B).")
        if not kernel.is_psd:
            gram, self._projector, smallest = positive_part(gram)
            if self._projector is not None:
                warnings.warn(
                    f"kernel is not positive semi-definite on these samples (smallest eigenvalue {smallest:.3g}): its "
                    "negative part is dropped. Choose a kernel that is to avoid this.",
                    UserWarning,
                    stacklevel=4,
                )
        # Only differences of scores matter: the origin is free, and the mean the most accurate choice.
        self._space = Space(gram=gram, center=True)
        self.rows = self._space.features

    def function(self, weights: Array) -> tuple[Array, float]:
        """Return coefficients over the samples in terms of the kernel as it came, and the constant."""
        coefficients, constant = self._space.kernel_expansion(self._space.expansion(weights))
        if self._projector is not None:
            coefficients = self._projector @ coefficients
        return coefficients, constant


def resolve_gamma(gamma: Any, X: Any, sample_weight: Array) -> float:
    """Kernel width as scikit-learn's SVC resolves it, with a variance that counts multiplicities."""
    if not isinstance(gamma, str):
        return check_number("gamma", gamma, at_least=0)
    check_choice("gamma", gamma, ("scale", "auto"))
    if gamma == "auto":
        return 1.0 / X.shape[1]
    share = sample_weight / sample_weight.sum()

    def mean(values: Any) -> float:
        return float(share @ np.asarray(values.mean(axis=1)).ravel())

    variance = mean(X.multiply(X)) - mean(X) ** 2 if issparse(X) else mean((X - mean(X)) ** 2)
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


def check_domain(X: Any, kernel: str) -> None:
    """Raise ValueError if products of the features overflow, or if chi2 meets a negative one."""
    largest, smallest = float(abs(X).max()), float(X.min())
    if largest > LARGEST_VALUE:
        raise ValueError(
            f"X has values of up to {largest:g}, whose products overflow: scale the features to values below "
            f"{LARGEST_VALUE:g}."
        )
    if kernel == "chi2" and smallest < 0:
        raise ValueError(
            f"Negative values in data: X has values down to {smallest:g}, but kernel='chi2' compares histograms: pass "
            "non-negative features or choose another kernel."
        )

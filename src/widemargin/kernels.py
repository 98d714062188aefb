"""Kernel matrices by name, with the parameters of scikit-learn's SVC."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf
from scipy.sparse import issparse
from sklearn.metrics.pairwise import (
    chi2_kernel,
    laplacian_kernel,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
)

from widemargin.blas import blas_threads

__all__ = ["KERNELS", "Kernel", "positive_part"]

Array = npt.NDArray[np.float64]
KernelFunction = Callable[[Any, Any], Any]

KERNELS = ("linear", "rbf", "poly", "sigmoid", "laplacian", "chi2", "precomputed")

# Positive semi-definite for every parameter that Kernel accepts; the others are checked on the data.
_ALWAYS_PSD = frozenset({"linear", "rbf", "laplacian", "chi2"})


@dataclass(frozen=True)
class Kernel:
    """A kernel function with its parameters fixed.

    Parameters
    ----------
    kernel : str or callable
        One of `KERNELS`, or a function of two sample matrices that returns their kernel matrix.
    gamma : float, default=1.0
        Kernel width of rbf, poly, sigmoid, laplacian and chi2.
    degree : float, default=3
        Degree of poly.
    coef0 : float, default=0.0
        Constant of poly and sigmoid.
    name : str, default="kernel"
        What messages call it.
    """

    kernel: str | KernelFunction
    gamma: float = 1.0
    degree: float = 3
    coef0: float = 0.0
    name: str = "kernel"

    @property
    def is_psd(self) -> bool:
        """Whether the kernel matrix of any data is known to be positive semi-definite."""
        if self.kernel == "poly":
            return self.coef0 >= 0 and float(self.degree).is_integer()
        return isinstance(self.kernel, str) and self.kernel in _ALWAYS_PSD

    def __call__(self, X: Any, Y: Any) -> Array:
        """Return the kernel matrix of shape (n_samples_X, n_samples_Y) as C-contiguous float64.

        Raises
        ------
        ValueError
            If a kernel function returns another shape, or a value is NaN or infinite.
        """
        if isinstance(self.kernel, str):
            # What overflows is reported below, with the remedy.
            with (
                np.errstate(over="ignore", invalid="ignore"),
                blas_threads(X.shape[0] * X.shape[1] * (X if Y is None else Y).shape[0]),
            ):
                values = self._named(X, Y)
        else:
            values = self._returned(X, Y)
        if not np.isfinite(values).all():
            what = repr(self.kernel) if isinstance(self.kernel, str) else "its function"
            raise ValueError(
                f"{self.name} gives NaN or infinity on these samples ({what}): scale the features, or change the "
                "kernel or its parameters."
            )
        return np.ascontiguousarray(values)

    def _returned(self, X: Any, Y: Any) -> Array:
        assert callable(self.kernel)
        values = self.kernel(X, Y)
        values = np.asarray(values.toarray() if issparse(values) else values, dtype=float)
        expected = (X.shape[0], Y.shape[0])
        if values.shape != expected:
            raise ValueError(
                f"{self.name} returned an array of shape {values.shape} for {expected[0]} and {expected[1]} samples: "
                f"a kernel function must return shape {expected}."
            )
        return values

    def _named(self, X: Any, Y: Any) -> Array:
        match self.kernel:
            case "linear":
                return linear_kernel(X, Y, dense_output=True)
            case "rbf":
                return rbf_kernel(*_near_origin(X, Y), gamma=self.gamma)
            case "poly":
                return polynomial_kernel(X, Y, degree=self.degree, gamma=self.gamma, coef0=self.coef0)
            case "sigmoid":
                return sigmoid_kernel(X, Y, gamma=self.gamma, coef0=self.coef0)
            case "laplacian":
                return laplacian_kernel(X, Y, gamma=self.gamma)
            case "chi2":
                return chi2_kernel(_writeable(X), _writeable(Y), gamma=self.gamma)
            case "precomputed":
                return np.asarray(_dense(X), dtype=float)
        raise AssertionError(f"unvalidated kernel {self.kernel!r}")


def _near_origin(X: Any, Y: Any) -> tuple[Any, Any]:
    """Move both sets of samples by the mean of the second, which changes no distance.

    Distances are computed from inner products, which lose digits far from the origin: with a feature 100 standard
    deviations from it the matrix had eigenvalues so negative that a third of the paper's grid did not converge.
    """
    if issparse(X) or issparse(Y):
        return X, Y
    origin = Y.mean(axis=0)
    moved = Y - origin
    return (moved if X is Y else X - origin), moved


def _dense(matrix: Any) -> Any:
    return matrix.toarray() if issparse(matrix) else matrix


def _writeable(matrix: Any) -> Array:
    """Return the matrix as an array that scikit-learn's compiled chi2 kernel takes: it refuses read-only ones."""
    return np.require(_dense(matrix), requirements="W")


def positive_part(gram: Array, *, tolerance: float = 1e-8) -> tuple[Array, Array | None, float]:
    """Nearest positive semi-definite matrix, for kernels that are not.

    Parameters
    ----------
    gram : ndarray of shape (n_samples, n_samples)
        Symmetric kernel matrix.
    tolerance : float, default=1e-8
        Negative eigenvalues down to this share of the largest one are rounding.

    Returns
    -------
    gram : ndarray of shape (n_samples, n_samples)
        The matrix itself if it is positive semi-definite, else the part of its positive eigenvalues.
    projector : ndarray of shape (n_samples, n_samples) or None
        Projector onto the eigenvectors kept. Multiplying the coefficients of a classifier by it extends the
        classifier to new samples consistently: on the training samples it gives the values it was trained with.
    smallest : float
        The most negative eigenvalue found, zero if the matrix was good.
    """
    n = len(gram)
    scale = float(np.abs(gram).max(initial=0.0))
    shifted = gram.copy()
    shifted[np.diag_indices(n)] += tolerance * max(scale, np.finfo(float).tiny)
    if dpotrf(shifted, lower=1, clean=0, overwrite_a=1)[1] == 0:
        return gram, None, 0.0
    values, vectors = eigh(gram)
    if values[0] >= -tolerance * max(values[-1], 0.0):
        return gram, None, 0.0
    kept = vectors[:, values > 0]
    return (kept * values[values > 0]) @ kept.T, kept @ kept.T, float(values[0])

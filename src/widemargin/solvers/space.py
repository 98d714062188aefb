"""Training samples as a solver sees them: rows of a matrix with few columns, or a Gram matrix.

A linear kernel with fewer features than samples keeps its features; everything else becomes a Gram matrix, whose
pivoted Cholesky factor again is a matrix of features, exact up to rounding. Interior points use the features,
coordinate methods the Gram matrix; both are made when first asked for and shared by all classes and penalties.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf
from scipy.sparse import issparse

from widemargin.blas import blas_threads

__all__ = ["Space"]

Array = npt.NDArray[np.float64]


class Space:
    """One feature space, centred on the training mean if the problem has a free intercept.

    Centring changes neither the optimal weights nor the objective of a problem with an unpenalised intercept, but
    without it features far from the origin (pixels, histograms) cost the certificates several digits.

    Parameters
    ----------
    features : ndarray or sparse matrix of shape (n_samples, n_features), optional
        Explicit features of a linear kernel.
    gram : ndarray of shape (n_samples, n_samples), optional
        Symmetric positive semi-definite kernel matrix; overwritten if `center`. Give one of the two.
    center : bool
        Whether to move the origin to the mean of the samples.
    """

    def __init__(self, *, features: Any = None, gram: Array | None = None, center: bool) -> None:
        self.center = center
        self._explicit = features
        self.n_samples = (features if gram is None else gram).shape[0]
        self.is_explicit = gram is None and features.shape[1] < self.n_samples
        self._gram_mean: Array | None = None
        if gram is not None:
            if center:
                self._gram_mean = _center_gram(gram)
            self.gram = gram

    @cached_property
    def mean(self) -> Array:
        """Mean of the explicit features, zero if the space is not centred."""
        if not self.center:
            return np.zeros(self._explicit.shape[1])
        return np.asarray(self._explicit.mean(axis=0), dtype=float).ravel()

    @cached_property
    def gram(self) -> Array:
        """Gram matrix of shape (n_samples, n_samples)."""
        if issparse(self._explicit):
            product = np.ascontiguousarray((self._explicit @ self._explicit.T).toarray())
            if self.center:
                _center_gram(product)
            return product
        centred = self._explicit - self.mean
        with blas_threads(self.n_samples**2 * centred.shape[1]):
            return centred @ centred.T

    @cached_property
    def _cholesky(self) -> tuple[Array, npt.NDArray[np.intp]]:
        return pivoted_cholesky(self.gram)

    @cached_property
    def features(self) -> Array:
        """Features of shape (n_samples, rank) whose products are the Gram matrix."""
        if not self.is_explicit:
            return self._cholesky[0]
        dense = self._explicit.toarray() if issparse(self._explicit) else self._explicit
        return dense - self.mean

    @cached_property
    def lengths(self) -> Array:
        """Distance of every sample from the origin, of shape (n_samples,)."""
        if self.is_explicit:
            return np.sqrt(np.einsum("ij,ij->i", self.features, self.features))
        return np.sqrt(np.maximum(self.gram.diagonal(), 0.0))

    @property
    def dimension(self) -> int:
        """Upper bound on the number of columns of `features`, known without computing them."""
        return min(self.n_samples, self.n_samples if self._explicit is None else self._explicit.shape[1])

    def block(self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> Array:
        """Return a part of the Gram matrix as a new array, without making the rest of it."""
        if self.is_explicit:
            return self.features[rows] @ self.features[columns].T
        return self.gram[np.ix_(rows, columns)]

    def values(self, expansion: Array) -> Array:
        """Values on the samples of the function with coefficients `expansion` over the samples."""
        if self.is_explicit:
            return self.features @ (expansion @ self.features)
        return self.gram @ expansion

    def expansion(self, weights: Array) -> Array:
        """Coefficients over the samples that give the same function as `weights` over a Gram matrix's `features`."""
        return expand_in_pivots(*self._cholesky, weights)

    def kernel_expansion(self, expansion: Array) -> tuple[Array, float]:
        """Coefficients and constant that give the function of `expansion` in terms of the kernel as it came."""
        if self._gram_mean is None:
            return expansion, 0.0
        # Centred samples add up to zero, so the coefficients may be shifted to do so too.
        expansion = expansion - expansion.mean()
        return expansion, -float(self._gram_mean @ expansion)

    def explicit_weights(self, expansion: Array) -> Array:
        """Weights over the explicit features of a combination of centred samples."""
        if issparse(self._explicit):
            # Centred samples add up to zero, so the coefficients may be shifted to do so too.
            shifted = expansion - expansion.mean() if self.center else expansion
            return np.asarray(self._explicit.T @ shifted).ravel()
        return expansion @ (self._explicit - self.mean)


def _center_gram(gram: Array) -> Array:
    """Turn a Gram matrix into that of the samples minus their mean, in place, and return its column means."""
    mean = gram.mean(axis=0)
    gram -= mean
    gram -= (mean - mean.mean())[:, None]
    return mean


def pivoted_cholesky(gram: Array) -> tuple[Array, npt.NDArray[np.intp]]:
    """Factor L with L L' = gram, of as few columns as rounding allows, and the order of its pivots.

    Returns
    -------
    factor : ndarray of shape (n_samples, rank)
        ``factor[pivots[:rank]]`` is lower triangular.
    pivots : ndarray of int of shape (n_samples,)
        Samples in the order of elimination.
    """
    n = len(gram)
    tolerance = n * np.finfo(float).eps * max(float(gram.diagonal().max()), np.finfo(float).tiny)
    packed, pivots, rank, _ = dpstrf(gram, tol=tolerance, lower=1)
    pivots = pivots - 1
    rank = max(int(rank), 1)
    factor = np.empty((n, rank))
    factor[pivots] = np.tril(packed[:, :rank])
    return factor, pivots


def expand_in_pivots(factor: Array, pivots: npt.NDArray[np.intp], weights: Array) -> Array:
    """Coefficients over the samples that give the same function as `weights` over the factor's columns.

    The pivots of a Cholesky factor are a basis of its rows.
    """
    pivots = pivots[: weights.size]
    coefficients = np.zeros(len(factor))
    if factor[pivots[0], 0] == 0:  # samples that are all the same: no function but zero
        return coefficients
    coefficients[pivots] = solve_triangular(factor[pivots], weights, lower=True, trans="T")
    return coefficients

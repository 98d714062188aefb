r"""A code book of visual words for histograms, by k-means with the histogram intersection kernel.

Histograms :math:`x` of counts are compared by :math:`k(x, z) = \sum_d \min(x_d, z_d)`. This kernel is the inner product
of unary codes, :math:`\phi(x)_{dt} = [x_d \ge t]` for :math:`t = 1, 2, \ldots`, so that k-means in its feature space,

.. math:: \min_{c, \mu} \sum_i \|\phi(x_i) - \mu_{c(i)}\|^2 ,

has explicit centres: :math:`\mu_{dt}` is the share of members with :math:`x_d \ge t`. A histogram meets a centre in

.. math:: \langle \phi(x), \mu \rangle = \sum_d T_{d, x_d}, \qquad T_{dv} = \sum_{t \le v} \mu_{dt} ,

one look-up in a table for each bin that is not empty (Wu and Rehg, "Beyond the Euclidean distance: creating effective
visual codebooks using the histogram intersection kernel", ICCV 2009, section 3). Of all words at once this is the
product of a sparse matrix, a one for each pair of a bin and its count, and the dense table of all words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

__all__ = ["IntersectionCodebook", "fit_intersection_codebook"]

Histograms = npt.NDArray[np.unsignedinteger[Any]]
Words = npt.NDArray[np.intp]

# Histograms that are compared at a time; with 256 bins, a block of counts takes a few megabytes.
_BLOCK = 4096


@dataclass(frozen=True, eq=False)
class IntersectionCodebook:
    """Centres in the feature space of the histogram intersection kernel.

    Parameters
    ----------
    table : ndarray of shape (n_bins, top + 1, n_words)
        Inner product of each count of each bin with each centre; `top` is the largest count seen. A larger count
        meets as much as `top`.
    squared_norms : ndarray of shape (n_words,)
        Squared norms of the centres.
    objective : ndarray of shape (n_iter,)
        Summed squared distances to the nearest centre, at each iteration; it never rises.
    converged : bool
        Whether the objective settled within the iterations allowed.
    """

    table: npt.NDArray[np.float64]
    squared_norms: npt.NDArray[np.float64]
    objective: npt.NDArray[np.float64]
    converged: bool

    @property
    def n_words(self) -> int:
        """Number of words."""
        return len(self.squared_norms)

    def assign(self, histograms: Histograms) -> Words:
        """Return the nearest word of each histogram, the first of equally near ones.

        Parameters
        ----------
        histograms : ndarray of unsigned integers of shape (n_histograms, n_bins)
            Counts.

        Returns
        -------
        ndarray of int of shape (n_histograms,)
            Numbers of words.
        """
        words = np.empty(len(histograms), dtype=np.intp)
        for start in range(0, len(histograms), _BLOCK):
            counts = _unary_places(histograms[start : start + _BLOCK], self.table.shape[1])
            words[start : start + _BLOCK] = self.compare(counts).argmin(axis=1)
        return words

    def compare(self, places: csr_matrix) -> npt.NDArray[np.float64]:
        """Return squared distances to the centres, less the squared norms of the histograms themselves.

        Parameters
        ----------
        places : sparse matrix of shape (n_histograms, n_bins * (top + 1))
            A one for each bin that is not empty, at the place of its count.

        Returns
        -------
        ndarray of shape (n_histograms, n_words)
            The distances.
        """
        return self.squared_norms - 2 * (places @ self.table.reshape(-1, self.n_words))


def fit_intersection_codebook(
    histograms: Histograms,
    n_words: int,
    *,
    tol: float,
    max_iter: int,
    random_state: np.random.RandomState,
) -> IntersectionCodebook:
    """Find words for histograms by Lloyd's iterations from a start by k-means++.

    A word that loses all its members becomes the histogram that is farthest from its own word.

    Parameters
    ----------
    histograms : ndarray of unsigned integers of shape (n_histograms, n_bins)
        Counts; at least `n_words` rows.
    n_words : int
        Number of words, at least 1.
    tol : float
        Stop where an iteration lowers the objective by less than this share of it, at least 0.
    max_iter : int
        Largest number of iterations, at least 1.
    random_state : RandomState
        Draws the start.

    Returns
    -------
    IntersectionCodebook
        The words.
    """
    top = int(histograms.max(initial=0))
    places = _unary_places(histograms, top + 1)
    norms = histograms.sum(axis=1, dtype=np.float64)
    start = _spread(histograms, n_words, random_state)
    codebook = _centres(places, start, np.arange(n_words), histograms.shape[1], n_words)
    objective: list[float] = []
    converged = False
    for _ in range(max_iter):
        distances = norms[:, None] + codebook.compare(places)
        words = distances.argmin(axis=1)
        objective.append(float(distances[np.arange(len(words)), words].sum()))
        converged = len(objective) > 1 and objective[-2] - objective[-1] <= tol * objective[-2]
        if converged:
            break
        _fill_empty(words, distances, n_words)
        codebook = _centres(places, np.arange(len(words)), words, histograms.shape[1], n_words)
    return IntersectionCodebook(codebook.table, codebook.squared_norms, np.array(objective), converged)


def _unary_places(histograms: Histograms, n_values: int) -> csr_matrix:
    """Return a sparse matrix with a one at place ``bin * n_values + count`` of each bin that is not empty."""
    rows, bins = np.nonzero(histograms)
    columns = bins * n_values + np.minimum(histograms[rows, bins], n_values - 1)
    ends = np.searchsorted(rows, np.arange(len(histograms) + 1))
    shape = (len(histograms), histograms.shape[1] * n_values)
    return csr_matrix((np.ones(len(rows)), columns, ends), shape=shape)


def _centres(
    places: csr_matrix, rows: npt.NDArray[np.intp], words: Words, n_bins: int, n_words: int
) -> IntersectionCodebook:
    """Return the centres of some rows that are assigned to words, each word having at least one."""
    members = csr_matrix((np.ones(len(rows)), (words, rows)), shape=(n_words, places.shape[0]))
    sizes = np.bincount(words, minlength=n_words)
    exactly = (members @ places).toarray().T.reshape(n_bins, -1, n_words) / sizes
    # Empty bins have no entry in `places`; their count of 0 adds nothing to any inner product.
    at_least = exactly[:, :0:-1].cumsum(axis=1)[:, ::-1]
    table = np.zeros(exactly.shape)
    np.cumsum(at_least, axis=1, out=table[:, 1:])
    squared_norms = np.einsum("dtk,dtk->k", at_least, at_least)
    return IntersectionCodebook(table, squared_norms, np.empty(0), False)


def _fill_empty(words: Words, distances: npt.NDArray[np.float64], n_words: int) -> None:
    """Give each word without a member the histogram that is farthest from its own word, in place."""
    empty = np.setdiff1d(np.arange(n_words), words)
    if empty.size == 0:
        return
    sizes = np.bincount(words, minlength=n_words)
    own = distances[np.arange(len(words)), words]
    for row in np.argsort(-own, kind="stable"):
        if empty.size == 0:
            break
        if sizes[words[row]] > 1:
            sizes[words[row]] -= 1
            words[row], empty = empty[0], empty[1:]


def _spread(histograms: Histograms, n_words: int, random_state: np.random.RandomState) -> Words:
    """Return different rows, each drawn in proportion to its squared distance to those drawn before (k-means++)."""
    norms = histograms.sum(axis=1, dtype=np.float64)
    nearest = np.full(len(histograms), np.inf)
    chosen = [int(random_state.randint(len(histograms)))]
    free = np.ones(len(histograms), dtype=bool)
    while len(chosen) < n_words:
        last = chosen[-1]
        free[last] = False
        shared = np.empty(len(histograms))
        for start in range(0, len(histograms), _BLOCK):
            block = histograms[start : start + _BLOCK]
            shared[start : start + _BLOCK] = np.minimum(block, histograms[last]).sum(axis=1, dtype=np.float64)
        np.minimum(nearest, norms + norms[last] - 2 * shared, out=nearest)
        weights = np.where(free, nearest, 0.0)
        if not weights.any():
            weights = free.astype(np.float64)
        chosen.append(int(random_state.choice(len(histograms), p=weights / weights.sum())))
    return np.array(chosen)

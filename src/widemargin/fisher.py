r"""Fisher vectors: a set of vectors as the gradient of its likelihood under a mixture of Gaussians.

A mixture of K Gaussians with diagonal covariances has weights :math:`w_k`, means :math:`\mu_k` and deviations
:math:`\sigma_k`, each of D numbers. With :math:`\gamma_t(k)` the posterior of component k for the vector :math:`x_t`,
a set of N vectors becomes the 2KD numbers

.. math::

    \mathcal{G}_{\mu, k} = \frac{1}{N \sqrt{w_k}} \sum_{t=1}^N \gamma_t(k) \frac{x_t - \mu_k}{\sigma_k}, \qquad
    \mathcal{G}_{\sigma, k} = \frac{1}{N \sqrt{2 w_k}} \sum_{t=1}^N \gamma_t(k)
        \Bigl[ \frac{(x_t - \mu_k)^2}{\sigma_k^2} - 1 \Bigr]:

the gradients of the mean log-likelihood with respect to the means and deviations, times
:math:`\sigma_k / \sqrt{w_k}` and :math:`\sigma_k / \sqrt{2 w_k}`, the inverse square root of the approximate Fisher
information (Perronnin, Sanchez and Mensink, "Improving the Fisher kernel for large-scale image classification", ECCV
2010, sections 2 and 3). The gradients with respect to the weights are left out, as there: they add little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp
from sklearn.mixture import GaussianMixture

from widemargin.validation import check_features_finite, check_integer

__all__ = ["DiagonalMixture", "fisher_vectors", "fit_mixture"]

Array = npt.NDArray[np.float64]

# Numbers in the largest temporary array: 32 megabytes.
_BLOCK_SIZE = 2**22


@dataclass(frozen=True, eq=False)
class DiagonalMixture:
    """A mixture of Gaussians with diagonal covariances.

    Parameters
    ----------
    weights : ndarray of shape (n_components,)
        Share of each component, positive, with sum 1.
    means : ndarray of shape (n_components, n_dimensions)
        Their means.
    deviations : ndarray of shape (n_components, n_dimensions)
        Their standard deviations, positive.

    Raises
    ------
    ValueError
        If the shapes do not agree, a number is not finite, a weight or deviation is not positive, or the weights do
        not sum to 1.
    """

    weights: Array
    means: Array
    deviations: Array

    def __post_init__(self) -> None:
        if (
            self.means.ndim != 2
            or self.deviations.shape != self.means.shape
            or self.weights.shape != self.means.shape[:1]
            or self.means.size == 0
        ):
            raise ValueError(
                f"weights, means and deviations have shapes {self.weights.shape}, {self.means.shape} and "
                f"{self.deviations.shape}, expected (n_components,) and twice (n_components, n_dimensions): pass the "
                "arrays of one mixture."
            )
        for name in ("weights", "means", "deviations"):
            check_features_finite(name, getattr(self, name))
        if min(self.weights.min(), self.deviations.min()) <= 0 or abs(self.weights.sum() - 1) > 1e-6:
            raise ValueError(
                "weights and deviations must be positive, and the weights sum to 1: leave out components without "
                "weight, and divide by the sum."
            )

    @property
    def n_features_out(self) -> int:
        """Length of a Fisher vector, 2 * n_components * n_dimensions."""
        return 2 * self.means.size

    def posteriors(self, rows: Array) -> Array:
        """Return the probability of each component for each vector.

        Parameters
        ----------
        rows : ndarray of shape (n_rows, n_dimensions)
            Vectors.

        Returns
        -------
        ndarray of shape (n_rows, n_components)
            Probabilities that sum to 1 in each row.
        """
        centre = self.weights @ self.means
        rows, means = rows - centre, self.means - centre
        precisions = self.deviations**-2
        constants = (
            np.log(self.weights)
            - np.log(self.deviations).sum(axis=1)
            - (means**2 * precisions).sum(axis=1) / 2
        )
        joint = rows @ (means * precisions).T - (rows**2 @ precisions.T) / 2 + constants
        posteriors: Array = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
        return posteriors


def fit_mixture(
    rows: npt.ArrayLike, n_components: int, *, random_state: int | np.random.RandomState | None = None
) -> DiagonalMixture:
    """Fit a mixture by expectation maximisation from a start by k-means.

    Parameters
    ----------
    rows : array-like of shape (n_rows, n_dimensions)
        Vectors, at least `n_components`.
    n_components : int
        Number of Gaussians, at least 1.
    random_state : int, RandomState instance or None, default=None
        Draws the start.

    Returns
    -------
    DiagonalMixture
        The mixture.

    Raises
    ------
    ValueError
        If there are fewer rows than components, or a value is not finite.

    Warns
    -----
    ConvergenceWarning
        If the likelihood has not settled within 200 iterations.
    """
    check_integer("n_components", n_components, at_least=1)
    samples = np.asarray(rows, dtype=np.float64)
    if samples.ndim != 2 or len(samples) < n_components:
        raise ValueError(
            f"A mixture of {n_components} components cannot be fitted to rows of shape {samples.shape}: pass at least "
            "as many rows as components, or lower n_components."
        )
    check_features_finite("rows", samples)
    # Without a floor, a component of equal vectors would have no width. It is small against the spread of the data.
    floor = max(1e-6 * float(samples.var(axis=0).mean()), 1e-12)
    mixture = GaussianMixture(
        n_components, covariance_type="diag", reg_covar=floor, max_iter=200, random_state=random_state
    ).fit(samples)
    return DiagonalMixture(mixture.weights_, mixture.means_, np.sqrt(mixture.covariances_))


def fisher_vectors(
    sets: Iterable[npt.ArrayLike], mixture: DiagonalMixture, *, power: bool = False, normalize: bool = False
) -> Array:
    """Return the Fisher vector of each of several sets of vectors.

    The vectors are worked on in blocks, so that what is needed in memory beside `sets` and the result is bounded.

    Parameters
    ----------
    sets : iterable of array-like of shape (n_vectors, n_dimensions)
        The sets, of any sizes; iterated once. An empty one may have any shape.
    mixture : DiagonalMixture
        The mixture.
    power : bool, default=False
        Whether each value is replaced by its square root, with its sign.
    normalize : bool, default=False
        Whether each vector is divided by its Euclidean length, after the square root.

    Returns
    -------
    ndarray of shape (n_sets, 2 * n_components * n_dimensions)
        For each set the gradients for the means of the components one after the other, then those for their
        deviations. Zeros for an empty set.

    Raises
    ------
    ValueError
        If a set is no matrix with n_dimensions columns, or a value is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.fisher import DiagonalMixture, fisher_vectors
    >>> mixture = DiagonalMixture(np.array([1.0]), np.array([[0.0]]), np.array([[2.0]]))
    >>> fisher_vectors([[[2.0], [4.0]], []], mixture).round(3).tolist()
    [[1.5, 1.061], [0.0, 0.0]]
    """
    vectors = [np.empty((0, mixture.n_features_out))]
    vectors += [_gradients(batch, mixture) for batch in _batches(sets, mixture)]
    result = np.concatenate(vectors)
    if power:
        result = np.copysign(np.sqrt(np.abs(result)), result)
    if normalize:
        lengths = np.linalg.norm(result, axis=1, keepdims=True)
        result /= np.where(lengths > 0, lengths, 1.0)
    return result


def _n_rows(mixture: DiagonalMixture) -> int:
    """Return how many vectors are worked on at a time."""
    return max(1, _BLOCK_SIZE // max(mixture.means.shape))


def _batches(sets: Iterable[npt.ArrayLike], mixture: DiagonalMixture) -> Iterator[list[npt.NDArray[Any]]]:
    """Bring small sets together until they fill a block; a larger set is a batch of its own."""
    n_dimensions = mixture.means.shape[1]
    batch: list[npt.NDArray[Any]] = []
    size = 0
    for k, one in enumerate(sets):
        rows = np.asarray(one)
        if not rows.size:
            rows = np.empty((0, n_dimensions))
        if rows.ndim != 2 or rows.shape[1] != n_dimensions or rows.dtype.kind not in "biuf":
            raise ValueError(
                f"sets[{k}] is an array of {rows.dtype} of shape {rows.shape}, expected numbers of shape (n_vectors, "
                f"{n_dimensions}), since the mixture has {n_dimensions} dimensions: pass one row a vector."
            )
        if batch and size + len(rows) > _n_rows(mixture):
            yield batch
            batch, size = [], 0
        batch.append(rows)
        size += len(rows)
    if batch:
        yield batch


def _gradients(batch: list[npt.NDArray[Any]], mixture: DiagonalMixture) -> Array:
    """Return the Fisher vectors of some sets, from their sums of posteriors, vectors and squares."""
    n_components, n_dimensions = mixture.means.shape
    # Sums about the centre of the mixture: about the origin, far means would take digits from the squares.
    centre = mixture.weights @ mixture.means
    means = mixture.means - centre
    zeroth = np.zeros((len(batch), n_components, 1))
    first = np.zeros((len(batch), n_components, n_dimensions))
    second = np.zeros_like(first)
    rows = batch[0] if len(batch) == 1 else np.concatenate(batch)
    ends = np.cumsum([len(one) for one in batch])
    for start in range(0, len(rows), _n_rows(mixture)):
        block = rows[start : start + _n_rows(mixture)].astype(np.float64)
        check_features_finite("sets", block)
        posteriors = mixture.posteriors(block)
        block -= centre
        squares = block**2
        cuts = np.clip(ends - start, 0, len(block))
        for k, (low, high) in enumerate(zip([0, *cuts[:-1]], cuts, strict=True)):
            share = posteriors[low:high].T
            zeroth[k, :, 0] += share.sum(axis=1)
            first[k] += share @ block[low:high]
            second[k] += share @ squares[low:high]
    sizes = np.maximum(np.diff(ends, prepend=0), 1)[:, None, None]
    scale = 1 / (sizes * np.sqrt(mixture.weights)[:, None])
    for_means = scale * (first - zeroth * means) / mixture.deviations
    spread = second - 2 * means * first + means**2 * zeroth
    for_deviations = scale / np.sqrt(2) * (spread / mixture.deviations**2 - zeroth)
    return np.concatenate([for_means, for_deviations], axis=1).reshape(len(batch), -1)

r"""Coordinates in the span of the videos' shots, for fewer videos than features.

With the norms of the shots penalised and an l2 penalty, steps from zero never leave the span of the shots at each
position, and penalties depend on the norms alone. In an orthonormal basis of each span the problem is the same one
with at most as many features as there are videos: the coordinates of the shots are the Cholesky factors of their Gram
matrices, :math:`\tilde V_j \tilde V_j^\top = F_j F_j^\top`. They cost one matrix product a position once; a step then
reads n^2 m numbers rather than n m d, for any penalty and any choice of the alphas.

Coefficients of the videos themselves would do without the factors, but what they have in the null space of a Gram
matrix grows from step to step, and its rounding with it: on shots of low rank half of the objective was wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular
from scipy.linalg.lapack import dpstrf

from widemargin import _native
from widemargin.proximal import ShotPenalty
from widemargin.solvers.shot_space import ShotData

__all__ = ["ShotSpan", "spans_solution"]

Array = npt.NDArray[np.float64]

_EPS = float(np.finfo(float).eps)


def spans_solution(penalty: ShotPenalty) -> bool:
    """Return whether steps with this penalty keep each shot's weights in the span of the videos' shots."""
    return penalty.norm == 2 and penalty.penalty == "l2" and not penalty.nonnegative


@dataclass(frozen=True)
class ShotSpan:
    """Orthonormal bases of the shots at each position, and the videos in them.

    Parameters
    ----------
    data : ShotData
        The videos, with one score each.
    coordinates : ShotData
        The videos of positive weight less `origin` in the bases, zero for others; as many features as the largest of
        the spans has dimensions, at least 1.
    bases : tuple of (ndarray of int, ndarray)
        Videos whose shots span a position, and the triangular matrix that these shots are of the basis.
    origin : ndarray of shape (n_shots, n_features)
        What is subtracted first: with an intercept, which makes up for it, the weighted mean, since products of numbers
        far from zero have few digits left for their differences; otherwise zero.
    """

    data: ShotData
    coordinates: ShotData
    bases: tuple[tuple[npt.NDArray[np.intp], Array], ...]
    origin: Array

    @classmethod
    def of(cls, data: ShotData) -> ShotSpan:
        """Compute the bases; a copy of one position's shots is made at a time."""
        n_videos, n_shots, _ = data.X.shape
        # Videos of weight zero have no say in the solution, and their size none in what is rounding.
        present = np.flatnonzero(data.weight)
        origin = data.mean[0]
        coordinates = np.zeros((n_videos, n_shots, n_videos))
        bases = []
        for position in range(n_shots):
            shots = data.shots_at(position)[present] - origin[position]
            pivots, factor = _pivoted_cholesky(shots @ shots.T, float(origin[position] @ origin[position]))
            rows, rank = present[pivots], factor.shape[1]
            coordinates[rows, position, :rank] = factor
            bases.append((rows[:rank], factor[:rank]))
        n_dimensions = max(1, *(rows.size for rows, _ in bases))
        reduced = np.ascontiguousarray(coordinates[:, :, :n_dimensions])
        return cls(data, ShotData(reduced, None, 1, data.weight, data.fit_intercept), tuple(bases), origin)

    def function(self, coordinates: Array, intercept: Array) -> tuple[Array, Array]:
        """Return weights and intercept, for the videos as they are, of those for `coordinates`.

        Parameters
        ----------
        coordinates : ndarray of shape (1, n_shots, n_dimensions)
            Weights in the bases.
        intercept : ndarray of shape (1,)
            Intercept for the videos in the bases.

        Returns
        -------
        weights : ndarray of shape (1, n_shots, n_features)
            The same weights.
        intercept : ndarray of shape (1,)
            The intercept that gives the same scores.
        """
        weights = np.zeros(self.data.shape)
        for position, (rows, factor) in enumerate(self.bases):
            along = coordinates[0, position, : rows.size]
            if not rows.size:
                # All shots are the same: only the norm of these weights counts, and any direction does.
                weights[0, position, 0] = coordinates[0, position, 0]
                continue
            given = np.zeros((self.data.X.shape[0], 1))
            given[rows, 0] = solve_triangular(factor.T, along)
            shots = self.data.shots_at(position)
            _native.shot_combination(shots[:, None], None, given, weights[:, position : position + 1])
            weights[0, position] -= given.sum() * self.origin[position]
        return weights, intercept - np.einsum("jk,ejk->e", self.origin, weights)


def _pivoted_cholesky(gram: Array, size: float) -> tuple[npt.NDArray[np.intp], Array]:
    """Return an order of the rows and the factor of the reordered matrix, with as many columns as its rank.

    Parameters
    ----------
    gram : ndarray of shape (n, n)
        Positive semidefinite; what is left of shots less their mean.
    size : float
        Squared norm of this mean, to tell what is left of equal shots, which is rounding.
    """
    largest = float(np.einsum("ii->i", gram).max())
    tolerance = max(len(gram) * _EPS * largest, _EPS * _EPS * size * len(gram))
    if largest <= tolerance:
        return np.arange(len(gram)), np.zeros((len(gram), 0))
    factor, pivots, rank, _ = dpstrf(gram, tol=tolerance, lower=1)
    return pivots.astype(np.intp) - 1, np.tril(factor)[:, :rank]

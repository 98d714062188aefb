r"""The linear ranking SVM over chosen pairs of a positive and a negative, with a margin for every pair.

.. math::
    \min_w \; \tfrac12 \|w\|^2 + \sum_{(i, j)} C_{ij} \max(0, \rho_{ij} - \langle w, x_i - x_j \rangle)

Memory and time of an iteration are one number a pair plus products with the features: the differences
x_i - x_j are never formed.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin.solvers.interior_point import Certificate, solve_interior_point
from widemargin.solvers.result import SolverResult
from widemargin.solvers.rows import PairRows
from widemargin.solvers.space import Space

__all__ = ["solve_ranking_svm"]

Vector = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


def solve_ranking_svm(
    space: Space,
    positive: Indices,
    negative: Indices,
    pairs: tuple[Indices, Indices],
    margins: Vector,
    C: Vector,
    *,
    tol: float = 1e-6,
    max_iter: int = -1,
) -> SolverResult:
    """Solve the ranking SVM to a certified relative gap.

    Parameters
    ----------
    space : Space
        The samples.
    positive, negative : ndarray of int
        Rows of the two sides.
    pairs : tuple of two ndarrays of int of shape (n_pairs,)
        Positions in `positive` and in `negative` of the pairs to separate, n_pairs >= 1.
    margins, C : ndarray of shape (n_pairs,)
        Margin rho_ij > 0 and weight C_ij > 0 of each pair.
    tol : float, default=1e-6
        Relative gap to reach.
    max_iter : int, default=-1
        Limit on the iterations of the interior point; -1 for its default.

    Returns
    -------
    SolverResult
        solution: ``outputs``, and w as ``weights`` over ``space.features`` and, for a Gram matrix, as ``expansion``
        over the samples; dual: ``alpha`` (n_pairs,).
    """
    features = space.features
    rows = PairRows(features[positive], features[negative], *pairs)

    def certify(u: Vector, z: Vector) -> Certificate:
        alpha = np.minimum(z, C)
        dual_weights = rows.transpose_dot(alpha)
        loss = float(C @ np.maximum(0.0, margins - rows.dot(u)))
        return Certificate(
            0.5 * float(u @ u) + loss,
            float(margins @ alpha) - 0.5 * float(dual_weights @ dual_weights),
            (u.copy(), alpha),
        )

    n_features = features.shape[1]
    state = solve_interior_point(
        rows,
        np.ones(n_features),
        np.zeros(n_features),
        margins,
        C,
        certify,
        tol=tol,
        max_iter=max_iter
        if max_iter > 0
        else 300,  # many pairs block many steps: 57 at 55,000, 55 at 215,000
    )
    best = state.certificate
    weights, alpha = best.point
    return SolverResult(
        {
            "outputs": features @ weights,
            "intercept": 0.0,
            "weights": weights,
            "expansion": None if space.is_explicit else space.expansion(weights),
        },
        {"alpha": alpha},
        best.objective,
        best.dual_objective,
        best.gap,
        state.n_iter,
        state.converged,
        "interior_point",
        state.history,
    )

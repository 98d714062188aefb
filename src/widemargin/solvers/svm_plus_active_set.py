r"""SVM+ from a guess of the constraints that are active at its solution.

If the active margins A and the active slack signs B were known, the solution would be that of one linear system,

.. math::
    \begin{pmatrix} Q_{AA} + R_{AA} & R_{AB} \\ R_{BA} & R_{BB} \end{pmatrix}
    \begin{pmatrix} \alpha_A \\ \beta_B \end{pmatrix}
    + b \begin{pmatrix} y_A \\ 0 \end{pmatrix} + b^* 1
    = \begin{pmatrix} 1 + (R C)_A \\ (R C)_B \end{pmatrix}, \qquad
    y_A^\top \alpha_A = 0, \quad 1^\top \alpha_A + 1^\top \beta_B = 1^\top C,

with :math:`Q = (y y^\top) \circ K` and :math:`R = K^* / \gamma`. A solution with negative multipliers or violated
constraints says which to drop and which to add: the primal-dual active set method [1]_, a Newton method that takes two
to five systems from the solution of a neighbouring penalty, where an interior point takes seven to ten larger ones
from anywhere. It need not converge, so what it returns is certified, or nothing.

.. [1] M. Hintermüller, K. Ito, K. Kunisch, "The primal-dual active set strategy as a semismooth Newton method", SIAM
   Journal on Optimization 13 (2002) 865-888.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.linalg.lapack import dpotrf, dpotrs

from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space
from widemargin.solvers.svm_plus_certificate import feasible_dual, result_of_dual

__all__ = ["active_rows", "solve_on_active_rows"]

Vector = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

# Of the attempts on the paper's grid that succeed, nine of ten need at most seven systems. The others change ever fewer
# rows; those that fail do not, and giving up when two systems in a row made no progress saves half of their systems for
# one success in fifty.
_MOST_SYSTEMS = 12
_MOST_WITHOUT_PROGRESS = 2


def active_rows(result: SolverResult, y: Vector, C: Vector) -> tuple[Mask, Mask]:
    """Tell active from inactive constraints: the multiplier, in units of C, is larger than the distance.

    Parameters
    ----------
    result : SolverResult
        Solution of SVM+ in which every sample has privileged features.
    y, C : ndarray of shape (n_samples,)
        Labels and weights.

    Returns
    -------
    margins, slacks : ndarray of bool of shape (n_samples,)
        Active margins and active signs of slacks.
    """
    alpha, delta = result.dual["alpha"], result.dual["delta"]
    slacks = result.solution["slacks"] + result.solution["privileged_intercept"]
    margins = y * (result.solution["outputs"] + result.solution["intercept"]) + slacks - 1.0
    return alpha > C * np.maximum(margins, 0.0), delta + C - alpha > C * np.maximum(slacks, 0.0)


def solve_on_active_rows(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    gamma: float,
    rows: tuple[Mask, Mask],
    tol: float,
) -> SolverResult | None:
    """Solve SVM+ to a certified relative gap from a guess of its active constraints.

    Parameters
    ----------
    space, privileged : Space
        The samples in both spaces, all with privileged features.
    y, C : ndarray of shape (n_samples,)
        Labels and weights.
    gamma : float
        Weight of the slack function's norm.
    rows : tuple of two ndarrays of bool of shape (n_samples,)
        The guess, as of `active_rows`.
    tol : float
        Relative gap to reach.

    Returns
    -------
    SolverResult or None
        The solution; None if the guess did not lead to it.
    """
    most_rows = space.dimension + privileged.dimension + 2
    shift = privileged.values(C) / gamma
    margins, slacks = rows
    fewest, without_progress = 2 * y.size + 1, 0
    for n_iter in range(1, _MOST_SYSTEMS + 1):
        a, b = np.flatnonzero(margins), np.flatnonzero(slacks)
        if a.size + b.size > most_rows:
            return None
        solved = _solve_system(space, privileged, y, C, gamma, shift, a, b)
        if solved is None:
            return None
        alpha, beta, intercept, slack_intercept = solved
        values = privileged.values(alpha + beta - C) / gamma + slack_intercept
        distances = y * (space.values(alpha * y) + intercept) + values - 1.0
        kept, kept_slacks = alpha > 0, beta > 0
        # What is on the row already has no distance but rounding; what is not has no multiplier.
        next_margins = np.where(margins, kept, distances < -tol)
        next_slacks = np.where(slacks, kept_slacks, values < -tol)
        if (kept & (y > 0)).any() and (kept & (y < 0)).any():
            dual = feasible_dual(np.maximum(alpha, 0.0), np.maximum(beta, 0.0), y, C)
            result = result_of_dual(
                space, privileged, y, C, gamma, dual, tol, n_iter=n_iter, solver="active_set"
            )
            if result.converged:
                return result
        n_changes = int((next_margins != margins).sum() + (next_slacks != slacks).sum())
        without_progress = 0 if n_changes < fewest else without_progress + 1
        if n_changes == 0 or without_progress == _MOST_WITHOUT_PROGRESS:
            return None
        fewest = min(fewest, n_changes)
        margins, slacks = next_margins, next_slacks
    return None


def _solve_system(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    gamma: float,
    shift: Vector,
    a: npt.NDArray[np.intp],
    b: npt.NDArray[np.intp],
) -> tuple[Vector, Vector, float, float] | None:
    """Multipliers of all samples and both intercepts if exactly these rows are active; None if they are dependent."""
    both = np.concatenate([a, b])
    if not a.size:
        return None
    matrix = privileged.block(both, both) / gamma
    matrix[: a.size, : a.size] += space.block(a, a) * np.outer(y[a], y[a])
    labels = np.zeros(both.size)
    labels[: a.size] = y[a]
    total = float(C.sum())
    # The equations labels'v = 0 and 1'v = total, weighted and added to the others: at a vertex, where as many rows are
    # active as there are variables, the matrix without them is singular.
    weight = float(np.trace(matrix)) / both.size
    matrix += weight * (np.outer(labels, labels) + 1.0)
    # Semi-definite up to rounding; a shift of that size costs no digit of the certificate.
    np.einsum("ii->i", matrix)[:] *= 1.0 + 1e-13
    factor, info = dpotrf(matrix, lower=1, clean=0)
    if info:
        return None
    right = shift[both] + weight * total
    right[: a.size] += 1.0
    columns = np.column_stack([right, labels, np.ones(both.size)])
    solved, _ = dpotrs(factor, columns, lower=1)
    schur = columns[:, 1:].T @ solved
    schur[1, 0] -= total
    # schur = E' M^-1 [rhs, E]: two equations for the two intercepts
    determinant = schur[0, 1] * schur[1, 2] - schur[0, 2] * schur[1, 1]
    if not determinant > 0:
        return None
    intercept = (schur[0, 0] * schur[1, 2] - schur[0, 2] * schur[1, 0]) / determinant
    slack_intercept = (schur[0, 1] * schur[1, 0] - schur[0, 0] * schur[1, 1]) / determinant
    multipliers = solved[:, 0] - intercept * solved[:, 1] - slack_intercept * solved[:, 2]
    alpha, beta = np.zeros_like(y), np.zeros_like(y)
    alpha[a], beta[b] = multipliers[: a.size], multipliers[a.size :]
    return alpha, beta, float(intercept), float(slack_intercept)

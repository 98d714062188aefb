"""Certificates of SVM+ from its dual: any multipliers give a primal and a dual point that are feasible."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin.solvers.intercepts import slack_intercepts
from widemargin.solvers.result import SolverResult, certified_gap
from widemargin.solvers.space import Space
from widemargin.solvers.svm import balance

__all__ = ["feasible_dual", "result_of_dual"]

Vector = npt.NDArray[np.float64]


def feasible_dual(alpha: Vector, beta: Vector, y: Vector, C: Vector) -> tuple[Vector, Vector]:
    """Meet the dual constraints of SVM+ by scaling non-negative multipliers.

    Parameters
    ----------
    alpha : ndarray of shape (n_samples,)
        Multipliers >= 0 of the margins.
    beta : ndarray of shape (n_privileged,)
        Multipliers >= 0 of the slacks' signs, for the first samples; the others have an ordinary slack. May be zero
        only if there are no others.
    y, C : ndarray of shape (n_samples,)
        Labels -1 or 1, and weights > 0.

    Returns
    -------
    alpha : ndarray of shape (n_samples,)
        Multipliers with y' alpha = 0, at most C where the slack is ordinary.
    delta : ndarray of shape (n_privileged,)
        alpha + beta - C of the first samples, with sum zero and beta >= 0.
    """
    n = beta.size
    alpha = balance(np.concatenate([alpha[:n], np.minimum(alpha[n:], C[n:])]), y)
    total, used, rest = C[:n].sum(), alpha[:n].sum(), beta.sum()
    if used > total or rest == 0.0:
        alpha = alpha * (total / used)
        return alpha, alpha[:n] - C[:n]
    return alpha, alpha[:n] + beta * ((total - used) / rest) - C[:n]


def result_of_dual(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    gamma: float,
    dual: tuple[Vector, Vector],
    tol: float,
    *,
    n_iter: int,
    solver: str,
) -> SolverResult:
    """Take the weights that belong to dual multipliers, the best intercepts for them, and measure the gap.

    Parameters
    ----------
    space, privileged : Space
        The samples in both spaces, all with privileged features.
    y, C : ndarray of shape (n_samples,)
        Labels and weights.
    gamma : float
        Weight of the slack function's norm.
    dual : tuple of two ndarrays of shape (n_samples,)
        Feasible (alpha, delta).
    tol : float
        Relative gap that makes the result converged.
    n_iter : int
        Iterations to report.
    solver : str
        Name of the algorithm to report.

    Returns
    -------
    SolverResult
        As of `solve_svm_plus`, with expansions in place of weights.
    """
    alpha, delta = dual
    expansion, slack_expansion = alpha * y, delta / gamma
    outputs, slacks = space.values(expansion), privileged.values(slack_expansion)
    b, b_star, loss = slack_intercepts(outputs, slacks, y, C)
    norms = float(expansion @ outputs) + gamma * float(slack_expansion @ slacks)
    objective = 0.5 * norms + loss
    dual_objective = float(alpha.sum()) - 0.5 * norms
    gap = certified_gap(objective, dual_objective)
    return SolverResult(
        {
            "outputs": outputs,
            "intercept": b,
            "slacks": slacks,
            "privileged_intercept": b_star,
            "weights": None,
            "expansion": expansion,
            "privileged_weights": None,
            "privileged_expansion": slack_expansion,
        },
        {"alpha": alpha, "delta": delta},
        objective,
        dual_objective,
        gap,
        n_iter,
        gap <= tol * abs(objective),
        solver,
    )

r"""SVM+ with the hinge loss and exact, unpenalised intercepts.

.. math::
    \min \; \tfrac12 \|w\|^2 + \tfrac\gamma2 \|w^*\|^2 + \sum_i C_i \xi_i
    \quad\text{s.t.}\quad \xi_i = \langle w^*, x^*_i \rangle + b^* \ge 0,\;
    y_i (\langle w, x_i \rangle + b) \ge 1 - \xi_i

and its dual, with :math:`\delta = \alpha + \beta - C`,

.. math::
    \max_{\alpha, \beta \ge 0} \; 1^\top \alpha - \tfrac12 (\alpha \circ y)^\top K (\alpha \circ y)
    - \tfrac1{2\gamma} \delta^\top K^* \delta
    \quad\text{s.t.}\quad y^\top \alpha = 0,\; 1^\top \delta = 0.

Samples without privileged features have an ordinary slack: 0 <= alpha_i <= C_i and delta_i = 0. They come last.
The symbols are the paper's [1]_, equation (2), with weights C_i.

.. [1] V. Sharmanska, N. Quadrianto, C. H. Lampert, "Learning to transfer privileged information", 2014.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.blas import blas_threads
from widemargin.solvers.collapse import resolve_collapse, without_vanished_weights
from widemargin.solvers.intercepts import slack_intercepts
from widemargin.solvers.interior_point import Certificate, InteriorPointState, solve_interior_point
from widemargin.solvers.result import SolverResult, best_of, certified_gap
from widemargin.solvers.rows import KernelSlackRows, SlackRows
from widemargin.solvers.space import Space
from widemargin.solvers.svm import smo_budget
from widemargin.solvers.svm_plus_certificate import feasible_dual

__all__ = ["solve_svm_plus"]

Vector = npt.NDArray[np.float64]


def solve_svm_plus(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    privileged_alpha: float,
    *,
    solver: str = "auto",
    tol: float = 1e-6,
    max_iter: int = -1,
    start: tuple[Vector, Vector] | None = None,
    polish: bool = True,
) -> SolverResult:
    """Solve SVM+ with the hinge loss to a certified relative gap.

    Parameters
    ----------
    space : Space
        All samples, centred or not.
    privileged : Space
        Privileged features of the first ``privileged.n_samples >= 1`` samples; the others have an ordinary
        slack.
    y, C : ndarray of shape (n_samples,)
        Labels -1 or 1, both present, and weights C_i > 0.
    privileged_alpha : float
        The paper's gamma, > 0.
    solver : {"auto", "interior_point", "smo"}, default="auto"
        "auto" takes the interior point if the two spaces have fewer dimensions than there are samples or some
        privileged features are missing, else coordinate steps and, should they stall, the interior point after
        them.
    tol : float, default=1e-6
        Relative gap to reach.
    max_iter : int, default=-1
        Limit on the solver's own iterations; -1 for its default.
    start : tuple of two ndarrays, optional
        Feasible (alpha, beta) to start the coordinate steps from.
    polish : bool, default=True
        Whether the interior point goes on for further digits once `tol` is reached.

    Returns
    -------
    SolverResult
        solution: ``outputs``, ``intercept``, ``slacks`` (without b*), ``privileged_intercept``, and w and w* as
        ``weights`` and ``privileged_weights`` over the spaces' features or, where those are None, as
        ``expansion`` and ``privileged_expansion`` over the samples; dual: ``alpha`` (n_samples,), ``delta``
        (n_privileged,). If the optimum is w = 0, the weights are exactly zero and ``collapsed`` is True.

    Raises
    ------
    ValueError
        If solver is "smo" and some samples have no privileged features.
    """
    partial = privileged.n_samples < y.size
    if solver == "smo" and partial:
        raise ValueError(
            "solver='smo' needs privileged features for every sample, but "
            f"{y.size - privileged.n_samples} of {y.size} samples have none: use solver='auto' or "
            "solver='interior_point'."
        )
    with blas_threads(y.size * (space.dimension + privileged.dimension) ** 2):
        result = _solve(space, privileged, y, C, privileged_alpha, solver, tol, max_iter, start, polish)
        result = resolve_collapse(
            result,
            float(C.sum()),
            tol,
            lambda deep: _interior_point(space, privileged, y, C, privileged_alpha, deep, max_iter, True),
        )
        return without_vanished_weights(result, space, y)


def _solve(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    privileged_alpha: float,
    solver: str,
    tol: float,
    max_iter: int,
    start: tuple[Vector, Vector] | None,
    polish: bool,
) -> SolverResult:
    partial = privileged.n_samples < y.size
    small = space.dimension + privileged.dimension < y.size
    if solver == "interior_point" or (solver == "auto" and (small or partial)):
        return _interior_point(space, privileged, y, C, privileged_alpha, tol, max_iter, polish)
    budget = max_iter if max_iter > 0 else smo_budget(y.size) * (1 if solver == "auto" else 25)
    result = _smo(space, privileged, y, C, privileged_alpha, tol, budget, start)
    if solver == "smo" or result.converged:
        return result
    second = _interior_point(space, privileged, y, C, privileged_alpha, tol, max_iter, polish)
    return best_of(result, second, tol)


def _smo(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    privileged_alpha: float,
    tol: float,
    max_iter: int,
    start: tuple[Vector, Vector] | None,
) -> SolverResult:
    alpha, beta = (np.zeros_like(y), C.copy()) if start is None else (start[0].copy(), start[1].copy())
    outputs, slacks, objective, dual_objective, b, b_star, n_iter, converged = _native.smo_svm_plus(
        space.gram, privileged.gram, y, C, privileged_alpha, tol, max_iter, alpha, beta
    )
    return SolverResult(
        {
            "outputs": outputs,
            "intercept": b,
            "slacks": slacks,
            "privileged_intercept": b_star,
            "weights": None,
            "expansion": alpha * y,
            "privileged_weights": None,
            "privileged_expansion": (alpha + beta - C) / privileged_alpha,
        },
        {"alpha": alpha, "delta": alpha + beta - C},
        objective,
        dual_objective,
        certified_gap(objective, dual_objective),
        max(1, n_iter),
        converged,
        "smo",
    )


def _interior_point(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    privileged_alpha: float,
    tol: float,
    max_iter: int,
    polish: bool,
) -> SolverResult:
    n = privileged.n_samples
    # Dividing by sqrt(gamma) gives both weight vectors unit curvature.
    root = np.sqrt(privileged_alpha)
    slack_rows = np.column_stack([privileged.features, np.full(n, root)])
    slack_rows /= root
    slack_features = slack_rows[:, :-1]
    rows: SlackRows | KernelSlackRows
    if space.is_explicit:
        rows = SlackRows(np.column_stack([y[:, None] * space.features, y]), slack_rows)
    else:
        rows = KernelSlackRows(space.gram, y, slack_rows)
    q = slack_rows.shape[1]
    p = rows.shape[1] - q
    curvature = np.ones(p + q)
    curvature[[p - 1, -1]] = 0.0
    linear = np.concatenate([np.zeros(p), C[:n] @ slack_rows])
    margins = np.concatenate([np.ones(n), np.zeros(n), np.ones(y.size - n)])

    def certify(u: Vector, z: Vector) -> Certificate:
        alpha, delta = feasible_dual(np.concatenate([z[:n], z[2 * n :]]), z[n : 2 * n], y, C)
        dual_slack_weights = delta @ slack_features
        dual = alpha.sum() - 0.5 * _dual_norm(space, alpha * y)
        dual -= 0.5 * float(dual_slack_weights @ dual_slack_weights)
        if dual < 0.0:
            alpha, delta, dual = np.zeros_like(alpha), np.zeros_like(delta), 0.0
        # Not the weights of (alpha, delta): a large C and 1 / gamma multiply their rounding.
        function = u[: p - 1].copy() if space.is_explicit else y * u[: p - 1]
        slack_weights = u[p:-1].copy()
        norm, outputs = _function(space, function)
        loss = slack_intercepts(outputs, slack_features @ slack_weights, y, C)[2]
        objective = 0.5 * norm + 0.5 * float(slack_weights @ slack_weights) + loss
        return Certificate(objective, float(dual), (function, slack_weights / root, alpha, delta))

    state = solve_interior_point(
        rows,
        curvature,
        linear,
        margins,
        C[n:],
        certify,
        start=0.5 * float(C[:n].mean()),
        tol=tol,
        finest=1e-11 if polish else tol,
        max_iter=max_iter if max_iter > 0 else 100,
    )
    return _measured(space, privileged, y, C, privileged_alpha, tol, state)


def _measured(
    space: Space,
    privileged: Space,
    y: Vector,
    C: Vector,
    privileged_alpha: float,
    tol: float,
    state: InteriorPointState,
) -> SolverResult:
    """Make the result of the interior point, its certificate measured on Gram matrices where there are some.

    A factor drops what is rounding of its Gram matrix; large multipliers may see it.
    """
    function, slack_weights, alpha, delta = state.certificate.point
    slack_function = slack_weights if privileged.is_explicit else privileged.expansion(slack_weights)
    slack_norm, slacks = _function(privileged, slack_function)
    norm, outputs = _function(space, function)
    dual_norm = _dual_norm(space, alpha * y)
    dual = alpha.sum() - 0.5 * dual_norm - 0.5 * _dual_norm(privileged, delta) / privileged_alpha

    def primal(norm: float, outputs: Vector) -> tuple[float, float, float]:
        b, b_star, loss = slack_intercepts(outputs, slacks, y, C)
        return 0.5 * norm + 0.5 * privileged_alpha * slack_norm + loss, b, b_star

    objective, b, b_star = primal(norm, outputs)
    if not space.is_explicit:
        # alpha y is the expansion users expect: it is given wherever it is as good as the iterate's.
        dual_outputs = space.gram @ (alpha * y)
        value, *intercepts = primal(dual_norm, dual_outputs)
        if value - dual <= tol * value or value <= objective:
            objective, (b, b_star), outputs, function = value, intercepts, dual_outputs, alpha * y
    gap = certified_gap(objective, float(dual))
    return SolverResult(
        {
            "outputs": outputs,
            "intercept": b,
            "slacks": slacks,
            "privileged_intercept": b_star,
            "weights": function if space.is_explicit else None,
            "expansion": None if space.is_explicit else function,
            "privileged_weights": slack_function if privileged.is_explicit else None,
            "privileged_expansion": None if privileged.is_explicit else slack_function,
        },
        {"alpha": alpha, "delta": delta},
        objective,
        float(dual),
        gap,
        state.n_iter,
        gap <= tol * abs(objective),
        "interior_point",
        state.history,
    )


def _function(space: Space, function: Vector) -> tuple[float, Vector]:
    """Squared norm and values on the samples of explicit weights, or of an expansion in a Gram matrix."""
    if space.is_explicit:
        return float(function @ function), space.features @ function
    values = space.gram @ function
    return float(function @ values), values


def _dual_norm(space: Space, expansion: Vector) -> float:
    """Squared norm of a combination of samples."""
    if space.is_explicit:
        weights = expansion @ space.features
        return float(weights @ weights)
    return float(expansion @ (space.gram @ expansion))

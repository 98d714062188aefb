r"""SVM+ with the squared hinge loss and penalised intercepts.

.. math::
    \min \; \tfrac12 (\|w\|^2 + b^2) + \tfrac\gamma2 (\|w^*\|^2 + {b^*}^2) + \tfrac12 \sum_i C_i s_i^2
    \quad\text{s.t.}\quad y_i (\langle w, x_i \rangle + b) \ge 1 - s_i,\; s_i = \langle w^*, x^*_i \rangle + b^*

Its dual is a hard-margin SVM [1]_: minimise 1/2 a'Qa - 1'a over a >= 0 with Q = (y y') o (K + 1) + H and
H = (((K* + 1) / gamma)^-1 + diag(C))^-1, which never needs the inverse of K*. A sample without privileged features
has a slack of its own, and 1 / C_i on the diagonal of H.

.. [1] W. Li, D. Dai, M. Tan, D. Xu, L. Van Gool, "Fast algorithms for linear and kernel SVM+", CVPR 2016.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cho_solve, cholesky, solve_triangular

from widemargin import _native
from widemargin.blas import blas_threads
from widemargin.solvers.collapse import resolve_collapse
from widemargin.solvers.interior_point import Certificate, InteriorPointState, solve_interior_point
from widemargin.solvers.result import SolverResult, certified_gap
from widemargin.solvers.rows import DenseRows
from widemargin.solvers.space import Space, expand_in_pivots, pivoted_cholesky

__all__ = ["solve_svm_plus_squared"]

Array = npt.NDArray[np.float64]

_COORDINATE_STEPS_PER_SAMPLE = 100
_POLISHED_GAP = 1e-13
_POLISHING_STEPS = 100


def solve_svm_plus_squared(
    space: Space,
    privileged: Space | None,
    y: Array,
    C: Array,
    privileged_alpha: float,
    *,
    solver: str = "auto",
    tol: float = 1e-6,
    max_iter: int = -1,
) -> SolverResult:
    """Solve SVM+ with the squared hinge loss to a certified relative gap.

    Parameters
    ----------
    space : Space
        All samples, not centred.
    privileged : Space or None
        Privileged features of the first ``privileged.n_samples`` samples, not centred; None for the plain SVM.
    y, C : ndarray of shape (n_samples,)
        Labels -1 or 1, and weights C_i > 0.
    privileged_alpha : float
        The gamma of the objective, > 0.
    solver : {"auto", "interior_point", "smo"}, default="auto"
        "smo" is greedy coordinate descent; "auto" takes the interior point on the features if they have fewer
        dimensions than there are samples, and else coordinate steps and, should they stall, the interior point.
    tol : float, default=1e-6
        Relative gap to reach.
    max_iter : int, default=-1
        Limit on the solver's own iterations; -1 for its default.

    Returns
    -------
    SolverResult
        The solution's names are those of :func:`widemargin.solvers.svm_plus.solve_svm_plus`; dual: ``alpha``.
    """
    dimension = space.dimension + (0 if privileged is None else privileged.dimension)
    with blas_threads(y.size * dimension**2):
        result = _solve(space, privileged, y, C, privileged_alpha, solver, tol, max_iter)
        if privileged is None:
            return result
        return resolve_collapse(
            result,
            0.5 * (float(C.sum()) + privileged_alpha),
            tol,
            lambda deep: _solve(space, privileged, y, C, privileged_alpha, "interior_point", deep, max_iter),
        )


def _solve(
    space: Space,
    privileged: Space | None,
    y: Array,
    C: Array,
    privileged_alpha: float,
    solver: str,
    tol: float,
    max_iter: int,
) -> SolverResult:
    dimension = space.dimension + (0 if privileged is None else privileged.dimension)
    explicit = space.is_explicit and (privileged is None or privileged.is_explicit)
    if explicit and dimension + 2 < y.size and solver != "smo":
        return _solve_on_features(space, privileged, y, C, privileged_alpha, tol, max_iter)
    return _solve_on_gram(space, privileged, y, C, privileged_alpha, solver, tol, max_iter)


def _solve_on_features(
    space: Space,
    privileged: Space | None,
    y: Array,
    C: Array,
    privileged_alpha: float,
    tol: float,
    max_iter: int,
) -> SolverResult:
    n = 0 if privileged is None else privileged.n_samples
    rows = np.column_stack([y[:, None] * space.features, y])
    p = rows.shape[1]
    if privileged is not None:
        half, factor = _slack_features(privileged, C[:n], privileged_alpha)
        rows = np.hstack([rows, np.vstack([half, np.zeros((y.size - n, half.shape[1]))])])
    # A sample without privileged features has a slack of its own: its row gives way by alpha_i / C_i.
    compliance = np.concatenate([np.zeros(n), 1.0 / C[n:]])

    def certify(u: Array, z: Array) -> Certificate:
        quadratic = float(np.sum((z @ rows) ** 2) + compliance @ z**2)
        products = rows @ u
        margin = float(products[:n].min()) if n else 1.0
        dual = _best_along_ray(float(z.sum()), quadratic)
        if margin <= 0:
            return Certificate(np.inf, dual, (u.copy(), z))
        if n < y.size:
            # Samples with a slack of their own may want more than the smallest weights that meet the others.
            margin = min(margin, 1.0)
        loss = 0.5 * float(C[n:] @ np.maximum(0.0, 1.0 - products[n:] / margin) ** 2)
        return Certificate(0.5 * float(u @ u) / margin**2 + loss, dual, (u / margin, z))

    state = _shortest_vector(rows, compliance, certify, float(C.mean()), tol, max_iter)
    u, alpha = state.certificate.point
    slacks, slack_weights = np.zeros(0), np.zeros(1)
    if privileged is not None:
        slack_weights = solve_triangular(factor, u[p:], lower=True, trans="T")
        slacks = privileged.features @ slack_weights[:-1]
    return _result(
        {
            "outputs": space.features @ u[: p - 1],
            "intercept": float(u[p - 1]),
            "weights": u[: p - 1],
            "expansion": None,
            "slacks": slacks,
            "privileged_intercept": float(slack_weights[-1]),
            "privileged_weights": slack_weights[:-1],
            "privileged_expansion": None,
        },
        alpha,
        state.certificate.objective,
        state.certificate.dual_objective,
        state.n_iter,
        tol,
        "interior_point",
    )


def _solve_on_gram(
    space: Space,
    privileged: Space | None,
    y: Array,
    C: Array,
    privileged_alpha: float,
    solver: str,
    tol: float,
    max_iter: int,
) -> SolverResult:
    n = 0 if privileged is None else privileged.n_samples
    Q = (space.gram + 1.0) * y
    Q *= y[:, None]
    Q[np.diag_indices(y.size)] += np.concatenate([np.zeros(n), 1.0 / C[n:]])
    if privileged is not None:
        H, factor = _slack_block(privileged, C[:n], privileged_alpha)
        Q[:n, :n] += H
    alpha, primal, n_iter, name = _hard_margin(Q, float(C.mean()), solver, tol, max_iter)
    dual = _best_along_ray(float(alpha.sum()), float(alpha @ Q @ alpha))
    # Both points are coefficients of feasible weights: the multipliers, and the primal iterate's own.
    objective, point = min((_scaled_to_margin(Q, each) for each in (alpha, primal)), key=lambda pair: pair[0])

    slacks, b_star, expansion = np.zeros(0), 0.0, np.zeros(0)
    if privileged is not None:
        # (gamma + diag(C) (K* + 1))^-1 alpha: subtracting C s from alpha loses digits for a small gamma.
        root = np.sqrt(C[:n])
        expansion = root * cho_solve((factor, True), point[:n] / root) / privileged_alpha
        slacks, b_star = privileged.gram @ expansion, float(expansion.sum())
    return _result(
        {
            "outputs": space.gram @ (point * y),
            "intercept": float(point @ y),
            "weights": None,
            "expansion": point * y,
            "slacks": slacks,
            "privileged_intercept": b_star,
            "privileged_weights": None,
            "privileged_expansion": expansion,
        },
        alpha,
        objective,
        dual,
        n_iter,
        tol,
        name,
    )


def _result(
    solution: dict[str, Any],
    alpha: Array,
    objective: float,
    dual: float,
    n_iter: int,
    tol: float,
    name: str,
) -> SolverResult:
    gap = certified_gap(objective, dual)
    converged = bool(np.isfinite(objective)) and gap <= tol * objective
    return SolverResult(solution, {"alpha": alpha}, objective, dual, gap, max(1, n_iter), converged, name)


def _best_along_ray(total: float, quadratic: float) -> float:
    """Largest dual value of a multiple of some multipliers."""
    return total**2 / (2 * quadratic) if quadratic > 0 else 0.0


def _hard_margin(
    Q: Array, start: float, solver: str, tol: float, max_iter: int
) -> tuple[Array, Array, int, str]:
    """Multipliers of the hard-margin problem with Gram matrix Q, and coefficients of primal weights, up to scale."""
    n = len(Q)
    if solver != "interior_point":
        alpha = np.zeros(n)
        budget = _COORDINATE_STEPS_PER_SAMPLE * n * (1 if solver == "auto" else 1000)
        *_, n_iter, converged = _native.nonnegative_qp(Q, tol, max_iter if max_iter > 0 else budget, alpha)
        if converged and max_iter < 0:
            # Further digits, as in the SVM: they make equivalent problems agree.
            *_, more, _ = _native.nonnegative_qp(Q, _POLISHED_GAP, _POLISHING_STEPS * n, alpha)
            n_iter += more
        if converged or solver == "smo":
            return alpha, alpha, n_iter, "smo"
    factor, pivots = pivoted_cholesky(Q)

    def certify(u: Array, z: Array) -> Certificate:
        margin = float((factor @ u).min())
        objective = float(u @ u) / (2 * margin**2) if margin > 0 else np.inf
        # On Q itself: a factor drops what is rounding of Q, and large multipliers may see it.
        return Certificate(objective, _best_along_ray(float(z.sum()), float(z @ Q @ z)), (u.copy(), z))

    state = _shortest_vector(factor, 0.0, certify, start, tol, max_iter)
    u, alpha = state.certificate.point
    return alpha, expand_in_pivots(factor, pivots, u), state.n_iter, "interior_point"


def _scaled_to_margin(Q: Array, coefficients: Array) -> tuple[float, Array]:
    """Objective of the multiple of the weights that just meets every margin, and its coefficients."""
    product = Q @ coefficients
    margin = float(product.min())
    if margin <= 0:
        return np.inf, coefficients
    return float(coefficients @ product) / (2 * margin**2), coefficients / margin


def _shortest_vector(
    rows: Array,
    compliance: Array | float,
    certify: Callable[[Array, Array], Certificate],
    start: float,
    tol: float,
    max_iter: int,
) -> InteriorPointState:
    """Solve the hard-margin problem: the shortest vector with a product of at least one with every row."""
    n, p = rows.shape
    return solve_interior_point(
        DenseRows(rows),
        np.ones(p),
        np.zeros(p),
        np.ones(n),
        np.zeros(0),
        certify,
        compliance=compliance,
        start=start,
        tol=tol,
        max_iter=max_iter if max_iter > 0 else 100,
    )


def _slack_features(privileged: Space, C: Array, privileged_alpha: float) -> tuple[Array, Array]:
    """Rows whose products are H, and the factor L of gamma + X*' diag(C) X*: w* is L'^-1 times their weights."""
    slack = np.column_stack([privileged.features, np.ones(C.size)])
    inner = slack.T @ (slack * C[:, None])
    inner[np.diag_indices(len(inner))] += privileged_alpha
    factor = _cholesky(inner)
    return solve_triangular(factor, slack.T, lower=True).T, factor


def _slack_block(privileged: Space, C: Array, privileged_alpha: float) -> tuple[Array, Array]:
    """H, and the factor of 1 + S R S with S = diag(sqrt(C)) and R = (K* + 1) / gamma."""
    n = C.size
    root = np.sqrt(C)
    scaled = (privileged.gram + 1.0) * (root / privileged_alpha)
    scaled *= root[:, None]
    scaled[np.diag_indices(n)] += 1.0
    factor = _cholesky(scaled)
    # H = S^-1 (1 - (1 + S R S)^-1) S^-1
    H = -cho_solve((factor, True), np.eye(n))
    H[np.diag_indices(n)] += 1.0
    H /= root
    H /= root[:, None]
    return 0.5 * (H + H.T), factor


def _cholesky(matrix: Array) -> Array:
    """Lower factor of a matrix that is positive definite unless rounding says otherwise."""
    try:
        return cholesky(matrix, lower=True)
    except (LinAlgError, ValueError) as error:
        raise ValueError(
            "X_privileged times C over privileged_alpha spans more digits than floating point numbers have: scale "
            "the privileged features, or choose C and privileged_alpha nearer to 1."
        ) from error

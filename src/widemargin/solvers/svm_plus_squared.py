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

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_solve, cholesky, solve_triangular

from widemargin import _native
from widemargin.solvers.collapse import resolve_collapse
from widemargin.solvers.interior_point import Certificate, solve_interior_point
from widemargin.solvers.result import SolverResult, certified_gap
from widemargin.solvers.rows import DenseRows
from widemargin.solvers.space import Space, pivoted_cholesky

__all__ = ["solve_svm_plus_squared"]

Array = npt.NDArray[np.float64]

_COORDINATE_STEPS_PER_SAMPLE = 100


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
    n = 0 if privileged is None else privileged.n_samples
    dimension = space.dimension + (0 if privileged is None else privileged.dimension)
    # A sample without privileged features has a slack of its own: its row of the hard-margin problem gives way.
    compliance = np.concatenate([np.zeros(n), 1.0 / C[n:]])
    weights = expansion = None
    slacks, b_star = np.zeros(0), 0.0
    if dimension + 2 < y.size and solver != "smo":
        signed = np.column_stack([y[:, None] * space.features, y])
        if privileged is not None:
            half, factor, slack = _slack_features(privileged, C[:n], privileged_alpha)
            signed = np.hstack([signed, np.vstack([half, np.zeros((y.size - n, half.shape[1]))])])
        alpha, outcome = _interior_point(signed, compliance, tol, max_iter)
        if privileged is not None:
            weights = cho_solve((factor, True), alpha[:n] @ slack)
            slacks, b_star = slack[:, :-1] @ weights[:-1], float(weights[-1])
            weights = weights[:-1]
        outputs = space.features @ ((alpha * y) @ space.features)
    else:
        Q = (space.gram + 1.0) * y
        Q *= y[:, None]
        Q[np.diag_indices(y.size)] += compliance
        if privileged is not None:
            H, factor = _slack_block(privileged, C[:n], privileged_alpha)
            Q[:n, :n] += H
        alpha, outcome = _dense(Q, solver, tol, max_iter)
        if privileged is not None:
            # (gamma + diag(C) (K* + 1))^-1 alpha: subtracting C s from alpha loses digits for a small gamma.
            root = np.sqrt(C[:n])
            expansion = root * cho_solve((factor, True), alpha[:n] / root) / privileged_alpha
            slacks, b_star = privileged.gram @ expansion, float(expansion.sum())
        outputs = space.gram @ (alpha * y)
    objective, dual_objective, n_iter, converged, name = outcome
    return SolverResult(
        {
            "outputs": outputs,
            "intercept": float(alpha @ y),
            "weights": None,
            "expansion": alpha * y,
            "slacks": slacks,
            "privileged_intercept": b_star,
            "privileged_weights": weights,
            "privileged_expansion": expansion,
        },
        {"alpha": alpha},
        objective,
        dual_objective,
        certified_gap(objective, dual_objective),
        max(1, n_iter),
        converged,
        name,
    )


Outcome = tuple[float, float, int, bool, str]


def _dense(Q: Array, solver: str, tol: float, max_iter: int) -> tuple[Array, Outcome]:
    n = len(Q)
    if solver != "interior_point":
        alpha = np.zeros(n)
        budget = (
            max_iter if max_iter > 0 else _COORDINATE_STEPS_PER_SAMPLE * n * (1 if solver == "auto" else 1000)
        )
        product, objective, dual_objective, n_iter, converged = _native.nonnegative_qp(Q, tol, budget, alpha)
        if converged or solver == "smo":
            point, objective, dual_objective = _scaled(alpha, product)
            return point, (objective, dual_objective, n_iter, converged, "smo")
    return _interior_point(pivoted_cholesky(Q)[0], np.zeros(n), tol, max_iter, Q)


def _interior_point(
    features: Array, compliance: Array, tol: float, max_iter: int, Q: Array | None = None
) -> tuple[Array, Outcome]:
    """Hard margin: the shortest vector with a product of at least one with every row, less what the row gives."""
    n, p = features.shape

    def certify(u: Array, z: Array) -> Certificate:
        # A factor drops what is rounding of Q; large multipliers may see it.
        product = features @ (z @ features) + compliance * z if Q is None else Q @ z
        point, objective, dual_objective = _scaled(z, product)
        return Certificate(objective, dual_objective, point)

    state = solve_interior_point(
        DenseRows(features),
        np.ones(p),
        np.zeros(p),
        np.ones(n),
        np.zeros(0),
        certify,
        compliance=compliance,
        tol=tol,
        max_iter=max_iter if max_iter > 0 else 100,
    )
    best = state.certificate
    return best.point, (best.objective, best.dual_objective, state.n_iter, state.converged, "interior_point")


def _scaled(alpha: Array, product: Array) -> tuple[Array, float, float]:
    """Multipliers scaled to the best feasible primal point along their ray, its value, and the best dual value."""
    quadratic = float(alpha @ product)
    margin = float(product.min())
    dual = float(alpha.sum()) ** 2 / (2 * quadratic) if quadratic > 0 else 0.0
    if margin <= 0:
        return alpha, np.inf, dual
    return alpha / margin, quadratic / (2 * margin**2), dual


def _slack_features(privileged: Space, C: Array, privileged_alpha: float) -> tuple[Array, Array, Array]:
    """Rows whose products are H, the factor of gamma + X*' diag(C) X*, and X* with its column of ones."""
    slack = np.column_stack([privileged.features, np.ones(C.size)])
    inner = slack.T @ (slack * C[:, None])
    inner[np.diag_indices(len(inner))] += privileged_alpha
    factor = cholesky(inner, lower=True)
    return solve_triangular(factor, slack.T, lower=True).T, factor, slack


def _slack_block(privileged: Space, C: Array, privileged_alpha: float) -> tuple[Array, Array]:
    """H, and the factor of 1 + S R S with S = diag(sqrt(C)) and R = (K* + 1) / gamma."""
    n = C.size
    root = np.sqrt(C)
    scaled = (privileged.gram + 1.0) * (root / privileged_alpha)
    scaled *= root[:, None]
    scaled[np.diag_indices(n)] += 1.0
    factor = cholesky(scaled, lower=True, overwrite_a=True)
    # H = S^-1 (1 - (1 + S R S)^-1) S^-1
    H = -cho_solve((factor, True), np.eye(n))
    H[np.diag_indices(n)] += 1.0
    H /= root
    H /= root[:, None]
    return 0.5 * (H + H.T), factor

r"""The SVM dual with an arbitrary margin for every sample.

.. math::
    \min_{w, b} \; \tfrac12 \|w\|^2 + \sum_i C_i \max(0, \rho_i - y_i (\langle w, x_i \rangle + b))
    \qquad
    \max_{0 \le \alpha_i \le C_i,\; y^\top \alpha = 0} \; \rho^\top \alpha
    - \tfrac12 (\alpha \circ y)^\top K (\alpha \circ y)

With :math:`\rho = 1` this is the ordinary SVM; Margin Transfer is the same problem with margins from elsewhere, so
nothing is divided by them and they may be zero.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.blas import blas_threads
from widemargin.solvers.intercepts import hinge_intercept
from widemargin.solvers.interior_point import Certificate, solve_interior_point
from widemargin.solvers.result import SolverResult, best_of, certified_gap
from widemargin.solvers.rows import DenseRows
from widemargin.solvers.space import Space

__all__ = ["solve_svm"]

Vector = npt.NDArray[np.float64]


# Up to here coordinate steps on the Gram matrix take a tenth of the interior point's time in ordinary settings.
_SMO_FIRST_SAMPLES = 500
_POLISHED_GAP = 1e-13
_POLISHING_STEPS = 20


def solve_svm(
    space: Space,
    y: Vector,
    margins: Vector,
    C: Vector,
    *,
    fit_intercept: bool = True,
    solver: str = "auto",
    tol: float = 1e-6,
    max_iter: int = -1,
    alpha: Vector | None = None,
    polish: bool = True,
) -> SolverResult:
    """Solve the SVM with given margins to a certified relative gap.

    Parameters
    ----------
    space : Space
        The samples; centred only if `fit_intercept`.
    y : ndarray of shape (n_samples,)
        Labels, -1 or 1, both present.
    margins, C : ndarray of shape (n_samples,)
        Margins rho_i of any sign, weights C_i > 0.
    fit_intercept : bool, default=True
        Whether b is a variable (unpenalised) or zero.
    solver : {"auto", "interior_point", "smo"}, default="auto"
        "auto" takes the interior point for explicit features of more than 500 samples, else coordinate steps and,
        should they stall, the interior point after them.
    tol : float, default=1e-6
        Relative gap to reach.
    max_iter : int, default=-1
        Limit on the solver's own iterations; -1 for its default.
    alpha : ndarray of shape (n_samples,), optional
        Feasible dual point to start the coordinate steps from.
    polish : bool, default=True
        Whether to go on for further digits once `tol` is reached (by coordinate steps, for at most 500 samples), so
        that equivalent problems have the same solution to more than the square root of `tol`.

    Returns
    -------
    SolverResult
        solution: ``outputs`` (decision values without intercept), ``intercept``, and w as ``weights`` over
        ``space.features`` or, where that is None, as ``expansion`` over the samples; dual: ``alpha``.
    """
    if margins.max() <= 0:
        # w = 0 meets every margin; the optimum is zero and no relative gap is defined.
        zero = np.zeros_like(y)
        return SolverResult(
            {"outputs": zero, "intercept": 0.0, "weights": None, "expansion": zero},
            {"alpha": zero},
            0.0,
            0.0,
            0.0,
            1,
            True,
            "closed_form",
        )
    with blas_threads(y.size * space.dimension**2):
        return _solve(space, y, margins, C, fit_intercept, solver, tol, max_iter, alpha, polish)


def _solve(
    space: Space,
    y: Vector,
    margins: Vector,
    C: Vector,
    fit_intercept: bool,
    solver: str,
    tol: float,
    max_iter: int,
    alpha: Vector | None,
    polish: bool,
) -> SolverResult:
    large = y.size > _SMO_FIRST_SAMPLES
    if solver == "interior_point" or (solver == "auto" and space.is_explicit and large):
        return _interior_point(space, y, margins, C, fit_intercept, tol, max_iter, polish)
    budget = max_iter if max_iter > 0 else smo_budget(y.size) * (1 if solver == "auto" else 25)
    result = _smo(space, y, margins, C, fit_intercept, tol, budget, alpha)
    if result.converged and polish and max_iter < 0 and not large and tol > _POLISHED_GAP:
        finer = _smo(
            space,
            y,
            margins,
            C,
            fit_intercept,
            _POLISHED_GAP,
            _POLISHING_STEPS * y.size,
            result.dual["alpha"],
        )
        if finer.gap <= result.gap:
            return replace(finer, n_iter=result.n_iter + finer.n_iter, converged=True)
    if solver == "smo" or result.converged:
        return result
    second = _interior_point(space, y, margins, C, fit_intercept, tol, max_iter, polish)
    return best_of(result, second, tol)


def _smo(
    space: Space,
    y: Vector,
    margins: Vector,
    C: Vector,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    alpha: Vector | None,
) -> SolverResult:
    alpha = np.zeros_like(y) if alpha is None else alpha.copy()
    outputs, objective, dual_objective, n_iter, converged = _native.smo_svm(
        space.gram, y, margins, C, fit_intercept, tol, max_iter, alpha
    )
    intercept = hinge_intercept(outputs, y, margins, C)[0] if fit_intercept else 0.0
    return SolverResult(
        {"outputs": outputs, "intercept": intercept, "weights": None, "expansion": alpha * y},
        {"alpha": alpha},
        objective,
        dual_objective,
        certified_gap(objective, dual_objective),
        max(1, n_iter),
        converged,
        "smo",
    )


def _interior_point(
    space: Space,
    y: Vector,
    margins: Vector,
    C: Vector,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    polish: bool,
) -> SolverResult:
    features = space.features
    signed = y[:, None] * features
    rows = DenseRows(np.column_stack([signed, y]) if fit_intercept else signed)
    r = features.shape[1]
    curvature = np.ones(rows.shape[1])
    curvature[r:] = 0.0

    def primal_value(quadratic: float, outputs: Vector) -> tuple[float, float]:
        if fit_intercept:
            intercept, loss = hinge_intercept(outputs, y, margins, C)
        else:
            intercept, loss = 0.0, float(C @ np.maximum(0.0, margins - y * outputs))
        return quadratic + loss, intercept

    def certify(u: Vector, z: Vector) -> Certificate:
        alpha = balance(np.minimum(z, C), y) if fit_intercept else np.minimum(z, C)
        dual_weights = alpha @ signed
        dual = float(margins @ alpha) - 0.5 * float(dual_weights @ dual_weights)
        if dual < 0.0:
            alpha, dual = np.zeros_like(alpha), 0.0
        # Not the weights of alpha: a large C multiplies their rounding, four digits at C = 1e4.
        weights = u[:r].copy()
        outputs = features @ weights
        objective, intercept = primal_value(0.5 * float(weights @ weights), outputs)
        return Certificate(objective, dual, (weights, outputs, intercept, alpha))

    state = solve_interior_point(
        rows,
        curvature,
        np.zeros(rows.shape[1]),
        margins,
        C,
        certify,
        tol=tol,
        finest=1e-11 if polish else tol,
        max_iter=max_iter if max_iter > 0 else 100,
    )
    best = state.certificate
    weights, outputs, intercept, alpha = best.point
    solution = {"outputs": outputs, "intercept": intercept, "weights": weights, "expansion": None}
    objective, dual_objective = best.objective, best.dual_objective
    if not space.is_explicit:
        # The factor dropped what is rounding of the Gram matrix; large multipliers may see it, so measure again.
        dual_outputs = space.gram @ (alpha * y)
        dual_objective = float(margins @ alpha - 0.5 * (alpha * y) @ dual_outputs)
        candidates = []
        for expansion in (alpha * y, space.expansion(weights)):
            outputs = space.gram @ expansion
            value, intercept = primal_value(0.5 * float(expansion @ outputs), outputs)
            candidates.append((value, outputs, intercept, expansion))
        # alpha y is the expansion users expect: it is given wherever it is as good as the iterate's.
        first, second = candidates
        chosen = first if first[0] - dual_objective <= tol * first[0] or first[0] <= second[0] else second
        objective, *_ = chosen
        solution = dict(zip(("outputs", "intercept", "expansion"), chosen[1:], strict=True)) | {
            "weights": None
        }
    gap = certified_gap(objective, dual_objective)
    return SolverResult(
        solution,
        {"alpha": alpha},
        objective,
        dual_objective,
        gap,
        state.n_iter,
        gap <= tol * abs(objective),
        "interior_point",
        state.history,
    )


def smo_budget(n_samples: int) -> int:
    """Coordinate steps granted before the interior point takes over.

    Ordinary settings need 5 to 30 steps a sample at N = 200 to 2000, and more with N (41 at N = 3000); those that
    stall need hundreds or thousands.
    """
    return n_samples * max(40, n_samples // 25)


def balance(alpha: Vector, y: Vector) -> Vector:
    """Meet y' alpha = 0 by scaling down the class that has more, which keeps every bound."""
    positive = alpha[y > 0].sum()
    negative = alpha[y < 0].sum()
    if positive > negative:
        return np.where(y > 0, alpha * (negative / positive), alpha)
    return np.where(y < 0, alpha * (positive / negative), alpha) if negative > positive else alpha

"""Recognise that the optimum of SVM+ is w = 0, which rounding would otherwise turn into noise.

Constant slacks are feasible: w = 0, w* = 0, b = 0, b* = 1. If their cost is within tolerance of the dual value they
are an optimum as good as any, and the weights that a solver returns may be noise, or small because C is. A solution
to more digits tells the two apart. Slacks that are not constant can do without a classifier, too, where the privileged
features know the labels; then the terms of w cancel to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space

__all__ = ["collapsed_result", "may_be_collapsed", "resolve_collapse", "without_vanished_weights"]

_DEEP_TOLERANCE = 1e-11
_COLLAPSED_GAP = 1e-9
_VANISHED = 1e-9


def resolve_collapse(
    result: SolverResult, constant_cost: float, tol: float, solve_deeper: Callable[[float], SolverResult]
) -> SolverResult:
    """Put exact zeros in place of the solution if constant slacks are optimal to nine digits.

    Parameters
    ----------
    result : SolverResult
        Solution of SVM+ to relative gap `tol`.
    constant_cost : float
        Objective of constant slacks.
    tol : float
        Relative gap that was asked for.
    solve_deeper : callable
        Solves the same problem to the relative gap it is given.

    Returns
    -------
    SolverResult
        `result`; or a deeper solution, if `result` could not tell; or zeros, with solution["collapsed"] True, the
        objective of constant slacks and the certificate of the deeper solution's dual point.
    """
    if not may_be_collapsed(result, constant_cost, tol):
        return result
    deeper = solve_deeper(_DEEP_TOLERANCE)
    if deeper.gap <= result.gap:
        result = replace(deeper, converged=deeper.gap <= tol * abs(deeper.objective))
    return collapsed_result(result, constant_cost, tol) or result


def may_be_collapsed(result: SolverResult, constant_cost: float, tol: float) -> bool:
    """Whether constant slacks are optimal as far as a solution to relative gap `tol` can tell."""
    return constant_cost - result.dual_objective <= 10 * tol * constant_cost


def collapsed_result(result: SolverResult, constant_cost: float, tol: float) -> SolverResult | None:
    """Exact zeros with the certificate of `result`'s dual point, or None if it does not prove them optimal.

    Parameters
    ----------
    result : SolverResult
        Solution of SVM+, of which the dual point counts.
    constant_cost : float
        Objective of constant slacks.
    tol : float
        Relative gap that was asked for.

    Returns
    -------
    SolverResult or None
        The result if constant slacks are optimal to nine digits.
    """
    if constant_cost - result.dual_objective > _COLLAPSED_GAP * constant_cost:
        return None
    solution = dict(result.solution)
    for name in ("weights", "expansion", "privileged_weights", "privileged_expansion", "outputs", "slacks"):
        if solution[name] is not None:
            solution[name] = np.zeros_like(solution[name])
    solution |= {"intercept": 0.0, "privileged_intercept": 1.0, "collapsed": True}
    # The dual value of huge multipliers may exceed the cost by its rounding: then that is what is uncertain.
    gap = abs(constant_cost - result.dual_objective)
    return replace(
        result,
        solution=solution,
        objective=constant_cost,
        gap=gap,
        converged=gap <= tol * constant_cost,
    )


def without_vanished_weights(result: SolverResult, space: Space, y: npt.NDArray[np.float64]) -> SolverResult:
    """Put exact zeros in place of weights w that are nothing but the rounding of their own terms.

    Parameters
    ----------
    result : SolverResult
        Solution of SVM+.
    space : Space
        The samples.
    y : ndarray of shape (n_samples,)
        Labels, -1 or 1.

    Returns
    -------
    SolverResult
        `result`; or, if the length of w is at most 1e-9 of the sum of the lengths of its terms alpha_i y_i x_i, the
        same with w = 0 and solution["collapsed"] True.
    """
    solution, alpha = result.solution, result.dual["alpha"]
    if solution.get("collapsed"):
        return result
    weights, expansion = solution["weights"], solution["expansion"]
    squared = float(weights @ weights if expansion is None else expansion @ solution["outputs"])
    if squared > (_VANISHED * float(alpha @ space.lengths)) ** 2:
        return result
    solution = dict(solution)
    for name in ("weights", "expansion", "outputs"):
        if solution[name] is not None:
            solution[name] = np.zeros_like(solution[name])
    return replace(result, solution=solution | {"collapsed": True})

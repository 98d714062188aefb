"""What every solver returns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["SolverResult", "best_of", "certified_gap"]


def certified_gap(objective: float, dual_objective: float) -> float:
    """Gap of a primal and a dual value, infinite where it certifies nothing.

    A dual value above the primal one by more than ten digits' rounding is itself rounding (multipliers so large
    that the quadratic form cancels), and no bound; so is a value that is not finite.
    """
    gap = objective - dual_objective
    if not np.isfinite(gap) or gap < -1e-10 * abs(objective):
        return np.inf
    return max(0.0, float(gap))


@dataclass(frozen=True)
class SolverResult:
    """Outcome of a convex solver, with the certificate of how good it is.

    Parameters
    ----------
    solution : dict of str to ndarray or float
        Primal variables by name; the solver's docstring lists them.
    dual : dict of str to ndarray
        Feasible dual variables by name.
    objective : float
        Primal objective at `solution`, which is feasible.
    dual_objective : float
        Dual objective at `dual`, which is feasible: a lower bound on the optimum.
    gap : float
        ``objective - dual_objective``, an upper bound on the error of `objective`.
    n_iter : int
        Iterations of the algorithm that produced `solution`.
    converged : bool
        Whether `gap` reached the tolerance asked for.
    solver : str
        The algorithm that produced `solution`.
    history : tuple of float
        Relative gaps as they were measured, the last one last.
    """

    solution: dict[str, Any]
    dual: dict[str, npt.NDArray[np.float64]]
    objective: float
    dual_objective: float
    gap: float
    n_iter: int
    converged: bool
    solver: str
    history: tuple[float, ...] = field(default=(), repr=False)


def best_of(first: SolverResult, second: SolverResult, tol: float) -> SolverResult:
    """Lower primal point and higher dual point of two results for the same problem, which certify each other.

    Name and iterations are those of the solver whose primal point it is.
    """
    primal = second if second.objective <= first.objective else first
    gap, dual = min(
        ((certified_gap(primal.objective, result.dual_objective), result) for result in (first, second)),
        key=lambda pair: pair[0],
    )
    return replace(
        primal,
        dual=dual.dual,
        dual_objective=dual.dual_objective,
        gap=gap,
        converged=bool(np.isfinite(primal.objective)) and gap <= tol * abs(primal.objective),
    )

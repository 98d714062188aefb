"""SVM+ on the same samples for many penalties, each from what the solutions before it already show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin.blas import blas_threads
from widemargin.solvers.collapse import collapsed_result, may_be_collapsed
from widemargin.solvers.result import SolverResult, certified_gap
from widemargin.solvers.space import Space
from widemargin.solvers.svm_plus import solve_svm_plus
from widemargin.solvers.svm_plus_active_set import active_rows, solve_on_active_rows
from widemargin.solvers.svm_plus_certificate import result_of_dual

__all__ = ["SVMPlusPath"]

Vector = npt.NDArray[np.float64]


class SVMPlusPath:
    """Solves SVM+ for one pair of penalties after the other.

    A solution of one pair is tried for the next in the order of the cost of trying:

    1. Separable samples without slacks: if the multipliers of the solution are below the new C, it is the solution
       for every larger C and every gamma, too.
    2. w = 0: its multipliers grow with C and do not depend on gamma.
    3. The active constraints of the pair before or, if that had another C, of the last pair with the same gamma.
    4. The solvers of `solve_svm_plus`, from the scaled multipliers of the pair before.

    Each of them is accepted only with a certificate, so that the order of the pairs changes the time alone. Pairs in
    the order of increasing C, and of decreasing gamma within each, cost least: coordinate steps are quick for large
    gamma, and active constraints change little with gamma.

    Parameters
    ----------
    space, privileged : Space
        The samples in both spaces, all with privileged features.
    y, weights : ndarray of shape (n_samples,)
        Labels -1 or 1, both present; C times the weights are the C_i.
    solver : {"auto", "interior_point", "smo"}
        As of `solve_svm_plus`; only "auto" tries the first three.
    tol : float
        Relative gap to reach.
    max_iter : int
        Limit on the iterations of the solvers of the fourth kind.
    """

    def __init__(
        self,
        space: Space,
        privileged: Space,
        y: Vector,
        weights: Vector,
        *,
        solver: str,
        tol: float,
        max_iter: int,
    ) -> None:
        self.space, self.privileged, self.y, self.weights = space, privileged, y, weights
        self.solver, self.tol, self.max_iter = solver, tol, max_iter
        self._last: tuple[float, SolverResult] | None = None
        self._with_gamma: dict[float, tuple[float, SolverResult]] = {}
        self._stalled = False

    def solve(self, C: float, gamma: float) -> SolverResult:
        """Solve for one pair.

        Parameters
        ----------
        C, gamma : float
            Penalties > 0.

        Returns
        -------
        SolverResult
            As of `solve_svm_plus`.
        """
        costs = C * self.weights
        with blas_threads(self.y.size**2):
            result = self._transferred(C, costs, gamma) if self.solver == "auto" else None
        if result is None:
            result = self._solved(C, costs, gamma)
        self._last = self._with_gamma[gamma] = C, result
        return result

    def _transferred(self, C: float, costs: Vector, gamma: float) -> SolverResult | None:
        """Solution made of an earlier one, if one can be."""
        if self._last is None:
            return None
        last_C, last = self._last
        shortcut = self._separated(costs, gamma, last) or self._collapsed(costs, gamma, C / last_C, last)
        if shortcut is not None:
            return shortcut
        # A second neighbour, where the first did not lead to the solution, led there in one of thirty cases.
        neighbour_C, neighbour = self._last if last_C == C else self._with_gamma.get(gamma, self._last)
        if neighbour.solution.get("collapsed"):
            return None
        rows = active_rows(neighbour, self.y, neighbour_C * self.weights)
        result = solve_on_active_rows(self.space, self.privileged, self.y, costs, gamma, rows, self.tol)
        if result is None or may_be_collapsed(result, float(costs.sum()), self.tol):
            return None
        return result

    def _separated(self, costs: Vector, gamma: float, last: SolverResult) -> SolverResult | None:
        """Last solution, if it has no slacks: its dual value then hardly depends on the penalties.

        Scaled up to meet every margin, so that a large C does not multiply what rounding left of the slacks.
        """
        alpha, solution = last.dual["alpha"], last.solution
        outputs = solution["outputs"]
        lowest, highest = float(outputs[self.y > 0].min()), float(outputs[self.y < 0].max())
        if lowest - highest < 2.0 - 1e-3:
            return None
        scale = 2.0 / (lowest - highest)
        expansion, weights = solution["expansion"], solution["weights"]
        norm = float(weights @ weights if expansion is None else expansion @ outputs)
        dual_norm = float((alpha * self.y) @ self.space.values(alpha * self.y))
        for delta in (last.dual["delta"], np.zeros_like(alpha)):
            if (alpha - delta > costs).any():
                continue
            slack_norm = float(delta @ self.privileged.values(delta)) / gamma
            objective, dual_objective = (
                0.5 * scale**2 * norm,
                float(alpha.sum()) - 0.5 * (dual_norm + slack_norm),
            )
            gap = certified_gap(objective, dual_objective)
            if gap <= self.tol * objective:
                return SolverResult(
                    {
                        "outputs": scale * outputs,
                        "intercept": -0.5 * scale * (lowest + highest),
                        "slacks": np.zeros_like(outputs),
                        "privileged_intercept": 0.0,
                        "weights": None if weights is None else scale * weights,
                        "expansion": None if expansion is None else scale * expansion,
                        "privileged_weights": None,
                        "privileged_expansion": np.zeros_like(outputs),
                    },
                    {"alpha": alpha, "delta": delta},
                    objective,
                    dual_objective,
                    gap,
                    1,
                    True,
                    "separated",
                )
        return None

    def _collapsed(
        self, costs: Vector, gamma: float, ratio: float, last: SolverResult
    ) -> SolverResult | None:
        if not last.solution.get("collapsed"):
            return None
        dual = ratio * last.dual["alpha"], ratio * last.dual["delta"]
        result = result_of_dual(
            self.space, self.privileged, self.y, costs, gamma, dual, self.tol, n_iter=1, solver=last.solver
        )
        return collapsed_result(result, float(costs.sum()), self.tol)

    def _solved(self, C: float, costs: Vector, gamma: float) -> SolverResult:
        """Solution by the general solvers; where coordinate steps stalled once they usually stall again."""
        start = None
        if self._last is not None:
            last_C, last = self._last
            alpha = C / last_C * last.dual["alpha"]
            start = alpha, np.maximum(C / last_C * last.dual["delta"] + costs - alpha, 0.0)
        result = solve_svm_plus(
            self.space,
            self.privileged,
            self.y,
            costs,
            gamma,
            solver="interior_point" if self._stalled else self.solver,
            tol=self.tol,
            max_iter=self.max_iter,
            start=start,
            polish=False,
        )
        self._stalled = self.solver == "auto" and result.solver == "interior_point"
        return result

r"""Convex risks minimised through cuts: a piecewise linear model that grows where the risk is violated most.

.. math::
    \min_w \; \tfrac12 \|w\|^2 + C \max\bigl(0, \max_k \; d_k - \langle \phi_k, w \rangle\bigr)
    \qquad
    \max_{\lambda \ge 0, \; \sum \lambda \le C} \; d^\top \lambda - \tfrac12 \|w(\lambda)\|^2

with :math:`w(\lambda) = \Phi^\top \lambda`, or its positive part where :math:`w \ge 0` is asked for.

Gaps are compared with the smaller of the objective and of what can be gained, the decrease from the objective at
w = 0. Where C or the features are small, w = 0 is within a small share of the objective of the optimum, and says
nothing of the samples all the same; where C is huge, the decrease is huge as well, and w with many violations is
within a small share of it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.solvers.result import SolverResult, certified_gap

__all__ = ["Cut", "CuttingPlaneModel", "Risk", "gap_scale", "minimise_by_cutting_planes"]

Array = npt.NDArray[np.float64]

# Share of the way from the best point to the model's minimiser at which the model is refined.
_AHEAD = 0.1
_MOST_TRIALS = 8
_STEP_PRECISION = 0.05
# Rounds without any progress after which only rounding is left.
_PATIENCE = 50
_EPS = float(np.finfo(float).eps)
# Share of the objective below which a gap is rounding, and share of the size that the features allow below which
# weights are: where the gap of an optimum at w = 0 is rounding, its weights are 1e-8 to 1e-6 of that size.
_ROUNDED_GAP = 16 * _EPS
_ROUNDED_WEIGHTS = 1e-6


class Cut(NamedTuple):
    """A linear lower bound of the risk that touches it at the scores it was made for.

    Parameters
    ----------
    value : float
        Risk at these scores, ``offset - vector @ scores``.
    offset : float
        Constant of the bound.
    vector : ndarray of shape (n_samples,)
        Coefficients: at any scores f the risk is at least ``offset - vector @ f``.
    """

    value: float
    offset: float
    vector: Array


class Risk(Protocol):
    """A convex function of the scores of all samples."""

    n_samples: int

    def worst(self, scores: Array) -> Cut:
        """Return the cut that touches the risk at `scores`."""
        ...


def gap_scale(objective: float, gap: float, at_zero: float, *, decreases: float = 1.0) -> float:
    """Return what a tolerance is a share of: the objective or the largest possible decrease, if that is smaller.

    Parameters
    ----------
    objective : float
        Value of the problem at a point.
    gap : float
        Bound on its distance from the optimum.
    at_zero : float
        Value of the problem at w = 0.
    decreases : float, default=1.0
        What the decrease is multiplied by.

    Returns
    -------
    float
        ``min(objective, decreases * (at_zero - (objective - gap)))``, at least 0; 0 where a value is not finite, so
        that ``gap <= tol * gap_scale(...)`` is false there.

    Examples
    --------
    >>> from widemargin.solvers.cutting_plane import gap_scale
    >>> gap_scale(1.0, 0.25, 1.0)  # w = 0 is within 25 % of the objective of the optimum, and has gained nothing
    0.25
    """
    # No NumPy: its functions of single numbers took a tenth of a small fit.
    finite = math.isfinite(objective) and math.isfinite(gap) and math.isfinite(at_zero)
    return max(0.0, min(objective, decreases * (at_zero - (objective - gap)))) if finite else 0.0


class CuttingPlaneModel:
    """The problem above for the cuts known so far, solved to a certified gap from where the last solution was.

    Cuts and columns (components of w) can be added at any time.

    Parameters
    ----------
    C : float
        Weight of the risk, > 0.
    nonnegative : bool, default=False
        Whether w is restricted to be >= 0.
    n_columns : int, default=0
        Number of components of w to begin with.

    Attributes
    ----------
    weights : ndarray of shape (n_columns,)
        w of the last solution, zero for columns that came later.
    multipliers : ndarray of shape (n_cuts,)
        Dual variables of the cuts, zero for those that came later.
    slack : float
        Value of the piecewise linear model at `weights`.
    objective, dual_objective : float
        Primal and dual value of the last solution; both points are feasible.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.solvers.cutting_plane import CuttingPlaneModel
    >>> model = CuttingPlaneModel(C=10.0, n_columns=2)
    >>> model.add(1.0, np.array([2.0, 0.0]))  # risk >= 1 - 2 w[0]
    >>> model.solve()
    True
    >>> model.weights, model.slack, model.objective
    (array([0.5, 0. ]), 0.0, 0.125)
    """

    def __init__(self, C: float, *, nonnegative: bool = False, n_columns: int = 0) -> None:
        self._native = _native.CutModel(C, nonnegative, n_columns)
        self.objective = 0.0
        self.dual_objective = 0.0

    @property
    def n_cuts(self) -> int:
        """Number of cuts."""
        return self._native.n_cuts

    @property
    def n_columns(self) -> int:
        """Number of components of w."""
        return self._native.n_columns

    @property
    def weights(self) -> Array:
        """Return a copy of w."""
        return self._native.weights

    @property
    def multipliers(self) -> Array:
        """Return a copy of the dual variables."""
        return self._native.multipliers

    @property
    def slack(self) -> float:
        """Value of the piecewise linear model at `weights`."""
        return self._native.slack

    def add(self, offset: float, features: Array) -> None:
        """Add the cut risk >= offset - features @ w, with features of shape (n_columns,)."""
        self._native.add_cut(offset, features)

    def append_column(self, column: Array) -> None:
        """Append a component of w, with its feature in every cut, of shape (n_cuts,)."""
        self._native.append_column(column)

    def drop_inactive(self) -> list[int]:
        """Remove the cuts whose multiplier is zero and return the indices of those that stay, in order."""
        return self._native.drop_inactive()

    def solve(self, tol: float = 1e-6, max_iter: int = 10_000) -> bool:
        """Solve the problem, and return whether objective - dual_objective <= tol * objective.

        Parameters
        ----------
        tol : float, default=1e-6
            Relative gap to reach.
        max_iter : int, default=10_000
            Limit on the steps of the dual solver.

        Returns
        -------
        bool
            Whether the gap is within `tol`.
        """
        self.objective, self.dual_objective, _, converged = self._native.solve(tol, max_iter)
        return converged


def minimise_by_cutting_planes(risk: Risk, rows: Any, C: float, *, tol: float, max_iter: int) -> SolverResult:
    """Minimise 1/2 |w|^2 + C risk(rows @ w) until the certified gap is at most `tol` times its `gap_scale`.

    The model's minimiser is a direction rather than the next point: the objective is searched on the line from the
    best point to it, and refined at the best point found and a little beyond (as OCAS does [1]_). This takes 4 to 30
    times fewer rounds than cuts at the minimiser itself, most for large C, and the scores on the line are sums of
    known ones.

    Parameters
    ----------
    risk : Risk
        The convex risk.
    rows : ndarray or sparse matrix of shape (n_samples, n_columns)
        Features of the samples.
    C : float
        Weight of the risk, > 0.
    tol : float
        Relative gap to reach, > 0. Below the rounding of the objective nothing is certified: the result is then the
        best that was found, not converged.
    max_iter : int
        Limit on the number of solutions of the model, >= 1.

    Returns
    -------
    SolverResult
        solution: ``weights`` and ``scores`` at the best point seen; dual: ``multipliers`` of the cuts in use.

    References
    ----------
    .. [1] V. Franc, S. Sonnenburg, "Optimized cutting plane algorithm for support vector machines", ICML 2008.
    """
    model = CuttingPlaneModel(C, n_columns=rows.shape[1])
    weights, scores = np.zeros(rows.shape[1]), np.zeros(risk.n_samples)

    def add(cut: Cut) -> Array:
        features = np.ascontiguousarray(rows.T @ cut.vector)
        model.add(cut.offset, features)
        return features

    first = risk.worst(scores)
    add(first)
    objective = at_zero = C * first.value
    dual_objective, gap, converged = 0.0, at_zero, False
    at_most: float | None = None
    history: list[float] = []
    while len(history) < max_iter:
        model.solve(max(0.1 * min(gap, at_zero) / objective, _EPS))
        dual_objective = max(dual_objective, model.dual_objective)
        gap = certified_gap(objective, dual_objective)
        scale = gap_scale(objective, gap, at_zero)
        history.append(gap / objective)
        target = model.weights
        converged = gap + _EPS * objective <= tol * scale
        if not converged and gap <= _ROUNDED_GAP * objective:
            at_most = at_most or C * float(np.linalg.norm(abs(rows).T @ np.abs(first.vector)))
            if np.linalg.norm(target) <= _ROUNDED_WEIGHTS * at_most:
                weights, scores, objective = np.zeros_like(weights), np.zeros_like(scores), at_zero
                gap, converged = certified_gap(objective, dual_objective), True
        with np.errstate(over="ignore"):
            overflows = not np.isfinite(target @ target)
        if converged or overflows:
            break
        if len(history) > _PATIENCE and history[-1] == history[-1 - _PATIENCE]:
            break
        line = _Line(risk, C, weights, target - weights, scores, rows @ target - scores)
        step, value, cut = line.search()
        ahead = risk.worst(line.scores(step + _AHEAD * (1.0 - step) if value <= objective else _AHEAD))
        refined = [ahead]
        # Where the decrease is lost in rounding, the model's minimiser is still better than zero.
        if value <= objective:
            weights, scores, objective = weights + step * line.direction, line.scores(step), value
            refined.append(cut)
        deepest = max(new.offset - float(add(new) @ target) for new in refined)
        if deepest <= model.slack:
            add(line.last)
        if model.n_cuts > 100 + 3 * np.count_nonzero(model.multipliers):
            model.drop_inactive()
    return SolverResult(
        {"weights": weights, "scores": scores},
        {"multipliers": model.multipliers},
        objective,
        dual_objective,
        gap,
        len(history),
        converged,
        "cutting_plane",
        tuple(history),
    )


class _Line:
    """The objective on the line from a point to the model's minimiser, where it falls at first."""

    def __init__(
        self, risk: Risk, C: float, weights: Array, direction: Array, scores: Array, change: Array
    ) -> None:
        self.direction = direction
        self.last: Cut = risk.worst(scores + change)
        self._risk = risk
        self._C = C
        self._start = scores
        self._change = change
        self._energy = 0.5 * float(weights @ weights)
        self._slope = float(weights @ direction)
        self._curvature = float(direction @ direction)

    def scores(self, step: float) -> Array:
        """Scores of all samples after a step."""
        return self._start + step * self._change

    def search(self) -> tuple[float, float, Cut]:
        """Return a step in (0, 1] near the minimum, the objective there, and the risk's cut."""
        value, slope = self._value_and_slope(1.0, self.last)
        best = (1.0, value, self.last)
        low, high = 0.0, 1.0
        for _ in range(_MOST_TRIALS if slope > 0.0 else 0):
            step = 0.5 * (low + high) if low > 0.0 else 0.3 * high
            cut = self._risk.worst(self.scores(step))
            value, slope = self._value_and_slope(step, cut)
            best = min(best, (step, value, cut), key=lambda trial: trial[1])
            if slope > 0.0:
                high = step
            else:
                low = step
            if low > 0.0 and high - low <= _STEP_PRECISION * high:
                break
        return best

    def _value_and_slope(self, step: float, cut: Cut) -> tuple[float, float]:
        value = self._energy + step * (self._slope + 0.5 * step * self._curvature) + self._C * cut.value
        slope = self._slope + step * self._curvature - self._C * float(cut.vector @ self._change)
        return value, slope

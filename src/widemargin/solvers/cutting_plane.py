r"""Convex risks minimised through cuts: a piecewise linear model that grows where the risk is violated most.

.. math::
    \min_w \; \tfrac12 \|w\|^2 + C \max\bigl(0, \max_k \; d_k - \langle \phi_k, w \rangle\bigr)
    \qquad
    \max_{\lambda \ge 0, \; \sum \lambda \le C} \; d^\top \lambda - \tfrac12 \|w(\lambda)\|^2

with :math:`w(\lambda) = \Phi^\top \lambda`, or its positive part where :math:`w \ge 0` is asked for.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin import _native

__all__ = ["CuttingPlaneModel"]

Array = npt.NDArray[np.float64]


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

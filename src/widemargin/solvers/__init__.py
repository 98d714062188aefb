"""Convex solvers that return a certificate with their solution; arrays in, `SolverResult` out."""

from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space

__all__ = ["SolverResult", "Space"]

"""Solutions of the nearly-isotonic SVM for a grid of both penalties."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from widemargin.blas import blas_threads
from widemargin.events._problem import ShotProblem, ShotSolution
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.grid_search import axis_values
from widemargin.proximal import ShotPenalty

__all__ = ["PAPER_ALPHAS", "RegularizationPath", "regularization_path", "solve_grid"]

Array = npt.NDArray[np.float64]

PAPER_ALPHAS = tuple(float(alpha) for alpha in 10.0 ** np.arange(-4, 5))
"""The paper's nine values of both weights, 1e-4 to 1e4."""


@dataclass(frozen=True)
class RegularizationPath:
    """Solutions on a grid of `isotonic_alpha` (first axis) and `alpha` (second axis).

    Parameters
    ----------
    isotonic_alphas : ndarray of shape (n_isotonic_alphas,)
        Weights of the penalty of the order.
    alphas : ndarray of shape (n_alphas,)
        Weights of the other penalty.
    coefs : ndarray of shape (n_isotonic_alphas, n_alphas, ...)
        ``coef_`` of each solution.
    intercepts : ndarray of shape (n_isotonic_alphas, n_alphas, 1 or n_classes)
        ``intercept_`` of each.
    objectives, stationarities : ndarray of shape (n_isotonic_alphas, n_alphas)
        ``objective_`` and ``stationarity_`` of each.
    n_iters : ndarray of int of shape (n_isotonic_alphas, n_alphas)
        ``n_iter_`` of each.
    """

    isotonic_alphas: Array
    alphas: Array
    coefs: Array = field(repr=False)
    intercepts: Array = field(repr=False)
    objectives: Array = field(repr=False)
    stationarities: Array = field(repr=False)
    n_iters: npt.NDArray[np.int64] = field(repr=False)


def regularization_path(
    X: Any,
    y: Any,
    isotonic_alphas: Sequence[float] = PAPER_ALPHAS,
    alphas: Sequence[float] = PAPER_ALPHAS,
    *,
    saliency: Any = None,
    sample_weight: Any = None,
    estimator: NearlyIsotonicSVC | None = None,
) -> RegularizationPath:
    """Solve the nearly-isotonic SVM for every pair of penalties, sharing all that does not depend on them.

    Videos are read, ordered and, where the Gram space allows it, multiplied with each other once. Each solution starts
    from that of the next larger `alpha`. The penalty of the order is not convex, so that another start can lead to
    another stationary point: ``fit`` at one pair, which starts from ``init``, need not give the same weights.

    Parameters
    ----------
    X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
        Training videos.
    y : array-like of shape (n_videos,)
        Labels.
    isotonic_alphas, alphas : sequence of float, default=(1e-4, 1e-3, ..., 1e4)
        Weights of the penalties, each >= 0; the default is the paper's grid.
    saliency, sample_weight : array-like, default=None
        As in :meth:`NearlyIsotonicSVC.fit`.
    estimator : NearlyIsotonicSVC, default=None
        All other parameters; None: their defaults. `init`, `warm_start` and both alphas of it are not used.

    Returns
    -------
    RegularizationPath
        The solutions. Their `coefs` take the memory of n_isotonic_alphas * n_alphas arrays of weights.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of its range or an argument does not fit.

    Warns
    -----
    ConvergenceWarning
        If solutions miss the estimator's `tol`.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events import regularization_path
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 50)
    >>> X = rng.normal(size=(100, 4, 3)) + 0.5 * y[:, None, None]
    >>> path = regularization_path(X, y, [0.0, 1.0], [0.1, 1.0])
    >>> path.coefs.shape
    (2, 2, 4, 3)
    >>> bool(path.objectives[0, 0] < path.objectives[1, 1])
    True
    """
    isotonic = axis_values("isotonic_alpha", isotonic_alphas, at_least=0)
    other = axis_values("alpha", alphas, at_least=0)
    if not isinstance(estimator, NearlyIsotonicSVC | None):
        raise TypeError(
            f"estimator must be a NearlyIsotonicSVC or None, got {type(estimator).__name__}: pass one with the "
            "parameters that all solutions share."
        )
    model = NearlyIsotonicSVC() if estimator is None else clone(estimator)
    model._check_parameters()
    samples = model._read_samples(X, y, saliency, sample_weight)
    weight = model._loss_weight(samples, samples.sample_weight)
    pairs = samples.pair_weights(weight)
    shape = (len(isotonic), len(other))
    objectives, stationarities = np.empty(shape), np.empty(shape)
    n_iters = np.empty(shape, dtype=np.int64)
    with blas_threads(samples.X.size * samples.X.shape[0]):
        problem = model._shared_problem(samples, weight)
        n_scores, *per_score = problem.data.shape
        coefs = np.empty((*shape, *((n_scores,) if n_scores > 1 else ()), *per_score))
        intercepts = np.empty((*shape, n_scores))
        for place, penalty, solution in solve_grid(model, problem, pairs, isotonic, other):
            model._set_solution(solution, penalty)
            coefs[place] = model.coef_
            intercepts[place] = model.intercept_
            objectives[place], stationarities[place] = model.objective_, model.stationarity_
            n_iters[place] = model.n_iter_
    missed = int((stationarities > model.tol).sum())
    if missed:
        warnings.warn(
            f"{missed} of {stationarities.size} solutions missed tol={model.tol:g}: raise max_iter or tol, or leave "
            "out the smallest alphas.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return RegularizationPath(
        np.array(isotonic), np.array(other), coefs, intercepts, objectives, stationarities, n_iters
    )


def solve_grid(
    model: NearlyIsotonicSVC,
    problem: ShotProblem,
    pairs: Array | None,
    isotonic_alphas: Sequence[float],
    alphas: Sequence[float],
) -> Iterator[tuple[tuple[int, int], ShotPenalty, ShotSolution]]:
    """Yield place on the grid, penalty and solution of every pair of penalties, from large `alphas` to small ones."""
    descending = sorted(range(len(alphas)), key=lambda column: -alphas[column])
    for row, isotonic_alpha in enumerate(isotonic_alphas):
        solution: ShotSolution | None = None
        for column in descending:
            penalty = model._penalty(isotonic_alpha, alphas[column], pairs)
            solution = problem.solve(penalty, solution, tol=model.tol, max_iter=model.max_iter)
            yield (row, column), penalty, solution

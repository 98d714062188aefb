"""Penalised Plackett-Luce scores of ranked items, by Newton's method.

Minimises over one score s_i an item, with the steps g of every ranking r, the group G picked in a step and the
items R still on the table before it,

    sum_r sum_g ( |G| log sum_{j in R} exp(s_j) - sum_{i in G} s_i ) + alpha / 2 ||s||^2 .

The items on the table only become fewer, so sums over R are suffix sums along the ranking, and the sums over the
steps that saw an item are prefix sums: a ranking of L items costs O(L) for the objective and the gradient, O(L^2)
for its block of the Hessian.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from widemargin.blas import blas_threads

__all__ = ["Minimum", "Ranking", "minimise"]

FloatArray = npt.NDArray[np.float64]
IndexArray = npt.NDArray[np.intp]

# Differences of the objective below this part of it are rounding.
_ROUNDING = 1e-12
_LOG_SMALLEST = -700.0


class Ranking(NamedTuple):
    """A ranking as the steps of choosing the easiest of what is left."""

    items: IndexArray  # (length,) indices of the items, easiest first
    steps: IndexArray  # (length,) step in which each is picked
    starts: IndexArray  # (n_steps,) position of each step's first item in `items`
    sizes: IndexArray  # (n_steps,) number of items picked in each step
    n_people: int  # how many people gave this ranking

    @classmethod
    def from_groups(cls, groups: Sequence[Sequence[int]], n_people: int) -> Ranking:
        """Make a ranking from its groups of tied items, the easiest group first."""
        sizes = np.array([len(group) for group in groups])
        return cls(
            items=np.array([item for group in groups for item in group]),
            steps=np.repeat(np.arange(sizes.size), sizes),
            starts=np.cumsum(sizes) - sizes,
            sizes=sizes,
            n_people=n_people,
        )


class Minimum(NamedTuple):
    """The scores found, and how exactly."""

    scores: FloatArray
    objective: float
    error_bound: float  # on the Euclidean distance of the scores from the exact minimiser
    n_iter: int


def minimise(
    rankings: Sequence[Ranking], n_items: int, *, alpha: float, tol: float, max_iter: int
) -> Minimum:
    """Take Newton steps from zero until the scores are known to `tol`, or no step makes them better known.

    The objective is strongly convex with modulus `alpha`, so the norm of its gradient divided by `alpha` bounds
    the distance to the minimiser.

    Raises
    ------
    ValueError
        If `alpha` vanishes beside the curvature of the rankings in double precision.
    """
    with blas_threads(n_items**3 / 3):
        return _newton(rankings, n_items, alpha, tol, max_iter)


def _newton(rankings: Sequence[Ranking], n_items: int, alpha: float, tol: float, max_iter: int) -> Minimum:
    scores = np.zeros(n_items)
    objective = _objective(scores, rankings, alpha)
    gradient, hessian = _derivatives(scores, rankings, alpha)
    error_bound = float(np.linalg.norm(gradient)) / alpha
    n_iter = 0
    while error_bound > tol and n_iter < max_iter:
        step = _newton_step(gradient, hessian, alpha)
        slope = float(gradient @ step)
        trial, trial_objective = _line_search(scores, step, slope, objective, rankings, alpha)
        gradient, hessian = _derivatives(trial, rankings, alpha)
        trial_bound = float(np.linalg.norm(gradient)) / alpha
        n_iter += 1
        if trial_bound >= error_bound and -slope <= _ROUNDING * max(1.0, abs(objective)):
            break
        scores, objective, error_bound = trial, trial_objective, trial_bound
    return Minimum(scores, objective, error_bound, n_iter)


def _objective(scores: FloatArray, rankings: Sequence[Ranking], alpha: float) -> float:
    total = alpha / 2 * float(scores @ scores)
    for ranking in rankings:
        utility = scores[ranking.items]
        picked = float(ranking.sizes @ _log_totals(utility, ranking))
        total += ranking.n_people * (picked - float(utility.sum()))
    return total


def _derivatives(
    scores: FloatArray, rankings: Sequence[Ranking], alpha: float
) -> tuple[FloatArray, FloatArray]:
    """Gradient and Hessian."""
    gradient = alpha * scores
    hessian = np.diag(np.full(scores.size, alpha))
    for ranking in rankings:
        utility = scores[ranking.items]
        log_totals = _log_totals(utility, ranking)
        log_sizes = np.log(ranking.sizes)
        # Logarithms throughout: scores may differ by more than the exponential function can take.
        once = np.logaddexp.accumulate(log_sizes - log_totals)[ranking.steps]
        twice = np.logaddexp.accumulate(log_sizes - 2 * log_totals)[ranking.steps]
        # How often each item is picked on average, and the sum over the steps of both being picked. A step
        # sees both items if it sees the one that was picked first.
        expected = np.exp(utility + once)
        position = np.arange(utility.size)
        both = twice[np.minimum.outer(position, position)]
        both += utility[:, None]
        both += utility
        # The exponential function takes four times as long where it underflows.
        np.maximum(both, _LOG_SMALLEST, out=both)
        np.exp(both, out=both)
        gradient[ranking.items] += ranking.n_people * (expected - 1)
        hessian[ranking.items, ranking.items] += ranking.n_people * expected
        hessian[np.ix_(ranking.items, ranking.items)] -= ranking.n_people * both
    return gradient, hessian


def _log_totals(utility: FloatArray, ranking: Ranking) -> FloatArray:
    """Logarithm of the summed exponentials of what is on the table, before each step."""
    return np.logaddexp.accumulate(utility[::-1])[::-1][ranking.starts]


def _newton_step(gradient: FloatArray, hessian: FloatArray, alpha: float) -> FloatArray:
    # Without the penalty the Hessian is singular: a common shift of linked items changes nothing.
    if alpha > np.finfo(np.float64).eps * hessian.diagonal().max():
        try:
            return -cho_solve(cho_factor(hessian), gradient)
        except LinAlgError:
            pass
    raise ValueError(
        f"alpha must be large enough to matter in double precision beside the rankings, got {alpha!r}: pass a "
        "larger one, such as the default 0.001."
    )


def _line_search(
    scores: FloatArray,
    step: FloatArray,
    slope: float,
    objective: float,
    rankings: Sequence[Ranking],
    alpha: float,
) -> tuple[FloatArray, float]:
    """Halve the Newton step until the objective falls by a part of what its slope promises."""
    length = 1.0
    while True:
        trial = scores + length * step
        value = _objective(trial, rankings, alpha)
        # Close to the minimum the fall is below rounding: accept what does not rise beyond it.
        if value <= objective + 1e-4 * length * slope + _ROUNDING * max(1.0, abs(objective)):
            return trial, value
        length /= 2

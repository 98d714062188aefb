"""Grids of penalties and their scores in the layout of scikit-learn's searches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from widemargin.validation import check_number

__all__ = [
    "Point",
    "axis_values",
    "check_refit",
    "check_single_score",
    "chosen_index",
    "grid_points",
    "search_results",
]

Array = npt.NDArray[np.float64]
Point = dict[str, float]


def axis_values(
    name: str, values: Any, *, above: float | None = None, at_least: float | None = None
) -> list[float]:
    """Return the values of one parameter of a grid, each within its bound.

    Raises
    ------
    ValueError, TypeError
        If they are no flat list with at least one value, or one misses the bound.
    """
    axis = np.asarray(values, dtype=object)
    if axis.ndim != 1:
        raise ValueError(
            f"the grid of {name} must be a list of values, got {values!r}: pass [{values!r}] to try one."
            if axis.ndim == 0
            else f"the grid of {name} must be a flat list of values, got shape {axis.shape}: pass numbers alone."
        )
    if not axis.size:
        raise ValueError(f"the grid of {name} is empty: pass at least one value to try.")
    return [check_number(f"a value of {name}", value, above=above, at_least=at_least) for value in axis]


def grid_points(
    axes: dict[str, Any], *, above: float | None = None, at_least: float | None = None
) -> list[Point]:
    """Return every combination of the values, in the order of scikit-learn's ParameterGrid."""
    names = sorted(axes)
    values = [axis_values(name, axes[name], above=above, at_least=at_least) for name in names]
    return [dict(zip(names, point, strict=True)) for point in product(*values)]


def check_refit(refit: Any) -> None:
    """Raise ValueError unless the best point is to be trained, by the highest score or a function."""
    if refit is not True and not callable(refit):
        raise ValueError(
            f"refit must be True or a function of cv_results_, got {refit!r}: the best point is always trained."
        )


def check_single_score(scoring: Any) -> None:
    """Raise ValueError unless the best point is to be chosen by one score: a name, a function, or None."""
    if scoring is not None and not (isinstance(scoring, str) or callable(scoring)):
        raise ValueError(
            f"scoring must be the name of one score, or one scorer, got {scoring!r}: the best point is chosen by a "
            "single score."
        )


def search_results(grid: Sequence[Point], scores: Array) -> dict[str, Any]:
    """Return the results of a search in the layout of scikit-learn's.

    Parameters
    ----------
    grid : sequence of dict
        The points.
    scores : ndarray of shape (n_points, n_folds)
        Their scores.

    Returns
    -------
    dict of ndarray
        Parameters, scores of each fold, their mean, deviation and rank.
    """
    results: dict[str, Any] = {
        f"param_{name}": np.ma.MaskedArray([point[name] for point in grid]) for name in grid[0]
    }
    results["params"] = list(grid)
    for k, column in enumerate(scores.T):
        results[f"split{k}_test_score"] = column
    results["mean_test_score"] = scores.mean(axis=1)
    results["std_test_score"] = scores.std(axis=1)
    # A score that is undefined ranks last, as in scikit-learn.
    mean = np.nan_to_num(results["mean_test_score"], nan=-np.inf)
    results["rank_test_score"] = rankdata(-mean, method="min").astype(np.int32)
    return results


def chosen_index(refit: Any, results: dict[str, Any]) -> int:
    """Return the place of the best point: the first of rank 1, or what the function `refit` says.

    Raises
    ------
    ValueError
        If a function returns no place in the results.
    """
    n_points = len(results["params"])
    chosen = refit(results) if callable(refit) else int(results["rank_test_score"].argmin())
    if not isinstance(chosen, int | np.integer) or not 0 <= chosen < n_points:
        raise ValueError(
            f"refit returned {chosen!r} for {n_points} grid points: it must return a place in cv_results_."
        )
    return int(chosen)

"""What competes in an experiment on ranking: an estimator with the settings that are tried for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from widemargin.experiments.accuracy import Measure

__all__ = ["PARTIAL_AUC", "Contender", "list_values", "options", "range_words", "scores_at"]

FloatArray = npt.NDArray[np.float64]
Range = tuple[float, float]

PARTIAL_AUC = Measure("pauc", "partial AUC")
"""The area under the ROC curve in a range of false positive rates, divided by the width of the range."""


@dataclass(frozen=True, eq=False)
class Contender:
    """A method with everything that is tried for it.

    Parameters
    ----------
    key : str
        Start of the names of its columns in a results table.
    name : str
        What readers call it.
    estimator : classifier or None
        What is cloned and trained; None if it needs a package that is not installed, so that its columns stay empty.
    grid : sequence of mapping of str to value, default=({},)
        Settings of the estimator, of which validation chooses one; of equal ones the first.
    note : str, default=""
        A few words in small print below its name.
    ranged : bool, default=True
        Whether it has the parameter ``fpr_range``, and is trained for the range in which it is judged unless the grid
        has another one.
    staged : bool, default=True
        Whether its first trees are what a smaller ensemble would have, so that one training serves all sizes.
    reference : bool, default=False
        Whether it is shown for reference only and never competes.
    """

    key: str
    name: str
    estimator: Any
    grid: Sequence[Mapping[str, Any]] = ({},)
    note: str = ""
    ranged: bool = True
    staged: bool = True
    reference: bool = False

    def values(self, choice: int) -> dict[str, str]:
        """Print the settings that can be chosen.

        Parameters
        ----------
        choice : int
            Place in the grid.

        Returns
        -------
        dict of str to str
            Value by parameter. A range that some settings leave to the judgement is "as judged".
        """
        values = {name: _value(value) for name, value in self.grid[choice].items()}
        if any("fpr_range" in other for other in self.grid):
            values.setdefault("fpr_range", "as judged")
        return values

    def words(self, choice: int) -> str:
        """Print the settings that can be chosen, as one text.

        Parameters
        ----------
        choice : int
            Place in the grid.

        Returns
        -------
        str
            Parameters and values, or nothing if there is nothing to choose.
        """
        return ", ".join(f"{name} {value}" for name, value in self.values(choice).items())

    def make(self, choice: int, seed: int, fpr_range: Range, n_trees: int | None = None) -> Any:
        """Make an untrained estimator.

        Parameters
        ----------
        choice : int
            Place in the grid.
        seed : int
            Its `random_state`, if it has one.
        fpr_range : tuple of (float, float)
            The range to train for, if it trains for one.
        n_trees : int or None, default=None
            Number of trees, if it is not `staged`.

        Returns
        -------
        classifier
            A clone with these settings.
        """
        model = clone(self.estimator)
        given: dict[str, Any] = {"random_state": seed}
        if self.ranged:
            given["fpr_range"] = fpr_range
        if not self.staged:
            given["n_estimators"] = n_trees
        known = model.get_params()
        return model.set_params(
            **{name: value for name, value in given.items() if name in known} | dict(self.grid[choice])
        )


def options(**values: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Return all combinations of the values of some parameters.

    Parameters
    ----------
    **values : sequence
        Values of each parameter.

    Returns
    -------
    tuple of dict
        The combinations, the last parameter changing fastest.

    Examples
    --------
    >>> options(nu=[0.1, 1.0], max_depth=[2])
    ({'nu': 0.1, 'max_depth': 2}, {'nu': 1.0, 'max_depth': 2})
    """
    return tuple(dict(zip(values, combination, strict=True)) for combination in product(*values.values()))


def list_values(contenders: Sequence[Contender]) -> str:
    """Say for a protocol what is tried for every contender.

    Parameters
    ----------
    contenders : sequence of Contender
        The contenders; those with nothing to choose are left out.

    Returns
    -------
    str
        Names, parameters and values.
    """
    parts = []
    for contender in contenders:
        if len(contender.grid) > 1:
            tried: dict[str, dict[str, None]] = {}
            for choice in range(len(contender.grid)):
                for name, value in contender.values(choice).items():
                    tried.setdefault(name, {})[value] = None
            values = "; ".join(f"{name} {', '.join(texts)}" for name, texts in tried.items())
            parts.append(f"{contender.name} ({len(contender.grid)} settings): {values}")
    return ". ".join(parts)


def range_words(fpr_range: Range) -> str:
    """Print a range of false positive rates.

    Parameters
    ----------
    fpr_range : tuple of (float, float)
        The range.

    Returns
    -------
    str
        As it stands in texts.

    Examples
    --------
    >>> range_words((0.0, 0.1))
    '(0, 0.1)'
    """
    return f"({fpr_range[0]:g}, {fpr_range[1]:g})"


def scores_at(model: Any, X: FloatArray, sizes: Sequence[int | None]) -> list[FloatArray]:
    """Return the scores of samples by the first trees of an ensemble.

    Parameters
    ----------
    model : classifier
        A trained ensemble of ours, of scikit-learn or LightGBM, or any other classifier if no size is asked for.
    X : ndarray of shape (n_samples, n_features)
        The samples.
    sizes : sequence of int or None
        Numbers of trees; None for all there are, and for what is no ensemble. An ensemble that stopped with fewer
        trees is taken as it is.

    Returns
    -------
    list of ndarray of shape (n_samples,)
        Scores, one array a size.
    """
    if hasattr(model, "booster_"):
        return [model.booster_.predict(X, raw_score=True, num_iteration=size or -1) for size in sizes]
    if all(size is None for size in sizes):
        return [model.decision_function(X)] * len(sizes)
    wanted = {size for size in sizes if size is not None}
    found: dict[int, FloatArray] = {}
    scores = np.zeros(len(X))
    n_trees = 0
    for n_trees, scores in enumerate(model.staged_decision_function(X), start=1):
        if n_trees in wanted:
            found[n_trees] = np.array(scores)
    return [found.get(size or n_trees, np.array(scores)) for size in sizes]


def _value(value: Any) -> str:
    """Print a value of a parameter."""
    if isinstance(value, dict):
        return " : ".join(f"{weight:g}" for weight in value.values())
    if isinstance(value, tuple):
        return range_words(value)
    return f"{value:g}" if isinstance(value, int | float) else str(value)

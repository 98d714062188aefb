"""The difference to the plain SVM on every fold, with its mean and interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from widemargin.experiments.experiment import Drawing, Row
from widemargin.experiments.own_data_answer import Answers, has_interval, interval_in_words, percent
from widemargin.experiments.own_data_methods import METHODS
from widemargin.experiments.summary import signed
from widemargin.plots.style import BETTER, NEUTRAL, WORSE, tidy

__all__ = ["draw_differences_by_fold"]

FloatArray = npt.NDArray[np.float64]

_STEP = 0.06
_WIDEST = 0.3


def draw_differences_by_fold(rows: Sequence[Row], unit: str) -> Drawing:
    """Draw one point for every fold and method, and the mean with its interval below.

    Parameters
    ----------
    rows : sequence of Row
        One row a fold.
    unit : str
        What the scores are, such as "accuracy".

    Returns
    -------
    Drawing
        The figure.
    """
    answers = Answers.from_rows(rows)
    figure = Figure(figsize=(7.0, 3.2), layout="constrained")
    ax = figure.subplots()
    ax.axvline(0, color=NEUTRAL, linewidth=1)
    baseline = percent(rows, METHODS[0].key)
    names, descriptions = [], []
    for place, answer in enumerate(answers.competitors):
        difference = percent(rows, answer.method.key) - baseline
        ax.scatter(
            difference,
            place - 0.08 - _stacked(difference),
            s=18,
            color=[BETTER if d > 0 else WORSE if d < 0 else NEUTRAL for d in difference],
            label="_folds",
        )
        if answer.collapsed:
            names.append(f"{answer.method.name}\n(learned nothing)")
            descriptions.append(f"{answer.method.name} learned nothing: its optimum is w = 0.")
            continue
        names.append(answer.method.name)
        interval = answer.interval
        if has_interval(interval):
            ax.plot([interval.low, interval.high], [place + 0.15] * 2, color="black", linewidth=1.5)
        ax.plot(interval.mean_difference, place + 0.15, "D", color="black", markersize=6)
        descriptions.append(
            f"{answer.method.name}: better on {(difference > 0).sum()} of {difference.size} folds, equal on "
            f"{(difference == 0).sum()}, worse on {(difference < 0).sum()}; mean "
            f"{signed(interval.mean_difference, 1)} ({interval_in_words(interval)})."
        )
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(answers.competitors) - 0.6, -0.6)
    ax.set_xlabel(f"{unit} minus that of the plain SVM on the same fold, percentage points")
    ax.grid(axis="x", alpha=0.3)
    ax.set_axisbelow(True)
    tidy(ax)
    return Drawing(
        name="differences-by-fold",
        title="Better or worse than the plain SVM, fold by fold",
        caption=(
            "One point a fold: to the right of zero the method was better than the plain SVM on the same test samples. "
            "Diamond and line: mean and its interval, corrected for the overlap of the folds, 95 % for both methods "
            "together. Only a line that leaves out zero can be a verdict; without a line there are too few folds, or "
            "all differences are the same."
        ),
        alt="Strip plot of differences. " + " ".join(descriptions),
        figure=figure,
    )


def _stacked(values: FloatArray) -> FloatArray:
    """Return how far up each point moves, so that equal ones do not hide each other."""
    heights = np.zeros(values.size)
    for value in np.unique(values.round(6)):
        same = np.flatnonzero(values.round(6) == value)
        step = min(_STEP, _WIDEST / same.size)
        heights[same] = step * np.arange(same.size)
    return heights

"""Figures of competitions: partial AUC by number of trees, and differences to others with their errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.experiment import Drawing
from widemargin.experiments.ranking.results import standings
from widemargin.plots.style import NEUTRAL, tidy

__all__ = ["draw_differences", "draw_growth"]

_LOOKS = ("o-", "s--", "^:", "D-", "v--", "P:")
_MARKERS = "osD^vP"


def draw_growth(
    studies: Mapping[str, AccuracyStudy], sizes: Sequence[int], emphasis: str, measure: str
) -> Drawing:
    """Draw the partial AUC of every method against the number of trees.

    Parameters
    ----------
    studies : mapping of str to AccuracyStudy
        By the name of a data set, one task for each number of trees.
    sizes : sequence of int
        The numbers of trees, increasing.
    emphasis : str
        Key of the method that is drawn in front.
    measure : str
        Label of the vertical axis, with unit.

    Returns
    -------
    Drawing
        One panel a data set.
    """
    figure = Figure(figsize=(0.8 + 3.2 * len(studies), 4.0), layout="constrained")
    panels = np.atleast_1d(figure.subplots(1, len(studies), squeeze=False)[0])
    texts = []
    for ax, (name, study) in zip(panels, studies.items(), strict=True):
        for place, method in enumerate(study.methods):
            means = study.means(method.key)
            errors = [comparison.standard_error[0, place] for comparison in study.comparisons.values()]
            ax.errorbar(
                sizes,
                means,
                np.nan_to_num(errors),
                fmt=_LOOKS[place % len(_LOOKS)],
                label=method.name,
                linewidth=2.2 if method.key == emphasis else 1.2,
                markersize=4.5,
                capsize=2,
                zorder=3 if method.key == emphasis else 2,
            )
        ends = ", ".join(f"{m.name} {study.means(m.key)[-1]:.1f} %" for m in study.methods)
        texts.append(f"{name}, {sizes[-1]} trees: {ends}")
        ax.set_xscale("log")
        ax.set_xticks(sizes, [str(size) for size in sizes])
        ax.minorticks_off()
        ax.set_title(name, fontsize=10)
        ax.set_xlabel("trees (logarithmic)")
        ax.grid(alpha=0.3)
        tidy(ax)
    panels[0].set_ylabel(measure)
    panels[-1].legend(fontsize=8, frameon=False, loc="lower right")
    return Drawing(
        "growth",
        "Partial AUC by number of trees",
        "Mean over the repeats; bars are one standard error to each side where there is more than one repeat.",
        f"Lines that rise with the number of trees. {'; '.join(texts)}.",
        figure,
    )


def draw_differences(
    study: AccuracyStudy, first: str, others: Sequence[str], *, name: str = "differences"
) -> Drawing:
    """Draw how far one method is ahead of others on every task.

    Parameters
    ----------
    study : AccuracyStudy
        The partial AUC.
    first : str
        Key of the method.
    others : sequence of str
        Keys of those it is compared with.
    name : str, default="differences"
        Name of the figure's files.

    Returns
    -------
    Drawing
        One row a task, one marker a method.
    """
    names = {method.key: method.name for method in study.methods}
    figure = Figure(figsize=(7.6, 1.5 + 0.2 * len(study.tasks) * (len(others) + 0.6)), layout="constrained")
    ax: Axes = figure.subplots()
    ax.axvline(0, color=NEUTRAL, linewidth=1)
    rows = np.arange(len(study.tasks), dtype=float)
    step = 0.8 / len(others)
    texts = []
    for place, other in enumerate(others):
        found = standings(study, first, other)
        ax.errorbar(
            [standing.difference for standing in found],
            rows + (place - (len(others) - 1) / 2) * step,
            xerr=np.nan_to_num([standing.error for standing in found]),
            fmt=_MARKERS[place % len(_MARKERS)],
            markersize=5,
            capsize=2,
            label=f"minus {names[other]}",
        )
        texts.append(
            f"minus {names[other]}: " + ", ".join(f"{standing.task} {standing.words}" for standing in found)
        )
    for boundary in rows[:-1] + 0.5:
        ax.axhline(boundary, color=NEUTRAL, linewidth=0.4, alpha=0.5)
    ax.set_yticks(rows, study.tasks)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xlabel(f"{names[first]} minus another method,\npercentage points of the partial AUC")
    ax.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    ax.grid(axis="x", alpha=0.3)
    tidy(ax)
    return Drawing(
        name,
        f"{names[first]} against the others",
        "Right of zero it is ahead. Mean over the repeats; bars are one standard error of the paired difference to "
        "each side where there is more than one repeat.",
        f"Differences of {names[first]} in points, {'; '.join(texts)}.",
        figure,
    )

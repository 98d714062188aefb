"""The figure of the experiments on choices of the system: one small panel for each choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from widemargin.experiments.experiment import Drawing, Row
from widemargin.plots.style import tidy

__all__ = ["draw_choices"]

_COLUMNS = 3
_MARKERS = "osD^"


def draw_choices(groups: Mapping[str, Mapping[str, Sequence[Row]]], measures: Mapping[str, str]) -> Drawing:
    """Draw every measure for every way to choose.

    Parameters
    ----------
    groups : mapping of str to mapping of str to sequence of Row
        Rows of the repeats by what is chosen and by the choice, the first of which is the system as built.
    measures : mapping of str to str
        What readers call each column of the rows, which are fractions.

    Returns
    -------
    Drawing
        One panel a group.
    """
    n_rows = -(-len(groups) // _COLUMNS)
    figure = Figure(figsize=(10.4, 0.7 + 2.7 * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, _COLUMNS, sharey=True, squeeze=False).ravel()
    texts = []
    for ax, (group, choices) in zip(axes, groups.items(), strict=False):
        places = np.arange(len(choices))
        for number, (measure, words) in enumerate(measures.items()):
            tables = [np.array([100 * float(row[measure]) for row in rows]) for rows in choices.values()]
            means = np.array([table.mean() for table in tables])
            errors = [table.std(ddof=1) / np.sqrt(table.size) if table.size > 1 else 0.0 for table in tables]
            # Beside each other, so that they do not hide each other.
            shift = 0.12 * (number - (len(measures) - 1) / 2)
            ax.errorbar(
                places + shift, means, errors, fmt=_MARKERS[number % 4], label=words, markersize=5, capsize=2
            )
            listed = ", ".join(f"{label} {mean:.1f}" for label, mean in zip(choices, means, strict=True))
            texts.append(f"{group}, {words}: {listed}")
        ax.set_title(group, fontsize=10)
        ax.set_xticks(places, [label.replace(" ", "\n", 1) for label in choices], fontsize=8)
        ax.set_xlim(-0.5, len(choices) - 0.5)
        ax.grid(axis="y", alpha=0.3)
        tidy(ax)
    for ax in axes[len(groups) :]:
        ax.set_visible(False)
    for ax in axes[::_COLUMNS]:
        ax.set_ylabel("%")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return Drawing(
        "choices",
        "What every choice changes",
        "Mean over events and repeats, with one standard error over the repeats to each side where there is more than "
        "one. Every panel starts with the system as built and changes one choice.",
        f"Points in percent. {'; '.join(texts)}.",
        figure,
    )

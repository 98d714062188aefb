"""Colours, axes and the way of drawing text, shared by the displays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.transforms import ScaledTranslation

__all__ = [
    "BETTER",
    "LITERAL",
    "NEUTRAL",
    "TIE",
    "WORSE",
    "at_least_one_point",
    "color_of",
    "legend_below",
    "own_axes",
    "tidy",
]

# Sky blue and vermilion of Okabe and Ito's palette: told apart with any common form of colour blindness,
# of different lightness for print without colour, and light enough for black error bars on top.
BETTER = "#56B4E9"
WORSE = "#D55E00"
NEUTRAL = "#595959"

# Smaller differences of accuracies are ties: rounding error, far below one test sample.
TIE = 1e-9

# Properties of every text with a name from outside: "C=$1" is drawn as it stands, not parsed as mathematics.
LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}


def own_axes(ax: Axes | None, size: tuple[float, float]) -> tuple[Figure | SubFigure, Axes]:
    """Return the given axes with their figure, or new ones.

    Parameters
    ----------
    ax : matplotlib Axes or None
        Axes to draw on.
    size : tuple of (float, float)
        Width and height of the new figure, in inches.

    Returns
    -------
    figure : matplotlib Figure or SubFigure
        The figure that holds `ax`.
    ax : matplotlib Axes
        The axes to draw on.
    """
    if ax is not None:
        return ax.figure, ax
    return plt.subplots(figsize=size, layout="constrained")


def color_of(difference: float) -> str:
    """Return the colour of a difference: better, worse, or neither if it is a tie.

    Parameters
    ----------
    difference : float
        A difference of accuracies.

    Returns
    -------
    str
        The colour.
    """
    return NEUTRAL if abs(difference) <= TIE else BETTER if difference > 0 else WORSE


def at_least_one_point(limits: tuple[float, float]) -> tuple[float, float]:
    """Widen a narrow axis of differences to one percentage point on each side of zero.

    Otherwise an axis on which all differences are ties is as wide as rounding errors, and a difference of a tenth of a
    point looks large.

    Parameters
    ----------
    limits : tuple of (float, float)
        Ends of the axis in percentage points.

    Returns
    -------
    tuple of (float, float)
        The same ends if they are at least two points apart; else ends that reach at least from -1 to 1.
    """
    low, high = limits
    return limits if high - low >= 2 else (min(low, -1.0), max(high, 1.0))


def legend_below(ax: Axes, handles: Sequence[Artist] | None = None, *, columns: int = 2) -> None:
    """Put the legend under the label of the horizontal axis, where it covers no data, its labels literal.

    Parameters
    ----------
    ax : matplotlib Axes
        Axes with a label on the horizontal axis.
    handles : sequence of matplotlib Artist, default=None
        Entries of the legend; None takes the labelled artists of `ax`.
    columns : int, default=2
        Columns of the legend; one has room for long labels.
    """
    entries = ax.get_legend_handles_labels()[0] if handles is None else handles
    # Inches: tick labels and axis label.
    drop = ScaledTranslation(0, -0.5 - 0.16 * ax.get_xlabel().count("\n"), ax.figure.dpi_scale_trans)
    legend = ax.legend(
        handles=entries,
        # Matplotlib leaves out labels that start with an underscore: the texts are set afterwards.
        labels=["entry"] * len(entries),
        loc="upper center",
        bbox_to_anchor=(0.5, 0),
        bbox_transform=ax.transAxes + drop,
        ncols=columns,
        fontsize=8,
        frameon=False,
    )
    for text, entry in zip(legend.get_texts(), entries, strict=True):
        text.set(text=entry.get_label(), **LITERAL)


def tidy(ax: Axes) -> None:
    """Take away the frame that carries no information.

    Parameters
    ----------
    ax : matplotlib Axes
        Axes whose top and right spines are hidden.
    """
    ax.spines[["top", "right"]].set_visible(False)

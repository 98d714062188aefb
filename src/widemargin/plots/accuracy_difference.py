"""How much more accurate is one method than another: one bar a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from widemargin.metrics import paired_wilcoxon
from widemargin.metrics.inputs import check_level, real_array
from widemargin.plots.inputs import check_names, check_significant, check_standard_error
from widemargin.plots.style import (
    BETTER,
    LITERAL,
    NEUTRAL,
    TIE,
    WORSE,
    at_least_one_point,
    color_of,
    legend_below,
    own_axes,
    tidy,
)

__all__ = ["AccuracyDifferenceDisplay"]

_LABEL_SIZE = 10  # points; a page may show the figure at half of its size
_TITLE_LENGTH = 60  # characters that have room above bars with short labels


class AccuracyDifferenceDisplay:
    """Bars of the accuracy differences between two methods, one a task.

    Shows at one glance on how many tasks the first method wins, by how much, and where the difference is
    more than noise (the kind of Figure 2 of [1]_). Bars to the right are tasks on which the first method is
    better. Make it with :meth:`from_results` when the repeats are at hand.

    Parameters
    ----------
    difference : array-like of shape (n_tasks,)
        Mean accuracy of the first method minus that of the second, as fractions.
    standard_error : array-like of shape (n_tasks,), default=None
        Standard error of each paired difference, as a fraction, drawn as error bars, at least 0. NaN or
        None: no bar.
    significant : array-like of bool of shape (n_tasks,), default=None
        Tasks to mark with an asterisk. None marks none.
    task_names : sequence of str, default=None
        Labels of the bars; None numbers the tasks from 1. Names are drawn as they stand, ``$`` included.
    first_name, second_name : str, default="first" and "second"
        Names of the two methods.
    level : float, default=0.95
        Confidence level that the legend states for the asterisks, in (0, 1).

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes drawn on.
    figure_ : matplotlib Figure
        Figure drawn on.
    bars_ : matplotlib BarContainer
        The bars, from top to bottom.
    order_ : ndarray of int of shape (n_tasks,)
        Task of each bar, from top to bottom.

    Raises
    ------
    TypeError
        If `task_names` is a string or `level` no number.
    ValueError
        If an array is not of shape (n_tasks,), a difference is not finite, a standard error is negative, or
        `level` is outside (0, 1).

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014.

    Examples
    --------
    >>> from widemargin.plots import AccuracyDifferenceDisplay
    >>> first = [[0.84, 0.86, 0.85], [0.70, 0.71, 0.69]]
    >>> second = [[0.82, 0.83, 0.84], [0.72, 0.71, 0.70]]
    >>> display = AccuracyDifferenceDisplay.from_results(first, second, ["cat vs dog", "rat vs seal"])
    >>> display.plot().ax_.get_title()
    'first better in 1 of 2, equal in 0, worse in 1'
    """

    ax_: Axes
    figure_: Figure | SubFigure
    bars_: BarContainer
    order_: npt.NDArray[np.intp]

    def __init__(
        self,
        difference: npt.ArrayLike,
        standard_error: npt.ArrayLike | None = None,
        significant: npt.ArrayLike | None = None,
        task_names: Sequence[str] | None = None,
        *,
        first_name: str = "first",
        second_name: str = "second",
        level: float = 0.95,
    ) -> None:
        self.difference = real_array("difference", difference)
        if self.difference.ndim != 1 or not np.isfinite(self.difference).all() or not self.difference.size:
            raise ValueError(
                f"difference must be one finite number a task, got shape {self.difference.shape} with "
                f"{np.count_nonzero(~np.isfinite(self.difference))} that are not finite: "
                "leave out tasks without results."
            )
        n_tasks = self.difference.size
        self.standard_error = check_standard_error(standard_error, n_tasks)
        self.significant = check_significant(significant, n_tasks)
        names = range(1, n_tasks + 1) if task_names is None else check_names("task_names", task_names)
        if len(names) != n_tasks:
            raise ValueError(f"task_names has {len(names)} names for {n_tasks} tasks: pass one a task.")
        self.task_names = [str(name) for name in names]
        self.first_name = first_name
        self.second_name = second_name
        self.level = check_level(level)

    @classmethod
    def from_results(
        cls,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        task_names: Sequence[str] | None = None,
        *,
        first_name: str = "first",
        second_name: str = "second",
        level: float = 0.95,
    ) -> AccuracyDifferenceDisplay:
        """Make the display from the accuracies of every repeat.

        Parameters
        ----------
        first, second : array-like of shape (n_tasks, n_repeats)
            Accuracies of the two methods as fractions, paired: repeat `j` of a task has the same samples.
        task_names : sequence of str, default=None
            Labels of the tasks; None numbers them from 1.
        first_name, second_name : str, default="first" and "second"
            Names of the two methods.
        level : float, default=0.95
            Differences with a two-sided paired Wilcoxon p-value of at most ``1 - level`` are marked.

        Returns
        -------
        AccuracyDifferenceDisplay
            Ready to plot.

        Raises
        ------
        ValueError
            If the shapes differ, or a value is not finite.
        """
        first, second = real_array("first", first), real_array("second", second)
        if first.ndim != 2 or first.shape != second.shape:
            raise ValueError(
                f"first and second must share one shape (n_tasks, n_repeats), got {first.shape} and "
                f"{second.shape}: pass the same tasks and repeats for both methods."
            )
        level = check_level(level)
        tests = [paired_wilcoxon(a, b) for a, b in zip(first, second, strict=True)]
        return cls(
            [test.mean_difference for test in tests],
            [test.standard_error for test in tests],
            [test.p_value <= 1 - level for test in tests],
            task_names,
            first_name=first_name,
            second_name=second_name,
            level=level,
        )

    @staticmethod
    def figure_size(task_names: Sequence[str]) -> tuple[float, float]:
        """Return the size of a figure in which all labels and the bars have room, and no more.

        Parameters
        ----------
        task_names : sequence of str
            Labels of the bars.

        Returns
        -------
        tuple of (float, float)
            Width and height in inches. A narrow figure keeps its letters large where a page is narrow.
        """
        return 4.4 + 0.08 * max(map(len, task_names)), 1.9 + 0.22 * len(task_names)

    def plot(self, ax: Axes | None = None, *, sort: bool = True) -> AccuracyDifferenceDisplay:
        """Draw the bars.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on. None makes a figure of `figure_size`.
        sort : bool, default=True
            Largest gain on top, else the first task on top.

        Returns
        -------
        AccuracyDifferenceDisplay
            The display itself, with `ax_`, `figure_`, `bars_` and `order_`.
        """
        n_tasks = self.difference.size
        self.figure_, self.ax_ = own_axes(ax, self.figure_size(self.task_names))
        order = np.argsort(-self.difference, kind="stable") if sort else np.arange(n_tasks)
        difference = 100 * self.difference[order]
        error = 100 * self.standard_error[order]
        rows = np.arange(n_tasks)

        self.order_ = order
        self.bars_ = self.ax_.barh(rows, difference, height=0.75, color=[color_of(d) for d in difference])
        known = np.isfinite(error)
        self.ax_.errorbar(
            difference[known], rows[known], xerr=error[known], fmt="none", ecolor="black", elinewidth=0.9
        )
        self._mark_significant(difference, np.where(known, error, 0.0), rows)

        self.ax_.axvline(0, color=NEUTRAL, linewidth=0.8)
        self.ax_.set_yticks(rows, [self.task_names[task] for task in order], fontsize=_LABEL_SIZE, **LITERAL)
        self.ax_.set_ylim(n_tasks - 0.4, -0.6)
        self.ax_.margins(x=0.08)
        self.ax_.set_xlim(at_least_one_point(self.ax_.get_xlim()))
        self.ax_.set_xlabel(
            f"accuracy of {self.first_name} minus {self.second_name},\npercentage points", **LITERAL
        )
        self.ax_.set_title(self._count_sentence(), fontsize=10, **LITERAL)
        legend_below(self.ax_, self._legend_handles())
        self.ax_.grid(axis="x", alpha=0.3)
        self.ax_.set_axisbelow(True)
        tidy(self.ax_)
        return self

    def _mark_significant(
        self, difference: npt.NDArray[Any], error: npt.NDArray[Any], rows: npt.NDArray[Any]
    ) -> None:
        for row in rows[self.significant[self.order_]]:
            positive = difference[row] > 0
            self.ax_.annotate(
                "*",
                (difference[row] + (error[row] if positive else -error[row]), row),
                xytext=(4 if positive else -4, -3),
                textcoords="offset points",
                ha="left" if positive else "right",
                va="center",
                fontsize=11,
                fontweight="bold",
            )

    def _count_sentence(self) -> str:
        wins = int((self.difference > TIE).sum())
        losses = int((self.difference < -TIE).sum())
        n_tasks = self.difference.size
        better = f"{self.first_name} better in {wins} of {n_tasks},"
        others = f"equal in {n_tasks - wins - losses}, worse in {losses}"
        # Matplotlib's own wrapping takes names for mathematics.
        return f"{better} {others}" if len(better) + len(others) < _TITLE_LENGTH else f"{better}\n{others}"

    def _legend_handles(self) -> list[Patch | Line2D]:
        handles: list[Patch | Line2D] = [
            Patch(color=BETTER, label=f"{self.first_name} better"),
            Patch(color=WORSE, label=f"{self.second_name} better"),
        ]
        if np.isfinite(self.standard_error).any():
            handles.append(Line2D([], [], color="black", linewidth=0.9, label="± standard error"))
        if self.significant.any():
            label = f"significant, paired Wilcoxon at {100 * self.level:g} %"
            handles.append(
                Line2D([], [], color="black", linestyle="none", marker="$*$", markersize=7, label=label)
            )
        return handles

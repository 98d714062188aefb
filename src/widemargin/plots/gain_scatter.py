"""On which kind of task does a method gain: one point a task."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure, SubFigure

from widemargin.metrics import kendall_tau, paired_wilcoxon
from widemargin.metrics.inputs import check_level, real_array
from widemargin.plots.inputs import check_significant, check_standard_error
from widemargin.plots.style import (
    LITERAL,
    NEUTRAL,
    at_least_one_point,
    color_of,
    legend_below,
    own_axes,
    tidy,
)
from widemargin.validation import check_number

__all__ = ["TASKS_FOR_TAU", "GainScatterDisplay"]

TASKS_FOR_TAU = 8
"""Tasks from which on a rank correlation is shown: that of 8 unrelated tasks has the standard deviation 0.29, that of 3
tasks 0.64."""

FloatArray = npt.NDArray[np.float64]


class GainScatterDisplay:
    """Gain of a method on every task, against how hard the task is or how good the privileged space is.

    Puts two claims of [1]_ to the test: that the gain of Margin Transfer is larger on hard tasks, and that it
    depends on the accuracy in the privileged space (Observation 2). From 8 tasks on, the title gives Kendall's
    tau between the two axes, so that the eye does not see a trend in noise; of fewer it would say nothing. Make it
    with :meth:`from_results`.

    Parameters
    ----------
    position : array-like of shape (n_tasks,)
        What the gain is drawn against, as fractions.
    gain : array-like of shape (n_tasks,)
        Mean accuracy of the method minus that of the baseline, as fractions.
    standard_error : array-like of shape (n_tasks,), default=None
        Standard error of `gain`, as fractions, at least 0; NaN or None draws no bar.
    significant : array-like of bool of shape (n_tasks,), default=None
        Tasks drawn as filled points; the others are open. None fills none.
    threshold : float, default=None
        Splits the tasks by `position`; the mean gain of each side is drawn. None draws no split.
    position_name : str, default="accuracy of the baseline, %"
        Label of the horizontal axis, on which `position` is drawn in hundredths. Labels are drawn as they
        stand, ``$`` included.
    gain_name : str, default="gain, percentage points"
        Label of the vertical axis.
    level : float, default=0.95
        Confidence level that the legend states for the filled points, in (0, 1).

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes drawn on.
    figure_ : matplotlib Figure
        Figure drawn on.
    points_ : matplotlib PathCollection
        The points, in task order.

    Raises
    ------
    TypeError
        If `threshold` or `level` is no number.
    ValueError
        If the arrays are empty or differ in shape, a position or gain is not finite, a standard error is
        negative, or `level` is outside (0, 1).

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014.

    Examples
    --------
    >>> from widemargin.plots import GainScatterDisplay
    >>> display = GainScatterDisplay.from_results([[0.75, 0.77], [0.93, 0.93]], [[0.72, 0.73], [0.92, 0.93]])
    >>> display.plot().ax_.get_title()
    '2 tasks'
    """

    ax_: Axes
    figure_: Figure | SubFigure
    points_: PathCollection

    def __init__(
        self,
        position: npt.ArrayLike,
        gain: npt.ArrayLike,
        standard_error: npt.ArrayLike | None = None,
        significant: npt.ArrayLike | None = None,
        *,
        threshold: float | None = None,
        position_name: str = "accuracy of the baseline, %",
        gain_name: str = "gain, percentage points",
        level: float = 0.95,
    ) -> None:
        self.position = real_array("position", position)
        self.gain = real_array("gain", gain)
        shape = self.position.shape
        if len(shape) != 1 or shape == (0,):
            raise ValueError(f"position has shape {shape}: pass one value a task, for at least one task.")
        if self.gain.shape != shape:
            raise ValueError(
                f"gain has shape {self.gain.shape}, position has {shape}: pass one of each a task."
            )
        self.standard_error = check_standard_error(standard_error, self.position.size)
        self.significant = check_significant(significant, self.position.size)
        if not np.isfinite(self.position).all() or not np.isfinite(self.gain).all():
            raise ValueError("position and gain must be finite: leave out tasks without results.")
        self.threshold = None if threshold is None else check_number("threshold", threshold)
        self.position_name = position_name
        self.gain_name = gain_name
        self.level = check_level(level)

    @classmethod
    def from_results(
        cls,
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        *,
        reference: npt.ArrayLike | None = None,
        first_name: str = "first",
        second_name: str = "second",
        reference_name: str = "reference",
        threshold: float | None = None,
        level: float = 0.95,
    ) -> GainScatterDisplay:
        """Make the display from the accuracies of every repeat.

        Parameters
        ----------
        first, second : array-like of shape (n_tasks, n_repeats)
            Accuracies of the method and of the baseline as fractions, paired by repeat.
        reference : array-like of shape (n_tasks, n_repeats), default=None
            Accuracies in the privileged space. If given, the horizontal axis shows by how much they exceed
            the baseline's; if None, the baseline's mean accuracy.
        first_name, second_name, reference_name : str, default="first", "second" and "reference"
            Names of the three methods.
        threshold : float, default=None
            Where to split the tasks, in the unit of the horizontal axis as a fraction: 0.9 compares the
            tasks below 90 % with those above.
        level : float, default=0.95
            Gains with a two-sided paired Wilcoxon p-value of at most ``1 - level`` are filled points.

        Returns
        -------
        GainScatterDisplay
            Ready to plot.

        Raises
        ------
        ValueError
            If the shapes differ, or a value is not finite.
        """
        tables = {"first": first, "second": second}
        if reference is not None:
            tables["reference"] = reference
        arrays = {name: real_array(name, values) for name, values in tables.items()}
        for name, array in arrays.items():
            if array.ndim != 2 or array.shape != arrays["first"].shape:
                raise ValueError(
                    f"{name} has shape {array.shape}, first has {arrays['first'].shape}: pass accuracies of "
                    "shape (n_tasks, n_repeats), the same tasks and repeats for every method."
                )
        level = check_level(level)
        tests = [paired_wilcoxon(a, b) for a, b in zip(arrays["first"], arrays["second"], strict=True)]
        position = arrays["second"].mean(axis=1)
        position_name = f"accuracy of {second_name}, %"
        if reference is not None:
            position = arrays["reference"].mean(axis=1) - position
            position_name = f"accuracy of {reference_name} minus {second_name}, percentage points"
        return cls(
            position,
            [test.mean_difference for test in tests],
            [test.standard_error for test in tests],
            [test.p_value <= 1 - level for test in tests],
            threshold=threshold,
            position_name=position_name,
            gain_name=f"accuracy of {first_name} minus {second_name},\npercentage points",
            level=level,
        )

    def plot(self, ax: Axes | None = None) -> GainScatterDisplay:
        """Draw the points.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a figure.

        Returns
        -------
        GainScatterDisplay
            The display itself, with `ax_`, `figure_` and `points_`.
        """
        self.figure_, self.ax_ = own_axes(ax, (6.4, 4.4))
        x, y, error = 100 * self.position, 100 * self.gain, 100 * self.standard_error
        colors = [color_of(value) for value in y]
        known = np.isfinite(error)
        self.ax_.errorbar(
            x[known], y[known], yerr=error[known], fmt="none", ecolor=NEUTRAL, elinewidth=0.7, alpha=0.6
        )
        fills = [color if filled else "white" for color, filled in zip(colors, self.significant, strict=True)]
        self.points_ = self.ax_.scatter(
            x, y, s=30, facecolors=fills, edgecolors=colors, linewidths=1.3, zorder=3
        )
        self.ax_.axhline(0, color=NEUTRAL, linewidth=0.8)
        if self.significant.any():
            label = f"filled: significant, paired Wilcoxon at {100 * self.level:g} %"
            self.ax_.plot([], [], "o", color=NEUTRAL, markersize=5, label=label)
        if self.threshold is not None:
            self._draw_split(x, y, 100 * self.threshold)
        if self.ax_.get_legend_handles_labels()[0]:
            legend_below(self.ax_)
        tau = kendall_tau(np.round(x, 9), np.round(y, 9))  # equal but for rounding error is a tie
        shows_trend = x.size >= TASKS_FOR_TAU and np.isfinite(tau)
        trend = f", Kendall's tau {_two_decimals(tau)}" if shows_trend else ""
        self.ax_.set_title(f"{x.size} {'task' if x.size == 1 else 'tasks'}{trend}", fontsize=10, **LITERAL)
        self.ax_.set_ylim(at_least_one_point(self.ax_.get_ylim()))
        self.ax_.set_xlabel(self.position_name, **LITERAL)
        self.ax_.set_ylabel(self.gain_name, **LITERAL)
        self.ax_.grid(alpha=0.3)
        self.ax_.set_axisbelow(True)
        tidy(self.ax_)
        return self

    def _draw_split(self, x: FloatArray, y: FloatArray, threshold: float) -> None:
        self.ax_.axvline(threshold, color=NEUTRAL, linestyle=":", linewidth=1)
        sides = [(x < threshold, f"below {threshold:g}"), (x >= threshold, f"from {threshold:g}")]
        for (side, name), style in zip(sides, ["--", "-."], strict=True):
            if side.any():
                mean = y[side].mean()
                sign = "+" if round(mean, 2) > 0 else ""
                label = f"mean {name} %: {sign}{_two_decimals(mean)}"
                reach = [x[side].min(), threshold] if style == "--" else [threshold, x[side].max()]
                self.ax_.plot(reach, [mean, mean], style, color="black", linewidth=1.3, label=label)


def _two_decimals(value: float) -> str:
    """Print two decimals with a true minus sign, and none before a rounded zero."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")

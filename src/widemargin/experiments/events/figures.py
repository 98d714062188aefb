"""Figures of the experiments on shots: scores by the noise of the order, by the weight of a penalty, by the start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.experiment import Drawing
from widemargin.plots.style import NEUTRAL, tidy

__all__ = ["draw_orders", "draw_starts", "draw_weights"]

FloatArray = npt.NDArray[np.float64]

_MARKERS = "osD^vP*X"
_DASHES = ("-", "--", ":", "-.")


def draw_orders(study: AccuracyStudy, tasks: Sequence[str], emphasis: str) -> Drawing:
    """Draw the score of every method against the noise of the order.

    Parameters
    ----------
    study : AccuracyStudy
        The scores.
    tasks : sequence of str
        Orders, the best one first; those that are not there are left out.
    emphasis : str
        Key of the method that is drawn in front.

    Returns
    -------
    Drawing
        One line a method.
    """
    tasks = [task for task in tasks if task in study.scores]
    figure = Figure(figsize=(8.4, 4.4), layout="constrained")
    ax = figure.subplots()
    places = np.arange(len(tasks))
    texts = []
    for number, method in enumerate(study.methods):
        means = np.array([study.comparisons[task].mean[0, number] for task in tasks])
        errors = np.array([study.comparisons[task].standard_error[0, number] for task in tasks])
        # Beside each other, so that error bars do not hide each other.
        shift = 0.05 * (number - (len(study.methods) - 1) / 2)
        label = (
            method.name if method.name != "logistic regression" else f"logistic regression,\n{method.sees}"
        )
        ax.errorbar(
            places + shift,
            means,
            np.nan_to_num(errors),
            fmt=_MARKERS[number % len(_MARKERS)] + _DASHES[number % len(_DASHES)],
            label=label,
            linewidth=2.2 if method.key == emphasis else 1.1,
            markersize=5,
            capsize=2,
            zorder=3 if method.key == emphasis else 2,
        )
        texts.append(f"{label.replace(chr(10), ' ')} {', '.join(f'{mean:.1f}' for mean in means)}")
    ax.set_xticks(places, tasks)
    ax.set_xlim(-0.5, len(tasks) - 0.5)
    ax.set_xlabel("order of the shots by saliency")
    ax.set_ylabel(f"{study.measure.name}, %")
    ax.grid(axis="y", alpha=0.3)
    ax.legend(fontsize=8, frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    tidy(ax)
    return Drawing(
        "orders",
        f"{study.measure.name[0].upper()}{study.measure.name[1:]} by the noise of the order",
        "Squared hinge loss, l2 penalty. Mean over the repeats; bars are one standard error to each side where there "
        "is more than one repeat. Within a column methods stand beside each other for legibility only.",
        f"Lines that change from {' to '.join(tasks)}, in percent: {'; '.join(texts)}.",
        figure,
    )


def draw_weights(panels: Mapping[str, Mapping[str, FloatArray]], values: Sequence[float]) -> Drawing:
    """Draw the average precision against the weight of a penalty while the other one's is fixed.

    Parameters
    ----------
    panels : mapping of str to mapping of str to ndarray of shape (n_repeats, n_values)
        Average precision in percent by method, for each panel, whose name is the label of its horizontal axis.
    values : sequence of float
        The weights, increasing.

    Returns
    -------
    Drawing
        One panel a mapping.
    """
    n_columns = 2
    n_rows = -(-len(panels) // n_columns)
    figure = Figure(figsize=(9.6, 0.6 + 3.2 * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, sharey=True, squeeze=False).ravel()
    texts = []
    for ax, (label, methods) in zip(axes, panels.items(), strict=True):
        for number, (name, scores) in enumerate(methods.items()):
            n_repeats = len(scores)
            errors = scores.std(axis=0, ddof=1) / np.sqrt(n_repeats) if n_repeats > 1 else 0
            mean = scores.mean(axis=0)
            ax.errorbar(
                values,
                mean,
                errors,
                fmt=_MARKERS[number % len(_MARKERS)] + _DASHES[number % len(_DASHES)],
                label=name,
                linewidth=1.4,
                markersize=4.5,
                capsize=2,
            )
            best = int(mean.argmax())
            texts.append(
                f"{label}: {name} highest at {values[best]:g} with {mean[best]:.1f}, lowest {mean.min():.1f}"
            )
        ax.set_xscale("log")
        ax.set_xlabel(label)
        ax.grid(alpha=0.3)
        tidy(ax)
    for ax in axes[::n_columns]:
        ax.set_ylabel("average precision, %")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return Drawing(
        "weights",
        "Figures 4a and 4b: sensitivity to the weights of the penalties",
        "Average precision of the test videos while one weight is fixed, mean over the repeats with one standard error "
        "to each side where there is more than one repeat. In the first row the fixed weight is 1 as in the paper, in "
        "the second it is smaller.",
        f"Lines over a logarithmic axis, average precision in percent. {'; '.join(texts)}.",
        figure,
    )


def draw_starts(starts: Mapping[str, FloatArray], convex: Mapping[str, FloatArray]) -> Drawing:
    """Draw how much the average precision depends on where the solver starts.

    Parameters
    ----------
    starts : mapping of str to ndarray of shape (n_repeats, n_starts)
        Average precision in percent from random starts, by method.
    convex : mapping of str to ndarray of shape (n_repeats,)
        The same from the solution of the convex variant.

    Returns
    -------
    Drawing
        One panel a method, one row of points a repeat.
    """
    figure = Figure(figsize=(9.6, 3.6), layout="constrained")
    axes = figure.subplots(1, len(starts), sharey=True, squeeze=False).ravel()
    texts = []
    for ax, (name, scores) in zip(axes, starts.items(), strict=True):
        # The level of a repeat is that of its videos: what counts is the spread around it.
        centre = scores.mean(axis=1)
        for repeat, row in enumerate(scores):
            ax.plot(
                np.full(row.size, repeat + 1),
                row - centre[repeat],
                "o",
                color=NEUTRAL,
                alpha=0.5,
                markersize=3,
            )
        ax.plot(
            np.arange(1, len(scores) + 1),
            convex[name] - centre,
            "D",
            color="#D55E00",
            markersize=5,
            label="convex start",
        )
        ax.set_title(name, fontsize=10)
        ax.set_xlabel("repeat")
        ax.set_xticks(np.unique(np.linspace(1, len(scores), min(len(scores), 5)).astype(int)))
        ax.grid(axis="y", alpha=0.3)
        tidy(ax)
        spread = scores.max(axis=1) - scores.min(axis=1)
        texts.append(
            f"{name}: largest spread of random starts {spread.max():.2f} points, convex start "
            f"{np.abs(convex[name] - centre).max():.2f} points from their mean at most"
        )
    axes[0].set_ylabel("average precision minus the mean\nof the repeat's random starts, points")
    axes[-1].legend(fontsize=8, frameon=False)
    return Drawing(
        "starts",
        "Figure 4c: sensitivity to the start",
        f"Grey: {next(iter(starts.values())).shape[1]} random starts of every repeat; orange: the start from the "
        "solution of the convex variant. Average precision of the test videos with both weights fixed.",
        f"Points around zero. {'; '.join(texts)}.",
        figure,
    )

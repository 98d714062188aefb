"""Figures of the experiments on untrimmed videos: scores of the methods, right evidence, and the votes of Table 8."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.experiment import Drawing, Row
from widemargin.experiments.video_events.evidence import COUNTS, METHODS
from widemargin.plots.style import BETTER, NEUTRAL, WORSE, tidy

__all__ = ["draw_evidence", "draw_scores", "draw_votes", "points_of"]

_COLUMNS = 2
_MARKERS = "osD^v"
# Sky blue and vermilion as in the displays; the blue and the green are of the same palette, of Okabe and Ito.
_COLORS = ("#0072B2", WORSE, "#009E73", BETTER, NEUTRAL)

Points = Mapping[str, tuple[float, float]]
"""Mean and standard error, NaN with one repeat, by what readers call the method."""


def points_of(study: AccuracyStudy, task: str) -> dict[str, tuple[float, float]]:
    """Take the scores of one task for `draw_scores`.

    Parameters
    ----------
    study : AccuracyStudy
        The scores.
    task : str
        Which of its tasks.

    Returns
    -------
    dict of str to (float, float)
        Mean and standard error in percent, by the name of the method.
    """
    found = study.comparisons[task]
    return {
        method.name: (float(found.mean[0, place]), float(found.standard_error[0, place]))
        for place, method in enumerate(study.methods)
    }


def draw_scores(
    panels: Mapping[str, Mapping[str, Points]], title: str, label: str, further: str = ""
) -> Drawing:
    """Draw the score of every method as a point, one line a method, so that methods compare by eye.

    Parameters
    ----------
    panels : mapping of str to mapping of str to Points
        Scores in percent by panel, by series (a loss and a penalty, say) and by method. A series without a name is the
        only one of its panel.
    title : str
        Of the figure.
    label : str
        What the scores are.
    further : str, default=""
        A sentence for the caption.

    Returns
    -------
    Drawing
        One panel a mapping.
    """
    n_columns = min(len(panels), _COLUMNS)
    n_rows = -(-len(panels) // n_columns)
    names = [
        list(dict.fromkeys(name for own in series.values() for name in own)) for series in panels.values()
    ]
    figure = Figure(figsize=(9.6, 0.9 + n_rows * (0.9 + 0.27 * max(map(len, names)))), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    texts = []
    for ax, (panel, series), methods in zip(axes, panels.items(), names, strict=False):
        for number, (name, points) in enumerate(series.items()):
            means, errors = np.array(list(points.values())).T
            ax.errorbar(
                means,
                [methods.index(method) + _shift(series, name, method) for method in points],
                xerr=np.nan_to_num(errors),
                fmt=_MARKERS[number % len(_MARKERS)],
                color=_COLORS[number % len(_COLORS)],
                label=name or None,
                markersize=5,
                capsize=2,
            )
            listed = ", ".join(f"{method} {mean:.1f}" for method, (mean, _) in points.items())
            texts.append(f"{panel}{', ' * bool(name)}{name}: {listed}")
        ax.set_yticks(range(len(methods)), methods, fontsize=9)
        ax.set_ylim(len(methods) - 0.5, -0.5)
        ax.set_title(panel, fontsize=10)
        ax.set_xlabel(label)
        ax.grid(alpha=0.3)
        tidy(ax)
    for ax in axes[len(panels) :]:
        ax.set_visible(False)
    handles, labels = axes[0].get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    return Drawing(
        "scores",
        title,
        "Mean over the repeats, with one standard error to each side where there is more than one repeat. The axes do "
        f"not begin at zero.{' ' * bool(further)}{further}",
        f"Points in percent. {'; '.join(texts)}.",
        figure,
    )


def draw_evidence(rows: Sequence[Row]) -> Drawing:
    """Draw how many evidence shots are right against how much of the video they are.

    Parameters
    ----------
    rows : sequence of Row
        Of detection, at least one.

    Returns
    -------
    Drawing
        One line for each way to rank the shots, and one for chance.
    """
    figure = Figure(figsize=(7.2, 4.0), layout="constrained")
    ax = figure.subplots()
    texts = []
    for number, (key, name) in enumerate((key, name) for key, name in METHODS.items() if key != "chance"):
        right, returned = (
            [_percent(rows, f"{what}_{key}_of_{count}") for count in COUNTS] for what in ("right", "returned")
        )
        ax.plot(
            returned,
            right,
            _MARKERS[number] + "-",
            color=_COLORS[number],
            label=name,
            markersize=6,
            linewidth=1.6,
        )
        points = ", ".join(
            f"{count} {share:.1f} ({part:.1f})"
            for count, share, part in zip(COUNTS, right, returned, strict=True)
        )
        texts.append(f"{name}: {points}")
    chance = _percent(rows, "right_chance")
    ax.axhline(chance, color=NEUTRAL, linestyle="--", linewidth=1.2, label=METHODS["chance"])
    ax.set_xlim(left=0)
    ax.set_ylim(0, 103)
    ax.set_xlabel("length of the evidence, % of the video")
    ax.set_ylabel("right evidence shots, %")
    ax.grid(alpha=0.3)
    ax.legend(frameon=False, fontsize=9, loc="lower left")
    tidy(ax)
    counts = f"{', '.join(map(str, COUNTS[:-1]))} and {COUNTS[-1]}"
    return Drawing(
        "evidence",
        "How many evidence shots are right, by how much of the video is shown",
        f"From left to right the {counts} best shots of every test video of the event, or all where it has fewer; mean "
        "over videos, events and repeats. Few shots of a video show its event: of many shots few can be right.",
        "Lines: right evidence shots in percent by their number, in brackets the percent of the video. "
        f"{'; '.join(texts)}; {METHODS['chance']}: {chance:.1f}.",
        figure,
    )


def draw_votes(rows: Sequence[Row]) -> Drawing:
    """Draw Table 8: in how many videos of each event the evidence is better than the baseline's.

    Parameters
    ----------
    rows : sequence of Row
        Of detection, at least one.

    Returns
    -------
    Drawing
        One bar an event.
    """
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows:
        own = totals[str(row["task"])]
        for place, vote in enumerate(("better", "similar", "worse")):
            own[place] += int(row[vote])
    events, counts = list(totals), np.array(list(totals.values()))
    figure = Figure(figsize=(7.2, 1.2 + 0.3 * len(events)), layout="constrained")
    ax = figure.subplots()
    starts = np.zeros(len(events))
    for values, name, color in zip(
        counts.T, ("better", "similar", "worse"), (BETTER, "#D9D9D9", WORSE), strict=True
    ):
        bars = ax.barh(events, values, left=starts, color=color, label=name, height=0.7)
        ax.bar_label(bars, [str(value) if value else "" for value in values], label_type="center", fontsize=8)
        starts += values
    ax.invert_yaxis()
    ax.set_xlabel("test videos")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    figure.legend(loc="outside upper center", ncols=3, frameon=False)
    tidy(ax)
    listed = "; ".join(
        f"{event} {better} better, {similar} similar, {worse} worse"
        for event, (better, similar, worse) in totals.items()
    )
    return Drawing(
        "votes",
        "Is the evidence of NI-SVM_2 better than that of the baseline?",
        "Test videos of each event, over all repeats, in which more, as many, or fewer of the shots that NI-SVM_2 "
        "shows are right than of those that SVM_A shows.",
        f"Stacked bars, test videos by event: {listed}.",
        figure,
    )


def _shift(series: Mapping[str, Points], name: str, method: str) -> float:
    """Set the series of a method beside each other, so that they do not hide each other."""
    own = [other for other, points in series.items() if method in points]
    return 0.24 * (own.index(name) - (len(own) - 1) / 2)


def _percent(rows: Sequence[Row], column: str) -> float:
    return 100 * float(np.mean([float(row[column]) for row in rows]))

"""The figures that all experiments with privileged information share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.experiment import Drawing, Row
from widemargin.experiments.summary import number, signed
from widemargin.plots import AccuracyDifferenceDisplay, GainScatterDisplay, TauMatrixDisplay

__all__ = [
    "about_errors",
    "describe_means",
    "draw_differences",
    "draw_gain_against_difficulty",
    "draw_gain_against_privileged_advantage",
    "draw_tau_matrices",
    "tau_matrices",
]

FloatArray = npt.NDArray[np.float64]


def draw_differences(study: AccuracyStudy, first: str, second: str) -> Drawing:
    """Draw the accuracy differences of two methods, one bar a task, as Figure 2 of the paper does.

    Parameters
    ----------
    study : AccuracyStudy
        The accuracies.
    first, second : str
        Keys of the methods; bars show the first minus the second.

    Returns
    -------
    Drawing
        The figure.
    """
    names = {method.key: method.name for method in study.methods}
    tests = study.paired(first, second)
    difference = np.array([test.mean_difference for test in tests])
    errors = np.array([test.standard_error for test in tests])
    figure = Figure(figsize=AccuracyDifferenceDisplay.figure_size(study.tasks))
    # Text is a little wider in the PNG than in the SVG, for which the layout is found.
    figure.set_layout_engine("constrained", w_pad=0.1)
    AccuracyDifferenceDisplay(
        difference / 100,
        errors / 100,
        [test.p_value <= 0.05 for test in tests],
        study.tasks,
        first_name=names[first],
        second_name=names[second],
    ).plot(figure.subplots())
    above, equal, below = study.record(first, second)
    worst, best = int(difference.argmin()), int(difference.argmax())
    return Drawing(
        name=f"difference-{first}-{second}".replace("_", "-"),
        title=f"{names[first]} against {names[second]}",
        caption=(
            f"Mean accuracy of {names[first]} minus {names[second]} on every task, in percentage points; "
            f"{about_errors(errors, 'lines are standard errors of the paired difference')}."
        ),
        alt=(
            f"Bar chart. {names[first]} is better than {names[second]} on {above} of {len(tests)} tasks, equal "
            f"on {equal} and worse on {below}. Differences go from {signed(difference[worst])} points "
            f"({study.tasks[worst]}) to {signed(difference[best])} points ({study.tasks[best]})."
        ),
        figure=figure,
    )


def about_errors(standard_errors: Sequence[float] | FloatArray, meaning: str) -> str:
    """Say what the error bars are, or why there are none.

    Parameters
    ----------
    standard_errors : sequence of float
        The errors, NaN for tasks with a single repeat.
    meaning : str
        What to say where there are errors, without full stop.

    Returns
    -------
    str
        A part of a sentence, without full stop.
    """
    known = np.isfinite(standard_errors)
    if known.all():
        return meaning
    return (
        f"{meaning}, of tasks with more than one repeat"
        if known.any()
        else "one repeat has no standard errors"
    )


def draw_gain_against_difficulty(study: AccuracyStudy, key: str) -> Drawing:
    """Draw the gain of a method over the baseline against the baseline's accuracy.

    Parameters
    ----------
    study : AccuracyStudy
        The accuracies.
    key : str
        Key of the method.

    Returns
    -------
    Drawing
        The figure.
    """
    baseline = study.methods[0]
    name = {method.key: method.name for method in study.methods}[key]
    tests = study.paired(key, baseline.key)
    gain = np.array([test.mean_difference for test in tests])
    accuracy = study.means(baseline.key)
    figure = Figure(figsize=(5.8, 4.4), layout="constrained")
    GainScatterDisplay(
        accuracy / 100,
        gain / 100,
        [test.standard_error / 100 for test in tests],
        [test.p_value <= 0.05 for test in tests],
        threshold=0.9,
        position_name=f"accuracy of {baseline.name}, %",
        gain_name=f"accuracy of {name} minus {baseline.name},\npercentage points",
    ).plot(figure.subplots())
    return Drawing(
        name=f"gain-{key}".replace("_", "-"),
        title=f"Is the gain of {name} larger on hard tasks?",
        caption=(
            f"Gain of {name} over the {baseline.name} on every task against the accuracy of the "
            f"{baseline.name}. The paper says that the gain is higher where accuracy is below 90 %."
        ),
        alt=(
            f"Scatter plot of {len(tests)} tasks. Accuracy of the {baseline.name} from {accuracy.min():.1f} to "
            f"{accuracy.max():.1f} %, differences of {name} to it from {signed(gain.min())} to {signed(gain.max())} "
            "points."
        ),
        figure=figure,
    )


def draw_gain_against_privileged_advantage(study: AccuracyStudy, key: str) -> Drawing:
    """Draw the gain of a method against the advantage of the reference, as Observation 2 of the paper asks.

    Parameters
    ----------
    study : AccuracyStudy
        The accuracies, with a method ``reference``.
    key : str
        Key of the method.

    Returns
    -------
    Drawing
        The figure.
    """
    baseline = study.methods[0]
    names = {method.key: method.name for method in study.methods}
    tests = study.paired(key, baseline.key)
    gain = np.array([test.mean_difference for test in tests])
    advantage = study.means("reference") - study.means(baseline.key)
    figure = Figure(figsize=(5.8, 4.4), layout="constrained")
    GainScatterDisplay(
        advantage / 100,
        gain / 100,
        [test.standard_error / 100 for test in tests],
        [test.p_value <= 0.05 for test in tests],
        position_name=f"accuracy of {names['reference']} minus {baseline.name}, percentage points",
        gain_name=f"accuracy of {names[key]} minus {baseline.name},\npercentage points",
    ).plot(figure.subplots())
    return Drawing(
        name=f"advantage-{key}".replace("_", "-"),
        title=f"Does {names[key]} gain more where X* is better than X?",
        caption=(
            f"Gain of {names[key]} over the {baseline.name} on every task against the distance between the SVMs on "
            "X* and on X. The paper says that accuracy in X* matters for Margin Transfer, and not for SVM+."
        ),
        alt=(
            f"Scatter plot of {len(tests)} tasks. Differences to the {baseline.name}: {names['reference']} from "
            f"{signed(advantage.min())} to {signed(advantage.max())} points, {names[key]} from {signed(gain.min())} "
            f"to {signed(gain.max())} points."
        ),
        figure=figure,
    )


def draw_tau_matrices(rows: Sequence[Row], pairs: Mapping[str, tuple[str, ...]]) -> Drawing:
    """Draw the agreement of decision values in X and X* for every pair of classes, as Figure 3 does.

    Parameters
    ----------
    rows : sequence of Row
        Rows with the columns ``task``, ``tau`` and ``tau_within_class``.
    pairs : mapping of str to tuple of (str, str)
        The two classes of every task.

    Returns
    -------
    Drawing
        The figure, with the mean over repeats in every cell.
    """
    titles = {"tau": "over all training samples", "tau_within_class": "within each class"}
    matrices, classes = tau_matrices(rows, pairs, titles)
    side = 0.4 * len(classes) + 0.8
    figure = Figure(figsize=(2 * side + 1.2, side + 0.4), layout="constrained")
    TauMatrixDisplay(matrices, classes).plot(list(figure.subplots(1, 2)))
    return Drawing(
        name="tau",
        title="Do X and X* agree on which samples are easy?",
        caption=(
            "Kendall's tau between the decision values of the SVMs on X and on X*, for every pair of classes. "
            "Left: over both classes, where agreeing on the label alone makes tau large. Right: within each "
            "class, where only agreement on easiness counts."
        ),
        alt=f"Two symmetric heat maps of Kendall's tau for every pair of classes; means: {describe_means(matrices)}.",
        figure=figure,
    )


def describe_means(matrices: Mapping[str, FloatArray]) -> str:
    """Say the mean coefficient of every matrix.

    Parameters
    ----------
    matrices : mapping of str to ndarray
        The matrices by their titles, NaN where no coefficient exists.

    Returns
    -------
    str
        A part of a sentence.
    """
    known = {title: matrix[np.isfinite(matrix)] for title, matrix in matrices.items()}
    return ", ".join(
        f"{title} {number(float(values.mean())) if values.size else 'unknown'}"
        for title, values in known.items()
    )


def tau_matrices(
    rows: Sequence[Row], pairs: Mapping[str, tuple[str, ...]], titles: Mapping[str, str]
) -> tuple[dict[str, FloatArray], list[str]]:
    """Arrange coefficients of pairs of classes as symmetric matrices.

    Parameters
    ----------
    rows : sequence of Row
        Rows with the column ``task`` and those of `titles`.
    pairs : mapping of str to tuple of (str, str)
        The two classes of every task.
    titles : mapping of str to str
        Title of the matrix of each column.

    Returns
    -------
    matrices : dict of str to ndarray of shape (n_classes, n_classes)
        By their titles: means over the repeats in which the coefficient exists, NaN elsewhere.
    classes : list of str
        Names of the rows and columns, sorted.
    """
    classes = sorted({name for pair in pairs.values() for name in pair})
    matrices = {}
    for column, title in titles.items():
        matrix = np.full((len(classes), len(classes)), np.nan)
        for task, (first, second) in pairs.items():
            values = np.array([float(row[column]) for row in rows if row["task"] == task])
            values = values[np.isfinite(values)]
            if values.size:
                i, j = classes.index(first), classes.index(second)
                matrix[i, j] = matrix[j, i] = values.mean()
        matrices[title] = matrix
    return matrices, classes

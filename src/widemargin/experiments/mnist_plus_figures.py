"""Learning curves: accuracy, and gain over the baseline, against the number of training images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.experiment import Drawing
from widemargin.experiments.privileged_figures import about_errors
from widemargin.experiments.summary import signed
from widemargin.plots.style import BETTER, NEUTRAL, WORSE, at_least_one_point, tidy

__all__ = ["draw_accuracy_curves", "draw_gain_curves"]

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

_PANELS = {"margin_transfer": "Margin Transfer", "svm_plus": "SVM+"}
_LOOKS = ((WORSE, "o-"), (BETTER, "s--"))


def draw_accuracy_curves(study: AccuracyStudy, sizes: IntArray, kinds: Sequence[str]) -> Drawing:
    """Draw the accuracy of every method, one panel for each method with privileged information.

    Parameters
    ----------
    study : AccuracyStudy
        Accuracies of ``svm`` and of ``<method>_<kind>``, one task for each training size.
    sizes : ndarray of int of shape (n_tasks,)
        The training sizes, increasing.
    kinds : sequence of str
        The kinds of privileged information.

    Returns
    -------
    Drawing
        The figure.
    """
    figure, panels = _panels()
    for ax, method in zip(panels, _PANELS, strict=True):
        _draw_curve(ax, sizes, *_mean_and_error(study, "svm"), (NEUTRAL, "^:"), "SVM, no X*")
        for kind, look in zip(kinds, _LOOKS, strict=True):
            mean, error = _mean_and_error(study, f"{method}_{kind}")
            _draw_curve(ax, sizes, mean, error, look, f"with {kind} X*")
        _finish(ax, sizes, _PANELS[method])
    panels[0].set_ylabel("accuracy on the test images, %")
    svm, svm_error = _mean_and_error(study, "svm")
    return Drawing(
        name="accuracy-curves",
        title="Accuracy by number of training images",
        caption=(
            "Mean accuracy over the repeats; "
            f"{about_errors(svm_error, 'bands are one standard error of the mean to each side')}. "
            "The SVM is the same in both panels."
        ),
        alt=(
            f"Learning curves. The SVM goes from {svm[0]:.1f} % with {sizes[0]} training images to {svm[-1]:.1f} % "
            f"with {sizes[-1]}. " + _ends(study, sizes, kinds)
        ),
        figure=figure,
    )


def draw_gain_curves(study: AccuracyStudy, sizes: IntArray, kinds: Sequence[str]) -> Drawing:
    """Draw what every method gains over the SVM, with the error of the paired difference.

    Parameters
    ----------
    study : AccuracyStudy
        Accuracies of ``svm`` and of ``<method>_<kind>``, one task for each training size.
    sizes : ndarray of int of shape (n_tasks,)
        The training sizes, increasing.
    kinds : sequence of str
        The kinds of privileged information.

    Returns
    -------
    Drawing
        The figure.
    """
    figure, panels = _panels()
    for ax, method in zip(panels, _PANELS, strict=True):
        ax.axhline(0, color=NEUTRAL, linewidth=1)
        for kind, look in zip(kinds, _LOOKS, strict=True):
            tests = study.paired(f"{method}_{kind}", "svm")
            gain = np.array([test.mean_difference for test in tests])
            error = np.array([test.standard_error for test in tests])
            _draw_curve(ax, sizes, gain, error, look, f"with {kind} X*")
            marked = np.array([test.p_value <= 0.05 for test in tests])
            ax.plot(sizes[marked], gain[marked], "o", color="black", markersize=3.5, zorder=4)
        _finish(ax, sizes, _PANELS[method])
    panels[0].set_ylabel("accuracy minus SVM, percentage points")
    panels[0].set_ylim(at_least_one_point(panels[0].get_ylim()))
    return Drawing(
        name="gain-curves",
        title="Gain over the SVM by number of training images",
        caption=(
            "Mean difference to the SVM of the same repeat; "
            f"{about_errors(error, 'bands are one standard error of the paired difference to each side')}. "
            "A black point marks a difference that is significant, paired Wilcoxon at 95 %."
        ),
        alt="Differences to the SVM. " + _ends(study, sizes, kinds),
        figure=figure,
    )


def _panels() -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(8.0, 3.8), layout="constrained")
    return figure, list(figure.subplots(1, 2, sharey=True))


def _mean_and_error(study: AccuracyStudy, key: str) -> tuple[FloatArray, FloatArray]:
    place = [method.key for method in study.methods].index(key)
    comparisons = study.comparisons.values()
    return (
        np.array([comparison.mean[0, place] for comparison in comparisons]),
        np.array([comparison.standard_error[0, place] for comparison in comparisons]),
    )


def _draw_curve(
    ax: Axes, sizes: IntArray, mean: FloatArray, error: FloatArray, look: tuple[str, str], label: str
) -> None:
    """Draw a line with its band; a single repeat has no error, and no band."""
    color, style = look
    ax.plot(sizes, mean, style, color=color, label=label, markersize=5, linewidth=1.5)
    known = np.nan_to_num(error)
    ax.fill_between(sizes, mean - known, mean + known, color=color, alpha=0.2, linewidth=0)


def _finish(ax: Axes, sizes: IntArray, title: str) -> None:
    ax.set_title(title, fontsize=10)
    ax.set_xlabel("training images")
    ax.set_xticks(sizes)
    ax.grid(alpha=0.3)
    ax.legend(fontsize=8, frameon=False)
    tidy(ax)


def _ends(study: AccuracyStudy, sizes: IntArray, kinds: Sequence[str]) -> str:
    """Say the gains at both ends of every curve."""
    svm = study.means("svm")
    texts = []
    for method, name in _PANELS.items():
        for kind in kinds:
            gain = study.means(f"{method}_{kind}") - svm
            texts.append(f"{name} with {kind} X* {signed(gain[0])} and {signed(gain[-1])}")
    return (
        f"Points above (+) or below (−) the SVM with {sizes[0]} and {sizes[-1]} images: {'; '.join(texts)}."
    )

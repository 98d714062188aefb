"""Which samples of the plane a classifier accepts at a false positive rate."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.utils import _safe_indexing

from widemargin.metrics.inputs import real_array
from widemargin.metrics.partial_auc import partial_area, positive_samples, roc_points
from widemargin.plots.scores import binary_score, default_name
from widemargin.plots.style import BETTER, LITERAL, NEUTRAL, WORSE, legend_below, own_axes, tidy
from widemargin.validation import check_features_finite, check_fpr_range, check_integer

__all__ = ["RangeBoundaryDisplay"]

FloatArray = npt.NDArray[np.float64]

_POSITIVE = "#0072B2"  # Okabe and Ito's blue, dark enough for thin circles on the light fill
_FILL = LinearSegmentedColormap.from_list("widemargin-score", ["white", BETTER])
_MOST_POINTS = 2000
_RATE_TOLERANCE = 1e-9  # rates are quotients of weights, and 0.2 is to mean 2 of 10


class RangeBoundaryDisplay:
    """Score of a classifier of two features, with the lines that a range of false positive rates asks for.

    Shows what a classifier does at a fixed budget of false alarms (the kind of Figure 4 of [1]_), where
    scikit-learn's ``DecisionBoundaryDisplay`` shows scores or predicted classes alone. Fill: the score, by the share
    of the samples that it exceeds, so that classifiers with scores of different scales look alike. Lines: the
    thresholds that accept the most samples with a false positive rate of at most alpha and beta, and the boundary of
    `predict`, if any part of them is in view. Positives are circles, negatives crosses, and the title has the partial
    AUC of the samples. Make it with :meth:`from_estimator`, which draws at once.

    Parameters
    ----------
    xx0, xx1 : array-like of shape (n_rows, n_columns)
        Grid of points, as ``numpy.meshgrid`` returns it.
    response : array-like of shape (n_rows, n_columns)
        Finite scores of the points, larger for the positive class.
    predicted : array-like of bool of shape (n_rows, n_columns)
        Whether each point is predicted positive.
    X : array-like of shape (n_samples, 2)
        Samples.
    y : array-like of shape (n_samples,)
        Their labels, of two classes.
    score : array-like of shape (n_samples,)
        Their finite scores.
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        Range (alpha, beta) of false positive rates, ``0 <= alpha < beta <= 1``.
    pos_label : label, default=None
        The positive class; None takes the larger of the two sorted labels.
    name : str, default=None
        Name of the classifier in the title, drawn as it stands, ``$`` included.
    feature_names : tuple of (str, str), default=("first feature", "second feature")
        Labels of the axes.

    Attributes
    ----------
    partial_auc : float
        Partial AUC of the samples, divided by the width of the range.
    thresholds : ndarray of shape (2,)
        Scores above which a sample is accepted at alpha and at beta, halfway between two samples; infinite if none or
        all are accepted.
    ax_ : matplotlib Axes
        Axes drawn on.
    figure_ : matplotlib Figure
        Figure drawn on.
    surface_ : matplotlib QuadMesh
        The fill.
    lines_ : dict of str to matplotlib QuadContourSet
        The lines in view, by "alpha", "beta" and "predict".
    positives_, negatives_ : matplotlib PathCollection
        The samples.

    Raises
    ------
    TypeError
        If an end of `fpr_range` is no number.
    ValueError
        If the shapes do not fit, a score is not finite, `y` has not exactly two classes, or `fpr_range` is no range in
        [0, 1].

    See Also
    --------
    PartialAUCDisplay : The ROC curve over the range.

    References
    ----------
    .. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled
       features and structured ensemble learning", arXiv:1409.5209, 2014.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.linear_model import LogisticRegression
    >>> from widemargin.plots import RangeBoundaryDisplay
    >>> X, y = make_moons(noise=0.2, random_state=0)
    >>> model = LogisticRegression().fit(X, y)
    >>> display = RangeBoundaryDisplay.from_estimator(model, X, y, fpr_range=(0.0, 0.2))
    >>> display.ax_.get_title()
    'LogisticRegression: pAUC(0, 0.2) = 0.802'
    >>> sorted(display.lines_)
    ['alpha', 'beta', 'predict']
    """

    ax_: Axes
    figure_: Figure | SubFigure
    surface_: QuadMesh
    lines_: dict[str, QuadContourSet]
    positives_: PathCollection
    negatives_: PathCollection

    def __init__(
        self,
        xx0: npt.ArrayLike,
        xx1: npt.ArrayLike,
        response: npt.ArrayLike,
        predicted: npt.ArrayLike,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        score: npt.ArrayLike,
        *,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        pos_label: Any = None,
        name: str | None = None,
        feature_names: tuple[str, str] = ("first feature", "second feature"),
    ) -> None:
        grid = {"xx0": xx0, "xx1": xx1, "response": response, "predicted": predicted}
        self.xx0, self.xx1, self.response, self.predicted = (
            _check_grid(name, values, np.shape(xx0)) for name, values in grid.items()
        )
        self.fpr_range = check_fpr_range(fpr_range)
        self.positive = positive_samples(y, pos_label)
        fpr, tpr, scores = roc_points(self.positive, score)
        self.partial_auc = partial_area(fpr, tpr, self.fpr_range)
        self.thresholds = np.array([_threshold(rate, fpr, scores) for rate in self.fpr_range])
        self.X = real_array("X", X)
        self.score = real_array("score", score)
        if self.X.shape != (self.score.size, 2):
            raise ValueError(
                f"X has shape {self.X.shape} for {self.score.size} scores: pass two features a sample."
            )
        self.name = name
        self.feature_names = feature_names

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike,
        *,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        pos_label: Any = None,
        name: str | None = None,
        grid_resolution: int = 200,
        ax: Axes | None = None,
    ) -> RangeBoundaryDisplay:
        """Score samples and a grid around them by a fitted classifier, and draw.

        Parameters
        ----------
        estimator : classifier
            Classifier of two classes, fitted to two features, with `decision_function` or `predict_proba`, or a
            pipeline that ends in one. It is not fitted here.
        X : array-like of shape (n_samples, 2)
            Samples; the columns of a DataFrame name the axes. Samples with a missing value (NaN) are scored, for an
            estimator that takes them, but have no place in the plane and are not drawn.
        y : array-like of shape (n_samples,)
            Their labels.
        fpr_range : tuple of (float, float), default=(0.0, 0.1)
            Range (alpha, beta) of false positive rates.
        pos_label : label, default=None
            The positive class; None takes ``estimator.classes_[1]``.
        name : str, default=None
            Name in the title; None takes the estimator's.
        grid_resolution : int, default=200
            Points a side of the grid, from 2 to 2000.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a figure.

        Returns
        -------
        RangeBoundaryDisplay
            The display, drawn.

        Raises
        ------
        NotFittedError
            If the estimator is not fitted.
        ValueError
            If it is no classifier of two classes with a score, `X` has not two columns or no sample without a missing
            value, or the labels, scores or options are wrong.
        """
        choice = binary_score(estimator, pos_label)
        if check_integer("grid_resolution", grid_resolution, at_least=2) > _MOST_POINTS:
            raise ValueError(
                f"grid_resolution must be at most {_MOST_POINTS}, got {grid_resolution}: pass 200 for a screen, "
                "1000 for print."
            )
        X = X if hasattr(X, "shape") else np.asarray(X)
        if len(X.shape) != 2 or X.shape[1] != 2:
            raise ValueError(f"X has shape {X.shape}: pass two features a sample, those that the axes show.")
        values = real_array("X", X)
        complete = np.flatnonzero(~np.isnan(values).any(axis=1))
        if not complete.size:
            raise ValueError("X has a missing value in every sample: pass at least one with both features.")
        check_features_finite("X", values[complete])
        positive_class = choice.classes[choice.positive]
        score, classes = (
            DecisionBoundaryDisplay.from_estimator(
                estimator,
                _safe_indexing(X, complete),
                grid_resolution=grid_resolution,
                plot_method="pcolormesh",
                response_method=method,
                class_of_interest=None if method == "predict" else positive_class,
                ax=Figure().add_subplot(),  # it draws at once: here, where nobody looks
            )
            for method in (choice.method, "predict")
        )
        columns = getattr(X, "columns", ("first feature", "second feature"))
        display = cls(
            score.xx0,
            score.xx1,
            score.response,
            classes.response == choice.positive,
            X,
            y,
            choice.of(estimator, X),
            fpr_range=fpr_range,
            pos_label=positive_class,
            name=default_name(estimator) if name is None else name,
            feature_names=(str(columns[0]), str(columns[1])),
        )
        return display.plot(ax)

    def plot(self, ax: Axes | None = None) -> RangeBoundaryDisplay:
        """Draw the fill, the lines and the samples.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a figure.

        Returns
        -------
        RangeBoundaryDisplay
            The display itself, with `ax_`, `figure_`, `surface_`, `lines_`, `positives_` and `negatives_`.
        """
        self.figure_, self.ax_ = own_axes(ax, (4.8, 5.0))
        share = np.searchsorted(np.sort(self.score), self.response) / self.score.size
        self.surface_ = self.ax_.pcolormesh(
            self.xx0, self.xx1, share, cmap=_FILL, vmin=0, vmax=1, shading="nearest", rasterized=True
        )
        self.lines_ = {}
        (alpha, beta), (strict, loose) = self.fpr_range, self.thresholds
        lines = [
            *self._draw_line("alpha", self.response, strict, f"threshold for FPR {alpha:g}", WORSE, "--"),
            *self._draw_line("beta", self.response, loose, f"threshold for FPR {beta:g}", WORSE, "-"),
            *self._draw_line("predict", self.predicted, 0.5, "boundary of predict", "black", ":"),
        ]
        negatives, positives = self.X[~self.positive], self.X[self.positive]
        self.negatives_ = self.ax_.scatter(
            negatives[:, 0], negatives[:, 1], s=18, linewidths=1, marker="x", color=NEUTRAL, label="negative"
        )
        self.positives_ = self.ax_.scatter(
            positives[:, 0],
            positives[:, 1],
            s=18,
            linewidths=1,
            marker="o",
            facecolors="none",
            edgecolors=_POSITIVE,
            label="positive",
        )
        area = f"pAUC({alpha:g}, {beta:g}) = {self.partial_auc:.3f}"
        self.ax_.set_title(area if self.name is None else f"{self.name}: {area}", fontsize=10, **LITERAL)
        self.ax_.set_xlabel(self.feature_names[0], **LITERAL)
        self.ax_.set_ylabel(self.feature_names[1], **LITERAL)
        legend_below(self.ax_, [self.positives_, self.negatives_, *lines])
        tidy(self.ax_)
        return self

    def _draw_line(
        self,
        key: str,
        surface: FloatArray,
        level: float,
        label: str,
        color: str,
        style: Literal["-", "--", ":"],
    ) -> list[Line2D]:
        """Draw where a surface crosses a level, and return the entry of the legend, if it does in view."""
        if not surface.min() < level < surface.max():
            return []
        self.lines_[key] = self.ax_.contour(
            self.xx0, self.xx1, surface, levels=[level], colors=color, linestyles=style, linewidths=1.6
        )
        return [Line2D([], [], color=color, linestyle=style, linewidth=1.6, label=label)]


def _check_grid(name: str, values: npt.ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    grid = real_array(name, values)
    if len(shape) != 2 or grid.shape != shape or min(shape) < 2:
        raise ValueError(
            f"{name} has shape {grid.shape}, xx0 has {shape}: pass values on one grid of at least 2 x 2 points, as "
            "numpy.meshgrid returns it."
        )
    check_features_finite(name, grid)
    return grid


def _threshold(rate: float, fpr: FloatArray, scores: FloatArray) -> float:
    """Return the lowest threshold with at most this false positive rate, halfway to the next lower score."""
    last = int(np.searchsorted(fpr, rate + _RATE_TOLERANCE, side="right")) - 1
    lower = scores[last + 1] if last + 1 < scores.size else -np.inf
    return float(0.5 * scores[last] + 0.5 * lower)

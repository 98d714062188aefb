"""The ROC curve with the range of false positive rates that counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from widemargin.metrics.inputs import real_array
from widemargin.metrics.partial_auc import (
    Normalization,
    check_normalize,
    partial_area,
    roc_points,
)
from widemargin.plots.scores import binary_score, default_name
from widemargin.plots.style import NEUTRAL, legend_below, own_axes, tidy
from widemargin.validation import check_flag, check_fpr_range

__all__ = ["PartialAUCDisplay"]

FloatArray = npt.NDArray[np.float64]

# The colours of Okabe and Ito that are dark enough for a line on white, told apart with any common form of colour
# blindness; the dashes tell them apart in print without colour.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#000000", "#CC79A7")
_DASHES = ("-", "--", "-.", ":")

_CURVE = "widemargin-roc-curve"  # marks the curves on axes that several displays share
_BAND = "widemargin-fpr-range"
_AREA = "widemargin-partial-area"

_NO_FALSE_POSITIVE = 1e-9  # where a logarithmic axis puts rate 0: left of the rate of one in any data set


class PartialAUCDisplay:
    """ROC curve with the range that counts shaded, and its partial AUC in the legend.

    Shows what :func:`widemargin.metrics.partial_auc_score` measures: the area under the curve between two false
    positive rates. Make it with :meth:`from_estimator` or :meth:`from_predictions`, which draw at once; pass the axes
    of a first display to further ones to compare several classifiers.

    Parameters
    ----------
    fpr, tpr : array-like of shape (n_points,)
        Corners of the curve, from (0, 0) to (1, 1), neither ever falling.
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        Range (alpha, beta) of false positive rates, ``0 <= alpha < beta <= 1``.
    normalize : {"range", "mcclish"} or None, default="range"
        Unit of the area in the legend, as in :func:`widemargin.metrics.partial_auc_score`.
    name : str, default=None
        Name of the curve in the legend, drawn as it stands, ``$`` included. None shows the area alone.

    Attributes
    ----------
    partial_auc : float
        Area under the curve within the range.
    ax_ : matplotlib Axes
        Axes drawn on.
    figure_ : matplotlib Figure
        Figure drawn on.
    line_ : matplotlib Line2D
        The curve.
    area_ : matplotlib PolyCollection
        The shaded area, visible as long as the axes have one curve.

    Raises
    ------
    TypeError
        If an end of `fpr_range` is no number.
    ValueError
        If `fpr` and `tpr` are no curve, `fpr_range` is no range in [0, 1], or `normalize` is unknown.

    See Also
    --------
    RangeBoundaryDisplay : The samples that a classifier of two features accepts at the ends of the range.

    Examples
    --------
    >>> from widemargin.plots import PartialAUCDisplay
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> display = PartialAUCDisplay.from_predictions(
    ...     y, [0.1, 0.2, 0.3, 0.8, 0.4, 0.5, 0.7, 0.9], fpr_range=(0, 0.5), name="first"
    ... )
    >>> display.line_.get_label()
    'first: pAUC(0, 0.5) = 0.625'
    >>> other = PartialAUCDisplay.from_predictions(
    ...     y, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], fpr_range=(0, 0.5), name="second", ax=display.ax_
    ... )
    >>> [text.get_text() for text in other.ax_.get_legend().get_texts()][1]
    'second: pAUC(0, 0.5) = 1.000'
    """

    ax_: Axes
    figure_: Figure | SubFigure
    line_: Line2D
    area_: PolyCollection

    def __init__(
        self,
        fpr: npt.ArrayLike,
        tpr: npt.ArrayLike,
        *,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        normalize: Normalization = "range",
        name: str | None = None,
    ) -> None:
        self.fpr = _check_rates("fpr", fpr)
        self.tpr = _check_rates("tpr", tpr)
        if self.fpr.shape != self.tpr.shape:
            raise ValueError(
                f"tpr has {self.tpr.size} points, fpr has {self.fpr.size}: pass the corners of one curve."
            )
        self.fpr_range = check_fpr_range(fpr_range)
        check_normalize(normalize)
        self.normalize = normalize
        self.name = name
        self.partial_auc = partial_area(self.fpr, self.tpr, self.fpr_range, normalize)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike,
        *,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        normalize: Normalization = "range",
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        log_scale: bool = False,
        zoom: bool = False,
    ) -> PartialAUCDisplay:
        """Score samples by a fitted classifier and draw their curve.

        Parameters
        ----------
        estimator : classifier
            Fitted classifier of two classes with `decision_function` or `predict_proba`, or a pipeline that ends in
            one. It is not fitted here.
        X : array-like of shape (n_samples, n_features)
            Samples, as a rule not those of the training.
        y : array-like of shape (n_samples,)
            Their labels.
        fpr_range : tuple of (float, float), default=(0.0, 0.1)
            Range (alpha, beta) of false positive rates.
        normalize : {"range", "mcclish"} or None, default="range"
            Unit of the area in the legend.
        sample_weight : array-like of shape (n_samples,), default=None
            Multiplicities of at least 0.
        pos_label : label, default=None
            The positive class; None takes ``estimator.classes_[1]``.
        name : str, default=None
            Name in the legend; None takes the estimator's.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a figure.
        log_scale, zoom : bool, default=False
            As in :meth:`plot`.

        Returns
        -------
        PartialAUCDisplay
            The display, drawn.

        Raises
        ------
        NotFittedError
            If the estimator is not fitted.
        ValueError
            If it is no classifier of two classes with a score, or the labels, scores or options are wrong.
        """
        choice = binary_score(estimator, pos_label)
        return cls.from_predictions(
            y,
            choice.of(estimator, X),
            fpr_range=fpr_range,
            normalize=normalize,
            sample_weight=sample_weight,
            pos_label=choice.classes[choice.positive],
            name=default_name(estimator) if name is None else name,
            ax=ax,
            log_scale=log_scale,
            zoom=zoom,
        )

    @classmethod
    def from_predictions(
        cls,
        y: npt.ArrayLike,
        score: npt.ArrayLike,
        *,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        normalize: Normalization = "range",
        sample_weight: npt.ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Axes | None = None,
        log_scale: bool = False,
        zoom: bool = False,
    ) -> PartialAUCDisplay:
        """Draw the curve of given scores.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Labels of two classes.
        score : array-like of shape (n_samples,)
            Finite scores, larger for samples that are more likely positive.
        fpr_range : tuple of (float, float), default=(0.0, 0.1)
            Range (alpha, beta) of false positive rates.
        normalize : {"range", "mcclish"} or None, default="range"
            Unit of the area in the legend.
        sample_weight : array-like of shape (n_samples,), default=None
            Multiplicities of at least 0.
        pos_label : label, default=None
            The positive class; None takes the larger of the two sorted labels.
        name : str, default=None
            Name in the legend; None shows the area alone.
        ax : matplotlib Axes, default=None
            Axes to draw on; None makes a figure.
        log_scale, zoom : bool, default=False
            As in :meth:`plot`.

        Returns
        -------
        PartialAUCDisplay
            The display, drawn.

        Raises
        ------
        ValueError
            If the labels, scores or options are wrong.
        """
        fpr, tpr, _ = roc_points(
            y, score, sample_weight=sample_weight, pos_label=pos_label, drop_intermediate=True
        )
        display = cls(fpr, tpr, fpr_range=fpr_range, normalize=normalize, name=name)
        return display.plot(ax, log_scale=log_scale, zoom=zoom)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        log_scale: bool = False,
        zoom: bool = False,
        color: str | None = None,
        linestyle: str | None = None,
    ) -> PartialAUCDisplay:
        """Draw the curve and shade the range, and the area in it if this is the only curve.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Axes to draw on, with the curves of other displays or none. None makes a figure.
        log_scale : bool, default=False
            Whether the axis of the false positive rate is logarithmic, so that small rates have room. The curve then
            enters from the left at its true positive rate without false positives. Axes with curves keep their scale.
        zoom : bool, default=False
            Whether that axis shows the range alone; with several curves, all that one of them shows.
        color, linestyle : str, default=None
            Matplotlib's colour and style of the line. None takes the next of a sequence for every curve on the axes.

        Returns
        -------
        PartialAUCDisplay
            The display itself, with `ax_`, `figure_`, `line_` and `area_`.

        Raises
        ------
        TypeError
            If `log_scale` or `zoom` is no bool.
        """
        check_flag("log_scale", log_scale)
        check_flag("zoom", zoom)
        self.figure_, self.ax_ = own_axes(ax, (5.2, 4.9))
        others = self._curves()
        if others:
            log_scale = self.ax_.get_xscale() == "log"
        fpr, tpr = _for_log_axis(self.fpr, self.tpr) if log_scale else (self.fpr, self.tpr)
        (self.line_,) = self.ax_.plot(
            fpr,
            tpr,
            color=color or _COLORS[len(others) % len(_COLORS)],
            linestyle=linestyle or _DASHES[len(others) % len(_DASHES)],
            linewidth=1.8,
            label=self._label(),
            gid=_CURVE,
        )
        self._shade(fpr, tpr)
        self._scale(log_scale, zoom, first=not others)
        self.ax_.set_xlabel("false positive rate")
        self.ax_.set_ylabel("true positive rate")
        legend_below(self.ax_, [*self._curves(), *self._bands()], columns=1)
        self.ax_.grid(alpha=0.3)
        self.ax_.set_axisbelow(True)
        tidy(self.ax_)
        return self

    def _label(self) -> str:
        alpha, beta = self.fpr_range
        kind = {"range": "pAUC", "mcclish": "McClish's pAUC", None: "area"}[self.normalize]
        area = f"{kind}({alpha:g}, {beta:g}) = {self.partial_auc:.3{'f' if self.normalize else 'g'}}"
        return area if self.name is None else f"{self.name}: {area}"

    def _curves(self) -> list[Line2D]:
        return [line for line in self.ax_.lines if line.get_gid() == _CURVE]

    def _bands(self) -> list[Patch]:
        return [patch for patch in self.ax_.patches if patch.get_gid() == _BAND]

    def _shade(self, fpr: FloatArray, tpr: FloatArray) -> None:
        alpha, beta = self.fpr_range
        start = max(alpha, float(fpr[0]))
        label = f"range ({alpha:g}, {beta:g})"
        if label not in [band.get_label() for band in self._bands()]:
            self.ax_.axvspan(start, beta, color=NEUTRAL, alpha=0.12, linewidth=0, label=label, gid=_BAND)
        fpr, tpr = _with_points_at(np.array([start, beta]), fpr, tpr)
        inside = (fpr >= start) & (fpr <= beta)
        self.area_ = self.ax_.fill_between(
            fpr[inside], tpr[inside], color=self.line_.get_color(), alpha=0.15, linewidth=0, gid=_AREA
        )
        areas = [patch for patch in self.ax_.collections if patch.get_gid() == _AREA]
        for area in areas:
            area.set_visible(len(areas) == 1)  # several make one mud of all colours

    def _scale(self, log_scale: bool, zoom: bool, *, first: bool) -> None:
        alpha, beta = self.fpr_range
        left, right = (alpha, beta) if zoom else (0.0, 1.0)
        if log_scale:
            self.ax_.set_xscale("log")
            if not (zoom and alpha > 0):
                smallest = self.fpr[self.fpr > 0].min()
                left = min(smallest, alpha or beta) / 3  # room for the rate without false positives
        if not first:
            others = self.ax_.get_xlim()
            left, right = min(left, others[0]), max(right, others[1])
        self.ax_.set_xlim(left, right)
        self.ax_.set_ylim(0, 1.01)


def _check_rates(name: str, values: npt.ArrayLike) -> FloatArray:
    rates = real_array(name, values)
    rising = rates.ndim == 1 and rates.size > 1 and bool(np.all(np.diff(rates) >= 0))
    if not rising or rates[0] != 0 or rates[-1] != 1:
        raise ValueError(
            f"{name} must rise from 0 to 1, got {values!r}: pass the corners of a whole curve, as "
            "sklearn.metrics.roc_curve returns them."
        )
    return rates


def _with_points_at(rates: FloatArray, fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Add the points of the curve at further false positive rates."""
    new = np.setdiff1d(rates, fpr)
    place = np.searchsorted(fpr, new)
    return np.insert(fpr, place, new), np.insert(tpr, place, np.interp(new, fpr, tpr))


def _for_log_axis(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give rate 0 a place, and points to the slanted segments, which a logarithmic axis bends."""
    fpr = np.maximum(fpr, _NO_FALSE_POSITIVE)
    return _with_points_at(np.geomspace(fpr[0], 1, 1000), fpr, tpr)

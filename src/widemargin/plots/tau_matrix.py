"""Rank agreement for every pair of classes, as a symmetric heat map."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from numbers import Real
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage

from widemargin.metrics.inputs import real_array
from widemargin.plots.inputs import check_names
from widemargin.plots.style import LITERAL
from widemargin.validation import check_number

__all__ = ["TauMatrixDisplay"]

FloatArray = npt.NDArray[np.float64]


class TauMatrixDisplay:
    """Heat maps of Kendall's tau, one cell a pair of classes, one map a pair of score kinds.

    Shows where two views of the data agree on which samples are easy (the kind of Figure 3 of [1]_). All
    maps share one colour scale, symmetric about zero: blue is agreement, red is disagreement. Cells that are
    NaN, such as the diagonal, stay blank.

    Parameters
    ----------
    matrices : mapping of str to array-like of shape (n_classes, n_classes)
        Symmetric matrices with values in [-1, 1] or NaN, by the titles of their maps.
    class_names : sequence of str
        Names of the rows and columns; other labels, such as integers, are shown as text. Names and titles are
        drawn as they stand, ``$`` included.
    limit : float, default=None
        The colour scale runs from ``-limit`` to ``limit``, in (0, 1]. None takes the largest absolute value.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes of the first map.
    axes_ : ndarray of matplotlib Axes of shape (n_maps,)
        Axes of all maps.
    figure_ : matplotlib Figure
        Figure drawn on.
    images_ : list of matplotlib AxesImage
        The heat maps.
    colorbar_ : matplotlib Colorbar or None
        The shared colour bar.

    Raises
    ------
    TypeError
        If `matrices` is no mapping, `class_names` is a string, or `limit` no number.
    ValueError
        If a matrix has the wrong shape, is not symmetric or leaves [-1, 1], or `limit` leaves (0, 1].

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014.

    Examples
    --------
    >>> from widemargin.plots import TauMatrixDisplay
    >>> display = TauMatrixDisplay.from_pairs({("cat", "dog"): 0.4, ("rat", "cat"): -0.1})
    >>> display.class_names
    ['cat', 'dog', 'rat']
    >>> display.plot().images_[0].get_clim()
    (-0.4, 0.4)
    """

    ax_: Axes
    axes_: npt.NDArray[np.object_]
    figure_: Figure | SubFigure
    images_: list[AxesImage]
    colorbar_: Colorbar | None

    def __init__(
        self,
        matrices: Mapping[Any, npt.ArrayLike],
        class_names: Sequence[Hashable],
        *,
        limit: float | None = None,
    ) -> None:
        self.class_names = [str(name) for name in check_names("class_names", class_names)]
        _check_mapping("matrices", matrices)
        self.matrices = {
            title: _symmetric(values, len(self.class_names), title) for title, values in matrices.items()
        }
        if not self.matrices:
            raise ValueError("matrices is empty: pass at least one matrix by its title.")
        if limit is not None and not 0 < check_number("limit", limit) <= 1:
            raise ValueError(f"limit must lie in (0, 1], got {limit!r}: use None for the largest value.")
        self.limit = limit

    @classmethod
    def from_matrix(
        cls,
        matrix: npt.ArrayLike,
        class_names: Sequence[Hashable],
        *,
        title: str = "Kendall's tau",
        limit: float | None = None,
    ) -> TauMatrixDisplay:
        """Make the display of a single matrix.

        Parameters
        ----------
        matrix : array-like of shape (n_classes, n_classes)
            Symmetric, with values in [-1, 1] or NaN.
        class_names : sequence of str
            Names of the rows and columns.
        title : str, default="Kendall's tau"
            Title of the map.
        limit : float, default=None
            End of the colour scale; None takes the largest absolute value.

        Returns
        -------
        TauMatrixDisplay
            Ready to plot.
        """
        return cls({title: matrix}, class_names, limit=limit)

    @classmethod
    def from_pairs(
        cls,
        values: Mapping[tuple[Hashable, Hashable], float],
        *,
        class_names: Sequence[Hashable] | None = None,
        title: str = "Kendall's tau",
        limit: float | None = None,
    ) -> TauMatrixDisplay:
        """Make the display from one number a pair of classes, as a results table holds them.

        Parameters
        ----------
        values : mapping of tuple of (label, label) to float
            Coefficient of every binary task, by its two classes in either order. Missing pairs stay blank.
        class_names : sequence of labels, default=None
            Order of the classes; None takes the order in which `values` mentions them.
        title : str, default="Kendall's tau"
            Title of the map.
        limit : float, default=None
            End of the colour scale; None takes the largest absolute value.

        Returns
        -------
        TauMatrixDisplay
            Ready to plot.

        Raises
        ------
        TypeError
            If `values` is no mapping from pairs to numbers, or `class_names` is a string.
        ValueError
            If a pair has a class that `class_names` lacks, twice the same class, or is given in both orders,
            or `class_names` repeats a class.
        """
        _check_mapping("values", values)
        for pair, value in values.items():
            if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(value, Real)):
                raise TypeError(
                    f"values must map pairs of classes to numbers, got {pair!r}: {value!r}: use keys such as "
                    "('cat', 'dog') and NaN for a coefficient that is not known."
                )
        names = list(dict.fromkeys(label for pair in values for label in pair))
        names = names if class_names is None else check_names("class_names", class_names)
        place = {name: k for k, name in enumerate(names)}
        if len(place) < len(names):
            twice = next(name for k, name in enumerate(names) if place[name] != k)
            raise ValueError(f"class_names has {twice!r} twice: list every class once.")
        matrix = np.full((len(names), len(names)), np.nan)
        for (first, second), value in values.items():
            if first not in place or second not in place:
                raise ValueError(f"class_names lacks a class of the pair ({first!r}, {second!r}): add it.")
            if first == second or (second, first) in values:
                raise ValueError(
                    f"values has the pair ({first!r}, {second!r}) with equal classes or in both orders: "
                    "pass every pair of two classes once."
                )
            row, column = place[first], place[second]
            matrix[row, column] = matrix[column, row] = value
        return cls({title: matrix}, names, limit=limit)

    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        colorbar: bool = True,
    ) -> TauMatrixDisplay:
        """Draw the maps side by side.

        Parameters
        ----------
        ax : matplotlib Axes or sequence of Axes, default=None
            One axes a map. None makes a figure in which every cell's number can be read.
        colorbar : bool, default=True
            Whether to add the shared colour bar.

        Returns
        -------
        TauMatrixDisplay
            The display itself, with `ax_`, `axes_`, `figure_`, `images_` and `colorbar_`.

        Raises
        ------
        ValueError
            If the number of axes is not the number of matrices.
        """
        self.axes_ = self._axes(ax)
        self.ax_ = self.axes_[0]
        self.figure_ = self.ax_.figure
        limit = self.limit or _largest(list(self.matrices.values()))
        self.images_ = [
            self._draw_map(panel, title, matrix, limit, label_rows=k == 0 or ax is not None)
            for k, (panel, (title, matrix)) in enumerate(zip(self.axes_, self.matrices.items(), strict=True))
        ]
        self.colorbar_ = None
        if colorbar:
            self.colorbar_ = self.figure_.colorbar(
                self.images_[0], ax=list(self.axes_), label="Kendall's tau", shrink=0.8
            )
        return self

    def _axes(self, ax: Axes | Sequence[Axes] | None) -> npt.NDArray[np.object_]:
        n_maps, n_classes = len(self.matrices), len(self.class_names)
        if ax is None:
            side = 0.42 * n_classes + 0.6
            longest = self._longest_name()
            size = (n_maps * side + 0.08 * longest + 1.2, side + 0.05 * longest)
            _, axes = plt.subplots(1, n_maps, figsize=size, layout="constrained", squeeze=False)
            return axes.ravel()
        axes = np.array([ax] if isinstance(ax, Axes) else list(ax), dtype=object)
        if axes.size != n_maps:
            raise ValueError(f"ax has {axes.size} axes for {n_maps} matrices: pass one axes a matrix.")
        return axes

    def _longest_name(self) -> int:
        return max(len(name) for name in self.class_names)

    def _draw_map(
        self, ax: Axes, title: Hashable, matrix: FloatArray, limit: float, *, label_rows: bool
    ) -> AxesImage:
        image = ax.imshow(np.ma.masked_invalid(matrix), cmap="RdBu", vmin=-limit, vmax=limit)
        for (row, column), value in np.ndenumerate(matrix):
            if np.isfinite(value):
                # Beyond two thirds of the scale both ends of the colour map are dark.
                ink = "white" if abs(value) > 0.65 * limit else "black"
                ax.text(
                    column, row, _short(value), ha="center", va="center", fontsize=8, color=ink, **LITERAL
                )
        ticks = np.arange(len(self.class_names))
        ax.set_xticks(ticks, self.class_names, fontsize=8, **LITERAL)
        if self._longest_name() > 3:
            plt.setp(ax.get_xticklabels(), rotation=45, ha="right", rotation_mode="anchor")
        rows = self.class_names if label_rows else [""] * ticks.size
        ax.set_yticks(ticks, rows, fontsize=8, **LITERAL)
        ax.set_title(str(title), fontsize=10, **LITERAL)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        return image


def _short(value: float) -> str:
    """Two decimals without the leading zero, and no minus before a rounded zero."""
    return f"{round(value, 2) + 0.0:.2f}".replace("0.", ".", 1).replace("-", "−")


def _largest(matrices: Sequence[FloatArray]) -> float:
    values = np.concatenate([matrix[np.isfinite(matrix)] for matrix in matrices])
    largest = float(np.abs(values).max(initial=0.0))
    return largest if largest > 0 else 1.0


def _check_mapping(name: str, values: Any) -> None:
    if not isinstance(values, Mapping):
        raise TypeError(f"{name} must be a mapping, got {type(values).__name__}: pass a dict.")


def _symmetric(values: npt.ArrayLike, n_classes: int, title: Hashable) -> FloatArray:
    matrix = real_array(f"matrices[{title!r}]", values)
    if matrix.shape != (n_classes, n_classes) or n_classes == 0:
        raise ValueError(
            f"matrices[{title!r}] has shape {matrix.shape} for {n_classes} class names: "
            "pass one row and one column a class."
        )
    if not np.allclose(matrix, matrix.T, equal_nan=True):
        raise ValueError(f"matrices[{title!r}] must be symmetric: fill both triangles with the pair's value.")
    if np.any(np.abs(matrix[np.isfinite(matrix)]) > 1) or np.isinf(matrix).any():
        raise ValueError(f"matrices[{title!r}] must hold values in [-1, 1] or NaN.")
    return matrix

"""The displays draw the numbers they were given, and say what is wrong with bad ones."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from widemargin.plots import AccuracyDifferenceDisplay, GainScatterDisplay, TauMatrixDisplay
from widemargin.plots.style import BETTER, WORSE


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture
def results():
    """Three tasks of six repeats: a significant gain, a tie, a significant loss."""
    second = 0.8 + 0.01 * np.arange(18).reshape(3, 6) % 0.05
    return second + np.array([[0.02], [0.0], [-0.03]]), second


class TestAccuracyDifference:
    names = ("cat vs dog", "rat vs pig", "owl vs elk")

    def test_bars_show_the_differences_in_percentage_points(self, results):
        display = AccuracyDifferenceDisplay.from_results(
            *results, self.names, first_name="A", second_name="B"
        )
        assert display.plot(sort=False) is display
        widths = [bar.get_width() for bar in display.bars_]
        np.testing.assert_allclose(widths, [2, 0, -3], atol=1e-12)
        assert to_hex(display.bars_[0].get_facecolor()) == BETTER.lower()
        assert to_hex(display.bars_[2].get_facecolor()) == WORSE.lower()
        assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(self.names)
        assert display.ax_.get_title() == "A better in 1 of 3, equal in 1, worse in 1"
        assert display.ax_.yaxis_inverted()

    def test_sorted_from_gain_to_loss(self, results):
        first, second = results
        order = [2, 0, 1]
        display = AccuracyDifferenceDisplay.from_results(first[order], second[order], self.names).plot()
        np.testing.assert_array_equal(display.order_, [1, 2, 0])
        assert [label.get_text() for label in display.ax_.get_yticklabels()] == [
            "rat vs pig",
            "owl vs elk",
            "cat vs dog",
        ]

    def test_significant_tasks_are_marked(self, results):
        # Six equal signs: p = 1/32, so at 95 % both are significant and at 99 % none is.
        marked = AccuracyDifferenceDisplay.from_results(*results).plot(sort=False)
        heights = [text.xy[1] for text in marked.ax_.texts]
        assert heights == [0, 2]
        assert not AccuracyDifferenceDisplay.from_results(*results, level=0.99).plot().ax_.texts

    def test_error_bars_are_the_paired_standard_errors(self):
        first, second = np.array([[0.5, 0.7, 0.6]]), np.array([[0.4, 0.5, 0.3]])
        display = AccuracyDifferenceDisplay.from_results(first, second).plot()
        # Differences .1, .2, .3: mean .2, deviation .1, error .1 / sqrt(3).
        (segment,) = display.ax_.collections[0].get_segments()
        np.testing.assert_allclose(segment[:, 0], 20 + np.array([-10, 10]) / np.sqrt(3))

    def test_one_repeat_has_no_error_bars(self):
        display = AccuracyDifferenceDisplay.from_results([[0.5], [0.6]], [[0.4], [0.7]]).plot()
        assert display.ax_.collections[0].get_segments() == []
        labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert labels == ["first better", "second better"]

    def test_given_axes_are_used(self, results):
        figure, ax = plt.subplots()
        display = AccuracyDifferenceDisplay.from_results(*results).plot(ax)
        assert display.ax_ is ax
        assert display.figure_ is figure
        assert len(plt.get_fignums()) == 1

    def test_forty_five_labels_do_not_overlap(self):
        names = [f"class {k} versus class {k + 1}" for k in range(45)]
        display = AccuracyDifferenceDisplay(np.linspace(-0.02, 0.03, 45), task_names=names).plot()
        display.figure_.canvas.draw()
        boxes = [label.get_window_extent() for label in display.ax_.get_yticklabels()]
        gaps = [upper.y0 - lower.y1 for upper, lower in pairwise(boxes)]
        assert len(gaps) == 44
        assert min(gaps) > 0

    def test_redrawing_gives_the_same(self, results):
        display = AccuracyDifferenceDisplay.from_results(*results)
        once = [bar.get_width() for bar in display.plot().bars_]
        assert once == [bar.get_width() for bar in display.plot().bars_]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([0.1, np.nan],), "difference must be one finite number a task"),
            (([],), "difference must be one finite number a task"),
            (([0.1, 0.2], [0.1]), r"standard_error has shape \(1,\) for 2 tasks"),
            (([0.1], None, [True, False]), r"significant has shape \(2,\) for 1 tasks"),
            (([0.1], None, None, ["a", "b"]), "task_names has 2 names for 1 tasks"),
        ],
    )
    def test_bad_input(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            AccuracyDifferenceDisplay(*arguments)

    def test_shapes_of_results(self):
        with pytest.raises(ValueError, match=r"got \(1, 2\) and \(1, 3\)"):
            AccuracyDifferenceDisplay.from_results([[1, 2]], [[1, 2, 3]])


class TestTauMatrix:
    nan = float("nan")
    matrix = ((nan, 0.5, -0.2), (0.5, nan, 0.0), (-0.2, 0.0, nan))

    def test_values_are_drawn_and_the_diagonal_is_blank(self):
        display = TauMatrixDisplay.from_matrix(self.matrix, ["a", "b", "c"])
        assert display.plot() is display
        image = display.images_[0].get_array()
        np.testing.assert_array_equal(np.ma.getmaskarray(image), np.eye(3, dtype=bool))
        np.testing.assert_allclose(image.filled(np.nan), self.matrix)
        texts = {(t.get_position()): t.get_text() for t in display.ax_.texts}
        assert texts == {
            (1, 0): ".50",
            (2, 0): "−.20",
            (0, 1): ".50",
            (2, 1): ".00",
            (0, 2): "−.20",
            (1, 2): ".00",
        }

    def test_colours_are_centred_and_shared(self):
        weaker = np.array(self.matrix) / 2
        display = TauMatrixDisplay({"one": self.matrix, "two": weaker}, ["a", "b", "c"]).plot()
        assert [image.get_clim() for image in display.images_] == [(-0.5, 0.5)] * 2
        assert [ax.get_title() for ax in display.axes_] == ["one", "two"]
        # Two maps and one bar.
        assert len(display.figure_.axes) == 3
        assert display.colorbar_.mappable is display.images_[0]

    def test_limit_and_no_bar(self):
        display = TauMatrixDisplay.from_matrix(self.matrix, list("abc"), limit=1).plot(colorbar=False)
        assert display.images_[0].get_clim() == (-1, 1)
        assert display.colorbar_ is None

    def test_negative_zero_and_one(self):
        matrix = [[1.0, -0.001], [-0.001, -1.0]]
        display = TauMatrixDisplay.from_matrix(matrix, ["a", "b"]).plot()
        assert [text.get_text() for text in display.ax_.texts] == ["1.00", ".00", ".00", "−1.00"]

    def test_nothing_known(self):
        display = TauMatrixDisplay.from_matrix(np.full((2, 2), np.nan), ["a", "b"]).plot()
        assert display.images_[0].get_clim() == (-1, 1)
        assert not display.ax_.texts

    def test_from_pairs_in_any_order(self):
        values = {("b", "a"): 0.5, ("a", "c"): -0.2, ("c", "b"): 0.0}
        display = TauMatrixDisplay.from_pairs(values, class_names=["a", "b", "c"])
        np.testing.assert_array_equal(display.matrices["Kendall's tau"], self.matrix)

    def test_given_axes(self):
        _, axes = plt.subplots(1, 2)
        display = TauMatrixDisplay({"one": self.matrix, "two": self.matrix}, list("abc")).plot(axes)
        assert list(display.axes_) == list(axes)
        with pytest.raises(ValueError, match="ax has 2 axes for 1 matrices"):
            TauMatrixDisplay.from_matrix(self.matrix, list("abc")).plot(axes)

    def test_ten_classes_keep_their_numbers_inside_the_cells(self):
        matrix = np.full((10, 10), -0.25)
        display = TauMatrixDisplay.from_matrix(matrix, [f"long class {k}" for k in range(10)]).plot()
        display.figure_.canvas.draw()
        cell = display.ax_.get_window_extent().width / 10
        assert max(text.get_window_extent().width for text in display.ax_.texts) < cell

    @pytest.mark.parametrize(
        ("matrix", "message"),
        [
            ([[0, 1], [0, 0]], "must be symmetric"),
            ([[0, 2], [2, 0]], r"values in \[-1, 1\]"),
            ([[0, 1]], "for 2 class names"),
        ],
    )
    def test_bad_matrix(self, matrix, message):
        with pytest.raises(ValueError, match=message):
            TauMatrixDisplay.from_matrix(matrix, ["a", "b"])

    @pytest.mark.parametrize(
        ("values", "names", "message"),
        [
            ({("a", "b"): 0.1, ("b", "a"): 0.1}, None, "in both orders"),
            ({("a", "a"): 0.1}, None, "equal classes"),
            ({("a", "b"): 0.1}, ["a"], "class_names lacks a class"),
        ],
    )
    def test_bad_pairs(self, values, names, message):
        with pytest.raises(ValueError, match=message):
            TauMatrixDisplay.from_pairs(values, class_names=names)

    def test_bad_limit_and_empty(self):
        with pytest.raises(ValueError, match="limit must lie in"):
            TauMatrixDisplay.from_matrix(self.matrix, list("abc"), limit=2)
        with pytest.raises(ValueError, match="matrices is empty"):
            TauMatrixDisplay({}, ["a"])


class TestGainScatter:
    def test_points_are_baseline_and_gain(self, results):
        first, second = results
        display = GainScatterDisplay.from_results(first, second, first_name="A", second_name="B")
        assert display.plot() is display
        expected = np.column_stack([100 * second.mean(axis=1), [2, 0, -3]])
        np.testing.assert_allclose(display.points_.get_offsets(), expected, atol=1e-12)
        assert display.ax_.get_xlabel() == "accuracy of B, %"

    def test_significant_points_are_filled(self, results):
        faces = GainScatterDisplay.from_results(*results).plot().points_.get_facecolors()
        assert [to_hex(face) for face in faces] == [BETTER.lower(), "#ffffff", WORSE.lower()]

    def test_reference_moves_the_axis(self, results):
        first, second = results
        display = GainScatterDisplay.from_results(first, second, reference=second + 0.05).plot()
        np.testing.assert_allclose(display.points_.get_offsets()[:, 0], 5)
        # A constant position has no rank correlation.
        assert display.ax_.get_title() == "3 tasks"

    def test_threshold_shows_the_mean_of_each_side(self):
        position, gain = [0.6, 0.7, 0.9, 0.95], [0.01, 0.03, -0.02, 0.0]
        display = GainScatterDisplay(position, gain, threshold=0.9).plot()
        labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert labels == ["mean below 90 %: +2.00", "mean from 90 %: −1.00"]
        # Concordant pairs 2 of 6, discordant 4.
        assert display.ax_.get_title() == "4 tasks, Kendall's tau −0.33"

    def test_one_side_empty_and_no_legend(self):
        one = GainScatterDisplay([0.6, 0.7], [0.01, 0.02], threshold=0.9).plot()
        assert len(one.ax_.get_legend().get_texts()) == 1
        assert GainScatterDisplay([0.6], [0.01]).plot().ax_.get_legend() is None

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([0.5, 0.6], [0.1]), r"gain has shape \(1,\), position has \(2,\)"),
            (([], []), "for at least one task"),
            (([0.5], [np.nan]), "position and gain must be finite"),
            (([0.5], [0.1], [0.1, 0.2]), "standard_error has shape"),
        ],
    )
    def test_bad_input(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            GainScatterDisplay(*arguments)

    def test_shapes_of_results(self, results):
        first, second = results
        with pytest.raises(ValueError, match=r"reference has shape \(2, 6\), first has \(3, 6\)"):
            GainScatterDisplay.from_results(first, second, reference=second[:2])

"""The displays draw the numbers they were given, and say what is wrong with bad ones."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from widemargin.plots import AccuracyDifferenceDisplay, GainScatterDisplay, TauMatrixDisplay
from widemargin.plots.style import BETTER, NEUTRAL, WORSE


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

    @pytest.mark.parametrize(
        ("name", "breaks"), [("Margin Transfer", 0), ("Margin Transfer of everything", 1)]
    )
    def test_the_title_stays_inside_the_figure(self, results, name, breaks):
        display = AccuracyDifferenceDisplay.from_results(*results, first_name=name).plot()
        display.figure_.canvas.draw()
        title = display.ax_.title
        assert title.get_text().count("\n") == breaks
        assert title.get_window_extent().x1 <= display.figure_.bbox.x1

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
            (([0.1, 0.2], [0.1, -0.1]), "standard_error must be finite and at least 0, got -0.1 for task 1"),
            (([0.1], [np.inf]), "standard_error must be finite and at least 0, got inf"),
            (([0.1], None, ["no"]), "significant must be an array of real numbers"),
            (([0.1], None, [0.03]), "significant must be True or False, got 0.03 for task 0"),
            ((["much"],), "difference must be an array of real numbers"),
            ((np.ma.array([0.1, 0.2], mask=[0, 1]),), "difference has 1 masked values"),
        ],
    )
    def test_bad_input(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            AccuracyDifferenceDisplay(*arguments)

    @pytest.mark.parametrize("names", ["ab", b"ab", 2])
    def test_names_are_a_sequence(self, names):
        with pytest.raises(TypeError, match="task_names must be a sequence of names, got"):
            AccuracyDifferenceDisplay([0.1, 0.2], task_names=names)

    def test_shapes_and_level_of_results(self):
        with pytest.raises(ValueError, match=r"got \(1, 2\) and \(1, 3\)"):
            AccuracyDifferenceDisplay.from_results([[1, 2]], [[1, 2, 3]])
        with pytest.raises(ValueError, match="level must lie strictly between 0 and 1, got 95"):
            AccuracyDifferenceDisplay.from_results([[1, 2]], [[1, 2]], level=95)
        with pytest.raises(TypeError, match="level must be a real number"):
            AccuracyDifferenceDisplay([0.1], level="0.95")


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
            ({("a", "b"): 0.1}, ["a", "b", "a"], "class_names has 'a' twice"),
        ],
    )
    def test_bad_pairs(self, values, names, message):
        with pytest.raises(ValueError, match=message):
            TauMatrixDisplay.from_pairs(values, class_names=names)

    def test_labels_of_any_type_are_shown_as_text(self):
        matrix = [[0, 0.5], [0.5, 0]]
        for labels in ([0, 1], (None, 2.5), np.array([3, 4])):
            display = TauMatrixDisplay({7: matrix}, labels).plot()
            expected = [str(label) for label in labels]
            assert [label.get_text() for label in display.ax_.get_xticklabels()] == expected
            assert display.ax_.get_title() == "7"

    @pytest.mark.parametrize("names", ["ab", 2])
    def test_names_are_a_sequence(self, names):
        with pytest.raises(TypeError, match="class_names must be a sequence of names, got"):
            TauMatrixDisplay.from_matrix([[0, 1], [1, 0]], names)
        with pytest.raises(TypeError, match="class_names must be a sequence of names, got"):
            TauMatrixDisplay.from_pairs({("a", "b"): 0.1}, class_names=names)

    def test_mappings(self):
        with pytest.raises(TypeError, match="matrices must be a mapping, got list"):
            TauMatrixDisplay([[0, 1], [1, 0]], ["a", "b"])
        with pytest.raises(TypeError, match="values must be a mapping, got list"):
            TauMatrixDisplay.from_pairs([("a", "b", 0.1)])
        for values in ({"ab": 0.1}, {("a", "b", "c"): 0.1}, {("a", "b"): "0.1"}):
            with pytest.raises(TypeError, match="values must map pairs of classes to numbers, got"):
                TauMatrixDisplay.from_pairs(values)

    def test_masked_and_wordy_matrices(self):
        masked = np.ma.array([[0, 1], [1, 0]], mask=[[1, 0], [0, 0]])
        with pytest.raises(ValueError, match=r"matrices\['one'\] has 1 masked values"):
            TauMatrixDisplay({"one": masked}, ["a", "b"])
        with pytest.raises(ValueError, match=r"matrices\['one'\] must be an array of real numbers"):
            TauMatrixDisplay({"one": [["x", "y"], ["y", "x"]]}, ["a", "b"])

    def test_bad_limit_and_empty(self):
        with pytest.raises(TypeError, match="limit must be a real number, got '1'"):
            TauMatrixDisplay.from_matrix(self.matrix, list("abc"), limit="1")
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
        tied = GainScatterDisplay(position, [0.0, -1e-6, 0.0, 1e-6], threshold=0.9).plot()
        labels = [text.get_text() for text in tied.ax_.get_legend().get_texts()]
        assert labels == ["mean below 90 %: 0.00", "mean from 90 %: 0.00"]

    def test_a_trend_needs_eight_tasks(self):
        position, gain = np.linspace(0.6, 0.9, 8), 0.01 * np.array([7, 6, 5, 4, 3, 2, 0, 1])
        # Of 28 pairs one is concordant, 27 are discordant.
        assert GainScatterDisplay(position, gain).plot().ax_.get_title() == "8 tasks, Kendall's tau −0.93"
        assert GainScatterDisplay(position[1:], gain[1:]).plot().ax_.get_title() == "7 tasks"
        assert GainScatterDisplay([0.6], [0.1]).plot().ax_.get_title() == "1 task"

    def test_one_side_empty_and_no_legend(self):
        one = GainScatterDisplay([0.6, 0.7], [0.01, 0.02], threshold=0.9).plot()
        assert len(one.ax_.get_legend().get_texts()) == 1
        assert GainScatterDisplay([0.6], [0.01]).plot().ax_.get_legend() is None

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([0.5, 0.6], [0.1]), r"gain has shape \(1,\), position has \(2,\)"),
            (([], []), r"position has shape \(0,\): pass one value a task, for at least one task"),
            (([0.5], [0.1], [-0.1]), "standard_error must be finite and at least 0, got -0.1"),
            (([0.5], [0.1], None, ["yes"]), "significant must be an array of real numbers"),
            (([0.5], ["much"]), "gain must be an array of real numbers"),
            ((np.ma.array([0.5, 0.6], mask=[0, 1]), [0.1, 0.2]), "position has 1 masked values"),
            (([0.5], [np.nan]), "position and gain must be finite"),
            (([0.5], [0.1], [0.1, 0.2]), "standard_error has shape"),
        ],
    )
    def test_bad_input(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            GainScatterDisplay(*arguments)

    @pytest.mark.parametrize("name", ["threshold", "level"])
    def test_parameters_are_numbers(self, name):
        with pytest.raises(TypeError, match=f"{name} must be a real number, got '0.9'"):
            GainScatterDisplay([0.5], [0.1], **{name: "0.9"})

    def test_shapes_of_results(self, results):
        first, second = results
        with pytest.raises(ValueError, match=r"reference has shape \(2, 6\), first has \(3, 6\)"):
            GainScatterDisplay.from_results(first, second, reference=second[:2])


class TestTiesAndSmallDifferences:
    """A tie is neither gain nor loss, and a tenth of a point does not fill the axis."""

    rounding = (0.0, 1e-13, -1e-13)

    def test_ties_have_a_colour_of_their_own(self):
        bars = AccuracyDifferenceDisplay(self.rounding).plot().bars_
        points = GainScatterDisplay([0.5, 0.6, 0.7], self.rounding).plot().points_
        assert {to_hex(bar.get_facecolor()) for bar in bars} == {NEUTRAL}
        assert {to_hex(edge) for edge in points.get_edgecolors()} == {NEUTRAL}

    @pytest.mark.parametrize("differences", [rounding, (0.001, -0.002, 0.0), (-0.003, -0.001, 0.0)])
    def test_the_axis_reaches_one_point_to_each_side(self, differences):
        assert AccuracyDifferenceDisplay(differences).plot().ax_.get_xlim() == (-1, 1)
        assert GainScatterDisplay([0.5, 0.6, 0.7], differences).plot().ax_.get_ylim() == (-1, 1)

    def test_large_differences_keep_their_axis(self):
        low, high = AccuracyDifferenceDisplay([0.03, 0.01, 0.05]).plot().ax_.get_xlim()
        assert -1 < low <= 0
        assert 5 < high < 6
        low, high = GainScatterDisplay([0.5, 0.6, 0.7], [0.03, 0.01, 0.05]).plot().ax_.get_ylim()
        assert -1 < low <= 0
        assert 5 < high < 6


# Mathematics that cannot be parsed, mathematics that could, an escape, and what legends leave out by default.
NAMES = ["$C_{1$", r"\alpha $x$", r"a\$b", "_hidden"]


class TestNamesAreDrawnAsTheyStand:
    @staticmethod
    def drawn(figure):
        """Texts of the figure that drawing shows, none of them parsed as mathematics."""
        figure.canvas.draw()
        texts = [text for text in figure.findobj(Text) if text.get_visible() and "$" in text.get_text()]
        assert not any(text.get_parse_math() for text in texts)
        return [text.get_text() for text in figure.findobj(Text) if text.get_visible()]

    @pytest.mark.parametrize("name", NAMES)
    def test_accuracy_difference(self, results, name):
        display = AccuracyDifferenceDisplay.from_results(
            *results, [name, "b", "c"], first_name=name, second_name=name
        ).plot()
        drawn = self.drawn(display.figure_)
        assert name in drawn
        assert drawn.count(f"{name} better") == 2
        assert f"{name} better in 1 of 3, equal in 1, worse in 1" in drawn
        assert f"accuracy of {name} minus {name},\npercentage points" in drawn

    @pytest.mark.parametrize("name", NAMES)
    def test_gain_scatter(self, results, name):
        names = {"first_name": name, "second_name": name, "reference_name": name}
        display = GainScatterDisplay.from_results(*results, reference=results[1] + 0.1, **names).plot()
        drawn = self.drawn(display.figure_)
        assert f"accuracy of {name} minus {name}, percentage points" in drawn
        assert f"accuracy of {name} minus {name},\npercentage points" in drawn

    @pytest.mark.parametrize("name", NAMES)
    def test_tau_matrix(self, name):
        matrix = [[0, 0.5], [0.5, 0]]
        for display in (
            TauMatrixDisplay({name: matrix}, [name, "b"]),
            TauMatrixDisplay.from_matrix(matrix, [name, "b"], title=name),
            TauMatrixDisplay.from_pairs({(name, "b"): 0.5}, title=name),
        ):
            # Title, row and column.
            assert self.drawn(display.plot().figure_).count(name) == 3

    def test_literal_names_in_every_format(self, tmp_path):
        figure = AccuracyDifferenceDisplay([0.1], task_names=["$C_{1"], first_name="$x").plot().figure_
        for suffix in ("png", "svg", "pdf"):
            figure.savefig(tmp_path / f"figure.{suffix}")
            assert (tmp_path / f"figure.{suffix}").stat().st_size > 0

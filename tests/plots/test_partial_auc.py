"""The display of the partial AUC draws the curve, the range and the area that it was given."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_curve
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from widemargin.metrics import partial_auc_score
from widemargin.plots import PartialAUCDisplay

# Corners (0, 0), (0, 1/4), (1/4, 3/4), (1/2, 3/4), (1/2, 1), (1, 1).
Y = [1, 1, 1, 0, 0, 1, 0, 0]
SCORE = [9, 7, 7, 7, 5, 4, 2, 1]


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def data():
    return make_classification(n_samples=200, n_features=5, flip_y=0.2, random_state=0)


def legend_texts(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def polygon_area(vertices):
    """Area enclosed by corners, by the shoelace formula."""
    x, y = vertices.T
    return 0.5 * abs(x @ np.roll(y, 1) - y @ np.roll(x, 1))


class TestCurve:
    def test_the_line_is_the_curve(self):
        display = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0, 0.5), name="rule")
        fpr, tpr, _ = roc_curve(Y, SCORE)
        np.testing.assert_allclose(display.line_.get_xdata(), fpr)
        np.testing.assert_allclose(display.line_.get_ydata(), tpr)
        assert legend_texts(display) == ["rule: pAUC(0, 0.5) = 0.625", "range (0, 0.5)"]
        assert display.partial_auc == partial_auc_score(Y, SCORE, fpr_range=(0, 0.5))
        assert display.ax_.get_xlim() == (0, 1)

    @pytest.mark.parametrize("fpr_range", [(0, 0.5), (0.125, 0.375), (0.25, 0.5), (0.5, 1), (0.3, 0.31)])
    def test_the_shaded_polygon_has_the_area_that_is_scored(self, fpr_range):
        display = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=fpr_range)
        (path,) = display.area_.get_paths()
        raw = partial_auc_score(Y, SCORE, fpr_range=fpr_range, normalize=None)
        assert polygon_area(path.vertices) == pytest.approx(raw, abs=1e-12)
        (band,) = display.ax_.patches
        np.testing.assert_allclose([band.get_x(), band.get_x() + band.get_width()], fpr_range)

    @pytest.mark.parametrize(
        ("normalize", "label"),
        [
            ("mcclish", "McClish's pAUC(0.25, 0.5) = 0.800"),
            (None, "area(0.25, 0.5) = 0.188"),
            ("range", "pAUC(0.25, 0.5) = 0.750"),
        ],
    )
    def test_the_legend_names_the_unit(self, normalize, label):
        display = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0.25, 0.5), normalize=normalize)
        assert legend_texts(display)[0] == label

    def test_weights_and_positive_class(self):
        names, weight = np.where(Y, "a", "b"), [1, 2, 0, 1, 3, 1, 1, 2]
        display = PartialAUCDisplay.from_predictions(names, SCORE, sample_weight=weight, pos_label="a")
        assert display.partial_auc == partial_auc_score(Y, SCORE, sample_weight=weight)


class TestAxes:
    def test_several_curves_share_axes(self):
        figure, ax = plt.subplots()
        for name in ("_first", "second", "third"):
            display = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0, 0.5), name=name, ax=ax)
        assert display.figure_ is figure
        labels = [f"{name}: pAUC(0, 0.5) = 0.625" for name in ("_first", "second", "third")]
        assert legend_texts(display) == [*labels, "range (0, 0.5)"]
        assert len({line.get_color() for line in ax.lines}) == 3
        assert len({line.get_linestyle() for line in ax.lines}) == 3
        assert not any(area.get_visible() for area in ax.collections)
        assert len(plt.get_fignums()) == 1

    def test_a_single_curve_shows_its_area(self):
        assert PartialAUCDisplay.from_predictions(Y, SCORE).area_.get_visible()

    def test_colour_and_style_can_be_chosen(self):
        display = PartialAUCDisplay.from_predictions(Y, SCORE).plot(color="red", linestyle=":")
        assert display.line_.get_color() == "red"
        assert display.line_.get_linestyle() == ":"

    def test_zoom_shows_the_range(self):
        display = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0.1, 0.3), zoom=True)
        assert display.ax_.get_xlim() == (0.1, 0.3)
        PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0.2, 0.6), zoom=True, ax=display.ax_)
        assert display.ax_.get_xlim() == (0.1, 0.6)

    def test_logarithmic_axis(self):
        display = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0, 0.25), log_scale=True)
        x, y = display.line_.get_data()
        assert display.ax_.get_xscale() == "log"
        assert x.min() > 0
        left, right = display.ax_.get_xlim()
        assert 0 < left < 0.25
        assert right == 1
        # A straight segment is bent: every point drawn is on 1/4 + 2 FPR, also between its two corners.
        slanted = (x > left) & (x < 0.25)
        assert slanted.sum() > 10
        np.testing.assert_allclose(y[slanted], 0.25 + 2 * x[slanted], atol=1e-8)
        # Without false positives the curve is at 1/4, and no lower in view.
        np.testing.assert_allclose(y[x < 1e-8].max(), 0.25)

    def test_logarithmic_axis_with_zoom_and_a_second_curve(self):
        display = PartialAUCDisplay.from_predictions(
            Y, SCORE, fpr_range=(0.1, 0.3), log_scale=True, zoom=True
        )
        np.testing.assert_allclose(display.ax_.get_xlim(), (0.1, 0.3))
        other = PartialAUCDisplay.from_predictions(Y, SCORE, fpr_range=(0.1, 0.3), zoom=True, ax=display.ax_)
        assert other.ax_.get_xscale() == "log"
        assert other.line_.get_xdata().min() > 0

    def test_names_are_drawn_as_they_stand(self):
        display = PartialAUCDisplay.from_predictions(Y, SCORE, name="C=$1 and \\$2$")
        display.figure_.canvas.draw()
        text = display.ax_.get_legend().get_texts()[0]
        assert text.get_text().startswith("C=$1 and \\$2$: pAUC")
        assert not text.get_parse_math()

    def test_the_legend_stays_inside_the_figure(self):
        display = None
        for name in ("a classifier with a name that is rather long", "another", "a third", "a fourth"):
            ax = None if display is None else display.ax_
            display = PartialAUCDisplay.from_predictions(Y, SCORE, name=name, ax=ax)
        display.figure_.canvas.draw()
        box = display.ax_.get_legend().get_window_extent()
        figure = display.figure_.bbox
        assert box.x0 >= figure.x0
        assert box.x1 <= figure.x1
        assert box.y0 >= figure.y0


class TestEstimators:
    @pytest.mark.parametrize("estimator", [LinearSVC(), GaussianNB()])
    def test_the_score_of_the_estimator(self, data, estimator):
        X, y = data
        model = make_pipeline(StandardScaler(), estimator).fit(X, y)
        score = (
            model.decision_function(X)
            if hasattr(model, "decision_function")
            else model.predict_proba(X)[:, 1]
        )
        for pos_label, sign in ((None, 1), (1, 1), (0, -1)):
            display = PartialAUCDisplay.from_estimator(model, X, y, fpr_range=(0, 0.2), pos_label=pos_label)
            expected = partial_auc_score(y, sign * score, fpr_range=(0, 0.2), pos_label=pos_label)
            # One minus a tiny probability can tie with its neighbour.
            assert display.partial_auc == pytest.approx(expected, abs=1e-3)
        assert legend_texts(display)[0].startswith(f"{type(estimator).__name__}: pAUC(0, 0.2)")

    def test_what_is_no_fitted_classifier_of_two_classes(self, data):
        X, y = data
        with pytest.raises(NotFittedError):
            PartialAUCDisplay.from_estimator(LogisticRegression(), X, y)
        with pytest.raises(ValueError, match="LinearRegression with 0 classes: pass a fitted classifier"):
            PartialAUCDisplay.from_estimator(LinearRegression().fit(X, y), X, y)
        three = GaussianNB().fit(X, np.arange(y.size) % 3)
        with pytest.raises(ValueError, match="GaussianNB with 3 classes"):
            PartialAUCDisplay.from_estimator(three, X, y)
        with pytest.raises(
            ValueError, match=r"pos_label must be one of the estimator's classes \[0, 1\], got 2"
        ):
            PartialAUCDisplay.from_estimator(GaussianNB().fit(X, y), X, y, pos_label=2)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 0.5], [0, 1]), {}, r"fpr must rise from 0 to 1, got \[0, 0.5\]"),
        (([0, 0.6, 0.5, 1], [0, 0.1, 0.2, 1]), {}, "fpr must rise from 0 to 1"),
        (([0, 1], [0, np.nan]), {}, "tpr must rise from 0 to 1"),
        (([], []), {}, "fpr must rise from 0 to 1"),
        (([0, 1], [0, 0.5, 1]), {}, "tpr has 3 points, fpr has 2"),
        (([0, 1], [0, 1]), {"fpr_range": (0.2, 0.1)}, "fpr_range must be two false positive rates"),
        (([0, 1], [0, 1]), {"normalize": "area"}, "normalize must be one of"),
    ],
)
def test_bad_curves(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        PartialAUCDisplay(*arguments, **options)


@pytest.mark.parametrize("option", ["log_scale", "zoom"])
def test_flags(option):
    with pytest.raises(TypeError, match=f"{option} must be True or False"):
        PartialAUCDisplay([0, 1], [0, 1]).plot(**{option: "yes"})

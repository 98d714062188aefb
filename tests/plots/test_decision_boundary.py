"""The panel of a classifier of two features draws the lines of its thresholds at the ends of the range."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from widemargin.metrics import partial_auc_score
from widemargin.plots import RangeBoundaryDisplay
from widemargin.ranking import AdaBoostTreesClassifier


@pytest.fixture(autouse=True)
def _closed_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def data():
    return make_moons(n_samples=200, noise=0.3, random_state=0)


# A score that is the first feature; five negatives at 0 to 4, positives at 2.5 and 5.
GRID = np.meshgrid(np.linspace(-1, 6, 8), np.linspace(0, 1, 3))
X = np.column_stack([[0, 1, 2, 3, 4, 2.5, 5], np.full(7, 0.5)])
Y = [0, 0, 0, 0, 0, 1, 1]


def by_first_feature(**options):
    return RangeBoundaryDisplay(*GRID, GRID[0], GRID[0] > 1.5, X, Y, X[:, 0], **options)


class TestThresholds:
    @pytest.mark.parametrize(
        ("fpr_range", "expected"),
        [
            # Halfway between the last sample accepted and the first one refused.
            ((0, 0.2), [4.5, 3.5]),
            ((0.2, 0.4), [3.5, 2.25]),
            ((0.1, 0.39), [4.5, 3.5]),
            ((0.5, 1), [2.25, -np.inf]),
        ],
    )
    def test_most_samples_with_at_most_the_rate(self, fpr_range, expected):
        np.testing.assert_allclose(by_first_feature(fpr_range=fpr_range).thresholds, expected)

    def test_none_is_accepted_if_a_negative_leads(self):
        display = RangeBoundaryDisplay(*GRID, GRID[0], GRID[0] > 1.5, X, [0, 0, 0, 0, 0, 1, 0], X[:, 0])
        assert display.thresholds[0] == np.inf

    @pytest.mark.parametrize(
        "model", [LogisticRegression(), GaussianNB(), DecisionTreeClassifier(max_depth=3)]
    )
    @pytest.mark.parametrize("pos_label", [0, 1])
    def test_rates_on_the_samples_are_the_largest_within_the_range(self, data, model, pos_label):
        X, y = data
        display = RangeBoundaryDisplay.from_estimator(
            model.fit(X, y), X, y, fpr_range=(0.05, 0.2), pos_label=pos_label, grid_resolution=20
        )
        negatives = display.score[y != pos_label]
        for rate, threshold in zip((0.05, 0.2), display.thresholds, strict=True):
            assert np.mean(negatives > threshold) <= rate
            refused = display.score[display.score < threshold]
            assert np.mean(negatives >= refused.max()) > rate
        expected = partial_auc_score(y, display.score, fpr_range=(0.05, 0.2), pos_label=pos_label)
        assert display.partial_auc == expected


class TestDrawing:
    def test_lines_samples_and_title(self):
        display = by_first_feature(fpr_range=(0, 0.2), name="rule", feature_names=("length", "width"))
        assert display.plot() is display
        for key, place in (("alpha", 4.5), ("beta", 3.5), ("predict", 1.5)):
            (path,) = display.lines_[key].get_paths()
            np.testing.assert_allclose(path.vertices[:, 0], place)
        np.testing.assert_array_equal(display.positives_.get_offsets(), X[5:])
        np.testing.assert_array_equal(display.negatives_.get_offsets(), X[:5])
        assert display.ax_.get_title() == "rule: pAUC(0, 0.2) = 0.500"
        assert display.ax_.get_xlabel() == "length"
        assert display.ax_.get_ylabel() == "width"
        assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == [
            "positive",
            "negative",
            "threshold for FPR 0",
            "threshold for FPR 0.2",
            "boundary of predict",
        ]

    def test_the_fill_is_the_share_of_samples_below(self):
        display = by_first_feature().plot()
        # Grid at -1, 0, ..., 6: samples with a lower score than each.
        expected = np.array([0, 0, 1, 2, 4, 5, 6, 7]) / 7
        fill = np.asarray(display.surface_.get_array()).reshape(GRID[0].shape)
        np.testing.assert_allclose(fill, np.tile(expected, (3, 1)))

    def test_lines_out_of_view_are_left_out(self):
        display = by_first_feature(fpr_range=(0.5, 1)).plot()
        assert sorted(display.lines_) == ["alpha", "predict"]
        assert "threshold for FPR 1" not in [text.get_text() for text in display.ax_.get_legend().get_texts()]

    def test_given_axes_are_used_and_no_other_figure_is_left(self, data):
        figure, ax = plt.subplots()
        display = RangeBoundaryDisplay.from_estimator(
            GaussianNB().fit(*data), *data, grid_resolution=10, ax=ax
        )
        assert display.ax_ is ax
        assert display.figure_ is figure
        assert len(plt.get_fignums()) == 1

    def test_scores_and_predictions_on_the_grid_are_the_estimators(self, data):
        X, y = data
        names = np.where(y, "ill", "well")  # the second moon sorts first
        model = LogisticRegression().fit(X, names)
        for pos_label, sign in (("well", 1), ("ill", -1)):
            display = RangeBoundaryDisplay.from_estimator(
                model, X, names, pos_label=pos_label, grid_resolution=11
            )
            points = np.column_stack([display.xx0.ravel(), display.xx1.ravel()])
            np.testing.assert_allclose(display.response.ravel(), sign * model.decision_function(points))
            np.testing.assert_array_equal(display.predicted.ravel(), model.predict(points) == pos_label)
            np.testing.assert_array_equal(display.positive, names == pos_label)
            assert display.xx0.shape == (11, 11)

    def test_columns_name_the_axes_as_they_stand(self, data):
        X, y = data
        frame = pd.DataFrame(X, columns=["price $", "size $"])
        model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(frame, y)
        display = RangeBoundaryDisplay.from_estimator(model, frame, y, grid_resolution=10, name="$x")
        display.figure_.canvas.draw()
        assert display.ax_.get_xlabel() == "price $"
        assert display.ax_.get_ylabel() == "size $"
        assert display.ax_.get_title().startswith("$x: pAUC(0, 0.1)")
        for text in (display.ax_.title, display.ax_.xaxis.label, display.ax_.yaxis.label):
            assert not text.get_parse_math()

    def test_a_constant_score_has_no_lines(self):
        constant = np.zeros_like(GRID[0])
        display = RangeBoundaryDisplay(*GRID, constant, constant, X, Y, np.zeros(7)).plot()
        assert display.lines_ == {}

    def test_lists_of_samples(self, data):
        X, y = data
        model = GaussianNB().fit(X, y)
        display = RangeBoundaryDisplay.from_estimator(model, X.tolist(), y.tolist(), grid_resolution=5)
        np.testing.assert_array_equal(display.X, X)

    @pytest.mark.parametrize("kind", [np.asarray, pd.DataFrame])
    def test_samples_with_missing_values_count_but_have_no_place(self, data, kind):
        X, y = data[0].copy(), data[1]
        X[::3, 1] = np.nan
        model = AdaBoostTreesClassifier(5).fit(X, y)
        display = RangeBoundaryDisplay.from_estimator(model, kind(X), y, grid_resolution=5)
        assert display.partial_auc == partial_auc_score(y, model.decision_function(X))
        complete = X[~np.isnan(X).any(axis=1)]
        assert display.xx0.min() <= complete[:, 0].min() <= complete[:, 0].max() <= display.xx0.max()
        assert np.isfinite(display.ax_.get_ylim()).all()
        display.figure_.canvas.draw()


class TestRefusals:
    def test_estimators(self, data):
        X, y = data
        with pytest.raises(NotFittedError):
            RangeBoundaryDisplay.from_estimator(GaussianNB(), X, y)
        model = GaussianNB().fit(X, y)
        with pytest.raises(ValueError, match=r"X has shape \(200, 3\): pass two features"):
            RangeBoundaryDisplay.from_estimator(model, np.column_stack([X, y]), y)
        with pytest.raises(ValueError, match="grid_resolution must be at least 2, got 1"):
            RangeBoundaryDisplay.from_estimator(model, X, y, grid_resolution=1)
        with pytest.raises(ValueError, match="grid_resolution must be at most 2000, got 100000: pass"):
            RangeBoundaryDisplay.from_estimator(model, X, y, grid_resolution=100_000)
        with pytest.raises(ValueError, match="fpr_range must be two false positive rates"):
            RangeBoundaryDisplay.from_estimator(model, X, y, fpr_range=(0, 20))
        with pytest.raises(ValueError, match="X has a missing value in every sample: pass at least one"):
            RangeBoundaryDisplay.from_estimator(model, np.full_like(X, np.nan), y)
        with pytest.raises(ValueError, match="X contains infinity"):
            RangeBoundaryDisplay.from_estimator(model, np.where(X > 0, np.inf, X), y)

    @pytest.mark.parametrize(
        ("place", "value", "message"),
        [
            (0, [0, 1], r"xx0 has shape \(2,\)"),
            (2, GRID[0][1:], r"response has shape \(2, 8\), xx0 has \(3, 8\): pass values on one grid"),
            (2, np.where(GRID[0] > 5, np.inf, 0), "response contains infinity"),
            (4, X[:, :1], r"X has shape \(7, 1\) for 7 scores"),
            (5, np.zeros(7), "y has one class"),
            (6, np.zeros(6), r"score has shape \(6,\), y has \(7,\)"),
        ],
    )
    def test_arrays(self, place, value, message):
        arguments = [*GRID, GRID[0], GRID[0] > 1.5, X, Y, X[:, 0]]
        arguments[place] = value
        with pytest.raises(ValueError, match=message):
            RangeBoundaryDisplay(*arguments)

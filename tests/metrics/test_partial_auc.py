"""Areas under a range of the ROC curve: worked by hand, by counting pairs, and against scikit-learn."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from widemargin.metrics import partial_auc_score, partial_auc_scorer

# Sums of at most a few hundred terms of size 1: rounding errors stay below 1e-13.
ROUNDING = 1e-12

# Corners (0, 0), (0, 1/4), (1/4, 3/4), (1/2, 3/4), (1/2, 1), (1, 1): a tie of a negative with two positives, and
# a vertical jump at one half.
TIED_Y = [1, 1, 1, 0, 0, 1, 0, 0]
TIED_SCORE = [9, 7, 7, 7, 5, 4, 2, 1]


def pairs_in_order(y, score, start, stop):
    """Mean of [positive above negative] + [tie] / 2 over the negatives of rank start to stop, by definition."""
    positives = [s for label, s in zip(y, score, strict=True) if label]
    negatives = sorted((s for label, s in zip(y, score, strict=True) if not label), reverse=True)
    # Tied negatives share their ranks, which a mean over equal scores does not notice.
    credit = [(p > n) + 0.5 * (p == n) for n in negatives[start:stop] for p in positives]
    return np.mean(credit)


@st.composite
def problems(draw, scores):
    """Labels with both classes, and scores."""
    n_samples = draw(st.integers(2, 25))
    y = [*draw(st.lists(st.booleans(), min_size=n_samples - 2, max_size=n_samples - 2)), True, False]
    score = draw(st.lists(scores, min_size=n_samples, max_size=n_samples))
    return np.array(y), np.array(score, dtype=float)


ranges = st.lists(st.integers(0, 40), min_size=2, max_size=2, unique=True).map(
    lambda ends: (min(ends) / 40, max(ends) / 40)
)


class TestWorkedByHand:
    @pytest.mark.parametrize(
        ("fpr_range", "area"),
        [
            ((0, 1), 0.125 + 0.1875 + 0.5),
            ((0, 0.25), 0.125),
            ((0.25, 0.5), 0.1875),
            # The curve is 1/4 + 2 FPR on [0, 1/4]: 3/8 at 1/16 and 5/8 at 3/16.
            ((1 / 16, 3 / 16), 0.125 * 0.5),
            ((0.125, 0.375), 0.125 * 0.625 + 0.125 * 0.75),
            # The jump at one half has no area, whether the range ends or starts there.
            ((0.375, 0.5), 0.125 * 0.75),
            ((0.5, 0.625), 0.125),
            ((0.4375, 0.5625), 0.0625 * 1.75),
            ((0.75, 1), 0.25),
        ],
    )
    def test_area_with_ties_and_jumps(self, fpr_range, area):
        raw = partial_auc_score(TIED_Y, TIED_SCORE, fpr_range=fpr_range, normalize=None)
        assert raw == pytest.approx(area, abs=ROUNDING)
        share = partial_auc_score(TIED_Y, TIED_SCORE, fpr_range=fpr_range)
        assert share == pytest.approx(area / (fpr_range[1] - fpr_range[0]), abs=ROUNDING)

    def test_a_range_far_narrower_than_a_step(self):
        share = partial_auc_score(TIED_Y, TIED_SCORE, fpr_range=(0.125, 0.125 + 1e-12))
        assert share == pytest.approx(0.5, abs=1e-9)

    @pytest.mark.parametrize("fpr_range", [(0, 0.1), (0.05, 0.2), (0.3, 0.9), (0, 1)])
    def test_perfect_chance_and_reversed_order(self, fpr_range):
        y = [0] * 10 + [1] * 5
        alpha, beta = fpr_range
        expected = {
            "range": (1, (alpha + beta) / 2, 0),
            "mcclish": (1, 0.5, None),
            None: (beta - alpha, (beta**2 - alpha**2) / 2, 0),
        }
        for normalize, (perfect, chance, worst) in expected.items():
            options = {"fpr_range": fpr_range, "normalize": normalize}
            assert partial_auc_score(y, y, **options) == pytest.approx(perfect, abs=ROUNDING)
            assert partial_auc_score(y, np.zeros(15), **options) == pytest.approx(chance, abs=ROUNDING)
            if worst is not None:
                assert partial_auc_score(y, -np.array(y), **options) == 0

    def test_mcclish_over_a_range_that_does_not_start_at_zero(self):
        # Chance (1/4 - 1/16) / 2 = 3/32, perfect 1/4, area 3/16: (1 + (3/32) / (5/32)) / 2.
        value = partial_auc_score(TIED_Y, TIED_SCORE, fpr_range=(0.25, 0.5), normalize="mcclish")
        assert value == pytest.approx(0.8, abs=ROUNDING)

    def test_the_default_is_the_first_tenth(self):
        assert partial_auc_score(TIED_Y, TIED_SCORE) == pytest.approx(0.35, abs=ROUNDING)


class TestAgainstCounting:
    @given(problems(st.integers(0, 6)), st.data())
    def test_distinct_negatives_and_any_ties_with_positives(self, problem, data):
        y, score = problem
        # Negatives at the even numbers, each once; positives at any number.
        n = int((~y).sum())
        score[~y] = 2 * np.arange(n)
        start = data.draw(st.integers(0, n - 1))
        stop = data.draw(st.integers(start + 1, n))
        # The range covers whole steps, over which a tie is half credit.
        value = partial_auc_score(y, score, fpr_range=(start / n, stop / n))
        assert value == pytest.approx(pairs_in_order(y, score, start, stop), abs=ROUNDING)

    @given(problems(st.integers(0, 6)))
    def test_the_whole_curve_with_all_kinds_of_ties(self, problem):
        y, score = problem
        value = partial_auc_score(y, score, fpr_range=(0, 1))
        assert value == pytest.approx(pairs_in_order(y, score, 0, None), abs=ROUNDING)
        assert value == pytest.approx(roc_auc_score(y, score), abs=ROUNDING)

    @given(problems(st.integers(0, 6)), st.integers(1, 40))
    def test_mcclish_is_that_of_scikit_learn(self, problem, end):
        y, score = problem
        value = partial_auc_score(y, score, fpr_range=(0, end / 40), normalize="mcclish")
        assert value == pytest.approx(roc_auc_score(y, score, max_fpr=end / 40), abs=ROUNDING)


class TestInvariance:
    @given(problems(st.integers(-5, 5)), ranges)
    def test_increasing_maps_and_the_order_of_samples(self, problem, fpr_range):
        y, score = problem
        value = partial_auc_score(y, score, fpr_range=fpr_range)
        mapped = partial_auc_score(y[::-1], np.exp(3 * score[::-1]) - 7, fpr_range=fpr_range)
        assert mapped == pytest.approx(value, abs=ROUNDING)

    @given(problems(st.integers(0, 6)), ranges, st.data())
    def test_weights_are_multiplicities(self, problem, fpr_range, data):
        y, score = problem
        n = y.size
        # The last two samples are one of each class.
        weight = [*data.draw(st.lists(st.integers(0, 3), min_size=n - 2, max_size=n - 2)), 1, 2]
        repeated = partial_auc_score(np.repeat(y, weight), np.repeat(score, weight), fpr_range=fpr_range)
        weighted = partial_auc_score(y, score, fpr_range=fpr_range, sample_weight=weight)
        assert weighted == pytest.approx(repeated, abs=ROUNDING)
        scaled = partial_auc_score(y, score, fpr_range=fpr_range, sample_weight=0.3 * np.array(weight))
        assert scaled == pytest.approx(repeated, abs=ROUNDING)

    @given(problems(st.integers(0, 6)), st.sets(st.integers(0, 40), min_size=3, max_size=3))
    def test_areas_of_adjacent_ranges_add_up(self, problem, ends):
        alpha, middle, beta = (end / 40 for end in sorted(ends))
        first, second, both = (
            partial_auc_score(*problem, fpr_range=fpr_range, normalize=None)
            for fpr_range in [(alpha, middle), (middle, beta), (alpha, beta)]
        )
        assert first + second == pytest.approx(both, abs=ROUNDING)

    @given(problems(st.integers(0, 6)), ranges)
    def test_swapping_the_classes_and_negating_mirrors_the_whole_curve_only(self, problem, fpr_range):
        y, score = problem
        swapped = partial_auc_score(y, -score, fpr_range=(0, 1), pos_label=False)
        assert swapped == pytest.approx(partial_auc_score(y, score, fpr_range=(0, 1)), abs=ROUNDING)
        given_label = partial_auc_score(~y, score, fpr_range=fpr_range, pos_label=False)
        assert given_label == pytest.approx(partial_auc_score(y, score, fpr_range=fpr_range), abs=ROUNDING)

    @pytest.mark.parametrize(
        "labels",
        [
            np.where(TIED_Y, 1, -1),
            np.where(TIED_Y, 7, 3),
            np.where(TIED_Y, "sick", "healthy"),
            np.where(TIED_Y, "sick", "healthy").astype(object),
            pd.Series(np.where(TIED_Y, 2.0, 1.0), index=range(5, 13)),
            np.array(TIED_Y, dtype=bool),
        ],
    )
    def test_any_two_labels(self, labels):
        assert partial_auc_score(labels, TIED_SCORE) == pytest.approx(0.35, abs=ROUNDING)
        larger = sorted(set(labels))[1]
        assert partial_auc_score(labels, TIED_SCORE, pos_label=larger) == pytest.approx(0.35, abs=ROUNDING)

    def test_arguments_are_unchanged(self):
        y, score, weight = np.array(TIED_Y), np.array(TIED_SCORE, dtype=float), np.arange(8.0)
        copies = y.copy(), score.copy(), weight.copy()
        partial_auc_score(y, score, sample_weight=weight)
        for array, copy in zip((y, score, weight), copies, strict=True):
            np.testing.assert_array_equal(array, copy)


class TestExtremes:
    @pytest.mark.parametrize("weight", [5e-324, 1e-200, 1e17, 1e300, np.finfo(float).max])
    def test_size_of_weights_does_not_matter(self, weight):
        expected = partial_auc_score(TIED_Y, TIED_SCORE, fpr_range=(0.0, 0.4))
        weights = np.full(len(TIED_Y), weight)
        assert partial_auc_score(
            TIED_Y, TIED_SCORE, fpr_range=(0.0, 0.4), sample_weight=weights
        ) == pytest.approx(expected, abs=ROUNDING)

    def test_largest_scores(self):
        largest = np.finfo(float).max
        assert partial_auc_score([0, 0, 1, 1], [-largest, largest, largest, largest]) == pytest.approx(0.1)


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "options", "message"),
        [
            (([1, 1], [1, 2]), {}, "y has one class, 1, and the ROC curve needs two: pass samples of both"),
            (([0, 1, 2], [1, 2, 3]), {}, "y has 3 classes, .* pass y == label"),
            (([], []), {}, r"y has shape \(0,\)"),
            (([[0], [1]], [1, 2]), {}, r"y has shape \(2, 1\)"),
            (([0, 1], [1, np.nan]), {}, r"score contains NaN \(1 of 2 values\)"),
            (([0, 1], [1, np.inf]), {}, "score contains infinity"),
            (([0, 1], [1, 2, 3]), {}, r"score has shape \(3,\), y has \(2,\): pass one score a sample"),
            (([0, 1], [[1, 0], [0, 1]]), {}, r"pass a single column, such as predict_proba\(X\)\[:, 1\]"),
            (([0, 1], ["a", "b"]), {}, "score must be an array of real numbers"),
            (([0, 1], [1, 2]), {"pos_label": 2}, r"pos_label must be one of the classes \[0, 1\], got 2"),
            (
                ([0, 1], [1, 2]),
                {"pos_label": np.array([1, 0])},
                r"pos_label must be .* got array\(\[1, 0\]\)",
            ),
            (([0, np.nan, 1], [1, 2, 3]), {}, "y must hold one label per sample, .* NaN or infinity: remove"),
            (([0, 1], [1, 2]), {"fpr_range": (0, 5e-324)}, "fpr_range must be at least 1e-15 wide"),
            (
                ([0, 1], [1, 2]),
                {"sample_weight": [1, 1e-101]},
                "sample_weight gives class 'positive' less than",
            ),
            (([0, 1], [1, 2]), {"normalize": "McClish"}, "normalize must be one of 'range', 'mcclish'"),
            (
                ([0, 1], [1, 2]),
                {"fpr_range": (0.1, 0.1)},
                r"fpr_range must be two .* got \(0.1, 0.1\): pass fr",
            ),
            (([0, 1], [1, 2]), {"fpr_range": (-0.1, 0.1)}, "0 <= alpha < beta <= 1"),
            (([0, 1], [1, 2]), {"fpr_range": (0, 10)}, "fpr_range must be two false positive rates"),
            (([0, 1], [1, 2]), {"fpr_range": 0.1}, "fpr_range must be two false positive rates"),
            (([0, 1], [1, 2]), {"fpr_range": "01"}, "fpr_range must be two false positive rates"),
            (([0, 1], [1, 2]), {"fpr_range": (0, np.nan)}, "fpr_range must be finite"),
            (
                ([0, 1], [1, 2]),
                {"sample_weight": [1, 0]},
                "sample_weight leaves no sample of class 'positive'",
            ),
            (
                ([0, 1], [1, 2]),
                {"sample_weight": [0, 1]},
                "sample_weight leaves no sample of class 'negative'",
            ),
            (([0, 1], [1, 2]), {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ],
    )
    def test_values(self, arguments, options, message):
        with pytest.raises(ValueError, match=message):
            partial_auc_score(*arguments, **options)

    def test_types(self):
        with pytest.raises(TypeError, match="fpr_range must be a real number, got 'a'"):
            partial_auc_score([0, 1], [1, 2], fpr_range=(0, "a"))


@pytest.fixture(scope="module")
def data():
    return make_classification(n_samples=240, n_features=6, flip_y=0.2, random_state=0)


class TestScorer:
    @pytest.mark.parametrize("estimator", [LinearSVC(), GaussianNB()])
    def test_the_value_of_the_decision_function_or_the_probability(self, data, estimator):
        X, y = data
        model = estimator.fit(X, y)
        score = (
            model.decision_function(X)
            if hasattr(model, "decision_function")
            else model.predict_proba(X)[:, 1]
        )
        for normalize in ("range", "mcclish", None):
            value = partial_auc_scorer((0.05, 0.3), normalize)(model, X, y)
            assert value == partial_auc_score(y, score, fpr_range=(0.05, 0.3), normalize=normalize)

    @pytest.mark.parametrize("estimator", [LinearSVC(), GaussianNB()])
    def test_the_other_class_as_the_positive_one(self, data, estimator):
        X, y = data
        names = np.where(y, "yes", "no")
        model = estimator.fit(X, names)
        value = partial_auc_scorer((0, 0.2), pos_label="no")(model, X, names)
        mirrored = estimator.fit(X, 1 - y)
        # Both models are found by the same iterations but for rounding errors, which change no order here.
        assert value == pytest.approx(partial_auc_scorer((0, 0.2))(mirrored, X, 1 - y), abs=1e-3)

    def test_grid_search_over_a_pipeline(self, data):
        X, y = data
        pipeline = make_pipeline(StandardScaler(), LogisticRegression())
        grid = {"logisticregression__C": [1e-4, 1.0]}
        search = GridSearchCV(pipeline, grid, scoring=partial_auc_scorer((0, 0.2)), cv=3)
        search.fit(X, np.where(y, "b", "a"))
        expected = [
            cross_val_score(
                pipeline.set_params(logisticregression__C=C), X, y, cv=3, scoring=partial_auc_scorer((0, 0.2))
            ).mean()
            for C in (1e-4, 1.0)
        ]
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected, rtol=1e-9)

    def test_survives_pickling(self, data):
        X, y = data
        model = GaussianNB().fit(X, y)
        scorer = partial_auc_scorer((0, 0.2), "mcclish")
        assert pickle.loads(pickle.dumps(scorer))(model, X, y) == scorer(model, X, y)

    def test_weights_are_routed(self, data):
        X, y = data
        weight = np.random.default_rng(0).integers(0, 3, y.size)
        with sklearn.config_context(enable_metadata_routing=True):
            scorer = partial_auc_scorer((0, 0.2)).set_score_request(sample_weight=True)
            model = GaussianNB().set_fit_request(sample_weight=False)
            options = {"cv": 2, "params": {"sample_weight": weight}}
            weighted = cross_val_score(model, X, y, scoring=scorer, **options)
            plain = cross_val_score(model, X, y, scoring=partial_auc_scorer((0, 0.2)), cv=2)
        assert not np.allclose(weighted, plain)
        fitted = GaussianNB().fit(X, y)
        kept = np.repeat(np.arange(y.size), weight)
        direct = partial_auc_scorer((0, 0.2))(fitted, X, y, sample_weight=weight)
        assert direct == pytest.approx(partial_auc_scorer((0, 0.2))(fitted, X[kept], y[kept]), abs=ROUNDING)

    def test_bad_arguments_are_refused_before_any_fit(self):
        with pytest.raises(ValueError, match="fpr_range must be two false positive rates"):
            partial_auc_scorer((0.2, 0.1))
        with pytest.raises(ValueError, match="normalize must be one of"):
            partial_auc_scorer((0.1, 0.2), "width")

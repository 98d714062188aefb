import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from reference.boosting import smooth_partial_auc
from widemargin.datasets import make_ring_classification
from widemargin.metrics import partial_auc_score
from widemargin.ranking import AdaBoostTreesClassifier, KomoriEguchiBoostClassifier
from widemargin.ranking._smooth_partial_auc import SmoothPartialAUC


def some_scores(seed, n=60):
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 3 == 0
    return rng, rng.normal(size=n) + positive, positive, rng.integers(1, 4, size=n).astype(float)


@pytest.mark.parametrize("smoothing", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("fpr_range", [(0.0, 0.2), (0.1, 0.5), (0.0, 1.0)])
def test_value_is_the_mean_smoothed_rate_over_the_range(smoothing, fpr_range):
    _, scores, positive, weight = some_scores(0)
    target = SmoothPartialAUC(positive, weight, fpr_range, smoothing)
    expected = smooth_partial_auc(scores, positive, weight, fpr_range, smoothing)
    # The grid moves rates by 3e-5 at most, both of them; the quadrature adds less.
    assert target.value(scores) == pytest.approx(expected, abs=2e-4)


def test_small_smoothing_is_the_partial_auc():
    rng = np.random.default_rng(1)
    positive = rng.random(4000) < 0.5
    scores = rng.normal(size=4000) + positive
    value = SmoothPartialAUC(positive, np.ones(4000), (0.1, 0.3), 0.02).value(scores)
    assert value == pytest.approx(partial_auc_score(positive, scores, fpr_range=(0.1, 0.3)), abs=2e-3)


def test_equal_scores_are_the_diagonal():
    positive = np.arange(20) < 10
    assert SmoothPartialAUC(positive, np.ones(20), (0.1, 0.5), 1.0).value(np.ones(20)) == pytest.approx(
        0.3, abs=1e-8
    )


@pytest.mark.parametrize("fpr_range", [(0.0, 0.2), (0.1, 0.5), (0.0, 1.0)])
def test_gradient_by_finite_differences(fpr_range):
    rng, scores, positive, weight = some_scores(2)
    target = SmoothPartialAUC(positive, weight, fpr_range, 1.0)
    gradient = target.gradient(scores)
    for _ in range(5):
        direction = rng.normal(size=scores.size)
        # Steps over many cells of the grid: within one the value is piecewise linear.
        slope = (target.value(scores + 0.1 * direction) - target.value(scores - 0.1 * direction)) / 0.2
        assert gradient @ direction == pytest.approx(slope, abs=0.02 * np.abs(gradient).sum())
    assert np.all(gradient[positive] > 0)
    assert np.all(gradient[~positive] < 0)
    assert abs(gradient.sum()) < 1e-12


def test_a_shift_of_all_scores_and_a_common_scale_do_not_matter():
    _, scores, positive, weight = some_scores(3)
    value = SmoothPartialAUC(positive, weight, (0.0, 0.3), 1.0).value(scores)
    assert SmoothPartialAUC(positive, weight, (0.0, 0.3), 1.0).value(scores + 5.0) == pytest.approx(
        value, abs=1e-9
    )
    assert SmoothPartialAUC(positive, weight, (0.0, 0.3), 8.0).value(8 * scores) == pytest.approx(
        value, abs=1e-9
    )


def test_objective_is_that_of_the_scores_and_rises():
    X, y = make_ring_classification(60, random_state=0)
    model = KomoriEguchiBoostClassifier((0.0, 0.2), 1.0, n_estimators=20, max_depth=1).fit(X, y)
    target = SmoothPartialAUC(y == 1, np.ones(y.size), (0.0, 0.2), 1.0)
    values = [target.value(scores - model.intercept_) for scores in model.staged_decision_function(X)]
    np.testing.assert_allclose(model.history_["objective"], values, rtol=1e-6)
    assert np.all(np.diff(values, prepend=0.1) > 0)
    assert np.all(model.history_["edge"] > 0)
    assert model.estimator_weights_.min() > 0
    assert model.estimator_weights_.max() <= 1


def test_it_beats_adaboost_in_its_range():
    gains = []
    for seed in range(5):
        X, y = make_ring_classification(200, random_state=seed)
        X_test, y_test = make_ring_classification(1000, random_state=100 + seed)
        models = (
            KomoriEguchiBoostClassifier((0.0, 0.2), 1.0, n_estimators=10, max_depth=1),
            AdaBoostTreesClassifier(10, max_depth=1),
        )
        ours, ada = (
            partial_auc_score(y_test, model.fit(X, y).decision_function(X_test), fpr_range=(0, 0.2))
            for model in models
        )
        gains.append(ours - ada)
    # Measured: 0.83 against 0.74, with a standard error of 0.01.
    assert np.mean(gains) > 0.05


def test_threshold_is_inside_the_range_on_the_training_samples():
    X, y = make_ring_classification(100, random_state=1)
    model = KomoriEguchiBoostClassifier((0.05, 0.2), n_estimators=30).fit(X, y)
    rate = np.mean(model.predict(X)[y == 0] == 1)
    assert 0.05 - 1e-9 <= rate <= 0.2 + 1e-9


@pytest.mark.parametrize("estimator", ["linear", LogisticRegression()])
def test_other_weak_learners(estimator):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(200, 4))
    y = (X @ [1.0, -1.0, 0.5, 0.0] + 0.3 * rng.normal(size=200) > 0).astype(int)
    model = KomoriEguchiBoostClassifier((0.0, 0.3), n_estimators=5, estimator=estimator, random_state=0).fit(
        X, y
    )
    assert model.score(X, y) > 0.85
    # Linear classifiers know no missing values, and take sparse matrices.
    sparse = KomoriEguchiBoostClassifier((0.0, 0.3), n_estimators=5, estimator=estimator, random_state=0)
    scores = sparse.fit(csr_array(X), y).decision_function(csr_array(X))
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-6)
    stages = list(model.staged_decision_function(X))
    assert np.array_equal(stages[-1], model.decision_function(X))
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X, y)
    with pytest.raises(AttributeError, match="feature_importances_ needs trees"):
        _ = model.feature_importances_


def test_an_empty_range_is_refused_with_one_that_would_do():
    X, y = make_ring_classification(20, random_state=0)
    with pytest.raises(
        ValueError, match=r"fpr_range \(0\.0, 0\.02\) holds none of the 20 negatives.*\(0\.0, 0\.05\)"
    ):
        KomoriEguchiBoostClassifier((0.0, 0.02)).fit(X, y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fpr_range": (0.3, 0.1)}, "fpr_range"),
        ({"smoothing": 0.0}, r"smoothing must be finite and from 1e-06 to 1e\+06, got 0.0: pass"),
        ({"smoothing": 1e-300}, "smoothing must be finite and from 1e-06"),
        ({"smoothing": 1e300}, "smoothing must be finite and from 1e-06"),
        ({"n_estimators": 0}, "n_estimators must be at least 1"),
        ({"estimator": "tree"}, "estimator must be None, 'linear', or a scikit-learn classifier"),
    ],
)
def test_parameters_are_checked(change, message):
    X, y = make_ring_classification(20, random_state=0)
    with pytest.raises(ValueError, match=message):
        KomoriEguchiBoostClassifier(**change).fit(X, y)


@pytest.mark.parametrize("smoothing", [1e-6, 1e6])
def test_extreme_smoothing_gives_finite_scores(smoothing):
    X, y = make_ring_classification(100, random_state=0)
    model = KomoriEguchiBoostClassifier((0, 0.5), smoothing, n_estimators=5).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.estimator_weights_.max() > 0

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from reference.boosting import ada_boost, fisher_weights, stump_outputs
from widemargin.datasets import make_ring_classification
from widemargin.ranking import (
    AdaBoostTreesClassifier,
    AsymBoostClassifier,
    CostSensitiveBoostClassifier,
    KomoriEguchiBoostClassifier,
)

EVERY = [
    AdaBoostTreesClassifier(n_estimators=12),
    AdaBoostTreesClassifier(n_estimators=12, leaves="real"),
    AdaBoostTreesClassifier(n_estimators=12, lda_post_processing=True),
    AsymBoostClassifier(1.5, n_estimators=12),
    CostSensitiveBoostClassifier(1.5, n_estimators=12),
    # The whole range: the checks have too few negatives for a part of it.
    KomoriEguchiBoostClassifier((0.0, 1.0), n_estimators=12),
]
every_estimator = pytest.mark.parametrize("estimator", EVERY, ids=repr)


def ring(n_per_class=60, seed=0):
    return make_ring_classification(n_per_class, random_state=seed)


def expected_failed_checks(estimator):
    # Log-odds of leaves and Fisher's intercept keep a class weight in the score.
    keeps_weight = isinstance(estimator, AdaBoostTreesClassifier) and (
        estimator.leaves == "real" or estimator.lda_post_processing
    )
    if isinstance(estimator, AdaBoostTreesClassifier) and not keeps_weight:
        reason = "the first tree absorbs a class weight, and boosting goes on to fit the training samples"
        return {"check_class_weight_classifiers": reason}
    return {}


@parametrize_with_checks(EVERY, expected_failed_checks=expected_failed_checks)
def test_sklearn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("learning_rate", [1.0, 0.3])
def test_discrete_boosting_of_stumps_is_the_textbook_algorithm(learning_rate):
    X, y = ring()
    weight = np.random.default_rng(1).integers(1, 4, size=y.size).astype(float)
    model = AdaBoostTreesClassifier(8, max_depth=1, learning_rate=learning_rate).fit(X, y, weight)
    stumps, steps = ada_boost(X, 2 * y - 1, 8, learning_rate, weight)
    # Trees see weights in 38 bits, the steps do not: only sums in another order differ.
    np.testing.assert_allclose(model.estimator_weights_, steps, rtol=1e-10)
    outputs = [step * stump_outputs(stump, X) for step, stump in zip(steps, stumps, strict=True)]
    stages = list(model.staged_decision_function(X))
    np.testing.assert_allclose(stages, np.cumsum(outputs, axis=0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("leaves", ["discrete", "real"])
def test_objective_is_the_loss_and_falls(leaves):
    X, y = ring()
    model = AdaBoostTreesClassifier(30, leaves=leaves).fit(X, y)
    signs = 2 * y - 1
    losses = [np.exp(-signs * scores).mean() for scores in model.staged_decision_function(X)]
    np.testing.assert_allclose(model.history_["objective"], losses, rtol=1e-12)
    assert np.all(np.diff(losses, prepend=1.0) < 0)


def test_first_step_by_hand():
    X = np.arange(10.0)[:, None]
    y = np.array(["no"] * 4 + ["yes"] + ["no"] * 1 + ["yes"] * 4)
    model = AdaBoostTreesClassifier(1, max_depth=1, class_weight=None).fit(X, y)
    # The stump between 3 and 4, or 5 and 6, has one error in ten.
    assert model.history_["error"][0] == pytest.approx(0.1, rel=1e-12)
    assert model.estimator_weights_[0] == pytest.approx(0.5 * np.log(9), rel=1e-12)
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.predict([[0.0], [9.0]]).tolist() == ["no", "yes"]


def test_real_leaves_are_smoothed_log_odds():
    X = np.array([[0.0], [0.0], [0.0], [0.0], [1.0], [1.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    model = AdaBoostTreesClassifier(1, max_depth=1, leaves="real").fit(X, y)
    # Weights are 1/6 each, the smoothing is half of that.
    expected = [0.5 * np.log(1.5 / 3.5), 0.5 * np.log(2.5 / 0.5)]
    np.testing.assert_allclose(model.decision_function([[0.0], [1.0]]), expected, rtol=1e-9)


def test_fisher_weights_are_those_of_the_class_covariances():
    X, y = ring()
    weight = np.random.default_rng(2).integers(1, 3, size=y.size).astype(float)
    options = {"n_estimators": 10, "max_depth": 2, "leaves": "real", "class_weight": None}
    plain = AdaBoostTreesClassifier(**options).fit(X, y, weight)
    model = AdaBoostTreesClassifier(**options, lda_post_processing=True).fit(X, y, weight)
    stages = np.array([np.zeros(y.size), *plain.staged_decision_function(X)])
    outputs = np.diff(stages, axis=0).T / plain.estimator_weights_
    weights, means = fisher_weights(outputs, 2 * y - 1, weight, 1e-6)
    prior = np.log(weight[y == 1].sum() / weight[y == 0].sum())
    # The matrix has a condition number of about 1e4.
    np.testing.assert_allclose(model.estimator_weights_, weights, rtol=1e-9)
    assert model.intercept_ == pytest.approx(0.5 * (prior - weights @ (means[1] + means[-1])), abs=1e-9)
    assert not np.allclose(model.estimator_weights_, plain.estimator_weights_)


def test_fisher_weights_of_trees_that_recur_are_finite_and_shared():
    X = np.array([[0.0], [0.0], [1.0], [1.0], [0.0], [1.0]])
    y = np.array([0, 0, 1, 1, 1, 0])
    # Without shrinkage the second tree would have no edge.
    model = AdaBoostTreesClassifier(5, max_depth=1, learning_rate=0.1, lda_post_processing=True).fit(X, y)
    weights = model.estimator_weights_
    assert weights.size == 5
    np.testing.assert_allclose(weights, weights[0], rtol=1e-6)
    assert model.score(X, y) == pytest.approx(4 / 6)


def test_fisher_weights_of_trees_that_hardly_vary_are_finite():
    X, y = ring()
    # Log-odds of leaves near 20 that differ in the last digits.
    options = {"leaves": "real", "lda_post_processing": True, "class_weight": {0: 1e-9, 1: 1e9}}
    model = AdaBoostTreesClassifier(60, **options).fit(X, y)
    assert np.all(np.isfinite(model.decision_function(X)))


@pytest.mark.parametrize("leaves", ["discrete", "real"])
@pytest.mark.parametrize("lda", [False, True])
def test_separable_classes_stop_at_finite_weights(leaves, lda):
    X = np.arange(8.0)[:, None]
    y = np.repeat([0, 1], 4)
    model = AdaBoostTreesClassifier(50, leaves=leaves, lda_post_processing=lda).fit(X, y)
    assert model.stop_reason_ == "separated"
    assert len(model.estimators_) == 1
    assert np.all(np.isfinite(model.estimator_weights_))
    if leaves == "discrete":
        assert model.estimator_weights_[0] == pytest.approx(0.5 * np.log(15))
    assert model.score(X, y) == 1.0


@every_estimator
def test_hundreds_of_rounds_past_separation_stay_finite(estimator):
    X = np.random.default_rng(0).normal(size=(40, 3))
    y = (X.sum(axis=1) > 0).astype(int)
    model = clone(estimator).set_params(n_estimators=600).fit(X, y)
    assert model.score(X, y) == 1.0
    assert np.all(np.isfinite(model.estimator_weights_))
    assert np.all(np.isfinite(model.history_["objective"]))
    assert np.all(np.isfinite(model.decision_function(X)))


@pytest.mark.parametrize(
    "estimator",
    [AdaBoostTreesClassifier(), CostSensitiveBoostClassifier(2.0), KomoriEguchiBoostClassifier((0.0, 1.0))],
    ids=repr,
)
def test_features_that_say_nothing_warn_and_leave_one_score(estimator):
    X = np.ones((10, 2))
    y = np.repeat([0, 1], 5)
    if isinstance(estimator, CostSensitiveBoostClassifier):
        # With costs a constant lowers the loss, and decides for the costly class.
        model = estimator.fit(X, y)
        assert model.predict(X).tolist() == [1] * 10
    else:
        with pytest.warns(UserWarning, match="pass features that differ between the classes"):
            model = estimator.fit(X, y)
        assert model.stop_reason_ == "no_edge"
        assert model.estimator_weights_.tolist() == [0.0]
    assert np.unique(model.decision_function(X)).size == 1
    assert model.feature_importances_.tolist() == [0.0, 0.0]


@every_estimator
def test_weights_count_samples(estimator):
    X, y = ring(30, seed=3)
    weight = np.random.default_rng(4).integers(0, 4, size=y.size)
    weighted = clone(estimator).fit(X, y, sample_weight=weight)
    rows = np.repeat(np.arange(y.size), weight)
    repeated = clone(estimator).fit(X[rows], y[rows])
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=1e-7, atol=1e-9
    )


@every_estimator
def test_the_scale_of_weights_that_are_not_whole_does_not_matter(estimator):
    X, y = ring(30, seed=8)
    weight = np.random.default_rng(9).uniform(0.5, 2.0, size=y.size)
    one = clone(estimator).fit(X, y, weight).decision_function(X)
    other = clone(estimator).fit(X, y, 0.37 * weight).decision_function(X)
    np.testing.assert_allclose(other, one, rtol=1e-7, atol=1e-9)


@every_estimator
def test_order_of_rows_threads_and_float32_do_not_matter(estimator):
    X, y = ring(40, seed=5)
    X = X.astype(np.float32)
    shuffled = np.random.default_rng(6).permutation(y.size)
    first = clone(estimator).fit(X, y).decision_function(X)
    others = [
        clone(estimator).fit(X[shuffled], y[shuffled]),
        clone(estimator).set_params(n_jobs=2).fit(np.asfortranarray(X), y),
        clone(estimator).fit(X.astype(np.float64), y),
    ]
    for other in others:
        np.testing.assert_allclose(other.decision_function(X), first, rtol=1e-7, atol=1e-9)


@every_estimator
def test_stages_end_in_the_decision_function(estimator):
    X, y = ring(30)
    model = clone(estimator).fit(X, y)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == len(model.estimators_) == model.estimator_weights_.size
    assert np.array_equal(stages[-1], model.decision_function(X))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).decision_function(X), stages[-1])


@every_estimator
def test_missing_values_are_data(estimator):
    X, y = ring(50)
    column = np.where(y == 1, np.nan, X[:, 0])
    column[:5] = 0.0
    model = clone(estimator).fit(np.column_stack([column, X[:, 1]]), y)
    assert model.score(np.column_stack([column, X[:, 1]]), y) > 0.9
    assert model.feature_importances_[0] > 0.5


@every_estimator
def test_three_classes_are_for_one_vs_rest(estimator):
    X = np.arange(30.0)[:, None]
    y = np.repeat(["a", "b", "c"], 10)
    with pytest.raises(ValueError, match="OneVsRestClassifier"):
        clone(estimator).fit(X, y)
    assert OneVsRestClassifier(clone(estimator)).fit(X, y).score(X, y) > 0.9


@every_estimator
def test_drawn_features_follow_the_seed(estimator):
    X, y = np.random.default_rng(7).normal(size=(80, 6)), np.tile([0, 1], 40)

    def fitted(seed):
        return clone(estimator).set_params(feature_fraction=0.5, random_state=seed).fit(X, y)

    assert np.array_equal(fitted(0).decision_function(X), fitted(0).decision_function(X))
    assert not np.array_equal(fitted(0).decision_function(X), fitted(1).decision_function(X))


def test_importances_are_the_weighted_gains():
    X, y = ring(50)
    model = AdaBoostTreesClassifier(6).fit(X, y)
    gains = np.zeros(2)
    for tree, weight in zip(model.estimators_, model.estimator_weights_, strict=True):
        for feature, gain in zip(tree.feature, tree.gain, strict=True):
            if feature >= 0:
                gains[feature] += weight * gain
    np.testing.assert_allclose(model.feature_importances_, gains / gains.sum(), rtol=1e-12)


def test_class_weights():
    X, y = ring(50)
    X, y = X[30:], y[30:]
    scores = {
        name: AdaBoostTreesClassifier(10, class_weight=value).fit(X, y).decision_function(X)
        for name, value in {"balanced": "balanced", "none": None, "five": {0: 2.0, 1: 5.0}}.items()
    }
    # 20 positives and 50 negatives: the factors 5 and 2 balance them.
    np.testing.assert_allclose(scores["five"], scores["balanced"], rtol=1e-9)
    assert not np.allclose(scores["none"], scores["balanced"])


def test_accuracy_is_that_of_scikit_learns_adaboost():
    X, digits = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, digits % 2, random_state=0)
    ours = AdaBoostTreesClassifier(50, max_depth=1).fit(X, y)
    theirs = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=50).fit(X, y)
    # Standard error of an accuracy near 0.9 on 450 samples: 0.014.
    assert ours.score(X_test, y_test) > theirs.score(X_test, y_test) - 0.014


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators must be at least 1"),
        ({"learning_rate": 0.0}, ValueError, "learning_rate must be finite and greater than 0"),
        ({"learning_rate": 1.5}, ValueError, "learning_rate must be at most 1"),
        ({"feature_fraction": 2}, ValueError, "feature_fraction must be at most 1"),
        ({"leaves": "soft"}, ValueError, "leaves must be one of 'discrete', 'real'"),
        ({"lda_post_processing": 1}, TypeError, "lda_post_processing must be True or False"),
        ({"class_weight": "even"}, ValueError, "class_weight must be 'balanced', a dict or None"),
        ({"class_weight": {0: 0.0}}, ValueError, "class_weight must give both classes a finite weight"),
        ({"class_weight": {5: 1}}, ValueError, r"from the classes \[0, 1\] to weights, got the key 5: pass"),
        ({"class_weight": {0: "a"}}, ValueError, "class_weight must give both .*: pass positive numbers"),
        (
            {"class_weight": {0: 1e-300, 1: 1e300}},
            ValueError,
            "class_weight must leave each .*: pass weights",
        ),
        ({"max_depth": 9}, ValueError, "max_depth must be at most 8"),
        ({"max_bins": 1}, ValueError, "max_bins"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"n_jobs": 1.5}, TypeError, "n_jobs must be an integer, got 1.5: pass n_jobs=1"),
        ({"verbose": 2}, TypeError, "verbose"),
    ],
)
def test_parameters_are_checked(change, kind, message):
    X, y = ring(10)
    with pytest.raises(kind, match=message):
        AdaBoostTreesClassifier(**change).fit(X, y)


def test_verbose_logs_every_tenth_round(caplog):
    X, y = ring()
    with caplog.at_level("INFO", logger="widemargin"):
        AdaBoostTreesClassifier(20, verbose=True).fit(X, y)
    assert [record.getMessage().split(",")[0] for record in caplog.records] == [
        "AdaBoostTreesClassifier: 10 trees",
        "AdaBoostTreesClassifier: 20 trees",
    ]

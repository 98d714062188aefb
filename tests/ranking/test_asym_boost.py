import numpy as np
import pytest

from reference.boosting import asym_boost, stump_outputs
from widemargin.datasets import make_ring_classification
from widemargin.ranking import AdaBoostTreesClassifier, AsymBoostClassifier


def test_stumps_and_steps_are_those_of_the_paper():
    X, y = make_ring_classification(60, random_state=0)
    model = AsymBoostClassifier(1.7, n_estimators=8, max_depth=1).fit(X, y)
    stumps, steps = asym_boost(X, 2 * y - 1, 8, 1.7)
    np.testing.assert_allclose(model.estimator_weights_, steps, rtol=1e-10)
    outputs = [step * stump_outputs(stump, X) for step, stump in zip(steps, stumps, strict=True)]
    stages = list(model.staged_decision_function(X))
    np.testing.assert_allclose(stages, np.cumsum(outputs, axis=0), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("leaves", ["discrete", "real"])
def test_without_asymmetry_it_is_adaboost(leaves):
    X, y = make_ring_classification(60, random_state=1)
    X, y = X[20:], y[20:]
    asym = AsymBoostClassifier(1.0, n_estimators=15, leaves=leaves).fit(X, y)
    ada = AdaBoostTreesClassifier(15, leaves=leaves).fit(X, y)
    assert np.array_equal(asym.decision_function(X), ada.decision_function(X))


def test_objective_has_the_asymmetry_spread_so_far():
    X, y = make_ring_classification(60, random_state=2)
    model = AsymBoostClassifier(4.0, n_estimators=10).fit(X, y)
    signs = 2 * y - 1
    for number, scores in enumerate(model.staged_decision_function(X), start=1):
        loss = np.mean(4.0 ** (signs * number / 20) * np.exp(-signs * scores))
        assert model.history_["objective"][number - 1] == pytest.approx(loss, rel=1e-12)


def test_more_asymmetry_finds_more_positives():
    X, y = make_ring_classification(300, random_state=3)
    found = [
        np.count_nonzero(AsymBoostClassifier(k, n_estimators=20, max_depth=1).fit(X, y).predict(X) == 1)
        for k in (0.1, 1.0, 10.0)
    ]
    assert found[0] < found[1] < found[2]


def test_swapping_classes_inverts_the_asymmetry():
    X, y = make_ring_classification(60, random_state=4)
    one = AsymBoostClassifier(2.0, n_estimators=10).fit(X, y).decision_function(X)
    other = AsymBoostClassifier(0.5, n_estimators=10).fit(X, 1 - y).decision_function(X)
    np.testing.assert_allclose(other, -one, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("asymmetry", [0.0, -1.0, np.inf])
def test_asymmetry_is_checked(asymmetry):
    X, y = make_ring_classification(10, random_state=0)
    with pytest.raises(ValueError, match="asymmetry must be finite and greater than 0"):
        AsymBoostClassifier(asymmetry).fit(X, y)

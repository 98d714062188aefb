"""Weights that are no counts matter in proportion only, whatever their size; and threads beyond the cores."""

import numpy as np
import pytest

from widemargin.datasets import make_ring_classification
from widemargin.ranking import (
    AdaBoostTreesClassifier,
    AsymBoostClassifier,
    CostSensitiveBoostClassifier,
    KomoriEguchiBoostClassifier,
    PartialAUCBoostingClassifier,
    PartialAUCSVC,
)

X, Y = make_ring_classification(80, random_state=0)

CLASSIFIERS = {
    "partial AUC": PartialAUCBoostingClassifier((0, 0.5), n_estimators=4),
    "confidence": PartialAUCBoostingClassifier((0, 0.5), n_estimators=4, leaves="confidence"),
    "SVM": PartialAUCSVC((0, 0.5)),
    "AdaBoost": AdaBoostTreesClassifier(4, class_weight=None, lda_post_processing=True),
    "real AdaBoost": AdaBoostTreesClassifier(4, leaves="real"),
    "AsymBoost": AsymBoostClassifier(2.0, n_estimators=4),
    "CS-AdaBoost": CostSensitiveBoostClassifier(2.0, n_estimators=4),
    "Komori and Eguchi": KomoriEguchiBoostClassifier((0, 0.5), n_estimators=4),
}


def scores(name, weight):
    return CLASSIFIERS[name].fit(X, Y, sample_weight=weight).decision_function(X)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_constant_weights_of_any_size_are_alike(name):
    # Powers of two, and 1e300: scaled to one constant below 1 each, of which only rounding can differ.
    expected = scores(name, np.full(len(Y), 0.5))
    for size in (5e-324, 2.0**-700, 2.0**1000, 1e300, np.finfo(float).max):
        np.testing.assert_allclose(scores(name, np.full(len(Y), size)), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_power_of_two_changes_no_bit(name):
    weight = np.random.default_rng(0).uniform(0.1, 1.0, len(Y))
    expected = scores(name, weight)
    for exponent in (-900, 3, 900):
        np.testing.assert_array_equal(scores(name, np.ldexp(weight, exponent)), expected)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_class_of_next_to_no_weight_is_refused_and_one_of_little_is_not(name):
    assert np.isfinite(scores(name, np.where(Y, 1.0, 1e-99))).all()
    with pytest.raises(ValueError, match=r"sample_weight gives class .* less than 1e-100 of the weight"):
        scores(name, np.where(Y, 1.0, 1e-105))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_weights_of_all_sizes_give_finite_scores(name):
    weight = 10.0 ** np.random.default_rng(0).uniform(-300, 300, len(Y))
    weight[[np.argmax(Y == 0), np.argmax(Y == 1)]] = 1e300
    assert np.isfinite(scores(name, weight)).all()


def test_threads_beyond_the_cores_are_not_started():
    expected = scores("AdaBoost", None)
    model = AdaBoostTreesClassifier(4, class_weight=None, lda_post_processing=True, n_jobs=10**30)
    np.testing.assert_array_equal(model.fit(X, Y).decision_function(X), expected)

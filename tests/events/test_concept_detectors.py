"""Concept detectors: the problem they solve, the scores of samples left out, and calibrated probabilities."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from widemargin.events._calibration import fit_sigmoids
from widemargin.events.concept_detectors import ConceptDetectors, _least_squares


@parametrize_with_checks([ConceptDetectors(), ConceptDetectors(alpha=0.1)])
def test_checks(estimator, check):
    check(estimator)


def concepts(n_samples=120, n_features=6, n_concepts=3, seed=0):
    rng = np.random.default_rng(seed)
    Y = rng.random((n_samples, n_concepts)) < 0.3
    X = Y @ rng.normal(size=(n_concepts, n_features)) * 2 + rng.normal(size=(n_samples, n_features)) + 5
    return X, Y.astype(int)


@pytest.mark.parametrize("n_features", [6, 200], ids=["tall", "wide"])
def test_weights_are_those_of_ridge_regression_on_signs(n_features):
    X, Y = concepts(n_features=n_features)
    detectors = ConceptDetectors(alpha=0.01).fit(X, Y)
    weight = 0.01 * ((X - X.mean(axis=0)) ** 2).sum()
    ridge = Ridge(alpha=weight).fit(X, 2 * Y - 1)
    # Both solve the normal equations in float64, of condition 1e2 at most.
    np.testing.assert_allclose(detectors.coef_, ridge.coef_, atol=1e-10)
    np.testing.assert_allclose(detectors.intercept_, ridge.intercept_, atol=1e-9)


@pytest.mark.parametrize("n_features", [6, 60], ids=["tall", "wide"])
def test_left_out_scores_are_those_of_training_without_the_sample(n_features):
    X, Y = concepts(n_samples=40, n_features=n_features)
    signs = 2.0 * Y - 1
    _, _, alpha, left_out = _least_squares(X, signs, [0.01])
    assert alpha == 0.01
    weight = 0.01 * ((X - X.mean(axis=0)) ** 2).sum()
    for i in range(0, 40, 7):
        others = np.arange(40) != i
        expected = Ridge(alpha=weight).fit(X[others], signs[others]).predict(X[[i]])[0]
        np.testing.assert_allclose(left_out[i], expected, atol=1e-9)


def test_default_penalty_has_the_least_error_of_samples_left_out():
    X, Y = concepts(n_features=80)
    signs = 2.0 * Y - 1
    detectors = ConceptDetectors().fit(X, Y)
    errors = {}
    for exponent in range(-5, 2):
        left_out = _least_squares(X, signs, [10.0**exponent])[3]
        errors[exponent] = ((left_out - signs) ** 2).sum()
    assert detectors.alpha_ == pytest.approx(10.0 ** min(errors, key=errors.get))


def test_sigmoids_minimise_the_penalised_likelihood():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(200, 4)) * [1, 10, 0.01, 1] + [0, 3, 0, 50]
    positive = rng.random((200, 4)) < 1 / (
        1 + np.exp(-(scores - scores.mean(axis=0)) / scores.std(axis=0) * 2)
    )
    fitted = fit_sigmoids(scores, positive)
    for k in range(4):
        n_positive = positive[:, k].sum()
        target = np.where(positive[:, k], (n_positive + 1) / (n_positive + 2), 1 / (202 - n_positive))
        standard = (scores[:, k] - scores[:, k].mean()) / scores[:, k].std()

        def loss(parameters, standard=standard, target=target):
            z = parameters[0] * standard + parameters[1]
            return (np.logaddexp(0, z) - target * z).sum()

        best = minimize(loss, [0.0, 0.0], tol=1e-10)
        slope, offset = fitted[k]
        mine = [slope * scores[:, k].std(), offset + slope * scores[:, k].mean()]
        # minimize stops at gradients of about 1e-5 by differences; the loss is flat there.
        np.testing.assert_allclose(mine, best.x, atol=1e-4)
        assert loss(mine) <= best.fun + 1e-9


def test_sigmoid_of_perfectly_separated_scores_is_finite_and_of_reversed_ones_flat():
    scores = np.repeat([[-1.0, 1.0, 0.0], [1.0, -1.0, 0.0]], 50, axis=0)
    positive = np.repeat([[False] * 3, [True] * 3], 50, axis=0)
    fitted = fit_sigmoids(scores, positive)
    # At the optimum the probabilities are the targets, 51/52 and 1/52.
    np.testing.assert_allclose(fitted[0], [np.log(51), 0], atol=1e-6)
    np.testing.assert_allclose(fitted[1:], 0, atol=1e-12)


def test_probabilities_are_calibrated_and_independent():
    X, Y = concepts(n_samples=4000)
    train, test = slice(0, 2000), slice(2000, 4000)
    probabilities = ConceptDetectors().fit(X[train], Y[train]).predict_proba(X[test])
    assert probabilities.shape == (2000, 3)
    assert probabilities.min() >= 0
    assert probabilities.max() <= 1
    assert not np.allclose(probabilities.sum(axis=1), 1, atol=0.1)
    # A mean of 2,000 draws has a standard error of 0.01.
    np.testing.assert_allclose(probabilities.mean(axis=0), Y[test].mean(axis=0), atol=0.04)
    for k in range(3):
        peer = LogisticRegression(C=1.0).fit(X[train], Y[train, k]).predict_proba(X[test])[:, 1]
        assert np.mean((probabilities[:, k] - Y[test, k]) ** 2) < np.mean((peer - Y[test, k]) ** 2) + 0.01


def test_a_label_each_is_the_same_as_its_indicator():
    X, _ = concepts()
    labels = np.array(["car", "dog", "tree"])[np.argmax(X[:, :3], axis=1)]
    by_label = ConceptDetectors().fit(X, labels)
    by_indicator = ConceptDetectors().fit(X, (labels[:, None] == ["car", "dog", "tree"]).astype(int))
    assert by_label.concept_names_.tolist() == ["car", "dog", "tree"]
    assert by_indicator.concept_names_.tolist() == ["concept0", "concept1", "concept2"]
    np.testing.assert_array_equal(by_label.predict_proba(X), by_indicator.predict_proba(X))


def test_names_come_from_the_parameter_or_the_data_frame():
    X, Y = concepts()
    frame = pd.DataFrame(Y, columns=["dog", "car", "tree"])
    assert ConceptDetectors().fit(X, frame).get_feature_names_out().tolist() == ["dog", "car", "tree"]
    named = ConceptDetectors(concept_names=["a", "b", "c"]).fit(X, frame)
    assert named.concept_names_.tolist() == ["a", "b", "c"]
    assert named.n_positives_.tolist() == Y.sum(axis=0).tolist()


def test_concepts_do_not_influence_each_other_at_a_fixed_penalty():
    X, Y = concepts()
    together = ConceptDetectors(alpha=0.01).fit(X, Y)
    alone = ConceptDetectors(alpha=0.01).fit(X, Y[:, [1]])
    np.testing.assert_allclose(together.predict_proba(X)[:, 1], alone.predict_proba(X)[:, 0], atol=1e-9)


def test_scale_of_the_features_does_not_matter():
    X, Y = concepts()
    base = ConceptDetectors().fit(X, Y).predict_proba(X)
    scaled = ConceptDetectors().fit(1e-3 * X, Y).predict_proba(1e-3 * X)
    np.testing.assert_allclose(scaled, base, atol=1e-7)


def test_constant_features_give_the_share_of_each_concept():
    _, Y = concepts()
    probabilities = ConceptDetectors().fit(np.ones((120, 2)), Y).predict_proba(np.ones((1, 2)))
    # Platt's targets draw the share a little towards one half.
    np.testing.assert_allclose(probabilities[0], Y.mean(axis=0), atol=0.02)


def test_works_in_a_pipeline_and_as_a_clone():
    X, Y = concepts()
    pipeline = make_pipeline(StandardScaler(), ConceptDetectors(concept_names=["a", "b", "c"])).fit(X, Y)
    assert pipeline.get_feature_names_out().tolist() == ["a", "b", "c"]
    again = clone(pipeline).fit(X, Y)
    np.testing.assert_array_equal(pipeline.transform(X), again.transform(X))


def test_few_positives_are_named():
    X, Y = concepts()
    Y[:, 1] = 0
    Y[:3, 1] = 1
    with pytest.warns(UserWarning, match="Fewer than 5 samples .*: 'b'"):
        ConceptDetectors(concept_names=["a", "b", "c"]).fit(X, Y)


@pytest.mark.parametrize(("value", "kind"), [(0, "by no sample"), (1, "by all samples")])
def test_concepts_without_samples_of_both_kinds_are_refused(value, kind):
    X, Y = concepts()
    Y[:, 2] = value
    with pytest.raises(ValueError, match=f"{kind}: 'concept2'"):
        ConceptDetectors().fit(X, Y)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"y": np.full((120, 2), 2)}, ValueError, "0 and 1 only"),
        ({"y": np.zeros((119, 2))}, ValueError, r"y has shape \(119, 2\)"),
        ({"y": np.zeros((120, 0))}, ValueError, "0 and 1 only"),
        ({"y": np.where(np.arange(120) == 3, np.nan, 1.0)}, ValueError, "NaN"),
        ({"alpha": 0}, ValueError, "alpha must be"),
        ({"concept_names": ["a", "b"]}, ValueError, "2 names, y has 3 concepts"),
        ({"concept_names": ["a", "b", "a"]}, ValueError, "twice"),
        ({"concept_names": ["a", "b", 3]}, TypeError, "str only"),
    ],
)
def test_wrong_input_is_named(change, error, message):
    X, Y = concepts()
    y = change.pop("y", Y)
    with pytest.raises(error, match=message):
        ConceptDetectors(**change).fit(X, y)

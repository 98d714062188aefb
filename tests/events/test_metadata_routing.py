"""Saliency and weights travel through scikit-learn: each fit and each score gets the rows of its videos."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from widemargin.events import NearlyIsotonicSVC, NearlyIsotonicSVCCV

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)
GRID = [0.0, 0.1, 10.0]


@pytest.fixture(autouse=True)
def _routing():
    with config_context(enable_metadata_routing=True):
        yield


def videos(n=36, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, 4, 3))
    saliency = rng.random((n, 4) if n_classes == 2 else (n, n_classes, 4))
    top = saliency.argmax(axis=1) if n_classes == 2 else saliency[np.arange(n), y].argmax(axis=1)
    X[np.arange(n), top, 0] += 1.5 * y
    return X.reshape(n, -1), y, saliency


def routed(**parameters):
    model = NearlyIsotonicSVC(n_shots=4, **parameters)
    return model.set_fit_request(saliency=True).set_score_request(saliency=True)


def by_hand(model, X, y, saliency):
    scores = []
    for train, test in FOLDS.split(X, y):
        fitted = clone(model).fit(X[train], y[train], saliency[train])
        scores.append(fitted.score(X[test], y[test], saliency[test]))
    return np.array(scores)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_cross_validation_slices_the_saliency(n_classes):
    X, y, saliency = videos(n_classes=n_classes)
    model = routed(isotonic_alpha=0.1, alpha=0.01)
    scores = cross_val_score(model, X, y, cv=FOLDS, params={"saliency": saliency})
    np.testing.assert_array_equal(scores, by_hand(model, X, y, saliency))
    assert (scores != cross_val_score(NearlyIsotonicSVC(0.1, 0.01, n_shots=4), X, y, cv=FOLDS)).any()


def test_grid_search_slices_the_saliency():
    X, y, saliency = videos()
    search = GridSearchCV(routed(alpha=0.01), {"isotonic_alpha": GRID}, cv=FOLDS).fit(X, y, saliency=saliency)
    for place, isotonic_alpha in enumerate(GRID):
        expected = by_hand(routed(isotonic_alpha=isotonic_alpha, alpha=0.01), X, y, saliency)
        found = [search.cv_results_[f"split{k}_test_score"][place] for k in range(3)]
        np.testing.assert_array_equal(found, expected)
    best = routed(alpha=0.01, **search.best_params_).fit(X, y, saliency)
    np.testing.assert_array_equal(search.best_estimator_.coef_, best.coef_)
    assert search.score(X, y, saliency=saliency) == best.score(X, y, saliency)


def test_a_pipeline_hands_the_saliency_to_its_last_step():
    X, y, saliency = videos()
    model = routed(isotonic_alpha=0.1, alpha=0.01)
    model.set_predict_request(saliency=True).set_decision_function_request(saliency=True)
    pipeline = make_pipeline(StandardScaler(), model).fit(X, y, saliency=saliency)
    scaled = StandardScaler().fit_transform(X)
    expected = NearlyIsotonicSVC(0.1, 0.01, n_shots=4).fit(scaled, y, saliency)
    np.testing.assert_array_equal(pipeline[-1].coef_, expected.coef_)
    np.testing.assert_array_equal(
        pipeline.decision_function(X, saliency=saliency), expected.decision_function(scaled, saliency)
    )
    np.testing.assert_array_equal(pipeline.predict(X, saliency=saliency), expected.predict(scaled, saliency))
    assert pipeline.score(X, y, saliency=saliency) == expected.score(scaled, y, saliency)
    scores = cross_val_score(pipeline, X, y, cv=FOLDS, params={"saliency": saliency})
    assert scores.shape == (3,)


def test_videos_of_three_dimensions_pass_through_a_search():
    X, y, saliency = videos()
    videos_ = X.reshape(-1, 4, 3)
    model = NearlyIsotonicSVC(0.1, 0.01).set_fit_request(saliency=True).set_score_request(saliency=True)
    pipeline = make_pipeline(FunctionTransformer(np.tanh), model)
    scores = cross_val_score(pipeline, videos_, y, cv=FOLDS, params={"saliency": saliency})
    np.testing.assert_array_equal(
        scores, by_hand(NearlyIsotonicSVC(0.1, 0.01), np.tanh(videos_), y, saliency)
    )


def test_saliency_that_is_not_asked_for_is_refused():
    X, y, saliency = videos()
    with pytest.raises(UnsetMetadataPassedError, match="saliency"):
        cross_val_score(NearlyIsotonicSVC(n_shots=4), X, y, params={"saliency": saliency})


def test_a_score_without_the_saliency_warns():
    X, y, saliency = videos()
    model = NearlyIsotonicSVC(n_shots=4).set_fit_request(saliency=True).set_score_request(saliency=False)
    with pytest.warns(UserWarning, match="fit had a saliency and this call has none"):
        cross_validate(model, X, y, cv=FOLDS, params={"saliency": saliency})


def test_weights_and_saliency_together():
    X, y, saliency = videos()
    weight = np.random.default_rng(1).random(36)
    model = routed(isotonic_alpha=0.1, alpha=0.01)
    model.set_fit_request(saliency=True, sample_weight=True).set_score_request(
        saliency=True, sample_weight=True
    )
    params = {"saliency": saliency, "sample_weight": weight}
    scores = cross_val_score(model, X, y, cv=FOLDS, params=params)
    for score, (train, test) in zip(scores, FOLDS.split(X, y), strict=True):
        fitted = clone(model).fit(X[train], y[train], saliency[train], weight[train])
        hits = fitted.predict(X[test], saliency[test]) == y[test]
        assert score == pytest.approx(np.average(hits, weights=weight[test]), rel=1e-12)


def test_the_joint_search_within_an_outer_cross_validation():
    X, y, saliency = videos()
    search = NearlyIsotonicSVCCV([0.0, 0.1], [0.01, 0.1], n_shots=4, cv=2)
    search.set_fit_request(saliency=True).set_score_request(saliency=True)
    scores = cross_val_score(search, X, y, cv=FOLDS, params={"saliency": saliency})
    np.testing.assert_array_equal(scores, by_hand(search, X, y, saliency))

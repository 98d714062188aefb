"""The joint search against a plain loop of fits on the same folds."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score, balanced_accuracy_score, make_scorer, roc_auc_score
from sklearn.model_selection import GroupKFold, ShuffleSplit, StratifiedKFold

from widemargin.events import NearlyIsotonicSVC, NearlyIsotonicSVCCV

ISOTONIC_ALPHAS, ALPHAS = [0.0, 0.3], [1e-2, 1.0, 0.1]
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


def videos(n=42, shape=(4, 3), n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, *shape)) + 0.3
    saliency = rng.random((n, shape[0]) if n_classes == 2 else (n, n_classes, shape[0]))
    top = saliency.argmax(axis=1) if n_classes == 2 else saliency[np.arange(n), y].argmax(axis=1)
    X[np.arange(n), top, 0] += 1.5 * y
    return X, np.array(["ape", "bee", "cat"])[y], saliency


def plain_scores(X, y, saliency, score, folds=FOLDS, weight=None, **parameters):
    """Return scores of shape (n_points, n_folds), with points in the order of ParameterGrid."""
    weight = np.ones(len(y)) if weight is None else weight
    scores = []
    for alpha in ALPHAS:
        for isotonic_alpha in ISOTONIC_ALPHAS:
            row = []
            for train, test in folds.split(X, y):
                train, test = train[weight[train] > 0], test[weight[test] > 0]
                own = (None, None) if saliency is None else (saliency[train], saliency[test])
                model = NearlyIsotonicSVC(isotonic_alpha, alpha, **parameters)
                model.fit(X[train], y[train], own[0], weight[train])
                row.append(score(model, X[test], y[test], own[1]))
            scores.append(row)
    return np.array(scores)


def accuracy(model, X, y, saliency):
    return model.score(X, y, saliency)


def area(model, X, y, saliency):
    return roc_auc_score(y, model.decision_function(X, saliency))


def search_scores(search):
    return np.column_stack([search.cv_results_[f"split{k}_test_score"] for k in range(search.n_splits_)])


@pytest.mark.parametrize(
    ("n_classes", "shape", "with_saliency", "parameters"),
    [
        (2, (4, 3), True, {}),
        (2, (4, 3), False, {"norm": 1}),
        (2, (4, 50), True, {}),
        (2, (4, 50), False, {"solver": "primal", "loss": "logistic"}),
        (2, (4, 50), True, {"fit_intercept": False, "class_weight": "balanced", "solver": "gram"}),
        (2, (4, 3), True, {"norm": 1, "order": "increments", "tie_tolerance": 0.1}),
        (3, (4, 3), True, {}),
        (3, (3, 40), False, {"loss": "squared", "class_weight": "balanced"}),
    ],
)
def test_scores_are_those_of_a_plain_loop(n_classes, shape, with_saliency, parameters):
    X, y, saliency = videos(shape=shape, n_classes=n_classes)
    saliency = saliency if with_saliency else None
    # At this tolerance solutions from different starts agree to 1e-4, and no score here is that close to zero.
    parameters = {"tol": 1e-8, "max_iter": 20000, **parameters}
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=FOLDS, **parameters).fit(X, y, saliency)
    expected = plain_scores(X, y, saliency, accuracy, **parameters)
    np.testing.assert_allclose(search_scores(search), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected.mean(axis=1), rtol=1e-12)
    assert search.best_index_ == expected.mean(axis=1).argmax()
    assert search.best_score_ == pytest.approx(expected.mean(axis=1).max())
    best = NearlyIsotonicSVC(**search.best_params_, **parameters).fit(X, y, saliency)
    np.testing.assert_array_equal(search.best_estimator_.coef_, best.coef_)
    np.testing.assert_array_equal(search.predict(X, saliency), best.predict(X, saliency))
    np.testing.assert_array_equal(search.decision_function(X, saliency), best.decision_function(X, saliency))
    assert search.score(X, y, saliency) == best.score(X, y, saliency)
    assert search.n_iter_ == best.n_iter_
    assert search.n_not_converged_ == 0


def test_results_have_the_layout_of_grid_search():
    X, y, saliency = videos()
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=FOLDS).fit(X, y, saliency)
    points = [
        {"alpha": alpha, "isotonic_alpha": isotonic} for alpha in ALPHAS for isotonic in ISOTONIC_ALPHAS
    ]
    assert search.cv_results_["params"] == points
    assert search.cv_results_["param_alpha"].tolist() == [point["alpha"] for point in points]
    ranks = search.cv_results_["rank_test_score"]
    assert ranks.min() == 1 == ranks[search.best_index_]
    assert search.best_params_ == points[search.best_index_]
    assert search.n_splits_ == 3


@pytest.mark.parametrize("shape", [(4, 3), (4, 50)])
@pytest.mark.parametrize(
    "scoring",
    ["roc_auc", make_scorer(roc_auc_score, response_method="decision_function")],
    ids=["name", "scorer"],
)
def test_scores_of_the_decision_function_use_the_saliency(scoring, shape):
    X, y, saliency = videos(shape=shape)
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=FOLDS, scoring=scoring, tol=1e-8, max_iter=20000)
    search.fit(X, y, saliency)
    expected = plain_scores(X, y, saliency, area, tol=1e-8, max_iter=20000)
    np.testing.assert_allclose(search_scores(search), expected, rtol=0, atol=1e-12)
    best = search.best_estimator_
    assert search.score(X, y, saliency) == pytest.approx(area(best, X, y, saliency), rel=1e-12)


def test_other_scores():
    X, y, saliency = videos()
    numbers = (y == "bee").astype(int)
    search = NearlyIsotonicSVCCV([0.1], ALPHAS, cv=FOLDS, scoring="average_precision").fit(
        X, numbers, saliency
    )
    train, test = next(iter(FOLDS.split(X, numbers)))
    model = NearlyIsotonicSVC(0.1, ALPHAS[0]).fit(X[train], numbers[train], saliency[train])
    expected = average_precision_score(numbers[test], model.decision_function(X[test], saliency[test]))
    assert search.cv_results_["split0_test_score"][0] == pytest.approx(expected, abs=1e-12)
    X, y, saliency = videos(n_classes=3)
    for scoring in ("balanced_accuracy", make_scorer(balanced_accuracy_score)):
        search = NearlyIsotonicSVCCV([0.1], [0.1], cv=FOLDS, scoring=scoring).fit(X, y, saliency)
        fitted = search.best_estimator_
        expected = balanced_accuracy_score(y, fitted.predict(X, saliency))
        assert search.score(X, y, saliency) == pytest.approx(expected)
    for bad in (["accuracy"], {"a": "accuracy"}, 3):
        with pytest.raises(ValueError, match="scoring must be the name of one score, or one scorer"):
            NearlyIsotonicSVCCV([0.1], [0.1], scoring=bad).fit(X, y)
    with pytest.raises(ValueError, match="no such score"):
        NearlyIsotonicSVCCV([0.1], [0.1], scoring="no such score").fit(X, y)


@pytest.mark.parametrize("shape", [(4, 3), (4, 50)])
def test_videos_without_weight_are_neither_trained_on_nor_scored(shape):
    X, y, saliency = videos(shape=shape)
    weight = np.random.default_rng(3).choice([0.0, 1.0, 2.5], 42)
    X[weight == 0] *= 1e3
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=FOLDS, tol=1e-8, max_iter=20000)
    search.fit(X, y, saliency, weight)
    expected = plain_scores(X, y, saliency, accuracy, weight=weight, tol=1e-8, max_iter=20000)
    np.testing.assert_allclose(search_scores(search), expected, rtol=0, atol=1e-12)


def test_several_processes_give_the_same():
    X, y, saliency = videos(shape=(4, 50))
    one = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=FOLDS, scoring="roc_auc").fit(X, y, saliency)
    two = clone(one).set_params(n_jobs=2).fit(X, y, saliency)
    np.testing.assert_array_equal(search_scores(one), search_scores(two))


def test_folds_of_any_kind():
    X, y, saliency = videos()
    groups = np.repeat(np.arange(14), 3)
    as_list = list(GroupKFold(3).split(X, y, groups))
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=as_list).fit(X, y, saliency)
    masks = [(np.isin(np.arange(42), train), np.isin(np.arange(42), test)) for train, test in as_list]
    same = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=masks).fit(X, y, saliency)
    np.testing.assert_array_equal(search_scores(search), search_scores(same))
    split = NearlyIsotonicSVCCV([0.1], [0.1], cv=ShuffleSplit(2, random_state=0)).fit(X, y, saliency)
    assert split.n_splits_ == 2
    assert NearlyIsotonicSVCCV([0.1], [0.1]).fit(X, y, saliency).n_splits_ == 5


def test_folds_that_do_not_fit():
    X, y, saliency = videos()
    rows = np.arange(42)
    apes = rows[y == "ape"]
    with pytest.raises(ValueError, match="a class without training videos of positive weight in fold 0"):
        NearlyIsotonicSVCCV([0.1], [0.1], cv=[(apes, rows)]).fit(X, y, saliency)
    with pytest.raises(ValueError, match="no test video of positive weight in fold 1"):
        NearlyIsotonicSVCCV([0.1], [0.1], cv=[(rows, rows), (rows, [])]).fit(X, y, saliency)
    weight = np.ones(42)
    weight[:4] = 0
    with pytest.raises(ValueError, match="no test video of positive weight in fold 0"):
        NearlyIsotonicSVCCV([0.1], [0.1], cv=[(rows, rows[:4])]).fit(X, y, saliency, weight)
    with pytest.raises(ValueError, match="cv gives no fold"):
        NearlyIsotonicSVCCV([0.1], [0.1], cv=[]).fit(X, y, saliency)


def test_a_function_may_choose_the_point():
    X, y, saliency = videos()
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, ALPHAS, cv=2, refit=lambda results: 3).fit(X, y, saliency)
    assert search.best_index_ == 3
    assert search.best_params_ == {"alpha": 1.0, "isotonic_alpha": 0.3}
    assert search.best_estimator_.alpha == 1.0
    with pytest.raises(ValueError, match="refit returned 6 for 6 grid points"):
        search.set_params(refit=lambda results: 6).fit(X, y, saliency)
    with pytest.raises(ValueError, match="refit must be True or a function"):
        search.set_params(refit=False).fit(X, y, saliency)


def test_fits_that_miss_the_tolerance_are_counted():
    X, y, saliency = videos()
    search = NearlyIsotonicSVCCV(ISOTONIC_ALPHAS, [1e-6], cv=2, max_iter=2)
    with pytest.warns(ConvergenceWarning) as warned:  # the final fit warns, too
        search.fit(X, y, saliency)
    assert any("4 of 4 fits of the grid search missed tol=0.0001" in str(one.message) for one in warned)
    assert search.n_not_converged_ == 4


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"alphas": []}, ValueError, "the grid of alpha is empty"),
        ({"alphas": 1.0}, ValueError, r"the grid of alpha must be a list of values, got 1.0: pass \[1.0\]"),
        (
            {"alphas": [[1.0, 2.0]]},
            ValueError,
            r"the grid of alpha must be a flat list of values, got shape \(1, 2\)",
        ),
        ({"alphas": [1.0, -1.0]}, ValueError, "a value of alpha must be finite and at least 0, got -1.0"),
        ({"isotonic_alphas": [np.nan]}, ValueError, "a value of isotonic_alpha must be finite"),
        ({"isotonic_alphas": ["1"]}, TypeError, "a value of isotonic_alpha must be a real number"),
        ({"solver": "gram", "norm": 1}, ValueError, "solver='gram' needs"),
        ({"loss": "none"}, ValueError, "loss must be one of"),
        ({"tol": 0}, ValueError, "tol must be"),
    ],
)
def test_bad_grids_and_parameters_are_named(parameters, error, message):
    X, y, saliency = videos()
    with pytest.raises(error, match=message):
        NearlyIsotonicSVCCV(**parameters).fit(X, y, saliency)


def test_forgotten_saliency_warns():
    X, y, saliency = videos()
    search = NearlyIsotonicSVCCV([0.1], [0.1], cv=2).fit(X, y, saliency)
    with pytest.warns(UserWarning, match="fit had a saliency and this call has none"):
        search.predict(X)

"""What `converged_` and `stationarity_` promise where a start, a scale or rounding could make them promise too much."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from widemargin.events import NearlyIsotonicSVC, NearlyIsotonicSVCCV, regularization_path

CONVEX = {"norm": 1, "order": "increments"}


def data(seed=0):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 4, 3)), np.arange(40) % 2
    X[y == 1, 0] += 1
    return X, y


def gap(model, X, y):
    """Excess of the objective of a convex problem over its minimum, as a share of it."""
    parameters = model.get_params() | {"tol": 1e-8, "max_iter": 50_000, "init": "zeros", "warm_start": False}
    return model.objective_ / NearlyIsotonicSVC(**parameters).fit(X, y).objective_ - 1.0


def test_a_start_from_far_away_does_not_loosen_the_tolerance():
    X, y = data()
    model = NearlyIsotonicSVC(init=np.full((4, 3), 1e6), **CONVEX).fit(X, y)
    assert model.converged_
    assert gap(model, X, y) < 1e-3


def test_a_random_start_under_huge_penalties_does_not_loosen_the_tolerance():
    X, y = data()
    for seed in range(20):
        model = NearlyIsotonicSVC(
            1e4, 1e4, init="random", random_state=seed, norm=1, order="total_variation"
        ).fit(0.01 * X, y)
        assert gap(model, 0.01 * X, y) < 1e-3


def test_a_warm_start_from_a_weak_penalty_does_not_loosen_the_tolerance():
    X, y = data()
    X = X * [1, 1e-2, 1e-2]
    model = NearlyIsotonicSVC(0.0, 1e-8, warm_start=True, tol=1e-6, max_iter=20_000, **CONVEX).fit(X, y)
    model.set_params(alpha=1e4, tol=1e-4).fit(X, y)
    assert gap(model, X, y) < 1e-3


def test_weights_of_zero_that_are_no_optimum_are_not_certified():
    """One step from this start lands on W = 0, 12 % above the minimum."""
    rng = np.random.default_rng(1)
    for _ in range(299):
        X, y = rng.normal(size=(20, 1, 2)) * np.array([3.0, 1.0]), np.arange(20) % 2
        X[y == 1, 0, 1] += 1
        X[:, 0, 0] += rng.normal() * X[:, 0, 1]
        alpha = float(10 ** rng.uniform(-2, 0.5))
        init = rng.normal(size=(1, 2)) * 10 ** rng.uniform(-1, 0.5)
    model = NearlyIsotonicSVC(0.0, 0.1 * alpha, penalty="l1", fit_intercept=False, init=init, **CONVEX).fit(
        X, y
    )
    assert gap(model, X, y) < 1e-3


def test_the_l2_certificate_bounds_the_gap_without_an_intercept():
    rng = np.random.default_rng(0)
    for _ in range(60):
        X = rng.normal(size=(20, 2, 2))
        y = (X[:, 0, 0] + rng.normal(size=20) > 0).astype(int)
        alpha = float(10 ** rng.uniform(-4, 1))
        model = NearlyIsotonicSVC(
            0.1, alpha, fit_intercept=False, init=rng.normal(size=(2, 2)), tol=0.1, **CONVEX
        ).fit(X, y)
        # The reference may miss 1e-8 itself.
        assert gap(model, X, y) <= model.stationarity_ + 1e-8


@pytest.mark.parametrize("seed", range(10))
def test_a_tight_tolerance_is_reached_with_the_l1_penalty(seed):
    X, y = data(seed)
    model = NearlyIsotonicSVC(0.01, 0.001, penalty="l1", tol=1e-6, max_iter=20_000, **CONVEX).fit(X, y)
    assert model.converged_


@pytest.mark.parametrize("solver", ["primal", "gram"])
@pytest.mark.parametrize("origin", [0.0, 1e3, 1e6])
def test_features_far_from_zero_lose_no_digits(solver, origin):
    """Without centring the Gram matrices of an origin of 1e6 have 4 digits of the differences left."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(30, 4, 40)), np.arange(30) % 2
    X[y == 1, 0] += 0.5
    # Scores of features around 1e6 have 10 digits left, so that no tighter tolerance can be reached from the videos.
    near = NearlyIsotonicSVC(0.1, 0.1, solver=solver, tol=1e-8).fit(X, y)
    far = NearlyIsotonicSVC(0.1, 0.1, solver=solver, tol=1e-8).fit(X + origin, y)
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-7)
    # Both are within 1e-8 of an objective of 0.02 whose curvature is at least 0.2.
    np.testing.assert_allclose(far.coef_, near.coef_, atol=1e-4)


@pytest.mark.parametrize("factor", [np.nan, None, -1.0, np.inf])
def test_class_weights_that_are_no_weights(factor):
    with pytest.raises((ValueError, TypeError), match=r"class_weight|NoneType"):
        NearlyIsotonicSVC(class_weight={0: factor, 1: 1.0}).fit(*data())


def test_masked_videos_are_refused():
    X, y = data()
    with pytest.raises(ValueError, match="masked"):
        NearlyIsotonicSVC().fit(np.ma.masked_array(X, X > 2), y)


@pytest.mark.parametrize("norm", [2.0, np.array([1, 2]), "2", True])
def test_norm_is_one_of_two_integers(norm):
    with pytest.raises(ValueError, match="norm must be 1"):
        NearlyIsotonicSVC(norm=norm).fit(*data())


@pytest.mark.parametrize("name", ["predict", "decision_function", "score"])
def test_a_forgotten_saliency_is_reported_where_it_was_forgotten(name):
    X, y = data()
    model = NearlyIsotonicSVC().fit(X, y, np.random.default_rng(0).random((40, 4)))
    with pytest.warns(UserWarning, match="fit had a saliency") as caught:
        getattr(model, name)(*((X, y) if name == "score" else (X,)))
    assert caught[0].filename == __file__


def test_a_constant_saliency_is_reported_where_it_was_passed():
    X, y = data()
    with pytest.warns(UserWarning, match="constant") as caught:
        NearlyIsotonicSVC().fit(X, y, np.ones((40, 4)))
    assert caught[0].filename == __file__


def test_a_search_says_once_what_is_odd():
    X, y = data()
    with pytest.warns(UserWarning, match=r"order=|constant") as caught:
        NearlyIsotonicSVCCV([0.1], [0.1], cv=2, order="absolute").fit(X, y, np.ones((40, 4)))
    assert len(caught) == 2


def test_a_path_takes_the_parameters_of_the_classifier_alone():
    X, y = data()
    with pytest.raises(TypeError, match="estimator must be a NearlyIsotonicSVC"):
        regularization_path(X, y, [0.1], [0.1], estimator=NearlyIsotonicSVCCV())


def test_a_path_says_which_solutions_missed_the_tolerance():
    X, y = data()
    with pytest.warns(ConvergenceWarning, match="1 of 2 solutions"):
        regularization_path(X, y, [0.1], [1e-3, 1e3], estimator=NearlyIsotonicSVC(max_iter=2))


def test_a_refused_fit_leaves_nothing_of_the_last_one():
    X, y = data()
    model = NearlyIsotonicSVC().fit(X, y)
    with pytest.raises(ValueError, match="saliency"):
        model.fit(X, np.arange(40) % 3, np.ones((40, 9)))
    with warnings.catch_warnings(), pytest.raises(NotFittedError):
        model.predict(X)


def test_predictions_use_the_tie_tolerance_of_the_fit():
    X, y = data()
    saliency = np.random.default_rng(0).random((40, 4))
    model = NearlyIsotonicSVC(tie_tolerance=0.3).fit(X, y, saliency)
    expected = model.decision_function(X, saliency)
    model.set_params(tie_tolerance=0.0)
    np.testing.assert_array_equal(model.decision_function(X, saliency), expected)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("coef_", np.full((4, 3), np.nan)),
        ("coef_", np.zeros((3, 4))),
        ("coef_", np.zeros(12)),
        ("coef_", np.full((4, 3), None)),
        ("intercept_", np.array([np.nan])),
        ("intercept_", np.zeros(2)),
        ("intercept_", None),
        ("tie_tolerance_", np.nan),
        ("tie_tolerance_", "x"),
        ("tie_tolerance_", -1.0),
    ],
)
def test_a_model_that_was_changed_is_refused(name, value):
    X, y = data()
    saliency = np.random.default_rng(0).random((40, 4))
    model = NearlyIsotonicSVC().fit(X, y, saliency)
    setattr(model, name, value)
    with pytest.raises((ValueError, TypeError), match=name):
        model.predict(X, saliency)


@pytest.mark.parametrize("kind", [np.float32, float, list])
def test_numbers_of_other_kinds_are_taken(kind):
    X, y = data()
    model = NearlyIsotonicSVC().fit(X, y)
    expected = model.decision_function(X)
    model.coef_ = model.coef_.tolist() if kind is list else model.coef_.astype(kind)
    model.intercept_ = model.intercept_.tolist() if kind is list else model.intercept_.astype(kind)
    np.testing.assert_allclose(model.decision_function(X), expected, rtol=1e-5)


def test_first_weights_that_overflow_are_refused():
    with pytest.raises(ValueError, match="init has values"):
        NearlyIsotonicSVC(init=np.full((4, 3), 1e200)).fit(*data())


@pytest.mark.parametrize("smoothing", [0.0, 1e-9, 1e9, np.inf])
def test_smoothing_is_between_bounds(smoothing):
    with pytest.raises(ValueError, match="smoothing"):
        NearlyIsotonicSVC(loss="hinge", smoothing=smoothing).fit(*data())


def test_a_search_without_any_score_is_refused_and_with_some_warns():
    X, y = data()
    folds = [(np.arange(40), np.arange(0, 40, 2)), (np.arange(40), np.arange(40))]

    def area(estimator, rows, labels):
        return np.nan if len(set(labels)) < 2 else 0.5

    with pytest.warns(UserWarning, match="4 of 8 scores"):
        NearlyIsotonicSVCCV([0.0, 0.1], [0.1, 1.0], cv=folds, scoring=area).fit(X, y)
    with pytest.raises(ValueError, match="every score"):
        NearlyIsotonicSVCCV([0.0, 0.1], [0.1, 1.0], cv=folds[:1], scoring=area).fit(X, y)

"""The nearly-isotonic SVM against naive twins, other solvers, and scikit-learn where the problems are the same."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.svm import LinearSVC

from reference.nearly_isotonic import Problem, convex_optimum, proximal_gradient
from widemargin.events import NearlyIsotonicSVC

LOSSES = ("squared_hinge", "hinge", "squared", "logistic")
ORDERS = ("nearly_isotonic", "increments", "absolute", "total_variation")
SAME_UNDER_NORM_2 = pytest.mark.filterwarnings("ignore:order=.* is the same penalty as order=:UserWarning")


def videos(n=30, shape=(3, 2), n_classes=2, seed=0, signal=1.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, *shape)) + 0.5
    X[:, 0, 0] += signal * y
    return X, y


def twin(model, X, y, **given):
    """Return the naive problem that a model solves."""
    names = (
        "isotonic_alpha",
        "alpha",
        "penalty",
        "norm",
        "order",
        "nonnegative",
        "loss",
        "smoothing",
        "fit_intercept",
    )
    targets = np.unique(y, return_inverse=True)[1]
    return Problem(X, targets, **{name: getattr(model, name) for name in names}, **given)


def stack(model):
    """Return weights as (n_scores, n_shots, n_features)."""
    return model.coef_.reshape(-1, *model.coef_.shape[-2:])


def is_convex(norm, order, nonnegative, n_features):
    if order in ("increments", "total_variation"):
        return norm == 1
    return nonnegative and (norm == 1 or n_features == 1) and order != "absolute"


VARIANTS = list(itertools.product((1, 2), ORDERS, (False, True), ("l2", "l1")))


@SAME_UNDER_NORM_2
@pytest.mark.parametrize(("norm", "order", "nonnegative", "penalty"), VARIANTS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_variant_ends_at_a_point_of_its_objective_that_nothing_near_betters(
    norm, order, nonnegative, penalty, n_classes
):
    number = VARIANTS.index((norm, order, nonnegative, penalty))
    X, y = videos(n_classes=n_classes, seed=number)
    settings = {"norm": norm, "order": order, "nonnegative": nonnegative, "penalty": penalty}
    model = NearlyIsotonicSVC(0.05, 0.02, loss=LOSSES[number % 4], tol=1e-6, max_iter=20000, **settings)
    with warnings.catch_warnings():
        # What rounding leaves of the certificate without strong convexity, at most 1e-5 here.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    assert model.stationarity_ <= 1e-5
    assert not nonnegative or model.coef_.min() >= 0
    assert (np.diff(model.history_) <= 0).all()
    assert len(model.history_) == model.n_iter_ + 1
    problem, W, intercept = twin(model, X, y), stack(model), model.intercept_
    assert model.objective_ == pytest.approx(problem.objective(W, intercept), rel=1e-10)
    # Plain steps with global proximal maps may go wherever the objective falls, and gain nothing.
    assert problem.objective(*proximal_gradient(problem, W, intercept, 5)) >= model.objective_ * (1 - 1e-5)
    if is_convex(norm, order, nonnegative, X.shape[2]):
        assert model.objective_ <= problem.objective(*convex_optimum(problem)) * (1 + 1e-5)
    # No way out of the point goes down, feasible or, where it is not convex, in a small ball.
    rng = np.random.default_rng(number)
    for size in (1e-3, 1e-2):
        for _ in range(6):
            near = W + size * rng.normal(size=W.shape)
            near = np.maximum(near, 0.0) if nonnegative else near
            shift = size * rng.normal(size=intercept.shape)
            assert problem.objective(near, intercept + shift) >= model.objective_ * (1 - 1e-5)


@pytest.mark.parametrize("loss", LOSSES)
def test_certificate_bounds_the_gap_of_convex_problems(loss):
    # Without an intercept, in which the objective is not strongly convex.
    for seed in range(12):
        X, y = videos(n=20, seed=seed, n_classes=2 + seed % 2)
        alpha = 10.0 ** np.random.default_rng(seed).uniform(-3, 0)
        settings = {"norm": 1, "fit_intercept": False, "loss": loss}
        settings |= {"nonnegative": True} if seed % 3 == 0 else {"order": "increments"}
        exact = NearlyIsotonicSVC(0.1, alpha, tol=1e-9, max_iter=20000, **settings).fit(X, y)
        for tol in (1e-3, 1e-5):
            model = NearlyIsotonicSVC(0.1, alpha, tol=tol, **settings).fit(X, y)
            assert model.stationarity_ <= tol
            # The reference itself is within 1e-9 of the optimum.
            gap = model.objective_ - exact.objective_
            assert gap <= (model.stationarity_ + 1e-9) * model.objective_


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("loss", LOSSES)
def test_objective_and_gradient_without_intercept(loss, fit_intercept):
    X, y = videos(seed=1)
    model = NearlyIsotonicSVC(0.1, 0.05, loss=loss, fit_intercept=fit_intercept, tol=1e-8).fit(X, y)
    problem = twin(model, X, y)
    assert model.objective_ == pytest.approx(problem.objective(stack(model), model.intercept_), rel=1e-10)
    by_intercept = problem.gradient(stack(model), model.intercept_)[1]
    if fit_intercept:
        # Residuals sum to zero where the intercept is not penalised.
        assert abs(by_intercept[0]) < 1e-4
    else:
        assert model.intercept_[0] == 0.0


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", LOSSES)
def test_intercept_follows_imbalanced_labels(loss, n_classes):
    X, _ = videos(n=60, seed=2)
    X[:] = np.random.default_rng(0).normal(size=X.shape)
    y = np.repeat(np.arange(n_classes), [40, 20] if n_classes == 2 else [34, 16, 10])
    model = NearlyIsotonicSVC(0.1, 100.0, loss=loss).fit(X, y)
    # Weights are next to nothing, and the most frequent class wins everywhere.
    assert (model.predict(X) == 0).all()
    if n_classes == 2 and loss in ("squared", "squared_hinge"):
        # The mean of y, on which all margins are below 1 for both losses.
        assert model.intercept_[0] == pytest.approx(-1 / 3, abs=0.01)
    if loss == "logistic":
        share = np.exp(model.intercept_) if n_classes > 2 else np.exp([0.0, model.intercept_[0]])
        np.testing.assert_allclose(share / share.sum(), np.bincount(y) / 60, atol=0.02)
    without = NearlyIsotonicSVC(0.1, 100.0, loss=loss, fit_intercept=False).fit(X, y)
    assert len(set(without.predict(X))) == n_classes


@pytest.mark.parametrize("alpha", [1e-3, 0.1])
@pytest.mark.parametrize("isotonic", [False, True])
def test_logistic_loss_is_logistic_regression(alpha, isotonic):
    X, y = videos(n=50, shape=(1 if isotonic else 3, 4), seed=3)
    # With one shot the penalty of the order is empty.
    model = NearlyIsotonicSVC(5.0 if isotonic else 0.0, alpha, loss="logistic", tol=1e-8).fit(X, y)
    rows = X.reshape(50, -1)
    peer = LogisticRegression(C=1 / (2 * alpha * 50), tol=1e-10, max_iter=10000).fit(rows, y)
    # A gap of 1e-8 leaves weights within sqrt(1e-8 / alpha) of the optimum.
    np.testing.assert_allclose(model.coef_.ravel(), peer.coef_.ravel(), atol=2 * np.sqrt(1e-8 / alpha))
    np.testing.assert_allclose(model.decision_function(X), peer.decision_function(rows), atol=4e-2)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, atol=4e-2)


def test_softmax_is_multinomial_logistic_regression():
    X, y = videos(n=60, shape=(2, 3), n_classes=4, seed=4)
    model = NearlyIsotonicSVC(0.0, 0.01, loss="logistic", tol=1e-8).fit(X, y)
    peer = LogisticRegression(C=1 / (0.02 * 60), tol=1e-10, max_iter=10000).fit(X.reshape(60, -1), y)
    np.testing.assert_allclose(model.coef_.reshape(4, -1), peer.coef_, atol=2e-3)
    # Intercepts of a softmax are determined but for a common shift.
    np.testing.assert_allclose(
        model.intercept_ - model.intercept_.mean(), peer.intercept_ - peer.intercept_.mean(), atol=2e-3
    )


@pytest.mark.parametrize("solver", ["primal", "gram"])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_squared_loss_is_ridge_regression(fit_intercept, solver):
    X, y = videos(n=40, shape=(3, 4), seed=5)
    model = NearlyIsotonicSVC(
        0.0, 0.1, loss="squared", solver=solver, fit_intercept=fit_intercept, tol=1e-9
    ).fit(X, y)
    peer = Ridge(alpha=2 * 0.1 * 40, fit_intercept=fit_intercept).fit(X.reshape(40, -1), 2.0 * y - 1)
    np.testing.assert_allclose(model.coef_.ravel(), peer.coef_, atol=2e-4)
    np.testing.assert_allclose(model.intercept_[0], peer.intercept_, atol=2e-4)


def test_several_classes_with_the_squared_loss_are_one_ridge_regression_each():
    X, y = videos(n=60, shape=(2, 3), n_classes=3, seed=6)
    model = NearlyIsotonicSVC(0.0, 0.1, loss="squared", tol=1e-9).fit(X, y)
    peer = Ridge(alpha=2 * 0.1 * 60).fit(X.reshape(60, -1), 2.0 * (y[:, None] == np.arange(3)) - 1)
    np.testing.assert_allclose(model.coef_.reshape(3, -1), peer.coef_, atol=2e-4)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, atol=2e-4)


def test_squared_loss_with_l1_is_the_lasso():
    X, y = videos(n=50, shape=(3, 4), seed=7)
    model = NearlyIsotonicSVC(0.0, 0.05, loss="squared", penalty="l1", tol=1e-6).fit(X, y)
    peer = Lasso(alpha=0.05, tol=1e-12, max_iter=100000).fit(X.reshape(50, -1), 2.0 * y - 1)
    np.testing.assert_allclose(model.coef_.ravel(), peer.coef_, atol=1e-5)
    assert 0 < np.count_nonzero(model.coef_) == np.count_nonzero(peer.coef_) < 12


def test_squared_hinge_without_intercept_is_linear_svc():
    X, y = videos(n=50, shape=(3, 4), seed=8)
    model = NearlyIsotonicSVC(0.0, 0.01, fit_intercept=False, tol=1e-9).fit(X, y)
    # 1/2 |w|^2 + C sum (1 - yt)_+^2 is n C 2 times the mean of the halved losses plus 1/2 |w|^2.
    peer = LinearSVC(C=1 / (4 * 0.01 * 50), fit_intercept=False, tol=1e-12, max_iter=10**6).fit(
        X.reshape(50, -1), y
    )
    np.testing.assert_allclose(model.coef_.ravel(), peer.coef_.ravel(), atol=5e-4)
    assert model.objective_ <= twin(model, X, y).objective(peer.coef_.reshape(1, 3, 4), np.zeros(1)) * (
        1 + 1e-9
    )


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
@pytest.mark.parametrize("norm", [1, 2])
def test_several_classes_solve_the_joint_problem(loss, norm):
    # (33), with the logarithm of the sum of exponentials for the maximum.
    X, y = videos(n=24, n_classes=4, seed=9)
    saliency = np.random.default_rng(0).random((24, 4, 3))
    model = NearlyIsotonicSVC(0.1, 0.05, norm=norm, loss=loss, smoothing=0.25, tol=1e-6).fit(X, y, saliency)
    order = np.argsort(-saliency, axis=-1)
    scores = np.array(
        [
            [np.sum(X[i][order[i, e]] * model.coef_[e]) + model.intercept_[e] for e in range(4)]
            for i in range(24)
        ]
    )
    np.testing.assert_allclose(model.decision_function(X, saliency), scores, atol=1e-12)
    expected = hinge = 0.0
    for i in range(24):
        terms = scores[i] - scores[i, y[i]] + (np.arange(4) != y[i])
        expected += 0.25 * np.log(np.sum(np.exp(terms / 0.25))) / 24
        hinge += terms.max() / 24
    assert hinge <= expected <= hinge + 0.25 * np.log(4)  # (35) and (36)
    for W in model.coef_:
        rows = np.linalg.norm(W, axis=1)[:, None] if norm == 2 else np.abs(W)
        expected += 0.1 * np.maximum(np.diff(rows, axis=0), 0.0).sum() + 0.05 * np.sum(W**2)
    assert model.objective_ == pytest.approx(expected, rel=1e-10)


@SAME_UNDER_NORM_2
def test_orders_that_are_the_same_for_norms():
    X, y = videos(seed=10)
    for one, other in (("nearly_isotonic", "increments"), ("absolute", "total_variation")):
        weights = [NearlyIsotonicSVC(0.1, 0.01, order=order).fit(X, y).coef_ for order in (one, other)]
        np.testing.assert_array_equal(*weights)
        weights = [
            NearlyIsotonicSVC(0.1, 0.01, norm=1, order=order).fit(X, y).coef_ for order in (one, other)
        ]
        assert np.abs(weights[0] - weights[1]).max() > 1e-3


@pytest.mark.parametrize("order", ORDERS[1:])
def test_a_warning_says_that_the_order_makes_no_difference(order):
    X, y = videos(seed=10)
    with pytest.warns(UserWarning, match=f"order='{order}' is the same penalty as order='.*' under norm=2"):
        NearlyIsotonicSVC(order=order).fit(X, y)
    NearlyIsotonicSVC(order=order, norm=1).fit(X, y)


@pytest.mark.parametrize("solver", ["primal", "gram"])
def test_weights_fall_along_the_shots_where_the_penalty_is_large(solver):
    X, y = videos(n=40, shape=(5, 6), seed=11)
    X[:, 3] += y[:, None]
    free = NearlyIsotonicSVC(0.0, 1e-2, solver=solver).fit(X, y)
    assert np.diff(np.linalg.norm(free.coef_, axis=1)).max() > 0.1
    ordered = NearlyIsotonicSVC(1e4, 1e-2, solver=solver).fit(X, y)
    assert np.diff(np.linalg.norm(ordered.coef_, axis=1)).max() <= 1e-8
    by_feature = NearlyIsotonicSVC(1e4, 1e-2, norm=1).fit(X, y)
    assert np.diff(np.abs(by_feature.coef_), axis=0).max() <= 1e-12
    flat = NearlyIsotonicSVC(1e4, 1e-2, norm=1, order="total_variation").fit(X, y)
    assert np.ptp(flat.coef_, axis=0).max() <= 1e-12


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gram_is_primal(loss, ordered, fit_intercept):
    X, y = videos(n=25, shape=(4, 40), seed=12)
    saliency = np.random.default_rng(1).random((25, 4)) if ordered else None
    models = [
        NearlyIsotonicSVC(0.05, 0.02, loss=loss, solver=solver, fit_intercept=fit_intercept, tol=1e-8).fit(
            X, y, saliency
        )
        for solver in ("primal", "gram", "auto")
    ]
    assert models[0].objective_ == pytest.approx(models[1].objective_, rel=2e-8)
    np.testing.assert_allclose(models[0].coef_, models[1].coef_, atol=1e-3)
    np.testing.assert_allclose(models[0].intercept_, models[1].intercept_, atol=2e-3)
    np.testing.assert_array_equal(models[1].coef_, models[2].coef_)
    for model in models:
        order = None if saliency is None else np.argsort(-saliency, axis=1)[:, None]
        problem = twin(model, X, y, shots=order)
        assert model.objective_ == pytest.approx(problem.objective(stack(model), model.intercept_), rel=1e-9)


@pytest.mark.parametrize("solver", ["primal", "gram"])
def test_sample_weights_are_multiplicities(solver):
    X, y = videos(n=30, shape=(3, 35), seed=13)
    rng = np.random.default_rng(2)
    weight, saliency = rng.integers(0, 4, 30), rng.random((30, 3))
    copies = np.repeat(np.arange(30), weight)
    # What lies in videos that are not there makes no difference.
    X[weight == 0] *= 1e6
    model = NearlyIsotonicSVC(0.1, 0.05, solver=solver, tol=1e-9, tie_tolerance=0.1)
    weighted = clone(model).fit(X, y, saliency, weight)
    copied = clone(model).fit(X[copies], y[copies], saliency[copies])
    assert weighted.objective_ == pytest.approx(copied.objective_, rel=2e-9)
    np.testing.assert_allclose(weighted.pair_weights_, copied.pair_weights_, rtol=1e-14)
    np.testing.assert_allclose(weighted.coef_, copied.coef_, atol=3e-4)
    np.testing.assert_allclose(weighted.intercept_, copied.intercept_, atol=1e-3)
    # And only proportions count.
    scaled = clone(model).fit(X, y, saliency, 0.37 * weight)
    np.testing.assert_allclose(scaled.coef_, weighted.coef_, atol=1e-6)


def test_class_weights_are_factors_of_the_weights():
    X, y = videos(n=40, seed=14)
    y = (np.arange(40) < 10).astype(int)
    X[:, 0, 0] += y
    by_class = NearlyIsotonicSVC(0.1, 0.05, class_weight="balanced", tol=1e-8).fit(X, y)
    by_sample = NearlyIsotonicSVC(0.1, 0.05, tol=1e-8).fit(X, y, sample_weight=np.where(y == 1, 3.0, 1.0))
    np.testing.assert_allclose(by_class.coef_, by_sample.coef_, atol=1e-8)
    by_dict = NearlyIsotonicSVC(0.1, 0.05, class_weight={0: 1, 1: 3}, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(by_dict.coef_, by_sample.coef_, atol=1e-8)
    plain = NearlyIsotonicSVC(0.1, 0.05, tol=1e-8).fit(X, y)
    assert np.mean(by_class.predict(X)) > np.mean(plain.predict(X))


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [-1, 1], [3.0, 7.0], ["a", "b", "c"]])
def test_labels_of_any_kind(labels):
    X, y = videos(n_classes=len(labels), seed=15)
    expected = NearlyIsotonicSVC().fit(X, y)
    model = NearlyIsotonicSVC().fit(X, np.array(labels)[y])
    np.testing.assert_array_equal(model.classes_, labels)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[expected.predict(X)])
    assert model.score(X, np.array(labels)[y]) == np.mean(expected.predict(X) == y)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", ["primal", "gram"])
def test_exchanged_labels_change_the_sign(loss, solver):
    X, y = videos(n=20, shape=(3, 30), seed=16)
    first = NearlyIsotonicSVC(0.1, 0.05, loss=loss, solver=solver).fit(X, y)
    second = NearlyIsotonicSVC(0.1, 0.05, loss=loss, solver=solver).fit(X, 1 - y)
    np.testing.assert_allclose(second.coef_, -first.coef_, atol=1e-8)
    np.testing.assert_allclose(second.intercept_, -first.intercept_, atol=1e-8)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver", ["auto", "primal"])
def test_the_order_of_videos_does_not_matter(solver, n_classes):
    X, y = videos(n=30, shape=(3, 40), n_classes=n_classes, seed=17)
    shuffled = np.random.default_rng(0).permutation(30)
    first = NearlyIsotonicSVC(0.1, 0.05, solver=solver).fit(X, y)
    second = NearlyIsotonicSVC(0.1, 0.05, solver=solver).fit(X[shuffled], y[shuffled])
    # Rounding alone, which a few dozen steps magnify.
    np.testing.assert_allclose(second.coef_, first.coef_, atol=1e-7)


def test_the_order_of_features_does_not_matter():
    X, y = videos(n=30, shape=(3, 7), seed=18)
    columns = np.random.default_rng(0).permutation(7)
    # Convex ones, since the first steps decide which stationary point of the others is found.
    for order in ("increments", "total_variation"):
        first = NearlyIsotonicSVC(0.1, 0.05, norm=1, order=order, tol=1e-9).fit(X, y)
        second = NearlyIsotonicSVC(0.1, 0.05, norm=1, order=order, tol=1e-9).fit(X[..., columns], y)
        assert second.objective_ == pytest.approx(first.objective_, rel=1e-8)
        np.testing.assert_allclose(second.coef_, first.coef_[:, columns], atol=1e-3)


def test_starts():
    X, y = videos(n=40, shape=(4, 3), seed=19)
    model = NearlyIsotonicSVC(0.2, 1e-2, norm=1, tol=1e-6, max_iter=5000)
    zeros = clone(model).fit(X, y)
    random = clone(model).set_params(init="random", random_state=3).fit(X, y)
    again = clone(model).set_params(init="random", random_state=3).fit(X, y)
    other = clone(model).set_params(init="random", random_state=4).fit(X, y)
    np.testing.assert_array_equal(random.history_, again.history_)
    assert random.history_[0] != other.history_[0]
    # Scores of a standard deviation of 1.
    assert random.history_[0] < 3.0
    convex = clone(model).set_params(init="convex").fit(X, y)
    nonnegative = clone(model).set_params(nonnegative=True).fit(X, y)
    assert convex.history_[0] == pytest.approx(nonnegative.objective_, rel=1e-12)
    assert convex.objective_ <= nonnegative.objective_
    best = clone(model).set_params(init=zeros.coef_).fit(X, y)
    np.testing.assert_allclose(best.coef_, zeros.coef_, atol=2e-2)
    for fitted in (zeros, random, other, convex, best):
        assert fitted.converged_
    with pytest.raises(ValueError, match=r"init has shape \(3, 4\), expected \(4, 3\)"):
        clone(model).set_params(init=zeros.coef_.T).fit(X, y)
    with pytest.raises(ValueError, match="init must be one of 'zeros', 'random', 'convex'"):
        clone(model).set_params(init="ones").fit(X, y)
    with pytest.raises(ValueError, match="init contains NaN"):
        clone(model).set_params(init=np.full((4, 3), np.nan)).fit(X, y)


def test_starts_respect_the_sign_constraint():
    X, y = videos(n=40, shape=(4, 3), seed=19)
    model = NearlyIsotonicSVC(0.2, 1e-2, norm=1, nonnegative=True, tol=1e-8)
    optimum = clone(model).fit(X, y)
    for init in ("random", "convex", -np.ones((4, 3)), np.eye(4, 3) - 0.3):
        fitted = clone(model).set_params(init=init, random_state=0).fit(X, y)
        assert fitted.coef_.min() >= 0
        # Convex, so that all starts end at the optimum.
        assert fitted.objective_ == pytest.approx(optimum.objective_, rel=1e-6)
        assert np.isfinite(fitted.history_).all()


def test_warm_start_goes_on_from_the_last_solution():
    X, y = videos(n=40, shape=(4, 3), seed=20)
    model = NearlyIsotonicSVC(0.1, 1e-2, warm_start=True, tol=1e-7).fit(X, y)
    first, steps = model.objective_, model.n_iter_
    model.fit(X, y)
    assert model.n_iter_ <= 2 < steps
    assert model.objective_ <= first
    model.set_params(alpha=0.02).fit(X, y)
    assert model.n_iter_ < steps
    cold = NearlyIsotonicSVC(0.1, 0.02, tol=1e-7).fit(X, y)
    assert model.objective_ == pytest.approx(cold.objective_, rel=1e-6)
    # Another shape, and other classes, start from the beginning.
    model.fit(X[:, :3], y)
    np.testing.assert_allclose(model.coef_, clone(model).fit(X[:, :3], y).coef_, atol=1e-12)
    model.fit(X, np.arange(40) % 3)
    assert model.coef_.shape == (3, 4, 3)


def test_few_steps_warn_and_keep_the_best_point():
    X, y = videos(seed=21)
    with pytest.warns(
        ConvergenceWarning, match="stopped after 1 steps with a stationarity of .* raise max_iter"
    ):
        model = NearlyIsotonicSVC(0.1, 0.01, max_iter=1, tol=1e-9).fit(X, y)
    assert not model.converged_
    assert model.n_iter_ == 1
    assert np.isfinite(model.stationarity_)
    assert model.objective_ == pytest.approx(
        twin(model, X, y).objective(stack(model), model.intercept_), rel=1e-12
    )
    assert model.history_[1] < model.history_[0]


@pytest.mark.parametrize("solver", ["primal", "gram"])
def test_verbose_logs_steps(caplog, solver):
    X, y = videos(seed=22)
    with caplog.at_level("INFO", logger="widemargin"):
        NearlyIsotonicSVC(0.1, 1e-4, tol=1e-8, solver=solver).fit(X, y)
        assert not caplog.records
        NearlyIsotonicSVC(0.1, 1e-4, tol=1e-8, solver=solver, verbose=True).fit(X, y)
    assert caplog.records
    assert caplog.records[0].getMessage().startswith("NearlyIsotonicSVC: 10 steps, objective ")


def test_clones_and_pickles_are_the_same():
    X, y = videos(seed=23)
    model = NearlyIsotonicSVC(0.1, 0.01, norm=1).fit(X, y)
    restored = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(restored.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(clone(model).fit(X, y).coef_, model.coef_)
    np.testing.assert_array_equal(model.fit(X, y).coef_, restored.coef_)


def test_separable_videos_without_penalty_end_with_finite_weights():
    X, y = videos(n=12, shape=(3, 10), seed=24)
    for loss in LOSSES:
        for solver in ("primal", "gram"):
            model = NearlyIsotonicSVC(0.0, 0.0, loss=loss, solver=solver).fit(X, y)
            assert np.isfinite(model.coef_).all()
            np.testing.assert_array_equal(model.predict(X), y)
            assert model.objective_ < 0.05


def test_one_shot_one_feature_two_videos():
    for shape in ((1, 1), (1, 4), (4, 1)):
        X, y = videos(n=20, shape=shape, seed=25, signal=3.0)
        for norm in (1, 2):
            model = NearlyIsotonicSVC(0.1, 0.01, norm=norm, tol=1e-6).fit(X, y)
            assert model.coef_.shape == shape
            assert model.pair_weights_.shape == (1, shape[0] - 1)
            assert model.objective_ == pytest.approx(
                twin(model, X, y).objective(stack(model), model.intercept_), rel=1e-12
            )
        model = NearlyIsotonicSVC().fit(X[:2], y[:2])
        np.testing.assert_array_equal(model.predict(X[:2]), y[:2])

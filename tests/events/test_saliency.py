"""Saliency in the classifier: the same as sorted copies of the videos, ties, and what does not fit."""

import numpy as np
import pandas as pd
import pytest

from reference.nearly_isotonic import Problem
from widemargin.events import NearlyIsotonicSVC


def videos(n=24, shape=(4, 3), n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, *shape)) + 0.5
    saliency = rng.random((n, shape[0]) if n_classes == 2 else (n, n_classes, shape[0]))
    # The event shows in the most salient shot.
    top = saliency.argmax(axis=1) if n_classes == 2 else saliency[np.arange(n), y].argmax(axis=1)
    X[np.arange(n), top, 0] += 2.0 * y
    return X, y, saliency


def sort_shots(X, saliency):
    return np.take_along_axis(X, np.argsort(-saliency, axis=1, kind="stable")[..., None], axis=1)


SOLVERS = pytest.mark.parametrize("options", [{"solver": "primal"}, {"solver": "gram"}, {"norm": 1}], ids=str)


@SOLVERS
def test_sorted_copies_give_the_same(options):
    X, y, saliency = videos()
    model = NearlyIsotonicSVC(0.1, 0.01, **options).fit(X, y, saliency)
    ordered = NearlyIsotonicSVC(0.1, 0.01, **options).fit(sort_shots(X, saliency), y)
    np.testing.assert_allclose(model.coef_, ordered.coef_, rtol=0, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, ordered.intercept_, rtol=0, atol=1e-10)
    assert model.n_iter_ == ordered.n_iter_
    expected = ordered.decision_function(sort_shots(X, saliency))
    np.testing.assert_allclose(model.decision_function(X, saliency), expected, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X, saliency), ordered.predict(sort_shots(X, saliency)))
    assert model.score(X, y, saliency) == np.mean(model.predict(X, saliency) == y)
    unordered = NearlyIsotonicSVC(0.1, 0.01, **options).fit(X, y)
    assert np.abs(model.coef_ - unordered.coef_).max() > 0.1


def test_each_class_has_its_own_order():
    X, y, saliency = videos(n_classes=3)
    model = NearlyIsotonicSVC(0.1, 0.01, smoothing=0.5, tol=1e-7).fit(X, y, saliency)
    order = np.argsort(-saliency, axis=-1, kind="stable")
    problem = Problem(X, y, 0.1, 0.01, smoothing=0.5, shots=order)
    assert model.objective_ == pytest.approx(problem.objective(model.coef_, model.intercept_), rel=1e-10)
    scores = model.decision_function(X, saliency)
    for e in range(3):
        own = sort_shots(X, saliency[:, e])
        expected = np.einsum("ijk,jk->i", own, model.coef_[e]) + model.intercept_[e]
        np.testing.assert_allclose(scores[:, e], expected, rtol=0, atol=1e-12)
    # One order for all classes is that of sorted copies.
    shared = np.repeat(saliency[:, :1], 3, axis=1)
    same = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, shared)
    copies = NearlyIsotonicSVC(0.1, 0.01).fit(sort_shots(X, saliency[:, 0]), y)
    np.testing.assert_allclose(same.coef_, copies.coef_, rtol=0, atol=1e-10)


@SOLVERS
def test_equally_salient_shots_stay_in_their_order(options):
    X, y, saliency = videos(seed=1)
    coarse = np.round(2 * saliency)
    model = NearlyIsotonicSVC(0.1, 0.01, **options).fit(X, y, coarse)
    # A tiny advantage of earlier shots decides ties the same way.
    decided = NearlyIsotonicSVC(0.1, 0.01, **options).fit(X, y, coarse - 1e-6 * np.arange(4))
    np.testing.assert_array_equal(model.coef_, decided.coef_)
    np.testing.assert_array_equal(model.pair_weights_, np.ones((1, 3)))


@pytest.mark.parametrize(
    "transform", [lambda s: 100 * s - 7, np.exp, lambda s: s.argsort(axis=1).argsort(axis=1)]
)
def test_only_the_order_of_saliency_counts(transform):
    X, y, saliency = videos(seed=2)
    first = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, saliency)
    second = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, transform(saliency))
    np.testing.assert_array_equal(first.coef_, second.coef_)


@pytest.mark.parametrize("convert", [np.ndarray.tolist, pd.DataFrame, np.float32, np.asfortranarray])
def test_saliency_of_any_container(convert):
    X, y, saliency = videos(seed=3)
    # Halves and quarters are exact in float32 as well.
    saliency = np.random.default_rng(0).permuted(np.broadcast_to(np.arange(4) / 4, saliency.shape), axis=1)
    expected = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, saliency)
    model = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, convert(saliency))
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(
        model.decision_function(X, convert(saliency)), expected.decision_function(X, saliency)
    )


@SOLVERS
def test_ties_weigh_the_pairs_of_positions(options):
    X, y, saliency = videos(seed=4)
    weight = np.random.default_rng(1).random(24)
    model = NearlyIsotonicSVC(0.3, 0.01, tie_tolerance=0.2, tol=1e-7, **options).fit(X, y, saliency, weight)
    # By hand: chains of ties are groups, whose shots go back to their own order.
    orders, separated = [], np.zeros((24, 3), dtype=bool)
    for i, row in enumerate(saliency):
        by_saliency = sorted(range(4), key=lambda j, row=row: -row[j])
        groups = [[by_saliency[0]]]
        for position in range(1, 4):
            now, before = by_saliency[position], by_saliency[position - 1]
            if row[before] - row[now] < 0.2:
                groups[-1].append(now)
            else:
                separated[i, position - 1] = True
                groups.append([now])
        orders.append([[j for group in groups for j in sorted(group)]])
    shares = weight / weight.sum()
    pairs = (shares @ separated)[None]
    assert 0.1 < pairs.min() < pairs.max() < 0.9
    np.testing.assert_allclose(model.pair_weights_, pairs, rtol=1e-12)
    problem = Problem(
        X, y, 0.3, 0.01, norm=model.norm, weight=weight, shots=np.array(orders), pairs=model.pair_weights_
    )
    assert model.objective_ == pytest.approx(problem.objective(model.coef_[None], model.intercept_), rel=1e-9)


@SOLVERS
def test_a_huge_tolerance_leaves_no_order(options):
    X, y, saliency = videos(seed=5)
    model = NearlyIsotonicSVC(10.0, 0.01, tie_tolerance=5.0, **options).fit(X, y, saliency)
    np.testing.assert_array_equal(model.pair_weights_, np.zeros((1, 3)))
    # Own order and no penalty of the order.
    free = NearlyIsotonicSVC(0.0, 0.01, **options).fit(X, y)
    np.testing.assert_allclose(model.coef_, free.coef_, rtol=0, atol=1e-12)


def test_pairs_of_each_class():
    X, y, saliency = videos(n_classes=3, seed=6)
    saliency[:, 1] = 0.5
    model = NearlyIsotonicSVC(0.3, 0.01, tie_tolerance=0.1).fit(X, y, saliency)
    assert model.pair_weights_.shape == (3, 3)
    np.testing.assert_array_equal(model.pair_weights_[1], 0.0)
    assert (model.pair_weights_[[0, 2]] > 0.2).all()
    without = NearlyIsotonicSVC(0.3, 0.01).fit(X, y, saliency)
    np.testing.assert_array_equal(without.pair_weights_, np.ones((3, 3)))


def test_constant_saliency_warns_and_keeps_the_order():
    X, y, saliency = videos(seed=7)
    expected = NearlyIsotonicSVC().fit(X, y)
    with pytest.warns(UserWarning, match="saliency is constant in every video"):
        model = NearlyIsotonicSVC().fit(X, y, np.full_like(saliency, 3.0))
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=0, atol=1e-12)
    # New videos may well be constant.
    np.testing.assert_allclose(
        model.decision_function(X[:1], np.ones((1, 4))), expected.decision_function(X[:1]), atol=1e-9
    )


def test_a_warning_where_the_saliency_is_forgotten():
    X, y, saliency = videos(seed=8)
    model = NearlyIsotonicSVC().fit(X, y, saliency)
    for call in (model.predict, model.decision_function, lambda X: model.score(X, y)):
        with pytest.warns(UserWarning, match=r"fit had a saliency and this call has none.*metadata routing"):
            call(X)
    # The other way round is no mistake: sorted videos in fit, own order here.
    model = NearlyIsotonicSVC().fit(sort_shots(X, saliency), y)
    np.testing.assert_allclose(
        model.decision_function(X, saliency), model.decision_function(sort_shots(X, saliency)), atol=1e-12
    )


@pytest.mark.parametrize(
    ("n_classes", "change", "message"),
    [
        (2, lambda s: s[:, :3], r"saliency has shape \(24, 3\), expected \(24, 4\)"),
        (2, lambda s: s[1:], r"saliency has shape \(23, 4\), expected \(24, 4\)"),
        (2, lambda s: s.T, "with np.transpose"),
        (2, lambda s: s[:, 0], "one value per video"),
        (2, lambda s: s[0], "the shots of one video"),
        (2, lambda s: np.stack([s, s], axis=1), r"saliency\[:, 1\]"),
        (2, lambda s: np.where(s > 0.9, np.nan, s), "saliency contains NaN"),
        (2, lambda s: np.where(s > 0.9, np.inf, s), "saliency contains infinity"),
        (2, lambda s: s.astype(complex), "saliency"),
        (2, lambda s: np.full(s.shape, "high"), "saliency"),
        (3, lambda s: s[:, 0], "does not tell the classes apart"),
        (3, lambda s: s[:, :2], r"expected \(24, 3, 4\)"),
    ],
)
def test_saliency_that_does_not_fit(n_classes, change, message):
    X, y, saliency = videos(n_classes=n_classes)
    with pytest.raises(ValueError, match=message):
        NearlyIsotonicSVC().fit(X, y, change(saliency))
    model = NearlyIsotonicSVC().fit(X, y, saliency)
    with pytest.raises(ValueError, match=message):
        model.predict(X, change(saliency))


def test_two_columns_a_shot_split_like_videos():
    X, y, saliency = videos(seed=9)
    model = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, saliency)
    table = NearlyIsotonicSVC(0.1, 0.01, n_shots=4).fit(X.reshape(24, -1), y, saliency)
    np.testing.assert_array_equal(table.coef_, model.coef_)
    np.testing.assert_array_equal(
        table.decision_function(X.reshape(24, -1), saliency), model.decision_function(X, saliency)
    )
    # Either form, whatever the form in fit.
    np.testing.assert_array_equal(table.decision_function(X, saliency), model.decision_function(X, saliency))

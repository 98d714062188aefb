"""Solutions on a grid are those of single fits."""

import numpy as np
import pytest

from reference.nearly_isotonic import Problem
from widemargin.events import NearlyIsotonicSVC, regularization_path
from widemargin.events.path import PAPER_ALPHAS

ISOTONIC_ALPHAS, ALPHAS = [0.3, 0.0, 1e-2], [1e-2, 1.0, 0.1]


def videos(n=30, shape=(3, 4), n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, *shape)) + 0.3
    X[:, 0, 0] += 1.5 * y
    return X, y, rng.random((n, shape[0]) if n_classes == 2 else (n, n_classes, shape[0]))


def test_the_papers_grid():
    assert PAPER_ALPHAS == (1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)


@pytest.mark.parametrize("with_saliency", [True, False])
@pytest.mark.parametrize(
    ("n_classes", "parameters"),
    [
        (2, {"norm": 1, "order": "increments"}),
        (2, {"norm": 1, "order": "total_variation", "loss": "logistic", "fit_intercept": False}),
        (2, {"norm": 1, "nonnegative": True, "loss": "hinge"}),
        (3, {"norm": 1, "order": "increments"}),
        (3, {"norm": 1, "nonnegative": True, "loss": "squared", "class_weight": "balanced"}),
    ],
)
def test_convex_problems_have_the_objectives_of_single_fits(n_classes, parameters, with_saliency):
    X, y, saliency = videos(n_classes=n_classes)
    saliency = saliency if with_saliency else None
    weight = np.random.default_rng(1).random(30)
    model = NearlyIsotonicSVC(tol=1e-6, max_iter=20000, **parameters)
    path = regularization_path(
        X, y, ISOTONIC_ALPHAS, ALPHAS, saliency=saliency, sample_weight=weight, estimator=model
    )
    assert path.stationarities.max() <= 1e-6
    assert path.coefs.shape == (3, 3, *((3,) if n_classes > 2 else ()), 3, 4)
    assert path.intercepts.shape == (3, 3, 1 if n_classes == 2 else 3)
    assert path.n_iters.min() >= 0
    for i, isotonic_alpha in enumerate(ISOTONIC_ALPHAS):
        for j, alpha in enumerate(ALPHAS):
            model.set_params(isotonic_alpha=isotonic_alpha, alpha=alpha).fit(X, y, saliency, weight)
            # Both end within their certificate of the same optimum.
            assert path.objectives[i, j] == pytest.approx(model.objective_, rel=2e-6)
            assert path.intercepts[i, j] == pytest.approx(model.intercept_, abs=0.02)


@pytest.mark.parametrize("solver", ["primal", "gram", "auto"])
@pytest.mark.parametrize("n_shots", [None, 3])
def test_objectives_are_those_of_the_weights(solver, n_shots):
    X, y, saliency = videos(shape=(3, 40), seed=2)
    given = X if n_shots is None else X.reshape(30, -1)
    model = NearlyIsotonicSVC(5.0, 5.0, solver=solver, n_shots=n_shots, tol=1e-6)
    path = regularization_path(given, y, ISOTONIC_ALPHAS, ALPHAS, saliency=saliency, estimator=model)
    order = np.argsort(-saliency, axis=1)[:, None]
    for i, isotonic_alpha in enumerate(ISOTONIC_ALPHAS):
        for j, alpha in enumerate(ALPHAS):
            problem = Problem(X, y, isotonic_alpha, alpha, shots=order)
            expected = problem.objective(path.coefs[i, j][None], path.intercepts[i, j])
            assert path.objectives[i, j] == pytest.approx(expected, rel=1e-9)
    # The estimator passed stays as it was.
    assert model.alpha == 5.0
    assert not hasattr(model, "coef_")


def test_without_a_penalty_of_the_order_gram_is_primal():
    X, y, saliency = videos(shape=(3, 40), seed=3)
    paths = [
        regularization_path(
            X, y, [0.0], ALPHAS, saliency=saliency, estimator=NearlyIsotonicSVC(solver=solver, tol=1e-8)
        )
        for solver in ("primal", "gram")
    ]
    np.testing.assert_allclose(paths[0].objectives, paths[1].objectives, rtol=2e-8)
    np.testing.assert_allclose(paths[0].coefs, paths[1].coefs, rtol=0, atol=1e-3)


def test_the_grid_keeps_its_order():
    X, y, _ = videos()
    path = regularization_path(X, y, ISOTONIC_ALPHAS, ALPHAS)
    assert path.isotonic_alphas.tolist() == ISOTONIC_ALPHAS
    assert path.alphas.tolist() == ALPHAS
    # A larger alpha costs more, whatever its place.
    assert (path.objectives[:, 0] < path.objectives[:, 2]).all()
    assert (path.objectives[:, 2] < path.objectives[:, 1]).all()
    single = regularization_path(X, y, [0.3], [0.1])
    assert single.objectives[0, 0] == pytest.approx(path.objectives[0, 2], rel=2e-4)


def test_ties_weigh_the_penalty_of_the_order():
    X, y, saliency = videos(seed=4)
    model = NearlyIsotonicSVC(0.3, 0.1, tie_tolerance=5.0, tol=1e-8)
    path = regularization_path(X, y, [0.3], [0.1], saliency=saliency, estimator=model)
    free = NearlyIsotonicSVC(0.0, 0.1, tol=1e-8).fit(X, y)
    assert path.objectives[0, 0] == pytest.approx(free.objective_, rel=1e-7)


@pytest.mark.parametrize(
    ("grids", "error", "message"),
    [
        (([], [1.0]), ValueError, "the grid of isotonic_alpha is empty"),
        ((1.0, [1.0]), ValueError, "the grid of isotonic_alpha must be a list of values"),
        (
            ([1.0], [[1.0]]),
            ValueError,
            r"the grid of alpha must be a flat list of values, got shape \(1, 1\)",
        ),
        (([1.0], [-1.0]), ValueError, "a value of alpha must be finite and at least 0"),
        (([1.0], [np.inf]), ValueError, "a value of alpha must be finite"),
        (([1.0], ["a"]), TypeError, "a value of alpha must be a real number"),
        (("ab", [1.0]), ValueError, "the grid of isotonic_alpha must be a list of values"),
    ],
)
def test_bad_grids_are_named(grids, error, message):
    X, y, _ = videos()
    with pytest.raises(error, match=message):
        regularization_path(X, y, *grids)

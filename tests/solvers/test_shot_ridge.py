"""The metric that takes the mean of the videos out: the same problem, in fewer steps."""

import numpy as np
import pytest

from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import minimise_by_proximal_gradient
from widemargin.solvers.shot_loss import ShotLoss
from widemargin.solvers.shot_ridge import RidgeSpace, is_ridge
from widemargin.solvers.shot_space import ShotData, WeightSpace


def spaces(n_scores=1, loss="squared_hinge", alpha=1e-2, seed=0):
    """Both spaces of one problem whose features are positive, so that its mean is far from zero."""
    rng = np.random.default_rng(seed)
    X = rng.random((40, 3, 5)) + 1.0
    targets = (np.arange(40) % max(2, n_scores)).astype(np.int32)
    X[targets == 1, 0] += 0.5 * rng.random(5)
    weight = rng.random(40)
    weight /= weight.sum()
    data = ShotData(X, None, n_scores, weight, False)
    problem = (data, ShotLoss(targets, weight, n_scores, loss, 0.1), ShotPenalty(0.0, alpha))
    return RidgeSpace(*problem), WeightSpace(*problem)


def start_of(space):
    return space.point(np.zeros(space.data.shape), np.zeros(space.data.n_scores))


@pytest.mark.parametrize("n_scores", [1, 3])
@pytest.mark.parametrize("loss", ["squared_hinge", "hinge", "squared", "logistic"])
def test_the_minimiser_is_that_of_the_plain_space_in_fewer_steps(n_scores, loss):
    results = [
        minimise_by_proximal_gradient(space, start_of(space), space.curvature, tol=1e-10, max_iter=20_000)
        for space in spaces(n_scores, loss)
    ]
    ours, plain = results
    assert ours.converged
    assert plain.converged
    assert ours.objective == pytest.approx(plain.objective, rel=1e-9)
    # An objective within 1e-10 of a minimum whose curvature is at least 2 alpha: the weights are within 1e-4.
    np.testing.assert_allclose(ours.point, plain.point, atol=1e-4)
    assert ours.n_iter < plain.n_iter


def test_the_map_minimises_its_problem_in_the_metric():
    space, _ = spaces(3, alpha=0.7)
    rng = np.random.default_rng(1)
    point = start_of(space)
    point[: -space.data.n_scores] = rng.normal(size=point.size - space.data.n_scores)
    step = 0.3

    def value(z):
        return space.inner(z - point, z - point) / (2 * step) + space.penalty_value(z)

    best = space.prox(point, step)
    for _ in range(200):
        change = np.zeros_like(point)
        change[: -space.data.n_scores] = rng.normal(size=point.size - space.data.n_scores)
        for length in (1e-3, 1.0):
            assert value(best) <= value(best + length * change) + 1e-12 * value(best)


def test_the_gradient_is_that_of_the_metric():
    space, plain = spaces(3)
    rng = np.random.default_rng(2)
    point, direction = start_of(space), start_of(space)
    point[: -space.data.n_scores] = 0.1 * rng.normal(size=point.size - space.data.n_scores)
    direction[: -space.data.n_scores] = rng.normal(size=point.size - space.data.n_scores)
    slope = plain.inner(plain.evaluate(point).gradient, direction)
    assert space.inner(space.evaluate(point).gradient, direction) == pytest.approx(slope, rel=1e-10)
    np.testing.assert_allclose(space.inner(direction, point), space.inner(point, direction), rtol=1e-12)


def test_the_certificate_bounds_the_gap():
    for seed in range(20):
        space, _ = spaces(seed=seed)
        exact = minimise_by_proximal_gradient(
            space, start_of(space), space.curvature, tol=1e-13, max_iter=20_000
        )
        rough = minimise_by_proximal_gradient(
            space, start_of(space), space.curvature, tol=1e-2, max_iter=20_000
        )
        assert rough.objective - exact.objective <= rough.stationarity * rough.objective


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [
        (ShotPenalty(0.0, 1.0), True),
        (ShotPenalty(0.0, 1.0, norm=1), True),
        (ShotPenalty(1.0, 1.0), False),
        (ShotPenalty(0.0, 1.0, penalty="l1"), False),
        (ShotPenalty(0.0, 1.0, nonnegative=True), False),
    ],
)
def test_only_a_multiple_of_the_sum_of_squares_is_one(penalty, expected):
    assert is_ridge(penalty) is expected

import numpy as np
import pytest

from reference.shot_pass import shot_combination, shot_losses, shot_scores
from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import minimise_by_proximal_gradient
from widemargin.solvers.shot_loss import LOSSES, ShotLoss
from widemargin.solvers.shot_space import ShotData, WeightSpace, remaining_room

SETTINGS = [
    (n_scores, intercept, ordered)
    for n_scores in (1, 3)
    for intercept in (True, False)
    for ordered in (True, False)
]
ALL = pytest.mark.parametrize(("n_scores", "intercept", "ordered"), SETTINGS)


def a_space(
    n_scores=1,
    intercept=True,
    ordered=False,
    *,
    loss="squared_hinge",
    penalty=None,
    n=14,
    shape=(3, 4),
    seed=0,
):
    rng = np.random.default_rng(seed)
    # Far from the origin, so that centring matters.
    X = rng.normal(size=(n, *shape)) + 2.0
    order = None
    if ordered:
        order = np.argsort(rng.random((n, n_scores, shape[0])), axis=-1).astype(np.int32)
    weight = rng.random(n)
    weight[1] = 0.0
    weight /= weight.sum()
    targets = (np.arange(n) % max(n_scores, 2)).astype(np.int32)
    data = ShotData(X, order, n_scores, weight, intercept)
    return WeightSpace(
        data, ShotLoss(targets, weight, n_scores, loss, 0.2), penalty or ShotPenalty(0.1, 0.01)
    )


def random_point(space, seed=1):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=space.data.shape)
    intercept = (
        rng.normal(size=space.data.n_scores) if space.data.fit_intercept else np.zeros(space.data.n_scores)
    )
    return space.point(weights, intercept), weights, intercept


@ALL
def test_points_and_solutions_are_inverse(n_scores, intercept, ordered):
    space = a_space(n_scores, intercept, ordered)
    point, weights, intercepts = random_point(space)
    again = space.solution(point)
    np.testing.assert_array_equal(again[0], weights)
    np.testing.assert_allclose(again[1], intercepts, rtol=0, atol=1e-13)
    assert space.data.shape == weights.shape


@ALL
def test_mean_scores_and_combinations_are_those_of_reordered_videos(n_scores, intercept, ordered):
    data = a_space(n_scores, intercept, ordered).data
    weights = random_point(a_space(n_scores, intercept, ordered))[1]
    repeated = np.repeat(data.weight[:, None], n_scores, axis=1)
    mean = shot_combination(data.X, data.order, repeated) if intercept else np.zeros(data.shape)
    np.testing.assert_allclose(data.mean, mean, rtol=1e-13)
    plain = shot_scores(data.X, data.order, weights, np.zeros(n_scores))
    np.testing.assert_allclose(data.scores(weights, np.ones(n_scores)), plain + 1.0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        data.centred(weights), plain - np.einsum("ejk,ejk->e", mean, weights), rtol=0, atol=1e-12
    )
    coefficients = np.random.default_rng(3).normal(size=(len(data.X), n_scores))
    np.testing.assert_allclose(
        data.combine(coefficients), shot_combination(data.X, data.order, coefficients), rtol=0, atol=1e-12
    )


@ALL
@pytest.mark.parametrize("loss", LOSSES)
def test_evaluation_is_that_of_explicitly_centred_videos(n_scores, intercept, ordered, loss):
    space = a_space(n_scores, intercept, ordered, loss=loss)
    data = space.data
    point, weights, _ = random_point(space)
    at = space.evaluate(point)
    unit = np.sqrt(data.spread)
    scores = np.zeros((len(data.X), n_scores))
    gradient = np.zeros(data.shape)
    centred = []
    for e in range(n_scores):
        own = (
            data.X
            if data.order is None
            else np.take_along_axis(data.X, data.order[:, e, :, None].astype(int), axis=1)
        )
        centred.append(own - np.tensordot(data.weight, own, axes=1) if intercept else own)
        scores[:, e] = np.einsum("ijk,jk->i", centred[e], weights[e]) + point[weights.size + e] * unit
    seen = data.weight > 0
    np.testing.assert_allclose(at.scores[seen], scores[seen], rtol=0, atol=1e-12)
    value, residual = shot_losses(scores, space.loss.targets, data.weight, loss, 0.2)
    for e in range(n_scores):
        gradient[e] = np.einsum("i,ijk->jk", residual[:, e], centred[e])
    assert at.value == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(at.gradient[: weights.size], gradient.ravel(), rtol=0, atol=1e-12)
    expected = residual.sum(axis=0) * unit if intercept else np.zeros(n_scores)
    np.testing.assert_allclose(at.gradient[weights.size :], expected, rtol=0, atol=1e-12)


@ALL
def test_gradient_by_finite_differences(n_scores, intercept, ordered):
    space = a_space(n_scores, intercept, ordered, loss="logistic")
    point = random_point(space)[0]
    gradient = space.evaluate(point).gradient
    step = 1e-5
    for place in range(point.size if intercept else point.size - n_scores):
        moved = point.copy()
        moved[place] += step
        above = space.evaluate(moved).value
        moved[place] -= 2 * step
        assert (above - space.evaluate(moved).value) / (2 * step) == pytest.approx(gradient[place], abs=1e-8)


@ALL
def test_scores_are_linear_in_the_point(n_scores, intercept, ordered):
    space = a_space(n_scores, intercept, ordered)
    first, second = random_point(space, 1)[0], random_point(space, 2)[0]
    both = space.evaluate(0.3 * first + 0.7 * second).scores
    mixed = 0.3 * space.evaluate(first).scores + 0.7 * space.evaluate(second).scores
    seen = space.data.weight > 0
    np.testing.assert_allclose(both[seen], mixed[seen], rtol=0, atol=1e-12)


@ALL
def test_spread_is_below_the_largest_eigenvalue(n_scores, intercept, ordered):
    data = a_space(n_scores, intercept, ordered, n=40).data
    largest = 0.0
    for e in range(n_scores):
        own = (
            data.X
            if data.order is None
            else np.take_along_axis(data.X, data.order[:, e, :, None].astype(int), axis=1)
        )
        rows = own.reshape(len(own), -1)
        rows = rows - data.weight @ rows if intercept else rows
        largest = max(largest, np.linalg.eigvalsh((rows.T * data.weight) @ rows)[-1])
    # One step of power iteration; the solver raises a bound that is too low.
    assert 0.02 * largest < data.spread <= largest * (1 + 1e-12)


def test_prox_leaves_the_intercept_and_its_argument():
    space = a_space(3)
    point = random_point(space)[0]
    before = point.copy()
    new = space.prox(point, 0.5)
    np.testing.assert_array_equal(point, before)
    size = int(np.prod(space.data.shape))
    np.testing.assert_array_equal(new[size:], point[size:])
    expected = space.penalty.prox(point[:size].reshape(space.data.shape), 0.5)
    np.testing.assert_array_equal(new[:size].reshape(expected.shape), expected)
    assert space.penalty_value(new) == space.penalty.value(expected)


def test_float32_and_float64_give_the_same_value():
    space = a_space()
    single = ShotData(space.data.X.astype(np.float32), None, 1, space.data.weight, True)
    widened = ShotData(single.X.astype(np.float64), None, 1, space.data.weight, True)
    point = random_point(space)[0]
    values = [WeightSpace(data, space.loss, space.penalty).evaluate(point) for data in (single, widened)]
    assert values[0].value == pytest.approx(values[1].value, rel=1e-6)
    np.testing.assert_allclose(values[0].gradient, values[1].gradient, rtol=0, atol=1e-6)


def test_centring_saves_steps_where_features_are_far_from_the_origin():
    steps = []
    for shift in (0.0, 30.0):
        rng = np.random.default_rng(4)
        X = rng.normal(size=(60, 3, 4)) + shift
        weight = np.full(60, 1 / 60)
        targets = (X[:, 0, 0] > shift).astype(np.int32)
        data = ShotData(X, None, 1, weight, True)
        space = WeightSpace(data, ShotLoss(targets, weight, 1, "squared_hinge", 0.1), ShotPenalty(0.01, 0.01))
        start = space.point(np.zeros(data.shape), np.zeros(1))
        steps.append(minimise_by_proximal_gradient(space, start, space.curvature, tol=1e-6, max_iter=500))
    assert steps[1].n_iter <= steps[0].n_iter + 2
    # The problems are the same but for an intercept that is free.
    assert steps[1].objective == pytest.approx(steps[0].objective, rel=2e-6)


def test_room_follows_from_strong_convexity_or_from_a_distance():
    strong = ShotPenalty(0.1, 2.0)
    assert remaining_room(strong, 0.4, 10.0, 0.5) == pytest.approx(0.4**2 / 8.0 + 0.5)
    for flat in (ShotPenalty(0.1, 0.0), ShotPenalty(0.1, 2.0, "l1")):
        assert remaining_room(flat, 0.4, 10.0, 0.5) == pytest.approx(4.0 + 0.5)

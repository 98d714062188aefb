"""The Gram space is the space of weights: same evaluations, maps and solutions, for weights in the videos' span."""

import numpy as np
import pytest

from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import minimise_by_proximal_gradient
from widemargin.solvers.shot_gram import GramSpace, ShotGram, gram_spread, spans_solution
from widemargin.solvers.shot_loss import LOSSES, ShotLoss
from widemargin.solvers.shot_space import ShotData, WeightSpace

SETTINGS = [(intercept, ordered) for intercept in (True, False) for ordered in (True, False)]
ALL = pytest.mark.parametrize(("intercept", "ordered"), SETTINGS)


def videos(intercept=True, ordered=False, *, n=9, shape=(3, 12), zero=(), seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, *shape)) + 1.0
    # Positions are shots only where nothing is reordered.
    X[:, list(zero)] = 0.0
    order = np.argsort(rng.random((n, 1, shape[0])), axis=-1).astype(np.int32) if ordered else None
    weight = rng.random(n)
    weight[1] = 0.0
    return ShotData(X, order, 1, weight / weight.sum(), intercept)


def spaces(data, loss="squared_hinge", penalty=None):
    """Return the Gram space and the space of weights of the same problem."""
    targets = (np.arange(len(data.X)) % 2).astype(np.int32)
    loss = ShotLoss(targets, data.weight, 1, loss, 0.2)
    penalty = penalty or ShotPenalty(0.1, 0.02)
    gram = ShotGram.of(data)
    return GramSpace(data, gram, gram_spread(gram, data), loss, penalty), WeightSpace(data, loss, penalty)


def walk(gram, n_steps=3):
    """Return points that steps from zero lead to."""
    points = [gram.zero(np.array([0.3]) if gram.data.fit_intercept else np.zeros(1))]
    for _ in range(n_steps):
        step = 1.0 / gram.curvature
        points.append(gram.prox(points[-1] - step * gram.evaluate(points[-1]).gradient, step))
    return points


@ALL
@pytest.mark.parametrize("loss", LOSSES)
def test_steps_are_those_of_the_space_of_weights(intercept, ordered, loss):
    gram, weights = spaces(videos(intercept, ordered), loss)
    seen = gram.data.weight > 0
    for point in walk(gram):
        same = weights.point(*gram.solution(point))
        ours, theirs = gram.evaluate(point), weights.evaluate(same)
        assert ours.value == pytest.approx(theirs.value, rel=1e-12)
        np.testing.assert_allclose(ours.scores[seen], theirs.scores[seen], rtol=0, atol=1e-12)
        assert gram.penalty_value(point) == pytest.approx(weights.penalty_value(same), rel=1e-12)
        # One more step, in both.
        step = 0.7 / gram.curvature
        new = gram.prox(point - step * ours.gradient, step)
        new_same = weights.prox(same - step * theirs.gradient, step)
        for one, other in zip(gram.solution(new), weights.solution(new_same), strict=True):
            # The unit of the intercept differs, and with it its step, since the spread is only estimated.
            if one.size > 1:
                np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


@ALL
def test_inner_products_are_those_of_weights(intercept, ordered):
    gram, _ = spaces(videos(intercept, ordered))
    points = walk(gram)
    for first in points:
        for second in points:
            by_weights = float(np.vdot(gram.solution(first)[0], gram.solution(second)[0]))
            expected = by_weights + first[-1] * second[-1]
            assert gram.inner(first, second) == pytest.approx(expected, rel=1e-11, abs=1e-13)


@ALL
def test_spread_is_the_largest_eigenvalue(intercept, ordered):
    data = videos(intercept, ordered, n=30)
    X = (
        data.X
        if data.order is None
        else np.take_along_axis(data.X, data.order[:, 0, :, None].astype(int), axis=1)
    )
    rows = X.reshape(len(X), -1)
    rows = rows - data.weight @ rows if intercept else rows
    largest = np.linalg.eigvalsh((rows.T * data.weight) @ rows)[-1]
    assert 0.9 * largest < gram_spread(ShotGram.of(data), data) <= largest * (1 + 1e-12)


@ALL
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("order", ["nearly_isotonic", "absolute"])
def test_solutions_are_those_of_the_space_of_weights(intercept, ordered, loss, order):
    # Steps from zero take both along the same way, so that the penalty need not be convex.
    gram, weights = spaces(videos(intercept, ordered), loss, ShotPenalty(0.05, 0.05, order=order))
    by_gram = minimise_by_proximal_gradient(
        gram, gram.zero(np.zeros(1)), gram.curvature, tol=1e-9, max_iter=5000
    )
    start = weights.point(np.zeros(weights.data.shape), np.zeros(1))
    by_weights = minimise_by_proximal_gradient(weights, start, weights.curvature, tol=1e-9, max_iter=5000)
    assert by_gram.converged
    assert by_weights.converged
    assert by_gram.objective == pytest.approx(by_weights.objective, rel=1e-8)
    for one, other in zip(gram.solution(by_gram.point), weights.solution(by_weights.point), strict=True):
        # A gap of 1e-9 of an objective below 1 leaves weights within sqrt(1e-9 / 0.05) of the solution.
        np.testing.assert_allclose(one, other, rtol=0, atol=3e-4)


def test_restarts_from_another_penalty_end_at_the_same_solution():
    data = videos()
    first, _ = spaces(data, penalty=ShotPenalty(0.05, 1.0))
    result = minimise_by_proximal_gradient(
        first, first.zero(np.zeros(1)), first.curvature, tol=1e-8, max_iter=5000
    )
    for isotonic_alpha in (0.0, 0.05, 1.0):
        gram, _ = spaces(data, penalty=ShotPenalty(isotonic_alpha, 0.05))
        warm = minimise_by_proximal_gradient(gram, result.point, gram.curvature, tol=1e-8, max_iter=5000)
        cold = minimise_by_proximal_gradient(
            gram, gram.zero(np.zeros(1)), gram.curvature, tol=1e-8, max_iter=5000
        )
        assert warm.converged
        assert cold.converged
        assert warm.objective == pytest.approx(cold.objective, rel=1e-6)


@pytest.mark.parametrize("zero", [(0,), (1,), (0, 2), (0, 1, 2)])
def test_shots_that_are_zero_in_all_videos_carry_a_norm_along_the_first_axis(zero):
    # A zero first shot would cost the norms of the next ones: its weights must grow, along e_1.
    gram, weights = spaces(videos(zero=zero), penalty=ShotPenalty(1.0, 0.01))
    by_gram = minimise_by_proximal_gradient(
        gram, gram.zero(np.zeros(1)), gram.curvature, tol=1e-8, max_iter=5000
    )
    start = weights.point(np.zeros(weights.data.shape), np.zeros(1))
    by_weights = minimise_by_proximal_gradient(weights, start, weights.curvature, tol=1e-8, max_iter=5000)
    assert by_gram.objective == pytest.approx(by_weights.objective, rel=1e-7)
    W = gram.solution(by_gram.point)[0][0]
    np.testing.assert_array_equal(W[list(zero), 1:], 0.0)
    # In the space of weights as well no step moves them off that axis.
    np.testing.assert_allclose(W, weights.solution(by_weights.point)[0][0], rtol=0, atol=3e-3)
    if zero == (0,):
        assert W[0, 0] > 0.01


def test_a_norm_that_grows_from_zero_takes_the_first_video_with_that_shot():
    data = videos(intercept=False)
    data.X[:3, 1] = 0.0
    gram, _ = spaces(data)
    assert gram.gram.anchors.tolist() == [0, 3, 0]
    point = gram.zero(np.zeros(1))
    # Weights at the last position alone: the map raises the positions before it.
    size = len(data.X)
    point[2 * (size + 1)] = 5.0
    products = point[3 * (size + 1) : -1].reshape(3, -1)
    products[2, :-1] = 5.0 * gram.gram.matrices[2, 0]
    step = 100.0
    heavy = GramSpace(data, gram.gram, gram.spread, gram.loss, ShotPenalty(1.0, 0.0))
    new = heavy.prox(point, step)
    W = heavy.solution(new)[0][0]
    norms = np.linalg.norm(W, axis=1)
    expected = heavy.penalty.prox_norms(np.array([0.0, 0.0, np.linalg.norm(5.0 * data.X[0, 2])]), step)
    assert expected[0] > 0
    np.testing.assert_allclose(norms, expected, rtol=1e-12)
    for position, video in enumerate([0, 3, 0]):
        shot = data.X[video, position]
        np.testing.assert_allclose(
            W[position], norms[position] * shot / np.linalg.norm(shot), rtol=0, atol=1e-12
        )
    # And the products are those of the new weights.
    np.testing.assert_allclose(
        heavy.scores(new)[:, 0],
        np.einsum("ijk,jk->i", data.X, W),
        rtol=0,
        atol=1e-10,
    )


def test_a_norm_that_grows_from_zero_takes_a_centred_shot_with_an_intercept():
    """Any direction minimises the map; the centred shots are at hand. Where all shots are equal, it is an axis."""
    data = videos()
    data.X[:, 1] = 7.0
    gram, _ = spaces(data)
    assert gram.gram.anchors.tolist() == [0, len(data.X), 0]
    size = len(data.X)
    point = gram.zero(np.zeros(1))
    point[2 * (size + 1)] = 5.0
    point[3 * (size + 1) : -1].reshape(3, -1)[2, :-1] = 5.0 * gram.gram.matrices[2, 0]
    heavy = GramSpace(data, gram.gram, gram.spread, gram.loss, ShotPenalty(1.0, 0.0))
    new = heavy.prox(point, 100.0)
    W, intercept = heavy.solution(new)
    centred = data.X[0] - data.mean[0]
    for position, direction in enumerate([centred[0], np.eye(12)[0], centred[2]]):
        norm = np.linalg.norm(W[0, position])
        assert norm > 0
        np.testing.assert_allclose(
            W[0, position], norm * direction / np.linalg.norm(direction), rtol=0, atol=1e-12
        )
    scores = data.scores(W, intercept)
    np.testing.assert_allclose(heavy.scores(new), scores, rtol=0, atol=1e-10)


def test_float32_videos_give_the_solution_of_float64():
    data = videos(n=12, shape=(3, 30))
    single = ShotData(data.X.astype(np.float32), None, 1, data.weight, True)
    double = ShotData(single.X.astype(np.float64), None, 1, data.weight, True)
    results = []
    for one in (single, double):
        gram, _ = spaces(one, penalty=ShotPenalty(0.01, 1e-3))
        result = minimise_by_proximal_gradient(
            gram, gram.zero(np.zeros(1)), gram.curvature, tol=1e-8, max_iter=9999
        )
        assert result.converged
        results.append((gram.solution(result.point)[0], result.objective))
    assert results[0][1] == pytest.approx(results[1][1], rel=1e-6)
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=0, atol=1e-5 * np.abs(results[1][0]).max())


def test_which_penalties_stay_in_the_span():
    assert spans_solution(ShotPenalty(1.0, 1.0))
    assert spans_solution(ShotPenalty(1.0, 1.0, order="absolute"))
    assert not spans_solution(ShotPenalty(1.0, 1.0, "l1"))
    assert not spans_solution(ShotPenalty(1.0, 1.0, norm=1))
    assert not spans_solution(ShotPenalty(1.0, 1.0, nonnegative=True))

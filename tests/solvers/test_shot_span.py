"""The videos in bases of their shots: the same scores, norms and solutions, for weights in the span."""

import numpy as np
import pytest

from widemargin.events import NearlyIsotonicSVC
from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import minimise_by_proximal_gradient
from widemargin.solvers.shot_loss import LOSSES, ShotLoss
from widemargin.solvers.shot_space import ShotData, WeightSpace
from widemargin.solvers.shot_span import ShotSpan, spans_solution

SETTINGS = [(intercept, ordered) for intercept in (True, False) for ordered in (True, False)]
ALL = pytest.mark.parametrize(("intercept", "ordered"), SETTINGS)


def videos(intercept=True, ordered=False, *, n=9, shape=(3, 12), constant=(), seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, *shape)) + 1.0
    # Positions are shots only where nothing is reordered.
    X[:, list(constant)] = 0.0
    order = np.argsort(rng.random((n, 1, shape[0])), axis=-1).astype(np.int32) if ordered else None
    weight = rng.random(n)
    weight[1] = 0.0
    return ShotData(X, order, 1, weight / weight.sum(), intercept)


def solved(data, penalty, loss="squared_hinge", tol=1e-11):
    """Return weights, intercept and result of the problem of videos with alternating labels."""
    targets = (np.arange(len(data.X)) % 2).astype(np.int32)
    space = WeightSpace(data, ShotLoss(targets, data.weight, 1, loss, 0.2), penalty)
    start = space.point(np.zeros(data.shape), np.zeros(1))
    result = minimise_by_proximal_gradient(space, start, space.curvature, tol=tol, max_iter=20_000)
    return *space.solution(result.point), result


@ALL
def test_scores_and_norms_are_those_of_the_weights(intercept, ordered):
    data = videos(intercept, ordered)
    span = ShotSpan.of(data)
    rng = np.random.default_rng(1)
    coordinates, offset = rng.normal(size=span.coordinates.shape), np.array([0.3])
    weights, moved = span.function(coordinates, offset)
    present = data.weight > 0
    np.testing.assert_allclose(
        data.scores(weights, moved)[present],
        span.coordinates.scores(coordinates, offset)[present],
        rtol=0,
        atol=1e-11,
    )
    # Centred shots of 8 videos have at most 7 dimensions; in those that are not there weights are nothing.
    used = [rows.size for rows, _ in span.bases]
    for position, rank in enumerate(used):
        norm = np.linalg.norm(coordinates[0, position, :rank])
        assert np.linalg.norm(weights[0, position]) == pytest.approx(norm, rel=1e-10)
    assert max(used) == span.coordinates.shape[2]


@pytest.mark.parametrize("loss", LOSSES)
@ALL
def test_solutions_are_those_of_the_space_of_weights(intercept, ordered, loss):
    data = videos(intercept, ordered)
    span = ShotSpan.of(data)
    penalty = ShotPenalty(0.1, 0.05)
    plain, plain_intercept, plain_result = solved(data, penalty, loss)
    coordinates, offset, result = solved(span.coordinates, penalty, loss)
    weights, moved = span.function(coordinates, offset)
    assert result.objective == pytest.approx(plain_result.objective, rel=1e-9)
    np.testing.assert_allclose(weights, plain, atol=1e-4)
    np.testing.assert_allclose(moved, plain_intercept, atol=1e-3)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("constant", [(1,), (0, 2), (0, 1, 2)])
def test_shots_that_are_the_same_in_all_videos_carry_a_norm_along_the_first_axis(intercept, constant):
    data = videos(intercept, constant=constant)
    if intercept:
        data.X[:, list(constant)] += 3.7
    span = ShotSpan.of(data)
    assert [rows.size for rows, _ in span.bases] == [
        0 if position in constant else 8 - intercept for position in range(3)
    ]
    coordinates = np.zeros(span.coordinates.shape)
    coordinates[0, :, 0] = 2.0
    weights, offset = span.function(coordinates, np.array([0.1]))
    for position in constant:
        np.testing.assert_array_equal(weights[0, position], 2.0 * np.eye(12)[0])
    present = data.weight > 0
    scores = span.coordinates.scores(coordinates, np.array([0.1]))
    np.testing.assert_allclose(data.scores(weights, offset)[present], scores[present], rtol=0, atol=1e-11)


@pytest.mark.parametrize("rank", [1, 2, 5])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_shots_of_low_rank_have_as_many_coordinates(rank, scale):
    rng = np.random.default_rng(rank)
    X = scale * np.einsum("ijr,jrk->ijk", rng.normal(size=(30, 6, rank)), rng.normal(size=(6, rank, 40)))
    data = ShotData(X, None, 1, np.full(30, 1 / 30), True)
    assert ShotSpan.of(data).coordinates.shape == (1, 6, rank)


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
@pytest.mark.parametrize("alpha", [1e-4, 1e-5])
def test_the_solution_of_shots_of_low_rank_is_what_it_is_said_to_be(loss, alpha):
    """Coefficients of the videos drifted in the null space: the objective of the weights was another one."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 21, 1)) * rng.normal(size=(21, 81)), np.arange(30) % 2
        model = NearlyIsotonicSVC(5e-3, alpha, loss=loss, solver="gram").fit(X, y)
        assert model.converged_
        assert model.objective_ == pytest.approx(model.history_[-1], rel=1e-8)


def test_float32_videos_give_the_solution_of_float64():
    data = videos(n=12, shape=(3, 30))
    single = ShotData(data.X.astype(np.float32), None, 1, data.weight, True)
    double = ShotData(single.X.astype(np.float64), None, 1, data.weight, True)
    spans = [ShotSpan.of(one) for one in (single, double)]
    np.testing.assert_array_equal(spans[0].coordinates.X, spans[1].coordinates.X)


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [
        (ShotPenalty(0.1, 0.1), True),
        (ShotPenalty(0.1, 0.0), True),
        (ShotPenalty(0.1, 0.1, norm=1), False),
        (ShotPenalty(0.1, 0.1, penalty="l1"), False),
        (ShotPenalty(0.1, 0.1, nonnegative=True), False),
    ],
)
def test_which_penalties_stay_in_the_span(penalty, expected):
    assert spans_solution(penalty) is expected

import numpy as np
import pytest

from reference.shot_pass import shot_losses
from widemargin.solvers.shot_loss import LOSSES, ShotLoss

CLASSES = [1, 3]


def a_loss(name, n_scores, n=12, smoothing=0.3, seed=0):
    rng = np.random.default_rng(seed)
    targets = rng.integers(0, max(n_scores, 2), n).astype(np.int32)
    weight = rng.random(n)
    weight[2] = 0.0
    return ShotLoss(targets, weight / weight.sum(), n_scores, name, smoothing), rng.normal(
        size=(n, n_scores)
    ) * 2


@pytest.mark.parametrize("n_scores", CLASSES)
@pytest.mark.parametrize("name", LOSSES)
def test_value_and_residual_are_those_of_the_naive_twin(name, n_scores):
    loss, scores = a_loss(name, n_scores)
    value, residual = loss.evaluate(scores)
    expected = shot_losses(scores, loss.targets, loss.weight, name, loss.smoothing)
    assert value == pytest.approx(expected[0], rel=1e-14)
    assert loss.value(scores) == value
    np.testing.assert_allclose(residual, expected[1], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("n_scores", CLASSES)
@pytest.mark.parametrize("name", LOSSES)
def test_residual_is_the_derivative(name, n_scores):
    loss, scores = a_loss(name, n_scores)
    residual = loss.evaluate(scores)[1]
    step = 1e-5
    for place in np.ndindex(scores.shape):
        moved = scores.copy()
        moved[place] += step
        above = loss.value(moved)
        moved[place] -= 2 * step
        # Central differences err by step^2 times a third derivative of at most 1 / smoothing^2, or by rounding.
        assert (above - loss.value(moved)) / (2 * step) == pytest.approx(residual[place], abs=1e-8)


@pytest.mark.parametrize("n_scores", CLASSES)
@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("smoothing", [0.05, 1.0])
def test_curvature_bounds_every_second_difference_and_one_comes_near(name, n_scores, smoothing):
    rng = np.random.default_rng(1)
    largest = 0.0
    for target in range(max(n_scores, 2)):
        loss = ShotLoss(np.array([target], dtype=np.int32), np.ones(1), n_scores, name, smoothing)
        for _ in range(100):
            scores = rng.normal(size=(1, n_scores))
            if n_scores > 1:
                # Two classes that tie beyond the margin have the largest curvature.
                scores[0, target] += rng.choice([0.0, 1.0]) - scores[0, target]
                scores[0, (target + 1) % n_scores] = rng.choice([0.0, 0.01])
                scores[0, (target + 2) % n_scores] = -9.0
            else:
                scores[:] *= 2.0
            way = rng.normal(size=scores.shape)
            way /= np.linalg.norm(way)
            step = 1e-4
            slopes = [loss.evaluate(scores + sign * step * way)[1] for sign in (1, -1)]
            largest = max(largest, float(np.sum((slopes[0] - slopes[1]) * way)) / (2 * step))
    assert largest <= loss.curvature * (1 + 1e-8)
    assert largest > 0.5 * loss.curvature


@pytest.mark.parametrize("name", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("smoothing", [0.01, 0.1, 1.0])
def test_joint_loss_is_above_the_maximum_by_at_most_mu_log_k(name, smoothing):
    # (35) and (36): the smooth maximum is between the maximum and the maximum plus mu log k.
    n_scores, n = 5, 200
    rng = np.random.default_rng(2)
    targets = rng.integers(0, n_scores, n).astype(np.int32)
    scores = 2.0 * rng.normal(size=(n, n_scores))
    scores[:20] = 0.0
    for i in range(n):
        own = scores[i, targets[i]]
        hinge = max(t - own + (e != targets[i]) for e, t in enumerate(scores[i]))
        alone = ShotLoss(targets[i : i + 1], np.ones(1), n_scores, name, smoothing)
        smooth = alone.value(scores[i : i + 1])
        assert hinge - 1e-12 <= smooth <= hinge + smoothing * np.log(n_scores) + 1e-12


def test_smoothed_hinge_is_above_the_hinge_by_at_most_mu_log_2():
    smoothing = 0.2
    for score in np.linspace(-3, 3, 61):
        loss = ShotLoss(np.ones(1, dtype=np.int32), np.ones(1), 1, "hinge", smoothing)
        gap = loss.value(np.array([[score]])) - max(0.0, 1.0 - score)
        assert -1e-15 <= gap <= smoothing * np.log(2) + 1e-15


@pytest.mark.parametrize("n_scores", CLASSES)
@pytest.mark.parametrize("name", LOSSES)
def test_huge_scores_overflow_nowhere(name, n_scores):
    loss, scores = a_loss(name, n_scores, smoothing=1e-3)
    value, residual = loss.evaluate(scores * 1e100)
    assert np.isfinite(value)
    assert np.isfinite(residual).all()


def test_first_intercept_is_the_best_one_for_the_squared_loss():
    loss, scores = a_loss("squared", 1)
    first = loss.first_intercept()
    flat = np.zeros_like(scores)
    assert np.abs(loss.evaluate(flat + first)[1].sum()) < 1e-15
    np.testing.assert_array_equal(a_loss("squared", 3)[0].first_intercept(), np.zeros(3))

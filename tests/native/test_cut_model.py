import numpy as np
import pytest

from reference.cut_model import cut_model_objectives, solve_cut_model
from widemargin._native import CutModel


def problem(seed, nearly_parallel=False):
    rng = np.random.default_rng(seed)
    n_cuts, n_columns = rng.integers(1, 15), rng.integers(1, 20)
    spread = 1e-2 if nearly_parallel else 1.0
    features = rng.normal(size=n_columns) + spread * rng.normal(size=(n_cuts, n_columns))
    return rng.uniform(0.2, 1.0, n_cuts), features / np.sqrt(n_columns), 10.0 ** rng.uniform(-2, 3)


def model_of(offsets, features, C, nonnegative):
    model = CutModel(C, nonnegative, features.shape[1])
    for offset, row in zip(offsets, features, strict=True):
        model.add_cut(offset, row)
    return model


@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_equals_the_naive_twin(seed, nonnegative):
    offsets, features, C = problem(seed)
    model = model_of(offsets, features, C, nonnegative)
    objective, dual_objective, _, converged = model.solve(1e-9, 10_000)
    assert converged
    twin = solve_cut_model(offsets, features, C, nonnegative)
    value, bound = cut_model_objectives(offsets, features, C, twin, nonnegative)
    # Each bounds the other's optimum, whatever the twin has reached.
    assert objective <= value * (1 + 1e-8)
    assert dual_objective >= bound - 1e-8 * value
    assert dual_objective == pytest.approx(bound, rel=1e-3)


@pytest.mark.parametrize("nearly_parallel", [False, True])
@pytest.mark.parametrize("nonnegative", [False, True])
@pytest.mark.parametrize("seed", range(100, 120))
def test_certificate_is_honest_and_small(seed, nonnegative, nearly_parallel):
    offsets, features, C = problem(seed, nearly_parallel)
    model = model_of(offsets, features, C, nonnegative)
    objective, dual_objective, _, converged = model.solve(1e-8, 10_000)
    assert converged
    multipliers = model.multipliers
    assert np.all(multipliers >= 0)
    assert multipliers.sum() <= C * (1 + 1e-12)
    again = cut_model_objectives(offsets, features, C, multipliers, nonnegative)
    np.testing.assert_allclose([objective, dual_objective], again, rtol=1e-9)
    assert 0 <= objective - dual_objective <= 1e-8 * objective
    weights = features.T @ multipliers
    np.testing.assert_allclose(
        model.weights, np.maximum(weights, 0) if nonnegative else weights, atol=1e-12 * np.abs(weights).max()
    )
    assert model.slack == pytest.approx(max(0, np.max(offsets - features @ model.weights)), abs=1e-14)


@pytest.mark.parametrize("nonnegative", [False, True])
def test_cuts_and_columns_that_arrive_in_turn(nonnegative):
    rng = np.random.default_rng(0)
    features, offsets = rng.normal(size=(40, 30)) + 0.5, rng.uniform(0.5, 1.0, 40)
    model = CutModel(5.0, nonnegative, 0)
    n_cuts = n_columns = 0
    while n_cuts < 40 or n_columns < 30:
        if n_columns < 30:
            model.append_column(features[:n_cuts, n_columns].copy())
            n_columns += 1
        if n_cuts < 40:
            model.add_cut(offsets[n_cuts], features[n_cuts, :n_columns].copy())
            n_cuts += 1
        model.solve(1e-3, 1000)
    whole = model_of(offsets, features, 5.0, nonnegative)
    assert (model.n_cuts, model.n_columns) == (40, 30)
    assert model.solve(1e-9, 10_000)[0] == pytest.approx(whole.solve(1e-9, 10_000)[0], rel=1e-8)


@pytest.mark.parametrize("nonnegative", [False, True])
def test_cuts_without_multiplier_can_be_dropped(nonnegative):
    rng = np.random.default_rng(1)
    features, offsets = rng.normal(size=(30, 4)) + 0.5, rng.uniform(0.5, 1.0, 30)
    model = model_of(offsets, features, 2.0, nonnegative)
    objective = model.solve(1e-10, 10_000)[0]
    multipliers = model.multipliers
    kept = model.drop_inactive()
    assert 0 < len(kept) < 30
    np.testing.assert_array_equal(kept, np.flatnonzero(multipliers))
    np.testing.assert_array_equal(model.multipliers, multipliers[kept])
    assert model.solve(1e-10, 10_000) == (pytest.approx(objective), pytest.approx(objective), 0, True)
    # What is left still is the model it was: further cuts meet the right matrix.
    extra = rng.normal(size=4)
    model.add_cut(0.9, extra)
    rest = model_of(np.append(offsets[kept], 0.9), np.vstack([features[kept], extra]), 2.0, nonnegative)
    assert model.solve(1e-10, 10_000)[0] == pytest.approx(rest.solve(1e-10, 10_000)[0], rel=1e-9)


def test_hundreds_of_cuts_of_a_smooth_function():
    # Cuts of |w - 1|^2 near its minimum in 60 dimensions: nearly parallel, and most of them active.
    rng = np.random.default_rng(2)
    points = 1.0 + 0.05 * rng.normal(size=(300, 60))
    slopes = 2.0 * (points - 1.0)
    offsets = np.sum((points - 1.0) ** 2, axis=1) - np.sum(slopes * points, axis=1)
    _, _, n_iter, converged = model_of(offsets, -slopes, 100.0, False).solve(1e-6, 10_000)
    assert converged
    assert n_iter < 2_000


def test_a_separable_problem_whose_cuts_come_and_go():
    # Cuts of a mean hinge loss at the minimiser of those before: some are active for a while and then no more.
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 40)) + 0.2
    model = CutModel(1e4, False, 40)
    n_iter, was_active, n_left = 0, np.zeros(0, dtype=bool), 0
    for _ in range(120):
        violated = X @ model.weights < 1.0
        model.add_cut(violated.mean(), X[violated].sum(axis=0) / len(X))
        objective, dual_objective, steps, converged = model.solve(1e-8, 10_000)
        assert converged
        assert objective - dual_objective <= 1e-8 * objective
        n_iter += steps
        active = model.multipliers > 0
        n_left += np.count_nonzero(was_active & ~active[:-1])
        was_active = active
    assert n_left > 5
    assert n_iter < 1_000


def test_no_cut_no_column_and_cuts_without_slope():
    model = CutModel(2.0, True, 0)
    assert model.solve(1e-6, 100) == (0.0, 0.0, 0, True)
    model.add_cut(0.5, np.zeros(0))
    assert model.solve(1e-6, 100)[:2] == (1.0, 1.0)
    model.append_column(np.zeros(1))
    assert model.solve(1e-6, 100)[:2] == (1.0, 1.0)
    np.testing.assert_array_equal(model.weights, [0.0])


def test_a_column_that_only_hurts_gets_no_weight():
    model = model_of(np.array([1.0]), np.array([[1.0, -1.0]]), 10.0, True)
    model.solve(1e-12, 100)
    np.testing.assert_allclose(model.weights, [1.0, 0.0], rtol=1e-12)


def test_wrong_shapes_are_refused():
    model = CutModel(1.0, False, 3)
    with pytest.raises(ValueError, match="length"):
        model.add_cut(1.0, np.ones(2))
    model.add_cut(1.0, np.ones(3))
    with pytest.raises(ValueError, match="length"):
        model.append_column(np.ones(3))
    with pytest.raises(TypeError):
        model.add_cut(1.0, np.ones(3, dtype=np.float32))

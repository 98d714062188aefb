import numpy as np
import pytest
from scipy.sparse import csr_array

from reference.cut_model import cut_model_objectives, solve_cut_model
from reference.partial_auc import all_cuts
from widemargin.solvers.cutting_plane import CuttingPlaneModel, minimise_by_cutting_planes
from widemargin.solvers.partial_auc_risk import PartialAUCRisk


def samples(seed=0, n=200, n_features=5):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    return rng.normal(size=(n, n_features)) + 0.6 * positive[:, None], positive


@pytest.mark.parametrize("structural", [False, True])
@pytest.mark.parametrize("fpr_range", [(0.0, 0.5), (0.25, 0.75), (0.0, 1.0), (0.5, 1.0)])
@pytest.mark.parametrize("C", [0.1, 3.0, 100.0])
def test_equals_the_program_with_every_ordering(fpr_range, C, structural):
    X, _ = samples(3, n=6, n_features=2)
    positive = np.array([True, False, True, False, False, False])
    bound = "structural" if structural else "tight"
    risk = PartialAUCRisk(positive, fpr_range, bound=bound)
    offsets, vectors = all_cuts(positive, int(risk.ranks.start), int(risk.ranks.stop), structural)
    features = vectors @ X
    multipliers = solve_cut_model(offsets, features, C)
    upper, lower = cut_model_objectives(offsets, features, C, multipliers)
    result = minimise_by_cutting_planes(risk, X, C, tol=1e-8, max_iter=500)
    assert result.converged
    assert result.objective <= upper * (1 + 1e-8)
    assert result.dual_objective >= lower - 1e-8 * upper
    # A weight vector's objective is the same by all orderings and by the search.
    weights = result.solution["weights"]
    value = 0.5 * weights @ weights + C * np.max(offsets - features @ weights)
    assert result.objective == pytest.approx(value, rel=1e-10)


@pytest.mark.parametrize("bound", ["tight", "structural"])
@pytest.mark.parametrize("fpr_range", [(0.0, 0.1), (0.05, 0.2), (0.0, 1.0)])
@pytest.mark.parametrize("C", [0.01, 1.0, 1e3, 1e6])
def test_certificate(fpr_range, C, bound):
    X, positive = samples()
    risk = PartialAUCRisk(positive, fpr_range, bound=bound)
    result = minimise_by_cutting_planes(risk, X, C, tol=1e-6, max_iter=1000)
    assert result.converged
    assert 0 <= result.gap <= 1e-6 * result.objective
    assert result.gap == pytest.approx(result.objective - result.dual_objective, abs=1e-12 * result.objective)
    weights = result.solution["weights"]
    value = 0.5 * weights @ weights + C * risk.worst(X @ weights).value
    assert result.objective == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(result.solution["scores"], X @ weights, atol=1e-10 * np.abs(X @ weights).max())
    for direction in np.random.default_rng(0).normal(size=(20, X.shape[1])):
        other = weights + 0.01 * direction
        value = 0.5 * other @ other + C * risk.worst(X @ other).value
        assert value >= result.dual_objective * (1 - 1e-12)


def test_history_and_limit_of_rounds():
    X, positive = samples()
    risk = PartialAUCRisk(positive, (0.0, 0.1))
    whole = minimise_by_cutting_planes(risk, X, 10.0, tol=1e-6, max_iter=1000)
    assert len(whole.history) == whole.n_iter
    assert whole.history[-1] == pytest.approx(whole.gap / whole.objective)
    short = minimise_by_cutting_planes(risk, X, 10.0, tol=1e-6, max_iter=3)
    assert not short.converged
    assert short.n_iter == 3
    assert short.history == whole.history[:3]
    assert short.objective >= whole.objective


def test_separable_samples_with_a_huge_weight_of_the_risk():
    # Hard margin: positives and negatives are 2 apart along the first feature, so w = (1/2, 0).
    rng = np.random.default_rng(0)
    positive = np.arange(100) < 40
    X = np.column_stack([np.where(positive, 1.0, -1.0), rng.normal(size=100)])
    result = minimise_by_cutting_planes(PartialAUCRisk(positive, (0.0, 0.1)), X, 1e6, tol=1e-6, max_iter=1000)
    assert result.converged
    assert result.objective == pytest.approx(0.125, rel=1e-6)
    np.testing.assert_allclose(result.solution["weights"], [0.5, 0.0], atol=1e-3)


def test_features_without_information():
    positive = np.arange(10) < 4
    result = minimise_by_cutting_planes(
        PartialAUCRisk(positive, (0.0, 1.0)), np.zeros((10, 2)), 3.0, tol=1e-6, max_iter=10
    )
    assert (result.objective, result.gap, result.n_iter) == (pytest.approx(3.0), 0.0, 1)
    np.testing.assert_array_equal(result.solution["weights"], 0.0)


def test_more_features_than_samples():
    X, positive = samples(1, n=60, n_features=150)
    result = minimise_by_cutting_planes(PartialAUCRisk(positive, (0.0, 0.2)), X, 1e3, tol=1e-4, max_iter=1000)
    assert result.converged


def test_sparse_rows():
    X, positive = samples(2)
    X[X < 0.3] = 0.0
    risk = PartialAUCRisk(positive, (0.0, 0.3))
    dense = minimise_by_cutting_planes(risk, X, 5.0, tol=1e-6, max_iter=1000)
    sparse = minimise_by_cutting_planes(risk, csr_array(X), 5.0, tol=1e-6, max_iter=1000)
    assert sparse.objective == pytest.approx(dense.objective, rel=2e-6)


def test_model_reports_its_last_solution():
    model = CuttingPlaneModel(10.0, n_columns=2)
    model.add(1.0, np.array([2.0, 0.0]))
    assert model.solve(1e-12)
    assert (model.n_cuts, model.n_columns, model.slack) == (1, 2, 0.0)
    assert (model.objective, model.dual_objective) == pytest.approx((0.125, 0.125))
    model.append_column(np.array([2.0]))
    np.testing.assert_allclose(model.weights, [0.5, 0.0, 0.0])
    assert model.solve(1e-12)
    np.testing.assert_allclose(model.weights, [0.25, 0.0, 0.25])
    model.add(0.5, np.zeros(3))
    assert model.solve(1e-12)
    assert model.objective == pytest.approx(5.0 + 0.125**2)
    model.add(2.0, np.zeros(3))
    assert model.solve(1e-12)
    assert (model.objective, model.slack) == pytest.approx((20.0, 2.0))
    assert model.drop_inactive() == [2]


def test_stops_where_rounding_leaves_no_progress():
    # At C = 1e12 the loss that a rounded score leaves costs more than the tolerance.
    positive = np.arange(100) < 40
    X = np.column_stack([np.where(positive, 1.0, -1.0), np.random.default_rng(0).normal(size=100)]) / 3.0
    result = minimise_by_cutting_planes(
        PartialAUCRisk(positive, (0.0, 0.1)), X, 1e14, tol=1e-9, max_iter=1000
    )
    assert not result.converged
    assert result.n_iter < 300
    assert result.objective >= result.dual_objective

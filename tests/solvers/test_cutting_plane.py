import numpy as np
import pytest
from scipy.sparse import csr_array

from reference.cut_model import cut_model_objectives, solve_cut_model
from reference.partial_auc import all_cuts
from widemargin.solvers.cutting_plane import CuttingPlaneModel, gap_scale, minimise_by_cutting_planes
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


@pytest.mark.parametrize("scale", [1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("fpr_range", [(0.0, 0.5), (0.0, 1.0), (0.25, 0.75)])
def test_a_small_decrease_is_found_all_the_same(fpr_range, scale):
    # While all pairs lose, w is in proportion to the weight of the risk and to the scale of the features.
    X, positive = samples(4)
    risk = PartialAUCRisk(positive, fpr_range)
    small = minimise_by_cutting_planes(risk, X * scale, 1.0, tol=1e-4, max_iter=1000)
    unit = minimise_by_cutting_planes(risk, X, 1e-4, tol=1e-6, max_iter=1000)
    assert small.converged
    assert unit.converged
    assert small.gap <= 1e-4 * (1.0 - small.dual_objective)
    # A gap of tol times the decrease leaves weights of relative error sqrt(tol).
    expected = unit.solution["weights"] * scale / 1e-4
    error = np.linalg.norm(small.solution["weights"] - expected)
    assert error <= 2e-2 * np.linalg.norm(expected)


@pytest.mark.parametrize("C", [1e-9, 1e-6, 1e-4])
def test_a_small_weight_of_the_risk_does_not_end_at_zero(C):
    X, positive = samples(5)
    result = minimise_by_cutting_planes(PartialAUCRisk(positive, (0.0, 0.5)), X, C, tol=1e-3, max_iter=1000)
    assert result.converged
    assert result.gap <= 1e-3 * (C - result.dual_objective)
    assert result.objective < C


@pytest.mark.parametrize("scale", [1e-20, 1e-9, 1e-7])
def test_a_decrease_below_rounding_is_not_certified_but_the_weights_are_sensible(scale):
    X, positive = samples(6)
    risk = PartialAUCRisk(positive, (0.0, 0.5))
    unit = minimise_by_cutting_planes(risk, X, 1e-3, tol=1e-6, max_iter=1000).solution["weights"]
    tiny = minimise_by_cutting_planes(risk, X * scale, 1.0, tol=1e-4, max_iter=1000)
    weights = tiny.solution["weights"]
    assert not tiny.converged
    assert tiny.n_iter < 100
    assert weights @ unit >= 0.9 * np.linalg.norm(weights) * np.linalg.norm(unit)


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e3])
def test_an_optimum_at_zero_is_recognised(C):
    # The only negative that counts is above all positives or below them, depending on the direction.
    X = np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [2, 0.1], [-2, 0.1], [0.3, 2], [-0.1, -2]])
    positive = np.arange(8) < 4
    result = minimise_by_cutting_planes(PartialAUCRisk(positive, (0.0, 0.25)), X, C, tol=1e-4, max_iter=100)
    assert result.converged
    assert result.objective == pytest.approx(C)
    np.testing.assert_array_equal(result.solution["weights"], 0.0)


@pytest.mark.parametrize("value", [0.1, 3.0, 1e4])
def test_equal_rows_that_are_not_zero(value):
    # Coefficients of a cut add up to zero only but for rounding.
    positive = np.arange(27) % 3 == 0
    result = minimise_by_cutting_planes(
        PartialAUCRisk(positive, (0.0, 0.5)), np.full((27, 2), value), 1e3, tol=1e-4, max_iter=100
    )
    assert (result.converged, result.n_iter) == (True, 1)
    np.testing.assert_array_equal(result.solution["weights"], 0.0)


@pytest.mark.parametrize("C", [1e100, 1e155, 1e300])
def test_numbers_that_overflow_are_never_converged(C):
    X, positive = samples(7)
    result = minimise_by_cutting_planes(PartialAUCRisk(positive, (0.0, 0.5)), X, C, tol=1e-4, max_iter=1000)
    assert not result.converged
    assert result.n_iter < 100
    assert np.isfinite(result.objective)
    assert np.isfinite(result.solution["weights"]).all()


def test_scale_of_the_gap():
    assert gap_scale(0.5, 0.1, 100.0) == 0.5
    assert gap_scale(0.9, 0.1, 1.0) == pytest.approx(0.2)
    assert gap_scale(1.0, 0.0, 1.0) == 0.0
    for values in ((np.inf, 0.1, 1.0), (1.0, np.inf, 1.0), (1.0, 0.1, np.inf), (np.nan, 0.1, 1.0)):
        assert gap_scale(*values) == 0.0

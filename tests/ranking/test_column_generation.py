"""The restricted problem of the ensemble: when a round ends, and what is certified then."""

import numpy as np
import pytest

from reference.partial_auc import minimise_over_weights
from widemargin.ranking._column_generation import DECREASES, PATIENCE, ColumnGeneration, is_solved
from widemargin.ranking._weak_learners import TreeLearners
from widemargin.solvers.partial_auc_risk import PartialAUCRisk


def rounds(nu, fpr_range=(0.0, 0.5), weight=None, n_rounds=6, cut_tol=0.05):
    """Yield the outputs of the trees so far and the solution over them."""
    rng = np.random.default_rng(1)
    positive = np.arange(60) % 3 == 0
    X = rng.normal(size=(60, 3)) + positive[:, None]
    trees = TreeLearners(
        X,
        max_bins=256,
        max_depth=2,
        min_samples_leaf=1,
        criterion="edge",
        leaf_alpha=0.0,
        feature_fraction=1.0,
        random_state=np.random.RandomState(0),
        n_threads=1,
    )
    risk = PartialAUCRisk(positive, fpr_range, weight)
    problem = ColumnGeneration(risk, nu, cut_tol=cut_tol, n_samples=60, n_codes=trees.n_codes)
    outputs = []
    for _ in range(n_rounds):
        weights = problem.signed_weights()
        learner = trees.fit(weights / np.abs(weights).sum())
        problem.append(learner.codes, learner.values)
        outputs.append(learner.values[learner.codes])
        yield np.column_stack(outputs), positive, risk, problem.solve()


@pytest.mark.parametrize("fpr_range", [(0.0, 0.1), (0.0, 1.0), (0.25, 0.75)])
@pytest.mark.parametrize("nu", [1e-9, 1e-6, 1e-3, 1.0])
def test_a_round_ends_close_to_the_optimum_as_seen_from_zero(nu, fpr_range):
    for _, _, _, solution in rounds(nu, fpr_range):
        assert 0 <= solution.gap <= 0.05 * DECREASES * (nu - (solution.objective - solution.gap))
        assert solution.gap <= 0.05 * solution.objective


def test_small_nu_gains_what_an_independent_solver_gains():
    nu = 1e-2
    for outputs, positive, risk, solution in rounds(nu, (0.0, 0.25)):
        optimum = minimise_over_weights(outputs, positive, int(risk.ranks.start), int(risk.ranks.stop), nu)
        # What the rule promises: a gap of at most cut_tol * DECREASES of what can be gained.
        assert nu - solution.objective >= (1 - 0.05 * DECREASES) * (nu - optimum)


def test_small_nu_has_a_limit():
    """w / nu no longer depends on nu once all pairs lose."""
    *_, (_, _, _, first) = rounds(1e-4, (0.0, 0.1), cut_tol=1e-6)
    *_, (_, _, _, second) = rounds(1e-6, (0.0, 0.1), cut_tol=1e-6)
    assert first.weights.max() > 0
    # The relative gap 1e-6 of the decrease leaves a relative error of 1e-3 in the weights.
    np.testing.assert_allclose(second.weights * 100, first.weights, atol=3e-3 * np.linalg.norm(first.weights))


@pytest.mark.parametrize("nu", [1e20, 1e100])
def test_cuts_that_improve_nothing_end_a_round(nu):
    for _, _, _, solution in rounds(nu):
        assert solution.n_cuts < 5 * PATIENCE
        assert np.isfinite(solution.objective)
        assert solution.gap >= 0


@pytest.mark.parametrize("nu", [1e155, 1e300])
def test_numbers_that_overflow_are_not_solved(nu):
    for _, _, _, solution in rounds(nu, n_rounds=2):
        assert solution.objective == pytest.approx(nu)
        assert not is_solved(solution.objective, solution.gap, nu, 0.05)


def test_a_narrow_range_of_real_weights_ends():
    for _, _, _, solution in rounds(1.0, (0.3, 0.3 + 1e-8), np.full(60, 1.5)):
        assert solution.n_cuts < 5 * PATIENCE


def test_when_a_round_is_solved():
    assert is_solved(0.5, 0.02, 1.0, 0.05)
    assert not is_solved(0.5, 0.03, 1.0, 0.05)
    assert is_solved(0.999, 5e-5, 1.0, 0.05)
    assert not is_solved(0.999, 1e-3, 1.0, 0.05)
    assert is_solved(1.0, 1e-16, 1.0, 0.05)
    for objective, gap in ((np.inf, np.inf), (np.inf, 0.0), (1.0, np.inf), (np.nan, 0.0)):
        assert not is_solved(objective, gap, 1.0, 0.05)


def test_scores_that_tie_in_exact_arithmetic_tie():
    for outputs, _, _, solution in rounds(1.0):
        # Outputs are -1 or +1: sums in any order are the same, as no digit is lost.
        np.testing.assert_array_equal(outputs @ solution.weights, solution.scores)
        order = np.random.default_rng(0).permutation(solution.weights.size)
        np.testing.assert_array_equal(outputs[:, order] @ solution.weights[order], solution.scores)

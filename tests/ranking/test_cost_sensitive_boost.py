import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from reference.boosting import best_stump, cost_sensitive_loss, cost_sensitive_step, stump_outputs
from widemargin.datasets import make_ring_classification
from widemargin.ranking import AdaBoostTreesClassifier, CostSensitiveBoostClassifier
from widemargin.ranking._exponential_loss import best_step


def costs_of(ratio):
    """C1 of positives and C2 of negatives."""
    return 2 * ratio / (1 + ratio), 2 / (1 + ratio)


def weights_of_random_outputs(rng):
    y = rng.choice([-1, 1], size=40)
    h = np.where(rng.random(40) < 0.75, y, -y)
    return y, h, rng.dirichlet(np.ones(40))


def right_and_wrong(y, h, u):
    """By class, negatives first."""
    right = np.array([u[(y == c) & (h == y)].sum() for c in (-1, 1)])
    return right, np.array([u[(y == c) & (h != y)].sum() for c in (-1, 1)])


@pytest.mark.parametrize("seed", range(20))
def test_step_is_the_root_of_the_hyperbolic_equation_and_minimises_the_loss(seed):
    rng = np.random.default_rng(seed)
    y, h, u = weights_of_random_outputs(rng)
    costs = costs_of(float(np.exp(rng.normal())))
    right, wrong = right_and_wrong(y, h, u)
    step = best_step(right, wrong, np.array(costs[::-1]))
    assert step == pytest.approx(cost_sensitive_step(y, h, u, costs), rel=1e-9)
    found = minimize_scalar(
        lambda a: cost_sensitive_loss(y, a * h, u, costs), bounds=(0, 10), method="bounded"
    )
    # A minimum is only known to the square root of the precision of its value.
    assert step == pytest.approx(found.x, abs=1e-4)


def test_step_for_equal_costs_is_the_closed_form_to_the_last_bit():
    right, wrong = np.array([0.3, 0.45]), np.array([0.2, 0.05])
    assert best_step(right, wrong, np.ones(2)) == 0.5 * np.log(right.sum() / wrong.sum())


@pytest.mark.parametrize(("right", "wrong"), [([0.5, 0.5 - 1e-14], [0.0, 1e-14]), ([0.5, 0.1], [0.0, 0.4])])
def test_step_survives_extreme_costs(right, wrong):
    # Errors cost next to nothing: the step at which they matter overflows the other class's terms.
    step = best_step(np.array(right), np.array(wrong), np.array([1.99, 0.01]))
    assert np.isfinite(step)
    assert step > 0


@pytest.mark.parametrize("max_depth", [1, 3])
def test_equal_costs_are_adaboost_to_the_last_bit(max_depth):
    X, y = make_ring_classification(80, random_state=0)
    X, y = X[30:], y[30:]
    ours = CostSensitiveBoostClassifier(1.0, 25, max_depth=max_depth).fit(X, y)
    ada = AdaBoostTreesClassifier(25, max_depth=max_depth).fit(X, y)
    assert np.array_equal(ours.decision_function(X), ada.decision_function(X))
    assert np.array_equal(ours.estimator_weights_, ada.estimator_weights_)


@pytest.mark.parametrize("ratio", [0.4, 2.5])
def test_objective_is_the_loss_and_falls(ratio):
    X, y = make_ring_classification(60, random_state=1)
    model = CostSensitiveBoostClassifier(ratio, 20, max_depth=1).fit(X, y)
    signs, share = 2 * y - 1, np.full(y.size, 1 / y.size)
    losses = [
        cost_sensitive_loss(signs, f, share, costs_of(ratio)) for f in model.staged_decision_function(X)
    ]
    np.testing.assert_allclose(model.history_["objective"], losses, rtol=1e-12)
    assert np.all(np.diff(losses, prepend=1.0) < 0)


@pytest.mark.parametrize("ratio", [0.3, 3.0])
def test_first_tree_is_at_least_as_good_as_that_for_a_small_step(ratio):
    X, y = make_ring_classification(60, random_state=2)
    model = CostSensitiveBoostClassifier(ratio, 1, max_depth=1).fit(X, y)
    signs, share, costs = 2 * y - 1, np.full(y.size, 1 / y.size), costs_of(ratio)
    h = stump_outputs(best_stump(X, share * signs * np.where(y == 1, costs[0], costs[1])), X)
    small = cost_sensitive_loss(signs, cost_sensitive_step(signs, h, share, costs) * h, share, costs)
    assert model.history_["objective"][0] <= small * (1 + 1e-12)


def test_more_cost_finds_more_positives():
    X, y = make_ring_classification(300, random_state=3)
    found = [
        np.count_nonzero(CostSensitiveBoostClassifier(k, 20, max_depth=1).fit(X, y).predict(X) == 1)
        for k in (0.3, 1.0, 3.0)
    ]
    assert found[0] < found[1] < found[2]


def test_swapping_classes_inverts_the_ratio():
    X, y = make_ring_classification(60, random_state=4)
    one = CostSensitiveBoostClassifier(2.0, 10).fit(X, y).decision_function(X)
    other = CostSensitiveBoostClassifier(0.5, 10).fit(X, 1 - y).decision_function(X)
    np.testing.assert_allclose(other, -one, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_per_class", [4, 60])
@pytest.mark.parametrize("ratio", [1e-6, 1e-3, 1e3, 1e6])
def test_extreme_costs_give_finite_scores(ratio, n_per_class):
    X, y = make_ring_classification(n_per_class, random_state=5)
    model = CostSensitiveBoostClassifier(ratio, 50).fit(X, y)
    assert np.all(np.isfinite(model.decision_function(X)))
    assert np.all(np.isfinite(model.history_["objective"]))


@pytest.mark.parametrize("ratio", [0.0, -1.0, np.nan, 1e-300, 0.9e-9, 1.1e9, 1e300])
def test_ratio_is_checked(ratio):
    X, y = make_ring_classification(10, random_state=0)
    with pytest.raises(ValueError, match=r"cost_ratio must be finite and from 1e-09 to 1e\+09, got .*: pass"):
        CostSensitiveBoostClassifier(ratio).fit(X, y)

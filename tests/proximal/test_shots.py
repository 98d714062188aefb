import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.ordered_prox import searched_minimum, shot_objective, shot_omega
from widemargin.proximal import ShotPenalty, ordered_penalty, prox_nearly_isotonic, prox_ordered
from widemargin.proximal.shots import ORDERS, PENALTIES

orders = pytest.mark.parametrize("order", ORDERS)
norms = pytest.mark.parametrize("norm", [1, 2])
penalties = pytest.mark.parametrize("penalty", PENALTIES)
signs = pytest.mark.parametrize("nonnegative", [False, True])


def small_weights(rng, shape):
    """Weights with zeros, whole shots of zeros and negative shots among them."""
    W = rng.normal(size=shape) if rng.random() < 0.7 else rng.integers(-2, 3, shape).astype(float)
    W[rng.random(shape[0]) < 0.2] = 0.0
    return W


@orders
@norms
@penalties
@signs
def test_no_local_search_finds_less(order, norm, penalty, nonnegative):
    rng = np.random.default_rng(7)
    for _ in range(2):
        W = small_weights(rng, (2, 2))
        t, shrinkage = rng.choice([0.2, 1.0, 3.0]), rng.choice([0.0, 0.3, 1.0])
        options = {"order": order, "norm": norm, "penalty": penalty, "shrinkage": shrinkage}
        Z = prox_ordered(W, t, nonnegative=nonnegative, **options)
        assert not nonnegative or Z.min() >= 0
        found = shot_objective(Z, W, t, **options)
        starts = [W, Z + 0.01, rng.normal(size=(2, 2))]
        searched = searched_minimum(W, t, nonnegative=nonnegative, starts=starts, **options)
        assert found <= searched + 1e-10, (W, t, options)


@orders
@norms
@penalties
@signs
def test_no_perturbation_is_better(order, norm, penalty, nonnegative):
    rng = np.random.default_rng(3)
    for _ in range(25):
        W = small_weights(rng, (5, 3))
        t, shrinkage = rng.choice([0.2, 1.0, 3.0]), rng.choice([0.0, 0.3, 1.0])
        options = {"order": order, "norm": norm, "penalty": penalty, "shrinkage": shrinkage}
        Z = prox_ordered(W, t, nonnegative=nonnegative, **options)
        found = shot_objective(Z, W, t, **options)
        others = [W, np.abs(W), np.zeros_like(W), 0.9 * Z]
        others += [Z + size * rng.normal(size=W.shape) for size in (1e-4, 1e-2, 1.0) for _ in range(5)]
        for other in others:
            other = np.maximum(other, 0) if nonnegative else other
            assert found <= shot_objective(other, W, t, **options) + 1e-12


@norms
def test_hand_worked_pair(norm):
    W = np.array([[3.0, 4.0], [0.0, 8.0]])
    expected = {1: [[3.0, 5.0], [0.0, 7.0]], 2: [[3.6, 4.8], [0.0, 7.0]]}[norm]
    np.testing.assert_allclose(prox_ordered(W, 1.0, norm=norm), expected, rtol=1e-15)
    # By homogeneity: shrinking is dividing W and t by 1 + 2s.
    shrunk = prox_ordered(W, 1.0, norm=norm, shrinkage=0.25)
    np.testing.assert_allclose(shrunk, prox_ordered(W / 1.5, 1.0 / 1.5, norm=norm), rtol=1e-14)


def test_norm_1_maps_each_feature_along_the_shots():
    W = np.random.default_rng(0).normal(size=(9, 4))
    np.testing.assert_array_equal(prox_ordered(W, 0.4, norm=1), prox_nearly_isotonic(W.T, 0.4).T)


@pytest.mark.parametrize("order", ["nearly_isotonic", "absolute"])
def test_norm_2_with_one_feature_is_the_vector_map(order):
    w = np.random.default_rng(0).normal(size=(12, 1))
    both = [prox_ordered(w, 0.4, order=order, norm=norm) for norm in (1, 2)]
    np.testing.assert_allclose(*both, rtol=1e-14)


def test_norm_2_keeps_directions_and_turns_with_them():
    rng = np.random.default_rng(0)
    W = rng.normal(size=(8, 5))
    Z = prox_ordered(W, 0.7, shrinkage=0.1)
    directions = W / np.linalg.norm(W, axis=1, keepdims=True)
    np.testing.assert_allclose(Z, directions * np.linalg.norm(Z, axis=1, keepdims=True), atol=1e-15)
    rotation = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    np.testing.assert_allclose(prox_ordered(W @ rotation, 0.7, shrinkage=0.1), Z @ rotation, atol=1e-14)


@pytest.mark.parametrize("pair", [("nearly_isotonic", "increments"), ("absolute", "total_variation")])
def test_erratum_9_under_norm_2_two_pairs_of_orders_are_the_same(pair):
    W = np.random.default_rng(0).normal(size=(8, 5))
    np.testing.assert_array_equal(*(prox_ordered(W, 0.7, order=order) for order in pair))
    assert len({ordered_penalty(W, order=order) for order in pair}) == 1
    assert len({ordered_penalty(W, order=order, norm=1) for order in pair}) == 2


@orders
@norms
@penalties
@signs
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), factor=st.sampled_from([0.25, 3.0, 1e5]))
def test_scales_with_its_arguments(order, norm, penalty, nonnegative, seed, factor):
    rng = np.random.default_rng(seed)
    W, t, shrinkage = small_weights(rng, (6, 3)), rng.uniform(0, 2), rng.uniform(0, 1)
    options = {"order": order, "norm": norm, "penalty": penalty, "nonnegative": nonnegative}
    # R is of degree 2 or 1.
    scaled = shrinkage if penalty == "l2" else factor * shrinkage
    np.testing.assert_allclose(
        prox_ordered(factor * W, factor * t, shrinkage=scaled, **options),
        factor * prox_ordered(W, t, shrinkage=shrinkage, **options),
        atol=1e-11 * factor,
    )


@orders
@norms
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (5, 1)])
def test_one_shot_and_one_feature(order, norm, shape):
    W = np.random.default_rng(0).normal(size=shape)
    Z = prox_ordered(W, np.inf, order=order, norm=norm)
    assert Z.shape == shape
    if shape[0] == 1:
        np.testing.assert_array_equal(Z, W)
        assert ordered_penalty(W, order=order, norm=norm) == 0.0


@norms
@penalties
@signs
def test_classes_are_mapped_one_by_one_with_their_own_pairs(norm, penalty, nonnegative):
    rng = np.random.default_rng(0)
    W, t = rng.normal(size=(3, 5, 4)), rng.choice([0.0, 0.4, 2.0], (3, 4))
    options = {"norm": norm, "penalty": penalty, "shrinkage": 0.1, "nonnegative": nonnegative}
    Z = prox_ordered(W, t, **options)
    for e in range(3):
        np.testing.assert_array_equal(Z[e], prox_ordered(W[e], t[e], **options))
        np.testing.assert_array_equal(
            prox_ordered(W, t[0], **options)[e], prox_ordered(W[e], t[0], **options)
        )
    total = sum(ordered_penalty(W[e], norm=norm, pair_weights=t[e]) for e in range(3))
    assert ordered_penalty(W, norm=norm, pair_weights=t) == pytest.approx(total, rel=1e-14)


@orders
@norms
def test_penalty_equals_the_sum_of_its_terms(order, norm):
    rng = np.random.default_rng(0)
    W, weights = rng.normal(size=(7, 3)), rng.uniform(0, 1, 6)
    for pair_weights, naive in ((None, 1.0), (0.5, 0.5), (weights, weights)):
        value = ordered_penalty(W, order=order, norm=norm, pair_weights=pair_weights)
        assert value == pytest.approx(shot_omega(W, order, norm, naive), rel=1e-13)


@orders
@norms
@penalties
@signs
def test_ordered_weights_cost_nothing_and_stay(order, norm, penalty, nonnegative):
    W = np.linspace(2, 1, 6)[:, None] * np.array([3.0, 0.0, 4.0])
    if order in ("absolute", "total_variation"):
        W[:] = W[0]
    assert ordered_penalty(W, order=order, norm=norm) == 0.0
    options = {"order": order, "norm": norm, "penalty": penalty, "nonnegative": nonnegative}
    np.testing.assert_array_equal(prox_ordered(W, 1e8, **options), W)
    np.testing.assert_array_equal(prox_ordered(W, np.inf, **options), W)


# Errata


def test_erratum_2_a_shot_of_zeros_takes_an_axis():
    W = np.array([[0.0, 0.0], [0.6, 0.8]])
    Z = prox_ordered(W, 0.25)
    np.testing.assert_allclose(Z, [[0.25, 0.0], [0.45, 0.6]], rtol=1e-15)
    options = {"order": "nearly_isotonic", "norm": 2, "penalty": "l2", "shrinkage": 0.0}
    best = shot_objective(Z, W, 0.25, **options)
    # Left zero, the shot is not optimal; any direction is as good as the axis.
    assert shot_objective(np.array([[0.0, 0.0], Z[1]]), W, 0.25, **options) > best + 0.03
    assert shot_objective(np.array([[-0.15, 0.2], Z[1]]), W, 0.25, **options) == pytest.approx(best)


def test_erratum_2_all_zero_weights_stay_zero():
    np.testing.assert_array_equal(prox_ordered(np.zeros((4, 3)), 1.0), np.zeros((4, 3)))


def test_erratum_3_the_nonnegative_penalty_of_norms_is_not_convex():
    A, B = np.array([[1.0, 1.0], [0.0, 0.0]]).T, np.array([[0.0, 1.0], [1.0, 0.0]]).T
    # Columns are shots in the paper, rows here.
    assert ordered_penalty(A) == ordered_penalty(B) == 0.0
    assert ordered_penalty((A + B) / 2) == pytest.approx(1 - np.sqrt(0.5))


def test_erratum_3_the_nonnegative_penalty_of_features_is_convex():
    rng = np.random.default_rng(0)
    for _ in range(200):
        A, B = rng.random((2, 4, 3))
        ends = [ordered_penalty(W, norm=1) for W in (A, B)]
        assert ordered_penalty((A + B) / 2, norm=1) <= np.mean(ends) + 1e-14


def test_erratum_4_a_negative_shot_starts_from_its_largest_entry():
    W = np.array([[-0.5, -2.0], [0.6, 0.8]])
    options = {"order": "nearly_isotonic", "norm": 2, "penalty": "l2", "shrinkage": 0.0}
    Z = prox_ordered(W, 0.6, nonnegative=True)
    # Lengths start from -0.5 and 1, not from 0 and 1, which would give (0.5, 0.5).
    np.testing.assert_allclose(Z, [[0.1, 0.0], [0.24, 0.32]], atol=1e-15)
    found = shot_objective(Z, W, 0.6, **options)
    assert shot_objective(np.array([[0.5, 0.0], [0.3, 0.4]]), W, 0.6, **options) > found + 0.05
    # Small enough a weight leaves it at zero.
    np.testing.assert_allclose(prox_ordered(W, 0.3, nonnegative=True), [[0.0, 0.0], [0.42, 0.56]], atol=1e-15)


def test_erratum_4_a_mixed_shot_keeps_its_positive_part():
    W = np.array([[3.0, -9.0, 4.0], [1.0, -1.0, -1.0]])
    np.testing.assert_array_equal(prox_ordered(W, 1.0, nonnegative=True), np.maximum(W, 0))


def test_erratum_5_norm_1_takes_the_positive_part_of_each_feature():
    W = np.random.default_rng(0).normal(size=(7, 4))
    Z = prox_ordered(W, 0.5, norm=1, nonnegative=True)
    np.testing.assert_array_equal(Z, np.maximum(prox_ordered(W, 0.5, norm=1, order="increments"), 0))


@signs
def test_erratum_7_with_l1_the_threshold_comes_first(nonnegative):
    W = np.array([[0.5, 0.2], [3.0, 4.0]])
    t, s = 2.0, 1.0
    Z = prox_ordered(W, t, penalty="l1", shrinkage=s, nonnegative=nonnegative)
    # Lengths start from 0.5 - 1, of the axis of the largest entry, and from |(2, 3)|.
    lengths = np.array([-0.5 + t, np.sqrt(13.0) - t])
    np.testing.assert_allclose(Z, [[lengths[0], 0.0], lengths[1] * np.array([2.0, 3.0]) / np.sqrt(13.0)])
    options = {"order": "nearly_isotonic", "norm": 2, "penalty": "l1", "shrinkage": s}
    found = shot_objective(Z, W, t, **options)
    printed = prox_ordered(W, t)
    printed = np.sign(printed) * np.maximum(np.abs(printed) - s, 0)
    assert shot_objective(printed, W, t, **options) > found + 0.02


def test_erratum_7_a_length_below_zero_is_not_taken_for_its_magnitude():
    W = np.array([[0.1, 0.0], [1.2, 0.0]])
    # Lengths start from -0.9 and 0.2: with z >= 0 both end at 0 once t is 0.2.
    np.testing.assert_allclose(
        prox_ordered(W, 0.1, penalty="l1", shrinkage=1.0), [[0.0, 0.0], [0.1, 0.0]], atol=1e-15
    )
    np.testing.assert_array_equal(prox_ordered(W, 0.5, penalty="l1", shrinkage=1.0), np.zeros((2, 2)))


def test_erratum_7_the_axis_takes_the_sign_of_its_entry():
    W = np.array([[-0.5, 0.2], [3.0, 4.0]])
    Z = prox_ordered(W, 2.0, penalty="l1", shrinkage=1.0)
    np.testing.assert_allclose(Z[0], [-1.5, 0.0])


@pytest.mark.parametrize("penalty", PENALTIES)
def test_erratum_12_the_step_multiplies_both_weights(penalty):
    W = np.random.default_rng(0).normal(size=(1, 6, 3))
    step, isotonic_alpha, alpha = 0.3, 2.0, 0.7
    Z = ShotPenalty(isotonic_alpha, alpha, penalty).prox(W, step)
    np.testing.assert_array_equal(
        Z, prox_ordered(W, step * isotonic_alpha, penalty=penalty, shrinkage=step * alpha)
    )
    if penalty == "l2":
        np.testing.assert_allclose(Z, prox_ordered(W, step * isotonic_alpha) / (1 + 2 * step * alpha))


# What a solver is given


@orders
@norms
@penalties
@signs
def test_shot_penalty_is_the_penalty_and_its_map(order, norm, penalty, nonnegative):
    rng = np.random.default_rng(0)
    W, pair_weights = rng.normal(size=(2, 6, 3)), rng.uniform(0, 1, 5)
    step = 0.4
    g = ShotPenalty(1.5, 0.2, penalty, norm, order, nonnegative, pair_weights)
    size = np.sum(W**2) if penalty == "l2" else np.abs(W).sum()
    omega = ordered_penalty(W, order=order, norm=norm, pair_weights=pair_weights)
    assert g.value(W) == pytest.approx(1.5 * omega + 0.2 * size, rel=1e-13)
    options = {"order": order, "norm": norm, "penalty": penalty, "nonnegative": nonnegative}
    Z = g.prox(W, step)
    np.testing.assert_allclose(
        Z, prox_ordered(W, step * 1.5 * pair_weights, shrinkage=step * 0.2, **options), rtol=1e-14, atol=1e-15
    )
    before = W.copy()
    out = np.empty_like(W)
    assert g.prox(W, step, out) is out
    np.testing.assert_array_equal(out, Z)
    np.testing.assert_array_equal(W, before)
    assert g.prox(W, step, W) is W
    np.testing.assert_array_equal(W, Z)


@orders
@signs
def test_shot_penalty_does_not_rise_under_its_map(order, nonnegative):
    # The definition of the minimiser, with W itself as the other point.
    rng = np.random.default_rng(0)
    W = np.abs(rng.normal(size=(2, 6, 3)))
    for norm in (1, 2):
        g = ShotPenalty(1.5, 0.2, "l1", norm, order, nonnegative)
        Z = g.prox(W, 0.4)
        assert np.sum((Z - W) ** 2) / 0.8 + g.value(Z) <= g.value(W)


@orders
def test_prox_norms_are_the_norms_of_the_map(order):
    rng = np.random.default_rng(0)
    W = rng.normal(size=(1, 7, 4))
    g = ShotPenalty(1.5, 0.2, order=order, pair_weights=rng.uniform(0, 1, (1, 6)))
    norms = np.linalg.norm(W[0], axis=1)
    before = norms.copy()
    np.testing.assert_allclose(
        g.prox_norms(norms, 0.4), np.linalg.norm(g.prox(W, 0.4)[0], axis=1), rtol=1e-13
    )
    np.testing.assert_array_equal(norms, before)


@pytest.mark.parametrize("change", [{"norm": 1}, {"penalty": "l1"}, {"nonnegative": True}])
def test_prox_norms_says_when_norms_are_not_enough(change):
    with pytest.raises(ValueError, match="prox_norms needs norm=2, penalty='l2' and nonnegative=False"):
        ShotPenalty(1.0, 1.0, **change).prox_norms(np.ones(3), 0.1)


def test_shot_penalty_without_weights_is_the_constraint_alone():
    W = np.array([[[1.0, -2.0], [-3.0, 4.0]]])
    assert ShotPenalty(0.0, 0.0).value(W) == 0.0
    np.testing.assert_array_equal(ShotPenalty(0.0, 0.0).prox(W, 1.0), W)
    np.testing.assert_array_equal(ShotPenalty(0.0, 0.0, nonnegative=True).prox(W, 1.0), np.maximum(W, 0))


# Inputs


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
@norms
def test_type_layout_and_input_are_kept(norm, dtype):
    base = (4 * np.random.default_rng(0).normal(size=(4, 6, 2))).astype(dtype)
    before = base.copy()
    W = base[::2, ::-1]
    Z = prox_ordered(W, 0.5, norm=norm)
    assert Z.shape == W.shape
    assert Z.dtype == (np.float64 if dtype == np.int64 else dtype)
    np.testing.assert_array_equal(Z, prox_ordered(W.astype(np.float64), 0.5, norm=norm).astype(Z.dtype))
    np.testing.assert_array_equal(base, before)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"W": [[1.0, np.nan]]}, ValueError, "W contains NaN"),
        ({"W": [[1.0, 1j]]}, ValueError, "W must be an array of real numbers"),
        ({"W": [1.0, 2.0]}, ValueError, r"W has shape \(2,\), expected \(n_shots, n_features\)"),
        ({"W": np.zeros((0, 2))}, ValueError, "W is empty"),
        ({"t": -1.0}, ValueError, "t must be at least 0"),
        ({"t": np.nan}, ValueError, "t must be at least 0"),
        ({"t": [1.0, 2.0]}, ValueError, r"t has shape \(2,\), expected a number or shape \(1,\) or \(1, 1\)"),
        ({"order": "tv"}, ValueError, "order must be one of 'nearly_isotonic'"),
        ({"norm": 3}, ValueError, "norm must be 1 .* or 2 .*, got 3"),
        ({"norm": True}, ValueError, "norm must be 1 .* or 2 .*, got True"),
        ({"penalty": "l3"}, ValueError, "penalty must be one of 'l2', 'l1'"),
        ({"shrinkage": -0.1}, ValueError, "shrinkage must be finite and at least 0"),
        ({"shrinkage": np.inf}, ValueError, "shrinkage must be finite"),
        ({"nonnegative": "yes"}, TypeError, "nonnegative must be True or False"),
    ],
)
def test_wrong_input_is_named(change, error, message):
    arguments = {"W": [[1.0, 2.0], [2.0, 3.0]], "t": 1.0} | change
    with pytest.raises(error, match=message):
        prox_ordered(arguments.pop("W"), arguments.pop("t"), **arguments)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"isotonic_alpha": -1.0}, ValueError, "isotonic_alpha must be finite and at least 0"),
        ({"alpha": np.nan}, ValueError, "alpha must be finite and at least 0"),
        ({"alpha": "1"}, TypeError, "alpha must be a real number"),
        ({"order": "tv"}, ValueError, "order must be one of"),
        ({"pair_weights": np.array(1.0)}, ValueError, r"pair_weights has shape \(\)"),
        ({"pair_weights": np.array([-1.0])}, ValueError, "pair_weights must be at least 0"),
        ({"pair_weights": np.array([np.inf])}, ValueError, "pair_weights has an infinite weight"),
    ],
)
def test_wrong_penalties_are_named(change, error, message):
    with pytest.raises(error, match=message):
        ShotPenalty(**({"isotonic_alpha": 1.0, "alpha": 1.0} | change))


def test_wrong_pair_weights_of_the_penalty_are_named():
    W = np.ones((3, 2))
    with pytest.raises(ValueError, match="pair_weights has an infinite weight"):
        ordered_penalty(W, pair_weights=np.inf)
    with pytest.raises(ValueError, match=r"pair_weights has shape \(3,\), expected a number or shape \(2,\)"):
        ordered_penalty(W, pair_weights=[1.0, 1.0, 1.0])

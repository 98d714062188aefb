import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from reference.ordered_prox import omega, pair_bounds, vector_prox
from widemargin.proximal import prox_absolute, prox_increments, prox_nearly_isotonic, prox_total_variation

MAPS = {
    "nearly_isotonic": prox_nearly_isotonic,
    "increments": prox_increments,
    "absolute": prox_absolute,
    "total_variation": prox_total_variation,
}
ON_MAGNITUDES = ("nearly_isotonic", "absolute")
orders = pytest.mark.parametrize("order", list(MAPS))

# Far from underflow, where a product of tiny numbers loses its digits.
numbers = st.floats(-100, 100).map(lambda x: round(x, 6))
vectors = st.lists(numbers, min_size=1, max_size=12).map(np.array)
weights = st.floats(0, 100).map(lambda x: round(x, 6))


def objective(z, w, t, order):
    values = np.abs(z) if order in ON_MAGNITUDES else z
    return 0.5 * np.sum((z - w) ** 2) + omega(values, *pair_bounds(order, t, len(w)))


def first_and_last(m):
    """e1 - em."""
    e = np.zeros(m)
    e[0] += 1.0
    e[-1] -= 1.0
    return e


def random_cases(n, nonnegative=False, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        m = int(rng.integers(1, 12))
        w = rng.normal(size=m) if rng.random() < 0.5 else rng.integers(-3, 4, m).astype(float)
        yield np.abs(w) if nonnegative else w, float(rng.choice([0.0, 0.1, 0.7, 2.0, 20.0]))


def test_hand_worked_pairs():
    np.testing.assert_array_equal(prox_nearly_isotonic([1.0, -3.0], 0.5), [1.5, -2.5])
    np.testing.assert_array_equal(prox_nearly_isotonic([1.0, -3.0], 1.0), [2.0, -2.0])
    np.testing.assert_array_equal(prox_nearly_isotonic([1.0, -3.0], 7.0), [2.0, -2.0])
    np.testing.assert_array_equal(prox_increments([1.0, -3.0], 0.5), [1.0, -3.0])
    np.testing.assert_array_equal(prox_increments([-3.0, 1.0], 0.5), [-2.5, 0.5])
    np.testing.assert_array_equal(prox_absolute([3.0, -1.0], 0.5), [2.5, -1.5])
    np.testing.assert_array_equal(prox_total_variation([3.0, -1.0], 0.5), [2.5, -0.5])


@orders
@pytest.mark.parametrize("nonnegative", [False, True])
def test_equals_the_naive_twin(order, nonnegative):
    for w, t in random_cases(40):
        w = w[:5]
        z, twin = MAPS[order](w, t, nonnegative=nonnegative), vector_prox(w, t, order, nonnegative)
        if order in ON_MAGNITUDES and not nonnegative:
            z, twin = np.where(w == 0, np.abs(z), z), np.where(w == 0, np.abs(twin), twin)
        np.testing.assert_allclose(z, twin, atol=1e-9, err_msg=f"w={w}, t={t}")


@orders
@settings(max_examples=60, deadline=None)
@given(w=vectors, t=weights, seed=st.integers(0, 1000))
def test_no_other_point_is_better(order, w, t, seed):
    rng = np.random.default_rng(seed)
    z = MAPS[order](w, t)
    best = objective(z, w, t, order)
    rounding = 1e-12 * (1 + best + w @ w)
    for scale in (1e-3, 1.0, 30.0):
        for _ in range(5):
            other = z + scale * rng.normal(size=len(w)) * (rng.random(len(w)) < 0.5)
            assert objective(other, w, t, order) >= best - rounding
    for other in (w, -z, np.abs(z), np.zeros_like(w), np.full_like(w, w.mean())):
        assert objective(other, w, t, order) >= best - rounding


@orders
@settings(max_examples=60, deadline=None)
@given(w=vectors, t=weights, factor=st.sampled_from([0.25, 2.0, 3.0, 1e6]))
def test_scales_with_its_arguments(order, w, t, factor):
    z = MAPS[order](w, t)
    np.testing.assert_allclose(
        MAPS[order](factor * w, factor * t), factor * z, rtol=1e-12, atol=1e-12 * factor * np.abs(w).max()
    )


@orders
def test_t_zero_and_single_entries_change_nothing(order):
    w = np.array([1.0, -2.0, 0.5, 3.0])
    np.testing.assert_array_equal(MAPS[order](w, 0.0), w)
    np.testing.assert_array_equal(MAPS[order](w[:, None], np.inf), w[:, None])
    np.testing.assert_array_equal(MAPS[order](w, 0.0, nonnegative=True), np.maximum(w, 0))
    np.testing.assert_array_equal(MAPS[order]([-2.0], 5.0, nonnegative=True), [0.0])
    np.testing.assert_array_equal(MAPS[order]([2.0], []), [2.0])


@settings(max_examples=100, deadline=None)
@given(w=vectors)
def test_without_limit_it_is_isotonic_regression(w):
    fitted = IsotonicRegression(increasing=False).fit_transform(np.arange(len(w)), w)
    np.testing.assert_allclose(prox_increments(w, np.inf), fitted, atol=1e-11)
    magnitudes = IsotonicRegression(increasing=False).fit_transform(np.arange(len(w)), np.abs(w))
    np.testing.assert_allclose(np.abs(prox_nearly_isotonic(w, np.inf)), magnitudes, atol=1e-11)


@settings(max_examples=50, deadline=None)
@given(w=vectors)
def test_without_limit_the_two_sided_ones_are_constant(w):
    np.testing.assert_allclose(prox_total_variation(w, np.inf), w.mean(), atol=1e-12)
    np.testing.assert_allclose(np.abs(prox_absolute(w, np.inf)), np.abs(w).mean(), atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ordered_rows_come_back_exactly(dtype):
    rng = np.random.default_rng(0)
    rows = -np.sort(-np.abs(rng.normal(size=(40, 300))), axis=1).astype(dtype)
    rows *= rng.choice([-1, 1], rows.shape)
    np.testing.assert_array_equal(prox_nearly_isotonic(rows, 1e8), rows)
    np.testing.assert_array_equal(prox_nearly_isotonic(rows, np.inf), rows)
    descending = -np.sort(-rows, axis=1)
    np.testing.assert_array_equal(prox_increments(descending, 1e8), descending)


def test_nearly_ordered_rows_keep_their_digits_under_a_large_weight():
    w = np.append(-np.sort(-np.random.default_rng(0).random(500)), 0.25)
    expected = IsotonicRegression(increasing=False).fit_transform(np.arange(len(w)), w)
    np.testing.assert_allclose(prox_increments(w, 1e8), expected, rtol=1e-14)
    single = prox_increments(w.astype(np.float32), 1e4)
    np.testing.assert_allclose(single, expected, rtol=2e-7)


def test_the_order_among_magnitudes_is_kept_where_the_weight_is_small():
    # Neighbours never change places: a map of a penalty on differences.
    for w, t in random_cases(100):
        z = prox_total_variation(w, t)
        assert np.all(np.diff(z) * np.diff(w) >= -1e-12)


# Verified formulas of the paper


def test_equation_25_twice_the_penalty_is_total_variation_plus_last_minus_first():
    for z, _ in random_cases(200, nonnegative=True):
        one_sided = np.maximum(np.diff(np.abs(z)), 0).sum()
        assert 2 * one_sided == pytest.approx(np.abs(np.diff(z)).sum() + z[-1] - z[0], abs=1e-12)


def test_equation_25_needs_nonnegative_entries():
    z = np.array([1.0, -2.0])
    assert 2 * np.maximum(np.diff(np.abs(z)), 0).sum() != np.abs(np.diff(z)).sum() + z[-1] - z[0]


@pytest.mark.parametrize("gamma", [0.0, 0.3, 2.0])
def test_theorem_1_on_nonnegative_vectors(gamma):
    """Equations (27) and (28) with (29) and (30), 600 cases in all, against the convex problem on the left."""
    for w, eta in random_cases(200, nonnegative=True, seed=int(10 * gamma)):
        rise, fall = pair_bounds("nearly_isotonic", eta, len(w))
        shifted = w + eta / 2 * first_and_last(len(w))
        nested = np.maximum(prox_total_variation(shifted, eta / 2), 0)

        def left(z, penalty, w=w, rise=rise, fall=fall):
            return 0.5 * np.sum((z - w) ** 2) + omega(z, rise, fall) + penalty(z)

        np.testing.assert_allclose(nested, prox_nearly_isotonic(w, eta, nonnegative=True), atol=1e-12)
        for scaled, penalty in (
            (nested / (1 + 2 * eta * gamma), lambda z, c=eta * gamma: c * z @ z),
            (np.maximum(nested - eta * gamma, 0), lambda z, c=eta * gamma: c * np.abs(z).sum()),
        ):
            best = left(scaled, penalty)
            rng = np.random.default_rng(0)
            # The left hand side is convex: no direction leads down.
            for scale in (1e-4, 1e-1):
                for direction in rng.normal(size=(4, len(w))):
                    assert left(np.maximum(scaled + scale * direction, 0), penalty) >= best - 1e-12


def test_equation_7_is_total_variation_of_a_shifted_vector():
    for w, t in random_cases(200):
        shifted = w + t / 2 * first_and_last(len(w))
        np.testing.assert_allclose(prox_increments(w, t), prox_total_variation(shifted, t / 2), atol=1e-11)


def test_equation_8_is_total_variation_of_the_magnitudes():
    for w, t in random_cases(200):
        signs = np.where(w < 0, -1.0, 1.0)
        np.testing.assert_allclose(
            prox_absolute(w, t), signs * prox_total_variation(np.abs(w), t), atol=1e-12
        )


def test_equation_9_is_total_variation():
    for w, t in random_cases(30):
        np.testing.assert_allclose(
            prox_total_variation(w, t), vector_prox(w, t, "total_variation"), atol=1e-9
        )


# Errata


def test_erratum_1_a_zero_has_the_sign_plus():
    w, printed = np.array([0.0, 1.0]), np.array([0.0, 0.5])
    z = prox_nearly_isotonic(w, 1.0)
    np.testing.assert_array_equal(z, [0.5, 0.5])
    assert objective(z, w, 1.0, "nearly_isotonic") == 0.25
    assert objective(printed, w, 1.0, "nearly_isotonic") == 0.625


def test_erratum_1_both_signs_of_a_zero_minimise():
    w = np.array([0.0, 1.0])
    z = prox_nearly_isotonic(w, 1.0)
    assert objective(z * [-1, 1], w, 1.0, "nearly_isotonic") == objective(z, w, 1.0, "nearly_isotonic")
    np.testing.assert_array_equal(prox_nearly_isotonic([-0.0, 1.0], 1.0), [0.5, 0.5])


def test_erratum_5_the_nonnegative_form_takes_the_positive_part_last():
    for w, t in random_cases(200):
        shifted = w + t / 2 * first_and_last(len(w))
        expected = np.maximum(prox_total_variation(shifted, t / 2), 0)
        np.testing.assert_allclose(prox_nearly_isotonic(w, t, nonnegative=True), expected, atol=1e-11)


# Inputs


@orders
def test_rows_are_mapped_one_by_one(order):
    stack = np.random.default_rng(0).normal(size=(3, 2, 6))
    z = MAPS[order](stack, 0.4)
    assert z.shape == stack.shape
    for i, j in np.ndindex(3, 2):
        np.testing.assert_array_equal(z[i, j], MAPS[order](stack[i, j], 0.4))


@orders
@pytest.mark.parametrize("nonnegative", [False, True])
def test_input_is_not_changed_and_need_not_be_contiguous(order, nonnegative):
    base = np.random.default_rng(0).normal(size=(14, 9))
    before = base.copy()
    rows = base[::2, ::-1].T
    rows.setflags(write=False)
    z = MAPS[order](rows, 0.4, nonnegative=nonnegative)
    np.testing.assert_array_equal(z, MAPS[order](np.ascontiguousarray(rows), 0.4, nonnegative=nonnegative))
    np.testing.assert_array_equal(base, before)
    assert not np.shares_memory(MAPS[order](base, 0.0), base)


@orders
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_short_floats_keep_their_type_and_are_mapped_in_double(order, dtype):
    w = np.random.default_rng(0).normal(size=(5, 40)).astype(dtype)
    z = MAPS[order](w, 0.3)
    assert z.dtype == dtype
    np.testing.assert_array_equal(z, MAPS[order](w.astype(np.float64), 0.3).astype(dtype))


def test_whole_numbers_and_lists_become_doubles():
    z = prox_nearly_isotonic([1, 2], 1)
    assert z.dtype == np.float64
    np.testing.assert_array_equal(z, [1.5, 1.5])
    np.testing.assert_array_equal(prox_nearly_isotonic(np.array([1, 2], dtype=np.uint8), 1), z)


@orders
def test_each_pair_can_have_its_weight(order):
    rng = np.random.default_rng(0)
    for _ in range(30):
        w = rng.normal(size=5)
        t = rng.choice([0.0, 0.2, 1.0, np.inf], 4)
        finite = np.minimum(t, 100.0)
        np.testing.assert_allclose(MAPS[order](w, t), vector_prox(w, finite, order), atol=1e-9)


@orders
def test_a_pair_without_weight_splits_the_row(order):
    w = np.random.default_rng(1).normal(size=8)
    t = np.array([0.5, 0.2, 0.0, 0.3, 0.9, 0.0, 1.0])
    parts = [MAPS[order](w[:3], t[:2]), MAPS[order](w[3:6], t[3:5]), MAPS[order](w[6:], t[6:])]
    np.testing.assert_array_equal(MAPS[order](w, t), np.concatenate(parts))


@orders
@pytest.mark.parametrize(
    ("w", "t", "error", "message"),
    [
        ([1.0, np.nan], 1.0, ValueError, "w contains NaN"),
        ([1.0, -np.inf], 1.0, ValueError, "w contains infinity"),
        (np.array([1.0, np.nan], dtype=np.float32), 1.0, ValueError, "w contains NaN"),
        ([1.0, 1e80], 1.0, ValueError, "w has values of up to 1e\\+80"),
        ([1.0, 2j], 1.0, ValueError, "w must be an array of real numbers"),
        (["a", "b"], 1.0, ValueError, "w must be an array of real numbers"),
        ([], 1.0, ValueError, "w is empty"),
        (np.zeros((3, 0)), 1.0, ValueError, "w is empty"),
        (np.zeros((0, 3)), 1.0, ValueError, "w is empty"),
        (5.0, 1.0, ValueError, "w is a single number"),
        ([1.0, 2.0], -1.0, ValueError, "t must be at least 0"),
        ([1.0, 2.0], np.nan, ValueError, "t must be at least 0 .* got NaN"),
        ([1.0, 2.0], [-1.0], ValueError, "t must be at least 0"),
        ([1.0, 2.0], [np.nan], ValueError, "t must be at least 0"),
        ([1.0, 2.0], [1.0, 2.0], ValueError, r"t has shape \(2,\), expected a number or shape \(1,\)"),
        ([1.0, 2.0], [[1.0]], ValueError, r"t has shape \(1, 1\)"),
        ([1.0, 2.0], 1j, ValueError, "t must be an array of real numbers"),
        ([1.0, 2.0], "1", TypeError, "t must be a number"),
        ([1.0, 2.0], None, TypeError, "t must be a number"),
        ([1.0, 2.0], True, TypeError, "t must be a number"),
    ],
)
def test_wrong_input_is_named(order, w, t, error, message):
    with pytest.raises(error, match=message):
        MAPS[order](w, t)


@orders
def test_nonnegative_is_a_bool(order):
    with pytest.raises(TypeError, match="nonnegative must be True or False"):
        MAPS[order]([1.0], 1.0, nonnegative=1)

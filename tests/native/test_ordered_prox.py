from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.ordered_prox import dual_prox, magnitude_prox, omega
from widemargin import _native

BOUNDS = (0.0, 0.1, 0.5, 1.0, 3.0, np.inf)


def mapped(w, rise, fall, sign="free"):
    rows = np.array(w)[None]
    _native.prox_rows(rows, rise, fall, sign)
    return rows[0]


def case(seed):
    """A vector of real or of tied whole numbers, and one-, two-sided or mixed bounds with some of 0 and infinity."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(1, 9))
    w = rng.normal(size=m) if rng.random() < 0.5 else rng.integers(-3, 4, m).astype(float)
    rise = rng.choice(BOUNDS, m - 1)
    fall = [np.zeros(m - 1), rise.copy(), rng.choice(BOUNDS, m - 1)][seed % 3]
    return w, rise, fall


@pytest.mark.parametrize("sign", ["free", "nonnegative"])
@pytest.mark.parametrize("block", range(5))
def test_equals_bounded_least_squares(block, sign):
    for seed in range(100 * block, 100 * (block + 1)):
        w, rise, fall = case(seed)
        twin = dual_prox(w, rise, fall, nonnegative=sign == "nonnegative")
        # The twin's active set method is exact up to the solution of a small dense system.
        np.testing.assert_allclose(mapped(w, rise, fall, sign), twin, atol=1e-9, err_msg=f"seed {seed}")


def test_magnitudes_equal_the_best_of_all_sign_patterns():
    for seed in range(60):
        w, rise, fall = case(seed)
        if len(w) > 5:
            continue
        # Infinity times no violation is no number; a bound of 100 is beyond reach as well.
        rise, fall = np.minimum(rise, 100.0), np.minimum(fall, 100.0)
        z, twin = mapped(w, rise, fall, "magnitude"), magnitude_prox(w, rise, fall)
        # Where w is zero either sign minimises.
        np.testing.assert_allclose(np.abs(z), np.abs(twin), atol=1e-9, err_msg=f"seed {seed}")
        np.testing.assert_array_equal(z[w != 0] * w[w != 0] >= 0, True)
        assert np.all(z[w == 0] >= 0)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=60),
    st.floats(0, 200),
    st.floats(0, 200),
    st.randoms(use_true_random=False),
)
def test_satisfies_the_optimality_conditions(entries, rise, fall, random):
    w = np.array(entries)
    m = len(w)
    # Some pairs are not linked at all.
    linked = np.array([random.random() < 0.8 for _ in range(m - 1)], dtype=float)
    z = mapped(w, rise * linked, fall * linked)
    # The dual solution is the running sum of z - w; it is at its bound wherever neighbours differ.
    dual = np.cumsum(z - w)
    size = 1e-13 * m * max(1.0, np.abs(w).max())
    assert abs(dual[-1]) <= m * size
    steps = np.diff(z)
    assert np.all(dual[:-1] <= rise * linked + m * size)
    assert np.all(dual[:-1] >= -fall * linked - m * size)
    np.testing.assert_allclose(dual[:-1][steps > size], (rise * linked)[steps > size], atol=m * size)
    np.testing.assert_allclose(dual[:-1][steps < -size], -(fall * linked)[steps < -size], atol=m * size)


@pytest.mark.parametrize(
    "kind", ["noise", "up", "down", "nearly up", "nearly down", "saw", "sorted", "growing saw"]
)
@pytest.mark.parametrize("t", [1e-3, 0.1, 10.0, 1e4, 1e8])
def test_long_rows_satisfy_the_optimality_conditions(kind, t):
    m, rng = 1000, np.random.default_rng(0)
    ramp, noise = np.linspace(0, 1, m), rng.normal(size=m)
    w = {
        "noise": noise,
        "up": ramp,
        "down": -ramp,
        "nearly up": ramp + 1e-3 * noise,
        "nearly down": -ramp + 1e-3 * noise,
        "saw": np.arange(m) % 7 / 7.0,
        "sorted": np.sort(noise),
        "growing saw": np.where(np.arange(m) % 2, ramp, -ramp),
    }[kind]
    for rise, fall in ((t, 0.0), (t, t), (0.3 * t, t)):
        z = mapped(w, np.full(m - 1, rise), np.full(m - 1, fall))
        dual, steps = np.cumsum(z - w)[:-1], np.diff(z)
        # Sums of a thousand numbers of this size.
        size = 1e-11
        assert abs((z - w).sum()) <= size
        assert dual.max() <= rise + size
        assert dual.min() >= -fall - size
        np.testing.assert_allclose(dual[steps > 1e-13], rise, atol=size)
        np.testing.assert_allclose(dual[steps < -1e-13], -fall, atol=size)


def test_a_large_bound_costs_no_digits():
    # Pools of known means: any bound beyond reach gives the same, to the last digits.
    rng = np.random.default_rng(0)
    w = rng.normal(size=200)
    unbounded = mapped(w, np.full(199, np.inf), np.zeros(199))
    for t in (1e3, 1e8, 1e15, 1e300):
        np.testing.assert_array_equal(mapped(w, np.full(199, t), np.zeros(199)), unbounded)
    constant = mapped(w, np.full(199, 1e15), np.full(199, 1e15))
    np.testing.assert_allclose(constant, w.mean(), atol=1e-15)


def test_pairs_without_weight_split_a_row():
    rng = np.random.default_rng(0)
    w, rise = rng.normal(size=20), rng.uniform(0, 1, 19)
    rise[[0, 7, 8, 18]] = 0.0
    whole = mapped(w, rise, rise)
    edges = [0, 1, 8, 9, 19, 20]
    parts = [mapped(w[a:b], rise[a : b - 1], rise[a : b - 1]) for a, b in pairwise(edges)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_rows_that_need_no_change_keep_every_bit():
    rows = np.array([[3.0, -2.0, 2.0, -0.0], [0.1, 0.1, -0.1, 0.0]])
    before = rows.tobytes()
    _native.prox_rows(rows, np.full(3, 1e8), np.zeros(3), "magnitude")
    assert rows.tobytes() == before


@pytest.mark.parametrize("d", [1, 7, 8, 9, 700])
@pytest.mark.parametrize("m", [1, 2, 5, 1200])
@pytest.mark.parametrize("sign", ["free", "magnitude", "nonnegative"])
def test_columns_equal_rows(sign, m, d):
    rng = np.random.default_rng(m + d)
    W = rng.normal(size=(2, m, d))
    rise, fall = rng.uniform(0, 1, (2, 2, m - 1))
    out = np.full_like(W, np.nan)
    _native.prox_shots(W, rise, fall, 1, sign, 0.0, 1.0, out)
    for e in range(2):
        rows = W[e].T.copy()
        _native.prox_rows(rows, rise[e], fall[e], sign)
        np.testing.assert_array_equal(out[e], rows.T)
    _native.prox_shots(W, rise, fall, 1, sign, 0.0, 1.0, W)
    np.testing.assert_array_equal(W, out)


def test_single_precision_is_computed_in_double():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, 30)).astype(np.float32)
    double = rows.astype(np.float64)
    for array in (rows, double):
        _native.prox_rows(array, np.full(29, 0.3), np.full(29, 0.1), "magnitude")
    np.testing.assert_array_equal(rows, double.astype(np.float32))


@pytest.mark.parametrize("norm", [1, 2])
def test_what_is_taken_off_comes_last(norm):
    rng = np.random.default_rng(0)
    W, rise = np.abs(rng.normal(size=(1, 6, 4))), np.full((1, 5), 0.4)
    plain, scaled = np.empty_like(W), np.empty_like(W)
    _native.prox_shots(W, rise, 0 * rise, norm, "magnitude", 0.0, 1.0, plain)
    _native.prox_shots(W, rise, 0 * rise, norm, "magnitude", 0.0, 0.25, scaled)
    np.testing.assert_allclose(scaled, 0.25 * plain, rtol=1e-15)


@pytest.mark.parametrize("size", [1e-200, 1e-310, 1e70])
def test_norms_and_their_map_do_not_overflow(size):
    W = size * np.array([[[3.0, 4.0], [0.0, 8.0]]])
    norms, out = np.empty((1, 2)), np.empty_like(W)
    _native.shot_norms(W, norms)
    np.testing.assert_allclose(norms / size, [[5.0, 8.0]], rtol=1e-12)
    _native.prox_shots(W, np.array([[size]]), np.zeros((1, 1)), 2, "magnitude", 0.0, 1.0, out)
    np.testing.assert_allclose(out / size, [[[3.6, 4.8], [0.0, 7.0]]], rtol=1e-12, atol=1e-12)


def test_a_tiny_shot_can_grow():
    # The quotient of the lengths overflows.
    W = np.array([[[3e-310, 4e-310], [0.0, 2.0]]])
    out = np.empty_like(W)
    _native.prox_shots(W, np.array([[1.0]]), np.zeros((1, 1)), 2, "magnitude", 0.0, 1.0, out)
    np.testing.assert_allclose(out, [[[0.6, 0.8], [0.0, 1.0]]], rtol=1e-12)


@pytest.mark.parametrize("magnitude", [False, True])
@pytest.mark.parametrize("d", [1, 3, 33])
def test_penalty_equals_the_sum_of_its_terms(d, magnitude):
    rng = np.random.default_rng(d)
    W = rng.normal(size=(2, 5, d))
    rise, fall = rng.uniform(0, 1, (2, 2, 4))
    columns = np.abs(W) if magnitude else W
    terms = sum(omega(column, rise[e], fall[e]) for e in range(2) for column in columns[e].T)
    assert _native.order_penalty(W, rise, fall, magnitude) == pytest.approx(terms, rel=1e-13)


def test_shapes_and_words_are_checked():
    W, pairs = np.zeros((1, 3, 2)), np.zeros((1, 2))
    out = np.zeros_like(W)
    with pytest.raises(ValueError, match="vectors differ in length"):
        _native.prox_rows(np.zeros((2, 3)), np.zeros(3), np.zeros(2), "free")
    with pytest.raises(ValueError, match="rows are empty"):
        _native.prox_rows(np.zeros((2, 0)), np.zeros(0), np.zeros(0), "free")
    with pytest.raises(ValueError, match="sign is not"):
        _native.prox_rows(np.zeros((2, 3)), np.zeros(2), np.zeros(2), "positive")
    with pytest.raises(TypeError):
        _native.prox_rows(np.zeros((3, 2)).T, np.zeros(2), np.zeros(2), "free")
    with pytest.raises(ValueError, match="bounds do not have one row a class"):
        _native.prox_shots(W, np.zeros((2, 2)), pairs, 2, "magnitude", 0.0, 1.0, out)
    with pytest.raises(ValueError, match="there are no shots"):
        _native.prox_shots(np.zeros((1, 0, 2)), pairs, pairs, 2, "magnitude", 0.0, 1.0, out)
    with pytest.raises(ValueError, match="differ in shape"):
        _native.prox_shots(W, pairs, pairs, 2, "magnitude", 0.0, 1.0, np.zeros((1, 3, 3)))
    with pytest.raises(ValueError, match="norms are not of free sign"):
        _native.prox_shots(W, pairs, pairs, 2, "free", 0.0, 1.0, out)
    with pytest.raises(ValueError, match="norm is not 1 or 2"):
        _native.prox_shots(W, pairs, pairs, 3, "magnitude", 0.0, 1.0, out)
    with pytest.raises(ValueError, match="threshold and scale"):
        _native.prox_shots(W, pairs, pairs, 2, "magnitude", -1.0, 1.0, out)
    with pytest.raises(ValueError, match="norms do not have"):
        _native.shot_norms(W, np.zeros((1, 2)))

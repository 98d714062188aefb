import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widemargin.solvers.intercepts import hinge_intercept, slack_intercepts


def hinge(b, outputs, y, margins, C):
    return C @ np.maximum(0, margins - y * (outputs + b))


@given(seed=st.integers(0, 10_000), n=st.integers(2, 12))
def test_hinge_intercept_beats_every_knot(seed, n):
    rng = np.random.default_rng(seed)
    outputs, margins = rng.normal(size=n), rng.choice([0.0, 0.1, 1.0, 2.0], size=n)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    C = rng.choice([1.0, 1e-3, 5.0], size=n)
    b, value = hinge_intercept(outputs, y, margins, C)
    # A convex piecewise linear function has a minimum at one of its knots.
    best = min(hinge(knot, outputs, y, margins, C) for knot in y * margins - outputs)
    assert value == pytest.approx(best, rel=1e-12, abs=1e-12)
    # The compiled loop adds in another order than the product here.
    assert hinge(b, outputs, y, margins, C) == pytest.approx(value, rel=1e-12, abs=1e-12)


def test_hinge_intercept_takes_the_middle_of_a_flat_minimum():
    # Separated with room: every b in [-2, 2] costs nothing.
    b, value = hinge_intercept(np.array([3.0, -3.0]), np.array([1.0, -1.0]), np.ones(2), np.ones(2))
    assert (b, value) == (0.0, 0.0)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_hinge_intercept_of_one_class_is_the_finite_end(sign):
    b, value = hinge_intercept(np.array([0.5, 2.0]), np.full(2, sign), np.ones(2), np.ones(2))
    assert value == 0.0
    assert b == (0.5 if sign > 0 else -3.0)


@given(seed=st.integers(0, 10_000), n=st.integers(4, 12), ordinary=st.integers(0, 3))
def test_slack_intercepts_are_optimal_among_all_knots(seed, n, ordinary):
    rng = np.random.default_rng(seed)
    outputs, slacks = rng.normal(size=n), rng.normal(size=n - ordinary)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    C = rng.uniform(0.1, 2, size=n)
    p = n - ordinary

    def value(b):
        need = 1 - y * (outputs + b)
        b_star = max((-slacks).max(), (need[:p] - slacks).max())
        return C[:p] @ (slacks + b_star) + C[p:] @ np.maximum(0, need[p:])

    b, b_star, found = slack_intercepts(outputs, slacks, y, C)
    assert (slacks + b_star).min() >= -1e-12
    assert (slacks + b_star - (1 - y * (outputs + b))[:p]).min() >= -1e-12
    assert found == pytest.approx(value(b), rel=1e-12, abs=1e-12)
    # Knots lie where two of the linear pieces meet; a fine grid around the range of all of them finds no less.
    grid = np.linspace(-6, 6, 2401)
    assert found <= min(value(b) for b in grid) + 1e-12


def test_slack_intercepts_with_one_class_among_the_privileged_samples():
    outputs = np.array([0.2, -0.4, 1.0, -1.0])
    b, b_star, value = slack_intercepts(outputs, np.zeros(2), np.array([1.0, 1.0, 1.0, -1.0]), np.ones(4))
    assert np.isfinite([b, b_star, value]).all()
    assert b_star >= max(0.0, 1 - (-0.4 + b)) - 1e-12

import numpy as np
import pytest

from reference.svm_dual import hinge_intercept as naive_intercept
from reference.svm_dual import hinge_loss
from widemargin._native import hinge_intercept


@pytest.mark.parametrize("seed", range(30))
def test_equals_the_best_breakpoint(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    output, margins = rng.normal(size=n), rng.normal(1.0, 1.0, size=n)
    y = rng.choice([-1.0, 1.0], size=n)
    C = 10.0 ** rng.uniform(-3.5, 3.5, size=n)
    intercept, value = hinge_intercept(output, y, margins, C)
    expected, least = naive_intercept(output, y, margins, C)
    # Weights differ by up to 1e7, so rounding is relative to their sum.
    assert value == pytest.approx(least, rel=1e-12, abs=1e-14 * C.sum())
    assert value == pytest.approx(
        hinge_loss(intercept, output, y, margins, C), rel=1e-12, abs=1e-14 * C.sum()
    )
    assert intercept == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_unit_weights_make_flat_pieces_whose_middle_is_taken(seed):
    rng = np.random.default_rng(seed)
    n = 12
    output, margins, C = rng.normal(size=n), np.ones(n), np.ones(n)
    y = np.repeat([-1.0, 1.0], n // 2)
    intercept, _ = hinge_intercept(output, y, margins, C)
    assert intercept == pytest.approx(naive_intercept(output, y, margins, C)[0], rel=1e-12)
    losses = [hinge_loss(intercept + step, output, y, margins, C) for step in (-1e-6, 0.0, 1e-6)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-12)
    assert losses[2] == pytest.approx(losses[1], rel=1e-12)


def test_hand_worked_middle():
    # Positives need b >= 1 - 2 = -1, negatives b <= 3 - 1 = 2: every b of [-1, 2] costs nothing.
    intercept, value = hinge_intercept(np.array([2.0, -3.0]), np.array([1.0, -1.0]), np.ones(2), np.ones(2))
    assert (intercept, value) == (0.5, 0.0)


@pytest.mark.parametrize(("label", "expected"), [(1.0, 3.0), (-1.0, -3.0)])
def test_one_class_takes_the_finite_end(label, expected):
    output = label * np.array([0.5, -2.0, 1.0])
    intercept, value = hinge_intercept(output, np.full(3, label), np.ones(3), np.array([1.0, 5.0, 2.0]))
    assert (intercept, value) == (expected, 0.0)


def test_ties_between_breakpoints():
    y = np.array([1.0, 1.0, -1.0, -1.0, -1.0])
    output = np.zeros(5)
    assert hinge_intercept(output, y, y * 0.25, np.ones(5)) == (0.25, 0.0)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="length"):
        hinge_intercept(np.zeros(3), np.ones(2), np.ones(3), np.ones(3))

"""The corrected resampled interval against numbers worked out by hand, and at its limits."""

import math

import numpy as np
import pytest

from widemargin.metrics import resampled_interval


def test_three_differences_worked_by_hand():
    # Mean 2, variance 1, factor 1/3 + 1/4 = 7/12; with two degrees of freedom both the distribution function,
    # 1/2 + t / (2 sqrt(2 + t^2)), and its inverse, p sqrt(2 / (1 - p^2)) at 1/2 + p/2, can be written down.
    interval = resampled_interval([1.0, 2.0, 3.0], n_train=40, n_test=10)
    error = math.sqrt(7 / 12)
    quantile = 0.95 * math.sqrt(2 / (1 - 0.95**2))
    t = 2 / error
    assert interval.mean_difference == 2.0
    assert interval.standard_error == pytest.approx(error, rel=1e-12)
    assert interval.low == pytest.approx(2 - quantile * error, rel=1e-9)
    assert interval.high == pytest.approx(2 + quantile * error, rel=1e-9)
    assert interval.p_value == pytest.approx(1 - t / math.sqrt(2 + t**2), rel=1e-9)
    assert (interval.level, interval.n_splits) == (0.95, 3)


def test_two_differences_follow_a_cauchy_distribution():
    # One degree of freedom: the quantile at 3/4, the end of the 50 % interval, is 1.
    interval = resampled_interval([0.0, 2.0], n_train=2, n_test=1, level=0.5)
    error = math.sqrt(2 * (1 / 2 + 1 / 2))
    assert interval.low == pytest.approx(1 - error, rel=1e-9)
    assert interval.high == pytest.approx(1 + error, rel=1e-9)


def test_more_splits_of_the_same_samples_do_not_make_it_sure():
    few = resampled_interval([0.0, 1.0] * 5, n_train=80, n_test=20)
    many = resampled_interval([0.0, 1.0] * 5000, n_train=80, n_test=20)
    # The standard error falls to s sqrt(n_test / n_train) = 0.5 * 0.5 and no further.
    assert many.standard_error == pytest.approx(0.25, rel=1e-3)
    assert 0.25 < many.standard_error < few.standard_error


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_p_value_and_interval_agree(level):
    rng = np.random.default_rng(0)
    for shift in rng.normal(size=50):
        interval = resampled_interval(rng.normal(shift, size=8), n_train=7, n_test=1, level=level)
        assert (interval.p_value <= 1 - level) == (not interval.low < 0 < interval.high)


def test_opposite_differences_give_the_mirror_image():
    there = resampled_interval([0.3, -0.1, 0.4, 0.2], n_train=3, n_test=1)
    back = resampled_interval([-0.3, 0.1, -0.4, -0.2], n_train=3, n_test=1)
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), rel=1e-12)
    assert back.p_value == pytest.approx(there.p_value, rel=1e-12)


def test_equal_differences():
    nothing = resampled_interval([0.0, 0.0, 0.0], n_train=4, n_test=1)
    assert (nothing.low, nothing.high, nothing.p_value) == (0.0, 0.0, 1.0)
    always = resampled_interval([0.1] * 7, n_train=4, n_test=1)
    assert (always.standard_error, always.p_value) == (0.0, 0.0)
    assert always.low == always.high == pytest.approx(0.1, rel=1e-12)


def test_one_difference_says_nothing():
    interval = resampled_interval([3.0], n_train=4, n_test=1)
    assert (interval.low, interval.high, interval.p_value) == (-math.inf, math.inf, 1.0)
    assert math.isnan(interval.standard_error)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"differences": []}, "differences must be one finite number a split"),
        ({"differences": [1.0, np.nan]}, "with 1 that are not finite"),
        ({"differences": [[1.0]]}, r"got shape \(1, 1\)"),
        ({"n_train": 0}, "n_train"),
        ({"n_test": -1}, "n_test"),
        ({"level": 95}, "level must lie strictly between 0 and 1"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        resampled_interval(**({"differences": [1.0, 2.0], "n_train": 4, "n_test": 1} | arguments))

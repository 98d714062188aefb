import numpy as np
import pytest

from widemargin.metrics import false_positive_threshold


@pytest.mark.parametrize("levels", [3, 20, 10**9])
@pytest.mark.parametrize("max_fpr", [0.0, 0.01, 0.05, 0.29, 0.5, 1.0])
def test_keeps_the_budget_and_no_lower_one_does(levels, max_fpr):
    rng = np.random.default_rng(0)
    for n in (2, 10, 101, 361):
        y = np.arange(n) % 3 == 0
        score = rng.integers(levels, size=n) / levels + 0.2 * y
        threshold = false_positive_threshold(y, score, max_fpr)
        negatives = score[~y]
        assert np.mean(negatives > threshold) <= max_fpr + 1e-12
        np.testing.assert_array_equal(score > threshold, score >= threshold)
        # The next lower level would call more negatives positive than allowed.
        lower = np.unique(negatives[negatives <= threshold])
        if lower.size:
            assert np.mean(negatives >= lower[-1]) > max_fpr + 1e-12


def test_hand_worked():
    y, score = [0, 0, 0, 1], [1.0, 2.0, 3.0, 2.5]
    assert false_positive_threshold(y, score, 0.0) > 3.0
    assert false_positive_threshold(y, score, 1 / 3) == 2.25
    assert false_positive_threshold(y, score, 0.99) == 1.5
    assert false_positive_threshold(y, score, 1.0) < 1.0
    assert false_positive_threshold(["b", "b", "a"], [1.0, 2.0, 3.0], 0.5, pos_label="a") == 1.5


def test_neighbouring_numbers():
    high = np.nextafter(1.0, 2.0)
    threshold = false_positive_threshold([0, 1], [1.0, high], 0.0)
    assert 1.0 < threshold <= high


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0.0, 1.0], 1.5), "max_fpr must be at most 1"),
        (([0, 1], [0.0, 1.0], -0.1), "max_fpr must be finite and at least 0"),
        (([0, 1], [0.0, 1.0, 2.0], 0.1), "one score per label"),
        (([0, 1], [0.0, np.nan], 0.1), "score"),
        (([0, 0], [0.0, 1.0], 0.1), "one class"),
        (([0, 1, 2], [0.0, 1.0, 2.0], 0.1), "3 classes"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        false_positive_threshold(*arguments)

"""Arrays of numbers are taken as they are, or refused by name."""

import numpy as np
import pandas as pd
import pytest

from widemargin.metrics import compare_methods, kendall_tau, paired_wilcoxon, summarize_repeats
from widemargin.metrics.inputs import check_level, real_array


@pytest.mark.parametrize(
    "values",
    [[1, 2], (1.0, 2.0), np.array([1, 2], dtype=np.float32), pd.Series([1, 2], index=["a", "b"])],
)
def test_any_array_of_numbers(values):
    array = real_array("scores", values)
    assert array.dtype == np.float64
    np.testing.assert_array_equal(array, [1, 2])


def test_masked_arrays_keep_their_meaning():
    unmasked = real_array("scores", np.ma.array([1, 2], mask=[0, 0]))
    np.testing.assert_array_equal(unmasked, [1, 2])
    masked = np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 1])
    with pytest.raises(ValueError, match="scores has 2 masked values"):
        real_array("scores", masked)
    for function in (summarize_repeats, lambda values: kendall_tau([1, 2, 3], values)):
        with pytest.raises(ValueError, match="has 2 masked values"):
            function(masked)
    with pytest.raises(ValueError, match="first has 2 masked values"):
        paired_wilcoxon(masked, [1, 2, 3])
    with pytest.raises(ValueError, match=r"scores\['a'\] has 2 masked values"):
        compare_methods({"a": masked[None], "b": [[1, 2, 3]]}, "b")


@pytest.mark.parametrize("values", [["a"], [1j], [[1], [1, 2]], {"a": 1}])
def test_what_is_no_array_of_numbers(values):
    with pytest.raises(ValueError, match="scores must be an array of real numbers"):
        real_array("scores", values)


def test_level():
    assert check_level(0.95) == 0.95
    for level in (0, 1, 95):
        with pytest.raises(ValueError, match=f"level must lie strictly between 0 and 1, got {level}"):
            check_level(level)
    with pytest.raises(TypeError, match="level must be a real number"):
        compare_methods({"a": [[1, 2]]}, "a", level="0.95")


def test_kendall_of_the_largest_numbers():
    assert kendall_tau([-1.7e308, 0, 1.7e308], [1, 2, 3]) == pytest.approx(1)

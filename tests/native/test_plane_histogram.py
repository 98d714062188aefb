"""The compiled count of the levels of a plane against NumPy."""

import numpy as np
import pytest

from reference.plane_histogram import plane_histogram
from widemargin import _native


def counted(plane, row_step=1, column_step=1, shift=0):
    counts = np.zeros(256, np.uint32)
    _native.plane_histogram(plane, row_step, column_step, shift, counts)
    return counts


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("steps", [(1, 1), (3, 1), (1, 2), (7, 5), (100, 100)])
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (8, 3), (33, 47)])
def test_equals_the_naive_count(dtype, steps, shape):
    rng = np.random.default_rng(0)
    plane = rng.integers(0, np.iinfo(dtype).max, shape, dtype=dtype, endpoint=True)
    for shift in (0, 2, 7):
        np.testing.assert_array_equal(counted(plane, *steps, shift), plane_histogram(plane, *steps, shift))


def test_reads_any_layout_in_place():
    rng = np.random.default_rng(1)
    samples = rng.integers(0, 256, (20, 64), dtype=np.uint8)
    for view in (samples[:, 1::2], samples[::-1, ::-1], samples.T, samples[3:9, 5:20]):
        np.testing.assert_array_equal(counted(view, 2, 3), plane_histogram(view, 2, 3, 0))
    samples.flags.writeable = False
    np.testing.assert_array_equal(counted(samples), plane_histogram(samples, 1, 1, 0))


def test_adds_to_the_counts():
    counts = np.zeros(256, np.uint32)
    for _ in range(2):
        _native.plane_histogram(np.full((2, 3), 7, np.uint8), 1, 1, 0, counts)
    assert counts[7] == counts.sum() == 12


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"plane": np.zeros((0, 3), np.uint8)}, "no samples"),
        ({"row_step": 0}, "a step is 0"),
        ({"column_step": 0}, "a step is 0"),
        ({"shift": 8}, "shift leaves no bits"),
        ({"counts": np.zeros(255, np.uint32)}, "256 entries"),
    ],
)
def test_wrong_arguments(changes, message):
    arguments = {
        "plane": np.zeros((2, 3), np.uint8),
        "row_step": 1,
        "column_step": 1,
        "shift": 0,
        "counts": np.zeros(256, np.uint32),
    }
    with pytest.raises(ValueError, match=message):
        _native.plane_histogram(**(arguments | changes))

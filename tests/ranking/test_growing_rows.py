"""The buffer that leaf codes and cuts are kept in."""

import numpy as np
import pytest

from widemargin.ranking._growing_rows import GrowingRows


@pytest.mark.parametrize("expected", [1, 16, 100])
def test_rows_stay_as_they_were_appended(expected):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(70, 3))
    growing = GrowingRows(expected, 3, np.float64)
    for row in rows:
        growing.append(row)
    np.testing.assert_array_equal(growing.rows, rows)
    kept = [0, 3, 4, 69]
    growing.keep(kept)
    growing.append(rows[1, :2])
    np.testing.assert_array_equal(growing.rows[:4], rows[kept])
    np.testing.assert_array_equal(growing.rows[4], [*rows[1, :2], 0.0])


def test_an_absurd_expectation_reserves_little():
    growing = GrowingRows(10**12, 10**6, np.uint8)
    assert growing.rows.shape == (0, 10**6)

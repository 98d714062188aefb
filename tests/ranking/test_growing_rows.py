"""The buffer that cuts are kept in."""

import numpy as np

from widemargin.ranking._growing_rows import GrowingRows


def test_rows_stay_as_they_were_appended():
    rows = np.random.default_rng(0).normal(size=(70, 3))
    growing = GrowingRows(3)
    for row in rows:
        growing.append(row)
    np.testing.assert_array_equal(growing.rows, rows)
    kept = [0, 3, 4, 69]
    growing.keep(kept)
    growing.append(rows[1, :2])
    np.testing.assert_array_equal(growing.rows[:4], rows[kept])
    np.testing.assert_array_equal(growing.rows[4], [*rows[1, :2], 0.0])

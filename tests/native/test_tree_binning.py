import numpy as np
import pytest

from reference.trees import code as naive_code
from widemargin._native import bin_codes, fit_bins

ALL = np.arange(3, dtype=np.int64)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_thresholds", [0, 1, 2, 3, 7, 8, 127, 128, 254])
def test_codes_count_the_thresholds_below(dtype, n_thresholds):
    rng = np.random.default_rng(n_thresholds)
    thresholds = np.unique(rng.normal(size=n_thresholds))
    X = rng.normal(size=(300, 1)).astype(dtype)
    X[:5, 0] = [np.nan, 1e30, -1e30, np.inf, -np.inf]
    if n_thresholds:
        X[5:50, 0] = rng.choice(thresholds, size=45)
    codes = bin_codes(X, thresholds, np.array([0, n_thresholds], dtype=np.int64), 1)
    assert codes[0].tolist() == [naive_code(float(x), thresholds) for x in X[:, 0]]


@pytest.mark.parametrize(
    ("rows", "n_bins", "message"),
    [(ALL + 1, 5, "rows"), (ALL - 1, 5, "rows"), (ALL, 0, "n_bins"), (ALL, 256, "n_bins")],
)
def test_fitting_refuses_what_does_not_exist(rows, n_bins, message):
    with pytest.raises(ValueError, match=message):
        fit_bins(np.zeros((3, 2)), rows, n_bins, 1)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [([0, 5], "offsets"), ([0, 2, 4], "offsets"), ([1, 2, 5], "offsets"), ([0, 6, 5], "thresholds")],
)
def test_coding_refuses_offsets_that_do_not_fit(offsets, message):
    with pytest.raises(ValueError, match=message):
        bin_codes(np.zeros((3, 2)), np.arange(5.0), np.array(offsets, dtype=np.int64), 1)


def test_arrays_are_never_converted():
    with pytest.raises(TypeError):
        fit_bins(np.zeros((3, 2), dtype=np.int64), ALL, 5, 1)

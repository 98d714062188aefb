import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from widemargin.trees import BinMapper

finite = st.floats(-1e300, 1e300) | st.integers(-3, 3).map(float) | st.just(float("nan"))
tables = st.tuples(st.integers(1, 40), st.integers(1, 3)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=finite)
)


@settings(deadline=None)
@given(X=tables, new=tables, max_bins=st.integers(2, 256))
def test_codes_keep_the_order_and_say_on_which_side_of_a_threshold_a_value_is(X, new, max_bins):
    new = np.resize(new, (len(new), X.shape[1]))
    bins = BinMapper.fit(X, max_bins)
    for table in (X, new):
        codes = bins.transform(table)
        for f in range(X.shape[1]):
            thresholds = bins.thresholds[bins.offsets[f] : bins.offsets[f + 1]]
            x, code = table[:, f], codes[f].astype(int)
            present = ~np.isnan(x)
            assert np.all(np.diff(thresholds) > 0)
            assert bins.n_bins[f] == len(thresholds) + 1 <= max_bins - 1
            assert np.all(code[~present] == bins.n_bins[f])
            assert np.all(code[present] < bins.n_bins[f])
            order = np.argsort(x[present], kind="stable")
            assert np.all(np.diff(code[present][order]) >= 0)
            for b, threshold in enumerate(thresholds):
                assert np.array_equal(x[present] <= threshold, code[present] <= b)


@settings(deadline=None)
@given(X=tables)
def test_few_distinct_values_have_bins_of_their_own(X):
    bins = BinMapper.fit(X)
    for f in range(X.shape[1]):
        x = X[~np.isnan(X[:, f]), f]
        assert bins.n_bins[f] == max(1, len(np.unique(x)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_neighbouring_numbers_are_told_apart(dtype):
    low = dtype(1.0)
    high = np.nextafter(low, dtype(2.0))
    X = np.array([[low], [high]])
    bins = BinMapper.fit(X)
    assert float(low) <= bins.thresholds[0] < float(high)
    assert bins.transform(X).tolist() == [[0, 1]]


def test_zeros_of_either_sign_are_one_value():
    assert BinMapper.fit(np.array([[0.0], [-0.0]])).n_bins.tolist() == [1]


@pytest.mark.parametrize("n_rows", [5_000, 60_000])
def test_bins_hold_equal_shares(n_rows):
    X = np.random.default_rng(0).normal(size=(n_rows, 2)) ** 3
    bins = BinMapper.fit(X, 65)
    assert bins.n_bins.tolist() == [64, 64]
    share = np.bincount(bins.transform(X)[0], minlength=64) / n_rows
    # 50,000 of the 60,000 rows are looked at: shares of 1/64 then scatter by about 0.00022.
    assert np.abs(share - 1 / 64).max() < 0.0015


def test_a_frequent_value_has_its_own_bin_and_costs_the_others_none():
    rng = np.random.default_rng(1)
    x = np.where(rng.random(10_000) < 0.9, 0.0, rng.normal(size=10_000))
    bins = BinMapper.fit(x[:, None], 65)
    assert bins.n_bins[0] >= 60
    codes = bins.transform(x[:, None])[0]
    assert len(set(x[codes == codes[x == 0.0][0]])) == 1


def test_layout_and_precision_do_not_matter():
    X = np.random.default_rng(2).normal(size=(700, 21)).astype(np.float32)
    X[::7, 3] = np.nan
    bins = BinMapper.fit(X)
    codes = bins.transform(X)
    wide = np.zeros((1400, 42), dtype=np.float32)
    wide[::2, ::2] = X
    for same in (np.asfortranarray(X), X.astype(np.float64), wide[::2, ::2], X[::-1][::-1]):
        other = BinMapper.fit(same)
        assert np.array_equal(other.thresholds, bins.thresholds)
        assert np.array_equal(other.transform(same), codes)
        assert np.array_equal(bins.transform(same), codes)


def test_number_of_threads_does_not_matter():
    X = np.random.default_rng(3).normal(
        size=(30_000, 40)
    )  # 1.2 million values: enough for threads to be used
    bins, threaded = BinMapper.fit(X), BinMapper.fit(X, n_threads=3)
    assert np.array_equal(bins.thresholds, threaded.thresholds)
    assert np.array_equal(bins.transform(X), bins.transform(X, n_threads=3))


def test_the_input_is_left_alone():
    X = np.random.default_rng(4).normal(size=(50, 3))
    before = X.copy()
    BinMapper.fit(X).transform(X)
    assert np.array_equal(X, before)


def test_constant_and_missing_features_have_one_bin():
    X = np.array([[7.0, np.nan], [7.0, np.nan]])
    bins = BinMapper.fit(X)
    assert bins.n_bins.tolist() == [1, 1]
    assert bins.transform(X).tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize("max_bins", [1, 257])
def test_number_of_bins_has_to_fit_a_byte(max_bins):
    with pytest.raises(ValueError, match="max_bins"):
        BinMapper.fit(np.zeros((2, 2)), max_bins)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="1 dimensions"):
        BinMapper.fit(np.zeros(3))
    with pytest.raises(ValueError, match="3 features, expected 2"):
        BinMapper.fit(np.zeros((4, 2))).transform(np.zeros((4, 3)))

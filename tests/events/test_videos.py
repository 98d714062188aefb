"""Videos read from three dimensions or from columns: never copied, and each wrong shape named."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator

from widemargin.events import AveragePooling
from widemargin.events._videos import read_features, read_videos


class Reader(BaseEstimator):
    """An estimator that reads videos and does nothing with them."""

    def __init__(self, n_shots=None):
        self.n_shots = n_shots

    def fit(self, X, y=None):
        self.videos = read_videos(self, X, self.n_shots, reset=True)
        return self

    def read(self, X):
        return read_videos(self, X, self.n_shots, reset=False)


def columns(n_videos=4, n_columns=6, dtype=np.float64):
    return np.arange(n_videos * n_columns, dtype=dtype).reshape(n_videos, n_columns)


def test_columns_hold_one_shot_after_the_other():
    reader = Reader(n_shots=2).fit([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
    assert reader.videos.tolist() == [[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]
    assert (reader.n_shots_, reader.n_features_in_) == (2, 6)


def test_without_n_shots_columns_are_shots_of_one_feature():
    reader = Reader().fit(columns())
    assert reader.videos.shape == (4, 6, 1)
    assert (reader.n_shots_, reader.n_features_in_) == (6, 6)


def test_three_dimensions_are_taken_as_they_are():
    X = columns().reshape(4, 3, 2)
    for n_shots in (None, 3, np.int64(3)):
        reader = Reader(n_shots).fit(X)
        np.testing.assert_array_equal(reader.videos, X)
        assert (reader.n_shots_, reader.n_features_in_) == (3, 6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "view",
    [
        lambda X: X,
        np.asfortranarray,
        lambda X: X[::2],
        lambda X: X[:, ::-1],
        lambda X: X[::-1, ::3],
        lambda X: X.T,
        lambda X: np.broadcast_to(X[:1], X.shape),
    ],
    ids=["rows", "columns", "every second", "backwards", "both", "transposed", "broadcast"],
)
def test_columns_of_any_strides_are_viewed(dtype, view):
    X = view(columns(12, 12, dtype))
    videos = Reader(n_shots=2).fit(X).videos
    assert videos.dtype == dtype
    assert np.shares_memory(videos, X)
    np.testing.assert_array_equal(videos, np.array(X.tolist()).reshape(len(X), 2, -1))


def test_three_dimensions_of_any_strides_are_viewed():
    X = columns(4, 24).reshape(4, 4, 6).transpose(2, 0, 1)[::-1, ::2]
    videos = Reader().fit(X).videos
    assert np.shares_memory(videos, X)
    np.testing.assert_array_equal(videos, X)


@pytest.mark.parametrize("shape", [(6, 12), (6, 3, 4)])
def test_arrays_on_disk_stay_there(tmp_path, shape):
    X = np.lib.format.open_memmap(tmp_path / "X.npy", mode="w+", dtype=np.float32, shape=shape)
    X[...] = 1.5
    X.flush()
    on_disk = np.load(tmp_path / "X.npy", mmap_mode="r")
    reader = Reader(n_shots=3).fit(on_disk)
    for videos in (reader.videos, reader.read(on_disk)):
        assert np.shares_memory(videos, on_disk)


@pytest.mark.parametrize(
    ("given", "used"),
    [
        (np.int64, np.float64),
        (np.uint8, np.float64),
        (bool, np.float64),
        (np.float16, np.float32),
        (object, np.float64),
        (np.float32, np.float32),
    ],
)
def test_numbers_of_other_kinds_are_converted(given, used):
    videos = Reader(n_shots=2).fit(columns().astype(given)).videos
    assert videos.dtype == used


def test_prediction_takes_both_forms_after_a_fit_with_either():
    X = columns()
    stacked = X.reshape(4, 2, 3)
    for reader in (Reader(n_shots=2).fit(X), Reader().fit(stacked)):
        for other in (X, stacked):
            videos = reader.read(other[:1])
            np.testing.assert_array_equal(videos, stacked[:1])


def test_n_shots_changed_after_the_fit_does_not_count():
    reader = Reader(n_shots=2).fit(columns()).set_params(n_shots=5)
    assert reader.read(columns()).shape == (4, 2, 3)


def test_names_of_columns_are_kept_until_a_fit_without_names():
    table = pd.DataFrame(columns(), columns=list("abcdef"))
    reader = Reader(n_shots=3).fit(table)
    assert reader.feature_names_in_.tolist() == list("abcdef")
    with pytest.raises(ValueError, match="feature names should match"):
        reader.read(table[list("bacdef")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert reader.read(columns().reshape(4, 3, 2)).shape == (4, 3, 2)
    reader.fit(columns().reshape(4, 3, 2))
    assert not hasattr(reader, "feature_names_in_")


@pytest.mark.parametrize(
    ("X", "n_shots", "message"),
    [
        (columns(), 4, "n_shots=4 does not divide the 6 columns of X"),
        (columns(), 7, "n_shots=7 does not divide the 6 columns of X"),
        (columns().reshape(4, 2, 3), 3, r"n_shots is 3, but X has 2 shots \(shape \(4, 2, 3\)\)"),
        (columns()[0], None, r"X has shape \(6,\), .* Reshape your data: .* X\[None\]"),
        (columns().reshape(2, 2, 2, 3), None, r"X has shape \(2, 2, 2, 3\), expected"),
        (np.empty((4, 0, 3)), None, r"X has shape \(4, 0, 3\): pass at least one shot"),
        (np.empty((4, 3, 0)), None, "with at least one feature"),
        (np.empty((0, 3, 2)), None, r"Found array with 0 sample\(s\)"),
        (np.empty((4, 0)), None, r"0 feature\(s\) \(shape=\(4, 0\)\)"),
        ([[1.0, np.nan]], None, "Input X contains NaN"),
        ([[[1.0, 2.0], [3.0, -np.inf]]], None, "Input X contains infinity"),
        (columns(), 0, "n_shots must be at least 1, got 0"),
        ([["a", "b"]], None, "could not convert string"),
    ],
)
def test_wrong_videos_are_refused(X, n_shots, message):
    with pytest.raises(ValueError, match=message):
        Reader(n_shots).fit(X)


def test_sparse_matrices_and_fractions_of_shots_are_refused():
    with pytest.raises(TypeError, match="toarray"):
        Reader().fit(csr_matrix(columns()))
    with pytest.raises(TypeError, match=r"n_shots must be an integer, got 2\.0"):
        Reader(2.0).fit(columns())


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (columns(4, 8), "X has 8 features, but Reader is expecting 6 features as input"),
        (columns(4, 6).reshape(4, 3, 2), r"swapped; pass X.transpose\(0, 2, 1\)"),
        (
            columns(4, 8).reshape(4, 2, 4),
            "X has 2 shots of 4 features, but Reader was fitted to 2 shots of 3",
        ),
        (columns(4, 6).reshape(4, 6, 1), "X has 6 shots of 1 features"),
        (columns()[0], "Reshape your data"),
    ],
)
def test_another_shape_than_in_fit_is_refused(X, message):
    reader = Reader(n_shots=2).fit(columns())
    with pytest.raises(ValueError, match=message):
        reader.read(X)


def test_features_of_single_videos_are_views_of_any_shape():
    X = columns(4, 6, np.float32)[:, ::2]
    features = read_features("shots[0]", X)
    assert np.shares_memory(features, X)
    assert read_features("shots[0]", np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[1.0, np.nan]], r"shots\[2\] must be an array of finite real numbers: .* NaN"),
        ([["a"]], r"shots\[2\] must be an array of finite real numbers"),
        ([[1.0], [1.0, 2.0]], r"shots\[2\] must be an array of finite real numbers"),
        (np.ma.masked_less(np.eye(2), 0.5), r"shots\[2\] has 2 masked values"),
    ],
)
def test_features_that_are_no_finite_numbers_are_refused(value, message):
    with pytest.raises(ValueError, match=message):
        read_features("shots[2]", value)


def test_videos_of_different_lengths_are_told_what_to_do():
    ragged = [np.zeros((3, 2)), np.zeros((4, 2))]
    with pytest.raises(ValueError, match="prioritize"):
        AveragePooling().fit(ragged)

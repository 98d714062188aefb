import numpy as np
import pytest

from widemargin._native import TreeEnsemble

STUMP = {
    "n_features": 2,
    "roots": np.array([0, 3], dtype=np.int64),
    "feature": np.array([1, -1, -1], dtype=np.int32),
    "threshold": np.array([0.5, np.nan, np.nan]),
    "bin": np.zeros(3, dtype=np.uint8),
    "missing_bin": np.array([2, 0, 0], dtype=np.uint8),
    "missing_left": np.array([True, False, False]),
    "left": np.array([1, -1, -1], dtype=np.int32),
    "right": np.array([2, -1, -1], dtype=np.int32),
    "value": np.array([0.0, -1.0, 2.0]),
    "leaf": np.array([-1, 0, 1], dtype=np.int32),
}
ROWS = np.array([[9.0, 0.5], [9.0, 0.6], [9.0, np.nan]])


def test_a_stump_by_hand():
    stump = TreeEnsemble(**STUMP)
    assert stump.predict(ROWS, 1).tolist() == [-1.0, 2.0, -1.0]
    assert stump.leaves(ROWS, 1).tolist() == [[0, 1, 0]]
    codes = np.array([[0, 0, 0], [0, 1, 2]], dtype=np.uint8)
    assert stump.predict_codes(codes, 1).tolist() == [-1.0, 2.0, -1.0]
    scores, used = stump.predict_early_exit(ROWS, np.zeros(1), 1)
    assert scores.tolist() == [-1.0, 2.0, -1.0]
    assert used.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"roots": np.array([0], dtype=np.int64)}, "roots"),
        ({"roots": np.array([], dtype=np.int64)}, "roots"),
        ({"roots": np.array([0, 0, 3], dtype=np.int64)}, "no nodes"),
        ({"value": np.zeros(2)}, "length"),
    ],
)
def test_arrays_that_are_no_trees_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        TreeEnsemble(**(STUMP | change))


@pytest.mark.parametrize(
    "change",
    [
        {"feature": np.array([2, -1, -1], dtype=np.int32)},
        {"left": np.array([0, -1, -1], dtype=np.int32)},
        {"right": np.array([3, -1, -1], dtype=np.int32)},
        {"left": np.array([-1, -1, -1], dtype=np.int32)},
    ],
)
def test_nodes_that_lead_nowhere_are_refused_by_every_prediction(change):
    broken = TreeEnsemble(**(STUMP | change))
    codes = np.zeros((2, 1), dtype=np.uint8)
    for call in (
        lambda: broken.predict(ROWS, 1),
        lambda: broken.leaves(ROWS, 1),
        lambda: broken.predict_codes(codes, 1),
        lambda: broken.predict_early_exit(ROWS, np.zeros(1), 1),
    ):
        with pytest.raises(ValueError, match="do not exist"):
            call()


def test_nine_levels_are_refused():
    chain = np.arange(9, dtype=np.int32)
    n = 19
    feature = np.full(n, -1, dtype=np.int32)
    left, right = feature.copy(), feature.copy()
    feature[2 * chain] = 0
    left[2 * chain], right[2 * chain] = 2 * chain + 1, 2 * chain + 2
    zeros = np.zeros(n)
    deep = STUMP | {
        "roots": np.array([0, n], dtype=np.int64),
        "feature": feature,
        "threshold": zeros,
        "bin": zeros.astype(np.uint8),
        "missing_bin": zeros.astype(np.uint8),
        "missing_left": zeros.astype(bool),
        "left": left,
        "right": right,
        "value": zeros,
        "leaf": zeros.astype(np.int32),
    }
    with pytest.raises(ValueError, match="8 levels"):
        TreeEnsemble(**deep).predict(ROWS, 1)


def test_shapes_have_to_agree():
    stump = TreeEnsemble(**STUMP)
    for call in (
        lambda: stump.predict(np.zeros((2, 3)), 1),
        lambda: stump.leaves(np.zeros((2, 3)), 1),
        lambda: stump.predict_codes(np.zeros((3, 2), dtype=np.uint8), 1),
        lambda: stump.predict_early_exit(np.zeros((2, 3)), np.zeros(1), 1),
    ):
        with pytest.raises(ValueError, match="number of features"):
            call()
    with pytest.raises(ValueError, match="length"):
        stump.predict_early_exit(ROWS, np.zeros(2), 1)

import numpy as np
import pytest

from widemargin.trees import BinMapper, TreeGrower

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
BINS = BinMapper.fit(X)
CODES = BINS.transform(X)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"max_depth": 0}, ValueError, "max_depth"),
        ({"max_depth": 9}, ValueError, "max_depth"),
        ({"max_depth": 2.0}, TypeError, "max_depth"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf"),
        ({"criterion": "entropy"}, ValueError, "criterion"),
        ({"leaf_alpha": -1.0}, ValueError, "leaf_alpha"),
        ({"n_threads": 0}, ValueError, "n_threads"),
    ],
)
def test_parameters_are_checked(change, kind, message):
    with pytest.raises(kind, match=message):
        TreeGrower(BINS, CODES, **change)


def test_codes_have_one_row_a_feature():
    with pytest.raises(ValueError, match=r"codes has shape \(1, 4\), expected \(2, n_samples\)"):
        TreeGrower(BINS, CODES[:1])


@pytest.mark.parametrize(
    ("criterion", "values"),
    [
        ("edge", [-1.0, 1.0]),
        ("gini", [-1.0, 1.0]),
        ("squared", [-1.0, 1.0]),
        # Mean weight of a row is 1, so that e = 1/2 and a pure leaf of weight 2 has log(2.5 / 0.5) / 2.
        ("exponential", [-0.5 * np.log(5.0), 0.5 * np.log(5.0)]),
    ],
)
def test_leaf_values_by_hand(criterion, values):
    tree, leaves = TreeGrower(BINS, CODES, 1, criterion=criterion).grow(np.array([-1.0, -1.0, 1.0, 1.0]))
    assert tree.feature.tolist() == [0, -1, -1]
    assert tree.threshold[0] == 1.5
    assert leaves.tolist() == [0, 0, 1, 1]
    np.testing.assert_allclose(tree.leaf_values, values, rtol=1e-15)


@pytest.mark.parametrize("criterion", ["edge", "gini"])
def test_more_threads_than_features_need_no_more_memory(criterion):
    # An entry for each of so many threads would take more than 100 GB.
    tree, _ = TreeGrower(BINS, CODES, 2, criterion=criterion, n_threads=2**31).grow(
        np.array([-1.0, -1.0, 1.0, 1.0])
    )
    assert tree.n_leaves == 2


@pytest.mark.parametrize(
    ("features", "kind", "message"),
    [
        (
            [True, False],
            TypeError,
            r"features must be integers, got an array of bool: .* np.flatnonzero\(mask\)",
        ),
        ([0.7], TypeError, "features must be integers, got an array of float64"),
        (["a"], TypeError, "features must be integers"),
        ([2**32], ValueError, "features must be from 0 to 1, got 4294967296 to 4294967296: pass"),
        ([2], ValueError, "features must be from 0 to 1, got 2 to 2"),
        ([0, -1], ValueError, "features must be from 0 to 1, got -1 to 0"),
    ],
)
def test_chosen_features_are_checked(features, kind, message):
    with pytest.raises(kind, match=message):
        TreeGrower(BINS, CODES).grow(np.array([-1.0, -1.0, 1.0, 1.0]), features=features)


def test_features_can_be_chosen_in_any_order():
    gradient = np.array([-1.0, -1.0, 1.0, 1.0])
    grower = TreeGrower(BINS, CODES, 1)
    assert grower.grow(gradient, features=[1, 0, 0])[0].feature[0] == 0
    assert grower.grow(gradient, features=[1])[0].n_leaves == 1


def test_of_equal_splits_the_lowest_feature_and_threshold_is_taken():
    same = np.column_stack([X[:, 0], X[:, 0]])
    bins = BinMapper.fit(same)
    tree, _ = TreeGrower(bins, bins.transform(same), 1).grow(np.array([-1.0, 0.0, 0.0, 1.0]))
    assert (tree.feature[0], tree.bin[0]) == (0, 0)


def test_inputs_are_left_alone():
    gradient, weight = np.array([-1.0, 0.5, 0.25, 1.0]), np.ones(4)
    codes = CODES.copy()
    TreeGrower(BINS, codes, 2, criterion="squared").grow(gradient, weight)
    assert gradient.tolist() == [-1.0, 0.5, 0.25, 1.0]
    assert weight.tolist() == [1.0] * 4
    assert np.array_equal(codes, CODES)

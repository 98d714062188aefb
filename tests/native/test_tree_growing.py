import numpy as np
import pytest

from reference.trees import NaiveGrower, predict, preorder
from widemargin._native import TreeGrower as NativeGrower
from widemargin.trees import BinMapper, TreeEnsemble, TreeGrower
from widemargin.trees.growing import CRITERIA


def splits(tree):
    return [
        None if feature < 0 else (int(feature), int(code), bool(missing_left))
        for feature, code, missing_left in zip(tree.feature, tree.bin, tree.missing_left, strict=True)
    ]


def equal_trees(a, b):
    return all(
        np.array_equal(getattr(a, name), getattr(b, name), equal_nan=name == "threshold") for name in vars(a)
    )


def problem(rng, *, tied, missing, n=None):
    """Few rows, a constant feature now and then, and signed weights of eighths, which sum exactly."""
    n = int(rng.integers(1, 60)) if n is None else n
    n_features = int(rng.integers(1, 7))
    X = rng.normal(size=(n, n_features))
    if tied:
        X = rng.integers(0, rng.integers(1, 9), size=X.shape).astype(float)
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    return X, rng.integers(-4, 5, size=n) / 8.0


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_grows_the_tree_of_the_naive_twin(criterion, missing, tied, seed):
    rng = np.random.default_rng(seed)
    X, gradient = problem(rng, tied=tied, missing=missing)
    bins = BinMapper.fit(X, int(rng.integers(2, 20)))
    codes = bins.transform(X)
    weight = None if seed % 3 else np.abs(gradient) + rng.integers(0, 3, size=len(X)) / 8.0
    features = None if seed % 4 else rng.integers(0, X.shape[1], size=2)
    depth, least, leaf_alpha = int(rng.integers(1, 5)), int(rng.integers(1, 4)), float(rng.choice([0, 0.5]))
    tree, leaves = TreeGrower(bins, codes, depth, least, criterion, leaf_alpha).grow(
        gradient, weight, features
    )
    naive = NaiveGrower(codes, bins.n_bins, depth, least, criterion, leaf_alpha).grow(
        gradient, weight, features
    )
    assert splits(tree) == preorder(naive)
    # Sums are exact on both sides; divisions and logarithms round in the last place.
    np.testing.assert_allclose(
        tree.leaf_values[leaves], predict(naive, codes, bins.n_bins), rtol=1e-14, atol=1e-15
    )


@pytest.mark.parametrize("criterion", CRITERIA)
def test_gains_add_up_to_the_criterion(criterion):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 5))
    gradient = rng.normal(size=300)
    bins = BinMapper.fit(X)
    tree, leaves = TreeGrower(bins, bins.transform(X), 3, 5, criterion, 0.25).grow(gradient)

    def score(rows):
        G, W = gradient[rows].sum(), np.abs(gradient[rows]).sum()
        return {
            "edge": abs(G),
            "gini": G**2 / (2 * W),
            "squared": G**2 / (W + 0.25),
            "exponential": -0.5 * np.sqrt(W**2 - G**2),
        }[criterion]

    everything = np.ones(300, dtype=bool)
    total = sum(score(leaves == leaf) for leaf in range(tree.n_leaves)) - score(everything)
    # Weights are rounded to 2^-37 of their sum.
    assert tree.gain.sum() == pytest.approx(total, rel=1e-9)
    assert np.bincount(leaves).min() >= 5


@pytest.mark.parametrize("criterion", ["edge", "squared"])
def test_order_of_rows_and_number_of_threads_do_not_matter(criterion):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(70_000, 70))  # large enough for threads to be used: 70,000 x 70 > 2^22
    gradient = rng.normal(size=len(X)) * (rng.random(len(X)) < 0.9)
    bins = BinMapper.fit(X[:5_000], 32)
    codes = bins.transform(X)
    tree, leaves = TreeGrower(bins, codes, 3, criterion=criterion).grow(gradient)
    threaded, threaded_leaves = TreeGrower(bins, codes, 3, criterion=criterion, n_threads=3).grow(gradient)
    assert equal_trees(tree, threaded)
    assert np.array_equal(leaves, threaded_leaves)
    order = rng.permutation(len(X))
    shuffled = np.ascontiguousarray(codes[:, order])
    again, shuffled_leaves = TreeGrower(bins, shuffled, 3, criterion=criterion).grow(gradient[order])
    assert equal_trees(tree, again)
    assert np.array_equal(leaves[order], shuffled_leaves)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_tree_does_not_depend_on_the_ones_before(criterion):
    rng = np.random.default_rng(3)
    X, first = problem(rng, tied=False, missing=True, n=50)
    second = rng.normal(size=50)
    bins = BinMapper.fit(X)
    codes = bins.transform(X)
    used = TreeGrower(bins, codes, 4, criterion=criterion)
    used.grow(first)
    fresh = TreeGrower(bins, codes, 4, criterion=criterion)
    assert equal_trees(used.grow(second)[0], fresh.grow(second)[0])


@pytest.mark.parametrize("criterion", CRITERIA)
def test_flipped_labels_flip_the_leaves(criterion):
    rng = np.random.default_rng(4)
    X, gradient = problem(rng, tied=False, missing=True, n=80)
    bins = BinMapper.fit(X)
    grower = TreeGrower(bins, bins.transform(X), 3, criterion=criterion)
    tree, leaves = grower.grow(gradient)
    flipped, flipped_leaves = grower.grow(-gradient)
    assert splits(tree) == splits(flipped)
    assert np.array_equal(leaves, flipped_leaves)
    np.testing.assert_allclose(flipped.value, -tree.value, rtol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a_duplicated_row_is_a_doubled_weight_and_a_zero_weight_a_removed_row(seed):
    rng = np.random.default_rng(seed)
    X, gradient = problem(rng, tied=True, missing=True, n=60)
    copies = rng.integers(0, 3, size=60)
    bins = BinMapper.fit(X)
    weighted, weighted_leaves = TreeGrower(bins, bins.transform(X), 3).grow(copies * gradient)
    repeated = np.repeat(X, copies, axis=0)
    tree, leaves = TreeGrower(bins, bins.transform(repeated), 3).grow(np.repeat(gradient, copies))
    assert equal_trees(weighted, tree)
    assert np.array_equal(np.repeat(weighted_leaves, copies), leaves)


def test_rows_without_weight_get_the_leaf_of_their_features():
    rng = np.random.default_rng(5)
    X, gradient = problem(rng, tied=False, missing=True, n=200)
    gradient[rng.random(200) < 0.7] = 0.0
    bins = BinMapper.fit(X)
    tree, leaves = TreeGrower(bins, bins.transform(X), 4).grow(gradient)
    assert np.array_equal(TreeEnsemble.of([tree]).leaves(X)[0], leaves)
    assert tree.n_leaves > 4


def test_no_weight_at_all_gives_one_leaf_of_value_zero():
    X = np.arange(6.0).reshape(-1, 1)
    bins = BinMapper.fit(X)
    for criterion in CRITERIA:
        tree, leaves = TreeGrower(bins, bins.transform(X), criterion=criterion).grow(np.zeros(6))
        assert tree.leaf_values.tolist() == [0.0]
        assert leaves.tolist() == [0] * 6


def test_eight_levels_have_up_to_256_leaves():
    X = np.arange(255.0).reshape(-1, 1)
    X = np.vstack([X, [[np.nan]]])
    target = np.arange(256) - 100.0  # every split halves its rows
    bins = BinMapper.fit(X)
    tree, leaves = TreeGrower(bins, bins.transform(X), 8, criterion="squared").grow(target, np.ones(256))
    assert tree.n_leaves == 256
    assert np.array_equal(TreeEnsemble.of([tree]).leaves(X)[0], leaves)


def test_where_training_has_no_missing_value_they_follow_the_greater_weight():
    X = np.array([[0.0], [1.0], [2.0], [3.0]])
    bins = BinMapper.fit(X)
    grower = TreeGrower(bins, bins.transform(X), 1)
    for gradient, expected in (([-3.0, -1, 1, 1], -1.0), ([-1.0, -1, 1, 3], 1.0), ([-1.0, -1, 1, 1], -1.0)):
        ensemble = TreeEnsemble.of([grower.grow(np.array(gradient))[0]])
        assert ensemble.predict(np.array([[np.nan]])).tolist() == [expected]


def test_values_against_missing_ones_is_a_split():
    X = np.array([[0.0], [1.0], [np.nan], [np.nan]])
    bins = BinMapper.fit(X)
    tree, _ = TreeGrower(bins, bins.transform(X), 1).grow(np.array([1.0, 1.0, -1.0, -1.0]))
    assert tree.threshold[0] == np.inf
    assert TreeEnsemble.of([tree]).predict(np.array([[-9.0], [9.0], [np.nan]])).tolist() == [1.0, 1.0, -1.0]


GOOD = {
    "codes": np.zeros((2, 3), dtype=np.uint8),
    "thresholds": np.array([0.5]),
    "offsets": np.array([0, 0, 1], dtype=np.int64),
    "max_depth": 2,
    "min_samples_leaf": 1,
    "criterion": 0,
    "leaf_alpha": 0.0,
    "n_threads": 1,
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"offsets": np.array([0, 1], dtype=np.int64)}, "offsets"),
        ({"offsets": np.array([0, 2, 1], dtype=np.int64)}, "thresholds"),
        ({"thresholds": np.zeros(2)}, "offsets"),
        ({"codes": np.full((2, 3), 2, dtype=np.uint8)}, "greater than the number of bins"),
        ({"max_depth": 9}, "max_depth"),
        ({"min_samples_leaf": 0}, "min_samples_leaf"),
        ({"criterion": 4}, "criterion"),
        ({"leaf_alpha": float("nan")}, "leaf_alpha"),
        ({"n_threads": 0}, "n_threads"),
    ],
)
def test_bindings_refuse_a_grower_that_cannot_work(change, message):
    with pytest.raises(ValueError, match=message):
        NativeGrower(**(GOOD | change))


def test_bindings_refuse_other_layouts():
    with pytest.raises(TypeError):
        NativeGrower(**(GOOD | {"codes": np.zeros((3, 2), dtype=np.uint8).T}))


@pytest.mark.parametrize(
    ("gradient", "weight", "features", "message"),
    [
        (np.zeros(2), None, None, "length"),
        (np.zeros(3), np.zeros(4), None, "length"),
        (np.zeros(3), None, np.array([2], dtype=np.int32), "features"),
        (np.zeros(3), None, np.array([1, 0], dtype=np.int32), "features"),
        (np.array([0.0, np.nan, 0.0]), None, None, "not finite"),
        (np.zeros(3), np.array([0.0, np.inf, 0.0]), None, "not finite"),
    ],
)
def test_bindings_refuse_trees_that_cannot_be_grown(gradient, weight, features, message):
    with pytest.raises(ValueError, match=message):
        NativeGrower(**GOOD).grow(gradient, weight, features)


def test_bindings_refuse_other_precision():
    with pytest.raises(TypeError):
        NativeGrower(**GOOD).grow(np.zeros(3, dtype=np.float32), None, None)

import pickle
from dataclasses import replace

import numpy as np
import pytest

from widemargin.trees import BinMapper, TreeEnsemble, TreeGrower


def grown(dtype=np.float64, *, depth=3, n=900, n_trees=12, missing=0.1):
    rng = np.random.default_rng(depth)
    X = rng.normal(size=(n, 9)).astype(dtype)
    X[rng.random(X.shape) < missing] = np.nan
    bins = BinMapper.fit(X)
    codes = bins.transform(X)
    grower = TreeGrower(bins, codes, depth, criterion="squared")
    trees, leaves = zip(*(grower.grow(rng.normal(size=n)) for _ in range(n_trees)), strict=True)
    return X, codes, trees, np.array(leaves), rng.normal(size=n_trees)


def by_hand(tree, x):
    at = 0
    while tree.feature[at] >= 0:
        value = x[tree.feature[at]]
        left = tree.missing_left[at] if np.isnan(value) else value <= tree.threshold[at]
        at = tree.left[at] if left else tree.right[at]
    return tree.value[at]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 8])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_all_ways_to_predict_agree_to_the_last_bit(dtype, depth, missing):
    X, codes, trees, leaves, weights = grown(dtype, depth=depth, missing=missing)
    ensemble = TreeEnsemble.of(trees, weights)
    scores = ensemble.predict(X)
    expected = np.zeros(len(X))
    for tree, leaf, weight in zip(trees, leaves, weights, strict=True):
        expected += tree.leaf_values[leaf] * weight
    assert np.array_equal(scores, expected)
    assert scores[:20].tolist() == [
        sum(by_hand(tree, x) * weight for tree, weight in zip(trees, weights, strict=True)) for x in X[:20]
    ]
    assert np.array_equal(ensemble.predict_binned(codes), scores)
    assert np.array_equal(ensemble.leaves(X), leaves)
    early, used = ensemble.predict_early_exit(X, np.full(len(trees), -np.inf))
    assert np.array_equal(early, scores)
    assert np.all(used == len(trees))


def test_new_rows_go_where_their_codes_go():
    X, _, trees, _, weights = grown(np.float32, depth=3)
    new = np.random.default_rng(8).normal(size=(500, 9)).astype(np.float32)
    new[::5, ::2] = np.nan
    bins = BinMapper.fit(X)
    ensemble = TreeEnsemble.of(trees, weights)
    assert np.array_equal(ensemble.predict(new), ensemble.predict_binned(bins.transform(new)))


def test_float32_rows_are_compared_as_their_exact_values():
    X, _, trees, _, _ = grown(np.float64)
    narrow = X.astype(np.float32)
    ensemble = TreeEnsemble.of(trees)
    assert np.array_equal(ensemble.predict(narrow), ensemble.predict(narrow.astype(np.float64)))


def test_layout_and_threads_do_not_matter():
    X, _, trees, _, weights = grown(n=60_000, n_trees=40, depth=2)
    ensemble = TreeEnsemble.of(trees, weights)
    scores = ensemble.predict(X)  # 60,000 rows by 40 trees: enough for threads to be used
    assert np.array_equal(ensemble.predict(X, n_threads=3), scores)
    codes = BinMapper.fit(X).transform(X)
    assert np.array_equal(ensemble.predict_binned(codes, n_threads=3), ensemble.predict_binned(codes))
    assert np.array_equal(ensemble.leaves(X, n_threads=3), ensemble.leaves(X))
    thresholds = np.zeros(40)
    for one, three in zip(
        ensemble.predict_early_exit(X, thresholds),
        ensemble.predict_early_exit(X, thresholds, n_threads=3),
        strict=True,
    ):
        assert np.array_equal(one, three)
    few, part = X[:1000], scores[:1000]
    assert np.array_equal(ensemble.predict(np.asfortranarray(few)), part)
    assert np.array_equal(ensemble.predict(few[::-2]), part[::-2])
    assert np.array_equal(ensemble.predict(few.astype(">f8")), part)
    assert np.array_equal(ensemble.predict(few.tolist()), part)


def test_rows_leave_after_the_tree_where_they_fall_below():
    X, _, trees, leaves, weights = grown(n=300)
    thresholds = np.random.default_rng(0).normal(-0.1, 0.1, size=len(trees))
    scores, used = TreeEnsemble.of(trees, weights).predict_early_exit(X, thresholds)
    for i in range(len(X)):
        total = 0.0
        for t, tree in enumerate(trees):
            total += tree.leaf_values[leaves[t, i]] * weights[t]
            if total < thresholds[t]:
                break
        assert (scores[i], used[i]) == (total, t + 1)
    assert used.min() < used.max()


def test_no_rows_and_pickling():
    X, _, trees, _, weights = grown()
    ensemble = TreeEnsemble.of(trees, weights)
    assert ensemble.predict(X[:0]).shape == (0,)
    assert ensemble.leaves(X[:0]).shape == (len(trees), 0)
    copy = pickle.loads(pickle.dumps(ensemble))
    assert np.array_equal(copy.predict(X), ensemble.predict(X))


def test_a_tree_of_one_leaf_is_a_constant():
    X = np.zeros((3, 1))
    bins = BinMapper.fit(X)
    tree, _ = TreeGrower(bins, bins.transform(X)).grow(np.array([1.0, 1.0, -1.0]))
    ensemble = TreeEnsemble.of([tree, tree], [2.0, 0.5])
    assert ensemble.predict(np.array([[5.0], [np.nan]])).tolist() == [2.5, 2.5]
    assert ensemble.predict_binned(bins.transform(X)).tolist() == [2.5] * 3


def test_mistakes_are_named():
    X, _, trees, _, _ = grown()
    ensemble = TreeEnsemble.of(trees)
    with pytest.raises(ValueError, match="trees is empty"):
        TreeEnsemble.of([])
    with pytest.raises(ValueError, match="one weight per tree"):
        TreeEnsemble.of(trees, [1.0])
    with pytest.raises(ValueError, match="8 features, expected 9"):
        ensemble.predict(X[:, :8])
    with pytest.raises(ValueError, match="one threshold per tree"):
        ensemble.predict_early_exit(X, [0.0])
    narrow = BinMapper.fit(X[:, :2])
    other, _ = TreeGrower(narrow, narrow.transform(X[:, :2])).grow(np.ones(len(X)))
    with pytest.raises(ValueError, match=r"trees are for \[2, 9\] features"):
        TreeEnsemble.of([*trees, other])


def test_an_ensemble_gives_its_trees_back():
    X, _, trees, _, weights = grown()
    back = TreeEnsemble.of(trees).trees()
    assert len(back) == len(trees)
    for tree, expected in zip(back, trees, strict=True):
        for name, value in vars(expected).items():
            assert np.array_equal(getattr(tree, name), value, equal_nan=name == "threshold")
    assert np.array_equal(
        TreeEnsemble.of(back, weights).predict(X), TreeEnsemble.of(trees, weights).predict(X)
    )


def test_arrays_that_are_no_trees_are_refused():
    _, _, trees, _, _ = grown()
    ensemble = TreeEnsemble.of(trees)
    children = ensemble.left.copy()
    children[0] = 0
    for bad in (
        replace(ensemble, left=children),
        replace(ensemble, leaf=np.where(ensemble.leaf < 0, -1, 255).astype(np.int32)),
        replace(ensemble, n_features=1),
    ):
        with pytest.raises(ValueError, match=r"do not exist|out of range"):
            bad.predict(np.zeros((1, bad.n_features)))
    with pytest.raises(ValueError, match="roots do not divide the nodes"):
        replace(ensemble, roots=ensemble.roots[:-1]).trees()

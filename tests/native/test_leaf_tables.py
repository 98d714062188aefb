import numpy as np
import pytest

from widemargin._native import leaf_scores, leaf_sums


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 4, 5, 16, 17, 256])
@pytest.mark.parametrize("n_trees", [0, 1, 3, 4, 9, 33])
@pytest.mark.parametrize("n_samples", [0, 7, 4101])
def test_equals_one_tree_after_another(n_leaves, n_trees, n_samples):
    rng = np.random.default_rng(n_leaves)
    codes = rng.integers(0, n_leaves, size=(n_trees, n_samples), dtype=np.uint8)
    a, values = rng.normal(size=n_samples), rng.normal(size=(n_trees, n_leaves))
    sums = np.array([np.bincount(row, weights=a, minlength=n_leaves) for row in codes])
    scores = sum((value[row] for value, row in zip(values, codes, strict=True)), np.zeros(n_samples))
    np.testing.assert_allclose(leaf_sums(codes, a, n_leaves), sums.reshape(n_trees, n_leaves), atol=1e-11)
    np.testing.assert_allclose(leaf_scores(codes, values), scores, atol=1e-12)


def test_rows_of_a_larger_buffer():
    codes = np.random.default_rng(0).integers(0, 4, size=(10, 50), dtype=np.uint8)
    np.testing.assert_array_equal(leaf_sums(codes[:6], np.ones(50), 4), leaf_sums(codes, np.ones(50), 4)[:6])


def test_wrong_arguments_are_refused():
    codes = np.zeros((2, 5), dtype=np.uint8)
    with pytest.raises(ValueError, match="length"):
        leaf_sums(codes, np.ones(4), 2)
    for n_leaves in (0, 257):
        with pytest.raises(ValueError, match="n_leaves"):
            leaf_sums(codes, np.ones(5), n_leaves)
    with pytest.raises(ValueError, match="one row a tree"):
        leaf_scores(codes, np.ones((3, 2)))
    with pytest.raises(TypeError):
        leaf_scores(codes[:, ::2], np.ones((2, 2)))

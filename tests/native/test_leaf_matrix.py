import numpy as np
import pytest

from widemargin._native import LeafMatrix


def matrix_of(leaves, n_leaves):
    matrix = LeafMatrix(leaves.shape[1], n_leaves)
    for row in leaves:
        matrix.append(row)
    return matrix


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 4, 5, 16, 17, 256])
@pytest.mark.parametrize("n_trees", [0, 1, 3, 4, 9, 33])
@pytest.mark.parametrize("n_samples", [0, 7, 4101])
def test_equals_one_tree_after_another(n_leaves, n_trees, n_samples):
    rng = np.random.default_rng(n_leaves)
    leaves = rng.integers(0, n_leaves, size=(n_trees, n_samples), dtype=np.uint8)
    a, values = rng.normal(size=n_samples), rng.normal(size=(n_trees, n_leaves))
    matrix = matrix_of(leaves, n_leaves)
    assert matrix.n_trees == n_trees
    sums = np.array([np.bincount(row, weights=a, minlength=n_leaves) for row in leaves])
    np.testing.assert_allclose(matrix.sums(a), sums.reshape(n_trees, n_leaves), atol=1e-11)
    for first in range(n_trees + 1):
        scores = sum((values[t][leaves[t]] for t in range(first)), np.zeros(n_samples))
        np.testing.assert_allclose(matrix.scores(values[:first]), scores, atol=1e-12)


def test_wrong_arguments_are_refused():
    for n_leaves in (0, 257):
        with pytest.raises(ValueError, match="n_leaves"):
            LeafMatrix(5, n_leaves)
    matrix = matrix_of(np.zeros((2, 5), dtype=np.uint8), 2)
    with pytest.raises(ValueError, match="length"):
        matrix.sums(np.ones(4))
    with pytest.raises(ValueError, match="length"):
        matrix.append(np.zeros(4, dtype=np.uint8))
    for shape in ((3, 2), (2, 3)):
        with pytest.raises(ValueError, match="one row a tree"):
            matrix.scores(np.ones(shape))
    with pytest.raises(TypeError):
        matrix.append(np.zeros(10, dtype=np.uint8)[::2])
    with pytest.raises(TypeError):
        matrix.append(np.zeros(5))

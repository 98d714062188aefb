"""Kernels against their formulas, what they refuse, and the positive part of those that are no kernels."""

import numpy as np
import pytest
from scipy import sparse

from widemargin.kernels import KERNELS, Kernel, positive_part


def histograms(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(5), size=n) * (rng.random((n, 5)) > 0.3)


def pairwise(formula, X, Y):
    return np.array([[formula(x, z) for z in Y] for x in X])


def chi2(x, z):
    total = x + z
    used = total > 0
    return np.exp(-0.7 * np.sum((x - z)[used] ** 2 / total[used]))


FORMULAS = {
    "linear": lambda x, z: x @ z,
    "rbf": lambda x, z: np.exp(-0.7 * np.sum((x - z) ** 2)),
    "poly": lambda x, z: (0.7 * (x @ z) + 0.5) ** 2,
    "sigmoid": lambda x, z: np.tanh(0.7 * (x @ z) + 0.5),
    "laplacian": lambda x, z: np.exp(-0.7 * np.abs(x - z).sum()),
    "chi2": chi2,
}


def test_every_name_has_a_formula_here():
    assert set(FORMULAS) | {"precomputed"} == set(KERNELS)


@pytest.mark.parametrize("container", [np.asarray, np.asfortranarray, sparse.csr_array, sparse.csr_matrix])
@pytest.mark.parametrize("name", FORMULAS)
def test_formula(name, container):
    X, Y = histograms(4), histograms(3, seed=1)
    K = Kernel(name, gamma=0.7, degree=2, coef0=0.5)(container(X), container(Y))
    assert K.flags.c_contiguous
    # Expanding the squared distance, as scikit-learn does for rbf, cancels a few of 16 digits.
    np.testing.assert_allclose(K, pairwise(FORMULAS[name], X, Y), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", FORMULAS)
def test_read_only_input(name):
    X = histograms(4)
    X.setflags(write=False)
    assert Kernel(name)(X, X).shape == (4, 4)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_precomputed_is_the_matrix(container):
    K = np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(Kernel("precomputed")(container(K), None), K)


@pytest.mark.parametrize(
    "product", [lambda A, B: A @ B.T, lambda A, B: sparse.csr_array(A @ B.T), lambda A, B: (A @ B.T).tolist()]
)
def test_function(product):
    X, Y = histograms(4), histograms(3, seed=1)
    np.testing.assert_allclose(Kernel(product)(X, Y), X @ Y.T, rtol=1e-15)


@pytest.mark.parametrize("returned", [np.ones((3, 4)), np.ones(4), 1.0, np.ones((4, 3, 1))])
def test_function_of_wrong_shape(returned):
    message = (
        r"privileged_kernel returned an array of shape .* for 4 and 3 samples: .* must return shape \(4, 3\)"
    )
    with pytest.raises(ValueError, match=message):
        Kernel(lambda A, B: returned, name="privileged_kernel")(np.ones((4, 2)), np.ones((3, 2)))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_function_not_finite(value):
    with pytest.raises(ValueError, match=r"kernel gives NaN or infinity on these samples \(its function\)"):
        Kernel(lambda A, B: np.full((4, 4), value))(np.ones((4, 2)), np.ones((4, 2)))


@pytest.mark.parametrize(
    ("kernel", "X"),
    [
        # A root of a negative number, and an overflow: neither may end as NumPy's warning or in a solver.
        (Kernel("poly", degree=2.5), np.array([[1.0], [-1.0]])),
        (Kernel("poly", degree=50), np.array([[1e10], [-1e10]])),
        (Kernel("linear"), np.array([[1e200], [1.0]])),
    ],
)
def test_name_not_finite(kernel, X):
    message = rf"kernel gives NaN or infinity on these samples \('{kernel.kernel}'\): scale the features"
    with pytest.raises(ValueError, match=message):
        kernel(X, X)


@pytest.mark.parametrize(
    ("kernel", "expected"),
    [
        (Kernel("linear"), True),
        (Kernel("rbf"), True),
        (Kernel("laplacian"), True),
        (Kernel("chi2"), True),
        (Kernel("poly", coef0=0.0, degree=3), True),
        (Kernel("poly", coef0=-0.1, degree=3), False),
        (Kernel("poly", coef0=1.0, degree=2.5), False),
        (Kernel("sigmoid"), False),
        (Kernel("precomputed"), False),
        (Kernel(lambda A, B: A @ B.T), False),
    ],
)
def test_which_are_known_to_be_positive_semi_definite(kernel, expected):
    assert kernel.is_psd is expected
    if kernel.is_psd:
        K = kernel(histograms(30), histograms(30))
        assert np.linalg.eigvalsh(K)[0] > -1e-12 * np.linalg.eigvalsh(K)[-1]


class TestPositivePart:
    def test_good_matrix_is_returned_itself(self):
        gram = np.diag([1.0, 0.0, 2.0])
        result, projector, smallest = positive_part(gram)
        assert result is gram
        assert projector is None
        assert smallest == 0.0

    def test_rounding_is_no_defect(self):
        gram = np.diag([1.0, -1e-12])
        assert positive_part(gram)[0] is gram

    def test_zero_matrix(self):
        gram = np.zeros((3, 3))
        assert positive_part(gram)[0] is gram

    def test_negative_eigenvalue_is_dropped(self):
        rng = np.random.default_rng(0)
        vectors = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        gram = (vectors * [3.0, 2.0, 1.0, -0.5]) @ vectors.T
        unchanged = gram.copy()
        result, projector, smallest = positive_part(gram)
        np.testing.assert_array_equal(gram, unchanged)
        assert smallest == pytest.approx(-0.5)
        np.testing.assert_allclose(result, (vectors * [3.0, 2.0, 1.0, 0.0]) @ vectors.T, atol=1e-12)
        # Coefficients c over the kept part give the same values as projector @ c over the matrix as it came.
        c = rng.normal(size=4)
        np.testing.assert_allclose(gram @ (projector @ c), result @ c, atol=1e-12)

    def test_negative_definite_matrix(self):
        result, projector, smallest = positive_part(-np.eye(3))
        assert smallest == -1.0
        np.testing.assert_array_equal(result, np.zeros((3, 3)))
        np.testing.assert_array_equal(projector, np.zeros((3, 3)))

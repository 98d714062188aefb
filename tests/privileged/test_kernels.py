"""The kernels of the estimators: the same problem said in several ways, on training samples and on new ones."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import rbf_kernel, sigmoid_kernel
from sklearn.svm import SVC

from widemargin.kernels import positive_part
from widemargin.privileged import MarginTransferSVC, RankTransferSVC, SVMPlus

N = 30
ESTIMATORS = [
    SVMPlus(privileged_kernel="rbf"),
    SVMPlus(loss="squared_hinge", privileged_kernel="rbf"),
    MarginTransferSVC(),
    MarginTransferSVC(fit_intercept=False),
    RankTransferSVC(C=0.1),
]
ALL = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
PLAIN = pytest.mark.filterwarnings("ignore:X_privileged was not given:UserWarning")


@pytest.fixture
def data():
    rng = np.random.default_rng(4)
    Z = rng.normal(size=(N, 2))
    X = Z + 0.7 * rng.normal(size=Z.shape) + 2.0
    return X, (Z[:, 0] > 0).astype(int), Z


@pytest.fixture
def new():
    return np.random.default_rng(5).normal(size=(7, 2)) + 2.0


def fit(estimator, X, y, Z, **parameters):
    # So small a gap that the decision values of different algorithms agree to some four digits.
    return type(estimator)(**(estimator.get_params() | {"tol": 1e-10} | parameters)).fit(X, y, X_privileged=Z)


def linear_kernel(A, B):
    return A @ B.T


class TestLinear:
    @ALL
    @pytest.mark.parametrize(
        "parameters",
        [{"kernel": linear_kernel}, {"kernel": "poly", "degree": 1, "gamma": 1.0, "coef0": 0.0}],
        ids=["function", "poly"],
    )
    def test_equals_other_ways_to_say_it(self, estimator, data, new, parameters):
        X, y, Z = data
        expected = fit(estimator, X, y, Z)
        model = fit(estimator, X, y, Z, **parameters)
        assert model.objective_ == pytest.approx(expected.objective_, rel=1e-9)
        np.testing.assert_allclose(model.decision_function(X), expected.decision_function(X), atol=2e-4)
        np.testing.assert_allclose(model.decision_function(new), expected.decision_function(new), atol=2e-4)

    @ALL
    @pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
    def test_equals_precomputed(self, estimator, data, new, container):
        X, y, Z = data
        expected = fit(estimator, X, y, Z)
        model = fit(estimator, container(X @ X.T), y, Z, kernel="precomputed")
        assert model.objective_ == pytest.approx(expected.objective_, rel=1e-9)
        np.testing.assert_allclose(
            model.decision_function(container(new @ X.T)), expected.decision_function(new), atol=2e-4
        )

    @ALL
    def test_privileged_kernel_equals_precomputed_and_function(self, estimator, data, new):
        X, y, Z = data
        expected = fit(estimator, X, y, Z, privileged_kernel="rbf", privileged_gamma=0.5)
        values = expected.decision_function(new)
        precomputed = fit(estimator, X, y, rbf_kernel(Z, gamma=0.5), privileged_kernel="precomputed")
        np.testing.assert_allclose(precomputed.decision_function(new), values, atol=2e-4)
        function = fit(estimator, X, y, Z, privileged_kernel=lambda A, B: rbf_kernel(A, B, gamma=0.5))
        np.testing.assert_allclose(function.decision_function(new), values, atol=2e-4)

    @ALL
    def test_missing_rows_of_a_precomputed_privileged_kernel(self, estimator, data, new):
        X, y, Z = data
        Z = Z.copy()
        K = rbf_kernel(Z, gamma=0.5)
        Z[[2, 9]] = K[[2, 9]] = np.nan
        expected = fit(estimator, X, y, Z, privileged_kernel="rbf", privileged_gamma=0.5)
        model = fit(estimator, X, y, K, privileged_kernel="precomputed")
        np.testing.assert_allclose(model.decision_function(new), expected.decision_function(new), atol=2e-4)
        K[:, [2, 9]] = np.nan
        again = fit(estimator, X, y, K, privileged_kernel="precomputed")
        np.testing.assert_array_equal(again.decision_function(new), model.decision_function(new))

    @ALL
    def test_more_features_than_samples(self, estimator, data, new):
        # There the solvers work with the Gram matrix, and the weights are put together from the samples.
        X, y, Z = data
        rotation = np.linalg.qr(np.random.default_rng(0).normal(size=(N + 10, N + 10)))[0][:2]
        expected = fit(estimator, X, y, Z)
        model = fit(estimator, X @ rotation, y, Z)
        assert model.coef_.shape == (1, N + 10)
        np.testing.assert_allclose(model.coef_ @ rotation.T, expected.coef_, atol=2e-4)
        np.testing.assert_allclose(
            model.decision_function(new @ rotation), expected.decision_function(new), atol=2e-4
        )


class TestExpansion:
    @ALL
    @pytest.mark.parametrize("kernel", ["rbf", "poly", "laplacian"])
    def test_decision_function_by_hand(self, estimator, data, new, kernel):
        X, y, Z = data
        model = fit(estimator, X, y, Z, kernel=kernel, gamma=0.3, degree=2, coef0=1.0)
        used = model.support_.size
        assert model.dual_coef_.shape == (1, used)
        assert not hasattr(model, "coef_")
        np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
        formula = {
            "rbf": lambda a, b: np.exp(-0.3 * np.sum((a - b) ** 2)),
            "poly": lambda a, b: (0.3 * (a @ b) + 1) ** 2,
            "laplacian": lambda a, b: np.exp(-0.3 * np.abs(a - b).sum()),
        }[kernel]
        by_hand = [
            sum(c * formula(x, s) for c, s in zip(model.dual_coef_[0], X[model.support_], strict=True))
            for x in new
        ] + model.intercept_
        np.testing.assert_allclose(model.decision_function(new), by_hand, rtol=1e-9, atol=1e-9)

    @ALL
    def test_support_counts_the_rows_the_user_passed(self, estimator, data):
        # Rows without privileged features or weight are moved and dropped inside.
        X, y, Z = data
        Z = np.where(np.arange(N)[:, None] % 5 == 0, np.nan, Z)
        weight = (np.arange(N) % 7 != 0).astype(float)
        model = type(estimator)(**(estimator.get_params() | {"kernel": "rbf", "gamma": 0.3, "tol": 1e-10}))
        model.fit(X, y, X_privileged=Z, sample_weight=weight)
        assert np.all(np.diff(model.support_) > 0)
        np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
        assert np.all(weight[model.support_] > 0)
        K = rbf_kernel(X, gamma=0.3)
        precomputed = type(estimator)(**(model.get_params() | {"kernel": "precomputed"}))
        precomputed.fit(K, y, X_privileged=Z, sample_weight=weight)
        np.testing.assert_array_equal(precomputed.support_, model.support_)
        np.testing.assert_allclose(precomputed.decision_function(K), model.decision_function(X), atol=2e-4)

    @pytest.mark.filterwarnings("ignore:X_privileged was not given:UserWarning")
    @pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC])
    def test_only_samples_with_a_coefficient_are_support_vectors(self, data, Estimator):
        # Far from the boundary, coefficients are zero; centring the kernel must not turn them into rounding.
        X, y, _ = data
        X = X + 3 * y[:, None]
        model = Estimator(kernel="rbf", gamma=0.1, solver="smo", tol=1e-8).fit(X, y)
        svc = SVC(kernel="rbf", gamma=0.1, tol=1e-8).fit(X, y)
        np.testing.assert_array_equal(model.support_, np.sort(svc.support_))
        assert model.support_.size < N / 2

    @ALL
    def test_sparse_features_keep_sparse_support_vectors(self, estimator, data, new):
        X, y, Z = data
        expected = fit(estimator, X, y, Z, kernel="rbf", gamma=0.3)
        model = fit(estimator, sparse.csr_array(X), y, Z, kernel="rbf", gamma=0.3)
        assert sparse.issparse(model.support_vectors_)
        np.testing.assert_allclose(model.decision_function(new), expected.decision_function(new), atol=2e-4)


class TestPlainSVM:
    @PLAIN
    @pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC])
    @pytest.mark.parametrize("gamma", ["scale", "auto", 0.2])
    def test_equals_svc_with_its_gamma(self, data, new, Estimator, gamma):
        X, y, _ = data
        model = Estimator(C=2, kernel="rbf", gamma=gamma, tol=1e-10).fit(X, y)
        svc = SVC(C=2, kernel="rbf", gamma=gamma, tol=1e-10).fit(X, y)
        np.testing.assert_allclose(model.decision_function(new), svc.decision_function(new), atol=2e-4)

    @PLAIN
    def test_gamma_scale_is_the_same_for_sparse_features(self, data, new):
        X, y, _ = data
        X = np.where(X > 2, X, 0)
        dense = SVMPlus(kernel="rbf", tol=1e-10).fit(X, y)
        thin = SVMPlus(kernel="rbf", tol=1e-10).fit(sparse.csr_array(X), y)
        np.testing.assert_allclose(thin.decision_function(new), dense.decision_function(new), atol=2e-4)


class TestNotPositiveSemiDefinite:
    @ALL
    def test_negative_part_is_dropped_with_a_warning(self, estimator, data, new):
        X, y, Z = data
        X, new = X - 2, new - 2
        K = sigmoid_kernel(X, gamma=0.5, coef0=-1.0)
        kept, projector, smallest = positive_part(K)
        assert projector is not None
        parameters = {"kernel": "sigmoid", "gamma": 0.5, "coef0": -1.0}
        with pytest.warns(UserWarning, match=rf"^kernel is not positive semi-definite .* {smallest:.3g}\)"):
            model = fit(estimator, X, y, Z, **parameters)
        expected = fit(estimator, kept, y, Z, kernel="precomputed")
        assert model.objective_ == pytest.approx(expected.objective_, rel=1e-8)
        np.testing.assert_allclose(model.decision_function(X), expected.decision_function(kept), atol=2e-4)
        extended = sigmoid_kernel(new, X, gamma=0.5, coef0=-1.0) @ projector
        np.testing.assert_allclose(
            model.decision_function(new), expected.decision_function(extended), atol=2e-4
        )

    @ALL
    def test_privileged_kernel(self, estimator, data):
        X, y, Z = data
        with pytest.warns(UserWarning, match="^privileged_kernel is not positive semi-definite"):
            fit(
                estimator,
                X,
                y,
                Z,
                privileged_kernel="sigmoid",
                privileged_gamma=0.5,
                privileged_coef0=-1.0,
                kernel="rbf",
            )


@PLAIN
@pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC])
@pytest.mark.parametrize(
    ("kernel", "solver"),
    [
        ("linear", "auto"),
        ("linear", "smo"),
        ("rbf", "auto"),
        ("rbf", "smo"),
        ("rbf", "interior_point"),
    ],
)
def test_constant_features_leave_the_intercept(Estimator, kernel, solver):
    X, y = np.ones((10, 2)), np.arange(10) < 7
    model = Estimator(kernel=kernel, solver=solver).fit(X, y)
    # Three samples of the smaller class lose 2 each.
    assert model.objective_ == pytest.approx(6)
    assert model.predict(X).all()


@pytest.mark.parametrize("C", [1.0, 1e3])
def test_a_gaussian_kernel_far_from_the_origin(data, new, C):
    # Distances of inner products lose digits there: the kernel matrix was not semi-definite, and nothing converged.
    X, y, Z = data
    near, far = (
        SVMPlus(C, 1e-3, kernel="rbf", privileged_kernel="rbf").fit(X + offset, y, X_privileged=Z + offset)
        for offset in (0.0, 1e4)
    )
    assert far.converged_
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-5)
    np.testing.assert_allclose(far.decision_function(new + 1e4), near.decision_function(new), atol=1e-2)


def test_class_weights_do_not_see_samples_of_weight_zero(data):
    X, y, Z = data
    weight = np.where(np.arange(N) < 8, 0.0, 1.0)
    estimator = SVMPlus(privileged_kernel="rbf", class_weight="balanced")
    with_zeros = estimator.fit(X, y, X_privileged=Z, sample_weight=weight).decision_function(X)
    without = estimator.fit(X[8:], y[8:], X_privileged=Z[8:]).decision_function(X)
    np.testing.assert_allclose(with_zeros, without, atol=1e-6)

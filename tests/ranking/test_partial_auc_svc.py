import pickle
import warnings

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from reference.partial_auc import value_by_ranks
from widemargin.metrics import partial_auc_score
from widemargin.metrics.partial_auc import partial_auc_scorer
from widemargin.ranking.partial_auc_svc import PartialAUCSVC


@parametrize_with_checks([PartialAUCSVC((0, 1)), PartialAUCSVC((0, 1), kernel="rbf")])
def test_scikit_learn_conventions(estimator, check):
    check(estimator)


def samples(seed=0, n=150, n_features=4):
    return make_classification(
        n, n_features, n_informative=3, n_redundant=0, flip_y=0.1, class_sep=0.7, random_state=seed
    )


def objective(model, X, y, weights):
    n = int(np.sum(y == 0))
    start = int(np.ceil(n * model.fpr_range[0] - 1e-9))
    stop = int(np.floor(n * model.fpr_range[1] + 1e-9))
    risk = value_by_ranks(X @ weights, y == 1, start, stop, structural=model.bound == "structural")
    return 0.5 * weights @ weights + model.C * risk


@pytest.mark.parametrize("bound", ["tight", "structural"])
@pytest.mark.parametrize("fpr_range", [(0.0, 0.1), (0.05, 0.2), (0.0, 1.0)])
def test_objective_is_that_of_the_problem_and_no_other_weights_are_better(fpr_range, bound):
    X, y = samples()
    model = PartialAUCSVC(fpr_range, 2.0, bound=bound, tol=1e-7).fit(X, y)
    weights = model.coef_.ravel()
    assert model.converged_
    assert model.objective_ == pytest.approx(objective(model, X, y, weights), rel=1e-10)
    assert 0 <= model.dual_gap_ <= 1e-7 * model.objective_
    other = minimize(lambda w: objective(model, X, y, w), weights, method="Powell", options={"maxiter": 20})
    assert other.fun >= model.objective_ - model.dual_gap_ - 1e-12


def test_full_range_is_the_svm_of_all_pairs():
    X, y = samples(1, n=60)
    model = PartialAUCSVC((0, 1), 3.0, tol=1e-8).fit(X, y)
    pairs = (X[y == 1][:, None, :] - X[y == 0][None, :, :]).reshape(-1, X.shape[1])
    # The dual of the SVM of the pairs, by L-BFGS within its box.
    cost = 3.0 / len(pairs)

    def dual(alpha):
        w = alpha @ pairs
        return 0.5 * w @ w - alpha.sum(), pairs @ w - 1.0

    solution = minimize(
        dual, np.full(len(pairs), cost / 2), jac=True, method="L-BFGS-B", bounds=[(0, cost)] * len(pairs)
    )
    assert model.objective_ == pytest.approx(-solution.fun, rel=1e-4)
    assert -solution.fun <= model.objective_ + 1e-12


@pytest.mark.parametrize("fpr_range", [(0.0, 0.1), (0.05, 0.2), (0.0, 1.0)])
def test_precomputed_linear_kernel_is_the_linear_kernel(fpr_range):
    X, y = samples(2)
    linear = PartialAUCSVC(fpr_range, 5.0, tol=1e-8).fit(X, y)
    kernel = PartialAUCSVC(fpr_range, 5.0, kernel="precomputed", tol=1e-8).fit(linear_kernel(X), y)
    function = PartialAUCSVC(fpr_range, 5.0, kernel=linear_kernel, tol=1e-8).fit(X, y)
    # A relative gap of 1e-8 leaves weights of relative error 1e-4, by strong convexity.
    for other in (kernel, function):
        assert other.objective_ == pytest.approx(linear.objective_, rel=1e-7)
        np.testing.assert_allclose(other.dual_coef_ @ X[other.support_], linear.coef_, atol=1e-3)
    np.testing.assert_allclose(
        kernel.decision_function(linear_kernel(X[:9], X)), linear.decision_function(X[:9]), atol=1e-2
    )


def test_rbf_kernel_equals_its_precomputed_matrix():
    X, y = samples(3)
    rbf = PartialAUCSVC((0.0, 0.2), 5.0, kernel="rbf", gamma=0.3).fit(X, y)
    gram = rbf_kernel(X, gamma=0.3)
    precomputed = PartialAUCSVC((0.0, 0.2), 5.0, kernel="precomputed").fit(gram, y)
    assert rbf.objective_ == pytest.approx(precomputed.objective_, rel=1e-4)
    assert partial_auc_score(y, rbf.decision_function(X), fpr_range=(0.0, 0.2)) > 0.8
    values = rbf.decision_function(X) - rbf.intercept_
    np.testing.assert_allclose(
        values, rbf_kernel(X, rbf.support_vectors_, gamma=0.3) @ rbf.dual_coef_.ravel(), atol=1e-10
    )


def test_sparse_is_dense():
    X, y = samples(4)
    X[np.abs(X) < 0.4] = 0.0
    for options in ({}, {"kernel": "rbf", "gamma": 0.5}):
        dense = PartialAUCSVC((0.0, 0.3), 2.0, tol=1e-7, **options).fit(X, y)
        sparse = PartialAUCSVC((0.0, 0.3), 2.0, tol=1e-7, **options).fit(csr_array(X), y)
        assert sparse.objective_ == pytest.approx(dense.objective_, rel=2e-7)
        np.testing.assert_allclose(
            sparse.decision_function(csr_array(X)), dense.decision_function(X), atol=2e-2
        )


@pytest.mark.parametrize("options", [{}, {"kernel": "rbf", "gamma": 0.5}, {"kernel": "precomputed"}])
def test_weights_are_multiplicities(options):
    X, y = samples(5)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    copies = np.repeat(np.arange(len(y)), weight)
    precomputed = "precomputed" in options.values()
    first = rbf_kernel(X) if precomputed else X
    second = rbf_kernel(X[copies]) if precomputed else X[copies]
    weighted = PartialAUCSVC((0.05, 0.3), tol=1e-6, **options).fit(first, y, sample_weight=weight)
    copied = PartialAUCSVC((0.05, 0.3), tol=1e-6, **options).fit(second, y[copies])
    assert weighted.objective_ == pytest.approx(copied.objective_, rel=2e-6)
    test = rbf_kernel(X[:20], X) if precomputed else X[:20]
    test_copied = rbf_kernel(X[:20], X[copies]) if precomputed else X[:20]
    np.testing.assert_allclose(
        weighted.decision_function(test), copied.decision_function(test_copied), atol=2e-2
    )


@pytest.mark.parametrize("kernel", ["linear", "poly"])
def test_features_far_from_the_origin(kernel):
    X, y = samples(6)
    options = {"kernel": kernel, "degree": 1, "gamma": 1.0, "tol": 1e-6}
    near = PartialAUCSVC((0.0, 0.2), **options).fit(X, y)
    far = PartialAUCSVC((0.0, 0.2), **options).fit(X + 1e4, y)
    assert far.converged_
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-5)
    np.testing.assert_allclose(far.decision_function(X + 1e4), near.decision_function(X), atol=2e-2)


@pytest.mark.parametrize("fpr_range", [(0.0, 0.1), (0.1, 0.3), (0.6, 0.9)])
def test_operating_point_lies_in_the_range(fpr_range):
    X, y = samples(7)
    predicted = PartialAUCSVC(fpr_range, 10.0).fit(X, y).predict(X)
    rate = np.mean(predicted[y == 0])
    assert fpr_range[0] - 1e-12 <= rate <= fpr_range[1] + 1e-12


@pytest.mark.parametrize("labels", [["no", "yes"], [False, True], [-1, 1], [3.0, 7.0]])
def test_labels_of_any_kind(labels):
    X, y = samples(8)
    expected = PartialAUCSVC().fit(X, y)
    model = PartialAUCSVC().fit(X, np.array(labels)[y])
    np.testing.assert_array_equal(model.classes_, labels)
    np.testing.assert_array_equal(model.predict(X), np.array(labels)[expected.predict(X)])


def test_order_and_multiplicity_of_fits_do_not_matter():
    X, y = samples(9)
    order = np.random.default_rng(0).permutation(len(y))
    model = PartialAUCSVC(tol=1e-8)
    first = model.fit(X, y).coef_.copy()
    np.testing.assert_array_equal(model.fit(X, y).coef_, first)
    np.testing.assert_allclose(clone(model).fit(X[order], y[order]).coef_, first, atol=1e-3)


def test_pickle_search_and_one_against_the_rest():
    X, y = samples(10)
    model = PartialAUCSVC().fit(X, y)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(model)).decision_function(X), model.decision_function(X)
    )
    search = GridSearchCV(PartialAUCSVC(), {"C": [0.1, 10.0]}, scoring=partial_auc_scorer((0.0, 0.1)), cv=3)
    assert search.fit(X, y).best_score_ > 0.3
    three = np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))
    rest = OneVsRestClassifier(PartialAUCSVC((0.0, 0.5))).fit(X, three)
    assert rest.predict(X).shape == three.shape


def test_separable_samples_end_with_finite_weights():
    X = np.column_stack([np.r_[np.linspace(1, 2, 20), np.linspace(-2, -1, 30)], np.zeros(50)])
    y = np.arange(50) < 20
    model = PartialAUCSVC((0.0, 0.1), C=1e5).fit(X, y)
    assert model.converged_
    np.testing.assert_allclose(model.coef_, [[0.5, 0.0]], atol=1e-3)
    np.testing.assert_array_equal(model.predict(X), y)


def test_one_positive_and_constant_features():
    X = np.column_stack([np.linspace(0, 1, 20), np.full(20, 3.0)])
    y = np.arange(20) == 19
    assert PartialAUCSVC((0.0, 0.1)).fit(X, y).predict(X)[19]
    for kernel in ("linear", "rbf"):
        model = PartialAUCSVC((0.0, 0.1), kernel=kernel).fit(np.ones((20, 2)), y)
        assert model.objective_ == pytest.approx(1.0)
        np.testing.assert_array_equal(model.predict(np.ones((20, 2))), False)


def test_few_rounds_warn_and_keep_the_best_point():
    X, y = samples(11)
    with pytest.warns(ConvergenceWarning, match="after 2 rounds .* raise max_iter or tol"):
        model = PartialAUCSVC(max_iter=2, tol=1e-9).fit(X, y)
    assert not model.converged_
    assert model.objective_ == pytest.approx(objective(model, X, y, model.coef_.ravel()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PartialAUCSVC().fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"fpr_range": (0.2, 0.1)}, ValueError, "fpr_range must be two false positive rates"),
        ({"fpr_range": (0.0, 1.1)}, ValueError, "fpr_range must be two false positive rates"),
        ({"fpr_range": (0.0, np.nan)}, ValueError, "fpr_range must be finite"),
        ({"fpr_range": 0.1}, ValueError, "fpr_range must be two false positive rates"),
        ({"fpr_range": ("a", "b")}, TypeError, "fpr_range must be a real number"),
        ({"fpr_range": (0.0, 0.001)}, ValueError, r"holds none of the 75 negatives: .* \(0.0, 0.0133"),
        ({"C": 0.0}, ValueError, "C must be finite and greater than 0"),
        ({"C": "1"}, TypeError, "C must be a real number"),
        ({"tol": 0.0}, ValueError, "tol must be finite and greater than 0"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"bound": "loose"}, ValueError, "bound must be one of 'tight', 'structural'"),
        ({"kernel": "cubic"}, ValueError, "kernel must be one of"),
        ({"kernel": "rbf", "gamma": -1.0}, ValueError, "gamma must be finite and at least 0"),
        ({"kernel": "rbf", "gamma": "wide"}, ValueError, "gamma must be one of 'scale', 'auto'"),
        ({"kernel": "poly", "degree": -1}, ValueError, "degree must be finite and at least 0"),
        ({"kernel": "chi2"}, ValueError, "Negative values in data"),
        ({"kernel": "precomputed"}, ValueError, r"kernel='precomputed' needs the square kernel matrix"),
    ],
)
def test_parameters_out_of_range(parameters, error, message):
    X, y = samples(12)
    y = np.arange(len(y)) % 2
    with pytest.raises(error, match=message):
        PartialAUCSVC(**parameters).fit(X, y)


def test_arguments_that_do_not_fit():
    X, y = samples(13)
    model = PartialAUCSVC()
    with pytest.raises(ValueError, match=r"OneVsRestClassifier\(PartialAUCSVC"):
        model.fit(X, np.arange(len(y)) % 3)
    with pytest.raises(ValueError, match="y has one class"):
        model.fit(X, np.zeros(len(y)))
    with pytest.raises(ValueError, match="sample_weight leaves no sample of class 1"):
        model.fit(X, y, sample_weight=1 - y)
    with pytest.raises(ValueError, match="y has 149 labels, X has 150 rows"):
        model.fit(X, y[1:])
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="X contains NaN"):
        model.fit(X, y)
    X[0, 0] = 1e80
    with pytest.raises(ValueError, match="products overflow: scale the features"):
        model.fit(X, y)


@pytest.mark.parametrize("options", [{}, {"kernel": "rbf", "gamma": 0.2}])
@pytest.mark.parametrize("C", [1e-8, 3e-5, 1e-3])
def test_a_small_C_ranks_as_well_as_its_limit(C, options):
    # For small C all pairs lose, and w / C no longer depends on C.
    X, y = samples(14)
    small = PartialAUCSVC((0.0, 0.5), C, **options).fit(X, y)
    limit = PartialAUCSVC((0.0, 0.5), 1e-2, **options).fit(X, y)
    assert small.converged_
    assert 0 <= small.dual_gap_ <= small.tol * (C - small.objective_ + small.dual_gap_)
    expected = partial_auc_score(y, limit.decision_function(X), fpr_range=(0.0, 0.5))
    area = partial_auc_score(y, small.decision_function(X), fpr_range=(0.0, 0.5))
    assert expected > 0.4
    assert area == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("scale", [1e-4, 1e-3, 1e-2])
def test_features_of_a_small_scale(scale):
    X, y = samples(15)
    model = PartialAUCSVC((0.0, 0.5)).fit(X * scale, y)
    assert model.converged_
    assert np.any(model.coef_ != 0)
    unit = PartialAUCSVC((0.0, 0.5), C=scale**2).fit(X, y)
    # w for X * s and C is w for X and C s^2, divided by s; both are within sqrt(tol) of the optimum.
    np.testing.assert_allclose(
        model.coef_ * scale, unit.coef_, atol=2 * np.sqrt(2 * model.tol) * np.linalg.norm(unit.coef_)
    )


def test_features_too_small_for_a_certificate_say_so():
    X, y = samples(16)
    with pytest.warns(ConvergenceWarning, match="scale the features"):
        model = PartialAUCSVC((0.0, 0.5)).fit(X * 1e-9, y)
    assert not model.converged_
    assert partial_auc_score(y, model.decision_function(X), fpr_range=(0.0, 0.5)) > 0.4


@pytest.mark.parametrize("C", [1e155, 1e300])
def test_a_C_that_overflows_is_not_converged(C):
    X, y = samples(17)
    with pytest.warns(ConvergenceWarning, match="after .* rounds"):
        model = PartialAUCSVC(C=C).fit(X, y)
    assert not model.converged_
    assert np.isfinite(model.coef_).all()


def test_constant_features_of_any_size_need_no_warning():
    y = np.arange(27) % 3 == 0
    for value in (0.1, 3.0, 1e4):
        for kernel in ("linear", "rbf"):
            model = PartialAUCSVC((0.0, 0.5), C=1e3, kernel=kernel).fit(np.full((27, 2), value), y)
            assert model.converged_
            assert model.objective_ == pytest.approx(1e3)

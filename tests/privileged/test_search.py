"""The joint searches against GridSearchCV over the estimators, on the same folds."""

import numpy as np
import pytest
import sklearn
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.preprocessing import StandardScaler

from widemargin.privileged import MarginTransferSVC, MarginTransferSVCCV, SVMPlus, SVMPlusCV

GRID = [1e-2, 1.0, 100.0]


@pytest.fixture(autouse=True)
def _routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def data(n=36, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 30))
    y = np.argsort(np.argsort(Z[:, :3].sum(axis=1))) * n_classes // n
    return Z[:, :12] + 0.5 * rng.normal(size=(n, 12)), np.array(["ape", "bee", "cat"])[y], Z


def pair(name, **parameters):
    """The search, and GridSearchCV over the estimator, with the same grid."""
    if name == "svm_plus":
        return (
            lambda cv: SVMPlusCV(GRID, GRID, cv=cv, **parameters),
            lambda cv: GridSearchCV(SVMPlus(**parameters), {"C": GRID, "privileged_alpha": GRID}, cv=cv),
        )
    return (
        lambda cv: MarginTransferSVCCV(GRID, GRID, cv=cv, **parameters),
        lambda cv: GridSearchCV(MarginTransferSVC(**parameters), {"C": GRID, "privileged_C": GRID}, cv=cv),
    )


@pytest.mark.parametrize("name", ["svm_plus", "margin_transfer"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"kernel": "rbf", "gamma": 0.05, "privileged_kernel": "rbf", "privileged_gamma": 0.02},
        {"privileged_transformer": StandardScaler(), "class_weight": "balanced"},
    ],
    ids=["linear", "rbf", "transformer"],
)
@pytest.mark.filterwarnings("ignore:The optimum of SVM")
def test_chooses_what_grid_search_chooses(name, n_classes, parameters):
    X, y, Z = data(n_classes=n_classes)
    make, make_generic = pair(name, **parameters)
    cv = StratifiedKFold(3, shuffle=True, random_state=0)
    search = make(cv).fit(X, y, X_privileged=Z)
    generic = make_generic(cv).fit(X, y, X_privileged=Z)
    assert search.best_params_ == generic.best_params_
    assert search.best_index_ == generic.best_index_
    for key in ("mean_test_score", "std_test_score", "rank_test_score", "split0_test_score"):
        np.testing.assert_allclose(search.cv_results_[key], generic.cv_results_[key], rtol=0, atol=1e-12)
    assert [dict(p) for p in search.cv_results_["params"]] == generic.cv_results_["params"]
    np.testing.assert_allclose(
        search.decision_function(X), generic.best_estimator_.decision_function(X), atol=1e-8
    )
    np.testing.assert_array_equal(search.predict(X), generic.predict(X))


@pytest.mark.parametrize("name", ["svm_plus", "margin_transfer"])
def test_balanced_class_weights_are_those_of_the_training_part(name):
    # One weight for all folds moved intercepts from one end of the optimal ones to the other.
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [37, 20])
    X = rng.normal(size=(57, 2)) + 1.5 * y[:, None]
    make, make_generic = pair(name, class_weight="balanced", kernel="rbf", privileged_kernel="rbf")
    search = make(StratifiedKFold(4)).fit(X, y, X_privileged=X + 0.1)
    generic = make_generic(StratifiedKFold(4)).fit(X, y, X_privileged=X + 0.1)
    np.testing.assert_allclose(
        search.cv_results_["mean_test_score"], generic.cv_results_["mean_test_score"], rtol=0, atol=1e-12
    )


def test_a_first_stage_that_missed_its_tolerance_counts():
    X, y, Z = data()
    search = MarginTransferSVCCV([1e-6], [1e4], cv=3, solver="smo", max_iter=30)
    with pytest.warns(ConvergenceWarning) as warned:  # the final fit warns, too
        search.fit(X, y, X_privileged=Z)
    assert any("3 of 3 fits of the grid search missed" in str(warning.message) for warning in warned)
    assert search.n_not_converged_ == 3
    assert not any("second stage" in str(warning.message) for warning in warned)


def test_too_large_kernel_matrices_are_refused_before_the_search():
    X, y, Z = data()
    with pytest.raises(ValueError, match=r"cache_size is 0\.01 MB"):
        SVMPlusCV(kernel="rbf", privileged_kernel="rbf", cache_size=0.01, cv="no folds").fit(
            X, y, X_privileged=Z
        )


@pytest.mark.parametrize("name", ["svm_plus", "margin_transfer"])
@pytest.mark.filterwarnings("ignore:The optimum of SVM")
def test_other_scores_weights_and_missing_rows(name):
    X, y, Z = data()
    Z[::5] = np.nan
    weight = np.random.default_rng(1).choice([0.5, 1.0, 2.0], size=y.size)
    make, make_generic = pair(name)
    cv = StratifiedKFold(3)
    search = make(cv).set_params(scoring="roc_auc")
    unweighted = get_scorer("roc_auc").set_score_request(sample_weight=False)
    generic = make_generic(cv).set_params(scoring=unweighted)
    generic.estimator.set_fit_request(sample_weight=True)
    search.fit(X, y, X_privileged=Z, sample_weight=weight)
    generic.fit(X, y, X_privileged=Z, sample_weight=weight)
    np.testing.assert_allclose(
        search.cv_results_["mean_test_score"], generic.cv_results_["mean_test_score"], atol=1e-12
    )


def test_precomputed_kernels_are_sliced_on_both_axes():
    X, y, Z = data()
    cv = StratifiedKFold(3)
    explicit = SVMPlusCV(GRID, GRID, cv=cv).fit(X, y, X_privileged=Z)
    precomputed = SVMPlusCV(GRID, GRID, cv=cv, kernel="precomputed", privileged_kernel="precomputed").fit(
        X @ X.T, y, X_privileged=Z @ Z.T
    )
    np.testing.assert_allclose(
        precomputed.cv_results_["mean_test_score"], explicit.cv_results_["mean_test_score"]
    )
    np.testing.assert_array_equal(precomputed.predict(X @ X.T), explicit.predict(X))


def test_folds_in_parallel_give_the_same_scores():
    X, y, Z = data()
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    one = MarginTransferSVCCV(GRID, GRID, cv=cv).fit(X, y, X_privileged=Z)
    two = MarginTransferSVCCV(GRID, GRID, cv=cv, n_jobs=2).fit(X, y, X_privileged=Z)
    assert one.n_splits_ == two.n_splits_ == 6
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"Cs": []}, "the grid of C is empty"),
        ({"Cs": [1.0, -1.0]}, "a value of C must be finite and greater than 0, got -1.0"),
        ({"Cs": 1.0}, r"the grid of C must be a list of values, got 1.0: pass \[1.0\]"),
        ({"Cs": [[1.0, 2.0]]}, r"the grid of C must be a flat list of values, got shape \(1, 2\)"),
        ({"scoring": ["accuracy", "roc_auc"]}, "scoring must be the name of one score, or one scorer"),
        ({"privileged_alphas": ["a"]}, "a value of privileged_alpha must be a real number, got 'a'"),
    ],
)
def test_bad_grids_are_named(parameters, message):
    X, y, Z = data()
    with pytest.raises((ValueError, TypeError), match=message):
        SVMPlusCV(**parameters).fit(X, y, X_privileged=Z)


def test_score_is_of_the_kind_that_chose():
    X, y, Z = data()
    X_new, y_new, _ = data(seed=1)
    search = MarginTransferSVCCV(GRID, GRID, cv=3, scoring="roc_auc").fit(X, y, X_privileged=Z)
    assert search.score(X_new, y_new) == get_scorer("roc_auc")(search, X_new, y_new)
    assert search.score(X_new, y_new) != np.mean(search.predict(X_new) == y_new)
    search = MarginTransferSVCCV(GRID, GRID, cv=3).fit(X, y, X_privileged=Z)
    assert search.score(X_new, y_new) == np.mean(search.predict(X_new) == y_new)


def test_a_function_may_choose_the_point():
    X, y, Z = data()
    search = MarginTransferSVCCV(GRID, GRID, cv=3, refit=lambda results: len(results["params"]) - 1)
    search.fit(X, y, X_privileged=Z)
    assert search.best_params_ == {"C": 100.0, "privileged_C": 100.0}
    assert search.best_score_ == search.cv_results_["mean_test_score"][-1]
    assert search.best_estimator_.C == 100.0
    with pytest.raises(ValueError, match="refit returned 9 for 9 grid points"):
        search.set_params(refit=lambda results: 9).fit(X, y, X_privileged=Z)
    with pytest.raises(ValueError, match="refit returned None for 9 grid points"):
        search.set_params(refit=lambda results: None).fit(X, y, X_privileged=Z)
    with pytest.raises(ValueError, match="cv gives no fold"):
        search.set_params(cv=[]).fit(X, y, X_privileged=Z)
    with pytest.raises(ValueError, match="refit must be True or a function"):
        search.set_params(refit=False).fit(X, y, X_privileged=Z)

"""Faults that were found by trying: state left by an earlier fit, unusual folds, few privileged rows, far origins."""

import numpy as np
import pytest
import sklearn
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV, KFold

from widemargin.privileged import (
    CollapseWarning,
    MarginTransferSVC,
    MarginTransferSVCCV,
    RankTransferSVC,
    SVMPlus,
    SVMPlusCV,
    aggregate_easiness,
    easiness_to_margins,
)

RBF = {"kernel": "rbf", "gamma": 0.5}


def data(n=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, (X[:, 0] ** 2 > 0.5).astype(int), np.hstack([X**2, rng.normal(size=(n, 60))])


@pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC, RankTransferSVC])
def test_a_second_fit_is_a_first_one(Estimator):
    X, y, Z = data()
    used = Estimator().fit(X, y, X_privileged=Z).set_params(**RBF).fit(X, y, X_privileged=Z)
    fresh = Estimator(**RBF).fit(X, y, X_privileged=Z)
    assert set(vars(used)) == set(vars(fresh))
    np.testing.assert_array_equal(used.decision_function(X), fresh.decision_function(X))


@pytest.mark.filterwarnings("ignore:X_privileged was not given")
def test_attributes_of_privileged_features_go_with_them():
    X, y, Z = data()
    plus = SVMPlus(privileged_kernel="rbf").fit(X, y, X_privileged=Z).fit(X, y)
    assert not hasattr(plus, "privileged_intercept_")
    transfer = MarginTransferSVC().fit(X, y, X_privileged=Z).fit(X, y, margins=np.ones(40))
    assert not hasattr(transfer, "privileged_decision_")


@pytest.mark.parametrize("n_privileged", [1, 2, 4, 12])
def test_squared_hinge_with_few_privileged_rows_is_optimal(n_privileged):
    X, y, Z = data()
    Z = Z[:, :5].copy()
    Z[n_privileged:] = np.nan
    auto = SVMPlus(10.0, 0.1, loss="squared_hinge").fit(X, y, X_privileged=Z)
    gram = SVMPlus(10.0, 0.1, loss="squared_hinge", solver="smo", tol=1e-8).fit(X, y, X_privileged=Z)
    assert auto.converged_
    assert auto.objective_ == pytest.approx(gram.objective_, rel=2e-6)
    assert auto.privileged_coef_.shape == (1, 5)


def test_masks_and_negative_indices_are_folds_too():
    X, y, Z = data()
    mask = np.arange(40) >= 10
    splits = {
        "mask": [(mask, ~mask)],
        "negative": [(np.arange(-30, 0), np.arange(-40, -30))],
        "index": [(np.arange(10, 40), np.arange(10))],
    }
    with sklearn.config_context(enable_metadata_routing=True):
        generic = GridSearchCV(SVMPlus(**RBF), {"C": [1.0], "privileged_alpha": [1.0]}, cv=splits["index"])
        expected = generic.fit(X, y, X_privileged=Z).best_score_
    for cv in splits.values():
        assert SVMPlusCV([1.0], [1.0], cv=cv, **RBF).fit(X, y, X_privileged=Z).best_score_ == expected


@pytest.mark.parametrize("Search", [SVMPlusCV, MarginTransferSVCCV])
def test_precomputed_kernels_with_a_score(Search):
    X, y, Z = data()
    K, K_privileged = np.exp(-((X[:, None] - X) ** 2).sum(axis=2)), Z @ Z.T
    search = Search([1.0], [1.0], scoring="roc_auc", kernel="precomputed", privileged_kernel="precomputed")
    assert 0.5 < search.fit(K, y, X_privileged=K_privileged).best_score_ <= 1.0


@pytest.mark.parametrize("Search", [SVMPlusCV, MarginTransferSVCCV])
def test_a_fold_without_a_class_is_named(Search):
    X, _, Z = data()
    y = np.repeat(["a", "b"], 20)
    with pytest.raises(ValueError, match="no training sample of class 'a' of positive weight in fold 0"):
        Search([1.0], [1.0], cv=KFold(2)).fit(X, y, X_privileged=Z)
    weight = np.repeat([1.0, 0.0, 1.0], [30, 5, 5])
    folds = [(np.arange(30), np.arange(30, 35))]
    search = Search([1.0], [1.0], cv=folds)
    with pytest.raises(ValueError, match="no test sample of positive weight in fold 0"):
        search.fit(X, y, X_privileged=Z, sample_weight=weight)


def test_an_undefined_score_ranks_last():
    X, y, Z = data()

    def score(estimator, X, y):
        return np.nan if estimator.coef_.any() and np.abs(estimator.coef_).max() > 0.1 else 0.5

    search = MarginTransferSVCCV([1e-6, 10.0], [1.0], cv=3, scoring=score).fit(X, y, X_privileged=Z)
    assert search.best_params_["C"] == 1e-6


def test_a_kernel_matrix_cannot_be_transformed():
    X, y, Z = data()
    model = SVMPlus(privileged_kernel="precomputed", privileged_transformer=PCA(2))
    with pytest.raises(ValueError, match="privileged_transformer cannot transform a kernel matrix"):
        model.fit(X, y, X_privileged=Z @ Z.T)


@pytest.mark.parametrize("C", [1.0, 1e4])
def test_objective_is_that_of_the_weights_far_from_the_origin(C):
    # More features than samples, a million away: the weights come from an expansion that cancels.
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 100)) + 1e6, np.repeat([-1, 1], 30)
    margins = rng.uniform(size=60)
    model = MarginTransferSVC(C, epsilon=0.0).fit(X, y, margins=margins)
    centred = X - X.mean(axis=0)
    values = centred @ model.coef_[0] + (model.intercept_[0] + model.coef_[0] @ X.mean(axis=0))
    objective = 0.5 * model.coef_[0] @ model.coef_[0] + C * np.maximum(0, margins - y * values).sum()
    # The intercept over the features as they are is only known to 1e6 * eps, which C multiplies.
    assert model.objective_ == pytest.approx(objective, rel=1e-6, abs=C * 60 * 1e-9)


@pytest.mark.filterwarnings("ignore:SVMPlus stopped after")
def test_the_better_of_two_solvers_is_returned():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(60, 1)) + 100, rng.normal(size=(60, 5))
    y = np.where(rng.random(60) > 0.5, 1, -1)
    parameters = {"C": 6.0, "privileged_alpha": 1.0, "kernel": "poly", "privileged_kernel": "rbf"}
    models = {
        solver: SVMPlus(solver=solver, max_iter=2000, **parameters).fit(X, y, X_privileged=Z)
        for solver in ("auto", "smo", "interior_point")
    }
    auto = models.pop("auto")
    assert auto.objective_ <= min(model.objective_ for model in models.values()) * (1 + 1e-9)
    assert np.isfinite(auto.dual_gap_)


def test_pairs_that_tie_in_the_privileged_space_are_dropped_whatever_rounding_says():
    X, y, _ = data()
    Z = np.round(X)
    pairs = {
        RankTransferSVC().fit(X[order], y[order], X_privileged=Z[order]).n_pairs_
        for order in (np.random.default_rng(seed).permutation(40) for seed in range(5))
    }
    assert len(pairs) == 1


def test_many_pairs_converge():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 6))
    y = X[:, 0] + rng.normal(size=300) > 0
    model = RankTransferSVC().fit(X, y, X_privileged=X + 0.1 * rng.normal(size=X.shape))
    assert model.converged_
    assert model.n_iter_ < 100


@pytest.mark.parametrize("value", [2**63, 2**70])
def test_max_iter_has_a_largest_value(value):
    X, y, Z = data()
    with pytest.raises(ValueError, match="max_iter must be at most"):
        SVMPlus(max_iter=value).fit(X, y, X_privileged=Z)


def test_margins_at_the_floor_are_a_plain_svm_and_say_so():
    X, y, _ = data()
    with pytest.warns(UserWarning, match=r"No margin is above epsilon=0\.1"):
        MarginTransferSVC().fit(X, y, margins=np.full(40, -1.0))


def test_a_collapse_has_a_warning_of_its_own():
    X, y, Z = data()
    with pytest.warns(CollapseWarning, match="The optimum of SVM\\+ is w = 0 here"):
        model = SVMPlus().fit(X, y, X_privileged=Z[:, 2:4])
    assert model.collapsed_
    search = SVMPlusCV([1.0], [1.0])
    with pytest.warns(CollapseWarning):
        search.fit(X, y, X_privileged=Z[:, 2:4])
    assert search.n_not_converged_ == 0


def test_easiness_scores_become_margins_as_they_are():
    easiness = aggregate_easiness([[0, 1, 2], [1, 2]], items=range(3))
    np.testing.assert_array_equal(easiness_to_margins(easiness), easiness_to_margins(easiness.scores))


def test_a_transformer_class_is_no_transformer():
    X, y, Z = data()
    with pytest.raises(TypeError, match="privileged_transformer must be a transformer, got <class"):
        SVMPlus(privileged_transformer=PCA).fit(X, y, X_privileged=Z)

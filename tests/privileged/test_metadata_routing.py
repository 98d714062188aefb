"""Privileged features, margins and weights travel through scikit-learn: each fit gets the rows of its samples.

Every result is compared with a loop that slices by hand, and with what the estimator does without them.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from widemargin.privileged import MarginTransferSVC, RankTransferSVC, SVMPlus

# Slack functions of a nonlinear kernel, since linear ones collapse on these data.
ESTIMATORS = [SVMPlus(C=3, privileged_kernel="rbf"), MarginTransferSVC(C=3), RankTransferSVC(C=0.03)]
ALL = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: type(estimator).__name__)
CONTAINERS = {
    "ndarray": np.asarray,
    "list": np.ndarray.tolist,
    "frame": lambda Z: pd.DataFrame(Z, index=np.arange(len(Z))[::-1]),
    "csr": sparse.csr_array,
    "csc_matrix": sparse.csc_matrix,
}
FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield


@pytest.fixture
def data():
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(48, 3))
    X = Z[:, :2] + rng.normal(size=(48, 2))
    return X, np.where(Z[:, 0] > 0, "seal", "rat"), Z


@pytest.fixture
def three(data):
    return np.array(["rat", "seal", "whale"])[np.digitize(data[2][:, 0], [-0.5, 0.5])]


def by_hand(estimator, X, y, **per_sample):
    """Decision values of cross-validation, each fold's arguments sliced explicitly."""
    values = np.empty(len(y))
    for train, test in FOLDS.split(X, y):
        sliced = {name: value[train] for name, value in per_sample.items()}
        values[test] = clone(estimator).fit(X[train], y[train], **sliced).decision_function(X[test])
    return values


def without(estimator, X, y):
    with pytest.warns(UserWarning, match="X_privileged was not given"):
        return by_hand(estimator, X, y)


def cross_val_decision(estimator, X, y, **per_sample):
    return cross_val_predict(estimator, X, y, cv=FOLDS, method="decision_function", params=per_sample)


def same(values, expected):
    # Sparse and dense matrices are summed in different orders, which the gap of 1e-6 lets through.
    np.testing.assert_allclose(values, expected, atol=1e-4)


def differ(values, others):
    assert np.abs(values - others).max() > 0.01


class TestRequests:
    @ALL
    def test_privileged_features_are_requested_by_default(self, estimator, routing):
        requests = estimator.get_metadata_routing().fit.requests
        assert requests["X_privileged"] is True
        assert requests["sample_weight"] is None
        assert requests.get("margins", True) is True

    @ALL
    def test_weights_must_be_requested(self, estimator, data, routing):
        X, y, Z = data
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            cross_val_decision(estimator, X, y, X_privileged=Z, sample_weight=np.ones(len(y)))

    @ALL
    def test_a_refused_request_reaches_no_fit(self, estimator, data, routing):
        X, y, Z = data
        refusing = clone(estimator).set_fit_request(X_privileged=False)
        with pytest.raises(TypeError, match="X_privileged"):
            Pipeline([("svm", refusing)]).fit(X, y, X_privileged=Z)


class TestCrossValidation:
    @ALL
    @pytest.mark.parametrize("name", CONTAINERS)
    def test_slices(self, estimator, data, name, routing):
        X, y, Z = data
        values = cross_val_decision(estimator, X, y, X_privileged=CONTAINERS[name](Z))
        same(values, by_hand(estimator, X, y, X_privileged=Z))
        differ(values, without(estimator, X, y))

    @ALL
    def test_slices_without_routing(self, estimator, data):
        X, y, Z = data
        values = cross_val_decision(estimator, X, y, X_privileged=Z)
        np.testing.assert_array_equal(values, by_hand(estimator, X, y, X_privileged=Z))

    @ALL
    def test_scores(self, estimator, data, routing):
        X, y, Z = data
        scores = cross_val_score(estimator, X, y, cv=FOLDS, params={"X_privileged": Z})
        values = by_hand(estimator, X, y, X_privileged=Z)
        expected = [
            accuracy_score(y[test], np.where(values[test] > 0, "seal", "rat"))
            for _, test in FOLDS.split(X, y)
        ]
        assert scores.tolist() == expected

    @ALL
    def test_missing_rows(self, estimator, data, routing):
        X, y, Z = data
        Z = np.where(np.arange(len(y))[:, None] % 4 == 0, np.nan, Z)
        values = cross_val_decision(estimator, X, y, X_privileged=Z)
        same(values, by_hand(estimator, X, y, X_privileged=Z))

    @ALL
    def test_weights(self, estimator, data, routing):
        X, y, Z = data
        weight = np.random.default_rng(0).uniform(0, 3, len(y))
        weighted = clone(estimator).set_fit_request(sample_weight=True)
        values = cross_val_decision(weighted, X, y, X_privileged=Z, sample_weight=weight)
        same(values, by_hand(estimator, X, y, X_privileged=Z, sample_weight=weight))
        differ(values, by_hand(estimator, X, y, X_privileged=Z))

    @pytest.mark.parametrize("container", [np.asarray, list, pd.Series])
    def test_margins(self, data, container, routing):
        X, y, Z = data
        margins = np.abs(Z[:, 0])
        values = cross_val_decision(MarginTransferSVC(C=3), X, y, margins=container(margins))
        same(values, by_hand(MarginTransferSVC(C=3), X, y, margins=margins))
        differ(values, by_hand(MarginTransferSVC(C=3), X, y, margins=np.ones(len(y))))

    def test_margins_of_three_classes(self, data, three, routing):
        X, _, Z = data
        margins = np.column_stack([np.abs(Z[:, 0])] * 3) + np.arange(3)
        values = cross_val_decision(MarginTransferSVC(), X, three, margins=margins)
        train, test = next(FOLDS.split(X, three))
        expected = MarginTransferSVC().fit(X[train], three[train], margins=margins[train])
        same(values[test], expected.decision_function(X[test]))

    @ALL
    @pytest.mark.parametrize("enabled", [False, True])
    def test_a_wrong_number_of_rows_is_passed_on_whole_and_noticed(self, estimator, data, enabled):
        X, y, Z = data
        with (
            config_context(enable_metadata_routing=enabled),
            pytest.raises(ValueError, match="X_privileged has 47 rows, X has 32: pass one row"),
        ):
            cross_validate(estimator, X, y, cv=FOLDS, params={"X_privileged": Z[:-1]}, error_score="raise")

    def test_a_privileged_kernel_matrix_is_sliced_on_rows_only_and_refused(self, data, routing):
        X, y, Z = data
        with pytest.raises(
            ValueError, match=r"X_privileged has shape \(32, 48\).*pass features and a kernel name"
        ):
            cross_val_decision(SVMPlus(privileged_kernel="precomputed"), X, y, X_privileged=Z @ Z.T)

    @ALL
    def test_a_kernel_matrix_is_sliced_on_both_axes(self, estimator, data, routing):
        X, y, Z = data
        precomputed = clone(estimator).set_params(kernel="precomputed")
        values = cross_val_decision(precomputed, X @ X.T, y, X_privileged=Z)
        # Features and their Gram matrix take different algorithms, each to a relative gap of 1e-6.
        np.testing.assert_allclose(values, by_hand(estimator, X, y, X_privileged=Z), atol=0.02)


class TestGridSearch:
    GRID = (0.01, 0.3, 10.0)

    def scores_by_hand(self, estimator, X, y, Z):
        scores = []
        for C in self.GRID:
            values = by_hand(clone(estimator).set_params(C=C), X, y, X_privileged=Z)
            right = np.where(values > 0, "seal", "rat") == y
            scores.append(np.mean([right[test].mean() for _, test in FOLDS.split(X, y)]))
        return scores

    @ALL
    def test_equals_the_loop(self, estimator, data, routing):
        X, y, Z = data
        search = GridSearchCV(estimator, {"C": self.GRID}, cv=FOLDS).fit(X, y, X_privileged=Z)
        expected = self.scores_by_hand(estimator, X, y, Z)
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected)
        best = clone(estimator).set_params(**search.best_params_).fit(X, y, X_privileged=Z)
        np.testing.assert_array_equal(search.decision_function(X), best.decision_function(X))

    @pytest.mark.parametrize("enabled", [False, True])
    def test_two_processes(self, data, enabled):
        X, y, Z = data
        estimator = MarginTransferSVC(C=3)
        with config_context(enable_metadata_routing=enabled):
            search = GridSearchCV(estimator, {"C": self.GRID}, cv=FOLDS, n_jobs=2).fit(X, y, X_privileged=Z)
        expected = self.scores_by_hand(estimator, X, y, Z)
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected)

    @ALL
    def test_around_a_pipeline(self, estimator, data, routing):
        X, y, Z = data
        pipeline = Pipeline([("scale", StandardScaler()), ("svm", estimator)])
        search = GridSearchCV(pipeline, {"svm__C": self.GRID}, cv=FOLDS).fit(
            X, y, X_privileged=pd.DataFrame(Z)
        )
        expected = []
        for C in self.GRID:
            right = []
            for train, test in FOLDS.split(X, y):
                scaler = StandardScaler().fit(X[train])
                model = clone(estimator).set_params(C=C)
                model.fit(scaler.transform(X[train]), y[train], X_privileged=Z[train])
                right.append(model.score(scaler.transform(X[test]), y[test]))
            expected.append(np.mean(right))
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], expected)

    def test_nested(self, data, routing):
        X, y, Z = data
        estimator = MarginTransferSVC()
        search = GridSearchCV(estimator, {"C": self.GRID}, cv=FOLDS)
        values = cross_val_decision(search, X, y, X_privileged=Z)
        train, test = next(FOLDS.split(X, y))
        inner = clone(search).fit(X[train], y[train], X_privileged=Z[train])
        np.testing.assert_array_equal(values[test], inner.decision_function(X[test]))


class TestPipeline:
    @ALL
    @pytest.mark.parametrize("enabled", [False, True])
    def test_step(self, estimator, data, enabled):
        X, y, Z = data
        pipeline = Pipeline([("scale", StandardScaler()), ("svm", clone(estimator))])
        with config_context(enable_metadata_routing=enabled):
            pipeline.fit(X, y, **({"X_privileged": Z} if enabled else {"svm__X_privileged": Z}))
        scaled = StandardScaler().fit_transform(X)
        expected = clone(estimator).fit(scaled, y, X_privileged=Z)
        np.testing.assert_array_equal(pipeline.decision_function(X), expected.decision_function(scaled))

    @ALL
    @pytest.mark.parametrize("name", CONTAINERS)
    def test_direct_fit_without_routing(self, estimator, data, name):
        X, y, Z = data
        values = clone(estimator).fit(X, y, X_privileged=CONTAINERS[name](Z)).decision_function(X)
        same(values, clone(estimator).fit(X, y, Z).decision_function(X))

    @ALL
    def test_privileged_features_are_scaled_by_the_privileged_transformer(self, estimator, data, routing):
        X, y, Z = data
        scaling = clone(estimator).set_params(privileged_transformer=StandardScaler())
        values = cross_val_decision(scaling, X, y, X_privileged=100 * Z + 7)
        train, test = next(FOLDS.split(X, y))
        scaled = StandardScaler().fit_transform(Z[train])
        expected = clone(estimator).fit(X[train], y[train], X_privileged=scaled)
        same(values[test], expected.decision_function(X[test]))


class TestMetaEstimators:
    @ALL
    @pytest.mark.parametrize("Meta", [OneVsRestClassifier, OneVsOneClassifier])
    def test_classes_apart(self, estimator, data, three, Meta, routing):
        X, _, Z = data
        meta = Meta(estimator).fit(X, three, X_privileged=Z)
        if Meta is OneVsRestClassifier:
            for label, fitted in zip(meta.classes_, meta.estimators_, strict=True):
                expected = clone(estimator).fit(X, (three == label).astype(int), X_privileged=Z)
                np.testing.assert_array_equal(fitted.decision_function(X), expected.decision_function(X))
        else:
            pair = np.isin(three, ["rat", "seal"])
            expected = clone(estimator).fit(
                X[pair], (three[pair] == "seal").astype(int), X_privileged=Z[pair]
            )
            np.testing.assert_array_equal(
                meta.estimators_[0].decision_function(X), expected.decision_function(X)
            )

    @ALL
    def test_one_against_the_rest_is_what_the_estimator_does_itself(self, estimator, data, three, routing):
        X, _, Z = data
        own = clone(estimator).fit(X, three, X_privileged=Z)
        meta = OneVsRestClassifier(estimator).fit(X, three, X_privileged=Z)
        same(own.decision_function(X), meta.decision_function(X))

    @ALL
    def test_bagging(self, estimator, data, routing):
        X, y, Z = data
        meta = BaggingClassifier(estimator, n_estimators=3, max_samples=30, random_state=0)
        meta.fit(X, y, X_privileged=Z)
        for fitted, rows in zip(meta.estimators_, meta.estimators_samples_, strict=True):
            expected = clone(estimator).fit(X[rows], (y == "seal").astype(int)[rows], X_privileged=Z[rows])
            same(fitted.decision_function(X), expected.decision_function(X))

    @ALL
    def test_calibration(self, estimator, data, routing):
        X, y, Z = data
        meta = CalibratedClassifierCV(estimator, cv=FOLDS).fit(X, y, X_privileged=Z)
        for calibrated, (train, _) in zip(meta.calibrated_classifiers_, FOLDS.split(X, y), strict=True):
            expected = clone(estimator).fit(X[train], y[train], X_privileged=Z[train])
            np.testing.assert_array_equal(
                calibrated.estimator.decision_function(X), expected.decision_function(X)
            )
        probabilities = meta.predict_proba(X)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        # Means of logistic functions of three folds' decision values, which are close to each other.
        assert np.corrcoef(probabilities[:, 1], expected.decision_function(X))[0, 1] > 0.8

    @ALL
    def test_voting(self, estimator, data, routing):
        X, y, Z = data
        members = [("privileged", estimator), ("plain", LogisticRegression())]
        meta = VotingClassifier(members).fit(X, y, X_privileged=Z)
        expected = clone(estimator).fit(X, (y == "seal").astype(int), X_privileged=Z)
        np.testing.assert_array_equal(
            meta.named_estimators_["privileged"].decision_function(X), expected.decision_function(X)
        )

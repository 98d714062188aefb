"""What the estimators promise: shapes, certificates, invariances, and what becomes of the privileged features."""

import logging

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from widemargin.privileged import MarginTransferSVC, RankTransferSVC, SVMPlus

N = 36
# Slack functions of a nonlinear kernel, since linear ones collapse on these data.
ESTIMATORS = [
    SVMPlus(privileged_kernel="rbf", privileged_gamma=0.5),
    SVMPlus(loss="squared_hinge", privileged_kernel="rbf", privileged_gamma=0.5),
    MarginTransferSVC(),
    MarginTransferSVC(epsilon=0, fit_intercept=False),
    RankTransferSVC(C=0.1, privileged_C=0.1),
]
ALL = pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
KERNELS = pytest.mark.parametrize("kernel", ["linear", "rbf"])


@pytest.fixture
def data():
    rng = np.random.default_rng(6)
    Z = rng.normal(size=(N, 2))
    X = Z + 0.7 * rng.normal(size=Z.shape) + 1.0
    return X, (Z[:, 0] > 0).astype(int), Z


@pytest.fixture
def three(data):
    return np.array(["rat", "seal", "whale"])[np.digitize(data[2][:, 0], [-0.5, 0.5])]


@pytest.fixture
def wide():
    """More features than samples: linear slack functions do not collapse."""
    rng = np.random.default_rng(7)
    Z = rng.normal(size=(24, 50))
    return Z[:, :40] + rng.normal(size=(24, 40)), Z[:, :5].sum(axis=1) > 0, Z


def tight(estimator, **parameters):
    """Return a clone whose gap is so small that solutions of one problem agree to some four digits."""
    return clone(estimator).set_params(tol=1e-10, **parameters)


def close(values, expected):
    np.testing.assert_allclose(values, expected, atol=2e-4)


class TestShapes:
    @ALL
    @KERNELS
    def test_two_classes(self, estimator, data, kernel):
        X, y, Z = data
        y = np.array(["seal", "whale"])[y]
        model = clone(estimator).set_params(kernel=kernel).fit(X, y, X_privileged=Z)
        values = model.decision_function(X)
        assert values.shape == (N,)
        np.testing.assert_array_equal(model.predict(X), np.where(values > 0, "whale", "seal"))
        assert model.score(X, y) > 0.6
        assert model.intercept_.shape == (1,)
        assert type(model.objective_) is float
        assert type(model.dual_gap_) is float
        assert model.converged_ is True
        if kernel == "linear":
            assert model.coef_.shape == (1, 2)
            np.testing.assert_allclose(values, X @ model.coef_[0] + model.intercept_[0], atol=1e-12)
        else:
            assert model.dual_coef_.shape == (1, model.support_.size)
            assert model.support_vectors_.shape == (model.support_.size, 2)

    @ALL
    @KERNELS
    def test_three_classes(self, estimator, data, three, kernel):
        X, _, Z = data
        model = clone(estimator).set_params(kernel=kernel).fit(X, three, X_privileged=Z)
        values = model.decision_function(X)
        assert values.shape == (N, 3)
        np.testing.assert_array_equal(model.predict(X), model.classes_[values.argmax(axis=1)])
        assert model.score(X, three) > 0.4
        assert model.intercept_.shape == model.objective_.shape == model.dual_gap_.shape == (3,)
        if kernel == "linear":
            assert model.coef_.shape == (3, 2)
        else:
            assert model.dual_coef_.shape == (3, model.support_.size)
            assert np.all(np.any(model.dual_coef_ != 0, axis=0))

    @ALL
    @KERNELS
    def test_three_classes_are_one_against_the_rest(self, estimator, data, three, kernel):
        X, _, Z = data
        estimator = tight(estimator, kernel=kernel)
        model = clone(estimator).fit(X, three, X_privileged=Z)
        for k, label in enumerate(model.classes_):
            binary = clone(estimator).fit(X, three == label, X_privileged=Z)
            close(model.decision_function(X)[:, k], binary.decision_function(X))
            assert model.objective_[k] == pytest.approx(binary.objective_, rel=1e-9)

    def test_margin_transfer(self, data, three):
        X, y, Z = data
        two = MarginTransferSVC().fit(X, y, X_privileged=Z)
        assert two.margins_.shape == two.privileged_decision_.shape == (N,)
        assert two.privileged_coef_.shape == (1, 2)
        model = MarginTransferSVC().fit(X, three, X_privileged=Z)
        assert model.margins_.shape == model.privileged_decision_.shape == (N, 3)
        assert model.privileged_coef_.shape == (3, 2)
        assert model.privileged_intercept_.shape == (3,)

    def test_rank_transfer(self, data, three):
        X, y, Z = data
        assert RankTransferSVC().fit(X, y, X_privileged=Z).n_pairs_ <= y.sum() * (1 - y).sum()
        assert RankTransferSVC().fit(X, three, X_privileged=Z).n_pairs_.shape == (3,)


class TestCertificates:
    """The objective can be computed from the fitted attributes alone, and is optimal within the gap."""

    @ALL
    @pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
    def test_gap(self, estimator, data, tol):
        X, y, Z = data
        model = clone(estimator).set_params(tol=tol).fit(X, y, X_privileged=Z)
        best = tight(estimator).fit(X, y, X_privileged=Z)
        # Rounding of the two objectives is the only slack.
        rounding = 1e-12 * best.objective_
        assert -rounding <= model.objective_ - best.objective_ + best.dual_gap_
        assert model.objective_ - best.objective_ <= model.dual_gap_ + rounding
        assert model.dual_gap_ <= tol * model.objective_

    @pytest.mark.parametrize("missing", [False, True])
    @pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
    def test_svm_plus(self, wide, loss, missing):
        X, y, Z = wide
        Z = Z.copy()
        absent = np.zeros(len(y), dtype=bool)
        absent[:5] = missing
        Z[absent] = np.nan
        weight = np.linspace(0.5, 2, len(y))
        model = SVMPlus(C=3, privileged_alpha=0.7, loss=loss).fit(X, y, X_privileged=Z, sample_weight=weight)
        w, b = model.coef_[0], model.intercept_[0]
        w_star, b_star = model.privileged_coef_[0], model.privileged_intercept_[0]
        margin = np.where(y, 1, -1) * (X @ w + b)
        slack = np.where(absent, np.maximum(0, 1 - margin), np.nan_to_num(Z) @ w_star + b_star)
        assert np.all(margin >= 1 - slack - 1e-9)
        objective = 0.5 * w @ w + 0.35 * w_star @ w_star
        if loss == "hinge":
            assert slack.min() >= -1e-9
            objective += 3 * weight @ slack
        else:
            objective += 0.5 * b**2 + 0.35 * b_star**2 + 1.5 * weight @ slack**2
        assert not model.collapsed_
        # With the squared hinge, slacks of their own stand at the dual's values, which the gap lets exceed the least.
        excess = model.dual_gap_ if missing and loss == "squared_hinge" else 0
        rounding = 1e-9 * objective
        assert -rounding <= model.objective_ - objective <= excess + rounding

    @pytest.mark.parametrize("fit_intercept", [True, False])
    def test_margin_transfer(self, data, fit_intercept):
        X, y, Z = data
        weight = np.linspace(0.5, 2, N)
        model = MarginTransferSVC(C=3, fit_intercept=fit_intercept)
        model.fit(X, y, X_privileged=Z, sample_weight=weight)
        margin = np.where(y, 1, -1) * model.decision_function(X)
        w = model.coef_[0]
        objective = 0.5 * w @ w + 3 * weight @ np.maximum(0, model.margins_ - margin)
        assert model.objective_ == pytest.approx(objective, rel=1e-9)
        assert (model.intercept_[0] == 0) is not fit_intercept

    def test_rank_transfer(self, data):
        X, y, Z = data
        weight = np.linspace(0.5, 2, N)
        model = RankTransferSVC(C=0.3).fit(X, y, X_privileged=Z, sample_weight=weight)
        # The first stage is a plain ranking SVM of the privileged features.
        with pytest.warns(UserWarning, match="X_privileged was not given"):
            first = RankTransferSVC(C=1).fit(Z, y, sample_weight=weight)
        i, j = np.nonzero(np.ones((y.sum(), N - y.sum())))
        i, j = np.flatnonzero(y == 1)[i], np.flatnonzero(y == 0)[j]
        ranking = first.decision_function(Z)
        rho = ranking[i] - ranking[j]
        values = model.decision_function(X)
        kept = rho > 0
        loss = np.maximum(0, rho - values[i] + values[j])[kept] @ (weight[i] * weight[j])[kept]
        assert model.n_pairs_ == kept.sum()
        assert model.objective_ == pytest.approx(0.5 * model.coef_[0] @ model.coef_[0] + 0.3 * loss, rel=1e-9)

    def test_rank_transfer_threshold_has_the_fewest_weighted_errors(self, data):
        X, y, Z = data
        weight = np.linspace(0.5, 2, N)
        model = RankTransferSVC(C=0.3).fit(X, y, X_privileged=Z, sample_weight=weight)
        values = model.decision_function(X)
        errors = weight @ ((values > 0) != y)
        thresholds = np.concatenate([[-np.inf], np.sort(values), [np.inf]])
        assert errors == pytest.approx(min(weight @ ((values > t) != y) for t in thresholds))


class TestNotConverged:
    @ALL
    @KERNELS
    def test_warning_names_gap_tolerance_and_knob(self, estimator, data, kernel):
        X, y, Z = data
        model = clone(estimator).set_params(kernel=kernel, max_iter=1)
        message = (
            r"stopped after 1 iterations \(.*\) with a gap of .* at an objective of .*, above tol=1e-06 of it"
        )
        with pytest.warns(ConvergenceWarning, match=message) as caught:
            model.fit(X, y, X_privileged=Z)
        assert any("raise max_iter or tol" in str(warning.message) for warning in caught)
        assert not model.converged_
        assert model.n_iter_ == 1
        # Infinite if the first iterate is not feasible.
        assert model.dual_gap_ == np.inf or model.dual_gap_ > 1e-6 * model.objective_
        assert np.isfinite(model.decision_function(X)).all()

    @pytest.mark.parametrize("Estimator", [MarginTransferSVC, RankTransferSVC])
    def test_first_stage_counts_too(self, data, Estimator):
        X, y, Z = data
        with pytest.warns(ConvergenceWarning) as caught:
            Estimator(max_iter=1).fit(X, y, X_privileged=Z)
        messages = [str(warning.message) for warning in caught]
        assert any(
            message.startswith(f"{Estimator.__name__}'s first stage stopped after 1") for message in messages
        )
        assert any(message.startswith(f"{Estimator.__name__} stopped after 1") for message in messages)
        # Who has to change something is the caller of fit.
        assert {warning.filename for warning in caught} == {__file__}


class TestWithoutPrivileged:
    @pytest.mark.parametrize("Estimator", [SVMPlus, MarginTransferSVC])
    @pytest.mark.parametrize("solver", ["auto", "interior_point", "smo"])
    def test_trains_exactly_the_plain_svm_and_warns(self, data, Estimator, solver):
        X, y, _ = data
        weight = np.linspace(0.5, 2, N)
        with pytest.warns(
            UserWarning, match=rf"X_privileged was not given .*: {Estimator.__name__}.* a plain SVM"
        ):
            model = Estimator(C=3, solver=solver, tol=1e-9).fit(X, y, sample_weight=weight)
        svc = SVC(C=3, kernel="linear", tol=1e-9).fit(X, y, sample_weight=weight)
        hinge = np.maximum(0, 1 - np.where(y, 1, -1) * svc.decision_function(X))
        w = svc.coef_[0]
        objective = 0.5 * w @ w + 3 * weight @ hinge
        # SVC is no better than the gap allows, and no worse than its kernel matrix in single precision makes it.
        assert objective >= model.objective_ - model.dual_gap_
        assert model.objective_ == pytest.approx(objective, rel=1e-6)
        close(model.decision_function(X), svc.decision_function(X))
        assert not hasattr(model, "privileged_coef_")

    def test_squared_hinge(self, data):
        X, y, _ = data
        with pytest.warns(UserWarning, match="X_privileged was not given"):
            model = SVMPlus(loss="squared_hinge", C=3).fit(X, y)
        w, b = model.coef_[0], model.intercept_[0]
        loss = np.maximum(0, 1 - np.where(y, 1, -1) * model.decision_function(X))
        assert model.objective_ == pytest.approx(0.5 * (w @ w + b**2) + 1.5 * loss @ loss, rel=1e-9)

    def test_ranking(self, data):
        X, y, _ = data
        with pytest.warns(UserWarning, match="RankTransferSVC trains a plain ranking SVM"):
            model = RankTransferSVC(C=0.1).fit(X, y)
        assert model.n_pairs_ == y.sum() * (1 - y).sum()

    def test_margins_of_one_are_the_plain_svm(self, data):
        X, y, _ = data
        model = MarginTransferSVC(tol=1e-10).fit(X, y, margins=np.ones(N))
        close(model.decision_function(X), SVC(kernel="linear", tol=1e-10).fit(X, y).decision_function(X))


class TestMargins:
    def test_given_margins_are_floored_at_epsilon(self, data):
        X, y, _ = data
        margins = np.linspace(-1, 2, N)
        model = MarginTransferSVC(epsilon=0.25).fit(X, y, margins=margins)
        np.testing.assert_array_equal(model.margins_, np.maximum(margins, 0.25))
        assert not hasattr(model, "privileged_decision_")

    def test_given_margins_of_three_classes(self, data, three):
        X, _, _ = data
        margins = np.random.default_rng(0).uniform(0, 2, size=(N, 3))
        model = tight(MarginTransferSVC()).fit(X, three, margins=margins)
        np.testing.assert_array_equal(model.margins_, np.maximum(margins, 0.1))
        for k, label in enumerate(model.classes_):
            binary = tight(MarginTransferSVC()).fit(X, three == label, margins=margins[:, k])
            close(model.decision_function(X)[:, k], binary.decision_function(X))

    def test_learned_margins_are_those_of_an_svm_on_the_privileged_features(self, data):
        X, y, Z = data
        y = np.where(np.arange(N) % 7 == 0, 1 - y, y)
        model = MarginTransferSVC(privileged_C=2, epsilon=0.2, tol=1e-10).fit(X, y, X_privileged=Z)
        svc = SVC(C=2, kernel="linear", tol=1e-10).fit(Z, y)
        close(model.privileged_decision_, svc.decision_function(Z))
        close(model.privileged_coef_, svc.coef_)
        close(model.privileged_intercept_, svc.intercept_)
        expected = np.maximum(np.where(y, 1, -1) * model.privileged_decision_, 0.2)
        np.testing.assert_allclose(model.margins_, expected, rtol=1e-15)
        assert (model.margins_ == 0.2).any()

    def test_samples_without_privileged_features_have_margin_one(self, data):
        X, y, Z = data
        missing = np.arange(N) % 5 == 1
        model = MarginTransferSVC().fit(X, y, X_privileged=np.where(missing[:, None], np.nan, Z))
        np.testing.assert_array_equal(model.margins_[missing], 1.0)
        np.testing.assert_array_equal(np.isnan(model.privileged_decision_), missing)
        alone = MarginTransferSVC().fit(X[~missing], y[~missing], X_privileged=Z[~missing])
        np.testing.assert_allclose(model.margins_[~missing], alone.margins_, atol=1e-12)

    def test_samples_of_weight_zero_have_none(self, data):
        X, y, Z = data
        weight = (np.arange(N) % 5 != 1).astype(float)
        model = MarginTransferSVC().fit(X, y, X_privileged=Z, sample_weight=weight)
        np.testing.assert_array_equal(np.isnan(model.margins_), weight == 0)

    def test_twice_the_margins_and_twice_C_are_twice_the_classifier(self, data):
        X, y, _ = data
        margins = np.linspace(0.2, 2, N)
        once = MarginTransferSVC(C=0.7, epsilon=0, tol=1e-10).fit(X, y, margins=margins)
        twice = MarginTransferSVC(C=1.4, epsilon=0, tol=1e-10).fit(X, y, margins=2 * margins)
        close(twice.decision_function(X), 2 * once.decision_function(X))

    def test_margins_of_zero_ask_for_nothing(self, data):
        X, y, _ = data
        model = MarginTransferSVC(epsilon=0).fit(X, y, margins=np.zeros(N))
        np.testing.assert_array_equal(model.coef_, [[0, 0]])
        assert model.objective_ == 0
        assert model.converged_

    def test_margins_win_over_privileged_features_with_a_warning(self, data):
        X, y, Z = data
        margins = np.linspace(0.2, 2, N)
        with pytest.warns(
            UserWarning, match="margins were given, so X_privileged is not used: pass only one"
        ):
            both = MarginTransferSVC().fit(X, y, X_privileged=Z, margins=margins)
        only = MarginTransferSVC().fit(X, y, margins=margins)
        np.testing.assert_array_equal(both.coef_, only.coef_)


class Recorder(TransformerMixin, BaseEstimator):
    """Standardises, and remembers what it was fitted to."""

    def fit(self, X, y):
        self.seen_ = X.copy(), np.array(y)
        self.scaler_ = StandardScaler().fit(X)
        return self

    def transform(self, X):
        return self.scaler_.transform(X)


class TestPrivilegedTransformer:
    @ALL
    def test_sees_only_rows_with_values_and_weight(self, estimator, data):
        X, y, Z = data
        y = np.array(["seal", "whale"])[y]
        missing, weight = np.arange(N) % 5 == 1, (np.arange(N) % 7 != 2).astype(float)
        transformer = Recorder()
        model = clone(estimator).set_params(privileged_transformer=transformer)
        model.fit(X, y, X_privileged=np.where(missing[:, None], np.nan, Z), sample_weight=weight)
        used = ~missing & (weight > 0)
        seen, labels = model.privileged_transformer_.seen_
        np.testing.assert_array_equal(seen, Z[used])
        np.testing.assert_array_equal(labels, y[used])

    @ALL
    def test_is_cloned(self, estimator, data):
        X, y, Z = data
        transformer = StandardScaler()
        model = clone(estimator).set_params(privileged_transformer=transformer).fit(X, y, X_privileged=Z)
        assert model.privileged_transformer is transformer
        assert not hasattr(transformer, "mean_")
        np.testing.assert_allclose(model.privileged_transformer_.mean_, Z.mean(axis=0))

    @ALL
    @pytest.mark.parametrize("output", ["default", "pandas"])
    def test_is_the_same_as_transforming_first(self, estimator, data, output):
        X, y, Z = data
        Z = 5 * Z + 3
        scaler = StandardScaler().set_output(transform=output)
        model = tight(estimator, privileged_transformer=scaler).fit(X, y, X_privileged=pd.DataFrame(Z))
        expected = tight(estimator).fit(X, y, X_privileged=StandardScaler().fit_transform(Z))
        close(model.decision_function(X), expected.decision_function(X))


class TestCollapse:
    @pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
    @pytest.mark.parametrize(("C", "alpha"), [(1e-3, 1.0), (1.0, 1e-3), (1e3, 1e3)])
    def test_constant_slacks(self, loss, C, alpha):
        rng = np.random.default_rng(0)
        X, Z = rng.normal(size=(40, 2)), rng.normal(size=(40, 2))
        y = np.arange(40) % 2
        with pytest.warns(
            UserWarning, match=r"The optimum of SVM\+ is w = 0 here, whatever C and privileged_alpha"
        ):
            model = SVMPlus(C=C, privileged_alpha=alpha, loss=loss).fit(X, y, X_privileged=Z)
        assert model.collapsed_
        assert model.converged_
        np.testing.assert_array_equal(model.coef_, [[0, 0]])
        np.testing.assert_array_equal(model.privileged_coef_, [[0, 0]])
        np.testing.assert_array_equal(model.privileged_intercept_, [1])
        assert model.objective_ == pytest.approx(40 * C if loss == "hinge" else 0.5 * (40 * C + alpha))
        assert np.unique(model.predict(X)).size == 1

    @pytest.mark.parametrize("solver", ["interior_point", "smo"])
    def test_privileged_labels_leave_nothing_to_learn(self, solver):
        X = np.array([[0.0, 1, 0, 1, 2, -1, 0, 1, 2, -1]]).T
        y = np.repeat([0, 1], [6, 4])
        with pytest.warns(
            UserWarning, match=r"w = 0 here, at this C .* excuse every error, as the labels would"
        ):
            model = SVMPlus(solver=solver).fit(X, y, X_privileged=y[:, None])
        assert model.collapsed_
        assert model.converged_
        assert model.privileged_coef_.any()
        np.testing.assert_array_equal(model.coef_, [[0]])
        assert np.unique(model.predict(X)).size == 1

    @pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
    @pytest.mark.parametrize("C", [1e-6, 1.0, 1e3])
    def test_small_weights_are_no_collapse(self, wide, loss, C):
        X, y, Z = wide
        model = SVMPlus(C=C, loss=loss).fit(X, y, X_privileged=Z)
        assert not model.collapsed_
        assert np.linalg.norm(model.coef_) > 0
        assert model.score(X, y) > 0.9

    def test_of_one_class_in_three(self, data, three):
        X, _, Z = data
        with pytest.warns(UserWarning, match=r"The optimum of SVM\+ is w = 0"):
            model = SVMPlus().fit(X, three, X_privileged=Z)
        assert model.collapsed_
        # The class in the middle cannot be told apart linearly.
        np.testing.assert_array_equal(model.coef_[1], [0, 0])


class TestInvariance:
    @ALL
    @KERNELS
    def test_same_result_every_time(self, estimator, data, kernel):
        X, y, Z = data
        models = [clone(estimator).set_params(kernel=kernel).fit(X, y, X_privileged=Z) for _ in range(2)]
        np.testing.assert_array_equal(models[0].decision_function(X), models[1].decision_function(X))
        assert models[0].objective_ == models[1].objective_

    @ALL
    @KERNELS
    def test_order_of_samples(self, estimator, data, kernel):
        X, y, Z = data
        Z = np.where(np.arange(N)[:, None] % 6 == 1, np.nan, Z)
        weight = np.linspace(0, 2, N)
        order = np.random.default_rng(0).permutation(N)
        estimator = tight(estimator, kernel=kernel, gamma=0.3)
        model = clone(estimator).fit(X, y, X_privileged=Z, sample_weight=weight)
        shuffled = clone(estimator).fit(
            X[order], y[order], X_privileged=Z[order], sample_weight=weight[order]
        )
        assert shuffled.objective_ == pytest.approx(model.objective_, rel=1e-9)
        close(shuffled.decision_function(X), model.decision_function(X))

    @ALL
    @KERNELS
    def test_swapping_the_classes_flips_the_sign(self, estimator, data, kernel):
        X, y, Z = data
        estimator = tight(estimator, kernel=kernel, gamma=0.3)
        model = clone(estimator).fit(X, y, X_privileged=Z)
        flipped = clone(estimator).fit(X, 1 - y, X_privileged=Z)
        assert flipped.objective_ == pytest.approx(model.objective_, rel=1e-9)
        close(flipped.decision_function(X), -model.decision_function(X))

    @ALL
    @KERNELS
    def test_a_repeated_row_is_a_doubled_weight(self, estimator, data, kernel):
        X, y, Z = data
        Z = np.where(np.arange(N)[:, None] % 6 == 1, np.nan, Z)
        rows = np.concatenate([np.arange(N), np.arange(0, N, 3)])
        estimator = tight(estimator, kernel=kernel, gamma=0.3)
        repeated = clone(estimator).fit(X[rows], y[rows], X_privileged=Z[rows])
        weighted = clone(estimator).fit(X, y, X_privileged=Z, sample_weight=np.bincount(rows))
        assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-9)
        close(weighted.decision_function(X), repeated.decision_function(X))

    @ALL
    @KERNELS
    def test_a_row_of_weight_zero_is_no_row(self, estimator, data, kernel):
        X, y, Z = data
        keep = np.arange(N) % 4 != 1
        estimator = clone(estimator).set_params(kernel=kernel, gamma=0.3)
        weighted = clone(estimator).fit(X, y, X_privileged=Z, sample_weight=keep)
        removed = clone(estimator).fit(X[keep], y[keep], X_privileged=Z[keep])
        np.testing.assert_array_equal(weighted.decision_function(X), removed.decision_function(X))

    @ALL
    def test_scaling_all_weights_scales_the_penalties(self, estimator, data):
        X, y, Z = data
        # Pairs weigh the product of their samples' weights.
        factor = 9 if isinstance(estimator, RankTransferSVC) else 3
        penalties = {
            name: factor * getattr(estimator, name)
            for name in ("C", "privileged_C")
            if hasattr(estimator, name)
        }
        weighted = tight(estimator).fit(X, y, X_privileged=Z, sample_weight=np.full(N, 3.0))
        scaled = tight(estimator, **penalties).fit(X, y, X_privileged=Z)
        close(weighted.decision_function(X), scaled.decision_function(X))

    @ALL
    def test_balanced_class_weight(self, estimator, data):
        X, y, Z = data
        X, y, Z = X[6:], np.sort(y)[6:], Z[6:]
        count = np.bincount(y)
        assert count[0] != count[1]
        balanced = clone(estimator).set_params(class_weight="balanced").fit(X, y, X_privileged=Z)
        weight = (y.size / (2 * count))[y]
        weighted = clone(estimator).fit(X, y, X_privileged=Z, sample_weight=weight)
        np.testing.assert_array_equal(balanced.decision_function(X), weighted.decision_function(X))
        given = clone(estimator).set_params(class_weight=dict(enumerate(y.size / (2 * count))))
        given.fit(X, y, X_privileged=Z)
        np.testing.assert_array_equal(given.decision_function(X), weighted.decision_function(X))

    @ALL
    def test_single_precision(self, estimator, data):
        X, y, Z = data
        double = tight(estimator).fit(X, y, X_privileged=Z)
        single = tight(estimator).fit(X.astype(np.float32), y, X_privileged=Z.astype(np.float32))
        assert single.coef_.dtype == float
        # Rounding the features moves the objective by their relative precision times some dozens of terms.
        assert single.objective_ == pytest.approx(
            double.objective_, rel=100 * float(np.finfo(np.float32).eps)
        )
        np.testing.assert_allclose(single.decision_function(X), double.decision_function(X), atol=1e-3)

    @pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
    def test_shifted_privileged_features(self, wide, loss):
        # The slack function has an intercept; with the hinge loss it is free, so the origin does not matter.
        X, y, Z = wide
        model = SVMPlus(tol=1e-10, loss=loss).fit(X, y, X_privileged=Z)
        shifted = SVMPlus(tol=1e-10, loss=loss).fit(X, y, X_privileged=Z + 5)
        difference = np.abs(shifted.decision_function(X) - model.decision_function(X)).max()
        assert difference < 1e-5 if loss == "hinge" else difference > 5e-4


def test_nothing_is_printed(data, capfd, caplog):
    X, y, Z = data
    with caplog.at_level(logging.INFO, logger="widemargin"):
        SVMPlus(verbose=True, privileged_kernel="rbf").fit(X, y, X_privileged=Z)
        assert "objective" in caplog.text
        caplog.clear()
        SVMPlus(privileged_kernel="rbf").fit(X, y, X_privileged=Z)
        assert caplog.text == ""
    assert capfd.readouterr() == ("", "")

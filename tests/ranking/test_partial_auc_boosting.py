"""The partial AUC ensemble: its objective and certificate, and what users may expect of it."""

import logging

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import config_context
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_validate, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from reference.partial_auc import minimise_over_weights, value_by_ranks, worst_cut_by_ranks
from widemargin.metrics import partial_auc_score, partial_auc_scorer
from widemargin.ranking import PartialAUCBoostingClassifier
from widemargin.ranking._column_generation import ColumnGeneration
from widemargin.ranking._weak_learners import TreeLearners
from widemargin.solvers.partial_auc_risk import PartialAUCRisk, RankRange

RANGES = [(0.0, 0.1), (0.05, 0.2), (0.0, 1.0), (0.3, 1.0)]


def blobs(n=120, n_features=5, seed=0):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 3 == 0).astype(int)
    X = rng.normal(size=(n, n_features))
    X[:, 0] += 1.2 * y
    X[:, 1] -= 0.8 * y
    return X, y


def naive_objective(model, X, y, weight=None, structural=False):
    ranks = RankRange.of(model.fpr_range, int((y == 0).sum()) if weight is None else weight[y == 0])
    risk = value_by_ranks(
        model.decision_function(X), y == 1, ranks.start, ranks.stop, weight, structural=structural
    )
    return 0.5 * np.sum(model.estimator_weights_**2) + model.nu * risk


@pytest.mark.parametrize("bound", ["tight", "structural"])
@pytest.mark.parametrize("fpr_range", RANGES)
@pytest.mark.parametrize("leaves", ["sign", "confidence"])
def test_objective_is_what_the_docstring_says(fpr_range, bound, leaves):
    X, y = blobs()
    model = PartialAUCBoostingClassifier(
        fpr_range, nu=2.0, n_estimators=15, bound=bound, leaves=leaves, max_depth=3
    )
    model.fit(X, y)
    assert np.all(model.estimator_weights_ >= 0)
    assert model.objective_ == pytest.approx(naive_objective(model, X, y, structural=bound == "structural"))
    assert 0 <= model.dual_gap_ <= 0.05 * model.objective_
    assert model.converged_


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("fpr_range", RANGES)
def test_gap_bounds_the_distance_from_an_independent_optimum(fpr_range, weighted):
    X, y = blobs(45)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, 45) if weighted else None
    loose = PartialAUCBoostingClassifier(fpr_range, nu=1.0, n_estimators=8).fit(X, y, weight)
    H = np.column_stack([tree.predict(X) for tree in loose.estimators_])
    for outputs, tree in zip(H.T, loose.estimators_, strict=True):
        np.testing.assert_array_equal(outputs, tree.value[tree_leaves(tree, X)])
    np.testing.assert_allclose(H @ loose.estimator_weights_ + loose.intercept_, loose.decision_function(X))
    ranks = RankRange.of(fpr_range, int((y == 0).sum()) if weight is None else weight[y == 0])
    optimum = minimise_over_weights(H, y == 1, ranks.start, ranks.stop, 1.0, weight)
    assert loose.objective_ - loose.dual_gap_ <= optimum + 1e-7
    assert optimum <= loose.objective_ + 1e-7


def tree_leaves(tree, X):
    """Node of each row's leaf, by walking down one row at a time."""
    nodes = np.zeros(len(X), dtype=int)
    for i, x in enumerate(X):
        while tree.feature[nodes[i]] >= 0:
            inner = nodes[i]
            nodes[i] = (tree.left if x[tree.feature[inner]] <= tree.threshold[inner] else tree.right)[inner]
    return nodes


def exact_rounds(fpr_range, nu, seed, n_rounds=12):
    """Solve each round to 1e-10, and yield the problem and its solution."""
    X, y = blobs(90, seed=seed)
    trees = TreeLearners(
        X,
        max_bins=256,
        max_depth=2,
        min_samples_leaf=1,
        criterion="edge",
        leaf_alpha=0.0,
        feature_fraction=1.0,
        random_state=np.random.RandomState(0),
        n_threads=1,
    )
    risk = PartialAUCRisk(y == 1, fpr_range)
    problem = ColumnGeneration(risk, nu, cut_tol=1e-10, n_samples=len(y), n_codes=trees.n_codes)
    outputs = []
    for _ in range(n_rounds):
        learner = trees.fit(problem.signed_weights())
        problem.append(learner.codes, learner.values)
        outputs.append(learner.values[learner.codes])
        yield y, np.array(outputs), problem, problem.solve()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("nu", [0.01, 1.0, 20.0])
@pytest.mark.parametrize("fpr_range", RANGES)
def test_objective_falls_by_half_the_square_of_the_new_weight(fpr_range, nu, seed):
    """The corrected proposition: the weights without the new one are feasible before, with multipliers that hold."""
    before = nu  # no weak learner: every pair is lost by 1
    for _, _, _, solution in exact_rounds(fpr_range, nu, seed):
        slack = 1e-8 * nu
        assert before - solution.objective >= 0.5 * solution.weights[-1] ** 2 - slack
        before = solution.objective


@pytest.mark.parametrize("nu", [0.1, 5.0])
@pytest.mark.parametrize("fpr_range", RANGES)
def test_weights_of_learners_and_of_samples_belong_together(fpr_range, nu):
    for y, outputs, problem, solution in exact_rounds(fpr_range, nu, seed=4):
        signed = problem.signed_weights()
        assert np.all(signed[y == 1] >= 0)
        assert np.all(signed[y == 0] <= 0)
        assert signed.sum() == pytest.approx(0.0, abs=1e-9 * nu)
        # Equation (11), with w >= 0.
        np.testing.assert_allclose(solution.weights, np.maximum(outputs @ signed, 0.0), atol=2e-4 * nu)


def test_first_weights_are_alike_in_each_class():
    _, y = blobs(60)
    risk = PartialAUCRisk(y == 1, (0.0, 0.1))
    signed = ColumnGeneration(risk, 1.0, cut_tol=0.05, n_samples=60, n_codes=2).signed_weights()
    np.testing.assert_allclose(signed / np.abs(signed).sum(), np.where(y == 1, 0.5 / 20, -0.5 / 40))


def test_naive_cut_is_the_naive_value():
    rng = np.random.default_rng(0)
    scores, positive = rng.normal(size=20), np.arange(20) < 8
    offset, vector = worst_cut_by_ranks(scores, positive, 2.0, 5.0)
    assert offset - vector @ scores == pytest.approx(value_by_ranks(scores, positive, 2.0, 5.0))


def test_history_is_monotone_and_complete():
    X, y = blobs()
    model = PartialAUCBoostingClassifier(nu=5.0, n_estimators=30).fit(X, y)
    assert set(model.history_) == {"objective", "dual_gap", "n_cuts", "edge", "training_pauc"}
    assert all(column.shape == (30,) for column in model.history_.values())
    assert np.all(np.diff(model.history_["objective"]) <= 1e-12)
    assert model.history_["training_pauc"][-1] == pytest.approx(
        partial_auc_score(y, model.decision_function(X), fpr_range=(0.0, 0.1))
    )


def test_staged_scores_are_those_of_smaller_ensembles():
    X, y = blobs()
    model = PartialAUCBoostingClassifier(n_estimators=12).fit(X, y)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == 12
    np.testing.assert_allclose(stages[-1], model.decision_function(X), rtol=1e-12)
    small = PartialAUCBoostingClassifier(n_estimators=5).fit(X, y)
    np.testing.assert_allclose(
        stages[4] - model.intercept_, small.decision_function(X) - small.intercept_, rtol=1e-12, atol=1e-12
    )


def test_deep_trees_with_confidence_rank_digits_better_than_the_papers():
    X, digits = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, digits % 2, test_size=0.5, random_state=0)
    plain = PartialAUCBoostingClassifier(nu=1.0).fit(X, y)
    deep = PartialAUCBoostingClassifier(
        nu=0.3, max_depth=6, leaves="confidence", feature_fraction=0.4, random_state=0
    )
    deep.fit(X, y)
    scores = [partial_auc_score(y_test, model.decision_function(X_test)) for model in (plain, deep)]
    assert 0.95 < scores[0] < scores[1]


def test_confidence_rated_outputs_have_mean_square_one():
    X, y = blobs()
    weight = np.arange(1, 121) % 3 + 1.0
    model = PartialAUCBoostingClassifier(n_estimators=4, leaves="confidence", max_depth=3).fit(X, y, weight)
    for tree in model.estimators_:
        assert np.average(tree.value[tree_leaves(tree, X)] ** 2, weights=weight) == pytest.approx(1.0)


def test_smoothing_fits_to_a_mixture_of_weights_and_solves_the_same_problem():
    X, y = blobs()
    plain = PartialAUCBoostingClassifier(n_estimators=10).fit(X, y)
    smooth = PartialAUCBoostingClassifier(n_estimators=10, weight_smoothing=0.9).fit(X, y)
    assert not np.array_equal(plain.history_["edge"], smooth.history_["edge"])
    assert smooth.objective_ == pytest.approx(naive_objective(smooth, X, y))


@pytest.mark.parametrize("leaves", ["sign", "confidence"])
def test_warm_start_goes_on(leaves):
    X, y = blobs()
    settings = {"nu": 2.0, "leaves": leaves, "cut_tol": 1e-6}
    whole = PartialAUCBoostingClassifier(n_estimators=20, **settings).fit(X, y)
    model = PartialAUCBoostingClassifier(n_estimators=8, warm_start=True, **settings).fit(X, y)
    first = model.estimators_
    model.set_params(n_estimators=20).fit(X, y)
    assert model.estimators_[:8] == first
    assert len(model.history_["objective"]) == len(list(model.staged_decision_function(X))) == 20
    assert model.objective_ == pytest.approx(whole.objective_, rel=0.02)
    assert np.all(np.diff(model.history_["objective"]) <= 1e-12)
    with pytest.raises(ValueError, match="n_estimators must be at least the 20 of the ensemble"):
        model.set_params(n_estimators=5).fit(X, y)


def test_warm_start_with_other_parameters():
    X, y = blobs()
    model = PartialAUCBoostingClassifier(n_estimators=3, max_depth=4, warm_start=True).fit(X, y)
    model.set_params(max_depth=1, n_estimators=6).fit(X, y)
    assert [tree.n_leaves > 2 for tree in model.estimators_] == [True] * 3 + [False] * 3
    assert model.objective_ == pytest.approx(naive_objective(model, X, y))
    with pytest.raises(ValueError, match="warm_start goes on from weak learners of one kind"):
        model.set_params(estimator="linear", n_estimators=9).fit(X, y)
    linear = PartialAUCBoostingClassifier(n_estimators=2, estimator="linear", warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="warm_start goes on from weak learners of one kind"):
        linear.set_params(estimator=None, n_estimators=4).fit(X, y)
    with pytest.raises(ValueError, match="warm_start goes on from weak learners for 5 features, got 3"):
        model.set_params(estimator=None).fit(X[:, :3], y)


def test_features_too_large_for_liblinear():
    X, y = blobs()
    with pytest.raises(ValueError, match=r"X must be at most 1e\+12 in size for estimator='linear'"):
        PartialAUCBoostingClassifier(estimator="linear").fit(1e20 * X, y)


def test_early_stopping_keeps_the_best_round():
    X, y = blobs(600, seed=3)
    model = PartialAUCBoostingClassifier(
        n_estimators=200, early_stopping=True, validation_fraction=0.3, n_iter_no_change=5, random_state=0
    ).fit(X, y)
    assert model.n_estimators_ == len(model.estimators_) == len(model.estimator_weights_) < 200
    scores = model.history_["validation_pauc"]
    assert len(scores) == model.n_estimators_
    assert np.argmax(scores) == model.n_estimators_ - 1


def test_early_stopping_without_enough_samples():
    X, _ = blobs(9)
    with pytest.raises(ValueError, match="early_stopping needs at least two samples of each class"):
        PartialAUCBoostingClassifier((0, 1), early_stopping=True).fit(X, np.arange(9) == 0)


def test_labels_of_any_kind_and_the_operating_point():
    X, y = blobs(300)
    names = np.where(y == 1, "yes", "no")
    model = PartialAUCBoostingClassifier((0.0, 0.2), n_estimators=10).fit(X, names)
    assert model.classes_.tolist() == ["no", "yes"]
    predicted = model.predict(X)
    assert set(predicted) == {"no", "yes"}
    assert np.mean(predicted[y == 0] == "yes") <= 0.2
    np.testing.assert_array_equal(predicted == "yes", model.decision_function(X) > 0)


def test_order_type_and_threads_do_not_matter():
    X, y = blobs(200)
    X = X.astype(np.float32)
    reference = PartialAUCBoostingClassifier(n_estimators=15).fit(X, y).decision_function(X)
    order = np.random.default_rng(0).permutation(200)
    shuffled = PartialAUCBoostingClassifier(n_estimators=15).fit(X[order], y[order])
    np.testing.assert_allclose(shuffled.decision_function(X), reference, rtol=1e-9, atol=1e-9)
    for other in (X.astype(np.float64), np.asfortranarray(X)):
        model = PartialAUCBoostingClassifier(n_estimators=15, n_jobs=2).fit(other, y)
        np.testing.assert_array_equal(model.decision_function(other), reference)
    kept = X.copy()
    PartialAUCBoostingClassifier(n_estimators=2).fit(X, y)
    np.testing.assert_array_equal(X, kept)


def test_increasing_maps_of_features_change_nothing():
    X, y = blobs(100)
    reference = PartialAUCBoostingClassifier(n_estimators=10).fit(X, y).decision_function(X)
    mapped = np.exp(3 * X)
    model = PartialAUCBoostingClassifier(n_estimators=10).fit(mapped, y)
    np.testing.assert_allclose(model.decision_function(mapped), reference, rtol=1e-12)


def test_whole_weights_are_copies():
    X, y = blobs(60)
    weight = np.random.default_rng(0).integers(0, 3, 60)
    repeated = np.repeat(np.arange(60), weight)
    for leaves in ("sign", "confidence"):
        settings = {"fpr_range": (0.0, 0.3), "n_estimators": 10, "leaves": leaves}
        first = PartialAUCBoostingClassifier(**settings).fit(X, y, weight)
        second = PartialAUCBoostingClassifier(**settings).fit(X[repeated], y[repeated])
        np.testing.assert_allclose(
            first.decision_function(X), second.decision_function(X), rtol=1e-7, atol=1e-9
        )
        assert first.objective_ == pytest.approx(second.objective_)
        assert first.objective_ == pytest.approx(naive_objective(first, X, y, weight))


def test_real_weights_count_in_proportion():
    X, y = blobs(60)
    weight = np.random.default_rng(0).uniform(0.2, 2.0, 60)
    first = PartialAUCBoostingClassifier((0.0, 0.3), n_estimators=10).fit(X, y, weight)
    second = PartialAUCBoostingClassifier((0.0, 0.3), n_estimators=10).fit(X, y, 0.37 * weight)
    np.testing.assert_allclose(first.decision_function(X), second.decision_function(X), rtol=1e-7, atol=1e-9)


def test_missing_values_are_a_value():
    X, y = blobs(200)
    X[:, 2] = np.where(y == 1, np.nan, X[:, 2])
    model = PartialAUCBoostingClassifier(n_estimators=3).fit(X, y)
    assert model.history_["training_pauc"][-1] == 1.0
    X_plain, y_plain = blobs(200)
    plain = PartialAUCBoostingClassifier(n_estimators=3).fit(X_plain, y_plain)
    assert np.isfinite(plain.decision_function(np.full((1, 5), np.nan))).all()
    with pytest.raises(ValueError, match="infinity"):
        PartialAUCBoostingClassifier().fit(np.where(X_plain > 2, np.inf, X_plain), y_plain)


def test_constant_features_are_told_of():
    X, y = np.ones((30, 2)), np.arange(30) % 2
    with pytest.warns(UserWarning, match="No weak learner has an edge above tol=0.0001"):
        model = PartialAUCBoostingClassifier((0, 1)).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.feature_importances_.tolist() == [0.0, 0.0]


def test_a_constant_feature_among_others_is_never_used():
    X, y = blobs()
    X[:, 3] = 7.0
    assert PartialAUCBoostingClassifier().fit(X, y).feature_importances_[3] == 0.0


def test_perfect_separation_is_finite_and_ends():
    X = np.concatenate([np.zeros((20, 1)), np.ones((10, 1))])
    y = np.repeat([0, 1], [20, 10])
    model = PartialAUCBoostingClassifier(nu=1e6, n_estimators=50).fit(X, y)
    assert np.isfinite(model.estimator_weights_).all()
    assert partial_auc_score(y, model.decision_function(X)) == 1.0
    assert (model.predict(X) == y).all()


def test_one_positive_and_duplicated_rows():
    X, _ = blobs(60)
    lonely = np.arange(60) == 7
    model = PartialAUCBoostingClassifier(n_estimators=10).fit(X, lonely)
    assert model.objective_ == pytest.approx(naive_objective(model, X, lonely.astype(int)))
    twins = PartialAUCBoostingClassifier((0, 0.5), n_estimators=5).fit(
        np.repeat(X[:2], 10, axis=0), np.arange(20) > 9
    )
    assert twins.history_["training_pauc"][-1] == 1.0


@pytest.mark.parametrize(
    ("n_negatives", "fpr_range", "stop"),
    [(100, (0.0, 0.29), 29), (100, (0.07, 0.29), 29), (10, (0.0, 0.1), 1)],
)
def test_rounding_does_not_lose_a_rank(n_negatives, fpr_range, stop):
    rng = np.random.default_rng(0)
    y = np.arange(n_negatives + 5) >= n_negatives
    X = rng.normal(size=(y.size, 3))
    model = PartialAUCBoostingClassifier(fpr_range, n_estimators=3).fit(X, y)
    start = 7 if fpr_range[0] else 0
    risk = value_by_ranks(model.decision_function(X), y, float(start), float(stop))
    assert model.objective_ == pytest.approx(0.5 * np.sum(model.estimator_weights_**2) + risk)


def test_empty_range_names_the_smallest_that_would_do():
    X, y = blobs(30)
    with pytest.raises(ValueError, match=r"holds none of the 20 negatives: widen it, .* to \(0.0, 0.05\)"):
        PartialAUCBoostingClassifier((0.0, 0.01)).fit(X, y)


def test_more_than_two_classes():
    X, y = blobs(90)
    y = np.arange(90) % 3
    with pytest.raises(ValueError, match=r"OneVsRestClassifier\(PartialAUCBoostingClassifier"):
        PartialAUCBoostingClassifier().fit(X, y)
    model = OneVsRestClassifier(PartialAUCBoostingClassifier(n_estimators=3)).fit(X, y)
    assert model.decision_function(X).shape == (90, 3)


def test_one_class():
    with pytest.raises(ValueError, match="one class"):
        PartialAUCBoostingClassifier().fit(np.zeros((10, 1)), np.ones(10))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"fpr_range": (0.2, 0.1)}, ValueError, "0 <= alpha < beta <= 1"),
        ({"fpr_range": 0.1}, ValueError, "two false positive rates"),
        ({"fpr_range": (0.0, np.nan)}, ValueError, "fpr_range"),
        ({"nu": 0.0}, ValueError, "nu must be finite and greater than 0"),
        ({"nu": "1"}, TypeError, "nu must be a real number"),
        ({"n_estimators": 0}, ValueError, "n_estimators must be at least 1"),
        ({"max_depth": 9}, ValueError, "max_depth must be at most 8"),
        ({"max_depth": 2.0}, TypeError, "max_depth must be an integer"),
        ({"max_bins": 257}, ValueError, "max_bins"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf must be at least 1"),
        ({"leaves": "real"}, ValueError, "leaves must be one of 'sign', 'confidence'"),
        ({"leaf_alpha": -1.0}, ValueError, "leaf_alpha must be finite and at least 0"),
        ({"weight_smoothing": 1.0}, ValueError, "weight_smoothing must be less than 1"),
        ({"max_depth": None}, TypeError, "max_depth must be an integer"),
        ({"estimator": "tree"}, ValueError, "estimator must be None, 'linear', or a scikit-learn classifier"),
        ({"estimator": 3}, ValueError, "estimator must be None"),
        ({"estimator": DecisionTreeClassifier}, ValueError, "estimator must be None"),
        ({"estimator": LinearRegression()}, ValueError, "estimator must be None"),
        ({"estimator": KNeighborsClassifier()}, ValueError, "whose fit takes sample_weight"),
        ({"bound": "loose"}, ValueError, "bound must be one of"),
        ({"cut_tol": 0.0}, ValueError, "cut_tol must be finite and greater than 0"),
        ({"tol": -1.0}, ValueError, "tol must be finite and at least 0"),
        ({"feature_fraction": 1.5}, ValueError, "feature_fraction must be at most 1"),
        ({"early_stopping": "yes"}, TypeError, "early_stopping must be True or False"),
        ({"validation_fraction": 1.0}, ValueError, "validation_fraction must be less than 1"),
        ({"n_iter_no_change": 0}, ValueError, "n_iter_no_change must be at least 1"),
        ({"n_jobs": 0}, ValueError, "n_jobs is 0"),
        ({"warm_start": 1}, TypeError, "warm_start must be True or False"),
        ({"verbose": None}, TypeError, "verbose must be True or False"),
    ],
)
def test_bad_parameters(parameters, error, message):
    X, y = blobs(60)
    with pytest.raises(error, match=message):
        PartialAUCBoostingClassifier(**parameters).fit(X, y)


def test_small_nu_still_solves_for_the_weights():
    X, y = blobs()
    model = PartialAUCBoostingClassifier((0.0, 0.5), nu=1e-4, n_estimators=10).fit(X, y)
    assert np.count_nonzero(model.estimator_weights_) > 3
    decrease = model.nu - (model.objective_ - model.dual_gap_)
    assert model.converged_
    assert model.dual_gap_ <= 4 * 0.05 * decrease < 0.04 * model.nu


def test_what_overflows_has_not_converged():
    X, y = blobs()
    with pytest.warns(ConvergenceWarning, match="raise cut_tol or lower nu"):
        model = PartialAUCBoostingClassifier(nu=1e200, n_estimators=3).fit(X, y)
    assert not model.converged_


def test_a_tolerance_out_of_reach_is_told():
    X, y = blobs()
    with pytest.warns(ConvergenceWarning, match="raise cut_tol or lower nu"):
        model = PartialAUCBoostingClassifier(nu=1e7, cut_tol=1e-14, n_estimators=3).fit(X, y)
    assert not model.converged_


def test_linear_weak_learners():
    X, y = blobs(300)
    model = PartialAUCBoostingClassifier(estimator="linear", n_estimators=10, random_state=0).fit(X, y)
    assert model.objective_ == pytest.approx(naive_objective(model, X, y))
    with pytest.raises(AttributeError, match="needs trees"):
        _ = model.feature_importances_
    sparse = PartialAUCBoostingClassifier(estimator="linear", n_estimators=10, random_state=0)
    sparse.fit(csr_matrix(X), y)
    np.testing.assert_allclose(sparse.decision_function(csr_matrix(X)), sparse.decision_function(X))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(np.where(X > 2, np.nan, X), y)


@pytest.mark.parametrize("estimator", [DecisionTreeClassifier(max_depth=2), LogisticRegression()])
def test_any_classifier_as_weak_learner(estimator):
    X, y = blobs(200)
    model = PartialAUCBoostingClassifier(estimator=estimator, n_estimators=10, random_state=0).fit(X, y)
    assert type(model.estimators_[0]) is type(estimator)
    assert not hasattr(estimator, "classes_")
    assert model.objective_ == pytest.approx(naive_objective(model, X, y))
    again = PartialAUCBoostingClassifier(estimator=estimator, n_estimators=10, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), again.decision_function(X))


def test_randomness_follows_the_seed():
    X, y = blobs(200)
    first, second, other = (
        PartialAUCBoostingClassifier(n_estimators=10, feature_fraction=0.4, random_state=seed).fit(X, y)
        for seed in (0, 0, 1)
    )
    np.testing.assert_array_equal(first.decision_function(X), second.decision_function(X))
    assert not np.array_equal(first.decision_function(X), other.decision_function(X))


def test_in_pipelines_and_searches():
    X, y = blobs(200)
    pipeline = make_pipeline(StandardScaler(), PartialAUCBoostingClassifier(n_estimators=5))
    search = GridSearchCV(
        pipeline,
        {"partialaucboostingclassifier__nu": [0.1, 1.0]},
        scoring=partial_auc_scorer((0.0, 0.1)),
        cv=3,
        error_score="raise",
    )
    search.fit(X, y)
    assert 0.0 < search.best_score_ <= 1.0


def test_sample_weights_are_routed():
    X, y = blobs(200)
    weight = np.arange(200) % 5 + 1.0
    with config_context(enable_metadata_routing=True):
        model = PartialAUCBoostingClassifier(n_estimators=5, fpr_range=(0.0, 0.3))
        model.set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        every = KFold(2)
        result = cross_validate(
            model,
            X,
            y,
            cv=every,
            params={"sample_weight": weight},
            return_estimator=True,
            error_score="raise",
        )
    train, _ = next(every.split(X))
    expected = PartialAUCBoostingClassifier(n_estimators=5, fpr_range=(0.0, 0.3)).fit(
        X[train], y[train], weight[train]
    )
    assert result["estimator"][0].objective_ == expected.objective_


def test_verbose_logs_every_tenth_round(caplog):
    X, y = blobs()
    with caplog.at_level(logging.INFO, logger="widemargin"):
        PartialAUCBoostingClassifier(n_estimators=20, verbose=True).fit(X, y)
    assert [record.getMessage().split(",")[0] for record in caplog.records] == [
        "PartialAUCBoostingClassifier: round 10",
        "PartialAUCBoostingClassifier: round 20",
    ]

"""Every solver against a general one on the written-out problem, and its certificate against its own definition."""

import numpy as np
import pytest
from sklearn.svm import SVC

from reference import large_margin
from reference.certificates import check_svm_plus
from widemargin.solvers.ranking_svm import solve_ranking_svm
from widemargin.solvers.space import Space
from widemargin.solvers.svm import solve_svm
from widemargin.solvers.svm_plus import solve_svm_plus
from widemargin.solvers.svm_plus_squared import solve_svm_plus_squared

SOLVERS = ["interior_point", "smo", "auto"]


def problem(n=24, d=3, d_star=2, seed=0):
    """Overlapping classes, features far from the origin, weights over three orders of magnitude."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, d_star))
    y = np.where(Z[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    X = np.hstack([Z + 0.7 * rng.normal(size=Z.shape), rng.normal(size=(n, d - d_star))]) + 3.0
    return X, Z, y, 10 ** rng.uniform(-2, 1, size=n)


def wide_problem(n=24, d=40, d_star=50, seed=1):
    """More features than samples, so that linear SVM+ does not collapse."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, d_star))
    y = np.where(Z[:, :5].sum(axis=1) > 0, 1.0, -1.0)
    return Z[:, :d] + rng.normal(size=(n, d)), Z, y, 10 ** rng.uniform(-1, 1, size=n)


def weights_of(result, space, X):
    """Explicit weights of a solution, whichever way it is expressed."""
    solution = result.solution
    if solution["weights"] is not None:
        return solution["weights"]
    return (X - X.mean(axis=0)).T @ (solution["expansion"] - solution["expansion"].mean())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_svm_with_margins_equals_general_solver(solver, fit_intercept):
    X, _, y, C = problem()
    margins = np.random.default_rng(1).uniform(0, 2, size=y.size)
    space = Space(features=X, center=fit_intercept)
    result = solve_svm(space, y, margins, C, fit_intercept=fit_intercept, solver=solver, tol=1e-9)
    w, _, objective = large_margin.svm(X, y, margins, C, fit_intercept)
    assert result.converged
    assert result.objective == pytest.approx(objective, rel=1e-6)
    expected = (X - X.mean(axis=0) if fit_intercept else X) @ w
    np.testing.assert_allclose(result.solution["outputs"], expected, atol=2e-3)


@pytest.mark.parametrize("n_missing", [0, 6])
@pytest.mark.parametrize("gamma", [0.1, 1.0])
@pytest.mark.parametrize("squared", [False, True])
def test_svm_plus_equals_general_solver(squared, gamma, n_missing):
    X, Z, y, C = problem()
    Z = Z[: y.size - n_missing]
    solve = solve_svm_plus_squared if squared else solve_svm_plus
    space, privileged = (Space(features=F, center=not squared) for F in (X, Z))
    result = solve(space, privileged, y, C, gamma, tol=1e-9)
    w, _, objective = large_margin.svm_plus(X, Z, y, C, gamma, squared)
    assert result.converged
    assert result.objective == pytest.approx(objective, rel=1e-6)
    expected = (X if squared else X - X.mean(axis=0)) @ w
    np.testing.assert_allclose(result.solution["outputs"], expected, atol=5e-3)


@pytest.mark.parametrize("make", [problem, wide_problem])
def test_ranking_svm_equals_general_solver(make):
    X, _, y, C = make(n=14)
    positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    margins = np.random.default_rng(2).normal(0.5, 1, size=(positive.size, negative.size))
    costs = np.outer(C[positive], C[negative]) ** 0.5  # the general solver needs moderate penalties
    pairs = np.nonzero(margins > 0)
    space = Space(features=X, center=True)
    result = solve_ranking_svm(space, positive, negative, pairs, margins[pairs], costs[pairs], tol=1e-9)
    _, objective = large_margin.ranking_svm(X[positive], X[negative], margins, costs)
    assert result.converged
    assert result.objective == pytest.approx(objective, rel=1e-6)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("make", [problem, wide_problem])
@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("gamma", [1e-2, 1.0, 100.0])
def test_svm_plus_certificate_is_what_it_says(make, solver, C, gamma):
    X, Z, y, weights = make()
    C = C * weights
    result = solve_svm_plus(
        Space(features=X, center=True), Space(features=Z, center=True), y, C, gamma, solver=solver
    )
    if solver != "smo":
        assert result.converged
    check_svm_plus(result, X, Z, y, C, gamma)


@pytest.mark.parametrize("C", [1e-3, 0.1, 1.0])
def test_unit_margins_are_the_svm_of_libsvm(C):
    X, _, y, _ = problem(n=60)
    result = solve_svm(Space(features=X, center=True), y, np.ones_like(y), np.full(y.size, C), tol=1e-10)
    # Centred, and C not large, for libsvm's sake: at C = 100 it is 3e-5 above the optimum on features as they are.
    svc = SVC(kernel="linear", C=C, tol=1e-10).fit(X - X.mean(axis=0), y)
    slack = np.maximum(0, 1 - y * svc.decision_function(X - X.mean(axis=0)))
    objective = 0.5 * float(svc.coef_[0] @ svc.coef_[0]) + C * slack.sum()
    assert result.objective == pytest.approx(objective, rel=1e-6)
    assert result.objective <= objective * (1 + 1e-12)


def test_identity_privileged_kernel_and_small_gamma_is_the_plain_svm():
    X, _, y, C = problem()
    plain = solve_svm(Space(features=X, center=True), y, np.ones_like(y), C, tol=1e-10)
    identity = Space(gram=np.eye(y.size), center=True)
    plus = solve_svm_plus(Space(features=X, center=True), identity, y, C, 1e-9, tol=1e-9)
    assert plus.objective == pytest.approx(plain.objective, rel=1e-5)


def test_weighted_svm_with_the_multipliers_as_weights_has_the_same_weights():
    X, Z, y, _ = wide_problem()
    space = Space(features=X, center=True)
    plus = solve_svm_plus(space, Space(features=Z, center=True), y, np.ones_like(y), 1.0, tol=1e-10)
    weights = np.maximum(plus.dual["delta"] + 1.0, 1e-12)  # alpha + beta
    svm = solve_svm(space, y, np.ones_like(y), weights, tol=1e-10)
    np.testing.assert_allclose(
        svm.solution["outputs"] - svm.solution["outputs"].mean(),
        plus.solution["outputs"] - plus.solution["outputs"].mean(),
        atol=1e-5,
    )
    assert weights.sum() == pytest.approx(y.size)


@pytest.mark.parametrize("squared", [False, True])
def test_gram_and_features_give_the_same_solution(squared):
    X, Z, y, C = problem(n=40)
    solve = solve_svm_plus_squared if squared else solve_svm_plus
    from_features = solve(*(Space(features=F, center=not squared) for F in (X, Z[:30])), y, C, 0.3, tol=1e-9)
    from_gram = solve(*(Space(gram=F @ F.T, center=not squared) for F in (X, Z[:30])), y, C, 0.3, tol=1e-9)
    assert from_gram.objective == pytest.approx(from_features.objective, rel=1e-8)
    np.testing.assert_allclose(from_gram.solution["outputs"], from_features.solution["outputs"], atol=1e-4)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("make", [problem, wide_problem])
def test_no_setting_stalls(squared, make):
    X, Z, y, weights = make(n=50)
    solve = solve_svm_plus_squared if squared else solve_svm_plus
    for C in (1e-2, 1.0, 1e2, 1e4):
        for gamma in (1e-3, 1.0, 1e3):
            for low_rank in (True, False):
                F = Z if low_rank else np.hstack([Z, np.tanh(X), np.eye(y.size)])
                spaces = (Space(gram=G @ G.T, center=not squared) for G in (X, F))
                result = solve(*spaces, y, C * weights, gamma)
                assert result.converged, (C, gamma, low_rank, result)


def test_interior_point_needs_few_iterations():
    X, Z, y, weights = problem(n=200)
    for C in (1e-3, 1.0, 1e4):
        for gamma in (1e-3, 1.0, 1e3):
            result = solve_svm_plus(*(Space(features=F, center=True) for F in (X, Z)), y, C * weights, gamma)
            assert result.n_iter <= 30, (C, gamma, result.n_iter)


def test_margins_that_are_all_zero_cost_nothing():
    X, _, y, C = problem()
    result = solve_svm(Space(features=X, center=True), y, np.zeros_like(y), C)
    assert (result.objective, result.gap, result.converged) == (0.0, 0.0, True)


def test_smo_refuses_missing_privileged_rows():
    X, Z, y, C = problem()
    with pytest.raises(
        ValueError, match=r"solver='smo' needs privileged features .* 6 of 24 samples have none"
    ):
        solve_svm_plus(*(Space(features=F, center=True) for F in (X, Z[:18])), y, C, 1.0, solver="smo")


@pytest.mark.parametrize("squared", [False, True])
def test_collapse_gives_exact_zeros(squared):
    rng = np.random.default_rng(3)
    X, Z = rng.normal(size=(80, 3)), rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0, 1.0, -1.0)
    solve = solve_svm_plus_squared if squared else solve_svm_plus
    result = solve(*(Space(features=F, center=not squared) for F in (X, Z)), y, np.ones(80), 1.0)
    assert result.solution["collapsed"]
    assert not result.solution["outputs"].any()
    assert result.converged
    # Constant slacks cost 1 a sample (half, and half gamma, when squared).
    assert result.objective == pytest.approx(40.5 if squared else 80.0, rel=1e-12)


def test_small_weights_are_not_taken_for_a_collapse():
    # With a tiny C the weights are tiny and the objective within tolerance of constant slacks, yet they classify.
    X, Z, y, _ = wide_problem()
    result = solve_svm_plus(*(Space(features=F, center=True) for F in (X, Z)), y, np.full(y.size, 1e-9), 1.0)
    assert "collapsed" not in result.solution
    assert np.mean(np.sign(result.solution["outputs"] + result.solution["intercept"]) == y) > 0.9

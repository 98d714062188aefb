import signal

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

from reference.svm_plus_dual import solve_svm_plus_dual, svm_plus_objectives
from widemargin._native import hinge_intercept, smo_svm, smo_svm_plus


def rbf_gram(X, gamma):
    return np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(-1))


def problem(seed=0, n=60, privileged="rbf"):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 4))
    y = np.where(Z[:, 0] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    X = Z + rng.normal(size=(n, 4))
    K_privileged = rbf_gram(Z, 0.3) if privileged == "rbf" else Z[:, :2] @ Z[:, :2].T
    return rbf_gram(X, 0.3), K_privileged, y, rng.uniform(0.5, 2.0, size=n)


def solve(K, K_privileged, y, C, privileged_alpha=1.0, tol=1e-9, max_iter=10**6, start=None):
    alpha, beta = (np.zeros(len(y)), C.copy()) if start is None else start
    return alpha, beta, *smo_svm_plus(K, K_privileged, y, C, privileged_alpha, tol, max_iter, alpha, beta)


def assert_feasible(alpha, beta, y, C):
    assert np.all(alpha >= 0)
    assert np.all(beta >= 0)
    scale = 1e-12 * (alpha.sum() + beta.sum())
    assert abs(y @ alpha) <= scale
    assert abs((alpha + beta - C).sum()) <= scale


@pytest.mark.parametrize("privileged_alpha", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_naive_twin(seed, privileged_alpha):
    K, K_privileged, y, C = problem(seed, n=10)
    alpha, beta, _, _, objective, dual, *_, converged = solve(K, K_privileged, y, C, privileged_alpha)
    assert converged
    assert_feasible(alpha, beta, y, C)
    naive = solve_svm_plus_dual(K, K_privileged, y, C, privileged_alpha)
    naive_primal, naive_dual = svm_plus_objectives(K, K_privileged, y, C, privileged_alpha, *naive)
    assert naive_primal - naive_dual <= 1e-5 * naive_primal
    # Each value lies within the other solver's bracket.
    assert naive_dual <= objective * (1 + 1e-9)
    assert dual <= naive_primal * (1 + 1e-9)


@pytest.mark.parametrize("privileged_alpha", [0.3, 3.0])
def test_objective_of_an_independent_solver(privileged_alpha):
    n = 12
    K, K_privileged, y, C = problem(4, n=n)
    _, _, _, _, objective, dual, *_, converged = solve(K, K_privileged, y, C, privileged_alpha)
    R = K_privileged / privileged_alpha
    hessian = np.block([[K * np.outer(y, y) + R, R], [R, R]])
    linear = np.concatenate([-1.0 - R @ C, -R @ C])
    constant = 0.5 * C @ R @ C
    sums = np.vstack([np.concatenate([y, np.zeros(n)]), np.ones(2 * n)])
    found = minimize(
        lambda v: 0.5 * v @ hessian @ v + linear @ v + constant,
        np.concatenate([np.zeros(n), C]),
        jac=lambda v: hessian @ v + linear,
        bounds=[(0.0, None)] * (2 * n),
        constraints=LinearConstraint(sums, [0.0, C.sum()], [0.0, C.sum()]),
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 5000},
    )
    assert converged
    assert objective == pytest.approx(-found.fun, rel=1e-7)
    assert dual == pytest.approx(-found.fun, rel=1e-7)


@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize("privileged", ["rbf", "low rank"])
def test_certificate_is_honest(privileged, tol):
    K, K_privileged, y, C = problem(1, privileged=privileged)
    alpha, beta, output, slack, objective, dual, b, b_star, _, converged = solve(
        K, K_privileged, y, C, 1.0, tol, max_iter=3 * 10**5
    )
    delta = alpha + beta - C
    np.testing.assert_allclose(output, K @ (alpha * y), atol=1e-12)
    np.testing.assert_allclose(slack, K_privileged @ delta, atol=1e-11)
    assert_feasible(alpha, beta, y, C)
    # The linear programme that chooses the biases in the twin is feasible to 1e-10.
    again = svm_plus_objectives(K, K_privileged, y, C, 1.0, alpha, beta)
    assert (objective, dual) == pytest.approx(again, rel=1e-8)
    # The returned biases are feasible and attain the objective.
    assert np.all(slack + b_star >= -1e-12)
    assert np.all(y * (output + b) >= 1 - slack - b_star - 1e-12)
    norms = 0.5 * (alpha * y) @ output + 0.5 * delta @ slack
    assert norms + C @ (slack + b_star) == pytest.approx(objective, rel=1e-12)
    assert objective >= dual
    assert converged == (objective - dual <= tol * objective)
    assert converged or privileged == "low rank"


def test_weighted_svm_with_the_dual_weights_has_the_same_function():
    K, K_privileged, y, C = problem(2)
    alpha, beta, output, *_ = solve(K, K_privileged, y, C, tol=1e-11)
    again = np.zeros(60)
    weights = alpha + beta
    keep = weights > 0
    sub = np.ascontiguousarray(K[np.ix_(keep, keep)])
    part = np.zeros(keep.sum())
    _, objective, *_ = smo_svm(sub, y[keep], np.ones(keep.sum()), weights[keep], True, 1e-11, 10**7, part)
    again[keep] = part
    # Two gaps of 1e-11 bound |f - f'| by sqrt(2 * 2e-11 * P).
    np.testing.assert_allclose(K @ (again * y), output, atol=10 * np.sqrt(1e-11 * objective))


def test_free_slacks_give_the_ordinary_svm():
    # K* = I and a small g let every slack be what it likes at the cost g / 2 |xi|^2.
    K, _, y, C = problem(3)
    g, tol = 1e-5, 1e-8
    _, _, output, _, objective, dual, *_, converged = solve(K, np.eye(60), y, C, g, tol=tol)
    assert converged
    svm_output, svm_objective, *_ = smo_svm(K, y, np.ones(60), C, True, 1e-11, 10**7, np.zeros(60))
    intercept, _ = hinge_intercept(svm_output, y, np.ones(60), C)
    xi = np.maximum(0.0, 1.0 - y * (svm_output + intercept))
    cost = 0.5 * g * xi @ xi
    # The slacks of the SVM are feasible for SVM+ with b* = 0, and leaving their cost out bounds from below.
    assert svm_objective * (1 - 1e-10) <= objective
    assert dual <= svm_objective + cost
    # Both functions nearly minimise the SVM objective, so half their squared distance is at most this excess.
    bound = 2 * np.sqrt(2 * (cost + tol * objective))
    np.testing.assert_allclose(output, svm_output, atol=bound)


def test_small_privileged_alpha_does_not_stall():
    # Without trades, which leave delta alone, this takes fifteen thousand steps.
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(200, 20))
    y = np.where(Z @ rng.normal(size=20) + 0.5 * rng.normal(size=200) > 0, 1.0, -1.0)
    K, K_privileged = rbf_gram(Z + rng.normal(size=(200, 20)), 0.05), rbf_gram(Z, 0.05)
    *_, converged = solve(K, K_privileged, y, np.full(200, 10.0), 0.1, tol=1e-6, max_iter=2000)
    assert converged


def test_weights_over_seven_decades():
    K, K_privileged, y, _ = problem(6)
    C = 10.0 ** np.random.default_rng(0).uniform(-5, 2, size=60)
    C[:2] = 1e-5, 1e2
    alpha, beta, _, _, objective, dual, *_, converged = solve(K, K_privileged, y, C, tol=1e-6)
    assert converged
    assert_feasible(alpha, beta, y, C)
    again = svm_plus_objectives(K, K_privileged, y, C, 1.0, alpha, beta)
    assert (objective, dual) == pytest.approx(again, rel=1e-7)


def test_warm_start_at_the_solution_needs_no_step():
    K, K_privileged, y, C = problem(7)
    alpha, beta, *_ = solve(K, K_privileged, y, C)
    start = alpha.copy(), beta.copy()
    *_, n_iter, converged = solve(K, K_privileged, y, C, start=(alpha, beta))
    assert (n_iter, converged) == (0, True)
    np.testing.assert_array_equal(alpha, start[0])
    np.testing.assert_array_equal(beta, start[1])


@pytest.mark.parametrize("max_iter", [0, 1, 10, 100])
def test_stopping_early_is_harmless(max_iter):
    K, K_privileged, y, C = problem(8, privileged="low rank")
    alpha, beta, output, slack, objective, dual, *_, n_iter, converged = solve(
        K, K_privileged, y, C, 0.1, max_iter=max_iter
    )
    assert n_iter == max_iter
    assert not converged
    assert objective >= dual
    assert np.all(np.isfinite(output))
    assert np.all(np.isfinite(slack))
    assert_feasible(alpha, beta, y, C)


def test_order_of_samples_and_labels_flipped():
    K, K_privileged, y, C = problem(9)
    _, _, output, slack, objective, *_ = solve(K, K_privileged, y, C, tol=1e-11)
    order = np.random.default_rng(0).permutation(60)
    grams = [np.ascontiguousarray(gram[np.ix_(order, order)]) for gram in (K, K_privileged)]
    _, _, permuted, permuted_slack, same, *_ = solve(*grams, y[order], C[order], tol=1e-11)
    _, _, flipped, _, mirrored, *_ = solve(K, K_privileged, -y, C, tol=1e-11)
    assert objective == pytest.approx(same, rel=1e-10)
    assert objective == pytest.approx(mirrored, rel=1e-10)
    bound = 2 * np.sqrt(2e-11 * objective)
    np.testing.assert_allclose(permuted, output[order], atol=bound)
    np.testing.assert_allclose(permuted_slack, slack[order], atol=bound)
    np.testing.assert_allclose(flipped, -output, atol=bound)


def test_two_samples_without_privileged_kernel():
    # K* = 0 leaves slack b* for both at a cost of 2 C b*: the hard margin w = 2 / (3 - (-1)) is cheaper.
    x = np.array([3.0, -1.0])
    alpha, _, output, slack, objective, _, b, b_star, _, converged = solve(
        np.outer(x, x), np.zeros((2, 2)), np.array([1.0, -1.0]), np.full(2, 10.0)
    )
    assert converged
    np.testing.assert_allclose(alpha, 0.125, rtol=1e-9)
    np.testing.assert_allclose(output + b, [1.0, -1.0], rtol=1e-9)
    np.testing.assert_array_equal(slack, 0.0)
    assert b_star == pytest.approx(0.0, abs=1e-9)
    assert objective == pytest.approx(0.125, rel=1e-9)


@pytest.mark.parametrize("label", [1.0, -1.0])
def test_a_single_class_costs_nothing(label):
    K, K_privileged, _, C = problem(0)
    *_, objective, dual, b, b_star, n_iter, converged = solve(K, K_privileged, np.full(60, label), C)
    assert (objective, dual, b, b_star, n_iter, converged) == (0.0, 0.0, label, 0.0, 0, True)


def test_wrong_arrays_are_refused():
    K, K_privileged, y, C = problem(0)
    with pytest.raises(ValueError, match="n x n"):
        smo_svm_plus(K, K_privileged[:, :50].copy(), y, C, 1.0, 1e-3, 10, np.zeros(60), C.copy())
    with pytest.raises(ValueError, match="length"):
        smo_svm_plus(K, K_privileged, y, C, 1.0, 1e-3, 10, np.zeros(59), C.copy())
    with pytest.raises(TypeError):
        smo_svm_plus(K, K_privileged, y, C, 1.0, 1e-3, 10, np.zeros(60, dtype=np.float32), C.copy())


class Interrupted(Exception):
    pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
def test_a_signal_interrupts_a_long_run_and_leaves_feasible_variables():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(300, 20)), rng.normal(size=(300, 3))
    y = np.where(X[:, 0] + rng.normal(size=300) > 0, 1.0, -1.0)
    C = np.full(300, 100.0)
    alpha, beta = np.zeros(300), C.copy()

    def interrupt(signum, frame):
        raise Interrupted

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interrupted):
            smo_svm_plus(X @ X.T, Z @ Z.T, y, C, 1e-3, -1.0, 2**62, alpha, beta)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    assert_feasible(alpha, beta, y, C)

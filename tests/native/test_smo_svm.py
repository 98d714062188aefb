import signal

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize
from sklearn.svm import SVC

from reference.svm_dual import solve_svm_dual, svm_objectives
from widemargin._native import hinge_intercept, smo_svm

intercept_or_not = pytest.mark.parametrize("fit_intercept", [True, False])


def rbf_gram(X, gamma):
    return np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(-1))


def problem(seed=0, n=60, n_features=4, linear=False):
    """A noisy problem with margins of either sign and uneven weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    K = X @ X.T if linear else rbf_gram(X, 0.3)
    return K, y, rng.normal(0.8, 0.7, size=n), rng.uniform(0.5, 3.0, size=n)


def solve(K, y, margins, C, fit_intercept=True, tol=1e-10, max_iter=10**7, alpha=None):
    alpha = np.zeros(len(y)) if alpha is None else alpha
    return alpha, *smo_svm(K, y, margins, C, fit_intercept, tol, max_iter, alpha)


def assert_feasible(alpha, y, C, fit_intercept):
    assert np.all(alpha >= 0)
    assert np.all(alpha <= C)
    if fit_intercept:
        assert abs(y @ alpha) <= 1e-12 * C.sum()


@intercept_or_not
@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_equals_the_naive_twin(seed, linear, fit_intercept):
    K, y, margins, C = problem(seed, linear=linear)
    alpha, output, objective, dual, _, converged = solve(K, y, margins, C, fit_intercept)
    assert converged
    assert_feasible(alpha, y, C, fit_intercept)
    naive = solve_svm_dual(K, y, margins, C, fit_intercept)
    # A KKT violation of 1e-9 in the twin leaves a gap of at most 1e-9 times sum C.
    assert dual == pytest.approx(
        svm_objectives(K, y, margins, C, fit_intercept, naive)[1], abs=1e-9 * C.sum()
    )
    # |f - f_naive|^2 / 2 is bounded by the two gaps.
    difference = (alpha - naive) * y
    assert 0.5 * difference @ K @ difference <= 2e-9 * C.sum() + 2e-10 * objective
    np.testing.assert_allclose(output, K @ (alpha * y), atol=1e-12)


@intercept_or_not
@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-9])
def test_certificate_is_honest(tol, fit_intercept):
    K, y, margins, C = problem(7, n=80)
    alpha, _, objective, dual, _, converged = solve(K, y, margins, C, fit_intercept, tol)
    primal_again, dual_again = svm_objectives(K, y, margins, C, fit_intercept, alpha)
    assert objective == pytest.approx(primal_again, rel=1e-12)
    assert dual == pytest.approx(dual_again, rel=1e-12)
    assert converged
    assert 0 <= objective - dual <= tol * abs(objective)


@intercept_or_not
def test_satisfies_the_optimality_conditions(fit_intercept):
    K, y, margins, C = problem(3)
    alpha, output, *_ = solve(K, y, margins, C, fit_intercept, tol=1e-13)
    b = hinge_intercept(output, y, margins, C)[0] if fit_intercept else 0.0
    excess = y * (output + b) - margins
    # A relative gap of 1e-13 with curvatures near 1 leaves violations of about its square root.
    assert np.all(excess[alpha < C] > -1e-5)
    assert np.all(excess[alpha > 0] < 1e-5)


@intercept_or_not
def test_objective_of_an_independent_solver(fit_intercept):
    K, y, margins, C = problem(5, n=18)
    _, _, objective, dual, _, converged = solve(K, y, margins, C, fit_intercept)
    Q = K * np.outer(y, y)
    found = minimize(
        lambda a: 0.5 * a @ Q @ a - margins @ a,
        np.zeros(18),
        jac=lambda a: Q @ a - margins,
        bounds=list(zip(np.zeros(18), C, strict=True)),
        constraints=LinearConstraint(y[None], 0.0, 0.0) if fit_intercept else (),
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 2000},
    )
    assert converged
    assert dual == pytest.approx(-found.fun, rel=1e-7)
    assert objective == pytest.approx(-found.fun, rel=1e-7)


@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
def test_unit_margins_give_the_ordinary_svm(C):
    K, y, _, _ = problem(2, n=120)
    margins, weights = np.ones(120), np.full(120, C)
    _, output, objective, dual, _, converged = solve(K, y, margins, weights)
    assert converged
    peer = SVC(C=C, kernel="precomputed", tol=1e-10).fit(K, y)
    peer_alpha = np.zeros(120)
    peer_alpha[peer.support_] = np.abs(peer.dual_coef_[0])
    peer_objective, peer_dual = svm_objectives(K, y, margins, weights, True, peer_alpha)
    # LIBSVM keeps its Gram matrix in single precision: a relative gap of 2e-6 is left at C = 50.
    assert peer_objective == pytest.approx(objective, rel=1e-5)
    assert dual >= peer_dual * (1 - 1e-10)
    # |f - f'|^2 / 2 is at most the gap between them, and bounds the difference for a Gram with unit diagonal.
    bound = np.sqrt(2 * (peer_objective - dual)) + 1e-4
    np.testing.assert_allclose(output, peer.decision_function(K) - peer.intercept_, atol=bound)


def test_shrinking_does_not_change_the_optimum():
    # Few samples lie near the margin, so most coordinates are left out of the compact set.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = np.where(X[:, 0] + 0.2 * rng.normal(size=400) > 0, 1.0, -1.0)
    K, C = X @ X.T, np.full(400, 10.0)
    alpha, _, objective, dual, _, converged = solve(K, y, np.ones(400), C, tol=1e-9)
    assert converged
    assert svm_objectives(K, y, np.ones(400), C, True, alpha) == pytest.approx((objective, dual), rel=1e-11)
    peer = SVC(C=10.0, kernel="linear", tol=1e-9).fit(X, y)
    b_free = hinge_intercept(X @ peer.coef_[0], y, np.ones(400), C)[1]
    assert objective == pytest.approx(0.5 * peer.coef_[0] @ peer.coef_[0] + b_free, rel=1e-7)


@intercept_or_not
def test_warm_start_at_the_solution_needs_no_step(fit_intercept):
    K, y, margins, C = problem(1)
    alpha, *_ = solve(K, y, margins, C, fit_intercept)
    start = alpha.copy()
    again, _, objective, dual, n_iter, converged = solve(K, y, margins, C, fit_intercept, alpha=alpha)
    assert n_iter == 0
    assert converged
    np.testing.assert_array_equal(again, start)
    assert (objective, dual) == pytest.approx(
        svm_objectives(K, y, margins, C, fit_intercept, start), rel=1e-12
    )


@intercept_or_not
def test_continuing_from_an_unfinished_point_reaches_the_same_optimum(fit_intercept):
    K, y, margins, C = problem(4)
    alpha, _, _, _, n_iter, converged = solve(K, y, margins, C, fit_intercept, max_iter=20)
    assert n_iter == 20
    assert not converged
    assert_feasible(alpha, y, C, fit_intercept)
    _, _, objective, *_ = solve(K, y, margins, C, fit_intercept, alpha=alpha)
    assert objective == pytest.approx(solve(K, y, margins, C, fit_intercept)[2], rel=1e-9)


@intercept_or_not
def test_rank_deficient_gram(fit_intercept):
    rng = np.random.default_rng(0)
    x = np.repeat(rng.normal(size=(20, 1)), 3, axis=0)  # rank one, and every row three times
    y = np.where(rng.normal(size=60) + x[:, 0] > 0, 1.0, -1.0)
    K, margins, C = x @ x.T, np.ones(60), np.ones(60)
    alpha, _, objective, dual, _, converged = solve(K, y, margins, C, fit_intercept, tol=1e-8)
    assert converged
    assert_feasible(alpha, y, C, fit_intercept)
    # One feature: the primal is convex in its single weight, which a fine search minimises.
    grid = np.linspace(-5, 5, 20_001)
    if fit_intercept:
        values = [0.5 * w * w + hinge_intercept(w * x[:, 0], y, margins, C)[1] for w in grid]
    else:
        values = [0.5 * w * w + np.maximum(0, 1 - y * w * x[:, 0]).sum() for w in grid]
    # The grid is 5e-4 wide and the slope at most sum |x|, so its best value is this close from above.
    assert dual - 1e-12 <= min(values) <= objective + 5e-4 * np.abs(x).sum()
    assert objective <= min(values) * (1 + 1e-8)


@intercept_or_not
def test_zero_gram(fit_intercept):
    y = np.array([1.0, 1.0, -1.0, 1.0])
    _, output, objective, dual, _, converged = solve(
        np.zeros((4, 4)), y, np.ones(4), np.ones(4), fit_intercept
    )
    assert converged
    np.testing.assert_array_equal(output, 0.0)
    # f = 0: with an intercept only the lone negative pays, twice its margin; without, everyone pays one.
    assert objective == dual == (2.0 if fit_intercept else 4.0)


@intercept_or_not
@pytest.mark.parametrize("seed", range(3))
def test_weights_over_seven_decades(seed, fit_intercept):
    K, y, margins, _ = problem(seed)
    C = 10.0 ** np.random.default_rng(seed).uniform(-4, 3, size=60)
    C[:2] = 1e-4, 1e3
    alpha, _, objective, dual, _, converged = solve(K, y, margins, C, fit_intercept, tol=1e-8)
    assert converged
    assert_feasible(alpha, y, C, fit_intercept)
    again = svm_objectives(K, y, margins, C, fit_intercept, alpha)
    assert (objective, dual) == pytest.approx(again, rel=1e-9)


@intercept_or_not
def test_duplicated_row_equals_doubled_weight(fit_intercept):
    K, y, margins, C = problem(6, n=30)
    index = np.append(np.arange(30), 5)
    doubled = C.copy()
    doubled[5] *= 2
    once = solve(K, y, margins, doubled, fit_intercept)[2]
    twice = solve(
        np.ascontiguousarray(K[np.ix_(index, index)]), y[index], margins[index], C[index], fit_intercept
    )[2]
    assert once == pytest.approx(twice, rel=1e-9)


@intercept_or_not
def test_order_of_samples_and_labels_flipped(fit_intercept):
    K, y, margins, C = problem(8)
    _, output, objective, *_ = solve(K, y, margins, C, fit_intercept, tol=1e-13)
    order = np.random.default_rng(0).permutation(60)
    _, permuted, same, *_ = solve(
        np.ascontiguousarray(K[np.ix_(order, order)]),
        y[order],
        margins[order],
        C[order],
        fit_intercept,
        tol=1e-13,
    )
    _, flipped, mirrored, *_ = solve(K, -y, margins, C, fit_intercept, tol=1e-13)
    assert objective == pytest.approx(same, rel=1e-12)
    assert objective == pytest.approx(mirrored, rel=1e-12)
    # The RBF Gram bounds |o_i - o_i'| by |f - f'| <= sqrt(2 gap).
    bound = 2 * np.sqrt(2e-13 * objective)
    np.testing.assert_allclose(permuted, output[order], atol=bound)
    np.testing.assert_allclose(flipped, -output, atol=bound)


def test_two_samples():
    # Closed form: w = 2 / (x+ - x-) between points at -1 and 3, capped by nothing.
    x = np.array([3.0, -1.0])
    alpha, output, objective, *_ = solve(np.outer(x, x), np.array([1.0, -1.0]), np.ones(2), np.full(2, 10.0))
    np.testing.assert_allclose(alpha, [0.125, 0.125], rtol=1e-12)
    np.testing.assert_allclose(output, 0.5 * x, rtol=1e-12)
    assert objective == pytest.approx(0.125, rel=1e-12)


@intercept_or_not
@pytest.mark.parametrize("margin", [0.0, -1.0])
def test_margins_that_cost_nothing(margin, fit_intercept):
    K, y, _, C = problem(0)
    alpha, _, objective, dual, n_iter, converged = solve(K, y, np.full(60, margin), C, fit_intercept)
    assert (objective, dual, n_iter, converged) == (0.0, 0.0, 0, True)
    np.testing.assert_array_equal(alpha, 0.0)


@intercept_or_not
def test_a_single_class(fit_intercept):
    K, _, _, C = problem(0)
    alpha, _, objective, dual, _, converged = solve(K, np.ones(60), np.ones(60), C, fit_intercept, tol=1e-8)
    assert converged
    if fit_intercept:
        assert objective == dual == 0.0
    else:
        assert svm_objectives(K, np.ones(60), np.ones(60), C, False, alpha) == pytest.approx(
            (objective, dual)
        )


@intercept_or_not
@pytest.mark.parametrize("max_iter", [0, 1, 5, 50, 500])
def test_weak_duality_at_every_stop(max_iter, fit_intercept):
    K, y, margins, C = problem(9, linear=True)
    alpha, _, objective, dual, n_iter, _ = solve(
        K, y, margins, C, fit_intercept, tol=1e-12, max_iter=max_iter
    )
    assert objective >= dual
    assert n_iter <= max_iter
    assert (objective, dual) == pytest.approx(
        svm_objectives(K, y, margins, C, fit_intercept, alpha), rel=1e-11
    )


def test_zero_tolerance_stops_at_rounding():
    K, y, margins, C = problem(2)
    _, _, objective, dual, n_iter, _ = solve(K, y, margins, C, tol=0.0, max_iter=10**8)
    assert n_iter < 10**8
    assert objective - dual <= 1e-12 * objective


def test_inputs_are_left_alone_and_never_copied():
    K, y, margins, C = problem(0)
    before = [a.copy() for a in (K, y, margins, C)]
    solve(K, y, margins, C)
    for array, copy in zip((K, y, margins, C), before, strict=True):
        np.testing.assert_array_equal(array, copy)
    for wrong in (np.asfortranarray(K + np.triu(K)), K.astype(np.float32)):
        with pytest.raises(TypeError):
            smo_svm(wrong, y, margins, C, True, 1e-3, 10, np.zeros(60))
    with pytest.raises(TypeError):
        smo_svm(K, y, margins, C, True, 1e-3, 10, np.zeros(60, dtype=np.int64))


def test_shapes_must_agree():
    K, y, margins, C = problem(0)
    with pytest.raises(ValueError, match="n x n"):
        smo_svm(K[:50], y, margins, C, True, 1e-3, 10, np.zeros(60))
    with pytest.raises(ValueError, match="length"):
        smo_svm(K, y, margins[:50], C, True, 1e-3, 10, np.zeros(60))


class Interrupted(Exception):
    pass


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX timers")
def test_a_signal_interrupts_a_long_run():
    # Overlapping classes under a huge C: thirty million steps, a minute, are not enough.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    y = np.where(X[:, 0] + rng.normal(size=300) > 0, 1.0, -1.0)

    def interrupt(signum, frame):
        raise Interrupted

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(Interrupted):
            smo_svm(X @ X.T, y, np.ones(300), np.full(300, 1e8), True, 1e-12, 3 * 10**7, np.zeros(300))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)

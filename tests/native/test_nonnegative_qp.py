import numpy as np
import pytest
from scipy.optimize import nnls

from reference.nonnegative_qp import nonnegative_qp_objectives, solve_nonnegative_qp
from widemargin._native import nonnegative_qp


def problem(seed=0, n=40, n_features=60):
    """Rows of features whose mean direction separates them, times a label: Q = U U' of a hard-margin SVM."""
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(n, n_features))
    U[:, 0] = rng.uniform(1.0, 2.0, size=n)
    return U @ U.T, U


def solve(Q, tol=1e-10, max_iter=10**6, alpha=None):
    alpha = np.zeros(len(Q)) if alpha is None else alpha
    return alpha, *nonnegative_qp(Q, tol, max_iter, alpha)


@pytest.mark.parametrize("seed", range(4))
def test_equals_the_naive_twin(seed):
    Q, _ = problem(seed)
    alpha, product, objective, dual, _, converged = solve(Q)
    assert converged
    assert np.all(alpha >= 0)
    np.testing.assert_allclose(product, Q @ alpha, rtol=1e-12)
    expected = solve_nonnegative_qp(Q)
    assert objective == pytest.approx(nonnegative_qp_objectives(Q, expected)[0], rel=1e-9)
    assert dual == pytest.approx(nonnegative_qp_objectives(Q, expected)[1], rel=1e-9)


@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-9])
def test_certificate_is_honest(tol):
    Q, _ = problem(5)
    alpha, _, objective, dual, _, converged = solve(Q, tol)
    assert (objective, dual) == pytest.approx(nonnegative_qp_objectives(Q, alpha), rel=1e-12)
    assert converged
    assert 0 <= objective - dual <= tol * objective


def test_optimality_conditions():
    Q, _ = problem(6)
    alpha, product, *_ = solve(Q, tol=1e-13)
    # Curvatures are at least 1, so a relative gap of 1e-13 leaves slopes of about its square root.
    assert np.all(product > 1 - 1e-5)
    assert np.all(np.abs(product[alpha > 0] - 1) < 1e-5)


def test_objective_of_an_independent_solver():
    # 1/2 |U'a|^2 - 1'a with R'R = Q is 1/2 |R a - z|^2 up to a constant, where R'z = 1.
    Q, _ = problem(7)
    R = np.linalg.cholesky(Q).T
    expected, _ = nnls(R, np.linalg.solve(R.T, np.ones(40)))
    alpha, *_ = solve(Q)
    assert 0.5 * alpha @ Q @ alpha - alpha.sum() == pytest.approx(
        0.5 * expected @ Q @ expected - expected.sum(), rel=1e-9
    )


def test_margin_of_a_low_rank_problem():
    # Points (1, t) with t over [-1, 1]: w = (1, 0) has margin one and nothing is shorter.
    U = np.column_stack([np.ones(21), np.linspace(-1, 1, 21)])
    alpha, _, objective, dual, _, converged = solve(U @ U.T, tol=1e-9)
    assert converged
    assert (objective, dual) == pytest.approx((0.5, 0.5), rel=1e-8)
    np.testing.assert_allclose(U.T @ alpha, [1.0, 0.0], atol=1e-3)


def test_warm_start_at_the_solution_needs_no_step():
    Q, _ = problem(8)
    alpha, *_ = solve(Q)
    start = alpha.copy()
    *_, n_iter, converged = solve(Q, alpha=alpha)
    assert (n_iter, converged) == (0, True)
    np.testing.assert_array_equal(alpha, start)


def test_unfinished_and_infeasible_margins_are_infinite_not_converged():
    Q, _ = problem(9)
    _, _, objective, dual, n_iter, converged = solve(Q, tol=1e6, max_iter=0)
    assert (objective, dual, n_iter, converged) == (np.inf, 0.0, 0, False)
    for max_iter in (1, 3, 10, 30):
        _, _, objective, dual, n_iter, _ = solve(Q, max_iter=max_iter)
        assert n_iter == max_iter
        assert objective >= dual


def test_order_of_samples():
    Q, _ = problem(1)
    alpha, _, objective, *_ = solve(Q, tol=1e-12)
    order = np.random.default_rng(0).permutation(40)
    permuted, _, same, *_ = solve(np.ascontiguousarray(Q[np.ix_(order, order)]), tol=1e-12)
    assert objective == pytest.approx(same, rel=1e-11)
    difference = permuted - alpha[order]
    assert difference @ Q[np.ix_(order, order)] @ difference <= 1e-10 * objective


def test_scales_over_seven_decades():
    _, U = problem(2)
    scaled = U * 10.0 ** np.random.default_rng(0).uniform(-3.5, 3.5, size=(40, 1))
    alpha, _, objective, dual, _, converged = solve(scaled @ scaled.T, tol=1e-6)
    again = nonnegative_qp_objectives(scaled @ scaled.T, alpha)
    assert converged
    assert (objective, dual) == pytest.approx(again, rel=1e-6)


def test_one_and_two_samples():
    assert solve(np.array([[4.0]]))[0] == pytest.approx([0.25])
    alpha, *_ = solve(np.array([[2.0, 1.0], [1.0, 2.0]]))
    np.testing.assert_allclose(alpha, 1 / 3, rtol=1e-5)


def test_wrong_arrays_are_refused():
    with pytest.raises(ValueError, match="n x n"):
        nonnegative_qp(np.eye(3), 1e-3, 10, np.zeros(2))
    with pytest.raises(TypeError):
        nonnegative_qp(np.eye(3), 1e-3, 10, np.zeros(3, dtype=np.float32))

"""The solver on problems with a known optimum: quadratics with a lasso, and the convex problems of shots."""

import numpy as np
import pytest

from reference.nearly_isotonic import Problem, convex_optimum, proximal_gradient
from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import Evaluation, minimise_by_proximal_gradient
from widemargin.solvers.shot_loss import LOSSES, ShotLoss
from widemargin.solvers.shot_space import ShotData, WeightSpace


class Lasso:
    """1/2 |A w - b|^2 + ridge |w|^2 + lasso |w|_1, and how often it was asked for what."""

    def __init__(self, A, b, lasso=0.0, ridge=0.0):
        self.A, self.b, self.lasso, self.ridge = A, b, lasso, ridge
        self.n_evaluations = 0

    @property
    def curvature(self):
        return float(np.linalg.norm(self.A, 2) ** 2)

    def evaluate(self, point):
        self.n_evaluations += 1
        scores = self.A @ point
        return Evaluation(self.value(scores), scores, self.A.T @ (scores - self.b))

    def value(self, scores):
        return 0.5 * float(np.sum((scores - self.b) ** 2))

    def inner(self, first, second):
        return float(first @ second)

    def penalty_value(self, point):
        return self.lasso * float(np.abs(point).sum()) + self.ridge * float(point @ point)

    def prox(self, point, step):
        shrunk = np.sign(point) * np.maximum(np.abs(point) - step * self.lasso, 0.0)
        return shrunk / (1.0 + 2.0 * step * self.ridge)

    def room(self, point, residual):
        squared = float(residual @ residual)
        return squared / (4.0 * self.ridge) if self.ridge else np.sqrt(squared) * float(np.linalg.norm(point))

    def objective(self, point):
        return self.value(self.A @ point) + self.penalty_value(point)


def a_lasso(seed=0, *, shape=(12, 8), **penalties):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=shape) * 10.0 ** rng.uniform(-1, 1, shape[1])
    return Lasso(A, rng.normal(size=shape[0]), **penalties), rng.normal(size=shape[1])


@pytest.mark.parametrize("seed", range(10))
def test_ridge_regression_is_solved_to_its_closed_form(seed):
    problem, start = a_lasso(seed, ridge=0.1)
    gram = problem.A.T @ problem.A + 0.2 * np.eye(8)
    exact = problem.objective(np.linalg.solve(gram, problem.A.T @ problem.b))
    result = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-10, max_iter=20000)
    assert result.converged
    assert 0 <= (result.objective - exact) / exact <= 1e-10
    assert result.objective == pytest.approx(problem.objective(result.point), rel=1e-12)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_certificate_bounds_the_gap_and_the_history_never_increases(seed, tol):
    problem, start = a_lasso(seed, ridge=0.05, lasso=0.3)
    best = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-9, max_iter=20000)
    result = minimise_by_proximal_gradient(problem, 0 * start, problem.curvature, tol=tol, max_iter=20000)
    assert best.converged
    assert result.converged
    assert result.objective - best.objective <= result.stationarity * result.objective * (1 + 1e-9)
    assert result.stationarity <= tol
    history = np.array(result.history)
    assert len(history) == result.n_iter + 1
    assert history[0] == pytest.approx(problem.objective(0 * start))
    assert history[-1] == result.objective
    assert (np.diff(history) <= 0).all()


@pytest.mark.parametrize("share", [1e-12, 1e-3, 0.5, 1.0, 100.0])
def test_any_first_curvature_leads_to_the_optimum(share):
    problem, start = a_lasso(3, ridge=0.05, lasso=0.3)
    best = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-11, max_iter=20000)
    result = minimise_by_proximal_gradient(
        problem, start, share * problem.curvature, tol=1e-8, max_iter=20000
    )
    assert result.converged
    assert result.objective <= best.objective * (1 + 1e-8)
    # Raised by 1.6 at most once too often.
    assert result.curvature <= max(1.6, share) * problem.curvature


def test_one_evaluation_a_step():
    problem, start = a_lasso(4, ridge=0.01)
    result = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-9, max_iter=20000)
    assert result.n_iter > 50
    # Few steps fail the test of the bound, restart, or end with a check that fails.
    assert problem.n_evaluations <= 1.3 * result.n_iter + 5


def test_acceleration_needs_far_fewer_steps_than_the_condition_number():
    problem, start = a_lasso(5, shape=(60, 30), ridge=1e-3)
    values = np.linalg.eigvalsh(problem.A.T @ problem.A)
    condition = values[-1] / (values[0] + 2e-3)
    result = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-8, max_iter=20000)
    assert condition > 1e3
    assert result.n_iter < 25 * np.sqrt(condition)
    assert result.n_iter < condition


def test_start_at_the_optimum_takes_one_step():
    problem, start = a_lasso(6, ridge=0.1, lasso=0.1)
    best = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-12, max_iter=20000)
    again = minimise_by_proximal_gradient(problem, best.point, problem.curvature, tol=1e-6, max_iter=20000)
    assert again.n_iter <= 1
    assert again.objective <= best.objective


def test_a_limit_on_the_steps_returns_the_last_point_with_its_certificate():
    problem, start = a_lasso(7, ridge=0.01)
    for max_iter in (1, 2, 5):
        result = minimise_by_proximal_gradient(
            problem, start, problem.curvature, tol=1e-12, max_iter=max_iter
        )
        assert result.n_iter == max_iter
        assert not result.converged
        assert 1e-12 < result.stationarity < np.inf
        assert result.objective == pytest.approx(problem.objective(result.point), rel=1e-12)


def test_objective_zero_is_reached():
    # Without penalties and with an exact fit the optimum is 0, of which no share is positive.
    problem, start = a_lasso(8, shape=(5, 8))
    result = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-4, max_iter=20000)
    assert result.objective <= 1e-8 * result.history[0]
    flat = Lasso(np.eye(3), np.zeros(3))
    result = minimise_by_proximal_gradient(flat, np.zeros(3), 1.0, tol=1e-4, max_iter=50)
    assert result.objective == 0.0
    assert result.converged


def test_rounding_at_the_optimum_ends_the_search():
    problem, start = a_lasso(9, ridge=0.1)
    problem.b += 1e8
    result = minimise_by_proximal_gradient(problem, start, problem.curvature, tol=1e-300, max_iter=10**6)
    assert result.n_iter < 10**5
    gram = problem.A.T @ problem.A + 0.2 * np.eye(8)
    exact = problem.objective(np.linalg.solve(gram, problem.A.T @ problem.b))
    assert result.objective == pytest.approx(exact, rel=1e-12)


def test_report_gets_every_step():
    problem, start = a_lasso(10, ridge=0.1)
    seen = []
    result = minimise_by_proximal_gradient(
        problem, start, problem.curvature, tol=1e-6, max_iter=20000, report=lambda *step: seen.append(step)
    )
    assert [n for n, _, _ in seen] == list(range(1, result.n_iter + 1))
    assert [objective for _, objective, _ in seen] == list(result.history[1:])


def weight_space(problem):
    weight = problem.shares
    data = ShotData(problem.X, problem.shots, problem.n_scores, weight, problem.fit_intercept)
    loss = ShotLoss(problem.targets, weight, problem.n_scores, problem.loss, problem.smoothing)
    penalty = ShotPenalty(
        problem.isotonic_alpha,
        problem.alpha,
        problem.penalty,
        problem.norm,
        problem.order,
        problem.nonnegative,
    )
    return WeightSpace(data, loss, penalty)


def random_problem(seed, **fixed):
    rng = np.random.default_rng(seed)
    n_classes = int(rng.integers(2, 4))
    X = rng.normal(size=(18, 3, 2)) + rng.normal()
    targets = (np.arange(18) % n_classes).astype(np.int32)
    X[:, 0, 0] += targets
    order, nonnegative = [("increments", False), ("total_variation", False), ("nearly_isotonic", True)][
        seed % 3
    ]
    settings = {
        "isotonic_alpha": float(10 ** rng.uniform(-3, 0)),
        "alpha": float(10 ** rng.uniform(-3, -0.5)),
        "penalty": "l2",
        "loss": LOSSES[seed % 4],
        "fit_intercept": bool(rng.integers(2)),
        "weight": rng.random(18),
    }
    return Problem(X, targets, norm=1, order=order, nonnegative=nonnegative, **settings | fixed)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("penalty", "tol"), [("l2", 1e-6), ("l1", 1e-4)])
def test_convex_problems_of_shots_end_at_their_optimum(seed, penalty, tol):
    problem = random_problem(seed, penalty=penalty)
    space = weight_space(problem)
    start = space.point(np.zeros(space.data.shape), np.zeros(problem.n_scores))
    result = minimise_by_proximal_gradient(space, start, space.curvature, tol=tol, max_iter=5000)
    assert result.converged
    assert result.objective == pytest.approx(problem.objective(*space.solution(result.point)), rel=1e-12)
    optimum = problem.objective(*convex_optimum(problem))
    # SLSQP may end a little above the optimum, by less than 1e-9 of it on these problems.
    assert -1e-9 * optimum <= result.objective - optimum <= tol * optimum


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("nonconvex", ["nearly_isotonic", "absolute"])
@pytest.mark.parametrize("norm", [1, 2])
def test_nonconvex_problems_end_where_plain_steps_gain_nothing(seed, nonconvex, norm):
    problem = random_problem(seed)
    problem = Problem(**problem.__dict__ | {"order": nonconvex, "norm": norm, "nonnegative": False})
    space = weight_space(problem)
    rng = np.random.default_rng(seed)
    start = space.point(rng.normal(size=space.data.shape), np.zeros(problem.n_scores))
    result = minimise_by_proximal_gradient(space, start, space.curvature, tol=1e-8, max_iter=5000)
    assert result.converged
    assert (np.diff(result.history) <= 0).all()
    after = problem.objective(*proximal_gradient(problem, *space.solution(result.point), 20))
    assert after >= result.objective * (1 - 1e-7)

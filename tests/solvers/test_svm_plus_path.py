"""SVM+ along a path of penalties: every shortcut against the solvers that know nothing of the path."""

from itertools import product

import numpy as np
import pytest

from reference.certificates import check_svm_plus
from widemargin.solvers.space import Space
from widemargin.solvers.svm_plus import solve_svm_plus
from widemargin.solvers.svm_plus_active_set import active_rows, solve_on_active_rows
from widemargin.solvers.svm_plus_path import SVMPlusPath

CS = (1e-2, 1.0, 1e2, 1e4)
GAMMAS = (1e3, 1.0, 1e-3)


def samples(kind, seed=0):
    """X, Z, y and weights that lead to different kinds of solutions."""
    rng = np.random.default_rng(seed)
    n, d, d_star = {
        "wide": (40, 60, 50),
        "low rank": (40, 60, 6),
        "collapse": (60, 3, 2),
        "tall": (80, 5, 4),
    }[kind]
    Z = rng.normal(size=(n, d_star))
    y = np.where(Z[:, :3].sum(axis=1) + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    X = np.hstack([Z, np.zeros((n, d))])[:, :d] + rng.normal(size=(n, d)) + 2.0
    if kind == "tall":  # privileged features that tell what a classifier misses: nothing collapses
        Z[:, 3] = y * (X[:, :3] - 2.0).sum(axis=1) + 0.5 * rng.normal(size=n)
    return X, Z, y, rng.choice([0.5, 1.0, 2.0], size=n)


def make_path(X, Z, y, weights, solver="auto"):
    space, privileged = Space(features=X, center=True), Space(features=Z, center=True)
    return SVMPlusPath(space, privileged, y, weights, solver=solver, tol=1e-6, max_iter=-1)


@pytest.mark.parametrize("kind", ["wide", "low rank", "collapse", "tall"])
@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_every_pair_has_the_optimum_and_its_certificate(kind, order):
    X, Z, y, weights = samples(kind)
    pairs = list(product(CS, GAMMAS))
    if order == "shuffled":
        np.random.default_rng(1).shuffle(pairs)
    path = make_path(X, Z, y, weights)
    for C, gamma in pairs:
        result = path.solve(C, gamma)
        alone = solve_svm_plus(path.space, path.privileged, y, C * weights, gamma, tol=1e-9)
        assert result.converged
        assert result.gap <= 1e-6 * result.objective
        assert result.objective == pytest.approx(alone.objective, rel=2e-6)
        assert result.solution.get("collapsed", False) == alone.solution.get("collapsed", False)
        check_svm_plus(result, X, Z, y, C * weights, gamma)


@pytest.mark.parametrize(
    ("kind", "shortcut"), [("wide", "separated"), ("wide", "active_set"), ("tall", "active_set")]
)
def test_shortcuts_are_taken(kind, shortcut):
    path = make_path(*samples(kind))
    taken = [path.solve(C, gamma).solver for C, gamma in product(CS, GAMMAS)]
    assert shortcut in taken[1:]


def test_collapse_is_found_once():
    path = make_path(*samples("collapse"))
    first = path.solve(1.0, 1.0)
    assert first.solution["collapsed"]
    again = path.solve(10.0, 0.1)
    assert again.solution["collapsed"]
    assert again.n_iter == 1
    assert again.objective == pytest.approx(10 * first.objective, rel=1e-12)


@pytest.mark.parametrize("solver", ["interior_point", "smo"])
def test_a_solver_that_was_asked_for_solves_every_pair(solver):
    path = make_path(*samples("wide"), solver=solver)
    assert {path.solve(C, gamma).solver for C, gamma in product(CS[:3], GAMMAS[:2])} == {solver}


@pytest.mark.parametrize(("kind", "C"), [("wide", 0.01), ("tall", 1.0)])
def test_active_rows_of_the_solution_are_the_solution(kind, C):
    X, Z, y, weights = samples(kind)
    C = C * weights
    space, privileged = Space(features=X, center=True), Space(features=Z, center=True)
    optimum = solve_svm_plus(space, privileged, y, C, 1.0, tol=1e-10)
    result = solve_on_active_rows(space, privileged, y, C, 1.0, active_rows(optimum, y, C), 1e-9)
    assert result.n_iter <= 2
    check_svm_plus(result, X, Z, y, C, 1.0)
    np.testing.assert_allclose(result.solution["outputs"], optimum.solution["outputs"], atol=1e-4)


@pytest.mark.parametrize("guess", ["none", "all", "one class", "random"])
def test_a_wrong_guess_gives_the_solution_or_nothing(guess):
    X, Z, y, weights = samples("wide")
    space, privileged = Space(features=X, center=True), Space(features=Z, center=True)
    rng = np.random.default_rng(3)
    none, every = np.zeros(y.size, dtype=bool), np.ones(y.size, dtype=bool)
    rows = {
        "none": (none, none),
        "all": (every, every),
        "one class": (y > 0, none),
        "random": (rng.random(y.size) < 0.5, rng.random(y.size) < 0.3),
    }[guess]
    result = solve_on_active_rows(space, privileged, y, weights, 1.0, rows, 1e-6)
    if result is not None:
        assert result.converged
        check_svm_plus(result, X, Z, y, weights, 1.0)

"""SVM+ as a user would give it to a general solver, and the SVMs that Margin Transfer can be put together from."""

from __future__ import annotations

from typing import Any

import clarabel
import cvxopt
import numpy as np
import scipy.sparse as sp
from cvxopt import solvers
from sklearn.svm import SVC

from privileged_speed.problems import Array, SVMPlusProblem, SVMProblem, relative_gap

CvxoptSolution = tuple[Array, Array]


def cvxopt_dual(problem: SVMPlusProblem, tolerance: float, *, dense_bounds: bool) -> CvxoptSolution:
    """The dual as a dense QP in (alpha, beta), the way the paper says it can be solved.

    ``dense_bounds`` passes the bounds -I as a dense matrix like everything else, as most code around does; passing
    them as a sparse matrix is the one thing an expert would change, and it is worth a factor of 2 to 4.
    """
    y, g, n = problem.y, problem.g, problem.y.size
    space, privileged = problem.spaces()
    slack = privileged.gram / g
    hessian = np.empty((2 * n, 2 * n))
    hessian[:n, :n] = space.gram * np.outer(y, y) + slack
    hessian[:n, n:] = hessian[n:, :n] = hessian[n:, n:] = slack
    pull = problem.C * slack.sum(axis=0)
    bounds = (
        cvxopt.matrix(-np.eye(2 * n)) if dense_bounds else cvxopt.spmatrix(-1.0, range(2 * n), range(2 * n))
    )
    equalities = np.vstack([np.concatenate([y, np.zeros(n)]), np.ones(2 * n)])
    solution = solvers.qp(
        cvxopt.matrix(hessian),
        cvxopt.matrix(np.concatenate([-1.0 - pull, -pull])),
        bounds,
        cvxopt.matrix(0.0, (2 * n, 1)),
        cvxopt.matrix(equalities),
        cvxopt.matrix([0.0, n * problem.C]),
        options={
            "show_progress": False,
            "abstol": 1e-300,
            "reltol": tolerance,
            "feastol": tolerance,
            "maxiters": 100,
        },
    )
    multipliers = np.array(solution["x"]).ravel()
    return multipliers[:n], multipliers[n:]


def cvxopt_gap(problem: SVMPlusProblem, solution: CvxoptSolution) -> float:
    return relative_gap(problem.certify(*solution))


def clarabel_primal(problem: SVMPlusProblem, tolerance: float) -> Any:
    """The linear primal as a sparse QP in (w, b, w*, b*).

    Slacks as variables of their own are another formulation; it took 1.3 times as long at N = 1,000 and 2 to 3 times
    at N = 10,000. So did the other linear solver ("faer") with this one.
    """
    n, d = problem.X.shape
    slack = np.column_stack([problem.X_privileged, np.ones(n)])
    margin = problem.y[:, None] * np.column_stack([problem.X, np.ones(n)])
    constraints = sp.vstack(
        [
            sp.csc_matrix(-np.hstack([margin, slack])),
            sp.hstack([sp.csc_matrix((n, d + 1)), sp.csc_matrix(-slack)]),
        ]
    ).tocsc()
    curvature = np.concatenate([np.ones(d), [0.0], np.full(slack.shape[1] - 1, problem.g), [0.0]])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = 1e-300
    settings.tol_gap_rel = settings.tol_feas = tolerance
    return clarabel.DefaultSolver(
        sp.diags(curvature).tocsc(),
        np.concatenate([np.zeros(d + 1), problem.C * slack.sum(axis=0)]),
        constraints,
        np.concatenate([-np.ones(n), np.zeros(n)]),
        [clarabel.NonnegativeConeT(2 * n)],
        settings,
    ).solve()


def clarabel_gap(problem: SVMPlusProblem, solution: Any) -> float:
    n, d = problem.X.shape
    u, z = np.array(solution.x), np.array(solution.z)
    space, privileged = problem.spaces()
    functions = space.linear_function(u[:d]), privileged.linear_function(u[d + 1 : -1])
    return relative_gap(problem.certify(z[:n], z[n:], functions))


def fit_svc(problem: SVMProblem, tolerance: float) -> SVC:
    return SVC(kernel=problem.kernel, C=problem.C, tol=tolerance).fit(problem.X, problem.y)


def svc_gap(problem: SVMProblem, model: SVC) -> float:
    alpha = np.zeros(problem.y.size)
    alpha[model.support_] = np.abs(model.dual_coef_[0])
    return relative_gap(problem.certify(alpha))

"""The package's large-margin problems as explicit quadratic programs, given to a general solver.

Slow and obvious: every variable and every constraint is written out as in the objective's definition.
"""

import numpy as np
from scipy.optimize import minimize


def _solve(quadratic, linear, constraints, bounds, start):
    """Minimise 1/2 u'Hu + q'u subject to constraints @ u >= bounds."""
    result = minimize(
        lambda u: 0.5 * u @ quadratic @ u + linear @ u,
        start,
        jac=lambda u: quadratic @ u + linear,
        constraints={"type": "ineq", "fun": lambda u: constraints @ u - bounds, "jac": lambda u: constraints},
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-15},
    )
    return result.x, result.fun


def svm(X, y, margins, C, fit_intercept=True):
    """Weights, intercept and objective of the SVM with given margins."""
    n, d = X.shape
    ones = np.ones((n, 1)) if fit_intercept else np.zeros((n, 1))
    H = np.zeros((d + 1 + n, d + 1 + n))
    H[:d, :d] = np.eye(d)
    if not fit_intercept:
        H[d, d] = 1.0
    q = np.concatenate([np.zeros(d + 1), C])
    A = np.vstack(
        [
            np.hstack([y[:, None] * np.hstack([X, ones]), np.eye(n)]),
            np.hstack([np.zeros((n, d + 1)), np.eye(n)]),
        ]
    )
    b = np.concatenate([margins, np.zeros(n)])
    start = np.concatenate([np.zeros(d + 1), np.maximum(margins, 0) + 1])
    u, value = _solve(H, q, A, b, start)
    return u[:d], u[d], value


def svm_plus(X, X_privileged, y, C, gamma, squared=False):
    """Weights, intercept and objective of SVM+; the samples beyond X_privileged have ordinary slacks."""
    n, d = X.shape
    p, d_star = X_privileged.shape
    rest = n - p
    size = d + 1 + d_star + 1 + rest
    w, b = slice(0, d), d
    w_star, b_star = slice(d + 1, d + 1 + d_star), d + 1 + d_star
    slack = np.zeros((n, size))
    slack[:p, w_star] = X_privileged
    slack[:p, b_star] = 1.0
    slack[p:, b_star + 1 :] = np.eye(rest)
    margin = np.zeros((n, size))
    margin[:, w] = y[:, None] * X
    margin[:, b] = y
    H = np.zeros((size, size))
    H[w, w] = np.eye(d)
    H[w_star, w_star] = gamma * np.eye(d_star)
    if squared:
        H[b, b], H[b_star, b_star] = 1.0, gamma
        H += slack.T @ (C[:, None] * slack)
        A, bounds, q = margin + slack, np.ones(n), np.zeros(size)
    else:
        A, bounds, q = np.vstack([margin + slack, slack]), np.r_[np.ones(n), np.zeros(n)], C @ slack
    start = np.zeros(size)
    start[b_star:] = 1.5
    u, value = _solve(H, q, A, bounds, start)
    return u[w], u[b], value


def ranking_svm(positive, negative, margins, C):
    """Weights and objective of the ranking SVM over all pairs of positive and negative margin."""
    d = positive.shape[1]
    first, second = np.nonzero(margins > 0)
    differences = positive[first] - negative[second]
    m = len(differences)
    H = np.zeros((d + m, d + m))
    H[:d, :d] = np.eye(d)
    q = np.concatenate([np.zeros(d), C[first, second]])
    A = np.vstack([np.hstack([differences, np.eye(m)]), np.hstack([np.zeros((m, d)), np.eye(m)])])
    rho = margins[first, second]
    u, value = _solve(H, q, A, np.concatenate([rho, np.zeros(m)]), np.concatenate([np.zeros(d), rho + 1]))
    return u[:d], value

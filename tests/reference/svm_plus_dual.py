"""Naive twin of the SVM+ dual solver: the best of every generating direction, by exact line search."""

import numpy as np
from scipy.optimize import linprog


def svm_plus_objectives(K, K_privileged, y, C, privileged_alpha, alpha, beta):
    """Primal value with the biases from a linear programme, and dual value, of one (alpha, beta)."""
    n = len(y)
    delta = alpha + beta - C
    output, slack = K @ (alpha * y), K_privileged @ delta / privileged_alpha
    norms = 0.5 * (alpha * y) @ output + 0.5 * delta @ slack
    # y (o + b) >= 1 - s - b* and s + b* >= 0 as inequalities in (b, b*).
    rows = np.vstack([np.column_stack([-y, -np.ones(n)]), np.column_stack([np.zeros(n), -np.ones(n)])])
    bounds = np.concatenate([y * output - 1.0 + slack, slack])
    precise = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    biases = linprog([0.0, C.sum()], A_ub=rows, b_ub=bounds, bounds=(None, None), options=precise)
    return norms + C @ slack + biases.fun, alpha.sum() - norms


def generating_directions(y):
    """Every exchange, raise and lower as a row over (alpha, beta)."""
    n = len(y)
    unit = np.eye(2 * n)
    exchanges = [
        unit[i] - unit[j]
        for i in range(2 * n)
        for j in range(2 * n)
        if i != j and ((i >= n and j >= n) or (i < n and j < n and y[i] == y[j]))
    ]
    raises = [
        unit[i] + unit[j] - 2.0 * unit[n + k]
        for i in np.flatnonzero(y > 0)
        for j in np.flatnonzero(y < 0)
        for k in range(n)
    ]
    return np.array(exchanges + raises + [-direction for direction in raises])


def solve_svm_plus_dual(K, K_privileged, y, C, privileged_alpha, gain=1e-14, max_iter=50_000):
    n = len(y)
    directions = generating_directions(y)
    R = K_privileged / privileged_alpha
    hessian = np.block([[K * np.outer(y, y) + R, R], [R, R]])
    curvature = np.maximum(np.einsum("di,ij,dj->d", directions, hessian, directions, optimize=True), 1e-12)
    variables = np.concatenate([np.zeros(n), C])
    for _ in range(max_iter):
        delta = variables[:n] + variables[n:] - C
        gradient = np.concatenate([y * (K @ (variables[:n] * y)) - 1.0 + R @ delta, R @ delta])
        slope = -directions @ gradient
        ratios = np.divide(
            variables, -directions, out=np.full(directions.shape, np.inf), where=directions < 0
        )
        length = np.clip(slope / curvature, 0.0, ratios.min(axis=1))
        gains = length * (slope - 0.5 * curvature * length)
        best = gains.argmax()
        if gains[best] <= gain:
            break
        variables = np.maximum(variables + length[best] * directions[best], 0.0)
    return variables[:n], variables[n:]

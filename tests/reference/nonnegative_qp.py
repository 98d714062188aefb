"""Naive twin of the nonnegative quadratic programme: cyclic coordinate descent."""

import numpy as np


def nonnegative_qp_objectives(Q, alpha):
    product = Q @ alpha
    quadratic, margin = alpha @ product, product.min()
    primal = quadratic / (2.0 * margin**2) if margin > 0 else np.inf
    return primal, alpha.sum() ** 2 / (2.0 * quadratic) if quadratic > 0 else 0.0


def solve_nonnegative_qp(Q, n_sweeps=1_000):
    alpha = np.zeros(len(Q))
    for _ in range(n_sweeps):
        for i in range(len(Q)):
            alpha[i] = max(0.0, alpha[i] + (1.0 - Q[i] @ alpha) / Q[i, i])
    return alpha

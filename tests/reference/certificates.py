"""A solver's certificate, measured anew from the problem's own data."""

import numpy as np
import pytest


def check_svm_plus(result, X, Z, y, C, gamma):
    """See that both points of linear SVM+ are feasible, and that both values and the gap are theirs."""
    X, Z = X - X.mean(axis=0), Z - Z.mean(axis=0)
    alpha, delta = result.dual["alpha"], result.dual["delta"]
    beta = delta + C - alpha
    scale = C.sum()
    assert alpha.min() >= 0
    assert beta.min() >= -1e-9 * scale
    assert abs(alpha @ y) <= 1e-9 * scale
    assert abs(delta.sum()) <= 1e-9 * scale
    dual_weights, dual_slack_weights = (alpha * y) @ X, delta @ Z
    dual = alpha.sum() - 0.5 * dual_weights @ dual_weights
    dual -= 0.5 / gamma * dual_slack_weights @ dual_slack_weights
    assert result.dual_objective == pytest.approx(dual, rel=1e-7)

    solution = result.solution
    slack = solution["slacks"] + solution["privileged_intercept"]
    margin = y * (solution["outputs"] + solution["intercept"])
    assert slack.min() >= -1e-8
    assert (margin - 1 + slack).min() >= -1e-8
    w = weights(X, solution["weights"], solution["expansion"])
    w_star = weights(Z, solution["privileged_weights"], solution["privileged_expansion"])
    np.testing.assert_allclose(X @ w, solution["outputs"], atol=1e-7 * (1 + np.abs(X @ w).max()))
    primal = 0.5 * w @ w + 0.5 * gamma * w_star @ w_star + C @ slack
    assert result.objective == pytest.approx(primal, rel=1e-7)
    assert result.gap == pytest.approx(result.objective - result.dual_objective, abs=1e-9 * primal)


def weights(centred, explicit, expansion):
    """Explicit weights of a solution, whichever way it is expressed."""
    return centred.T @ expansion if explicit is None else explicit

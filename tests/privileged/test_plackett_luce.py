"""Gradient and Hessian of the ranking model, against finite differences."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from widemargin.privileged._plackett_luce import Ranking, _derivatives, _objective

ALPHA = 0.05


@pytest.fixture
def rankings():
    """Ties at the start, in the middle and at the end, a repeated ranking, and one of a single item."""
    groups = [([[3, 1], [0], [4, 2, 5]], 1), ([[5], [0, 1], [3]], 3), ([[2], [4], [0]], 2), ([[6]], 1)]
    return [Ranking.from_groups(group, n_people) for group, n_people in groups]


@pytest.fixture
def scores():
    return np.random.default_rng(0).normal(scale=2, size=7)


def test_gradient(rankings, scores):
    gradient, _ = _derivatives(scores, rankings, ALPHA)
    numeric = approx_fprime(scores, _objective, 1e-7, rankings, ALPHA)
    # Forward differences with a step of 1e-7 are accurate to about 1e-7 times the curvature.
    np.testing.assert_allclose(gradient, numeric, atol=2e-6)


def test_hessian(rankings, scores):
    _, hessian = _derivatives(scores, rankings, ALPHA)
    numeric = approx_fprime(scores, lambda s: _derivatives(s, rankings, ALPHA)[0], 1e-7)
    np.testing.assert_allclose(hessian, numeric, atol=2e-6)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-14)
    # A common shift changes the penalty alone; the entries that cancel are of size 1.
    np.testing.assert_allclose(hessian.sum(axis=1), ALPHA, atol=1e-13)


@pytest.mark.parametrize("spread", [1.0, 2000.0])
def test_scores_beyond_the_range_of_the_exponential(rankings, scores, spread):
    gradient, hessian = _derivatives(spread * scores, rankings, ALPHA)
    assert np.isfinite(hessian).all()
    # Losses of picking out of a set: each step's gradient sums to zero.
    np.testing.assert_allclose(gradient.sum(), ALPHA * spread * scores.sum(), rtol=1e-9, atol=1e-9)
    assert np.linalg.eigvalsh(hessian).min() > 0.9 * ALPHA

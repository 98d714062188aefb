"""The compiled passes over videos with reordered shots against their naive twins."""

import numpy as np
import pytest

from reference import shot_pass as naive
from widemargin import _native

LOSSES = ["squared_hinge", "hinge", "squared", "logistic"]
SMOOTHING = 0.3


def random_order(rng, n, k, m):
    return np.ascontiguousarray(rng.permuted(np.tile(np.arange(m, dtype=np.int32), (n, k, 1)), axis=2))


def problem(n, m, d, k, *, dtype=np.float64, ordered=True, seed=0):
    """Return X, order, W, intercept, targets and weights, a third of which are 0."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, m, d)).astype(dtype)
    order = random_order(rng, n, k, m) if ordered else None
    W = rng.normal(size=(k, m, d)) / np.sqrt(m * d)
    weight = np.where(rng.random(n) < 1 / 3, 0.0, rng.uniform(0.1, 2.0, n))
    return X, order, W, rng.normal(size=k), rng.integers(max(2, k), size=n, dtype=np.int32), weight


def run_scores(X, order, W, intercept):
    scores = np.full((len(X), len(W)), np.nan)
    _native.shot_scores(X, order, W, intercept, scores)
    return scores


def run_pass(X, order, W, intercept, targets, weight, loss="squared_hinge"):
    scores, gradient = np.full((len(X), len(W)), np.nan), np.full(W.shape, np.nan)
    value, sums = _native.shot_pass(
        X, order, W, intercept, targets, weight, loss, SMOOTHING, scores, gradient
    )
    return value, sums, scores, gradient


def run_combination(X, order, residual):
    gradient = np.full((residual.shape[1], *X.shape[1:]), np.nan)
    _native.shot_combination(X, order, residual, gradient)
    return gradient


def run_losses(scores, targets, weight, loss, smoothing=SMOOTHING):
    residual = np.full(scores.shape, np.nan)
    return _native.shot_losses(scores, targets, weight, loss, smoothing, residual), residual


def assert_close(got, expected, dtype):
    """Compare sums of up to some thousand terms of size 1, whose order alone differs in float64.

    Partial sums of float32 videos are rounded to 6e-8 of their size.
    """
    tolerance = 1e-12 if dtype == np.float64 else 1e-6
    scale = max(1.0, np.max(np.abs(expected), initial=0.0))
    np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance * scale)


def assert_equals_naive(X, order, W, intercept, targets, weight, loss="squared_hinge"):
    assert_close(run_scores(X, order, W, intercept), naive.shot_scores(X, order, W, intercept), X.dtype)
    compiled = run_pass(X, order, W, intercept, targets, weight, loss)
    expected = naive.shot_pass(X, order, W, intercept, targets, weight, loss, SMOOTHING)
    for got, wanted in zip(compiled, expected, strict=True):
        assert_close(got, wanted, X.dtype)
    residual = np.where(weight[:, None] == 0.0, 0.0, np.random.default_rng(5).normal(size=compiled[2].shape))
    assert_close(run_combination(X, order, residual), naive.shot_combination(X, order, residual), X.dtype)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("k", [1, 2, 3, 6])
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equals_the_naive_twin(loss, k, ordered, dtype):
    for d in (3, 40):
        assert_equals_naive(*problem(23, 4, d, k, dtype=dtype, ordered=ordered), loss)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33])
@pytest.mark.parametrize("d", [1, 3, 7, 8, 9, 31, 32, 33, 63, 64, 65])
@pytest.mark.parametrize("ordered", [False, True])
def test_sizes_around_those_of_blocks(n, d, ordered):
    for m in (1, 2, 5):
        for k in (1, 3):
            assert_equals_naive(*problem(n, m, d, k, ordered=ordered, seed=n + d))


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("shape", [(3, 2, 2047), (3, 2, 2049), (5, 1, 4100), (2, 130, 33), (600, 3, 2)])
def test_sizes_around_those_of_tiles(ordered, shape):
    for dtype in (np.float32, np.float64):
        assert_equals_naive(*problem(*shape, 2, ordered=ordered, dtype=dtype))

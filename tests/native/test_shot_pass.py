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


def assert_close(got, expected):
    """Compare sums of up to some thousand terms of size 1, whose order alone differs, for float32 videos too."""
    scale = max(1.0, np.max(np.abs(expected), initial=0.0))
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * scale)


def assert_equals_naive(X, order, W, intercept, targets, weight, loss="squared_hinge"):
    assert_close(run_scores(X, order, W, intercept), naive.shot_scores(X, order, W, intercept))
    compiled = run_pass(X, order, W, intercept, targets, weight, loss)
    expected = naive.shot_pass(X, order, W, intercept, targets, weight, loss, SMOOTHING)
    for got, wanted in zip(compiled, expected, strict=True):
        assert_close(got, wanted)
    residual = np.where(weight[:, None] == 0.0, 0.0, np.random.default_rng(5).normal(size=compiled[2].shape))
    assert_close(run_combination(X, order, residual), naive.shot_combination(X, order, residual))


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
    for m in (1, 5):
        for k in (1, 3):
            assert_equals_naive(*problem(n, m, d, k, ordered=ordered, seed=n + d))


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("shape", [(3, 2, 2047), (3, 2, 2049), (5, 1, 4100), (2, 130, 33), (600, 3, 2)])
def test_sizes_around_those_of_tiles(ordered, shape):
    for dtype in (np.float32, np.float64):
        assert_equals_naive(*problem(*shape, 2, ordered=ordered, dtype=dtype))


def strided(X, layout, tmp_path):
    """Return the numbers of X in another layout."""
    n, m, d = X.shape
    if layout == "fortran":
        return np.asfortranarray(X)
    if layout == "features first":
        return np.ascontiguousarray(X.transpose(2, 0, 1)).transpose(1, 2, 0)
    if layout == "features before shots":
        return np.ascontiguousarray(X.swapaxes(1, 2)).swapaxes(1, 2)
    if layout == "shots first":
        return np.ascontiguousarray(X.swapaxes(0, 1)).swapaxes(0, 1)
    if layout == "every other shot":
        wide = np.full((n, 2 * m, d), np.nan)
        wide[:, ::2] = X
        return wide[:, ::2]
    if layout == "some features":
        wide = np.full((n, m, d + 3), np.nan)
        wide[..., 1:-2] = X
        return wide[..., 1:-2]
    if layout == "every third feature":
        wide = np.full((n, m, 3 * d), np.nan)
        wide[..., ::3] = X
        return wide[..., ::3]
    if layout == "backwards":
        return np.ascontiguousarray(X[::-1, ::-1, ::-1])[::-1, ::-1, ::-1]
    if layout == "shots backwards":
        return np.ascontiguousarray(X[:, ::-1])[:, ::-1]
    if layout == "memory map":
        X.tofile(tmp_path / "X")
        return np.memmap(tmp_path / "X", X.dtype, "r", shape=X.shape)
    raise AssertionError(layout)


@pytest.mark.parametrize(
    "layout",
    [
        "fortran",
        "features first",
        "features before shots",
        "shots first",
        "every other shot",
        "some features",
        "every third feature",
        "backwards",
        "shots backwards",
        "memory map",
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_layout_is_read_in_place(layout, dtype, tmp_path):
    for n, m, d in ((19, 4, 5), (19, 4, 35), (6, 1, 9), (6, 5, 1)):
        for ordered in (False, True):
            for k in (1, 3):
                X, *rest = problem(n, m, d, k, dtype=dtype, ordered=ordered)
                there = strided(X, layout, tmp_path)
                np.testing.assert_array_equal(there, X)
                there.flags.writeable = False
                assert_equals_naive(there, *rest)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_axes_without_a_stride(axis):
    for ordered in (False, True):
        X, *rest = problem(9, 4, 34, 2, ordered=ordered)
        assert_equals_naive(np.broadcast_to(X.take([0], axis=axis), X.shape), *rest)


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("k", [1, 3])
def test_videos_without_weight_are_not_read(ordered, k):
    for d in (5, 40):
        X, order, W, intercept, targets, weight = problem(30, 3, d, k, ordered=ordered)
        spoilt = X.copy()
        spoilt[weight == 0] = np.nan
        expected = run_pass(X, order, W, intercept, targets, weight)
        for got, wanted in zip(run_pass(spoilt, order, W, intercept, targets, weight), expected, strict=True):
            np.testing.assert_array_equal(got, wanted)
        assert not expected[2][weight == 0].any()
        residual = np.where(weight[:, None] == 0, 0.0, 1.0) * np.ones(k)
        np.testing.assert_array_equal(
            run_combination(spoilt, order, residual), run_combination(X, order, residual)
        )


def test_a_missing_value_of_a_video_with_weight_is_not_hidden():
    for loss in LOSSES:
        for k in (1, 3):
            X, order, W, intercept, targets, weight = problem(6, 3, 5, k)
            weight[:] = 1.0
            X[2, 1, 3] = np.nan
            value, sums, scores, gradient = run_pass(X, order, W, intercept, targets, weight, loss)
            assert np.isnan(value)
            assert np.isnan(sums).all()
            assert np.isnan(gradient).any()
            np.testing.assert_array_equal(np.isnan(scores[:, 0]), np.arange(6) == 2)


def test_no_videos():
    for k in (1, 2):
        value, sums, _, gradient = run_pass(*problem(0, 3, 4, k))
        assert value == 0.0
        assert not sums.any()
        assert not gradient.any()


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("ordered", [False, True])
def test_gradient_by_finite_differences(loss, k, ordered):
    """Central differences over 1e-5 are exact to about 1e-10 of the value's third derivative and 1e-11 of rounding."""
    X, order, W, intercept, targets, weight = problem(12, 3, 4, k, ordered=ordered, seed=3)
    _, sums, _, gradient = run_pass(X, order, W, intercept, targets, weight, loss)
    step = 1e-5
    for point, slopes in ((W, gradient), (intercept, sums)):
        for at in np.ndindex(point.shape):
            own, values = point[at], []
            for moved in (own + step, own - step):
                point[at] = moved
                values.append(run_pass(X, order, W, intercept, targets, weight, loss)[0])
            point[at] = own
            assert (values[0] - values[1]) / (2 * step) == pytest.approx(slopes[at], abs=1e-7)


def test_scores_do_not_depend_on_the_other_videos():
    for dtype in (np.float32, np.float64):
        X, order, W, intercept, targets, weight = problem(37, 4, 50, 2, dtype=dtype)
        scores = run_scores(X, order, W, intercept)
        for i in range(len(X)):
            np.testing.assert_array_equal(run_scores(X[[i]], order[[i]], W, intercept)[0], scores[i])
        seen = weight != 0
        np.testing.assert_array_equal(
            run_pass(X, order, W, intercept, targets, weight)[2][seen], scores[seen]
        )


@pytest.mark.parametrize("size", [1e-150, 1e-30, 1e30, 1e140])
def test_coefficients_of_any_size_meet_float32_videos(size):
    X, order, W, intercept, _, _ = problem(9, 4, 40, 2, dtype=np.float32)
    scores = run_scores(X, order, size * W, 0 * intercept)
    assert_close(scores / size, naive.shot_scores(X, order, W, 0 * intercept))
    residual = np.random.default_rng(0).normal(size=scores.shape)
    combination = run_combination(X, order, size * residual)
    assert_close(combination / size, naive.shot_combination(X, order, residual))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_losses_equal_the_naive_twin(loss, k):
    rng = np.random.default_rng(k)
    scores = np.concatenate([rng.normal(size=(40, k)) * size for size in (0.0, 0.1, 1.0, 10.0)])
    targets = rng.integers(max(2, k), size=len(scores), dtype=np.int32)
    weight = rng.choice([0.0, 0.5, 2.0], size=len(scores))
    for smoothing in (0.01, 0.3, 5.0):
        value, residual = run_losses(scores, targets, weight, loss, smoothing)
        expected, slopes = naive.shot_losses(scores, targets, weight, loss, smoothing)
        assert value == pytest.approx(expected, rel=1e-12)
        np.testing.assert_allclose(residual, slopes, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("size", [30.0, 800.0, 1e10, 1e150])
def test_extreme_scores(loss, size):
    one = np.ones(1)
    for smoothing in (1e-8, 0.3):
        for target, sign in ((1, 1.0), (0, -1.0)):
            right, slope = run_losses(
                np.array([[sign * size]]), np.array([target], np.int32), one, loss, smoothing
            )
            wrong, steep = run_losses(
                np.array([[-sign * size]]), np.array([target], np.int32), one, loss, smoothing
            )
            if loss == "squared":
                assert right == pytest.approx((size - 1) ** 2 / 2)
                assert wrong == pytest.approx((size + 1) ** 2 / 2)
                continue
            # A sure video keeps the digits of a loss far below 1.
            gap = {"squared_hinge": np.inf, "hinge": (size - 1) / smoothing, "logistic": size}[loss]
            width = smoothing if loss == "hinge" else 1.0
            assert right == pytest.approx(width * np.exp(-gap), rel=1e-9, abs=0.0)
            assert -sign * slope[0, 0] == pytest.approx(np.exp(-gap), rel=1e-9, abs=0.0)
            expected = {"squared_hinge": (1 + size) ** 2 / 2, "hinge": 1 + size, "logistic": size}[loss]
            assert wrong == pytest.approx(expected, rel=1e-12)
            assert -sign * steep[0, 0] == pytest.approx(1 + size if loss == "squared_hinge" else 1.0)


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge", "logistic"])
@pytest.mark.parametrize("size", [30.0, 800.0, 1e10, 1e150])
def test_extreme_scores_of_several_classes(loss, size):
    width, margin = (1.0, 0.0) if loss == "logistic" else (0.3, 1.0)
    scores, one = np.array([[size, 0.0, 0.0]]), np.ones(1)
    right, slopes = run_losses(scores, np.array([0], np.int32), one, loss)
    others = 2 * np.exp((margin - size) / width)
    assert right == pytest.approx(width * others, rel=1e-9, abs=0.0)
    np.testing.assert_allclose(slopes, [[-others, others / 2, others / 2]], rtol=1e-9)
    wrong, slopes = run_losses(scores, np.array([1], np.int32), one, loss)
    assert wrong == pytest.approx(size + margin, rel=1e-12)
    np.testing.assert_allclose(slopes, [[1.0, -1.0, 0.0]], atol=1e-12)


def arguments(**changes):
    n, m, d, k = 5, 3, 4, 2
    X, order, W, intercept, targets, weight = problem(n, m, d, k)
    given = {
        "X": X,
        "order": order,
        "W": W,
        "intercept": intercept,
        "targets": targets,
        "weight": weight,
        "loss": "hinge",
        "smoothing": 0.1,
        "scores": np.zeros((n, k)),
        "gradient": np.zeros((k, m, d)),
    }
    return given | changes


def order_with(entry):
    order = arguments()["order"]
    order[4, 1, 2] = entry
    return order


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"order": order_with(3)}, "order names a shot"),
        ({"order": order_with(-1)}, "order names a shot"),
        ({"order": arguments()["order"][:4].copy()}, "order is not of shape"),
        ({"order": np.zeros((5, 1, 3), np.int32)}, "order is not of shape"),
        ({"order": np.zeros((5, 2, 4), np.int32)}, "order is not of shape"),
        ({"targets": np.array([0, 1, 2, 0, 0], np.int32)}, "targets name a class"),
        ({"targets": np.array([0, 1, -1, 0, 0], np.int32)}, "targets name a class"),
        ({"targets": np.zeros(4, np.int32)}, "vectors differ in length"),
        ({"weight": np.ones(6)}, "vectors differ in length"),
        ({"intercept": np.ones(1)}, "vectors differ in length"),
        ({"W": np.zeros((2, 4, 4))}, "differ in shots or features"),
        ({"W": np.zeros((2, 3, 5))}, "differ in shots or features"),
        ({"W": np.zeros((0, 3, 4))}, "no shots, features or classes"),
        ({"X": np.zeros((5, 0, 4)), "W": np.zeros((2, 0, 4))}, "no shots, features or classes"),
        ({"gradient": np.zeros((2, 3, 5))}, "differ in shots or features"),
        ({"gradient": np.zeros((1, 3, 4))}, "vectors differ in length"),
        ({"scores": np.zeros((5, 1))}, "not of shape"),
        ({"scores": np.zeros((4, 2))}, "not of shape"),
        ({"loss": "absolute"}, "loss is not"),
        ({"smoothing": 0.0}, "smoothing is not"),
        ({"smoothing": np.nan}, "smoothing is not"),
        ({"smoothing": np.inf}, "smoothing is not"),
    ],
)
def test_wrong_values_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        _native.shot_pass(**arguments(**changes))


def read_only(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "changes",
    [
        {"X": np.zeros((5, 3, 4), np.float16)},
        {"X": np.zeros((5, 12))},
        {"order": np.zeros((5, 2, 3), np.int64)},
        {"order": np.zeros((5, 2, 6), np.int32)[..., ::2]},
        {"W": np.zeros((2, 3, 4), np.float32)},
        {"W": np.zeros((2, 4, 3)).swapaxes(1, 2)},
        {"targets": np.zeros(5, np.int64)},
        {"weight": None},
        {"scores": np.zeros((2, 5)).T},
        {"gradient": np.zeros((2, 4, 3)).swapaxes(1, 2)},
        {"gradient": read_only(np.zeros((2, 3, 4)))},
    ],
)
def test_wrong_arrays_are_refused(changes):
    with pytest.raises(TypeError):
        _native.shot_pass(**arguments(**changes))


def test_wrong_arguments_of_the_other_passes():
    given = arguments()
    X, order, W, intercept, targets = (given[name] for name in ("X", "order", "W", "intercept", "targets"))
    with pytest.raises(ValueError, match="order names a shot"):
        _native.shot_scores(X, order_with(3), W, intercept, given["scores"])
    with pytest.raises(ValueError, match="not of shape"):
        _native.shot_scores(X, order, W, intercept, np.zeros((5, 3)))
    with pytest.raises(ValueError, match="order names a shot"):
        _native.shot_combination(X, order_with(3), np.ones((5, 2)), given["gradient"])
    with pytest.raises(ValueError, match="not of shape"):
        _native.shot_combination(X, order, np.ones((4, 2)), given["gradient"])
    with pytest.raises(ValueError, match="no columns"):
        _native.shot_losses(np.zeros((5, 0)), targets, np.ones(5), "hinge", 0.1, np.zeros((5, 0)))
    with pytest.raises(ValueError, match="targets name a class"):
        _native.shot_losses(
            np.zeros((5, 1)), targets + np.int32(2), np.ones(5), "hinge", 0.1, np.zeros((5, 1))
        )
    with pytest.raises(ValueError, match="not of shape"):
        _native.shot_losses(np.zeros((5, 1)), targets, np.ones(5), "hinge", 0.1, np.zeros((5, 2)))

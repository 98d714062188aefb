"""What the nearly-isotonic SVM accepts, in place and without a copy, and what it refuses."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from widemargin.events import NearlyIsotonicSVC


def videos(n=24, shape=(4, 6), n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, *shape))
    X[:, 0, 0] += 2.0 * y
    return X, y, rng.random((n, shape[0]))


def negative_strides(X):
    return X[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1]


def every_second(X):
    wide = np.zeros(tuple(2 * size for size in X.shape), dtype=X.dtype)
    wide[::2, 1::2, ::2] = X
    return wide[::2, 1::2, ::2]


def features_first(X):
    return X.transpose(2, 1, 0).copy().transpose(2, 1, 0)


def read_only(X):
    X = X.copy()
    X.setflags(write=False)
    return X


LAYOUTS = [np.asfortranarray, negative_strides, every_second, features_first, read_only]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("solver", ["primal", "gram"])
@pytest.mark.parametrize("with_saliency", [False, True])
def test_any_layout_gives_the_same(layout, dtype, solver, with_saliency):
    X, y, saliency = videos()
    X = X.astype(dtype)
    saliency = saliency if with_saliency else None
    expected = NearlyIsotonicSVC(0.1, 0.01, solver=solver).fit(X, y, saliency)
    laid_out = layout(X)
    model = NearlyIsotonicSVC(0.1, 0.01, solver=solver).fit(laid_out, y, saliency)
    # Sums may be taken in another order.
    np.testing.assert_allclose(
        model.coef_, expected.coef_, rtol=0, atol=1e-6 if dtype == np.float32 else 1e-10
    )
    np.testing.assert_allclose(
        model.decision_function(laid_out, saliency),
        expected.decision_function(X, saliency),
        rtol=0,
        atol=1e-5,
    )
    np.testing.assert_array_equal(laid_out, X)


@pytest.mark.parametrize("solver", ["primal", "gram"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_arguments_stay_as_they_are(solver, n_classes):
    if solver == "gram" and n_classes > 2:
        pytest.skip("two classes only")
    X, y, saliency = videos(n_classes=n_classes)
    saliency = saliency if n_classes == 2 else np.repeat(saliency[:, None], n_classes, axis=1)
    weight, init = np.arange(24.0), np.ones((4, 6) if n_classes == 2 else (3, 4, 6))
    given = (X, y, saliency, weight, init)
    copies = [array.copy() for array in given]
    NearlyIsotonicSVC(0.1, 0.01, solver=solver).fit(X, y, saliency, weight).predict(X, saliency)
    NearlyIsotonicSVC(0.1, 0.01, init=init).fit(X, y, saliency, weight)
    for array, copy in zip(given, copies, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(
    "options",
    [
        {"solver": "primal"},
        {"solver": "gram"},
        {"norm": 1},
        {"norm": 1, "penalty": "l1", "order": "total_variation", "alpha": 1e-2},
        {"loss": "logistic"},
    ],
    ids=str,
)
@pytest.mark.parametrize("with_saliency", [False, True])
@pytest.mark.parametrize("alpha", [1e-1, 1e-2])
def test_float32_gives_the_weights_of_float64(options, with_saliency, alpha):
    X, y, saliency = videos(n=40, shape=(5, 60), seed=1)
    X = X.astype(np.float32)
    saliency = saliency if with_saliency else None
    options = {"alpha": alpha, **options}
    single = NearlyIsotonicSVC(1e-2, tol=1e-6, **options).fit(X, y, saliency)
    double = NearlyIsotonicSVC(1e-2, tol=1e-6, **options).fit(X.astype(np.float64), y, saliency)
    assert single.coef_.dtype == np.float64
    assert single.objective_ == pytest.approx(double.objective_, rel=1e-5)
    np.testing.assert_allclose(single.coef_, double.coef_, rtol=0, atol=1e-5 * np.abs(double.coef_).max())
    values = double.decision_function(X, saliency)
    np.testing.assert_allclose(
        single.decision_function(X, saliency), values, rtol=0, atol=1e-5 * np.abs(values).max()
    )


@pytest.mark.parametrize("with_saliency", [False, True])
@pytest.mark.parametrize("solver", ["primal", "gram"])
def test_a_memory_map_is_read_in_place(tmp_path, solver, with_saliency):
    rng = np.random.default_rng(2)
    shape = (40, 20, 12_500)
    path = tmp_path / "videos.dat"
    stored = np.memmap(path, dtype=np.float32, mode="w+", shape=shape)
    stored[:] = rng.standard_normal(shape, dtype=np.float32)
    y = np.arange(40) % 2
    stored[y == 1, 0, :50] += 2.0
    stored.flush()
    del stored
    X = np.memmap(path, dtype=np.float32, mode="r", shape=shape)
    saliency = rng.random((40, 20)) if with_saliency else None
    model = NearlyIsotonicSVC(1.0, 1e3, solver=solver, max_iter=100)
    tracemalloc.start()
    try:
        model.fit(X, y, saliency)
        model.decision_function(X, saliency)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert model.converged_
    assert X.nbytes == 40_000_000
    # Weights of 2 MB in a dozen vectors of the solver; the Gram space needs one position's shots, also 2 MB as float32.
    assert peak < 28e6


def test_tables_with_names():
    X, y, saliency = videos()
    table = pd.DataFrame(
        X.reshape(24, -1), columns=[f"shot {j} feature {f}" for j in range(4) for f in range(6)]
    )
    model = NearlyIsotonicSVC(0.1, 0.01, n_shots=4).fit(table, y, saliency)
    expected = NearlyIsotonicSVC(0.1, 0.01).fit(X, y, saliency)
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    np.testing.assert_array_equal(model.feature_names_in_, table.columns)
    assert model.n_features_in_ == expected.n_features_in_ == 24
    assert model.n_shots_ == expected.n_shots_ == 4
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[table.columns[::-1]], saliency)
    model.fit(X, y, saliency)
    assert not hasattr(model, "feature_names_in_")


def test_every_column_is_a_shot_without_a_number_of_shots():
    X, y, _ = videos(shape=(6, 1))
    three = NearlyIsotonicSVC(0.1, 0.01).fit(X, y)
    two = NearlyIsotonicSVC(0.1, 0.01).fit(X[..., 0], y)
    assert two.coef_.shape == (6, 1)
    np.testing.assert_array_equal(two.coef_, three.coef_)


def test_lists_integers_and_half_precision():
    X, y, _ = videos()
    X = np.round(4 * X) / 4
    expected = NearlyIsotonicSVC(0.1, 0.01).fit(X, y)
    for other in (X.tolist(), X.astype(np.float16), X.astype(object)):
        model = NearlyIsotonicSVC(0.1, 0.01).fit(other, y.tolist())
        np.testing.assert_allclose(model.coef_, expected.coef_, rtol=0, atol=1e-5)
    whole = NearlyIsotonicSVC(0.1, 0.01).fit((4 * X).astype(int), y)
    np.testing.assert_array_equal(whole.coef_, NearlyIsotonicSVC(0.1, 0.01).fit(4 * X, y).coef_)


@pytest.mark.parametrize("scale", [1e-60, 1e-30, 1e-8, 1e8, 1e30, 1e60])
@pytest.mark.parametrize("options", [{"solver": "primal"}, {"solver": "gram"}, {"norm": 1}], ids=str)
def test_features_of_any_scale(scale, options):
    X, y, saliency = videos(n=30, seed=3)
    unit = NearlyIsotonicSVC(0.1, 0.01, tol=1e-8, **options).fit(X, y, saliency)
    # W / s for X s: norms scale with 1 / s, their squares with 1 / s^2. The powers of two round nothing.
    scale = 2.0 ** np.round(np.log2(scale))
    scaled = NearlyIsotonicSVC(0.1 * scale, 0.01 * scale**2, tol=1e-8, **options).fit(X * scale, y, saliency)
    assert scaled.objective_ == pytest.approx(unit.objective_, rel=1e-8)
    np.testing.assert_allclose(scaled.coef_ * scale, unit.coef_, rtol=0, atol=1e-4)


def test_duplicated_videos_and_constant_features():
    X, y, _ = videos(seed=4)
    once = NearlyIsotonicSVC(0.1, 0.01, tol=1e-8).fit(X, y)
    thrice = NearlyIsotonicSVC(0.1, 0.01, tol=1e-8).fit(np.tile(X, (3, 1, 1)), np.tile(y, 3))
    np.testing.assert_allclose(thrice.coef_, once.coef_, rtol=0, atol=1e-4)
    for value in (0.0, 5.0, 1e4):
        X[..., 2] = value
        for options in ({"norm": 1}, {"norm": 2}, {"norm": 1, "penalty": "l1"}):
            model = NearlyIsotonicSVC(0.1, 0.01, **options).fit(X, y)
            assert model.converged_
            # The intercept does what a constant feature could, free of charge.
            np.testing.assert_allclose(model.coef_[:, 2], 0.0, rtol=0, atol=1e-9)


@pytest.mark.parametrize("value", [0.0, 3.0])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_videos_that_are_all_the_same(value, fit_intercept, n_classes):
    X, y, _ = videos(n=30, n_classes=n_classes)
    X[:] = value
    variants = [{}, {"norm": 1}, {"norm": 1, "penalty": "l1"}, {"nonnegative": True}, {"init": "convex"}]
    variants += [{"solver": "gram"}] if n_classes == 2 else []
    for weight in (None, np.where(y == 0, 2.0, 1.0)):
        for options in variants:
            model = NearlyIsotonicSVC(0.1, 0.01, fit_intercept=fit_intercept, **options)
            model.fit(X, y, sample_weight=weight)
            assert model.converged_
            assert np.isfinite(model.stationarity_)
            if fit_intercept or value == 0:
                # Nothing tells videos apart, and the intercept costs nothing.
                np.testing.assert_allclose(model.coef_, 0.0, rtol=0, atol=1e-7)
            if fit_intercept and weight is not None:
                assert (model.predict(X) == 0).all()


def test_two_videos_of_any_shape():
    for shape in ((1, 1), (1, 5), (5, 1), (3, 2)):
        X = np.stack([np.zeros(shape), np.ones(shape)])
        for solver in ("primal", "gram"):
            model = NearlyIsotonicSVC(0.01, 0.01, solver=solver).fit(X, ["off", "on"])
            np.testing.assert_array_equal(model.predict(X), ["off", "on"])


def test_as_many_classes_as_videos():
    X, _, _ = videos(n=12, seed=5)
    model = NearlyIsotonicSVC(0.0, 1e-3).fit(X, np.arange(12))
    np.testing.assert_array_equal(model.predict(X), np.arange(12))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"isotonic_alpha": -1e-9}, ValueError, "isotonic_alpha must be finite and at least 0, got -1e-09"),
        ({"alpha": -1.0}, ValueError, "alpha must be finite and at least 0"),
        ({"alpha": np.inf}, ValueError, "alpha must be finite"),
        ({"alpha": "1"}, TypeError, "alpha must be a real number"),
        ({"isotonic_alpha": None}, TypeError, "isotonic_alpha must be a real number"),
        ({"penalty": "l3"}, ValueError, "penalty must be one of 'l2', 'l1'"),
        ({"norm": 3}, ValueError, "norm must be 1 .* or 2 .*, got 3"),
        ({"norm": True}, ValueError, "norm must be 1 .* or 2 .*, got True"),
        ({"norm": "2"}, ValueError, "norm must be 1 .* or 2 .*, got '2'"),
        ({"order": "decreasing"}, ValueError, "order must be one of 'nearly_isotonic'"),
        ({"nonnegative": 1}, TypeError, "nonnegative must be True or False"),
        (
            {"loss": "perceptron"},
            ValueError,
            "loss must be one of 'squared_hinge', 'hinge', 'squared', 'logistic'",
        ),
        ({"smoothing": 0.0}, ValueError, "smoothing must be finite and from 1e-06 to"),
        ({"fit_intercept": "yes"}, TypeError, "fit_intercept must be True or False"),
        ({"n_shots": 3}, ValueError, "n_shots is 3, but X has 4 shots"),
        ({"n_shots": 0}, ValueError, "n_shots must be at least 1"),
        ({"n_shots": 2.0}, TypeError, "n_shots must be an integer"),
        ({"tie_tolerance": -0.1}, ValueError, "tie_tolerance must be finite and at least 0"),
        ({"tie_tolerance": np.nan}, ValueError, "tie_tolerance must be finite"),
        ({"solver": "dual"}, ValueError, "solver must be one of 'auto', 'primal', 'gram'"),
        ({"solver": "gram", "norm": 1}, ValueError, "solver='gram' needs two classes, norm=2"),
        (
            {"solver": "gram", "penalty": "l1"},
            ValueError,
            "solver='gram' needs two classes, norm=2, penalty='l2'",
        ),
        ({"solver": "gram", "nonnegative": True}, ValueError, "solver='gram' needs .* nonnegative=False"),
        ({"solver": "gram", "init": "random"}, ValueError, "solver='gram' needs .* a start from zero"),
        ({"tol": 0.0}, ValueError, "tol must be finite and greater than 0"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1"),
        ({"warm_start": "no"}, TypeError, "warm_start must be True or False"),
        ({"verbose": 2}, TypeError, "verbose must be True or False"),
        ({"init": None}, ValueError, r"init has shape \(\), expected \(4, 6\)"),
        ({"class_weight": {0: 0.0, 1: 1.0}}, ValueError, "no sample of class 0"),
    ],
)
def test_parameters_out_of_range(parameters, error, message):
    X, y, _ = videos()
    with pytest.raises(error, match=message):
        NearlyIsotonicSVC(**parameters).fit(X, y)


def test_gram_needs_two_classes():
    X, y, _ = videos(n_classes=3)
    with pytest.raises(ValueError, match=r"solver='gram' needs two classes, .* got 3 classes"):
        NearlyIsotonicSVC(solver="gram").fit(X, y)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda X: np.where(X > 2, np.nan, X), ValueError, "NaN"),
        (lambda X: np.where(X > 2, np.inf, X), ValueError, "infinity"),
        (lambda X: X * 1e80, ValueError, "products overflow: scale the features"),
        (lambda X: X[None], ValueError, r"expected \(n_videos, n_shots, n_features\)"),
        (lambda X: X[0, 0], ValueError, "Reshape your data"),
        (lambda X: X[:0], ValueError, "0 sample"),
        (lambda X: X[:, :0], ValueError, "at least one shot"),
        (lambda X: X[:, :, :0], ValueError, "at least one feature"),
        (lambda X: X + 1j, ValueError, "Complex data not supported"),
        (lambda X: csr_array(X.reshape(24, -1)), TypeError, "dense"),
        (lambda X: X[1:], ValueError, "y has 24 labels, X has 23 videos"),
    ],
)
def test_videos_that_do_not_fit(change, error, message):
    X, y, _ = videos()
    with pytest.raises(error, match=message):
        NearlyIsotonicSVC().fit(change(X), y)


def test_columns_that_do_not_split():
    X, y, _ = videos()
    with pytest.raises(ValueError, match="n_shots=5 does not divide the 24 columns of X"):
        NearlyIsotonicSVC(n_shots=5).fit(X.reshape(24, -1), y)
    model = NearlyIsotonicSVC(n_shots=4).fit(X.reshape(24, -1), y)
    with pytest.raises(ValueError, match="X has 23 features, but NearlyIsotonicSVC is expecting 24"):
        model.predict(X.reshape(24, -1)[:, 1:])
    with pytest.raises(ValueError, match="its last two axes seem to be swapped"):
        model.predict(X.transpose(0, 2, 1))


def test_labels_and_weights_that_do_not_fit():
    X, y, _ = videos()
    model = NearlyIsotonicSVC()
    with pytest.raises(ValueError, match="y has one class, 0"):
        model.fit(X, np.zeros(24))
    with pytest.raises(ValueError, match="target y is None"):
        model.fit(X, None)
    with pytest.raises(ValueError, match="continuous"):
        model.fit(X, np.linspace(0, 1, 24))
    with pytest.raises(ValueError, match="NaN"):
        model.fit(X, np.where(y, np.nan, 0.0))
    with pytest.raises(ValueError, match=r"sample_weight.shape == \(23,\)"):
        model.fit(X, y, sample_weight=np.ones(23))
    for bad, message in (
        (-1.0, "must not be negative"),
        (np.nan, "contains NaN"),
        (np.inf, "contains infinity"),
    ):
        with pytest.raises(ValueError, match=f"sample_weight {message}"):
            model.fit(X, y, sample_weight=np.where(y, bad, 1.0))
    with pytest.raises(ValueError, match="sample_weight leaves no sample of class 1"):
        model.fit(X, y, sample_weight=1 - y)
    with pytest.raises(ValueError, match="sample_weight is zero for every sample"):
        model.fit(X, y, sample_weight=0 * y)


@pytest.mark.parametrize("weight", [1e308, 1e-308])
def test_weights_of_any_size(weight):
    X, y, _ = videos()
    expected = NearlyIsotonicSVC().fit(X, y)
    model = NearlyIsotonicSVC().fit(X, y, sample_weight=np.full(24, weight))
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=0, atol=1e-10)

"""The toy problems keep what their description promises."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from widemargin.datasets.toy import make_privileged_classification, make_ring_classification

KINDS = ["distance", "clean", "relevant", "random"]


@pytest.mark.parametrize(("kind", "width"), [("distance", 1), ("clean", 10), ("relevant", 2), ("random", 10)])
def test_shapes_and_labels(kind, width):
    X, y, X_privileged = make_privileged_classification(40, 10, privileged=kind, random_state=0)
    assert X.shape == (40, 10)
    assert X_privileged.shape == (40, width)
    assert y.dtype == np.int64
    assert set(y) == {0, 1}


def test_one_seed_gives_the_same_problem_with_every_kind():
    X, y, _ = make_privileged_classification(random_state=3)
    for kind in KINDS:
        other = make_privileged_classification(privileged=kind, random_state=3)
        np.testing.assert_array_equal(other[0], X)
        np.testing.assert_array_equal(other[1], y)
    assert not np.array_equal(make_privileged_classification(random_state=4)[0], X)


def test_clean_features_are_the_observed_ones_without_noise():
    _, _, clean = make_privileged_classification(privileged="clean", noise=2.0, random_state=0)
    noiseless, _, same = make_privileged_classification(privileged="clean", noise=0.0, random_state=0)
    np.testing.assert_array_equal(clean, same)
    # The columns are those of X in another order.
    assert {tuple(column) for column in noiseless.T} == {tuple(column) for column in clean.T}


def test_noise_has_the_asked_deviation():
    arguments = {"n_samples": 2000, "random_state": 0}
    noisy = make_privileged_classification(noise=0.5, **arguments)[0]
    noiseless = make_privileged_classification(noise=0.0, **arguments)[0]
    # 40,000 draws: the relative standard error of the deviation is 0.0035.
    assert (noisy - noiseless).std() == pytest.approx(0.5, rel=0.02)


@pytest.mark.parametrize("class_sep", [0.0, 0.7])
def test_distance_is_the_distance_to_one_plane(class_sep):
    arguments = {"n_samples": 100, "class_sep": class_sep, "random_state": 1}
    _, y, distance = make_privileged_classification(privileged="distance", **arguments)
    _, _, clean = make_privileged_classification(privileged="clean", **arguments)
    normal, residual, *_ = np.linalg.lstsq(clean, distance[:, 0])
    assert residual[0] < 1e-20
    assert np.linalg.norm(normal) == pytest.approx(1)
    np.testing.assert_array_equal(distance[:, 0] > 0, y == 1)
    assert np.abs(distance).min() >= class_sep - 1e-12
    # The four informative features come first.
    np.testing.assert_allclose(normal[4:], 0, atol=1e-12)


def test_relevant_features_decide_and_the_others_do_not_matter():
    arguments = {"n_samples": 300, "n_informative": 3, "noise": 0.0, "class_sep": 0.2, "random_state": 0}
    X, y, relevant = make_privileged_classification(privileged="relevant", **arguments)
    columns = {tuple(column) for column in X.T}
    assert all(tuple(column) in columns for column in relevant.T)
    assert LogisticRegression(C=1e6, max_iter=10_000).fit(relevant, y).score(relevant, y) == 1.0


def test_random_features_tell_nothing_of_the_label():
    _, y, noise = make_privileged_classification(4000, privileged="random", random_state=0)
    # Correlations of 4000 independent pairs have standard deviation 0.016; 20 of them stay below 4 of those.
    correlation = np.corrcoef(noise.T, y)[-1, :-1]
    assert np.abs(correlation).max() < 0.064


def test_fewer_privileged_features_are_the_first_ones():
    for kind, n_informative in (("clean", 4), ("relevant", 4)):
        arguments = {"privileged": kind, "n_informative": n_informative, "random_state": 0}
        _, _, all_of_them = make_privileged_classification(**arguments)
        _, _, two = make_privileged_classification(n_privileged_features=2, **arguments)
        np.testing.assert_array_equal(two, all_of_them[:, :2])
    _, _, many = make_privileged_classification(n_privileged_features=70, privileged="random", random_state=0)
    assert many.shape == (100, 70)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_samples": 0}, "n_samples must be at least 1, got 0"),
        ({"n_features": 0}, "n_features must be at least 1, got 0"),
        ({"noise": -1}, "noise must be finite and at least 0, got -1"),
        ({"class_sep": np.inf}, "class_sep must be finite"),
        ({"n_informative": 21}, r"n_informative must lie in \[1, n_features = 20\], got 21"),
        ({"privileged": "oracle"}, "privileged must be one of 'distance', .* got 'oracle'"),
        ({"n_privileged_features": 2}, r"must lie in \[1, 1\] for privileged='distance', got 2"),
        ({"n_informative": 0}, "n_informative must be at least 1, got 0"),
        ({"privileged": ["clean"]}, "privileged must be one of 'distance', .* got \\['clean'\\]"),
        (
            {"n_privileged_features": 0, "privileged": "random"},
            "n_privileged_features must be at least 1, got 0",
        ),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_privileged_classification(**arguments)


@pytest.mark.parametrize("name", ["n_samples", "n_features", "n_privileged_features", "n_informative"])
@pytest.mark.parametrize("value", [10.5, 1.0, "a", True])
def test_numbers_of_things_are_integers(name, value):
    with pytest.raises(TypeError, match=f"{name} must be an integer, got {value!r}"):
        make_privileged_classification(**{name: value})


@pytest.mark.parametrize("name", ["noise", "class_sep"])
@pytest.mark.parametrize("value", ["1", None, 1j])
def test_noise_and_separation_are_real_numbers(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a real number, got "):
        make_privileged_classification(**{name: value})


def test_numpy_integers_are_integers():
    X, _, _ = make_privileged_classification(np.int32(7), np.int64(3), n_informative=np.uint8(2))
    assert X.shape == (7, 3)


def test_disc_and_ring_have_the_radii_and_angles_described():
    n_per_class = 20_000
    X, y = make_ring_classification(n_per_class, random_state=0)
    assert X.shape == (2 * n_per_class, 2)
    assert y.dtype == np.int64
    assert y.tolist() == [1] * n_per_class + [0] * n_per_class
    radius = np.linalg.norm(X, axis=1)
    disc, ring = radius[y == 1], radius[y == 0]
    # The bounds are four standard errors: 0.433 / 141, 0.4 / 141, 0.4 / 200.
    assert disc.max() <= 1.5
    assert disc.mean() == pytest.approx(0.75, abs=0.0123)
    assert ring.mean() == pytest.approx(2, abs=0.0114)
    assert ring.std() == pytest.approx(0.4, abs=0.008)
    # Directions are uniform: their mean is zero, with standard error 0.707 / 141 a coordinate.
    for label in (0, 1):
        directions = X[y == label] / radius[y == label, None]
        assert np.abs(directions.mean(axis=0)).max() < 0.02


def test_disc_and_ring_are_repeatable_and_checked():
    first, again = (make_ring_classification(10, random_state=3)[0] for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, make_ring_classification(10, random_state=4)[0])
    with pytest.raises(ValueError, match="n_per_class must be at least 1"):
        make_ring_classification(0)
    with pytest.raises(TypeError, match="n_per_class must be an integer"):
        make_ring_classification(2.5)

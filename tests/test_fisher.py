"""Fisher vectors: against a naive twin, finite differences of the likelihood, and scikit-image."""

import numpy as np
import pytest

from reference.fisher_vector import fisher_vector, mean_log_likelihood
from widemargin import fisher
from widemargin.fisher import DiagonalMixture, fisher_vectors, fit_mixture


@pytest.fixture
def mixture():
    rng = np.random.default_rng(0)
    weights = np.array([0.5, 0.3, 0.2])
    return DiagonalMixture(weights, rng.normal(size=(3, 4)), rng.uniform(0.5, 2, size=(3, 4)))


@pytest.fixture
def sets():
    rng = np.random.default_rng(1)
    return [rng.normal(size=(n, 4)) for n in (5, 1, 0, 12)]


def parts(mixture):
    return mixture.weights, mixture.means, mixture.deviations


def test_agrees_with_the_naive_twin(mixture, sets):
    result = fisher_vectors(sets, mixture)
    assert result.shape == (4, mixture.n_features_out) == (4, 24)
    for rows, vector in zip(sets, result, strict=True):
        expected = fisher_vector(rows, *parts(mixture)) if len(rows) else np.zeros(24)
        np.testing.assert_allclose(vector, expected, atol=1e-13)


def test_values_are_scaled_gradients_of_the_mean_log_likelihood(mixture, sets):
    rows, step = sets[0], 1e-6
    vector = fisher_vectors([rows], mixture)[0].reshape(2, 3, 4)
    for which, factor in ((1, 1.0), (2, np.sqrt(2))):
        for place in np.ndindex(3, 4):
            low, high = ([array.copy() for array in parts(mixture)] for _ in range(2))
            low[which][place] -= step
            high[which][place] += step
            slope = (mean_log_likelihood(rows, *high) - mean_log_likelihood(rows, *low)) / (2 * step)
            scale = mixture.deviations[place] / (factor * np.sqrt(mixture.weights[place[0]]))
            # Central differences of numbers of size 10 with steps of 1e-6.
            assert vector[(which - 1, *place)] == pytest.approx(scale * slope, abs=1e-8)


def test_agrees_with_scikit_image_without_the_gradients_for_weights():
    feature = pytest.importorskip("skimage.feature")
    rng = np.random.default_rng(2)
    rows = np.concatenate([rng.normal(size=(100, 3)), rng.normal(size=(100, 3)) + 3])
    peer_mixture = feature.learn_gmm(
        list(rows.reshape(10, 20, 3)), n_modes=2, gm_args={"covariance_type": "diag", "random_state": 0}
    )
    peer = feature.fisher_vector(rows[:20], peer_mixture, improved=False)
    mixture = DiagonalMixture(peer_mixture.weights_, peer_mixture.means_, np.sqrt(peer_mixture.covariances_))
    for_means, for_deviations = np.split(fisher_vectors([rows[:20]], mixture)[0], 2)
    np.testing.assert_allclose(for_means, peer[2:8], atol=1e-12)
    # It gives the gradients for the deviations the opposite sign, which finite differences do not confirm.
    np.testing.assert_allclose(for_deviations, -peer[8:], atol=1e-12)


def test_blocks_do_not_change_the_result(mixture, sets, monkeypatch):
    whole = fisher_vectors(sets, mixture)
    # Three vectors a block: sets are split, and small ones brought together.
    monkeypatch.setattr(fisher, "_BLOCK_SIZE", 12)
    np.testing.assert_allclose(fisher_vectors(sets, mixture), whole, atol=1e-14)


def test_square_root_and_length(mixture, sets):
    plain = fisher_vectors(sets, mixture)
    rooted = fisher_vectors(sets, mixture, power=True)
    np.testing.assert_allclose(rooted * np.abs(rooted), plain, atol=1e-14)
    unit = fisher_vectors(sets, mixture, power=True, normalize=True)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), [1, 1, 0, 1])
    np.testing.assert_allclose(unit[0] * np.linalg.norm(rooted[0]), rooted[0])


def test_order_and_repetition_of_vectors_do_not_matter(mixture, sets):
    vector = fisher_vectors([sets[3]], mixture)
    np.testing.assert_allclose(fisher_vectors([sets[3][::-1]], mixture), vector, atol=1e-14)
    np.testing.assert_allclose(fisher_vectors([np.tile(sets[3], (2, 1))], mixture), vector, atol=1e-14)


def test_far_vectors_lose_no_digits(mixture, sets):
    far = DiagonalMixture(mixture.weights, mixture.means + 1e6, mixture.deviations)
    shifted = fisher_vectors([sets[0] + 1e6], far)
    # The shift itself costs 1e6 times the precision of float64, 1e-16.
    np.testing.assert_allclose(shifted, fisher_vectors([sets[0]], mixture), atol=1e-8)


def test_an_iterator_of_integers_is_taken(mixture):
    ints = np.arange(8, dtype=np.uint8).reshape(2, 4)
    result = fisher_vectors(iter([ints, ints]), mixture)
    np.testing.assert_array_equal(result[0], result[1])
    np.testing.assert_allclose(result[0], fisher_vector(ints.astype(float), *parts(mixture)), rtol=1e-10)
    assert fisher_vectors([], mixture).shape == (0, 24)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.zeros((2, 3)), r"sets\[1\] is an array of float64 of shape \(2, 3\), expected .* 4\)"),
        (np.zeros(4), r"sets\[1\].*shape \(4,\)"),
        (np.full((1, 4), "a"), r"sets\[1\] is an array of <U1"),
        (np.full((1, 4), np.nan), "sets contains NaN"),
    ],
)
def test_wrong_sets_are_named(mixture, sets, wrong, message):
    with pytest.raises(ValueError, match=message):
        fisher_vectors([sets[0], wrong], mixture)


def test_one_component_is_the_mean_and_deviation():
    rows = np.random.default_rng(3).normal(size=(50, 3)) * [1, 2, 3] + 4
    mixture = fit_mixture(rows, 1, random_state=0)
    np.testing.assert_allclose(mixture.means[0], rows.mean(axis=0), atol=1e-12)
    # The floor of the variances is a millionth of their mean.
    np.testing.assert_allclose(mixture.deviations[0], rows.std(axis=0), rtol=1e-5)
    # The gradients of the likelihood vanish at its maximum.
    np.testing.assert_allclose(fisher_vectors([rows], mixture), 0, atol=1e-4)


def test_mixture_finds_separated_groups_whatever_their_scale():
    rng = np.random.default_rng(4)
    rows = 1e-4 * np.concatenate([rng.normal(size=(300, 2)), rng.normal(size=(100, 2)) + 20])
    mixture = fit_mixture(rows, 2, random_state=0)
    np.testing.assert_allclose(np.sort(mixture.weights), [0.25, 0.75], atol=1e-6)
    # The standard error of a mean of 100 is a tenth of the deviation.
    np.testing.assert_allclose(np.sort(mixture.means[:, 0]) * 1e4, [0, 20], atol=0.4)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.zeros((2, 3)), "3 components cannot be fitted"),
        (np.zeros(9), "cannot be fitted"),
        (np.full((9, 2), np.inf), "infinity"),
    ],
)
def test_wrong_rows_are_named(rows, message):
    with pytest.raises(ValueError, match=message):
        fit_mixture(rows, 3)


@pytest.mark.parametrize(
    ("weights", "deviations", "message"),
    [
        ([0.5, 0.5, 0.0], np.ones((3, 4)), "must be positive"),
        ([0.5, 0.3, 0.3], np.ones((3, 4)), "sum to 1"),
        ([0.5, 0.3, 0.2], np.zeros((3, 4)), "must be positive"),
        ([0.5, 0.3, 0.2], np.ones((3, 3)), "shapes"),
        ([0.5, 0.3, np.nan], np.ones((3, 4)), "NaN"),
    ],
)
def test_wrong_mixtures_are_named(weights, deviations, message):
    with pytest.raises(ValueError, match=message):
        DiagonalMixture(np.array(weights), np.zeros((3, 4)), deviations)

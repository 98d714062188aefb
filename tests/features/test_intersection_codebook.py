"""k-means with the histogram intersection kernel, against explicit unary codes."""

import numpy as np
import pytest

from reference import centrist as reference
from widemargin.features.intersection_codebook import fit_intersection_codebook


def clustered_histograms(n_each=30, n_clusters=4, n_bins=12, seed=0):
    rng = np.random.default_rng(seed)
    rates = rng.gamma(0.4, 4.0, size=(n_clusters, n_bins))
    return rng.poisson(np.repeat(rates, n_each, axis=0)).astype(np.uint16)


def fit(histograms, n_words, tol=0.0, max_iter=100, seed=0):
    return fit_intersection_codebook(
        histograms, n_words, tol=tol, max_iter=max_iter, random_state=np.random.RandomState(seed)
    )


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_never_rises_and_ends_at_a_fixed_point(seed):
    histograms = clustered_histograms(seed=seed)
    codebook = fit(histograms, 6, seed=seed)
    assert codebook.converged
    # The last iteration finds what the one before found, but for rounding.
    assert (np.diff(codebook.objective) <= 1e-12 * codebook.objective[0]).all()
    words = codebook.assign(histograms)
    assert set(words) == set(range(6))
    # The centres are the means of the histograms that are nearest to them, in the space of explicit unary codes.
    top = int(histograms.max())
    distances = reference.squared_distances(histograms, [histograms[words == k] for k in range(6)], top)
    np.testing.assert_allclose(distances[np.arange(len(words)), words], distances.min(axis=1), atol=1e-9)
    assert codebook.objective[-1] == pytest.approx(distances.min(axis=1).sum(), rel=1e-12)


def test_one_word_is_the_mean_of_all():
    histograms = clustered_histograms()
    codebook = fit(histograms, 1)
    pairs = np.minimum(histograms[:, None], histograms).sum(axis=2, dtype=float)
    # Summed squared distances to the mean, of inner products alone.
    expected = np.trace(pairs) - pairs.mean(axis=0).sum()
    assert codebook.objective[-1] == pytest.approx(expected, rel=1e-12)
    assert codebook.squared_norms == pytest.approx([pairs.mean()], rel=1e-12)


def test_as_many_words_as_histograms_leave_no_distance():
    histograms = np.eye(5, dtype=np.uint16) * 7
    codebook = fit(histograms, 5)
    assert codebook.objective[-1] == pytest.approx(0, abs=1e-12)
    assert sorted(codebook.assign(histograms)) == list(range(5))


def test_histograms_without_a_common_bin_come_apart():
    # Members of a cluster meet in 60 counts or more, those of different clusters in none.
    rng = np.random.default_rng(0)
    blocks = 20 + rng.integers(0, 4, size=(30, 3))
    histograms = np.zeros((30, 9), dtype=np.uint16)
    for k in range(3):
        histograms[10 * k : 10 * k + 10, 3 * k : 3 * k + 3] = blocks[10 * k : 10 * k + 10]
    words = fit(histograms, 3).assign(histograms).reshape(3, 10)
    assert (words == words[:, :1]).all()
    assert len(set(words[:, 0])) == 3


def test_equal_histograms_share_a_word():
    histograms = np.tile(np.array([3, 0, 9], dtype=np.uint16), (10, 1))
    codebook = fit(histograms, 4)
    assert np.isfinite(codebook.table).all()
    assert codebook.objective[-1] == pytest.approx(0, abs=1e-12)
    assert len(set(codebook.assign(histograms))) == 1


def test_empty_histograms_are_allowed():
    histograms = np.zeros((3, 8), dtype=np.uint16)
    codebook = fit(histograms, 2)
    assert codebook.assign(histograms).tolist() == [0, 0, 0]
    histograms[0] = 5
    words = fit(histograms, 2).assign(histograms)
    assert words[1] == words[2] != words[0]


def test_counts_above_those_seen_meet_as_much_as_the_largest():
    histograms = clustered_histograms()
    codebook = fit(histograms, 4)
    top = histograms.max()
    beyond = histograms.copy()
    beyond[beyond == top] = 50_000
    np.testing.assert_array_equal(codebook.assign(beyond), codebook.assign(histograms))


def test_a_seed_gives_the_same_words_and_the_input_stays():
    histograms = clustered_histograms()
    before = histograms.copy()
    first, again = fit(histograms, 5), fit(histograms, 5)
    np.testing.assert_array_equal(first.table, again.table)
    np.testing.assert_array_equal(histograms, before)


def test_tolerance_and_limit_stop_early():
    histograms = clustered_histograms(n_clusters=8)
    exact = fit(histograms, 8)
    loose = fit(histograms, 8, tol=0.05)
    assert loose.converged
    assert len(loose.objective) < len(exact.objective)
    short = fit(histograms, 8, max_iter=1)
    assert not short.converged
    assert len(short.objective) == 1

"""Semantic saliency: equation (1), and inputs of other shapes."""

import numpy as np
import pytest

from widemargin.events.semantic_saliency import semantic_saliency


def test_sums_probabilities_weighted_by_relevance():
    rng = np.random.default_rng(0)
    probabilities, relevance = rng.random((5, 7)), rng.normal(size=7)
    expected = [sum(p * r for p, r in zip(shot, relevance, strict=True)) for shot in probabilities]
    np.testing.assert_allclose(semantic_saliency(probabilities, relevance), expected, atol=1e-14)
    assert semantic_saliency(probabilities[0], relevance) == pytest.approx(expected[0])


def test_events_come_first_and_videos_keep_their_axes():
    rng = np.random.default_rng(0)
    probabilities, relevance = rng.random((2, 5, 7)), rng.normal(size=(3, 7))
    result = semantic_saliency(probabilities, relevance)
    assert result.shape == (3, 2, 5)
    for event, video in np.ndindex(3, 2):
        alone = semantic_saliency(probabilities[video], relevance[event])
        np.testing.assert_allclose(result[event, video], alone, atol=1e-14)


def test_float32_probabilities_are_summed_in_double_precision():
    probabilities = np.full((1, 1000), 1e-3, dtype=np.float32)
    assert semantic_saliency(probabilities, np.ones(1000))[0] == pytest.approx(
        1000 * float(np.float32(1e-3)), rel=1e-14
    )


def test_no_shots_have_no_saliency():
    assert semantic_saliency(np.empty((0, 3)), np.ones(3)).shape == (0,)
    assert semantic_saliency(np.empty((0, 3)), np.ones((2, 3))).shape == (2, 0)


@pytest.mark.parametrize(
    ("probabilities", "relevance", "message"),
    [
        (np.ones((2, 3)), np.ones(4), r"shape \(2, 3\), relevance has 4 concepts"),
        (np.float64(1), np.ones(1), "last axis"),
        (np.ones((2, 3)), np.ones((1, 1, 3)), "relevance has shape"),
        (np.ones((2, 3)), 1.0, "relevance has shape"),
        ([[np.nan, 1.0]], [1, 1], "concept_probabilities contains NaN"),
        ([[0.5, 0.5]], [np.inf, 1], "relevance contains infinity"),
        ([[-0.1, 0.5]], [1, 1], "must not be negative, got -0.1"),
        (["a"], [1.0], "real numbers"),
    ],
)
def test_wrong_input_is_named(probabilities, relevance, message):
    with pytest.raises(ValueError, match=message):
        semantic_saliency(probabilities, relevance)

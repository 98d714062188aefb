"""Ranking by words alone."""

import numpy as np
import pytest

from reference.described_videos import described_video
from widemargin.events import search_evidence, search_scores


def test_the_mean_of_the_most_salient_frames_extra_ones_included():
    rng = np.random.default_rng(0)
    relevance = [0.5, -0.2, 0.1, 0.0]
    videos = [described_video(rng, 0, n_extra=4), described_video(rng, n_shots=2)]
    scores = search_scores(iter(videos), relevance, n_best=3)
    for video, score in zip(videos, scores, strict=True):
        concepts = np.concatenate((video.concepts, video.extra_concepts.reshape(-1, 4)))
        assert score == pytest.approx(np.mean(sorted(concepts @ relevance, reverse=True)[:3]))


def test_wrong_input_is_named():
    video = described_video(np.random.default_rng(0))
    with pytest.raises(ValueError, match="has 4 concepts, relevance is for 2"):
        search_scores([video], [1.0, 0.0])
    with pytest.raises(ValueError, match="n_best"):
        search_scores([video], np.ones(4), n_best=0)
    assert search_scores([], np.ones(4)).shape == (0,)


def test_the_evidence_of_a_search_is_the_frames_of_its_score():
    rng = np.random.default_rng(0)
    relevance = np.array([0.5, -0.2, 0.1, 0.0])
    for video in (described_video(rng, 0, n_extra=4), described_video(rng, n_shots=2)):
        found = search_evidence(video, relevance, n_best=3)
        assert found.score == pytest.approx(search_scores([video], relevance)[0])
        values = [shot.saliency for shot in found.shots]
        assert values == sorted(values, reverse=True) == [shot.score for shot in found.shots]
        assert len(values) == min(3, len(video.shots) + len(video.extra_times))

"""Film strips: the frames of a video that are shown, and those that would look the same."""

import numpy as np

from reference.described_videos import described_video
from widemargin.cli.event_pages import strip_of
from widemargin.events import search_evidence
from widemargin.video import DescribedVideo


def test_of_frames_of_a_shot_that_are_near_the_best_is_shown():
    times = np.arange(12) / 2
    concepts = np.linspace(0.9, 0.1, 12)[:, None]
    shots = np.array([[0.0, 3.0], [3.0, 6.0]])
    video = DescribedVideo(
        "v",
        {},
        np.array([[0.95], [0.05]]),
        shots,
        shots.mean(axis=1),
        extra_concepts=concepts,
        extra_times=times,
    )
    strip = strip_of(video, search_evidence(video, [1.0], 14), ["fire"], 9)
    # The key frame of the first shot at 1.5 s leaves nothing else of it; of the second, the frames at 3 s and 5 s.
    assert [(round(shot.time, 1), round(shot.saliency, 2)) for shot in strip] == [
        (1.5, 0.95),
        (3.0, 0.46),
        (5.0, 0.17),
    ]


def test_shots_are_all_shown_up_to_a_number():
    video = described_video(np.random.default_rng(0), 0, n_shots=5)
    evidence = search_evidence(video, [1.0, 0.0, 0.0, 0.0], 5)
    assert len(strip_of(video, evidence, list("abcd"), 9)) == 5
    strip = strip_of(video, evidence, list("abcd"), 3)
    assert [shot.score for shot in strip] == [shot.score for shot in evidence.shots[:3]]

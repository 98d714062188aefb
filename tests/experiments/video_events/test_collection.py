from dataclasses import fields

import numpy as np
import pytest

from experiments.video_events.collections import random_collection, video
from widemargin.datasets import DatasetError
from widemargin.events import prioritize, search_scores
from widemargin.experiments.video_events.collection import NOTHING, Collection
from widemargin.experiments.video_events.trials import (
    detection_trial,
    recognition_trial,
    represent,
    search_precision_scores,
)
from widemargin.video import DescribedVideo


def same(first, second):
    return all(
        np.array_equal(getattr(first, field.name), getattr(second, field.name))
        for field in fields(Collection)
    )


@pytest.fixture
def three():
    """Videos of 3 shots, of 1 shot with 4 extra frames, and of 2 shots."""
    rng = np.random.default_rng(1)
    return Collection.join(
        [
            video(0, [0, -1, 0], rng.uniform(size=(3, 2))),
            video(1, [1, 1, -1, 1, 1], rng.uniform(size=(5, 2)), n_extra=4),
            video(-1, [-1, -1], rng.uniform(size=(2, 2))),
        ]
    )


def test_saved_and_loaded(three, tmp_path):
    three.save(tmp_path / "three.npz")
    assert same(Collection.load(tmp_path / "three.npz"), three)
    (tmp_path / "bad.npz").write_bytes((tmp_path / "three.npz").read_bytes()[:200])
    with pytest.raises(DatasetError):
        Collection.load(tmp_path / "bad.npz")


def test_features_have_unit_length(three):
    assert np.linalg.norm(three.features, axis=1) == pytest.approx(1, abs=1e-6)


def test_some_videos(three):
    part = three.videos([2, 1])
    assert part.events.tolist() == [-1, 1]
    assert part.n_own.tolist() == [2, 1]
    assert np.array_equal(part.features[part.frames(1)], three.features[three.frames(1)])
    assert same(three.videos([0, 1, 2]), three)


def test_mean_number_of_shots(three):
    # 3, 1 and 2 shots; halves are rounded up, as the detector does.
    assert three.mean_shots == 2
    assert three.videos([0, 2]).mean_shots == 3


def test_represented_as_prioritize_does(three):
    saliency = three.concepts[:, 0].astype(float)
    found = represent(three, saliency, 2)
    rows = [three.frames(place) for place in range(3)]
    own = [slice(row.start, row.start + n_own) for row, n_own in zip(rows, three.n_own, strict=True)]
    extra = [slice(part.stop, row.stop) for part, row in zip(own, rows, strict=True)]
    expected = prioritize(
        [three.features[part] for part in own],
        [saliency[part] for part in own],
        2,
        extra_frames=[three.features[part] for part in extra],
        extra_saliency=[saliency[part] for part in extra],
    )
    order = np.argsort(-found.saliency, axis=1, kind="stable")
    assert np.array_equal(np.take_along_axis(found.X, order[..., None], axis=1), expected)
    # In the order of time.
    assert (np.diff(three.times[found.rows], axis=1) >= 0).all()


def test_several_events_share_their_shots(three):
    found = represent(three, three.concepts.T.astype(float), 2)
    assert found.saliency.shape == (3, 2, 2)
    assert np.array_equal(found.saliency[0], three.concepts.T[:, found.rows[0]])


def test_search_is_that_of_the_package(three):
    relevance = np.array([0.7, -0.2])
    row = three.frames(1)
    described = DescribedVideo(
        "one",
        {},
        three.concepts[row][:1],
        np.array([[0.0, 1.0]]),
        np.array([0.5]),
        extra_concepts=three.concepts[row][1:],
        extra_times=three.times[row][1:],
    )
    assert search_precision_scores(three, relevance)[1] == search_scores([described], relevance)[0]


def test_trials():
    train, test = random_collection(2, 4, n_others=4), random_collection(2, 3, n_others=2, seed=1)
    trial, tested = detection_trial(train, test, 1, np.array([0.0, 1.0]), 2, 0)
    assert trial.train.y.tolist() == [0] * 4 + [1] * 4 + [0] * 4
    assert trial.train.X.shape == (12, 5, 4)
    assert np.array_equal(test.features[tested.rows], trial.test.X)
    recognised = recognition_trial(train, test, np.eye(2), 2, 0)
    assert recognised.train.y.tolist() == [0] * 4 + [1] * 4
    assert recognised.test.saliency.shape == (6, 2, 5)


def test_without_extra_frames_shots_are_left():
    videos = Collection.join(
        [video(0, [0, NOTHING, 0, 0], np.eye(4), n_extra=2), video(1, [1], np.eye(4)[:1])]
    )
    left = videos.without_extra()
    assert left.starts.tolist() == [0, 2, 3]
    assert left.concepts.argmax(axis=1).tolist() == [0, 1, 0]
    assert left.shown.tolist() == [0, NOTHING, 1]
    assert left.n_own.tolist() == videos.n_own.tolist() == [2, 1]

"""The videos of a repeat, and what every method sees of them."""

import numpy as np
import pytest

from widemargin.experiments.events.bags import ORDERS, Bags, DetectionVideos, RecognitionVideos, Trial

VIDEOS = DetectionVideos(6, 18, n_test=40, n_shots=5, n_features=4)


def test_videos_of_an_event_have_the_asked_numbers():
    train, test = VIDEOS.draw(0.1, seed=0)
    assert train.X.shape == (24, 5, 4)
    assert test.X.shape == (40, 5, 4)
    assert train.y.sum() == 6
    assert test.y.sum() == 10


def test_few_positives_leave_negatives_and_test_videos_alone():
    train, test = VIDEOS.draw(0.1, seed=0)
    fewer, same = VIDEOS.draw(0.1, seed=0, few=2)
    assert fewer.y.sum() == 2
    np.testing.assert_array_equal(fewer.X[fewer.y == 0], train.X[train.y == 0])
    np.testing.assert_array_equal(same.X, test.X)


def test_all_orders_share_the_videos():
    exact, noisy = (VIDEOS.draw(noise, seed=3)[0] for noise in (0.0, 10.0))
    np.testing.assert_array_equal(exact.X, noisy.X)
    assert not np.array_equal(np.argsort(exact.saliency), np.argsort(noisy.saliency))
    assert list(ORDERS.values()) == sorted(ORDERS.values())


def test_videos_of_several_events_have_equal_numbers():
    train, test = RecognitionVideos(3, n_train=4, n_test=6, n_shots=5, n_features=4).draw(0.1, seed=0)
    np.testing.assert_array_equal(np.bincount(train.y), [4, 4, 4])
    np.testing.assert_array_equal(np.bincount(test.y), [6, 6, 6])
    assert train.saliency.shape == (12, 3, 5)


@pytest.fixture
def trial():
    X = np.arange(24, dtype=np.float32).reshape(4, 3, 2)
    saliency = np.array([[0.1, 0.3, 0.2], [0.5, 0.5, 0.9], [3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    bags = Bags(X, np.array([0, 1, 0, 1]), saliency)
    return Trial.drawn(bags, bags.rows(np.array([1])), 2, seed=0)


def test_shots_are_sorted_by_saliency_ties_by_time(trial):
    X, arguments = trial.seen("saliency", "train")
    assert arguments == {}
    np.testing.assert_array_equal(X[0], trial.train.X[0][[1, 2, 0]])
    np.testing.assert_array_equal(X[1], trial.train.X[1][[2, 0, 1]])
    np.testing.assert_array_equal(trial.seen("flat_saliency", "train")[0], X.reshape(4, 6))
    np.testing.assert_array_equal(trial.seen("saliency", "test")[0], X[1:2])


def test_pooled_videos_have_one_shot(trial):
    for view, pool in (("average", np.mean), ("maximum", np.max)):
        X, _ = trial.seen(view, "train")
        np.testing.assert_allclose(X, pool(trial.train.X, axis=1)[:, None])
    np.testing.assert_allclose(trial.seen("flat_average", "train")[0], trial.train.X.mean(axis=1))


def test_shots_by_time_are_as_they_come(trial):
    assert trial.seen("time", "train")[0] is trial.train.X


def test_with_several_events_the_saliency_goes_with_the_shots():
    train, test = RecognitionVideos(3, n_train=4, n_test=6, n_shots=5, n_features=4).draw(0.1, seed=0)
    X, arguments = Trial.drawn(train, test, 2, seed=0).seen("saliency", "train")
    assert X is train.X
    assert arguments["saliency"] is train.saliency


def test_folds_have_positives_in_every_part(trial):
    for train, judged in trial.folds:
        assert set(trial.train.y[train]) == set(trial.train.y[judged]) == {0, 1}

import numpy as np
import pytest

from experiments.video_events.collections import random_collection
from widemargin.events import NearlyIsotonicSVC
from widemargin.experiments.video_events.evidence import evidence_of_event
from widemargin.experiments.video_events.trials import detection_trial


class Baseline:
    """Likes shots the more, or the less, the more they show feature 0."""

    def __init__(self, sign):
        self.sign = sign

    def decision_function(self, X):
        return self.sign * X[:, 0, 0]


@pytest.fixture(scope="module")
def problem():
    train, test = random_collection(2, 6), random_collection(2, 4, seed=1)
    trial, tested = detection_trial(train, test, 0, np.array([1.0, 0.0]), 2, 0)
    X, arguments = trial.seen("saliency", "train")
    model = NearlyIsotonicSVC(1e-2, 1e-2).fit(X, trial.train.y, **arguments)
    return trial, tested, test, model


def test_right_shots_are_counted(problem):
    trial, tested, test, model = problem
    found = evidence_of_event(trial, tested, test, 0, model, Baseline(-1), 2)
    # The first feature and the first concept tell the two shots of five that show the event.
    assert found.right == {"isotonic": 1.0, "baseline": 0.0, "saliency": 1.0, "chance": pytest.approx(0.4)}
    assert (found.better, found.similar, found.worse) == (4, 0, 0)
    assert found.returned == pytest.approx(2 / 5)
    # Two right shots of five of equal length: a third one is wrong.
    assert found.curves["isotonic_of_1"] == pytest.approx((1, 1 / 5))
    assert found.curves["isotonic_of_3"] == pytest.approx((2 / 3, 3 / 5))
    assert found.curves["baseline_of_5"] == pytest.approx((2 / 5, 1))


def test_a_baseline_that_is_as_good(problem):
    found = evidence_of_event(*problem[:3], 0, problem[3], Baseline(1), 2)
    assert found.right["baseline"] == 1.0
    assert (found.better, found.similar, found.worse) == (0, 4, 0)
    # The shots that a detector of event 0 shows are no evidence for event 1.
    assert evidence_of_event(*problem[:3], 1, problem[3], Baseline(1), 2).right["isotonic"] < 0.5


def test_a_repeated_shot_is_shown_once():
    train, test = random_collection(2, 6), random_collection(2, 4, n_shots=2, seed=1)
    trial, tested = detection_trial(train, test, 0, np.array([1.0, 0.0]), 2, 0)
    X, _ = trial.seen("saliency", "train")
    model = NearlyIsotonicSVC(1e-2, 1e-2).fit(X, trial.train.y)
    # Five places are filled with the two shots of a test video, both of which show its event.
    found = evidence_of_event(trial, tested, test, 0, model, Baseline(-1), 3)
    assert found.right["isotonic"] == found.right["chance"] == 1.0
    assert found.returned == pytest.approx(1.0)

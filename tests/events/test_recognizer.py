"""A recognizer of several events: one joint problem, an order of the shots for each event, evidence for each."""

import numpy as np
import pytest
from sklearn.base import clone

from reference.described_videos import N_CONCEPTS, described_video, described_videos
from widemargin.events import EventRecognizer, NearlyIsotonicSVC, NearlyIsotonicSVCCV

NAMES = ["swim", "cook", "ride", "sing"]
FIXED = NearlyIsotonicSVC(isotonic_alpha=1e-3, alpha=1e-2)


def train_and_test(n_events=4, n=32, **options):
    rng = np.random.default_rng(0)
    events = np.arange(n) % n_events
    names = np.array(NAMES)[events]
    return described_videos(rng, events, **options), described_videos(rng, events, **options), names


def recognizer(n_events=4, **options):
    parameters = {"classifier": FIXED} | options
    return EventRecognizer(np.eye(N_CONCEPTS)[:n_events], NAMES[:n_events], **parameters)


@pytest.mark.parametrize("n_events", [2, 3, 4])
def test_it_tells_events_apart_and_finds_the_shot(n_events):
    train, test, names = train_and_test(n_events)
    model = recognizer(n_events, normalize=False).fit(train, names)
    assert np.mean(model.predict(test) == names) > 0.9
    assert model.decision_function(test).shape == (32, n_events)
    found = [
        model.recount(video, name).shots[0].shot == video.concepts[:, NAMES.index(name)].argmax()
        for video, name in zip(test, names, strict=True)
    ]
    assert np.mean(found) > 0.9


def test_the_joint_problem_is_solved_on_each_events_own_order():
    train, test, names = train_and_test()
    model = recognizer(features=["net"], normalize=False, n_shots=5).fit(train, names)
    order = [NAMES.index(name) for name in sorted(NAMES)]

    def arrays(videos):
        saliency = np.stack([video.concepts.T[order] for video in videos])
        return np.stack([video.features["net"] for video in videos]), saliency

    X, saliency = arrays(train)
    expected = clone(FIXED).fit(X, names, saliency=saliency)
    np.testing.assert_allclose(
        model.decision_function(test), expected.decision_function(*arrays(test)), atol=1e-9
    )


@pytest.mark.parametrize("n_events", [2, 4])
@pytest.mark.parametrize("options", [{}, {"n_shots": 3, "n_extra": 8}, {"n_shots": 9}])
def test_evidence_adds_up_to_the_score_of_its_event(n_events, options):
    train, test, names = train_and_test(n_events, **options)
    model = recognizer(n_events, n_shots=6).fit(train, names)
    scores = model.decision_function(test[:3])
    intercepts = model.classifiers_[0].intercept_
    if n_events == 2:
        intercepts = np.array([-intercepts[0], intercepts[0]])
    for video, score in zip(test[:3], scores, strict=True):
        for place, name in enumerate(model.classes_):
            recounting = model.recount(video, name)
            assert recounting.score == pytest.approx(score[place])
            total = sum(shot.score for shot in recounting.shots) + intercepts[place]
            assert total == pytest.approx(score[place], abs=1e-6)
        assert model.recount(video).score == pytest.approx(score.max())


def test_positions_are_those_of_the_events_own_order():
    train, test, names = train_and_test()
    model = recognizer().fit(train, names)
    for shot in model.recount(test[0], "ride").shots:
        ranked = np.argsort(-test[0].concepts[:, 2], kind="stable").tolist()
        assert shot.position == ranked.index(shot.shot)
        assert shot.saliency == pytest.approx(test[0].concepts[shot.shot, 2])


def test_the_order_of_the_names_does_not_matter():
    train, test, names = train_and_test()
    backwards = EventRecognizer(np.eye(N_CONCEPTS)[::-1], NAMES[::-1], classifier=FIXED).fit(train, names)
    np.testing.assert_allclose(
        backwards.decision_function(test), recognizer().fit(train, names).decision_function(test), atol=1e-12
    )


def test_a_search_chooses_the_penalties():
    train, test, names = train_and_test()
    search = NearlyIsotonicSVCCV((1e-3,), (1e-2, 1e2), scoring="f1_macro")
    model = recognizer(classifier=search, normalize=False).fit(train, names)
    assert model.classifiers_[0].alpha == 1e-2
    assert np.mean(model.predict(test) == names) > 0.9


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"event_names": ["one"]}, "at least two names"),
        ({"event_names": ["swim", "swim", "ride", "sing"]}, "all different"),
        ({"event_names": ["swim", "cook", "ride", "run"]}, r"no video of \['run'\], and events \['sing'\]"),
        ({"relevance": np.eye(4)[:3]}, "relevance has 3 rows for 4 events"),
        ({"relevance": np.ones(4)}, r"expected \(n_events, n_concepts\)"),
        ({"concept_names": ["one"]}, "concept_names has 1 names, relevance is for 4 concepts"),
    ],
)
def test_parameters_out_of_range_are_named(change, message):
    train, _, names = train_and_test()
    parameters = {"relevance": np.eye(4), "event_names": NAMES, "classifier": FIXED} | change
    with pytest.raises(ValueError, match=message):
        EventRecognizer(**parameters).fit(train, names)


def test_an_event_that_is_not_known_is_named():
    train, test, names = train_and_test()
    with pytest.raises(ValueError, match="event is 'fly', which is none of"):
        recognizer().fit(train, names).recount(test[0], "fly")
    with pytest.raises(ValueError, match="y has 3 labels for 32 videos"):
        recognizer(3).fit(train, NAMES[:3])


def test_videos_of_one_shot_without_extra_frames():
    rng = np.random.default_rng(1)
    videos = [described_video(rng, event, n_shots=1) for event in (0, 1, 2, 3) * 3]
    model = recognizer(n_shots=3).fit(videos, NAMES * 3)
    assert model.predict(videos).tolist() == NAMES * 3
    assert len(model.recount(videos[0]).shots) == 1

"""A detector of one event: which frames it takes, what it learns, and the evidence that it gives."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import average_precision_score

from reference.described_videos import N_CONCEPTS, described_video, described_videos
from widemargin.events import EventDetector, NearlyIsotonicSVC, NearlyIsotonicSVCCV, prioritize

RELEVANCE = np.eye(N_CONCEPTS)[0]
FIXED = NearlyIsotonicSVC(isotonic_alpha=1e-3, alpha=1e-2)


def train_and_test(seed=0, n=30, **options):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    events = [0 if positive else None for positive in y]
    return described_videos(rng, events, **options), described_videos(rng, events, **options), y.astype(int)


def test_it_finds_videos_of_which_one_shot_shows_the_event():
    train, test, y = train_and_test()
    detector = EventDetector(RELEVANCE, classifier=FIXED).fit(train, y)
    assert average_precision_score(y, detector.decision_function(test)) > 0.95
    assert detector.position_weights_.argmax() == 0


def test_the_score_is_that_of_the_classifier_on_prioritized_unit_features():
    train, test, y = train_and_test()
    detector = EventDetector(RELEVANCE, features=["net"], n_shots=4, classifier=FIXED).fit(train, y)

    def arrays(videos):
        unit = [v.features["net"] / np.linalg.norm(v.features["net"], axis=1, keepdims=True) for v in videos]
        return prioritize(unit, [v.concepts @ RELEVANCE for v in videos], 4)

    expected = clone(FIXED).fit(arrays(train), y).decision_function(arrays(test))
    np.testing.assert_allclose(detector.decision_function(test), expected, atol=1e-6)


def test_short_videos_are_filled_up_with_their_extra_frames_as_prioritize_does():
    train, test, y = train_and_test(n_shots=2, n_extra=9)
    detector = EventDetector(RELEVANCE, features=["net"], n_shots=4, normalize=False, classifier=FIXED).fit(
        train, y
    )

    def arrays(videos):
        return prioritize(
            [v.features["net"] for v in videos],
            [v.concepts @ RELEVANCE for v in videos],
            4,
            extra_frames=[v.extra_features["net"] for v in videos],
            extra_saliency=[v.extra_concepts @ RELEVANCE for v in videos],
        )

    expected = clone(FIXED).fit(arrays(train), y).decision_function(arrays(test))
    np.testing.assert_allclose(detector.decision_function(test), expected, atol=1e-10)
    repeated = EventDetector(RELEVANCE, n_shots=4, fill="repeat", classifier=FIXED).fit(train, y)
    assert {shot.extra for shot in repeated.recount(test[0]).shots} == {None}
    assert None not in {shot.extra for shot in detector.recount(test[0]).shots}


def test_n_shots_is_the_rounded_mean_of_the_training_videos():
    rng = np.random.default_rng(0)
    lengths = [2, 3, 3, 6]
    videos = [described_video(rng, n_shots=length) for length in lengths]
    assert EventDetector(RELEVANCE, classifier=FIXED).fit(videos, [0, 1, 0, 1]).n_shots_ == 4  # 3.5


def test_kinds_of_features_are_put_side_by_side_or_averaged():
    train, test, y = train_and_test()
    both = {
        name: EventDetector(RELEVANCE, fusion=name, classifier=FIXED).fit(train, y)
        for name in ("concatenate", "average")
    }
    assert len(both["concatenate"].classifiers_) == 1
    assert both["concatenate"].classifiers_[0].coef_.shape == (5, 12)
    single = [
        EventDetector(RELEVANCE, features=[kind], classifier=FIXED).fit(train, y).decision_function(test)
        for kind in ("net", "flow")
    ]
    np.testing.assert_allclose(both["average"].decision_function(test), np.mean(single, axis=0), atol=1e-6)


@pytest.mark.parametrize("fusion", ["concatenate", "average"])
@pytest.mark.parametrize(
    "options", [{}, {"n_shots": 3, "n_extra": 8}, {"n_shots": 3, "n_extra": 2}, {"n_shots": 9}]
)
def test_evidence_adds_up_to_the_score_without_the_intercept(fusion, options):
    train, test, y = train_and_test(**options)
    detector = EventDetector(RELEVANCE, n_shots=6, fusion=fusion, classifier=FIXED).fit(train, y)
    intercept = np.mean([trained.intercept_[0] for trained in detector.classifiers_])
    for video, score in zip(test[:5], detector.decision_function(test[:5]), strict=True):
        recounting = detector.recount(video)
        scores = [shot.score for shot in recounting.shots]
        assert recounting.score == pytest.approx(score)
        assert sum(scores) + intercept == pytest.approx(score, abs=1e-6)
        assert scores == sorted(scores, reverse=True)
        assert len({(shot.shot, shot.extra) for shot in recounting.shots}) == len(recounting.shots)
        for shot in recounting.shots:
            assert 0 <= shot.start <= shot.key_time <= shot.end <= video.duration + 1e-9
            assert video.shots[shot.shot, 0] <= shot.key_time <= video.shots[shot.shot, 1]


def test_the_strongest_evidence_is_the_relevant_shot_with_its_concept():
    train, test, y = train_and_test()
    detector = EventDetector(RELEVANCE, classifier=FIXED).fit(train, y)
    positives = [video for video, positive in zip(test, y, strict=True) if positive]
    for video in positives:
        best = detector.recount(video).shots[0]
        assert best.shot == int(video.concepts[:, 0].argmax())
        assert best.position == 0
        number, probability, added = best.concepts[0]
        assert (number, probability) == (0, pytest.approx(0.9))
        assert added == pytest.approx(0.9) == best.saliency


def test_the_baseline_applies_the_classifier_of_averaged_shots_to_each_shot():
    train, test, y = train_and_test()
    detector = EventDetector(RELEVANCE, features=["net"], normalize=False, classifier=FIXED).fit(train, y)
    averages = np.stack([video.features["net"].mean(axis=0) for video in train])
    expected = clone(FIXED).fit(averages[:, None], y)
    recounting = detector.recount_baseline(test[0])
    assert {shot.shot for shot in recounting.shots} == set(range(5))
    for shot in recounting.shots:
        single = test[0].features["net"][shot.shot][None, None]
        assert shot.score == pytest.approx(expected.decision_function(single)[0], abs=1e-5)
    ranked = np.argsort(-(test[0].concepts @ RELEVANCE))
    assert {shot.shot: shot.position for shot in recounting.shots} == {
        int(shot): place for place, shot in enumerate(ranked)
    }


def test_without_a_classifier_penalties_are_searched_where_there_are_enough_videos():
    train, test, y = train_and_test()
    searched = EventDetector(RELEVANCE).fit(train, y)
    assert average_precision_score(y, searched.decision_function(test)) > 0.95
    alone = EventDetector(RELEVANCE).fit(train[:10], [1, *[0] * 9])
    assert alone.classifiers_[0].alpha == NearlyIsotonicSVC().alpha
    assert alone.validation_score_ is None
    assert 0.5 < searched.validation_score_ <= 1
    few = NearlyIsotonicSVCCV((1e-3,), (1e-2, 1e-1), norm=1)
    assert EventDetector(RELEVANCE, classifier=few).fit(train, y).classifiers_[0].norm == 1


def test_of_penalties_that_score_the_same_the_largest_are_taken():
    rng = np.random.default_rng(0)
    y = np.arange(16) % 2
    easy = [
        replace(described_video(rng), features={"net": np.full((5, 6), 1.0 if positive else -1.0)})
        for positive in y
    ]
    detector = EventDetector(RELEVANCE).fit(easy, y)
    assert detector.validation_score_ == 1
    assert (detector.classifiers_[0].isotonic_alpha, detector.classifiers_[0].alpha) == (0.1, 0.1)


def test_labels_of_any_kind():
    train, test, y = train_and_test()
    words = np.where(y == 1, "yes", "no")
    named = EventDetector(RELEVANCE, classifier=FIXED).fit(train, words)
    numbered = EventDetector(RELEVANCE, classifier=FIXED).fit(train, y)
    np.testing.assert_array_equal(named.predict(test) == "yes", numbered.predict(test) == 1)


def test_videos_may_come_from_a_generator_and_in_blocks(monkeypatch):
    train, test, y = train_and_test()
    detector = EventDetector(RELEVANCE, classifier=FIXED).fit((video for video in train), y)
    together = detector.decision_function(test)
    monkeypatch.setattr("widemargin.events._event_training._BLOCK", 100)
    np.testing.assert_array_equal(detector.decision_function(iter(test)), together)
    assert detector.decision_function([]).shape == (0,)


def test_saliency_needs_no_training():
    video = described_video(np.random.default_rng(0), 0, n_extra=3)
    np.testing.assert_allclose(EventDetector(RELEVANCE).saliency(video), video.concepts[:, 0])


def test_features_of_another_network_are_refused():
    train, test, y = train_and_test()

    def made_by(videos, digest):
        return [replace(video, feature_digests={"net": digest}) for video in videos]

    detector = EventDetector(RELEVANCE, features=["net"], classifier=FIXED).fit(made_by(train, "abc"), y)
    assert detector.feature_digests_ == {"net": "abc"}
    scores = detector.decision_function(made_by(test, "abc"))
    np.testing.assert_array_equal(detector.decision_function(test), scores)
    with pytest.raises(ValueError, match="of the network xyz, the training videos of the network abc"):
        detector.decision_function(made_by(test, "xyz"))
    with pytest.raises(ValueError, match="index all of them with the same network"):
        detector.fit(made_by(train[:1], "abc") + made_by(train[1:], "xyz"), y)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"relevance": np.eye(4)}, r"relevance has shape \(4, 4\), expected \(n_concepts,\)"),
        ({"relevance": [1.0, np.nan, 0, 0]}, "relevance"),
        ({"relevance": [1.0]}, "has 4 concepts, relevance is for 1"),
        ({"features": "net"}, r"pass \['net'\]"),
        ({"features": []}, "at least one name"),
        ({"features": ["other"]}, "has no features 'other'"),
        ({"fusion": "sum"}, "fusion"),
        ({"fill": "zeros"}, "fill"),
        ({"n_shots": 0}, "n_shots"),
        ({"concept_names": ["one"]}, "concept_names has 1 names, relevance is for 4 concepts"),
    ],
)
def test_parameters_out_of_range_are_named(change, message):
    train, _, y = train_and_test()
    with pytest.raises(ValueError, match=message):
        EventDetector(**({"relevance": RELEVANCE, "classifier": FIXED} | change)).fit(train, y)


def test_arguments_that_do_not_fit_are_named():
    train, _, y = train_and_test()
    detector = EventDetector(RELEVANCE, classifier=FIXED)
    with pytest.raises(ValueError, match="y has 3 different labels"):
        detector.fit(train, np.arange(30) % 3)
    with pytest.raises(ValueError, match="y has 29 labels for 30 videos"):
        detector.fit(train, y[:-1])
    with pytest.raises(ValueError, match="videos is empty"):
        detector.fit([], y)
    with pytest.raises(ValueError, match="y is empty"):
        detector.fit([], [])
    shotless = replace(
        train[0], shots=np.empty((0, 2)), key_times=np.empty(0), concepts=np.empty((0, N_CONCEPTS))
    )
    with pytest.raises(ValueError, match="'video 0' has no shots"):
        detector.fit([shotless, *train[1:]], y)
    with pytest.raises(NotFittedError):
        detector.decision_function(train)
    with pytest.raises(TypeError, match="classifier must be a NearlyIsotonicSVC"):
        EventDetector(RELEVANCE, classifier=EventDetector(RELEVANCE)).fit(train, y)


@pytest.mark.parametrize("normalize", [True, False])
def test_features_that_are_integers_are_like_the_same_as_floating_point_numbers(normalize):
    train, test, y = train_and_test()
    counts = [
        replace(video, features={"net": np.rint(4 * video.features["net"]).astype(int)}, extra_features={})
        for video in [*train, *test]
    ]
    floats = [replace(video, features={"net": video.features["net"].astype(float)}) for video in counts]
    detector = EventDetector(RELEVANCE, features=["net"], normalize=normalize, classifier=FIXED)
    expected = detector.fit(floats[:30], y).decision_function(floats)
    assert np.ptp(expected) > 0.1
    np.testing.assert_array_equal(detector.fit(counts[:30], y).decision_function(counts), expected)
    # The first video does not decide what the others can hold.
    np.testing.assert_array_equal(
        detector.fit(counts[:1] + floats[1:30], y).decision_function(counts[:1] + floats[1:]), expected
    )

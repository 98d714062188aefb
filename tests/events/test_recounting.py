"""What each shot adds to a score, in the videos' own order, and the evidence drawn from it."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from widemargin.events import NearlyIsotonicSVC, ShotEvidence, recounting, recounting_scores, shot_evidence
from widemargin.events._base import ShotClassifier
from widemargin.events._order import saliency_order


class Fitted(ShotClassifier):
    """A classifier with weights made by hand."""

    tie_tolerance_ = 0.0
    sorts_shots_ = False

    def __init__(self, coef):
        self.coef_ = np.asarray(coef)
        n_shots, n_features = self.coef_.shape[-2:]
        self.n_shots_, self.n_features_in_ = n_shots, n_shots * n_features
        self.classes_ = np.arange(2 if self.coef_.ndim == 2 else len(self.coef_))
        self.intercept_ = np.zeros(1 if self.coef_.ndim == 2 else len(self.coef_))

    def fit(self, X, y):
        raise NotImplementedError


def naive_scores(coef, X, saliency, tie_tolerance=0.0):
    """One event, one shot at a time."""
    scores = np.empty(X.shape[:2])
    for video, order in enumerate(saliency_order(saliency, tie_tolerance)[0][:, 0]):
        for position, shot in enumerate(order):
            scores[video, shot] = sum(
                float(x) * w for x, w in zip(X[video, shot], coef[position].tolist(), strict=True)
            )
    return scores


def test_shots_in_order_get_the_weights_of_their_place():
    estimator = Fitted([[1.0, 0.0], [0.0, 10.0]])
    X = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    assert recounting_scores(estimator, X).tolist() == [[1.0, 40.0], [5.0, 80.0]]
    assert recounting_scores(estimator, X.reshape(2, 4)).tolist() == [[1.0, 40.0], [5.0, 80.0]]


def test_scores_are_in_the_own_order_of_the_video():
    estimator = Fitted([[100.0], [10.0], [1.0]])
    X = np.array([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]])
    # The first video's shots are at positions 1, 2 and 0, the second one's at 2, 0 and 1.
    saliency = [[0.5, 0.1, 0.9], [0.1, 0.9, 0.5]]
    assert recounting_scores(estimator, X, saliency).tolist() == [[10.0, 2.0, 300.0], [4.0, 500.0, 60.0]]


def test_each_event_has_its_own_order():
    estimator = Fitted([[[10.0], [1.0]], [[-10.0], [-1.0]], [[2.0], [3.0]]])
    X = np.array([[[1.0], [2.0]]])
    saliency = [[[1, 0], [0, 1], [1, 1]]]
    assert recounting_scores(estimator, X, saliency).tolist() == [[[10.0, 2.0], [-1.0, -20.0], [2.0, 6.0]]]


@pytest.mark.parametrize("block", [1, 7, 2**18])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_of_videos_give_what_single_shots_give(monkeypatch, block, dtype):
    monkeypatch.setattr(recounting, "_BLOCK", block)
    generator = np.random.default_rng(0)
    X = generator.normal(size=(3, 11, 4)).transpose(1, 2, 0).astype(dtype)
    saliency = generator.normal(size=(11, 4))
    several = generator.normal(size=(11, 3, 4))
    coef = generator.normal(size=(3, 4, 3))
    # Sums of three products of float64.
    np.testing.assert_allclose(
        recounting_scores(Fitted(coef[0]), X, saliency),
        naive_scores(coef[0], X, saliency),
        rtol=1e-13,
        atol=1e-13,
    )
    np.testing.assert_allclose(
        recounting_scores(Fitted(coef), X, several),
        np.stack([naive_scores(coef[event], X, several[:, event]) for event in range(3)], axis=1),
        rtol=1e-13,
        atol=1e-13,
    )
    np.testing.assert_allclose(
        recounting_scores(Fitted(coef), X), np.einsum("njf,ejf->nej", X, coef), rtol=1e-13, atol=1e-13
    )


def test_ties_are_those_of_the_estimator():
    generator = np.random.default_rng(1)
    X, saliency, coef = (
        generator.normal(size=(6, 5, 2)),
        generator.random((6, 5)),
        generator.normal(size=(5, 2)),
    )
    estimator = Fitted(coef)
    estimator.tie_tolerance_ = 0.2
    np.testing.assert_allclose(
        recounting_scores(estimator, X, saliency),
        naive_scores(coef, X, saliency, 0.2),
        rtol=1e-13,
        atol=1e-13,
    )


def test_wrong_videos_and_saliency_are_refused():
    estimator = Fitted([[1.0], [2.0]])
    with pytest.raises(ValueError, match="X has 3 features, but Fitted is expecting 2"):
        recounting_scores(estimator, np.ones((2, 3)))
    with pytest.raises(ValueError, match="saliency has shape"):
        recounting_scores(estimator, np.ones((2, 2)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="saliency contains NaN"):
        recounting_scores(estimator, np.ones((1, 2)), [[np.nan, 0.0]])


def test_other_estimators_are_refused():
    with pytest.raises(NotFittedError):
        recounting_scores(NearlyIsotonicSVC(), np.ones((2, 2)))
    with pytest.raises(TypeError, match="got Pipeline: of a pipeline, pass its last step"):
        recounting_scores(make_pipeline(Fitted([[1.0]])), np.ones((2, 1)))


@pytest.fixture
def videos():
    """Videos of three events, the saliency of their shots for each, and labels that the most salient shots show."""
    generator = np.random.default_rng(2)
    X, saliency = generator.normal(size=(60, 5, 3)), generator.random((60, 3, 5))
    y = np.repeat([0, 1, 2], 20)
    rows = np.arange(60)
    X[rows, saliency[rows, y].argmax(axis=1), y] += 4
    return X, saliency, y


@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_of_a_fitted_classifier_sum_to_its_decision_function(videos, n_classes):
    X, saliency, y = (array[videos[2] < n_classes] for array in videos)
    if n_classes == 2:
        saliency = saliency[:, 1]
    classifier = NearlyIsotonicSVC(tie_tolerance=0.05).fit(X, y, saliency=saliency)
    decision = classifier.decision_function(X, saliency)
    scores = recounting_scores(classifier, X, saliency)
    # Sums of fifteen products of float64 in another order.
    np.testing.assert_allclose(
        scores.sum(axis=-1) + classifier.intercept_,
        decision.reshape(scores.shape[:-1]),
        rtol=1e-12,
        atol=1e-12,
    )
    with pytest.warns(UserWarning, match="fit had a saliency and this call has none"):
        recounting_scores(classifier, X)


def test_the_shots_that_show_an_event_are_its_evidence(videos):
    X, saliency, y = videos
    classifier = NearlyIsotonicSVC().fit(X, y, saliency=saliency)
    predicted = np.searchsorted(classifier.classes_, classifier.predict(X, saliency))
    evidence = shot_evidence(recounting_scores(classifier, X, saliency), predicted)
    planted = saliency[np.arange(60), y].argmax(axis=1)
    # Four standard deviations are planted into one of five shots. All 60 are found; a guess would find 12.
    assert (evidence.own.argmax(axis=1) == planted)[predicted == y].sum() >= 50


def test_a_search_stands_for_its_best_classifier(videos):
    X, _, y = videos
    search = GridSearchCV(NearlyIsotonicSVC(), {"alpha": [1e-2, 1.0]}, cv=2).fit(X, y)
    np.testing.assert_array_equal(recounting_scores(search, X), recounting_scores(search.best_estimator_, X))


SEVERAL = np.array(
    [
        [[2.0, 0.1], [0.5, -3.0], [-1.0, -2.0]],
        [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
    ]
)


def test_evidence_is_the_events_own_scores_and_those_against_every_other_event():
    evidence = shot_evidence(SEVERAL, [0, 2])
    assert isinstance(evidence, ShotEvidence)
    assert evidence.own.tolist() == [[2.0, 0.1], [5.0, 6.0]]
    # The largest of the others are 0.5 and -2 in the first video, 3 and 4 in the second.
    assert evidence.against_others.tolist() == [[-0.5, 2.0], [-3.0, -4.0]]


def test_one_event_stands_for_all_videos():
    one, each = shot_evidence(SEVERAL, 1), shot_evidence(SEVERAL, [1, 1])
    np.testing.assert_array_equal(one.own, each.own)
    np.testing.assert_array_equal(one.against_others, each.against_others)


def test_with_two_classes_both_kinds_of_evidence_are_the_scores_or_their_negatives():
    scores = np.array([[0.7, -0.2], [1.0, 3.0]])
    for event in (None, 1):
        evidence = shot_evidence(scores, event)
        assert evidence.own.tolist() == evidence.against_others.tolist() == scores.tolist()
    evidence = shot_evidence(scores, [1, 0])
    assert evidence.own.tolist() == evidence.against_others.tolist() == [[0.7, -0.2], [-1.0, -3.0]]


def test_evidence_does_not_share_memory_with_the_scores():
    scores = SEVERAL.copy()
    evidence = shot_evidence(scores, 0)
    binary = shot_evidence(scores[:, 0])
    for array in (evidence.own, evidence.against_others, binary.own, binary.against_others):
        array[:] = 99
    assert binary.own is not binary.against_others
    np.testing.assert_array_equal(scores, SEVERAL)


@pytest.mark.parametrize(
    ("scores", "event", "error", "message"),
    [
        (SEVERAL, None, ValueError, "event is missing, and scores has 3 events"),
        (SEVERAL, 3, ValueError, "from 0 to 2, got 3"),
        (SEVERAL, [0, -1], ValueError, "from 0 to 2, got -1"),
        (SEVERAL, [0, 1, 2], ValueError, r"event has shape \(3,\), expected one integer or \(2,\)"),
        (SEVERAL, ["a", "b"], TypeError, "indices into classes_, not labels"),
        (SEVERAL, 1.0, TypeError, "event must be an integer"),
        (SEVERAL, True, TypeError, "event must be an integer"),
        (SEVERAL[0], 2, ValueError, "from 0 to 1, got 2"),
        (SEVERAL[0, 0], None, ValueError, r"scores has shape \(2,\)"),
        (SEVERAL[:, :1], 0, ValueError, r"scores has shape \(2, 1, 2\), .* at least two events"),
        ([[np.nan, 0.0]], None, ValueError, "scores contains NaN"),
        ([["a"]], None, ValueError, "scores must be an array of real numbers"),
    ],
)
def test_wrong_scores_and_events_are_named(scores, event, error, message):
    with pytest.raises(error, match=message):
        shot_evidence(scores, event)

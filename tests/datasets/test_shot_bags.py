"""The generated videos keep what their description promises."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from widemargin.datasets import make_shot_bags


@pytest.mark.parametrize(("n_classes", "shape"), [(2, (60, 8)), (3, (60, 3, 8))])
def test_shapes_and_types(n_classes, shape):
    X, y, saliency, relevance = make_shot_bags(60, 8, 12, n_classes=n_classes, random_state=0)
    assert (X.shape, X.dtype) == ((60, 8, 12), np.float32)
    assert y.dtype == np.int64
    np.testing.assert_array_equal(np.bincount(y), np.full(n_classes, 60 // n_classes))
    assert saliency.shape == relevance.shape == shape
    assert relevance.min() >= 0
    assert relevance.max() <= 1


def test_shots_are_nonnegative_sparse_and_of_unit_length():
    X = make_shot_bags(50, random_state=0)[0]
    assert X.min() == 0
    assert (X == 0).mean() > 0.25
    np.testing.assert_allclose(np.linalg.norm(X, axis=2), 1, rtol=1e-6)


def test_a_shot_of_one_feature_may_be_zero_but_is_finite():
    X = make_shot_bags(50, 5, 1, random_state=0)[0]
    assert set(np.unique(X)) == {0, 1}


def test_the_noise_of_the_order_changes_the_saliency_alone():
    exact = make_shot_bags(40, random_state=3)
    noisy = make_shot_bags(40, order_noise=0.5, random_state=3)
    for place in (0, 1, 3):
        np.testing.assert_array_equal(exact[place], noisy[place])
    np.testing.assert_array_equal(exact[2], exact[3])
    # 800 draws: the relative standard error of the deviation is 0.025.
    assert (noisy[2] - noisy[3]).std() == pytest.approx(0.5, rel=0.1)
    assert not np.array_equal(exact[0], make_shot_bags(40, random_state=4)[0])


def test_a_generator_is_drawn_from():
    rng = np.random.RandomState(5)
    first, second = (make_shot_bags(10, random_state=rng)[0] for _ in range(2))
    np.testing.assert_array_equal(first, make_shot_bags(10, random_state=5)[0])
    assert not np.array_equal(first, second)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_few_shots_are_relevant_in_every_class_alike(share):
    _, y, _, relevance = make_shot_bags(1000, relevant_share=share, random_state=0)
    # 20,000 draws with standard deviation below 0.3: the standard error is below 0.0021, in a class below 0.003.
    assert relevance.mean() == pytest.approx(share, abs=0.01)
    for label in (0, 1):
        assert relevance[y == label].mean() == pytest.approx(share, abs=0.015)


@pytest.mark.parametrize(
    ("share", "n_positive"), [(None, 50), (0.1, 10), (1 / 6, 17), (0.001, 1), (0.999, 99)]
)
def test_the_number_of_positives(share, n_positive):
    y = make_shot_bags(100, 2, 3, positive_share=share, random_state=0)[1]
    assert y.sum() == n_positive
    assert not np.array_equal(y, np.sort(y))


def _auc_by_rank(**parameters):
    """Return how well each position, most relevant first, tells the classes apart by the difference of their means."""
    X, y, _, relevance = make_shot_bags(1500, 10, 40, random_state=1, **parameters)
    order = np.argsort(-relevance, axis=1, kind="stable")
    ordered = np.take_along_axis(X, order[..., None], axis=1)
    train, test = slice(0, 1000), slice(1000, None)
    aucs = []
    for position in range(10):
        shots = ordered[:, position]
        direction = shots[train][y[train] == 1].mean(axis=0) - shots[train][y[train] == 0].mean(axis=0)
        aucs.append(roc_auc_score(y[test], shots[test] @ direction))
    return np.array(aucs)


def test_relevant_shots_tell_the_classes_apart_and_irrelevant_ones_do_not():
    aucs = _auc_by_rank()
    # 250 + 250 test videos: the standard error of an AUC is 0.026 at most.
    assert aucs[0] > 0.8
    assert aucs[0] > aucs[3] > aucs[-1]
    assert aucs[-3:] == pytest.approx(np.full(3, 0.5), abs=0.1)


def test_perfect_lookalikes_leave_nothing_to_learn():
    assert _auc_by_rank(lookalike=1.0) == pytest.approx(np.full(10, 0.5), abs=0.1)
    assert _auc_by_rank(lookalike=0.0)[0] > _auc_by_rank(lookalike=0.8)[0]


def test_without_signal_clutter_and_noise_decide_nothing():
    assert _auc_by_rank(signal=0.0) == pytest.approx(np.full(10, 0.5), abs=0.1)


def test_clutter_makes_the_shots_of_a_video_alike():
    def likeness(clutter):
        X = make_shot_bags(200, signal=0.0, clutter=clutter, random_state=0)[0]
        within = np.einsum("imd,ind->imn", X, X).mean()
        return within - (X.mean(axis=(0, 1)) ** 2).sum()

    assert likeness(3.0) > likeness(0.0) + 0.02


def test_misleading_shots_show_the_event_whatever_the_class():
    parameters = {"relevant_share": 0.01, "lookalike": 0.0, "random_state": 0}
    plain = make_shot_bags(400, misleading=0.0, **parameters)
    misled = make_shot_bags(400, misleading=1.0, **parameters)
    shift = misled[0].mean(axis=1) - plain[0].mean(axis=1)
    by_class = [shift[plain[1] == label].mean(axis=0) for label in (0, 1)]
    assert np.linalg.norm(by_class[0]) > 0.1
    np.testing.assert_allclose(by_class[0], by_class[1], atol=0.03)


def test_every_class_has_an_event_of_its_own():
    X, y, _, relevance = make_shot_bags(1200, 10, 40, n_classes=3, random_state=0)
    top = np.take_along_axis(X[:, None], np.argmax(relevance, axis=2)[..., None, None], axis=2)[:, :, 0]
    train, test = slice(0, 800), slice(800, None)
    for event in range(3):
        shots, own = top[:, event], y == event
        direction = shots[train][own[train]].mean(axis=0) - shots[train][~own[train]].mean(axis=0)
        # 133 + 267 test videos: chance exceeds this, four standard errors above 0.5, once in 30,000 times.
        assert roc_auc_score(own[test], shots[test] @ direction) > 0.5 + 4 * 0.031


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_videos": 1}, "n_videos"),
        ({"n_shots": 0}, "n_shots"),
        ({"n_features": 0}, "n_features"),
        ({"n_classes": 1}, "n_classes"),
        ({"order_noise": -0.1}, "order_noise"),
        ({"order_noise": np.inf}, "order_noise"),
        ({"relevant_share": 0.0}, "relevant_share"),
        ({"relevant_share": 0.6}, "relevant_share"),
        ({"signal": -1.0}, "signal"),
        ({"lookalike": 1.1}, "lookalike"),
        ({"misleading": 1.1}, "misleading"),
        ({"clutter": -1.0}, "clutter"),
        ({"positive_share": 0.0}, "positive_share"),
        ({"positive_share": 1.0}, "positive_share"),
        ({"positive_share": 0.2, "n_classes": 3}, "positive_share"),
    ],
)
def test_parameters_outside_their_range(parameters, message):
    with pytest.raises(ValueError, match=message):
        make_shot_bags(**parameters)

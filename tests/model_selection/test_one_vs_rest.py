"""Balanced one-versus-rest splits: numbers, disjointness, remainders, seeds, and what cannot be drawn."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from widemargin.model_selection import OneVsRestBalancedSplit

Y = np.repeat([0, 1, 2, 3], [40, 30, 20, 25])


def counts(indices):
    return np.bincount(Y[indices], minlength=4).tolist()


@pytest.mark.parametrize("n_test", [None, 24])
def test_every_other_class_gives_the_same_number(n_test):
    splits = list(OneVsRestBalancedSplit(0, 12, n_test=n_test, n_splits=3, random_state=0).split(None, Y))
    assert len(splits) == 3
    for train, test in splits:
        assert counts(train) == [12, 4, 4, 4]
        assert counts(test) == ([12, 4, 4, 4] if n_test is None else [24, 8, 8, 8])
        assert len(set(train) | set(test)) == train.size + test.size


def test_a_remainder_is_given_by_classes_chosen_at_random():
    splits = list(OneVsRestBalancedSplit(0, 11, n_test=10, n_splits=200, random_state=0).split(None, Y))
    train = np.array([counts(train)[1:] for train, _ in splits])
    test = np.array([counts(test)[1:] for _, test in splits])
    assert set(map(tuple, np.sort(train))) == {(3, 4, 4)}
    assert set(map(tuple, np.sort(test))) == {(3, 3, 4)}
    # Each class gives the odd one in about a third of 200 splits: 67, standard deviation 6.7.
    np.testing.assert_allclose((train == 3).sum(axis=0), 67, atol=27)
    np.testing.assert_allclose((test == 4).sum(axis=0), 67, atol=27)


def test_a_class_is_drawn_from_evenly():
    drawn = np.zeros(Y.size)
    for train, _ in OneVsRestBalancedSplit(0, 12, n_splits=400, random_state=1).split(None, Y):
        drawn[train] += 1
    # A sample of the positive class is drawn with probability 12 / 40: 120 times, standard deviation 9.2.
    np.testing.assert_allclose(drawn[Y == 0], 120, atol=46)


def test_the_seed_fixes_the_splits_and_differs_between_them():
    splitter = OneVsRestBalancedSplit(2, 6, n_splits=2, random_state=5)
    first, again = list(splitter.split(None, Y)), list(splitter.split(None, Y))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first[0], first[1])
    other = list(OneVsRestBalancedSplit(2, 6, n_splits=2, random_state=6).split(None, Y))
    assert not np.array_equal(first, other)


def test_two_classes_and_names_and_all_samples():
    y = np.array(["viper"] * 6 + ["cobra"] * 6)
    ((train, test),) = OneVsRestBalancedSplit("viper", 4, n_test=2, n_splits=1).split(None, y)
    assert sorted(np.concatenate([train, test])) == list(range(12))
    assert y[train].tolist() == ["viper"] * 4 + ["cobra"] * 4


def test_scikit_learn_uses_the_splits():
    X = np.random.default_rng(0).normal(size=(Y.size, 2)) + 3 * (Y == 1)[:, None]
    splitter = OneVsRestBalancedSplit(1, 9, n_splits=4, random_state=0)
    scores = cross_val_score(LogisticRegression(), X, Y == 1, cv=splitter.split(X, Y))
    assert scores.size == splitter.get_n_splits() == 4
    assert scores.min() > 0.8


@pytest.mark.parametrize(
    ("arguments", "y", "complaint"),
    [
        ((0, 21), Y, "need 42 samples of 0 and 14 of every other class, y has 40 and 20 of the smallest"),
        ((3, 2, 10), [3] * 30 + [0, 1], "need 12 samples of 3 and 6 of every other class"),
        ((7, 2), Y, "positive must be a label of y, got 7: y has 0, 1, 2, 3."),
        ((0, 2), [0] * 9, "y has one class, 0"),
        ((0, 0), Y, "n_train must be at least 1"),
        ((0, 2, 0), Y, "n_test must be at least 1"),
        ((0, 2, None, 0), Y, "n_splits must be at least 1"),
        ((0, 2), [], "y is empty: pass one label a sample"),
        ((0, 2), Y[:, None], r"one-dimensional, got shape \(115, 1\)"),
    ],
)
def test_what_cannot_be_drawn_is_refused(arguments, y, complaint):
    positive, n_train, *rest = arguments
    options = dict(zip(("n_test", "n_splits"), rest, strict=False))
    with pytest.raises(ValueError, match=complaint):
        list(OneVsRestBalancedSplit(positive, n_train, **options).split(None, y))


def test_a_number_that_is_no_integer_is_refused():
    with pytest.raises(TypeError, match="n_train"):
        list(OneVsRestBalancedSplit(0, 2.5).split(None, Y))

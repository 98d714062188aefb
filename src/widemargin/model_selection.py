"""Splits of a data set for protocols that scikit-learn's own splitters do not cover."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from widemargin.validation import check_integer, check_labels

__all__ = ["OneVsRestBalancedSplit"]

IntArray = npt.NDArray[np.int64]


class OneVsRestBalancedSplit:
    """Random splits of one class against all others, with as many negatives as positives.

    Each split draws, without replacement, `n_train` samples of the positive class and as many of the others for
    training, and `n_test` of each side for testing; training and test samples are disjoint. The negatives come in
    equal numbers from every other class. Where the number cannot be divided, classes chosen at random, anew for
    every split and for training and test apart, give one more. This is the protocol of Tables 2 and 3 of [1]_.

    The labels given to `split` are those of all classes; a classifier is trained on ``y == positive``.

    Parameters
    ----------
    positive : label
        The class to tell from the others.
    n_train : int
        Training samples of each side, at least 1.
    n_test : int, default=None
        Test samples of each side, at least 1. None takes as many as for training.
    n_splits : int, default=20
        Number of splits, at least 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws. An integer gives the same splits at every call.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014, section 4.2.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.model_selection import OneVsRestBalancedSplit
    >>> y = np.repeat(["cobra", "python", "viper"], 10)
    >>> splitter = OneVsRestBalancedSplit("cobra", n_train=4, n_test=2, n_splits=1, random_state=0)
    >>> ((train, test),) = splitter.split(None, y)
    >>> [str(name) for name in y[train]]
    ['cobra', 'cobra', 'cobra', 'cobra', 'python', 'python', 'viper', 'viper']
    >>> [str(name) for name in y[test]]
    ['cobra', 'cobra', 'python', 'viper']
    """

    def __init__(
        self,
        positive: Hashable,
        n_train: int,
        *,
        n_test: int | None = None,
        n_splits: int = 20,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.positive = positive
        self.n_train = n_train
        self.n_test = n_test
        self.n_splits = n_splits
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object
            Ignored, here for scikit-learn's interface.

        Returns
        -------
        int
            The number.
        """
        return check_integer("n_splits", self.n_splits, at_least=1)

    def split(self, X: Any, y: npt.ArrayLike, groups: Any = None) -> Iterator[tuple[IntArray, IntArray]]:
        """Draw the splits.

        Parameters
        ----------
        X : object
            Ignored, here for scikit-learn's interface.
        y : array-like of shape (n_samples,)
            Labels of all classes, at least two.
        groups : object
            Ignored, here for scikit-learn's interface.

        Yields
        ------
        train, test : ndarray of int of shape (2 * n_train,) and (2 * n_test,)
            Indices of the samples: the positives first, then the other classes in sorted order.

        Raises
        ------
        TypeError
            If a number is no integer.
        ValueError
            If a number is below 1, `y` is empty, `positive` is no label of it, there is no other class, or a class has
            too few samples.
        """
        n_train = check_integer("n_train", self.n_train, at_least=1)
        n_test = n_train if self.n_test is None else check_integer("n_test", self.n_test, at_least=1)
        n_splits = self.get_n_splits()
        positives, rest = self._members(y)
        smallest = min(members.size for members in rest)
        needed = math.ceil(n_train / len(rest)) + math.ceil(n_test / len(rest))
        if positives.size < n_train + n_test or smallest < needed:
            raise ValueError(
                f"n_train={n_train} and n_test={n_test} need {n_train + n_test} samples of {self.positive!r} and "
                f"{needed} of every other class, y has {positives.size} and {smallest} of the smallest: lower n_train "
                "or n_test."
            )
        rng = check_random_state(self.random_state)
        for _ in range(n_splits):
            train, test = [], []
            takes = zip(_shares(n_train, len(rest), rng), _shares(n_test, len(rest), rng), strict=True)
            for members, (k, m) in zip((positives, *rest), ((n_train, n_test), *takes), strict=True):
                order = rng.permutation(members)
                train.append(order[:k])
                test.append(order[k : k + m])
            yield np.concatenate(train), np.concatenate(test)

    def _members(self, y: npt.ArrayLike) -> tuple[IntArray, list[IntArray]]:
        """Return the indices of the positive samples, and of the samples of every other class."""
        labels = np.asarray(y)
        if labels.ndim != 1:
            raise ValueError(f"y must be one-dimensional, got shape {labels.shape}: pass one label a sample.")
        if labels.size == 0:
            raise ValueError("y is empty: pass one label a sample, of at least two classes.")
        classes, codes = check_labels(labels)
        names = classes.tolist()
        if self.positive not in names:
            raise ValueError(
                f"positive must be a label of y, got {self.positive!r}: y has "
                f"{', '.join(map(repr, names[:5]))}{', ...' * (len(names) > 5)}."
            )
        members = [np.flatnonzero(codes == code) for code in range(len(names))]
        return members.pop(names.index(self.positive)), members


def _shares(n_samples: int, n_classes: int, rng: np.random.RandomState) -> list[int]:
    """Divide samples among classes as evenly as can be, the remainder at random."""
    share, n_left = divmod(n_samples, n_classes)
    shares = np.full(n_classes, share)
    shares[rng.permutation(n_classes)[:n_left]] += 1
    return [int(number) for number in shares]

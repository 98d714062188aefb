"""Sources of weak learners: each call fits one to signed sample weights, and says how it divides the training samples.

A weak learner h is piecewise constant on the training samples: a code per sample (the leaf it falls into, or the side
of a classifier) and a value per code. The ensemble needs no more to re-solve its weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.svm import LinearSVC
from sklearn.utils.validation import has_fit_parameter

from widemargin.trees import BinMapper, Tree, TreeEnsemble, TreeGrower

__all__ = [
    "ClassifierLearners",
    "ConfidenceTreeLearners",
    "TreeLearners",
    "WeakLearner",
    "WeakLearners",
    "learner_codes",
    "learner_values",
]

Codes = npt.NDArray[np.uint8]

_LARGEST_FOR_LIBLINEAR = 1e12


@dataclass(frozen=True)
class WeakLearner:
    """A fitted weak learner, as the ensemble sees it.

    Parameters
    ----------
    estimator : Tree or classifier
        What predicts on other samples.
    codes : ndarray of uint8 of shape (n_samples,)
        Which of the values each training sample has.
    values : ndarray of shape (n_codes,)
        The values.
    """

    estimator: Any
    codes: Codes
    values: npt.NDArray[np.float64]


class WeakLearners(Protocol):
    """Fits weak learners to signed weights of the same samples."""

    n_codes: int
    """Most codes that a weak learner has."""

    def fit(self, signed_weights: npt.NDArray[np.float64]) -> WeakLearner:
        """Fit the weak learner h that maximises, as well as it can, ``sum_l signed_weights[l] h(x_l)``."""


class TreeLearners:
    """Trees grown on binned features.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Training samples; NaN is a missing value.
    max_bins, max_depth, min_samples_leaf, criterion, leaf_alpha, n_threads
        As for `BinMapper` and `TreeGrower`.
    feature_fraction : float
        Share of the features, in (0, 1], that each tree may use.
    random_state : RandomState
        Draws them.
    """

    def __init__(
        self,
        X: npt.NDArray[Any],
        *,
        max_bins: int,
        max_depth: int,
        min_samples_leaf: int,
        criterion: str,
        leaf_alpha: float,
        feature_fraction: float,
        random_state: np.random.RandomState,
        n_threads: int,
    ) -> None:
        bins = BinMapper.fit(X, max_bins=max_bins)
        self._grower = TreeGrower(
            bins,
            bins.transform(X),
            max_depth=max_depth,
            min_samples_leaf=min_samples_leaf,
            criterion=criterion,
            leaf_alpha=leaf_alpha,
            n_threads=n_threads,
        )
        self.n_codes = 2**max_depth
        self._n_features = X.shape[1]
        self._n_drawn = max(1, round(feature_fraction * X.shape[1]))
        self._random_state = random_state

    def fit(self, signed_weights: npt.NDArray[np.float64]) -> WeakLearner:
        """Grow the tree of the signed weights."""
        tree, codes = self._grower.grow(signed_weights, features=self._draw_features())
        return WeakLearner(tree, codes, tree.leaf_values)

    def _draw_features(self) -> npt.NDArray[np.int32] | None:
        if self._n_drawn == self._n_features:
            return None
        drawn = self._random_state.choice(self._n_features, self._n_drawn, replace=False)
        return np.sort(drawn).astype(np.int32)


class ConfidenceTreeLearners:
    """Trees with real outputs, scaled to mean square 1 over the training samples.

    Outputs -1 and +1 have that mean square by nature, so that `nu` means the same for both. Pilot runs on digits and
    faces found it necessary: without it trees of small outputs are penalised most.

    Parameters
    ----------
    trees : TreeLearners
        Grows the trees.
    sample_weight : ndarray of shape (n_samples,), or None
        Multiplicities of the samples, for the mean.
    """

    def __init__(self, trees: TreeLearners, sample_weight: npt.NDArray[np.float64] | None) -> None:
        self._trees = trees
        self._sample_weight = sample_weight
        self.n_codes = trees.n_codes

    def fit(self, signed_weights: npt.NDArray[np.float64]) -> WeakLearner:
        """Grow a tree and scale its outputs."""
        learner = self._trees.fit(signed_weights)
        squares = np.square(learner.values)[learner.codes]
        scale = float(np.sqrt(np.average(squares, weights=self._sample_weight)))
        if scale == 0.0:
            return learner
        tree = replace(learner.estimator, value=learner.estimator.value / scale)
        return WeakLearner(tree, learner.codes, tree.leaf_values)


class ClassifierLearners:
    """Clones of a scikit-learn classifier that takes ``sample_weight``, with outputs -1 and +1.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Training samples.
    estimator : classifier or "linear"
        What is cloned; "linear" is a linear SVM.
    random_state : RandomState
        Seeds the clones, if they have a random state.

    Raises
    ------
    ValueError
        If the estimator is something else, or features are too large for LIBLINEAR.
    """

    n_codes = 2

    def __init__(self, X: Any, estimator: Any, random_state: np.random.RandomState) -> None:
        self._X = X
        if isinstance(estimator, str) and estimator == "linear":
            _check_for_liblinear(X)
            # The weak learner of the paper's experiment on proteins: a linear SVM by LIBLINEAR.
            estimator = LinearSVC(dual="auto")
        if (
            isinstance(estimator, type)
            or not isinstance(estimator, BaseEstimator)
            or not is_classifier(estimator)
            or not has_fit_parameter(estimator, "sample_weight")
        ):
            raise ValueError(
                f"estimator must be None, 'linear', or a scikit-learn classifier whose fit takes sample_weight, got "
                f"{estimator!r}: pass one of these."
            )
        self._estimator = estimator
        self._random_state = random_state

    def fit(self, signed_weights: npt.NDArray[np.float64]) -> WeakLearner:
        """Fit a clone to the signs, weighted by the sizes with mean 1 over the samples that have any."""
        classifier = clone(self._estimator)
        if "random_state" in classifier.get_params(deep=False):
            classifier.set_params(random_state=self._random_state.randint(np.iinfo(np.int32).max))
        used = np.flatnonzero(signed_weights)
        size = np.abs(signed_weights[used])
        labels = np.where(signed_weights[used] > 0, 1, -1)
        classifier.fit(self._X[used], labels, sample_weight=size / size.mean())
        return WeakLearner(classifier, learner_codes([classifier], self._X)[0], learner_values(classifier))


def _check_for_liblinear(X: Any) -> None:
    """Raise ValueError for features with which LIBLINEAR does not end: at 1e20 it does not, at 1e15 it does."""
    largest = float(abs(X).max()) if X.shape[1] else 0.0
    if largest > _LARGEST_FOR_LIBLINEAR:
        raise ValueError(
            f"X must be at most {_LARGEST_FOR_LIBLINEAR:g} in size for estimator='linear', got {largest:g}: scale the "
            "features, for example with StandardScaler."
        )


def learner_codes(estimators: Sequence[Any], X: Any) -> Codes:
    """Return the codes of the rows of X for fitted weak learners of one kind, of shape (n_learners, n_samples)."""
    if isinstance(estimators[0], Tree):
        return TreeEnsemble.of(estimators).leaves(X)
    return np.array([estimator.predict(X) > 0 for estimator in estimators], dtype=np.uint8)


def learner_values(estimator: Any) -> npt.NDArray[np.float64]:
    """Return the value of each code of a weak learner."""
    return estimator.leaf_values if isinstance(estimator, Tree) else np.array([-1.0, 1.0])

"""How every experiment with privileged information chooses the parameters of its classifiers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from widemargin.privileged import MarginTransferSVC, MarginTransferSVCCV, SVMPlusCV

__all__ = ["GRID", "L1_GRID", "ModelSelection", "settle_ties"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

GRID: tuple[float, ...] = (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)
"""The paper's values of every regularisation parameter, unless X is L1-normalised."""

L1_GRID: tuple[float, ...] = (1e0, 1e1, 1e2, 1e3, 1e4, 1e5)
"""The paper's values of C on L1-normalised X: such histograms have tiny inner products."""

# LIBSVM computes inner products anew in every fit. With 2,000 features and 200 samples (7 values of C, 5 folds)
# a shared Gram matrix takes a tenth of the time; below some hundreds of features nothing is gained.
_WIDE = 500


@dataclass(frozen=True)
class ModelSelection:
    """Linear classifiers whose parameters are chosen by the same stratified folds for all methods.

    The two parameters of a method with privileged information are chosen jointly; the best are used to train
    on all samples. Of equal scores the one with the best neighbours on the grid counts, then the one nearest
    to the middle of the grid: with a few dozen training images ties are the rule, and the smallest parameters,
    which a generic search takes, would make Margin Transfer a plain SVM. With more than two classes all
    methods are one-versus-rest with shared parameters.

    Parameters
    ----------
    Cs : sequence of float
        Values of C of every classifier on X.
    privileged_values : sequence of float
        Values of the parameter of the privileged space: C of an SVM on X*, `privileged_C` of Margin Transfer and
        `privileged_alpha` of SVM+.
    n_folds : int
        Folds of the cross-validation.
    seed : int
        Seed of the folds.
    n_fold_repeats : int, default=1
        How often the folds are drawn anew; scores are averaged over all.
    """

    Cs: Sequence[float]
    privileged_values: Sequence[float]
    n_folds: int
    seed: int
    n_fold_repeats: int = 1

    @property
    def folds(self) -> RepeatedStratifiedKFold:
        """The folds: the same at every use."""
        return RepeatedStratifiedKFold(
            n_splits=self.n_folds, n_repeats=self.n_fold_repeats, random_state=self.seed
        )

    def svm(self, X: FloatArray, y: IntArray) -> tuple[SVC | OneVsRestClassifier, float]:
        """Train a plain SVM on X.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            Features.
        y : ndarray of int of shape (n_samples,)
            Labels.

        Returns
        -------
        svm : SVC or OneVsRestClassifier
            The trained classifier.
        C : float
            Its parameter.
        """
        return _select_svm(X, y, self.Cs, self.folds)

    def reference(self, X_privileged: FloatArray, y: IntArray) -> tuple[SVC | OneVsRestClassifier, float]:
        """Train a plain SVM on X*.

        Parameters
        ----------
        X_privileged : ndarray of shape (n_samples, n_privileged_features)
            Privileged features.
        y : ndarray of int of shape (n_samples,)
            Labels.

        Returns
        -------
        svm : SVC or OneVsRestClassifier
            The trained classifier.
        C : float
            Its parameter.
        """
        return _select_svm(X_privileged, y, self.privileged_values, self.folds)

    def margin_transfer(self, X: FloatArray, y: IntArray, X_privileged: FloatArray) -> MarginTransferSVCCV:
        """Train Margin Transfer.

        Parameters
        ----------
        X, X_privileged : ndarray of shape (n_samples, n_features) and (n_samples, n_privileged_features)
            Features in both spaces.
        y : ndarray of int of shape (n_samples,)
            Labels.

        Returns
        -------
        MarginTransferSVCCV
            The trained classifier, with its parameters in ``best_params_``.
        """
        search = MarginTransferSVCCV(
            Cs=self.Cs, privileged_Cs=self.privileged_values, cv=self.folds, refit=self._choose
        )
        return search.fit(X, y, X_privileged=X_privileged)

    def given_margins(
        self, X: FloatArray, y: IntArray, margins: FloatArray
    ) -> tuple[MarginTransferSVC, float]:
        """Train the second stage of Margin Transfer with margins from elsewhere; only C remains to be chosen.

        Margins of which none is above epsilon make it a plain SVM, here without a warning: it would come with every
        fit of the search, and the caller can count them.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
            Features.
        y : ndarray of int of shape (n_samples,)
            Labels of two classes.
        margins : ndarray of shape (n_samples,)
            The margin to ask of each sample.

        Returns
        -------
        classifier : MarginTransferSVC
            The trained classifier.
        C : float
            Its parameter.
        """
        gram = X @ X.T
        accuracy = np.zeros(len(self.Cs))
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="No margin is above epsilon", category=UserWarning)
            for train, held_out in self.folds.split(X, y):
                seen, asked = gram[np.ix_(train, train)], gram[np.ix_(held_out, train)]
                for place, C in enumerate(self.Cs):
                    model = MarginTransferSVC(C, kernel="precomputed")
                    model.fit(seen, y[train], margins=margins[train])
                    accuracy[place] += np.mean(model.predict(asked) == y[held_out])
            best = float(self.Cs[settle_ties({"mean_test_score": accuracy}, shape=(len(self.Cs),))])
            return MarginTransferSVC(best).fit(X, y, margins=margins), best

    def svm_plus(self, X: FloatArray, y: IntArray, X_privileged: FloatArray) -> SVMPlusCV:
        """Train SVM+.

        Parameters
        ----------
        X, X_privileged : ndarray of shape (n_samples, n_features) and (n_samples, n_privileged_features)
            Features in both spaces.
        y : ndarray of int of shape (n_samples,)
            Labels.

        Returns
        -------
        SVMPlusCV
            The trained classifier, with its parameters in ``best_params_``.
        """
        search = SVMPlusCV(
            Cs=self.Cs, privileged_alphas=self.privileged_values, cv=self.folds, refit=self._choose
        )
        return search.fit(X, y, X_privileged=X_privileged)

    @property
    def _choose(self) -> partial[int]:
        return partial(settle_ties, shape=(len(self.Cs), len(self.privileged_values)))


def settle_ties(results: Mapping[str, Any], shape: tuple[int, ...]) -> int:
    """Choose the best mean score of a grid; of equal ones the best neighbourhood, then the middle of the grid.

    Parameters
    ----------
    results : mapping
        Has the scores as ``mean_test_score``, as `cv_results_` of a search does.
    shape : tuple of int
        Number of values of each parameter.

    Returns
    -------
    int
        Place of the choice among the scores.
    """
    scores = np.asarray(results["mean_test_score"]).reshape(shape).round(9)
    tied = np.argwhere(scores == scores.max())
    middle = (np.array(shape) - 1) / 2

    def merit(place: IntArray) -> tuple[float, float]:
        around = scores[tuple(slice(max(0, i - 1), i + 2) for i in place)]
        return -float(around.mean().round(9)), float(np.abs(place - middle).sum())

    best = min(tied, key=merit)
    return int(np.ravel_multi_index(tuple(best), shape))


def _select_svm(
    X: FloatArray, y: IntArray, grid: Sequence[float], folds: RepeatedStratifiedKFold
) -> tuple[SVC | OneVsRestClassifier, float]:
    """Train a linear SVM with the C of the highest cross-validated accuracy, ties settled as for all methods.

    A plain loop: for a few dozen samples the bookkeeping of scikit-learn's grid search takes five times as
    long as the training.
    """

    def make(C: float, kernel: str) -> SVC | OneVsRestClassifier:
        svm = SVC(C=C, kernel=kernel)
        return svm if np.unique(y).size == 2 else OneVsRestClassifier(svm)

    gram = X @ X.T if X.shape[1] >= _WIDE else None
    accuracy = np.zeros(len(grid))
    for train, held_out in folds.split(X, y):
        if gram is None:
            kernel, seen, asked = "linear", X[train], X[held_out]
        else:
            kernel, seen, asked = "precomputed", gram[np.ix_(train, train)], gram[np.ix_(held_out, train)]
        for place, C in enumerate(grid):
            model = make(C, kernel).fit(seen, y[train])
            accuracy[place] += np.mean(model.predict(asked) == y[held_out])
    best = float(grid[settle_ties({"mean_test_score": accuracy}, shape=(len(grid),))])
    return make(best, "linear").fit(X, y), best

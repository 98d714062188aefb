"""Train the four methods of a comparison on a user's own data, each with parameters chosen on its training part."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, Normalizer, StandardScaler
from sklearn.utils.sparsefuncs import mean_variance_axis

from widemargin.experiments.accuracy import Method
from widemargin.experiments.experiment import Row
from widemargin.experiments.model_selection import GRID, settle_ties
from widemargin.privileged import CollapseWarning, MarginTransferSVCCV, SVMPlusCV

__all__ = [
    "FOLD_COLUMNS",
    "KERNELS",
    "METHODS",
    "SCALES",
    "SCORES",
    "Choices",
    "compare_on_fold",
    "make_scaler",
    "train",
]

Matrix = Any  # A dense array or a sparse matrix, of float64.
Labels = npt.NDArray[Any]
Indices = npt.NDArray[np.intp]
Search = MarginTransferSVCCV | SVMPlusCV

METHODS = (
    Method("svm", "plain SVM", "X"),
    Method("margin_transfer", "Margin Transfer", "X and X* in training"),
    Method("svm_plus", "SVM+", "X and X* in training"),
    Method("reference", "SVM on X*", "X* even in testing", reference=True),
)
"""The baseline, the two methods with privileged information, and the reference that does not compete."""

SCORES = {"accuracy": accuracy_score, "balanced_accuracy": balanced_accuracy_score}
"""What `Choices.scoring` can be."""

KERNELS = ("linear", "rbf")
"""What `Choices.kernel` can be."""

SCALES = ("standard", "l1", "l2", "max", "none")
"""What `Choices.scale` and `Choices.privileged_scale` can be."""

FOLD_COLUMNS: dict[str, type] = {
    **{f"{method.key}_score": float for method in METHODS},
    "most_frequent_score": float,
    "svm_C": float,
    "margin_transfer_C": float,
    "margin_transfer_privileged_C": float,
    "svm_plus_C": float,
    "svm_plus_privileged_alpha": float,
    "reference_C": float,
    "svm_plus_collapsed": int,
    "n_missed_tolerance": int,
    "n_train": int,
    "n_test": int,
}
"""Columns of a row of `compare_on_fold`."""


@dataclass(frozen=True)
class Choices:
    """How classifiers are trained and scored.

    Parameters
    ----------
    kernel : {"linear", "rbf"}, default="linear"
        Kernel in both spaces; the width of "rbf" is scikit-learn's "scale".
    scale, privileged_scale : {"standard", "l1", "l2", "max", "none"}, default="standard"
        How X and X* are scaled: every column to mean 0 and variance 1, every row to unit length in either
        norm, every column to values of at most 1, or not at all.
    scoring : {"accuracy", "balanced_accuracy"}, default="accuracy"
        Score of the test parts, and that by which parameters are chosen.
    n_inner_folds : int, default=5
        Folds of the cross-validation that chooses parameters.
    grid : tuple of float, default=GRID
        Values to try for every parameter, in the unit that `_unit_of_C` gives.
    """

    kernel: str = "linear"
    scale: str = "standard"
    privileged_scale: str = "standard"
    scoring: str = "accuracy"
    n_inner_folds: int = 5
    grid: tuple[float, ...] = GRID


def compare_on_fold(
    X: Matrix,
    X_privileged: Matrix,
    y: Labels,
    train_rows: Indices,
    test_rows: Indices,
    choices: Choices,
    seed: int,
) -> Row:
    """Train all methods on one part of the samples, and score them on another.

    Parameters
    ----------
    X, X_privileged : ndarray or sparse matrix of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        Features in both spaces, not scaled.
    y : ndarray of shape (n_samples,)
        Labels.
    train_rows, test_rows : ndarray of int
        Places of the two parts.
    choices : Choices
        How classifiers are trained.
    seed : int
        Seed of the inner folds, which all methods share.

    Returns
    -------
    Row
        The `FOLD_COLUMNS`.
    """
    score = SCORES[choices.scoring]
    scaler = make_scaler(choices.scale).fit(X[train_rows])
    privileged_scaler = make_scaler(choices.privileged_scale).fit(X_privileged[train_rows])
    seen, asked = scaler.transform(X[train_rows]), scaler.transform(X[test_rows])
    seen_privileged = privileged_scaler.transform(X_privileged[train_rows])
    asked_privileged = privileged_scaler.transform(X_privileged[test_rows])
    y_seen = y[train_rows]
    searches = {
        method.key: train(method.key, seen, seen_privileged, y_seen, choices, seed) for method in METHODS
    }
    predictions = {
        key: search.predict(asked_privileged if key == "reference" else asked)
        for key, search in searches.items()
    }
    labels, counts = np.unique(y_seen, return_counts=True)
    predictions["most_frequent"] = np.full(test_rows.size, labels[counts.argmax()])
    row: Row = {
        f"{key}_score": float(score(y[test_rows], predicted)) for key, predicted in predictions.items()
    }
    for key, search in searches.items():
        row |= {f"{key}_{name}": value for name, value in search.best_params_.items()}
    # The searches that are plain SVMs have one value for the privileged features that they do not get.
    return {name: row[name] for name in FOLD_COLUMNS if name in row} | {
        "svm_plus_collapsed": int(searches["svm_plus"].best_estimator_.collapsed_),
        "n_missed_tolerance": sum(
            search.n_not_converged_ + (not search.best_estimator_.converged_) for search in searches.values()
        ),
        "n_train": int(train_rows.size),
        "n_test": int(test_rows.size),
    }


def train(key: str, X: Matrix, X_privileged: Matrix, y: Labels, choices: Choices, seed: int) -> Search:
    """Train one method, its parameters chosen by stratified cross-validation on the same samples.

    Of equal scores the point with the best neighbours on the grid counts, as in all experiments. A plain SVM is
    Margin Transfer with every margin 1, so that one solver trains all methods.

    Parameters
    ----------
    key : str
        Key of one of `METHODS`.
    X, X_privileged : ndarray or sparse matrix of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        Scaled features in both spaces.
    y : ndarray of shape (n_samples,)
        Labels.
    choices : Choices
        How classifiers are trained.
    seed : int
        Seed of the folds.

    Returns
    -------
    MarginTransferSVCCV or SVMPlusCV
        The search, with the classifier trained on all samples as ``best_estimator_``. The reference takes
        samples in X*, the others in X.
    """
    if key == "reference":
        X = X_privileged
    unit, privileged_unit = (_unit_of_C(values, choices.kernel) for values in (X, X_privileged))
    Cs = [value * unit for value in choices.grid]
    common: dict[str, Any] = {
        "kernel": choices.kernel,
        "privileged_kernel": choices.kernel,
        "cv": StratifiedKFold(choices.n_inner_folds, shuffle=True, random_state=seed),
        # The default of the searches is accuracy too, computed without the detour over a scorer.
        "scoring": None if choices.scoring == "accuracy" else choices.scoring,
    }
    with _expected_warnings_ignored():
        if key in ("svm", "reference"):
            refit = partial(settle_ties, shape=(len(Cs),))
            return MarginTransferSVCCV(Cs, [1.0], refit=refit, **common).fit(X, y)
        refit = partial(settle_ties, shape=(len(Cs), len(Cs)))
        search: Search
        if key == "margin_transfer":
            privileged_Cs = [value * privileged_unit for value in choices.grid]
            search = MarginTransferSVCCV(Cs, privileged_Cs, refit=refit, **common)
        else:
            # The squared norms of both spaces stand side by side in the objective: each counts in its own unit.
            alphas = [value * unit / privileged_unit for value in choices.grid]
            search = SVMPlusCV(Cs, alphas, refit=refit, **common)
        return search.fit(X, y, X_privileged=X_privileged)


def make_scaler(scale: str) -> TransformerMixin:
    """Make the transformer of a scale.

    Parameters
    ----------
    scale : {"standard", "l1", "l2", "max", "none"}
        One of `SCALES`.

    Returns
    -------
    TransformerMixin
        Not fitted.
    """
    if scale in ("l1", "l2"):
        return Normalizer(scale)
    return {"standard": StandardScaler, "max": MaxAbsScaler, "none": FunctionTransformer}[scale]()


def _unit_of_C(X: Matrix, kernel: str) -> float:
    """Return the value of C that means the same as 1 for samples of mean squared length 1 around their centre.

    The paper's grid is made for samples of unit length. A linear SVM on s X with C is the one on X with
    s^2 C: without this unit, 100 standardised columns would get a C up to 1,000 that is worth 100,000, where
    fits take longest and tell least. A Gaussian kernel has unit length by itself.
    """
    if kernel != "linear":
        return 1.0
    variances = mean_variance_axis(X, axis=0)[1] if issparse(X) else X.var(axis=0)
    total = float(variances.sum())
    return 1 / total if total > 0 else 1.0


@contextmanager
def _expected_warnings_ignored() -> Generator[None]:
    """Ignore what the row of a fold counts, and that a plain SVM gets no privileged features."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="X_privileged was not given")
        yield

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
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, Normalizer, StandardScaler
from sklearn.utils.sparsefuncs import mean_variance_axis

from widemargin.experiments.accuracy import Method
from widemargin.experiments.experiment import Row
from widemargin.experiments.model_selection import GRID, settle_ties
from widemargin.experiments.own_data_samples import rows_present, split_stratified
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
    "transform_present",
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

_WHERE_PRIVILEGED = ("reference", "svm_where_privileged")

KERNELS = ("linear", "rbf")
"""What `Choices.kernel` can be."""

SCALES = ("standard", "l1", "l2", "max", "none")
"""What `Choices.scale` and `Choices.privileged_scale` can be."""

FOLD_COLUMNS: dict[str, type] = {
    **{f"{method.key}_score": float for method in METHODS},
    "most_frequent_score": float,
    "svm_where_privileged_score": float,
    **{f"{method.key}_one_answer": int for method in METHODS},
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
    "n_test_privileged": int,
}
"""Columns of a row of `compare_on_fold`.

``*_one_answer`` is 1 if a classifier gave all test samples the same label, and ``svm_where_privileged_score`` the score
of the plain SVM on the test samples that have privileged features, on which the reference is tested.
"""


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
        Score of the test parts, and that by which parameters are chosen. With "balanced_accuracy" all classes have
        the same weight in training as well.
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

    @property
    def class_weight(self) -> str | None:
        """Weights of the classes in training, as scikit-learn names them: a score that balances them needs it too."""
        return "balanced" if self.scoring == "balanced_accuracy" else None


def compare_on_fold(
    X: Matrix,
    X_privileged: Matrix,
    y: Labels,
    train_rows: Indices,
    test_rows: Indices,
    choices: Choices,
    seed: int,
    groups: Labels | None = None,
) -> Row:
    """Train all methods on one part of the samples, and score them on another.

    Parameters
    ----------
    X, X_privileged : ndarray or sparse matrix of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        Features in both spaces, not scaled. A row of X* that is all NaN marks a sample without privileged features.
    y : ndarray of shape (n_samples,)
        Labels.
    train_rows, test_rows : ndarray of int
        Places of the two parts.
    choices : Choices
        How classifiers are trained.
    seed : int
        Seed of the inner folds, which all methods share.
    groups : ndarray of shape (n_samples,) or None, default=None
        Samples of a group stay together in the inner folds.

    Returns
    -------
    Row
        The `FOLD_COLUMNS`.
    """
    score = SCORES[choices.scoring]
    scaler = make_scaler(choices.scale).fit(X[train_rows])
    present = rows_present(X_privileged)
    privileged_scaler = make_scaler(choices.privileged_scale).fit(
        X_privileged[train_rows[present[train_rows]]]
    )
    seen_privileged = transform_present(privileged_scaler, X_privileged[train_rows])
    seen_groups = None if groups is None else groups[train_rows]
    seen, y_seen = scaler.transform(X[train_rows]), y[train_rows]
    searches = {
        method.key: train(method.key, seen, seen_privileged, y_seen, choices, seed, seen_groups)
        for method in METHODS
    }
    has_privileged = present[test_rows]
    asked = scaler.transform(X[test_rows])
    asked_privileged = privileged_scaler.transform(X_privileged[test_rows[has_privileged]])
    predictions = {
        key: search.predict(asked_privileged if key == "reference" else asked)
        for key, search in searches.items()
    }
    one_answer = {key: int((predicted == predicted[0]).all()) for key, predicted in predictions.items()}
    labels, counts = np.unique(y_seen, return_counts=True)
    predictions["most_frequent"] = np.full(test_rows.size, labels[counts.argmax()])
    predictions["svm_where_privileged"] = predictions["svm"][has_privileged]
    y_asked = y[test_rows]
    with _expected_warnings_ignored():
        row: Row = {
            f"{key}_score": float(
                score(y_asked[has_privileged] if key in _WHERE_PRIVILEGED else y_asked, predicted)
            )
            for key, predicted in predictions.items()
        }
    row |= {f"{key}_one_answer": value for key, value in one_answer.items()}
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
        "n_test_privileged": int(has_privileged.sum()),
    }


def train(
    key: str,
    X: Matrix,
    X_privileged: Matrix,
    y: Labels,
    choices: Choices,
    seed: int,
    groups: Labels | None = None,
) -> Search:
    """Train one method, its parameters chosen by stratified cross-validation on the same samples.

    Of equal scores the point with the best neighbours on the grid counts, as in all experiments. A plain SVM is
    Margin Transfer with every margin 1, so that one solver trains all methods.

    Parameters
    ----------
    key : str
        Key of one of `METHODS`.
    X, X_privileged : ndarray or sparse matrix of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        Scaled features in both spaces; a row of X* that is all NaN marks a sample without privileged features.
    y : ndarray of shape (n_samples,)
        Labels.
    choices : Choices
        How classifiers are trained.
    seed : int
        Seed of the folds.
    groups : ndarray of shape (n_samples,) or None, default=None
        Samples of a group stay together in the folds.

    Returns
    -------
    MarginTransferSVCCV or SVMPlusCV
        The search, with the classifier trained on all samples as ``best_estimator_``. The reference takes
        samples in X*, the others in X.
    """
    present = rows_present(X_privileged)
    if key == "reference":
        groups = None if groups is None else groups[present]
        X, X_privileged, y, present = (
            X_privileged[present],
            X_privileged[present],
            y[present],
            present[present],
        )
    unit, privileged_unit = (_unit_of_C(values, choices.kernel) for values in (X, X_privileged[present]))
    Cs = _in_unit(choices.grid, unit)
    common: dict[str, Any] = {
        "kernel": choices.kernel,
        "privileged_kernel": choices.kernel,
        "class_weight": choices.class_weight,
        "cv": split_stratified(y, present, choices.n_inner_folds, seed, groups),
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
            privileged_Cs = _in_unit(choices.grid, privileged_unit)
            search = MarginTransferSVCCV(Cs, privileged_Cs, refit=refit, **common)
        else:
            # The squared norms of both spaces stand side by side in the objective: each counts in its own unit.
            alphas = _in_unit(choices.grid, unit / privileged_unit)
            search = SVMPlusCV(Cs, alphas, refit=refit, **common)
        return search.fit(X, y, X_privileged=X_privileged)


def transform_present(scaler: TransformerMixin, X_privileged: Matrix) -> Matrix:
    """Scale the rows that are there, and leave the others NaN.

    Parameters
    ----------
    scaler : TransformerMixin
        Fitted.
    X_privileged : ndarray or sparse matrix of shape (n_samples, n_privileged_features)
        Privileged features.

    Returns
    -------
    ndarray or sparse matrix of shape (n_samples, n_privileged_features)
        A new matrix.
    """
    present = rows_present(X_privileged)
    if present.all():
        return scaler.transform(X_privileged)
    scaled = np.full(X_privileged.shape, np.nan)
    scaled[present] = scaler.transform(X_privileged[present])
    return scaled


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


def _in_unit(grid: tuple[float, ...], unit: float) -> list[float]:
    """Return the values to try; twelve digits, so that 0.2 is not written as 0.19999999999999996."""
    return [float(f"{value * unit:.12g}") for value in grid]


@contextmanager
def _expected_warnings_ignored() -> Generator[None]:
    """Ignore what a row counts, a plain SVM without privileged features, and a test part without some class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CollapseWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="X_privileged was not given")
        warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
        yield

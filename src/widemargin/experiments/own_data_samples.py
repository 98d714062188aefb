"""A user's samples, and how they are divided into folds."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from widemargin.datasets import DatasetError

__all__ = ["OwnData", "check_rows", "count_inner_folds", "rows_present", "split_stratified"]

LARGEST_N_INNER_FOLDS = 5

Matrix = Any  # A dense array or a sparse matrix, of float64.
Labels = npt.NDArray[Any]
Indices = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class OwnData:
    """A user's samples.

    Parameters
    ----------
    X, X_privileged : ndarray or sparse matrix of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        Features, and those that exist in training only; finite, but a row of the latter that is all NaN marks a
        sample without them.
    y : ndarray of shape (n_samples,)
        Labels, integers or text.
    groups : ndarray of shape (n_samples,) or None, default=None
        Which samples belong together, such as the images of one patient: those of a group stay in the same part of
        every division. None if every sample is on its own.
    X_name, X_privileged_name, y_name, groups_name : str, default="X", "X*", "labels" and "groups"
        What messages and the report call them, such as the names of their files.
    """

    X: Matrix
    X_privileged: Matrix
    y: npt.NDArray[Any]
    groups: npt.NDArray[Any] | None = None
    X_name: str = "X"
    X_privileged_name: str = "X*"
    y_name: str = "labels"
    groups_name: str = "groups"

    @property
    def present(self) -> npt.NDArray[np.bool_]:
        """Which samples have privileged features."""
        return rows_present(self.X_privileged)


def check_rows(data: OwnData) -> None:
    """See that all files have the same number of rows.

    Parameters
    ----------
    data : OwnData
        The samples.

    Raises
    ------
    DatasetError
        If they do not.
    """
    n_rows = data.X.shape[0]
    files = [(data.X_privileged_name, data.X_privileged), (data.y_name, data.y)]
    if data.groups is not None:
        files.append((data.groups_name, data.groups))
    for name, values in files:
        if values.shape[0] != n_rows:
            raise DatasetError(
                f"{data.X_name} has {n_rows} rows, {name} has {values.shape[0]}: give one row for each sample in both, "
                "in the same order."
            )


def count_inner_folds(data: OwnData, n_folds: int) -> int:
    """Return the number of inner folds that every training part allows.

    Parameters
    ----------
    data : OwnData
        The samples.
    n_folds : int
        Number of outer folds.

    Returns
    -------
    int
        From 2 to 5.

    Raises
    ------
    DatasetError
        If there is one class, or a class has too few samples (or groups) for the outer folds.
    """
    classes = np.unique(data.y)
    if classes.size < 2:
        raise DatasetError(
            f"{data.y_name} has one class, {classes[0]}: a classifier needs samples of at least two."
        )
    present = data.present
    # Samples of a group count once: they cannot be divided.
    units = np.arange(data.y.size) if data.groups is None else data.groups
    noun = "sample" if data.groups is None else "group"
    counts = np.array([np.unique(units[present & (data.y == label)]).size for label in classes])
    fewest = int(counts.min())
    left = fewest - -(-fewest // n_folds)
    if fewest < n_folds or left < 2:
        least = max(n_folds, 3 if n_folds > 2 else 4)
        remedy = f"give more {noun}s of it, or leave the class out"
        if fewest >= 3:
            remedy = f"choose {fewest} folds{' or fewer' * (fewest > 3)}, {remedy}"
        raise DatasetError(
            f"{data.y_name} has {fewest} {noun if fewest == 1 else f'{noun}s'} of the class "
            f"{classes[counts.argmin()]}{'' if present.all() else f' with a row in {data.X_privileged_name}'}, and "
            f"{n_folds} folds need at least {least} of every class: {remedy}."
        )
    return min(LARGEST_N_INNER_FOLDS, left)


def split_stratified(
    y: Labels, present: Mask, n_folds: int, seed: int, groups: Labels | None = None
) -> list[tuple[Indices, Indices]]:
    """Divide samples into folds with the same shares of every class, and of samples with privileged features.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Labels.
    present : ndarray of bool of shape (n_samples,)
        Which samples have privileged features.
    n_folds : int
        Number of folds, at least 2.
    seed : int
        Seed of the division.
    groups : ndarray of shape (n_samples,) or None, default=None
        Samples of a group stay together; the shares are then as equal as that allows.

    Returns
    -------
    list of (ndarray of int, ndarray of int)
        Places of the training and of the test part of each fold.

    Raises
    ------
    DatasetError
        If the groups leave a training part without a class, or a test part without privileged features.
    """
    strata = np.unique(y, return_inverse=True)[1] * 2 + present
    splitter = (StratifiedKFold if groups is None else StratifiedGroupKFold)(
        n_folds, shuffle=True, random_state=seed
    )
    with warnings.catch_warnings():
        # A few samples of a class without privileged features may be too few for all folds.
        warnings.filterwarnings("ignore", message="The least populated class")
        folds = list(splitter.split(np.zeros((y.size, 1)), strata, groups))
    n_classes = np.unique(y).size
    for train, test in folds:
        if np.unique(y[train][present[train]]).size < n_classes or not present[test].any():
            raise DatasetError(
                f"the groups cannot be divided into {n_folds} folds, because a few of them hold most samples of a "
                "class: choose fewer folds, or make smaller groups."
            )
    return folds


def rows_present(X_privileged: Matrix) -> Mask:
    """Tell which samples have privileged features.

    Parameters
    ----------
    X_privileged : ndarray or sparse matrix of shape (n_samples, n_privileged_features)
        Privileged features; a dense row that is all NaN marks a sample without them.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        True where there are some.
    """
    if issparse(X_privileged):
        return np.ones(X_privileged.shape[0], dtype=bool)
    return ~np.isnan(X_privileged).all(axis=1)

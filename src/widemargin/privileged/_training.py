"""What the estimators of this part make of the arguments of `fit`, checked once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import _num_samples, validate_data

from widemargin.kernels import KERNELS
from widemargin.solvers.kernel_space import KernelSpace, resolve_kernel
from widemargin.validation import (
    check_choice,
    check_features_finite,
    check_labels,
    check_non_negative,
    check_number,
    check_numbers,
    check_optional_rows,
    check_sample_weight,
    check_square_kernel,
)

__all__ = ["TrainingSet", "privileged_space", "read_training_set", "sample_space"]

Array = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class TrainingSet:
    """Samples of positive weight, those with privileged features first.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Features; for a precomputed kernel the square kernel matrix.
    labels : ndarray of int of shape (n_samples,)
        Index into `classes`.
    classes : ndarray of shape (n_classes,)
        Sorted labels.
    sample_weights : ndarray of shape (n_samples,)
        Weights that the user gave, > 0.
    class_weight : "balanced", dict or None
        Further weights of the classes, "balanced" ones of these samples.
    rows : ndarray of int of shape (n_samples,)
        Row of each sample in what the user passed.
    n_rows : int
        Number of rows the user passed.
    X_privileged : ndarray or sparse matrix of shape (n_privileged, n_privileged_features), or None
        Privileged features of the first n_privileged samples.
    kernel, privileged_kernel : object
        The estimator's kernels: precomputed ones are matrices of samples by samples.
    """

    X: Any
    labels: Indices
    classes: npt.NDArray[Any]
    sample_weights: Array
    class_weight: Any
    rows: Indices
    n_rows: int
    X_privileged: Any
    kernel: Any
    privileged_kernel: Any

    @cached_property
    def weights(self) -> Array:
        """Product of sample and class weight, of shape (n_samples,), > 0."""
        if self.class_weight is None:
            return self.sample_weights
        of_class = compute_class_weight(self.class_weight, classes=self.classes, y=self.classes[self.labels])
        return self.sample_weights * of_class[self.labels]

    @property
    def n_problems(self) -> int:
        """Number of binary problems: one for two classes, else one a class."""
        return 1 if self.classes.size == 2 else self.classes.size

    def signs(self) -> Iterator[Array]:
        """Yield the labels -1 and 1 of each binary problem."""
        for k in [1] if self.classes.size == 2 else range(self.classes.size):
            yield np.where(self.labels == k, 1.0, -1.0)

    def subset(self, index: Indices) -> TrainingSet:
        """Return the samples at increasing positions `index`."""
        n_privileged = 0 if self.X_privileged is None else self.X_privileged.shape[0]
        inside = index[index < n_privileged]
        return replace(
            self,
            X=_take(self.X, index, self.kernel),
            labels=self.labels[index],
            sample_weights=self.sample_weights[index],
            rows=self.rows[index],
            X_privileged=_take(self.X_privileged, inside, self.privileged_kernel) if inside.size else None,
        )

    def to_rows(self, values: Array, fill: float = np.nan) -> Array:
        """Values of the samples in the user's order, with `fill` for rows that were left out."""
        full = np.full((self.n_rows, *values.shape[1:]), fill)
        full[self.rows] = values
        return full


def read_training_set(
    estimator: Any,
    X: Any,
    y: Any,
    X_privileged: Any,
    sample_weight: Any,
) -> TrainingSet:
    """Check the arguments of `fit`; the estimator gets `n_features_in_`, `feature_names_in_` and `classes_`.

    Raises
    ------
    ValueError
        If an argument is malformed, the numbers of rows differ, or fewer than two classes have positive weight.
    """
    kernel, privileged_kernel = estimator.kernel, estimator.privileged_kernel
    check_choice("kernel", kernel, KERNELS, function=True)
    check_choice("privileged_kernel", privileged_kernel, KERNELS, function=True)
    if y is not None and _num_samples(y) != _num_samples(X):
        raise ValueError(
            f"y has {_num_samples(y)} labels, X has {_num_samples(X)} rows: pass one label per training sample."
        )
    X, y = validate_data(estimator, X, y, accept_sparse="csr", dtype=np.float64, ensure_all_finite=False)
    check_features_finite("X", X)
    classes, labels = check_labels(y)
    estimator.classes_ = classes
    n_rows = X.shape[0]
    weights = check_sample_weight(sample_weight, n_rows)
    keep = weights > 0
    _check_classes_kept(classes, labels[keep], estimator.class_weight)
    missing = np.zeros(n_rows, dtype=bool)
    if X_privileged is not None:
        X_privileged, missing = _read_privileged_rows(X_privileged, n_rows, privileged_kernel)
    if X_privileged is None or missing[keep].all():
        X_privileged = None
        rows = np.flatnonzero(keep)
    else:
        rows = np.concatenate([np.flatnonzero(keep & ~missing), np.flatnonzero(keep & missing)])
        n_privileged = int((keep & ~missing).sum())
        X_privileged = _take(X_privileged, rows[:n_privileged], privileged_kernel)
    if isinstance(kernel, str) and kernel == "precomputed":
        X = check_square_kernel(
            "X",
            "kernel='precomputed'",
            X,
            "pass k(X_train, X_train), sliced on both axes where you select samples.",
        )
    if isinstance(kernel, str) and kernel == "chi2":
        check_non_negative("X", "kernel", X)
    in_order = rows.size == n_rows and np.array_equal(rows, np.arange(n_rows))
    return TrainingSet(
        X if in_order else _take(X, rows, kernel),
        labels[rows],
        classes,
        weights[rows],
        estimator.class_weight,
        rows,
        n_rows,
        X_privileged,
        kernel,
        privileged_kernel,
    )


def _check_classes_kept(classes: npt.NDArray[Any], labels: Indices, class_weight: Any) -> None:
    """Raise ValueError if the weights leave a class without samples, or are none."""
    lost = np.setdiff1d(np.arange(classes.size), labels)
    if not lost.size and class_weight is not None:
        class_weights = compute_class_weight(class_weight, classes=classes, y=classes[labels])
        for label, weight in zip(classes.tolist(), class_weights, strict=True):
            check_number(f"class_weight of class {label!r}", float(weight), at_least=0)
        lost = np.flatnonzero(class_weights == 0)
    if lost.size:
        raise ValueError(
            f"sample_weight and class_weight leave no sample of class {classes[lost].tolist()}: give each class a "
            "positive weight or remove its samples."
        )


def _read_privileged_rows(value: Any, n_rows: int, kernel: Any) -> tuple[Any, npt.NDArray[np.bool_]]:
    precomputed = isinstance(kernel, str) and kernel == "precomputed"
    if precomputed and not issparse(value):
        # What a kernel matrix holds in the columns of samples whose row is missing does not matter.
        value = check_numbers("X_privileged", value, copy=True)
        if value.ndim == 2 and value.shape[0] == value.shape[1]:
            absent = np.isnan(value).all(axis=1)
            value[np.ix_(~absent, absent)] = 0.0
    matrix, missing = check_optional_rows("X_privileged", value, n_rows)
    if not precomputed:
        return matrix, missing
    if missing.any():
        matrix[missing] = 0.0
    return check_square_kernel(
        "X_privileged",
        "privileged_kernel='precomputed'",
        matrix,
        "cross-validation and its like slice X_privileged on rows only, so pass features and a kernel name or "
        "function there instead.",
    ), missing


def _take(matrix: Any, rows: Indices, kernel: Any) -> Any:
    if isinstance(kernel, str) and kernel == "precomputed":
        return np.ascontiguousarray(matrix[np.ix_(rows, rows)])
    return matrix[rows]


def sample_space(estimator: Any, data: TrainingSet, *, center: bool) -> KernelSpace:
    """Space of the features under the estimator's kernel."""
    kernel = resolve_kernel(estimator.kernel, estimator.gamma, estimator.degree, estimator.coef0, data.X)
    return KernelSpace(kernel, data.X, center=center)


def privileged_space(estimator: Any, data: TrainingSet, *, center: bool) -> KernelSpace:
    """Space of the privileged features under the estimator's privileged kernel.

    A clone of the estimator's privileged transformer, if any, is fitted to the features, transforms them, and
    becomes `privileged_transformer_`.
    """
    X_privileged = data.X_privileged
    if estimator.privileged_transformer is not None:
        if isinstance(data.privileged_kernel, str) and data.privileged_kernel == "precomputed":
            raise ValueError(
                "privileged_transformer cannot transform a kernel matrix, but privileged_kernel is 'precomputed': "
                "pass features and another kernel, or transform them before you compute it."
            )
        if isinstance(estimator.privileged_transformer, type) or not hasattr(
            estimator.privileged_transformer, "fit_transform"
        ):
            raise TypeError(
                f"privileged_transformer must be a transformer, got {estimator.privileged_transformer!r}: pass an "
                "instance with fit_transform."
            )
        transformer = clone(estimator.privileged_transformer)
        n_privileged = X_privileged.shape[0]
        X_privileged = transformer.fit_transform(X_privileged, data.classes[data.labels[:n_privileged]])
        X_privileged = X_privileged if issparse(X_privileged) else np.asarray(X_privileged, dtype=float)
        if X_privileged.ndim != 2 or X_privileged.shape[0] != n_privileged:
            raise ValueError(
                f"privileged_transformer returned an array of shape {X_privileged.shape} for {n_privileged} samples: "
                "it must return one row a sample, in their order."
            )
        check_features_finite("privileged_transformer output", X_privileged)
        estimator.privileged_transformer_ = transformer
    kernel = estimator.privileged_kernel
    if isinstance(kernel, str) and kernel == "chi2":
        check_non_negative("X_privileged", "privileged_kernel", X_privileged)
    resolved = resolve_kernel(
        kernel,
        estimator.privileged_gamma,
        estimator.privileged_degree,
        estimator.privileged_coef0,
        X_privileged,
        prefix="privileged_",
    )
    return KernelSpace(resolved, X_privileged, center=center)

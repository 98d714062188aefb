"""The one place that says what is wrong with an input: parameter, expectation, value and remedy.

SciPy and scikit-learn are imported by the functions that need them: they take two seconds, and processes that only
check numbers, such as the video decoder, start in a tenth of that without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "LARGEST_VALUE",
    "LEAST_SHARE",
    "check_choice",
    "check_features_finite",
    "check_flag",
    "check_fpr_range",
    "check_integer",
    "check_labels",
    "check_magnitude",
    "check_margins",
    "check_non_negative",
    "check_number",
    "check_numbers",
    "check_optional_rows",
    "check_sample_weight",
    "check_square_kernel",
    "proportional_weight",
]

LARGEST_VALUE = 1e70
"""Largest size of a feature: products of two inner products of a million such are still finite."""

LEAST_SHARE = 1e-100
"""Smallest share of the weight that a class may have: its reciprocal and its square are still far from overflow."""

_LARGEST_INTEGER = 2**62
_LARGEST_COUNT = 2.0**53
_NARROWEST_RANGE = 1e-15


def check_number(
    name: str,
    value: Any,
    *,
    above: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> float:
    """Return a finite real number as float, or say which bound it misses.

    Parameters
    ----------
    name : str
        Name of the parameter, for the message.
    value : object
        What the user passed.
    above, at_least : float, optional
        Exclusive and inclusive lower bound; give at most one.
    at_most : float, optional
        Inclusive upper bound, beside `at_least`.

    Returns
    -------
    float
        The value; integers are converted, so that C=1 and C=1.0 mean the same.

    Raises
    ------
    TypeError
        If the value is not a real number.
    ValueError
        If it is not finite or misses the bound.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a real number, got {value!r}: pass a float.")
    bound = ""
    if above is not None:
        bound = f" and greater than {above:g}"
    elif at_least is not None:
        bound = f" and at least {at_least:g}" if at_most is None else f" and from {at_least:g} to {at_most:g}"
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError(
            f"{name} must be finite{bound}, got a number beyond those of float64: pass a smaller one."
        ) from error
    low = (above is not None and number <= above) or (at_least is not None and number < at_least)
    high = at_most is not None and number > at_most
    if not np.isfinite(number) or low or high:
        raise ValueError(f"{name} must be finite{bound}, got {value!r}: pass a number in that range.")
    return number


def check_integer(name: str, value: Any, *, at_least: int, unlimited: int | None = None) -> int:
    """Return an integer within its bound; `unlimited` is a further value that stands for no limit.

    Raises
    ------
    TypeError
        If the value is not an integer.
    ValueError
        If it is below the bound, or beyond what native code takes.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral):
        raise TypeError(f"{name} must be an integer, got {value!r}: pass an int.")
    if abs(int(value)) > _LARGEST_INTEGER:
        # Python does not print an integer of more than 4300 digits.
        raise ValueError(f"{name} must be at most {_LARGEST_INTEGER} in size: pass a smaller number.")
    if value < at_least and value != unlimited:
        alternative = "" if unlimited is None else f", or {unlimited} for no limit of your own"
        raise ValueError(f"{name} must be at least {at_least}{alternative}, got {value}.")
    return int(value)


def check_flag(name: str, value: Any) -> None:
    """Raise TypeError unless the value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}: pass a bool.")


def check_choice(name: str, value: Any, choices: tuple[str, ...], *, function: bool = False) -> None:
    """Raise ValueError unless the value is one of the choices, or a function where that is allowed."""
    if (function and callable(value)) or (isinstance(value, str) and value in choices):
        return
    listed = ", ".join(repr(choice) for choice in choices)
    extra = " or a function" if function else ""
    raise ValueError(f"{name} must be one of {listed}{extra}, got {value!r}: pass one of these.")


def check_labels(y: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """Return the sorted classes and each sample's index into them.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        Strings, integers, booleans or integral floats; also as an array of objects, all of one kind.

    Returns
    -------
    classes : ndarray of shape (n_classes,)
        At least two.
    labels : ndarray of int of shape (n_samples,)
        Index into `classes`.

    Raises
    ------
    ValueError
        If y holds no labels, or one class only.
    """
    if not y.size:
        raise ValueError("y is empty: pass one label per sample.")
    if y.dtype == object:
        unboxed = np.array(y.tolist())
        y = unboxed if unboxed.dtype.kind in "biuf" else y
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError(
            "y must hold one label per sample, all strings, all integers or all booleans, but has NaN or infinity: "
            "remove these samples, or give them a label."
        )
    from sklearn.utils.multiclass import check_classification_targets

    try:
        check_classification_targets(y)
        classes, labels = np.unique(y, return_inverse=True)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"y must hold one label per sample, all strings, all integers or all booleans: {error}"
        ) from error
    if classes.size < 2:
        raise ValueError(
            f"y has one class, {classes.tolist()[0]!r}: a classifier needs samples of at least two classes."
        )
    return classes, labels


def check_sample_weight(sample_weight: Any, n_samples: int) -> npt.NDArray[np.float64]:
    """Return one finite, non-negative weight a sample, ones if None.

    Raises
    ------
    ValueError
        If the length is wrong, a weight is negative or not finite, or all are zero.
    """
    if sample_weight is None:
        return np.ones(n_samples)
    if isinstance(sample_weight, Integral):
        weight = np.full(n_samples, check_number("sample_weight", int(sample_weight)))
    elif isinstance(sample_weight, Real):
        weight = np.full(n_samples, float(sample_weight))
    else:
        weight = check_numbers("sample_weight", sample_weight)
    if weight.shape != (n_samples,):
        raise ValueError(
            f"sample_weight.shape == {weight.shape}, expected ({n_samples},): pass one weight per sample."
        )
    check_features_finite("sample_weight", weight)
    if weight.min() < 0:
        raise ValueError(
            f"sample_weight must not be negative, got {weight.min():g} for sample {int(weight.argmin())}: "
            "pass weights of at least 0."
        )
    if not weight.any():
        raise ValueError(
            "sample_weight is zero for every sample: pass at least one positive weight for each class."
        )
    return weight


def proportional_weight(
    weight: npt.NDArray[np.float64], labels: npt.NDArray[Any], names: Sequence[Any]
) -> npt.NDArray[np.float64]:
    """Return weights that no sum or quotient of them overflows, for a use where weights of samples count rows.

    Parameters
    ----------
    weight : ndarray of shape (n_samples,)
        Checked weights.
    labels : ndarray of int or bool of shape (n_samples,)
        Class of each sample, 0 or 1.
    names : sequence of length 2
        How to call the classes in the message.

    Returns
    -------
    ndarray of shape (n_samples,)
        The same weights if they are whole numbers that can be counted, else a multiple of them.

    Raises
    ------
    ValueError
        If a class has no weight, or less than `LEAST_SHARE` of that of the other.
    """
    with np.errstate(over="ignore"):
        counts = weight.sum() <= _LARGEST_COUNT and np.all(weight == np.floor(weight))
    if not counts:
        # Whole numbers say how often a sample is there, as long as float64 adds them exactly. All others mean their
        # proportions alone. A power of two keeps these exact, and a largest weight in [1/2, 1) cannot be taken for a
        # whole number afterwards.
        weight = np.ldexp(weight, -int(np.frexp(weight.max())[1]))
    totals = np.bincount(labels, weights=weight, minlength=2)
    for name, total in zip(names, totals.tolist(), strict=True):
        if total == 0.0:
            raise ValueError(
                f"sample_weight leaves no sample of class {name!r}: give each class a positive weight."
            )
        if total < LEAST_SHARE * totals.max():
            raise ValueError(
                f"sample_weight gives class {name!r} less than {LEAST_SHARE:g} of the weight of the other: pass "
                "weights of more similar size."
            )
    return weight


def check_numbers(name: str, value: Any, *, accept_sparse: bool = False, copy: bool = False) -> Any:
    """Return an array, or sparse CSR matrix, of float64 of any shape; its values may be NaN or infinite.

    Raises
    ------
    ValueError
        If the value is no array of real numbers.
    """
    from sklearn.utils import check_array

    try:
        return check_array(
            value,
            accept_sparse="csr" if accept_sparse else False,
            dtype=np.float64,
            copy=copy,
            ensure_2d=False,
            allow_nd=True,
            ensure_all_finite=False,
            ensure_min_samples=0,
            ensure_min_features=0,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must be an array of real numbers, got {type(value).__name__}: {error}"
        ) from error


def check_optional_rows(
    name: str, value: Any, n_samples: int, *, accept_sparse: bool = True
) -> tuple[Any, npt.NDArray[np.bool_]]:
    """Return a matrix with one row a sample, in which a row may be missing as a whole.

    Parameters
    ----------
    name : str
        Name of the parameter, for the messages.
    value : array-like or sparse matrix of shape (n_samples, n_features)
        What the user passed; a row of NaN alone is a missing row.
    n_samples : int
        Number of rows of X.
    accept_sparse : bool, default=True
        Whether a sparse matrix stays one.

    Returns
    -------
    matrix : ndarray or sparse matrix of float64
        The rows.
    missing : ndarray of bool of shape (n_samples,)
        Which rows are missing.

    Raises
    ------
    ValueError
        If the shape is not that, a row is NaN in part, or a value is no number or infinite.
    """
    matrix = check_numbers(name, value, accept_sparse=accept_sparse)
    if matrix.ndim != 2 or matrix.shape[1] == 0:
        raise ValueError(
            f"{name} has shape {matrix.shape}, expected ({n_samples}, n_features) with at least one feature: pass one "
            "row per training sample, a single feature as a column with reshape(-1, 1)."
        )
    if matrix.shape[0] != n_samples:
        raise ValueError(
            f"{name} has {matrix.shape[0]} rows, X has {n_samples}: pass one row of privileged features per training "
            "sample."
        )
    from scipy.sparse import issparse

    if issparse(matrix):
        check_features_finite(name, matrix)
        return matrix, np.zeros(n_samples, dtype=bool)
    nan = np.isnan(matrix)
    missing = nan.all(axis=1)
    partial = nan.any(axis=1) & ~missing
    if partial.any():
        row = int(np.argmax(partial))
        raise ValueError(
            f"{name} has NaN in part of row {row} (of {int(partial.sum())} such rows): impute the values, or set "
            "the whole row to NaN if the sample has no privileged information."
        )
    check_features_finite(name, matrix[~missing])
    return matrix, missing


def check_features_finite(name: str, matrix: Any) -> None:
    """Raise ValueError if a value of an array or sparse matrix is NaN or infinite."""
    from scipy.sparse import issparse

    values = np.asarray(matrix.data) if issparse(matrix) else matrix
    finite = np.isfinite(values)
    if not finite.all():
        found = " and ".join(
            kind
            for kind, present in (("NaN", np.isnan(values).any()), ("infinity", np.isinf(values).any()))
            if present
        )
        raise ValueError(
            f"{name} contains {found} ({finite.size - int(finite.sum())} of {finite.size} values): impute, replace or "
            "remove these values."
        )


def check_magnitude(name: str, matrix: Any) -> None:
    """Raise ValueError if products of the features in an array or sparse matrix could overflow."""
    # The absolute values of a large array would be a second one.
    largest = max(float(matrix.max()), -float(matrix.min()))
    if largest > LARGEST_VALUE:
        raise ValueError(
            f"{name} has values of up to {largest:g}, whose products overflow: scale the features to values below "
            f"{LARGEST_VALUE:g}."
        )


def check_non_negative(name: str, parameter: str, matrix: Any) -> None:
    """Raise ValueError if an array or sparse matrix has a negative value, which the chi2 kernel does not take."""
    smallest = matrix.min()
    if smallest < 0:
        raise ValueError(
            f"Negative values in data: {name} has values down to {smallest:g}, but {parameter}='chi2' compares "
            "histograms: pass non-negative features or choose another kernel."
        )


def check_fpr_range(fpr_range: Any) -> tuple[float, float]:
    """Return a range of false positive rates as two floats.

    Parameters
    ----------
    fpr_range : tuple of (float, float)
        What the user passed.

    Returns
    -------
    tuple of (float, float)
        The range (alpha, beta).

    Raises
    ------
    TypeError
        If an end is no number.
    ValueError
        If it is not two numbers with ``0 <= alpha < beta <= 1``, or the range is narrower than 1e-15.
    """
    message = (
        f"fpr_range must be two false positive rates (alpha, beta) with 0 <= alpha < beta <= 1, got {fpr_range!r}: "
        "pass fractions such as (0.0, 0.1)."
    )
    if isinstance(fpr_range, str) or np.shape(fpr_range) != (2,):
        raise ValueError(message)
    alpha, beta = (check_number("fpr_range", end) for end in fpr_range)
    if not 0 <= alpha < beta <= 1:
        raise ValueError(message)
    if beta - alpha < _NARROWEST_RANGE:
        raise ValueError(
            f"fpr_range must be at least {_NARROWEST_RANGE:g} wide, got {fpr_range!r}: pass a wider range, "
            "such as one that holds a negative."
        )
    return alpha, beta


def check_square_kernel(name: str, parameter: str, matrix: Any, remedy: str) -> npt.NDArray[np.float64]:
    """Return a training kernel as a new symmetric C-contiguous array.

    Parameters
    ----------
    name : str
        What the matrix is, for the messages.
    parameter : str
        The parameter and value that ask for it, for the messages.
    matrix : ndarray or sparse matrix
        The kernel matrix of the training samples.
    remedy : str
        What to do about a wrong shape, for the message.

    Returns
    -------
    ndarray of shape (n_samples, n_samples)
        The matrix.

    Raises
    ------
    ValueError
        If the matrix is not square or not symmetric.
    """
    from scipy.sparse import issparse

    dense = matrix.toarray() if issparse(matrix) else matrix
    if dense.shape[0] != dense.shape[1]:
        raise ValueError(
            f"{name} has shape {dense.shape}, but {parameter} needs the square kernel matrix of the training samples: "
            f"{remedy}"
        )
    difference = float(np.abs(dense - dense.T).max())
    if difference > 1e-8 * float(np.abs(dense).max()):
        raise ValueError(
            f"{name} is not symmetric (entries differ by up to {difference:g}), but {parameter} stands for a symmetric "
            "kernel matrix: compute it as k(X, X), or symmetrise it with (K + K.T) / 2."
        )
    return np.ascontiguousarray(0.5 * (dense + dense.T))


def check_margins(margins: Any, n_samples: int, n_problems: int) -> npt.NDArray[np.float64]:
    """Return given margins as an array of shape (n_samples, n_problems).

    Raises
    ------
    ValueError
        If the shape does not fit or a margin is not finite.
    """
    array = check_numbers("margins", margins)
    if n_problems == 1 and array.shape == (n_samples,):
        array = array[:, None]
    if array.shape != (n_samples, n_problems):
        expected = f"({n_samples},)" if n_problems == 1 else f"({n_samples}, {n_problems})"
        columns = "" if n_problems == 1 else ", one column per class"
        raise ValueError(
            f"margins has shape {array.shape}, expected {expected}: pass one margin per training sample{columns}."
        )
    check_features_finite("margins", array)
    return array

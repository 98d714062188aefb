"""What the proximal maps accept: numbers of any real type, and one weight for all pairs or one for each."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.validation import LARGEST_VALUE, check_features_finite, check_magnitude, check_numbers

__all__ = ["check_pair_weights", "check_values", "result_dtype"]

Array = npt.NDArray[np.float64]


def result_dtype(value: Any) -> np.dtype[Any]:
    """Return the floating type of the value itself, and float64 for what has none."""
    dtype = getattr(value, "dtype", None)
    floating = isinstance(dtype, np.dtype) and dtype in (np.float16, np.float32)
    return np.dtype(dtype) if floating else np.dtype(np.float64)


def check_values(name: str, value: Any) -> npt.NDArray[Any]:
    """Return a finite, not empty array of float32, as which the value is kept, or of float64.

    Parameters
    ----------
    name : str
        Name of the parameter, for the messages.
    value : array-like
        What the user passed; it may be returned itself.

    Returns
    -------
    ndarray of float32 or float64
        The values, of any shape and layout.

    Raises
    ------
    ValueError
        If it is empty, no array of real numbers, or has NaN, infinity or values beyond 1e70.
    """
    is_single = isinstance(value, np.ndarray) and value.dtype == np.float32
    array: npt.NDArray[Any] = value if is_single else check_numbers(name, value)
    if array.size == 0:
        raise ValueError(f"{name} is empty, with shape {array.shape}: pass at least one number.")
    # Two readings without a temporary; the checks, which need some, find out what is wrong. NaN fails the comparison.
    if not max(-float(array.min()), float(array.max())) <= LARGEST_VALUE:
        check_features_finite(name, array)
        check_magnitude(name, array)
    return array


def check_pair_weights(name: str, value: Any, n_pairs: int, n_classes: int | None = None) -> Array:
    """Return the weights of the pairs of neighbours as new contiguous float64 of shape (n_classes or 1, n_pairs).

    Parameters
    ----------
    name : str
        Name of the parameter, for the messages.
    value : float or array-like of shape (n_pairs,) or (n_classes, n_pairs)
        What the user passed; infinity is allowed.
    n_pairs : int
        Number of neighbours.
    n_classes : int, optional
        Number of classes; None: a row a class is not accepted.

    Returns
    -------
    ndarray of shape (n_classes or 1, n_pairs)
        The weights.

    Raises
    ------
    TypeError
        If it is no number and no array.
    ValueError
        If the shape is wrong, or a weight is negative, NaN or no real number.
    """
    if isinstance(value, bool | np.bool_ | str | bytes) or value is None:
        raise TypeError(f"{name} must be a number or an array of one number per pair, got {value!r}.")
    weights = np.asarray(float(value)) if isinstance(value, Real) else check_numbers(name, value)
    n_rows = 1 if n_classes is None else n_classes
    shapes = [(), (n_pairs,)] + ([(n_rows, n_pairs)] if n_classes is not None else [])
    if weights.shape not in shapes:
        expected = " or ".join(str(shape) for shape in shapes[1:])
        raise ValueError(
            f"{name} has shape {weights.shape}, expected a number or shape {expected}: pass one weight per pair of "
            "neighbours."
        )
    if not np.all(weights >= 0):
        smallest = "NaN" if np.isnan(weights).any() else f"{weights.min():g}"
        raise ValueError(f"{name} must be at least 0 (infinity is allowed), got {smallest}.")
    return np.array(np.broadcast_to(weights, (n_rows, n_pairs)), dtype=np.float64, order="C")

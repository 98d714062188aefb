"""What metrics, agreement and plots ask of the numbers they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_number, check_numbers

__all__ = ["check_level", "real_array"]


def real_array(name: str, values: Any) -> npt.NDArray[np.float64]:
    """Return an array of real numbers, of any shape; its values may be NaN or infinite.

    Parameters
    ----------
    name : str
        Name of the parameter, for the message.
    values : array-like
        What the user passed.

    Returns
    -------
    ndarray of float64
        The numbers.

    Raises
    ------
    ValueError
        If the values are no real numbers, or some of them are masked.
    """
    if np.ma.is_masked(values):
        raise ValueError(
            f"{name} has {np.ma.count_masked(values)} masked values, and nothing here knows what they stand "
            "for: drop the masked entries from every array, or fill them."
        )
    return check_numbers(name, values)


def check_level(level: Any) -> float:
    """Return a confidence level.

    Parameters
    ----------
    level : float
        What the user passed.

    Returns
    -------
    float
        The level.

    Raises
    ------
    TypeError
        If it is not a real number.
    ValueError
        If it is not strictly between 0 and 1.
    """
    number = check_number("level", level)
    if not 0 < number < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, got {level!r}: use 0.95 for 95 %.")
    return number

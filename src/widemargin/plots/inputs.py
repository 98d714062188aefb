"""What the displays ask of names and of values that come one a task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.metrics.inputs import real_array

__all__ = ["check_names", "check_significant", "check_standard_error"]


def check_names(name: str, values: Any) -> list[Any]:
    """Return names as a list, and refuse a string, whose characters would pass for names.

    Parameters
    ----------
    name : str
        Name of the parameter, for the message.
    values : iterable of objects
        What the user passed.

    Returns
    -------
    list
        The names, as given.

    Raises
    ------
    TypeError
        If it is a string or not iterable.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise TypeError(f"{name} must be a sequence of names, got {values!r}: pass a list with every name.")
    return list(values)


def check_standard_error(values: Any, n_tasks: int) -> npt.NDArray[np.float64]:
    """Return one standard error a task, NaN where it is not known.

    Parameters
    ----------
    values : array-like of shape (n_tasks,) or None
        What the user passed; None knows none.
    n_tasks : int
        Number of tasks.

    Returns
    -------
    ndarray of shape (n_tasks,)
        The errors.

    Raises
    ------
    ValueError
        If the shape is not that, or an error is negative, infinite or no number.
    """
    if values is None:
        return np.full(n_tasks, np.nan)
    errors = _one_a_task("standard_error", values, n_tasks)
    wrong = np.flatnonzero((errors < 0) | np.isinf(errors))
    if wrong.size:
        raise ValueError(
            f"standard_error must be finite and at least 0, got {errors[wrong[0]]} for task {wrong[0]}: "
            "pass NaN for an error that is not known."
        )
    return errors


def check_significant(values: Any, n_tasks: int) -> npt.NDArray[np.bool_]:
    """Return whether each task is marked.

    Parameters
    ----------
    values : array-like of bool of shape (n_tasks,) or None
        What the user passed; None marks none.
    n_tasks : int
        Number of tasks.

    Returns
    -------
    ndarray of bool of shape (n_tasks,)
        The marks.

    Raises
    ------
    ValueError
        If the shape is not that, or a value is neither true nor false.
    """
    if values is None:
        return np.zeros(n_tasks, dtype=bool)
    marks = _one_a_task("significant", values, n_tasks)
    wrong = np.flatnonzero((marks != 0) & (marks != 1))
    if wrong.size:
        raise ValueError(
            f"significant must be True or False, got {marks[wrong[0]]} for task {wrong[0]}: "
            "pass the outcome of a test, such as p_values <= 0.05."
        )
    return marks == 1


def _one_a_task(name: str, values: Any, n_tasks: int) -> npt.NDArray[np.float64]:
    array = real_array(name, values)
    if array.shape != (n_tasks,):
        raise ValueError(f"{name} has shape {array.shape} for {n_tasks} tasks: pass one value a task.")
    return array

"""Read videos as (n_videos, n_shots, n_features), from three dimensions or from the columns of two, without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_array
from sklearn.utils.validation import validate_data

from widemargin.validation import check_integer

__all__ = ["read_features", "read_videos"]

Videos = npt.NDArray[np.floating[Any]]


def read_videos(estimator: Any, X: Any, n_shots: int | None, *, reset: bool) -> Videos:
    """Return the videos that an estimator is given, in three dimensions.

    Arrays of float32 and float64 are viewed, never copied, whatever their strides and wherever they lie; float16 is
    converted to float32, all other numbers to float64.

    Parameters
    ----------
    estimator : estimator
        It gets `n_features_in_` (n_shots * n_features for both forms), `n_shots_`, and `feature_names_in_` if X is a
        table with names; later calls are compared with these.
    X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
        Videos; in two dimensions all features of the first shot come first.
    n_shots : int or None
        Number of shots that the columns of a 2-D X are split into; None: one feature a shot. Read only if `reset`.
    reset : bool
        True in `fit`; False where X must have the shape of that in `fit`, in either form.

    Returns
    -------
    ndarray of float32 or float64 of shape (n_videos, n_shots, n_features)
        The videos.

    Raises
    ------
    TypeError
        If X is sparse, or `n_shots` is no integer.
    ValueError
        If X has a value that is not finite or no number, is empty, has neither two nor three dimensions or not the
        shape of that in `fit`, or `n_shots` does not divide its columns or contradicts its second axis.
    """
    if reset and n_shots is not None:
        check_integer("n_shots", n_shots, at_least=1)
    videos = _floating("X", X, estimator)
    if videos.ndim == 2:
        # The columns and their names, which the array no longer has.
        validate_data(estimator, X, reset=reset, skip_check_array=True)
    elif videos.ndim != 3:
        raise ValueError(
            f"X has shape {videos.shape}, expected (n_videos, n_shots, n_features) or (n_videos, n_shots * "
            "n_features). Reshape your data: a single video of shape (n_shots, n_features) is X[None], and one row of "
            "columns is X.reshape(1, -1)."
        )
    elif 0 in videos.shape:
        raise ValueError(
            f"X has shape {videos.shape}: pass at least one shot for each video, with at least one feature."
        )
    if reset:
        _set_shape(estimator, videos, n_shots)
    elif videos.ndim == 3:
        _compare_shape(estimator, videos)
    # Splitting one axis in two is a view for any strides.
    return videos.reshape(videos.shape[0], estimator.n_shots_, -1)


def read_features(name: str, value: Any) -> Videos:
    """Return an array of finite features of any shape, float32 or float64, as a view where it is one already.

    Parameters
    ----------
    name : str
        Name of the parameter, for the messages.
    value : array-like
        What the user passed.

    Returns
    -------
    ndarray of float32 or float64
        The features.

    Raises
    ------
    ValueError
        If a value is masked, not finite or no number.
    """
    try:
        return _floating(name, value, None)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array of finite real numbers: {error}") from error


def _floating(name: str, value: Any, estimator: Any) -> Videos:
    if np.ma.is_masked(value):
        raise ValueError(
            f"{name} has {np.ma.count_masked(value)} masked values, and nothing here knows what they stand for: leave "
            "these shots out, or fill the values."
        )
    if _is_ragged(value):
        raise ValueError(
            f"{name} has videos of different numbers of shots: bring them to one number with prioritize, or with the "
            "shots that select_shots chooses."
        )
    half = getattr(value, "dtype", None) == np.float16
    array: Videos = check_array(
        value,
        dtype=np.float32 if half else [np.float64, np.float32],
        ensure_2d=False,
        allow_nd=True,
        ensure_min_samples=0 if estimator is None else 1,
        ensure_min_features=0 if estimator is None else 1,
        estimator=estimator,
        input_name=name,
    )
    return array


def _is_ragged(value: Any) -> bool:
    """Return whether a list holds matrices with different numbers of rows."""
    if not isinstance(value, list | tuple):
        return False
    shapes = {np.shape(video) for video in value if isinstance(video, np.ndarray)}
    return len(shapes) > 1 and all(len(shape) == 2 for shape in shapes)


def _set_shape(estimator: Any, videos: Videos, n_shots: int | None) -> None:
    """Set what the estimator remembers of X in `fit`."""
    if videos.ndim == 3:
        if n_shots is not None and n_shots != videos.shape[1]:
            raise ValueError(
                f"n_shots is {n_shots}, but X has {videos.shape[1]} shots (shape {videos.shape}): leave n_shots=None "
                "for an X of three dimensions."
            )
        # Of an earlier fit to a table.
        vars(estimator).pop("feature_names_in_", None)
        estimator.n_shots_ = videos.shape[1]
        estimator.n_features_in_ = videos.shape[1] * videos.shape[2]
        return
    n_columns = videos.shape[1]
    if n_shots is not None and n_columns % n_shots:
        raise ValueError(
            f"n_shots={n_shots} does not divide the {n_columns} columns of X: pass a number of shots that does, or X "
            "as (n_videos, n_shots, n_features)."
        )
    estimator.n_shots_ = n_columns if n_shots is None else int(n_shots)


def _compare_shape(estimator: Any, videos: Videos) -> None:
    """Raise ValueError unless videos of three dimensions have the shots and features of `fit`."""
    expected = (estimator.n_shots_, estimator.n_features_in_ // estimator.n_shots_)
    given = videos.shape[1:]
    if given == expected:
        return
    swapped = given == expected[::-1]
    remedy = (
        "its last two axes seem to be swapped; pass X.transpose(0, 2, 1)."
        if swapped
        else "pass videos with as many shots and features as in fit."
    )
    raise ValueError(
        f"X has {given[0]} shots of {given[1]} features, but {type(estimator).__name__} was fitted to {expected[0]} "
        f"shots of {expected[1]}: {remedy}"
    )

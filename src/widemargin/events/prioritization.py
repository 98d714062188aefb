"""Give all videos the same number of shots, the most salient ones.

Sections 3.1 and 3.4 of Chang, Yu, Yang and Xing, "Semantic pooling for complex event analysis in untrimmed videos",
IEEE TPAMI 39(8), 2017: a video of more than m shots keeps the m most salient ones, one of fewer is represented by m
frames sampled uniformly from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.events._order import saliency_order
from widemargin.events._videos import Videos, read_features
from widemargin.metrics.inputs import real_array
from widemargin.validation import check_features_finite, check_integer

__all__ = ["prioritize", "select_shots"]

Array = npt.NDArray[np.float64]
Shots = npt.NDArray[np.intp]
VideoArrays = Sequence[npt.ArrayLike] | npt.NDArray[Any]


def prioritize(
    shots: VideoArrays,
    saliency: VideoArrays,
    n_shots: int,
    *,
    extra_frames: Sequence[npt.ArrayLike | None] | npt.NDArray[Any] | None = None,
    extra_saliency: Sequence[npt.ArrayLike | None] | npt.NDArray[Any] | None = None,
) -> Videos:
    """Represent each video by the same number of shots, the most salient first.

    A video of at least `n_shots` shots keeps the most salient ones, the earlier of two equally salient ones first. A
    video of fewer shots is filled up in one of two ways:

    - with `extra_frames`, as in section 3.1 of [1]_: `n_shots` frames evenly spaced among its extra frames (frame
      ``j * n_extra // n_shots`` for each j) stand in for its shots, ordered by their own saliency. Where it has
      fewer extra frames than that, its own shots and all extra frames together are its shots, and the most salient
      are kept, or all are repeated as below;
    - without, its own shots are repeated uniformly: of m shots, position j gets the one of rank
      ``j * m // n_shots``, so that each is there equally often, give or take one.

    Prepare training and test videos in the same way and with the same `n_shots`: a score adds up all shots of a video,
    repeated ones too. The paper takes the mean number of key frames a video. The shots returned are in order, so that
    a classifier of ordered shots needs no saliency. To choose shots for several events, or to find the evidence in a
    video's own shots, use `select_shots`.

    Parameters
    ----------
    shots : sequence of array-like of shape (m_i, n_features), or array-like of shape (n_videos, m, n_features)
        Features of each video's shots in time order; at least one shot a video.
    saliency : sequence of array-like of shape (m_i,), or array-like of shape (n_videos, m)
        Saliency of the same shots; larger is more salient.
    n_shots : int
        Number of shots that each video gets, at least 1.
    extra_frames : sequence of array-like of shape (e_i, n_features), default=None
        Features of frames sampled uniformly from each video, in time order. They are used only where a video has
        fewer than `n_shots` shots; elsewhere, or where there are none, the entry may be None or empty.
    extra_saliency : sequence of array-like of shape (e_i,), default=None
        Saliency of the extra frames; needed with them.

    Returns
    -------
    ndarray of shape (n_videos, n_shots, n_features)
        The videos, float32 if no features need more than that, else float64.

    Raises
    ------
    TypeError
        If `n_shots` is no integer.
    ValueError
        If there is no video, a video has no shot, lengths or numbers of features differ, a value is masked, not
        finite or no number, only one of `extra_frames` and `extra_saliency` is given, or `n_shots` is below 1.

    See Also
    --------
    select_shots : Which shots are kept, also for several events.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, sections 3.1 and 3.4.

    Examples
    --------
    A video of three shots loses the least salient one; a video of one shot repeats it:

    >>> import numpy as np
    >>> from widemargin.events import prioritize
    >>> shots = [np.array([[1.0], [2.0], [3.0]]), np.array([[4.0]])]
    >>> saliency = [[0.5, 0.1, 0.9], [0.2]]
    >>> prioritize(shots, saliency, 2)[:, :, 0].tolist()
    [[3.0, 1.0], [4.0, 4.0]]

    The same, where four frames of the short video are at hand. The first and the third are taken:

    >>> frames = [None, np.array([[10.0], [11.0], [12.0], [13.0]])]
    >>> X = prioritize(shots, saliency, 2, extra_frames=frames, extra_saliency=[None, [0.1, 0.4, 0.3, 0.8]])
    >>> X[:, :, 0].tolist()
    [[3.0, 1.0], [12.0, 10.0]]
    """
    n_shots = check_integer("n_shots", n_shots, at_least=1)
    features, scores = _read_pairs("shots", shots, "saliency", saliency)
    for video, own in enumerate(features):
        if len(own) == 0:
            raise ValueError(
                f"shots[{video}] has no shot: leave the video out; a video without a cut is one shot."
            )
    if (extra_frames is None) != (extra_saliency is None):
        missing = "extra_saliency" if extra_saliency is None else "extra_frames"
        raise ValueError(f"{missing} is missing: pass extra_frames and extra_saliency together, or neither.")
    if extra_frames is None:
        frames, frame_scores = [own[:0] for own in features], [score[:0] for score in scores]
    else:
        frames, frame_scores = _read_extra(features, extra_frames, extra_saliency)
    dtype = np.result_type(*{own.dtype for own in features}, *{extra.dtype for extra in frames if len(extra)})
    videos = np.empty((len(features), n_shots, features[0].shape[1]), dtype)
    for video, own, extra, own_score, extra_score in zip(
        videos, features, frames, scores, frame_scores, strict=True
    ):
        chosen = ordered_frames(own_score, n_shots, extra_score)
        is_extra = chosen >= len(own)
        video[~is_extra] = own[chosen[~is_extra]]
        if is_extra.any():
            video[is_extra] = extra[chosen[is_extra] - len(own)]
    return videos


def ordered_frames(saliency: Array, n_shots: int, extra_saliency: Array | None = None) -> Shots:
    """Return which frames represent one video, most salient first, as `prioritize` chooses them.

    Parameters
    ----------
    saliency : ndarray of shape (m,)
        Saliency of its own shots, at least one.
    n_shots : int
        Number of frames wanted.
    extra_saliency : ndarray of shape (e,), default=None
        Saliency of its extra frames.

    Returns
    -------
    ndarray of int of shape (n_shots,)
        Numbers of shots, from 0; extra frame e is number ``m + e``.
    """
    n_own = saliency.size
    if extra_saliency is None or extra_saliency.size == 0 or n_own >= n_shots:
        return _most_salient(saliency, n_shots)
    if extra_saliency.size >= n_shots:
        places = _spread(extra_saliency.size, n_shots)
        return n_own + places[_most_salient(extra_saliency[places], n_shots)]
    return _most_salient(np.concatenate((saliency, extra_saliency)), n_shots)


def timed_frames(saliency: Array, n_shots: int, n_extra: int) -> Shots:
    """Return which frames represent one video for several events, in the order of time.

    Parameters
    ----------
    saliency : ndarray of shape (n_events, m)
        Saliency of its own shots, at least one, for each event.
    n_shots : int
        Number of frames wanted.
    n_extra : int
        Number of its extra frames; they stand in for the shots of a video that has too few, if they are enough.

    Returns
    -------
    ndarray of int of shape (n_shots,)
        Numbers of shots, from 0; extra frame e is number ``m + e``.
    """
    n_own = saliency.shape[1]
    if n_own < n_shots <= n_extra:
        return n_own + _spread(n_extra, n_shots)
    return _any_event(saliency.max(axis=0), n_shots)


def select_shots(saliency: VideoArrays, n_shots: int) -> Shots:
    """Return which of its own shots each video keeps.

    For one event these are the shots that `prioritize` takes where no extra frames stand in for them: the most
    salient first, the earlier of equally salient ones first, all repeated uniformly if there are fewer than `n_shots`.

    For several events, each with its own saliency, the shots with the largest saliency under any event are kept, in
    time order. Each event orders them by its own saliency afterwards, when the classifier gets
    ``saliency[i][:, kept[i]]`` beside ``shots[i][kept[i]]``.

    Select shots of training and test videos in the same way and with the same `n_shots`.

    Parameters
    ----------
    saliency : sequence of array-like of shape (m_i,) or (n_events, m_i)
        Saliency of each video's shots in time order, for one event or for several; or an array with the videos along
        its first axis. At least one shot a video.
    n_shots : int
        Number of shots that each video gets, at least 1.

    Returns
    -------
    ndarray of int of shape (n_videos, n_shots)
        Numbers of shots, from 0; most salient first for one event, in time order for several.

    Raises
    ------
    TypeError
        If `n_shots` is no integer.
    ValueError
        If there is no video, a video has no shot, numbers of events differ, a value is masked, not finite or no
        number, or `n_shots` is below 1.

    See Also
    --------
    prioritize : Return the features of the shots.

    Examples
    --------
    >>> from widemargin.events import select_shots
    >>> select_shots([[0.5, 0.1, 0.9], [0.2]], 2).tolist()
    [[2, 0], [0, 0]]

    One video and two events, of which the first finds the last shot and the second one the first:

    >>> select_shots([[[0.0, 0.1, 0.8], [0.9, 0.3, 0.2]]], 2).tolist()
    [[0, 2]]
    """
    n_shots = check_integer("n_shots", n_shots, at_least=1)
    values = [
        _read_saliency(f"saliency[{video}]", value)
        for video, value in enumerate(_listed("saliency", saliency))
    ]
    events = [value.shape[:-1] for value in values]
    for video, value in enumerate(values):
        if value.ndim not in (1, 2) or 0 in value.shape:
            raise ValueError(
                f"saliency[{video}] has shape {value.shape}, expected (n_shots,) or (n_events, n_shots): pass the "
                "saliency of at least one shot for each video."
            )
        if events[video] != events[0]:
            raise ValueError(
                f"saliency[{video}] has shape {value.shape}, saliency[0] has {values[0].shape}: pass the saliency of "
                "all videos for the same events."
            )
    if not events[0]:
        return np.stack([_most_salient(value, n_shots) for value in values])
    return np.stack([_any_event(value.max(axis=0), n_shots) for value in values])


def _most_salient(saliency: Array, n_shots: int) -> Shots:
    """Return the most salient shots in this order, all of them repeated uniformly if there are too few."""
    ranked = saliency_order(saliency[None])[0][0, 0].astype(np.intp)
    return ranked[_spread(ranked.size, n_shots)] if ranked.size < n_shots else ranked[:n_shots]


def _any_event(saliency: Array, n_shots: int) -> Shots:
    """Return the shots of the largest saliency in time order, all of them repeated uniformly if there are too few."""
    if saliency.size < n_shots:
        return _spread(saliency.size, n_shots)
    return np.sort(_most_salient(saliency, n_shots))


def _spread(n_available: int, n_wanted: int) -> Shots:
    """Return places that are evenly spaced among those available; they repeat if more are wanted."""
    return np.arange(n_wanted) * n_available // n_wanted


def _read_extra(
    features: list[Videos], extra_frames: Any, extra_saliency: Any
) -> tuple[list[Videos], list[Array]]:
    """Return features and saliency of each video's extra frames."""
    frames, frame_scores = _read_pairs("extra_frames", extra_frames, "extra_saliency", extra_saliency)
    if len(frames) != len(features):
        raise ValueError(
            f"extra_frames is for {len(frames)} videos, shots for {len(features)}: pass one entry per video, None for "
            "a video without extra frames."
        )
    for video, (own, extra) in enumerate(zip(features, frames, strict=True)):
        if len(extra) and extra.shape[1] != own.shape[1]:
            raise ValueError(
                f"extra_frames[{video}] has {extra.shape[1]} features, shots[{video}] has {own.shape[1]}: pass the "
                "same features for shots and extra frames."
            )
    return frames, frame_scores


def _read_pairs(
    name: str, features: Any, saliency_name: str, saliency: Any
) -> tuple[list[Videos], list[Array]]:
    """Return the features of each video's shots, and their saliency."""
    listed, listed_saliency = _listed(name, features), _listed(saliency_name, saliency)
    if len(listed) != len(listed_saliency):
        raise ValueError(
            f"{saliency_name} is for {len(listed_saliency)} videos, {name} for {len(listed)}: pass one entry per video."
        )
    arrays, scores = [], []
    for video, (value, score) in enumerate(zip(listed, listed_saliency, strict=True)):
        arrays.append(_read_video(f"{name}[{video}]", value))
        scores.append(_read_saliency(f"{saliency_name}[{video}]", score))
        if scores[-1].ndim == 2 and scores[-1].shape[1] == len(arrays[-1]):
            raise ValueError(
                f"{saliency_name}[{video}] has shape {scores[-1].shape}, but shots are prioritized for one event: "
                "choose shots for several events with select_shots, and pass their saliency to the classifier."
            )
        if scores[-1].shape != (len(arrays[-1]),):
            raise ValueError(
                f"{saliency_name}[{video}] has shape {scores[-1].shape}, but {name}[{video}] has {len(arrays[-1])} "
                "rows: pass one value per row."
            )
    first = next((number for number, array in enumerate(arrays) if len(array)), 0)
    for video, array in enumerate(arrays):
        if len(array) and array.shape[1] != arrays[first].shape[1]:
            raise ValueError(
                f"{name}[{video}] has {array.shape[1]} features, {name}[{first}] has {arrays[first].shape[1]}: pass "
                "the same features for every video."
            )
    return arrays, scores


def _read_video(name: str, value: Any) -> Videos:
    array = read_features(name, [] if value is None else value)
    if array.shape == (0,):
        return array.reshape(0, 0)
    if array.ndim == 2 and array.shape[0] > 0 and array.shape[1] == 0:
        raise ValueError(f"{name} has shape {array.shape}: pass at least one feature per shot.")
    if array.ndim != 2:
        raise ValueError(
            f"{name} has shape {array.shape}, expected (n_shots, n_features): pass one row of features per shot, a "
            "single feature as a column with reshape(-1, 1)."
        )
    return array


def _read_saliency(name: str, value: Any) -> Array:
    array = real_array(name, [] if value is None else value)
    check_features_finite(name, array)
    return array


def _listed(name: str, videos: Any) -> list[Any]:
    """Return the videos as a list of what was passed for each."""
    if not isinstance(videos, Iterable) or isinstance(videos, str | bytes | dict):
        raise ValueError(
            f"{name} must be a sequence with one array per video, got {type(videos).__name__}: put the arrays in a "
            "list."
        )
    listed = list(videos)
    if not listed:
        raise ValueError(f"{name} is for no video: pass at least one.")
    return listed

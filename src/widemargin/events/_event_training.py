"""What detectors and recognizers of events share: how many shots, which frames, and a classifier that fits the data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from widemargin.events._frames import FrameReader, Frames
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.events.nearly_isotonic_cv import NearlyIsotonicSVCCV
from widemargin.validation import check_features_finite, check_integer, check_numbers
from widemargin.video import DescribedVideo

__all__ = ["blocks", "check_relevance", "fitted", "number_of_shots", "train_arrays"]

Array = npt.NDArray[Any]
Choose = Callable[[Frames], tuple[npt.NDArray[np.intp], Array | None]]

# Numbers that a block of videos takes, 64 MiB in float32.
_BLOCK = 2**24
_MOST_FOLDS = 5


def check_relevance(relevance: Any, n_dimensions: int) -> npt.NDArray[np.float64]:
    """Return the relevance of concepts to one event or to several.

    Parameters
    ----------
    relevance : array-like of shape (n_concepts,) or (n_events, n_concepts)
        What the user passed.
    n_dimensions : {1, 2}
        How many dimensions it must have.

    Returns
    -------
    ndarray of float64
        The same numbers.

    Raises
    ------
    ValueError
        If it has another number of dimensions, no concept, or a number that is not finite.
    """
    array = check_numbers("relevance", relevance)
    if array.ndim != n_dimensions or 0 in array.shape:
        shape = "(n_concepts,)" if n_dimensions == 1 else "(n_events, n_concepts)"
        raise ValueError(
            f"relevance has shape {array.shape}, expected {shape}: pass what concept_relevance returns for the "
            f"description of {'the event' if n_dimensions == 1 else 'each event'}."
        )
    check_features_finite("relevance", array)
    return np.asarray(array, dtype=np.float64)


def number_of_shots(n_shots: int | None, videos: Iterable[DescribedVideo]) -> int:
    """Return the number of shots that represents every video: as given, or the rounded mean of the training videos."""
    if n_shots is not None:
        return check_integer("n_shots", n_shots, at_least=1)
    return max(int(np.mean([video.n_shots for video in videos]) + 0.5), 1)


def fitted(
    classifier: NearlyIsotonicSVC | NearlyIsotonicSVCCV, X: Array, y: Array, saliency: Array | None
) -> tuple[NearlyIsotonicSVC, float | None]:
    """Train a classifier on videos, with penalties chosen by cross-validation where it asks for that.

    Parameters
    ----------
    classifier : NearlyIsotonicSVC or NearlyIsotonicSVCCV
        What to train; it is not changed. Folds of a search without a `cv`, or with a number, are at most as many as
        the rarest class has videos; if it has one, the default penalties are taken.
    X : ndarray of shape (n_videos, n_shots, n_features)
        Videos.
    y : ndarray of shape (n_videos,)
        Labels.
    saliency : ndarray or None
        Saliency of the shots; None: they are in order.

    Returns
    -------
    classifier : NearlyIsotonicSVC
        The fitted classifier.
    score : float or None
        The best score of the search, in its cross-validation; None without a search.

    Raises
    ------
    TypeError
        If the classifier is another one.
    """
    if not isinstance(classifier, NearlyIsotonicSVC | NearlyIsotonicSVCCV):
        raise TypeError(
            f"classifier must be a NearlyIsotonicSVC or a NearlyIsotonicSVCCV, got {type(classifier).__name__}: pass "
            "one of them."
        )
    with warnings.catch_warnings():
        # Videos of a single shot, repeated, have nothing to order.
        warnings.filterwarnings("ignore", message="saliency is constant", category=UserWarning)
        if isinstance(classifier, NearlyIsotonicSVC):
            return clone(classifier).fit(X, y, saliency=saliency), None
        return _searched(classifier, X, y, saliency)


def _searched(
    classifier: NearlyIsotonicSVCCV, X: Array, y: Array, saliency: Array | None
) -> tuple[NearlyIsotonicSVC, float | None]:
    """Choose the penalties by cross-validation, if every class has at least two videos, and train."""
    search = clone(classifier)
    if search.cv is None or isinstance(search.cv, int):
        n_folds = min(int(np.unique(y, return_counts=True)[1].min()), search.cv or _MOST_FOLDS)
        if n_folds < 2:
            names = set(NearlyIsotonicSVC._get_param_names()) & set(search._get_param_names())
            alone = NearlyIsotonicSVC(**{name: getattr(search, name) for name in names})
            return alone.fit(X, y, saliency=saliency), None
        search.set_params(cv=StratifiedKFold(n_folds, shuffle=True, random_state=0))
    search.fit(X, y, saliency=saliency)
    return search.best_estimator_, float(search.best_score_)


def train_arrays(
    videos: Iterable[DescribedVideo], reader: FrameReader, choose: Choose, n_videos: int
) -> tuple[list[Array], Array | None]:
    """Return the chosen frames of videos as one array for each classifier.

    Parameters
    ----------
    videos : iterable of DescribedVideo
        The videos.
    reader : FrameReader
        How they are read.
    choose : callable
        ``choose(frames) -> (numbers of n_shots frames, their saliency for each event or None)``.
    n_videos : int
        Number of videos.

    Returns
    -------
    arrays : list of ndarray of shape (n_videos, n_shots, n_features)
        Features, one array for each classifier.
    saliency : ndarray of shape (n_videos, n_events, n_shots) or None
        Saliency of the chosen frames.

    Raises
    ------
    ValueError
        If numbers of features differ between videos.
    """
    arrays: list[Array] = []
    saliencies: list[Array] = []
    for number, video in enumerate(videos):
        frames = reader.read(video)
        chosen, saliency = choose(frames)
        if not arrays:
            shapes = [(n_videos, chosen.size, rows.shape[1]) for rows in frames.features]
            arrays = [
                np.empty(shape, rows.dtype) for shape, rows in zip(shapes, frames.features, strict=True)
            ]
        for array, rows in zip(arrays, frames.features, strict=True):
            if rows.shape[1] != array.shape[2]:
                raise ValueError(
                    f"{video.name!r} has {rows.shape[1]} features, the videos before it have {array.shape[2]}: index "
                    "all of them with the same network."
                )
            array[number] = rows[chosen]
        if saliency is not None:
            saliencies.append(saliency)
    return arrays, np.stack(saliencies) if saliencies else None


def blocks(videos: Iterable[DescribedVideo], numbers_a_video: int) -> Iterator[Sequence[DescribedVideo]]:
    """Yield videos in lists short enough for the arrays of one to fit in memory."""
    length = max(_BLOCK // max(numbers_a_video, 1), 1)
    block: list[DescribedVideo] = []
    for video in videos:
        block.append(video)
        if len(block) == length:
            yield block
            block = []
    if block:
        yield block

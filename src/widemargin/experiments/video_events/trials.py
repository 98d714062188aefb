"""Collections of frames as the methods of the paper's tables take them: as many shots of every video, with saliency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.events import search_scores
from widemargin.events.prioritization import ordered_frames, timed_frames
from widemargin.events.semantic_saliency import semantic_saliency
from widemargin.experiments.events.bags import Bags, Trial
from widemargin.experiments.video_events.collection import Collection

__all__ = ["Represented", "detection_trial", "recognition_trial", "represent", "search_precision_scores"]

FloatArray = npt.NDArray[Any]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Represented:
    """Videos of the same number of shots, in the order of time.

    Parameters
    ----------
    X : ndarray of shape (n_videos, n_shots, n_features)
        Features.
    saliency : ndarray of shape (n_videos, n_shots) or (n_videos, n_events, n_shots)
        Saliency of the same shots.
    rows : ndarray of int of shape (n_videos, n_shots)
        The rows of the collection that they are.
    """

    X: FloatArray
    saliency: FloatArray
    rows: IntArray


def represent(collection: Collection, saliency: FloatArray, n_shots: int) -> Represented:
    """Give every video the same number of shots, as `EventDetector` and `EventRecognizer` do.

    Parameters
    ----------
    collection : Collection
        The videos.
    saliency : ndarray of shape (n_frames,) or (n_events, n_frames)
        Saliency of all frames for one event: the most salient ones are taken. Or for several.
    n_shots : int
        How many.

    Returns
    -------
    Represented
        The videos. Extra frames stand in for the shots of a video that has too few, where there are enough.
    """
    chosen = []
    for video in range(len(collection)):
        rows, n_own = collection.frames(video), int(collection.n_own[video])
        own = saliency[..., rows]
        if own.ndim == 1:
            places = ordered_frames(own[:n_own], n_shots, own[n_own:])
        else:
            places = timed_frames(own[:, :n_own], n_shots, own.shape[1] - n_own)
        times = collection.times[rows][places]
        chosen.append(rows.start + places[np.argsort(times, kind="stable")])
    table = np.array(chosen)
    found = saliency[..., table]
    return Represented(
        collection.features[table], found if found.ndim == 2 else np.moveaxis(found, 0, 1), table
    )


def detection_trial(
    train: Collection,
    test: Collection,
    event: int,
    relevance: FloatArray,
    n_folds: int,
    seed: int,
    n_shots: int | None = None,
) -> tuple[Trial, Represented]:
    """Prepare the detection of one event among all other videos.

    Parameters
    ----------
    train, test : Collection
        The videos.
    event : int
        Number of the event.
    relevance : ndarray of shape (n_concepts,)
        Relevance of each concept to it.
    n_folds : int
        Folds in which parameters are chosen.
    seed : int
        Seed of their draw.
    n_shots : int or None, default=None
        Shots of every video; None takes the rounded mean of the training videos.

    Returns
    -------
    trial : Trial
        As methods take it.
    tested : Represented
        The test videos, to look up what their shots show.
    """
    parts = [
        represent(videos, semantic_saliency(videos.concepts, relevance), n_shots or train.mean_shots)
        for videos in (train, test)
    ]
    bags = [
        Bags(part.X, (videos.events == event).astype(np.int64), part.saliency)
        for part, videos in zip(parts, (train, test), strict=True)
    ]
    return Trial.drawn(bags[0], bags[1], n_folds, seed), parts[1]


def recognition_trial(
    train: Collection, test: Collection, relevance: FloatArray, n_folds: int, seed: int
) -> Trial:
    """Prepare the problem to tell all events apart; videos of no event are left out.

    Parameters
    ----------
    train, test : Collection
        The videos.
    relevance : ndarray of shape (n_events, n_concepts)
        Relevance of each concept to each event.
    n_folds : int
        Folds in which parameters are chosen.
    seed : int
        Seed of their draw.

    Returns
    -------
    Trial
        As methods take it.
    """
    n_shots = train.mean_shots
    bags = []
    for videos in (train, test):
        known = videos.videos(np.flatnonzero(videos.events >= 0))
        part = represent(known, semantic_saliency(known.concepts, relevance), n_shots)
        bags.append(Bags(part.X, known.events, part.saliency))
    return Trial.drawn(bags[0], bags[1], n_folds, seed)


def search_precision_scores(videos: Collection, relevance: FloatArray) -> FloatArray:
    """Score videos by the words of an event alone.

    Parameters
    ----------
    videos : Collection
        The videos.
    relevance : ndarray of shape (n_concepts,)
        Relevance of each concept to the event.

    Returns
    -------
    ndarray of shape (n_videos,)
        Scores.
    """
    described: Sequence[Any] = [videos.described(place) for place in range(len(videos))]
    return search_scores(described, relevance)

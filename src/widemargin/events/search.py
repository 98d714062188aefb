"""Rank videos by the words of an event alone, without a training video, and show why."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from widemargin.events._event_training import check_relevance
from widemargin.events._frames import FrameReader
from widemargin.events.evidence import Recounting, collect_evidence
from widemargin.events.semantic_saliency import semantic_saliency
from widemargin.validation import check_integer
from widemargin.video import DescribedVideo

__all__ = ["search_evidence", "search_scores"]


def search_scores(
    videos: Iterable[DescribedVideo], relevance: npt.ArrayLike, n_best: int = 3
) -> npt.NDArray[np.float64]:
    """Return how well videos fit an event that is described in words: the saliency of their most salient frames.

    Of a video with few shots its extra frames count as well, so that a long take is seen as closely as many short ones.

    Parameters
    ----------
    videos : iterable of DescribedVideo
        Videos, read one after the other.
    relevance : array-like of shape (n_concepts,)
        Relevance of each concept to the event, as `concept_relevance` computes it of a description.
    n_best : int, default=3
        Number of frames of each video, the most salient ones, whose mean saliency is its score, at least 1; all frames
        of a video that has fewer. The mean over all would drown a short event in a long video.

    Returns
    -------
    ndarray of shape (n_videos,)
        Scores; larger is more relevant. They compare videos for one event, and mean nothing across events.

    Raises
    ------
    ValueError
        If `relevance` is no vector with one value per concept, or `n_best` is below 1.

    References
    ----------
    X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos", IEEE
    TPAMI 39(8), 2017, section 3.4: the saliency, (1).

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events import search_scores
    >>> from widemargin.video import DescribedVideo
    >>> shots = np.array([[0.0, 2.0], [2.0, 5.0]])
    >>> dog = DescribedVideo("dog", {}, np.array([[0.9, 0.1], [0.2, 0.8]]), shots, shots.mean(axis=1))
    >>> cat = DescribedVideo("cat", {}, np.array([[0.1, 0.9], [0.2, 0.8]]), shots, shots.mean(axis=1))
    >>> search_scores([dog, cat], [1.0, 0.0], n_best=1)
    array([0.9, 0.2])
    """
    vector = check_relevance(relevance, 1)
    n_best = check_integer("n_best", n_best, at_least=1)
    return np.array([_best_mean(video, vector, n_best) for video in videos])


def search_evidence(video: DescribedVideo, relevance: npt.ArrayLike, n_best: int = 3) -> Recounting:
    """Return the most salient frames of a video, whose mean saliency is its score in `search_scores`.

    Parameters
    ----------
    video : DescribedVideo
        A video.
    relevance : array-like of shape (n_concepts,)
        Relevance of each concept to the event, as `concept_relevance` computes it of a description.
    n_best : int, default=3
        Most frames to return, at least 1.

    Returns
    -------
    Recounting
        The frames, the most salient first; score and saliency of each are the same.

    Raises
    ------
    ValueError
        If `relevance` is no vector with one value per concept, or `n_best` is below 1.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events import search_evidence
    >>> from widemargin.video import DescribedVideo
    >>> shots = np.array([[0.0, 2.0], [2.0, 5.0]])
    >>> dog = DescribedVideo("dog", {}, np.array([[0.2, 0.8], [0.9, 0.1]]), shots, shots.mean(axis=1))
    >>> [(shot.start, shot.score) for shot in search_evidence(dog, [1.0, 0.0], n_best=1).shots]
    [(2.0, 0.9)]
    """
    vector = check_relevance(relevance, 1)
    n_best = check_integer("n_best", n_best, at_least=1)
    frames = FrameReader(vector, (), "average", normalize=False, fill="frames").read(video)
    # Equally salient frames in the order of time, as far as shots and extra frames are each sorted by it.
    best = np.argsort(-frames.saliency, kind="stable")[:n_best]
    scores = frames.saliency[best]
    return collect_evidence(video, frames, vector, frames.saliency, best, scores, float(scores.mean()))


def _best_mean(video: DescribedVideo, relevance: npt.NDArray[np.float64], n_best: int) -> float:
    if video.concepts.shape[1] != relevance.size:
        raise ValueError(
            f"{video.name!r} has {video.concepts.shape[1]} concepts, relevance is for {relevance.size}: compute the "
            "relevance of the concepts that the index has."
        )
    saliency = semantic_saliency(video.concepts, relevance)
    if len(video.extra_concepts):
        saliency = np.concatenate((saliency, semantic_saliency(video.extra_concepts, relevance)))
    return float(np.sort(saliency)[-n_best:].mean())

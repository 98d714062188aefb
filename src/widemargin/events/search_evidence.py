"""The frames of a video for which a search found it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin.events._event_training import check_relevance
from widemargin.events._frames import FrameReader
from widemargin.events.evidence import Recounting, collect_evidence
from widemargin.validation import check_integer
from widemargin.video import DescribedVideo

__all__ = ["search_evidence"]


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
    >>> from widemargin.events.search_evidence import search_evidence
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

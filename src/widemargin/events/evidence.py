"""The evidence for an event in one video: what each of its shots says, and where the shot is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.events._frames import Frames
from widemargin.video import DescribedVideo

__all__ = ["EvidenceShot", "Recounting", "collect_evidence"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class EvidenceShot:
    """One shot of a video, or one of its extra frames, and what it says for an event.

    Parameters
    ----------
    shot : int
        Number of the shot, from 0; for an extra frame the shot in which it lies.
    extra : int or None
        Number of the extra frame; None for the key frame of a shot.
    start, end : float
        The seconds to look at: the whole shot, or the surroundings of an extra frame within its shot.
    key_time : float
        Time of the frame in seconds.
    position : int
        Its place in the order of saliency, from 0; the first one, if it is there more than once.
    score : float
        Recounting score, equation (37); large values are evidence for the event.
    saliency : float
        Semantic saliency.
    concepts : tuple of (int, float, float)
        The concepts that made it salient, most first: number, probability, and what it adds to the saliency.
    """

    shot: int
    extra: int | None
    start: float
    end: float
    key_time: float
    position: int
    score: float
    saliency: float
    concepts: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True)
class Recounting:
    """Why a video has the score that it has.

    Parameters
    ----------
    score : float
        The video's score.
    shots : tuple of EvidenceShot
        Its frames, the strongest evidence first.
    """

    score: float
    shots: tuple[EvidenceShot, ...]


def collect_evidence(
    video: DescribedVideo,
    frames: Frames,
    relevance: Array,
    saliency: Array,
    positions: npt.NDArray[np.intp],
    scores: Array,
    total: float,
    n_concepts: int = 3,
) -> Recounting:
    """Return the evidence that the frames of a video give, in order of their scores.

    Parameters
    ----------
    video : DescribedVideo
        The video.
    frames : Frames
        Its frames.
    relevance : ndarray of shape (n_concepts,)
        Relevance of the concepts to the event.
    saliency : ndarray of shape (n_frames,)
        Saliency of its frames for the event.
    positions : ndarray of int of shape (n_shots,)
        The frames that were used, in the order of the classifier's weights; a frame may be there more than once.
    scores : ndarray of shape (n_shots,)
        What each position adds to the score. A frame that is there more than once gets the sum.
    total : float
        The video's score.
    n_concepts : int, default=3
        Most concepts that are named for a frame.

    Returns
    -------
    Recounting
        One entry for each frame that was used.
    """
    chosen, first = np.unique(positions, return_index=True)
    sums = np.zeros(len(saliency))
    np.add.at(sums, positions, scores)
    ranked = np.lexsort((chosen, -sums[chosen]))
    shots = tuple(
        _evidence(video, frames, int(chosen[place]), int(first[place]), sums, saliency, relevance, n_concepts)
        for place in ranked
    )
    return Recounting(float(total), shots)


def _evidence(
    video: DescribedVideo,
    frames: Frames,
    frame: int,
    position: int,
    scores: Array,
    saliency: Array,
    relevance: Array,
    n_concepts: int,
) -> EvidenceShot:
    if frame < frames.n_own:
        shot, extra = frame, None
        start, end = (float(time) for time in video.shots[shot])
        key_time, probability = float(video.key_times[shot]), video.concepts[shot]
    else:
        extra = frame - frames.n_own
        key_time, probability = float(video.extra_times[extra]), video.extra_concepts[extra]
        starts = video.shots[:, 0]
        shot = max(int(np.searchsorted(starts, key_time, side="right")) - 1, 0)
        half = _spacing(video.extra_times, video.duration) / 2
        start = max(key_time - half, float(video.shots[shot, 0]))
        end = min(key_time + half, float(video.shots[shot, 1]))
    added = probability * relevance
    spoken = [place for place in np.argsort(-added, kind="stable")[:n_concepts] if added[place] > 0]
    return EvidenceShot(
        shot=shot,
        extra=extra,
        start=start,
        end=end,
        key_time=key_time,
        position=position,
        score=float(scores[frame]),
        saliency=float(saliency[frame]),
        concepts=tuple((int(place), float(probability[place]), float(added[place])) for place in spoken),
    )


def _spacing(times: Array, duration: float) -> float:
    """Return the seconds from one extra frame to the next."""
    return float(np.median(np.diff(times))) if len(times) > 1 else duration

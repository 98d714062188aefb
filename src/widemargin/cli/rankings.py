"""Videos in the order of their scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import Videos

__all__ = ["RankedVideo", "best_first", "check_top"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RankedVideo:
    """A video in a ranking.

    Parameters
    ----------
    path : str
        Its path in the index.
    score : float
        Its score.
    label : str, default=""
        The event that was recognised.
    """

    path: str
    score: float
    label: str = ""


def check_top(top: int | None) -> None:
    """Check the option ``--top``.

    Parameters
    ----------
    top : int or None
        How many lines to print, at least 1.

    Raises
    ------
    UsageError
        If it is below 1.
    """
    if top is not None and top < 1:
        raise UsageError(f"--top is {top}, but must be at least 1: leave it out for all.")


def best_first(videos: Videos, scores: Array) -> list[RankedVideo]:
    """Return the videos of an index by their scores, equal ones in the order of the index.

    Parameters
    ----------
    videos : Videos
        The index.
    scores : ndarray of shape (n_videos,)
        Score of each video, in the order of the index.

    Returns
    -------
    list of RankedVideo
        The best first.
    """
    order = np.argsort(-scores, kind="stable")
    return [RankedVideo(videos.paths[place], float(scores[place])) for place in order]

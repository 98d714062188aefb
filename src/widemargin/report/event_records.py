"""What an event page shows: the hits in order, and for each the shots that speak for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["EventPage", "Evidence", "Hit"]


@dataclass(frozen=True)
class Evidence:
    """A shot of a video that speaks for the event.

    Parameters
    ----------
    start, end : float
        Where it starts and ends, in seconds from the first frame of the video. A single frame has both alike.
    time : float
        Time of the frame in the picture, in seconds.
    score : float
        What the shot adds to the score of its video; for a search, its saliency.
    saliency : float, default=nan
        How much its concepts have to do with the words of the event; nan is not shown.
    weight : float, default=nan
        Norm of the weights at its position; nan is not shown.
    position : int or None, default=None
        Its place when the shots are sorted by saliency, 0 for the most salient; None is not shown.
    concepts : tuple of (str, float), default=()
        The concepts that spoke, most important first, with their probabilities.
    thumbnail : bytes, default=b""
        A small JPEG picture; empty if there is none.

    Examples
    --------
    >>> from widemargin.report import Evidence
    >>> Evidence(12.0, 15.5, 13.8, 0.4, concepts=(("street sign", 0.61),)).position is None
    True
    """

    start: float
    end: float
    time: float
    score: float
    saliency: float = float("nan")
    weight: float = float("nan")
    position: int | None = None
    concepts: tuple[tuple[str, float], ...] = ()
    thumbnail: bytes = b""


@dataclass(frozen=True)
class Hit:
    """A video in a ranking.

    Parameters
    ----------
    name : str
        What it is called, mostly the base name of its file.
    path : str
        The file as it was given, which may be relative to the working folder; empty if there is none.
    score : float
        Score of the video.
    status : {"ok", "partial"}, default="ok"
        Whether all of the file could be decoded.
    problems : tuple of str, default=()
        What could not.
    duration : float, default=0.0
        Length in seconds; 0 is not shown.
    label : str, default=""
        A word beside the name, such as the event that was recognised.
    strip : tuple of Evidence, default=()
        Its evidence, the best first.

    Examples
    --------
    >>> from widemargin.report import Hit
    >>> Hit("tape 7.mp4", "archive/tape 7.mp4", 1.25).strip
    ()
    """

    name: str
    path: str
    score: float
    status: Literal["ok", "partial"] = "ok"
    problems: tuple[str, ...] = ()
    duration: float = 0.0
    label: str = ""
    strip: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class EventPage:
    """Everything that an event page shows.

    Parameters
    ----------
    title : str
        The event in a few words.
    description : str
        The words that were searched for, or that the detector was trained with; may be empty.
    kind : {"search", "rank", "recount", "recognize"}
        What was done.
    hits : tuple of Hit
        The videos, the best first.
    notes : tuple of str, default=()
        Plain sentences that say how the ranking came about.
    weights : tuple of float, default=()
        Norm of the weights by position, that of the most salient shot first; empty if there are none.

    Examples
    --------
    >>> from widemargin.report import EventPage, Hit
    >>> page = EventPage("fights", "two men fighting", "search", (Hit("a.mp4", "a.mp4", 0.7),))
    >>> page.weights
    ()
    """

    title: str
    description: str
    kind: Literal["search", "rank", "recount", "recognize"]
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()

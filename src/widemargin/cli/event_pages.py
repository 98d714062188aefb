"""From models and an index to the page that shows the ranked videos with their evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from widemargin.cli.event_inputs import Videos
from widemargin.cli.rankings import RankedVideo
from widemargin.events import EventDetector, EvidenceShot, Recounting
from widemargin.report import EventPage, Evidence, Hit
from widemargin.video import DescribedVideo

__all__ = ["MOST_STRIPS", "STRIP", "make_page", "strip_of"]

MOST_STRIPS = 100
"""Videos, the best ones, for which a page shows evidence; making it for thousands takes long."""

STRIP = 6
"""Shots in the strip of a video of a ranking."""

# Seconds within which frames of a shot count as the same.
_NEAR = 2.0

Kind = Literal["search", "rank", "recount", "recognize"]


def make_page(
    videos: Videos,
    ranking: Sequence[RankedVideo],
    evidence: Callable[[DescribedVideo, RankedVideo], tuple[Evidence, ...]],
    *,
    kind: Kind,
    title: str,
    description: str,
    notes: Sequence[str],
    weights: Sequence[float] = (),
) -> EventPage:
    """Make a page.

    Parameters
    ----------
    videos : Videos
        The index.
    ranking : sequence of RankedVideo
        The videos, the best first.
    evidence : callable
        ``evidence(video, ranked) -> strip`` for one of the first videos, which is read with its pictures.
    kind : {"search", "rank", "recount", "recognize"}
        What was done.
    title, description : str
        The event in a few words, and in more words.
    notes : sequence of str
        Sentences that say how the ranking came about.
    weights : sequence of float, default=()
        Norm of the weights by position.

    Returns
    -------
    EventPage
        The page.
    """
    hits = []
    for place, ranked in enumerate(ranking):
        shown = place < MOST_STRIPS
        video = videos.index.video(ranked.path, thumbnails=shown)
        hits.append(
            Hit(
                name=video.name,
                path=ranked.path,
                score=ranked.score,
                status=video.status,
                problems=video.problems,
                duration=video.duration,
                label=ranked.label,
                strip=evidence(video, ranked) if shown else (),
            )
        )
    return EventPage(title, description, kind, tuple(hits), tuple(notes), tuple(map(float, weights)))


def strip_of(
    video: DescribedVideo,
    recounting: Recounting,
    concept_names: Sequence[str],
    n_shots: int,
    detector: EventDetector | None = None,
) -> tuple[Evidence, ...]:
    """Return the film strip of the evidence in a video.

    Frames of the same shot that are near in time look the same: only the best of them is shown.

    Parameters
    ----------
    video : DescribedVideo
        The video, with its pictures.
    recounting : Recounting
        Its evidence.
    concept_names : sequence of str
        Names of the concepts.
    n_shots : int
        Most frames to show.
    detector : EventDetector, default=None
        The detector, for the weights by position.

    Returns
    -------
    tuple of Evidence
        The best first.
    """
    strip = []
    for shot in _apart(recounting.shots)[:n_shots]:
        pictures, number = (
            (video.thumbnails, shot.shot) if shot.extra is None else (video.extra_thumbnails, shot.extra)
        )
        weight = float("nan") if detector is None else float(detector.position_weights_[shot.position])
        strip.append(
            Evidence(
                start=shot.start,
                end=shot.end,
                time=shot.key_time,
                score=shot.score,
                saliency=shot.saliency,
                weight=weight,
                position=shot.position,
                concepts=tuple(
                    (concept_names[place], probability) for place, probability, _ in shot.concepts
                ),
                thumbnail=pictures[number] if number < len(pictures) else b"",
            )
        )
    return tuple(strip)


def _apart(shots: Sequence[EvidenceShot]) -> list[EvidenceShot]:
    """Leave out frames that are near in time to a better one of the same shot."""
    kept: list[EvidenceShot] = []
    for shot in shots:
        near = (abs(other.key_time - shot.key_time) < _NEAR for other in kept if other.shot == shot.shot)
        if not any(near):
            kept.append(shot)
    return kept

"""``widemargin events recount``: the shots of videos that prove an event, and sheets on which people judge them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from widemargin.atomic import atomic_write
from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import EventModel, Videos, check_new_file, open_for
from widemargin.cli.event_output import clock, note, print_rows, printable, score_text
from widemargin.cli.events_rank import described_event
from widemargin.cli.rankings import RankedVideo, check_top
from widemargin.events import EventDetector, EventRecognizer, EvidenceShot, Recounting
from widemargin.video import DescribedVideo

if TYPE_CHECKING:
    from widemargin.report import Evidence

__all__ = ["RecountRequest", "run"]

_BLIND_SHOTS = 5
_METHODS = ("nearly-isotonic SVM", "average pooling")


@dataclass(frozen=True)
class RecountRequest:
    """For what evidence is asked.

    Parameters
    ----------
    model : Path
        File of the model.
    videos : sequence of str
        Names of videos.
    folder : Path or None
        The index; None for that of the training.
    event : str or None
        Name of the event, if the model knows several; None takes the one that is recognised.
    top : int or None
        How many shots of each video; None for all.
    html : Path or None
        File for a page.
    blind : Path or None
        File for a sheet without the names of the methods; its key is written beside it.
    seed : int
        Seed that draws the sides of the sheet.
    """

    model: Path
    videos: Sequence[str]
    folder: Path | None
    event: str | None
    top: int | None
    html: Path | None
    blind: Path | None
    seed: int


def run(request: RecountRequest) -> int:
    """Print the shots that speak for an event, the most convincing first.

    Parameters
    ----------
    request : RecountRequest
        For what evidence is asked.

    Returns
    -------
    int
        Exit code: 0.

    Raises
    ------
    UsageError, VideoIndexError, ModelFileError
        With what is wrong.
    """
    check_top(request.top)
    for option, file in (("--html", request.html), ("--blind", request.blind)):
        if file is not None:
            check_new_file(option, file, ".html", [str(request.model)])
    if request.seed < 0:
        raise UsageError(f"--seed is {request.seed}, but must be at least 0: leave it out.")
    model, videos = open_for(request.model, request.folder)
    if isinstance(model, EventDetector) or request.event is not None:
        described_event(model, request.event, request.model)
    if request.blind is not None and not isinstance(model, EventDetector):
        raise UsageError(
            f"--blind needs a detector of one event, with which a baseline was trained, but {str(request.model)!r} is "
            "a recognizer: train a detector with --event."
        )
    paths = videos.find(request.videos, "the command line")
    found = {path: _find(request, model, videos, path) for path in paths}
    if isinstance(model, EventRecognizer) and request.event is None:
        for path, evidence in found.items():
            note(f"{videos.names[path]}: evidence for {evidence.event!r}, which was recognised.")
    rows = [row for path, evidence in found.items() for row in _rows(request, evidence, videos, path)]
    columns = ("video", "time", "score", "saliency", "concepts")
    first = 0 if len(paths) > 1 else 1
    print_rows(columns[first:], [row[first:] for row in rows], numeric=("score", "saliency"))
    if request.html is not None:
        _write_page(request, request.html, model, videos, found)
        note(f"Page: {request.html}")
    if request.blind is not None and isinstance(model, EventDetector):
        key = _write_sheet(request, request.blind, model, videos, paths)
        note(f"Sheet: {request.blind}; which side is which method: {key}")
    return 0


@dataclass(frozen=True)
class _Found:
    """The evidence in one video.

    Parameters
    ----------
    event : str
        The event.
    recounting : Recounting
        Its evidence.
    """

    event: str
    recounting: Recounting


def _find(request: RecountRequest, model: EventModel, videos: Videos, path: str) -> _Found:
    # Pictures are read for a page alone.
    video = videos.index.video(path, thumbnails=False)
    try:
        if isinstance(model, EventDetector):
            return _Found(model.name, model.recount(video))
        event = request.event or str(model.predict([video])[0])
        return _Found(event, model.recount(video, event))
    except ValueError as error:
        raise UsageError(str(error)) from error


def _rows(request: RecountRequest, found: _Found, videos: Videos, path: str) -> list[tuple[str, ...]]:
    return [
        (
            videos.names[path],
            f"{clock(shot.start)}-{clock(shot.end)}",
            score_text(shot.score),
            score_text(shot.saliency),
            _concepts(shot, videos.index.concept_names),
        )
        for shot in found.recounting.shots[: request.top]
    ]


def _concepts(shot: EvidenceShot, names: Sequence[str]) -> str:
    return ", ".join(
        f"{printable(names[place])} {probability:.2f}" for place, probability, _ in shot.concepts
    )


def _write_page(
    request: RecountRequest, path: Path, model: EventModel, videos: Videos, found: dict[str, _Found]
) -> None:
    # The package of pages takes a second to import.
    from widemargin.cli.event_pages import make_page, strip_of
    from widemargin.report import write_event_page

    concepts = videos.index.concept_names
    detector = model if isinstance(model, EventDetector) else None
    if detector is not None or request.event is not None:
        title, description = described_event(model, request.event, request.model)
    else:
        title, description = "The recognised events", ""
    labelled = detector is None and request.event is None
    ranking = [
        RankedVideo(name, evidence.recounting.score, evidence.event if labelled else "")
        for name, evidence in found.items()
    ]

    def strip(video: DescribedVideo, ranked: RankedVideo) -> tuple[Evidence, ...]:
        recounting = found[ranked.path].recounting
        return strip_of(video, recounting, concepts, request.top or len(recounting.shots), detector)

    page = make_page(
        videos,
        ranking,
        strip,
        kind="recount",
        title=title,
        description=description,
        notes=["Shots are in the order of what they add to the score of their video."],
        weights=() if detector is None else detector.position_weights_,
    )
    write_event_page(path, page)


def _write_sheet(
    request: RecountRequest, path: Path, detector: EventDetector, videos: Videos, paths: Sequence[str]
) -> Path:
    """Write a sheet that shows the evidence of both methods side by side, and beside it which is which."""
    # The package of pages takes a second to import.
    from widemargin.cli.event_pages import strip_of
    from widemargin.report import BlindPair, render_blind_sheet

    concepts = videos.index.concept_names
    n_shots = request.top or _BLIND_SHOTS
    pairs = []
    for name in paths:
        video = videos.index.video(name)
        own, baseline = (
            strip_of(video, found, concepts, n_shots)
            for found in (detector.recount(video), detector.recount_baseline(video))
        )
        pairs.append(BlindPair(detector.name, video.name, name, own, baseline))
    sheet, answers = render_blind_sheet(
        detector.name, detector.description, pairs, methods=_METHODS, random_state=request.seed
    )
    key = path.with_name(f"{path.stem}-key.csv")
    atomic_write(path, sheet)
    atomic_write(key, answers)
    return key

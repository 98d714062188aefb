"""``widemargin events rank``: order the videos of an index by how surely they show a learnt event."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import EventModel, Videos, check_new_file, load_model_for, open_videos
from widemargin.cli.event_output import note, print_rows, score_text
from widemargin.cli.event_words import Array
from widemargin.cli.rankings import RankedVideo, best_first, check_top
from widemargin.events import EventDetector
from widemargin.events.index import IndexedVideos

__all__ = ["described_event", "event_scores", "run"]


def run(model: Path, folder: Path, event: str | None, top: int | None, html: Path | None) -> int:
    """Print the videos of an index, the surest first.

    Parameters
    ----------
    model : Path
        File of the model.
    folder : Path
        The index.
    event : str or None
        Name of the event, if the model knows several.
    top : int or None
        How many videos; None for all.
    html : Path or None
        File for a page.

    Returns
    -------
    int
        Exit code: 0.

    Raises
    ------
    UsageError, VideoIndexError, ModelFileError
        With what is wrong.
    """
    check_top(top)
    if html is not None:
        check_new_file("--html", html, ".html", [str(model)])
    videos = open_videos(folder)
    trained = load_model_for(model, videos)
    name, description = described_event(trained, event, model)
    scores = event_scores(trained, videos.index.videos(), name)
    ranking = best_first(videos, scores)[:top]
    rows = [(videos.names[ranked.path], score_text(ranked.score)) for ranked in ranking]
    print_rows(("video", "score"), rows, numeric=("score",))
    if html is not None:
        _write_page(html, trained, videos, ranking, name, description)
        note(f"Page: {html}")
    return 0


def described_event(model: EventModel, event: str | None, path: Path) -> tuple[str, str]:
    """Return the name and the words of the event that is meant.

    Parameters
    ----------
    model : EventDetector or EventRecognizer
        The model.
    event : str or None
        The name that was given.
    path : Path
        File of the model, for messages.

    Returns
    -------
    name, description : str
        Of one event.

    Raises
    ------
    UsageError
        If the model does not know it, or knows several and none is named.
    """
    if isinstance(model, EventDetector):
        known = {model.name: model.description}
    else:
        names = [str(name) for name in model.event_names]
        known = dict(zip(names, model.descriptions or names, strict=True))
    if event is None and len(known) == 1:
        return next(iter(known.items()))
    if event not in known:
        given = "knows several events" if event is None else f"does not know the event {event!r}"
        raise UsageError(f"{str(path)!r} {given}: give --event with one of {', '.join(map(repr, known))}.")
    return event, known[event]


def event_scores(model: EventModel, videos: IndexedVideos, event: str) -> Array:
    """Return the scores of videos for one event.

    Parameters
    ----------
    model : EventDetector or EventRecognizer
        The model.
    videos : IndexedVideos
        The videos.
    event : str
        Name of an event that it knows.

    Returns
    -------
    ndarray of shape (n_videos,)
        The scores.

    Raises
    ------
    UsageError
        If the videos do not go with the model.
    """
    try:
        scores = model.decision_function(videos)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if isinstance(model, EventDetector):
        return scores
    return scores[:, int(np.flatnonzero(model.classes_ == event)[0])]


def _write_page(
    path: Path, model: EventModel, videos: Videos, ranking: list[RankedVideo], name: str, description: str
) -> None:
    # The package of pages takes a second to import.
    from widemargin.cli.event_pages import STRIP, make_page, strip_of
    from widemargin.report import write_event_page

    concepts = videos.index.concept_names
    if isinstance(model, EventDetector):
        page = make_page(
            videos,
            ranking,
            lambda video, ranked: strip_of(video, model.recount(video), concepts, STRIP, model),
            kind="rank",
            title=name,
            description=description,
            notes=[f"Ranked by a detector that looks at the {model.n_shots_} most salient shots of a video."],
            weights=model.position_weights_,
        )
    else:
        page = make_page(
            videos,
            ranking,
            lambda video, ranked: strip_of(video, model.recount(video, name), concepts, STRIP),
            kind="rank",
            title=name,
            description=description,
            notes=[f"Ranked by a recognizer of {model.classes_.size} events, by the score of this one."],
        )
    write_event_page(path, page)

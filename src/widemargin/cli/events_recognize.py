"""``widemargin events recognize``: which of several learnt events each video of an index shows."""

from __future__ import annotations

from pathlib import Path

from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import Videos, check_new_file, load_model_for, open_videos
from widemargin.cli.event_output import note, print_rows, printable, score_text
from widemargin.cli.rankings import RankedVideo
from widemargin.events import EventRecognizer

__all__ = ["run"]


def run(model: Path, folder: Path, html: Path | None) -> int:
    """Print the event of each video of an index, and its score, in the order of the index.

    Parameters
    ----------
    model : Path
        File of a recognizer.
    folder : Path
        The index.
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
    if html is not None:
        check_new_file("--html", html, ".html", [str(model)])
    videos = open_videos(folder)
    trained = load_model_for(model, videos)
    if not isinstance(trained, EventRecognizer):
        raise UsageError(
            f"{str(model)!r} is a detector of one event: use widemargin events rank, or train a recognizer with "
            "widemargin events train --events FILE."
        )
    try:
        scores = trained.decision_function(videos.index.videos())
    except ValueError as error:
        raise UsageError(str(error)) from error
    found = [
        RankedVideo(path, float(row.max()), str(trained.classes_[row.argmax()]))
        for path, row in zip(videos.paths, scores, strict=True)
    ]
    rows = [(videos.names[item.path], printable(item.label), score_text(item.score)) for item in found]
    print_rows(("video", "event", "score"), rows, numeric=("score",))
    if html is not None:
        _write_page(html, trained, videos, found)
        note(f"Page: {html}")
    return 0


def _write_page(path: Path, model: EventRecognizer, videos: Videos, found: list[RankedVideo]) -> None:
    # The package of pages takes a second to import.
    from widemargin.cli.event_pages import STRIP, make_page, strip_of
    from widemargin.report import write_event_page

    concepts = videos.index.concept_names
    names = [str(name) for name in model.classes_]
    page = make_page(
        videos,
        sorted(found, key=lambda item: -item.score),
        lambda video, item: strip_of(video, model.recount(video, item.label), concepts, STRIP),
        kind="recognize",
        title=f"One of {len(names)} events",
        description=", ".join(names),
        notes=[
            "The score is that of the event that was recognised; scores of different events compare roughly."
        ],
    )
    write_event_page(path, page)

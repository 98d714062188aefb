"""``widemargin events search``: rank the videos of an index by the words of an event alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from widemargin.cli.event_inputs import Videos, check_new_file, open_videos
from widemargin.cli.event_output import note, print_rows, printable, score_text
from widemargin.cli.event_words import Array, WordChoices, leading_concepts, relevance_of
from widemargin.cli.rankings import RankedVideo, best_first, check_top
from widemargin.events import search_evidence, search_scores

__all__ = ["SearchRequest", "run"]


_NAMED = 10


@dataclass(frozen=True)
class SearchRequest:
    """What is searched for, and how.

    Parameters
    ----------
    text : str
        The event in words.
    folder : Path
        The index.
    words : WordChoices
        How words become the relevance of concepts.
    top : int or None
        How many videos, or concepts, are printed; None for all.
    html : Path or None
        File for a page.
    only_concepts : bool
        Whether the concepts and their relevance are printed, and no videos.
    """

    text: str
    folder: Path
    words: WordChoices
    top: int | None
    html: Path | None
    only_concepts: bool


def run(request: SearchRequest) -> int:
    """Print the videos of an index, those that fit the words best first.

    Parameters
    ----------
    request : SearchRequest
        What is searched for.

    Returns
    -------
    int
        Exit code: 0.

    Raises
    ------
    UsageError, VideoIndexError
        With what is wrong.
    """
    check_top(request.top)
    if request.html is not None:
        check_new_file("--html", request.html, ".html")
    videos = open_videos(request.folder)
    names = videos.index.concept_names
    relevance = relevance_of(
        [request.text], names, request.words, tell_unknown_concepts=request.only_concepts
    )[0]
    if request.only_concepts:
        rows = [
            (printable(name), score_text(value))
            for name, value in leading_concepts(relevance, names, request.top)
        ]
        print_rows(("concept", "relevance"), rows, numeric=("relevance",))
        return 0
    scores = search_scores(videos.index.videos(), relevance)
    ranking = best_first(videos, scores)[: request.top]
    rows = [(videos.names[ranked.path], score_text(ranked.score)) for ranked in ranking]
    print_rows(("video", "score"), rows, numeric=("score",))
    if request.html is not None:
        _write_page(request, request.html, videos, ranking, relevance)
        note(f"Page: {request.html}")
    return 0


def _write_page(
    request: SearchRequest, path: Path, videos: Videos, ranking: list[RankedVideo], relevance: Array
) -> None:
    # The package of pages takes a second to import.
    from widemargin.cli.event_pages import STRIP, make_page, strip_of
    from widemargin.report import write_event_page

    names = videos.index.concept_names
    concepts = ", ".join(f"{name} {value:.2f}" for name, value in leading_concepts(relevance, names, _NAMED))
    page = make_page(
        videos,
        ranking,
        lambda video, ranked: strip_of(
            video, search_evidence(video, relevance, video.n_shots + len(video.extra_times)), names, STRIP
        ),
        kind="search",
        title=request.text,
        description=request.text,
        notes=[
            "No video was trained on: the score is the mean saliency of the three most salient frames.",
            f"Concepts with most to do with the words: {concepts}.",
        ],
    )
    write_event_page(path, page)

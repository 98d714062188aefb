"""From ranked videos to one page to look at: film strips of evidence, which play when they are clicked on."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from widemargin.atomic import atomic_write
from widemargin.report.event_records import EventPage, Evidence, Hit
from widemargin.report.page import format_seconds
from widemargin.report.printing import clock, number, picture
from widemargin.report.rendering import readable, render_template
from widemargin.report.video_links import file_code, file_url

__all__ = ["render_event_page", "write_event_page"]

_MOST_STRIPS, _MOST_SHOTS, _MOST_ROWS, _MOST_WEIGHTS = 100, 50, 5000, 300
_MOST_PICTURE_BYTES = 24 * 2**20


def write_event_page(path: Path, page: EventPage) -> None:
    """Write a page of ranked videos to a file, whole or not at all.

    Parameters
    ----------
    path : Path
        The file, replaced if it exists; its folder must exist. Videos in that folder or below get relative links.
    page : EventPage
        What it shows.

    Raises
    ------
    WriteError
        If it cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from widemargin.report import EventPage, Hit, write_event_page
    >>> page = EventPage("fights", "two men fighting", "search", (Hit("a.mp4", "a.mp4", 0.7),))
    >>> with TemporaryDirectory() as folder:
    ...     write_event_page(Path(folder) / "fights.html", page)
    ...     (Path(folder) / "fights.html").read_text()[:15]
    '<!DOCTYPE html>'
    """
    atomic_write(path, render_event_page(page, folder=path.parent))


def render_event_page(page: EventPage, *, folder: Path | None = None) -> str:
    """Return a page of ranked videos as HTML: one file, with everything inside but the videos.

    A click on a shot plays it from the local file. For a search and a ranking, videos can be marked as right or wrong,
    and the marks saved as the lists that ``widemargin events train`` reads. The size is bounded: the best 100 videos
    have film strips, of 50 shots at most, with 24 MB of pictures in all; up to 5000 more are rows of a table; and the
    page says so where it leaves something out.

    Parameters
    ----------
    page : EventPage
        What it shows.
    folder : Path or None, default=None
        Where it will be kept. Videos in that folder or below get relative links, others absolute ones.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from widemargin.report import EventPage, Hit, render_event_page
    >>> page = EventPage("fights", "two men fighting", "search", (Hit("a.mp4", "a.mp4", 0.7),))
    >>> "two men fighting" in render_event_page(page)
    True
    """
    strips, rows = page.hits[:_MOST_STRIPS], page.hits[_MOST_STRIPS : _MOST_STRIPS + _MOST_ROWS]
    strips, without_picture = _within_budget(strips)
    return render_template(
        "event_page.html.j2",
        {
            "page": page,
            "strips": strips,
            "rows": rows,
            "n_left_out": len(page.hits) - len(strips) - len(rows),
            "without_picture": without_picture,
            "most_shots": _MOST_SHOTS,
            "bar": _Bars([hit.score for hit in page.hits]),
            "bars": _heights(page.weights[:_MOST_WEIGHTS]),
            "line": _line,
            "marks": page.kind in {"search", "rank"},
            "url": lambda path: file_url(path, folder),
        },
        styles=("base.css", "event_page.css"),
        scripts=("event_player.js", "event_page.js"),
        filters={
            "clock": clock,
            "code": file_code,
            "number": number,
            "picture": picture,
            "readable": readable,
            "seconds": format_seconds,
        },
    )


def _line(hit: Hit) -> str:
    """Return what names a video in a list of one name a line, in which ``#`` starts a remark; empty if nothing can."""
    line = hit.path or hit.name
    if "\n" in line or line != line.rstrip(" \t\r"):
        return ""
    return f"./{line}" if hit.path.startswith(("#", " ", "\t")) else line


def _within_budget(hits: tuple[Hit, ...]) -> tuple[tuple[Hit, ...], int]:
    """Shorten the strips, and drop the pictures that come when the budget is used up; return how many as well."""
    left, dropped, kept = _MOST_PICTURE_BYTES, 0, []
    for hit in hits:
        strip: list[Evidence] = []
        for shot in hit.strip[:_MOST_SHOTS]:
            left -= len(shot.thumbnail)
            dropped += left < 0
            strip.append(shot if left >= 0 else replace(shot, thumbnail=b""))
        kept.append(replace(hit, strip=(*strip, *hit.strip[_MOST_SHOTS:])))
    return tuple(kept), dropped


class _Bars:
    """Where the bar of a score starts, and how long it is, in hundredths of the scale of all scores and 0."""

    def __init__(self, scores: list[float]) -> None:
        known = [score for score in scores if math.isfinite(score)]
        self.low, high = min([0.0, *known]), max([0.0, *known])
        self.scale = 100 / (high - self.low) if high > self.low else 0.0

    def __call__(self, score: float) -> tuple[float, float]:
        if not math.isfinite(score):
            return 0.0, 0.0
        ends = sorted(((min(score, 0.0) - self.low) * self.scale, (max(score, 0.0) - self.low) * self.scale))
        return round(ends[0], 1), round(ends[1] - ends[0], 1)


def _heights(weights: tuple[float, ...]) -> list[float]:
    """Heights of bars in hundredths of the highest."""
    known = [weight if math.isfinite(weight) and weight > 0 else 0.0 for weight in weights]
    highest = max(known, default=0.0)
    return [round(100 * weight / highest, 1) if highest else 0.0 for weight in known]

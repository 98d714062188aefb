"""From ranked videos to one page to look at: film strips of evidence, which play when they are clicked on."""

from __future__ import annotations

from pathlib import Path

from widemargin.report.event_records import EventPage

__all__ = ["render_event_page", "write_event_page"]


def render_event_page(page: EventPage, *, folder: Path | None = None) -> str:
    """Return the page as HTML (`folder`: where it will be kept, so that videos below it get relative links)."""
    raise NotImplementedError


def write_event_page(path: Path, page: EventPage) -> None:
    """Write the page to a file, atomically."""
    raise NotImplementedError

"""A sheet on which people compare the evidence of two methods without knowing which is which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from widemargin.report.event_records import Evidence

__all__ = ["BlindPair", "render_blind_sheet"]


@dataclass(frozen=True)
class BlindPair:
    """The evidence that two methods give for one video (`event`: which event; `path`: the file as given)."""

    event: str
    name: str
    path: str
    first: tuple[Evidence, ...]
    second: tuple[Evidence, ...]


def render_blind_sheet(
    title: str,
    description: str,
    pairs: Sequence[BlindPair],
    *,
    methods: tuple[str, str] = ("first", "second"),
    random_state: int = 0,
) -> tuple[str, str]:
    """Return the sheet as HTML, and its key as CSV text."""
    raise NotImplementedError

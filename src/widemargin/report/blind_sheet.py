"""A sheet on which people compare the evidence of two methods without knowing which is which."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from widemargin.report.event_records import Evidence
from widemargin.report.printing import clock, picture
from widemargin.report.rendering import readable, render_template
from widemargin.report.video_links import file_url

__all__ = ["BlindPair", "render_blind_sheet"]


@dataclass(frozen=True)
class BlindPair:
    """The evidence that two methods give for one video.

    Parameters
    ----------
    event : str
        The event that the video should show.
    name : str
        What the video is called, mostly the base name of its file.
    path : str
        The file as it was given; empty if there is none to play.
    first, second : tuple of Evidence
        The shots of the first method and of the second.

    Examples
    --------
    >>> from widemargin.report import BlindPair, Evidence
    >>> pair = BlindPair("fight", "a.mp4", "a.mp4", (Evidence(0, 2, 1, 0.4),), (Evidence(5, 9, 7, 0.1),))
    >>> len(pair.first)
    1
    """

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
    """Return a sheet with two unlabelled strips for each video, and the key that says which is whose.

    Each method is on the left for half of the videos, drawn at random; scores and concepts, which would tell the
    methods apart, are not shown. A person says for each video which strip shows the event better, and for each shot
    whether it is relevant, and saves the answers as a CSV file: with the key, `widemargin.metrics.judge_recounting`
    counts them.

    Parameters
    ----------
    title : str
        Heading of the sheet.
    description : str
        What is asked, or the words of the event; may be empty.
    pairs : sequence of BlindPair
        The videos, at least one.
    methods : tuple of two str, default=("first", "second")
        Names of the methods, for the key only; they differ.
    random_state : int, default=0
        Seed of the sides, at least 0.

    Returns
    -------
    sheet : str
        The page as HTML, which needs no other file but the videos, and links to them absolutely.
    key : str
        CSV text with the columns ``sheet``, ``pair``, ``event``, ``video``, ``A`` and ``B``.

    Raises
    ------
    ValueError
        If there is no pair, or the methods have the same name.

    Examples
    --------
    >>> from widemargin.report import BlindPair, Evidence, render_blind_sheet
    >>> pair = BlindPair("fight", "a.mp4", "a.mp4", (Evidence(0, 2, 1, 0.4),), (Evidence(5, 9, 7, 0.1),))
    >>> sheet, key = render_blind_sheet("Fights", "two men fighting", [pair], methods=("ours", "theirs"))
    >>> key.splitlines()[0]
    'sheet,pair,event,video,A,B'
    >>> "ours" in sheet.split("<body>")[1].split("<script>")[0]
    False
    """
    if not pairs:
        raise ValueError(
            "pairs must have at least one video to compare, but is empty: give the evidence of some videos."
        )
    if methods[0] == methods[1]:
        raise ValueError(f"methods must be two different names, but both are {methods[0]!r}: rename one.")
    swapped = np.random.default_rng(random_state).permutation(np.arange(len(pairs)) % 2 == 1)
    sheet = _identity(title, pairs, methods, random_state)
    sides = [
        (pair, (pair.second, pair.first) if swap else (pair.first, pair.second))
        for pair, swap in zip(pairs, swapped, strict=True)
    ]
    page = render_template(
        "blind_sheet.html.j2",
        {"title": title, "description": description, "sheet": sheet, "pairs": sides, "url": file_url},
        styles=("base.css", "event_page.css", "blind_sheet.css"),
        scripts=("event_player.js", "blind_sheet.js"),
        filters={"clock": clock, "picture": picture, "readable": readable},
    )
    key = io.StringIO()
    rows = csv.writer(key, lineterminator="\n")
    rows.writerow(("sheet", "pair", "event", "video", "A", "B"))
    for number, (pair, swap) in enumerate(zip(pairs, swapped, strict=True), 1):
        rows.writerow(
            (sheet, number, pair.event, pair.path or pair.name, *(methods[::-1] if swap else methods))
        )
    return page, key.getvalue()


def _identity(title: str, pairs: Sequence[BlindPair], methods: tuple[str, str], random_state: int) -> str:
    """Return a short name that tells the answers to one sheet from those to another."""
    shown = [
        (
            pair.event,
            pair.path,
            [[(shot.start, shot.end) for shot in side] for side in (pair.first, pair.second)],
        )
        for pair in pairs
    ]
    return hashlib.sha256(repr((title, shown, methods, random_state)).encode()).hexdigest()[:12]

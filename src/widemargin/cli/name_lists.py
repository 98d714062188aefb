"""Files of names: the videos of an event, the events to tell apart, and what videos truly show."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from widemargin.cli.errors import UsageError

__all__ = ["ListedEvent", "Truth", "read_columns", "read_events", "read_names", "read_truth"]

_VIDEO_COLUMNS = ("video", "file", "path")
_LABEL_COLUMNS = ("label", "event", "labels")
_YES, _NO = frozenset({"1", "yes", "true", "positive"}), frozenset({"0", "-1", "no", "false", "negative"})


@dataclass(frozen=True)
class ListedEvent:
    """An event of a list.

    Parameters
    ----------
    name : str
        Its short name.
    description : str
        What it looks like, in words; the name, if nothing else is given.
    videos : tuple of str
        Names of videos that show it.
    """

    name: str
    description: str
    videos: tuple[str, ...]


@dataclass(frozen=True)
class Truth:
    """What videos truly show.

    Parameters
    ----------
    labels : mapping of str to frozenset of str
        Labels of each video, by the name that the file gives it.
    complete : bool
        Whether videos that are not named show nothing; else nothing is known of them.
    yes_or_no : bool
        Whether labels only say that a video shows the one event in question; then videos that show it have the label
        "1", and others none.
    """

    labels: Mapping[str, frozenset[str]]
    complete: bool
    yes_or_no: bool


def read_names(source: str) -> tuple[str, ...]:
    """Read a list of names, one a line; empty lines, and those that start with ``#``, do not count.

    Parameters
    ----------
    source : str
        The file, or ``-`` for the standard input.

    Returns
    -------
    tuple of str
        The names, each once.

    Raises
    ------
    UsageError
        If it cannot be read, is no text, or names nothing.
    """
    names = tuple(dict.fromkeys(_lines(_read(source))))
    if not names:
        raise UsageError(f"{_title(source)} names no video: write one a line.")
    return names


def read_events(source: str) -> tuple[ListedEvent, ...]:
    """Read a list of events with the videos that show them.

    Parameters
    ----------
    source : str
        A JSON list of objects with ``name``, ``description`` and ``labels`` (a list of videos), or a table with these
        columns, in which an event has several rows, or several videos with semicolons between them.

    Returns
    -------
    tuple of ListedEvent
        The events, in the order of the file.

    Raises
    ------
    UsageError
        If it cannot be read, has fewer than two events, or an event without a name or a video.
    """
    text = _read(source)
    title = _title(source)
    rows = _json_events(text, title) if text.lstrip().startswith(("[", "{")) else _table_events(text, title)
    merged: dict[str, tuple[str, dict[str, None]]] = {}
    for name, description, videos in rows:
        if not name:
            raise UsageError(f"{title} has an event without a name: give each one a name.")
        known, all_videos = merged.get(name, ("", {}))
        if known and description and known != description:
            raise UsageError(f"{title} describes the event {name!r} in two ways: keep one description.")
        merged[name] = (known or description, all_videos | dict.fromkeys(videos))
    if len(merged) < 2:
        raise UsageError(
            f"{title} has {len(merged)} event{'' if len(merged) == 1 else 's'}, and telling events apart takes at "
            "least two: for a single one use --event with --positives."
        )
    events = tuple(
        ListedEvent(name, description or name, tuple(videos))
        for name, (description, videos) in merged.items()
    )
    without = [event.name for event in events if not event.videos]
    if without:
        raise UsageError(
            f"{title} has no video for {', '.join(map(repr, without))}: name at least one for each event."
        )
    return events


def read_truth(source: str) -> Truth:
    """Read what videos show.

    Parameters
    ----------
    source : str
        Names of videos that show the event, one a line; or a table with a header and the columns ``video`` and
        ``label`` or ``event``. Labels are names of events, with semicolons between several of one video, empty if it
        shows none; or all of them are 1 or 0.

    Returns
    -------
    Truth
        The labels.

    Raises
    ------
    UsageError
        If it cannot be read, names nothing, or has no such columns.
    """
    text = _read(source)
    if not _is_table(text):
        names = _lines(text)
        if not names:
            raise UsageError(f"{_title(source)} names no video: write one a line.")
        return Truth({name: frozenset({"1"}) for name in names}, complete=True, yes_or_no=True)
    rows = _pairs(text, _title(source), _LABEL_COLUMNS)
    labels: dict[str, frozenset[str]] = {}
    for video, label in rows:
        labels[video] = labels.get(video, frozenset()) | frozenset(_split(label))
    words = frozenset().union(*labels.values())
    if words and {word.lower() for word in words} <= _YES | _NO:
        answers = {
            video: frozenset({"1"} if any(word.lower() in _YES for word in given) else ())
            for video, given in labels.items()
        }
        return Truth(answers, complete=False, yes_or_no=True)
    return Truth(labels, complete=False, yes_or_no=False)


def read_columns(source: str, label_columns: Sequence[str]) -> list[tuple[str, str]]:
    """Read a table of files with something said of each.

    Parameters
    ----------
    source : str
        The file, with a header.
    label_columns : sequence of str
        Names that the second column may have.

    Returns
    -------
    list of (str, str)
        File and label of each row.

    Raises
    ------
    UsageError
        If it cannot be read, has no such columns or no rows.
    """
    return _pairs(_read(source), _title(source), label_columns)


def _title(source: str) -> str:
    return "the standard input" if source == "-" else repr(source)


def _read(source: str) -> str:
    """Return the text of a file; bytes that are no UTF-8 stay, as they may be part of a file's name."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(source, "rb") as file:
                data = file.read()
    except OSError as error:
        raise UsageError(
            f"{source!r} cannot be read ({error.strerror}): check its name and its permissions."
        ) from error
    if b"\0" in data:
        raise UsageError(f"{_title(source)} is no text: save it as plain text or CSV, in UTF-8.")
    return data.decode("utf-8-sig", errors="surrogateescape")


def _lines(text: str) -> list[str]:
    # Only ends of lines divide names; str.splitlines knows characters that a file's name may have.
    lines = (line.strip(" \t\r") for line in text.split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def _split(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]


def _rows(text: str, title: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table by the names of their columns, in lower case."""
    lines = [line for line in io.StringIO(text, newline="") if line.strip() and not line.startswith("#")]
    separator = max(",;\t", key=lines[0].count) if lines else ","
    try:
        table = list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error as error:
        raise UsageError(f"{title} is no table ({error}): write CSV with a header.") from error
    if not table:
        raise UsageError(f"{title} is empty: write a header and a row for each video.")
    names = [name.strip().lower() for name in table[0]]
    for number, row in enumerate(table[1:], start=2):
        if len(row) > len(names):
            raise UsageError(
                f"{title} has {len(row)} cells in row {number}, but {len(names)} columns: put text with "
                f"{separator!r} in quotation marks."
            )
        cells = [cell.strip() for cell in row] + [""] * (len(names) - len(row))
        yield dict(zip(names, cells, strict=True))


def _is_table(text: str) -> bool:
    """Whether the first line names a column of videos and another of labels."""
    first = next(iter(_lines(text)), "").lower()
    for separator in ",;\t":
        names = [name.strip(' "') for name in first.split(separator)]
        if set(names) & set(_VIDEO_COLUMNS) and set(names) & set(_LABEL_COLUMNS):
            return True
    return False


def _pairs(text: str, title: str, label_columns: Sequence[str]) -> list[tuple[str, str]]:
    rows = list(_rows(text, title))
    if not rows:
        raise UsageError(f"{title} has no row below its header: write one for each video.")
    columns = [
        next((name for name in names if name in rows[0]), None) for names in (_VIDEO_COLUMNS, label_columns)
    ]
    if None in columns:
        raise UsageError(
            f"{title} has the columns {', '.join(map(repr, rows[0]))}: name one of them "
            f"{' or '.join(map(repr, _VIDEO_COLUMNS))}, and one {' or '.join(map(repr, label_columns))}."
        )
    video, label = columns
    return [(row[str(video)], row[str(label)]) for row in rows if row[str(video)]]


def _json_events(text: str, title: str) -> list[tuple[str, str, list[str]]]:
    try:
        items: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{title} is no JSON ({error}): correct it, or write CSV.") from error
    expected = (
        f"{title} must be a list of objects with text as 'name' and 'description' and a list as 'labels'"
    )
    if not isinstance(items, list):
        raise UsageError(f"{expected}: put the objects in square brackets.")
    events = []
    for number, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise UsageError(f"{expected}, and entry {number} is none.")
        name, description, labels = item.get("name"), item.get("description", ""), item.get("labels")
        texts = [name, description, *labels] if isinstance(labels, list) else [None]
        if not all(isinstance(part, str) for part in texts):
            raise UsageError(f"{expected}, and entry {number} has others.")
        events.append((str(name).strip(), description.strip(), list(labels or ())))
    return events


def _table_events(text: str, title: str) -> list[tuple[str, str, list[str]]]:
    events = []
    for row in _rows(text, title):
        if not {"name", "labels"} <= row.keys():
            raise UsageError(
                f"{title} has the columns {', '.join(map(repr, row))}: write a header with 'name', 'description' and "
                "'labels', or a JSON list."
            )
        events.append((row["name"], row.get("description", ""), _split(row["labels"])))
    return events

"""How results about videos are printed: a table in a terminal, else one line a result with tabs between its values."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from widemargin.events.index.names import distinct_names

__all__ = ["clock", "display_names", "note", "print_rows", "printable", "score_text", "warnings_as_notes"]

# Control characters, ends of lines of Unicode, marks that turn the direction of writing, and bytes that are no UTF-8.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Return text that cannot break a line, nor do anything else to a terminal.

    Parameters
    ----------
    text : str
        Such as the name of a file.

    Returns
    -------
    str
        The same, with escapes such as ``\n`` in place of characters that are not seen.

    Examples
    --------
    >>> print(printable("two\nlines.mp4"))
    two\nlines.mp4
    """
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape", "surrogatepass").decode(), text)


def display_names(paths: Sequence[str]) -> dict[str, str]:
    """Return what videos are called: the base name, with folders before it where several have the same one.

    Parameters
    ----------
    paths : sequence of str
        All videos of an index or of a run.

    Returns
    -------
    dict of str to str
        A name for each path, without characters that are not seen.
    """
    names = distinct_names([os.path.abspath(path) for path in paths])
    return {path: printable(name) for path, name in zip(paths, names, strict=True)}


def score_text(score: float) -> str:
    """Print a score in a way that keeps the order of most scores: six digits.

    Parameters
    ----------
    score : float
        The score.

    Returns
    -------
    str
        Its digits.
    """
    return f"{score:.6g}"


def clock(seconds: float) -> str:
    """Print a time in a video.

    Parameters
    ----------
    seconds : float
        Seconds from the first frame, at least 0.

    Returns
    -------
    str
        As ``h:mm:ss.s``.

    Examples
    --------
    >>> clock(3725.25), clock(59.96)
    ('1:02:05.2', '0:01:00.0')
    """
    minutes, tenths = divmod(round(seconds * 10), 600)
    return f"{minutes // 60}:{minutes % 60:02d}:{tenths // 10:02d}.{tenths % 10}"


def print_rows(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numeric: Sequence[str] = (),
    styles: Mapping[str, str] | None = None,
) -> None:
    """Print rows as a table in a terminal, else as lines with tabs between the values, without a header.

    Parameters
    ----------
    columns : sequence of str
        Headings.
    rows : sequence of sequence of str
        Values, one for each column, without characters that are not seen.
    numeric : sequence of str, default=()
        Headings of the columns that are aligned on the right.
    styles : mapping of str to str, default=None
        Styles of values, in a terminal.
    """
    console = Console(highlight=False)
    if not console.is_terminal:
        typer.echo("".join("\t".join(row) + "\n" for row in rows), nl=False)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        right = column in numeric
        table.add_column(column, justify="right" if right else "left", overflow="fold", no_wrap=right)
    for row in rows:
        table.add_row(*(Text(value, style=(styles or {}).get(value, "")) for value in row))
    console.print(table)


def note(sentence: str) -> None:
    """Print a sentence beside the results.

    Parameters
    ----------
    sentence : str
        Goes to stderr, without characters that are not seen.
    """
    sys.stdout.flush()
    typer.echo(printable(sentence), err=True)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Print what is warned of inside as notes, each once.

    Yields
    ------
    None
        Nothing.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    messages = [str(item.message).strip() for item in caught if issubclass(item.category, UserWarning)]
    for message in dict.fromkeys(messages):
        note(f"Note: {message}")

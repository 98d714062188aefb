"""Make ``index.html`` of a results folder: one page that needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from widemargin.experiments.storage import atomic_write
from widemargin.report.load import Results, load_results
from widemargin.report.rendering import render_template

__all__ = ["PAGE_FILE", "format_seconds", "has_foreign_page", "render_page", "write_report"]

PAGE_FILE = "index.html"
"""Name of the page in a results folder."""

# The first version wrote pages without the first of these.
_OURS = (b'<meta name="generator" content="widemargin">', b"<title>widemargin: ")
_HEAD = 2**12


def write_report(
    out: Path,
    order: Sequence[str] = (),
    *,
    command: str = "widemargin reproduce",
    title: str = "Reproduced results",
) -> Results:
    """Write the page of a results folder from the files in it.

    Parameters
    ----------
    out : Path
        The results folder.
    order : sequence of str, default=()
        Names of experiments to put first.
    command, title : str, default="widemargin reproduce" and "Reproduced results"
        The command that made the results, and the heading.

    Returns
    -------
    Results
        What was read, with the problems met; the page lists them as well.
    """
    results = load_results(out, order)
    atomic_write(out / PAGE_FILE, render_page(results, command=command, title=title))
    return results


def has_foreign_page(out: Path) -> bool:
    """Tell whether a folder has a page that `write_report` did not write, and should not overwrite.

    Parameters
    ----------
    out : Path
        The results folder.

    Returns
    -------
    bool
        False if there is no page, or a report.
    """
    page = out / PAGE_FILE
    if not page.exists():
        return False
    try:
        with page.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return True
    return not any(mark in head for mark in _OURS)


def render_page(
    results: Results, *, command: str = "widemargin reproduce", title: str = "Reproduced results"
) -> str:
    """Return the page as HTML: styles and images inside, every text escaped, no request to anywhere.

    Parameters
    ----------
    results : Results
        What a results folder holds.
    command, title : str, default="widemargin reproduce" and "Reproduced results"
        The command that made the results, and the heading.

    Returns
    -------
    str
        The page.
    """
    return render_template(
        "page.html.j2",
        {"results": results, "command": command, "title": title},
        styles=("base.css", "style.css"),
        filters={"seconds": format_seconds},
    )


def format_seconds(seconds: float) -> str:
    """Print a duration for people.

    Parameters
    ----------
    seconds : float
        The duration, at least 0.

    Returns
    -------
    str
        Such as "0.4 s", "42 s", "3 min 5 s" or "2 h 10 min".

    Examples
    --------
    >>> format_seconds(185.2)
    '3 min 5 s'
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

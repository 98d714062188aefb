"""Times, scores and pictures as pages show them."""

from __future__ import annotations

import base64
import math

__all__ = ["clock", "number", "picture"]

_JPEG = b"\xff\xd8\xff"


def clock(seconds: float) -> str:
    """Print a time in a video for people.

    Parameters
    ----------
    seconds : float
        From the first frame; below 0 is 0.

    Returns
    -------
    str
        Minutes and seconds, with hours if there are any.

    Examples
    --------
    >>> clock(72.46)
    '1:12.5'
    >>> clock(3600)
    '1:00:00.0'
    """
    if not math.isfinite(seconds):
        return "–"
    minutes, tenths = divmod(round(max(seconds, 0.0) * 10), 600)
    hours, minutes = divmod(minutes, 60)
    rest = f"{tenths // 10:02d}.{tenths % 10}"
    return f"{hours}:{minutes:02d}:{rest}" if hours else f"{minutes}:{rest}"


def number(value: float) -> str:
    """Print a score so that a column of them can be compared at a glance.

    Parameters
    ----------
    value : float
        Any number.

    Returns
    -------
    str
        Three decimals, or three digits for the very small and the large; a dash for what is no number.

    Examples
    --------
    >>> number(-0.25), number(12345.6), number(float("nan"))
    ('−0.250', '1.23e+04', '–')
    """
    if not math.isfinite(value):
        return "–"
    text = f"{value:.3f}" if value == 0 or 1e-3 <= abs(value) < 1e3 else f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}", 1) if value < 0 else text


def picture(thumbnail: bytes) -> str:
    """Return a JPEG picture as an address that holds it.

    Parameters
    ----------
    thumbnail : bytes
        The picture.

    Returns
    -------
    str
        A ``data:`` address; empty for bytes that do not start as a JPEG picture does.

    Examples
    --------
    >>> picture(b"<svg onload=...>")
    ''
    """
    if not thumbnail.startswith(_JPEG):
        return ""
    return f"data:image/jpeg;base64,{base64.b64encode(thumbnail).decode()}"

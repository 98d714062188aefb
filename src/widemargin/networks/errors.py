"""What is wrong with a network, or with a file that it is made from."""

from __future__ import annotations

__all__ = ["NetworkError", "first_line"]


class NetworkError(ValueError):
    """A network or its class names cannot be read, do not fit together, or gave numbers that are not finite."""


def first_line(error: Exception) -> str:
    """Return the first line of what an error of a library says, cut to a length that can be read.

    Parameters
    ----------
    error : Exception
        The error.

    Returns
    -------
    str
        At most 200 characters without a full stop.
    """
    lines = str(error).strip().splitlines() or [type(error).__name__]
    line = lines[0].strip()
    return (line if len(line) <= 200 else line[:197] + "...").rstrip(".")

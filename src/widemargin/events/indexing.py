"""One video into an index: read its pictures, describe them, and write what is known into its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["IndexResult"]


@dataclass(frozen=True)
class IndexResult:
    """How it went with one video.

    Parameters
    ----------
    path : str
        The file as it was given.
    status : {"ok", "partial", "failed"}
        Whether all, some or nothing of it is in the index.
    reason : str
        What is missing and why; empty if nothing is.
    n_shots : int
        Number of shots; 0 if it failed.
    duration : float
        Length in seconds; 0 if it failed.
    cached : bool
        Whether it was in the index before, so that nothing was decoded.
    seconds : float
        Time that it took.
    """

    path: str
    status: Literal["ok", "partial", "failed"]
    reason: str
    n_shots: int
    duration: float
    cached: bool
    seconds: float

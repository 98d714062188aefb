"""What is wrong with an index of videos."""

from __future__ import annotations

__all__ = ["VideoIndexError"]


class VideoIndexError(ValueError):
    """A folder is no index, was made with other settings, holds a damaged file, or lacks what is asked for."""

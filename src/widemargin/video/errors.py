"""What is wrong with a video file."""

from __future__ import annotations

__all__ = ["VideoError"]


class VideoError(ValueError):
    """A video is missing, holds no picture that can be decoded, or is of a kind or size that is not read."""

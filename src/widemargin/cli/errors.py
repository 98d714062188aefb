"""What is wrong with a command line."""

from __future__ import annotations

__all__ = ["UsageError"]


class UsageError(ValueError):
    """The command line asks for something impossible; the message says what, and what to do."""

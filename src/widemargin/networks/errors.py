"""What is wrong with a network, or with a file that it is made from."""

from __future__ import annotations

__all__ = ["NetworkError"]


class NetworkError(ValueError):
    """A network or its class names cannot be read, do not fit together, or gave numbers that are not finite."""

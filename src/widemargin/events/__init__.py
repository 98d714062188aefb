"""Videos as ordered shots: classifiers that put more weight on the more salient ones, and the evidence for each hit."""

from __future__ import annotations

from widemargin.events.pooling import AveragePooling, MaxPooling

__all__ = [
    "AveragePooling",
    "MaxPooling",
]

"""Videos as ordered shots: classifiers that put more weight on the more salient ones, and the evidence for each hit."""

from __future__ import annotations

from widemargin.events.pooling import AveragePooling, MaxPooling
from widemargin.events.prioritization import prioritize, select_shots

__all__ = [
    "AveragePooling",
    "MaxPooling",
    "prioritize",
    "select_shots",
]

"""Videos as ordered shots: classifiers that put more weight on the more salient ones, and the evidence for each hit."""

from __future__ import annotations

from widemargin.events.pooling import AveragePooling, MaxPooling
from widemargin.events.prioritization import prioritize, select_shots
from widemargin.events.recounting import ShotEvidence, recounting_scores, shot_evidence

__all__ = [
    "AveragePooling",
    "MaxPooling",
    "ShotEvidence",
    "prioritize",
    "recounting_scores",
    "select_shots",
    "shot_evidence",
]

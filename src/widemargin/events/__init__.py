"""Videos as ordered shots: classifiers that put more weight on the more salient ones, and the evidence for each hit."""

from __future__ import annotations

from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.events.nearly_isotonic_cv import NearlyIsotonicSVCCV
from widemargin.events.path import RegularizationPath, regularization_path
from widemargin.events.pooling import AveragePooling, MaxPooling
from widemargin.events.prioritization import prioritize, select_shots
from widemargin.events.recounting import ShotEvidence, recounting_scores, shot_evidence

__all__ = [
    "AveragePooling",
    "MaxPooling",
    "NearlyIsotonicSVC",
    "NearlyIsotonicSVCCV",
    "RegularizationPath",
    "ShotEvidence",
    "prioritize",
    "recounting_scores",
    "regularization_path",
    "select_shots",
    "shot_evidence",
]

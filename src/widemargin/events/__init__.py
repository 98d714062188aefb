"""Videos as ordered shots: classifiers that put more weight on the more salient ones, and the evidence for each hit."""

from __future__ import annotations

from widemargin.events.concept_detectors import ConceptDetectors
from widemargin.events.default_classifier import default_event_classifier
from widemargin.events.detector import EventDetector
from widemargin.events.evidence import EvidenceShot, Recounting
from widemargin.events.index import (
    IndexedVideos,
    IndexResult,
    IndexSettings,
    NetworkSpec,
    VideoIndex,
    VideoIndexError,
)
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.events.nearly_isotonic_cv import NearlyIsotonicSVCCV
from widemargin.events.path import RegularizationPath, regularization_path
from widemargin.events.pooling import AveragePooling, MaxPooling
from widemargin.events.prioritization import prioritize, select_shots
from widemargin.events.recognizer import EventRecognizer
from widemargin.events.recounting import ShotEvidence, recounting_scores, shot_evidence
from widemargin.events.search import search_evidence, search_scores
from widemargin.events.semantic_saliency import semantic_saliency
from widemargin.words import concept_relevance

__all__ = [
    "AveragePooling",
    "ConceptDetectors",
    "EventDetector",
    "EventRecognizer",
    "EvidenceShot",
    "IndexResult",
    "IndexSettings",
    "IndexedVideos",
    "MaxPooling",
    "NearlyIsotonicSVC",
    "NearlyIsotonicSVCCV",
    "NetworkSpec",
    "Recounting",
    "RegularizationPath",
    "ShotEvidence",
    "VideoIndex",
    "VideoIndexError",
    "concept_relevance",
    "default_event_classifier",
    "prioritize",
    "recounting_scores",
    "regularization_path",
    "search_evidence",
    "search_scores",
    "select_shots",
    "semantic_saliency",
    "shot_evidence",
]

"""Experiments of the papers, each one file, and what they share: see `widemargin.experiments.experiment`."""

from widemargin.experiments.awa10 import AWA10
from widemargin.experiments.bounding_boxes import BOUNDING_BOXES
from widemargin.experiments.events.detection import ISOTONIC_DETECTION
from widemargin.experiments.events.penalties import ISOTONIC_PENALTIES
from widemargin.experiments.events.ranking_svm import ISOTONIC_RANKING_SVM
from widemargin.experiments.events.recognition import ISOTONIC_RECOGNITION
from widemargin.experiments.events.sensitivity import ISOTONIC_SENSITIVITY
from widemargin.experiments.experiment import Experiment, Settings, Unit
from widemargin.experiments.human_scores import HUMAN_SCORES
from widemargin.experiments.mnist_plus import MNIST_PLUS
from widemargin.experiments.privileged_digits import PRIVILEGED_DIGITS
from widemargin.experiments.ranking.boosters import RANKING_BOOSTERS
from widemargin.experiments.ranking.proteins import RANKING_PROTEINS
from widemargin.experiments.ranking.rows import RANKING_ROWS
from widemargin.experiments.ranking.toy import RANKING_TOY
from widemargin.experiments.ranking.vision import RANKING_DIGITS, RANKING_IMAGES
from widemargin.experiments.record import RunRecord, read_record
from widemargin.experiments.running import Observer, Outcome, run_experiment
from widemargin.experiments.video_events.choices import EVENT_SENSITIVITY, VIDEO_CHOICES
from widemargin.experiments.video_events.fights import FIGHTS
from widemargin.experiments.video_events.shot_features import SHOT_FEATURES
from widemargin.experiments.video_events.untrimmed import EVENT_VIDEOS, SCENE_VIDEOS
from widemargin.experiments.video_events.weights import EVENT_WEIGHTS
from widemargin.experiments.webqueries import WEBQUERIES

__all__ = [
    "EXPERIMENTS",
    "PARTS",
    "Experiment",
    "Observer",
    "Outcome",
    "RunRecord",
    "Settings",
    "Unit",
    "read_record",
    "run_experiment",
]

PARTS: dict[str, tuple[Experiment, ...]] = {
    "privileged": (PRIVILEGED_DIGITS, MNIST_PLUS, AWA10, WEBQUERIES, BOUNDING_BOXES, HUMAN_SCORES),
    "ranking": (
        RANKING_TOY,
        RANKING_DIGITS,
        RANKING_IMAGES,
        RANKING_BOOSTERS,
        RANKING_ROWS,
        RANKING_PROTEINS,
    ),
    "nearly-isotonic": (
        ISOTONIC_DETECTION,
        ISOTONIC_PENALTIES,
        ISOTONIC_RANKING_SVM,
        ISOTONIC_RECOGNITION,
        ISOTONIC_SENSITIVITY,
    ),
    "events": (
        EVENT_VIDEOS,
        FIGHTS,
        SCENE_VIDEOS,
        SHOT_FEATURES,
        VIDEO_CHOICES,
        EVENT_SENSITIVITY,
        EVENT_WEIGHTS,
    ),
}
"""The experiments on each part of the library."""

EXPERIMENTS: tuple[Experiment, ...] = tuple(experiment for part in PARTS.values() for experiment in part)
"""All experiments, in the order in which they run and stand in the report."""

"""How many of the shots that a method shows as evidence are right: Tables 7 and 8 of the paper, judged by the truth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.events import recounting_scores
from widemargin.experiments.events.bags import Trial
from widemargin.experiments.video_events.collection import Collection
from widemargin.experiments.video_events.trials import Represented

__all__ = ["COUNTS", "METHODS", "EvidenceOfEvent", "evidence_of_event"]

FloatArray = npt.NDArray[Any]

METHODS: Mapping[str, str] = {
    "isotonic": "NI-SVM_2",
    "baseline": "SVM_A on each shot",
    "saliency": "saliency alone",
    "chance": "shots at random",
}
"""What ranks the shots of a video, by key."""

COUNTS = (1, 2, 3, 5)
"""How many of the best shots the figure shows."""


@dataclass(frozen=True)
class EvidenceOfEvent:
    """What the evidence in the test videos of one event is worth.

    Parameters
    ----------
    right : mapping of str to float
        Share of the evidence shots that show the event, by key of `METHODS`, in [0, 1].
    returned : float
        Share of the length of the videos that the evidence of NI-SVM_2 takes.
    better, similar, worse : int
        Videos in which more, as many, or fewer shots of its evidence are right than of the baseline's.
    curves : mapping of str to (float, float)
        Share of right shots, and share of the length of the videos, by key of `METHODS` but chance and by number of
        shots of `COUNTS`, as ``isotonic_of_3``.
    """

    right: Mapping[str, float]
    returned: float
    better: int
    similar: int
    worse: int
    curves: Mapping[str, tuple[float, float]]


def evidence_of_event(
    trial: Trial,
    tested: Represented,
    videos: Collection,
    event: int,
    isotonic: Any,
    baseline: Any,
    n_evidence: int,
) -> EvidenceOfEvent:
    """Rank the shots of every test video of an event by several methods, and look up what the first ones show.

    Parameters
    ----------
    trial : Trial
        The videos as the classifiers took them.
    tested : Represented
        The test videos of the trial.
    videos : Collection
        The same, with the truth.
    event : int
        Number of the event.
    isotonic : NearlyIsotonicSVC
        Trained on the shots in the order of saliency; a shot's score is what it adds to that of the video, (37).
    baseline : NearlyIsotonicSVC
        Trained on the mean of the shots; a shot's score is that of a video of this shot alone, the paper's baseline.
    n_evidence : int
        How many shots are shown, at most.

    Returns
    -------
    EvidenceOfEvent
        Means over the videos of the event.
    """
    positives = np.flatnonzero(videos.events == event)
    order = np.argsort(-tested.saliency, axis=1, kind="stable")
    by_saliency = np.take_along_axis(tested.rows, order, axis=1)
    X, _ = trial.seen("saliency", "test")
    contributions = recounting_scores(isotonic, X)
    right: dict[str, list[float]] = {key: [] for key in METHODS}
    curves: dict[str, list[tuple[float, float]]] = defaultdict(list)
    returned, votes = [], np.zeros(3, dtype=np.int64)
    for place in positives:
        rows = by_saliency[place]
        # A repeated shot is shown once, with all that it adds.
        shots, first, back = np.unique(rows, return_index=True, return_inverse=True)
        scores = {
            "isotonic": np.bincount(back, weights=contributions[place]),
            "baseline": baseline.decision_function(videos.features[shots][:, None]),
            "saliency": -first.astype(np.float64),
        }
        shows = videos.shown[shots] == event
        n_shown = min(n_evidence, shots.size)
        length = float(videos.spans[videos.frames(int(place))][: int(videos.n_own[place])].sum())
        found = {}
        for key, values in scores.items():
            ranked = np.argsort(-values, kind="stable")
            found[key] = int(shows[ranked[:n_shown]].sum())
            right[key].append(found[key] / n_shown)
            lengths = videos.spans[shots[ranked]].cumsum() / length
            if key == "isotonic":
                returned.append(float(lengths[n_shown - 1]))
            for count in COUNTS:
                shown = min(count, shots.size)
                curves[f"{key}_of_{count}"].append(
                    (float(shows[ranked[:shown]].mean()), float(lengths[shown - 1]))
                )
        right["chance"].append(float(shows.mean()))
        votes[1 - int(np.sign(found["isotonic"] - found["baseline"]))] += 1
    better, similar, worse = (int(count) for count in votes)
    return EvidenceOfEvent(
        {key: float(np.mean(values)) for key, values in right.items()},
        float(np.mean(returned)),
        better,
        similar,
        worse,
        {name: _mean_pair(values) for name, values in curves.items()},
    )


def _mean_pair(values: list[tuple[float, float]]) -> tuple[float, float]:
    first, second = np.mean(values, axis=0)
    return float(first), float(second)

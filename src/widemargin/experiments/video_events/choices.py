"""Ask how much detection and evidence depend on choices of the system: key frame, threshold of shots, concepts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from sklearn.metrics import average_precision_score

from widemargin.engine import unit_seed
from widemargin.experiments.events.methods import Choices, Entrant, choices_words, configurations
from widemargin.experiments.events.printed import PAPER
from widemargin.experiments.events.tuning import attempt
from widemargin.experiments.experiment import (
    Drawing,
    Experiment,
    Repeats,
    Row,
    Rows,
    Settings,
    TableSpec,
    Unit,
)
from widemargin.experiments.summary import Cell, Column, Summary, SummaryTable, signed
from widemargin.experiments.video_events.evidence import evidence_of_event
from widemargin.experiments.video_events.indexing import check_extras, describe_network
from widemargin.experiments.video_events.relevance import relevance_of_events
from widemargin.experiments.video_events.sources import MadeVideos, ScenePictureFiles
from widemargin.experiments.video_events.trials import detection_trial, search_precision_scores
from widemargin.video.settings import KeyFrameRule

__all__ = ["VIDEO_CHOICES", "Choice", "ChoicesProtocol", "choices_experiment"]

NAME, TABLE, BUILT = "video-choices", "choices", "as built"
MEASURES: Mapping[str, str] = {
    "search": "search, mAP",
    "average": "SVM_A, mAP",
    "isotonic": "NI-SVM_2, mAP",
    "evidence": "right evidence of NI-SVM_2",
}


@dataclass(frozen=True)
class Choice:
    """One way to build the system.

    Parameters
    ----------
    key_frame : {"centre", "random"}, default="centre"
        Which frame stands for a shot.
    threshold : float, default=1.0
        How large a change of colours starts a new shot.
    n_concepts : int or None, default=None
        How many of the concepts that are most relevant to an event count for its saliency; None takes all.
    """

    key_frame: KeyFrameRule = "centre"
    threshold: float = 1.0
    n_concepts: int | None = None


CHOICES: Mapping[str, Choice] = {
    BUILT: Choice(),
    "random key frame": Choice(key_frame="random"),
    "shot threshold 0.5": Choice(threshold=0.5),
    "shot threshold 2": Choice(threshold=2.0),
    "10 concepts": Choice(n_concepts=10),
    "100 concepts": Choice(n_concepts=100),
}


@dataclass(frozen=True)
class ChoicesProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    videos : MadeVideos, default=4 + 4 videos of each of fifteen scenes
        The videos, the same for every choice.
    grid : Choices
        What cross-validation chooses from.
    n_folds : int, default=2
        Its folds.
    n_evidence : int, default=2
        Shots of a video that are shown as evidence.
    """

    videos: MadeVideos = field(
        default_factory=lambda: MadeVideos(
            ScenePictureFiles(NAME),
            n_train=4,
            n_test=4,
            n_others=0,
            n_shots=(9, 11),
            n_relevant=(2, 4),
            mixed=True,
        )
    )
    grid: Choices = field(
        default_factory=lambda: Choices(isotonic_alphas=(1.0, 1e-1, 1e-2), alphas=(1e-1, 1e-2, 1e-3))
    )
    n_folds: int = 2
    n_evidence: int = 2

    @property
    def entrants(self) -> tuple[Entrant, Entrant]:
        """Average pooling and NI-SVM_2."""
        columns = configurations("squared_hinge", "l2", self.grid)
        return columns[0], columns[5]


def choices_experiment(protocol: ChoicesProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : ChoicesProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or ChoicesProtocol()
    counts: dict[str, type] = dict.fromkeys(("n_cut", "n_found"), int)
    return Experiment(
        name=NAME,
        title="What detection and evidence depend on: key frame, shot threshold, number of concepts",
        question="Do choices of the system matter: key frame, threshold of shots, number of concepts?",
        reference=f"{PAPER} (section 3; the paper makes these choices without a comparison)",
        repeats=Repeats(quick=1, default=5, full=10),
        tables=(TableSpec(TABLE, {**dict.fromkeys(MEASURES, float), **counts}),),
        protocol=partial(_describe, protocol),
        units=_units,
        run=partial(_run, protocol),
        summarise=_summarise,
        draw=_draw,
        needs_data=True,
        task_noun="choice",
    )


def _describe(protocol: ChoicesProtocol, settings: Settings) -> dict[str, str]:
    check_extras(NAME)
    videos = protocol.videos
    return {
        "data": videos.words,
        "identity of the pictures": videos.source.identity(settings),
        "as built": (
            f"key frame {CHOICES[BUILT].key_frame}, threshold {CHOICES[BUILT].threshold:g}, all concepts; every other "
            "row changes one of these. Of fewer concepts those count that are most relevant to the event"
        ),
        "features and concepts": f"{describe_network()}; features of unit length",
        "measure": (
            "average precision of every event against all other videos, averaged over the events; and the share of the "
            f"{protocol.n_evidence} best shots of the test videos of the event that show it"
        ),
        "values to choose from": choices_words(protocol.grid),
        "choice": f"by average precision in {protocol.n_folds} stratified folds of the training videos",
        "repeats": "new videos, the same for all rows",
    }


def _units(settings: Settings) -> list[Unit]:
    return [Unit(TABLE, choice, repeat) for repeat in range(settings.repeats) for choice in CHOICES]


def _run(protocol: ChoicesProtocol, unit: Unit, settings: Settings) -> Row:
    choice, videos = CHOICES[unit.task], protocol.videos
    shots = replace(videos.shots, key_frame=choice.key_frame, threshold=choice.threshold)
    train, test = videos.draw(settings, NAME, unit.repeat, shots)
    relevance = relevance_of_events(tuple(videos.source.descriptions.values()), choice.n_concepts)
    seed = unit_seed(settings.seed, NAME, "folds", unit.repeat)
    found: dict[str, list[float]] = defaultdict(list)
    for event in range(len(videos.events)):
        trial, tested = detection_trial(train, test, event, relevance[event], protocol.n_folds, seed)
        average, isotonic = (attempt(entrant, trial) for entrant in protocol.entrants)
        evidence = evidence_of_event(
            trial, tested, test, event, isotonic.model, average.model, protocol.n_evidence
        )
        searched = search_precision_scores(test, relevance[event])
        found["search"].append(float(average_precision_score(test.events == event, searched)))
        found["average"].append(average.score)
        found["isotonic"].append(isotonic.score)
        found["evidence"].append(evidence.right["isotonic"])
    means: Row = {measure: float(np.mean(found[measure])) for measure in MEASURES}
    return means | {"n_cut": int(test.n_cut.sum()), "n_found": int(test.n_own.sum())}


def _summarise(rows: Rows, settings: Settings) -> Summary:
    by_choice: dict[str, list[Row]] = defaultdict(list)
    for row in rows[TABLE]:
        by_choice[str(row["task"])].append(row)
    means = {
        choice: {measure: 100 * float(np.mean([float(row[measure]) for row in own])) for measure in MEASURES}
        for choice, own in by_choice.items()
    }
    lines = []
    for choice, own in by_choice.items():
        cut, made = (sum(int(row[column]) for row in own) for column in ("n_found", "n_cut"))
        cells = (Cell(f"{value:.1f}") for value in means[choice].values())
        lines.append((Cell(choice), *cells, Cell(f"{cut / made:.2f}")))
    table = SummaryTable(
        TABLE,
        "Choices of the system",
        "Percent, mean over events and repeats; last column: shots found for each shot that the test videos were made "
        "of.",
        (
            Column("choice", numeric=False),
            *(Column(title) for title in MEASURES.values()),
            Column("shots found"),
        ),
        tuple(lines),
    )
    return Summary(verdict=_verdict(means), tables=(table,))


def _verdict(means: Mapping[str, Mapping[str, float]]) -> str:
    """Say by how much the precision changes with every choice."""
    if BUILT not in means or len(means) == 1:
        return "There is nothing to compare yet."
    parts: Sequence[str] = [
        f"{choice} {signed(own['isotonic'] - means[BUILT]['isotonic'], 1)}"
        for choice, own in means.items()
        if choice != BUILT
    ]
    return f"Against the system as built, the mean average precision of NI-SVM_2 changes by points: {', '.join(parts)}."


def _draw(rows: Rows, settings: Settings) -> list[Drawing]:
    return []


VIDEO_CHOICES = choices_experiment()
"""The experiment as it is meant to run."""

"""Ask how much detection and evidence depend on choices of the system: key frame, threshold of shots, concepts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

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
from widemargin.experiments.video_events.choices_figure import draw_choices
from widemargin.experiments.video_events.evidence import evidence_of_event
from widemargin.experiments.video_events.indexing import check_extras, describe_network
from widemargin.experiments.video_events.relevance import relevance_of_events
from widemargin.experiments.video_events.sources import BundledPictures, MadeVideos, ScenePictureFiles
from widemargin.experiments.video_events.trials import detection_trial, search_precision_scores
from widemargin.video import ShotSettings
from widemargin.video.settings import KeyFrameRule

__all__ = ["EVENT_SENSITIVITY", "VIDEO_CHOICES", "Choice", "ChoicesProtocol", "choices_experiment"]

TABLE, BUILT = "choices", "as built"
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
    sharpness : float, default=1.0
        Power of the relevance, as in `concept_relevance`.
    method : {"fisher", "mean"}, default="fisher"
        How the words of an event and of a concept are compared.
    n_shots : int or None, default=None
        Shots of a video that the learner sees; None takes the rounded mean of the training videos.
    extra_frames : bool, default=True
        Whether frames evenly spaced over a video are searched and stand in for shots that are missing; without them
        shots are repeated.
    """

    key_frame: KeyFrameRule = "centre"
    threshold: float = 1.0
    n_concepts: int | None = None
    sharpness: float = 1.0
    method: Literal["fisher", "mean"] = "fisher"
    n_shots: int | None = None
    extra_frames: bool = True


Groups = Mapping[str, Mapping[str, Choice]]
"""Other choices than those of the system as built, by what is chosen and by what readers call the choice."""

FEW_GROUPS: Groups = {
    "key frame": {"random key frame": Choice(key_frame="random")},
    "shot threshold": {
        "shot threshold 0.5": Choice(threshold=0.5),
        "shot threshold 2": Choice(threshold=2.0),
    },
    "concepts that count": {"10 concepts": Choice(n_concepts=10), "100 concepts": Choice(n_concepts=100)},
}
GROUPS: Groups = {
    "key frame": FEW_GROUPS["key frame"],
    "shot threshold": FEW_GROUPS["shot threshold"],
    "concepts that count": {f"{count} concepts": Choice(n_concepts=count) for count in (20, 50, 200)},
    "comparison of words": {"mean of word vectors": Choice(method="mean")},
    "sharpness of the relevance": {f"sharpness {power:g}": Choice(sharpness=power) for power in (2.0, 4.0)},
    "shots that the learner sees": {
        f"{count} shot{'s' * (count > 1)}": Choice(n_shots=count) for count in (1, 3, 6)
    },
    "short videos": {"no extra frames": Choice(extra_frames=False)},
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
    name, title, question : str
        As in `Experiment`.
    groups : mapping
        The choices that are compared with the system as built.
    further : str, default=""
        What else a protocol says of the system as built and of these choices.
    needs_data : bool, default=True
        As in `Experiment`.
    """

    videos: MadeVideos = field(
        default_factory=lambda: MadeVideos(
            ScenePictureFiles("video-choices"),
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
    name: str = "video-choices"
    title: str = "What detection and evidence depend on: key frame, shot threshold, number of concepts"
    question: str = "Do choices of the system matter: key frame, threshold of shots, number of concepts?"
    groups: Groups = field(default_factory=lambda: FEW_GROUPS)
    further: str = ""
    needs_data: bool = True

    @property
    def choices(self) -> dict[str, Choice]:
        """The system as built, and every other choice."""
        return {BUILT: Choice()} | {
            label: own for group in self.groups.values() for label, own in group.items()
        }

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
        name=protocol.name,
        title=protocol.title,
        question=protocol.question,
        reference=f"{PAPER} (section 3; the paper makes these choices without a comparison)",
        repeats=Repeats(quick=1, default=5, full=10),
        tables=(TableSpec(TABLE, {**dict.fromkeys(MEASURES, float), **counts}),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
        needs_data=protocol.needs_data,
        task_noun="choice",
    )


def _describe(protocol: ChoicesProtocol, settings: Settings) -> dict[str, str]:
    check_extras(protocol.name)
    videos, built = protocol.videos, Choice()
    return {
        "data": videos.words,
        "identity of the pictures": videos.source.identity(settings),
        "as built": (
            f"key frame {built.key_frame}, threshold {built.threshold:g}, all concepts; every other "
            "row changes one of these. Of fewer concepts those count that are most relevant to the event"
            + protocol.further
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


def _units(protocol: ChoicesProtocol, settings: Settings) -> list[Unit]:
    return [Unit(TABLE, choice, repeat) for repeat in range(settings.repeats) for choice in protocol.choices]


def _run(protocol: ChoicesProtocol, unit: Unit, settings: Settings) -> Row:
    choice, videos = protocol.choices[unit.task], protocol.videos
    shots = replace(videos.shots, key_frame=choice.key_frame, threshold=choice.threshold)
    train, test = videos.draw(settings, protocol.name, unit.repeat, shots)
    if not choice.extra_frames:
        train, test = train.without_extra(), test.without_extra()
    descriptions = tuple(videos.source.descriptions.values())
    relevance = relevance_of_events(descriptions, choice.n_concepts, choice.method, choice.sharpness)
    seed = unit_seed(settings.seed, protocol.name, "folds", unit.repeat)
    found: dict[str, list[float]] = defaultdict(list)
    for event in range(len(videos.events)):
        trial, tested = detection_trial(
            train, test, event, relevance[event], protocol.n_folds, seed, choice.n_shots
        )
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


def _summarise(protocol: ChoicesProtocol, rows: Rows, settings: Settings) -> Summary:
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
    return Summary(
        verdict=_verdict(means),
        findings=tuple(_group_sentences(protocol.groups, by_choice)),
        tables=(table,),
    )


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


def _group_sentences(groups: Groups, rows: Mapping[str, Sequence[Row]]) -> list[str]:
    """Say of every choice which measures change by more than their repeats differ."""
    if BUILT not in rows:
        return []
    sentences = []
    for group, choices in groups.items():
        parts = []
        for label in (label for label in choices if label in rows):
            changes = []
            for measure, words in MEASURES.items():
                mean, error = _change(rows, label, measure)
                shown = f"{words} {signed(mean, 1)}" + (f" ± {error:.1f}" if np.isfinite(error) else "")
                changes.append((abs(mean), shown))
            parts.append(
                f"{label}: {', '.join(shown for size, shown in changes if size >= 0.05) or 'no change'}"
            )
        if parts:
            sentences.append(
                f"{group[0].upper()}{group[1:]}, points against the system as built. {'; '.join(parts)}."
            )
    return sentences


def _change(rows: Mapping[str, Sequence[Row]], label: str, measure: str) -> tuple[float, float]:
    """Return the mean change in points over the repeats that are finished, and its standard error."""
    built = {int(row["repeat"]): float(row[measure]) for row in rows[BUILT]}
    changes = [
        100 * (float(row[measure]) - built[int(row["repeat"])])
        for row in rows[label]
        if int(row["repeat"]) in built
    ]
    if not changes:
        return 0.0, float("nan")
    error = float(np.std(changes, ddof=1) / np.sqrt(len(changes))) if len(changes) > 1 else float("nan")
    return float(np.mean(changes)), error


def _draw(protocol: ChoicesProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    by_choice: dict[str, list[Row]] = defaultdict(list)
    for row in rows[TABLE]:
        by_choice[str(row["task"])].append(row)
    groups = {
        group: {BUILT: by_choice[BUILT]} | {label: by_choice[label] for label in choices}
        for group, choices in protocol.groups.items()
        if BUILT in by_choice and all(label in by_choice for label in choices)
    }
    return [draw_choices(groups, MEASURES)] if groups else []


VIDEO_CHOICES = choices_experiment()
"""The experiment as it is meant to run."""

EVENT_SENSITIVITY = choices_experiment(
    ChoicesProtocol(
        videos=MadeVideos(
            BundledPictures(),
            n_train=3,
            n_test=2,
            n_others=2,
            n_shots=(5, 8),
            n_relevant=(1, 2),
            mixed=False,
            shots=ShotSettings(n_extra_frames=6),
        ),
        name="event-sensitivity",
        title="What search, detection and evidence depend on: every choice of the system, on small videos",
        question="Which choices of the system matter to search, detection and evidence?",
        groups=GROUPS,
        further=(
            ". Words are compared by Fisher vectors with sharpness 1; the learner sees the rounded mean number of "
            "shots of the training videos; extra frames, evenly spaced, are searched like shots and stand in for those "
            "of videos that have fewer, and without them shots are repeated"
        ),
        needs_data=False,
    )
)
"""More choices, on pictures that come with a package."""

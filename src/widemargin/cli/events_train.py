"""``widemargin events train``: learn one event of marked videos, or to tell several events apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import EventModel, Videos, check_new_file, open_videos
from widemargin.cli.event_output import printable, warnings_as_notes
from widemargin.cli.event_words import WordChoices, relevance_of
from widemargin.cli.name_lists import ListedEvent, read_events, read_names
from widemargin.events import (
    EventDetector,
    EventRecognizer,
    NearlyIsotonicSVC,
    NearlyIsotonicSVCCV,
    default_event_classifier,
)
from widemargin.persistence import save_event_model

__all__ = ["Learner", "TrainRequest", "run"]

_CHOICES = {
    "fusion": ("concatenate", "average"),
    "fill": ("frames", "repeat"),
    "order": ("nearly_isotonic", "increments", "absolute", "total_variation"),
    "penalty": ("l2", "l1"),
    "loss": ("squared_hinge", "hinge", "squared", "logistic"),
    "norm": (2, 1),
}


@dataclass(frozen=True)
class Learner:
    """How a model learns; None stands for the default of the classifier.

    Parameters
    ----------
    n_shots : int or None
        Number of shots that represents every video.
    features : sequence of str
        Kinds of features; empty for all of the index.
    fusion, fill : str
        As in `EventDetector`.
    order, penalty, loss : str or None
        As in `NearlyIsotonicSVC`, as is the next.
    norm : int or None
        Whether the norms of the shots are ordered, or each feature.
    nonnegative : bool
        Whether weights are not negative.
    isotonic_alpha, alpha : float or None
        The penalties; those that are None are chosen by cross-validation.
    """

    n_shots: int | None = None
    features: Sequence[str] = ()
    fusion: str = "concatenate"
    fill: str = "frames"
    order: str | None = None
    penalty: str | None = None
    loss: str | None = None
    norm: int | None = None
    nonnegative: bool = False
    isotonic_alpha: float | None = None
    alpha: float | None = None

    def check(self) -> None:
        """Check the choices.

        Raises
        ------
        UsageError
            With the first one that is wrong.
        """
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value is not None and value not in choices:
                expected = ", ".join(map(str, choices))
                raise UsageError(f"--{name} is {value!r}, but must be one of {expected}.")
        if self.n_shots is not None and self.n_shots < 1:
            raise UsageError(f"--n-shots is {self.n_shots}, but must be at least 1: leave it out.")
        for option, alpha in (("--isotonic-alpha", self.isotonic_alpha), ("--alpha", self.alpha)):
            if alpha is not None and not 0 <= alpha < float("inf"):
                raise UsageError(f"{option} is {alpha}, but must be at least 0: give for instance 0.001.")

    def classifier(self, scoring: str) -> NearlyIsotonicSVC | NearlyIsotonicSVCCV:
        """Return the classifier to train.

        Parameters
        ----------
        scoring : str
            The score by which penalties are chosen.

        Returns
        -------
        NearlyIsotonicSVC or NearlyIsotonicSVCCV
            With both penalties given, or a search for those that are not.
        """
        given: dict[str, Any] = {name: getattr(self, name) for name in ("order", "penalty", "loss", "norm")}
        given = {name: value for name, value in given.items() if value is not None}
        if self.isotonic_alpha is not None and self.alpha is not None:
            return NearlyIsotonicSVC(self.isotonic_alpha, self.alpha, nonnegative=self.nonnegative, **given)
        search = default_event_classifier(scoring).set_params(nonnegative=self.nonnegative, **given)
        for axis, alpha in (("isotonic_alphas", self.isotonic_alpha), ("alphas", self.alpha)):
            if alpha is not None:
                search.set_params(**{axis: (alpha,)})
        return search


@dataclass(frozen=True)
class TrainRequest:
    """What is to be learnt.

    Parameters
    ----------
    folder : Path
        The index.
    out : Path
        File for the model.
    event : str or None
        One event in words.
    name : str or None
        Its short name; None takes its words.
    positives, negatives : str or None
        Files with names of videos.
    rest : bool
        Whether all other videos of the index are negatives.
    events : str or None
        File with several events.
    words : WordChoices
        How words become the relevance of concepts.
    learner : Learner
        How to learn.
    """

    folder: Path
    out: Path
    event: str | None = None
    name: str | None = None
    positives: str | None = None
    negatives: str | None = None
    rest: bool = False
    events: str | None = None
    words: WordChoices = field(default_factory=WordChoices)
    learner: Learner = field(default_factory=Learner)

    def check(self) -> None:
        """Check that one event, or several, are asked for, and by what videos.

        Raises
        ------
        UsageError
            With the first thing that is wrong.
        """
        if (self.event is None) == (self.events is None):
            raise UsageError(
                "Give --event with the words of one event and --positives, or --events with a file of several, and not "
                "both."
            )
        one = {"--positives": self.positives, "--negatives": self.negatives, "--name": self.name}
        extra = [option for option, value in one.items() if value is not None] + ["--rest"] * self.rest
        if self.events is not None and extra:
            raise UsageError(
                f"{extra[0]} goes with --event; the file of --events names all videos: leave it out."
            )
        if self.event is not None:
            self._check_lists()
        self.learner.check()
        lists = (self.positives, self.negatives, self.events)
        check_new_file("--out", self.out, ".skops", [name for name in lists if name and name != "-"])

    def _check_lists(self) -> None:
        if self.positives is None:
            raise UsageError(
                "--positives is missing: give a file that names the videos that show the event, one a line."
            )
        if self.negatives is not None and self.rest:
            raise UsageError("--negatives and --rest exclude each other: leave one of them out.")
        if self.negatives is None and not self.rest:
            raise UsageError(
                "No video is named that does not show the event: give --negatives with a file, or --rest to take all "
                "videos of the index that are not in --positives."
            )
        if self.positives == self.negatives == "-":
            raise UsageError("--positives and --negatives are both the standard input: give a file for one.")


def run(request: TrainRequest) -> int:
    """Train a model, save it, and print what it is.

    Parameters
    ----------
    request : TrainRequest
        What is to be learnt.

    Returns
    -------
    int
        Exit code: 0.

    Raises
    ------
    UsageError, VideoIndexError, ModelFileError
        With what is wrong.
    """
    request.check()
    videos = open_videos(request.folder)
    unknown = [name for name in request.learner.features if name not in videos.index.feature_names]
    if unknown:
        raise UsageError(
            f"--features has {unknown[0]!r}, but the index has {', '.join(map(repr, videos.index.feature_names))}: "
            "choose among these."
        )
    model, what = (
        _train_recognizer(request, request.events, videos)
        if request.events is not None
        else _train_detector(request, videos)
    )
    save_event_model(model, request.out, index_folder=request.folder)
    print(printable(f"{request.out}: {what} {_facts(model)}"))
    return 0


def _train_detector(request: TrainRequest, videos: Videos) -> tuple[EventDetector, str]:
    event, positives_file = str(request.event), str(request.positives)
    positives = videos.find(read_names(positives_file), positives_file)
    if request.rest:
        taken = set(positives)
        negatives = [path for path in videos.paths if path not in taken]
        if not negatives:
            raise UsageError(
                f"All {len(videos.paths)} videos of the index are positives, so --rest leaves none: index videos that "
                "do not show the event."
            )
    else:
        negatives_file = str(request.negatives)
        negatives = videos.find(read_names(negatives_file), negatives_file)
    both = [videos.names[path] for path in positives if path in set(negatives)]
    if both:
        raise UsageError(
            f"In both lists: {', '.join(map(repr, both))}. Keep each video in the one where it belongs."
        )
    (relevance,) = relevance_of([event], videos.index.concept_names, request.words)
    learner = request.learner
    detector = EventDetector(
        relevance,
        name=request.name or event,
        description=event,
        concept_names=list(videos.index.concept_names),
        n_shots=learner.n_shots,
        features=list(learner.features) or None,
        fusion=learner.fusion,  # type: ignore[arg-type]
        fill=learner.fill,  # type: ignore[arg-type]
        classifier=learner.classifier("average_precision"),
    )
    paths = positives + negatives
    _fit(detector, videos, paths, [1] * len(positives) + [0] * len(negatives))
    few = min(len(positives), len(negatives)) < 2
    what = (
        f"detector of {detector.name!r}, trained on {_videos(len(positives))} with the event and {len(negatives)} "
        f"without it{_how(learner, few)}."
    )
    return detector, what


def _train_recognizer(request: TrainRequest, source: str, videos: Videos) -> tuple[EventRecognizer, str]:
    events = read_events(source)
    labels = _labels(events, source, videos)
    learner = request.learner
    recognizer = EventRecognizer(
        relevance_of([event.description for event in events], videos.index.concept_names, request.words),
        [event.name for event in events],
        descriptions=[event.description for event in events],
        concept_names=list(videos.index.concept_names),
        n_shots=learner.n_shots,
        features=list(learner.features) or None,
        fusion=learner.fusion,  # type: ignore[arg-type]
        fill=learner.fill,  # type: ignore[arg-type]
        classifier=learner.classifier("f1_macro"),
    )
    _fit(recognizer, videos, list(labels), list(labels.values()))
    few = min(list(labels.values()).count(event.name) for event in events) < 2
    what = f"recognizer of {len(events)} events, trained on {_videos(len(labels))}{_how(learner, few)}."
    return recognizer, what


def _labels(events: Sequence[ListedEvent], source: str, videos: Videos) -> dict[str, str]:
    """Return the event of each video that is named, by its path."""
    names = [name for event in events for name in event.videos]
    # All at once, so that every name that is not found is told.
    videos.find(names, source)
    labels: dict[str, str] = {}
    for event in events:
        for path in videos.find(event.videos, source):
            if labels.setdefault(path, event.name) != event.name:
                raise UsageError(
                    f"{source} names {videos.names[path]!r} for {labels[path]!r} and for {event.name!r}: a video shows "
                    "one of the events; for several train a detector of each."
                )
    return labels


def _fit(model: EventModel, videos: Videos, paths: Sequence[str], y: Sequence[Any]) -> None:
    try:
        with warnings_as_notes():
            model.fit(videos.index.videos(paths), y)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _videos(count: int) -> str:
    return f"{count} video{'' if count == 1 else 's'}"


def _how(learner: Learner, few: bool) -> str:
    """Say where the penalties come from."""
    if learner.isotonic_alpha is not None and learner.alpha is not None:
        return ", with the penalties given"
    if few:
        return ", with the default penalties, since choosing them takes at least two videos of each kind"
    return ", with penalties chosen by cross-validation"


def _facts(model: EventModel) -> str:
    """Say what was fitted."""
    kinds = model.feature_names_ if len(model.classifiers_) > 1 else ("",)
    penalties = "; ".join(
        f"{kind}{': ' if kind else ''}isotonic_alpha {trained.isotonic_alpha:g}, alpha {trained.alpha:g}"
        for kind, trained in zip(kinds, model.classifiers_, strict=True)
    )
    facts = f"Shots a video: {model.n_shots_}; {penalties}."
    if model.validation_score_ is not None:
        score = "average precision" if isinstance(model, EventDetector) else "mean F1"
        facts += f" In the cross-validation: {score} {model.validation_score_:.2f}."
    if model.n_shots_ == 1:
        facts += " With one shot a video there is no order of shots."
    return facts

"""``widemargin events evaluate``: how well models do on videos of which it is known what they show."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import average_precision_score, f1_score

from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import EventModel, Videos, load_model_for, open_videos
from widemargin.cli.event_output import note, print_rows, printable
from widemargin.cli.events_rank import event_scores
from widemargin.cli.name_lists import Truth, read_names, read_truth
from widemargin.events import EventDetector, EventRecognizer

__all__ = ["run"]


def run(models: Sequence[Path], folder: Path, truth: str, without: str | None) -> int:
    """Print average precision for each detector and their mean, or F1 for each event of a recognizer and its mean.

    Parameters
    ----------
    models : sequence of Path
        Files of detectors, or of one recognizer.
    folder : Path
        The index.
    truth : str
        File that says what videos show.
    without : str or None
        File with names of videos to leave out, such as those of the training.

    Returns
    -------
    int
        Exit code: 0.

    Raises
    ------
    UsageError, VideoIndexError, ModelFileError
        With what is wrong.
    """
    videos = open_videos(folder)
    trained = [load_model_for(path, videos) for path in models]
    known = read_truth(truth)
    names = list(known.labels)
    # All at once first, so that every name that is not found is told.
    videos.find(names, truth)
    paths = [videos.find([name], truth)[0] for name in names]
    labels: dict[str, frozenset[str]] = {}
    for path, name in zip(paths, names, strict=True):
        labels[path] = labels.get(path, frozenset()) | known.labels[name]
    if known.complete:
        labels = {path: labels.get(path, frozenset()) for path in videos.paths}
    elif len(labels) < len(videos.paths):
        note(
            f"Note: not in {truth}, so not counted: {len(videos.paths) - len(labels)} of {len(videos.paths)} videos."
        )
    if without is not None:
        left_out = set(videos.find(read_names(without), without))
        labels = {path: found for path, found in labels.items() if path not in left_out}
    if isinstance(trained[0], EventRecognizer) and len(trained) == 1:
        return _evaluate_recognizer(trained[0], videos, labels, known, truth)
    return _evaluate_detectors(trained, models, videos, labels, known, truth)


def _evaluate_detectors(
    trained: Sequence[EventModel],
    models: Sequence[Path],
    videos: Videos,
    labels: dict[str, frozenset[str]],
    known: Truth,
    source: str,
) -> int:
    """Print the average precision of each detector; equal scores count as one step, as scikit-learn has it."""
    detectors = []
    for path, model in zip(models, trained, strict=True):
        if not isinstance(model, EventDetector):
            raise UsageError(f"{str(path)!r} is a recognizer: evaluate it alone.")
        detectors.append(model)
    events = sorted({detector.name for detector in detectors})
    if known.yes_or_no and len(events) > 1:
        raise UsageError(
            f"{source} tells of one event, but the models are of {', '.join(map(repr, events))}: write a table with "
            "the columns video and event."
        )
    precisions, rows = [], []
    for detector in detectors:
        wanted = "1" if known.yes_or_no else detector.name
        y = np.array([wanted in found for found in labels.values()])
        if y.all() or not y.any():
            raise UsageError(
                f"{source} says of {int(y.sum())} of {y.size} videos that they show {detector.name!r}: average "
                "precision needs some that do and some that do not."
            )
        scores = event_scores(detector, videos.index.videos(list(labels)), detector.name)
        precisions.append(float(average_precision_score(y, scores)))
        rows.append((printable(detector.name), f"{precisions[-1]:.4f}"))
    if len(rows) > 1:
        rows.append(("mAP", f"{np.mean(precisions):.4f}"))
    print_rows(("event", "AP"), rows, numeric=("AP",))
    return 0


def _evaluate_recognizer(
    model: EventRecognizer, videos: Videos, labels: dict[str, frozenset[str]], known: Truth, source: str
) -> int:
    names = [str(name) for name in model.classes_]
    if known.yes_or_no:
        raise UsageError(f"{source} tells of one event: write a table with the columns video and event.")
    # A video that shows none of them is no part of the problem of telling the events apart.
    relevant = {path: sorted(found & set(names)) for path, found in labels.items() if found & set(names)}
    several = [videos.names[path] for path, found in relevant.items() if len(found) > 1]
    if several:
        raise UsageError(f"{source} names several events for {several[0]!r}: F1 needs one for each video.")
    if not relevant:
        raise UsageError(
            f"{source} names none of the events {', '.join(map(repr, names))}: check their names."
        )
    if len(relevant) < len(labels):
        note(
            f"Note: with none of these events, so not counted: {len(labels) - len(relevant)} of {len(labels)} videos."
        )
    try:
        predicted = model.predict(videos.index.videos(list(relevant)))
    except ValueError as error:
        raise UsageError(str(error)) from error
    truth = [found[0] for found in relevant.values()]
    scores = f1_score(truth, predicted, labels=names, average=None, zero_division=0.0)
    rows = [(printable(name), f"{score:.4f}") for name, score in zip(names, scores, strict=True)]
    print_rows(("event", "F1"), [*rows, ("mean F1", f"{np.mean(scores):.4f}")], numeric=("F1",))
    return 0

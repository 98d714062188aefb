"""Detectors and recognizers of events in files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from widemargin.events import EventDetector, EventRecognizer, NearlyIsotonicSVC
from widemargin.persistence.archives import read_archive, write_archive
from widemargin.video import DescribedVideo

__all__ = ["load_event_model", "save_event_model"]

EventModel = EventDetector | EventRecognizer

_REMEDY = "pass an int or None as random_state, and names and descriptions as text"


def save_event_model(model: EventModel, path: str | Path, *, index_folder: str | Path | None = None) -> None:
    """Save a fitted detector or recognizer of events in a file that can be loaded without executing anything in it.

    The file is an archive of skops, to which a manifest is added. It is replaced as a whole or not at all.

    Parameters
    ----------
    model : EventDetector or EventRecognizer
        A fitted model.
    path : str or Path
        The file, by custom with the suffix ``.skops``.
    index_folder : str or Path, default=None
        The index of the training videos, to look there for the videos that are recounted. It is kept as an absolute
        path, which whoever gets the file can read.

    Raises
    ------
    NotFittedError
        If the model is not fitted.
    TypeError
        If it is another model.
    ModelFileError
        If skops is missing, the model holds objects that :func:`load_event_model` would refuse, or the file cannot be
        written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.events import EventDetector
    >>> from widemargin.persistence import load_event_model, save_event_model
    >>> from widemargin.video import DescribedVideo
    >>> shots = np.array([[0.0, 2.0]])
    >>> videos = [
    ...     DescribedVideo(name, {"net": np.array([[value]])}, np.ones((1, 1)), shots, np.ones(1))
    ...     for name, value in [("a", 1.0), ("b", -1.0)]
    ... ]
    >>> detector = EventDetector([1.0], name="dive").fit(videos, [1, 0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "dive.skops"
    ...     save_event_model(detector, path)
    ...     loaded = load_event_model(path)
    >>> loaded.name, bool(loaded.decision_function(videos)[0] > 0)
    ('dive', True)
    """
    if not isinstance(model, EventDetector | EventRecognizer):
        raise TypeError(
            f"model must be an EventDetector or an EventRecognizer, got {type(model).__name__}: save other classifiers "
            "with save_model."
        )
    check_is_fitted(model, "classifiers_")
    folder = None if index_folder is None else os.path.abspath(index_folder)
    # In bytes that are no UTF-8, lone surrogates stand for them, as JSON can keep them.
    write_archive(Path(path), model, "event", {"index_folder": folder}, _REMEDY)


def load_event_model(path: str | Path) -> EventModel:
    """Load a detector or recognizer of events, trusting nothing but the types of our own models.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    EventDetector or EventRecognizer
        The fitted model. Its attribute ``index_folder_`` is the `index_folder` that it was saved with, or None.

    Raises
    ------
    ModelFileError
        If skops is missing, or the file is missing, damaged, no such model, of a later version, too large, or asks for
        types that are not trusted. One sentence says which.

    Examples
    --------
    See :func:`save_event_model`.
    """
    return read_archive(Path(path), "event", _working_model)


def _working_model(model: Any, manifest: dict[str, Any]) -> EventModel:
    """Check what is not looked at again, and try the model on a video of zeros."""
    if not isinstance(model, EventDetector | EventRecognizer):
        raise ValueError(f"it holds a {type(model).__name__}")
    if isinstance(model, EventDetector):
        texts: list[Any] = [model.name, model.description]
    else:
        texts = [*model.event_names, *(model.descriptions or ())]
    texts += [*(model.concept_names or ()), *model.feature_names_]
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("its names are no text")
    baselines = getattr(model, "baselines_", [])
    if not all(isinstance(part, NearlyIsotonicSVC) for part in [*model.classifiers_, *baselines]):
        raise ValueError("its classifiers are of another kind")
    for part in model.classifiers_:
        if np.ndim(part.coef_) < 2 or np.shape(part.coef_)[-2] != model.n_shots_:
            raise ValueError("its weights are for another number of shots")
    folder = manifest.get("index_folder")
    if not isinstance(folder, str | None):
        raise ValueError("its index is no folder")
    model.index_folder_ = folder
    video = _nothing(model)
    scores = model.decision_function([video])
    if scores.size != (1 if isinstance(model, EventDetector) else model.classes_.size):
        raise ValueError("its scores are for other events")
    model.recount(video)
    if isinstance(model, EventDetector):
        model.recount_baseline(video)
    return model


def _nothing(model: EventModel) -> DescribedVideo:
    """Return a video of one shot, all of whose numbers are zero."""
    widths = [np.shape(part.coef_)[-1] for part in model.classifiers_]
    # All of them in the first kind, where one classifier takes several kinds side by side.
    widths += [0] * (len(model.feature_names_) - len(widths))
    features = {name: np.zeros((1, width)) for name, width in zip(model.feature_names_, widths, strict=True)}
    concepts = np.zeros((1, np.shape(model.relevance)[-1]))
    return DescribedVideo("nothing", features, concepts, np.array([[0.0, 1.0]]), np.array([0.5]))

"""A recognizer of several events: which of them a video shows, and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from widemargin.events._event_model import EventModel
from widemargin.events._event_training import check_relevance
from widemargin.events._frames import Filling, FrameReader, Frames, Fusion
from widemargin.events.default_classifier import default_event_classifier
from widemargin.events.evidence import Recounting, collect_evidence
from widemargin.events.prioritization import timed_frames
from widemargin.events.recounting import recounting_scores
from widemargin.fitted import forget_fitted
from widemargin.video import DescribedVideo

__all__ = ["EventRecognizer"]

Array = npt.NDArray[np.float64]
Shots = npt.NDArray[np.intp]


class EventRecognizer(EventModel):
    r"""Tells which of several events a video shows, each of which is described in words.

    The multiclass problem of section 6 of [1]_: for every event e the shots of each video are ordered by their saliency
    for that event, and one nearly-isotonic SVM is trained on all events together, (33); the event of the largest score
    :math:`\langle V^e, W^e \rangle + b^e` is predicted, (34). All events see the same shots of a video, which each of
    them orders in its own way: those with the largest saliency for any event, or, of a video with fewer than `n_shots`
    shots, frames spaced evenly over it.

    Parameters
    ----------
    relevance : array-like of shape (n_events, n_concepts)
        Relevance of each concept to each event, as `concept_relevance` computes it of a description.
    event_names : sequence of str
        Names of the events, all different, at least two.
    descriptions : sequence of str or None, default=None
        The words that the relevance was computed of.
    concept_names : sequence of str or None, default=None
        Names of the concepts, kept so that a recognizer is not applied to videos with other ones.
    n_shots : int or None, default=None
        Number of shots that represents every video, at least 1; None takes the rounded mean number of shots of the
        training videos.
    features : sequence of str or None, default=None
        The kinds of features to use; None: all that the first video has.
    fusion : {"concatenate", "average"}, default="concatenate"
        Whether several kinds of features are put side by side, or get one classifier each, whose scores are averaged.
    normalize : bool, default=True
        Whether the features of each kind are divided by their Euclidean length.
    fill : {"frames", "repeat"}, default="frames"
        What represents a video of fewer than `n_shots` shots, as in :class:`EventDetector`.
    classifier : NearlyIsotonicSVC, NearlyIsotonicSVCCV or None, default=None
        The learner, as in :class:`EventDetector`; None: a search that maximises the mean F1 score.

    Attributes
    ----------
    classes_ : ndarray of shape (n_events,)
        Names of the events, sorted.
    n_shots_ : int
        Number of shots that represents every video.
    feature_names_ : tuple of str
        The kinds of features used.
    feature_digests_ : dict of str to str
        What tells the networks that made them from others, as in :class:`EventDetector`.
    classifiers_ : list of NearlyIsotonicSVC
        The trained classifiers, one, or one for each kind of features.
    validation_score_ : float or None
        The best score in the cross-validation that chose the penalties, the mean over classifiers; None without a
        search. Being the best of many it is somewhat too good.

    See Also
    --------
    EventDetector : Whether a video shows one event.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, sections 6 and 7.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events import EventRecognizer
    >>> from widemargin.video import DescribedVideo
    >>> shots = np.array([[0.0, 2.0], [2.0, 5.0]])
    >>> def video(name, concept):
    ...     concepts = np.full((2, 3), 0.1)
    ...     concepts[1, concept] = 0.8
    ...     return DescribedVideo(name, {"net": concepts}, concepts, shots, shots.mean(axis=1))
    >>> videos = [video("a", 0), video("b", 1), video("c", 2), video("d", 0), video("e", 1), video("f", 2)]
    >>> events = ["dive", "ride", "sing", "dive", "ride", "sing"]
    >>> recognizer = EventRecognizer(np.eye(3), ["dive", "ride", "sing"]).fit(videos, events)
    >>> recognizer.predict(videos).tolist() == events
    True
    """

    _relevance_dimensions = 2

    def __init__(
        self,
        relevance: npt.ArrayLike,
        event_names: Sequence[str],
        *,
        descriptions: Sequence[str] | None = None,
        concept_names: Sequence[str] | None = None,
        n_shots: int | None = None,
        features: Sequence[str] | None = None,
        fusion: Fusion = "concatenate",
        normalize: bool = True,
        fill: Filling = "frames",
        classifier: Any = None,
    ) -> None:
        self.relevance = relevance
        self.event_names = event_names
        self.descriptions = descriptions
        self.concept_names = concept_names
        self.n_shots = n_shots
        self.features = features
        self.fusion = fusion
        self.normalize = normalize
        self.fill = fill
        self.classifier = classifier

    def fit(self, videos: Iterable[DescribedVideo], y: npt.ArrayLike) -> EventRecognizer:
        """Train on videos of which each shows one of the events.

        Parameters
        ----------
        videos : iterable of DescribedVideo
            Training videos; gone through several times.
        y : array-like of str of shape (n_videos,)
            The name of each video's event; every event has at least one video.

        Returns
        -------
        EventRecognizer
            The fitted recognizer.

        Raises
        ------
        TypeError
            If a parameter has another type.
        ValueError
            If a parameter is out of its range, an event has no video or a video another event, or videos lack features
            or concepts.
        """
        forget_fitted(self)
        labels = column_or_1d(np.asarray(y)).astype(str)
        names = self._names()
        given = set(labels.tolist())
        missing, unknown = sorted(set(names) - given), sorted(given - set(names))
        if missing or unknown:
            raise ValueError(
                f"y has no video of {missing}, and events {unknown} that are not among event_names: pass at least one "
                "video for each event, and the names as in event_names."
            )
        self.classes_ = np.array(sorted(names))
        arrays, saliency = self._read_training(videos, labels.size)
        classifier = default_event_classifier("f1_macro") if self.classifier is None else self.classifier
        self._train(classifier, arrays, labels, self._orders(saliency))
        return self

    def decision_function(self, videos: Iterable[DescribedVideo]) -> Array:
        """Return the score of each video for each event.

        Parameters
        ----------
        videos : iterable of DescribedVideo
            Videos, read one after the other.

        Returns
        -------
        ndarray of shape (n_videos, n_events)
            Scores, the events in the order of `classes_`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If a video lacks features, or has others or other concepts than the training videos.
        """
        check_is_fitted(self, "classifiers_")
        scores = [np.zeros((0, self.classes_.size))]
        for arrays, saliency in self._read_blocks(videos):
            pairs = zip(self.classifiers_, arrays, strict=True)
            values = [trained.decision_function(X, self._orders(saliency)) for trained, X in pairs]
            scores.append(_columns(np.mean(values, axis=0)))
        return np.concatenate(scores)

    def predict(self, videos: Iterable[DescribedVideo]) -> npt.NDArray[Any]:
        """Return the event that each video shows.

        Parameters
        ----------
        videos : iterable of DescribedVideo
            Videos, read one after the other.

        Returns
        -------
        ndarray of str of shape (n_videos,)
            Names of events.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        return self.classes_[self.decision_function(videos).argmax(axis=1)]

    def recount(self, video: DescribedVideo, event: str | None = None) -> Recounting:
        """Return the evidence that a video shows an event: its shots, the most convincing first, (37).

        Parameters
        ----------
        video : DescribedVideo
            A video.
        event : str or None, default=None
            Name of the event; None: the one that is predicted.

        Returns
        -------
        Recounting
            The shots or extra frames that were used. Their scores add up to the video's score for the event, without
            the intercepts.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If there is no such event.
        """
        check_is_fitted(self, "classifiers_")
        total = self.decision_function([video])[0]
        name = self.classes_[total.argmax()] if event is None else event
        if name not in self.classes_:
            raise ValueError(
                f"event is {event!r}, which is none of {self.classes_.tolist()}: name one of these."
            )
        place = int(np.flatnonzero(self.classes_ == name)[0])
        frames = self._reader().read(video)
        chosen, saliency = self._choose(frames)
        parts = [
            recounting_scores(trained, rows[chosen][None], self._orders(saliency[None]))[0]
            for trained, rows in zip(self.classifiers_, frames.features, strict=True)
        ]
        scores = np.mean(parts, axis=0)
        own = scores[place] if scores.ndim == 2 else scores * (1 if place == 1 else -1)
        order = np.argsort(-saliency[place], kind="stable")
        row = self._rows()[place]
        relevance = check_relevance(self.relevance, 2)[row]
        return collect_evidence(
            video, frames, relevance, frames.saliency[row], chosen[order], own[order], float(total[place])
        )

    def _names(self) -> list[str]:
        names = [str(name) for name in self.event_names]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"event_names is {names}: pass at least two names, all different.")
        return names

    def _rows(self) -> list[int]:
        """Return the row of the relevance of each event, in the order of `classes_`."""
        names = self._names()
        return [names.index(name) for name in self.classes_.tolist()]

    def _reader(self) -> FrameReader:
        n_rows, n_events = len(check_relevance(self.relevance, 2)), len(self._names())
        if n_rows != n_events:
            raise ValueError(f"relevance has {n_rows} rows for {n_events} events: pass one row per event.")
        return super()._reader()

    def _choose(self, frames: Frames) -> tuple[Shots, Array]:
        own = frames.saliency[:, : frames.n_own]
        chosen = timed_frames(own, self.n_shots_, frames.saliency.shape[1] - frames.n_own)
        return chosen, frames.saliency[self._rows()][:, chosen]

    def _orders(self, saliency: Array | None) -> Array | None:
        """Return the saliency as the classifier takes it: of two classes that of the second alone."""
        if saliency is None or self.classes_.size > 2:
            return saliency
        return saliency[:, 1]


def _columns(scores: Array) -> Array:
    """Return one column of scores a class, also of two classes."""
    return np.stack((-scores, scores), axis=1) if scores.ndim == 1 else scores

"""A detector of one event, from indexed videos to ranked videos and the evidence for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from widemargin.events._event_model import EventModel
from widemargin.events._event_training import check_relevance, fitted
from widemargin.events._frames import Filling, FrameReader, Frames, Fusion, known_kinds
from widemargin.events.default_classifier import default_event_classifier
from widemargin.events.evidence import Recounting, collect_evidence
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.events.prioritization import ordered_frames
from widemargin.events.recounting import recounting_scores
from widemargin.fitted import forget_fitted
from widemargin.validation import check_labels
from widemargin.video import DescribedVideo

__all__ = ["EventDetector"]

Array = npt.NDArray[np.float64]
Shots = npt.NDArray[np.intp]


class EventDetector(EventModel):
    r"""Ranks videos by how surely they show an event that is described in words, and says which shots show it.

    The system of [1]_ for one event: the shots of each video are ordered by their semantic saliency
    :math:`s_j = p_j^\top r`, (1), where :math:`p_j` are the probabilities of the concepts in the shot and r is their
    `relevance` to the event; the `n_shots` most salient ones represent the video (a video of fewer shots is represented
    by frames spaced evenly over it), and a nearly-isotonic SVM, (6), that trusts the more salient shots more is trained
    on their features. The score of a video is a sum over its shots, (38), and the terms of the sum, (37), are the
    evidence.

    Beside it a baseline is trained: the same classifier on the mean of the same shots, as average pooling does. Applied
    to each shot alone it ranks the shots as the paper's baseline of section 8.3 does.

    Parameters
    ----------
    relevance : array-like of shape (n_concepts,)
        Relevance of each concept to the event, as `concept_relevance` computes it of a description.
    name : str, default="event"
        Short name of the event, for tables and pages.
    description : str, default=""
        The words that the relevance was computed of.
    concept_names : sequence of str or None, default=None
        Names of the concepts, kept so that a detector is not applied to videos with other ones.
    n_shots : int or None, default=None
        Number of shots that represents every video, at least 1; None takes the rounded mean number of shots of the
        training videos, as the paper does.
    features : sequence of str or None, default=None
        The kinds of features to use; None: all that the first video has.
    fusion : {"concatenate", "average"}, default="concatenate"
        Whether several kinds of features are put side by side, or get one classifier each, whose scores are averaged.
    normalize : bool, default=True
        Whether the features of each kind are divided by their Euclidean length.
    fill : {"frames", "repeat"}, default="frames"
        What represents a video of fewer than `n_shots` shots: frames spaced evenly over it, where the videos have them,
        or its own shots, repeated.
    classifier : NearlyIsotonicSVC, NearlyIsotonicSVCCV or None, default=None
        The learner. Of a search without a `cv`, or with a number, the folds are as many as the rarer class has videos
        at most; with a single video of one class there is no search, and the default penalties are taken. None: a
        search over both penalties that maximises the average precision.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Labels; the event is ``classes_[1]``.
    n_shots_ : int
        Number of shots that represents every video.
    feature_names_ : tuple of str
        The kinds of features used.
    feature_digests_ : dict of str to str
        What tells the networks that made them from others; "" where it is not known. Videos whose features are known
        to be of another network are refused.
    classifiers_ : list of NearlyIsotonicSVC
        The trained classifiers, one, or one for each kind of features.
    baselines_ : list of NearlyIsotonicSVC
        The same trained on the mean of the shots.
    validation_score_ : float or None
        The best score in the cross-validation that chose the penalties, the mean over classifiers; None without a
        search. Being the best of many it is somewhat too good.
    position_weights_ : ndarray of shape (n_shots,)
        Euclidean norm of the weights of each place in the order, the most salient first; the mean over classifiers.

    See Also
    --------
    EventRecognizer : Which of several events a video shows.
    search_scores : Rank videos without any training video.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, sections 3, 4 and 7.

    Examples
    --------
    Videos of two shots. Concept 0 is relevant; where it is seen, the first feature tells whether the event is shown:

    >>> import numpy as np
    >>> from widemargin.events import EventDetector
    >>> from widemargin.video import DescribedVideo
    >>> def video(name, features, concepts):
    ...     shots = np.array([[0.0, 2.0], [2.0, 5.0]])
    ...     return DescribedVideo(name, {"net": np.array(features)}, np.array(concepts), shots, shots.mean(axis=1))
    >>> first, second = [[0.9, 0.1], [0.1, 0.9]], [[0.1, 0.9], [0.9, 0.1]]
    >>> videos = [
    ...     video("a", [[1.0, 0.1], [0.1, 0.2]], first),
    ...     video("b", [[0.1, 0.1], [0.9, 0.1]], second),
    ...     video("c", [[0.1, 1.0], [1.0, 0.2]], first),
    ...     video("d", [[0.8, 0.0], [0.1, 0.9]], second),
    ... ]
    >>> detector = EventDetector([1.0, 0.0], n_shots=2).fit(videos, [1, 1, 0, 0])
    >>> detector.predict(videos).tolist()
    [1, 1, 0, 0]
    >>> [(shot.shot, shot.start, shot.end) for shot in detector.recount(videos[1]).shots][0]
    (1, 2.0, 5.0)
    """

    _relevance_dimensions = 1

    def __init__(
        self,
        relevance: npt.ArrayLike,
        *,
        name: str = "event",
        description: str = "",
        concept_names: Sequence[str] | None = None,
        n_shots: int | None = None,
        features: Sequence[str] | None = None,
        fusion: Fusion = "concatenate",
        normalize: bool = True,
        fill: Filling = "frames",
        classifier: Any = None,
    ) -> None:
        self.relevance = relevance
        self.name = name
        self.description = description
        self.concept_names = concept_names
        self.n_shots = n_shots
        self.features = features
        self.fusion = fusion
        self.normalize = normalize
        self.fill = fill
        self.classifier = classifier

    def fit(self, videos: Iterable[DescribedVideo], y: npt.ArrayLike) -> EventDetector:
        """Train on videos that show the event, and on others that do not.

        Parameters
        ----------
        videos : iterable of DescribedVideo
            Training videos; gone through several times, one video in memory at a time beside the chosen features.
        y : array-like of shape (n_videos,)
            Two different labels, of which the larger one means that the event is shown, such as 1 and 0.

        Returns
        -------
        EventDetector
            The fitted detector.

        Raises
        ------
        TypeError
            If a parameter has another type.
        ValueError
            If a parameter is out of its range, there are no videos of one label, or videos lack features or concepts.
        """
        forget_fitted(self)
        labels = column_or_1d(np.asarray(y))
        self.classes_, targets = check_labels(labels)
        if self.classes_.size != 2:
            raise ValueError(
                f"y has {self.classes_.size} different labels, expected two: pass 1 for videos that show the event and "
                "0 for others, or train an EventRecognizer on several events."
            )
        arrays, _ = self._read_training(videos, labels.size)
        classifier = (
            default_event_classifier("average_precision") if self.classifier is None else self.classifier
        )
        self._train(classifier, arrays, targets, None)
        self.baselines_ = [fitted(classifier, _average(X), targets, None)[0] for X in arrays]
        self.position_weights_ = np.mean([_norms(trained) for trained in self.classifiers_], axis=0)
        return self

    def decision_function(self, videos: Iterable[DescribedVideo]) -> Array:
        """Return the score of each video, positive where the event is predicted.

        Parameters
        ----------
        videos : iterable of DescribedVideo
            Videos, read one after the other.

        Returns
        -------
        ndarray of shape (n_videos,)
            Scores.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If a video lacks features, or has others or other concepts than the training videos.
        """
        scores = [self._scores(arrays) for arrays, _ in self._read_blocks(videos)]
        return np.concatenate([np.zeros(0), *scores])

    def predict(self, videos: Iterable[DescribedVideo]) -> npt.NDArray[Any]:
        """Return the label of each video.

        Parameters
        ----------
        videos : iterable of DescribedVideo
            Videos, read one after the other.

        Returns
        -------
        ndarray of shape (n_videos,)
            ``classes_[1]`` where the score is positive, else ``classes_[0]``.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        return self.classes_[(self.decision_function(videos) > 0).astype(int)]

    def saliency(self, video: DescribedVideo) -> Array:
        """Return the semantic saliency of the shots of a video, in the order of time.

        Parameters
        ----------
        video : DescribedVideo
            A video.

        Returns
        -------
        ndarray of shape (n_shots,)
            Saliency of each of its shots, whatever their number; no training is needed.
        """
        kinds = known_kinds([video], self.features)
        reader = FrameReader(check_relevance(self.relevance, 1), kinds, self.fusion, self.normalize, "repeat")
        return reader.read(video).saliency

    def recount(self, video: DescribedVideo) -> Recounting:
        """Return the evidence that a video shows the event: its shots, the most convincing first, (37).

        Parameters
        ----------
        video : DescribedVideo
            A video.

        Returns
        -------
        Recounting
            The shots or extra frames that were used. Their scores add up to that of the video without the intercepts.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self, "classifiers_")
        frames = self._reader().read(video)
        chosen, _ = self._choose(frames)
        parts = [
            recounting_scores(trained, rows[chosen][None])[0]
            for trained, rows in zip(self.classifiers_, frames.features, strict=True)
        ]
        total = self._scores([rows[chosen][None] for rows in frames.features])[0]
        return self._collected(video, frames, chosen, np.mean(parts, axis=0), total)

    def recount_baseline(self, video: DescribedVideo) -> Recounting:
        """Return the shots of a video as the classifier of averaged shots ranks them, each taken for a video.

        Parameters
        ----------
        video : DescribedVideo
            A video.

        Returns
        -------
        Recounting
            The same shots as `recount` returns, with the scores of the baseline.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self, "classifiers_")
        frames = self._reader().read(video)
        chosen = _distinct(self._choose(frames)[0])
        parts = [
            trained.decision_function(rows[chosen][:, None])
            for trained, rows in zip(self.baselines_, frames.features, strict=True)
        ]
        scores = np.mean(parts, axis=0)
        return self._collected(video, frames, chosen, scores, float(scores.mean()))

    def _choose(self, frames: Frames) -> tuple[Shots, None]:
        own, extra = frames.saliency[: frames.n_own], frames.saliency[frames.n_own :]
        return ordered_frames(own, self.n_shots_, extra), None

    def _scores(self, arrays: list[npt.NDArray[Any]]) -> Array:
        pairs = zip(self.classifiers_, arrays, strict=True)
        return np.mean([trained.decision_function(X) for trained, X in pairs], axis=0)

    def _collected(
        self, video: DescribedVideo, frames: Frames, chosen: Shots, scores: Array, total: float
    ) -> Recounting:
        relevance = check_relevance(self.relevance, 1)
        return collect_evidence(video, frames, relevance, frames.saliency, chosen, scores, total)


def _average(X: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the mean shot of each video, as its only one."""
    return X.mean(axis=1, keepdims=True)


def _distinct(frames: Shots) -> Shots:
    """Return each frame once, in the same order."""
    return frames[np.sort(np.unique(frames, return_index=True)[1])]


def _norms(classifier: NearlyIsotonicSVC) -> Array:
    """Return the length of the weights of each place in the order."""
    return np.linalg.norm(classifier.coef_, axis=-1)

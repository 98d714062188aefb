"""The evidence for an event: what each shot adds to a video's score.

Section 7 of Chang, Yu, Yang and Xing, "Semantic pooling for complex event analysis in untrimmed videos", IEEE TPAMI
39(8), 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from widemargin.events._base import ShotClassifier
from widemargin.events._videos import read_videos
from widemargin.metrics.inputs import real_array
from widemargin.validation import check_features_finite

__all__ = ["ShotEvidence", "recounting_scores", "shot_evidence"]

Array = npt.NDArray[np.float64]

# Features of one shot of a block of videos; with as many weights they take 4 MiB in float64.
_BLOCK = 2**18


@dataclass(frozen=True, eq=False)
class ShotEvidence:
    """What each shot of each video says for an event; large values are evidence for it.

    Parameters
    ----------
    own : ndarray of shape (n_videos, n_shots)
        Recounting scores of the video's event.
    against_others : ndarray of shape (n_videos, n_shots)
        The largest recounting score among all other events, negated: large where the shot speaks against each of them.
    """

    own: Array
    against_others: Array


def recounting_scores(estimator: Any, X: npt.ArrayLike, saliency: npt.ArrayLike | None = None) -> Array:
    r"""Split the score of each video into what its shots add to it.

    The shot at position j of the order adds :math:`\langle \tilde{x}_{ij}, w_j \rangle`, equation (37) of [1]_. It is
    returned at the place that this shot has in X, so that the videos' own order is kept. The scores of a video sum to
    the decision function without the intercept.

    Parameters
    ----------
    estimator : NearlyIsotonicSVC
        A fitted classifier, or a search over such classifiers with a ``best_estimator_``, whose weights are used.
    X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
        Videos; read in blocks, without a copy of the whole.
    saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
        Saliency of the shots, as the classifier's `predict` takes it; None: the shots are in order already.

    Returns
    -------
    ndarray of float64 of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots)
        Scores of each shot, for ``classes_[1]`` if there are two classes, else for each class.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    TypeError
        If X is sparse, or the estimator is another one.
    ValueError
        If the shape of X differs from that in `fit`, or the saliency does not fit X.

    Warns
    -----
    UserWarning
        If the classifier was fitted with a saliency and none is given here.

    See Also
    --------
    shot_evidence : What speaks for an event, and against all others.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, section 7.

    Examples
    --------
    Only the most salient shot, wherever it is in the video, tells the classes apart:

    >>> import numpy as np
    >>> from widemargin.events import NearlyIsotonicSVC, recounting_scores
    >>> X = np.array([[[4.0], [0.0]], [[0.0], [5.0]], [[-4.0], [0.0]], [[0.0], [-5.0]]])
    >>> saliency = [[0.9, 0.1], [0.2, 0.7], [0.8, 0.0], [0.1, 0.6]]
    >>> classifier = NearlyIsotonicSVC().fit(X, [1, 1, 0, 0], saliency=saliency)
    >>> scores = recounting_scores(classifier, X, saliency)
    >>> scores.argmax(axis=1).tolist()[:2]
    [0, 1]
    >>> np.allclose(scores.sum(axis=1) + classifier.intercept_, classifier.decision_function(X, saliency))
    True
    """
    check_is_fitted(estimator)
    classifier = getattr(estimator, "best_estimator_", estimator)
    if not isinstance(classifier, ShotClassifier):
        raise TypeError(
            f"estimator must be a fitted NearlyIsotonicSVC, got {type(classifier).__name__}: of a pipeline, pass its "
            "last step, with X as the steps before it return it."
        )
    videos = read_videos(classifier, X, None, reset=False)
    order = classifier._order(videos, saliency)
    n_videos, n_shots, n_features = videos.shape
    weights, _ = classifier._function((n_shots, n_features))
    positions = None if order is None else np.argsort(order, axis=-1)
    scores = np.empty((n_videos, weights.shape[0], n_shots))
    length = max(_BLOCK // n_features, 1)
    for start in range(0, n_videos, length):
        block = slice(start, start + length)
        for shot in range(n_shots):
            features = videos[block, shot].astype(np.float64)
            if positions is None:
                scores[block, :, shot] = features @ weights[:, shot].T
                continue
            for event, event_weights in enumerate(weights):
                taken = event_weights[positions[block, event, shot]]
                scores[block, event, shot] = np.einsum("if,if->i", features, taken)
    return scores[:, 0] if classifier.classes_.size == 2 else scores


def shot_evidence(scores: npt.ArrayLike, event: int | npt.ArrayLike | None = None) -> ShotEvidence:
    """Return what each shot says for the event of its video, and against all other events.

    With several events, a shot is evidence for one of them if it scores high for it, and also if it scores low for all
    others (the end of section 7 of [1]_). With two classes a score for the one is a score against the other, so that
    both kinds of evidence are the same.

    Parameters
    ----------
    scores : array-like of shape (n_videos, n_shots) or (n_videos, n_events, n_shots)
        Recounting scores; those of two dimensions are for the second of two classes.
    event : int or array-like of int of shape (n_videos,), default=None
        Index into the classifier's ``classes_`` of the event of each video, or of all. None stands for
        ``classes_[1]`` of two classes; with several events it must be given, since the scores alone, without the
        intercepts, do not say which one is predicted. The predicted event of each video is
        ``np.searchsorted(classifier.classes_, classifier.predict(X))``.

    Returns
    -------
    ShotEvidence
        Two arrays of shape (n_videos, n_shots), in the order of shots in `scores`.

    Raises
    ------
    TypeError
        If an event is no integer.
    ValueError
        If `scores` is not of that shape or has a value that is not finite, or `event` is missing, of another length
        or not the index of an event.

    See Also
    --------
    recounting_scores : The scores.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, section 7.

    Examples
    --------
    Three events and two shots: the first shot speaks for event 0, the second one against both others.

    >>> from widemargin.events import shot_evidence
    >>> scores = [[[2.0, 0.1], [0.5, -3.0], [-1.0, -2.0]]]
    >>> evidence = shot_evidence(scores, event=0)
    >>> evidence.own.tolist()
    [[2.0, 0.1]]
    >>> evidence.against_others.tolist()
    [[-0.5, 2.0]]

    With two classes, the evidence for the first one is that against the second:

    >>> shot_evidence([[0.7, -0.2]], event=0).own.tolist()
    [[-0.7, 0.2]]
    """
    array = real_array("scores", scores)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[1] < 2):
        raise ValueError(
            f"scores has shape {array.shape}, expected (n_videos, n_shots), or (n_videos, n_events, n_shots) with at "
            "least two events: pass what recounting_scores returns."
        )
    check_features_finite("scores", array)
    n_videos = array.shape[0]
    if array.ndim == 2:
        first = _read_event(1 if event is None else event, n_videos, 2) == 0
        evidence = np.where(first[:, None], -array, array)
        return ShotEvidence(evidence, evidence.copy())
    if event is None:
        raise ValueError(
            f"event is missing, and scores has {array.shape[1]} events: pass the index into classes_ of one event, or "
            "of one per video, such as np.searchsorted(classifier.classes_, classifier.predict(X))."
        )
    rows, events = np.arange(n_videos), _read_event(event, n_videos, array.shape[1])
    others = array.copy()
    others[rows, events] = -np.inf
    return ShotEvidence(array[rows, events], -others.max(axis=1))


def _read_event(event: Any, n_videos: int, n_events: int) -> npt.NDArray[np.intp]:
    """Return the index of the event of each video."""
    values = np.asarray(event)
    if values.dtype.kind not in "iu":
        raise TypeError(
            f"event must be an integer, or one per video, got {event!r}: pass indices into classes_, not labels."
        )
    if values.shape not in ((), (n_videos,)):
        raise ValueError(
            f"event has shape {values.shape}, expected one integer or ({n_videos},): pass one event per video."
        )
    wrong = values[(values < 0) | (values >= n_events)]
    if wrong.size:
        raise ValueError(
            f"event must be an index into the {n_events} classes, from 0 to {n_events - 1}, got {wrong.flat[0]}: pass "
            "indices into classes_, not labels."
        )
    return np.broadcast_to(values, n_videos).astype(np.intp)

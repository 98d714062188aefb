"""Videos as bags of shots, of which it is known how relevant each shot is."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from widemargin.validation import check_integer, check_number

__all__ = ["make_shot_bags"]

FloatArray = npt.NDArray[np.float64]

_LOOKS_OF_AN_EVENT = 5
_SCENES = 20
_SCENES_OF_A_VIDEO = 3
# A convolutional network leaves most of its units at zero: this shift leaves 38 % of them above it in a plain shot.
_SHIFT = -0.3


def make_shot_bags(
    n_videos: int = 200,
    n_shots: int = 20,
    n_features: int = 50,
    *,
    n_classes: int = 2,
    order_noise: float = 0.0,
    positive_share: float | None = None,
    relevant_share: float = 0.2,
    signal: float = 2.0,
    lookalike: float = 0.5,
    misleading: float = 0.1,
    clutter: float = 1.0,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64], FloatArray, FloatArray]:
    r"""Generate long videos with few relevant shots, and a noisy notion of which shots these are.

    The problem of [1]_ without videos: an event shows in few of the shots of a video, and a saliency that was made
    without looking at labels says which shots to look at first. With two classes there is one event, and class 1 are
    its videos; with more classes every class is an event, and every video belongs to one.

    For every event e, shot j of video i has a relevance :math:`r_{iej} = u^p` with u uniform in [0, 1] and
    :math:`p = 1 / \text{relevant\_share} - 1`: most shots have little, few have much, in videos of the event as in all
    others, so that the relevance says where to look and nothing about the class. The shot shows something of the
    event:

    - with probability :math:`r_{iej}` in a video of the event one of 5 looks of the event, and in any other video one
      of 5 look-alikes, which are `lookalike` times such a look plus ``1 - lookalike`` times something else;
    - else with probability `misleading`, in every video, one of the looks of the event: an irrelevant shot that shows
      by chance what the event shows.

    Besides it shows one of 3 scenes of its video, of 20 scenes that all videos share, at a strength uniform in
    [0, `clutter`]. Looks and scenes are vectors :math:`\max(z, 0)` of standard normal z. They are added, with noise
    that is normal with mean -0.3 and standard deviation 1, negative values are set to zero, and the shot is scaled to
    unit length: nonnegative, sparse and of one length, as features of convolutional networks are used. All draws are
    independent, also of the place of a shot in the video: time tells nothing.

    The saliency is the relevance plus `order_noise` times a standard normal number. One `random_state` gives the same
    `X`, `y` and relevance with every `order_noise`, so that orders can be compared on the same videos.

    Parameters
    ----------
    n_videos : int, default=200
        Number of videos, at least `n_classes`.
    n_shots : int, default=20
        Shots of every video, at least 1.
    n_features : int, default=50
        Features of every shot, at least 1.
    n_classes : int, default=2
        Number of classes, at least 2.
    order_noise : float, default=0.0
        Standard deviation of the error of the saliency, in the unit of the relevance, whose own standard deviation is
        0.27 with the default `relevant_share`; at least 0. With 0 the saliency orders the shots exactly as the
        relevance does, at 10 it tells next to nothing.
    positive_share : float or None, default=None
        Share of videos of class 1, in (0, 1), with two classes; the number of videos is rounded, and at least one of
        each class. None makes classes of equal sizes, up to one video, which is the only way with more classes.
    relevant_share : float, default=0.2
        Mean relevance, hence the expected share of shots that show the event, in (0, 0.5].
    signal : float, default=2.0
        Strength of a look, at least 0; the noise of every feature has standard deviation 1. With the default, logistic
        regression on the mean of the shots of 40 + 200 videos reaches an average precision of 0.43 where chance has
        0.17; this is what the default was chosen by, before anything else was trained.
    lookalike : float, default=0.5
        How far the relevant shots of other videos look like the event, from 0 (not at all) to 1 (no difference: there
        is nothing to learn).
    misleading : float, default=0.1
        Share of irrelevant shots that show a look of the event, in [0, 1].
    clutter : float, default=1.0
        Strength of the scenes, at least 0.
    random_state : int, RandomState instance or None, default=None
        Seed of all draws.

    Returns
    -------
    X : ndarray of float32 of shape (n_videos, n_shots, n_features)
        Shots in the order of time.
    y : ndarray of int of shape (n_videos,)
        Classes 0 to `n_classes` - 1.
    saliency : ndarray of shape (n_videos, n_shots), or (n_videos, n_classes, n_shots) with more than two classes
        How relevant each shot of `X` seems to be to the event, or to the event of each class; larger is more.
    relevance : ndarray of the shape of `saliency`
        How relevant it is.

    Raises
    ------
    TypeError
        If a number has the wrong type.
    ValueError
        If a parameter is outside its range, or `positive_share` is given with more than two classes.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, sections 3 and 8.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.datasets import make_shot_bags
    >>> X, y, saliency, relevance = make_shot_bags(60, 10, 30, order_noise=0.1, random_state=0)
    >>> X.shape, saliency.shape, np.bincount(y).tolist()
    ((60, 10, 30), (60, 10), [30, 30])
    >>> X, y, saliency, relevance = make_shot_bags(60, 10, 30, n_classes=3, random_state=0)
    >>> saliency.shape, bool((saliency == relevance).all())
    ((60, 3, 10), True)
    """
    n_classes = check_integer("n_classes", n_classes, at_least=2)
    n_videos = check_integer("n_videos", n_videos, at_least=n_classes)
    n_shots = check_integer("n_shots", n_shots, at_least=1)
    n_features = check_integer("n_features", n_features, at_least=1)
    order_noise = check_number("order_noise", order_noise, at_least=0)
    relevant_share = check_number("relevant_share", relevant_share, above=0, at_most=0.5)
    signal = check_number("signal", signal, at_least=0)
    lookalike = check_number("lookalike", lookalike, at_least=0, at_most=1)
    misleading = check_number("misleading", misleading, at_least=0, at_most=1)
    clutter = check_number("clutter", clutter, at_least=0)

    rng = check_random_state(random_state)
    y = rng.permutation(_sorted_classes(n_videos, n_classes, positive_share))
    n_events = 1 if n_classes == 2 else n_classes
    # belongs[i, e]: whether video i is of event e.
    belongs = y[:, None] == (1 if n_events == 1 else np.arange(n_events))

    looks = _responses(rng, n_events, _LOOKS_OF_AN_EVENT, n_features)
    others = _responses(rng, n_events, _LOOKS_OF_AN_EVENT, n_features)
    lookalikes = lookalike * looks + (1 - lookalike) * others
    scenes = _responses(rng, _SCENES, n_features)

    relevance = rng.uniform(size=(n_videos, n_events, n_shots)) ** (1 / relevant_share - 1)
    X = np.empty((n_videos, n_shots, n_features), dtype=np.float32)
    # One video at a time: the sums are of float64, and would take several times the memory of X.
    for video, of_event in enumerate(belongs):
        shots = rng.normal(loc=_SHIFT, size=(n_shots, n_features))
        scene = rng.permutation(_SCENES)[:_SCENES_OF_A_VIDEO][rng.randint(_SCENES_OF_A_VIDEO, size=n_shots)]
        shots += rng.uniform(0, clutter, size=n_shots)[:, None] * scenes[scene]
        for event in range(n_events):
            relevant = rng.uniform(size=n_shots) < relevance[video, event]
            chance = (rng.uniform(size=n_shots) < misleading) & ~relevant
            look = rng.randint(_LOOKS_OF_AN_EVENT, size=n_shots)
            shown = looks if of_event[event] else lookalikes
            shots += signal * relevant[:, None] * shown[event, look]
            shots += signal * chance[:, None] * looks[event, look]
        np.maximum(shots, 0, out=shots)
        length = np.linalg.norm(shots, axis=1, keepdims=True)
        # With very few features all of a shot's may be zero.
        X[video] = shots / np.where(length > 0, length, 1)
    saliency = relevance + order_noise * rng.normal(size=relevance.shape)
    if n_events == 1:
        return X, y, saliency[:, 0], relevance[:, 0]
    return X, y, saliency, relevance


def _sorted_classes(n_videos: int, n_classes: int, positive_share: float | None) -> npt.NDArray[np.int64]:
    """Return the classes of all videos, not yet shuffled."""
    if positive_share is None:
        return np.sort(np.arange(n_videos, dtype=np.int64) % n_classes)
    if n_classes > 2:
        raise ValueError(
            f"positive_share is {positive_share!r} with n_classes = {n_classes}: it is for two classes; leave it None."
        )
    share = check_number("positive_share", positive_share, above=0, at_most=1)
    if share == 1:
        raise ValueError("positive_share is 1, which leaves no negatives: choose a share below 1.")
    n_positive = min(max(round(share * n_videos), 1), n_videos - 1)
    return (np.arange(n_videos) >= n_videos - n_positive).astype(np.int64)


def _responses(rng: np.random.RandomState, *shape: int) -> FloatArray:
    """Draw what units of a network respond to something: zero or positive."""
    return np.maximum(rng.normal(size=shape), 0)

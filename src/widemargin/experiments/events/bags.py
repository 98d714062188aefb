"""The generated videos of one repeat, as every method wants them: pooled, in the order of saliency, or of time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedKFold

from widemargin.datasets import make_shot_bags
from widemargin.events import AveragePooling, MaxPooling

__all__ = ["ORDERS", "Bags", "DetectionVideos", "RecognitionVideos", "Trial", "View"]

IntArray = npt.NDArray[np.int64]
View = Literal["average", "maximum", "saliency", "time", "flat_average", "flat_saliency"]

ORDERS: Mapping[str, float] = {"exact order": 0.0, "small noise": 0.1, "medium noise": 0.3, "no order": 10.0}
"""Standard deviation of the error of the saliency, by what readers call it; that of the relevance itself is 0.27."""


@dataclass(frozen=True, eq=False)
class Bags:
    """Some videos.

    Parameters
    ----------
    X : ndarray of shape (n_videos, n_shots, n_features)
        Shots in the order of time.
    y : ndarray of int of shape (n_videos,)
        Classes.
    saliency : ndarray of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots)
        Saliency of the shots.
    """

    X: npt.NDArray[np.float32]
    y: IntArray
    saliency: npt.NDArray[np.float64]

    def rows(self, rows: IntArray) -> Bags:
        """Return some of the videos.

        Parameters
        ----------
        rows : ndarray of int
            Which.

        Returns
        -------
        Bags
            Copies.
        """
        return Bags(self.X[rows], self.y[rows], self.saliency[rows])


@dataclass(frozen=True, eq=False)
class Trial:
    """Videos to train and to test on, and the folds on which parameters are chosen.

    Parameters
    ----------
    train, test : Bags
        The videos.
    folds : tuple of (ndarray of int, ndarray of int)
        Rows of the training videos to train and to validate on, once a fold.
    """

    train: Bags
    test: Bags
    folds: tuple[tuple[IntArray, IntArray], ...]
    _seen: dict[tuple[str, str], tuple[Any, dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def drawn(cls, train: Bags, test: Bags, n_folds: int, seed: int) -> Trial:
        """Draw stratified folds.

        Parameters
        ----------
        train, test : Bags
            The videos.
        n_folds : int
            Number of folds, at least 2.
        seed : int
            Seed of the draw.

        Returns
        -------
        Trial
            With the folds.
        """
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(train.y[:, None], train.y)
        return cls(train, test, tuple(folds))

    def seen(self, view: View, which: Literal["train", "test"]) -> tuple[Any, dict[str, Any]]:
        """Return what a method sees of the training or test videos; made once.

        Parameters
        ----------
        view : str
            "average" or "maximum": one shot, the mean or the largest values of all. "saliency": shots, the most salient
            first; with more than two classes they are in the order of time, and the saliency goes with them. "time":
            shots in the order of time. "flat_average", "flat_saliency": the same as one row of features a video.
        which : {"train", "test"}
            Which videos.

        Returns
        -------
        X : ndarray
            With as many rows as there are videos.
        arguments : dict
            Further arguments of ``fit`` and ``decision_function``, with as many rows.
        """
        if (view, which) not in self._seen:
            self._seen[view, which] = _show(self.train if which == "train" else self.test, view)
        return self._seen[view, which]


@dataclass(frozen=True)
class DetectionVideos:
    """How many videos are drawn to detect one event.

    Parameters
    ----------
    n_positives, n_negatives : int, default=40, 200
        Training videos of the event, and others.
    n_test : int, default=600
        Test videos, with positives in the same proportion.
    n_shots : int, default=20
        Shots of a video.
    n_features : int, default=50
        Features of a shot.
    """

    n_positives: int = 40
    n_negatives: int = 200
    n_test: int = 600
    n_shots: int = 20
    n_features: int = 50

    @property
    def words(self) -> str:
        """What the protocol says of them."""
        return (
            f"{self.n_positives} videos of the event and {self.n_negatives} others for training, {self.n_test} in the "
            f"same proportion for testing; {self.n_shots} shots of {self.n_features} features; make_shot_bags with its "
            "default difficulty"
        )

    def draw(self, order_noise: float, seed: int, *, few: int | None = None) -> tuple[Bags, Bags]:
        """Draw the videos of one event, which are the same for every noise of the order.

        Parameters
        ----------
        order_noise : float
            As `make_shot_bags` takes it.
        seed : int
            Seed of the draw.
        few : int or None, default=None
            Leave only so many of the positives for training; None leaves all. Test videos stay the same.

        Returns
        -------
        train, test : Bags
            The videos.
        """
        n_train = self.n_positives + self.n_negatives
        X, y, saliency, _ = make_shot_bags(
            n_train + self.n_test,
            self.n_shots,
            self.n_features,
            positive_share=self.n_positives / n_train,
            order_noise=order_noise,
            random_state=seed,
        )
        positives, negatives = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
        trained = np.concatenate([positives[: few or self.n_positives], negatives[: self.n_negatives]])
        tested = np.concatenate([positives[self.n_positives :], negatives[self.n_negatives :]])
        bags = Bags(X, y, saliency)
        return bags.rows(np.sort(trained)), bags.rows(np.sort(tested))


@dataclass(frozen=True)
class RecognitionVideos:
    """How many videos are drawn to tell several events apart.

    Parameters
    ----------
    n_classes : int, default=4
        Number of events, at least 3.
    n_train, n_test : int, default=30, 75
        Training and test videos of every event.
    n_shots : int, default=20
        Shots of a video.
    n_features : int, default=50
        Features of a shot.
    """

    n_classes: int = 4
    n_train: int = 30
    n_test: int = 75
    n_shots: int = 20
    n_features: int = 50

    @property
    def words(self) -> str:
        """What the protocol says of them."""
        return (
            f"{self.n_classes} events, of each {self.n_train} videos for training and {self.n_test} for testing; "
            f"{self.n_shots} shots of {self.n_features} features; make_shot_bags with its default difficulty"
        )

    def draw(self, order_noise: float, seed: int) -> tuple[Bags, Bags]:
        """Draw the videos, which are the same for every noise of the order.

        Parameters
        ----------
        order_noise : float
            As `make_shot_bags` takes it.
        seed : int
            Seed of the draw.

        Returns
        -------
        train, test : Bags
            The videos.
        """
        X, y, saliency, _ = make_shot_bags(
            self.n_classes * (self.n_train + self.n_test),
            self.n_shots,
            self.n_features,
            n_classes=self.n_classes,
            order_noise=order_noise,
            random_state=seed,
        )
        of_class = [np.flatnonzero(y == label) for label in range(self.n_classes)]
        trained = np.concatenate([videos[: self.n_train] for videos in of_class])
        tested = np.concatenate([videos[self.n_train :] for videos in of_class])
        bags = Bags(X, y, saliency)
        return bags.rows(np.sort(trained)), bags.rows(np.sort(tested))


def _show(bags: Bags, view: View) -> tuple[Any, dict[str, Any]]:
    if view == "time":
        return bags.X, {}
    if view == "saliency":
        if bags.saliency.ndim == 3:
            return bags.X, {"saliency": bags.saliency}
        order = np.argsort(-bags.saliency, axis=1, kind="stable")
        return np.take_along_axis(bags.X, order[..., None], axis=1), {}
    if view == "flat_saliency":
        return _show(bags, "saliency")[0].reshape(len(bags.X), -1), {}
    pooling = MaxPooling() if view == "maximum" else AveragePooling()
    pooled = pooling.fit_transform(bags.X)
    return (pooled if view == "flat_average" else pooled[:, None]), {}

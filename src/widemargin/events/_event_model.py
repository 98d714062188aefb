"""What detectors and recognizers of events share: how they read videos in training and later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from widemargin.events._event_training import blocks, check_relevance, fitted, number_of_shots, train_arrays
from widemargin.events._frames import (
    Filling,
    FrameReader,
    Frames,
    Fusion,
    known_digests,
    known_kinds,
    passes,
)
from widemargin.events.nearly_isotonic import NearlyIsotonicSVC
from widemargin.validation import check_flag
from widemargin.video import DescribedVideo

__all__ = ["EventModel"]

Array = npt.NDArray[Any]


class EventModel(BaseEstimator):
    """Base of `EventDetector` and `EventRecognizer`, which have the parameters read here."""

    _relevance_dimensions: ClassVar[int]

    relevance: Any
    concept_names: Sequence[str] | None
    n_shots: int | None
    features: Sequence[str] | None
    fusion: Fusion
    normalize: bool
    fill: Filling
    classifiers_: list[NearlyIsotonicSVC]
    validation_score_: float | None

    def _choose(self, frames: Frames) -> tuple[npt.NDArray[np.intp], Array | None]:
        """Return the numbers of the frames that represent a video, and their saliency if the classifier sorts them."""
        raise NotImplementedError

    def _read_training(
        self, videos: Iterable[DescribedVideo], n_labels: int
    ) -> tuple[list[Array], Array | None]:
        """Learn from the training videos what later ones must have; return their chosen frames and saliency."""
        videos = passes(videos)
        self.feature_names_ = known_kinds(videos, self.features)
        self.feature_digests_ = known_digests(videos, self.feature_names_)
        self.n_shots_ = number_of_shots(self.n_shots, videos)
        n_videos = sum(1 for _ in videos)
        if n_videos != n_labels:
            raise ValueError(f"y has {n_labels} labels for {n_videos} videos: pass one label per video.")
        return train_arrays(videos, self._reader(), self._choose, n_videos)

    def _train(self, classifier: Any, arrays: list[Array], y: Array, saliency: Array | None) -> None:
        """Train the classifiers, and note how well they did on videos that they had not seen."""
        outcomes = [fitted(classifier, X, y, saliency) for X in arrays]
        self.classifiers_ = [trained for trained, _ in outcomes]
        scores = [score for _, score in outcomes if score is not None]
        self.validation_score_ = float(np.mean(scores)) if scores else None

    def _read_blocks(self, videos: Iterable[DescribedVideo]) -> Iterator[tuple[list[Array], Array | None]]:
        """Yield the chosen frames and their saliency, of as many videos at a time as fit in memory."""
        check_is_fitted(self, "classifiers_")
        reader = self._reader()
        n_features = sum(np.shape(trained.coef_)[-1] for trained in self.classifiers_)
        for block in blocks(videos, self.n_shots_ * n_features):
            yield train_arrays(block, reader, self._choose, len(block))

    def _reader(self) -> FrameReader:
        check_flag("normalize", self.normalize)
        relevance = check_relevance(self.relevance, self._relevance_dimensions)
        if self.concept_names is not None and len(self.concept_names) != relevance.shape[-1]:
            raise ValueError(
                f"concept_names has {len(self.concept_names)} names, relevance is for {relevance.shape[-1]} concepts: "
                "pass one name per concept."
            )
        return FrameReader(
            relevance,
            tuple(self.feature_names_),
            self.fusion,
            self.normalize,
            self.fill,
            self.feature_digests_,
        )

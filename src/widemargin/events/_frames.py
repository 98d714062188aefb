"""The frames that stand for a video: its own shots and extra frames, their features and their saliency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from widemargin.events.semantic_saliency import semantic_saliency
from widemargin.validation import check_choice
from widemargin.video import DescribedVideo

__all__ = ["Filling", "FrameReader", "Frames", "Fusion", "known_digests", "known_kinds", "passes"]

Array = npt.NDArray[Any]
Fusion = Literal["concatenate", "average"]
Filling = Literal["frames", "repeat"]


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames of one video, its own shots first, then its extra frames.

    Parameters
    ----------
    features : tuple of ndarray of shape (n_frames, n_features)
        Features, one array for each classifier.
    saliency : ndarray of shape (n_frames,) or (n_events, n_frames)
        How relevant each frame is.
    n_own : int
        How many of them are the video's own shots.
    """

    features: tuple[Array, ...]
    saliency: Array
    n_own: int


@dataclass(frozen=True)
class FrameReader:
    """How the frames of a video become arrays for classifiers.

    Parameters
    ----------
    relevance : ndarray of shape (n_concepts,) or (n_events, n_concepts)
        How relevant each concept is.
    kinds : tuple of str
        The kinds of features.
    fusion : {"concatenate", "average"}
        Whether the kinds go to one classifier side by side, or to one each.
    normalize : bool
        Whether the features of each kind are divided by their length.
    fill : {"frames", "repeat"}
        Whether extra frames fill up a short video.
    digests : mapping of str to str
        What the features of each kind are known to be made by; "" or missing where it is not known.
    """

    relevance: Array
    kinds: tuple[str, ...]
    fusion: Fusion
    normalize: bool
    fill: Filling
    digests: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the words."""
        check_choice("fusion", self.fusion, get_args(Fusion))
        check_choice("fill", self.fill, get_args(Filling))

    def read(self, video: DescribedVideo) -> Frames:
        """Return the frames of a video.

        Parameters
        ----------
        video : DescribedVideo
            The video.

        Returns
        -------
        Frames
            Its frames.

        Raises
        ------
        ValueError
            If it has no shots, lacks a kind of features, or its concepts are others.
        """
        if not video.n_shots:
            raise ValueError(f"{video.name!r} has no shots: give it one at least, or leave it out.")
        extra = self.fill == "frames" and all(kind in video.extra_features for kind in self.kinds)
        arrays = []
        for kind in self.kinds:
            if kind not in video.features:
                raise ValueError(
                    f"{video.name!r} has no features {kind!r}: add them to the index, or choose features among "
                    f"{sorted(video.features)}."
                )
            made_by, expected = video.feature_digests.get(kind, ""), self.digests.get(kind, "")
            if made_by and expected and made_by != expected:
                raise ValueError(
                    f"{video.name!r} has features {kind!r} of the network {made_by[:12]}, the training videos of the "
                    f"network {expected[:12]}: index all of them with the same network."
                )
            own = _floating(video.features[kind])
            rows = np.concatenate((own, video.extra_features[kind])) if extra else own
            arrays.append(_unit_rows(rows) if self.normalize else rows)
        saliency = self._saliency(video, video.concepts)
        if extra and len(video.extra_times):
            saliency = np.concatenate((saliency, self._saliency(video, video.extra_concepts)), axis=-1)
        features = tuple(arrays) if self.fusion == "average" else (np.concatenate(arrays, axis=1),)
        if any(len(rows) != saliency.shape[-1] for rows in features):
            raise ValueError(
                f"{video.name!r} has {[len(rows) for rows in features]} rows of features and concepts for "
                f"{saliency.shape[-1]} frames: give one row of each for every frame."
            )
        return Frames(features, saliency, video.n_shots)

    def _saliency(self, video: DescribedVideo, concepts: Array) -> Array:
        if concepts.shape[1] != self.relevance.shape[-1]:
            raise ValueError(
                f"{video.name!r} has {concepts.shape[1]} concepts, relevance is for {self.relevance.shape[-1]}: "
                "compute the relevance of the concepts that the index has."
            )
        return semantic_saliency(concepts, self.relevance)


def passes(videos: Iterable[DescribedVideo]) -> Iterable[DescribedVideo]:
    """Return videos that can be gone through more than once, as they are if they can."""
    return list(videos) if isinstance(videos, Iterator) else videos


def known_kinds(videos: Iterable[DescribedVideo], chosen: Sequence[str] | None) -> tuple[str, ...]:
    """Return the chosen kinds of features, or all that the first video has."""
    if isinstance(chosen, str):
        raise ValueError(f"features is {chosen!r}, expected a list of names: pass [{chosen!r}].")
    if chosen is not None:
        if not chosen or len(set(chosen)) < len(chosen):
            raise ValueError(f"features is {list(chosen)}: pass at least one name, each once.")
        return tuple(chosen)
    first = next(iter(videos), None)
    if first is None:
        raise ValueError("videos is empty: pass at least one video.")
    return tuple(first.features)


def known_digests(videos: Iterable[DescribedVideo], kinds: Sequence[str]) -> dict[str, str]:
    """Return what made the features of the first video, by kind; "" where that is not known."""
    first = next(iter(videos))
    return {kind: first.feature_digests.get(kind, "") for kind in kinds}


def _floating(rows: Array) -> Array:
    """Return features as floating-point numbers, so that neither unit length nor other videos' values are cut off."""
    array = np.asarray(rows)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _unit_rows(rows: Array) -> Array:
    """Return rows divided by their Euclidean length; rows of zeros stay."""
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    return (rows / np.where(length > 0, length, 1.0)[:, None]).astype(rows.dtype, copy=False)

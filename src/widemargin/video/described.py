"""A video in numbers: the record that an index keeps, and that learning and reports start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

__all__ = ["DescribedVideo"]

Array = npt.NDArray[Any]


def _nothing(*shape: int) -> Array:
    return np.zeros(shape)


@dataclass(frozen=True, eq=False)
class DescribedVideo:
    """What is known of one video: its shots, and of the key frame of each its features and concepts.

    Parameters
    ----------
    name : str
        What it is called in tables, mostly the base name of its file.
    features : mapping of str to array of shape (n_shots, n_features)
        Features of the key frames in the order of time, by the name of their kind.
    concepts : array of shape (n_shots, n_concepts)
        Probability of each concept in each key frame; no columns, if there are none.
    shots : array of shape (n_shots, 2)
        Start and end of each shot in seconds from the first frame.
    key_times : array of shape (n_shots,)
        Time of each key frame in seconds.
    extra_features : mapping of str to array of shape (n_extra, n_features)
        Features of frames evenly spaced over a video of few shots; empty if there are none.
    extra_concepts : array of shape (n_extra, n_concepts)
        Concepts of the same frames.
    extra_times : array of shape (n_extra,)
        Their times in seconds.
    path : str
        The file as it was given; empty if there is none.
    duration : float
        Length in seconds.
    feature_digests : mapping of str to str
        What tells the networks that made the features from others, by the name of the kind; empty if it is not known.
    status : {"ok", "partial"}
        Whether all of the file could be decoded.
    problems : tuple of str
        What could not.
    thumbnails, extra_thumbnails : tuple of bytes
        Small JPEG pictures of the key frames and of the extra frames; empty if there are none.
    """

    name: str
    features: Mapping[str, Array]
    concepts: Array
    shots: Array
    key_times: Array
    extra_features: Mapping[str, Array] = field(default_factory=dict)
    extra_concepts: Array = field(default_factory=lambda: _nothing(0, 0))
    extra_times: Array = field(default_factory=lambda: _nothing(0))
    path: str = ""
    duration: float = 0.0
    feature_digests: Mapping[str, str] = field(default_factory=dict)
    status: Literal["ok", "partial"] = "ok"
    problems: tuple[str, ...] = ()
    thumbnails: tuple[bytes, ...] = ()
    extra_thumbnails: tuple[bytes, ...] = ()

    @property
    def n_shots(self) -> int:
        """Number of shots."""
        return len(self.shots)

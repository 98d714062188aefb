"""What may be chosen when a video is cut into shots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from widemargin.validation import check_choice, check_integer, check_number

__all__ = ["KeyFrameRule", "ShotSettings"]

KeyFrameRule = Literal["centre", "random"]


@dataclass(frozen=True)
class ShotSettings:
    """How a video is cut into shots, and which pictures of it are kept.

    Parameters
    ----------
    threshold : float, default=1.0
        How large a change of colours starts a new shot, in units of the default; larger finds fewer shots. Above 0.
    min_length : float, default=0.5
        Shortest shot in seconds, at least 0. The last shot of a video may be shorter.
    key_frame : {"centre", "random"}, default="centre"
        Which frame stands for a shot: the one nearest to its centre, or one drawn at random.
    n_extra_frames : int, default=64
        A video with fewer shots than this also gives at least this many frames, evenly spaced over its length (all
        frames, if it has no more), at least 0.
    picture_side : int, default=256
        Length of the shorter side in pixels of the pictures that are kept, at least 16; smaller pictures stay as
        they are.
    seed : int, default=0
        Seed of the random key frames, at least 0.
    max_pixels : int, default=67108864
        Largest frame that is decoded, in pixels, at least 1.

    Raises
    ------
    TypeError
        If a value is of another type.
    ValueError
        If a value is outside its range.
    """

    threshold: float = 1.0
    min_length: float = 0.5
    key_frame: KeyFrameRule = "centre"
    n_extra_frames: int = 64
    picture_side: int = 256
    seed: int = 0
    max_pixels: int = 2**26

    def __post_init__(self) -> None:
        """Check the values."""
        check_number("threshold", self.threshold, above=0.0)
        check_number("min_length", self.min_length, at_least=0.0)
        check_choice("key_frame", self.key_frame, get_args(KeyFrameRule))
        check_integer("n_extra_frames", self.n_extra_frames, at_least=0)
        check_integer("picture_side", self.picture_side, at_least=16)
        check_integer("seed", self.seed, at_least=0)
        check_integer("max_pixels", self.max_pixels, at_least=1)

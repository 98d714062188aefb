"""Videos whose boundaries are known: moving pictures joined by cuts, fades and dissolves, and what is no boundary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from skimage import data

from widemargin.video import write_video

Picture = npt.NDArray[Any]
RATE = 25.0
# Shares of the ways in which a shot begins.
JOINTS = {"cut": 0.6, "dissolve": 0.2, "fade": 0.2}
CUTS_ALONE = {"cut": 1.0}
# Shares of what happens within a shot, none of which is a boundary.
EVENTS = {"none": 0.5, "flash": 0.2, "passer-by": 0.15, "flicker": 0.15}
# Movement in widths of the picture a second.
PACES = {"still": 0.0, "slow": 0.15, "fast": 1.0}
PHOTOGRAPHS = (
    "astronaut",
    "coffee",
    "chelsea",
    "rocket",
    "hubble_deep_field",
    "immunohistochemistry",
    "camera",
)


@dataclass(frozen=True)
class Boundary:
    """Where a shot begins: the first frame of the new picture, or the first to the last mixed or dark frame."""

    kind: str
    first: int
    last: int


def write_cut_video(
    path: Path, seed: int, size: tuple[int, int], n_shots: int, joints: Mapping[str, float] = JOINTS
) -> list[Boundary]:
    """Write a video of `n_shots` shots of (width, height) pixels, and return its boundaries."""
    boundaries: list[Boundary] = []
    write_video(path, _frames(np.random.default_rng(seed), size, n_shots, joints, boundaries), rate=RATE)
    return boundaries


def _frames(
    rng: np.random.Generator,
    size: tuple[int, int],
    n_shots: int,
    joints: Mapping[str, float],
    boundaries: list[Boundary],
) -> Iterator[Picture]:
    count = 0
    tail: list[Picture] = []
    for number in range(n_shots):
        shot = list(_shot(rng, size))
        kind = str(rng.choice(list(joints), p=list(joints.values()))) if number else "none"
        length = int(rng.integers(8, 25))
        if kind == "cut":
            yield from tail
            count += len(tail)
            boundaries.append(Boundary(kind, count, count))
        elif kind == "dissolve":
            yield from tail[:-length]
            count += len(tail) - length
            weights = np.linspace(0, 1, length + 2, dtype=np.float32)[1:-1]
            for weight, old, new in zip(weights, tail[-length:], shot, strict=False):
                yield (old * (1 - weight) + new * weight).astype(np.uint8)
            boundaries.append(Boundary(kind, count, count + length))
            count += length
            shot = shot[length:]
        elif kind == "fade":
            n_dark = int(rng.integers(0, 8))
            yield from tail[:-length]
            boundaries.append(Boundary(kind, count + len(tail) - length, count + len(tail) + n_dark + length))
            ramp = np.linspace(1, 0, length, dtype=np.float32)
            for weight, old in zip(ramp, tail[-length:], strict=True):
                yield (old * weight).astype(np.uint8)
            for _ in range(n_dark):
                yield np.zeros_like(shot[0])
            for weight, new in zip(ramp[::-1], shot, strict=False):
                yield (new * weight).astype(np.uint8)
            count += len(tail) + n_dark + length
            shot = shot[length:]
        tail = shot
    yield from tail


def _shot(rng: np.random.Generator, size: tuple[int, int]) -> Iterator[Picture]:
    """Yield the frames of a camera that moves over one picture."""
    width, height = size
    picture = _picture(rng, size)
    n_frames = int(rng.integers(50, 110))
    pace = PACES[str(rng.choice(list(PACES), p=[0.35, 0.4, 0.25]))] * width / RATE
    angle = rng.uniform(0, 2 * np.pi)
    place = rng.uniform(0, 1, 2) * (picture.shape[0] - height, picture.shape[1] - width)
    step = pace * np.array([np.sin(angle), np.cos(angle)])
    zoom = rng.choice([0.0, 0.0, 0.15])
    gain = rng.choice([1.0, 0.8, 0.25], p=[0.6, 0.2, 0.2])
    grain = rng.normal(0, rng.choice([0.0, 3.0, 8.0], p=[0.4, 0.4, 0.2]), (4, height, width, 1)).astype(
        np.float32
    )
    event = str(rng.choice(list(EVENTS), p=list(EVENTS.values())))
    at = int(rng.integers(15, n_frames - 15))
    colour = rng.integers(0, 256, 3)
    for number in range(n_frames):
        frame = _view(picture, place + number * step, 1 + zoom * number / n_frames, size) * np.float32(gain)
        since = number - at
        if event == "flash" and 0 <= since < 3:
            frame = frame * 0.3 + 255 * 0.7 * (0.6, 1.0, 0.5)[since]
        if event == "flicker":
            frame = frame * (1 + 0.06 * (-1) ** number)
        if event == "passer-by" and -10 <= since <= 10:
            left = int(width * (1.3 * (since + 10) / 20 - 0.3))
            frame[height // 4 :, max(0, left) : max(0, left + 3 * width // 10)] = colour
        yield np.clip(frame + grain[number % 4], 0, 255).astype(np.uint8)


def _view(picture: Picture, place: Picture, zoom: float, size: tuple[int, int]) -> Picture:
    """Cut a window out of a picture, which is repeated in a mirror beyond its edges."""
    axes = []
    for start, length, whole in zip(place, size[::-1], picture.shape, strict=False):
        points = (start + np.arange(length) / zoom).astype(int) % (2 * whole)
        axes.append(np.where(points < whole, points, 2 * whole - 1 - points))
    return picture[axes[0]][:, axes[1]].astype(np.float32)


def _picture(rng: np.random.Generator, size: tuple[int, int]) -> Picture:
    """Return a photograph or a pattern, somewhat larger than the frames."""
    width, height = (int(side * 1.4) for side in size)
    if rng.random() < 0.5:
        photograph = getattr(data, str(rng.choice(PHOTOGRAPHS)))()
        if photograph.ndim == 2:
            photograph = np.repeat(photograph[..., None], 3, axis=2)
        # Another part, or another tint, each time: a photograph may come twice.
        rows = np.linspace(*np.sort(rng.uniform(0, 1, 2) * (0.5, 0.5) + (0, 0.5)), height) * (
            photograph.shape[0] - 1
        )
        columns = np.linspace(0, photograph.shape[1] - 1, width)
        tinted = photograph[rows.astype(int)][:, columns.astype(int)] * rng.uniform(0.6, 1.1, 3)
        return np.clip(tinted, 0, 255).astype(np.uint8)
    field = np.zeros((height, width), np.float32)
    for octave in range(2, 7):
        coarse = rng.normal(size=(2**octave, 2**octave)).astype(np.float32)
        rows, columns = np.linspace(0, 2**octave - 1.01, height), np.linspace(0, 2**octave - 1.01, width)
        field += coarse[rows.astype(int)][:, columns.astype(int)] / octave**1.5
    palette = rng.uniform(0, 255, (6, 3))
    levels = np.clip((field - field.min()) / (np.ptp(field) + 1e-6) * 5, 0, 4.999)
    low = levels.astype(int)
    part = (levels - low)[..., None]
    return (palette[low] * (1 - part) + palette[low + 1] * part).astype(np.uint8)

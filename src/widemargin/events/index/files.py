"""One video of an index as a file: arrays and small pictures, never pickled, and checked when they are read back."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.atomic import atomic_write
from widemargin.datasets.files import DatasetError, array_sizes, read_npz
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.header import IndexHeader
from widemargin.video import Shot, VideoSummary

__all__ = ["StoredVideo", "read_arrays", "read_video_file", "write_arrays", "write_video_file"]

Array = npt.NDArray[Any]

_LARGEST_SUMMARY = 2**20
_LARGEST_PICTURE = 2**20
_JPEG_START = b"\xff\xd8\xff"
# Networks that count in half precision give probabilities that sum to 1 within 0.005.
_SLACK = 0.01


@dataclass(frozen=True, eq=False)
class StoredVideo:
    """What an index keeps of the content of a video.

    Parameters
    ----------
    summary : VideoSummary
        What the decoder told.
    features : tuple of array of float32 of shape (n_shots, n_features)
        Features of the key frames, an array for each network.
    concepts : array of float32 of shape (n_shots, n_concepts)
        Probabilities of the concepts in the key frames.
    extra_features : tuple of array of float32 of shape (n_extra, n_features)
        Features of the extra frames.
    extra_concepts : array of float32 of shape (n_extra, n_concepts)
        Concepts of the extra frames.
    thumbnails, extra_thumbnails : tuple of bytes
        JPEG pictures of the key frames and of the extra frames.
    """

    summary: VideoSummary
    features: tuple[Array, ...]
    concepts: Array
    extra_features: tuple[Array, ...]
    extra_concepts: Array
    thumbnails: tuple[bytes, ...]
    extra_thumbnails: tuple[bytes, ...]


def write_video_file(path: Path, video: StoredVideo, header: IndexHeader) -> None:
    """Write the file of a video, as a whole or not at all.

    Parameters
    ----------
    path : Path
        The file.
    video : StoredVideo
        What it shall hold.
    header : IndexHeader
        What the index is made with, of which the file keeps the digest.

    Raises
    ------
    WriteError
        If it cannot be written.
    """
    summary = asdict(video.summary)
    shots = summary.pop("shots")
    arrays = {
        "summary": _bytes([json.dumps({**summary, "settings": header.digest}).encode()]),
        "shots": np.array([(shot["start"], shot["end"]) for shot in shots]),
        "key_times": np.array([shot["key_time"] for shot in shots]),
        "shot_frames": np.array([shot["n_frames"] for shot in shots], dtype=np.int64),
        "concepts": video.concepts,
        "extra_concepts": video.extra_concepts,
        "thumbnails": _bytes(video.thumbnails),
        "thumbnail_sizes": _lengths(video.thumbnails),
        "extra_thumbnails": _bytes(video.extra_thumbnails),
        "extra_thumbnail_sizes": _lengths(video.extra_thumbnails),
    }
    for number, (own, extra) in enumerate(zip(video.features, video.extra_features, strict=True)):
        arrays |= {f"features_{number}": own, f"extra_features_{number}": extra}
    write_arrays(path, arrays)


def read_video_file(path: Path, header: IndexHeader, *, thumbnails: bool = True) -> StoredVideo:
    """Read the file of a video, and check that all in it fits together.

    Parameters
    ----------
    path : Path
        The file.
    header : IndexHeader
        What the index is made with.
    thumbnails : bool, default=True
        Whether the small pictures are read too; they are empty otherwise.

    Returns
    -------
    StoredVideo
        What it holds.

    Raises
    ------
    VideoIndexError
        If it is missing or damaged, or belongs to an index with other settings.
    """
    numbers = range(len(header.kinds))
    names = ["summary", "shots", "key_times", "shot_frames", "concepts", "extra_concepts"]
    names += [f"{part}features_{number}" for number in numbers for part in ("", "extra_")]
    if thumbnails:
        names += ["thumbnails", "thumbnail_sizes", "extra_thumbnails", "extra_thumbnail_sizes"]
    arrays = read_arrays(path, names)
    try:
        summary = _summary(arrays, header)
        n_shots, n_extra, n_concepts = (
            len(summary.shots),
            len(summary.extra_times),
            len(header.concept_names),
        )
        for number, width in enumerate(header.widths):
            check_rows(f"features_{number}", arrays[f"features_{number}"], (n_shots, width))
            check_rows(f"extra_features_{number}", arrays[f"extra_features_{number}"], (n_extra, width))
        for name, n_rows in (("concepts", n_shots), ("extra_concepts", n_extra)):
            check_rows(name, arrays[name], (n_rows, n_concepts))
            if np.any(arrays[name] < 0) or np.any(arrays[name] > 1 + _SLACK):
                raise ValueError(f"{name} are no probabilities")
        pictures = [
            _pictures(arrays[f"{part}thumbnails"], arrays[f"{part}thumbnail_sizes"], n_rows)
            if thumbnails
            else ()
            for part, n_rows in (("", n_shots), ("extra_", n_extra))
        ]
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise VideoIndexError(f"{path} is damaged ({error}): add its video again.") from error
    return StoredVideo(
        summary,
        tuple(arrays[f"features_{number}"] for number in numbers),
        arrays["concepts"],
        tuple(arrays[f"extra_features_{number}"] for number in numbers),
        arrays["extra_concepts"],
        *pictures,
    )


def write_arrays(path: Path, arrays: dict[str, Array]) -> None:
    """Write plain arrays as an ``.npz`` file, as a whole or not at all.

    Parameters
    ----------
    path : Path
        The file; its folder is made if missing.
    arrays : dict of str to ndarray
        The arrays.

    Raises
    ------
    WriteError
        If it cannot be written.
    """
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, content.getvalue())


def read_arrays(path: Path, names: Sequence[str] | None = None) -> dict[str, Array]:
    """Read arrays that `write_arrays` wrote, with no more memory than the file has bytes.

    Parameters
    ----------
    path : Path
        The file.
    names : sequence of str, optional
        The arrays; by default all.

    Returns
    -------
    dict of str to ndarray
        The arrays.

    Raises
    ------
    VideoIndexError
        If the file is missing or damaged.
    """
    try:
        if path.exists() and not path.is_file():
            raise DatasetError(f"{path} is no ordinary file")
        n_bytes = path.stat().st_size
        sizes = array_sizes(path)
        if sum(sizes.values()) > n_bytes:
            raise DatasetError(f"{path} claims to hold more than it does")
        return read_npz(path, list(sizes) if names is None else names)
    except OSError as error:
        raise VideoIndexError(f"{path} is missing, or cannot be read: add its video again.") from error
    except DatasetError as error:
        raise VideoIndexError(f"{str(error).rstrip('.')}: it is damaged, add its video again.") from error


def check_rows(name: str, array: Array, shape: tuple[int, int]) -> None:
    """Raise ValueError unless an array has finite numbers of float32 and a shape.

    Parameters
    ----------
    name : str
        The array, for the message.
    array : ndarray
        The array.
    shape : tuple of int
        The shape.

    Raises
    ------
    ValueError
        If it has not.
    """
    if array.dtype != np.float32 or array.shape != shape:
        raise ValueError(
            f"{name} has type {array.dtype} and shape {array.shape}, expected float32 and {shape}"
        )
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has values that are not finite")


def _summary(arrays: dict[str, Array], header: IndexHeader) -> VideoSummary:
    """Return the summary of a video, of whose parts none is believed."""
    text = arrays["summary"]
    if text.dtype != np.uint8 or text.ndim != 1 or text.size > _LARGEST_SUMMARY:
        raise ValueError("summary is no text")
    facts = json.loads(text.tobytes())
    if not isinstance(facts, dict) or facts.pop("settings", None) != header.digest:
        raise ValueError("it was made with other settings")
    shots, key_times, frames = arrays["shots"], arrays["key_times"], arrays["shot_frames"]
    if shots.dtype != np.float64 or shots.ndim != 2 or shots.shape[1] != 2 or len(shots) == 0:
        raise ValueError("shots are no pairs of times")
    if key_times.dtype != np.float64 or key_times.shape != (len(shots),):
        raise ValueError("key_times has no time for each shot")
    if frames.dtype != np.int64 or frames.shape != (len(shots),) or frames.min() < 1:
        raise ValueError("shot_frames has no number for each shot")
    _check_times("shots", shots.reshape(-1))
    _check_times("key_times", key_times)
    times = np.array(facts["extra_times"], dtype=np.float64).reshape(len(facts["extra_times"]))
    _check_times("extra_times", times)
    _check_facts(facts)
    facts |= {"problems": tuple(facts["problems"]), "extra_times": tuple(times.tolist())}
    rows = zip(shots.tolist(), key_times.tolist(), frames.tolist(), strict=True)
    return VideoSummary(
        shots=tuple(Shot(start, end, key_time, count) for (start, end), key_time, count in rows), **facts
    )


def _check_facts(facts: dict[str, Any]) -> None:
    """Raise ValueError unless what a summary says beside times is of the types that it should be."""
    if facts["status"] not in ("ok", "partial"):
        raise ValueError("its status is unknown")
    if not isinstance(facts["problems"], list) or not all(
        isinstance(text, str) for text in facts["problems"]
    ):
        raise ValueError("its problems are no list of texts")
    if not isinstance(facts["codec"], str):
        raise ValueError("its codec is no text")
    for name in ("n_frames", "width", "height", "rotation"):
        if type(facts[name]) is not int:
            raise ValueError(f"its {name} is no integer")
    for name in ("duration", "start_time"):
        if type(facts[name]) not in (int, float) or not math.isfinite(facts[name]):
            raise ValueError(f"its {name} is no time")


def _check_times(name: str, times: Array) -> None:
    if not np.isfinite(times).all() or np.any(times < 0) or np.any(np.diff(times) < 0):
        raise ValueError(f"{name} are no times in order")


def _bytes(parts: Sequence[bytes]) -> Array:
    return np.frombuffer(b"".join(parts), dtype=np.uint8)


def _lengths(parts: Sequence[bytes]) -> Array:
    return np.array([len(part) for part in parts], dtype=np.int64)


def _pictures(content: Array, sizes: Array, n_pictures: int) -> tuple[bytes, ...]:
    """Split the bytes of JPEG pictures, which browsers get to see."""
    if (
        content.dtype != np.uint8
        or content.ndim != 1
        or sizes.dtype != np.int64
        or sizes.shape != (n_pictures,)
    ):
        raise ValueError("thumbnails are no pictures")
    if np.any(sizes < 1) or np.any(sizes > _LARGEST_PICTURE) or sizes.sum() != len(content):
        raise ValueError("thumbnails have other sizes than they should")
    ends = np.cumsum(sizes)
    pictures = tuple(
        content[end - size : end].tobytes() for end, size in zip(ends.tolist(), sizes.tolist(), strict=True)
    )
    if not all(picture.startswith(_JPEG_START) for picture in pictures):
        raise ValueError("a thumbnail is no JPEG picture")
    return pictures

"""Pictures in, a video file out: for experiments and examples that make the videos on which they are tried."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from widemargin.atomic import WriteError
from widemargin.validation import check_choice, check_integer, check_number
from widemargin.video.errors import VideoError

__all__ = ["PixelFormat", "write_video"]

Frame = npt.NDArray[np.uint8]
PixelFormat = Literal["yuv420p", "yuv444p"]

_CONTAINERS = {".mp4": "mp4", ".m4v": "mp4", ".mov": "mov", ".mkv": "matroska", ".avi": "avi"}
# The first one that this build of FFmpeg has; the second is in every build.
_CODECS = ("libx264", "mpeg4")
# Twice as fast as by default, for files half as large again: these files are read once or twice.
_PRESETS = {"libx264": "superfast"}


def write_video(
    path: str | Path,
    frames: Iterable[npt.ArrayLike],
    *,
    rate: float = 25.0,
    codec: str | None = None,
    pixel_format: PixelFormat = "yuv420p",
    max_key_interval: int = 50,
) -> int:
    """Write pictures as a video file, which is there as a whole or not at all.

    One frame is held at a time, so that a generator writes a video of any length. The same frames give the same file
    with the same build of FFmpeg.

    Parameters
    ----------
    path : str or Path
        The file; its suffix chooses the container: ``.mp4``, ``.m4v``, ``.mov``, ``.mkv`` or ``.avi``. Its folder must
        exist; a file of this name is replaced.
    frames : iterable of array-like of uint8 of shape (height, width, 3)
        The pictures, RGB, all of one size; at least one.
    rate : float, default=25.0
        Frames a second, from 0.1 to 1000; rounded to a fraction with a denominator of at most 1001.
    codec : str or None, default=None
        Name of an encoder of FFmpeg; None takes H.264 if this build has it, else MPEG-4.
    pixel_format : {"yuv420p", "yuv444p"}, default="yuv420p"
        Colours at half the resolution, which needs an even width and height, or at the full one.
    max_key_interval : int, default=50
        Most frames from one picture that is coded on its own to the next, at least 1.

    Returns
    -------
    int
        Number of frames written.

    Raises
    ------
    ImportError
        If PyAV is missing.
    VideoError
        If there is no encoder of this name, or it takes no pictures of this size or format.
    TypeError
        If a parameter has the wrong type.
    ValueError
        If a parameter is outside its range, there is no frame, or a frame has another type or size than the first.
    WriteError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.video import write_video
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "dusk.mp4"
    ...     n_frames = write_video(path, (np.full((48, 64, 3), 250 - 10 * i) for i in range(20)), rate=10)
    ...     n_frames, path.stat().st_size > 0
    (20, True)
    """
    path = Path(path)
    container = _container(path)
    rate = check_number("rate", rate, at_least=0.1, at_most=1000)
    check_choice("pixel_format", pixel_format, get_args(PixelFormat))
    check_integer("max_key_interval", max_key_interval, at_least=1)
    pictures = _checked(frames)
    first = next(pictures, None)
    if first is None:
        raise ValueError("frames has no frame: pass at least one.")
    if pixel_format == "yuv420p" and (first.shape[0] % 2 or first.shape[1] % 2):
        raise ValueError(
            f"frames are {first.shape[1]} x {first.shape[0]} pixels, and pixel_format 'yuv420p' needs even numbers: "
            "crop the frames, or pass pixel_format='yuv444p'."
        )
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{os.getpid()}-{threading.get_ident()}.tmp")
    options = {"g": str(max_key_interval), "threads": "1"}
    if container == "avi":
        # AVI stores no times, so that frames must be coded in the order in which they are shown.
        options["bf"] = "0"
    try:
        count = _encode(
            temporary,
            chain([first], pictures),
            first.shape[:2],
            container,
            codec or _default_codec(),
            Fraction(rate).limit_denominator(1001),
            pixel_format,
            options,
        )
        os.replace(temporary, target)
    except OSError as error:
        raise WriteError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def _container(path: Path) -> str:
    """Return FFmpeg's name of the container that a suffix stands for."""
    container = _CONTAINERS.get(path.suffix.lower())
    if container is None:
        raise ValueError(
            f"path ends in {path.suffix!r}: give the file one of the suffixes {', '.join(_CONTAINERS)}."
        )
    return container


def _checked(frames: Iterable[npt.ArrayLike]) -> Iterator[Frame]:
    """Yield frames as arrays of bytes, all of the size of the first."""
    size: tuple[int, ...] | None = None
    for number, frame in enumerate(frames):
        picture = np.asarray(frame)
        if picture.ndim != 3 or picture.shape[2] != 3 or 0 in picture.shape:
            raise ValueError(
                f"frames[{number}] has shape {picture.shape}, expected (height, width, 3): pass RGB pictures."
            )
        if picture.dtype != np.uint8:
            if picture.dtype.kind not in "iu" or picture.min() < 0 or picture.max() > 255:
                raise ValueError(
                    f"frames[{number}] has type {picture.dtype}, or values outside 0 to 255: pass pictures of uint8."
                )
            picture = picture.astype(np.uint8)
        size = size or picture.shape
        if picture.shape != size:
            raise ValueError(
                f"frames[{number}] has shape {picture.shape}, frames[0] has {size}: resize them to one size."
            )
        yield np.ascontiguousarray(picture)


def _encode(
    path: Path,
    frames: Iterable[Frame],
    size: tuple[int, ...],
    container: str,
    encoder: str,
    rate: Fraction,
    pixel_format: str,
    options: dict[str, str],
) -> int:
    """Write the frames and return how many they were."""
    av = _av()
    if encoder in _PRESETS:
        options = options | {"preset": _PRESETS[encoder]}
    count = 0
    try:
        # Through a file of Python's own, so that a full disc or a missing folder is an OSError and nothing else is.
        with path.open("wb") as raw, av.open(raw, "w", format=container) as file:
            stream = _stream(av, file, encoder, rate, options)
            stream.height, stream.width = size
            stream.pix_fmt = pixel_format
            for picture in frames:
                file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
                count += 1
            file.mux(stream.encode(None))
    except av.error.FFmpegError as error:
        raise VideoError(
            f"FFmpeg's encoder {encoder!r} cannot write frames of {size[1]} x {size[0]} pixels as {pixel_format} into "
            f"{container} ({error.strerror}): choose another codec, size, pixel_format or suffix."
        ) from error
    return count


def _default_codec() -> str:
    """Return the first of our encoders that this build of FFmpeg has."""
    available = _av().codecs_available
    return next(name for name in _CODECS if name in available)


def _stream(av: Any, file: Any, encoder: str, rate: Fraction, options: dict[str, str]) -> Any:
    """Return a new stream of pictures."""
    reason: ValueError | None = None
    try:
        if av.Codec(encoder, "w").type == "video":
            return file.add_stream(encoder, rate=rate, options=options)
    except ValueError as error:
        reason = error
    raise VideoError(
        f"codec {encoder!r} is no encoder of pictures in this build of FFmpeg, or none for this suffix: leave codec "
        "None, or choose another."
    ) from reason


def _av() -> Any:
    """Import PyAV, which comes with an extra."""
    try:
        import av
    except ImportError as error:
        raise ImportError(
            "Videos are written with PyAV, which is not installed: install it with pip install 'widemargin[video]'."
        ) from error
    return av

"""How the decoder process tells its parent what it finds: a line of JSON, then the bytes of a picture, nothing pickled.

The decoder may have been taken over by the file that it reads. So what comes from it is checked as if it came from a
stranger: sizes against limits before anything is read, numbers for being finite, text for being printable and short.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from widemargin.video.findings import End, Finding, FirstFrame, Progress, ProtocolError, ShotFound
from widemargin.video.summary import KeyFrame, Shot

__all__ = ["Failure", "Ready", "receive", "send"]

_LARGEST_HEADER = 2**16
_LARGEST_PROBLEMS = 20
_LARGEST_TEXT = 400
_LARGEST_INTEGER = 2**53

Fields = dict[str, Any]


@dataclass(frozen=True)
class Ready:
    """The decoder process has started."""


@dataclass(frozen=True)
class Failure:
    """The pass cannot go on, for the reason that the text gives; and whether the process should be started anew."""

    reason: str
    restart: bool


Message = Finding | Ready | Failure


def send(stream: IO[bytes], message: Message) -> None:
    """Write a message.

    Parameters
    ----------
    stream : binary file
        Where to.
    message : Ready, Failure, FirstFrame, Progress, ShotFound, KeyFrame or End
        What is told.
    """
    fields, picture = _packed(message)
    fields["kind"] = type(message).__name__
    if picture is not None:
        fields["picture"] = picture.shape[:2]
    stream.write(json.dumps(fields).encode("ascii") + b"\n")
    if picture is not None:
        stream.write(picture.tobytes())
    stream.flush()


def receive(stream: IO[bytes], max_pixels: int) -> Message | None:
    """Read and check a message.

    Parameters
    ----------
    stream : binary file
        Where from.
    max_pixels : int
        Largest picture in pixels that is accepted.

    Returns
    -------
    Ready, Failure, FirstFrame, Progress, ShotFound, KeyFrame, End or None
        What was told; None, if the other side has closed the stream.

    Raises
    ------
    ProtocolError
        If it is no whole message within the limits.
    """
    line = stream.readline(_LARGEST_HEADER)
    if not line:
        return None
    try:
        fields = json.loads(line)
        picture = _read_picture(stream, fields["picture"], max_pixels) if "picture" in fields else None
        return _unpacked(fields, picture)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ProtocolError(f"no message: {type(error).__name__}") from error


def _packed(message: Message) -> tuple[Fields, npt.NDArray[np.uint8] | None]:
    """Split a message into plain values and a picture."""
    if isinstance(message, KeyFrame):
        return {"time": message.time}, message.pixels
    if isinstance(message, ShotFound):
        shot = message.shot
        values = {"start": shot.start, "end": shot.end, "key_time": shot.key_time, "n_frames": shot.n_frames}
        return values, message.picture
    fields = dict(vars(message))
    return fields, fields.pop("picture", None)


def _unpacked(fields: Fields, picture: npt.NDArray[np.uint8] | None) -> Message:
    """Check plain values and put a message together."""
    kind = fields["kind"]
    if kind == "Ready":
        return Ready()
    if kind == "Failure":
        return Failure(_text(fields["reason"]), bool(fields["restart"]))
    if kind == "Progress":
        duration = fields["duration"]
        return Progress(
            _seconds(fields["done"]),
            _count(fields["n_frames"]),
            None if duration is None else _seconds(duration),
        )
    if kind == "End":
        return End(
            bool(fields["complete"]),
            tuple(_text(problem) for problem in fields["problems"][:_LARGEST_PROBLEMS]),
            _seconds(fields["duration"]),
            _count(fields["n_frames"]),
        )
    if picture is None:
        raise ValueError("the picture is missing")
    if kind == "FirstFrame":
        return FirstFrame(
            picture,
            _count(fields["width"]),
            _count(fields["height"]),
            (0, 90, 180, 270)[_count(fields["rotation"], at_least=0) // 90],
            _number(fields["start_time"]),
            _text(fields["codec"]),
        )
    if kind == "ShotFound":
        start, key_time, end = (_seconds(fields[name]) for name in ("start", "key_time", "end"))
        if not start <= key_time <= end:
            raise ValueError("the times are out of order")
        return ShotFound(Shot(start, end, key_time, _count(fields["n_frames"])), picture)
    if kind == "KeyFrame":
        return KeyFrame(None, _seconds(fields["time"]), picture)
    raise ValueError("the kind is unknown")


def _read_picture(stream: IO[bytes], shape: Any, max_pixels: int) -> npt.NDArray[np.uint8]:
    """Read the bytes of a picture."""
    height, width = (_count(length) for length in shape)
    if height * width > max_pixels:
        raise ValueError("the picture is too large")
    data = stream.read(3 * height * width)
    return np.frombuffer(data, np.uint8).reshape(height, width, 3)


def _number(value: Any) -> float:
    """Check a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("a number is expected")
    return float(value)


def _seconds(value: Any) -> float:
    """Check a time that is not negative."""
    if (seconds := _number(value)) < 0.0:
        raise ValueError("a time is negative")
    return seconds


def _count(value: Any, at_least: int = 1) -> int:
    """Check a whole number."""
    if isinstance(value, bool) or not isinstance(value, int) or not at_least <= value <= _LARGEST_INTEGER:
        raise ValueError("a whole number is expected")
    return value


def _text(value: Any) -> str:
    """Check a text and make it safe to print."""
    if not isinstance(value, str):
        raise TypeError("a text is expected")
    return "".join(character if character.isprintable() else " " for character in value[:_LARGEST_TEXT])

"""The shots of a video in the formats that spreadsheets, editing programs and players read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal, get_args

from widemargin.validation import check_choice, check_number
from widemargin.video.summary import Shot

__all__ = ["ShotFormat", "format_shots"]

ShotFormat = Literal["csv", "json", "edl", "vtt"]

_MOST_TITLE = 70
_MOST_EVENTS = 999


def format_shots(shots: Sequence[Shot], format: ShotFormat, *, title: str = "", rate: float = 25.0) -> str:
    """Write the shots of a video as a table, as data, as an edit decision list or as chapters.

    - ``"csv"``: one line a shot: its number from 1, start, end and key frame in seconds with three decimals;
    - ``"json"``: an object with the title and a list of the same, with all decimals and the number of frames;
    - ``"edl"``: CMX 3600, one cut an event, timecodes of hours, minutes, seconds and frames, not drop-frame: a second
      has round(`rate`) frames, so that timecodes and time drift apart at 29.97 frames a second as editors expect;
    - ``"vtt"``: WebVTT chapters, one a shot.

    Parameters
    ----------
    shots : sequence of Shot
        The shots in the order of time.
    format : {"csv", "json", "edl", "vtt"}
        The format.
    title : str, default=""
        What the video is called, for the formats with a title. Line breaks become spaces; an edit decision list has
        the first 70 characters, those outside ASCII as question marks.
    rate : float, default=25.0
        Frames a second, from 1 to 240; used by ``"edl"`` alone.

    Returns
    -------
    str
        The text, which ends with a line break.

    Raises
    ------
    ValueError
        If the format is not one of these, the rate is outside its range, or an edit decision list cannot hold the
        shots: it numbers 999 events and ends before 100 hours.

    Examples
    --------
    >>> from widemargin.video import Shot
    >>> from widemargin.video.exports import format_shots
    >>> shots = [Shot(0.0, 2.48, 1.24, 62), Shot(2.48, 6.0, 4.24, 88)]
    >>> print(format_shots(shots, "csv"), end="")
    shot,start,end,key_time
    1,0.000,2.480,1.240
    2,2.480,6.000,4.240
    >>> print(format_shots(shots, "edl", title="dusk").splitlines()[3])
    001  AX       V     C        00:00:00:00 00:00:02:12 00:00:00:00 00:00:02:12
    """
    check_choice("format", format, get_args(ShotFormat))
    rate = check_number("rate", rate, at_least=1.0, at_most=240.0)
    title = " ".join(title.split())
    if format == "csv":
        return _csv(shots)
    if format == "json":
        return _json(shots, title)
    if format == "edl":
        return _edl(shots, title, rate)
    return _vtt(shots, title)


def _csv(shots: Sequence[Shot]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["shot", "start", "end", "key_time"])
    for number, shot in enumerate(shots, 1):
        writer.writerow([number, *(f"{time:.3f}" for time in (shot.start, shot.end, shot.key_time))])
    return text.getvalue()


def _json(shots: Sequence[Shot], title: str) -> str:
    records = [{"shot": number} | asdict(shot) for number, shot in enumerate(shots, 1)]
    return (
        json.dumps({"title": title, "shots": records}, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    )


def _edl(shots: Sequence[Shot], title: str, rate: float) -> str:
    if len(shots) > _MOST_EVENTS:
        raise ValueError(
            f"shots has {len(shots)} shots, and an edit decision list numbers at most {_MOST_EVENTS} events: raise the "
            "threshold or min_length, or choose format 'csv'."
        )
    # A title beside ASCII, or one that looks like the next line, is read wrongly.
    name = title.encode("ascii", "replace").decode("ascii")[:_MOST_TITLE]
    lines = [f"TITLE: {name}", "FCM: NON-DROP FRAME", ""]
    for number, shot in enumerate(shots, 1):
        start, end = (_timecode(time, round(rate), rate) for time in (shot.start, shot.end))
        lines.append(f"{number:03d}  AX       V     C        {start} {end} {start} {end}")
    return "\n".join(lines) + "\n"


def _timecode(time: float, frames: int, rate: float) -> str:
    """Return the frame at a time as hours, minutes, seconds and frames, a second of `frames` frames."""
    seconds, frame = divmod(_rounded(time * rate), frames)
    if seconds >= 360_000:
        raise ValueError(
            f"shots reach {time:.0f} seconds, and a timecode ends before 100 hours: choose format 'csv' or 'vtt'."
        )
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}:{frame:02d}"


def _vtt(shots: Sequence[Shot], title: str) -> str:
    # "-->" would be taken for times, wherever it stands; once ">" is written as an entity it cannot occur.
    heading = f"WEBVTT {_escaped(title)}".rstrip()
    cues = [
        f"{number}\n{_clock(shot.start)} --> {_clock(shot.end)}\nShot {number}\n"
        for number, shot in enumerate(shots, start=1)
    ]
    return "\n".join([heading + "\n", *cues])


def _clock(time: float) -> str:
    """Return a time as hours, minutes, seconds and milliseconds; hours have as many digits as they need."""
    seconds, milliseconds = divmod(_rounded(time * 1000), 1000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{milliseconds:03d}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _rounded(number: float) -> int:
    """Round halves up: the frame or millisecond does not depend on whether its number is even."""
    return int(Decimal(repr(number)).to_integral_value(ROUND_HALF_UP))

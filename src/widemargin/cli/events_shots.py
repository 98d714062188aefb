"""``widemargin events shots``: the shots of a video for spreadsheets, editing programs and players."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from widemargin.atomic import atomic_write
from widemargin.cli.errors import UsageError
from widemargin.cli.event_inputs import check_new_file, open_videos
from widemargin.cli.event_output import note
from widemargin.video import ShotSettings, VideoError, VideoReader, VideoSummary
from widemargin.video.exports import ShotFormat, format_shots

__all__ = ["FORMATS", "run"]

FORMATS: tuple[ShotFormat, ...] = ("csv", "json", "edl", "vtt")


def run(
    video: str,
    folder: Path | None,
    format: str,
    out: Path | None,
    rate: float,
    settings: ShotSettings,
    timeout: float,
) -> int:
    """Print or write the shots of a video.

    Parameters
    ----------
    video : str
        Name of a video of the index, or a file.
    folder : Path or None
        The index; None decodes the file.
    format : str
        One of `FORMATS`.
    out : Path or None
        File for the shots; None prints them.
    rate : float
        Frames a second of an edit decision list.
    settings : ShotSettings
        How shots are found, without an index.
    timeout : float
        Seconds without a sign of life of the decoder.

    Returns
    -------
    int
        Exit code: 0, also if a part of the video could not be decoded, which stderr then says.

    Raises
    ------
    UsageError, VideoIndexError, VideoError
        With what is wrong.
    """
    wanted = next((name for name in FORMATS if name == format), None)
    if wanted is None:
        raise UsageError(f"--format is {format!r}, but must be one of {', '.join(FORMATS)}.")
    if out is not None:
        check_new_file("--out", out, f".{wanted}", [video])
    path, summary = _decoded(video, settings, timeout) if folder is None else _indexed(video, folder)
    try:
        text = format_shots(summary.shots, wanted, title=os.path.basename(path), rate=rate)
    except ValueError as error:
        raise UsageError(str(error)) from error
    for problem in summary.problems:
        note(f"Note: {problem}")
    if out is None:
        typer.echo(text, nl=False)
    else:
        atomic_write(out, text)
    return 0


def _decoded(video: str, settings: ShotSettings, timeout: float) -> tuple[str, VideoSummary]:
    with VideoReader(timeout) as reader:
        try:
            return video, reader.read(video, settings)
        except VideoError as error:
            raise UsageError(f"{video!r}: {error}") from error


def _indexed(video: str, folder: Path) -> tuple[str, VideoSummary]:
    videos = open_videos(folder, concepts=False)
    (path,) = videos.find([video], "the command line")
    return path, videos.index.summary(path)

"""One pass over a video file: decode, find the shots, choose the pictures that are kept. In bounded memory."""

from __future__ import annotations

import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import av

from widemargin.video.boundaries import BoundaryDetector
from widemargin.video.clock import FrameClock
from widemargin.video.errors import VideoError
from widemargin.video.findings import End, Finding, Findings, FirstFrame, Progress, ShotFound
from widemargin.video.histograms import frame_histogram
from widemargin.video.key_frames import EvenFrames, ShotFrames
from widemargin.video.opening import check_frame_size, open_video
from widemargin.video.pictures import PictureMaker, buffer_size
from widemargin.video.settings import ShotSettings
from widemargin.video.summary import KeyFrame, Shot, VideoSummary

__all__ = ["decode_video", "video_findings"]

_PROGRESS_INTERVAL = 0.2
# A file whose claimed length exceeds what was decoded by more than both is taken for cut off. Containers round, and
# count the sound and the length of the last frame differently.
_MISSING_SECONDS = 0.5
_MISSING_SHARE = 0.02
_LARGEST_RUN_OF_READ_ERRORS = 10


def decode_video(
    path: str | os.PathLike[str],
    settings: ShotSettings,
    on_key_frame: Callable[[KeyFrame], None],
    on_progress: Callable[[float, float | None], None] | None = None,
    *,
    n_threads: int = 1,
) -> VideoSummary:
    """Cut a video into shots in this process.

    A damaged file may crash or hang the decoder, and this process with it: `VideoReader` does the same in another one.

    Parameters
    ----------
    path : str or path-like
        The file; never interpreted as an address.
    settings : ShotSettings
        How shots are found and which pictures are kept.
    on_key_frame : callable
        Called with a `KeyFrame` at the end of each shot; in the end with the extra frames of a video of few shots.
    on_progress : callable, optional
        Called about five times a second with the seconds decoded, and the length in seconds that the file claims, or
        None.
    n_threads : int, default=1
        Threads of the decoder, at least 1.

    Returns
    -------
    VideoSummary
        The shots, and what could not be decoded.

    Raises
    ------
    VideoError
        If the file holds no picture that can be decoded. The message does not name the file.
    """
    findings = Findings(on_key_frame, on_progress)
    summary: VideoSummary | None = None
    for finding in video_findings(os.path.abspath(path), settings, n_threads=n_threads):
        summary = findings.add(finding)
    return cast(VideoSummary, summary)


def video_findings(path: str, settings: ShotSettings, *, n_threads: int = 1) -> Iterator[Finding]:
    """Tell what is found in a video while it is decoded.

    Parameters
    ----------
    path : str
        The file.
    settings : ShotSettings
        How shots are found and which pictures are kept.
    n_threads : int, default=1
        Threads of the decoder.

    Yields
    ------
    FirstFrame, Progress, ShotFound, KeyFrame or End
        The first frame before all, `ShotFound` at the end of each shot, then a `KeyFrame` for each extra frame, `End`
        last; `Progress` about five times a second between them.

    Raises
    ------
    VideoError
        If no picture can be decoded.
    """
    with open_video(path, max_pixels=settings.max_pixels, n_threads=n_threads) as (container, stream):
        yield from _Pass(container, stream, settings).findings()


class _Pass:
    """The state of one pass over an open stream."""

    def __init__(self, container: Any, stream: Any, settings: ShotSettings) -> None:
        self._stream = stream
        self._settings = settings
        self._packets = _Packets(container, stream)
        self._claimed = _claimed_duration(container, stream)
        self._clock = FrameClock(stream.time_base, (stream.guessed_rate, stream.average_rate))
        self._maker = PictureMaker(settings.picture_side)
        self._detector = BoundaryDetector(settings.threshold, settings.min_length)
        self._frames = ShotFrames(settings.key_frame, settings.seed, self._detector.lag)
        self._even = EvenFrames(settings.n_extra_frames)
        self._n_shots = 0
        self._n_frames = 0
        self._n_damaged = 0
        self._n_too_large = 0

    def findings(self) -> Iterator[Finding]:
        """Tell what is found."""
        told = time.monotonic()
        for frame in self._packets.frames():
            if frame.width * frame.height > self._settings.max_pixels:
                self._n_too_large += 1
                continue
            rotation = _rotation(frame)
            now = self._clock.tick(frame)
            if not self._n_frames:
                yield self._first_frame(frame, rotation)
            yield from self._take(frame, rotation, now)
            if time.monotonic() - told > _PROGRESS_INTERVAL:
                told = time.monotonic()
                yield Progress(self._clock.end, self._n_frames, self._claimed)
        if not self._n_frames:
            raise self._no_frame()
        for number in self._detector.finish():
            yield self._close(number, self._frames.time_of(number))
        yield self._close(self._n_frames, self._clock.end)
        for moment, picture in self._even.finish():
            yield KeyFrame(None, moment, picture)
        missing = self._missing()
        problems = missing + self._remarks()
        yield End(not missing, tuple(problems), self._clock.end, self._n_frames)

    def _take(self, frame: Any, rotation: int, now: float) -> Iterator[ShotFound]:
        """Take the next frame, and tell which shots are known to be over."""
        number = self._n_frames
        self._n_frames += 1
        self._n_damaged += bool(frame.is_corrupt)
        size = buffer_size(frame)
        self._frames.push(number, now, (frame, rotation), size)
        self._even.push(number, now, partial(self._maker.picture, frame, rotation), size)
        for boundary in self._detector.push(frame_histogram(frame), now):
            yield self._close(boundary, self._frames.time_of(boundary))

    def _close(self, end_number: int, end: float) -> ShotFound:
        """End the current shot before a frame."""
        held, start, n_frames = self._frames.close(end_number, end)
        shot = Shot(start, end, min(max(held.time, start), end), n_frames)
        self._n_shots += 1
        if self._n_shots >= self._settings.n_extra_frames:
            self._even.drop()
        return ShotFound(shot, self._maker.picture(*held.frame))

    def _first_frame(self, frame: Any, rotation: int) -> FirstFrame:
        """Note what the first frame tells."""
        size = (frame.height, frame.width) if rotation % 180 else (frame.width, frame.height)
        return FirstFrame(
            picture=self._maker.picture(frame, rotation),
            width=size[0],
            height=size[1],
            rotation=rotation,
            start_time=self._clock.start_time,
            codec=self._stream.codec_context.name,
        )

    def _no_frame(self) -> VideoError:
        """Say why there is no frame."""
        context = self._stream.codec_context
        try:
            check_frame_size(context.width, context.height, self._settings.max_pixels)
        except VideoError as error:
            return error
        reasons = " ".join(self._packets.problems()) or "The file ends before its first frame."
        return VideoError(f"None of its frames can be decoded. {reasons}")

    def _missing(self) -> list[str]:
        """Say which pictures are missing or damaged."""
        problems = self._packets.problems()
        if self._n_damaged:
            problems.append(f"{self._n_damaged} of {self._n_frames} frames came out damaged.")
        if self._n_too_large:
            problems.append(
                f"{_counted(self._n_too_large, 'frame')} of more than max_pixels = {self._settings.max_pixels} pixels "
                "left out."
            )
        if self._claimed is not None:
            missing = self._claimed - max(self._clock.furthest, self._packets.others_end)
            if missing > max(_MISSING_SECONDS, _MISSING_SHARE * self._clock.end):
                problems.append(
                    f"The file ends after {self._clock.end:.1f} s, at least {missing:.1f} s before the end that it "
                    "claims."
                )
        return problems

    def _remarks(self) -> list[str]:
        """Say what is odd although no picture is missing."""
        if not self._clock.n_jumps:
            return []
        return [
            f"The file sets its clock anew at {_counted(self._clock.n_jumps, 'place')}; times are counted on from the "
            "frame before."
        ]


class _Packets:
    """The frames of a stream, as many as can be decoded, and a count of what cannot."""

    def __init__(self, container: Any, stream: Any) -> None:
        self._container = container
        self._stream = stream
        self._n_packets = 0
        self._read_errors: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()
        self.others_end = 0.0
        """Seconds that sound and other streams reach; some formats know only the length of the longest stream."""

    def frames(self) -> Iterator[Any]:
        """Yield the frames that can be decoded."""
        for packet in self._packets():
            self._n_packets += packet is not None
            yield from self._decoded(packet)

    def problems(self) -> list[str]:
        """Say what could not be read or decoded, one sentence each."""
        problems = []
        for reason, count in self._errors.most_common(1):
            total = self._errors.total()
            most = "" if count == total else "mostly "
            problems.append(f"{total} of {self._n_packets} packets could not be decoded ({most}{reason}).")
        for reason, _ in self._read_errors.most_common(1):
            places = _counted(self._read_errors.total(), "place")
            problems.append(f"The file could not be read at {places} ({reason}).")
        return problems

    def _packets(self) -> Iterator[Any]:
        """Yield the packets of the file, past places that cannot be read; None at the end."""
        run = 0
        while run < _LARGEST_RUN_OF_READ_ERRORS:
            try:
                for packet in self._container.demux():
                    # PyAV ends with an empty packet, but not after an error.
                    if not packet.size:
                        continue
                    run = 0
                    if packet.stream_index == self._stream.index:
                        yield packet
                    elif packet.pts is not None and packet.time_base:
                        end = float((packet.pts + (packet.duration or 0)) * packet.time_base)
                        self.others_end = max(self.others_end, end)
            except IndexError:
                # PyAV stumbles over a stream that begins in mid-file, and knows it when asked again.
                run += 1
            except (av.error.FFmpegError, ValueError, OverflowError) as error:
                run += 1
                if run == 1:
                    self._read_errors[_reason(error)] += 1
            else:
                break
        yield None

    def _decoded(self, packet: Any) -> list[Any]:
        """Decode a packet; None for what the decoder still holds."""
        try:
            return self._stream.decode(packet)
        except av.error.EOFError:
            return []
        except (av.error.FFmpegError, MemoryError, ValueError, OverflowError) as error:
            self._errors[_reason(error)] += 1
            return []


def _counted(number: int, thing: str) -> str:
    """Return a number of things in words."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _reason(error: Exception) -> str:
    """Return what FFmpeg calls an error, without the number."""
    return str(getattr(error, "strerror", None) or error or type(error).__name__)


def _rotation(frame: Any) -> int:
    """Return the quarter turns, counter-clockwise in degrees, that bring a frame upright."""
    return round(frame.rotation / 90) % 4 * 90


def _claimed_duration(container: Any, stream: Any) -> float | None:
    """Return how long a file says that its pictures last."""
    if stream.duration is not None and stream.time_base:
        claimed = float(stream.duration * stream.time_base)
    elif container.duration is not None and len(container.streams) == 1:
        claimed = container.duration / av.time_base
    else:
        claimed = _tagged_duration(stream.metadata.get("DURATION", ""))
    return claimed if 0 < claimed < math.inf else None


def _tagged_duration(text: str) -> float:
    """Read the length of one stream that Matroska files note as hours:minutes:seconds; 0 if it is something else."""
    try:
        hours, minutes, seconds = (float(part) for part in text.split(":"))
    except ValueError:
        return 0.0
    return 3600 * hours + 60 * minutes + seconds

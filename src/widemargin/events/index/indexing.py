"""One video into an index: read its pictures, describe them, and write what is known into its file."""

from __future__ import annotations

import os
import stat
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.files import StoredVideo, read_video_file, write_video_file
from widemargin.events.index.header import IndexHeader
from widemargin.events.index.pictures import PictureDescriber
from widemargin.events.index.records import (
    PathRecord,
    read_record,
    record_file,
    write_record,
)
from widemargin.events.index.upkeep import content_lock, video_file
from widemargin.networks import ImageNetwork, NetworkError
from widemargin.video import VideoError, VideoReader

__all__ = ["IndexResult", "IndexingTask", "close_tools", "index_video"]

Progress = Callable[[float, float | None], None]


@dataclass(frozen=True)
class IndexResult:
    """How it went with one video.

    Parameters
    ----------
    path : str
        The file as it was given.
    status : {"ok", "partial", "failed"}
        Whether all, some or nothing of it is in the index.
    reason : str
        What is missing and why, and what else there is to say of the file; mostly empty.
    n_shots : int
        Number of shots; 0 if it failed.
    duration : float
        Length in seconds; 0 if it failed.
    cached : bool
        Whether it was in the index before, so that nothing was decoded.
    seconds : float
        Time that it took.
    """

    path: str
    status: Literal["ok", "partial", "failed"]
    reason: str
    n_shots: int
    duration: float
    cached: bool
    seconds: float


@dataclass(frozen=True)
class IndexingTask:
    """What a process must know to index a video.

    Parameters
    ----------
    folder : Path
        The index.
    header : IndexHeader
        What it is made with.
    path : str
        The video, as it was given.
    absolute : str
        The same from the root on, for processes with another current folder.
    timeout : float
        Seconds without a sign of life from the decoder after which it is ended.
    n_threads : int
        Threads of the networks.
    """

    folder: Path
    header: IndexHeader
    path: str
    absolute: str
    timeout: float
    n_threads: int


class _Tools:
    """The decoder and the networks of one thread, started when they are needed first."""

    def __init__(self, header: IndexHeader, timeout: float, n_threads: int) -> None:
        self.made_with = (header, timeout, n_threads)
        self._header = header
        self._n_threads = n_threads
        self._networks: tuple[ImageNetwork, ...] | None = None
        self.reader = VideoReader(timeout)
        # Threads of a cluster end without a word.
        self.close = weakref.finalize(self, self.reader.close)

    @property
    def networks(self) -> Sequence[ImageNetwork]:
        """The networks of the index, checked to be those that it was made with."""
        if self._networks is None:
            specs = self._header.settings.networks
            networks = tuple(spec.load(self._n_threads) for spec in specs)
            for spec, network in zip(specs, networks, strict=True):
                if network.digest != spec.digest:
                    raise VideoIndexError(
                        f"The network {spec.name} ({spec.path or 'the default one'}) has changed since the index was "
                        "made: put back what it was, or make an index in another folder."
                    )
            self._networks = networks
        return self._networks


_of_thread = threading.local()


def _tools(task: IndexingTask) -> _Tools:
    """Return the tools of this thread, which are kept from one video to the next."""
    tools: _Tools | None = getattr(_of_thread, "tools", None)
    if tools is None or tools.made_with != (task.header, task.timeout, task.n_threads):
        close_tools()
        tools = _of_thread.tools = _Tools(task.header, task.timeout, task.n_threads)
    return tools


def close_tools() -> None:
    """End the decoder of this thread, and forget the networks."""
    tools: _Tools | None = getattr(_of_thread, "tools", None)
    if tools is not None:
        tools.close()
    _of_thread.tools = None


def index_video(task: IndexingTask, on_progress: Progress | None = None) -> IndexResult:
    """Bring one video into an index, unless its content is there already.

    Parameters
    ----------
    task : IndexingTask
        The video and the index.
    on_progress : callable, optional
        Called with the seconds decoded, and the length in seconds that the file claims, or None.

    Returns
    -------
    IndexResult
        How it went. A video that cannot be read is a result and no error.

    Raises
    ------
    VideoIndexError
        If a network has changed since the index was made.
    WriteError
        If the index cannot be written.
    """
    started = time.perf_counter()
    known = _known(task)
    stored, cached = None, False
    try:
        _check_ordinary(task.absolute)
        record = replace(PathRecord.of_file(task.absolute, known), path=task.path)
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        _note_unreadable(task, known, reason)
        return IndexResult(task.path, "failed", reason, 0, 0.0, False, time.perf_counter() - started)
    with content_lock(task.folder, record.digest):
        try:
            stored, cached = _stored(task, record), True
        except VideoIndexError:
            cached = False
            tools = _tools(task)
            networks = tools.networks
            try:
                stored = _describe(task, record, tools.reader, networks, on_progress)
                write_video_file(video_file(task.folder, record.digest), stored, task.header)
            except (VideoError, NetworkError) as error:
                record = replace(record, reason=str(error))
        if stored is not None:
            record = replace(record, status=stored.summary.status, reason=" ".join(stored.summary.problems))
        if record != known:
            write_record(task.folder, record)
    return IndexResult(
        task.path,
        record.status,
        record.reason,
        0 if stored is None else len(stored.summary.shots),
        0.0 if stored is None else stored.summary.duration,
        cached,
        time.perf_counter() - started,
    )


def _known(task: IndexingTask) -> PathRecord | None:
    """Return the record of a path; a damaged one is as good as none."""
    try:
        return read_record(task.folder, task.absolute)
    except VideoIndexError:
        return None


def _stored(task: IndexingTask, record: PathRecord) -> StoredVideo:
    """Return what the index has of a content."""
    return read_video_file(video_file(task.folder, record.digest), task.header)


def _check_ordinary(path: str) -> None:
    """Raise an error if a path leads to no content that ends."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise VideoError("It is a folder.")
    if not stat.S_ISREG(mode):
        raise VideoError("It is no ordinary file.")


def _note_unreadable(task: IndexingTask, known: PathRecord | None, reason: str) -> None:
    """Note why a file cannot be opened, unless it is known what was in it when it could."""
    if known is not None and known.status != "failed":
        return
    if not os.path.lexists(task.absolute):
        record_file(task.folder, task.absolute).unlink(missing_ok=True)
        return
    write_record(task.folder, PathRecord(task.path, task.absolute, 0, 0, "", "failed", reason))


def _describe(
    task: IndexingTask,
    record: PathRecord,
    reader: VideoReader,
    networks: Sequence[ImageNetwork],
    on_progress: Progress | None,
) -> StoredVideo:
    """Decode a video, and describe its pictures meanwhile."""
    with PictureDescriber(networks) as describer:
        summary = reader.read(record.absolute, task.header.settings.shots, describer.add, on_progress)
        stored = describer.finish(summary)
    if not record.still_holds():
        raise VideoError("The file changed while it was read: add it again when it is complete.")
    return stored

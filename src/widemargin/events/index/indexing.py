"""Videos into an index: read their pictures, describe them, and write what is known into a file of each.

The decoder, the networks and the disk work at the same time: while a video is decoded, the one before it is described
and written. So the pictures that a short video gives only at its end are no reason for anyone to wait.
"""

from __future__ import annotations

import os
import stat
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from filelock import BaseFileLock

from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.files import StoredVideo, read_video_file, write_video_file
from widemargin.events.index.header import IndexHeader
from widemargin.events.index.pictures import DescriptionQueue, PictureDescriber
from widemargin.events.index.records import (
    PathRecord,
    read_record,
    record_file,
    write_record,
)
from widemargin.events.index.upkeep import content_lock, video_file
from widemargin.networks import ImageNetwork, NetworkError
from widemargin.video import KeyFrame, VideoError, VideoReader, VideoSummary

__all__ = ["IndexResult", "IndexingTask", "close_tools", "index_video", "index_videos"]

# Videos that are decoded and not yet written when the next one is begun. One is enough to keep the networks at work,
# and what a run loses that is ended stays small.
_LARGEST_BACKLOG = 1


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


def index_video(task: IndexingTask) -> IndexResult:
    """Bring one video into an index, unless its content is there already.

    Parameters
    ----------
    task : IndexingTask
        The video and the index.

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
    results: list[IndexResult] = []
    index_videos([task], results.append)
    return results[0]


def index_videos(
    tasks: Iterable[IndexingTask],
    on_result: Callable[[IndexResult], None],
    on_progress: Callable[[str, float, float | None], None] | None = None,
) -> None:
    """Bring videos into an index, decoding each while the one before it is described and written.

    If this is left early, what is not written yet of the videos under way is dropped.

    Parameters
    ----------
    tasks : iterable of IndexingTask
        The videos.
    on_result : callable
        Called in this thread with the `IndexResult` of each video, in their order, soon after it is done.
    on_progress : callable, optional
        Called in this thread with the path of the video that is decoded, the seconds decoded, and the length in seconds
        that the file claims, or None.

    Raises
    ------
    VideoIndexError
        If a network has changed since the index was made.
    WriteError
        If the index cannot be written.
    """
    with _VideosUnderWay(on_result, on_progress) as under_way:
        for task in tasks:
            under_way.start(task)
        under_way.finish(0)


@dataclass(frozen=True)
class _Video:
    """A video that is being brought into the index."""

    task: IndexingTask
    known: PathRecord | None
    record: PathRecord
    lock: BaseFileLock
    started: float

    def note(self, stored: StoredVideo | None, reason: str = "", *, cached: bool = False) -> IndexResult:
        """Write down how it went, unless that is known, and return it."""
        if stored is None:
            record = replace(self.record, reason=reason)
        else:
            record = replace(
                self.record, status=stored.summary.status, reason=" ".join(stored.summary.problems)
            )
        if record != self.known:
            write_record(self.task.folder, record)
        return IndexResult(
            self.task.path,
            record.status,
            record.reason,
            0 if stored is None else len(stored.summary.shots),
            0.0 if stored is None else stored.summary.duration,
            cached,
            time.perf_counter() - self.started,
        )

    def write(self, describer: PictureDescriber, summary: VideoSummary) -> IndexResult:
        """Wait until it is described, write all of it, and let others write about this content."""
        try:
            stored = describer.finish(summary)
            write_video_file(video_file(self.task.folder, self.record.digest), stored, self.task.header)
            return self.note(stored)
        except NetworkError as error:
            return self.note(None, str(error))
        finally:
            self.lock.release()


class _VideosUnderWay:
    """One video that is decoded here, and those before it that are described and written in other threads."""

    def __init__(
        self,
        on_result: Callable[[IndexResult], None],
        on_progress: Callable[[str, float, float | None], None] | None,
    ) -> None:
        self._on_result = on_result
        self._on_progress = on_progress
        self._queue: DescriptionQueue | None = None
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="write")
        self._results: deque[Future[IndexResult]] = deque()
        self._contents: set[str] = set()
        self._to_close = ExitStack()
        self._to_close.callback(self._writing.shutdown, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._to_close.close()

    def start(self, task: IndexingTask) -> None:
        """Decode a video, and let the others do the rest."""
        self._results.append(self._decoded(task))
        self.finish(_LARGEST_BACKLOG)

    def finish(self, backlog: int) -> None:
        """Wait until all but the last few are done."""
        self._tell()
        while len(self._results) > backlog:
            self._on_result(self._results.popleft().result())

    def _tell(self) -> None:
        """Tell of those that are done, without waiting."""
        while self._results and self._results[0].done():
            self._on_result(self._results.popleft().result())

    def _decoded(self, task: IndexingTask) -> Future[IndexResult]:
        """Decode a video, unless it is known or no video, and return what its result will be."""
        started = time.perf_counter()
        known = _known(task)
        try:
            _check_ordinary(task.absolute)
            record = replace(PathRecord.of_file(task.absolute, known), path=task.path)
        except (OSError, ValueError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or str(error)
            _note_unreadable(task, known, reason)
            return _done(
                IndexResult(task.path, "failed", reason, 0, 0.0, False, time.perf_counter() - started)
            )
        lock = content_lock(task.folder, record.digest)
        video = _Video(task, known, record, lock, started)
        if record.digest in self._contents:
            # Another name of a video under way: its lock is held here.
            self.finish(0)
        self._contents.add(record.digest)
        lock.acquire()
        with ExitStack() as until_done:
            until_done.callback(lock.release)
            try:
                return _done(video.note(_stored(task, record), cached=True))
            except VideoIndexError:
                tools = _tools(task)
            describer = PictureDescriber(self._describing(tools.networks))
            try:
                summary = self._read(video, tools.reader, describer)
            except (VideoError, NetworkError) as error:
                return _done(video.note(None, str(error)))
            result = self._writing.submit(video.write, describer, summary)
            # If the writing is cancelled before it begins, nobody else releases it.
            result.add_done_callback(lambda _: lock.release())
            until_done.pop_all()
            return result

    def _describing(self, networks: Sequence[ImageNetwork]) -> DescriptionQueue:
        """Return the queue before the networks, which is opened with the first video that is not known."""
        if self._queue is None:
            self._queue = self._to_close.enter_context(DescriptionQueue(networks))
        return self._queue

    def _read(self, video: _Video, reader: VideoReader, describer: PictureDescriber) -> VideoSummary:
        """Decode a video, telling meanwhile of those before it."""

        def take(key_frame: KeyFrame) -> None:
            describer.add(key_frame)
            self._tell()

        def progress(seconds: float, claimed: float | None) -> None:
            self._tell()
            if self._on_progress is not None:
                self._on_progress(video.task.path, seconds, claimed)

        summary = reader.read(video.record.absolute, video.task.header.settings.shots, take, progress)
        describer.send()
        if not video.record.still_holds():
            raise VideoError("The file changed while it was read: add it again when it is complete.")
        return summary


def _done(result: IndexResult) -> Future[IndexResult]:
    """Return a result that is there at once, in the form of one to come."""
    future: Future[IndexResult] = Future()
    future.set_result(result)
    return future


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

"""Reading videos that nobody vouches for: the decoder runs in a process that may hang, crash or be out of memory."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from types import TracebackType
from typing import Self

from widemargin.validation import check_integer, check_number
from widemargin.video.findings import Findings, ProtocolError
from widemargin.video.messages import Failure, Message, Ready, receive
from widemargin.video.settings import ShotSettings
from widemargin.video.summary import KeyFrame, VideoSummary

__all__ = ["VideoReader"]

# Seconds; it takes a quarter of one, unless the disk or the machine is very busy.
_START_TIMEOUT = 120.0


class VideoReader:
    """Cuts videos into shots with a decoder in a process of its own.

    FFmpeg decodes files from anywhere, and some make it crash, hang or use up the memory. Here that costs a message:
    the process is ended, what it had found is kept, and the next video gets a new process. Otherwise one process serves
    all videos. It starts with the first video; `close`, or leaving the ``with`` block, ends it, and it ends by itself
    if this process dies. A reader is for one thread.

    Parameters
    ----------
    timeout : float, default=60.0
        Seconds without any sign of life after which the decoder is ended, above 0, at most a million. A decoder that
        works gives signs of life all the time, however long the video.
    n_threads : int, default=1
        Threads of the decoder, at least 1. One is right where several videos are read at once.
    memory_limit : int, default=4 GiB
        Address space in bytes that the decoder may use, at least 512 MiB, where the system can limit it.
    _command : sequence of str, optional
        Starts another process than the decoder, for tests.

    Raises
    ------
    TypeError
        If a parameter has the wrong type.
    ValueError
        If a parameter is outside its range.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.video import VideoReader, write_video
    >>> frames = [np.full((48, 64, 3), grey, np.uint8) for grey in [40] * 25 + [210] * 25]
    >>> pictures = []
    >>> with tempfile.TemporaryDirectory() as folder, VideoReader() as reader:
    ...     path = Path(folder) / "two-shots.mp4"
    ...     _ = write_video(path, frames, rate=25)
    ...     summary = reader.read(path, on_key_frame=pictures.append)
    >>> summary.status, summary.n_frames, [(shot.start, shot.end) for shot in summary.shots]
    ('ok', 50, [(0.0, 1.0), (1.0, 2.0)])
    """

    def __init__(
        self,
        timeout: float = 60.0,
        *,
        n_threads: int = 1,
        memory_limit: int = 2**32,
        _command: Sequence[str] | None = None,
    ) -> None:
        self.timeout = check_number("timeout", timeout, above=0.0, at_most=1e6)
        check_integer("n_threads", n_threads, at_least=1)
        check_integer("memory_limit", memory_limit, at_least=2**29)
        self.n_threads = n_threads
        self.memory_limit = memory_limit
        self._command = _command
        self._process: subprocess.Popen[bytes] | None = None
        self._hung = False

    def read(
        self,
        path: str | os.PathLike[str],
        settings: ShotSettings | None = None,
        on_key_frame: Callable[[KeyFrame], None] | None = None,
        on_progress: Callable[[float, float | None], None] | None = None,
    ) -> VideoSummary:
        """Cut one video into shots.

        Parameters
        ----------
        path : str or path-like
            The file; never interpreted as an address or a pattern.
        settings : ShotSettings, optional
            How shots are found and which pictures are kept; by default ``ShotSettings()``.
        on_key_frame : callable, optional
            Called with a `KeyFrame` at the end of each shot, and at the end of the video with the extra frames, if
            there are fewer shots than ``settings.n_extra_frames``. The time that it takes does not count as silence.
        on_progress : callable, optional
            Called about five times a second with the seconds decoded, and the length in seconds that the file claims,
            or None.

        Returns
        -------
        VideoSummary
            The shots. Partial, if something could not be decoded, or if the decoder crashed or hung after its first
            frame: then the shots that had ended, without extra frames.

        Raises
        ------
        VideoError
            If nothing could be decoded. The message tells why and does not name the file.
        ImportError
            If PyAV is missing.
        RuntimeError
            If the decoder process cannot be started.
        """
        settings = ShotSettings() if settings is None else settings
        findings = Findings(on_key_frame or _ignore, on_progress)
        request = {
            "path": os.path.abspath(os.fsdecode(path)),
            "settings": asdict(settings),
            "n_threads": self.n_threads,
        }
        try:
            process = self._running()
            self._request(process, request)
            while True:
                message = self._next_message(process, settings.max_pixels, self.timeout)
                if message is None:
                    reason = self._ended(process)
                    break
                if isinstance(message, Failure):
                    reason = message.reason
                    if message.restart:
                        self._kill()
                    break
                if isinstance(message, Ready):
                    raise ProtocolError("The decoder starts only once.")
                if (summary := findings.add(message)) is not None:
                    return summary
        except ProtocolError:
            reason = "The decoder sent something that is no message, and was ended."
            self._kill()
        except BaseException:
            # What the decoder sends next belongs to this video.
            self._kill()
            raise
        return findings.broken_off(reason)

    def close(self) -> None:
        """End the decoder process, if there is one; the next video would start another."""
        self._kill()

    def __enter__(self) -> Self:
        """Return the reader; the process starts with the first video."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the decoder process."""
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the decoder process, started anew if there is none."""
        if self._process is not None and self._process.poll() is None and not self._hung:
            return self._process
        self._kill()
        if importlib.util.find_spec("av") is None:
            raise ImportError(
                "Videos are decoded with PyAV, which is not installed: install it with "
                "pip install 'widemargin[video]'."
            )
        # Without -P, modules that lie in the current folder beside the videos would be imported.
        command = self._command or (
            sys.executable,
            "-P",
            "-m",
            "widemargin.video.worker",
            str(self.memory_limit),
        )
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # NumPy's threads cost start-up time and address space, and decoding has no use for them.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        self._process = process
        self._hung = False
        if not isinstance(self._next_message(process, 1, _START_TIMEOUT), Ready):
            reason = self._ended(process)
            raise RuntimeError(
                f"The decoder process does not start. {reason} Run 'echo | {' '.join(map(str, command))}' to see why."
            )
        return process

    @staticmethod
    def _request(process: subprocess.Popen[bytes], request: dict[str, object]) -> None:
        """Ask for a video. A process that has ended meanwhile is noticed when there is no answer."""
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(json.dumps(request).encode("ascii") + b"\n")
            process.stdin.flush()

    def _next_message(
        self, process: subprocess.Popen[bytes], max_pixels: int, timeout: float
    ) -> Message | None:
        """Wait for a message; None if the process has ended, or is ended here because it is silent."""
        assert process.stdout is not None
        watch = threading.Timer(timeout, self._end_silent, (process,))
        watch.daemon = True
        watch.start()
        try:
            return receive(process.stdout, max_pixels)
        finally:
            watch.cancel()

    def _end_silent(self, process: subprocess.Popen[bytes]) -> None:
        """End a process that gave no sign of life."""
        self._hung = True
        process.kill()

    def _ended(self, process: subprocess.Popen[bytes]) -> str:
        """Say why a process has ended, and make sure that it has."""
        hung = self._hung
        try:
            code = process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            code = 0
        self._kill()
        if hung:
            return f"The decoder gave no sign of life for {self.timeout:g} s and was ended."
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
            return f"The decoder crashed ({name})."
        return f"The decoder process ended before the video did (exit code {code})."

    def _kill(self) -> None:
        """End the decoder process and wait until it is gone."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            # A request that nobody read any more may be left in it.
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _ignore(key_frame: KeyFrame) -> None:
    """Take a picture that nobody asked for."""

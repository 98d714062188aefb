"""Peak memory of indexing a long video, measured in a fresh process on Linux."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from events_speed.measuring import Row
from widemargin.events import VideoIndex
from widemargin.video import write_video

MOST_MEGABYTES = 500.0
RATE = 10.0


def memory(folder: Path, quick: bool) -> Iterator[list[Row]]:
    """Index two hours of pictures that change every ten seconds."""
    path = folder / "long.mp4"
    minutes = 6 if quick else 120
    n_frames = write_video(path, _frames(int(minutes * 60 * RATE)), rate=RATE)
    command = [sys.executable, "-m", "events_speed.memory", str(path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    here, decoder = map(float, printed.split())
    yield [
        Row(
            f"index of a video of {minutes} minutes",
            "VideoIndex.add and decoder",
            n_frames,
            megabytes=here + decoder,
            target=f"at most {MOST_MEGABYTES:g} MB",
            met=here + decoder <= MOST_MEGABYTES,
        )
    ]


def _frames(n_frames: int) -> Iterator[npt.NDArray[Any]]:
    rng = np.random.default_rng(0)
    for number in range(n_frames):
        if number % int(10 * RATE) == 0:
            picture = np.kron(
                rng.integers(0, 256, (9, 12, 3), dtype=np.uint8), np.ones((40, 40, 1), np.uint8)
            )
        yield np.roll(picture, number, axis=1)


def _index(path: str) -> None:
    """Index a video, and print the peaks of this process and of its decoder in megabytes."""
    decoder = 0.0

    def look(*_: Any) -> None:
        nonlocal decoder
        decoder = max([decoder, *(_peak(child) for child in _children())])

    with tempfile.TemporaryDirectory() as folder:
        (result,) = VideoIndex.create(Path(folder) / "index").add([path], on_progress=look)
        if result.status != "ok":
            raise RuntimeError(result.reason)
    if not decoder:
        raise RuntimeError("The decoder ended before its memory could be looked at.")
    print(_peak("self"), decoder)


def _children() -> list[str]:
    """Return the processes that this one has started, all of its threads together."""
    return [
        child
        for task in Path("/proc/self/task").iterdir()
        for child in (task / "children").read_text().split()
    ]


def _peak(process: str) -> float:
    """Return the peak memory of a process in megabytes; a child's own, which what wait reports of it is not."""
    try:
        status = Path("/proc", process, "status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    # A process that has ended and is waited for has no memory.
    return max(
        (int(line.split()[1]) / 1e6 * 1024 for line in status.splitlines() if line[:5] == "VmHWM"),
        default=0.0,
    )


if __name__ == "__main__":
    _index(sys.argv[1])

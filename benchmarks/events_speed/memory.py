"""Peak memory of indexing a long video, measured in a fresh process."""

from __future__ import annotations

import resource
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
    """Index a video, and print the peaks of this process and of its largest child in megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        (result,) = VideoIndex.create(Path(folder) / "index").add([path])
        if result.status != "ok":
            raise RuntimeError(result.reason)
    # Linux counts in KiB, macOS in bytes.
    unit = 1e6 if sys.platform == "darwin" else 1e6 / 1024
    print(
        *(
            resource.getrusage(who).ru_maxrss / unit
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
    )


if __name__ == "__main__":
    _index(sys.argv[1])

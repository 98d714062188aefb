"""What indexing adds to decoding and to the network: key frames, their resizing, thumbnails, files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av

from events_speed.cut_videos import write_cut_video
from events_speed.measuring import Row, timed
from widemargin.events import VideoIndex
from widemargin.networks import load_network
from widemargin.video import VideoReader
from widemargin.video.boundaries import BoundaryDetector
from widemargin.video.histograms import frame_histogram

MOST = 1.2


def features(folder: Path, quick: bool) -> Iterator[list[Row]]:
    """Compare an index of one video with finding its shots and describing its pictures, on one core."""
    if hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(cores)})
    path = folder / "features.mp4"
    write_cut_video(path, 7, (640, 360), 8 if quick else 24)
    network = load_network()
    pictures: list[Any] = []
    with VideoReader() as reader:
        reader.read(path, on_key_frame=lambda key_frame: pictures.append(key_frame.pixels))
    network.describe(pictures[:2])
    shots = timed(lambda: _boundaries(path))
    described = timed(lambda: network.describe(pictures))
    index = VideoIndex.create(folder / "index")
    indexed = timed(lambda: index.add([path]))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cores)
    problem = f"index of one video, {len(pictures)} pictures"
    ratio = (indexed[1] - shots[1]) / described[1]
    yield [
        Row(problem, "decoding and boundaries alone", shots[2], shots[1], shots[0]),
        Row(problem, "network alone", len(pictures), described[1], described[0]),
        Row(
            problem,
            "VideoIndex.add",
            shots[2],
            indexed[1],
            indexed[0],
            ratio=ratio,
            target=f"less decoding: at most {MOST} x the network",
            met=ratio <= MOST,
        ),
    ]


def _boundaries(path: Path) -> int:
    """Decode a video, find its boundaries, and return the number of its frames."""
    detector = BoundaryDetector()
    count = 0
    with av.open(str(path)) as container:
        container.streams.video[0].thread_type = "NONE"
        for frame in container.decode(video=0):
            detector.push(frame_histogram(frame), frame.time)
            count += 1
    detector.finish()
    return count

"""Tiny videos and a tiny network, from which tests make an index in a moment."""

import json
from contextlib import contextmanager

import numpy as np

from networks.onnx_files import write_colour_model
from widemargin.events.index import VideoIndex
from widemargin.events.index.settings import IndexSettings, NetworkSpec
from widemargin.video import ShotSettings, VideoReader, write_video

CLASSES = ("red", "green", "blue")
RED, GREEN, BLUE = (220, 20, 20), (20, 220, 20), (20, 20, 220)


def colours(path, *shots, n_frames=10, rate=10, side=32):
    """Write a video that shows one colour after another, each for a second."""
    frames = (np.full((side, side + 16, 3), colour, np.uint8) for colour in shots for _ in range(n_frames))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_video(path, frames, rate=rate)
    return path


def colour_network(path, **options):
    """Write a network that tells red, green and blue apart."""
    return write_colour_model(path, metadata={"widemargin.classes": json.dumps(CLASSES)}, **options)


def colour_settings(folder, *, n_extra_frames=4, **shots):
    """Return settings with that network, which is written into a folder."""
    network = folder / "colours.onnx"
    if not network.exists():
        colour_network(network)
    spec = NetworkSpec("colours", path=str(network), preprocess="unit")
    return IndexSettings(ShotSettings(n_extra_frames=n_extra_frames, picture_side=16, **shots), (spec,))


def colour_index(folder, **options):
    """Make an index in a folder."""
    return VideoIndex.create(folder / "index", colour_settings(folder, **options))


@contextmanager
def counted_reads(monkeypatch):
    """Yield a list that gets the path of each video that is decoded in this process."""
    paths = []
    read = VideoReader.read

    def counting(self, path, *args, **kwargs):
        paths.append(str(path))
        return read(self, path, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(VideoReader, "read", counting)
        yield paths

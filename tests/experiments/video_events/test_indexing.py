"""Numbers of made videos in the cache: kept whole or not at all, and made once by several processes together."""

import numpy as np
import pytest
from filelock import FileLock, Timeout

from experiments.video_events.collections import random_collection
from widemargin.experiments import Settings
from widemargin.experiments.video_events import indexing, sources
from widemargin.experiments.video_events.indexing import indexed
from widemargin.experiments.video_events.sources import BundledPictures, MadeVideos
from widemargin.video import ShotSettings


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(tmp_path))
    monkeypatch.setattr(indexing, "_digest", lambda identity, events, shots: str(identity["made"]))
    return tmp_path / "experiments" / "videos"


def ask(made, **options):
    return indexed({"made": made}, None, ("event",), ShotSettings(), **options)


def test_an_interrupted_run_leaves_nothing_half_made(folder, monkeypatch):
    def interrupted(make, events, shots):
        raise KeyboardInterrupt

    monkeypatch.setattr(indexing, "_index", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ask("first")
    assert not (folder / "first.npz").exists()
    whole = random_collection(1, 2)
    monkeypatch.setattr(indexing, "_index", lambda make, events, shots: whole)
    assert np.array_equal(ask("first").features, whole.features)
    # A file that another program cut short is made again.
    path = folder / "first.npz"
    path.write_bytes(path.read_bytes()[:1000])
    assert np.array_equal(ask("first").features, whole.features)
    assert path.stat().st_size > 1000


def test_what_another_process_makes_can_be_left_for_later(folder, monkeypatch):
    monkeypatch.setattr(indexing, "_index", lambda make, events, shots: random_collection(1, 2))
    ask("other")
    with FileLock(folder / "first.lock"):
        with pytest.raises(Timeout):
            ask("first", wait=False)
        assert len(ask("other", wait=False)) == 2
    assert len(ask("first", wait=False)) == 2


def test_the_part_that_is_free_is_made_first(monkeypatch):
    asked = []

    def busy_at_first(identity, make, events, shots, *, wait):
        asked.append((identity["part"], wait))
        if identity["part"] == "train" and not wait:
            raise Timeout("train.lock")
        return identity["part"]

    monkeypatch.setattr(sources, "indexed", busy_at_first)
    videos = MadeVideos(BundledPictures(), 1, 1, 0, (2, 2), (1, 1), False)
    assert videos.draw(Settings(), "made", 0) == ("train", "test")
    assert asked == [("train", False), ("test", False), ("train", True)]

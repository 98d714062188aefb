"""Decoding, describing and writing of several videos at the same time."""

import threading

import numpy as np
import pytest

pytest.importorskip("av")
pytest.importorskip("onnxruntime")

from events.index_videos import BLUE, GREEN, RED, colour_index, colours
from widemargin.atomic import WriteError
from widemargin.events.index import VideoIndex
from widemargin.events.index.pictures import DescriptionQueue
from widemargin.networks import ImageNetwork, NetworkError, NetworkOutput
from widemargin.video import VideoReader

# Far more than anything here takes; it only ends a test that would hang.
PATIENCE = 60.0


def videos(folder, *shown):
    return [colours(folder / f"{k}.mp4", *shots) for k, shots in enumerate(shown)]


def replace_describe(monkeypatch, before):
    """Let a function see the pictures before each call of a network that gets some."""
    describe = ImageNetwork.describe

    def described(self, pictures):
        if len(pictures):
            before(pictures)
        return describe(self, pictures)

    monkeypatch.setattr(ImageNetwork, "describe", described)


def test_a_video_is_decoded_while_the_one_before_it_is_described(tmp_path, monkeypatch):
    paths = videos(tmp_path, [RED], [GREEN, BLUE])
    index = colour_index(tmp_path)
    second_begun = threading.Event()
    in_time = []
    read = VideoReader.read

    def telling(self, path, *args):
        if str(path) == str(paths[1]):
            second_begun.set()
        return read(self, path, *args)

    monkeypatch.setattr(VideoReader, "read", telling)
    replace_describe(monkeypatch, lambda _: in_time.append(second_begun.wait(PATIENCE)))
    results = index.add(paths)
    assert [result.n_shots for result in results] == [1, 2]
    assert all(in_time)
    assert [video.concepts.argmax(axis=1).tolist() for video in index] == [[0], [1, 2]]


def test_results_come_in_the_order_of_the_videos(tmp_path):
    paths = videos(tmp_path, [RED], [GREEN], [BLUE])
    index = colour_index(tmp_path)
    index.add(paths[1:2])
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(b"no video")
    told, threads = [], set()

    def tell(result):
        told.append(result)
        threads.add(threading.current_thread())

    order = [paths[0], bad, tmp_path / "missing.mp4", paths[1], paths[2]]
    results = index.add(order, on_result=tell)
    assert told == results
    assert [result.path for result in results] == list(map(str, order))
    assert [result.status for result in results] == ["ok", "failed", "failed", "ok", "ok"]
    assert [result.cached for result in results] == [False, False, False, True, False]
    assert threads == {threading.current_thread()}


def test_a_network_that_fails_on_one_video_costs_that_video_alone(tmp_path, monkeypatch):
    paths = videos(tmp_path, [RED], [BLUE], [GREEN])
    index = colour_index(tmp_path)

    def fail(pictures):
        if pictures[0][0, 0].argmax() == 2:
            raise NetworkError("It does not like blue.")

    with monkeypatch.context() as patch:
        replace_describe(patch, fail)
        results = index.add(paths)
    assert [result.status for result in results] == ["ok", "failed", "ok"]
    assert index.failed == {str(paths[1]): "It does not like blue."}
    assert [video.concepts.argmax() for video in index] == [0, 1]
    assert [result.cached for result in index.add(paths)] == [True, False, True]


def test_a_full_disk_ends_the_run_and_no_lock_stays(tmp_path, monkeypatch):
    paths = videos(tmp_path, [RED], [GREEN])
    index = colour_index(tmp_path)

    def full(*_):
        raise WriteError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("widemargin.events.index.indexing.write_video_file", full)
        with pytest.raises(WriteError, match="full"):
            index.add(paths)
    assert index.paths == ()
    results = []
    again = threading.Thread(target=lambda: results.extend(VideoIndex(index.folder).add(paths)))
    again.start()
    again.join(PATIENCE)
    assert [result.status for result in results] == ["ok", "ok"]


def test_an_interrupt_drops_what_waits_and_no_lock_stays(tmp_path, monkeypatch):
    paths = videos(tmp_path, [RED], [GREEN])
    index = colour_index(tmp_path)
    described = threading.Event()
    read = VideoReader.read

    def interrupted(self, path, *args):
        if str(path) == str(paths[1]):
            described.set()
            raise KeyboardInterrupt
        return read(self, path, *args)

    with monkeypatch.context() as patch:
        patch.setattr(VideoReader, "read", interrupted)
        replace_describe(patch, lambda _: described.wait(PATIENCE))
        with pytest.raises(KeyboardInterrupt):
            index.add(paths)
    assert not [
        thread.name for thread in threading.enumerate() if thread.name.startswith(("describe", "write"))
    ]
    results = index.add(paths)
    assert [result.status for result in results] == ["ok", "ok"]
    assert not results[1].cached


class GatedNetwork:
    """A network that waits for a signal before it describes anything."""

    def __init__(self):
        self.gate = threading.Event()

    def describe(self, pictures):
        assert self.gate.wait(PATIENCE)
        return NetworkOutput(
            np.array([[p.nbytes] for p in pictures], np.float32), np.zeros((len(pictures), 0))
        )


def test_the_pictures_that_wait_are_bounded_in_bytes():
    network = GatedNetwork()
    batch = [np.zeros((10, 10, 3), np.uint8)]
    with DescriptionQueue([network], max_bytes=900) as queue:
        futures = [queue.put(batch) for _ in range(3)]
        assert queue.n_bytes == 900
        fourth = threading.Thread(target=lambda: futures.append(queue.put(batch)))
        fourth.start()
        fourth.join(0.2)
        assert fourth.is_alive()
        assert len(futures) == 3
        network.gate.set()
        fourth.join(PATIENCE)
        assert [future.result(PATIENCE).features[0].item() for future in futures] == [300] * 4
        assert queue.n_bytes <= 900
        # A single batch may be larger than all the room that there is.
        assert queue.put(batch * 5).result(PATIENCE).features[0].shape == (5, 1)

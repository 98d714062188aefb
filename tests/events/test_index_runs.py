"""Several runs in one index: at the same time, one after the other was killed, and in several processes."""

import os
import signal
import subprocess
import sys
import threading

import pytest

pytest.importorskip("av")
pytest.importorskip("onnxruntime")

from events.index_videos import BLUE, GREEN, RED, colour_index, colour_network, colours, counted_reads
from widemargin.events.index import VideoIndex
from widemargin.events.index.upkeep import content_lock

# Adds videos, writing a line for each that is decoded, and holds or dies there if asked to.
RUN = """
import os, signal, sys, time
from pathlib import Path
from widemargin.events.index import VideoIndex
from widemargin.video import VideoReader

folder, action, *paths = sys.argv[1:]
read = VideoReader.read

def telling(self, path, *args):
    with open(f"{folder}/../reads", "a") as file:
        file.write(os.path.basename(path) + "\\n")
    if action == os.path.basename(path):
        os.kill(os.getpid(), signal.SIGKILL)
    if action == "wait":
        Path(folder, "..", f"started-{os.getpid()}").touch()
        while len(list(Path(folder, "..").glob("started-*"))) < 2:
            time.sleep(0.02)
    return read(self, path, *args)

VideoReader.read = telling
for result in VideoIndex(folder).add(paths):
    print(result.status, result.cached)
"""


def run(index, action, *paths):
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(index.folder), action, *map(str, paths)],
        stdout=subprocess.PIPE,
        text=True,
    )


def decoded(folder):
    return sorted((folder / "reads").read_text().split())


def test_two_runs_at_once_share_the_work_and_decode_nothing_twice(tmp_path):
    index = colour_index(tmp_path)
    paths = [colours(tmp_path / f"{name}.mp4", RED, colour) for name, colour in (("a", GREEN), ("b", BLUE))]
    # Each holds its first video until the other has begun with its own: they work at the same time.
    runs = [run(index, "wait", *paths), run(index, "wait", *reversed(paths))]
    outputs = [process.communicate(timeout=60)[0].split("\n")[:2] for process in runs]
    assert [process.returncode for process in runs] == [0, 0]
    assert outputs == [["ok False", "ok True"]] * 2
    assert decoded(tmp_path) == ["a.mp4", "b.mp4"]
    assert len(VideoIndex(index.folder)) == 2


def test_a_second_run_waits_for_the_first_and_finds_the_video_done(tmp_path):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)
    index.add([path])
    (record,) = (index.folder / "videos").iterdir()
    results = []
    second = threading.Thread(target=lambda: results.extend(VideoIndex(index.folder).add([path])))
    with content_lock(index.folder, record.stem):
        second.start()
        second.join(timeout=0.5)
        assert second.is_alive()
    second.join(timeout=60)
    assert [result.cached for result in results] == [True]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_run_is_continued_where_it_ended(tmp_path, monkeypatch):
    index = colour_index(tmp_path)
    paths = [colours(tmp_path / f"{k}.mp4", colour) for k, colour in enumerate((RED, GREEN, BLUE))]
    killed = run(index, "2.mp4", *paths)
    killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL
    # The second may still have been on its way through the network.
    done = set(VideoIndex(index.folder).paths)
    assert str(paths[0]) in done
    assert str(paths[2]) not in done
    with counted_reads(monkeypatch) as reads:
        assert [result.cached for result in index.add(paths)] == [str(path) in done for path in paths]
    assert reads == [str(path) for path in paths if str(path) not in done]


def test_an_interrupted_run_is_continued_where_it_ended(tmp_path, monkeypatch):
    index = colour_index(tmp_path)
    paths = [colours(tmp_path / f"{k}.mp4", colour) for k, colour in enumerate((RED, GREEN, BLUE))]

    def interrupt(_):
        raise KeyboardInterrupt

    with counted_reads(monkeypatch) as reads:
        with pytest.raises(KeyboardInterrupt):
            index.add(paths, on_result=interrupt)
        assert str(paths[0]) in index.paths
        assert str(paths[2]) not in index.paths
        done = set(index.paths)
        reads.clear()
        assert [result.cached for result in index.add(paths)] == [str(path) in done for path in paths]
    assert reads == [str(path) for path in paths if str(path) not in done]


def test_an_interrupt_within_a_video_leaves_nothing_of_it(tmp_path, monkeypatch):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED, GREEN, BLUE)

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("widemargin.events.index.pictures.PictureDescriber.add", interrupt)
        with pytest.raises(KeyboardInterrupt):
            index.add([path])
    assert (index.paths, index.failed) == ((), {})
    assert index.add([path])[0].status == "ok"


def test_several_processes_give_the_same_index(tmp_path):
    paths = [colours(tmp_path / f"{k}.mp4", *shots) for k, shots in enumerate(([RED], [BLUE, RED], [GREEN]))]
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(b"no video")
    index = colour_index(tmp_path)
    seen = []
    results = index.add([*paths, bad], n_jobs=2, on_result=seen.append)
    assert [result.status for result in results] == ["ok", "ok", "ok", "failed"]
    assert [result.n_shots for result in results] == [1, 2, 1, 0]
    assert sorted(result.path for result in seen) == sorted(result.path for result in results)
    concepts = [video.concepts.argmax(axis=1).tolist() for video in index]
    assert concepts == [[0], [2, 0], [1]]
    assert all(result.cached for result in index.add(paths, n_jobs=2))


def test_a_dask_cluster_gives_the_same_index(tmp_path):
    distributed = pytest.importorskip("distributed")
    path = colours(tmp_path / "a.mp4", BLUE, RED)
    index = colour_index(tmp_path)
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        (result,) = index.add([path], engine="dask")
    assert (result.status, result.n_shots) == ("ok", 2)
    assert next(iter(index)).concepts.argmax(axis=1).tolist() == [2, 0]


def test_what_killed_runs_left_is_removed_and_what_others_write_is_not(tmp_path):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)
    index.add([path])
    folders = [index.folder, *(index.folder / name for name in ("videos", "paths"))]
    for folder in folders:
        (folder / ".1-2.tmp").write_bytes(b"half")
        os.utime(folder / ".1-2.tmp", (0, 0))
        (folder / ".3-4.tmp").write_bytes(b"being written")
    unused, held = (index.folder / "videos" / f"{digit * 64}.npz" for digit in "ab")
    for file in (unused, held):
        file.write_bytes(b"left by a run that was killed before it wrote a record")
    with content_lock(index.folder, held.stem):
        index.add([path])
    for folder in folders:
        assert [file.name for file in folder.glob(".*.tmp")] == [".3-4.tmp"]
    assert not unused.exists()
    assert held.exists()
    index.add([path])
    assert not held.exists()


def test_a_network_that_changed_is_named(tmp_path):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)
    colour_network(tmp_path / "colours.onnx", softmax=True, outputs=("features", "probabilities"))
    with pytest.raises(
        ValueError, match=r"network colours .* has changed since the index was made: put back"
    ):
        index.add([path])

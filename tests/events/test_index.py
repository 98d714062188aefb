"""Videos in an index: what it keeps of them, when it decodes them, and how they are called."""

import io
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("av")
pytest.importorskip("onnxruntime")

from PIL import Image

from events.index_videos import BLUE, GREEN, RED, colour_index, colours, counted_reads
from widemargin.events.index import VideoIndex
from widemargin.events.index.errors import VideoIndexError


def test_shots_features_concepts_and_thumbnails_of_a_video(tmp_path):
    path = colours(tmp_path / "three.mp4", RED, GREEN, BLUE)
    index = colour_index(tmp_path)
    (result,) = index.add([path])
    assert (result.path, result.status, result.reason, result.cached) == (str(path), "ok", "", False)
    assert (result.n_shots, result.duration) == (3, 3.0)
    video = index.video(path)
    assert (video.name, video.path, video.status, video.duration) == ("three.mp4", str(path), "ok", 3.0)
    np.testing.assert_allclose(video.shots, [[0, 1], [1, 2], [2, 3]])
    assert np.all((video.shots[:, 0] <= video.key_times) & (video.key_times < video.shots[:, 1]))
    # The network adds red, green and blue for its fourth feature; MPEG moves colours by a few of 255 levels.
    expected = np.array([RED, GREEN, BLUE]) / 255
    np.testing.assert_allclose(video.features["colours"][:, :3], expected, atol=0.04)
    np.testing.assert_array_equal(video.concepts.argmax(axis=1), [0, 1, 2])
    np.testing.assert_allclose(video.concepts.sum(axis=1), 1, atol=1e-6)
    for thumbnail, colour in zip(video.thumbnails, (RED, GREEN, BLUE), strict=True):
        picture = np.asarray(Image.open(io.BytesIO(thumbnail)))
        np.testing.assert_allclose(picture.mean(axis=(0, 1)), colour, atol=12)


def test_a_video_of_few_shots_has_extra_frames_in_the_order_of_time(tmp_path):
    path = colours(tmp_path / "three.mp4", RED, GREEN, BLUE)
    index = colour_index(tmp_path, n_extra_frames=6)
    index.add([path])
    video = index.video(path)
    assert len(video.extra_times) >= 6
    assert np.all(np.diff(video.extra_times) > 0)
    np.testing.assert_array_equal(video.extra_concepts.argmax(axis=1), video.extra_times.astype(int))
    assert len(video.extra_features["colours"]) == len(video.extra_thumbnails) == len(video.extra_times)


def test_a_video_of_enough_shots_has_none(tmp_path):
    path = colours(tmp_path / "three.mp4", RED, GREEN, BLUE)
    index = colour_index(tmp_path, n_extra_frames=3)
    index.add([path])
    video = index.video(path)
    assert video.extra_features["colours"].shape == (0, 4)
    assert video.extra_concepts.shape == (0, 3)
    assert (len(video.extra_times), video.extra_thumbnails) == (0, ())


def test_more_shots_than_a_batch_keep_their_order(tmp_path):
    cycle = [(RED, GREEN, BLUE)[k % 3] for k in range(40)]
    path = colours(tmp_path / "many.mp4", *cycle)
    index = colour_index(tmp_path)
    index.add([path])
    video = index.video(path)
    np.testing.assert_array_equal(video.concepts.argmax(axis=1), np.arange(40) % 3)


def test_nothing_is_decoded_twice_for_the_same_content(tmp_path, monkeypatch):
    path = colours(tmp_path / "a.mp4", RED, GREEN)
    copy = tmp_path / "copy.mp4"
    shutil.copy(path, copy)
    with counted_reads(monkeypatch) as reads:
        first = colour_index(tmp_path).add([path, str(path), copy])
        again = colour_index(tmp_path).add([copy, path])
    assert [result.cached for result in first] == [False, True]
    assert [(result.path, result.cached, result.n_shots) for result in again] == [
        (str(copy), True, 2),
        (str(path), True, 2),
    ]
    assert reads == [str(path)]
    index = VideoIndex(tmp_path / "index")
    assert [video.name for video in index] == ["a.mp4", "copy.mp4"]
    assert len(list((tmp_path / "index" / "videos").iterdir())) == 1


def test_a_finished_index_needs_neither_video_nor_network(tmp_path):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)
    index.add([path])
    (tmp_path / "colours.onnx").unlink()
    assert VideoIndex(tmp_path / "index").add([path])[0].cached
    path.unlink()
    assert VideoIndex(tmp_path / "index").video(path).n_shots == 1


def test_a_changed_file_is_read_again_and_what_is_stale_removed(tmp_path, monkeypatch):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)
    index.add([path])
    colours(path, BLUE, GREEN)
    with counted_reads(monkeypatch) as reads:
        assert not index.add([path])[0].cached
        # The time alone is no change of the content.
        os.utime(path, ns=(1, 1))
        assert index.add([path])[0].cached
    assert len(reads) == 1
    np.testing.assert_array_equal(index.video(path).concepts.argmax(axis=1), [2, 1])
    assert len(list((tmp_path / "index" / "videos").iterdir())) == 1


def test_what_another_path_refers_to_stays(tmp_path):
    index = colour_index(tmp_path)
    path, copy = colours(tmp_path / "a.mp4", RED), tmp_path / "copy.mp4"
    shutil.copy(path, copy)
    index.add([path, copy])
    colours(path, BLUE)
    index.add([path])
    assert index.video(copy).concepts.argmax() == 0
    index.remove(copy)
    assert index.paths == (str(path),)
    assert len(list((tmp_path / "index" / "videos").iterdir())) == 1


def test_failures_are_noted_and_tried_again(tmp_path):
    index = colour_index(tmp_path)
    good, bad = colours(tmp_path / "good.mp4", RED), tmp_path / "bad.mp4"
    bad.write_bytes(b"no video at all")
    results = index.add([bad, good])
    assert [result.status for result in results] == ["failed", "ok"]
    assert results[0].reason
    assert index.failed == {str(bad): results[0].reason}
    assert index.paths == (str(good),)
    assert bad not in index
    with pytest.raises(VideoIndexError, match="could not be read"):
        index.video(bad)
    shutil.copy(good, bad)
    assert index.add([bad])[0].status == "ok"
    assert index.failed == {}


def test_files_that_cannot_be_opened(tmp_path):
    index = colour_index(tmp_path)
    fifo, loop = tmp_path / "fifo.mp4", tmp_path / "loop.mp4"
    os.mkfifo(fifo)
    loop.symlink_to(loop)
    missing = tmp_path / "missing.mp4"
    results = index.add([tmp_path, fifo, loop, missing])
    assert [result.status for result in results] == ["failed"] * 4
    assert "folder" in results[0].reason
    assert "ordinary" in results[1].reason
    assert "No such file" in results[3].reason
    assert index.add(["with\0zero.mp4"])[0].status == "failed"
    # A name that leads nowhere is a mistake of that run, and nothing to try again.
    assert set(index.failed) == {str(tmp_path), str(fifo), str(loop)}


def test_a_video_whose_file_is_gone_stays(tmp_path):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)
    index.add([path])
    path.unlink()
    assert index.add([path])[0].status == "failed"
    assert index.paths == (str(path),)


def test_a_file_that_grows_while_it_is_read_is_no_video_yet(tmp_path, monkeypatch):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED)

    def grow(*_):
        with path.open("ab") as file:
            file.write(b"\0" * 100)

    monkeypatch.setattr("widemargin.events.index.pictures.PictureDescriber.add", grow)
    monkeypatch.setattr("widemargin.events.index.pictures.PictureDescriber.finish", lambda *_: None)
    (result,) = index.add([path])
    assert result.status == "failed"
    assert "changed while it was read" in result.reason
    assert not (tmp_path / "index" / "videos").exists()


def test_a_partial_video_is_kept_and_not_decoded_again(tmp_path, monkeypatch):
    whole = colours(tmp_path / "whole.mkv", RED, GREEN, BLUE)
    path = tmp_path / "partial.mkv"
    content = bytearray(whole.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 300] = b"\xff" * 300
    path.write_bytes(content)
    index = colour_index(tmp_path)
    (result,) = index.add([path])
    assert result.status == "partial"
    with counted_reads(monkeypatch) as reads:
        again = index.add([path])[0]
    assert (again.status, again.reason, again.cached) == ("partial", result.reason, True)
    assert reads == []
    assert " ".join(index.video(path).problems) == result.reason != ""


def test_names_of_any_bytes_and_links_stay_as_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    target = colours(tmp_path / "elsewhere" / "target.mp4", RED)
    link = tmp_path / "link.mp4"
    link.symlink_to(target)
    strange = [os.fsdecode(b"caf\xe9 \xff.mp4"), "two\nlines.mp4", "-dash.mp4", "ünï.mp4"]
    for name in strange:
        shutil.copy(target, name)
    index = colour_index(tmp_path)
    results = index.add(["link.mp4", *strange])
    assert [result.path for result in results] == ["link.mp4", *strange]
    assert {result.status for result in results} == {"ok"}
    index = VideoIndex("index")
    assert set(index.paths) == {"link.mp4", *strange}
    assert {video.name for video in index} == {"link.mp4", *strange}
    assert index.video(link).path == "link.mp4"


def test_the_same_relative_path_in_two_folders_are_two_videos(tmp_path, monkeypatch):
    index = colour_index(tmp_path)
    for folder, colour in (("x", RED), ("y", BLUE)):
        colours(tmp_path / folder / "a.mp4", colour)
        monkeypatch.chdir(tmp_path / folder)
        index.add(["a.mp4"])
    assert set(index.paths) == {str(tmp_path / "x" / "a.mp4"), str(tmp_path / "y" / "a.mp4")}
    assert {video.name: int(video.concepts.argmax()) for video in index} == {"x/a.mp4": 0, "y/a.mp4": 2}
    # In this folder the name has one meaning.
    assert index.video("a.mp4").name == "y/a.mp4"


def test_videos_are_found_by_the_end_of_their_path(tmp_path):
    index = colour_index(tmp_path)
    paths = [colours(tmp_path / name, RED) for name in ("x/street.mp4", "y/street.mp4", "y/market.mkv")]
    index.add(paths)
    assert index.find("market") == index.find("market.mkv") == index.find(paths[2]) == str(paths[2])
    assert index.find("x/street") == index.find("x/street.mp4") == str(paths[0])
    with pytest.raises(VideoIndexError, match=r"'street' may be 2 videos of the index.*x/street.mp4"):
        index.find("street")
    with pytest.raises(VideoIndexError, match=r"no video 'markt.mkv': did you mean .*y/market.mkv"):
        index.find("markt.mkv")
    with pytest.raises(VideoIndexError, match="no video '': add it first"):
        index.find("")
    with pytest.raises(VideoIndexError, match=r"no video 'market'"):
        index.video("market")


def test_a_sequence_of_videos_is_read_as_it_is_gone_through(tmp_path):
    index = colour_index(tmp_path)
    paths = [colours(tmp_path / f"{k}.mp4", *[RED] * 1, *[BLUE] * k) for k in range(3)]
    index.add(paths)
    assert len(index) == 3
    some = index.videos([paths[2], paths[0]])
    assert [video.name for video in some] == [video.name for video in some] == ["2.mp4", "0.mp4"]
    assert some[-1].name == some[1:][0].name == "0.mp4"
    assert some[0].thumbnails == ()
    with pytest.raises(VideoIndexError, match=r"no video 'other.mp4'"):
        index.videos(["other.mp4"])


def test_callbacks_tell_how_far_it_is(tmp_path):
    index = colour_index(tmp_path)
    path = colours(tmp_path / "a.mp4", RED, GREEN)
    results, progress = [], []
    returned = index.add(
        [path], on_result=results.append, on_progress=lambda *values: progress.append(values)
    )
    assert results == returned
    assert {values[0] for values in progress} <= {str(path)}


def test_a_single_path_is_no_list(tmp_path):
    index = colour_index(tmp_path)
    for path in ("a.mp4", Path("a.mp4"), b"a.mp4"):
        with pytest.raises(TypeError, match="paths must be a list of paths"):
            index.add(path)
    with pytest.raises(ValueError, match="timeout"):
        index.add([], timeout=0)
    assert index.add([]) == []

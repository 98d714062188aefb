"""Files of an index that are damaged or were made by somebody else: named in an error, and replaced by `add`."""

import io
import json
import zipfile

import numpy as np
import pytest

pytest.importorskip("av")
pytest.importorskip("onnxruntime")

from events.index_videos import GREEN, RED, colour_index, colours
from widemargin.events.index import VideoIndex
from widemargin.events.index.errors import VideoIndexError


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    path = colours(folder / "a.mp4", RED, GREEN)
    index = colour_index(folder)
    index.add([path])
    return path, index


@pytest.fixture
def file(made):
    """The file of the video, as it was before the test when the test is over."""
    (file,) = (made[1].folder / "videos").iterdir()
    content = file.read_bytes()
    yield file
    file.write_bytes(content)


def rewrite(file, **changes):
    """Change arrays of a file; None leaves one out."""
    with np.load(file) as arrays:
        content = {name: arrays[name] for name in arrays.files if changes.get(name, ...) is not None}
    content |= {name: value(content[name]) for name, value in changes.items() if value is not None}
    np.savez(file.with_suffix(""), **content)


def with_summary(**facts):
    def change(array):
        return np.frombuffer(json.dumps(json.loads(array.tobytes()) | facts).encode(), np.uint8)

    return change


def put(value, at=0):
    def change(array):
        changed = array.copy()
        changed.reshape(-1)[at] = value
        return changed

    return change


DAMAGE = {
    "features of another width": {"features_0": lambda array: array[:, :2]},
    "features of fewer shots": {"features_0": lambda array: array[:1]},
    "features of another type": {"features_0": lambda array: array.astype(np.float64)},
    "features that are not finite": {"features_0": put(np.nan)},
    "no features": {"features_0": None},
    "extra features of fewer frames": {"extra_features_0": lambda array: array[1:]},
    "concepts that are no probabilities": {"concepts": put(1.5)},
    "no shot": {"shots": lambda array: array[:0]},
    "shots without end": {"shots": lambda array: array[:, 0]},
    "shots backwards": {"shots": lambda array: array[::-1]},
    "shots at no time": {"shots": put(np.inf, at=3)},
    "key times of other shots": {"key_times": lambda array: array[:1]},
    "shots without frames": {"shot_frames": put(0)},
    "thumbnails that are too long": {"thumbnail_sizes": put(2**40)},
    "thumbnails of negative length": {"thumbnail_sizes": lambda array: array * np.array([1, -1])},
    "a thumbnail that is no picture": {"thumbnails": put(0)},
    "thumbnails that are numbers": {"thumbnails": lambda array: array.astype(np.float32)},
    "other settings": {"summary": with_summary(settings="0" * 64)},
    "an unknown status": {"summary": with_summary(status="great")},
    "an unknown fact": {"summary": with_summary(colour="red")},
    "extra times that are none": {"summary": with_summary(extra_times="now")},
    "a duration that is none": {"summary": with_summary(duration="NaN")},
    "a duration that is a list": {"summary": with_summary(duration=[[]])},
    "a width that is none": {"summary": with_summary(width=1.5)},
    "a codec that is none": {"summary": with_summary(codec=None)},
    "problems that are no list": {"summary": with_summary(problems="none")},
    "problems that are none": {"summary": with_summary(problems=3)},
    "a summary that is no JSON": {"summary": lambda array: array[1:]},
    "a summary that is a number": {"summary": lambda _: np.frombuffer(b"3", np.uint8)},
    "a summary of deep lists": {"summary": lambda _: np.frombuffer(b"[" * 10**5, np.uint8)},
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_named_and_made_again(made, file, damage):
    path, index = made
    rewrite(file, **damage)
    with pytest.raises(VideoIndexError, match=rf"(?s){file.name}.*add its video again"):
        index.video(path)
    (result,) = index.add([path])
    assert (result.status, result.cached) == ("ok", False)
    assert index.video(path).n_shots == 2


def flip(content):
    content[len(content) // 2] ^= 255


def pickled(content):
    file = io.BytesIO()
    np.savez(file, summary=np.array([{}], dtype=object))
    content[:] = file.getvalue()


def bomb(content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("summary.npy", bytes(2**24))
    content[:] = file.getvalue()


def claim(content):
    """A header that asks for a huge array."""
    header, array = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (2**40,)})
    with zipfile.ZipFile(array, "w") as archive:
        archive.writestr("summary.npy", header.getvalue())
    content[:] = array.getvalue()


@pytest.mark.parametrize(
    "damage",
    [
        flip,
        pickled,
        bomb,
        claim,
        lambda content: content.clear(),
        lambda content: content.__delitem__(slice(-100, None)),
        lambda content: content.__setitem__(slice(None), b"no archive at all"),
    ],
    ids=["a flipped bit", "a pickle", "a bomb", "a claim", "nothing", "a part", "something else"],
)
def test_a_file_of_other_bytes_is_named_and_made_again(made, file, damage):
    path, index = made
    content = bytearray(file.read_bytes())
    damage(content)
    file.write_bytes(content)
    with pytest.raises(VideoIndexError, match=rf"(?s){file.name}.*add its video again"):
        index.video(path)
    assert not index.add([path])[0].cached
    assert index.video(path).n_shots == 2


def test_a_file_that_never_ends_is_not_read(made, file):
    content = file.read_bytes()
    file.unlink()
    file.symlink_to("/dev/zero")
    try:
        with pytest.raises(VideoIndexError, match="no ordinary file: it is damaged"):
            made[1].video(made[0])
    finally:
        file.unlink()
        file.write_bytes(content)


def test_a_missing_file_is_named_and_made_again(made, file):
    path, index = made
    file.unlink()
    with pytest.raises(VideoIndexError, match=rf"{file.name} is missing"):
        index.video(path)
    assert not index.add([path])[0].cached


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "../../../etc/passwd"},
        {"digest": ""},
        {"status": "great"},
        {"size": "1"},
        {"mtime_ns": True},
        {"path": 3},
        {"absolute": "/elsewhere/b.mp4"},
        {"absolute": "/elsewhere/\ud800.mp4"},
        {"more": 1},
        None,
        "[]",
        "{",
        "[" * 10**5,
        " " * (2**20 + 1),
    ],
)
def test_a_damaged_record_is_named_and_made_again(made, change):
    path, index = made
    (record,) = (index.folder / "paths").glob("*.json")
    content = json.loads(record.read_text())
    record.write_text(
        change if isinstance(change, str) else json.dumps({**content, **change} if change else {})
    )
    with pytest.raises(VideoIndexError, match=rf"{record.name} is damaged"):
        _ = VideoIndex(index.folder).paths
    (result,) = VideoIndex(index.folder).add([path])
    assert result.cached
    assert VideoIndex(index.folder).paths == (str(path),)

"""``widemargin events index`` and ``shots``: what is printed of each file, exit codes, and runs that go on."""

import csv
import io
import json
import os
import shutil
import signal
import sys

import pytest

pytest.importorskip("av")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from cli.event_runs import VIDEOS, call, lines_of
from events.index_videos import BLUE, GREEN, RED, colours, counted_reads
from widemargin.cli import events_index
from widemargin.events.index import VideoIndex
from widemargin.events.index.indexing import IndexResult


@pytest.fixture
def folder(tmp_path, indexed, monkeypatch):
    """A folder with a copy of the network and two of the videos, which is the working folder."""
    shutil.copy(indexed / "colours.onnx", tmp_path)
    (tmp_path / "videos").mkdir()
    for name in ("fire 1.mp4", "sea 2.mp4"):
        shutil.copy(indexed / "videos" / name, tmp_path / "videos")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def index(*arguments):
    return call("index", *arguments, "--index", "index", "--network", "colours.onnx", "--preprocess", "unit")


def test_a_line_a_file_with_status_name_shots_seconds_and_reason(folder):
    (folder / "videos" / "broken.mp4").write_bytes(b"nothing")
    result = index("videos")
    assert result.exit_code == 1
    broken, fire, sea = (line.split("\t") for line in result.stdout.splitlines())
    assert broken[:4] == ["failed", "broken.mp4", "0", "0.0"]
    assert "no video" in broken[4]
    assert fire == ["ok", "fire 1.mp4", "2", "2.0", ""]
    assert sea == ["ok", "sea 2.mp4", "1", "1.0", ""]
    assert result.stderr == "3 videos: 2 ok, 1 failed.\n"


def test_paths_stay_as_they_are_given_and_nothing_is_decoded_twice(folder, monkeypatch):
    (folder / "link.mp4").symlink_to("videos/fire 1.mp4")
    with counted_reads(monkeypatch) as paths:
        assert lines_of(index("link.mp4"))[0][:3] == ["ok", "link.mp4", "2"]
        result = index("link.mp4", "videos/*.mp4")
    assert [line[1] for line in lines_of(result)] == ["link.mp4", "fire 1.mp4", "sea 2.mp4"]
    assert [os.path.basename(path) for path in paths] == ["link.mp4", "sea 2.mp4"]
    assert result.stderr == "3 videos: 3 ok; 2 of them in the index before.\n"
    assert VideoIndex("index").paths == ("link.mp4", "videos/fire 1.mp4", "videos/sea 2.mp4")


def test_nothing_that_can_be_read_is_exit_code_3(folder):
    (folder / "notes.txt").write_text("no video")
    result = index("notes.txt", "gone.mp4")
    assert result.exit_code == 3
    assert sorted(line.split("\t")[1] for line in result.stdout.splitlines()) == ["gone.mp4", "notes.txt"]


def test_a_pattern_without_a_file_does_not_keep_others_from_being_read(folder):
    result = index("videos/*.mp4", "*.mov")
    assert result.exit_code == 1
    assert result.stdout.count("ok\t") == 2
    assert "'*.mov'" in result.stderr


def test_names_cannot_break_a_line(folder):
    name = "two\nlines\t\x1b[31m.mp4"
    shutil.copy("videos/sea 2.mp4", name)
    (line,) = lines_of(index(name))
    assert line[1] == r"two\nlines\t\x1b[31m.mp4"


def test_settings_are_those_of_the_index_unless_they_are_given(folder):
    assert index("videos", "--threshold", 2, "--key-frame", "random", "--seed", 3).exit_code == 0
    assert call("index", "videos", "--index", "index").exit_code == 0
    shots = VideoIndex("index").settings.shots
    assert (shots.threshold, shots.key_frame, shots.seed, shots.min_length) == (2.0, "random", 3, 0.5)
    result = call("index", "videos", "--index", "index", "--threshold", 1)
    assert result.exit_code == 2
    assert "threshold is 2.0, not 1.0" in result.stderr


def test_several_networks_give_several_kinds_of_features(folder):
    shutil.copy("colours.onnx", "again.onnx")
    networks = ("--network", "colours.onnx", "--network", "more=again.onnx", "--network", "again.onnx")
    result = call(
        "index",
        "videos/sea 2.mp4",
        "--index",
        "index",
        *networks,
        *("--preprocess", "unit") * 2,
        "--preprocess",
        "-",
    )
    assert result.exit_code == 0, result.output
    assert VideoIndex("index").feature_names == ("colours", "more", "again")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("*.mov",), "'*.mov' is no file, and as a pattern it matches none"),
        (("empty",), "no file has a suffix of videos"),
        (("videos", "--jobs", 0), "--jobs is 0"),
        (("videos", "--engine", "far"), "--engine is 'far'"),
        (("videos", "--timeout", 0), "--timeout is 0"),
        (("videos", "--threshold", -1), "threshold"),
        (("videos", "--key-frame", "first"), "'first'"),
        (
            ("videos", "--classes", "a.txt", "--classes", "b.txt"),
            "--classes is given 2 times for 1 --network",
        ),
        (("videos", "--network", "gone.onnx"), "gone.onnx"),
        (("videos", "--network", "a=x.onnx", "--network", "a=y.onnx"), "--network NAME=FILE"),
        (("videos", "--preprocess", "none"), "preprocess"),
    ],
)
def test_wrong_usage_is_one_sentence(folder, arguments, words):
    (folder / "empty").mkdir()
    preprocess = (
        () if "--preprocess" in arguments or arguments.count("--network") == 2 else ("--preprocess", "unit")
    )
    network = () if arguments.count("--network") else ("--network", "colours.onnx")
    if "gone.onnx" in arguments:
        preprocess = ()
    result = call("index", *arguments, "--index", "index", *network, *preprocess)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_folder_of_other_things_is_no_index(folder):
    result = call("index", "videos", "--index", "videos", "--network", "colours.onnx")
    assert result.exit_code == 2
    assert "videos is no index" in result.stderr


@pytest.mark.parametrize("left", ["index.lock", ".12-34.tmp"])
def test_a_run_that_ended_before_it_made_the_index_does_not_block_the_next(folder, left):
    (folder / "index").mkdir()
    (folder / "index" / left).touch()
    result = index("videos")
    assert result.exit_code == 0, result.stderr
    assert VideoIndex("index").paths == ("videos/fire 1.mp4", "videos/sea 2.mp4")


def test_videos_that_are_gone_are_forgotten_if_asked(folder, monkeypatch):
    index("videos")
    (folder / "videos" / "fire 1.mp4").rename(folder / "videos" / "blaze.mp4")
    with counted_reads(monkeypatch) as paths:
        assert lines_of(index("videos"))[0][:2] == ["ok", "blaze.mp4"]
        assert set(VideoIndex("index").paths) == {
            f"videos/{name}.mp4" for name in ("blaze", "fire 1", "sea 2")
        }
        result = index("videos", "--prune")
    assert paths == []
    assert result.stderr.endswith("Forgotten, because they are no longer there: 1 video.\n")
    assert VideoIndex("index").paths == ("videos/blaze.mp4", "videos/sea 2.mp4")
    assert VideoIndex("index").video("videos/blaze.mp4").n_shots == 2


def test_a_missing_package_is_one_sentence(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    result = index("videos")
    assert result.exit_code == 2
    assert "widemargin[video]" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_terminal_gets_a_table(folder, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    result = index("videos")
    assert result.exit_code == 0
    assert "\t" not in result.stdout
    header, fire, sea = result.stdout.splitlines()
    assert "status" in header
    assert "fire 1.mp4" in fire
    assert "sea 2.mp4" in sea
    assert "Indexing" in result.stderr


class InterruptedIndex:
    """Reports one video as finished, then the user presses Ctrl-C, or the process is told to end."""

    number = signal.SIGINT
    options = None

    @classmethod
    def create(cls, folder, settings):
        return cls()

    def add(self, paths, *, on_result, on_progress, **options):
        type(self).options = options
        on_progress(paths[0], 0.5, 1.0)
        on_result(IndexResult(paths[0], "partial", "the end\nis missing", 2, 1.0, False, 0.1))
        os.kill(os.getpid(), self.number)
        raise AssertionError("The signal did not come.")


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_says_that_it_goes_on(folder, monkeypatch, number, exit_code):
    monkeypatch.setattr(InterruptedIndex, "number", number)
    monkeypatch.setattr(events_index, "VideoIndex", InterruptedIndex)
    before = signal.getsignal(signal.SIGTERM)
    result = index("videos", "--jobs", 3, "--engine", "dask", "--timeout", 9)
    assert InterruptedIndex.options == {"n_jobs": 3, "engine": "dask", "timeout": 9.0}
    assert result.exit_code == exit_code
    assert result.stdout == "partial\tfire 1.mp4\t2\t1.0\tthe end\\nis missing\n"
    assert "the same command goes on with the rest" in result.stderr
    assert signal.getsignal(signal.SIGTERM) is before


def test_shots_come_from_the_index_or_from_the_file(indexed, tmp_path):
    video = indexed / "videos" / "fire 2.mp4"
    from_index = call("shots", "fire 2", "--index", indexed / "index")
    from_file = call("shots", video)
    assert from_index.exit_code == from_file.exit_code == 0
    assert from_index.stdout == from_file.stdout
    rows = list(csv.DictReader(io.StringIO(from_index.stdout)))
    assert [(row["start"], row["end"]) for row in rows] == [
        ("0.000", "1.000"),
        ("1.000", "2.000"),
        ("2.000", "3.000"),
    ]


@pytest.mark.parametrize(
    ("format", "start"), [("json", "{"), ("edl", "TITLE: fire 2.mp4\n"), ("vtt", "WEBVTT")]
)
def test_shots_in_other_formats_into_a_file(indexed, tmp_path, format, start):
    out = tmp_path / f"shots.{format}"
    result = call("shots", "fire 2", "--index", indexed / "index", "--format", format, "--out", out)
    assert result.exit_code == 0, result.output
    assert result.stdout == ""
    text = out.read_text()
    assert text.startswith(start)
    if format == "json":
        assert [shot["n_frames"] for shot in json.loads(text)["shots"]] == [10, 10, 10]


def test_fewer_shots_with_a_longer_shortest_one(tmp_path):
    video = colours(tmp_path / "a.mp4", RED, GREEN, BLUE)
    result = call("shots", video, "--min-length", 5)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gone.mp4",), "'gone.mp4': "),
        (("fire 2", "--index", "{index}", "--format", "avi"), "--format is 'avi'"),
        (("fire 2", "--index", "{index}", "--threshold", 2), "settings of the index"),
        (("fire", "--index", "{index}"), "'fire'"),
        (("fire 2", "--index", "{index}", "--rate", 0, "--format", "edl"), "rate"),
        (("fire 2", "--index", "{index}", "--out", "{index}"), "which is a folder"),
    ],
)
def test_shots_that_cannot_be_had(indexed, arguments, words):
    result = call("shots", *(str(part).format(index=indexed / "index") for part in arguments))
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_every_video_of_the_folder_is_in_the_index(indexed):
    assert [os.path.basename(path) for path in VideoIndex(indexed / "index").paths] == sorted(VIDEOS)

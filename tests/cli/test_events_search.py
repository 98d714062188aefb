"""``widemargin events search`` and ``concepts``: from words to ranked videos, and a vocabulary of one's own."""

import shutil

import pytest

pytest.importorskip("av")
pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import numpy as np
from PIL import Image

from cli.event_runs import VIDEOS, call, index_options, lines_of, write_lines
from events.index_videos import BLUE, GREEN, RED, colours
from widemargin.events.index import VideoIndex


def search(folder, text, *arguments):
    return call("search", text, "--index", folder / "index", "--vectors", folder / "words.txt", *arguments)


def test_videos_that_show_what_is_described_come_first(indexed):
    for text, colour in (("a fire", RED), ("the water", BLUE), ("grass", GREEN)):
        lines = lines_of(search(indexed, text))
        assert sorted(line[0] for line in lines) == sorted(VIDEOS)
        n_showing = sum(colour in shots for shots in VIDEOS.values())
        assert all((colour in VIDEOS[line[0]]) == (place < n_showing) for place, line in enumerate(lines))
        scores = [float(line[1]) for line in lines]
        assert scores == sorted(scores, reverse=True)


def test_only_the_best(indexed):
    every = lines_of(search(indexed, "fire"))
    assert lines_of(search(indexed, "fire", "--top", 2)) == every[:2]


def test_concepts_and_their_relevance(indexed):
    lines = lines_of(search(indexed, "fire", "--relevance"))
    assert lines[0][0] == "red"
    assert sorted(line[0] for line in lines) == ["blue", "green", "red"]
    (line,) = lines_of(search(indexed, "fire", "--relevance", "--concepts", 1, "--method", "mean"))
    assert line[0] == "red"


def test_relevance_is_cubed_unless_another_sharpness_is_given(indexed):
    def relevance(*arguments):
        return {
            name: float(value) for name, value in lines_of(search(indexed, "fire", "--relevance", *arguments))
        }

    plain = relevance("--sharpness", 1)
    assert 0 < max(abs(value) for value in plain.values() if value != plain["red"]) < 1
    # Printed numbers have six digits, and the cube triples a relative error.
    assert relevance() == pytest.approx({name: value**3 for name, value in plain.items()}, rel=2e-5)
    assert relevance("--sharpness", 2)["red"] == pytest.approx(plain["red"] ** 2, rel=2e-5)


def test_words_that_are_not_known_are_named(indexed):
    result = search(indexed, "unicorn in a fire")
    assert result.exit_code == 0
    assert "'unicorn'" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_concepts_that_are_not_known_are_named_where_concepts_are_printed(indexed, tmp_path):
    words = write_lines(tmp_path / "words.txt", "red 1 0.1 0", "fire 0.9 0.1 0", "sky 0 0.2 1")
    options = ("fire", "--index", indexed / "index", "--vectors", words)
    assert call("search", *options).stderr == ""
    result = call("search", *options, "--relevance")
    assert [line[0] for line in lines_of(result)] == ["red"]
    assert "'green', 'blue'" in result.stderr
    words.write_text("sky 1 0 0\nfire 0 0 1\nsea 0 1 0\n")
    result = call("search", *options)
    assert result.exit_code == 2
    assert "--vectors" in result.stderr


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("", (), "no words"),
        ("in the", (), "no words"),
        ("unicorn", (), "only words without a word vector, 'unicorn'"),
        ("fire", ("--top", 0), "--top is 0"),
        ("fire", ("--concepts", 0), "--concepts is 0"),
        ("fire", ("--sharpness", 0), "--sharpness is 0, but must be above 0"),
        ("fire", ("--sharpness", 1000), "--sharpness is 1000"),
        ("fire", ("--sharpness", "nan"), "--sharpness is nan"),
        ("fire", ("--method", "sum"), "'sum'"),
        ("fire", ("--html", "gone/page.html"), "--html"),
        ("fire", ("--vectors", "gone.txt"), "gone.txt"),
    ],
)
def test_what_cannot_be_searched_for_is_one_sentence(indexed, text, arguments, words):
    result = search(indexed, text, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


def test_the_page_shows_the_evidence(indexed, tmp_path):
    page = tmp_path / "fire.html"
    lines = lines_of(search(indexed, "fire", "--html", page))
    html = page.read_text()
    assert all(line[0] in html for line in lines)
    assert "data:image/jpeg" in html
    assert "red" in html


def test_a_foreign_or_damaged_index_is_one_sentence(indexed, tmp_path):
    result = call("search", "fire", "--index", tmp_path)
    assert result.exit_code == 2
    assert "is no index" in result.stderr
    shutil.copytree(indexed / "index", tmp_path / "copy")
    (tmp_path / "copy" / "index.json").write_text("{")
    result = call("search", "fire", "--index", tmp_path / "copy")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_damaged_file_of_a_video_is_one_sentence(indexed, tmp_path):
    shutil.copytree(indexed / "index", tmp_path / "copy")
    for path in (tmp_path / "copy").rglob("*.npz"):
        path.write_bytes(path.read_bytes()[:100])
    result = call("search", "fire", "--index", tmp_path / "copy", "--vectors", indexed / "words.txt")
    assert result.exit_code == 2
    assert "damaged" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_index_without_videos_says_what_to_do(indexed, tmp_path):
    (tmp_path / "notes.txt").write_text("no video")
    options = [
        str(part).replace(str(indexed / "index"), str(tmp_path / "index")) for part in index_options(indexed)
    ]
    assert call("index", tmp_path / "notes.txt", *options).exit_code == 3
    result = call("search", "fire", "--index", tmp_path / "index")
    assert result.exit_code == 2
    assert "has no video" in result.stderr


@pytest.fixture
def own_index(indexed, tmp_path):
    """A copy of the index, to which concepts may be added."""
    shutil.copytree(indexed / "index", tmp_path / "index")
    shutil.copy(indexed / "words.txt", tmp_path)
    return tmp_path


def write_pictures(folder, n_pictures=6):
    """Write pictures of two colours and a clip, and return the lines of a table of what they show."""
    rng = np.random.default_rng(0)
    lines = ["file,concept"]
    for name, colour in (("fire", (220, 30, 30)), ("water", (30, 30, 220))):
        for number in range(n_pictures):
            pixels = np.clip(np.full((20, 30, 3), colour) + rng.integers(-30, 30, 3), 0, 255).astype(np.uint8)
            Image.fromarray(pixels).save(folder / f"{name}{number}.png")
            lines.append(f"{name}{number}.png,{name}")
    colours(folder / "clip.mp4", RED, GREEN)
    return [*lines, "clip.mp4,fire", "sea 2.mp4,water"]


@pytest.mark.parametrize("replace", [True, False])
def test_concepts_of_ones_own_are_searched_for(own_index, replace):
    table = write_lines(own_index / "labels.csv", *write_pictures(own_index))
    result = call("concepts", "--index", own_index / "index", "--labels", table, *["--replace"] * replace)
    assert result.exit_code == 0, result.output
    assert "2 concepts learnt from 15 pictures" in result.stdout
    own = ("fire", "water")
    assert VideoIndex(own_index / "index").concept_names == (
        own if replace else ("red", "green", "blue", *own)
    )
    for text, colour in (("fire", RED), ("water", BLUE)):
        assert colour in VIDEOS[lines_of(search(own_index, text))[0][0]]


def test_files_that_cannot_be_read_are_named_and_left_out(own_index):
    lines = [*write_pictures(own_index), "gone.mp4,fire", "broken.png,water"]
    (own_index / "broken.png").write_bytes(b"nothing")
    result = call(
        "concepts", "--index", own_index / "index", "--labels", write_lines(own_index / "l.csv", *lines)
    )
    assert result.exit_code == 1
    assert "'gone.mp4' is left out" in result.stderr
    assert "'broken.png' is left out" in result.stderr


@pytest.mark.parametrize(
    ("lines", "arguments", "words"),
    [
        (("file,concept", "gone.png,fire"), (), "No file"),
        (("name,word", "gone.png,fire"), (), "'file'"),
        (("file,concept", "gone.png,"), (), "names no concept"),
        (("file,concept", "gone.png,fire"), ("--features", "sound"), "--features is 'sound'"),
    ],
)
def test_what_is_wrong_with_labels_is_said(own_index, lines, arguments, words):
    table = write_lines(own_index / "labels.csv", *lines)
    result = call("concepts", "--index", own_index / "index", "--labels", table, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr

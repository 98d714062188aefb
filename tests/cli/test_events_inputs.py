"""Files, folders, patterns and lists of names, and how results are printed, without any video."""

import os
import sys
import warnings
from types import SimpleNamespace

import pytest

from widemargin.cli.errors import UsageError
from widemargin.cli.event_output import clock, display_names, print_rows, printable, warnings_as_notes
from widemargin.cli.name_lists import read_columns, read_events, read_names, read_truth
from widemargin.cli.video_paths import find_videos


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder with files of every sort, which is the working folder."""
    for name in ("a.mp4", "b.MKV", "notes.txt", ".hidden.mp4", "in/c.avi", "in/deep/d.webm", "in/.git/e.mp4"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_folder_stands_for_its_videos_and_those_inside(tree):
    found = find_videos(["."])
    assert found.paths == ("./a.mp4", "./b.MKV", "./in/c.avi", "./in/deep/d.webm")
    assert not found.problems


def test_a_file_that_is_named_is_taken_whatever_its_suffix_and_also_if_it_is_not_there(tree):
    assert find_videos(["notes.txt", ".hidden.mp4", "gone.mp4"]).paths == (
        "notes.txt",
        ".hidden.mp4",
        "gone.mp4",
    )


@pytest.mark.parametrize(
    ("pattern", "paths"),
    [
        ("*.mp4", ("a.mp4",)),
        ("?.*", ("a.mp4", "b.MKV")),
        ("**/*.webm", ("in/deep/d.webm",)),
        ("i*", ("in/c.avi", "in/deep/d.webm")),
        ("*", ("a.mp4", "b.MKV", "in/c.avi", "in/deep/d.webm", "notes.txt")),
    ],
)
def test_a_pattern_stands_for_what_a_shell_would_give(tree, pattern, paths):
    assert find_videos([pattern]).paths == paths


def test_a_name_that_exists_is_no_pattern(tree):
    (tree / "take [1].mp4").touch()
    (tree / "take 1.mp4").touch()
    assert find_videos(["take [1].mp4"]).paths == ("take [1].mp4",)


def test_a_file_is_there_once_by_the_name_that_came_first(tree):
    assert find_videos(["a.mp4", tree / "a.mp4", "in/../a.mp4", "*.mp4"]).paths == ("a.mp4",)


def test_links_are_not_resolved_and_circles_end(tree):
    (tree / "link.mp4").symlink_to(tree / "a.mp4")
    (tree / "in" / "up").symlink_to(tree)
    paths = find_videos(["."]).paths
    assert "./link.mp4" in paths
    assert len([path for path in paths if path.endswith("/a.mp4")]) == 1


def test_what_leads_to_no_file_is_said(tree):
    (tree / "empty").mkdir()
    found = find_videos(["*.mov", "empty", "a.mp4"])
    assert found.paths == ("a.mp4",)
    pattern, folder = found.problems
    assert "'*.mov'" in pattern
    assert "matches none" in pattern
    assert "'empty'" in folder
    assert "suffix" in folder


def test_names_are_lines_without_comments(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes("\ufeffa b.mp4\r\n\n  # no\n c.mp4 \na b.mp4\nx\u2028y#1.mp4\nn\xe4h.mp4".encode())
    assert read_names(str(path)) == ("a b.mp4", "c.mp4", "x\u2028y#1.mp4", "n\xe4h.mp4")


def test_names_may_have_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "list.txt"
    path.write_bytes(b"\xff.mp4\n")
    assert read_names(str(path)) == (os.fsdecode(b"\xff.mp4"),)


def test_names_come_from_the_standard_input(monkeypatch, tmp_path):
    path = tmp_path / "list.txt"
    path.write_text("a.mp4\n")
    with path.open("rb") as file:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=file))
        assert read_names("-") == ("a.mp4",)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "names no video"), (b"# only\n", "names no video"), (b"\xff\xfea\0", "is no text")],
)
def test_a_list_that_names_nothing_is_refused(tmp_path, content, words):
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=words):
        read_names(str(path))
    with pytest.raises(UsageError, match=words):
        read_truth(str(path))


def test_a_list_that_is_not_there_is_named():
    with pytest.raises(UsageError, match=r"'gone.txt' cannot be read"):
        read_names("gone.txt")


JSON_EVENTS = """[
    {"name": "fight", "description": "two men fighting", "labels": ["a.mp4", "b;c.mp4"]},
    {"name": "dive", "labels": ["d.mp4"]}
]"""
CSV_EVENTS = """name,description,labels
fight,"two men, fighting",a.mp4; b.mp4
dive,,d.mp4
fight,,c.mp4
"""


def test_events_in_json(tmp_path):
    path = tmp_path / "events.json"
    path.write_text(JSON_EVENTS)
    fight, dive = read_events(str(path))
    assert (fight.name, fight.description, fight.videos) == (
        "fight",
        "two men fighting",
        ("a.mp4", "b;c.mp4"),
    )
    assert (dive.name, dive.description, dive.videos) == ("dive", "dive", ("d.mp4",))


@pytest.mark.parametrize("separator", [",", "\t"])
def test_events_in_a_table(tmp_path, separator):
    path = tmp_path / "events.csv"
    text = CSV_EVENTS if separator == "," else CSV_EVENTS.replace("men,", "men").replace(",", separator)
    path.write_text(text)
    fight, dive = read_events(str(path))
    assert fight.videos == ("a.mp4", "b.mp4", "c.mp4")
    assert fight.description.startswith("two men")
    assert dive.videos == ("d.mp4",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "is no JSON"),
        ('{"name": "a"}', "square brackets"),
        ("[1, 2]", "entry 1 is none"),
        ('[{"name": "a", "labels": "b.mp4"}]', "entry 1 has others"),
        ('[{"name": 1, "labels": []}]', "entry 1 has others"),
        ('[{"name": "a", "labels": ["b.mp4"]}]', "has 1 event, .* --positives"),
        ('[{"name": "", "labels": ["b.mp4"]}, {"name": "c", "labels": ["d"]}]', "without a name"),
        ('[{"name": "a", "labels": []}, {"name": "c", "labels": ["d"]}]', "no video for 'a'"),
        ("name,description\na,b\n", "columns 'name', 'description'"),
        ("name,description,labels\na,one,x\na,two,y\n", "in two ways"),
        ("name,labels\na,b,c\n", "3 cells in row 2"),
        ('name,labels\n"a,b\n', "is no table"),
        ("", "is empty"),
    ],
)
def test_what_is_wrong_with_events_is_said(tmp_path, text, words):
    path = tmp_path / "events"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        read_events(str(path))


def test_truth_is_a_list_of_what_shows_the_event(tmp_path):
    path = tmp_path / "truth.txt"
    path.write_text("a.mp4\n# no\nb, c.mp4\n")
    truth = read_truth(str(path))
    assert dict(truth.labels) == {"a.mp4": {"1"}, "b, c.mp4": {"1"}}
    assert truth.complete
    assert truth.yes_or_no


@pytest.mark.parametrize("header", ["video,label", "File;Event", '"path"\t"labels"'])
def test_truth_is_a_table_of_events(tmp_path, header):
    separator = next(sign for sign in ",;\t" if sign in header)
    path = tmp_path / "truth.csv"
    path.write_text(
        "\n".join((header, *(row.replace(",", separator) for row in ("a,fight", "b,", "a,dive"))))
    )
    truth = read_truth(str(path))
    assert dict(truth.labels) == {"a": {"fight", "dive"}, "b": frozenset()}
    assert not truth.complete
    assert not truth.yes_or_no


def test_truth_is_a_table_of_yes_and_no(tmp_path):
    path = tmp_path / "truth.csv"
    path.write_text("video,label\na,1\nb,0\nc,Yes\n")
    truth = read_truth(str(path))
    assert dict(truth.labels) == {"a": {"1"}, "b": frozenset(), "c": {"1"}}
    assert truth.yes_or_no
    assert not truth.complete


@pytest.mark.parametrize(
    ("text", "words"),
    [("name,concept\na,b\n", "name one of them 'video' or 'file'"), ("file,concept\n", "no row below")],
)
def test_a_table_without_the_columns_is_refused(tmp_path, text, words):
    path = tmp_path / "labels.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=words):
        read_columns(str(path), ("concept",))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b.mp4", "a b.mp4"),
        ("a\tb\n\x1b[31m.mp4", r"a\tb\n\x1b[31m.mp4"),
        ("\u202e4pm.exe", r"\u202e4pm.exe"),
        (os.fsdecode(b"\xff.mp4"), r"\udcff.mp4"),
        ("n\xe4h \U0001f468\u200d\U0001f466.mp4", "n\xe4h \U0001f468\u200d\U0001f466.mp4"),
    ],
)
def test_names_cannot_break_a_line(name, shown):
    assert printable(name) == shown


def test_names_are_base_names_unless_several_are_alike():
    paths = ["x/a.mp4", "x/b.mp4", "y/b.mp4", "z\n/c.mp4"]
    assert list(display_names(paths).values()) == ["a.mp4", "x/b.mp4", "y/b.mp4", "c.mp4"]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00:00.0"), (59.96, "0:01:00.0"), (3725.25, "1:02:05.2"), (36000, "10:00:00.0")],
)
def test_times_have_hours_minutes_and_seconds(seconds, shown):
    assert clock(seconds) == shown


def test_rows_are_lines_with_tabs_where_there_is_no_terminal(capsys):
    print_rows(("video", "score"), [("a" * 300, "1"), ("[red]b", "2")], numeric=("score",))
    assert capsys.readouterr().out == f"{'a' * 300}\t1\n[red]b\t2\n"


def test_rows_are_a_table_in_a_terminal(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "40")
    print_rows(("video", "score"), [("[red]b", "2")], numeric=("score",), styles={"2": "green"})
    out = capsys.readouterr().out
    assert "video" in out
    assert "[red]b" in out
    assert "\x1b[32m" in out


def test_warnings_become_notes_once(capsys):
    with warnings_as_notes():
        for _ in range(2):
            warnings.warn("two\nlines", UserWarning, stacklevel=1)
        warnings.warn("of a library", DeprecationWarning, stacklevel=1)
    assert capsys.readouterr().err == "Note: two\\nlines\n"

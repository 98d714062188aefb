"""Files that are old or new but never half written, whatever stands at their place."""

import json
import os

import pytest

from widemargin.atomic import WriteError, atomic_write, remove_unfinished

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file"
    atomic_write(path, "old")

    def fail(source, target):
        raise OSError("disk gone")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk gone"):
        atomic_write(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_write_left_is_removed(tmp_path):
    (tmp_path / ".t.csv.123.tmp").write_text("half")
    (tmp_path / "t.csv").write_text("whole")
    remove_unfinished(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_a_temporary_file_that_may_still_be_written_stays(tmp_path):
    for name, age in ((".1-1.tmp", 100), (".2-1.tmp", 0)):
        (tmp_path / name).touch()
        written = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (written, written))
    remove_unfinished(tmp_path, min_age=50)
    assert names(tmp_path) == [".2-1.tmp"]


def test_a_name_as_long_as_file_systems_allow(tmp_path):
    path = tmp_path / ("n" * 255)
    atomic_write(path, "new")
    assert path.read_text() == "new"
    with pytest.raises(WriteError) as raised:
        atomic_write(tmp_path / ("n" * 256), "new")
    assert raised.value.filename == str(tmp_path / ("n" * 256))
    assert len(names(tmp_path)) == 1


def test_a_symbolic_link_stays_and_the_file_that_it_leads_to_is_written(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far/file").write_text("old")
    (tmp_path / "middle").symlink_to("far/file")
    (tmp_path / "link").symlink_to("middle")
    atomic_write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "middle").is_symlink()
    assert (tmp_path / "far/file").read_text() == "new"
    assert names(tmp_path) == ["far", "link", "middle"]
    assert names(tmp_path / "far") == ["file"]


def test_a_symbolic_link_to_nothing_gets_its_file(tmp_path):
    (tmp_path / "link").symlink_to("file")
    atomic_write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_symbolic_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(WriteError):
        atomic_write(tmp_path / "one", "new")
    assert names(tmp_path) == ["one", "two"]


def test_a_folder_is_refused(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(WriteError, match="it is a folder"):
        atomic_write(tmp_path / "folder", "new")
    assert names(tmp_path) == ["folder"]


@needs_pipes
@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_pipe_is_refused_and_stays(tmp_path, name):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with pytest.raises(WriteError, match="it is a pipe or a device"):
        atomic_write(tmp_path / name, "new")
    assert (tmp_path / "pipe").is_fifo()
    assert names(tmp_path) == ["link", "pipe"]


def test_the_name_of_a_file_in_another_encoding_can_be_written(tmp_path):
    name = "caf\udce9.csv"
    atomic_write(tmp_path / "run.json", json.dumps({"data": name}, ensure_ascii=False))
    assert json.loads((tmp_path / "run.json").read_bytes()) == {"data": name}

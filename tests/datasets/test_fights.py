import pytest

from widemargin.datasets import DatasetError, MissingDatasetError, load_fight_clips


def make(root, **parts):
    for part, names in parts.items():
        folder = root / "fights" / part
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).touch()
    return root


def test_clips_are_sorted_and_labelled(tmp_path):
    make(tmp_path, fight=["b.mp4", "a.AVI", ".hidden.mp4", "notes.txt"], no_fight=["c.mkv"])
    (tmp_path / "fights" / "no_fight" / "folder.mp4").mkdir()
    clips = load_fight_clips(tmp_path)
    assert [path.name for path in clips.files] == ["a.AVI", "b.mp4", "c.mkv"]
    assert clips.fight.tolist() == [True, True, False]


def test_missing_folder(tmp_path):
    with pytest.raises(MissingDatasetError, match="fight is missing: pass the folder in which fights lies"):
        load_fight_clips(tmp_path)
    make(tmp_path, fight=["a.mp4"])
    with pytest.raises(MissingDatasetError, match="no_fight is missing"):
        load_fight_clips(tmp_path)


def test_empty_folder(tmp_path):
    with pytest.raises(DatasetError, match="no_fight has no clip"):
        load_fight_clips(make(tmp_path, fight=["a.mp4"], no_fight=["notes.txt"]))


def test_folder_must_be_a_path():
    with pytest.raises(TypeError, match="folder must be a str or a Path"):
        load_fight_clips(3)

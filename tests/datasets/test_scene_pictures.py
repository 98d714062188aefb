"""Listing the scenes: which files are found, and what is said about folders that are not as described."""

import os
import shutil

import pytest

from experiments.ranking_files import write_scenes
from widemargin.datasets import DatasetError, MissingDatasetError, load_scene_pictures


def test_files_are_sorted_by_class_and_name(tmp_path):
    write_scenes(tmp_path, n_pictures=2)
    scenes = load_scene_pictures(str(tmp_path))
    assert scenes.class_names == ("Coast", "Kitchen", "Office", "Street")
    assert scenes.indoor.tolist() == [False, True, True, False]
    for part, files, y in (
        ("train", scenes.train_files, scenes.y_train),
        ("test", scenes.test_files, scenes.y_test),
    ):
        assert y.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
        assert [file.relative_to(tmp_path / "scenes15").parts for file in files] == [
            (part, name, f"image_{k:04d}.png") for name in scenes.class_names for k in range(2)
        ]


def test_other_files_are_left_out(tmp_path):
    write_scenes(tmp_path, n_pictures=1)
    place = tmp_path / "scenes15" / "train" / "Coast"
    for name in ("Thumbs.db", "._image_0000.png", "notes.txt"):
        (place / name).write_text("no picture")
    (place / "B.JPG").write_text("not opened")
    (tmp_path / "scenes15" / "train" / ".cache").mkdir()
    (tmp_path / "scenes15" / "train" / "readme.txt").write_text("no class")
    scenes = load_scene_pictures(tmp_path)
    assert [file.name for file in scenes.train_files[:2]] == ["B.JPG", "image_0000.png"]
    assert scenes.y_train.tolist() == [0, 0, 1, 2, 3]


def test_only_ordinary_files_are_pictures(tmp_path):
    write_scenes(tmp_path, n_pictures=1)
    place = tmp_path / "scenes15" / "train" / "Coast"
    (place / "folder.jpg").mkdir()
    (place / "loop.jpg").symlink_to(place / "loop.jpg")
    (place / "link.png").symlink_to(place / "image_0000.png")
    os.mkfifo(place / "pipe.jpg")
    scenes = load_scene_pictures(tmp_path)
    assert [file.name for file in scenes.train_files[:2]] == ["image_0000.png", "link.png"]
    assert scenes.y_train.tolist() == [0, 0, 1, 2, 3]


@pytest.mark.parametrize("second", ["kitchen", "MITkitchen"])
def test_two_folders_of_a_class_are_refused(tmp_path, second):
    write_scenes(tmp_path, n_pictures=1)
    for part in ("train", "test"):
        (tmp_path / "scenes15" / part / second).mkdir()
    with pytest.raises(DatasetError, match=rf"has the folders 'Kitchen' and '{second}' for the same class"):
        load_scene_pictures(tmp_path)


def test_names_of_other_copies_are_known(tmp_path):
    names = ("CALsuburb", "MITinsidecity", "MITtallbuilding", "PARoffice", "industrial", "living room")
    write_scenes(tmp_path, n_pictures=1, classes=names)
    scenes = load_scene_pictures(tmp_path)
    assert scenes.class_names == names
    assert scenes.indoor.tolist() == [False, False, False, True, True, True]


@pytest.mark.parametrize(
    ("damage", "kind", "complaint"),
    [
        (lambda root: shutil.rmtree(root), MissingDatasetError, "train is missing"),
        (lambda root: shutil.rmtree(root / "test"), MissingDatasetError, "test is missing"),
        (
            lambda root: [shutil.rmtree(path) for path in (root / "train").iterdir()],
            DatasetError,
            "no folder",
        ),
        (lambda root: shutil.rmtree(root / "test" / "Street"), DatasetError, "has the class 'Street' in one"),
        (lambda root: (root / "test" / "Coast" / "image_0000.png").unlink(), DatasetError, "has no picture"),
        (
            lambda root: [(root / part / "Coast").rename(root / part / "Park") for part in ("train", "test")],
            DatasetError,
            "class 'Park', which is none of the fifteen",
        ),
    ],
)
def test_one_sentence_says_what_is_wrong(tmp_path, damage, kind, complaint):
    write_scenes(tmp_path, n_pictures=1)
    damage(tmp_path / "scenes15")
    with pytest.raises(kind) as caught:
        load_scene_pictures(tmp_path)
    assert complaint in str(caught.value)
    assert "scenes15" in str(caught.value)

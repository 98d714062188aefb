import numpy as np
import pytest

from widemargin.datasets import DatasetError, MissingDatasetError, load_shot_features

LISTS = {"train_10Ex": "video,event\na,E1\nb,\n", "test": "video,event\nc,E2\n"}


@pytest.fixture
def folder(tmp_path):
    for part, n_columns in (("features/cnn", 4), ("features/motion", 3), ("concepts", 2)):
        (tmp_path / part).mkdir(parents=True)
        for number, name in enumerate("abc"):
            np.save(tmp_path / part / f"{name}.npy", np.full((number + 2, n_columns), (number + 1) / 4))
    (tmp_path / "concepts.txt").write_text("cake\nbirthday candle\n")
    (tmp_path / "events.csv").write_text('event,description\nE1,"a party, with cake"\nE2,a parade\n')
    (tmp_path / "lists").mkdir()
    for name, text in LISTS.items():
        (tmp_path / "lists" / f"{name}.csv").write_text(text)
    return tmp_path


def test_videos_of_a_list(folder):
    found = load_shot_features(folder)
    assert found.kinds == ("cnn", "motion")
    assert found.concept_names == ("cake", "birthday candle")
    assert found.descriptions == {"E1": "a party, with cake", "E2": "a parade"}
    videos, events = found.videos("train_10Ex")
    assert events.tolist() == ["E1", ""]
    assert [video.name for video in videos] == ["a", "b"]
    assert videos[1].features["motion"].shape == (3, 3)
    assert videos[1].shots.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert videos[1].duration == 3


def test_other_formats_and_times(folder):
    (folder / "features" / "cnn" / "a.npy").unlink()
    (folder / "features" / "cnn" / "a.csv").write_text("1,2,3,4\n5,6,7,8\n")
    (folder / "concepts" / "a.npy").unlink()
    np.savez(folder / "concepts" / "a.npz", p=np.array([[0.1, 0.9], [0.5, 0.5]]))
    (folder / "times").mkdir()
    (folder / "times" / "a.csv").write_text("0,2\n2,7.5\n")
    video = load_shot_features(folder).video("a")
    assert video.features["cnn"].tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert video.concepts[0].tolist() == [0.1, 0.9]
    assert video.key_times.tolist() == [1, 4.75]
    assert video.duration == 7.5


@pytest.mark.parametrize("part", ["features", "concepts", "lists"])
def test_missing_folders(folder, part):
    (folder / part).rename(folder / "elsewhere")
    with pytest.raises(MissingDatasetError, match=f"{part} is missing"):
        load_shot_features(folder)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("concepts.txt", "cake\n\ncandle\n", "an empty line"),
        ("concepts.txt", "", "is empty"),
        ("events.csv", "name,words\nE1,x\n", "the first line is event,description"),
        ("events.csv", "event,description\n", "at least one line"),
        ("events.csv", "event,description\nE1,x\nE1,y\n", "has an event twice"),
        ("events.csv", "event,description\nE1,\n", "an empty cell"),
        ("events.csv", 'event,description\nE1,"x\n', "no table with commas"),
        ("lists/test.csv", "video,event\nc,E3\n", "the event 'E3', which is not in events.csv"),
        ("lists/test.csv", "video,event\nc,E1\nc,E2\n", "the video 'c' twice"),
        ("lists/test.csv", "video,event\n../c,E1\n", "without folder"),
        ("lists/test.csv", "video,event\nc,E1,1\n", "not in the layout"),
    ],
)
def test_bad_lists(folder, file, text, message):
    (folder / file).write_text(text)
    with pytest.raises(DatasetError, match=message):
        load_shot_features(folder)


def test_text_that_is_none(folder):
    (folder / "concepts.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DatasetError, match="cannot be read as text in UTF-8"):
        load_shot_features(folder)


@pytest.mark.parametrize(
    ("file", "array", "message"),
    [
        ("concepts/a.npy", np.ones((3, 2)), "different numbers of shots of the video 'a'"),
        ("concepts/a.npy", np.ones((2, 5)), "has 5 columns"),
        ("concepts/a.npy", -np.ones((2, 2)), "values outside 0 to 1"),
        ("concepts/a.npy", 1.1 * np.ones((2, 2)), "values outside 0 to 1"),
        ("times/a.npy", np.ones((2, 3)), "start and end"),
        ("times/a.npy", np.array([[0, 1], [3, 2]]), "start and end"),
    ],
)
def test_bad_arrays(folder, file, array, message):
    (folder / "times").mkdir(exist_ok=True)
    np.save(folder / "times" / "a.npy", np.array([[0.0, 1.0], [1.0, 2.0]]))
    np.save(folder / file, array)
    with pytest.raises(DatasetError, match=message):
        load_shot_features(folder).video("a")


@pytest.fixture
def extra(folder):
    for part, n_columns in (("features/cnn", 4), ("features/motion", 3), ("concepts", 2)):
        (folder / "extra" / part).mkdir(parents=True)
        np.save(folder / "extra" / part / "a.npy", np.full((4, n_columns), 0.25))
    return folder / "extra"


def test_extra_frames_are_evenly_spaced(folder, extra):
    video = load_shot_features(folder).video("a")
    assert video.duration == 2
    assert video.extra_times.tolist() == [0.25, 0.75, 1.25, 1.75]
    assert video.extra_features["motion"].shape == (4, 3)
    assert video.extra_concepts.tolist() == [[0.25, 0.25]] * 4
    assert load_shot_features(folder).video("b").extra_times.size == 0


@pytest.mark.parametrize(
    ("file", "array", "message"),
    [
        ("features/cnn/a.npy", np.ones((3, 4)), "different numbers of shots"),
        ("features/cnn/a.npy", np.ones((4, 5)), "other numbers of features"),
        ("concepts/a.npy", np.full((4, 2), 2.0), "values outside 0 to 1"),
    ],
)
def test_bad_extra_frames(folder, extra, file, array, message):
    np.save(extra / file, array)
    with pytest.raises(DatasetError, match=message):
        load_shot_features(folder).video("a")


def test_a_pickle_is_not_read(folder):
    np.save(folder / "concepts" / "a.npy", np.array([[{}, {}], [{}, {}]]), allow_pickle=True)
    with pytest.raises(DatasetError):
        load_shot_features(folder).video("a")


def test_unknown_names(folder):
    found = load_shot_features(folder)
    with pytest.raises(DatasetError, match="no file d"):
        found.video("d")
    with pytest.raises(ValueError, match="there are the lists test, train_10Ex"):
        found.videos("train")

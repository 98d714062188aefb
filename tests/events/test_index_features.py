"""Features and concepts that are added to an index, and what a video without them says."""

import shutil

import numpy as np
import pytest

pytest.importorskip("av")
pytest.importorskip("onnxruntime")

from events.index_videos import (
    BLUE,
    CLASSES,
    GREEN,
    RED,
    colour_index,
    colour_network,
    colour_settings,
    colours,
    counted_reads,
)
from widemargin.events.index import VideoIndex
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.settings import IndexSettings, NetworkSpec


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    a = str(colours(folder / "a.mp4", RED, GREEN))
    b = str(colours(folder / "b.mp4", BLUE, RED, GREEN, BLUE, RED))
    index = colour_index(folder)
    index.add([a, b])
    return index.folder, a, b


@pytest.fixture
def copy(made, tmp_path):
    """A copy of an index of two videos: one of 2 shots and 4 or more extra frames, one of 5 shots and none."""
    folder, a, b = made
    shutil.copytree(folder, tmp_path / "index")
    return VideoIndex(tmp_path / "index"), a, b


class Detectors:
    """Stands in for fitted detectors of two concepts: the second is how red a picture is."""

    concept_names_ = np.array(["dull", "warm"], dtype=object)

    def predict_proba(self, X):
        assert X.shape[1] == 4
        warm = np.clip(X[:, 0], 0, 1)
        return np.stack((1 - warm, warm), axis=1)


def test_features_from_elsewhere_are_a_kind_of_their_own(copy):
    index, a, b = copy
    rng = np.random.default_rng(0)
    n_extra = len(index.video(a).extra_times)
    arrays = {a: rng.normal(size=(2, 6)), b: rng.normal(size=(5, 6))}
    extra = {a: rng.normal(size=(n_extra, 6))}
    index.add_features("motion", arrays, extra=extra)
    for opened in (index, VideoIndex(index.folder)):
        assert opened.feature_names == ("colours", "motion")
        for path in (a, b):
            video = opened.video(path)
            assert list(video.features) == ["colours", "motion"]
            np.testing.assert_array_equal(video.features["motion"], arrays[path].astype(np.float32))
        np.testing.assert_array_equal(opened.video(a).extra_features["motion"], extra[a].astype(np.float32))
        assert opened.video(b).extra_features["motion"].shape == (0, 6)
    assert len(index.feature_digest("motion")) == 64


def test_a_video_without_a_kind_says_so(copy):
    index, a, b = copy
    index.add_features("motion", {a: np.ones((2, 3))})
    video = index.video(b)
    assert "motion" not in video.features
    assert list(video.features) == ["colours"]
    with pytest.raises(
        VideoIndexError, match=r"b.mp4 has no features 'motion' of its shots: pass them to add_"
    ):
        video.features["motion"]
    with pytest.raises(VideoIndexError, match=r"a.mp4 has no features 'motion' of its extra frames"):
        index.video(a).extra_features["motion"]
    with pytest.raises(KeyError):
        video.features["unheard of"]
    index.add_features("motion", {b: np.ones((5, 3))})
    assert index.video(b).features["motion"].shape == (5, 3)
    assert index.video(a).features["motion"].shape == (2, 3)


def test_arrays_that_do_not_fit_are_named(copy):
    index, a, b = copy
    good = np.ones((2, 3))
    for name, arrays, extra, message in (
        (
            "motion",
            {a: np.ones((3, 3))},
            None,
            r"arrays\['.*a.mp4'\] has shape \(3, 3\), expected \(2, n_columns\)",
        ),
        ("motion", {a: np.ones(2)}, None, r"has shape \(2,\)"),
        ("motion", {a: [["x"], ["y"]]}, None, "must be an array of real numbers"),
        ("motion", {a: np.full((2, 3), np.nan)}, None, "contains NaN"),
        ("motion", {a: np.full((2, 3), 1e300)}, None, "contains infinity"),
        ("motion", {a: good, b: np.ones((5, 4))}, None, "have 4 columns, expected 3"),
        ("motion", {a: good}, {a: np.ones((1, 3))}, r"extra\['.*a.mp4'\] has shape \(1, 3\)"),
        ("motion", {a: good}, {b: np.ones((1, 3))}, "extra has .*b.mp4', and arrays has not"),
        ("motion", {}, None, "arrays is empty"),
        ("motion", {"c.mp4": good}, None, "no video 'c.mp4'"),
        ("colours", {a: good}, None, "is a network of the index"),
        ("../x", {a: good}, None, "name must be 1 to 64 letters"),
        ("", {a: good}, None, "name must be 1 to 64 letters"),
    ):
        with pytest.raises(ValueError, match=message):
            index.add_features(name, arrays, extra=extra)
    assert index.feature_names == ("colours",)
    index.add_features("motion", {a: good})
    with pytest.raises(ValueError, match="have 2 columns, expected 3"):
        index.add_features("motion", {b: np.ones((5, 2))})


def test_damaged_files_of_added_features_are_named(copy):
    index, a, _ = copy
    index.add_features("motion", {a: np.ones((2, 3))})
    (file,) = (index.folder / "features" / "motion").glob("*.npz")
    np.savez(file, own=np.ones((7, 3), dtype=np.float32))
    with pytest.raises(VideoIndexError, match=f"{file.name} is damaged"):
        index.video(a).features["motion"]
    (index.folder / "features" / "motion" / "kind.json").write_text('{"width": -1}')
    with pytest.raises(VideoIndexError, match=r"kind.json is damaged"):
        _ = VideoIndex(index.folder).feature_names


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_detectors_give_concepts_without_decoding(copy, monkeypatch, mode):
    index, a, _ = copy
    before = index.video(a)
    with counted_reads(monkeypatch) as reads:
        index.apply_detectors(Detectors(), mode=mode)
    assert reads == []
    classes = CLASSES if mode == "append" else ()
    assert index.concept_names == VideoIndex(index.folder).concept_names == (*classes, "dull", "warm")
    video = index.video(a)
    assert video.concepts.shape == (2, len(classes) + 2)
    assert (video.concepts[:, -1] > 0.5).tolist() == [True, False]
    np.testing.assert_array_equal(
        video.extra_concepts[:, -1], np.clip(video.extra_features["colours"][:, 0], 0, 1)
    )
    if mode == "append":
        np.testing.assert_array_equal(video.concepts[:, :3], before.concepts)
    index.reset_concepts()
    assert index.concept_names == CLASSES
    np.testing.assert_array_equal(index.video(a).concepts, before.concepts)


def test_a_video_that_came_later_has_none_of_them(copy, tmp_path):
    index, a, _ = copy
    index.apply_detectors(Detectors())
    late = str(colours(tmp_path / "late.mp4", RED))
    index.add([late])
    assert index.video(a).concepts.shape == (2, 2)
    with pytest.raises(
        VideoIndexError, match=r"late.mp4' was added after the concepts of the index were set"
    ):
        index.video(late)
    index.apply_detectors(Detectors())
    assert index.video(late).concepts.shape == (1, 2)
    assert len(list((index.folder / "concepts").iterdir())) == 1


def test_concepts_from_elsewhere(copy):
    index, a, b = copy
    n_extra = len(index.video(a).extra_times)
    arrays = {a: [[0.25], [0.75]], b: np.full((5, 1), 0.5)}
    extra = {a: np.zeros((n_extra, 1))}
    index.set_concepts(["smoke"], arrays, extra=extra)
    assert index.concept_names == ("smoke",)
    np.testing.assert_array_equal(index.video(a).concepts, arrays[a])
    assert index.video(b).extra_concepts.shape == (0, 1)
    for names, given, its_extra, mode, message in (
        (["smoke"], arrays, None, "replace", r"no concepts for the extra frames of '.*a.mp4'"),
        (["smoke"], {a: arrays[a]}, extra, "replace", r"no concepts for the shots of '.*b.mp4'"),
        (["smoke", "fire"], arrays, extra, "replace", "have 1 columns, expected 2"),
        (["smoke"], {**arrays, b: np.full((5, 1), 1.5)}, extra, "replace", "probabilities from 0 to 1"),
        (["red"], arrays, extra, "append", "'red' twice, or it is a class already"),
        ([], arrays, extra, "replace", "have 1 columns, expected 0"),
        ("s", arrays, extra, "replace", "must be a list of names"),
        (["smoke"], arrays, extra, "beside", "mode must be one of 'replace', 'append'"),
    ):
        with pytest.raises(ValueError, match=message):
            index.set_concepts(names, given, extra=its_extra, mode=mode)
    assert len(list((index.folder / "concepts").iterdir())) == 1
    assert index.concept_names == ("smoke",)


def test_a_damaged_vocabulary_is_named(copy):
    index, _, _ = copy
    index.apply_detectors(Detectors())
    (index.folder / "concepts.json").write_text('{"names": ["x"], "mode": "append", "folder": "../.."}')
    with pytest.raises(VideoIndexError, match=r"concepts.json is damaged: delete it to go back"):
        VideoIndex(index.folder)


def test_every_picture_goes_through_each_network(tmp_path):
    colour_network(tmp_path / "colours.onnx")
    path = colours(tmp_path / "a.mp4", RED, BLUE)
    plain, named = (
        NetworkSpec(name, path=str(tmp_path / "colours.onnx"), classes=classes, preprocess="unit")
        for name, classes in (("unit", None), ("again", None))
    )
    settings = IndexSettings(colour_settings(tmp_path).shots, (plain, named))
    index = VideoIndex.create(tmp_path / "index", settings)
    index.add([path])
    video = index.video(path)
    assert tuple(video.features) == index.feature_names == ("unit", "again")
    np.testing.assert_array_equal(video.features["unit"], video.features["again"])
    assert video.concepts.shape == (2, 3)

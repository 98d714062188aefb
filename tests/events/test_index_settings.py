"""The settings of an index: kept in its folder, compared when it is opened again, checked when they are read."""

import json

import pytest

pytest.importorskip("av")
pytest.importorskip("onnxruntime")

from events.index_videos import CLASSES, colour_index, colour_network, colour_settings
from widemargin.events.index import VideoIndex
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.settings import IndexSettings, NetworkSpec
from widemargin.video import ShotSettings


def test_an_index_knows_its_settings_and_networks(tmp_path):
    index = colour_index(tmp_path, threshold=2.0)
    opened = VideoIndex(index.folder)
    assert opened.settings == index.settings
    assert opened.settings.shots.threshold == 2.0
    assert opened.feature_names == ("colours",)
    assert opened.concept_names == CLASSES
    assert opened.paths == ()
    assert opened.feature_digest("colours") == opened.settings.networks[0].digest != ""
    with pytest.raises(VideoIndexError, match="no features 'other': choose among colours"):
        opened.feature_digest("other")


def test_the_same_settings_open_the_index_and_others_are_named(tmp_path):
    colour_index(tmp_path)
    assert len(colour_index(tmp_path)) == 0
    with pytest.raises(
        VideoIndexError, match=r"threshold is 1.0, not 2.0; n_extra_frames is 4, not 5\. Give another"
    ):
        colour_index(tmp_path, threshold=2.0, n_extra_frames=5)
    assert VideoIndex.create(tmp_path / "index").settings.shots.threshold == 1.0


def test_another_network_is_named(tmp_path):
    colour_index(tmp_path)
    colour_network(tmp_path / "colours.onnx", shape=("n", 3, 16, 16))
    with pytest.raises(VideoIndexError, match="the network colours has other weights"):
        colour_index(tmp_path)
    other = NetworkSpec("others", path=str(tmp_path / "colours.onnx"))
    with pytest.raises(VideoIndexError, match="its networks are colours, not others"):
        VideoIndex.create(
            tmp_path / "index", IndexSettings(colour_settings(tmp_path).shots, networks=(other,))
        )


def test_a_network_may_move(tmp_path):
    colour_index(tmp_path)
    moved = tmp_path / "elsewhere.onnx"
    (tmp_path / "colours.onnx").rename(moved)
    spec = NetworkSpec("colours", path=str(moved), preprocess="unit")
    VideoIndex.create(tmp_path / "index", IndexSettings(colour_settings(tmp_path).shots, (spec,)))
    assert VideoIndex(tmp_path / "index").settings.networks[0].path == str(moved)


def test_networks_that_call_themselves_the_same_are_named(tmp_path):
    specs = (NetworkSpec("x", path="a.onnx"), NetworkSpec("x", path="b.onnx"))
    with pytest.raises(ValueError, match="networks has the name 'x' twice"):
        IndexSettings(networks=specs)
    network = str(colour_network(tmp_path / "colours.onnx"))
    same = (NetworkSpec(path=network), NetworkSpec("colours", path=network))
    with pytest.raises(ValueError, match="networks has the name 'colours' twice"):
        VideoIndex.create(tmp_path / "index", IndexSettings(networks=same))


def test_values_of_other_types_are_named():
    with pytest.raises(TypeError, match="path must be text, got 3"):
        NetworkSpec("x", path=3)
    with pytest.raises(TypeError, match="digest must be text, got None"):
        NetworkSpec("x", digest=None)
    with pytest.raises(ValueError, match="name has 101 characters"):
        NetworkSpec("x" * 101)
    with pytest.raises(TypeError, match="shots must be ShotSettings"):
        IndexSettings(shots=1.0)
    with pytest.raises(TypeError, match="networks must be a tuple of NetworkSpec"):
        IndexSettings(networks=NetworkSpec())
    with pytest.raises(ValueError, match="networks is empty"):
        IndexSettings(networks=())
    assert IndexSettings().shots == ShotSettings()


def test_a_folder_of_other_things_stays_as_it_is(tmp_path):
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "holiday.txt").touch()
    with pytest.raises(VideoIndexError, match=r"holds 'holiday.txt' already: give a new or empty folder"):
        colour_index(tmp_path)
    assert [path.name for path in (tmp_path / "index").iterdir() if path.suffix != ".lock"] == ["holiday.txt"]
    with pytest.raises(VideoIndexError, match="is no index of videos: make one"):
        VideoIndex(tmp_path / "index")
    with pytest.raises(VideoIndexError, match="is no index of videos: make one"):
        VideoIndex(tmp_path / "nowhere")
    with pytest.raises(VideoIndexError, match="is no folder"):
        VideoIndex.create(tmp_path / "index" / "holiday.txt", IndexSettings())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("{", "is damaged"),
        ("[]", "is damaged"),
        ("[" * 10**5, "is damaged"),
        ({"format": "table"}, "belongs to something else"),
        ({"version": 2}, "has version 2, and this version of widemargin reads 1"),
        ({"widths": []}, "is damaged"),
        ({"widths": [0]}, "is damaged"),
        ({"widths": ["4"]}, "is damaged"),
        ({"widths": 4}, "is damaged"),
        ({"concept_names": "red"}, "is damaged"),
        ({"concept_names": [1]}, "is damaged"),
        ({"shots": {}}, "is damaged"),
        ({"shots": None}, "is damaged"),
        ({"networks": []}, "is damaged"),
        ({"networks": [{}]}, "is damaged"),
        ({"networks": 5}, "is damaged"),
    ],
)
def test_a_damaged_file_of_settings_is_named(tmp_path, change, message):
    path = colour_index(tmp_path).folder / "index.json"
    content = json.loads(path.read_text())
    path.write_text(change if isinstance(change, str) else json.dumps(content | change))
    with pytest.raises(VideoIndexError, match=f"index.json {message}"):
        VideoIndex(path.parent)

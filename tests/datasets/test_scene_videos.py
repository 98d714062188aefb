import numpy as np
import pytest
from PIL import Image

from widemargin.datasets import SCENE_DESCRIPTIONS, DatasetError, load_scene_events

NAMES = [
    "Bedroom", "Coast", "Forest", "Highway", "Industrial", "InsideCity", "Kitchen", "LivingRoom", "Mountain", "Office",
    "OpenCountry", "Store", "Street", "Suburb", "TallBuilding",
]  # fmt: skip


def make(root, names=NAMES, n_pictures=3):
    for part in ("train", "test"):
        for number, name in enumerate(names):
            folder = root / "scenes15" / part / name
            folder.mkdir(parents=True)
            for picture in range(n_pictures):
                # Levels tell class, part and picture apart.
                level = 10 * number + 3 * picture + (part == "test")
                Image.new("L", (8, 6), level).save(folder / f"{picture}.png")
    return root


def levels(events):
    return {
        event: sorted(int(picture[0, 0, 0]) for picture in pictures) for event, pictures in events.items()
    }


def test_every_scene_is_an_event_with_words(tmp_path):
    found = load_scene_events(make(tmp_path), "test")
    assert list(found) == list(SCENE_DESCRIPTIONS)
    # The names of the scenes are in alphabetical order, as those of the folders.
    assert levels(found) == {
        event: [10 * number + 1, 10 * number + 4, 10 * number + 7] for number, event in enumerate(found)
    }
    assert found["kitchen"][0].dtype == np.uint8


def test_pictures_are_drawn_by_seed(tmp_path):
    make(tmp_path, n_pictures=9)
    draws = [levels(load_scene_events(tmp_path, "train", 2, seed)) for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
    assert {len(own) for own in draws[0].values()} == {2}


def test_names_of_laboratories_are_known(tmp_path):
    found = load_scene_events(make(tmp_path, ["MITinsidecity", "CALsuburb", "PARoffice"]), "train")
    assert list(found) == ["inside city", "office", "suburb"]


def test_a_file_that_is_no_picture(tmp_path):
    make(tmp_path, ["Kitchen"], 1)
    (tmp_path / "scenes15" / "train" / "Kitchen" / "0.png").write_bytes(b"no picture")
    with pytest.raises(DatasetError, match=r"0\.png cannot be read as a picture"):
        load_scene_events(tmp_path, "train")


def test_a_picture_that_is_too_large(tmp_path):
    make(tmp_path, ["Kitchen"], 1)
    Image.new("1", (4097, 4097)).save(tmp_path / "scenes15" / "train" / "Kitchen" / "0.png")
    with pytest.raises(DatasetError, match="has 4097 x 4097 pixels"):
        load_scene_events(tmp_path, "train")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("both",), "part must be one of"), (("train", 0), "n_pictures must be at least 1")],
)
def test_bad_parameters(tmp_path, arguments, message):
    with pytest.raises(ValueError, match=message):
        load_scene_events(tmp_path, *arguments)

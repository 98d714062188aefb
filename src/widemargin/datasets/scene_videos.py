"""Pictures of fifteen scenes as events: each named by words, with pictures drawn for making videos."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from PIL import Image
from sklearn.utils import check_random_state

from widemargin.datasets.files import DatasetError
from widemargin.datasets.scene_pictures import load_scene_pictures
from widemargin.validation import check_choice, check_integer

__all__ = ["SCENE_DESCRIPTIONS", "load_scene_events"]

Pictures = Mapping[str, list[npt.NDArray[np.uint8]]]

_MOST_PIXELS = 2**24

SCENE_DESCRIPTIONS: Mapping[str, str] = {
    "bedroom": "a bedroom with a bed",
    "coast": "the coast of the sea with a beach",
    "forest": "trees in a forest",
    "highway": "cars on a highway",
    "industrial": "machines in an industrial plant",
    "inside city": "houses in the centre of a city",
    "kitchen": "a kitchen with a stove",
    "living room": "a living room with a sofa",
    "mountain": "high mountains with snow",
    "office": "an office with a desk and a computer",
    "open country": "fields and meadows in open country",
    "store": "goods on the shelves of a store",
    "street": "a street with cars and buildings",
    "suburb": "houses with gardens in a suburb",
    "tall building": "a tall building, a skyscraper",
}
"""A few words on each scene, written before anything was computed with them."""


def load_scene_events(
    folder: str | Path,
    part: Literal["train", "test"],
    n_pictures: int = 20,
    random_state: int | np.random.RandomState | None = None,
) -> dict[str, list[npt.NDArray[np.uint8]]]:
    """Draw pictures of each of the fifteen scenes, as `make_event_videos` takes them.

    Parameters
    ----------
    folder : str or Path
        Folder with ``scenes15`` in it, as `load_scene_pictures` reads it.
    part : {"train", "test"}
        Which of its parts.
    n_pictures : int, default=20
        Pictures of each scene, at least 1; all, if a scene has fewer.
    random_state : int, RandomState instance or None, default=None
        Seed of the draw.

    Returns
    -------
    dict of str to list of ndarray of uint8 of shape (height, width, 3)
        Pictures by scene, in the order of `SCENE_DESCRIPTIONS`.

    Raises
    ------
    DatasetError
        If the folder is not as `load_scene_pictures` wants it, or a picture cannot be read or is too large.

    See Also
    --------
    load_scene_pictures : The files.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from PIL import Image
    >>> from widemargin.datasets import load_scene_events
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for part in ("train", "test"):
    ...         for name in ("MITcoast", "LivingRoom"):
    ...             place = Path(folder) / "scenes15" / part / name
    ...             place.mkdir(parents=True)
    ...             Image.new("L", (40, 30)).save(place / "image_0001.png")
    ...     events = load_scene_events(folder, "train", random_state=0)
    >>> {event: [picture.shape for picture in pictures] for event, pictures in events.items()}
    {'coast': [(30, 40, 3)], 'living room': [(30, 40, 3)]}
    """
    check_choice("part", part, ("train", "test"))
    n_pictures = check_integer("n_pictures", n_pictures, at_least=1)
    rng = check_random_state(random_state)
    scenes = load_scene_pictures(folder)
    files, y = (scenes.train_files, scenes.y_train) if part == "train" else (scenes.test_files, scenes.y_test)
    found = {}
    for label, name in enumerate(scenes.class_names):
        own = np.flatnonzero(y == label)
        drawn = own[rng.permutation(own.size)[:n_pictures]]
        found[_event(name)] = [_read(files[place]) for place in drawn]
    return {event: found[event] for event in SCENE_DESCRIPTIONS if event in found}


def _event(class_name: str) -> str:
    """Return our name of a scene, however a copy of the set spells its own."""
    plain = re.sub(r"[\s_-]", "", class_name.lower())
    return next(event for event in SCENE_DESCRIPTIONS if plain.endswith(event.replace(" ", "")))


def _read(path: Path) -> npt.NDArray[np.uint8]:
    try:
        with Image.open(path, formats=("JPEG", "PNG")) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise DatasetError(
                    f"{path} has {image.width} x {image.height} pixels: at most {_MOST_PIXELS} are read."
                )
            return np.asarray(image.convert("RGB"))
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise DatasetError(f"{path} cannot be read as a picture ({error}): replace it.") from error

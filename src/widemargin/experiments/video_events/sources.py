"""Where the videos of the experiments come from: pictures with names, and how many videos are made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt
from filelock import Timeout
from PIL import Image

from widemargin.datasets import (
    SCENE_DESCRIPTIONS,
    EventVideos,
    array_identity,
    load_scene_events,
    load_scene_pictures,
    make_event_videos,
)
from widemargin.engine import unit_seed
from widemargin.experiments.experiment import Settings
from widemargin.experiments.video_events.collection import Collection
from widemargin.experiments.video_events.indexing import indexed
from widemargin.video import ShotSettings

__all__ = ["BundledPictures", "MadeVideos", "PictureSource", "ScenePictureFiles"]

Part = Literal["train", "test"]
_PARTS: tuple[Part, ...] = ("train", "test")
Pictures = Mapping[str, Sequence[npt.NDArray[np.uint8]]]


class PictureSource(Protocol):
    """Pictures of events, and of none."""

    @property
    def descriptions(self) -> Mapping[str, str]:
        """A few words on each event, by its name."""

    @property
    def words(self) -> str:
        """What a protocol says of the pictures."""

    def identity(self, settings: Settings) -> str:
        """Return what tells these pictures from others; raises DatasetError if they cannot be used."""

    def load(self, part: Part, settings: Settings, seed: int) -> tuple[Pictures, Sequence[Any]]:
        """Return pictures by event, and pictures of no event."""


@dataclass(frozen=True)
class BundledPictures:
    """The photographs that scikit-image brings along: five events, and what else there is."""

    @property
    def descriptions(self) -> Mapping[str, str]:
        """A few words on each event, written before anything was computed with them."""
        return {
            "cat": "a cat",
            "coffee": "a cup of coffee",
            "rocket": "a rocket launch",
            "motorcycle": "a motorcycle",
            "astronaut": "an astronaut in a space suit",
        }

    @property
    def words(self) -> str:
        """What a protocol says of the pictures."""
        return (
            "one photograph of each event, of the motorcycle one for training and one for testing, and "
            f"{len(_OTHERS)} of other things, which are the same in training and in testing"
        )

    def identity(self, settings: Settings) -> str:
        """Hash the pictures.

        Parameters
        ----------
        settings : Settings
            Not used: the pictures come with a package.

        Returns
        -------
        str
            Twelve hexadecimal digits.
        """
        return array_identity(
            *(_bundled(name).ravel() for name in (*_EVENTS, "motorcycle_right.png", *_OTHERS))
        )

    def load(self, part: Part, settings: Settings, seed: int) -> tuple[Pictures, Sequence[Any]]:
        """Read the pictures.

        Parameters
        ----------
        part : {"train", "test"}
            Which pictures.
        settings : Settings
            Not used.
        seed : int
            Not used: all pictures are taken.

        Returns
        -------
        pictures : dict of str to list of ndarray
            By event.
        others : list of ndarray
            Of no event.
        """
        names = [
            "motorcycle_right.png" if part == "test" and name.startswith("motorcycle") else name
            for name in _EVENTS
        ]
        events = {event: [_bundled(name)] for event, name in zip(self.descriptions, names, strict=True)}
        return events, [_bundled(name) for name in _OTHERS]


_EVENTS = ("chelsea.png", "coffee.png", "rocket.jpg", "motorcycle_left.png", "astronaut.png")
_OTHERS = (
    "brick.png",
    "camera.png",
    "coins.png",
    "grass.png",
    "gravel.png",
    "hubble_deep_field.jpg",
    "ihc.png",
    "moon.png",
    "page.png",
    "retina.jpg",
    "text.png",
)


def _bundled(name: str) -> npt.NDArray[np.uint8]:
    with files("skimage.data").joinpath(name).open("rb") as file, Image.open(file) as image:
        return np.asarray(image.convert("RGB"))


@dataclass(frozen=True)
class ScenePictureFiles:
    """Pictures of fifteen scenes from the folder of benchmark data, in the set's own two parts.

    Parameters
    ----------
    name : str
        The experiment, for messages.
    n_pictures : int, default=40
        Pictures drawn of each scene, for training and for testing.
    """

    name: str
    n_pictures: int = 40

    @property
    def descriptions(self) -> Mapping[str, str]:
        """A few words on each scene."""
        return SCENE_DESCRIPTIONS

    @property
    def words(self) -> str:
        """What a protocol says of the pictures."""
        return (
            f"{self.n_pictures} of each of fifteen scenes, drawn anew in every repeat from the training pictures of "
            "the set for training and from its test pictures for testing"
        )

    def identity(self, settings: Settings) -> str:
        """Hash names and sizes of the files, which is quicker than to read them.

        Parameters
        ----------
        settings : Settings
            With the folder of the data.

        Returns
        -------
        str
            Twelve hexadecimal digits.
        """
        scenes = load_scene_pictures(settings.data_folder(self.name))
        paths = (*scenes.train_files, *scenes.test_files)
        facts = "".join(f"{path.parent.name}/{path.name} {path.stat().st_size}\n" for path in paths)
        return array_identity(np.frombuffer(facts.encode(), dtype=np.uint8))

    def load(self, part: Part, settings: Settings, seed: int) -> tuple[Pictures, Sequence[Any]]:
        """Draw and read pictures.

        Parameters
        ----------
        part : {"train", "test"}
            Which part of the set.
        settings : Settings
            With the folder of the data.
        seed : int
            Seed of the draw.

        Returns
        -------
        pictures : dict of str to list of ndarray
            By scene.
        others : tuple
            Empty.
        """
        return load_scene_events(settings.data_folder(self.name), part, self.n_pictures, seed), ()


@dataclass(frozen=True)
class MadeVideos:
    """How many videos are made of pictures, and how.

    Parameters
    ----------
    source : PictureSource
        The pictures.
    n_train, n_test : int
        Videos of each event for training and for testing.
    n_others : int
        Videos of no event in each part.
    n_shots, n_relevant : (int, int)
        Least and largest number of shots of a video, and of those that show its event.
    mixed : bool
        Whether the other shots show other events.
    size : (int, int), default=(160, 120)
        Width and height.
    rate : float, default=8.0
        Frames a second.
    shots : ShotSettings
        How they are cut.
    """

    source: PictureSource
    n_train: int
    n_test: int
    n_others: int
    n_shots: tuple[int, int]
    n_relevant: tuple[int, int]
    mixed: bool
    size: tuple[int, int] = (160, 120)
    rate: float = 8.0
    shots: ShotSettings = field(default_factory=lambda: ShotSettings(n_extra_frames=8))

    @property
    def events(self) -> tuple[str, ...]:
        """Names of the events."""
        return tuple(self.source.descriptions)

    @property
    def words(self) -> str:
        """What a protocol says of the videos."""
        others = f" and {self.n_others} of none" if self.n_others else ""
        rest = "of other events, each in one shot at most" if self.mixed else "of none"
        return (
            f"made of pictures by a camera that moves over them. For training {self.n_train} videos of each event"
            f"{others}, for testing {self.n_test}{others}, of {self.n_shots[0]} to {self.n_shots[1]} shots; "
            f"{self.n_relevant[0]} to {self.n_relevant[1]} of them show the event of the video, the others are {rest}. "
            f"{self.size[0]} x {self.size[1]} pixels, {self.rate:g} frames a second, shots of 0.8 to 1.4 seconds. "
            f"Pictures: {self.source.words}"
        )

    def draw(
        self, settings: Settings, name: str, repeat: int, shots: ShotSettings | None = None
    ) -> tuple[Collection, Collection]:
        """Make and index the videos of a repeat, or take their numbers from the cache.

        Parameters
        ----------
        settings : Settings
            Seed and data.
        name : str
            The experiment, which has its own seeds.
        repeat : int
            Which repeat.
        shots : ShotSettings or None, default=None
            Other settings to cut the same videos with.

        Returns
        -------
        train, test : Collection
            The videos.
        """
        found: dict[Part, Collection] = {}
        # Two processes that begin together make one part each, and wait for the other's only then.
        for wait in (False, True):
            for part in _PARTS:
                if part not in found:
                    with nullcontext() if wait else suppress(Timeout):
                        found[part] = self._part(part, settings, name, repeat, shots, wait)
        return found["train"], found["test"]

    def _part(
        self,
        part: Part,
        settings: Settings,
        name: str,
        repeat: int,
        shots: ShotSettings | None,
        wait: bool,
    ) -> Collection:
        seed = unit_seed(settings.seed, name, part, repeat)
        plan = {key: value for key, value in asdict(self).items() if key not in ("source", "shots")}
        identity = {
            "pictures": self.source.identity(settings),
            "words": self.words,
            "seed": seed,
            "part": part,
        } | plan
        make = partial(self._make, part, settings, seed)
        return indexed(identity, make, self.events, shots or self.shots, wait=wait)

    def _make(self, part: Part, settings: Settings, seed: int, folder: Path) -> EventVideos:
        pictures, others = self.source.load(part, settings, seed)
        return make_event_videos(
            folder,
            pictures,
            others,
            n_videos=self.n_train if part == "train" else self.n_test,
            n_other_videos=self.n_others,
            n_shots=self.n_shots,
            n_relevant=self.n_relevant,
            mixed=self.mixed,
            size=self.size,
            rate=self.rate,
            random_state=seed,
        )

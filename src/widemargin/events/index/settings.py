"""What an index of videos depends on: how videos are cut, and the networks that describe their pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from widemargin.video import ShotSettings

__all__ = ["FORMAT_VERSION", "IndexSettings", "NetworkSpec"]

FORMAT_VERSION = 1
"""Version of the files of an index; raised when they change so that older ones cannot be read."""

_LONGEST_NAME = 100


@dataclass(frozen=True)
class NetworkSpec:
    """A network that describes pictures, as it can be loaded in another process.

    Parameters
    ----------
    name : str, default=""
        What the kind of features is called, at most 100 characters; empty for the name that the network has itself.
    path : str or None, default=None
        The ONNX file; None for the default network.
    classes : str or None, default=None
        The file with the names of the classes, one a line.
    preprocess : str or None, default=None
        How pictures are prepared, see `widemargin.networks.load_network`.
    feature_output, concept_output : str or None, default=None
        Names of the outputs that are used, if the network has several.
    digest : str, default=""
        What tells the network from others; empty until it was loaded once, see `resolved`.

    Raises
    ------
    TypeError
        If a value is no text.
    ValueError
        If the name is too long.

    Examples
    --------
    >>> from widemargin.events import NetworkSpec
    >>> NetworkSpec("clip", path="image_tower.onnx").feature_output is None
    True
    """

    name: str = ""
    path: str | None = None
    classes: str | None = None
    preprocess: str | None = None
    feature_output: str | None = None
    concept_output: str | None = None
    digest: str = ""

    def __post_init__(self) -> None:
        """Check the values."""
        for parameter, value in asdict(self).items():
            if not isinstance(value, str) and (value is not None or parameter in ("name", "digest")):
                raise TypeError(f"{parameter} must be text, got {value!r}: pass a str.")
        if len(self.name) > _LONGEST_NAME:
            raise ValueError(f"name has {len(self.name)} characters: give the network a name of at most 100.")

    def load(self, n_threads: int = 1) -> Any:
        """Load the network.

        Parameters
        ----------
        n_threads : int, default=1
            Threads that it computes with.

        Returns
        -------
        ImageNetwork
            The network.

        Raises
        ------
        ImportError
            If onnxruntime is missing.
        NetworkError
            If a file is missing or damaged.
        """
        from widemargin.networks import load_network

        return load_network(
            self.path,
            classes=self.classes,
            preprocess=self.preprocess,
            feature_output=self.feature_output,
            concept_output=self.concept_output,
            n_threads=n_threads,
        )

    def resolved(self, network: Any) -> NetworkSpec:
        """Return the same with what is known once the network was loaded.

        Parameters
        ----------
        network : ImageNetwork
            What `load` returned.

        Returns
        -------
        NetworkSpec
            With a name, the digest and absolute paths.
        """
        return replace(
            self,
            name=self.name or network.name,
            path=_absolute(self.path),
            classes=_absolute(self.classes),
            digest=network.digest,
        )


@dataclass(frozen=True)
class IndexSettings:
    """How the videos of an index are cut and described.

    Parameters
    ----------
    shots : ShotSettings, default=ShotSettings()
        How videos are cut, and which pictures of them are kept.
    networks : tuple of NetworkSpec, default=(NetworkSpec(),)
        The networks that describe the pictures, at least one. Concepts are those of the first that has classes.

    Raises
    ------
    TypeError
        If a value is of another type.
    ValueError
        If there is no network, or two have the same name.

    Examples
    --------
    >>> from widemargin.events import IndexSettings
    >>> from widemargin.video import ShotSettings
    >>> IndexSettings(shots=ShotSettings(key_frame="random")).shots.key_frame
    'random'
    """

    shots: ShotSettings = field(default_factory=ShotSettings)
    networks: tuple[NetworkSpec, ...] = (NetworkSpec(),)

    def __post_init__(self) -> None:
        """Check the values."""
        if not isinstance(self.shots, ShotSettings):
            raise TypeError(f"shots must be ShotSettings, got {self.shots!r}: pass ShotSettings(...).")
        if not isinstance(self.networks, Sequence) or not all(
            isinstance(spec, NetworkSpec) for spec in self.networks
        ):
            raise TypeError(f"networks must be a tuple of NetworkSpec, got {self.networks!r}.")
        object.__setattr__(self, "networks", tuple(self.networks))
        if not self.networks:
            raise ValueError("networks is empty: pass at least one NetworkSpec.")
        names = [spec.name for spec in self.networks]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"networks has the name {name!r} twice: give each NetworkSpec its own name.")

    @property
    def digest(self) -> str:
        """Hash of all that the files of an index depend on, for networks that are resolved."""
        networks = [[spec.name, spec.digest] for spec in self.networks]
        facts = [FORMAT_VERSION, asdict(self.shots), networks]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def differences(self, other: IndexSettings) -> list[str]:
        """Say where other settings, with networks that are resolved too, are not the same.

        Parameters
        ----------
        other : IndexSettings
            The settings to compare with.

        Returns
        -------
        list of str
            One phrase a difference, this value first.
        """
        theirs = asdict(other.shots)
        phrases = [
            f"{name} is {value!r}, not {theirs[name]!r}"
            for name, value in asdict(self.shots).items()
            if value != theirs[name]
        ]
        if [spec.name for spec in self.networks] != [spec.name for spec in other.networks]:
            names = (", ".join(spec.name for spec in settings.networks) for settings in (self, other))
            return [*phrases, "its networks are {}, not {}".format(*names)]
        pairs = zip(self.networks, other.networks, strict=True)
        return phrases + [
            f"the network {mine.name} has other weights, classes or outputs, or prepares pictures otherwise"
            for mine, its in pairs
            if mine.digest != its.digest
        ]


def _absolute(path: str | None) -> str | None:
    """Make a path independent of the current folder, without following links."""
    return None if path is None else str(Path(path).absolute())

"""The file that makes a folder an index: its settings, and what its networks tell of pictures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from filelock import FileLock

from widemargin.atomic import atomic_write
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.settings import FORMAT_VERSION, IndexSettings, NetworkSpec
from widemargin.video import ShotSettings

__all__ = ["HEADER_FILE", "IndexHeader", "create_header", "read_header", "read_json"]

HEADER_FILE = "index.json"
_LOCK_FILE = "index.lock"
_FORMAT = "widemargin video index"
_LARGEST_FILE = 2**26


@dataclass(frozen=True)
class IndexHeader:
    """What all files of an index have in common.

    Parameters
    ----------
    settings : IndexSettings
        How videos are cut and described, with networks that are resolved.
    widths : tuple of int
        Number of features of each network.
    concept_names : tuple of str
        Names of the classes of the first network that has some.
    """

    settings: IndexSettings
    widths: tuple[int, ...]
    concept_names: tuple[str, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the networks, by which their features are called."""
        return tuple(spec.name for spec in self.settings.networks)

    @property
    def digest(self) -> str:
        """Hash of all that the file of a video depends on beside the video."""
        facts = [self.settings.digest, self.widths, self.concept_names]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def describe_networks(settings: IndexSettings) -> IndexHeader:
    """Load the networks once, and note what has to be known of them.

    Parameters
    ----------
    settings : IndexSettings
        Settings with networks that may not be resolved.

    Returns
    -------
    IndexHeader
        With networks that are.

    Raises
    ------
    ValueError
        If two networks call themselves the same.
    """
    networks = [spec.load() for spec in settings.networks]
    resolved = tuple(
        spec.resolved(network) for spec, network in zip(settings.networks, networks, strict=True)
    )
    concept_names = next((network.concept_names for network in networks if network.concept_names), ())
    return IndexHeader(
        IndexSettings(settings.shots, resolved),
        tuple(network.n_features for network in networks),
        tuple(concept_names),
    )


def create_header(folder: Path, settings: IndexSettings | None) -> IndexHeader:
    """Make a folder an index, or check that it is one with the same settings.

    Parameters
    ----------
    folder : Path
        The folder; made if missing.
    settings : IndexSettings or None
        The settings; None for those of an existing index, or the default ones of a new one.

    Returns
    -------
    IndexHeader
        What is in the index.

    Raises
    ------
    VideoIndexError
        If the folder holds other things, or an index with other settings.
    """
    if folder.exists() and not folder.is_dir():
        raise VideoIndexError(f"{folder} is no folder: give the index another name.")
    folder.mkdir(parents=True, exist_ok=True)
    # Two runs that start at once make one index.
    with FileLock(folder / _LOCK_FILE):
        if (folder / HEADER_FILE).exists():
            found = read_header(folder)
            return found if settings is None else _continue(folder, found, describe_networks(settings))
        foreign = sorted(
            path.name for path in folder.iterdir() if path.name != _LOCK_FILE and path.suffix != ".tmp"
        )
        if foreign:
            raise VideoIndexError(
                f"{folder} is no index of videos, and holds {foreign[0]!r} already: give a new or empty folder."
            )
        header = describe_networks(settings or IndexSettings())
        _write_header(folder, header)
    return header


def _continue(folder: Path, found: IndexHeader, wanted: IndexHeader) -> IndexHeader:
    """Return the wanted header, if it is that of the index but for the places of the networks' files."""
    differences = found.settings.differences(wanted.settings)
    if differences:
        raise VideoIndexError(
            f"{folder} is an index with other settings: {'; '.join(differences)}. Give another folder, or the "
            "settings of this one."
        )
    if wanted != found:
        _write_header(folder, wanted)
    return wanted


def _write_header(folder: Path, header: IndexHeader) -> None:
    content = {
        "format": _FORMAT,
        "version": FORMAT_VERSION,
        "shots": asdict(header.settings.shots),
        "networks": [asdict(spec) for spec in header.settings.networks],
        "widths": header.widths,
        "concept_names": header.concept_names,
    }
    atomic_write(folder / HEADER_FILE, json.dumps(content, indent=1))


def read_header(folder: Path) -> IndexHeader:
    """Read the settings of an index.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    IndexHeader
        What it says.

    Raises
    ------
    VideoIndexError
        If the folder is no index, or its file is damaged or of another version.
    """
    path = folder / HEADER_FILE
    if not path.is_file():
        raise VideoIndexError(
            f"{folder} is no index of videos: make one with `widemargin events index`, or VideoIndex.create."
        )
    content = read_json(path, _LARGEST_FILE)
    if content.get("format") != _FORMAT:
        raise VideoIndexError(
            f"{path} belongs to something else than an index of videos: give another folder."
        )
    if content.get("version") != FORMAT_VERSION:
        raise VideoIndexError(
            f"{path} has version {content.get('version')!r}, and this version of widemargin reads {FORMAT_VERSION}: "
            "make the index again in another folder."
        )
    return _checked(path, lambda: _parse(content))


def _checked(path: Path, parse: Callable[[], IndexHeader]) -> IndexHeader:
    try:
        return parse()
    except (KeyError, TypeError, ValueError) as error:
        raise VideoIndexError(
            f"{path} is damaged ({error}): make the index again in another folder."
        ) from error


def _parse(content: dict[str, Any]) -> IndexHeader:
    specs = tuple(NetworkSpec(**_known(NetworkSpec, spec)) for spec in content["networks"])
    settings = IndexSettings(ShotSettings(**_known(ShotSettings, content["shots"])), specs)
    widths, names = content["widths"], content["concept_names"]
    if len(widths) != len(specs) or not all(type(width) is int and width > 0 for width in widths):
        raise ValueError("its widths are no positive number for each network")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("its concept_names are no list of names")
    if not all(spec.name and spec.digest for spec in specs):
        raise ValueError("a network has no name or digest")
    return IndexHeader(settings, tuple(widths), tuple(names))


def _known(kind: type, values: Any) -> dict[str, Any]:
    """Return the values for a dataclass, if they are those of all its fields."""
    if not isinstance(values, dict) or set(values) != {field.name for field in fields(kind)}:
        raise ValueError(f"it has not the fields of {kind.__name__}")
    return values


def read_json(path: Path, largest: int) -> dict[str, Any]:
    """Read a small JSON file of an index, which holds an object.

    Parameters
    ----------
    path : Path
        The file.
    largest : int
        Most bytes that it may have.

    Returns
    -------
    dict
        Its content.

    Raises
    ------
    VideoIndexError
        If it cannot be read, is larger, or holds something else.
    """
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
        content = json.loads(data) if len(data) <= largest else None
    except OSError as error:
        raise VideoIndexError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    except (ValueError, RecursionError) as error:
        raise VideoIndexError(
            f"{path} is damaged, it holds no JSON: delete it, and add its videos again."
        ) from error
    if not isinstance(content, dict):
        raise VideoIndexError(
            f"{path} is damaged, it holds no JSON object: delete it, and add its videos again."
        )
    return content

"""The archive that holds a model: what skops writes of it, and a small manifest beside it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from widemargin import __version__
from widemargin.atomic import atomic_write
from widemargin.datasets.files import DatasetError, check_file
from widemargin.persistence.errors import ModelFileError
from widemargin.persistence.trust import (
    LARGEST_MODEL,
    TRUSTED,
    check_archive,
    check_contents,
    read_json,
    untrusted_types,
)

__all__ = ["read_archive", "write_archive"]

Loaded = TypeVar("Loaded")
Manifest = dict[str, Any]

_MANIFEST = "widemargin.json"
_FORMAT = 1
_COMMANDS = {
    "classifier": "a classifier of tables: use load_model, or widemargin predict",
    "event": "a model of events in videos: use load_event_model, or widemargin events rank or recognize",
}
_NOT_OURS = (
    "is not a model that widemargin saved: give a file of save_model or save_event_model, or of widemargin compare "
    "--model or widemargin events train"
)


def write_archive(path: Path, model: Any, kind: str, manifest: Manifest, remedy: str) -> None:
    """Write a model into a file that :func:`read_archive` can read; it is replaced as a whole or not at all.

    Parameters
    ----------
    path : Path
        The file.
    model : object
        The model.
    kind : {"classifier", "event"}
        What it is.
    manifest : dict
        What else is to be known of it, as JSON can hold it.
    remedy : str
        What to do about a model that cannot be saved.

    Raises
    ------
    ModelFileError
        If skops is missing, the model holds objects that would be refused, or the file cannot be written.
    """
    skops_io = _skops_io()
    buffer = io.BytesIO()
    try:
        skops_io.dump(model, buffer, compression=zipfile.ZIP_DEFLATED)
    # Whatever skops cannot write it reports in ways of its own.
    except Exception as error:
        raise ModelFileError(f"The model cannot be saved ({_reason(error)}): {remedy}.") from error
    with zipfile.ZipFile(buffer, "a") as archive:
        try:
            unknown = untrusted_types(check_archive(archive))
        except ValueError as error:
            raise ModelFileError(f"The model cannot be saved, because {error}: use a smaller one.") from error
        if unknown:
            raise ModelFileError(f"The model cannot be saved, because it holds {_listed(unknown)}: {remedy}.")
        content = {"format": _FORMAT, "widemargin": __version__, "kind": kind} | manifest
        archive.writestr(_MANIFEST, json.dumps(content))
    try:
        atomic_write(path, buffer.getvalue())
    except OSError as error:
        raise ModelFileError(
            f"{path} cannot be written ({error.strerror}): give a file in a folder that exists and is yours."
        ) from error


def read_archive(path: Path, kind: str, finish: Callable[[Any, Manifest], Loaded]) -> Loaded:
    """Read a model, trusting nothing but the types of our own models.

    Parameters
    ----------
    path : Path
        The file.
    kind : {"classifier", "event"}
        What it must be.
    finish : callable
        ``finish(model, manifest)`` tries the model and returns the result; whatever it raises counts as damage.

    Returns
    -------
    object
        What `finish` returns.

    Raises
    ------
    ModelFileError
        If skops is missing, or the file is missing, damaged, no model of widemargin, of another kind or a later
        version, too large, or asks for types that are not trusted. One sentence says which.
    """
    skops_io = _skops_io()
    data = _file_content(path)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            manifest = _read_manifest(path, archive, kind)
            unknown = untrusted_types(check_archive(archive))
        if unknown:
            raise ModelFileError(
                f"{path} asks for {_listed(unknown)}, of which no model of widemargin consists, so it is not loaded: "
                "use a file from a source that you trust."
            )
        model = skops_io.loads(data, trusted=list(TRUSTED))
        check_contents(model)
        return finish(model, manifest)
    except ModelFileError:
        raise
    # A damaged file can break unpacking and rebuilding anywhere, and the model itself when it is tried.
    except Exception as error:
        if not zipfile.is_zipfile(io.BytesIO(data)):
            raise ModelFileError(f"{path} {_NOT_OURS}; or it is damaged, then copy it anew.") from error
        raise ModelFileError(
            f"{path} is damaged, or was changed ({_reason(error)}): copy it anew, or save the model again."
        ) from error


def _skops_io() -> ModuleType:
    try:
        import skops.io
    except ImportError as error:
        raise ModelFileError(
            "Files of models need skops, which is not installed: install it with pip install skops."
        ) from error
    return skops.io


def _file_content(path: Path) -> bytes:
    try:
        check_file(path)
        if path.stat().st_size > LARGEST_MODEL:
            raise ModelFileError(
                f"{path} has {path.stat().st_size} bytes, more than the {LARGEST_MODEL} a model may have."
            )
        return path.read_bytes()
    except DatasetError as error:
        raise ModelFileError(str(error)) from error
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def _read_manifest(path: Path, archive: zipfile.ZipFile, kind: str) -> Manifest:
    """Return the manifest of a file that is ours, of the right kind and of a format that is known."""
    if _MANIFEST not in archive.namelist():
        raise ModelFileError(f"{path} {_NOT_OURS}.")
    manifest = read_json(archive, _MANIFEST)
    number = manifest["format"]
    if isinstance(number, int) and number > _FORMAT:
        raise ModelFileError(
            f"{path} was saved by widemargin {manifest.get('widemargin')} in the format {number}, but this is "
            f"widemargin {__version__}, which knows formats up to {_FORMAT}: install the newer version."
        )
    if number != _FORMAT:
        raise ValueError(f"its format is {number!r}")
    # The first models had no kind; they were classifiers.
    found = manifest.get("kind", "classifier")
    if found != kind:
        raise ModelFileError(f"{path} holds {_COMMANDS[found]}.")
    return dict(manifest)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__

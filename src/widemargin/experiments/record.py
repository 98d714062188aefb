"""The JSON file beside the results tables: what was run, where, how far it came, and what it found."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from widemargin.experiments.storage import atomic_write
from widemargin.experiments.summary import Summary

__all__ = [
    "RECORD_FILE",
    "DamagedRecordError",
    "FigureFile",
    "RunRecord",
    "TableFile",
    "read_record",
    "write_record",
]

RECORD_FILE = "run.json"
STATUSES = ("complete", "partial", "failed")

Dataclass = TypeVar("Dataclass")


class DamagedRecordError(ValueError):
    """A run's JSON file cannot be read, or is not one of ours."""


@dataclass(frozen=True)
class FigureFile:
    """A figure in the folder of an experiment.

    Parameters
    ----------
    svg, png : str
        Paths of its files, relative to the folder.
    title, caption, alt : str
        As in `Drawing`.
    """

    svg: str
    png: str
    title: str
    caption: str
    alt: str


@dataclass(frozen=True)
class TableFile:
    """A results table in the folder of an experiment.

    Parameters
    ----------
    file : str
        Path of the CSV file, relative to the folder.
    rows : int
        Number of its rows.
    """

    file: str
    rows: int


@dataclass(frozen=True)
class RunRecord:
    """Everything about a run of an experiment that is not a row of a results table.

    Parameters
    ----------
    name, title, question, reference : str
        As in `Experiment`.
    status : {"complete", "partial", "failed"}
        Whether all units of the run are finished; "failed" if a unit or the summary raised an error.
    message : str
        In words: how far the run came, and why not further.
    fingerprint : str
        Hash of everything that rows depend on. Rows of another fingerprint are never reused.
    settings : dict of str to str
        What the user chose: seed, number of repeats, data.
    protocol : dict of str to str
        As returned by the experiment.
    versions, machine : dict of str to str
        Versions of the packages that compute, and the machine.
    durations : dict of str to float
        Seconds by what they were spent on.
    started, updated : str
        Time of the start and of this record, ISO 8601 with the offset from UTC.
    units_done, units_total : int
        Finished and planned units.
    summary : Summary or None
        What was found; None before the first finished unit.
    tables : tuple of TableFile
        The results tables.
    figures : tuple of FigureFile
        The figures.
    """

    name: str
    title: str
    question: str
    reference: str
    status: str
    message: str
    fingerprint: str
    settings: dict[str, str]
    protocol: dict[str, str]
    versions: dict[str, str]
    machine: dict[str, str]
    durations: dict[str, float]
    started: str
    updated: str
    units_done: int
    units_total: int
    summary: Summary | None = None
    tables: tuple[TableFile, ...] = ()
    figures: tuple[FigureFile, ...] = ()


def write_record(folder: Path, record: RunRecord) -> None:
    """Write the record of a run into the experiment's folder, atomically.

    Parameters
    ----------
    folder : Path
        The experiment's folder.
    record : RunRecord
        What to write.
    """
    text = json.dumps(dataclasses.asdict(record), indent=1, ensure_ascii=False)
    atomic_write(folder / RECORD_FILE, text + "\n")


def read_record(folder: Path) -> RunRecord:
    """Read the record of a run.

    Parameters
    ----------
    folder : Path
        The experiment's folder.

    Returns
    -------
    RunRecord
        What `write_record` wrote.

    Raises
    ------
    FileNotFoundError
        If the folder has no record.
    DamagedRecordError
        If the file is not JSON, or lacks a field that has no default, or a field has another type than ours have.
    """
    path = folder / RECORD_FILE
    try:
        record = _decode(RunRecord, json.loads(path.read_text(encoding="utf-8")), "run")
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise DamagedRecordError(f"{path} is not valid JSON ({error}).") from error
    except _Mismatch as error:
        raise DamagedRecordError(f"{path} is not a record of a run: {error}.") from error
    if record.status not in STATUSES:
        raise DamagedRecordError(f"{path} is not a record of a run: its status is {record.status!r}.")
    return record


class _Mismatch(ValueError):
    """A value does not have the type that its place asks for."""


def _decode(kind: Any, value: Any, place: str) -> Any:
    """Return `value`, as JSON has it, as an instance of `kind`: a dataclass, a container or a plain type."""
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return _decode_optional(kind, value, place)
    if origin is typing.Literal:
        if value not in typing.get_args(kind):
            raise _Mismatch(f"{place} is {value!r}")
        return value
    if dataclasses.is_dataclass(kind):
        return _decode_dataclass(typing.cast(type, kind), value, place)
    if origin is tuple and isinstance(value, list):
        item_kind = typing.get_args(kind)[0]
        return tuple(_decode(item_kind, item, f"{place}[{i}]") for i, item in enumerate(value))
    if origin is dict and isinstance(value, dict):
        item_kind = typing.get_args(kind)[1]
        return {key: _decode(item_kind, item, f"{place}.{key}") for key, item in value.items()}
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is kind:
        return value
    raise _Mismatch(f"{place} is {type(value).__name__}")


def _decode_optional(kind: Any, value: Any, place: str) -> Any:
    """Decode ``T | None``."""
    if value is None:
        return None
    (inner,) = (option for option in typing.get_args(kind) if option is not type(None))
    return _decode(inner, value, place)


def _decode_dataclass(kind: type[Dataclass], value: Any, place: str) -> Dataclass:
    """Decode a dataclass from an object that has all of its fields without a default; foreign fields are ignored.

    Records of older versions lack fields that were added later with a default.
    """
    if not isinstance(value, dict):
        raise _Mismatch(f"{place} is {type(value).__name__}")
    kinds = typing.get_type_hints(kind)
    fields = {}
    for field in dataclasses.fields(typing.cast(Any, kind)):
        if field.name in value:
            fields[field.name] = _decode(kinds[field.name], value[field.name], f"{place}.{field.name}")
        elif field.default is dataclasses.MISSING:
            raise _Mismatch(f"{place}.{field.name} is missing")
    return kind(**fields)

"""Read a results folder, whatever state it is in: what is damaged or foreign is named, and the rest is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from widemargin.experiments.record import (
    RECORD_FILE,
    DamagedRecordError,
    FigureFile,
    RunRecord,
    TableFile,
    read_record,
)
from widemargin.experiments.storage import count_rows, is_set_aside
from widemargin.report.images import Image, read_image

__all__ = ["LoadedExperiment", "LoadedFigure", "Results", "load_results"]


@dataclass(frozen=True)
class LoadedFigure:
    """A figure ready to be put into a page.

    Parameters
    ----------
    image : Image
        The image itself.
    figure : FigureFile
        Its words.
    """

    image: Image
    figure: FigureFile


@dataclass(frozen=True)
class LoadedExperiment:
    """What the folder of an experiment holds.

    Parameters
    ----------
    record : RunRecord
        The record of its run.
    folder : str
        Name of its folder.
    figures : tuple of LoadedFigure
        The figures that could be read.
    """

    record: RunRecord
    folder: str
    figures: tuple[LoadedFigure, ...]


@dataclass(frozen=True)
class Results:
    """What a results folder holds.

    Parameters
    ----------
    experiments : tuple of LoadedExperiment
        The experiments with a readable record.
    problems : tuple of str
        What could not be read, one sentence each.
    """

    experiments: tuple[LoadedExperiment, ...]
    problems: tuple[str, ...]


def load_results(out: Path, order: Sequence[str] = ()) -> Results:
    """Read all experiments of a results folder.

    Parameters
    ----------
    out : Path
        The results folder. Folders in it without a record are not ours, and are passed over; so are those
        that a run set aside.
    order : sequence of str, default=()
        Names of experiments to put first; the others follow by name.

    Returns
    -------
    Results
        Everything readable, with a sentence for everything that is not.
    """
    loaded: list[LoadedExperiment] = []
    problems: list[str] = []
    folders = sorted(path.parent for path in out.glob(f"*/{RECORD_FILE}"))
    for folder in folders:
        if is_set_aside(folder):
            continue
        try:
            record = read_record(folder)
        except (DamagedRecordError, OSError) as error:
            problems.append(f"{folder.name} is left out: {error}")
            continue
        figures = _load_figures(folder, record.figures, problems)
        _check_tables(folder, record.tables, problems)
        loaded.append(LoadedExperiment(record, folder.name, figures))
    places = {name: place for place, name in enumerate(order)}
    loaded.sort(key=lambda item: (places.get(item.record.name, len(places)), item.record.name))
    return Results(tuple(loaded), tuple(problems))


def _load_figures(
    folder: Path, figures: Sequence[FigureFile], problems: list[str]
) -> tuple[LoadedFigure, ...]:
    """Read every figure, as SVG or else as PNG."""
    loaded = []
    for figure in figures:
        image = read_image(folder, figure.svg) or read_image(folder, figure.png)
        if image is None:
            problems.append(
                f"The figure “{figure.title}” of {folder.name} is left out: {figure.svg} and {figure.png} are "
                "missing or damaged."
            )
        else:
            loaded.append(LoadedFigure(image, figure))
    return tuple(loaded)


def _check_tables(folder: Path, tables: Sequence[TableFile], problems: list[str]) -> None:
    """Report results tables that are missing or have another number of rows than the record says."""
    for table in tables:
        path = folder / table.file
        if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
            problems.append(f"{folder.name}/{table.file} is missing; the summary was made when it existed.")
            continue
        n_rows = count_rows(path)
        if n_rows != table.rows:
            problems.append(
                f"{folder.name}/{table.file} has {n_rows} rows, its record says {table.rows}: one of the two "
                "was changed after the run."
            )

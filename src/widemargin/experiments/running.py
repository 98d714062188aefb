"""Run an experiment into a folder: save finished units, continue an earlier run, survive interruption."""

from __future__ import annotations

import hashlib
import io
import json
import time
import traceback
import warnings
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg

from widemargin.engine import map_items
from widemargin.experiments.environment import describe_machine, describe_versions
from widemargin.experiments.exclusive import exclusive_use
from widemargin.experiments.experiment import Drawing, Experiment, Row, Rows, Settings, Unit
from widemargin.experiments.record import (
    DamagedRecordError,
    FigureFile,
    RunRecord,
    TableFile,
    read_record,
    write_record,
)
from widemargin.experiments.storage import (
    WriteError,
    atomic_write,
    read_table,
    remove_unfinished,
    set_aside,
    table_columns,
    write_table,
)

__all__ = ["Observer", "Outcome", "run_experiment"]

ERROR_FILE = "error.txt"
LONGEST_DIFFERENCE = 80
"""Characters of two values of the protocol that still fit into a sentence in a terminal."""


class Observer(Protocol):
    """Is told how a run goes on, to show it."""

    def started(self, experiment: Experiment, n_done: int, n_total: int) -> None:
        """Units are about to be computed.

        Parameters
        ----------
        experiment : Experiment
            What runs.
        n_done, n_total : int
            Units that are finished already, and all units.
        """

    def finished_unit(self, unit: Unit) -> None:
        """One more unit is finished and saved.

        Parameters
        ----------
        unit : Unit
            The unit.
        """

    def notice(self, text: str) -> None:
        """There is something that a user should know.

        Parameters
        ----------
        text : str
            One sentence.
        """


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Parameters
    ----------
    record : RunRecord
        What stands in the experiment's folder.
    interrupted : bool
        Whether Ctrl-C ended it.
    rows : mapping of str to sequence of Row
        The finished rows of every table, those that the record summarises.
    """

    record: RunRecord
    interrupted: bool
    rows: Rows


def run_experiment(
    experiment: Experiment, settings: Settings, out: Path, *, n_jobs: int = 1, observer: Observer
) -> Outcome:
    """Run the unfinished units of an experiment and write its results folder.

    Rows, figures and record go to ``out / experiment.name``. Finished units found there are kept if they were
    computed with the same seed, protocol and version of the package; otherwise the folder is moved aside, to
    ``<name>.previous`` or the first of ``<name>.previous-2``, ``-3``, ... that is free, and the experiment starts
    anew: nothing is deleted. Finished repeats beyond the number asked for stay in the CSV files, and are left
    out of the summary.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    settings : Settings
        Seed, repeats and data.
    out : Path
        The results folder of all experiments; made if missing.
    n_jobs : int, default=1
        Number of processes; -1 uses every core.
    observer : Observer
        Told about notices and progress.

    Returns
    -------
    Outcome
        The record as written. An error in a unit or in the summary does not propagate: the status is
        "failed", and the traceback is in ``error.txt``. Ctrl-C does not propagate either.

    Raises
    ------
    DatasetError
        If the protocol cannot be stated because the benchmark data are missing or damaged. Nothing is written
        then, and earlier results stay.
    FolderInUseError
        If another run writes into ``out / experiment.name`` at this time. Nothing is written then.
    OSError
        If results cannot be read or written, for instance because the disk is full.
    """
    run = _Run(
        experiment,
        settings,
        out / experiment.name,
        experiment.protocol(settings),
        experiment.units(settings),
        rows={},
    )
    with exclusive_use(run.folder):
        run.open_folder(observer)
        return _run_to_the_end(run, n_jobs, observer)


def _run_to_the_end(run: _Run, n_jobs: int, observer: Observer) -> Outcome:
    """Compute what is unfinished, and write a record whatever happens, as long as anything can be written."""
    interrupted = False
    status, message = "complete", ""
    try:
        run.compute(n_jobs, observer)
    except KeyboardInterrupt:
        interrupted, status = True, "partial"
        observer.notice("Interrupted: the report of what is finished is being written.")
        message = "The run was interrupted; the same command continues it."
    except WriteError:
        raise
    except Exception as error:
        status, message = "failed", run.note_error(error)
    try:
        record = run.conclude(status, message)
    except WriteError:
        raise
    except Exception as error:
        record = run.save_record("failed", run.note_error(error))
    return Outcome(record, interrupted, run.finished)


@dataclass
class _Run:
    """The state of one run: which rows exist, and where they are saved."""

    experiment: Experiment
    settings: Settings
    folder: Path
    protocol: dict[str, str]
    units: list[Unit]
    rows: dict[Unit, Row]
    started: str = field(default_factory=lambda: _now())
    clock: float = field(default_factory=time.perf_counter)

    def open_folder(self, observer: Observer) -> None:
        """Open the folder, with the rows of an earlier run if they can be reused."""
        self._move_aside_other_results(observer)
        self.folder.mkdir(parents=True, exist_ok=True)
        remove_unfinished(self.folder)
        (self.folder / ERROR_FILE).unlink(missing_ok=True)
        self._read_rows(observer)
        self.save_record("partial", "The run is not finished.")

    @property
    def fingerprint(self) -> str:
        """Hash of everything that a row depends on; `_differences` names the same things."""
        facts = {
            "experiment": self.experiment.name,
            "version": describe_versions()["widemargin"],
            "seed": self.settings.seed,
            "protocol": self.protocol,
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def unfinished(self) -> list[Unit]:
        """The units that remain to be computed."""
        return [unit for unit in self.units if unit not in self.rows]

    @property
    def finished(self) -> Rows:
        """The rows of the units asked for, by table."""
        return {
            spec.name: [self.rows[u] for u in self.units if u.table == spec.name and u in self.rows]
            for spec in self.experiment.tables
        }

    def _move_aside_other_results(self, observer: Observer) -> None:
        """Move results away that cannot be continued: of other settings, or with an unreadable record."""
        if not self.folder.exists():
            return
        try:
            earlier = read_record(self.folder)
            if earlier.fingerprint == self.fingerprint:
                return
            reason = f"This run differs from the earlier one in {_join(self._differences(earlier))}"
        except FileNotFoundError:
            reason = "It has no record of a run"
        except DamagedRecordError:
            reason = "Its record is damaged"
        previous = set_aside(self.folder)
        observer.notice(
            f"{self.folder.name} cannot be continued and starts anew. {reason}. The earlier results are kept in "
            f"{previous.name}."
        )

    def _differences(self, earlier: RunRecord) -> list[str]:
        """Name what keeps the rows of an earlier run from being used, old value first."""
        differences = []
        for name, old, new in (
            ("experiment", earlier.name, self.experiment.name),
            ("seed", earlier.settings.get("seed"), str(self.settings.seed)),
            ("version", earlier.versions.get("widemargin"), describe_versions()["widemargin"]),
        ):
            if old != new:
                differences.append(f"{name} {old} -> {new}")
        for name in sorted(earlier.protocol.keys() | self.protocol.keys()):
            old, new = earlier.protocol.get(name, "nothing"), self.protocol.get(name, "nothing")
            if old != new:
                short = len(old) + len(new) <= LONGEST_DIFFERENCE
                differences.append(f"{name!r} of the protocol" + short * f" ({old} -> {new})")
        return differences or ["its fingerprint, which was changed by hand"]

    def _read_rows(self, observer: Observer) -> None:
        """Take over the good rows of an earlier run, and report what is lost or not used."""
        for spec in self.experiment.tables:
            path = self.folder / f"{spec.name}.csv"
            tasks = {unit.task for unit in self.units if unit.table == spec.name}
            rows, n_damaged = read_table(path, spec, tasks)
            for row in rows:
                self.rows[Unit(spec.name, str(row["task"]), int(row["repeat"]))] = row
            if n_damaged:
                observer.notice(
                    f"{path.name} has {_count(n_damaged, 'damaged line')}; what was there is computed again."
                )
        n_beyond = len(self.rows.keys() - set(self.units))
        if n_beyond:
            beyond = _count(n_beyond, f"finished {self.experiment.unit_noun}")
            observer.notice(
                f"Not used in this report, but kept in the CSV files: {beyond} beyond the "
                f"{_count(self.settings.repeats, 'repeat')} asked for."
            )

    def compute(self, n_jobs: int, observer: Observer) -> None:
        """Compute the unfinished units, saving each as soon as it is there."""
        unfinished = self.unfinished
        observer.started(self.experiment, len(self.units) - len(unfinished), len(self.units))
        function = partial(_run_unit, self.experiment, self.settings)
        for unit, row in map_items(function, unfinished, n_jobs=n_jobs):
            self.rows[unit] = row
            self._write_table(unit.table)
            observer.finished_unit(unit)

    def _write_table(self, name: str) -> None:
        """Write all rows of a table, ordered by task and repeat whatever the order of completion."""
        (spec,) = (spec for spec in self.experiment.tables if spec.name == name)
        tasks = list(dict.fromkeys(unit.task for unit in self.units if unit.table == name))
        units = sorted(
            (unit for unit in self.rows if unit.table == name),
            key=lambda unit: (tasks.index(unit.task), unit.repeat),
        )
        write_table(self.folder / f"{name}.csv", spec, [self.rows[unit] for unit in units])

    def conclude(self, status: str, message: str) -> RunRecord:
        """Summarise and draw the finished units, and write the record."""
        by_table = self.finished
        if not any(by_table.values()):
            return self.save_record(status, message)
        for spec in self.experiment.tables:
            self._write_table(spec.name)
        clock = time.perf_counter()
        summary = self.experiment.summarise(by_table, self.settings)
        figures = _save_drawings(self.experiment.draw(by_table, self.settings), self.folder)
        seconds = time.perf_counter() - clock
        record = self.save_record(status, message)
        durations = record.durations | {"summary and figures": seconds}
        record = replace(
            record, summary=summary, figures=figures, durations=durations, tables=self._table_files()
        )
        write_record(self.folder, record)
        return record

    def _table_files(self) -> tuple[TableFile, ...]:
        return tuple(
            TableFile(f"{spec.name}.csv", sum(unit.table == spec.name for unit in self.rows))
            for spec in self.experiment.tables
        )

    def save_record(self, status: str, message: str) -> RunRecord:
        """Write a record without findings."""
        n_done = len(self.units) - len(self.unfinished)
        computing = sum(float(self.rows[unit]["seconds"]) for unit in self.units if unit in self.rows)
        record = RunRecord(
            name=self.experiment.name,
            title=self.experiment.title,
            question=self.experiment.question,
            reference=self.experiment.reference,
            status=status,
            message=_describe_progress(self.units, self.rows, self.settings.repeats, self.experiment)
            + (message and f" {message}"),
            fingerprint=self.fingerprint,
            settings={
                "seed": str(self.settings.seed),
                "repeats": str(self.settings.repeats),
                **(
                    self.experiment.inputs
                    or {"data": str(self.settings.data or "embedded in the package's dependencies")}
                ),
            },
            protocol=self.protocol,
            versions=describe_versions(),
            machine=describe_machine(),
            durations={
                "this run, until now": time.perf_counter() - self.clock,
                "all finished units, added up": computing,
            },
            started=self.started,
            updated=_now(),
            units_done=n_done,
            units_total=len(self.units),
        )
        write_record(self.folder, record)
        return record

    def note_error(self, error: Exception) -> str:
        """Save the traceback, and return the error in one sentence."""
        atomic_write(self.folder / ERROR_FILE, "".join(traceback.format_exception(error)))
        first_line = str(error).strip().partition("\n")[0]
        notes = " ".join(getattr(error, "__notes__", ()))
        return f"{type(error).__name__}: {first_line} {notes}".strip() + f" (traceback in {ERROR_FILE})"


def _run_unit(experiment: Experiment, settings: Settings, unit: Unit) -> Row:
    """Compute one unit as a complete row of its table."""
    (spec,) = (spec for spec in experiment.tables if spec.name == unit.table)
    clock = time.perf_counter()
    try:
        values = experiment.run(unit, settings)
    except Exception as error:
        error.add_note(f"It happened in {experiment.name}, {unit.task!r}, repeat {unit.repeat + 1}.")
        raise
    row: Row = {"task": unit.task, "repeat": unit.repeat, **values, "seconds": time.perf_counter() - clock}
    columns = table_columns(spec)
    if {name: type(value) for name, value in row.items()} != columns:
        raise TypeError(f"{experiment.name} returned {row} for a table with the columns {columns}.")
    return row


def _join(parts: list[str]) -> str:
    """Join parts of a sentence: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _describe_progress(
    units: list[Unit], rows: dict[Unit, Row], n_repeats: int, experiment: Experiment
) -> str:
    """Say how many repeats the results rest on."""
    noun = experiment.task_noun
    done: dict[tuple[str, str], int] = {(unit.table, unit.task): 0 for unit in units}
    for unit in units:
        done[unit.table, unit.task] += unit in rows
    least, most = min(done.values(), default=0), max(done.values(), default=0)
    if most == 0:
        return "No repeat is finished."
    if least == most:
        return f"Rests on {least} of {_count(n_repeats, 'repeat')} of every {noun}."
    n_units = sum(done.values())
    if experiment.unit_noun == noun:
        return f"Rests on {n_units} of {len(units)} {noun}s."
    if n_repeats == 1:
        return f"Rests on {n_units} of {len(units)} {noun}s, with one repeat each."
    return (
        f"Rests on {n_units} of {len(units)} units (one repeat of one {noun} each): {least} to {most} of "
        f"{n_repeats} repeats of a {noun}."
    )


def _count(number: int, noun: str) -> str:
    """Print a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _save_drawings(drawings: list[Drawing], folder: Path) -> tuple[FigureFile, ...]:
    """Save every figure as SVG and PNG; the SVG is the same file for the same figure."""
    (folder / "figures").mkdir(exist_ok=True)
    files = []
    for drawing in drawings:
        FigureCanvasAgg(drawing.figure)
        paths = {}
        for kind, metadata in (("svg", {"Date": None}), ("png", {})):
            paths[kind] = f"figures/{drawing.name}.{kind}"
            content = io.BytesIO()
            with matplotlib.rc_context({"svg.hashsalt": drawing.name}), warnings.catch_warnings():
                # A name in a script that no font here has is drawn as boxes; tables and report have its letters.
                warnings.filterwarnings(
                    "ignore", "Glyph .* missing from|Matplotlib currently does not support"
                )
                drawing.figure.savefig(content, format=kind, metadata=metadata, dpi=150)
            # The layout is found by the first save, and takes a third of its time.
            drawing.figure.set_layout_engine("none")
            atomic_write(folder / paths[kind], content.getvalue())
        files.append(FigureFile(paths["svg"], paths["png"], drawing.title, drawing.caption, drawing.alt))
    return tuple(files)


def _now() -> str:
    """Return the time, to the second, with the offset from UTC."""
    return datetime.now().astimezone().isoformat(timespec="seconds")

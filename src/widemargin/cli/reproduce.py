"""``widemargin reproduce``: check what was asked for, run the experiments, print and report."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from widemargin.cli.progress import ProgressObserver
from widemargin.cli.tables import rich_table, shortened
from widemargin.cli.termination import Termination, terminated_like_interrupted
from widemargin.datasets import DatasetError, MissingDatasetError
from widemargin.experiments import EXPERIMENTS, Experiment, RunRecord, Settings, run_experiment
from widemargin.experiments.summary import count_answers
from widemargin.report import write_report

__all__ = ["Request", "UsageError", "print_experiments", "run"]


class UsageError(ValueError):
    """The command line asks for something impossible; the message says what, and what to do."""


@dataclass(frozen=True)
class Request:
    """A command line that makes sense.

    Parameters
    ----------
    experiments : tuple of Experiment
        What to run.
    out : Path
        The results folder, which exists and can be written.
    data : Path or None
        Folder of benchmark data.
    repeats : tuple of int
        Number of repeats of each experiment.
    jobs : int
        Number of processes, or -1.
    seed : int
        Seed of all random numbers.
    named : bool
        Whether the user named the experiments; one that was not named is skipped if its data are not there.
    """

    experiments: tuple[Experiment, ...]
    out: Path
    data: Path | None
    repeats: tuple[int, ...]
    jobs: int
    seed: int
    named: bool

    @classmethod
    def checked(
        cls,
        names: Sequence[str],
        *,
        data: Path | None,
        out: Path,
        quick: bool,
        full: bool,
        repeats: int | None,
        jobs: int,
        seed: int,
    ) -> Request:
        """Make a request of the options, and the results folder.

        Parameters
        ----------
        names : sequence of str
            Names of experiments; empty for all that can run.
        data, out : Path
            Folders of the data sets and of the results.
        quick, full : bool
            The size of the run.
        repeats : int or None
            Number of repeats, in place of the size's own.
        jobs : int
            Number of processes.
        seed : int
            Seed of all random numbers.

        Returns
        -------
        Request
            What to run.

        Raises
        ------
        UsageError
            With the first thing that is wrong.
        """
        if quick and full:
            raise UsageError("--quick and --full exclude each other: give one of them, or neither.")
        if repeats is not None and repeats < 1:
            raise UsageError(
                f"--repeats is {repeats}, but must be at least 1: give for instance --repeats 6."
            )
        if jobs < 1 and jobs != -1:
            raise UsageError(f"--jobs is {jobs}, but must be at least 1, or -1 for all cores: leave it out.")
        if seed < 0:
            raise UsageError(f"--seed is {seed}, but must be at least 0: give for instance --seed 0.")
        if data is not None and not data.is_dir():
            raise UsageError(
                f"--data is {str(data)!r}, which is not a folder: give the folder of the data sets."
            )
        experiments = _choose(names, data)
        _check_out(out)
        counts = tuple(repeats or _repeats(experiment, quick, full) for experiment in experiments)
        return cls(experiments, out, data, counts, jobs, seed, named=bool(names))


def run(request: Request) -> int:
    """Run the experiments one after the other, print their tables, and write the report after each.

    Parameters
    ----------
    request : Request
        What to run.

    Returns
    -------
    int
        Exit code: 0; 1 if an experiment failed; 2 if one cannot run with the data given, unless it was not named and
        its data are just not there; 130 after Ctrl-C and 143 after SIGTERM.
    """
    console = _console()
    with terminated_like_interrupted() as termination:
        try:
            return _run_all(request, console, termination)
        except KeyboardInterrupt:
            page = escape(str(request.out / "index.html"))
            console.print(
                f"[yellow]Interrupted while the report was being written:[/] {page} may be missing, or older than "
                "the results. Every finished unit is saved, and the same command writes the report."
            )
            return termination.exit_code


def _run_all(request: Request, console: Console, termination: Termination) -> int:
    """Run the experiments until one is interrupted; a signal during a report is left to the caller."""
    order = [experiment.name for experiment in EXPERIMENTS]
    exit_code = 0
    problems: tuple[str, ...] = ()
    records: list[RunRecord] = []
    for experiment, repeats in zip(request.experiments, request.repeats, strict=True):
        settings = Settings(request.seed, repeats, request.data)
        try:
            with ProgressObserver(console) as observer:
                outcome = run_experiment(
                    experiment, settings, request.out, n_jobs=request.jobs, observer=observer
                )
        except DatasetError as error:
            if isinstance(error, MissingDatasetError) and not request.named:
                console.print(f"[yellow]{experiment.name}: skipped.[/] {escape(str(error))}\n")
                continue
            console.print(f"[red]{experiment.name}: cannot run.[/] {escape(str(error))}\n")
            exit_code = 2
            continue
        records.append(outcome.record)
        _print_record(console, outcome.record)
        problems = write_report(request.out, order).problems
        if outcome.interrupted:
            exit_code = termination.exit_code
            break
        if outcome.record.status == "failed":
            exit_code = max(exit_code, 1)
    for problem in problems:
        console.print(f"[yellow]Results folder:[/] {escape(problem)}")
    for record in records:
        if record.summary:
            console.print(f"[bold]{escape(record.title)}[/]\n{escape(record.summary.verdict)}\n")
    console.print(f"Report: {escape(str(request.out / 'index.html'))}")
    return exit_code


def print_experiments() -> None:
    """Print the names of all experiments, what they ask, and how many repeats they make."""
    table = Table(title="Experiments", title_justify="left", show_lines=True)
    for heading in ("name", "question", "data", "repeats: quick / default / full"):
        table.add_column(heading, overflow="fold")
    for experiment in EXPERIMENTS:
        repeats = experiment.repeats
        table.add_row(
            escape(experiment.name),
            escape(experiment.question),
            "needs --data" if experiment.needs_data else "embedded",
            f"{repeats.quick} / {repeats.default} / {repeats.full}",
        )
    _console().print(table)


def _console() -> Console:
    """Return a console that does not fold tables when the output goes to a file."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=120)


def _choose(names: Sequence[str], data: Path | None) -> tuple[Experiment, ...]:
    """Return the named experiments, or all that can run."""
    known = {experiment.name: experiment for experiment in EXPERIMENTS}
    if not names:
        return tuple(
            experiment for experiment in EXPERIMENTS if data is not None or not experiment.needs_data
        )
    for name in names:
        if name not in known:
            raise UsageError(
                f"NAME is {name!r}, which is no experiment: {_describe_known(name, list(known))}."
            )
        if known[name].needs_data and data is None:
            raise UsageError(
                f"NAME is {name!r}, which needs benchmark data: add --data with the folder of the data sets."
            )
    return tuple(known[name] for name in dict.fromkeys(names))


def _describe_known(name: str, known: Sequence[str]) -> str:
    """Say which names there are, and which of them is meant, if there is a choice."""
    if len(known) == 1:
        return f"the only one is {known[0]!r}"
    (nearest,) = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return f"the nearest is {nearest!r}; known are {', '.join(known)}"


def _check_out(out: Path) -> None:
    """Make the results folder, and see that files can be written there."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out is {str(out)!r}, which is a file: give a folder, or a name that is free.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / f".{os.getpid()}.tmp"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(
            f"--out is {str(out)!r}, which cannot be written ({error.strerror}): give a folder of your own."
        ) from error


def _repeats(experiment: Experiment, quick: bool, full: bool) -> int:
    if quick:
        return experiment.repeats.quick
    return experiment.repeats.full if full else experiment.repeats.default


def _print_record(console: Console, record: RunRecord) -> None:
    """Print tables, findings and how the run ended; the verdict is printed last of all."""
    if record.summary:
        for table in record.summary.tables:
            console.print(rich_table(shortened(table)))
        console.print()
        for finding in record.summary.findings:
            console.print(f"- {escape(finding)}")
        answers = count_answers(record.summary.comparisons)
        if answers:
            console.print(f"- {answers} See the report.")
    style = {"complete": "green", "partial": "yellow", "failed": "red"}[record.status]
    console.print(f"[{style}]{record.name}: {record.status}.[/] {escape(record.message)}\n")

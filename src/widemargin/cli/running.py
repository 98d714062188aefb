"""Run experiments from the command line: progress, tables, a report, the verdicts last, and exit codes."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from widemargin.cli.errors import UsageError
from widemargin.cli.progress import ProgressObserver
from widemargin.cli.tables import rich_table, shortened
from widemargin.cli.termination import Termination, terminated_like_interrupted
from widemargin.datasets import DatasetError, MissingDatasetError
from widemargin.experiments import Experiment, Outcome, RunRecord, Settings, run_experiment
from widemargin.experiments.exclusive import FolderInUseError
from widemargin.experiments.summary import count_answers
from widemargin.report import PAGE_FILE, has_foreign_page, write_report

__all__ = [
    "Assignment",
    "Ending",
    "PageWords",
    "check_out",
    "check_run_options",
    "make_console",
    "print_ending",
    "run_assignments",
    "survive_interrupt",
]


@dataclass(frozen=True)
class Assignment:
    """An experiment with the settings of its run.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    settings : Settings
        Seed, repeats and data.
    named : bool, default=True
        Whether the user asked for it; one that nobody named is skipped if its data are not there.
    """

    experiment: Experiment
    settings: Settings
    named: bool = True


@dataclass(frozen=True)
class PageWords:
    """What stands above the report.

    Parameters
    ----------
    command : str
        The command that made it.
    title : str
        Its heading.
    """

    command: str
    title: str


@dataclass(frozen=True)
class Ending:
    """How a run of experiments ended.

    Parameters
    ----------
    exit_code : int
        0; 1 if an experiment failed; 2 if one cannot run with the data given, unless it was not named and its data are
        just not there, or if another run writes into its folder; 130 after Ctrl-C and 143 after SIGTERM.
    outcomes : tuple of Outcome
        Of the experiments that ran.
    problems : tuple of str
        What is wrong with the results folder, one sentence each.
    """

    exit_code: int
    outcomes: tuple[Outcome, ...]
    problems: tuple[str, ...]


def check_run_options(repeats: int | None, jobs: int, seed: int) -> None:
    """Check the options that all runs have.

    Parameters
    ----------
    repeats : int or None
        Number of repeats, if the user gave one.
    jobs : int
        Number of processes.
    seed : int
        Seed of all random numbers.

    Raises
    ------
    UsageError
        With the first thing that is wrong.
    """
    if repeats is not None and repeats < 1:
        raise UsageError(f"--repeats is {repeats}, but must be at least 1: give for instance --repeats 6.")
    if jobs < 1 and jobs != -1:
        raise UsageError(f"--jobs is {jobs}, but must be at least 1, or -1 for all cores: leave it out.")
    if seed < 0:
        raise UsageError(f"--seed is {seed}, but must be at least 0: give for instance --seed 0.")


def check_out(out: Path) -> None:
    """Make the results folder, and see that files can be written there.

    Parameters
    ----------
    out : Path
        The folder.

    Raises
    ------
    UsageError
        If it is a file, cannot be made or written, or has a page that is not a report.
    """
    try:
        if out.exists() and not out.is_dir():
            raise UsageError(
                f"--out is {str(out)!r}, which is a file: give a folder, or a name that is free."
            )
        out.mkdir(parents=True, exist_ok=True)
        probe = out / f".{os.getpid()}.tmp"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(
            f"--out is {str(out)!r}, which cannot be written ({error.strerror}): give a folder of your own."
        ) from error
    if has_foreign_page(out):
        raise UsageError(
            f"--out is {str(out)!r}, which has an {PAGE_FILE} that is no report of widemargin: give another folder, so "
            "that it is not overwritten."
        )


def make_console() -> Console:
    """Return a console that does not fold tables when the output goes to a file.

    Returns
    -------
    Console
        Of this terminal, or 120 columns wide.
    """
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=120)


def survive_interrupt(out: Path, console: Console, work: Callable[[Termination], int]) -> int:
    """Do the work of a command, and end in a sentence if a signal comes while the report is written.

    Parameters
    ----------
    out : Path
        The results folder.
    console : Console
        Where to print.
    work : callable
        ``work(termination) -> int``: does everything, and returns the exit code.

    Returns
    -------
    int
        That exit code, or 130 after Ctrl-C and 143 after SIGTERM.
    """
    with terminated_like_interrupted() as termination:
        try:
            return work(termination)
        except KeyboardInterrupt:
            page = escape(str(out / PAGE_FILE))
            console.print(
                f"[yellow]Interrupted while the report was being written:[/] {page} may be missing, or older than "
                "the results. All that is finished is saved, and the same command writes the report."
            )
            return termination.exit_code


def run_assignments(
    assignments: Sequence[Assignment],
    out: Path,
    *,
    jobs: int,
    order: Sequence[str],
    words: PageWords,
    console: Console,
    termination: Termination,
) -> Ending:
    """Run experiments one after the other until one is interrupted; print tables, and write the report after each.

    Parameters
    ----------
    assignments : sequence of Assignment
        What to run.
    out : Path
        The results folder.
    jobs : int
        Number of processes, or -1.
    order : sequence of str
        Names of experiments to put first in the report.
    words : PageWords
        What stands above the report.
    console : Console
        Where to print.
    termination : Termination
        Knows which signal came.

    Returns
    -------
    Ending
        How it ended. A signal while the report is written is left to the caller.
    """
    exit_code = 0
    problems: tuple[str, ...] = ()
    outcomes: list[Outcome] = []
    for assignment in assignments:
        name = assignment.experiment.name
        try:
            with ProgressObserver(console) as observer:
                outcome = run_experiment(
                    assignment.experiment, assignment.settings, out, n_jobs=jobs, observer=observer
                )
        except (DatasetError, FolderInUseError) as error:
            if isinstance(error, MissingDatasetError) and not assignment.named:
                console.print(f"[yellow]{name}: skipped.[/] {escape(str(error))}\n")
                continue
            console.print(f"[red]{name}: cannot run.[/] {escape(str(error))}\n")
            exit_code = 2
            continue
        outcomes.append(outcome)
        _print_record(console, outcome.record)
        problems = write_report(out, order, command=words.command, title=words.title).problems
        if outcome.interrupted:
            exit_code = termination.exit_code
            break
        if outcome.record.status == "failed":
            exit_code = max(exit_code, 1)
    return Ending(exit_code, tuple(outcomes), problems)


def print_ending(console: Console, ending: Ending, out: Path) -> None:
    """Print what is wrong with the folder, every verdict, and where the report is, if one was written.

    Parameters
    ----------
    console : Console
        Where to print.
    ending : Ending
        How the run ended.
    out : Path
        The results folder.
    """
    for problem in ending.problems:
        console.print(f"[yellow]Results folder:[/] {escape(problem)}")
    for outcome in ending.outcomes:
        record = outcome.record
        if record.summary:
            console.print(f"[bold]{escape(record.title)}[/]\n{escape(record.summary.verdict)}\n")
    if ending.outcomes:
        console.print(f"Report: {escape(str(out / PAGE_FILE))}")


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

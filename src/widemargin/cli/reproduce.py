"""``widemargin reproduce``: check what was asked for, run the experiments, print and report."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from widemargin.cli.errors import UsageError
from widemargin.cli.running import (
    Assignment,
    PageWords,
    check_out,
    check_run_options,
    make_console,
    print_ending,
    run_assignments,
    survive_interrupt,
)
from widemargin.cli.termination import Termination
from widemargin.experiments import EXPERIMENTS, PARTS, Experiment, Settings

__all__ = ["Request", "print_experiments", "run"]


WORDS = PageWords(command="widemargin reproduce", title="Reproduced results")


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
    named : frozenset of str
        The names that the user gave; an experiment that is not among them, but in a part that is, or run because no
        name was given, is skipped if its data are not there.
    """

    experiments: tuple[Experiment, ...]
    out: Path
    data: Path | None
    repeats: tuple[int, ...]
    jobs: int
    seed: int
    named: frozenset[str]

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
            Names of experiments, or of parts that stand for all their experiments that can run; empty for all that can
            run.
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
        check_run_options(repeats, jobs, seed)
        if data is not None and not data.is_dir():
            raise UsageError(
                f"--data is {str(data)!r}, which is not a folder: give the folder of the data sets."
            )
        experiments = _choose(names, data)
        check_out(out)
        counts = tuple(repeats or _repeats(experiment, quick, full) for experiment in experiments)
        return cls(experiments, out, data, counts, jobs, seed, frozenset(names))


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
        its data are just not there, or if another run writes into its folder; 130 after Ctrl-C and 143 after SIGTERM.
    """
    console = make_console()
    assignments = [
        Assignment(
            experiment, Settings(request.seed, repeats, request.data), experiment.name in request.named
        )
        for experiment, repeats in zip(request.experiments, request.repeats, strict=True)
    ]
    order = [experiment.name for experiment in EXPERIMENTS]

    def work(termination: Termination) -> int:
        ending = run_assignments(
            assignments,
            request.out,
            jobs=request.jobs,
            order=order,
            words=WORDS,
            console=console,
            termination=termination,
        )
        print_ending(console, ending, request.out)
        return ending.exit_code

    return survive_interrupt(request.out, console, work)


def print_experiments() -> None:
    """Print the names of all experiments and parts, what they ask, and how many repeats they make."""
    table = Table(title="Experiments", title_justify="left", show_lines=True)
    for heading in ("part", "name", "question", "data", "repeats: quick / default / full"):
        table.add_column(heading, overflow="fold")
    for experiment in EXPERIMENTS:
        repeats = experiment.repeats
        table.add_row(
            escape(_part_of(experiment)),
            escape(experiment.name),
            escape(experiment.question),
            "needs --data" if experiment.needs_data else "embedded",
            f"{repeats.quick} / {repeats.default} / {repeats.full}",
        )
    console = make_console()
    console.print(table)
    console.print("The name of a part runs all its experiments that can run.")


def _part_of(experiment: Experiment) -> str:
    """Return the name of the part that an experiment belongs to."""
    return next((part for part, members in PARTS.items() if experiment in members), "")


def _choose(names: Sequence[str], data: Path | None) -> tuple[Experiment, ...]:
    """Return the named experiments, those of the named parts that can run, or all that can run."""
    if not names:
        return _that_can_run(EXPERIMENTS, data)
    known = {experiment.name: experiment for experiment in EXPERIMENTS}
    chosen: list[Experiment] = []
    for name in names:
        if name in PARTS:
            chosen += _that_can_run(PARTS[name], data)
        elif name not in known:
            raise UsageError(
                f"NAME is {name!r}, which is no experiment: {_describe_known(name, [*known, *PARTS])}."
            )
        elif known[name].needs_data and data is None:
            raise UsageError(
                f"NAME is {name!r}, which needs benchmark data: add --data with the folder of the data sets."
            )
        else:
            chosen.append(known[name])
    return tuple({experiment.name: experiment for experiment in chosen}.values())


def _that_can_run(experiments: Sequence[Experiment], data: Path | None) -> tuple[Experiment, ...]:
    """Leave out the experiments that need a data folder if there is none."""
    return tuple(experiment for experiment in experiments if data is not None or not experiment.needs_data)


def _describe_known(name: str, known: Sequence[str]) -> str:
    """Say which names there are, and which of them is meant, if there is a choice."""
    if len(known) == 1:
        return f"the only one is {known[0]!r}"
    (nearest,) = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return f"the nearest is {nearest!r}; known are {', '.join(known)}"


def _repeats(experiment: Experiment, quick: bool, full: bool) -> int:
    if quick:
        return experiment.repeats.quick
    return experiment.repeats.full if full else experiment.repeats.default

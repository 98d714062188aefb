"""Show how a run goes on: a moving bar in a terminal, a few plain lines in a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from widemargin.experiments import Experiment, Unit
from widemargin.report import format_seconds

__all__ = ["ProgressObserver"]


class ProgressObserver:
    """The observer of one run, to be used as a context manager.

    Parameters
    ----------
    console : Console
        Where to print. If it is no terminal there is no bar, but a line after every tenth of the work, with the
        time left.
    clock : callable, default=time.monotonic
        ``clock() -> float``, in seconds, from which the time left in those lines is estimated.
    """

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("[dim]{task.fields[unit]}"),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> ProgressObserver:
        """Start the bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the bar as it stands."""
        self._progress.stop()

    def started(self, experiment: Experiment, n_done: int, n_total: int) -> None:
        """Show how much there is to do.

        Parameters
        ----------
        experiment : Experiment
            What runs.
        n_done, n_total : int
            Units that are finished already, and all units.
        """
        noun = f"{experiment.unit_noun}s"
        self._name, self._noun = experiment.name, noun
        self._start = self._clock()
        self._n_before = self._n_done = n_done
        self._n_total = n_total
        if n_done == n_total:
            self.notice(
                f"{experiment.name}: all {n_total} {noun} were finished before; nothing is left to compute."
            )
            return
        if n_done:
            self.notice(f"{experiment.name} continues: {n_done} of {n_total} {noun} were finished before.")
        elif not self._console.is_terminal:
            self._console.print(f"{escape(experiment.name)}: {n_total} {noun} to compute.")
        self._task = self._progress.add_task(
            experiment.name, total=n_total, completed=n_done, unit=f"computing the first {noun}"
        )

    def finished_unit(self, unit: Unit) -> None:
        """Move the bar.

        Parameters
        ----------
        unit : Unit
            The unit that was finished.
        """
        self._progress.update(
            self._task, advance=1, unit=escape(f"{unit.task}, repeat {unit.repeat + 1} done")
        )
        tenth_before = 10 * self._n_done // self._n_total
        self._n_done += 1
        if not self._console.is_terminal and 10 * self._n_done // self._n_total > tenth_before:
            self._print_line()

    def _print_line(self) -> None:
        """Print how far the run is, and how long the rest takes at the speed of this run."""
        elapsed = self._clock() - self._start
        n_left = self._n_total - self._n_done
        left = format_seconds(elapsed / (self._n_done - self._n_before) * n_left)
        self._console.print(
            f"{escape(self._name)}: {100 * self._n_done // self._n_total} % ({self._n_done} of {self._n_total} "
            f"{self._noun}) after {format_seconds(elapsed)}" + (f", about {left} left" if n_left else "")
        )

    def notice(self, text: str) -> None:
        """Print a sentence above the bar.

        Parameters
        ----------
        text : str
            The sentence.
        """
        self._console.print(f"[yellow]Note:[/] {escape(text)}")

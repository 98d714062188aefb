"""Show how a run goes on: a moving bar in a terminal, a few plain lines in a file."""

from __future__ import annotations

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

__all__ = ["ProgressObserver"]


class ProgressObserver:
    """The observer of one run, to be used as a context manager.

    Parameters
    ----------
    console : Console
        Where to print. If it is no terminal there is no bar, only lines on how the run starts and notices.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
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
        self._task = self._progress.add_task(
            experiment.name, total=n_total, completed=n_done, unit="computing the first units"
        )
        if n_done:
            self.notice(f"{experiment.name} continues: {n_done} of {n_total} units are finished already.")
        elif not self._console.is_terminal:
            self._console.print(f"{escape(experiment.name)}: {n_total} units to compute.")

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

    def notice(self, text: str) -> None:
        """Print a sentence above the bar.

        Parameters
        ----------
        text : str
            The sentence.
        """
        self._console.print(f"[yellow]Note:[/] {escape(text)}")

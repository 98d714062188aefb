"""What an experiment is: a few facts, and four functions that the runner calls.

An experiment is one file of this package that ends in an `Experiment`. Everything that experiments share
lives elsewhere: the runner saves and resumes (`running`), `accuracy` compares methods over repeats, and
`widemargin.report` makes the page. To add an experiment:

1. Write ``experiments/my_experiment.py`` (``privileged_digits.py`` is the template) with

   - ``units``: the pieces of work, one task and one repeat each, the repeats in the outer loop, so that an
     interrupted run has about as many repeats of every task;
   - ``run``: computes one unit and returns one row of a results table, with no side effect. It may run in
     another process, and draws its random numbers from
     ``unit_seed(settings.seed, name, unit.task, unit.repeat)``;
   - ``summarise``: makes tables, comparisons with the paper and plain sentences of the rows that exist;
   - ``draw``: makes figures of the same rows;
   - ``protocol``: says in words and numbers what is done. A change there makes earlier results invalid.

2. Put its `Experiment` into the tuple in ``experiments/__init__.py``.
3. Test a tiny subset of it through `widemargin.experiments.run_experiment`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from widemargin.experiments.summary import Summary

__all__ = ["Drawing", "Experiment", "Repeats", "Row", "Rows", "Settings", "TableSpec", "Unit"]

Row = dict[str, str | int | float]
"""One line of a results table: column name to value."""

Rows = Mapping[str, Sequence[Row]]
"""The finished rows of every table, by the table's name."""


@dataclass(frozen=True)
class Settings:
    """What the user chose for a run.

    Parameters
    ----------
    seed : int, default=0
        Seed of all random numbers, at least 0.
    repeats : int, default=1
        Number of train/test splits of every task, at least 1.
    data : Path or None, default=None
        Folder with the benchmark data sets; None for experiments on embedded data.
    """

    seed: int = 0
    repeats: int = 1
    data: Path | None = None

    def data_folder(self, experiment: str) -> Path:
        """Return the folder of the benchmark data, for an experiment that needs it.

        Parameters
        ----------
        experiment : str
            Name of the experiment.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        ValueError
            If there is none.
        """
        if self.data is None:
            raise ValueError(f"{experiment} needs benchmark data: pass their folder as data.")
        return self.data


@dataclass(frozen=True)
class Repeats:
    """How many repeats the three sizes of a run make.

    Parameters
    ----------
    quick, default, full : int
        Repeats with ``--quick``, with neither flag, and with ``--full`` (as many as the paper made).
    """

    quick: int
    default: int
    full: int


@dataclass(frozen=True)
class Unit:
    """The smallest piece of work that is saved: one repeat of one task.

    Parameters
    ----------
    table : str
        Name of the results table that its row belongs to.
    task : str
        What is learned, as a reader of the report would say it.
    repeat : int
        Number of the repeat, from 0.
    """

    table: str
    task: str
    repeat: int


@dataclass(frozen=True)
class TableSpec:
    """The columns of a results table that an experiment fills.

    Every table starts with the columns ``task`` and ``repeat`` and ends with ``seconds``, which the runner
    adds.

    Parameters
    ----------
    name : str
        Name of the table, and of its CSV file.
    columns : mapping of str to type
        Name and type (``str``, ``int`` or ``float``) of the columns that `run` returns.
    """

    name: str
    columns: Mapping[str, type]


@dataclass(frozen=True)
class Drawing:
    """A figure with the words that a reader needs who cannot see it.

    Parameters
    ----------
    name : str
        Name of its files, without extension.
    title, caption : str
        Heading above and explanation below the figure.
    alt : str
        What the figure shows, in words, with its main numbers.
    figure : matplotlib.figure.Figure
        The figure itself, not yet saved.
    """

    name: str
    title: str
    caption: str
    alt: str
    figure: Figure


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper, as something that can be run again.

    Parameters
    ----------
    name : str
        Lower-case words with dashes, as typed on the command line.
    title : str
        Heading in the report.
    question : str
        The question that it answers, in one sentence.
    reference : str
        The paper, with its table or figure.
    repeats : Repeats
        Number of repeats of the three sizes of a run.
    tables : tuple of TableSpec
        The results tables, one CSV file each.
    protocol : callable
        ``protocol(settings) -> dict of str to str``: everything that results depend on, the identity of the
        data included, except the seed and the number of repeats. Shown in the report, and fingerprinted. Raises
        DatasetError if the data cannot be used.
    units : callable
        ``units(settings) -> list of Unit``: the work of this run, in the order in which it is done.
    run : callable
        ``run(unit, settings) -> Row``: computes one unit. Picklable.
    summarise : callable
        ``summarise(rows, settings) -> Summary`` of a non-empty set of rows, possibly incomplete.
    draw : callable
        ``draw(rows, settings) -> list of Drawing``, of the same rows.
    needs_data : bool, default=False
        Whether it needs the folder given by ``--data``.
    task_noun : str, default="task"
        What the report calls a task of its units.
    unit_noun : str, default="unit"
        What messages call a unit.
    inputs : mapping of str to str or None, default=None
        What the user gave, such as files and options, shown among the settings in the report in place of the data
        folder. Results do not depend on it beyond what the protocol says.
    """

    name: str
    title: str
    question: str
    reference: str
    repeats: Repeats
    tables: tuple[TableSpec, ...]
    protocol: Callable[[Settings], dict[str, str]]
    units: Callable[[Settings], list[Unit]]
    run: Callable[[Unit, Settings], Row]
    summarise: Callable[[Rows, Settings], Summary]
    draw: Callable[[Rows, Settings], list[Drawing]]
    needs_data: bool = False
    task_noun: str = "task"
    unit_noun: str = "unit"
    inputs: Mapping[str, str] | None = None

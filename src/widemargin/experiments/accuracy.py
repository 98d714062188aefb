"""Accuracies of several methods on several tasks: means, errors, wins and significance, as tables and words.

Other measures that are fractions and better when larger, such as the partial AUC, are treated alike: see `Measure`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.experiments.experiment import Row
from widemargin.experiments.summary import Cell, Column, SummaryTable, gain_or_loss, p_text
from widemargin.metrics import MethodComparison, PairedComparison, compare_methods, paired_wilcoxon

__all__ = ["ACCURACY", "AccuracyStudy", "Measure", "Method", "accuracy_table"]

FloatArray = npt.NDArray[np.float64]

# The smallest p-value of a two-sided signed-rank test of n pairs is 2^(1 - n): 0.031 for 6, 0.063 for 5.
_REPEATS_FOR_SIGNIFICANCE = 6


@dataclass(frozen=True)
class Measure:
    """What is compared: a fraction that is better when larger.

    Parameters
    ----------
    key : str
        End of the names of its columns in a results table.
    name : str
        What readers call it.
    """

    key: str
    name: str


ACCURACY = Measure("accuracy", "accuracy")
"""The share of test samples that are classified correctly."""


@dataclass(frozen=True)
class Method:
    """A column of an accuracy table.

    Parameters
    ----------
    key : str
        Its accuracy, a fraction, is in the column ``<key>_accuracy`` of the results table; of another measure,
        ``<key>_<measure>``.
    name : str
        What readers call it.
    sees : str
        The data that it learns from.
    reference : bool, default=False
        Whether it is shown for reference only and never competes.
    """

    key: str
    name: str
    sees: str
    reference: bool = False


@dataclass(frozen=True, eq=False)
class AccuracyStudy:
    """The accuracies of a results table, compared task by task; tasks may have different numbers of repeats.

    Parameters
    ----------
    methods : tuple of Method
        The methods; the first is the baseline.
    scores : mapping of str to ndarray of shape (n_methods, n_repeats)
        Accuracies in percent, by task.
    comparisons : mapping of str to MethodComparison
        The comparison of the methods on each task.
    measure : Measure, default=ACCURACY
        What is compared, if it is not the accuracy.
    sample : str, default="repeat"
        What the scores of a task are of, over which means are taken and tests are made; a noun whose plural has an s.
    """

    methods: tuple[Method, ...]
    scores: Mapping[str, FloatArray]
    comparisons: Mapping[str, MethodComparison]
    measure: Measure = ACCURACY
    sample: str = "repeat"

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Row],
        methods: Sequence[Method],
        measure: Measure = ACCURACY,
        sample: str = "repeat",
    ) -> AccuracyStudy:
        """Compare the methods on every task that has rows.

        Parameters
        ----------
        rows : sequence of Row
            Rows with the columns ``task`` and ``<key>_accuracy`` for every method, or those of the measure.
        methods : sequence of Method
            The methods; the first is the baseline.
        measure : Measure, default=ACCURACY
            What is compared.
        sample : str, default="repeat"
            What a row of a task is.

        Returns
        -------
        AccuracyStudy
            Tasks in the order in which they come first.
        """
        by_task: dict[str, list[list[float]]] = {}
        for row in rows:
            accuracies = [100 * float(row[f"{method.key}_{measure.key}"]) for method in methods]
            by_task.setdefault(str(row["task"]), []).append(accuracies)
        scores = {task: np.array(values).T for task, values in by_task.items()}
        excluded = [method.key for method in methods if method.reference]
        comparisons = {
            task: compare_methods(
                {method.key: [row] for method, row in zip(methods, table, strict=True)},
                methods[0].key,
                exclude=excluded,
            )
            for task, table in scores.items()
        }
        return cls(tuple(methods), scores, comparisons, measure, sample)

    @property
    def tasks(self) -> list[str]:
        """Names of the tasks."""
        return list(self.scores)

    @property
    def competitors(self) -> list[Method]:
        """The methods that compete with the baseline."""
        return [method for method in self.methods[1:] if not method.reference]

    def means(self, key: str) -> FloatArray:
        """Return the mean accuracy of a method on every task.

        Parameters
        ----------
        key : str
            Key of the method.

        Returns
        -------
        ndarray of shape (n_tasks,)
            Means over the repeats, in percent.
        """
        return np.array([c.mean[0, self._place(key)] for c in self.comparisons.values()])

    def wins(self, key: str) -> int:
        """Count the tasks on which a method is the best or shares that place.

        Parameters
        ----------
        key : str
            Key of the method.

        Returns
        -------
        int
            Number of tasks.
        """
        return sum(c.win_counts[key] for c in self.comparisons.values())

    def paired(self, first: str, second: str) -> list[PairedComparison]:
        """Compare two methods over the repeats of every task.

        Parameters
        ----------
        first, second : str
            Keys of the methods.

        Returns
        -------
        list of PairedComparison
            One test a task, of first minus second, in percentage points.
        """
        places = self._place(first), self._place(second)
        return [paired_wilcoxon(table[places[0]], table[places[1]]) for table in self.scores.values()]

    def record(self, first: str, second: str) -> tuple[int, int, int]:
        """Count the tasks on which one method's mean is above, equal to and below another's.

        Parameters
        ----------
        first, second : str
            Keys of the methods.

        Returns
        -------
        above, equal, below : int
            Numbers of tasks, seen from the first method.
        """
        difference = np.round(self.means(first) - self.means(second), 9)
        return int((difference > 0).sum()), int((difference == 0).sum()), int((difference < 0).sum())

    def significant(self, key: str) -> tuple[int, int]:
        """Count the tasks on which a method differs significantly from the baseline.

        Parameters
        ----------
        key : str
            Key of the method.

        Returns
        -------
        gains, losses : int
            Numbers of tasks on which it is above and below.
        """
        place = self._place(key)
        gains = sum(bool(c.significant_gain[0, place]) for c in self.comparisons.values())
        losses = sum(bool(c.significant_loss[0, place]) for c in self.comparisons.values())
        return gains, losses

    def over_tasks(self, first: str, second: str) -> PairedComparison:
        """Compare two methods by their means over the tasks or, if there is one task, over its repeats.

        Parameters
        ----------
        first, second : str
            Keys of the methods.

        Returns
        -------
        PairedComparison
            The test of first minus second, in percentage points.
        """
        if len(self.scores) == 1:
            return self.paired(first, second)[0]
        return paired_wilcoxon(self.means(first), self.means(second))

    def describe_gain(self, key: str) -> str:
        """Say in a sentence how a method compares with the baseline.

        Parameters
        ----------
        key : str
            Key of the method.

        Returns
        -------
        str
            The sentence.
        """
        method, baseline = self.methods[self._place(key)], self.methods[0]
        test = self.over_tasks(key, baseline.key)
        p_value = p_text(test.p_value)
        verdict = "significant by itself" if test.p_value <= 0.05 else "not significant"
        if len(self.scores) == 1:
            return (
                f"{method.name} reaches {self.means(key)[0]:.2f} % against {self.means(baseline.key)[0]:.2f} % "
                f"of the {baseline.name}, a {gain_or_loss(test.mean_difference)} (paired Wilcoxon over "
                f"{test.n_pairs} {_plural(test.n_pairs, self.sample)}: {p_value}, {verdict})."
            )
        above, equal, below = self.record(key, baseline.key)
        return (
            f"{method.name} is above the {baseline.name} on {above} of {len(self.scores)} tasks, equal on "
            f"{equal} and below on {below}, with a mean {gain_or_loss(test.mean_difference)} (paired "
            f"Wilcoxon over the tasks: {p_value}, {verdict})."
        )

    def _place(self, key: str) -> int:
        return [method.key for method in self.methods].index(key)


def accuracy_table(study: AccuracyStudy, name: str, title: str) -> SummaryTable:
    """Make the table of mean accuracy and standard error that the papers print.

    Parameters
    ----------
    study : AccuracyStudy
        The accuracies.
    name, title : str
        Identifier and caption of the table.

    Returns
    -------
    SummaryTable
        One row a task; with several tasks also the means over them, wins and significant differences.
    """
    columns = (
        Column("task", numeric=False),
        *(
            Column(method.name, method.sees + (", for reference" * method.reference))
            for method in study.methods
        ),
    )
    rows = tuple(
        (Cell(task), *(_accuracy_cell(comparison, place) for place in range(len(study.methods))))
        for task, comparison in study.comparisons.items()
    )
    return SummaryTable(name, title, _note(study), columns, rows, _totals(study) if len(rows) > 1 else ())


def _accuracy_cell(comparison: MethodComparison, place: int) -> Cell:
    """Print one mean with its standard error, and mark it."""
    mean, error = comparison.mean[0, place], comparison.standard_error[0, place]
    mark = "gain" * bool(comparison.significant_gain[0, place])
    mark += "loss" * bool(comparison.significant_loss[0, place])
    return Cell(
        f"{mean:.2f}" + (f" ± {error:.2f}" if np.isfinite(error) else ""),
        best=bool(comparison.winners[0, place]),
        mark=mark,
        reference=comparison.methods[place] in comparison.excluded,
    )


def _totals(study: AccuracyStudy) -> tuple[tuple[Cell, ...], ...]:
    """Make the last rows: means over tasks, wins, significant gains and losses."""
    means = {method.key: study.means(method.key).mean() for method in study.methods}
    highest = max(means[method.key] for method in study.methods if not method.reference)
    mean_row, win_row, significant_row = (
        [Cell("mean over tasks")],
        [Cell("best on")],
        [Cell("significant ▲ / ▼")],
    )
    for place, method in enumerate(study.methods):
        mean = Cell(f"{means[method.key]:.2f}", reference=method.reference, best=False)
        if not method.reference and means[method.key] >= highest - 1e-9:
            mean = Cell(mean.text, best=True)
        mean_row.append(mean)
        win_row.append(Cell("–") if method.reference else Cell(str(study.wins(method.key))))
        compared = place > 0 and not method.reference
        significant_row.append(Cell("{} / {}".format(*study.significant(method.key)) if compared else "–"))
    return tuple(mean_row), tuple(win_row), tuple(significant_row)


def _note(study: AccuracyStudy) -> str:
    """Say how to read the table."""
    counts = [table.shape[1] for table in study.scores.values()]
    least, most = min(counts), max(counts)
    if most == 1:
        of_repeats = f"of one {study.sample}, which has no standard error"
    else:
        count = f"{least}" if least == most else f"{least} to {most}"
        of_repeats = f"over {count} {study.sample}s, mean ± standard error of the mean"
    measure = study.measure.name[0].upper() + study.measure.name[1:]
    note = (
        f"{measure} in percent {of_repeats}. Bold: best of the row; "
        "ties count for every method that shares the place. "
        f"▲ / ▼: significantly above / below the {study.methods[0].name} of the same row, paired two-sided "
        "Wilcoxon test at 95 %, not corrected for the number of tasks."
    )
    if any(method.reference for method in study.methods):
        note += " Italics: shown for reference only, it does not compete."
    if most < _REPEATS_FOR_SIGNIFICANCE:
        note += (
            f" With fewer than {_REPEATS_FOR_SIGNIFICANCE} {study.sample}s this test cannot reach 95 %: no row can be "
            "marked, whatever the differences."
        )
    return note


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"

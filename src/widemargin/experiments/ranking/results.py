"""What a competition of rankers found: who is ahead of whom by more than one standard error, in tables and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.experiment import Row
from widemargin.experiments.ranking.competition import Judgement
from widemargin.experiments.ranking.contenders import PARTIAL_AUC, Contender
from widemargin.experiments.summary import Cell, Column, SummaryTable, p_text, signed

__all__ = [
    "Standing",
    "choices_table",
    "describe_standings",
    "join",
    "standings",
    "standings_table",
    "study_of",
    "times_table",
    "winners_sentence",
]

_MOST_LISTED = 4
"""Tasks that a sentence lists by name."""

Side = Literal["ahead", "level", "behind"]
Label = Callable[[str, Judgement], str]


@dataclass(frozen=True)
class Standing:
    """How one method stands against another on one task.

    Parameters
    ----------
    task : str
        The task.
    difference : float
        Mean difference over the repeats, in percentage points.
    error : float
        Standard error of the mean paired difference; NaN for one repeat.
    p_value : float
        Of the paired Wilcoxon test over the repeats.
    """

    task: str
    difference: float
    error: float
    p_value: float

    @property
    def side(self) -> Side:
        """Ahead or behind if the difference exceeds one standard error, which counts as zero if it is not known."""
        if abs(self.difference) <= np.nan_to_num(self.error):
            return "level"
        return "ahead" if self.difference > 0 else "behind"

    @property
    def words(self) -> str:
        """The difference with its standard error."""
        return signed(self.difference) + (f" ± {self.error:.2f}" if np.isfinite(self.error) else "")

    @property
    def test_words(self) -> str:
        """What the test over the repeats says."""
        if np.isnan(self.error):
            return "one repeat, which nothing can be tested with"
        return f"paired Wilcoxon over the repeats: {p_text(self.p_value)}"


def study_of(
    rows: Sequence[Row], contenders: Sequence[Contender], judgements: Sequence[Judgement], label: Label
) -> AccuracyStudy:
    """Compare the contenders that were trained in all rows.

    Parameters
    ----------
    rows : sequence of Row
        Rows of a results table, at least one.
    contenders : sequence of Contender
        The contenders; the first is the baseline.
    judgements : sequence of Judgement
        Each makes a task of its own of every task of the rows.
    label : callable
        Name of a task, from the one of the row and the judgement.

    Returns
    -------
    AccuracyStudy
        Partial AUC in percent, task by task.
    """
    by_task: dict[str, list[Row]] = {}
    for row in rows:
        by_task.setdefault(str(row["task"]), []).append(row)
    expanded: list[Row] = [
        {
            "task": label(task, judgement),
            **{f"{c.key}_pauc": row[f"{c.key}_{judgement.key}_pauc"] for c in contenders},
        }
        for task, own in by_task.items()
        for judgement in judgements
        for row in own
    ]
    methods = [
        Method(c.key, c.name, c.note, c.reference)
        for c in contenders
        if all(np.isfinite(float(row[f"{c.key}_pauc"])) for row in expanded)
    ]
    return AccuracyStudy.from_rows(expanded, methods, PARTIAL_AUC)


def standings(study: AccuracyStudy, first: str, second: str) -> list[Standing]:
    """Compare two methods on every task.

    Parameters
    ----------
    study : AccuracyStudy
        Their partial AUC.
    first, second : str
        Keys of the methods.

    Returns
    -------
    list of Standing
        Of the first minus the second, one a task.
    """
    return [
        Standing(task, test.mean_difference, test.standard_error, test.p_value)
        for task, test in zip(study.tasks, study.paired(first, second), strict=True)
    ]


def describe_standings(study: AccuracyStudy, first: str, second: str) -> str:
    """Say on how many tasks one method is ahead of another by more than one standard error, and where it is behind.

    Parameters
    ----------
    study : AccuracyStudy
        Their partial AUC.
    first, second : str
        Keys of the methods.

    Returns
    -------
    str
        The sentence.
    """
    names = {method.key: method.name for method in study.methods}
    found = standings(study, first, second)
    known = all(np.isfinite(s.error) for s in found)
    error = "mean ± standard error" if known else "one repeat, which has no standard error"
    if len(found) == 1:
        side = {"ahead": "ahead of", "level": "level with", "behind": "behind"}[found[0].side]
        return f"{names[first]} is {side} {names[second]}: {found[0].words} points ({error})."
    ahead, level, behind = ([s for s in found if s.side == side] for side in ("ahead", "level", "behind"))
    where = (
        f" ({'; '.join(f'{s.task}: {s.words}' for s in behind)})" if 0 < len(behind) <= _MOST_LISTED else ""
    )
    if known:
        text = (
            f"{names[first]} is ahead of {names[second]} by more than one standard error on {len(ahead)} of "
            f"{len(found)} tasks, within one on {len(level)} and behind by more on {len(behind)}{where}"
        )
    else:
        text = (
            f"{names[first]} is above {names[second]} on {len(ahead)} of {len(found)} tasks, equal on {len(level)} and "
            f"below on {len(behind)}{where}"
        )
    mean = signed(float(np.mean([s.difference for s in found])))
    return f"{text}; mean difference {mean} points" + ("." if known else f" ({error}).")


def winners_sentence(study: AccuracyStudy) -> str:
    """Say which method has the highest mean on which tasks.

    Parameters
    ----------
    study : AccuracyStudy
        The partial AUC.

    Returns
    -------
    str
        The sentence, with ties for every method that shares the place.
    """
    won: dict[str, list[str]] = {}
    for task, comparison in study.comparisons.items():
        for place, method in enumerate(study.methods):
            if comparison.winners[0, place]:
                won.setdefault(method.name, []).append(task)
    if len(study.tasks) == 1:
        return f"Highest partial AUC: {join(won)}."
    parts = [
        f"{name} on {len(tasks)}" + (f" ({'; '.join(tasks)})" if len(tasks) <= 3 else "")
        for name, tasks in sorted(won.items(), key=lambda item: -len(item[1]))
    ]
    return f"Highest partial AUC, of {len(study.tasks)} tasks: {join(parts)}."


def standings_table(
    study: AccuracyStudy, first: str, others: Sequence[str], name: str, title: str
) -> SummaryTable:
    """Show the differences of one method to others.

    Parameters
    ----------
    study : AccuracyStudy
        The partial AUC.
    first : str
        Key of the method.
    others : sequence of str
        Keys of those it is compared with.
    name, title : str
        Identifier and caption of the table.

    Returns
    -------
    SummaryTable
        One row a task; below, on how many tasks it is ahead, level and behind.
    """
    names = {method.key: method.name for method in study.methods}
    columns = {other: standings(study, first, other) for other in others}
    rows = []
    for place, task in enumerate(study.tasks):
        cells = [Cell(task)]
        for found in columns.values():
            standing = found[place]
            significant = standing.p_value <= 0.05
            mark = ("gain" if standing.difference > 0 else "loss") if significant else ""
            cells.append(Cell(standing.words, best=standing.side == "ahead", mark=mark))
        rows.append(tuple(cells))
    counts = [Cell("ahead / level / behind")]
    for found in columns.values():
        sides = Counter(standing.side for standing in found)
        counts.append(Cell(f"{sides['ahead']} / {sides['level']} / {sides['behind']}"))
    return SummaryTable(
        name,
        title,
        f"{names[first]} minus the method of the column, percentage points of the partial AUC, mean ± standard error "
        "of the paired difference. Bold: ahead by more than one standard error. Level: within one. ▲ / ▼: significant, "
        "paired two-sided Wilcoxon test over the repeats at 95 %, not corrected.",
        (Column("task", numeric=False), *(Column(f"minus {names[other]}") for other in others)),
        tuple(rows),
        (tuple(counts),) if len(rows) > 1 else (),
    )


def choices_table(
    rows: Sequence[Row], contenders: Sequence[Contender], judgements: Sequence[Judgement]
) -> SummaryTable:
    """Show how often which values of parameters were chosen.

    Parameters
    ----------
    rows : sequence of Row
        Rows of a results table.
    contenders : sequence of Contender
        The contenders; those with nothing to choose are left out.
    judgements : sequence of Judgement
        Where they were compared.

    Returns
    -------
    SummaryTable
        One row a contender and parameter.
    """
    lines = []
    for contender in contenders:
        if len(contender.grid) == 1 or contender.estimator is None:
            continue
        names = [f"{contender.key}_{judgement.key}_choice" for judgement in judgements]
        chosen = Counter(str(row[name]) for row in rows for name in names)
        counts: dict[str, Counter[str]] = {}
        for choice in range(len(contender.grid)):
            for parameter, value in contender.values(choice).items():
                counts.setdefault(parameter, Counter())[value] += chosen[contender.words(choice)]
        for parameter, of_values in counts.items():
            ends = _ends_of_grid(of_values)
            text = ", ".join(
                f"{value}{'*' * (value in ends)} ({count})" for value, count in of_values.items() if count
            )
            if text:
                lines.append((Cell(contender.name), Cell(parameter), Cell(text)))
    return SummaryTable(
        "choices",
        "Settings that were chosen",
        "In brackets: how often, over all tasks and repeats. An asterisk marks the least and the largest of three or "
        "more values that could be chosen: where it is frequent, a value beyond might be better.",
        tuple(Column(title, numeric=False) for title in ("method", "parameter", "values")),
        tuple(lines),
    )


def _ends_of_grid(values: Iterable[str]) -> set[str]:
    """Return the least and the largest of at least three numbers."""
    try:
        numbers = {value: float(value) for value in values}
    except ValueError:
        return set()
    if len(numbers) < 3:
        return set()
    return {min(numbers, key=numbers.__getitem__), max(numbers, key=numbers.__getitem__)}


def times_table(
    rows: Sequence[Row], contenders: Sequence[Contender], judgements: Sequence[Judgement], label: Label
) -> SummaryTable:
    """Show how long the last training took, with the settings chosen.

    Parameters
    ----------
    rows : sequence of Row
        Rows of a results table.
    contenders : sequence of Contender
        The contenders.
    judgements : sequence of Judgement
        Where they were compared.
    label : callable
        Name of a task, from the one of the row and the judgement.

    Returns
    -------
    SummaryTable
        One row a task.
    """
    lines = []
    for task in dict.fromkeys(str(row["task"]) for row in rows):
        for judgement in judgements:
            cells = [Cell(label(task, judgement))]
            for contender in contenders:
                name = f"{contender.key}_{judgement.key}_fit_seconds"
                seconds = float(np.median([float(row[name]) for row in rows if row["task"] == task]))
                cells.append(Cell(f"{seconds:.2g}" if np.isfinite(seconds) else "–"))
            lines.append(tuple(cells))
    return SummaryTable(
        "times",
        "Seconds of one training with the settings chosen",
        "Median over the repeats, one thread; other work on the machine, and other units of this run, are in it.",
        (Column("task", numeric=False), *(Column(c.name) for c in contenders)),
        tuple(lines),
    )


def join(parts: Iterable[str]) -> str:
    """Join parts of a sentence.

    Parameters
    ----------
    parts : iterable of str
        The parts.

    Returns
    -------
    str
        As in "a, b and c".

    Examples
    --------
    >>> join(["a", "b", "c"])
    'a, b and c'
    """
    texts = list(parts)
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))

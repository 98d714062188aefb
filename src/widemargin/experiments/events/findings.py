"""What every experiment on shots says about its trainings: which parameters were chosen, and what did not converge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from widemargin.experiments.events.methods import Entrant
from widemargin.experiments.experiment import Row
from widemargin.experiments.summary import Cell, Column, SummaryTable

__all__ = ["choices_table", "unconverged_sentences"]


def choices_table(rows: Sequence[Row], entrants: Sequence[Entrant]) -> SummaryTable:
    """Show how often which values of parameters were chosen.

    Parameters
    ----------
    rows : sequence of Row
        Rows with the column ``<key>_choices`` of every method: the choices of all events, with semicolons between.
    entrants : sequence of Entrant
        The methods.

    Returns
    -------
    SummaryTable
        One row a method.
    """
    lines = []
    for entrant in entrants:
        chosen = [choice.split() for row in rows for choice in str(row[f"{entrant.key}_choices"]).split("; ")]
        texts = dict.fromkeys(("isotonic", "other"), "–")
        for place, (parameter, values) in enumerate(entrant.grid.items()):
            counts = Counter(choice[place] for choice in chosen)
            ends = {f"{min(values):g}", f"{max(values):g}"}
            shown = (f"{value:g}" for value in sorted(values))
            texts["isotonic" if parameter == "isotonic_alpha" else "other"] = ", ".join(
                f"{text}{'*' * (text in ends)} ({counts[text]})" for text in shown if counts[text]
            )
        lines.append((Cell(entrant.name), Cell(_kind(entrant)), *(Cell(text) for text in texts.values())))
    return SummaryTable(
        "choices",
        "Values that were chosen",
        "In brackets: how often, over all tasks, repeats and events. An asterisk marks the least and the largest value "
        "that could be chosen: where it is frequent, a value beyond might be better.",
        tuple(Column(title, numeric=False) for title in ("method", "kind", "isotonic_alpha", "alpha, or C")),
        tuple(lines),
    )


def unconverged_sentences(rows: Sequence[Row], n_trainings: int) -> list[str]:
    """Say how many of the last trainings stopped before their tolerance.

    Parameters
    ----------
    rows : sequence of Row
        Rows with the column ``unconverged``.
    n_trainings : int
        Trainings of a row.

    Returns
    -------
    list of str
        One sentence, or none if all converged.
    """
    n_unconverged = sum(int(row["unconverged"]) for row in rows)
    if not n_unconverged:
        return []
    return [
        f"Of {n_trainings * len(rows)} last trainings {n_unconverged} used up their iterations before they reached "
        "their tolerance."
    ]


def _kind(entrant: Entrant) -> str:
    """Tell methods of the same name apart."""
    parameters = entrant.estimator.get_params()
    if "isotonic_alpha" not in parameters:
        return entrant.sees
    order = parameters["order"]
    extra = "" if order == "nearly_isotonic" else f", {order}"
    return f"{entrant.sees}, {parameters['penalty']}{extra}"

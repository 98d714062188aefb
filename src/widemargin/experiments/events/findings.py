"""What experiments on shots say beside their tables: who wins, which values were chosen, what did not converge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.events.methods import Entrant
from widemargin.experiments.experiment import Row
from widemargin.experiments.summary import Cell, Column, SummaryTable

__all__ = ["choices_table", "unconverged_sentences", "winner_sentences"]


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


def winner_sentences(study: AccuracyStudy, entrants: Sequence[Entrant]) -> list[str]:
    """Say task by task which method is best, and where that is none of the nearly-isotonic ones.

    Parameters
    ----------
    study : AccuracyStudy
        Scores of the methods.
    entrants : sequence of Entrant
        The methods, in the same order.

    Returns
    -------
    list of str
        One sentence a task.
    """
    by_key = {entrant.key: entrant for entrant in entrants}
    ordering = [
        key
        for key, entrant in by_key.items()
        if "isotonic_alpha" in entrant.grid and entrant.view == "saliency"
    ]
    sentences = []
    for place, task in enumerate(study.tasks):
        means = {key: float(study.means(key)[place]) for key in by_key}

        def named(key: str, mean: float) -> str:
            return f"{by_key[key].name} ({_kind(by_key[key])}) with {mean:.1f} %"

        best = max(means, key=means.__getitem__)
        text = (
            f"{task[0].upper()}{task[1:]}: highest of all {len(means)} methods is {named(best, means[best])}"
        )
        if best not in ordering:
            rival = max(ordering, key=means.__getitem__)
            if means[rival] >= means[best] - 1e-9:
                text += f"; {by_key[rival].name} ({_kind(by_key[rival])}) reaches the same"
            else:
                text += f"; no nearly-isotonic variant wins, the best of them is {named(rival, means[rival])}"
        sentences.append(f"{text}.")
    return sentences


def _kind(entrant: Entrant) -> str:
    """Tell methods of the same name apart."""
    parameters = entrant.estimator.get_params()
    if "isotonic_alpha" not in parameters:
        return entrant.sees
    order = parameters["order"]
    extra = "" if order == "nearly_isotonic" else f", {order}"
    return f"{entrant.sees}, {parameters['penalty']}{extra}"

"""Ask how the nearly-isotonic SVM compares with the ranking SVM on pooled shots, in precision and in time.

Table 6 of [1]_ on generated videos. The ranking SVM minimises the hinge loss of all pairs of a positive and a negative,
which is `widemargin.ranking.PartialAUCSVC` over all false positive rates. An SVM on the same pooled shots stands beside
them, to tell what comes of the loss from what comes of the order.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.2.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.bags import ORDERS, DetectionVideos, Trial
from widemargin.experiments.events.findings import choices_table, unconverged_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, methods_of
from widemargin.experiments.events.methods import FINE, Choices, Entrant, choices_words, configurations
from widemargin.experiments.events.printed import PAPER, printed, with_printed
from widemargin.experiments.events.tuning import MEAN_AP, attempt, result_columns
from widemargin.experiments.experiment import (
    Drawing,
    Experiment,
    Repeats,
    Row,
    Rows,
    Settings,
    TableSpec,
    Unit,
)
from widemargin.experiments.summary import (
    Cell,
    Claim,
    Column,
    Comparison,
    Summary,
    SummaryTable,
    answer_by_test,
    compare_with_paper,
    count_answers,
    p_text,
)
from widemargin.metrics import paired_wilcoxon
from widemargin.ranking import PartialAUCSVC

__all__ = ["ISOTONIC_RANKING_SVM", "RankingSVMProtocol", "ranking_svm_experiment"]

NAME = "isotonic-ranking-svm"
TABLE = "map"
SOURCE = "Table 6"
TIMES = {"choosing": "choosing values", "training": "training", "test": "scoring the test videos"}


@dataclass(frozen=True)
class RankingSVMProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    videos : DetectionVideos, default=50 + 450 of 20 shots with 200 features
        How many videos are drawn.
    orders : tuple of str, default=("exact order", "small noise", "medium noise")
        Which of `ORDERS`.
    choices : Choices, default=FINE
        What cross-validation chooses from.
    n_folds : int, default=3
        Its folds.
    """

    videos: DetectionVideos = field(
        default_factory=lambda: DetectionVideos(50, 450, n_test=500, n_features=200)
    )
    orders: tuple[str, ...] = ("exact order", "small noise", "medium noise")
    choices: Choices = FINE
    n_folds: int = 3

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The three methods."""
        columns = configurations("squared_hinge", "l2", self.choices)
        average, isotonic = columns[0], columns[5]
        ranking = Entrant(
            "ranking",
            "RSVM",
            "mean of the shots, pairs",
            "flat_average",
            PartialAUCSVC((0.0, 1.0)),
            {"C": self.choices.Cs},
        )
        return ranking, average, isotonic


def ranking_svm_experiment(protocol: RankingSVMProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : RankingSVMProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or RankingSVMProtocol()
    seconds: dict[str, type] = {
        f"{entrant.key}_{time}": float for entrant in protocol.entrants for time in TIMES
    }
    return Experiment(
        name=NAME,
        title="The nearly-isotonic SVM against the ranking SVM on pooled shots",
        question="Is the nearly-isotonic SVM more precise than the ranking SVM, and quicker?",
        reference=f"{PAPER} (Table 6)",
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(TableSpec(TABLE, result_columns(protocol.entrants, MEAN_AP) | seconds),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=_draw,
    )


def _describe(protocol: RankingSVMProtocol, settings: Settings) -> dict[str, str]:
    return {
        "data": f"generated. {protocol.videos.words}; one event a repeat",
        "order": ", ".join(f"noise {ORDERS[order]:g} ({order})" for order in protocol.orders),
        "measure": "average precision; equal scores count as one place",
        "methods": (
            "RSVM: hinge loss of all pairs of a positive and a negative on the mean of the shots, l2, by a cutting "
            "plane method to a relative gap of 1e-4. SVM_A: squared hinge loss on the same. NI-SVM_2: shots by saliency"
        ),
        "values to choose from": choices_words(protocol.choices, others="the ranking SVM"),
        "choice": f"by average precision in {protocol.n_folds} stratified folds of the training videos",
        "times": "CPU seconds of one thread, without pooling and sorting the shots",
    }


def _units(protocol: RankingSVMProtocol, settings: Settings) -> list[Unit]:
    return [Unit(TABLE, task, repeat) for repeat in range(settings.repeats) for task in protocol.orders]


def _run(protocol: RankingSVMProtocol, unit: Unit, settings: Settings) -> Row:
    seed = unit_seed(settings.seed, NAME, unit.repeat)
    trial = Trial.drawn(*protocol.videos.draw(ORDERS[unit.task], seed), protocol.n_folds, seed)
    attempts = {entrant.key: attempt(entrant, trial) for entrant in protocol.entrants}
    row: Row = {}
    for key, found in attempts.items():
        row |= {f"{key}_map": found.score, f"{key}_choices": found.choice}
    row["unconverged"] = sum(not found.converged for found in attempts.values())
    for key, found in attempts.items():
        seconds = (found.choosing_seconds, found.training_seconds, found.test_seconds)
        row |= {f"{key}_{time}": value for time, value in zip(TIMES, seconds, strict=True)}
    return row


def _summarise(protocol: RankingSVMProtocol, rows: Rows, settings: Settings) -> Summary:
    own = rows[TABLE]
    ranking, average, isotonic = (entrant.key for entrant in protocol.entrants)
    study = AccuracyStudy.from_rows(own, methods_of(protocol.entrants), MEAN_AP)
    where = ", ".join(protocol.orders)
    paper = {
        data: {ranking: values["ranking_map"], isotonic: values["ni2_map"]}
        for data, values in printed(SOURCE).items()
    }
    lead = Lead("NI-SVM_2 is above the ranking SVM", (isotonic,), (ranking,), SOURCE)
    others = (
        Lead("The SVM on pooled shots is above the ranking SVM", (average,), (ranking,)),
        Lead("NI-SVM_2 is above the SVM on pooled shots", (isotonic,), (average,)),
    )
    comparisons = (
        *compare_leads(study, [lead], protocol.orders, where, {SOURCE: paper}),
        *(_compare_times(own, ranking, isotonic, time) for time in ("training", "test")),
    )
    table = accuracy_table(study, TABLE, f"{SOURCE}: mean average precision, %")
    return Summary(
        verdict=f"{lead_sentence(study, lead, protocol.orders, where)} {count_answers(comparisons)}",
        findings=(
            *(lead_sentence(study, other, protocol.orders, where) for other in others),
            *unconverged_sentences(own, len(protocol.entrants)),
        ),
        tables=(
            with_printed(table, ["ranking_map", average, "ni2_map"], SOURCE),
            _times_table(own, protocol.entrants),
            choices_table(own, protocol.entrants),
        ),
        comparisons=comparisons,
    )


def _times_table(rows: Sequence[Row], entrants: Sequence[Entrant]) -> SummaryTable:
    lines = []
    for time, words in TIMES.items():
        medians = [
            float(np.median([float(row[f"{entrant.key}_{time}"]) for row in rows])) for entrant in entrants
        ]
        lines.append((Cell(words), *(Cell(f"{1000 * seconds:.3g}") for seconds in medians)))
    return _with_printed_times(
        SummaryTable(
            "times",
            f"{SOURCE}: milliseconds of CPU time",
            "Median over all orders and repeats, one thread; pooling and sorting the shots is not in it. Choosing is "
            "the whole cross-validation, with as many values as the table of chosen values says. The paper's seconds "
            "are of other data and another computer.",
            (Column("step", numeric=False), *(Column(entrant.name, entrant.sees) for entrant in entrants)),
            tuple(lines),
        )
    )


def _with_printed_times(table: SummaryTable) -> SummaryTable:
    """Put the printed seconds below our table of times."""
    rows = tuple(
        (
            Cell(f"{SOURCE}, {data}: {TIMES[time]}, s", reference=True),
            Cell(f"{values[f'ranking_{time}']:.1f}", reference=True),
            Cell("–", reference=True),
            Cell(f"{values[f'ni2_{time}']:.1f}", reference=True),
        )
        for data, values in printed(SOURCE).items()
        for time in ("training", "test")
    )
    return replace(table, totals=table.totals + rows)


def _compare_times(rows: Sequence[Row], ranking: str, isotonic: str, time: str) -> Comparison:
    """Compare times by their ratio; repeats on which the same videos come with several orders count once each."""
    seconds = {key: np.array([float(row[f"{key}_{time}"]) for row in rows]) for key in (ranking, isotonic)}
    ratios = ", ".join(
        f"{values[f'ranking_{time}'] / values[f'ni2_{time}']:.1f}" for values in printed(SOURCE).values()
    )
    logarithms = np.log(np.maximum(seconds[ranking], 1e-6) / np.maximum(seconds[isotonic], 1e-6))
    repeats = sorted({int(row["repeat"]) for row in rows})
    by_repeat = np.array(
        [logarithms[[int(row["repeat"]) == repeat for row in rows]].mean() for repeat in repeats]
    )
    test = paired_wilcoxon(by_repeat, np.zeros(by_repeat.size))
    how = f"{p_text(test.p_value)} over {test.n_pairs} repeats" if test.n_pairs > 1 else "one repeat"
    return compare_with_paper(
        Claim(f"NI-SVM_2 takes less time than the ranking SVM: {TIMES[time]}", SOURCE, f"{ratios} times"),
        f"{np.exp(test.mean_difference):.2g} times",
        answer=answer_by_test(test.mean_difference > 0, test.p_value),
        sentence=(
            "Time of the ranking SVM over that of NI-SVM_2, geometric mean: above 1 the claim holds. A pooled video "
            f"has one shot, an ordered one all of its shots. {how[0].upper()}{how[1:]}."
        ),
    )


def _draw(rows: Rows, settings: Settings) -> list[Drawing]:
    return []


ISOTONIC_RANKING_SVM = ranking_svm_experiment()
"""The experiment as it is meant to run."""

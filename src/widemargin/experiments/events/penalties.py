"""Ask which of four penalties of the order detects events best.

Table 5 of [1]_ on generated videos. The paper says that it extends them to shots of many features through the norms of
the shots, (11). Norms are not negative, hence the first two penalties are the same there, and so are the last two: what
can be compared is the other extension, (10), feature by feature. The experiment measures that, too.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.2.4.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from widemargin.engine import unit_seed
from widemargin.events import NearlyIsotonicSVC
from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.bags import ORDERS, DetectionVideos, Trial
from widemargin.experiments.events.findings import choices_table, unconverged_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table, methods_of
from widemargin.experiments.events.methods import (
    FINE,
    Choices,
    Entrant,
    Loss,
    choices_words,
    nearly_isotonic,
)
from widemargin.experiments.events.printed import PAPER, printed, with_printed
from widemargin.experiments.events.tuning import MEAN_AP, attempt_all, result_columns, train
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
from widemargin.experiments.summary import Summary, SummaryTable, count_answers

__all__ = ["ISOTONIC_PENALTIES", "PenaltiesProtocol", "penalties_experiment"]

NAME = "isotonic-penalties"
TABLE = "map"
SOURCE = "Table 5"
LOSSES: Mapping[Loss, str] = {"squared": "least squares", "squared_hinge": "squared hinge loss"}
NAMES = {
    "nearly_isotonic": "Nearly isotonic (5)",
    "increments": "Increments (7)",
    "absolute": "Absolute (8)",
    "total_variation": "Total variation (9)",
}
PAIRS = (("nearly_isotonic", "increments"), ("absolute", "total_variation"))
"""Penalties that are the same of norms."""


@dataclass(frozen=True)
class PenaltiesProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    videos : DetectionVideos, default=40 + 200 of 20 shots
        How many videos are drawn.
    n_events : int, default=1
        Events of a repeat.
    orders : tuple of str, default=("exact order", "small noise", "medium noise")
        Which of `ORDERS`.
    choices : Choices, default=FINE
        What cross-validation chooses from.
    n_folds : int, default=3
        Its folds.
    """

    videos: DetectionVideos = field(default_factory=DetectionVideos)
    n_events: int = 1
    orders: tuple[str, ...] = ("exact order", "small noise", "medium noise")
    choices: Choices = FINE
    n_folds: int = 3

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The four penalties with each loss."""
        return tuple(
            nearly_isotonic(f"{loss}_{order}", name, loss, "l2", self.choices, norm=1, order=order)
            for loss in LOSSES
            for order, name in NAMES.items()
        )


def penalties_experiment(protocol: PenaltiesProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : PenaltiesProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or PenaltiesProtocol()
    columns = result_columns(protocol.entrants, MEAN_AP) | {_pair_column(*pair): float for pair in PAIRS}
    return Experiment(
        name=NAME,
        title="Four penalties of the order of shots",
        question="Which penalty of the order detects events best?",
        reference=f"{PAPER} (Table 5)",
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(TableSpec(TABLE, columns),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=_draw,
    )


def _pair_column(first: str, second: str) -> str:
    return f"norms_{first}_{second}"


def _describe(protocol: PenaltiesProtocol, settings: Settings) -> dict[str, str]:
    return {
        "data": f"generated. {protocol.videos.words}; events a repeat: {protocol.n_events}, each drawn on its own",
        "order": ", ".join(f"noise {ORDERS[order]:g} ({order})" for order in protocol.orders),
        "measure": "average precision, averaged over the events of the repeat; equal scores count as one place",
        "penalties": (
            "of every feature along the shots, (10), with an l2 penalty beside. Of the norms of the shots, (11), which "
            "the paper names, (5) is the same as (7), and (8) as (9)"
        ),
        "values to choose from": choices_words(protocol.choices),
        "choice": f"by average precision in {protocol.n_folds} stratified folds of the training videos",
        "norms": (
            "the difference between penalties that are the same of norms: training videos of the first event of the "
            "repeat, both weights 0.01, largest difference of two weights over the largest weight"
        ),
    }


def _units(protocol: PenaltiesProtocol, settings: Settings) -> list[Unit]:
    return [Unit(TABLE, task, repeat) for repeat in range(settings.repeats) for task in protocol.orders]


def _run(protocol: PenaltiesProtocol, unit: Unit, settings: Settings) -> Row:
    trials = []
    for event in range(protocol.n_events):
        seed = unit_seed(settings.seed, NAME, event, unit.repeat)
        trials.append(Trial.drawn(*protocol.videos.draw(ORDERS[unit.task], seed), protocol.n_folds, seed))
    row = attempt_all(protocol.entrants, trials, MEAN_AP)
    return row | {_pair_column(*pair): _difference(trials[0], *pair) for pair in PAIRS}


def _difference(trial: Trial, *orders: str) -> float:
    """Train with two penalties of the norms of the shots, and return how far the weights are apart."""
    X, _ = trial.seen("saliency", "train")
    weights = []
    for order in orders:
        model = NearlyIsotonicSVC(1e-2, 1e-2, norm=2, order=order)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=UserWarning, message=".*norm")
            weights.append(train(model, X, trial.train.y, {})[0].coef_)
    return float(np.abs(weights[0] - weights[1]).max() / np.abs(weights[0]).max())


def _leads(loss: Loss) -> tuple[Lead, ...]:
    first, *others = NAMES
    source = SOURCE if loss == "squared" else f"{SOURCE}, there least squares"
    return tuple(
        Lead(
            f"{NAMES[first]} is above {NAMES[other].lower()}: {LOSSES[loss]}",
            (f"{loss}_{first}",),
            (f"{loss}_{other}",),
            source,
        )
        for other in others
    )


def _summarise(protocol: PenaltiesProtocol, rows: Rows, settings: Settings) -> Summary:
    own = rows[TABLE]
    study = AccuracyStudy.from_rows(own, methods_of(protocol.entrants), MEAN_AP)
    leads = tuple(lead for loss in LOSSES for lead in _leads(loss))
    where = ", ".join(protocol.orders)
    paper = {
        data: {f"{loss}_{order}": value for loss in LOSSES for order, value in values.items()}
        for data, values in printed(SOURCE).items()
    }
    comparisons = compare_leads(study, leads, protocol.orders, where, {lead.source: paper for lead in leads})
    tables: list[SummaryTable] = []
    for loss, words in LOSSES.items():
        entrants = [entrant for entrant in protocol.entrants if entrant.estimator.loss == loss]
        part = AccuracyStudy.from_rows(own, methods_of(entrants), MEAN_AP)
        table = accuracy_table(
            part, f"{loss}_penalties", f"{SOURCE}: {words}, penalties of each feature, (10)"
        )
        orders = [entrant.estimator.order for entrant in entrants]
        tables.append(with_printed(table, orders, SOURCE))
    return Summary(
        verdict=" ".join(
            [
                *(lead_sentence(study, lead, protocol.orders, where) for lead in leads[:1]),
                count_answers(comparisons),
            ]
        ),
        findings=(
            *(lead_sentence(study, lead, protocol.orders, where) for lead in leads[1:]),
            *(_pair_sentence(rows, *pair) for pair in PAIRS),
            "The first line of the paper's Table 5 is its Table 1, with squared hinge; its text says least squares.",
            *unconverged_sentences(own, protocol.n_events * len(protocol.entrants)),
        ),
        tables=(
            *tables,
            leads_table(study, leads, "statements", "Which penalty is above which, by order"),
            choices_table(own, protocol.entrants),
        ),
        comparisons=comparisons,
    )


def _pair_sentence(rows: Rows, first: str, second: str) -> str:
    largest = max(float(row[_pair_column(first, second)]) for row in rows[TABLE])
    return (
        f"Of the norms of the shots, (11), {NAMES[first].lower()} and {NAMES[second].lower()} are the same penalty: "
        f"the weights of {len(rows[TABLE])} pairs of trainings differ by {largest:.1g} of the largest weight at most."
    )


def _draw(rows: Rows, settings: Settings) -> list[Drawing]:
    return []


ISOTONIC_PENALTIES = penalties_experiment()
"""The experiment as it is meant to run."""

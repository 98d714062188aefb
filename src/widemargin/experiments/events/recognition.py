"""Ask whether the nearly-isotonic SVM tells several events apart better than pooling.

Table 9 of [1]_ on generated videos: the joint problem (33), in which every event has its own order of the shots.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.bags import ORDERS, RecognitionVideos, Trial
from widemargin.experiments.events.figures import draw_orders
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table, methods_of
from widemargin.experiments.events.methods import (
    FINE,
    Choices,
    Entrant,
    Penalty,
    choices_words,
    configurations,
    logistic_regression,
)
from widemargin.experiments.events.printed import PAPER, printed, with_printed
from widemargin.experiments.events.tuning import MEAN_F1, attempt_all, result_columns
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

__all__ = ["ISOTONIC_RECOGNITION", "RecognitionProtocol", "recognition_experiment"]

NAME = "isotonic-recognition"
TABLE = "mf1"
SOURCE = "Table 9"
PENALTIES: tuple[Penalty, ...] = ("l2", "l1")
COLUMNS = ("average", "maximum", "ordered", "ni1", "ni1p", "ni2", "ni2p")
KNOWN_ORDER = "exact order, small and medium noise"
INFORMATIVE = tuple(order for order in ORDERS if order != "no order")


@dataclass(frozen=True)
class RecognitionProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    videos : RecognitionVideos, default=4 events
        How many videos are drawn.
    choices : Choices, default=FINE
        What cross-validation chooses from.
    n_folds : int, default=2
        Its folds.
    """

    videos: RecognitionVideos = field(default_factory=RecognitionVideos)
    choices: Choices = FINE
    n_folds: int = 2

    def half(self, penalty: Penalty) -> tuple[Entrant, ...]:
        """Return one half of the paper's table.

        Parameters
        ----------
        penalty : {"l2", "l1"}
            The penalty beside the isotonic one.

        Returns
        -------
        tuple of Entrant
            Seven columns, and logistic regression for l2.
        """
        entrants = configurations("squared_hinge", penalty, self.choices)
        if penalty == "l1":
            return entrants
        return (
            *entrants,
            logistic_regression("logistic_average", "flat_average", "mean of the shots", self.choices),
        )

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """All methods."""
        return tuple(entrant for penalty in PENALTIES for entrant in self.half(penalty))


def recognition_experiment(protocol: RecognitionProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : RecognitionProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or RecognitionProtocol()
    return Experiment(
        name=NAME,
        title="Telling several events apart, by the noise of the order",
        question="Does the multiclass nearly-isotonic SVM recognise events better than pooling?",
        reference=f"{PAPER} (Table 9)",
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(TableSpec(TABLE, result_columns(protocol.entrants, MEAN_F1)),),
        protocol=partial(_describe, protocol),
        units=_units,
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
    )


def _describe(protocol: RecognitionProtocol, settings: Settings) -> dict[str, str]:
    return {
        "data": f"generated. {protocol.videos.words}",
        "order": (
            "for every event by a saliency of its own: the true relevance, whose standard deviation is 0.27, plus "
            f"normal noise of standard deviation {', '.join(f'{noise:g} ({order})' for order, noise in ORDERS.items())}"
        ),
        "measure": "F1 of every event, averaged over the events",
        "methods": "the joint problem (33), its maximum smoothed by a log-sum-exp with the learner's default width",
        "values to choose from": choices_words(protocol.choices, others="logistic regression"),
        "choice": f"by mean F1 in {protocol.n_folds} stratified folds of the training videos, the same for all methods",
        "repeats": "new events, new videos, new noise; all orders of a repeat share the videos",
    }


def _units(settings: Settings) -> list[Unit]:
    return [Unit(TABLE, task, repeat) for repeat in range(settings.repeats) for task in ORDERS]


def _run(protocol: RecognitionProtocol, unit: Unit, settings: Settings) -> Row:
    seed = unit_seed(settings.seed, NAME, unit.repeat)
    trial = Trial.drawn(*protocol.videos.draw(ORDERS[unit.task], seed), protocol.n_folds, seed)
    return attempt_all(protocol.entrants, [trial], MEAN_F1)


def _leads() -> tuple[Lead, ...]:
    average, maximum, ordered, ni1, ni1p, ni2, ni2p = (f"squared_hinge_l2_{column}" for column in COLUMNS)
    halves = [tuple(f"squared_hinge_{penalty}_{column}" for column in COLUMNS) for penalty in PENALTIES]
    return (
        Lead("NI-SVM_2 is above average pooling", (ni2,), (average,), SOURCE),
        Lead("NI-SVM_1 is above average pooling", (ni1,), (average,), SOURCE),
        Lead("NI-SVM_2 is above the ordered shots alone (SVM_T)", (ni2,), (ordered,), SOURCE),
        Lead("The ordered shots alone are above average pooling", (ordered,), (average,), SOURCE),
        Lead("Average pooling is above maximum pooling", (average,), (maximum,), SOURCE),
        Lead("NI-SVM_2 is above NI-SVM_1", (ni2,), (ni1,), SOURCE),
        Lead("The convex variants are below the others", (ni1, ni2), (ni1p, ni2p), SOURCE),
        Lead("l2 is above l1, mean of all columns", halves[0], halves[1], SOURCE),
    )


def _beyond() -> Lead:
    return Lead(
        "NI-SVM_2 is above logistic regression on the mean of the shots",
        ("squared_hinge_l2_ni2",),
        ("logistic_average",),
    )


def _summarise(protocol: RecognitionProtocol, rows: Rows, settings: Settings) -> Summary:
    own = rows[TABLE]
    study = AccuracyStudy.from_rows(own, methods_of(protocol.entrants), MEAN_F1)
    leads = _leads()
    comparisons = compare_leads(study, leads, INFORMATIVE, KNOWN_ORDER, {SOURCE: printed(SOURCE)})
    tables: list[SummaryTable] = []
    for penalty in PENALTIES:
        half = protocol.half(penalty)
        part = AccuracyStudy.from_rows(own, methods_of(half), MEAN_F1)
        table = accuracy_table(part, penalty, f"{SOURCE}: several events, {penalty} penalty")
        tables.append(with_printed(table, [entrant.key for entrant in half], SOURCE))
    return Summary(
        verdict=(
            f"{lead_sentence(study, leads[0], INFORMATIVE, KNOWN_ORDER)} "
            f"{lead_sentence(study, leads[1], INFORMATIVE, KNOWN_ORDER)} {count_answers(comparisons)}"
        ),
        findings=(
            lead_sentence(study, leads[0], ["no order"], "videos whose saliency tells nothing"),
            *winner_sentences(study, protocol.entrants),
            lead_sentence(study, _beyond(), INFORMATIVE, KNOWN_ORDER),
            *unconverged_sentences(own, len(protocol.entrants)),
        ),
        tables=(
            *tables,
            leads_table(study, (*leads, _beyond()), "statements", "Which method is above which, by order"),
            choices_table(own, protocol.entrants),
        ),
        comparisons=comparisons,
    )


def _draw(protocol: RecognitionProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    study = AccuracyStudy.from_rows(rows[TABLE], methods_of(protocol.half("l2")), MEAN_F1)
    return [draw_orders(study, list(ORDERS), "squared_hinge_l2_ni2")]


ISOTONIC_RECOGNITION = recognition_experiment()
"""The experiment as it is meant to run."""

"""Ask whether the nearly-isotonic SVM detects events better than pooling, and how well shots must be ordered for it.

Tables 1 and 2 of [1]_ on generated videos: every loss, penalty and variant, as the order of the shots gets noisier, and
beyond the paper shots in the order of time, the mean of the few most salient shots, and logistic regression.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.2.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.events.bags import ORDERS, DetectionVideos, Trial
from widemargin.experiments.events.figures import draw_orders
from widemargin.experiments.events.findings import choices_table, unconverged_sentences, winner_sentences
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table, methods_of
from widemargin.experiments.events.methods import (
    FINE,
    Choices,
    Entrant,
    Loss,
    Penalty,
    choices_words,
    configurations,
    first_shots,
    logistic_regression,
    nearly_isotonic,
)
from widemargin.experiments.events.printed import PAPER, printed, with_printed
from widemargin.experiments.events.tuning import MEAN_AP, attempt_all, result_columns
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

__all__ = ["ISOTONIC_DETECTION", "DetectionProtocol", "detection_experiment"]

NAME = "isotonic-detection"
TABLE, FEW = "map", "few_positives"
FEW_ORDER = "small noise"
LOSSES: tuple[Loss, ...] = ("squared_hinge", "squared")
PENALTIES: tuple[Penalty, ...] = ("l2", "l1")
SOURCES = {"squared_hinge": "Table 1", "squared": "Table 2"}
LOSS_WORDS = {"squared_hinge": "squared hinge loss", "squared": "least squares"}
VARIANTS = ("ni1", "ni1p", "ni2", "ni2p")
COLUMNS = ("average", "maximum", "ordered", *VARIANTS)
KNOWN_ORDER = "exact order, small and medium noise"
INFORMATIVE = tuple(order for order in ORDERS if order != "no order")
BEST = "squared_hinge_l2_ni2"
"""The variant that the paper finds best."""


@dataclass(frozen=True)
class DetectionProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    videos : DetectionVideos, default=40 + 200 of 20 shots
        How many videos are drawn.
    n_events : int, default=2
        Events of a repeat, each with videos of its own, over which average precision is averaged.
    few : int, default=10
        Positives of a further comparison with few.
    choices : Choices, default=FINE
        What cross-validation chooses from.
    n_folds : int, default=2
        Its folds.
    """

    videos: DetectionVideos = field(default_factory=DetectionVideos)
    n_events: int = 2
    few: int = 10
    choices: Choices = FINE
    n_folds: int = 2

    @property
    def configurations(self) -> dict[tuple[Loss, Penalty], tuple[Entrant, ...]]:
        """The columns of the paper."""
        return {
            (loss, penalty): configurations(loss, penalty, self.choices)
            for loss in LOSSES
            for penalty in PENALTIES
        }

    @property
    def others(self) -> tuple[Entrant, ...]:
        """What the paper does not have."""
        plain = self.best_half[2]
        time = "shots by time"
        return (
            Entrant("time_ordered", "SVM_T", time, "time", plain.estimator, plain.grid),
            nearly_isotonic(
                "time_ni2", "NI-SVM_2", "squared_hinge", "l2", self.choices, norm=2, view="time", sees=time
            ),
            first_shots("few_average", self.choices),
            logistic_regression("logistic_average", "flat_average", "mean of the shots", self.choices),
            logistic_regression("logistic_ordered", "flat_saliency", "shots by saliency", self.choices),
        )

    @property
    def best_half(self) -> tuple[Entrant, ...]:
        """The columns with the loss and penalty that the paper finds best."""
        return self.configurations["squared_hinge", "l2"]

    @property
    def with_few(self) -> tuple[Entrant, ...]:
        """What is tried with few positives, and drawn."""
        return (*self.best_half, self.others[2], self.others[3])

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """All methods."""
        return (*(entrant for half in self.configurations.values() for entrant in half), *self.others)


def detection_experiment(protocol: DetectionProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : DetectionProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or DetectionProtocol()
    return Experiment(
        name=NAME,
        title="Detecting events: the nearly-isotonic SVM against pooling, by the noise of the order",
        question=(
            "Does the nearly-isotonic SVM detect events better than pooling, and how well must the shots be ordered?"
        ),
        reference=f"{PAPER} (Tables 1 and 2)",
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(
            TableSpec(TABLE, result_columns(protocol.entrants, MEAN_AP)),
            TableSpec(FEW, result_columns(protocol.with_few, MEAN_AP)),
        ),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
    )


def _describe(protocol: DetectionProtocol, settings: Settings) -> dict[str, str]:
    return {
        "data": f"generated. {protocol.videos.words}; {protocol.n_events} events a repeat, each drawn on its own",
        "order": (
            "by a saliency that is the true relevance of the shot, whose standard deviation is 0.27, plus normal noise "
            f"of standard deviation {', '.join(f'{noise:g} ({order})' for order, noise in ORDERS.items())}. The videos "
            "are the same for every noise, and a shot's place in time tells nothing"
        ),
        "few positives": f"{protocol.few} of the positives are left for training; the test videos stay",
        "measure": "average precision, averaged over the events of the repeat; equal scores count as one place",
        "methods": (
            "in each half of a table one learner with one loss and penalty: pooled videos are videos of one shot, and "
            "without order between shots isotonic_alpha is 0. Intercepts are not penalised. Squared hinge is "
            "(1 - yt)^2 / 2"
        ),
        "values to choose from": (
            f"{choices_words(protocol.choices, others='logistic regression')}; the mean of the most salient shots is "
            f"that of {', '.join(map(str, protocol.choices.numbers_of_shots))} shots"
        ),
        "choice": (
            f"by average precision in {protocol.n_folds} stratified folds of the training videos, the same for all "
            "methods; of equal scores the values with the best neighbours. The paper's values reach 1e4: a larger "
            "isotonic weight changes nothing, a larger l2 weight little of the order of scores, and a larger l1 weight "
            "leaves no feature"
        ),
        "repeats": "new events, new videos, new noise",
    }


def _units(protocol: DetectionProtocol, settings: Settings) -> list[Unit]:
    return [
        unit
        for repeat in range(settings.repeats)
        for unit in (
            *(Unit(TABLE, order, repeat) for order in ORDERS),
            Unit(FEW, _few_words(protocol.few), repeat),
        )
    ]


def _few_words(n_positives: int) -> str:
    return f"{FEW_ORDER}, {n_positives} positives"


def _run(protocol: DetectionProtocol, unit: Unit, settings: Settings) -> Row:
    few = protocol.few if unit.table == FEW else None
    noise = ORDERS[FEW_ORDER if unit.table == FEW else unit.task]
    trials = []
    for event in range(protocol.n_events):
        # Not of the task: all tasks of a repeat share their videos.
        seed = unit_seed(settings.seed, NAME, event, unit.repeat)
        trials.append(Trial.drawn(*protocol.videos.draw(noise, seed, few=few), protocol.n_folds, seed))
    entrants = protocol.with_few if unit.table == FEW else protocol.entrants
    return attempt_all(entrants, trials, MEAN_AP)


def _leads() -> tuple[Lead, ...]:
    """Return what the paper claims about its tables, as differences of columns."""
    start = "squared_hinge_l2_"
    average, maximum, ordered, ni1, ni1p, ni2, ni2p = (start + column for column in COLUMNS)
    one, two = "Table 1", "Tables 1 and 2"
    every = {
        (loss, penalty): tuple(f"{loss}_{penalty}_{column}" for column in COLUMNS)
        for loss in LOSSES
        for penalty in PENALTIES
    }
    return (
        Lead("NI-SVM_2 is above average pooling", (ni2,), (average,), one),
        Lead("NI-SVM_1 is above average pooling", (ni1,), (average,), one),
        Lead("NI-SVM_2 is above the ordered shots alone (SVM_T)", (ni2,), (ordered,), one),
        Lead("NI-SVM_1 is above the ordered shots alone (SVM_T)", (ni1,), (ordered,), one),
        Lead("The ordered shots alone are above average pooling", (ordered,), (average,), one),
        Lead("Average pooling is above maximum pooling", (average,), (maximum,), one),
        Lead("NI-SVM_2 is above NI-SVM_1", (ni2,), (ni1,), one),
        Lead("The convex variants are below the others", (ni1, ni2), (ni1p, ni2p), one),
        Lead(
            "Squared hinge is above least squares, mean of all columns",
            every["squared_hinge", "l2"] + every["squared_hinge", "l1"],
            every["squared", "l2"] + every["squared", "l1"],
            two,
        ),
        Lead(
            "l2 is above l1, mean of all columns",
            every["squared_hinge", "l2"] + every["squared", "l2"],
            every["squared_hinge", "l1"] + every["squared", "l1"],
            two,
        ),
    )


def _beyond() -> tuple[Lead, ...]:
    """Return what the paper does not ask."""
    return (
        Lead(
            "NI-SVM_2 is above logistic regression on the mean of the shots", (BEST,), ("logistic_average",)
        ),
        Lead("NI-SVM_2 is above logistic regression on the ordered shots", (BEST,), ("logistic_ordered",)),
        Lead("NI-SVM_2 is above the mean of the most salient shots", (BEST,), ("few_average",)),
        Lead(
            "NI-SVM_1 is above the mean of the most salient shots",
            ("squared_hinge_l2_ni1",),
            ("few_average",),
        ),
        Lead("NI-SVM_2 on shots by saliency is above itself on shots by time", (BEST,), ("time_ni2",)),
        Lead(
            "NI-SVM_2 on shots by time is above average pooling", ("time_ni2",), ("squared_hinge_l2_average",)
        ),
    )


def _summarise(protocol: DetectionProtocol, rows: Rows, settings: Settings) -> Summary:
    own = rows[TABLE]
    if not own:
        return Summary(verdict="Nothing but the comparison with few positives is finished.")
    study = AccuracyStudy.from_rows(own, methods_of(protocol.entrants), MEAN_AP)
    leads = _leads()
    one, two = printed("Table 1"), printed("Table 2")
    both = {data: {**one[data], **two[data]} for data in one}
    comparisons = compare_leads(
        study, leads, INFORMATIVE, KNOWN_ORDER, {"Table 1": one, "Tables 1 and 2": both}
    )
    without = lead_sentence(study, leads[0], ["no order"], "videos whose saliency tells nothing")
    return Summary(
        verdict=(
            f"{lead_sentence(study, leads[0], INFORMATIVE, KNOWN_ORDER)} "
            f"{lead_sentence(study, leads[1], INFORMATIVE, KNOWN_ORDER)} {count_answers(comparisons)}"
        ),
        findings=(
            without,
            *winner_sentences(study, protocol.entrants),
            *(lead_sentence(study, lead, INFORMATIVE, KNOWN_ORDER) for lead in _beyond()),
            *unconverged_sentences(own, protocol.n_events * len(protocol.entrants)),
        ),
        tables=(
            *_paper_tables(protocol, own),
            leads_table(study, (*leads, *_beyond()), "statements", "Which method is above which, by order"),
            _beyond_table(protocol, own),
            *_few_table(protocol, rows),
            choices_table(own, protocol.entrants),
        ),
        comparisons=comparisons,
    )


def _paper_tables(protocol: DetectionProtocol, rows: Sequence[Row]) -> list[SummaryTable]:
    """Make the two halves of Tables 1 and 2."""
    tables = []
    for (loss, penalty), entrants in protocol.configurations.items():
        study = AccuracyStudy.from_rows(rows, methods_of(entrants), MEAN_AP)
        title = f"{SOURCES[loss]}: {LOSS_WORDS[loss]}, {penalty} penalty"
        table = accuracy_table(study, f"{loss}_{penalty}", title)
        tables.append(with_printed(table, [entrant.key for entrant in entrants], SOURCES[loss]))
    return tables


def _beyond_table(protocol: DetectionProtocol, rows: Sequence[Row]) -> SummaryTable:
    (best,) = (entrant for entrant in protocol.entrants if entrant.key == BEST)
    study = AccuracyStudy.from_rows(rows, methods_of((best, *protocol.others)), MEAN_AP)
    return accuracy_table(study, "beyond", "Beyond the paper: shots by time, and what a user would try first")


def _few_table(protocol: DetectionProtocol, rows: Rows) -> list[SummaryTable]:
    """Put few positives beside all of them."""
    if not rows[FEW]:
        return []
    every = _few_words(protocol.videos.n_positives)
    compared = [
        *rows[FEW],
        *(row | {"task": every} for row in rows[TABLE] if row["task"] == FEW_ORDER),
    ]
    study = AccuracyStudy.from_rows(compared, methods_of(protocol.with_few), MEAN_AP)
    return [accuracy_table(study, FEW, "Few and many positives for training: squared hinge loss, l2 penalty")]


def _draw(protocol: DetectionProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    if not rows[TABLE]:
        return []
    study = AccuracyStudy.from_rows(rows[TABLE], methods_of(protocol.with_few), MEAN_AP)
    return [draw_orders(study, list(ORDERS), BEST)]


ISOTONIC_DETECTION = detection_experiment()
"""The experiment as it is meant to run."""

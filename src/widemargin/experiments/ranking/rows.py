"""Ask which of the ways of learning for a range of false positive rates, Table IV of the paper, is best on images.

The paper [1]_ compares them on protein pairs only, which are another experiment's: here the same rows are learned on
digits and faces, the ensembles with linear weak learners as in the paper and with trees, with their times.

References
----------
.. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and
   structured ensemble learning", arXiv:1409.5209, 2014, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from widemargin.engine import unit_seed
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
from widemargin.experiments.ranking.competition import (
    Judgement,
    Trial,
    compete,
    competition_columns,
    hold_out,
)
from widemargin.experiments.ranking.contenders import Contender, list_values, range_words
from widemargin.experiments.ranking.figures import draw_differences
from widemargin.experiments.ranking.gradient_boosting import HISTOGRAM, LIGHTGBM, describe_lightgbm
from widemargin.experiments.ranking.problems import Faces, Problem, Usps, problems_at_hand
from widemargin.experiments.ranking.results import (
    choices_table,
    describe_standings,
    study_of,
    winners_sentence,
)
from widemargin.experiments.ranking.table_four import (
    claims_of_table_four,
    contenders_of_table_four,
    methods_table,
    scaled,
)
from widemargin.experiments.summary import Summary

__all__ = ["RANKING_ROWS", "RowsProtocol", "rows_experiment"]

NAME = "ranking-rows"
TABLE = "pauc"


@dataclass(frozen=True)
class RowsProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    problems : tuple of Problem, default=USPS and faces
        The data.
    n_rounds : int, default=100
        Most weak learners of every ensemble.
    class_weights : tuple of float, default=(0.2, 1.0, 5.0)
        Costs of a missed positive for the asymmetric SVM.
    validation_share : float, default=1/3
        Share of the training samples on which settings are chosen.
    """

    problems: tuple[Problem, ...] = (Usps(), Faces())
    n_rounds: int = 100
    class_weights: tuple[float, ...] = (0.2, 1.0, 5.0)
    validation_share: float = 1 / 3

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The methods."""
        return contenders_of_table_four(self.n_rounds, self.class_weights)

    @property
    def judgement(self) -> Judgement:
        """Where methods are compared."""
        return Judgement((0.0, 0.1))


def rows_experiment(protocol: RowsProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : RowsProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or RowsProtocol()
    return Experiment(
        name=NAME,
        title="Ensembles and SVMs for the partial AUC on digits and faces",
        question="Which of the ways of learning for a range of false positive rates ranks digits and faces best?",
        reference=(
            "Paisitkriangkrai, Shen and van den Hengel, Pedestrian detection with spatially pooled features and "
            "structured ensemble learning, arXiv:1409.5209 (the rows of Table IV, there on protein pairs)"
        ),
        repeats=Repeats(quick=1, default=6, full=10),
        tables=(TableSpec(TABLE, competition_columns(protocol.contenders, [protocol.judgement])),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
        needs_data=True,
        task_noun="data set",
    )


def _describe(protocol: RowsProtocol, settings: Settings) -> dict[str, str]:
    _, descriptions = problems_at_hand(protocol.problems, settings)
    fpr_range = range_words(protocol.judgement.fpr_range)
    return {
        **descriptions,
        "scaling": "features centred, and all divided by one number that makes the mean squared length of a row 1",
        "measure": f"partial AUC over false positive rates {fpr_range}, divided by its width",
        "ensembles": (
            f"at most {protocol.n_rounds} weak learners: linear SVMs by LIBLINEAR as in the paper, or trees of depth "
            "2; the gradient boosters with larger trees"
        ),
        "pAUCBoost": "trees of depth 2, in place of the additive splines of its authors",
        "settings": list_values(protocol.contenders),
        "choice": (
            f"by the partial AUC on {100 * protocol.validation_share:.0f} % of the training samples, drawn once a "
            "repeat and stratified; the same for all methods, and of equal ones the first; then trained on all of them"
        ),
        "LightGBM": describe_lightgbm(),
        "repeats": "a new random division into training and test samples; all methods share it",
    }


def _units(protocol: RowsProtocol, settings: Settings) -> list[Unit]:
    problems, _ = problems_at_hand(protocol.problems, settings)
    return [Unit(TABLE, problem.name, repeat) for repeat in range(settings.repeats) for problem in problems]


def _run(protocol: RowsProtocol, unit: Unit, settings: Settings) -> Row:
    (problem,) = (problem for problem in protocol.problems if problem.name == unit.task)
    seed = unit_seed(settings.seed, "ranking", unit.task, unit.repeat)
    split = scaled(problem.draw(settings, seed))
    trial = Trial(split, hold_out(split.y_train, protocol.validation_share, seed))
    return compete(protocol.contenders, [protocol.judgement], trial, seed)


def _label(task: str, judgement: Judgement) -> str:
    return task


def _summarise(protocol: RowsProtocol, rows: Rows, settings: Settings) -> Summary:
    judged = (rows[TABLE], protocol.contenders, [protocol.judgement], _label)
    study = study_of(*judged)
    present = {method.key for method in study.methods}
    boosters = [key for key in (LIGHTGBM, HISTOGRAM) if key in present]
    pairs = [
        ("ensemble_tight", "ensemble_structural"),
        ("trees_tight", "trees_structural"),
        ("svm_tight", "svm_structural"),
        ("svm_tight", "svm_auc"),
        ("trees_tight", "ensemble_tight"),
        *(("trees_tight", booster) for booster in boosters),
    ]
    return Summary(
        verdict=(
            f"{winners_sentence(study)} Tight against structural bound: "
            f"{describe_standings(study, 'trees_tight', 'trees_structural')}"
        ),
        findings=tuple(describe_standings(study, first, second) for first, second in pairs),
        tables=(
            methods_table(
                rows[TABLE],
                study,
                protocol.contenders,
                protocol.judgement,
                title=f"Partial AUC {range_words(protocol.judgement.fpr_range)}, % and seconds",
                printed="protein pairs",
            ),
            choices_table(*judged[:3]),
        ),
        comparisons=claims_of_table_four(study, same_data=False),
    )


def _draw(protocol: RowsProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    study = study_of(rows[TABLE], protocol.contenders, [protocol.judgement], _label)
    others = [method.key for method in study.methods if method.key != "trees_tight"]
    return [draw_differences(study, "trees_tight", others)]


RANKING_ROWS = rows_experiment()
"""The experiment as it is meant to run."""

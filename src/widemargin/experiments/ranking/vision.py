"""Ask whether training for a range of false positive rates beats AdaBoost and its asymmetric kin on images.

Table V of [1]_: even against odd digits, indoor against outdoor scenes and faces against other things, with 10, 20 and
100 trees of depth 2. Beside the paper's methods stand two gradient boosters of today.

References
----------
.. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and
   structured ensemble learning", arXiv:1409.5209, 2014, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import accuracy_table
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
    cross_validation,
)
from widemargin.experiments.ranking.contenders import Contender, list_values, options, range_words
from widemargin.experiments.ranking.figures import draw_growth
from widemargin.experiments.ranking.gradient_boosting import (
    HISTOGRAM,
    LIGHTGBM,
    describe_lightgbm,
    gradient_boosters,
)
from widemargin.experiments.ranking.problems import Digits, Faces, Problem, Scenes, Usps, problems_at_hand
from widemargin.experiments.ranking.results import (
    choices_table,
    describe_standings,
    study_of,
    winners_sentence,
)
from widemargin.experiments.ranking.vision_claims import (
    OURS,
    RIVALS,
    beside_table_five,
    claims_of_table_five,
)
from widemargin.experiments.summary import Summary
from widemargin.ranking import AdaBoostTreesClassifier, AsymBoostClassifier, PartialAUCBoostingClassifier

__all__ = ["RANKING_DIGITS", "RANKING_IMAGES", "VisionProtocol", "vision_experiment"]

TABLE = "pauc"
_REPEATS = Repeats(quick=1, default=6, full=20)


@dataclass(frozen=True)
class VisionProtocol:
    """What distinguishes the two experiments, and what can be made smaller for a trial.

    Parameters
    ----------
    problems : tuple of Problem, default=(Digits(),)
        The data.
    needs_data : bool, default=False
        Whether the data lie in a folder that the user gives.
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        Range of false positive rates.
    n_trees : tuple of int, default=(10, 20, 100)
        Numbers of trees, increasing.
    nu : tuple of float, default=(1.0, 0.5, 0.2, 0.1)
        Values of the weight of the risk, of which one is chosen: those of the paper.
    n_folds : int, default=2
        Folds of the cross-validation.
    repeats : Repeats, default=Repeats(1, 6, 20)
        Number of repeats of the three sizes of a run.
    """

    problems: tuple[Problem, ...] = (Digits(),)
    needs_data: bool = False
    fpr_range: tuple[float, float] = (0.0, 0.1)
    n_trees: tuple[int, ...] = (10, 20, 100)
    nu: tuple[float, ...] = (1.0, 0.5, 0.2, 0.1)
    n_folds: int = 2
    repeats: Repeats = _REPEATS

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return "ranking-images" if self.needs_data else "ranking-digits"

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The methods; AdaBoost is the baseline."""
        most = self.n_trees[-1]
        asymmetry = [round(2 ** (k / 10), 3) for k in range(-5, 6)]
        return (
            Contender("adaboost", "AdaBoost", AdaBoostTreesClassifier(most), note="nothing to choose"),
            Contender(
                "ada_lda",
                "Ada + LDA",
                AdaBoostTreesClassifier(most, lda_post_processing=True),
                note="nothing to choose",
                staged=False,
            ),
            Contender(
                "asym_boost",
                "AsymBoost",
                AsymBoostClassifier(n_estimators=most),
                options(asymmetry=asymmetry),
            ),
            Contender(
                OURS,
                "pAUCEnsT",
                PartialAUCBoostingClassifier(n_estimators=most, max_depth=2),
                options(nu=self.nu),
                "the paper's, for the range",
            ),
            *gradient_boosters(most),
        )

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Where methods are compared."""
        return tuple(Judgement(self.fpr_range, n_trees) for n_trees in self.n_trees)


def vision_experiment(protocol: VisionProtocol) -> Experiment:
    """Make one of the two experiments, whole or smaller.

    Parameters
    ----------
    protocol : VisionProtocol
        What to run.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    what = "digits, scenes and faces" if protocol.needs_data else "handwritten digits"
    return Experiment(
        name=protocol.name,
        title=f"Boosting for a range of false positive rates: {what}",
        question=(
            f"Do trees that are boosted for false positive rates {range_words(protocol.fpr_range)} rank {what} better "
            "there than AdaBoost and its asymmetric kin?"
        ),
        reference=(
            "Paisitkriangkrai, Shen and van den Hengel, Pedestrian detection with spatially pooled features and "
            "structured ensemble learning, arXiv:1409.5209 (Table V"
            + ("" if protocol.needs_data else ", there on other images")
            + ")"
        ),
        repeats=protocol.repeats,
        tables=(TableSpec(TABLE, competition_columns(protocol.contenders, protocol.judgements)),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
        needs_data=protocol.needs_data,
        task_noun="data set",
    )


def _describe(protocol: VisionProtocol, settings: Settings) -> dict[str, str]:
    _, descriptions = problems_at_hand(protocol.problems, settings)
    return {
        **descriptions,
        "measure": f"partial AUC over false positive rates {range_words(protocol.fpr_range)}, divided by its width",
        "trees": (
            f"{', '.join(map(str, protocol.n_trees))}; depth 2 for the paper's methods, as many leaves as chosen for "
            "the gradient boosters. The first trees of one ensemble; Ada + LDA finds the weights anew for each number."
        ),
        "scaling of nu": "the risk is an average over pairs, as in Table V of the paper",
        "settings": list_values(protocol.contenders),
        "choice": (
            f"by the mean partial AUC over {protocol.n_folds} stratified folds of the training samples, for each "
            "number of trees on its own; the same folds for all methods; of equal ones the first"
        ),
        "LightGBM": describe_lightgbm(),
        "repeats": "a new random division into training and test samples; all methods share it",
    }


def _units(protocol: VisionProtocol, settings: Settings) -> list[Unit]:
    problems, _ = problems_at_hand(protocol.problems, settings)
    return [Unit(TABLE, problem.name, repeat) for repeat in range(settings.repeats) for problem in problems]


def _run(protocol: VisionProtocol, unit: Unit, settings: Settings) -> Row:
    (problem,) = (problem for problem in protocol.problems if problem.name == unit.task)
    seed = unit_seed(settings.seed, "ranking", unit.task, unit.repeat)
    split = problem.draw(settings, seed)
    trial = Trial(split, cross_validation(split.y_train, protocol.n_folds, seed))
    return compete(protocol.contenders, protocol.judgements, trial, seed)


def _label(task: str, judgement: Judgement) -> str:
    return f"{task}, {judgement.n_trees} trees"


def _summarise(protocol: VisionProtocol, rows: Rows, settings: Settings) -> Summary:
    study = study_of(rows[TABLE], protocol.contenders, protocol.judgements, _label)
    largest = study_of(rows[TABLE], protocol.contenders, protocol.judgements[-1:], _label)
    present = {method.key for method in study.methods}
    boosters = [key for key in (LIGHTGBM, HISTOGRAM) if key in present]
    title = f"Partial AUC {range_words(protocol.fpr_range)}, %"
    tables = [accuracy_table(study, TABLE, title)]
    beside = beside_table_five(study)
    if beside:
        tables.append(beside)
    tables.append(choices_table(rows[TABLE], protocol.contenders, protocol.judgements))
    n_trees = protocol.n_trees[-1]
    return Summary(
        verdict=(
            f"With {n_trees} trees: {describe_standings(largest, OURS, 'adaboost')} {winners_sentence(largest)}"
        ),
        findings=tuple(
            [describe_standings(study, OURS, rival) for rival in (*RIVALS, *boosters)]
            + [
                winners_sentence(study),
                "The paper compares trees of depth 2 only; the gradient boosters, which it does not have, choose among "
                "larger trees. What the same objective does with larger trees is the question of ranking-boosters.",
            ]
        ),
        tables=tuple(tables),
        comparisons=claims_of_table_five(study, n_trees),
    )


def _draw(protocol: VisionProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    by_problem: dict[str, list[Row]] = {}
    for row in rows[TABLE]:
        by_problem.setdefault(str(row["task"]), []).append(row)
    studies = {
        name: study_of(own, protocol.contenders, protocol.judgements, _label)
        for name, own in by_problem.items()
    }
    measure = f"partial AUC {range_words(protocol.fpr_range)}, %"
    return [draw_growth(studies, protocol.n_trees, OURS, measure)]


RANKING_DIGITS = vision_experiment(VisionProtocol())
"""Table V on digits that need no data folder."""

RANKING_IMAGES = vision_experiment(
    VisionProtocol(problems=(Scenes(), Usps(), Faces()), needs_data=True, repeats=_REPEATS)
)
"""Table V on the paper's kinds of images, the slowest first."""

"""Ask whether boosting for a range of false positive rates keeps up with tuned gradient boosting.

The paper [1]_ compares trees of depth 2 with outputs -1 and +1. Here the same totally corrective program has larger
trees with confidence-rated leaves, and stands against LightGBM and scikit-learn's gradient boosting with as many trees
and twice as many settings to choose from, in ranges that start at zero and elsewhere. As a control the same trees are
trained for all false positive rates, too: what does respecting the range bring? And AdaBoost has trees like ours: what
does the objective bring beyond them?

References
----------
.. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and
   structured ensemble learning", arXiv:1409.5209, 2014, sections 2.2 and 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
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
from widemargin.experiments.ranking.contenders import Contender, list_values, options, range_words
from widemargin.experiments.ranking.figures import draw_differences
from widemargin.experiments.ranking.gradient_boosting import (
    FREE,
    HISTOGRAM,
    LIGHTGBM,
    SAMPLED,
    TAMED,
    describe_lightgbm,
    gradient_boosters,
)
from widemargin.experiments.ranking.problems import Digits, Faces, Problem, Scenes, Usps, problems_at_hand
from widemargin.experiments.ranking.results import (
    choices_table,
    describe_standings,
    standings_table,
    study_of,
    times_table,
    winners_sentence,
)
from widemargin.experiments.summary import Summary
from widemargin.ranking import AdaBoostTreesClassifier, PartialAUCBoostingClassifier

__all__ = ["RANKING_BOOSTERS", "BoostersProtocol", "boosters_experiment"]

NAME = "ranking-boosters"
TABLE = "pauc"
OURS = "deep_partial_auc"
PAPERS = "paper_partial_auc"
ADABOOST = "deep_adaboost"
WHOLE = "deep_whole_range"


@dataclass(frozen=True)
class BoostersProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    problems : tuple of Problem, default=scenes, USPS, faces and digits
        The data, the slowest first.
    fpr_ranges : tuple of tuple of (float, float), default=((0.0, 0.1), (0.05, 0.2), (0.0, 0.01))
        Ranges of false positive rates.
    n_trees : int, default=100
        Trees of every ensemble.
    max_depth : tuple of int, default=(6, 8)
        Depths of our trees, of which one is chosen.
    nu : tuple of float, default=(0.1, 0.3, 1.0)
        Weights of the risk, of which one is chosen.
    learning_rate : tuple of float, default=(0.3, 0.5, 1.0)
        Learning rates of AdaBoost, of which one is chosen.
    validation_share : float, default=1/3
        Share of the training samples on which settings are chosen.
    """

    problems: tuple[Problem, ...] = (Scenes(), Usps(), Faces(), Digits())
    fpr_ranges: tuple[tuple[float, float], ...] = ((0.0, 0.1), (0.05, 0.2), (0.0, 0.01))
    n_trees: int = 100
    max_depth: tuple[int, ...] = (6, 8)
    nu: tuple[float, ...] = (0.1, 0.3, 1.0)
    learning_rate: tuple[float, ...] = (0.3, 0.5, 1.0)
    validation_share: float = 1 / 3

    def problems_of(self, settings: Settings) -> tuple[Problem, ...]:
        """Return the data of a run: without a data folder, what needs none.

        Parameters
        ----------
        settings : Settings
            Settings of the run.

        Returns
        -------
        tuple of Problem
            The data.
        """
        if settings.data is not None:
            return self.problems
        return tuple(problem for problem in self.problems if isinstance(problem, Digits))

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The methods; scikit-learn's gradient boosting, which everyone has, is the baseline."""
        lightgbm, histogram = gradient_boosters(
            self.n_trees, rates=(0.2, 0.3), restraints=(FREE, TAMED, SAMPLED)
        )
        deep = PartialAUCBoostingClassifier(
            n_estimators=self.n_trees,
            leaves="confidence",
            min_samples_leaf=5,
            feature_fraction=0.4,
            weight_smoothing=0.8,
        )
        deeper = options(nu=self.nu, max_depth=self.max_depth)
        return (
            histogram,
            lightgbm,
            Contender(
                PAPERS,
                "pAUCEnsT",
                PartialAUCBoostingClassifier(n_estimators=self.n_trees, max_depth=2),
                options(nu=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0)),
                "the paper's, trained for the judged range",
            ),
            Contender(
                ADABOOST,
                "AdaBoost (deep)",
                AdaBoostTreesClassifier(
                    n_estimators=self.n_trees, leaves="real", min_samples_leaf=5, feature_fraction=0.4
                ),
                options(learning_rate=self.learning_rate, max_depth=self.max_depth),
                "trees like ours, for no range",
            ),
            Contender(OURS, "pAUCEnsT (deep)", deep, deeper, "confidence-rated; for the judged range"),
            Contender(
                WHOLE,
                "pAUCEnsT (deep, AUC)",
                deep,
                options(fpr_range=[(0.0, 1.0)], nu=self.nu, max_depth=self.max_depth),
                "control: the same, trained for the AUC",
                reference=True,
            ),
        )

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Where methods are compared."""
        return tuple(Judgement(fpr_range) for fpr_range in self.fpr_ranges)


def boosters_experiment(protocol: BoostersProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : BoostersProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or BoostersProtocol()
    return Experiment(
        name=NAME,
        title="Boosting for a range of false positive rates against tuned gradient boosting",
        question="Does boosting for a range of false positive rates keep up with tuned gradient boosting there?",
        reference=(
            "beyond Paisitkriangkrai, Shen and van den Hengel, Pedestrian detection with spatially pooled features and "
            "structured ensemble learning, arXiv:1409.5209 (the data of Table V; no gradient boosting there)"
        ),
        repeats=Repeats(quick=1, default=5, full=20),
        tables=(TableSpec(TABLE, competition_columns(protocol.contenders, protocol.judgements)),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
        task_noun="data set",
    )


def _describe(protocol: BoostersProtocol, settings: Settings) -> dict[str, str]:
    _, descriptions = problems_at_hand(protocol.problems_of(settings), settings)
    ranges = ", ".join(range_words(fpr_range) for fpr_range in protocol.fpr_ranges)
    return {
        **descriptions,
        "measure": f"partial AUC, divided by the width of the range of false positive rates, for {ranges}",
        "trees": f"{protocol.n_trees} of every method",
        "pAUCEnsT (deep)": (
            "leaves of the size of the weights' balance, scaled to mean square 1 over the training samples, ridge "
            "0.01, at least 5 samples a leaf, 0.4 of the features a tree; trees grown on weights that keep 0.8 of "
            "those of the round before; all weights of trees solved for again in every round, as in the paper"
        ),
        "AdaBoost (deep)": "real AdaBoost; trees of the same sizes, features and leaves as ours",
        "range of training": "the judged range; for reference also (0, 1), all other things equal",
        "settings": list_values(protocol.contenders),
        "choice": (
            f"by the partial AUC in the judged range on {100 * protocol.validation_share:.0f} % of the training "
            "samples, drawn once a repeat and stratified; the same for all methods, and of equal ones the first; then "
            "trained on all training samples"
        ),
        "LightGBM": describe_lightgbm(),
        "pilot runs": (
            "the settings that may be chosen were found on other draws of the same data, for ours and for the gradient "
            "boosters alike; the depths of our trees, their share of features and the smoothing were chosen there by "
            "the partial AUC of test samples, the seed 0 among the draws"
        ),
        "repeats": "a new random division into training and test samples; all methods and ranges share it",
    }


def _units(protocol: BoostersProtocol, settings: Settings) -> list[Unit]:
    problems, _ = problems_at_hand(protocol.problems_of(settings), settings)
    return [Unit(TABLE, problem.name, repeat) for repeat in range(settings.repeats) for problem in problems]


def _run(protocol: BoostersProtocol, unit: Unit, settings: Settings) -> Row:
    (problem,) = (problem for problem in protocol.problems if problem.name == unit.task)
    seed = unit_seed(settings.seed, "ranking", unit.task, unit.repeat)
    split = problem.draw(settings, seed)
    trial = Trial(split, hold_out(split.y_train, protocol.validation_share, seed))
    return compete(protocol.contenders, protocol.judgements, trial, seed)


def _label(task: str, judgement: Judgement) -> str:
    return f"{task} {judgement.words}"


def _study(protocol: BoostersProtocol, rows: Rows) -> AccuracyStudy:
    return study_of(rows[TABLE], protocol.contenders, protocol.judgements, _label)


def _rivals(study: AccuracyStudy) -> list[str]:
    """Return what ours is compared with, LightGBM first where it is installed."""
    present = {method.key for method in study.methods}
    return [key for key in (LIGHTGBM, HISTOGRAM, ADABOOST, PAPERS) if key in present]


def _summarise(protocol: BoostersProtocol, rows: Rows, settings: Settings) -> Summary:
    study = _study(protocol, rows)
    rivals = _rivals(study)
    judged = (rows[TABLE], protocol.contenders, protocol.judgements, _label)
    return Summary(
        verdict=" ".join(
            (
                describe_standings(study, OURS, rivals[0]),
                describe_standings(study, OURS, ADABOOST),
                winners_sentence(study),
            )
        ),
        findings=(
            *(describe_standings(study, OURS, rival) for rival in rivals[1:] if rival != ADABOOST),
            f"Does it help to train for the judged range? {describe_standings(study, OURS, WHOLE)}",
            "A task is a data set with a range. Tasks of one data set share samples and are not independent.",
        ),
        tables=(
            accuracy_table(study, TABLE, f"Partial AUC with {protocol.n_trees} trees, %"),
            standings_table(study, OURS, [*rivals, WHOLE], "standings", "How far ours is ahead"),
            choices_table(*judged[:3]),
            times_table(*judged),
        ),
    )


def _draw(protocol: BoostersProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    study = _study(protocol, rows)
    return [draw_differences(study, OURS, [rival for rival in _rivals(study) if rival != PAPERS])]


RANKING_BOOSTERS = boosters_experiment()
"""The experiment as it is meant to run."""

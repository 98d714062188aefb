"""Ask which boosted stumps find a disc in a ring when only low false positive rates count.

Figure 4 of [1]_: four ways of boosting ten horizontal and vertical stumps, beside two gradient boosters of today.

References
----------
.. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and
   structured ensemble learning", arXiv:1409.5209, 2014, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from widemargin.datasets import make_ring_classification
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
from widemargin.experiments.ranking.competition import Judgement, Trial, compete, competition_columns
from widemargin.experiments.ranking.contenders import Contender, list_values, options, range_words
from widemargin.experiments.ranking.gradient_boosting import (
    HISTOGRAM,
    LIGHTGBM,
    describe_lightgbm,
    stump_boosters,
)
from widemargin.experiments.ranking.problems import Split
from widemargin.experiments.ranking.results import (
    Standing,
    choices_table,
    describe_standings,
    standings,
    study_of,
    winners_sentence,
)
from widemargin.experiments.summary import (
    Claim,
    Comparison,
    Summary,
    answer_by_test,
    compare_with_paper,
)
from widemargin.plots import RangeBoundaryDisplay
from widemargin.ranking import (
    AdaBoostTreesClassifier,
    AsymBoostClassifier,
    CostSensitiveBoostClassifier,
    PartialAUCBoostingClassifier,
)

__all__ = ["RANKING_TOY", "ToyProtocol", "toy_experiment"]

NAME = "ranking-toy"
TABLE = "pauc"
TASK = "disc in a ring"
OURS = "partial_auc"
RIVALS = ("adaboost", "cs_adaboost", "asym_boost")


@dataclass(frozen=True)
class ToyProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    n_train, n_validation, n_test : int, default=200, 200, 2000
        Points of each class.
    n_stumps : int, default=10
        Stumps of every ensemble.
    fpr_range : tuple of (float, float), default=(0.0, 0.2)
        Range of false positive rates.
    """

    n_train: int = 200
    n_validation: int = 200
    n_test: int = 2000
    n_stumps: int = 10
    fpr_range: tuple[float, float] = (0.0, 0.2)

    @property
    def n_pairs(self) -> float:
        """Pairs of positives and negatives in the range: the paper's risk is their sum, ours their mean."""
        return self.n_train**2 * (self.fpr_range[1] - self.fpr_range[0])

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The methods with the paper's values; AdaBoost is the baseline."""
        n_stumps = self.n_stumps
        ratios = [round(0.5 + k / 10, 1) for k in range(21)]
        asymmetry = [round(2 ** (k / 5), 3) for k in range(-5, 11)]
        nu = [float(f"{self.n_pairs * 10 ** (-5 + k / 5):.3g}") for k in range(11)]
        return (
            Contender(
                "adaboost",
                "AdaBoost",
                AdaBoostTreesClassifier(n_stumps, max_depth=1),
                note="nothing to choose",
            ),
            Contender(
                "cs_adaboost",
                "CS-AdaBoost",
                CostSensitiveBoostClassifier(n_estimators=n_stumps, max_depth=1),
                options(cost_ratio=ratios),
            ),
            Contender(
                "asym_boost",
                "AsymBoost",
                AsymBoostClassifier(n_estimators=n_stumps, max_depth=1),
                options(asymmetry=asymmetry),
            ),
            Contender(
                OURS,
                "pAUCEnsT",
                PartialAUCBoostingClassifier(n_estimators=n_stumps, max_depth=1),
                options(nu=nu),
                "the paper's, for the range",
            ),
            *stump_boosters(n_stumps),
        )

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Where methods are compared."""
        return (Judgement(self.fpr_range),)


def toy_experiment(protocol: ToyProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : ToyProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or ToyProtocol()
    return Experiment(
        name=NAME,
        title="A disc in a ring: stumps boosted for a range of false positive rates",
        question=(
            f"Do {protocol.n_stumps} stumps boosted for false positive rates {range_words(protocol.fpr_range)} find a "
            "disc in a ring better than other boosted stumps?"
        ),
        reference=(
            "Paisitkriangkrai, Shen and van den Hengel, Pedestrian detection with spatially pooled features and "
            "structured ensemble learning, arXiv:1409.5209 (Figure 4)"
        ),
        repeats=Repeats(quick=1, default=20, full=20),
        tables=(TableSpec(TABLE, competition_columns(protocol.contenders, protocol.judgements)),),
        protocol=partial(_describe, protocol),
        units=_units,
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
    )


def _describe(protocol: ToyProtocol, settings: Settings) -> dict[str, str]:
    return {
        "data": (
            "positives in a disc, radius uniform in [0, 1.5]; negatives in a ring around it, radius normal with mean 2 "
            "and standard deviation 0.4; angles uniform"
        ),
        "points": (
            f"of each class {protocol.n_train} for training, {protocol.n_validation} to choose settings and "
            f"{protocol.n_test} for testing, drawn anew in every repeat; all methods share them. (The paper's numbers "
            "can also be read as totals of both classes.)"
        ),
        "measure": f"partial AUC over false positive rates {range_words(protocol.fpr_range)}, divided by its width",
        "ensembles": f"{protocol.n_stumps} stumps: trees with one split",
        "settings": list_values(protocol.contenders),
        "scaling of nu": (
            "the paper's values from 1e-5 to 1e-3 fit only if its risk is the sum over pairs; ours is the mean over "
            f"{protocol.n_pairs:g} pairs, so that its values are multiplied by {protocol.n_pairs:g}"
        ),
        "choice": "by the partial AUC of the validation points; of equal ones the first; not trained again with them",
        "LightGBM": describe_lightgbm(),
    }


def _units(settings: Settings) -> list[Unit]:
    return [Unit(TABLE, TASK, repeat) for repeat in range(settings.repeats)]


def _seed(settings: Settings, repeat: int) -> int:
    return unit_seed(settings.seed, NAME, TASK, repeat)


def _trial(protocol: ToyProtocol, seed: int) -> Trial:
    """Draw the points of one repeat: training and validation points in one array, and test points."""
    random_state = np.random.RandomState(seed)
    parts = [
        make_ring_classification(n_points, random_state=random_state)
        for n_points in (protocol.n_train, protocol.n_validation, protocol.n_test)
    ]
    X, y = (np.concatenate(arrays) for arrays in zip(*parts[:2], strict=True))
    train, validation = np.split(np.arange(y.size), [2 * protocol.n_train])
    return Trial(Split(X, y, *parts[2]), ((train, validation),), train)


def _run(protocol: ToyProtocol, unit: Unit, settings: Settings) -> Row:
    seed = _seed(settings, unit.repeat)
    return compete(protocol.contenders, protocol.judgements, _trial(protocol, seed), seed)


def _label(task: str, judgement: Judgement) -> str:
    return f"{task} {judgement.words}"


def _summarise(protocol: ToyProtocol, rows: Rows, settings: Settings) -> Summary:
    study = study_of(rows[TABLE], protocol.contenders, protocol.judgements, _label)
    present = {method.key for method in study.methods}
    boosters = [key for key in (LIGHTGBM, HISTOGRAM) if key in present]
    names = {method.key: method.name for method in study.methods}
    return Summary(
        verdict=f"{winners_sentence(study)} {describe_standings(study, OURS, 'adaboost')}",
        findings=tuple(describe_standings(study, OURS, rival) for rival in (*RIVALS[1:], *boosters)),
        tables=(
            accuracy_table(study, TABLE, f"Partial AUC {range_words(protocol.fpr_range)}, %"),
            choices_table(rows[TABLE], protocol.contenders, protocol.judgements),
        ),
        comparisons=tuple(_compare(standings(study, OURS, rival)[0], names[rival]) for rival in RIVALS),
    )


def _compare(standing: Standing, rival: str) -> Comparison:
    """Put the claim of the figure, which shows one draw, beside the mean difference of ours."""
    return compare_with_paper(
        Claim(f"pAUCEnsT is above {rival}", "Figure 4", "above"),
        standing.words,
        answer=answer_by_test(standing.difference > 0, standing.p_value),
        sentence=f"Points of the partial AUC; {standing.test_words}.",
    )


def _draw(protocol: ToyProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    """Train the methods of the first repeat again, with the settings that they chose, and draw what they do."""
    row = min(rows[TABLE], key=lambda row: int(row["repeat"]))
    seed = _seed(settings, int(row["repeat"]))
    trial = _trial(protocol, seed)
    (judgement,) = protocol.judgements
    contenders = [contender for contender in protocol.contenders if contender.estimator is not None]
    n_columns = 3
    n_rows = -(-len(contenders) // n_columns)
    figure = Figure(figsize=(11.0, 3.9 * n_rows), layout="constrained")
    axes = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    scores = []
    X, y = trial.split.X_train[trial.final], trial.split.y_train[trial.final]
    for ax, contender in zip(axes, contenders, strict=False):
        chosen = row[f"{contender.key}_{judgement.key}_choice"]
        (choice,) = (k for k in range(len(contender.grid)) if contender.words(k) == chosen)
        model = contender.make(choice, seed, protocol.fpr_range).fit(X, y)
        display = RangeBoundaryDisplay.from_estimator(
            model,
            trial.split.X_test,
            trial.split.y_test,
            fpr_range=protocol.fpr_range,
            name=contender.name,
            ax=ax,
        )
        for points in (display.positives_, display.negatives_):
            points.set(sizes=[4], alpha=0.4)
        scores.append(f"{contender.name} {100 * display.partial_auc:.1f} %")
    for ax in axes[len(contenders) :]:
        ax.remove()
    return [
        Drawing(
            "boundaries",
            f"What {protocol.n_stumps} stumps do",
            f"Repeat {int(row['repeat']) + 1}, with the test points. Fill: the score, by the share of points that it "
            "exceeds. Lines: thresholds at the ends of the range, and the boundary of the predicted class.",
            f"The plane of two features, one panel a method, with the partial AUC of the test "
            f"points: {', '.join(scores)}.",
            figure,
        )
    ]


RANKING_TOY = toy_experiment()
"""The experiment as it is meant to run."""

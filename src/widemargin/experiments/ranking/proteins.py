"""Ask which of the ways of learning for a range of false positive rates finds pairs of proteins that interact best.

Table IV of [1]_, by its protocol, except that settings are chosen anew in every repeat.

References
----------
.. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and
   structured ensemble learning", arXiv:1409.5209, 2014, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split

from widemargin.datasets import array_identity, load_protein_pairs
from widemargin.datasets.protein_pairs import ProteinPairs
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
    cross_validation,
)
from widemargin.experiments.ranking.contenders import Contender, list_values, range_words
from widemargin.experiments.ranking.figures import draw_differences
from widemargin.experiments.ranking.gradient_boosting import describe_lightgbm
from widemargin.experiments.ranking.problems import Split
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

__all__ = ["RANKING_PROTEINS", "ProteinsProtocol", "proteins_experiment"]

NAME = "ranking-proteins"
TABLE = "pauc"
TASK = "protein pairs"
OURS = "ensemble_tight"


@dataclass(frozen=True)
class ProteinsProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    train_share : float, default=0.1
        Share of the pairs for training.
    n_rounds : int, default=100
        Most weak learners of every ensemble.
    n_folds : int, default=5
        Folds of the cross-validation.
    class_weights : tuple of float, default=(1.0, 10.0, 100.0)
        Costs of a missed positive for the asymmetric SVM.
    """

    train_share: float = 0.1
    n_rounds: int = 100
    n_folds: int = 5
    class_weights: tuple[float, ...] = (1.0, 10.0, 100.0)

    @property
    def contenders(self) -> tuple[Contender, ...]:
        """The methods."""
        return contenders_of_table_four(self.n_rounds, self.class_weights)

    @property
    def judgement(self) -> Judgement:
        """Where methods are compared."""
        return Judgement((0.0, 0.1))


def proteins_experiment(protocol: ProteinsProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : ProteinsProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or ProteinsProtocol()
    return Experiment(
        name=NAME,
        title="Ensembles and SVMs for the partial AUC on pairs of proteins",
        question="Which of the ways of learning for a range of false positive rates finds interacting proteins best?",
        reference=(
            "Paisitkriangkrai, Shen and van den Hengel, Pedestrian detection with spatially pooled features and "
            "structured ensemble learning, arXiv:1409.5209 (Table IV)"
        ),
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(TableSpec(TABLE, competition_columns(protocol.contenders, [protocol.judgement])),),
        protocol=partial(_describe, protocol),
        units=_units,
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
        needs_data=True,
    )


@cache
def _load(folder: Path) -> tuple[ProteinPairs, str]:
    """Return the pairs and their identity."""
    pairs = load_protein_pairs(folder)
    return pairs, array_identity(np.nan_to_num(pairs.X, nan=-100.0), pairs.y)


def _describe(protocol: ProteinsProtocol, settings: Settings) -> dict[str, str]:
    pairs, identity = _load(settings.data_folder(NAME))
    fpr_range = range_words(protocol.judgement.fpr_range)
    return {
        "data": (
            f"{int(pairs.y.sum())} interacting pairs of proteins (positive) and {int((1 - pairs.y).sum())} random "
            f"ones, {pairs.X.shape[1]} features that are missing in less than a quarter of the pairs, sha256 {identity}"
        ),
        "training pairs": f"{100 * protocol.train_share:g} % of each class, the others for testing",
        "missing values": "the mean of the training pairs",
        "scaling": "features centred and divided by their standard deviation; mean squared length of a row 1",
        "measure": f"partial AUC over false positive rates {fpr_range}, divided by its width",
        "ensembles": (
            f"at most {protocol.n_rounds} weak learners: linear SVMs by LIBLINEAR as in the paper, or trees of depth "
            "2; the gradient boosters with larger trees"
        ),
        "pAUCBoost": "trees of depth 2, in place of the additive splines of its authors",
        "settings": list_values(protocol.contenders),
        "choice": (
            f"by the mean partial AUC over {protocol.n_folds} stratified folds of the training pairs, anew in every "
            "repeat (the paper keeps one choice); the same folds for all methods; of equal ones the first"
        ),
        "LightGBM": describe_lightgbm(),
        "repeats": "a new random division into training and test pairs; all methods share it",
    }


def _units(settings: Settings) -> list[Unit]:
    return [Unit(TABLE, TASK, repeat) for repeat in range(settings.repeats)]


def _run(protocol: ProteinsProtocol, unit: Unit, settings: Settings) -> Row:
    pairs, _ = _load(settings.data_folder(NAME))
    seed = unit_seed(settings.seed, NAME, unit.task, unit.repeat)
    X_train, X_test, y_train, y_test = train_test_split(
        pairs.X, pairs.y, train_size=protocol.train_share, stratify=pairs.y, random_state=seed
    )
    fill = SimpleImputer(keep_empty_features=True).fit(X_train)
    split = scaled(Split(fill.transform(X_train), y_train, fill.transform(X_test), y_test), each_feature=True)
    trial = Trial(split, cross_validation(split.y_train, protocol.n_folds, seed))
    return compete(protocol.contenders, [protocol.judgement], trial, seed)


def _label(task: str, judgement: Judgement) -> str:
    return task


def _summarise(protocol: ProteinsProtocol, rows: Rows, settings: Settings) -> Summary:
    judged = (rows[TABLE], protocol.contenders, [protocol.judgement], _label)
    study = study_of(*judged)
    others = [method.key for method in study.methods if method.key != OURS]
    return Summary(
        verdict=f"{winners_sentence(study)} {describe_standings(study, OURS, 'svm_tight')}",
        findings=tuple(describe_standings(study, OURS, other) for other in others if other != "svm_tight"),
        tables=(
            methods_table(
                rows[TABLE],
                study,
                protocol.contenders,
                protocol.judgement,
                title=f"Partial AUC {range_words(protocol.judgement.fpr_range)}, % and seconds",
                printed="the same data",
            ),
            choices_table(*judged[:3]),
        ),
        comparisons=claims_of_table_four(study, same_data=True),
    )


def _draw(protocol: ProteinsProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    study = study_of(rows[TABLE], protocol.contenders, [protocol.judgement], _label)
    return [draw_differences(study, OURS, [method.key for method in study.methods if method.key != OURS])]


RANKING_PROTEINS = proteins_experiment()
"""The experiment as it is meant to run."""

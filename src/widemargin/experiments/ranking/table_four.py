"""The rows of Table IV: ensembles and SVMs for the partial AUC beside each other, on any data of two classes.

S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and structured
ensemble learning", arXiv:1409.5209, 2014, section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.svm import LinearSVC

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.experiment import Row
from widemargin.experiments.ranking.competition import Judgement
from widemargin.experiments.ranking.contenders import Contender, options
from widemargin.experiments.ranking.gradient_boosting import gradient_boosters
from widemargin.experiments.ranking.problems import Split
from widemargin.experiments.ranking.results import standings
from widemargin.experiments.summary import (
    Cell,
    Claim,
    Column,
    Comparison,
    SummaryTable,
    answer_by_test,
    compare_with_paper,
    signed,
)
from widemargin.ranking import KomoriEguchiBoostClassifier, PartialAUCBoostingClassifier, PartialAUCSVC

__all__ = [
    "PRINTED",
    "claims_of_table_four",
    "contenders_of_table_four",
    "methods_table",
    "scaled",
]

SOURCE = "Table IV"

PRINTED = {
    "ensemble_tight": 56.76,
    "ensemble_structural": 56.05,
    "svm_tight": 52.95,
    "svm_structural": 51.96,
    "komori_eguchi": 48.65,
    "asymmetric_svm": 44.51,
    "svm_auc": 39.72,
}
"""Partial AUC (0, 0.1) of protein pairs in percent, as printed."""

_ORDER = (
    ("ensemble_tight", "ensemble_structural"),
    ("svm_tight", "svm_structural"),
    ("ensemble_tight", "svm_tight"),
    ("svm_tight", "komori_eguchi"),
    ("svm_tight", "asymmetric_svm"),
    ("svm_tight", "svm_auc"),
)


def contenders_of_table_four(n_rounds: int, class_weights: Sequence[float]) -> tuple[Contender, ...]:
    """Return the seven rows of the table, the ensembles also with trees, and the gradient boosters.

    Parameters
    ----------
    n_rounds : int
        Most weak learners of every ensemble.
    class_weights : sequence of float
        Costs of a missed positive, over that of a false alarm, for the asymmetric SVM.

    Returns
    -------
    tuple of Contender
        In the order of the table; the first is the baseline.
    """
    nu = options(nu=(1.0, 0.5, 0.2))
    C = options(C=[10.0**k for k in range(1, 6)])
    costs = [{0: 1.0, 1: float(weight)} for weight in class_weights]
    return (
        Contender("ensemble_tight", "pAUCEnsT, linear", _ensemble(n_rounds, "tight", "linear"), nu),
        Contender("ensemble_structural", "pAUCEns, linear", _ensemble(n_rounds, "structural", "linear"), nu),
        Contender("svm_tight", "SVM pAUC, tight", PartialAUCSVC(bound="tight"), C),
        Contender("svm_structural", "SVM pAUC, structural", PartialAUCSVC(bound="structural"), C),
        Contender(
            "komori_eguchi",
            "pAUCBoost, trees",
            KomoriEguchiBoostClassifier(n_estimators=n_rounds),
            options(smoothing=(1.0, 3.0)),
        ),
        Contender(
            "asymmetric_svm",
            "asymmetric SVM",
            LinearSVC(dual=False, max_iter=10_000),
            options(C=(0.01, 0.1, 1.0, 10.0), class_weight=costs),
            ranged=False,
        ),
        Contender("svm_auc", "SVM AUC", PartialAUCSVC((0.0, 1.0)), C, ranged=False),
        Contender("trees_tight", "pAUCEnsT, trees", _ensemble(n_rounds, "tight", None), nu),
        Contender("trees_structural", "pAUCEns, trees", _ensemble(n_rounds, "structural", None), nu),
        *gradient_boosters(n_rounds),
    )


def scaled(split: Split, *, each_feature: bool = False) -> Split:
    """Centre the features and scale rows to mean squared length 1, as measured on the training samples.

    Parameters
    ----------
    split : Split
        The samples.
    each_feature : bool, default=False
        Whether each feature is first divided by its standard deviation, for features of different units.

    Returns
    -------
    Split
        The same samples, scaled.
    """
    mean = split.X_train.mean(axis=0)
    spread = split.X_train.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0) * np.sqrt(spread.size)
    if not each_feature:
        scale = np.full(spread.size, np.linalg.norm(spread) or 1.0)
    return Split((split.X_train - mean) / scale, split.y_train, (split.X_test - mean) / scale, split.y_test)


def methods_table(
    rows: Sequence[Row],
    study: AccuracyStudy,
    contenders: Sequence[Contender],
    judgement: Judgement,
    *,
    title: str,
    printed: str,
) -> SummaryTable:
    """Show one row a method, as the printed table does.

    Parameters
    ----------
    rows : sequence of Row
        Rows of the results table.
    study : AccuracyStudy
        Their partial AUC, tasks named as in the rows.
    contenders : sequence of Contender
        The contenders.
    judgement : Judgement
        Where they were compared.
    title : str
        Caption of the table.
    printed : str
        Small print below the heading of the paper's column.

    Returns
    -------
    SummaryTable
        For each task the partial AUC and the seconds of training.
    """
    columns = [Column("method", numeric=False), Column("paper", printed)]
    for task in study.tasks:
        columns += [Column(task), Column("training", f"s, {task}")]
    lines = []
    for place, method in enumerate(study.methods):
        value = PRINTED.get(method.key)
        line = [
            Cell(method.name),
            Cell("–" if value is None else f"{value:.2f}", best=value == max(PRINTED.values())),
        ]
        for task, comparison in study.comparisons.items():
            error = comparison.standard_error[0, place]
            seconds = [
                float(row[f"{method.key}_{judgement.key}_fit_seconds"]) for row in rows if row["task"] == task
            ]
            mark = "gain" * bool(comparison.significant_gain[0, place])
            mark += "loss" * bool(comparison.significant_loss[0, place])
            line.append(
                Cell(
                    f"{comparison.mean[0, place]:.2f}" + (f" ± {error:.2f}" if np.isfinite(error) else ""),
                    best=bool(comparison.winners[0, place]),
                    mark=mark,
                )
            )
            line.append(Cell(f"{np.median(seconds):.2g}"))
        lines.append(tuple(line))
    return SummaryTable(
        "methods",
        title,
        "Partial AUC in percent, mean ± standard error over the repeats, and the median seconds of one training with "
        f"the settings chosen, on one thread. Bold: best of the column. ▲ / ▼: significantly above / below "
        f"{study.methods[0].name}, paired two-sided Wilcoxon test over the repeats at 95 %, not corrected.",
        tuple(columns),
        tuple(lines),
    )


def claims_of_table_four(study: AccuracyStudy, *, same_data: bool) -> tuple[Comparison, ...]:
    """Put the order of the printed rows beside ours.

    Parameters
    ----------
    study : AccuracyStudy
        Our partial AUC.
    same_data : bool
        Whether it is of protein pairs, so that differences can be subtracted.

    Returns
    -------
    tuple of Comparison
        One line for each pair of rows and task.
    """
    names = {method.key: method.name for method in study.methods}
    lines = []
    for first, second in _ORDER:
        gap = PRINTED[first] - PRINTED[second]
        for standing in standings(study, first, second):
            claim = Claim(
                f"{names[first]} is above {names[second]}: {standing.task}",
                SOURCE if same_data else f"{SOURCE}, protein pairs",
                f"{signed(gap)} ({PRINTED[first]:.2f} against {PRINTED[second]:.2f})",
                gap,
            )
            lines.append(
                compare_with_paper(
                    claim,
                    standing.words,
                    value=standing.difference if same_data else None,
                    answer=answer_by_test(standing.difference > 0, standing.p_value),
                    sentence=f"Points; {standing.test_words}.",
                )
            )
    return tuple(lines)


def _ensemble(n_rounds: int, bound: str, estimator: str | None) -> PartialAUCBoostingClassifier:
    return PartialAUCBoostingClassifier(n_estimators=n_rounds, max_depth=2, bound=bound, estimator=estimator)

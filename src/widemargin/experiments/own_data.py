"""Ask of a user's own data whether extra training information makes a better classifier.

Repeated cross-validation of a plain SVM, Margin Transfer, SVM+ and, for reference, an SVM on the extra information.
Scaling and all parameters are fitted on the training part of a fold, with a cross-validation of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.pipeline import Pipeline

from widemargin.datasets import DatasetError, array_identity
from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import Method
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
from widemargin.experiments.model_selection import GRID
from widemargin.experiments.own_data_answer import Answers
from widemargin.experiments.own_data_figure import draw_differences_by_fold
from widemargin.experiments.own_data_methods import (
    FOLD_COLUMNS,
    Choices,
    compare_on_fold,
    make_scaler,
    train,
    transform_present,
)
from widemargin.experiments.own_data_samples import OwnData, check_rows, count_inner_folds, split_stratified
from widemargin.experiments.own_data_summary import OuterFolds, SampleCounts, summarise_folds
from widemargin.experiments.summary import Summary

__all__ = ["OwnData", "OwnDataOptions", "choose_method", "own_data_experiment", "train_model"]

NAME = "own-data"
TABLE = "folds"
SCALE_WORDS = {
    "standard": "every column to mean 0 and variance 1",
    "max": "every column to values of at most 1 in size",
    "l1": "every row to a sum of sizes of 1",
    "l2": "every row to unit Euclidean length",
    "none": "none",
}
# With five folds. Measured with 60, 100 and 300 samples: ten repeats make the interval 8 to 9 % narrower than four do,
# for two and a half times the work; ten folds twice make it as wide as five folds four times.
DEFAULT_REPEATS = 4
_MOST_CLASSES_LISTED = 10

Matrix = Any  # A dense array or a sparse matrix, of float64.


@dataclass(frozen=True)
class OwnDataOptions:
    """What a user can choose.

    Parameters
    ----------
    n_folds : int, default=5
        Folds of the outer cross-validation, at least 2.
    kernel : {"linear", "rbf"}, default="linear"
        Kernel in both spaces.
    scale : {"standard", "l1", "l2", "max", "none"} or None, default=None
        Scaling in both spaces; None is "standard", for sparse features "max".
    scoring : {"accuracy", "balanced_accuracy"}, default="accuracy"
        The score.
    grid : tuple of float, default=GRID
        Values to try for every parameter, for samples of unit length.
    """

    n_folds: int = 5
    kernel: str = "linear"
    scale: str | None = None
    scoring: str = "accuracy"
    grid: tuple[float, ...] = GRID


def own_data_experiment(data: OwnData, options: OwnDataOptions | None = None) -> Experiment:
    """Make the experiment, if the data allow it.

    Parameters
    ----------
    data : OwnData
        The samples.
    options : OwnDataOptions or None, default=None
        What to do with them; None takes the defaults.

    Returns
    -------
    Experiment
        For `run_experiment`. A repeat of it is a new division of all samples into folds.

    Raises
    ------
    DatasetError
        If the numbers of rows differ, there is one class, or a class has too few samples for the folds.
    """
    options = options or OwnDataOptions()
    check_rows(data)
    choices = _choices(data, options)
    counts = SampleCounts.of(data.y, data.present)
    return Experiment(
        name=NAME,
        title="Comparison on your own data",
        question=(
            f"Does {data.X_privileged_name}, known in training only, make a better classifier of {data.X_name}?"
        ),
        reference=(
            "Methods: Vapnik and Vashist, Neural Networks 22, 2009 (SVM+); Sharmanska, Quadrianto and Lampert, "
            "arXiv:1410.0389 (Margin Transfer). Interval: Nadeau and Bengio, Machine Learning 52, 2003."
        ),
        repeats=Repeats(quick=1, default=DEFAULT_REPEATS, full=2 * DEFAULT_REPEATS),
        tables=(TableSpec(TABLE, FOLD_COLUMNS),),
        protocol=partial(_describe, data, options, choices),
        units=partial(_units, options.n_folds),
        run=partial(_run, data, options.n_folds, choices),
        summarise=partial(_summarise, options.n_folds, choices, counts),
        draw=partial(_draw, choices),
        task_noun="fold",
        unit_noun="fold",
        inputs=_inputs(data, options, choices),
    )


def choose_method(rows: Rows) -> Method:
    """Return the method to use: the best of those that clearly help, or the plain SVM.

    Parameters
    ----------
    rows : mapping of str to sequence of Row
        The rows of a finished comparison.

    Returns
    -------
    Method
        One of those that compete.
    """
    return Answers.from_rows(rows[TABLE]).best


def train_model(data: OwnData, options: OwnDataOptions, key: str, seed: int) -> Pipeline:
    """Train one method on all samples, its parameters chosen as in every fold.

    Parameters
    ----------
    data : OwnData
        The samples.
    options : OwnDataOptions
        As in the comparison.
    key : str
        Key of the method.
    seed : int
        Seed of the run.

    Returns
    -------
    Pipeline
        The scaler and the classifier, fitted; it takes features that are not scaled, and returns labels.
    """
    choices = _choices(data, options)
    scaler = make_scaler(choices.scale).fit(data.X)
    privileged_scaler = make_scaler(choices.privileged_scale).fit(data.X_privileged[data.present])
    privileged = transform_present(privileged_scaler, data.X_privileged)
    seed = unit_seed(seed, NAME, "model")
    search = train(key, scaler.transform(data.X), privileged, data.y, choices, seed, data.groups)
    return Pipeline([("scale", scaler), ("classify", search.best_estimator_)])


def _choices(data: OwnData, options: OwnDataOptions) -> Choices:
    """Return how classifiers are trained, after a look at the data."""
    return Choices(
        kernel=options.kernel,
        scale=_resolve_scale(data.X, data.X_name, options.scale),
        privileged_scale=_resolve_scale(data.X_privileged, data.X_privileged_name, options.scale),
        scoring=options.scoring,
        n_inner_folds=count_inner_folds(data, options.n_folds),
        grid=options.grid,
    )


def _resolve_scale(X: Matrix, name: str, scale: str | None) -> str:
    if scale is None:
        return "max" if issparse(X) else "standard"
    if scale == "standard" and issparse(X):
        raise DatasetError(
            f"{name} is sparse, and the scale 'standard' would fill its zeros: choose max, l1, l2 or none."
        )
    return scale


def _describe(data: OwnData, options: OwnDataOptions, choices: Choices, settings: Settings) -> dict[str, str]:
    classes, counts = np.unique(data.y, return_counts=True)
    listed = ", ".join(f"{label} ({count})" for label, count in zip(classes, counts, strict=True))
    if classes.size > _MOST_CLASSES_LISTED:
        listed = f"from {counts.min()} to {counts.max()} samples each"
    values = ", ".join(f"{value:g}" for value in choices.grid)
    unit = (
        ", for features whose mean squared distance from their centre is 1 (the values used are divided by what it is "
        "in the training part)"
    )
    strata = "by class"
    if not data.present.all():
        strata += " and by having privileged features"
    if data.groups is not None:
        strata += ", rows of a group together"
    scale = "X: {}; X*: {}; fitted on the training part of each fold"
    return {
        "X": _identify(data.X),
        "X*": _identify(data.X_privileged) + _describe_missing_rows(data.present),
        "labels": f"{classes.size} classes: {listed}; sha256 {array_identity(data.y)}",
        **_describe_groups(data.groups),
        "outer folds": (
            f"{options.n_folds} folds, stratified {strata}, each in turn the test part; divided anew in each "
            "repeat, and the same for all methods"
        ),
        "inner folds": (
            f"{choices.n_inner_folds} folds of the training part, stratified {strata}, by which parameters are chosen; "
            "of equal scores the point with the best neighbours on the grid, then the one nearest to its middle"
        ),
        "score": choices.scoring.replace("_", " "),
        "class weights": (
            "in all methods inverse to the number of training samples of the class"
            if choices.class_weight
            else "none: every sample counts the same in training"
        ),
        "scaling": scale.format(SCALE_WORDS[choices.scale], SCALE_WORDS[choices.privileged_scale]),
        "kernel": choices.kernel + " in both spaces, with an unpenalised bias",
        "parameters": (
            f"C, privileged C and privileged alpha among {values}"
            + unit * (choices.kernel == "linear")
            + "; the two parameters of Margin Transfer (epsilon 0.1) and of SVM+ jointly"
        ),
        "more than two classes": "one against the rest, with parameters that all classes share",
    }


def _identify(X: Matrix) -> str:
    kind = "sparse, " if issparse(X) else ""
    if issparse(X):
        entries = X.tocoo()
        order = np.lexsort((entries.col, entries.row))
        identity = array_identity(
            entries.row[order].astype(np.int64),
            entries.col[order].astype(np.int64),
            entries.data[order],
            X.shape,
        )
    else:
        identity = array_identity(X)
    n_columns = X.shape[1]
    return f"{X.shape[0]} samples, {n_columns} {'column' if n_columns == 1 else 'columns'}, {kind}sha256 {identity}"


def _describe_missing_rows(present: npt.NDArray[np.bool_]) -> str:
    if present.all():
        return ""
    return (
        f"; {np.count_nonzero(~present)} samples have none, on which the reference is neither trained nor tested; the "
        "methods train on all"
    )


def _describe_groups(groups: npt.NDArray[Any] | None) -> dict[str, str]:
    if groups is None:
        return {}
    return {"groups": f"{np.unique(groups).size} groups of samples; sha256 {array_identity(groups)}"}


def _inputs(data: OwnData, options: OwnDataOptions, choices: Choices) -> dict[str, str]:
    """Return what the user chose, for the page; what the results depend on is in the protocol."""
    scale = choices.scale
    if choices.privileged_scale != scale:
        scale += f" for X, {choices.privileged_scale} for X*"
    return {
        "features (X)": data.X_name,
        "privileged features (X*)": data.X_privileged_name,
        "labels": data.y_name,
        **({} if data.groups is None else {"groups": data.groups_name}),
        "folds": str(options.n_folds),
        "kernel": options.kernel,
        "scale": scale,
        "scoring": options.scoring,
    }


def _units(n_folds: int, settings: Settings) -> list[Unit]:
    return [
        Unit(TABLE, f"fold {fold + 1}", repeat)
        for repeat in range(settings.repeats)
        for fold in range(n_folds)
    ]


def _run(data: OwnData, n_folds: int, choices: Choices, unit: Unit, settings: Settings) -> Row:
    seed = unit_seed(settings.seed, NAME, "folds", unit.repeat)
    folds = split_stratified(data.y, data.present, n_folds, seed, data.groups)
    train_rows, test_rows = folds[int(unit.task.removeprefix("fold ")) - 1]
    seed = unit_seed(settings.seed, NAME, unit.task, unit.repeat)
    return compare_on_fold(
        data.X, data.X_privileged, data.y, train_rows, test_rows, choices, seed, data.groups
    )


def _summarise(
    n_folds: int, choices: Choices, counts: SampleCounts, rows: Rows, settings: Settings
) -> Summary:
    return summarise_folds(rows[TABLE], choices, counts, OuterFolds(n_folds, settings.repeats))


def _draw(choices: Choices, rows: Rows, settings: Settings) -> list[Drawing]:
    return [draw_differences_by_fold(rows[TABLE], choices.scoring.replace("_", " "))]

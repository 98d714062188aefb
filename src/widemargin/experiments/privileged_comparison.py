"""The protocol that all experiments with privileged information share: four methods on one split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.experiment import Row
from widemargin.experiments.model_selection import ModelSelection
from widemargin.experiments.summary import number, p_text, signed
from widemargin.metrics import holm
from widemargin.privileged import MarginTransferSVCCV, SVMPlusCV, easiness_agreement

__all__ = [
    "COMPARISON_COLUMNS",
    "METHODS",
    "TAU_COLUMNS",
    "TrainedMethods",
    "compare_on_split",
    "describe_agreement",
    "draw_split",
    "mean_where_known",
    "privileged_verdict",
    "train_methods",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

METHODS = (
    Method("svm", "SVM", "X"),
    Method("margin_transfer", "Margin Transfer", "X and X* in training"),
    Method("svm_plus", "SVM+", "X and X* in training"),
    Method("reference", "SVM on X*", "X* even in testing", reference=True),
)
"""The baseline, the two methods with privileged information, and the reference."""

COMPARISON_COLUMNS: dict[str, type] = {
    "svm_accuracy": float,
    "margin_transfer_accuracy": float,
    "svm_plus_accuracy": float,
    "reference_accuracy": float,
    "svm_C": float,
    "margin_transfer_C": float,
    "margin_transfer_privileged_C": float,
    "svm_plus_C": float,
    "svm_plus_privileged_alpha": float,
    "reference_C": float,
    "n_test": int,
}
"""Columns of a row of `compare_on_split`."""

TAU_COLUMNS: dict[str, type] = {"tau": float, "tau_within_class": float}
"""Columns that `compare_on_split` adds for two classes."""


@dataclass(frozen=True, eq=False)
class TrainedMethods:
    """The classifiers of `METHODS`, trained on the same samples.

    Parameters
    ----------
    svm, reference : SVC or OneVsRestClassifier
        The plain SVMs on X and on X*.
    svm_C, reference_C : float
        Their parameters.
    margin_transfer : MarginTransferSVCCV
        Margin Transfer.
    svm_plus : SVMPlusCV
        SVM+.
    """

    svm: SVC | OneVsRestClassifier
    svm_C: float
    reference: SVC | OneVsRestClassifier
    reference_C: float
    margin_transfer: MarginTransferSVCCV
    svm_plus: SVMPlusCV

    def accuracies(self, X: FloatArray, X_privileged: FloatArray, y: IntArray) -> Row:
        """Test all of them on the same samples.

        Parameters
        ----------
        X, X_privileged : ndarray of shape (n_samples, n_features) and (n_samples, n_privileged_features)
            Test samples in both spaces.
        y : ndarray of int of shape (n_samples,)
            Labels.

        Returns
        -------
        Row
            The `COMPARISON_COLUMNS`.
        """
        return {
            "svm_accuracy": float(self.svm.score(X, y)),
            "margin_transfer_accuracy": float(self.margin_transfer.score(X, y)),
            "svm_plus_accuracy": float(self.svm_plus.score(X, y)),
            "reference_accuracy": float(self.reference.score(X_privileged, y)),
            "svm_C": self.svm_C,
            "margin_transfer_C": float(self.margin_transfer.best_params_["C"]),
            "margin_transfer_privileged_C": float(self.margin_transfer.best_params_["privileged_C"]),
            "svm_plus_C": float(self.svm_plus.best_params_["C"]),
            "svm_plus_privileged_alpha": float(self.svm_plus.best_params_["privileged_alpha"]),
            "reference_C": self.reference_C,
            "n_test": int(y.size),
        }


def train_methods(
    X: FloatArray, X_privileged: FloatArray, y: IntArray, selection: ModelSelection
) -> TrainedMethods:
    """Train SVM, Margin Transfer, SVM+ and the reference on the same samples with the same folds.

    Parameters
    ----------
    X, X_privileged : ndarray of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        Training samples in both spaces.
    y : ndarray of int of shape (n_samples,)
        Labels.
    selection : ModelSelection
        How parameters are chosen.

    Returns
    -------
    TrainedMethods
        The classifiers.
    """
    svm, svm_C = selection.svm(X, y)
    reference, reference_C = selection.reference(X_privileged, y)
    return TrainedMethods(
        svm,
        svm_C,
        reference,
        reference_C,
        selection.margin_transfer(X, y, X_privileged),
        selection.svm_plus(X, y, X_privileged),
    )


def draw_split(
    y: npt.ArrayLike, classes: Sequence[int], n_train: int, n_test: int, seed: int
) -> tuple[IntArray, IntArray]:
    """Draw a training and a test set with the same number of samples of every class.

    Parameters
    ----------
    y : array-like of int of shape (n_samples,)
        Labels.
    classes : sequence of int
        The classes of the task.
    n_train : int
        Training samples of each class.
    n_test : int
        Test samples of each class, or all that are left if there are fewer.
    seed : int
        Seed of the draw.

    Returns
    -------
    train, test : ndarray of int
        Disjoint indices into `y`, class after class.
    """
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(np.flatnonzero(np.asarray(y) == label)) for label in classes]
    train = np.concatenate([order[:n_train] for order in orders])
    test = np.concatenate([order[n_train : n_train + n_test] for order in orders])
    return train, test


def compare_on_split(
    X: FloatArray,
    X_privileged: FloatArray,
    y: IntArray,
    train: IntArray,
    test: IntArray,
    selection: ModelSelection,
) -> Row:
    """Train and test SVM, Margin Transfer, SVM+ and the reference on the same split with the same folds.

    Parameters
    ----------
    X, X_privileged : ndarray of shape (n_samples, n_features) and (n_samples, n_privileged_features)
        The data in both spaces.
    y : ndarray of int of shape (n_samples,)
        Labels.
    train, test : ndarray of int
        Indices of the split.
    selection : ModelSelection
        How parameters are chosen, on the training samples only.

    Returns
    -------
    Row
        The `COMPARISON_COLUMNS` and, for two classes, the `TAU_COLUMNS`: how far the decision values of the
        SVMs on X and on X* agree in ranking the training samples.
    """
    trained = train_methods(X[train], X_privileged[train], y[train], selection)
    row = trained.accuracies(X[test], X_privileged[test], y[test])
    if trained.svm.classes_.size == 2:
        agreement = easiness_agreement(
            y[train],
            decision=trained.svm.decision_function(X[train]),
            privileged_decision=trained.reference.decision_function(X_privileged[train]),
        )
        sources = ("decision", "privileged_decision")
        row |= {
            "tau": agreement.overall[sources],
            "tau_within_class": agreement.within_class[sources],
        }
    return row


def describe_agreement(rows: Sequence[Row], place: str = "Pairs") -> str:
    """Say in a sentence how far X and X* agree on which samples are easy.

    Parameters
    ----------
    rows : sequence of Row
        Rows of pairs of classes, with the `TAU_COLUMNS`.
    place : str, default="Pairs"
        What to call these tasks.

    Returns
    -------
    str
        The sentence.
    """
    tau, within = (mean_where_known(rows, column) for column in ("tau", "tau_within_class"))
    return (
        f"{place}: decision values in X and X* agree with Kendall's tau {number(tau)} over all training images, and "
        f"{number(within)} within a class, where the label alone cannot make them agree."
    )


def mean_where_known(rows: Sequence[Row], column: str) -> float:
    """Average a coefficient over the rows in which it exists: decision values that are all equal have none.

    Parameters
    ----------
    rows : sequence of Row
        Rows with the column, NaN where there is no coefficient.
    column : str
        Its name.

    Returns
    -------
    float
        The mean, NaN if no row has one.
    """
    values = np.array([float(row[column]) for row in rows])
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")


def privileged_verdict(study: AccuracyStudy) -> str:
    """Say in a sentence or two whether privileged information made better classifiers.

    Parameters
    ----------
    study : AccuracyStudy
        Accuracies of `METHODS` on one or more tasks.

    Returns
    -------
    str
        The verdict, which names the winner, the baseline too, by Holm-corrected p-values.
    """
    baseline = study.methods[0]
    tests = {method: study.over_tasks(method.key, baseline.key) for method in study.competitors}
    # Two chances to find something: corrected, so that the verdict is wrong in one of twenty studies at most.
    corrected = dict(zip(tests, holm([test.p_value for test in tests.values()]), strict=True))
    significant = {method: test for method, test in tests.items() if corrected[method] <= 0.05}
    helped = [method.name for method, test in significant.items() if test.mean_difference > 0]
    hurt = [method.name for method, test in significant.items() if test.mean_difference < 0]
    ways = {m.name: f"{m.name} {signed(test.mean_difference)} points" for m, test in tests.items()}
    gains = ", ".join(ways.values())
    mean = (
        f"in the mean over {len(study.tasks)} tasks" if len(study.tasks) > 1 else "in the mean over repeats"
    )
    if helped:
        text = f"Yes, for {' and '.join(helped)}: better than the plain {baseline.name} {mean} ({gains})."
        if hurt:
            text += f" {' and '.join(hurt)}, however, lost accuracy."
    elif hurt:
        text = (
            f"No, the baseline wins: {' and '.join(hurt)} lost accuracy against the plain {baseline.name} "
            f"{mean} ({gains})."
        )
    else:
        text = f"No clear benefit: the differences to the plain {baseline.name} {mean} are not significant ({gains})."
    smallest = min(corrected.values())
    p_value = f"smallest {p_text(smallest)}, corrected for {len(tests)} methods"
    if len(study.tasks) > 1:
        p_value += "; tasks that share classes are not independent, so even this is optimistic"
    return f"{text} ({p_value.capitalize()}.) {_most_wins(study)}"


def _most_wins(study: AccuracyStudy) -> str:
    """Say which method is the best on most tasks."""
    contenders = [study.methods[0], *study.competitors]
    wins = {method.name: study.wins(method.key) for method in contenders}
    most = max(wins.values())
    leaders = [name for name, count in wins.items() if count == most]
    rest = ", ".join(f"{name} on {count}" for name, count in wins.items() if name not in leaders)
    place = f"{most} of {len(study.tasks)} tasks" if len(study.tasks) > 1 else "this task"
    if len(leaders) == 1:
        return f"{leaders[0]} is best on {place} ({rest}; ties count for all that share them)."
    names = f"{', '.join(leaders[:-1])} and {leaders[-1]}"
    return f"{names} are each best on {place}" + (f" ({rest})." if rest else ", ties counted for all.")

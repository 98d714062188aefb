"""Ask whether a description in words of the training images makes a better classifier of small digits.

MNIST+, the set on which learning with privileged information was first shown [1]_: 5 against 8 on 10 x 10 pixels,
where a poet's and a more systematic description exist of the training images only.

References
----------
.. [1] V. Vapnik and A. Vashist, "A new learning paradigm: learning using privileged information", Neural
   Networks 22, 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from sklearn.preprocessing import normalize

from widemargin.datasets import DatasetError, MnistPlus, array_identity, load_mnist_plus
from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, Method, accuracy_table
from widemargin.experiments.corrected_verdict import corrected_verdict
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
from widemargin.experiments.mnist_plus_figures import draw_accuracy_curves, draw_gain_curves
from widemargin.experiments.model_selection import GRID, ModelSelection
from widemargin.experiments.privileged_comparison import draw_split
from widemargin.experiments.summary import Summary, signed

__all__ = ["MNIST_PLUS", "MnistPlusProtocol", "mnist_plus_experiment"]

NAME = "mnist-plus"
FOLDER = "mnist_plus"
DIGITS = (5, 8)
KINDS = ("poetic", "holistic")

METHODS = (
    Method("svm", "SVM", "X"),
    *(
        Method(f"margin_transfer_{kind}", f"Margin Transfer, {kind}", "X and X* in training")
        for kind in KINDS
    ),
    *(Method(f"svm_plus_{kind}", f"SVM+, {kind}", "X and X* in training") for kind in KINDS),
    *(
        Method(f"reference_{kind}", f"SVM on X*, {kind}", "X*, left-out training images", reference=True)
        for kind in KINDS
    ),
)

COLUMNS: dict[str, type] = {
    **{f"{method.key}_accuracy": float for method in METHODS},
    "svm_C": float,
    **{
        f"{name}_{kind}_{parameter}": float
        for kind in KINDS
        for name, parameter in (
            ("margin_transfer", "C"),
            ("margin_transfer", "privileged_C"),
            ("svm_plus", "C"),
            ("svm_plus", "privileged_alpha"),
            ("reference", "C"),
        )
    },
    "n_test": int,
}


@dataclass(frozen=True)
class MnistPlusProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    sizes : tuple of int, default=(40, 50, 60, 70, 80, 90)
        Numbers of training images, even: half of them are of each digit.
    grid : tuple of float, default=GRID
        Values of every regularisation parameter.
    n_folds : int, default=5
        Folds of the cross-validation.
    """

    sizes: tuple[int, ...] = (40, 50, 60, 70, 80, 90)
    grid: tuple[float, ...] = GRID
    n_folds: int = 5


def mnist_plus_experiment(protocol: MnistPlusProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : MnistPlusProtocol or None, default=None
        What to run; None runs the published protocol.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or MnistPlusProtocol()
    return Experiment(
        name=NAME,
        title="Digits with descriptions in words (MNIST+)",
        question="Do descriptions of the training images in words make a better classifier of 5 against 8?",
        reference=(
            "Vapnik and Vashist, A new learning paradigm: learning using privileged information, Neural Networks "
            "22, 2009 (the data and the kind of figure; no numbers of a paper are compared here)"
        ),
        repeats=Repeats(quick=2, default=12, full=20),
        tables=(TableSpec("learning_curve", COLUMNS),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=_summarise,
        draw=_draw,
        needs_data=True,
    )


@lru_cache(maxsize=1)
def _load(folder: Path) -> MnistPlus:
    return load_mnist_plus(folder / FOLDER)


def _describe(protocol: MnistPlusProtocol, settings: Settings) -> dict[str, str]:
    data = _load(settings.data_folder(NAME))
    n_left = min(int((data.y_train == digit).sum()) for digit in DIGITS) - max(protocol.sizes) // 2
    if n_left < 1:
        raise DatasetError(
            f"{settings.data}/{FOLDER} has too few training images: {max(protocol.sizes) // 2 + 1} of each digit are "
            "needed."
        )
    identity = array_identity(
        data.X_train, data.y_train, data.X_poetic, data.X_holistic, data.X_test, data.y_test
    )
    values = ", ".join(f"{value:g}" for value in protocol.grid)
    return {
        "data": (
            f"MNIST+: {len(data.X_train)} training images with descriptions, {len(data.X_test)} test images, sha256 "
            f"{identity}"
        ),
        "X": "10 x 10 pixels; 100 features",
        "X*": (
            "one of two descriptions of the training images, each tried by itself: the poetic one (21 scores) and "
            "the holistic one (31 scores)"
        ),
        "scaling": "every image and every description to unit Euclidean length, for all methods",
        "tasks": f"5 against 8 with {', '.join(map(str, protocol.sizes))} training images, half of each digit",
        "training images": (
            "drawn among the described ones, the smaller draws of a repeat being parts of its larger ones"
        ),
        "test images": "all test images, the same in every repeat",
        "reference": (
            "the SVM on X* cannot see test images, which have no description: it is tested on the described "
            f"images that the draw left out (at least {n_left} of each digit), a rough number"
        ),
        "classifiers": "linear, with an unpenalised bias; Margin Transfer with epsilon 0.1",
        "parameters": (
            f"chosen among {values} by {protocol.n_folds}-fold stratified cross-validation on the training images, "
            "the two parameters of Margin Transfer and of SVM+ jointly; the same folds for all methods; of equal "
            "accuracies the point with the best neighbours on the grid, then the one nearest to its middle"
        ),
        "repeats": "a new draw of training images; all methods share it",
    }


def _units(protocol: MnistPlusProtocol, settings: Settings) -> list[Unit]:
    # The largest draws take longest and go first, so that no process ends up waiting for one.
    return [
        Unit("learning_curve", _task(size), repeat)
        for repeat in range(settings.repeats)
        for size in sorted(protocol.sizes, reverse=True)
    ]


def _run(protocol: MnistPlusProtocol, unit: Unit, settings: Settings) -> Row:
    data = _load(settings.data_folder(NAME))
    # The seed does not depend on the size: draws of a repeat are nested, which takes noise from the curves.
    seed = unit_seed(settings.seed, NAME, unit.repeat)
    train, left_out = draw_split(data.y_train, DIGITS, _size(unit.task) // 2, len(data.y_train), seed)
    selection = ModelSelection(protocol.grid, protocol.grid, protocol.n_folds, seed)
    X, X_test, y = normalize(data.X_train)[train], normalize(data.X_test), data.y_train[train]
    svm, svm_C = selection.svm(X, y)
    values: Row = {"svm_accuracy": float(svm.score(X_test, data.y_test)), "svm_C": svm_C}
    for kind, description in zip(KINDS, (data.X_poetic, data.X_holistic), strict=True):
        described = normalize(description)
        transfer = selection.margin_transfer(X, y, described[train])
        plus = selection.svm_plus(X, y, described[train])
        reference, reference_C = selection.reference(described[train], y)
        values |= {
            f"margin_transfer_{kind}_accuracy": float(transfer.score(X_test, data.y_test)),
            f"svm_plus_{kind}_accuracy": float(plus.score(X_test, data.y_test)),
            f"reference_{kind}_accuracy": float(reference.score(described[left_out], data.y_train[left_out])),
            f"margin_transfer_{kind}_C": transfer.best_params_["C"],
            f"margin_transfer_{kind}_privileged_C": transfer.best_params_["privileged_C"],
            f"svm_plus_{kind}_C": plus.best_params_["C"],
            f"svm_plus_{kind}_privileged_alpha": plus.best_params_["privileged_alpha"],
            f"reference_{kind}_C": reference_C,
        }
    return {name: values[name] for name in COLUMNS if name != "n_test"} | {"n_test": len(data.y_test)}


def _study(rows: Rows) -> AccuracyStudy:
    by_size = sorted(rows["learning_curve"], key=lambda row: _size(str(row["task"])))
    return AccuracyStudy.from_rows(by_size, METHODS)


def _summarise(rows: Rows, settings: Settings) -> Summary:
    study = _study(rows)
    findings = [_describe_curve(study, method) for method in study.competitors]
    findings += [
        "The SVM on X* is tested on the few described images that a draw left out, the others on the test images: "
        "its column says how much the descriptions tell, and cannot be subtracted from the others.",
        "All repeats draw from the same described images and share the test images, so the tests speak about "
        "draws from these images, not about new writers; and the training sizes of a repeat are nested, so they "
        "are no independent tasks.",
        "The paper on Margin Transfer prints no numbers on these data: there is none to compare with. The paper "
        "that introduced them trained classifiers with Gaussian kernels, which reach higher levels than the linear "
        "ones here.",
    ]
    title = "5 against 8, by number of training images"
    return Summary(
        verdict=_verdict(study),
        findings=tuple(findings),
        tables=(accuracy_table(study, "learning_curve", title),),
    )


def _verdict(study: AccuracyStudy) -> str:
    """Answer the question from the differences that stand when corrected for the number of tests."""
    tests = [
        (f"{method.name} with {task}", test)
        for method in study.competitors
        for task, test in zip(study.tasks, study.paired(method.key, "svm"), strict=True)
    ]
    return corrected_verdict(
        tests, "no method differs significantly from the plain SVM with any training size"
    )


def _describe_curve(study: AccuracyStudy, method: Method) -> str:
    """Say how the gain over the SVM goes with the number of training images."""
    gain = study.means(method.key) - study.means("svm")
    parts = ", ".join(
        f"{signed(value)} at {_size(task)}" for task, value in zip(study.tasks, gain, strict=True)
    )
    return (
        f"{method.name}, points above (+) or below (−) the SVM, by number of training images: {parts}; "
        f"mean {signed(gain.mean())}."
    )


def _draw(rows: Rows, settings: Settings) -> list[Drawing]:
    study = _study(rows)
    sizes = np.array([_size(task) for task in study.tasks])
    return [draw_accuracy_curves(study, sizes, KINDS), draw_gain_curves(study, sizes, KINDS)]


def _task(size: int) -> str:
    return f"{size} training images"


def _size(task: str) -> int:
    return int(task.partition(" ")[0])


MNIST_PLUS = mnist_plus_experiment()
"""The experiment as published."""

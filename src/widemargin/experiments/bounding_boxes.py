"""Ask whether the bounding box of the object in the training images makes better classifiers of whole images.

The protocol of Tables 2 and 3 of [1]_, for any images in the layout that `widemargin.datasets.load_bounding_boxes`
reads: in each group of classes, every class against the others of the group. A group of two classes is one task, the
first against the second: the other way round it would be the same problem.

References
----------
.. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
   arXiv:1410.0389, 2014.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from sklearn.preprocessing import normalize

from widemargin.datasets import BoundingBoxImages, DatasetError, array_identity, load_bounding_boxes
from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, accuracy_table
from widemargin.experiments.bounding_boxes_printed import compare_with_boxes, printed_group
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
from widemargin.experiments.fold_draws import FULL_REPEATS, RULE, fold_draws, times
from widemargin.experiments.model_selection import GRID, ModelSelection
from widemargin.experiments.printed_tables import beside_printed, describe_closeness, lines_of
from widemargin.experiments.privileged_comparison import (
    COMPARISON_COLUMNS,
    METHODS,
    TAU_COLUMNS,
    compare_on_split,
    describe_agreement,
)
from widemargin.experiments.privileged_figures import (
    draw_differences,
    draw_gain_against_privileged_advantage,
)
from widemargin.experiments.summary import Comparison, Summary, SummaryTable
from widemargin.model_selection import OneVsRestBalancedSplit

__all__ = ["BOUNDING_BOXES", "BoxesProtocol", "SplitSize", "bounding_boxes_experiment"]

NAME = "bounding-boxes"


@dataclass(frozen=True)
class SplitSize:
    """Images of each side, the class and the others, in a split.

    Parameters
    ----------
    n_train, n_test : int
        For training and for testing.
    """

    n_train: int
    n_test: int

    def within(self, n_images: int) -> SplitSize:
        """Return the size, or as much of it as a class of so many images allows.

        Parameters
        ----------
        n_images : int
            Images of the smallest class.

        Returns
        -------
        SplitSize
            Both numbers lowered in proportion.
        """
        total = self.n_train + self.n_test
        n_images = min(n_images, total)
        return SplitSize(self.n_train * n_images // total, self.n_test * n_images // total)

    def least_images(self, n_train: int) -> int:
        """Return how many images a class must have so that `within` leaves enough for training, and one for testing.

        Parameters
        ----------
        n_train : int
            Training images that are enough, at most all of this size.

        Returns
        -------
        int
            The number of images.
        """
        total = self.n_train + self.n_test
        return max(math.ceil(n_train * total / self.n_train), math.ceil(total / self.n_test))


@dataclass(frozen=True)
class BoxesProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    sizes : mapping of str to SplitSize
        Sizes of the paper's two groups by their names.
    other_size : SplitSize, default=SplitSize(100, 200)
        Size in groups of other names.
    grid : tuple of float, default=GRID
        Values of every regularisation parameter.
    n_folds : int, default=5
        Folds of the cross-validation.
    n_fold_repeats : int, default=5
        How often the folds are drawn anew if there are at least 20 repeats; once if there are fewer.
    """

    sizes: Mapping[str, SplitSize] = field(
        default_factory=lambda: {"snakes": SplitSize(160, 160), "balls": SplitSize(100, 200)}
    )
    other_size: SplitSize = SplitSize(100, 200)
    grid: tuple[float, ...] = GRID
    n_folds: int = 5
    n_fold_repeats: int = 5

    def size(self, images: BoundingBoxImages, group: str) -> SplitSize:
        """Return the size of the splits of a group.

        Parameters
        ----------
        images : BoundingBoxImages
            The images.
        group : str
            The group.

        Returns
        -------
        SplitSize
            The wanted size, lowered to what the smallest class has.
        """
        counts = np.bincount(images.y, minlength=len(images.class_names))
        smallest = min(int(counts[k]) for k in _classes_of(images, group))
        return self.sizes.get(group, self.other_size).within(smallest)


def bounding_boxes_experiment(protocol: BoxesProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : BoxesProtocol or None, default=None
        What to run; None runs the published protocol.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or BoxesProtocol()
    return Experiment(
        name=NAME,
        title="Bounding boxes as privileged information",
        question="Does the box around the object, known for training images only, make better classifiers of images?",
        reference=(
            "Sharmanska, Quadrianto and Lampert, Learning to transfer privileged information, "
            "arXiv:1410.0389 (Tables 2 and 3)"
        ),
        repeats=Repeats(quick=1, default=3, full=FULL_REPEATS),
        tables=(TableSpec("classes", {"group": str} | COMPARISON_COLUMNS | TAU_COLUMNS),),
        protocol=partial(_describe, protocol),
        units=partial(_units, protocol),
        run=partial(_run, protocol),
        summarise=_summarise,
        draw=_draw,
        needs_data=True,
    )


@lru_cache(maxsize=1)
def _load(folder: Path) -> tuple[BoundingBoxImages, str]:
    """Return the images, and the identity of everything that was read."""
    images = load_bounding_boxes(folder)
    return images, array_identity(images.X, images.X_privileged, images.y)


def _groups_of(images: BoundingBoxImages) -> list[str]:
    return list(dict.fromkeys(images.groups))


def _classes_of(images: BoundingBoxImages, group: str) -> list[int]:
    return [k for k, name in enumerate(images.groups) if name == group]


def _positives_of(images: BoundingBoxImages, group: str) -> list[int]:
    """Return the classes of a group that are told from the others; one of two, for both ways are one problem."""
    classes = _classes_of(images, group)
    return classes[:1] if len(classes) == 2 else classes


def _describe(protocol: BoxesProtocol, settings: Settings) -> dict[str, str]:
    folder = settings.data_folder(NAME)
    images, identity = _load(folder)
    values = ", ".join(f"{value:g}" for value in protocol.grid)
    sizes = []
    for group in _groups_of(images):
        size = protocol.size(images, group)
        wanted = protocol.sizes.get(group, protocol.other_size)
        if size.n_train < protocol.n_folds or size.n_test < 1:
            raise DatasetError(
                f"{folder / 'bounding_boxes.npz'} has too few images of some class of {group}: every class needs at "
                f"least {wanted.least_images(protocol.n_folds)}, so that divided {wanted.n_train} to {wanted.n_test} "
                f"there are {protocol.n_folds} for training and one for testing."
            )
        sizes.append(
            f"{group}, {len(_classes_of(images, group))} classes: {size.n_train} against {size.n_train} for training, "
            f"{size.n_test} against {size.n_test} for testing"
            + (size != wanted)
            * f" (not {wanted.n_train} and {wanted.n_test}, which the smallest class lacks)"
        )
    return {
        "data": (
            f"{len(images.X)} images of {len(images.class_names)} classes ({', '.join(images.class_names)}), sha256 "
            f"{identity}"
        ),
        "X": f"features of the whole image; {images.X.shape[1]} features",
        "X*": f"features of the box around the object; {images.X_privileged.shape[1]} features",
        "scaling": "every image and every box to unit Euclidean length, for all methods",
        "tasks": (
            "every class against the others of its group; of a group of two classes the first against the second, "
            "which is the same problem the other way round"
        ),
        "images": (
            f"{'; '.join(sizes)}. The others come in equal numbers from every class; where the number cannot be "
            "divided, classes drawn at random give one more. For testing they are drawn in the same manner, which the "
            "paper does not say"
        ),
        "classifiers": "linear, with an unpenalised bias; Margin Transfer with epsilon 0.1",
        "parameters": (
            f"all among {values}, the two parameters of a method jointly; the same folds for all methods; of equal "
            "accuracies the point with the best neighbours on the grid, then the one nearest to its middle"
        ),
        "folds": (
            f"{protocol.n_folds} stratified folds of the training images, drawn "
            f"{times(fold_draws(settings.repeats, protocol.n_fold_repeats))} ({RULE})"
        ),
        "repeats": "a new random split of every task; all methods share it",
        "tau": (
            "Kendall's tau between the decision values of the selected SVMs on X and on X*, on the training "
            "images: over all, and within each side (mean of both)"
        ),
    }


def _units(protocol: BoxesProtocol, settings: Settings) -> list[Unit]:
    images, _ = _load(settings.data_folder(NAME))
    positives = [k for group in _groups_of(images) for k in _positives_of(images, group)]
    return [
        Unit("classes", images.class_names[k], repeat)
        for repeat in range(settings.repeats)
        for k in positives
    ]


def _run(protocol: BoxesProtocol, unit: Unit, settings: Settings) -> Row:
    images, _ = _load(settings.data_folder(NAME))
    positive = images.class_names.index(unit.task)
    group = images.groups[positive]
    members = np.flatnonzero(np.isin(images.y, _classes_of(images, group)))
    size = protocol.size(images, group)
    seed = unit_seed(settings.seed, NAME, unit.task, unit.repeat)
    splitter = OneVsRestBalancedSplit(
        positive, size.n_train, n_test=size.n_test, n_splits=1, random_state=seed
    )
    ((train, test),) = splitter.split(None, images.y[members])
    drawn = members[np.concatenate([train, test])]
    X, X_privileged = (
        normalize(matrix[drawn].astype(np.float64)) for matrix in (images.X, images.X_privileged)
    )
    places = np.arange(drawn.size)
    selection = ModelSelection(
        protocol.grid,
        protocol.grid,
        protocol.n_folds,
        seed,
        fold_draws(settings.repeats, protocol.n_fold_repeats),
    )
    row = compare_on_split(
        X,
        X_privileged,
        (images.y[drawn] == positive).astype(np.int64),
        places[: train.size],
        places[train.size :],
        selection,
    )
    return {"group": group} | row


def _rows_by_group(rows: Rows) -> dict[str, list[Row]]:
    by_group: dict[str, list[Row]] = {}
    for row in rows["classes"]:
        by_group.setdefault(str(row["group"]), []).append(row)
    return by_group


def _summarise(rows: Rows, settings: Settings) -> Summary:
    tables: list[SummaryTable] = []
    findings: list[str] = []
    comparisons: list[Comparison] = []
    tests = []
    for number, (group, group_rows) in enumerate(_rows_by_group(rows).items(), start=1):
        study = AccuracyStudy.from_rows(group_rows, METHODS)
        tests += [
            (f"{method.name} on {group}", study.over_tasks(method.key, "svm")) for method in study.competitors
        ]
        tables.append(accuracy_table(study, f"classes_{number}", f"{group}: one class against the others"))
        findings += [f"{group}: {study.describe_gain(method.key)}" for method in study.competitors]
        findings.append(describe_agreement(group_rows, group))
        printed = printed_group(group)
        if lines_of(study, printed):
            title = f"{group}: the paper's table beside ours"
            tables.append(beside_printed(study, printed, f"beside_the_paper_{number}", title))
            findings.append(
                f"{group}: {describe_closeness(study, printed, 'svm_plus')} The classes have the names of the paper's; "
                "whether the images are the paper's, the file does not say."
            )
            if len(study.tasks) < len(printed):
                findings.append(
                    f"{group}: {len(study.tasks)} of the paper's {len(printed)} classes have results here. Classes "
                    "that the file lacks are missing among the others, too, and make these tasks other ones than the "
                    "paper's."
                )
        else:
            findings.append(
                f"{group}: the classes are not the paper's, so levels cannot be compared; what can agree is the "
                "tendency."
            )
        comparisons += compare_with_boxes(study, group)
    verdict = corrected_verdict(tests, "no method differs significantly from the plain SVM over the tasks")
    return Summary(verdict, tuple(findings), tuple(tables), tuple(comparisons))


def _draw(rows: Rows, settings: Settings) -> list[Drawing]:
    drawings = []
    for number, (group, group_rows) in enumerate(_rows_by_group(rows).items(), start=1):
        study = AccuracyStudy.from_rows(group_rows, METHODS)
        own = [
            *(draw_differences(study, key, "svm") for key in ("margin_transfer", "svm_plus")),
            draw_differences(study, "svm_plus", "margin_transfer"),
            *(draw_gain_against_privileged_advantage(study, key) for key in ("margin_transfer", "svm_plus")),
        ]
        drawings += [
            replace(drawing, name=f"{number}-{drawing.name}", title=f"{group}: {drawing.title}")
            for drawing in own
        ]
    return drawings


BOUNDING_BOXES = bounding_boxes_experiment()
"""The experiment as published."""

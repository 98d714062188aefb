"""Ask whether people's judgement of which training images are easy makes better classifiers.

The protocol of Table 7 and Figure 3 of [1]_, for any images in the layout that `widemargin.datasets.load_human_scores`
reads: every pair of classes, with people's scores as the margins of the second stage of Margin Transfer.

References
----------
.. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
   arXiv:1410.0389, 2014, section 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.preprocessing import normalize

from widemargin.datasets import DatasetError, ScoredImages, array_identity, load_human_scores
from widemargin.engine import unit_seed
from widemargin.experiments.accuracy import AccuracyStudy, Method, accuracy_table
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
from widemargin.experiments.human_scores_figures import draw_human_agreement
from widemargin.experiments.human_scores_printed import compare_with_table_7, pair_task, printed_scores
from widemargin.experiments.model_selection import GRID, L1_GRID, ModelSelection
from widemargin.experiments.printed_tables import beside_printed, describe_closeness, lines_of
from widemargin.experiments.privileged_comparison import (
    COMPARISON_COLUMNS,
    mean_where_known,
    privileged_verdict,
    train_methods,
)
from widemargin.experiments.privileged_figures import draw_differences
from widemargin.experiments.summary import Summary, number
from widemargin.privileged import easiness_agreement, easiness_to_margins

__all__ = ["HUMAN_SCORES", "ScoresProtocol", "draw_scored_split", "human_scores_experiment"]

IntArray = npt.NDArray[np.int64]

NAME = "human-scores"
FILE = "human_scores.npz"

TABLE_7_METHODS = (
    Method("svm", "SVM", "X"),
    Method("margin_transfer", "Margin Transfer", "X and X* in training"),
    Method("human", "Margin Transfer from people", "X and people's scores in training"),
)
METHODS = (
    *TABLE_7_METHODS,
    Method("svm_plus", "SVM+", "X and X* in training"),
    Method("reference", "SVM on X*", "X* even in testing", reference=True),
)

# Column of a results table, and the sources that `easiness_agreement` compares for it.
TAU_SOURCES = {
    "tau": ("decision", "privileged_decision"),
    "tau_human_decision": ("decision", "human_scores"),
    "tau_human_privileged": ("privileged_decision", "human_scores"),
}
COLUMNS: dict[str, type] = {
    "human_accuracy": float,
    "human_C": float,
    "n_human_margins": int,
    **COMPARISON_COLUMNS,
    **{name: float for column in TAU_SOURCES for name in (column, f"{column}_within_class")},
}


@dataclass(frozen=True)
class ScoresProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    n_train : int, default=100
        Training images of each class; half of what people scored of the smallest class, if that is less.
    n_test : int, default=200
        Test images of each class, or all that are left.
    Cs : tuple of float, default=L1_GRID
        Values of C of the classifiers on X.
    privileged_values : tuple of float, default=GRID
        Values of the parameter of the privileged space.
    n_folds : int, default=5
        Folds of the cross-validation.
    n_fold_repeats : int, default=5
        How often the folds are drawn anew if there are at least 20 repeats; once if there are fewer.
    """

    n_train: int = 100
    n_test: int = 200
    Cs: tuple[float, ...] = L1_GRID
    privileged_values: tuple[float, ...] = GRID
    n_folds: int = 5
    n_fold_repeats: int = 5

    def training_images(self, images: ScoredImages) -> int:
        """Return how many images of each class are drawn for training.

        Parameters
        ----------
        images : ScoredImages
            The images.

        Returns
        -------
        int
            The number.
        """
        scored = np.bincount(images.y[np.isfinite(images.easiness)], minlength=len(images.class_names))
        return min(self.n_train, int(scored.min()) // 2)


def human_scores_experiment(protocol: ScoresProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : ScoresProtocol or None, default=None
        What to run; None runs the published protocol.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or ScoresProtocol()
    return Experiment(
        name=NAME,
        title="People's scores as privileged information",
        question="Does people's judgement of which training images are easy make better classifiers?",
        reference=(
            "Sharmanska, Quadrianto and Lampert, Learning to transfer privileged information, "
            "arXiv:1410.0389 (Table 7, Figure 3)"
        ),
        repeats=Repeats(quick=1, default=3, full=FULL_REPEATS),
        tables=(TableSpec("pairs", COLUMNS),),
        protocol=partial(_describe, protocol),
        units=_units,
        run=partial(_run, protocol),
        summarise=_summarise,
        draw=_draw,
        needs_data=True,
    )


def draw_scored_split(
    images: ScoredImages, classes: tuple[int, int], n_train: int, n_test: int, seed: int
) -> tuple[IntArray, IntArray]:
    """Draw training images among those that people scored, and test images among all others.

    Parameters
    ----------
    images : ScoredImages
        The images.
    classes : tuple of (int, int)
        The two classes.
    n_train : int
        Training images of each class.
    n_test : int
        Test images of each class, or all that are left if there are fewer.
    seed : int
        Seed of the draw.

    Returns
    -------
    train, test : ndarray of int
        Disjoint indices of images, class after class.
    """
    rng = np.random.default_rng(seed)
    train, test = [], []
    for label in classes:
        order = rng.permutation(np.flatnonzero(images.y == label))
        chosen = order[np.isfinite(images.easiness[order])][:n_train]
        train.append(chosen)
        test.append(order[~np.isin(order, chosen)][:n_test])
    return np.concatenate(train), np.concatenate(test)


@lru_cache(maxsize=1)
def _load(folder: Path) -> tuple[ScoredImages, str]:
    """Return the images, and the identity of everything that was read."""
    images = load_human_scores(folder)
    return images, array_identity(images.X, images.X_privileged, images.y, images.easiness)


def _pairs(images: ScoredImages) -> dict[str, tuple[int, int]]:
    """Return the two classes of every task; raise DatasetError if two tasks have the same name."""
    names = images.class_names
    pairs: dict[str, tuple[int, int]] = {}
    for i, j in combinations(range(len(names)), 2):
        task = pair_task(names[i], names[j])
        if task in pairs:
            raise DatasetError(
                f"{FILE} has two pairs of classes that are both called {task!r}: rename one of the classes."
            )
        pairs[task] = (i, j)
    return pairs


def _describe(protocol: ScoresProtocol, settings: Settings) -> dict[str, str]:
    folder = settings.data_folder(NAME)
    images, identity = _load(folder)
    n_train = protocol.training_images(images)
    if n_train < protocol.n_folds:
        raise DatasetError(
            f"{folder / FILE} has people's scores of fewer than {2 * protocol.n_folds} images of some class: too few "
            f"to train in {protocol.n_folds} folds and to test."
        )
    scores = images.easiness[np.isfinite(images.easiness)]
    Cs, privileged_values = (
        ", ".join(f"{value:g}" for value in values) for values in (protocol.Cs, protocol.privileged_values)
    )
    return {
        "data": (
            f"{len(images.X)} images of {len(images.class_names)} classes ({', '.join(images.class_names)}), sha256 "
            f"{identity}"
        ),
        "X": f"histograms; {images.X.shape[1]} features",
        "X*": f"{images.X_privileged.shape[1]} privileged features",
        "scores": (
            f"people's scores of {scores.size} images, {scores.min():g} (hardest) to {scores.max():g} (easiest)"
        ),
        "scaling": "every histogram sums to 1; X* as it is; for all methods",
        "margins from people": (
            "the scores mapped linearly to [0, 2], the hardest image of the whole file to 0 and the easiest to 2 (the "
            "paper does not say whether it took the range of all images, of a pair or of the scale), floored at epsilon"
        ),
        "tasks": f"all {len(_pairs(images))} pairs of classes",
        "training images": (
            f"{n_train} of each class, drawn among those that people scored"
            + (n_train < protocol.n_train) * f" (not {protocol.n_train}: half of what they scored of a class)"
            + "; the paper does not say how many it took here, and prints the same accuracies as in its Table 1, which "
            "has 100"
        ),
        "test images": f"{protocol.n_test} of each class, or all that are left, scored or not",
        "classifiers": "linear, with an unpenalised bias; Margin Transfer with epsilon 0.1",
        "parameters": (
            f"C of the classifiers on X among {Cs}; C on X*, privileged C of Margin Transfer and privileged alpha "
            f"of SVM+ among {privileged_values}; the two parameters of a method jointly; with people's scores only C; "
            "the same folds for all methods; of equal accuracies the point with the best neighbours on the grid, then "
            "the one nearest to its middle"
        ),
        "folds": (
            f"{protocol.n_folds} stratified folds of the training images, drawn "
            f"{times(fold_draws(settings.repeats, protocol.n_fold_repeats))} ({RULE})"
        ),
        "repeats": "a new random split of every task; all methods share it",
        "tau": (
            "Kendall's tau between people's margins, signed by the label, and the decision values of the selected SVMs "
            "on X and on X*, on the training images: over all, and within each class (mean of both)"
        ),
    }


def _units(settings: Settings) -> list[Unit]:
    images, _ = _load(settings.data_folder(NAME))
    return [Unit("pairs", task, repeat) for repeat in range(settings.repeats) for task in _pairs(images)]


def _run(protocol: ScoresProtocol, unit: Unit, settings: Settings) -> Row:
    images, _ = _load(settings.data_folder(NAME))
    seed = unit_seed(settings.seed, NAME, unit.task, unit.repeat)
    train, test = draw_scored_split(
        images, _pairs(images)[unit.task], protocol.training_images(images), protocol.n_test, seed
    )
    X, X_test = (normalize(images.X[part].astype(np.float64), norm="l1") for part in (train, test))
    X_privileged, X_privileged_test = (images.X_privileged[part].astype(np.float64) for part in (train, test))
    y = images.y[train]
    selection = ModelSelection(
        protocol.Cs,
        protocol.privileged_values,
        protocol.n_folds,
        seed,
        fold_draws(settings.repeats, protocol.n_fold_repeats),
    )
    trained = train_methods(X, X_privileged, y, selection)
    scores = images.easiness[np.isfinite(images.easiness)]
    margins = easiness_to_margins(
        images.easiness[train], score_range=(float(scores.min()), float(scores.max()))
    )
    human, human_C = selection.given_margins(X, y, margins)
    agreement = easiness_agreement(
        y,
        decision=trained.svm.decision_function(X),
        privileged_decision=trained.reference.decision_function(X_privileged),
        human_scores=margins,
    )
    row: Row = {
        "human_accuracy": float(human.score(X_test, images.y[test])),
        "human_C": human_C,
        "n_human_margins": int(np.count_nonzero(margins > human.epsilon)),
    }
    row |= trained.accuracies(X_test, X_privileged_test, images.y[test])
    for column, sources in TAU_SOURCES.items():
        row |= {
            column: agreement.overall[sources],
            f"{column}_within_class": agreement.within_class[sources],
        }
    return row


def _summarise(rows: Rows, settings: Settings) -> Summary:
    study = AccuracyStudy.from_rows(rows["pairs"], METHODS)
    tables = [accuracy_table(study, "pairs", "Pairs of classes")]
    findings = [study.describe_gain(method.key) for method in study.competitors]
    findings.append(_describe_agreement(rows))
    findings += _describe_plain(rows)
    table_7 = AccuracyStudy.from_rows(rows["pairs"], TABLE_7_METHODS)
    if lines_of(table_7, printed_scores()):
        title = "The paper's Table 7 beside ours"
        tables.append(beside_printed(table_7, printed_scores(), "beside_the_paper", title))
        findings.append(describe_closeness(table_7, printed_scores(), "human"))
        findings.append(
            "The classes have the names of the paper's; whether the images and scores are the paper's, the file does "
            "not say."
        )
    else:
        findings.append(
            "The classes are not the paper's, so levels cannot be compared; what can agree is the tendency."
        )
    return Summary(
        verdict=privileged_verdict(study),
        findings=tuple(findings),
        tables=tuple(tables),
        comparisons=tuple(compare_with_table_7(rows["pairs"], TABLE_7_METHODS)),
    )


def _describe_agreement(rows: Rows) -> str:
    """Say how far people and classifiers agree."""
    parts = []
    for column, name in (
        ("tau_human_decision", "people and X"),
        ("tau_human_privileged", "people and X*"),
        ("tau", "X and X*"),
    ):
        overall, within = (
            number(mean_where_known(rows["pairs"], place)) for place in (column, f"{column}_within_class")
        )
        parts.append(f"{name} {overall} ({within})")
    return (
        f"Kendall's tau over all training images, and in brackets within a class, where the label alone cannot make "
        f"them agree: {', '.join(parts)}."
    )


def _describe_plain(rows: Rows) -> list[str]:
    """Say in how many repeats people's scores could not make a difference, if in any."""
    n_plain = sum(row["n_human_margins"] == 0 for row in rows["pairs"])
    if n_plain == 0:
        return []
    return [
        f"In {n_plain} of {len(rows['pairs'])} draws of training images no margin from people is above epsilon: some "
        "score of the file lies far above theirs. Margin Transfer from people is a plain SVM there, at another C."
    ]


def _draw(rows: Rows, settings: Settings) -> list[Drawing]:
    study = AccuracyStudy.from_rows(rows["pairs"], METHODS)
    comparisons = [("human", "svm"), ("human", "margin_transfer"), ("margin_transfer", "svm")]
    images, _ = _load(settings.data_folder(NAME))
    names = images.class_names
    pairs = {task: (names[i], names[j]) for task, (i, j) in _pairs(images).items() if task in study.tasks}
    return [
        *(draw_differences(study, first, second) for first, second in comparisons),
        *draw_human_agreement(rows["pairs"], pairs),
    ]


HUMAN_SCORES = human_scores_experiment()
"""The experiment as published."""

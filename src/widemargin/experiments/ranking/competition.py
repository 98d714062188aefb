"""One repeat of an experiment on ranking: choose the settings of every contender, train it, and judge it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from widemargin.experiments.experiment import Row
from widemargin.experiments.ranking.contenders import Contender, range_words, scores_at
from widemargin.experiments.ranking.problems import Split
from widemargin.metrics import partial_auc_score

__all__ = ["Judgement", "Trial", "compete", "competition_columns", "cross_validation", "hold_out"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Parts = tuple[tuple[IntArray, IntArray], ...]


@dataclass(frozen=True)
class Judgement:
    """Where contenders are compared.

    Parameters
    ----------
    fpr_range : tuple of (float, float)
        Range of false positive rates of the partial AUC.
    n_trees : int or None, default=None
        Number of trees of the ensembles; None for all they have.
    """

    fpr_range: tuple[float, float]
    n_trees: int | None = None

    @property
    def key(self) -> str:
        """Middle of the names of its columns in a results table."""
        low, high = self.fpr_range
        return f"{low:g}_{high:g}" + (f"_{self.n_trees}" if self.n_trees else "")

    @property
    def words(self) -> str:
        """What readers call it."""
        return range_words(self.fpr_range) + (f", {self.n_trees} trees" if self.n_trees else "")


@dataclass(frozen=True, eq=False)
class Trial:
    """Samples of one repeat.

    Parameters
    ----------
    split : Split
        Training and test samples.
    validation : tuple of (ndarray of int, ndarray of int)
        Rows of the training samples to train and to validate on, once or several times, to choose settings.
    final : ndarray of int or None, default=None
        Rows of the training samples on which the chosen settings are trained in the end; None for all.
    """

    split: Split
    validation: Parts
    final: IntArray | None = None


def cross_validation(y: IntArray, n_folds: int, seed: int) -> Parts:
    """Draw stratified folds.

    Parameters
    ----------
    y : ndarray of int of shape (n_samples,)
        Classes.
    n_folds : int
        Number of folds, at least 2.
    seed : int
        Seed of the draw.

    Returns
    -------
    tuple of (ndarray of int, ndarray of int)
        Rows to train and to validate on, once a fold.
    """
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    return tuple(folds.split(np.zeros(y.size), y))


def hold_out(y: IntArray, share: float, seed: int) -> Parts:
    """Draw one stratified validation part.

    Parameters
    ----------
    y : ndarray of int of shape (n_samples,)
        Classes.
    share : float
        Share of the samples to validate on, in (0, 1).
    seed : int
        Seed of the draw.

    Returns
    -------
    tuple of (ndarray of int, ndarray of int)
        Rows to train and to validate on.
    """
    draw = StratifiedShuffleSplit(1, test_size=share, random_state=seed)
    return tuple(draw.split(np.zeros(y.size), y))


def competition_columns(contenders: Sequence[Contender], judgements: Sequence[Judgement]) -> dict[str, type]:
    """Return the columns of a row of `compete`.

    Parameters
    ----------
    contenders : sequence of Contender
        The contenders, installed or not.
    judgements : sequence of Judgement
        Where they are compared.

    Returns
    -------
    dict of str to type
        For each contender and judgement the partial AUC on the test samples, what was chosen, and the seconds of the
        last training.
    """
    kinds: dict[str, type] = {"pauc": float, "choice": str, "fit_seconds": float}
    return {
        f"{contender.key}_{judgement.key}_{name}": kind
        for contender in contenders
        for judgement in judgements
        for name, kind in kinds.items()
    }


def compete(contenders: Sequence[Contender], judgements: Sequence[Judgement], trial: Trial, seed: int) -> Row:
    """Let every contender choose its settings on the training samples, and judge it on the test samples.

    Settings are chosen for each judgement on its own, by the mean partial AUC over the validation parts, in the range
    and with the number of trees of the judgement. Trainings that serve several judgements are made once.

    Parameters
    ----------
    contenders : sequence of Contender
        The contenders.
    judgements : sequence of Judgement
        Where they are compared.
    trial : Trial
        The samples.
    seed : int
        `random_state` of every estimator.

    Returns
    -------
    Row
        Values of the columns of `competition_columns`; NaN and nothing for a contender that is not installed.
    """
    row: Row = {}
    for contender in contenders:
        for group in _sharing_fits(contender, judgements):
            if contender.estimator is None:
                chosen, found, seconds = [""] * len(group), [np.nan] * len(group), [np.nan] * len(group)
            else:
                chosen, found, seconds = _judge(contender, group, trial, seed)
            for place, judgement in enumerate(group):
                start = f"{contender.key}_{judgement.key}"
                row[f"{start}_pauc"] = float(found[place])
                row[f"{start}_choice"] = chosen[place]
                row[f"{start}_fit_seconds"] = float(seconds[place])
    return {name: row[name] for name in competition_columns(contenders, judgements)}


def _sharing_fits(contender: Contender, judgements: Sequence[Judgement]) -> list[list[Judgement]]:
    """Group the judgements for which one training serves all."""
    groups: dict[object, list[Judgement]] = {}
    for judgement in judgements:
        key = (
            judgement.fpr_range if contender.ranged else None,
            None if contender.staged else judgement.n_trees,
        )
        groups.setdefault(key, []).append(judgement)
    return list(groups.values())


def _judge(
    contender: Contender, group: Sequence[Judgement], trial: Trial, seed: int
) -> tuple[list[str], list[float], list[float]]:
    """Choose, train and test; returns what was chosen, partial AUC and seconds of training for each judgement."""
    X, y = trial.split.X_train, trial.split.y_train
    validated = np.zeros((len(contender.grid), len(group)))
    if len(contender.grid) > 1:
        for choice in range(len(contender.grid)):
            for fit, judge in trial.validation:
                model = contender.make(choice, seed, group[0].fpr_range, group[0].n_trees)
                model.fit(X[fit], y[fit])
                validated[choice] += _partial_aucs(model, X[judge], y[judge], group)
    best = validated.argmax(axis=0)
    final = slice(None) if trial.final is None else trial.final
    tested, seconds = {}, {}
    for choice in set(best.tolist()):
        model = contender.make(choice, seed, group[0].fpr_range, group[0].n_trees)
        clock = time.perf_counter()
        model.fit(X[final], y[final])
        seconds[choice] = time.perf_counter() - clock
        tested[choice] = _partial_aucs(model, trial.split.X_test, trial.split.y_test, group)
    return (
        [contender.words(choice) for choice in best],
        [float(tested[choice][place]) for place, choice in enumerate(best)],
        [seconds[choice] for choice in best],
    )


def _partial_aucs(model: object, X: FloatArray, y: IntArray, group: Sequence[Judgement]) -> FloatArray:
    scores = scores_at(model, X, [judgement.n_trees for judgement in group])
    return np.array(
        [
            partial_auc_score(y, score, fpr_range=judgement.fpr_range)
            for judgement, score in zip(group, scores, strict=True)
        ]
    )

"""One repeat of an experiment on ranking: choose the settings of every contender, train it, and judge it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from widemargin.experiments.experiment import Row
from widemargin.experiments.ranking.contenders import Contender, range_words, scores_at
from widemargin.experiments.ranking.problems import Split
from widemargin.metrics import partial_auc_score

__all__ = ["Judgement", "Trial", "compete", "competition_columns", "cross_validation", "hold_out"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
_FINAL = -1
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
    trainer = _Trainer(trial)
    for contender in contenders:
        for group in _sharing_fits(contender, judgements):
            if contender.estimator is None:
                outcomes = [("", np.nan, np.nan)] * len(group)
            else:
                outcomes = _judge(contender, group, trainer, seed)
            for judgement, (chosen, found, seconds) in zip(group, outcomes, strict=True):
                start = f"{contender.key}_{judgement.key}"
                row[f"{start}_pauc"] = float(found)
                row[f"{start}_choice"] = chosen
                row[f"{start}_fit_seconds"] = float(seconds)
    return {name: row[name] for name in competition_columns(contenders, judgements)}


class _Trainer:
    """Trains on the parts of a trial, and each estimator with the same parameters once.

    Contenders that share settings, such as one that chooses what another has fixed, share trainings.
    """

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self._trained: dict[tuple[str, int], tuple[Any, float]] = {}

    def validate(self, model: Any, group: Sequence[Judgement]) -> FloatArray:
        """Return the summed partial AUC over the validation parts, for each judgement."""
        X, y = self.trial.split.X_train, self.trial.split.y_train
        total = np.zeros(len(group))
        for part, (fit, judge) in enumerate(self.trial.validation):
            trained, _ = self._train(model, part, X[fit], y[fit])
            total += _partial_aucs(trained, X[judge], y[judge], group)
        return total

    def test(self, model: Any, group: Sequence[Judgement]) -> tuple[FloatArray, float]:
        """Return the partial AUC of the test samples for each judgement, and the seconds of training."""
        split = self.trial.split
        rows = slice(None) if self.trial.final is None else self.trial.final
        trained, seconds = self._train(model, _FINAL, split.X_train[rows], split.y_train[rows])
        return _partial_aucs(trained, split.X_test, split.y_test, group), seconds

    def _train(self, model: Any, part: int, X: FloatArray, y: IntArray) -> tuple[Any, float]:
        key = (f"{type(model)} {sorted(model.get_params().items())}", part)
        if key not in self._trained:
            clock = time.perf_counter()
            model = clone(model).fit(X, y)
            self._trained[key] = model, time.perf_counter() - clock
        return self._trained[key]


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
    contender: Contender, group: Sequence[Judgement], trainer: _Trainer, seed: int
) -> list[tuple[str, float, float]]:
    """Choose, train and test; returns what was chosen, partial AUC and seconds of training for each judgement."""
    models = [
        contender.make(choice, seed, group[0].fpr_range, group[0].n_trees)
        for choice in range(len(contender.grid))
    ]
    best = np.zeros(len(group), dtype=int)
    if len(models) > 1:
        best = np.array([trainer.validate(model, group) for model in models]).argmax(axis=0)
    outcomes = []
    for place, choice in enumerate(best):
        tested, seconds = trainer.test(models[choice], group)
        outcomes.append((contender.words(choice), float(tested[place]), seconds))
    return outcomes


def _partial_aucs(model: Any, X: FloatArray, y: IntArray, group: Sequence[Judgement]) -> FloatArray:
    scores = scores_at(model, X, [judgement.n_trees for judgement in group])
    return np.array(
        [
            partial_auc_score(y, score, fpr_range=judgement.fpr_range)
            for judgement, score in zip(group, scores, strict=True)
        ]
    )

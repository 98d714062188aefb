"""One method on one draw of videos: choose its parameters by cross-validation, train it, and judge it."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score, f1_score

from widemargin.experiments.accuracy import Measure
from widemargin.experiments.events.bags import Trial
from widemargin.experiments.events.methods import Entrant
from widemargin.experiments.experiment import Row
from widemargin.experiments.model_selection import settle_ties

__all__ = ["MEAN_AP", "MEAN_F1", "Attempt", "attempt", "attempt_all", "result_columns", "score_of", "train"]

MEAN_AP = Measure("map", "mean average precision")
"""Average precision as scikit-learn computes it, which counts equal scores as one place, over several events."""

MEAN_F1 = Measure("mf1", "mean F1")
"""The F1 score of every class, averaged over the classes."""


@dataclass(frozen=True, eq=False)
class Attempt:
    """What one method did on one draw of videos.

    Parameters
    ----------
    model : classifier
        Trained with the chosen parameters.
    score : float
        Average precision of the test videos, or with more than two classes mean F1.
    choice : str
        The chosen values, in the order of the grid.
    converged : bool
        Whether the last training reached its tolerance.
    choosing_seconds, training_seconds, test_seconds : float
        CPU seconds of the cross-validation, of the last training and of scoring the test videos.
    """

    model: Any
    score: float
    choice: str
    converged: bool
    choosing_seconds: float
    training_seconds: float
    test_seconds: float


def result_columns(entrants: Sequence[Entrant], measure: Measure) -> dict[str, type]:
    """Return the columns of a row of `attempt_all`.

    Parameters
    ----------
    entrants : sequence of Entrant
        The methods.
    measure : Measure
        What they are compared by.

    Returns
    -------
    dict of str to type
        Score and chosen values of every method, and the number of last trainings that did not converge.
    """
    columns: dict[str, type] = {}
    for entrant in entrants:
        columns |= {f"{entrant.key}_{measure.key}": float, f"{entrant.key}_choices": str}
    return columns | {"unconverged": int}


def attempt_all(entrants: Sequence[Entrant], trials: Sequence[Trial], measure: Measure) -> Row:
    """Let every method try every trial, and average its scores.

    Parameters
    ----------
    entrants : sequence of Entrant
        The methods.
    trials : sequence of Trial
        The videos of every event.
    measure : Measure
        What they are compared by.

    Returns
    -------
    Row
        Values of the columns of `result_columns`.
    """
    row: Row = {}
    unconverged = 0
    for entrant in entrants:
        attempts = [attempt(entrant, trial) for trial in trials]
        row[f"{entrant.key}_{measure.key}"] = float(np.mean([found.score for found in attempts]))
        row[f"{entrant.key}_choices"] = "; ".join(found.choice for found in attempts)
        unconverged += sum(not found.converged for found in attempts)
    return row | {"unconverged": unconverged}


def attempt(entrant: Entrant, trial: Trial) -> Attempt:
    """Choose parameters on the folds of the training videos, train on all of them, and judge on the test videos.

    In cross-validation every training starts from the solution of the one before, with the next weaker penalty, where
    the learner has ``warm_start``; the last training does not. Of equal scores the one with the best neighbours counts,
    see `settle_ties`.

    Parameters
    ----------
    entrant : Entrant
        The method.
    trial : Trial
        The videos.

    Returns
    -------
    Attempt
        What it did.
    """
    clock = time.process_time()
    settings = entrant.settings
    place = settle_ties({"mean_test_score": _validate(entrant, trial)}, entrant.shape)
    choosing = time.process_time() - clock
    chosen = settings[place]

    X, arguments = trial.seen(entrant.view, "train")
    clock = time.process_time()
    model, converged = train(clone(entrant.estimator).set_params(**chosen), X, trial.train.y, arguments)
    training = time.process_time() - clock

    X, arguments = trial.seen(entrant.view, "test")
    clock = time.process_time()
    score = score_of(model, X, trial.test.y, arguments)
    testing = time.process_time() - clock
    words = " ".join(f"{value:g}" for value in chosen.values())
    return Attempt(model, score, words, converged, choosing, training, testing)


def train(
    model: Any, X: npt.NDArray[Any], y: npt.NDArray[np.int64], arguments: dict[str, Any]
) -> tuple[Any, bool]:
    """Train, and say whether it converged in place of a warning.

    Parameters
    ----------
    model : classifier
        What to train.
    X, y, arguments : ndarray, ndarray, dict
        What to call its ``fit`` with.

    Returns
    -------
    model : classifier
        The same, trained.
    converged : bool
        Whether it did not warn.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ConvergenceWarning)
        model.fit(X, y, **arguments)
    for warning in caught:
        if not issubclass(warning.category, ConvergenceWarning):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return model, not any(issubclass(warning.category, ConvergenceWarning) for warning in caught)


def score_of(model: Any, X: npt.NDArray[Any], y: npt.NDArray[np.int64], arguments: dict[str, Any]) -> float:
    """Return the average precision, or with more than two classes the mean F1.

    Parameters
    ----------
    model : classifier
        A trained one.
    X, y, arguments : ndarray, ndarray, dict
        Videos to judge it on, their classes, and further arguments of its methods.

    Returns
    -------
    float
        In [0, 1].
    """
    if len(model.classes_) > 2:
        return float(f1_score(y, model.predict(X, **arguments), average="macro", zero_division=0))
    return float(average_precision_score(y, model.decision_function(X, **arguments)))


def _validate(entrant: Entrant, trial: Trial) -> npt.NDArray[np.float64]:
    """Return the mean score over the folds for every setting."""
    X, arguments = trial.seen(entrant.view, "train")
    y = trial.train.y
    scores = np.zeros((len(trial.folds), len(entrant.settings)))
    for fold, (trained, judged) in enumerate(trial.folds):
        seen = X[trained], y[trained], _rows(arguments, trained)
        asked = X[judged], y[judged], _rows(arguments, judged)
        model = clone(entrant.estimator)
        if "warm_start" in model.get_params():
            model.set_params(warm_start=True)
        for place, setting in enumerate(entrant.settings):
            train(model.set_params(**setting), *seen)
            scores[fold, place] = score_of(model, *asked)
    mean: npt.NDArray[np.float64] = scores.mean(axis=0)
    return mean


def _rows(arguments: dict[str, Any], rows: npt.NDArray[np.int64]) -> dict[str, Any]:
    return {name: value[rows] for name, value in arguments.items()}

"""The rounds of the partial AUC ensemble: fit a weak learner, solve for all weights again, stop in time."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.ranking._base import Samples
from widemargin.ranking._column_generation import ColumnGeneration
from widemargin.ranking._weak_learners import WeakLearners, learner_codes, learner_values

__all__ = ["Round", "Rules", "TotallyCorrectiveBoosting"]

Array = npt.NDArray[np.float64]
logger = logging.getLogger("widemargin")


@dataclass(frozen=True)
class Rules:
    """What is solved, and when training stops.

    Parameters
    ----------
    fpr_range : tuple of (float, float)
        False positive rates.
    nu, cut_tol, tol : float
        Weight of the risk, relative gap of a round, least edge of a weak learner.
    n_estimators : int
        Most weak learners.
    weight_smoothing : float
        Share, in [0, 1), of the earlier rounds' weights of the samples in those that a weak learner is fitted to.
    n_iter_no_change : int
        Rounds without a better validation score, if there are validation samples.
    """

    fpr_range: tuple[float, float]
    nu: float
    cut_tol: float
    tol: float
    n_estimators: int
    weight_smoothing: float
    n_iter_no_change: int


@dataclass(frozen=True)
class Round:
    """What is known after a round.

    Parameters
    ----------
    weights : ndarray of shape (n_learners,)
        Weights of the weak learners so far.
    objective, dual_gap : float
        Value of the problem and its certificate.
    n_cuts : int
        Cuts added.
    edge : float
        Edge of the new weak learner under the weights it was fitted to, at most 1 for outputs -1 and +1.
    training_pauc, validation_pauc : float
        Partial AUC on the training samples and on those set aside; NaN without any.
    """

    weights: Array
    objective: float
    dual_gap: float
    n_cuts: int
    edge: float
    training_pauc: float
    validation_pauc: float


class TotallyCorrectiveBoosting:
    """An ensemble in training.

    Parameters
    ----------
    problem : ColumnGeneration
        Solves for the weights.
    learners : WeakLearners
        Fits weak learners to the training samples.
    training : Samples
        Training samples.
    validation : Samples or None
        Samples set aside to stop in time.
    rules : Rules
        When to stop.
    """

    def __init__(
        self,
        problem: ColumnGeneration,
        learners: WeakLearners,
        training: Samples,
        validation: Samples | None,
        rules: Rules,
    ) -> None:
        self._problem = problem
        self._learners = learners
        self._training = training
        self._validation = validation
        self._rules = rules
        self._validation_leaves = (
            None if validation is None else _native.LeafMatrix(validation.positive.size, learners.n_codes)
        )
        self._smoothed: Array | None = None
        self.estimators: list[Any] = []
        self.rounds: list[Round] = []

    def resume(self, estimators: Sequence[Any], rounds: Sequence[Round]) -> None:
        """Start from weak learners that exist, and re-solve their weights; earlier rounds are kept as they were."""
        for estimator, codes in zip(estimators, learner_codes(estimators, self._training.X), strict=True):
            self._append(estimator, codes, learner_values(estimator))
        self.rounds = list(rounds)
        self.rounds[-1] = self._finish_round(self.rounds[-1].edge)

    def run(self, name: str | None) -> None:
        """Add weak learners until there is a reason to stop; log every tenth round under `name`, if given."""
        while len(self.estimators) < self._rules.n_estimators and not self._has_stalled():
            signed_weights = self._next_weights()
            learner = self._learners.fit(signed_weights)
            edge = float(signed_weights @ learner.values[learner.codes])
            if edge <= self._rules.tol and self.estimators:
                break
            self._append(learner.estimator, learner.codes, learner.values)
            self.rounds.append(self._finish_round(edge))
            if name is not None and len(self.rounds) % 10 == 0:
                self._log(name)

    def _log(self, name: str) -> None:
        last = self.rounds[-1]
        logger.info(
            "%s: round %d, objective %.6g, gap %.2g, training partial AUC %.4f%s",
            name,
            len(self.rounds),
            last.objective,
            last.dual_gap,
            last.training_pauc,
            "" if self._validation is None else f", validation {last.validation_pauc:.4f}",
        )

    def n_best(self) -> int:
        """Return the number of weak learners that is best on the validation samples; without any, all."""
        if self._validation is None:
            return len(self.rounds)
        return 1 + int(np.argmax([each.validation_pauc for each in self.rounds]))

    def _has_stalled(self) -> bool:
        return (
            self._validation is not None
            and len(self.rounds) > 0
            and len(self.rounds) - self.n_best() >= self._rules.n_iter_no_change
        )

    def _next_weights(self) -> Array:
        """Return the signed weights, of size 1 in sum, that the next weak learner is fitted to."""
        weights = self._problem.signed_weights()
        weights /= np.abs(weights).sum()
        if self._smoothed is not None:
            share = self._rules.weight_smoothing
            weights = share * self._smoothed + (1.0 - share) * weights
        self._smoothed = weights
        return weights

    def _append(self, estimator: Any, codes: npt.NDArray[np.uint8], values: Array) -> None:
        self._problem.append(codes, values)
        self.estimators.append(estimator)
        if self._validation is not None and self._validation_leaves is not None:
            self._validation_leaves.append(learner_codes([estimator], self._validation.X)[0])

    def _finish_round(self, edge: float) -> Round:
        solution = self._problem.solve()
        validation = np.nan
        if self._validation is not None and self._validation_leaves is not None:
            scores = self._validation_leaves.scores(solution.weights[:, None] * self._problem.values)
            validation = self._score(self._validation, scores)
        return Round(
            solution.weights,
            solution.objective,
            solution.gap,
            solution.n_cuts,
            edge,
            self._score(self._training, solution.scores),
            validation,
        )

    def _score(self, samples: Samples, scores: Array) -> float:
        return _native.roc_area(scores, samples.positive, samples.sample_weight, *self._rules.fpr_range)

"""The optimisation problem behind the classifiers of ordered shots, and its solution from any start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.events._order import pair_weights
from widemargin.proximal import ShotPenalty
from widemargin.solvers.proximal_gradient import StationaryResult, minimise_by_proximal_gradient
from widemargin.solvers.shot_loss import ShotLoss
from widemargin.solvers.shot_ridge import RidgeSpace, is_ridge
from widemargin.solvers.shot_space import ShotData, WeightSpace
from widemargin.solvers.shot_span import ShotSpan, spans_solution

__all__ = ["SPAN_VIDEOS", "ShotProblem", "ShotSamples", "ShotSolution", "span_pays"]

Array = npt.NDArray[np.float64]
Start = tuple[Array, Array]

# With 100 videos of 20 x 4096 the bases cost as much as the 10 passes of an easy fit; a hard one takes more. Their cost
# grows with the square of the number of videos, that of a pass in proportion.
SPAN_VIDEOS = 100
# Many fits share the coordinates, until they fill the memory.
_LARGEST_SPAN = 2**31


def span_pays(data: ShotData, *, most_videos: int | None) -> bool:
    """Return whether bases of the shots are quicker than passes over the videos.

    Parameters
    ----------
    data : ShotData
        The videos.
    most_videos : int or None
        Limit on their number; None if many problems share the bases, which memory alone then limits.
    """
    n_videos, n_shots, n_features = data.X.shape
    if data.n_scores > 1 or n_videos >= n_features:
        return False
    if most_videos is None:
        return 8 * n_videos * n_videos * n_shots <= _LARGEST_SPAN
    return n_videos <= most_videos


@dataclass(frozen=True)
class ShotSamples:
    """Checked arguments of `fit`.

    Parameters
    ----------
    X : ndarray of shape (n_videos, n_shots, n_features)
        The videos.
    targets : ndarray of int of shape (n_videos,)
        Class of each.
    sample_weight : ndarray of shape (n_videos,)
        Weights, at least 0.
    order : ndarray of int32 of shape (n_videos, n_scores, n_shots) or None
        Own shot at each position; None if the shots are in order.
    separated : ndarray of bool of shape (n_videos, n_scores, n_shots - 1) or None
        Whether the saliency orders neighbouring positions.
    """

    X: npt.NDArray[Any]
    targets: npt.NDArray[np.intp]
    sample_weight: Array
    order: npt.NDArray[np.int32] | None
    separated: npt.NDArray[np.bool_] | None

    def pair_weights(self, weight: Array) -> Array | None:
        """Return the share of the weight that orders each pair of positions, None if all of it does for all."""
        if self.separated is None or self.separated.all():
            return None
        return pair_weights(self.separated, weight)


@dataclass(frozen=True)
class ShotSolution:
    """A solution, as the solver has it and as weights for the videos as they are.

    Parameters
    ----------
    problem : ShotProblem
        What was solved.
    space : WeightSpace
        Where the solver's points live.
    result : StationaryResult
        The point and its certificate.
    in_span : bool
        Whether the points are in the bases of the problem's span.
    """

    problem: ShotProblem
    space: WeightSpace
    result: StationaryResult = field(repr=False)
    in_span: bool

    @cached_property
    def function(self) -> Start:
        """Weights of shape (n_scores, n_shots, n_features) and intercepts of shape (n_scores,)."""
        weights, intercept = self.space.solution(self.result.point)
        if self.in_span and self.problem.span is not None:
            return self.problem.span.function(weights, intercept)
        return weights, intercept

    @cached_property
    def objective(self) -> float:
        """Value of the problem at `function`, penalties included."""
        if not self.in_span:
            return self.result.objective
        weights, intercept = self.function
        scores = self.problem.data.scores(weights, intercept)
        return self.problem.loss.value(scores) + self.space.penalty.value(weights)

    def scores(self) -> Array:
        """Return the scores of all videos, of weight zero too, of shape (n_videos, n_scores)."""
        return self.space.data.scores(*self.space.solution(self.result.point))


@dataclass(frozen=True)
class ShotProblem:
    """Videos and the loss of their scores; with a penalty, a problem that can be solved.

    Parameters
    ----------
    data : ShotData
        The videos.
    loss : ShotLoss
        The loss.
    span : ShotSpan or None
        Bases of the videos' shots, used for every penalty that allows it.
    """

    data: ShotData
    loss: ShotLoss
    span: ShotSpan | None = None

    def with_span(self) -> ShotProblem:
        """Return the problem with the bases of its videos' shots."""
        return replace(self, span=ShotSpan.of(self.data))

    def reweighted(self, weight: Array) -> ShotProblem:
        """Return the problem with other weights of the videos, of sum 1; the bases stay."""
        return ShotProblem(replace(self.data, weight=weight), replace(self.loss, weight=weight), self.span)

    @cached_property
    def _coordinates(self) -> ShotData | None:
        if self.span is None:
            return None
        return replace(self.span.coordinates, weight=self.data.weight, known_spread=self.data.spread)

    def first_intercept(self) -> Array:
        """Return intercepts to start from."""
        return self.loss.first_intercept() if self.data.fit_intercept else np.zeros(self.data.n_scores)

    def solve(
        self,
        penalty: ShotPenalty,
        start: ShotSolution | Start | None = None,
        *,
        tol: float,
        max_iter: int,
        report: Callable[[int, float, float], None] | None = None,
    ) -> ShotSolution:
        """Solve the problem from a solution for another penalty, from weights and intercepts, or from zero.

        Weights that are no solution in the span of the videos are started from in the space of weights.
        """
        in_span = self._coordinates is not None and spans_solution(penalty)
        in_span = in_span and (start is None or (isinstance(start, ShotSolution) and start.in_span))
        data = self._coordinates if in_span and self._coordinates is not None else self.data
        deflates = is_ridge(penalty) and not self.data.fit_intercept
        space = (RidgeSpace if deflates else WeightSpace)(data, self.loss, penalty)
        if isinstance(start, ShotSolution) and start.in_span == in_span:
            first = start.result.point
        elif isinstance(start, ShotSolution):
            first = space.point(*start.function)
        else:
            first = space.point(*(start or (np.zeros(data.shape), self.first_intercept())))
        result = minimise_by_proximal_gradient(
            space, first, space.curvature, tol=tol, max_iter=max_iter, report=report
        )
        return ShotSolution(self, space, result, in_span)

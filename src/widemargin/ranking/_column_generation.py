r"""Totally corrective boosting of the partial AUC: columns are weak learners, rows are cutting planes.

Solves, over the weights :math:`w \ge 0` of the weak learners found so far,

.. math:: \min_w \tfrac12 \|w\|^2 + \nu R(\textstyle\sum_t w_t h_t)

where R is the loss of the most violated ordering (`PartialAUCRisk`). Each round adds the weak learner that deviates
most from the optimality condition, and solves for all weights again. With cuts :math:`R(f) \ge d_k - a_k'f` and their
multipliers :math:`\lambda`, the signed weights of the samples are :math:`\sum_k \lambda_k a_k`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.ranking._growing_rows import GrowingRows
from widemargin.solvers.cutting_plane import CuttingPlaneModel, gap_scale
from widemargin.solvers.partial_auc_risk import Cut, PartialAUCRisk
from widemargin.solvers.result import certified_gap

__all__ = ["ColumnGeneration", "Solution", "is_solved"]

Array = npt.NDArray[np.float64]

ROUNDING = 16 * float(np.finfo(float).eps)
"""Share of the objective below which a gap is rounding."""

MOST_CUTS = 200
"""Cuts that one round may add. With cut_tol=0.05 rounds add 1 to 5; a smaller tolerance needs 15 to 80.

On digits (even against odd) rounds add 1.5, 3.4 and 17.7 cuts for nu = 0.3, 1 and 10, whether the gap is compared with
the objective alone or with the decrease too; at nu = 0.001, where only the first ends at w = 0, 0 and 1.9.
"""

DECREASES = 4.0
"""Decreases that make up the scale of a gap, while that is below the objective.

With 1, early rounds, which have gained little yet, took twice as many cuts on noisy data (883 against 452 without
regard to the decrease, 572 with 4) for objectives that were no lower.
"""

PATIENCE = 20
"""Cuts without any progress after which only rounding is left."""


@dataclass(frozen=True)
class Solution:
    """Weights of the weak learners after a round, with their certificate.

    Parameters
    ----------
    weights : ndarray of shape (n_columns,)
        Nonnegative weights.
    scores : ndarray of shape (n_samples,)
        Values of the ensemble on the training samples.
    objective, gap : float
        Value of the problem over the weak learners so far, and a bound on its distance from the optimum.
    n_cuts : int
        Cuts that the round added.
    """

    weights: Array
    scores: Array
    objective: float
    gap: float
    n_cuts: int


def is_solved(objective: float, gap: float, at_zero: float, cut_tol: float) -> bool:
    """Tell whether a gap is at most `cut_tol` times its scale, or rounding.

    Parameters
    ----------
    objective, gap : float
        Value of the problem, and a bound on its distance from the optimum.
    at_zero : float
        Value of the problem at w = 0, which is nu: there every pair is lost by 1.
    cut_tol : float
        Share of the objective, or of `DECREASES` times the possible decrease from `at_zero` if that is smaller.

    Returns
    -------
    bool
        False where a value is not finite.
    """
    if not math.isfinite(objective):
        return False
    return gap <= max(cut_tol * gap_scale(objective, gap, at_zero, decreases=DECREASES), ROUNDING * objective)


class ColumnGeneration:
    """The restricted problem: weak learners and cuts found so far, and the solution over them.

    Parameters
    ----------
    risk : PartialAUCRisk
        Finds the most violated ordering for given scores.
    nu : float
        Weight of the risk.
    cut_tol : float
        Relative gap at which a round ends: share of the objective, or of `DECREASES` times the decrease from nu, its
        value at w = 0, if that is smaller.
    n_samples : int
        Number of training samples.
    n_codes : int
        Most codes of a weak learner.
    """

    def __init__(
        self,
        risk: PartialAUCRisk,
        nu: float,
        *,
        cut_tol: float,
        n_samples: int,
        n_codes: int,
    ) -> None:
        self._risk = risk
        self._nu = nu
        self._cut_tol = cut_tol
        self._model = CuttingPlaneModel(nu, nonnegative=True)
        self._leaves = _native.LeafMatrix(n_samples, n_codes)
        self._values = GrowingRows(n_codes)
        self._cuts = GrowingRows(n_samples)
        # At zero the worst cut weighs all positives alike and all negatives alike.
        cut = risk.worst(np.zeros(n_samples))
        self._at_zero = nu * cut.value
        self._best = Solution(np.zeros(0), np.zeros(n_samples), self._at_zero, self._at_zero, 0)
        self._add(cut)
        self._model.solve()

    def signed_weights(self) -> Array:
        """Return u_l y_l for every sample: what the next weak learner has to agree with."""
        return self._model.multipliers @ self._cuts.rows

    @property
    def values(self) -> Array:
        """Values of the weak learners, of shape (n_learners, n_codes)."""
        return self._values.rows

    def append(self, codes: npt.NDArray[np.uint8], values: Array) -> None:
        """Add a weak learner, with weight zero: sample l has the output ``values[codes[l]]``."""
        self._leaves.append(codes)
        self._values.append(values)
        self._model.append_column(self._cuts.rows @ values[codes])
        best = self._best
        self._best = Solution(np.append(best.weights, 0.0), best.scores, best.objective, np.inf, 0)

    def solve(self) -> Solution:
        """Re-solve all weights, and drop the cuts that the solution does not use."""
        n_cuts = last_progress = 0
        dual_objective, gap = -np.inf, np.inf
        while True:
            self._model.solve(self._model_tol(gap))
            weights = _on_grid(self._model.weights)
            with np.errstate(over="ignore"):
                quadratic = 0.5 * float(weights @ weights)
            if not math.isfinite(quadratic):
                break
            scores = self.scores(weights)
            cut = self._risk.worst(scores)
            objective = quadratic + self._nu * cut.value
            if objective < self._best.objective or self._model.dual_objective > dual_objective:
                last_progress = n_cuts
            dual_objective = max(dual_objective, self._model.dual_objective)
            if objective <= self._best.objective:
                self._best = Solution(weights, scores, objective, np.inf, 0)
            gap = certified_gap(self._best.objective, dual_objective)
            if is_solved(self._best.objective, gap, self._at_zero, self._cut_tol):
                break
            if n_cuts == MOST_CUTS or n_cuts - last_progress == PATIENCE:
                break
            self._add(cut)
            n_cuts += 1
        self._cuts.keep(self._model.drop_inactive())
        best = self._best
        self._best = Solution(best.weights, best.scores, best.objective, gap, n_cuts)
        return self._best

    def scores(self, weights: Array) -> Array:
        """Return the values of the ensemble of the first learners on the training samples."""
        return self._leaves.scores(weights[:, None] * self.values[: weights.size])

    def _model_tol(self, gap: float) -> float:
        """Return the relative gap to solve for the known cuts to, well below what the round asks for."""
        scale = gap_scale(self._best.objective, gap, self._at_zero, decreases=DECREASES)
        share = 0.1 * self._cut_tol * scale / self._best.objective
        return 1e-6 if share == 0.0 else min(1e-6, max(ROUNDING, share))

    def _add(self, cut: Cut) -> None:
        sums = self._leaves.sums(cut.vector)
        self._model.add(cut.offset, np.einsum("tl,tl->t", self.values, sums))
        self._cuts.append(cut.vector)


def _on_grid(weights: Array) -> Array:
    """Round weights to 40 binary digits of the largest one.

    An optimum lies where scores of samples tie. Sums of such weights over outputs -1 and +1 have no rounding: scores
    that tie do so exactly, in samples of any order, where rounding would choose the cut.
    """
    _, exponent = math.frexp(weights.max(initial=0.0))
    return np.ldexp(np.rint(np.ldexp(weights, 40 - exponent)), exponent - 40)

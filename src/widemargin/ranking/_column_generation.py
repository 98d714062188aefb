r"""Totally corrective boosting of the partial AUC: columns are weak learners, rows are cutting planes.

Solves, over the weights :math:`w \ge 0` of the weak learners found so far,

.. math:: \min_w \tfrac12 \|w\|^2 + \nu R(\textstyle\sum_t w_t h_t)

where R is the loss of the most violated ordering (`PartialAUCRisk`). Each round adds the weak learner that deviates
most from the optimality condition, and solves for all weights again. With cuts :math:`R(f) \ge d_k - a_k'f` and their
multipliers :math:`\lambda`, the signed weights of the samples are :math:`\sum_k \lambda_k a_k`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.ranking._growing_rows import GrowingRows
from widemargin.solvers.cutting_plane import CuttingPlaneModel
from widemargin.solvers.partial_auc_risk import Cut, PartialAUCRisk

__all__ = ["ColumnGeneration", "Solution"]

Array = npt.NDArray[np.float64]

MOST_CUTS = 200
"""Cuts that one round may add. With cut_tol=0.05 rounds add 1 to 5; a smaller tolerance needs 15 to 80."""


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


class ColumnGeneration:
    """The restricted problem: weak learners and cuts found so far, and the solution over them.

    Parameters
    ----------
    risk : PartialAUCRisk
        Finds the most violated ordering for given scores.
    nu : float
        Weight of the risk.
    cut_tol : float
        Relative gap at which a round ends.
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
        self._best = Solution(np.zeros(0), np.zeros(n_samples), np.inf, np.inf, 0)
        # At zero the worst cut weighs all positives alike and all negatives alike.
        self._add(risk.worst(self._best.scores))
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
        n_cuts = 0
        while True:
            self._model.solve()
            weights = self._model.weights
            scores = self.scores(weights)
            cut = self._risk.worst(scores)
            objective = 0.5 * float(weights @ weights) + self._nu * cut.value
            if objective < self._best.objective:
                self._best = Solution(weights.copy(), scores, objective, np.inf, 0)
            gap = max(0.0, self._best.objective - self._model.dual_objective)
            if gap <= self._cut_tol * self._best.objective or n_cuts == MOST_CUTS:
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

    def _add(self, cut: Cut) -> None:
        sums = self._leaves.sums(cut.vector)
        self._model.add(cut.offset, np.einsum("tl,tl->t", self.values, sums))
        self._cuts.append(cut.vector)

r"""The partial AUC's convex upper bound, and the cut that touches it.

.. math::
    R(f) = \max_\pi \; \Delta(\pi) - \frac1c \sum_{i, j} \pi_{ij} \, (f(x_i^+) - f(x_{(j)_\pi}^-))

over the orderings :math:`\pi` of positives and negatives, where :math:`\pi_{ij} = 1` if negative j is ranked above
positive i, :math:`\Delta` is the share of such pairs among the negatives of ranks :math:`j_\alpha + 1` to
:math:`j_\beta`, and :math:`c` is the number of these pairs [1]_. The maximum is found exactly, one positive at a time:
for a given place among the negatives in order of descending scores its terms do not depend on the other positives.

References
----------
.. [1] S. Paisitkriangkrai, C. Shen, A. van den Hengel, "Pedestrian detection with spatially pooled features and
   structured ensemble learning", 2014, Section 3.2, equations (11)-(16), after H. Narasimhan, S. Agarwal, "A structural
   SVM based approach for optimizing partial AUC", ICML 2013, and "SVM_pAUC^tight", KDD 2013.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.solvers.cutting_plane import Cut

__all__ = ["PartialAUCRisk", "RankRange"]

Array = npt.NDArray[np.float64]

NARROWEST = 1e-9
"""Least width of an exact range as a share of its upper end: rounding then changes the width by at most 4e-7 of it."""


@dataclass(frozen=True)
class RankRange:
    """Ranks of the negatives, in units of their weight, that a range of false positive rates covers.

    Parameters
    ----------
    start, stop : float
        Negatives beyond the `start` highest count, up to the `stop` highest.
    """

    start: float
    stop: float

    @classmethod
    def of(cls, fpr_range: tuple[float, float], negatives: int | Array) -> RankRange:
        """Find the ranks of a range of false positive rates.

        Weights are multiplicities. If all are whole numbers the range is that of as many negatives, rounded inwards
        to whole ranks; otherwise it is exact, and a negative at its end counts in part. It is exact also where the
        total is 2**49 or more: ranks so high have no digits left that would tell a whole one from the next.

        Parameters
        ----------
        fpr_range : tuple of (float, float)
            Rates (alpha, beta), ``0 <= alpha < beta <= 1``.
        negatives : int or ndarray of shape (n_negatives,)
            Number of negatives, or their weights of at least 0.

        Returns
        -------
        RankRange
            The ranks, ``0 <= start < stop <= total weight``.

        Raises
        ------
        ValueError
            If no whole rank lies in the range, where the message has the smallest range that would do, or if a
            range that is exact is so narrow that rounding of its ends changes its width by more than 1e-6 of it.
        """
        alpha, beta = fpr_range
        weights = np.asarray(negatives, dtype=float)
        total = float(weights.sum())
        # 100 * 0.29 is 28.999999999999996 and 100 * 0.07 is 7.000000000000001.
        slack = max(1e-9, 4 * np.finfo(float).eps * total)
        if slack >= 0.5 or np.any(weights != np.floor(weights)):
            start, stop = alpha * total, min(beta * total, total)
            if stop - start < max(NARROWEST * stop, np.finfo(float).tiny / np.finfo(float).eps):
                raise ValueError(
                    f"fpr_range ({alpha!r}, {beta!r}) is too narrow for negatives of total weight {total:g}: its ends "
                    f"are equal but for rounding. Widen it to at least {NARROWEST:g} of its upper end."
                )
            return cls(start, stop)
        start = float(np.ceil(alpha * total - slack))
        stop = float(np.floor(beta * total + slack))
        if stop <= start:
            first = min(np.floor(alpha * total + slack), total - 1)
            smallest = (float(first / total), float((first + 1) / total))
            raise ValueError(
                f"fpr_range ({alpha!r}, {beta!r}) holds none of the {total:g} negatives: widen it, for example to "
                f"{smallest!r}, the smallest range with one of them, or add negatives."
            )
        return cls(start, stop)


class PartialAUCRisk:
    """Upper bound R of one minus the partial AUC, as a function of the scores of all samples.

    Parameters
    ----------
    positive : ndarray of bool of shape (n_samples,)
        Which samples are positive; both classes have positive weight.
    fpr_range : tuple of (float, float)
        Rates (alpha, beta), ``0 <= alpha < beta <= 1``.
    sample_weight : ndarray of shape (n_samples,), optional
        Multiplicities of at least 0; None for ones.
    bound : {"tight", "structural"}, default="tight"
        Whether the pairs that an ordering is charged for are those with the negatives of ranks up to the range's
        end, or those with all negatives, which is a looser bound.

    Attributes
    ----------
    n_samples : int
        Number of samples.
    ranks : RankRange
        Ranks of the negatives that count.

    Raises
    ------
    ValueError
        If the range holds no negative.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.solvers.partial_auc_risk import PartialAUCRisk
    >>> risk = PartialAUCRisk(np.array([True, True, False, False]), (0.0, 0.5))
    >>> cut = risk.worst(np.array([3.0, 0.5, 1.0, -1.0]))  # one of two positives is 1/2 below the top negative
    >>> cut.value
    0.75
    >>> cut.vector
    array([ 0. ,  0.5, -0.5,  0. ])
    """

    def __init__(
        self,
        positive: npt.NDArray[np.bool_],
        fpr_range: tuple[float, float],
        sample_weight: Array | None = None,
        bound: str = "tight",
    ) -> None:
        negative = ~positive
        self.ranks = RankRange.of(
            fpr_range, int(negative.sum()) if sample_weight is None else sample_weight[negative]
        )
        self.n_samples = positive.size
        self._search = _native.PartialAucCut(
            positive, sample_weight, self.ranks.start, self.ranks.stop, bound == "tight"
        )

    def worst(self, scores: Array) -> Cut:
        """Return the cut that is violated most at finite scores of shape (n_samples,).

        Its coefficients are at least 0 for positives and at most 0 for negatives, and add up to zero. It does not
        depend on the order of the samples: negatives of equal score share their coefficient by weight.
        """
        vector = np.empty(self.n_samples)
        value, offset = self._search.worst(scores, vector)
        return Cut(value, offset, vector)

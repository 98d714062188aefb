"""Where to divide scores so that a budget of false alarms is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.metrics.inputs import real_array
from widemargin.metrics.partial_auc import positive_samples
from widemargin.validation import check_number

__all__ = ["false_positive_threshold"]


def false_positive_threshold(
    y: npt.ArrayLike, score: npt.ArrayLike, max_fpr: float, *, pos_label: Any = None
) -> float:
    """Return the lowest threshold that keeps the false positive rate of these samples within a budget.

    Samples with scores above it are called positive. On new samples the rate varies around the budget: use samples
    that were not trained on, and many of them. With n negatives of which k exceed the threshold, the expected rate on
    new samples of the same kind is at most (k + 1) / (n + 1).

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of two classes.
    score : array-like of shape (n_samples,)
        Finite scores, larger for the positive class.
    max_fpr : float
        The budget: largest false positive rate, in [0, 1].
    pos_label : label, default=None
        The positive class; None takes the larger of the two sorted labels.

    Returns
    -------
    float
        The threshold. It lies in the middle between two neighbouring scores, or just above the highest, so that ``>``
        and ``>=`` mean the same on these samples.

    Raises
    ------
    ValueError
        If an argument is malformed or out of its range.

    See Also
    --------
    partial_auc_score : Mean true positive rate over a range of such budgets.

    Examples
    --------
    >>> from widemargin.metrics import false_positive_threshold
    >>> y = ["no", "no", "no", "no", "yes", "yes"]
    >>> false_positive_threshold(y, [0.1, 0.2, 0.3, 0.6, 0.5, 0.9], 0.25)
    0.4
    """
    budget = check_number("max_fpr", max_fpr, at_least=0.0)
    if budget > 1.0:
        raise ValueError(f"max_fpr must be at most 1, got {max_fpr!r}: pass a fraction such as 0.01.")
    scores = real_array("score", score)
    positive = positive_samples(y, pos_label)
    if scores.shape != positive.shape:
        raise ValueError(
            f"score has shape {scores.shape}, y has {positive.size} labels: pass one score per label."
        )
    if not np.all(np.isfinite(scores)):
        raise ValueError("score must be finite: leave out the samples that have no score.")
    negatives = np.sort(scores[~positive])[::-1]
    # 100 * 0.29 is 28.999999999999996.
    n_allowed = int(np.floor(budget * negatives.size + 1e-9))
    levels = np.unique(scores)
    if n_allowed == negatives.size:
        return float(np.nextafter(levels[0], -np.inf))
    highest_refused = negatives[n_allowed]
    above = levels[np.searchsorted(levels, highest_refused, side="right") :]
    if above.size == 0:
        return float(np.nextafter(highest_refused, np.inf))
    middle = 0.5 * highest_refused + 0.5 * above[0]
    # Between neighbouring floating point numbers there is none.
    return float(middle if middle > highest_refused else above[0])

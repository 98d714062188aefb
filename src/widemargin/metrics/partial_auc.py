"""The area under a range of the ROC curve: how well a classifier ranks at the false positive rates that matter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.metrics import make_scorer, roc_curve

from widemargin.metrics.inputs import real_array
from widemargin.validation import (
    check_choice,
    check_features_finite,
    check_fpr_range,
    check_labels,
    check_sample_weight,
    proportional_weight,
)

__all__ = [
    "Normalization",
    "check_normalize",
    "partial_area",
    "partial_auc_score",
    "partial_auc_scorer",
    "positive_samples",
    "roc_points",
]

FloatArray = npt.NDArray[np.float64]
Normalization = Literal["range", "mcclish"] | None


def partial_auc_score(
    y: npt.ArrayLike,
    score: npt.ArrayLike,
    *,
    fpr_range: tuple[float, float] = (0.0, 0.1),
    normalize: Normalization = "range",
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Compute the area under the ROC curve between two false positive rates.

    The ROC curve joins the points (false positive rate, true positive rate) of all thresholds by straight
    lines, so that a positive and a negative of equal score count as half a correct pair. The area A is that of
    [1]_, Section 2.2, over the range [alpha, beta], exact also where an end of the range falls between two
    points. Only the order of the scores matters.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of two classes.
    score : array-like of shape (n_samples,)
        Finite scores, larger for samples that are more likely positive, such as values of a decision function.
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        Range (alpha, beta) of false positive rates, ``0 <= alpha < beta <= 1`` and no narrower than 1e-15.
    normalize : {"range", "mcclish"} or None, default="range"
        What the area is compared with. "range": A / (beta - alpha), the mean true positive rate over the
        range, the percentages of [1]_; 1 is perfect and (alpha + beta) / 2 chance. "mcclish":
        ``(1 + (A - A_chance) / (A_perfect - A_chance)) / 2`` with ``A_chance = (beta**2 - alpha**2) / 2`` and
        ``A_perfect = beta - alpha`` [2]_; 1 is perfect and 1/2 chance, and with alpha = 0 it is
        ``sklearn.metrics.roc_auc_score(y, score, max_fpr=beta)``. None: A itself.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of at least 0: a sample of weight 2 counts as two, one of weight 0 is left out. None
        weighs all alike.
    pos_label : label, default=None
        The positive class; None takes the larger of the two sorted labels.

    Returns
    -------
    float
        The area, in the unit that `normalize` asks for. Over the range (0, 1) all three units agree and give
        the AUC. "mcclish" can be negative for a curve below chance if alpha + beta > 1; the others lie in
        [0, 1].

    Raises
    ------
    TypeError
        If an end of `fpr_range` is no number.
    ValueError
        If `y` has not exactly two classes or `pos_label` is none of them, a score is not finite, `fpr_range`
        is no range in [0, 1], `normalize` is unknown, or a class has less than 1e-100 of the weight.

    See Also
    --------
    partial_auc_scorer : The same as a scorer, for cross-validation and grid search.

    References
    ----------
    .. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled
       features and structured ensemble learning", arXiv:1409.5209, 2014.
    .. [2] D. K. McClish, "Analyzing a portion of the ROC curve", Medical Decision Making 9(3), 1989.

    Examples
    --------
    Of all six pairs five are in order; of the two pairs with the highest negative, one:

    >>> from widemargin.metrics import partial_auc_score
    >>> y, score = [0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.5, 0.9]
    >>> round(partial_auc_score(y, score, fpr_range=(0, 1)), 3)
    0.833
    >>> round(partial_auc_score(y, score, fpr_range=(0, 1 / 3)), 3)
    0.5
    """
    fpr_range = check_fpr_range(fpr_range)
    check_normalize(normalize)
    fpr, tpr, _ = roc_points(y, score, sample_weight=sample_weight, pos_label=pos_label)
    return partial_area(fpr, tpr, fpr_range, normalize)


def partial_auc_scorer(
    fpr_range: tuple[float, float] = (0.0, 0.1),
    normalize: Normalization = "range",
    *,
    pos_label: Any = None,
) -> Callable[..., float]:
    """Make a scorer of the partial AUC, for ``GridSearchCV(scoring=...)`` and ``cross_val_score``.

    It ranks by ``decision_function`` where the estimator has one, else by ``predict_proba``.

    Parameters
    ----------
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        Range (alpha, beta) of false positive rates, ``0 <= alpha < beta <= 1``.
    normalize : {"range", "mcclish"} or None, default="range"
        What the area is compared with, as in :func:`partial_auc_score`.
    pos_label : label, default=None
        The positive class; None takes ``classes_[1]``, the larger of the two sorted labels.

    Returns
    -------
    scorer
        Callable ``scorer(estimator, X, y, sample_weight=None)``; it can be pickled, and asks for weights by
        ``set_score_request(sample_weight=True)`` if metadata routing is enabled.

    Raises
    ------
    TypeError
        If an end of `fpr_range` is no number.
    ValueError
        If `fpr_range` is no range in [0, 1] or `normalize` is unknown.

    See Also
    --------
    partial_auc_score : The value for given scores.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.model_selection import cross_val_score
    >>> from widemargin.metrics import partial_auc_scorer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cross_val_score(GaussianNB(), X, y, scoring=partial_auc_scorer((0.0, 0.2))).shape
    (5,)
    """
    check_normalize(normalize)
    # scikit-learn takes a pos_label that is given, even None, for a label.
    label = {} if pos_label is None else {"pos_label": pos_label}
    scorer: Callable[..., float] = make_scorer(
        partial_auc_score,
        response_method=("decision_function", "predict_proba"),
        fpr_range=check_fpr_range(fpr_range),
        normalize=normalize,
        **label,
    )
    return scorer


def partial_area(
    fpr: FloatArray,
    tpr: FloatArray,
    fpr_range: tuple[float, float],
    normalize: Normalization = "range",
) -> float:
    """Compute the area under a piecewise linear ROC curve within a range.

    Parameters
    ----------
    fpr, tpr : ndarray of shape (n_points,)
        Rates from (0, 0) to (1, 1), neither ever falling.
    fpr_range : tuple of (float, float)
        A checked range.
    normalize : {"range", "mcclish"} or None, default="range"
        Unit of the result, as in :func:`partial_auc_score`.

    Returns
    -------
    float
        The area.
    """
    alpha, beta = fpr_range
    run = np.diff(fpr)
    # Vertical segments have no area, wherever the range ends.
    flat = np.flatnonzero((run > 0) & (fpr[1:] > alpha) & (fpr[:-1] < beta))
    left, right = np.clip(fpr[flat], alpha, beta), np.clip(fpr[flat + 1], alpha, beta)
    share = (0.5 * (left + right) - fpr[flat]) / run[flat]
    height = tpr[flat] + share * (tpr[flat + 1] - tpr[flat])
    area = float((right - left) @ height)
    if normalize is None:
        return area
    if normalize == "range":
        return area / (beta - alpha)
    chance = 0.5 * (beta - alpha) * (beta + alpha)
    return 0.5 * (1 + (area - chance) / (beta - alpha - chance))


def roc_points(
    y: npt.ArrayLike,
    score: npt.ArrayLike,
    *,
    sample_weight: npt.ArrayLike | None = None,
    pos_label: Any = None,
    drop_intermediate: bool = False,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute the corners of the ROC curve of two classes.

    Parameters
    ----------
    y, score, sample_weight, pos_label : array-like, array-like, array-like or None, label or None
        As in :func:`partial_auc_score`.
    drop_intermediate : bool, default=False
        Whether to leave out points in the middle of a straight line.

    Returns
    -------
    fpr, tpr : ndarray of shape (n_points,)
        Rates from (0, 0) to (1, 1).
    thresholds : ndarray of shape (n_points,)
        Falling scores: at a point, the samples with at least this score are accepted. The first is infinite.

    Raises
    ------
    ValueError
        As in :func:`partial_auc_score`.
    """
    positive = positive_samples(y, pos_label)
    score = real_array("score", score)
    if score.shape != positive.shape:
        remedy = (
            "a single column, such as predict_proba(X)[:, 1]" if score.ndim == 2 else "one score a sample"
        )
        raise ValueError(f"score has shape {score.shape}, y has {positive.shape}: pass {remedy}.")
    check_features_finite("score", score)
    if sample_weight is not None:
        sample_weight = proportional_weight(
            check_sample_weight(sample_weight, positive.size), positive, ("negative", "positive")
        )
    # scikit-learn adds up the scores, to see whether all are finite, and looks for steps by their differences: both may
    # overflow, without harm.
    with np.errstate(over="ignore", invalid="ignore"):
        fpr, tpr, thresholds = roc_curve(
            positive, score, sample_weight=sample_weight, drop_intermediate=drop_intermediate
        )
    return fpr, tpr, thresholds


def check_normalize(normalize: Any) -> None:
    """Raise ValueError unless the value is a known normalization of an area."""
    if normalize is not None:
        check_choice("normalize", normalize, ("range", "mcclish"))


def positive_samples(y: npt.ArrayLike, pos_label: Any = None) -> npt.NDArray[np.bool_]:
    """Return which samples are of the positive class.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of two classes.
    pos_label : label, default=None
        The positive class; None takes the larger of the two sorted labels.

    Returns
    -------
    ndarray of bool of shape (n_samples,)
        Whether each sample is positive.

    Raises
    ------
    ValueError
        If `y` has not exactly two classes or `pos_label` is none of them.
    """
    labels = np.asarray(y)
    if labels.ndim != 1 or not labels.size:
        raise ValueError(f"y has shape {labels.shape}: pass one label for each of at least two samples.")
    if np.all(labels == labels[0]):
        raise ValueError(
            f"y has one class, {labels[:1].tolist()[0]!r}, and the ROC curve needs two: pass samples of both, in "
            "cross-validation with stratified folds."
        )
    classes, index = check_labels(labels)
    if classes.size > 2:
        raise ValueError(
            f"y has {classes.size} classes, and the ROC curve is of two: pass y == label to compare one class with "
            "the others."
        )
    if pos_label is None:
        return index == 1
    if np.ndim(pos_label) != 0 or pos_label not in classes.tolist():
        raise ValueError(
            f"pos_label must be one of the classes {classes.tolist()}, got {pos_label!r}: pass the positive one."
        )
    return index == classes.tolist().index(pos_label)

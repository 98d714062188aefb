"""Which score of a fitted classifier of two classes the ROC curve and its thresholds are about."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

__all__ = ["BinaryScore", "binary_score", "default_name"]


class BinaryScore(NamedTuple):
    """How to score samples by a fitted classifier.

    Attributes
    ----------
    method : str
        "decision_function" or "predict_proba".
    classes : list
        The two sorted classes.
    positive : int
        Index of the positive class.
    """

    method: str
    classes: list[Any]
    positive: int

    def of(self, estimator: Any, X: Any) -> npt.NDArray[np.float64]:
        """Return the scores of samples, larger for the positive class.

        Parameters
        ----------
        estimator : classifier
            The classifier that this was made for.
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            The scores.
        """
        if self.method == "predict_proba":
            return np.asarray(estimator.predict_proba(X))[:, self.positive]
        score = np.asarray(estimator.decision_function(X))
        return score if self.positive == 1 else -score


def binary_score(estimator: Any, pos_label: Any = None) -> BinaryScore:
    """Choose the score of a fitted classifier: its decision function if it has one, else its probabilities.

    Parameters
    ----------
    estimator : classifier
        A fitted classifier of two classes, or a pipeline that ends in one.
    pos_label : label, default=None
        The positive class; None takes the second of the sorted classes.

    Returns
    -------
    BinaryScore
        The choice.

    Raises
    ------
    NotFittedError
        If the estimator is not fitted.
    ValueError
        If it is no classifier of two classes with a score, or `pos_label` is none of its classes.
    """
    check_is_fitted(estimator)
    name = type(estimator).__name__
    classes = np.asarray(getattr(estimator, "classes_", [])).tolist()
    if len(classes) != 2:
        raise ValueError(
            f"estimator is a {name} with {len(classes)} classes: pass a fitted classifier of two classes."
        )
    methods = [method for method in ("decision_function", "predict_proba") if hasattr(estimator, method)]
    if not methods:
        raise ValueError(
            f"estimator is a {name} without decision_function and predict_proba: pass a classifier that scores, "
            "such as one with probability=True."
        )
    if pos_label is not None and pos_label not in classes:
        raise ValueError(
            f"pos_label must be one of the estimator's classes {classes}, got {pos_label!r}: pass the positive one."
        )
    return BinaryScore(methods[0], classes, 1 if pos_label is None else classes.index(pos_label))


def default_name(estimator: Any) -> str:
    """Return the name of an estimator's class, of the last step if it is a pipeline.

    Parameters
    ----------
    estimator : estimator
        Any estimator.

    Returns
    -------
    str
        The name.
    """
    steps = getattr(estimator, "steps", None)
    return type(steps[-1][1] if steps else estimator).__name__

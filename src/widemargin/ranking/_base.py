"""What the classifiers of this part share: two classes, the samples they read, and how labels follow from scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _num_samples, validate_data

from widemargin.validation import (
    check_features_finite,
    check_labels,
    check_sample_weight,
    proportional_weight,
)

__all__ = ["RankingClassifier", "Samples"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """Samples of positive weight, both classes among them.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Features.
    positive : ndarray of bool of shape (n_samples,)
        Which samples are of the positive class.
    sample_weight : ndarray of shape (n_samples,)
        Whole numbers are multiplicities, others matter in proportion; > 0.
    classes : ndarray of shape (2,)
        Labels; the second one is the positive class.
    rows : ndarray of int of shape (n_samples,)
        Row of each sample in what the user passed.
    """

    X: Any
    positive: npt.NDArray[np.bool_]
    sample_weight: Array
    classes: npt.NDArray[Any]
    rows: npt.NDArray[np.intp]

    def take(self, rows: npt.NDArray[np.intp]) -> Samples:
        """Return some of the samples."""
        return Samples(
            self.X[rows], self.positive[rows], self.sample_weight[rows], self.classes, self.rows[rows]
        )


class RankingClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers of two classes; subclasses define `fit` and `decision_function`.

    Whether sparse matrices and NaN are allowed is what the subclass's scikit-learn tags say.
    """

    classes_: npt.NDArray[Any]

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of each sample: ``classes_[1]`` where the decision function is positive.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels of the kind passed to `fit`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        values = self.decision_function(X)
        return self.classes_[(values > 0).astype(int)]

    def decision_function(self, X: Any) -> Array:
        """Return a score of shape (n_samples,) that is positive for ``classes_[1]``."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _read_samples(self, X: Any, y: Any, sample_weight: Any) -> Samples:
        """Check the arguments of `fit`; sets `classes_`, `n_features_in_` and `feature_names_in_`.

        Raises
        ------
        ValueError
            If an argument is malformed, the numbers of rows differ, or y or the samples of positive weight are not of
            two classes.
        """
        if y is not None and _num_samples(y) != _num_samples(X):
            raise ValueError(
                f"y has {_num_samples(y)} labels, X has {_num_samples(X)} rows: pass one label per training sample."
            )
        tags = self.__sklearn_tags__().input_tags
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr" if tags.sparse else False,
            dtype=[np.float64, np.float32],
            ensure_all_finite="allow-nan" if tags.allow_nan else False,
        )
        if not tags.allow_nan:
            check_features_finite("X", X)
        classes, labels = check_labels(y)
        if classes.size > 2:
            name = type(self).__name__
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {type_of_target(y)}: y has "
                f"{classes.size} classes. Wrap the estimator as sklearn.multiclass.OneVsRestClassifier({name}(...))."
            )
        weight = check_sample_weight(sample_weight, X.shape[0])
        weight = proportional_weight(weight, labels, classes.tolist())
        rows = np.flatnonzero(weight)
        self.classes_ = classes
        if rows.size < weight.size:
            X, labels, weight = X[rows], labels[rows], weight[rows]
        return Samples(X, labels == 1, weight, classes, rows)

    def _check_samples(self, X: Any) -> Any:
        """Check the samples to score against those of `fit`."""
        tags = self.__sklearn_tags__().input_tags
        return validate_data(
            self,
            X,
            accept_sparse="csr" if tags.sparse else False,
            dtype=[np.float64, np.float32],
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
            reset=False,
        )

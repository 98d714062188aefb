"""Concept detectors: a vocabulary of one's own, learnt from labelled pictures or clips."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from widemargin.events._calibration import fit_sigmoids
from widemargin.fitted import forget_fitted
from widemargin.validation import check_magnitude, check_number, check_numbers

__all__ = ["ConceptDetectors"]

Array = npt.NDArray[np.float64]

_ALPHAS = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)
_FEW = 5
_MOST_NAMED = 5


class ConceptDetectors(TransformerMixin, BaseEstimator):
    r"""Detect each concept of a vocabulary by a linear classifier with calibrated probabilities.

    For each concept, with :math:`y_i = 1` for the samples that show it and -1 for the others, it solves

    .. math:: \min_{w, b} \; \frac{1}{n} \sum_{i=1}^n \bigl(y_i - w^\top x_i - b\bigr)^2
        + \alpha \, \tau \, \|w\|^2 ,

    the least-squares support vector machine, where :math:`\tau` is the mean squared distance of the samples to their
    mean. The direction of w does not depend on how rare the concept is [2]_, and all concepts share one factorisation
    of the features, which also gives the score each sample has when it is left out of the training. On these scores a
    sigmoid is fitted that turns them into a probability [3]_. These are the concept detectors of section 3.2 of [1]_,
    which trains a support vector machine for each.

    Parameters
    ----------
    alpha : float or None, default=None
        Weight of the penalty, > 0. None takes, of the powers of 10 from 1e-5 to 10, the one with the least squared
        error of samples left out, the same for all concepts: for few samples that ranks better than one for each.
    concept_names : sequence of str or None, default=None
        Names of the concepts, in the order of the columns of Y, or of the sorted labels. None takes the columns of a
        data frame, the labels themselves, or else "concept0", "concept1" and so on.

    Attributes
    ----------
    coef_ : ndarray of shape (n_concepts, n_features)
        Weights of the detectors.
    intercept_ : ndarray of shape (n_concepts,)
        Their intercepts.
    calibration_ : ndarray of shape (n_concepts, 2)
        Slope, at least 0, and offset of each sigmoid: the probability of a score s is
        ``1 / (1 + exp(-(slope * s + offset)))``. A slope of 0 belongs to a concept that the features do not tell.
    alpha_ : float
        Weight of the penalty.
    concept_names_ : ndarray of shape (n_concepts,)
        Names of the concepts.
    n_positives_ : ndarray of int of shape (n_concepts,)
        Number of training samples that show each concept.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X had any.

    Notes
    -----
    For 2,000 samples of 1,280 features and 100 concepts training took 2 seconds on one core.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017.
    .. [2] C. M. Bishop, "Pattern recognition and machine learning", Springer 2006, section 4.1.5.
    .. [3] J. C. Platt, "Probabilistic outputs for support vector machines", Advances in Large Margin Classifiers, MIT
       Press 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events.concept_detectors import ConceptDetectors
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(2, size=(200, 2))
    >>> X = Y @ [[2.0, 0.0, 1.0], [0.0, 2.0, 1.0]] + rng.normal(size=(200, 3))
    >>> detectors = ConceptDetectors(concept_names=["dog", "car"]).fit(X, Y)
    >>> detectors.predict_proba([[2.0, 0.0, 1.0], [2.0, 2.0, 2.0]]).round(1).tolist()
    [[0.9, 0.2], [0.9, 1.0]]
    """

    def __init__(self, alpha: float | None = None, *, concept_names: Sequence[str] | None = None) -> None:
        self.alpha = alpha
        self.concept_names = concept_names

    def fit(self, X: npt.ArrayLike, y: Any) -> Self:
        """Train a detector for each concept.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features of pictures, shots or clips.
        y : array-like of shape (n_samples, n_concepts) or (n_samples,)
            1 where a sample shows a concept and 0 where not, any number of concepts a sample; or one label a sample,
            each label being a concept.

        Returns
        -------
        ConceptDetectors
            This estimator.

        Raises
        ------
        TypeError
            If X is sparse or a parameter has the wrong type.
        ValueError
            If shapes do not agree, a value is not finite, a parameter is out of range, or a concept is shown by no
            sample or by all.

        Warns
        -----
        UserWarning
            If fewer than 5 samples show a concept, or do not; it names the concepts.
        """
        forget_fitted(self)
        alphas = _ALPHAS if self.alpha is None else (check_number("alpha", self.alpha, above=0),)
        features = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        check_magnitude("X", features)
        shows, default_names = _read_concepts(y, len(features))
        names = self._names(default_names)
        n_positives = shows.sum(axis=0)
        _check_counts(names, n_positives, len(features))
        signs = np.where(shows, 1.0, -1.0)
        self.coef_, self.intercept_, self.alpha_, left_out = _least_squares(features, signs, alphas)
        self.calibration_ = fit_sigmoids(left_out, shows)
        self.concept_names_ = names
        self.n_positives_ = n_positives
        return self

    def decision_function(self, X: npt.ArrayLike) -> Array:
        """Return the score of each concept, positive for samples more like those that show it.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_concepts)
            Scores.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`, or a value is not finite.
        """
        check_is_fitted(self)
        features = validate_data(self, X, dtype=np.float64, reset=False)
        scores: Array = features @ self.coef_.T + self.intercept_
        return scores

    def predict_proba(self, X: npt.ArrayLike) -> Array:
        """Return the probability of each concept; those of a sample need not sum to 1.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_concepts)
            Probabilities.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`, or a value is not finite.
        """
        scores = self.decision_function(X)
        probabilities: Array = expit(scores * self.calibration_[:, 0] + self.calibration_[:, 1])
        return probabilities

    def transform(self, X: npt.ArrayLike) -> Array:
        """Return `predict_proba`, so that detectors can stand in a pipeline.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_samples, n_concepts)
            Probabilities.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`, or a value is not finite.
        """
        return self.predict_proba(X)

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """Return the names of the concepts.

        Parameters
        ----------
        input_features : object, default=None
            Not used.

        Returns
        -------
        ndarray of shape (n_concepts,)
            `concept_names_`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        """
        check_is_fitted(self)
        return self.concept_names_.astype(object)

    def _names(self, default: Sequence[str]) -> npt.NDArray[np.str_]:
        if self.concept_names is None:
            return np.array(default, dtype=np.str_)
        names = [self.concept_names] if isinstance(self.concept_names, str) else list(self.concept_names)
        if not all(isinstance(name, str) for name in names):
            raise TypeError(f"concept_names must hold str only, got {names!r}: pass one name a concept.")
        if len(names) != len(default):
            raise ValueError(
                f"concept_names has {len(names)} names, y has {len(default)} concepts: pass one name a concept."
            )
        if len(set(names)) < len(names):
            raise ValueError("concept_names has a name twice: give each concept a name of its own.")
        return np.array(names, dtype=np.str_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _read_concepts(y: Any, n_samples: int) -> tuple[npt.NDArray[np.bool_], list[str]]:
    """Return which sample shows which concept, and the names the concepts have by themselves."""
    if y is None:
        raise ValueError("ConceptDetectors requires y to be passed, but the target y is None.")
    values = np.asarray(y)
    if values.ndim not in (1, 2) or len(values) != n_samples:
        raise ValueError(
            f"y has shape {values.shape}, expected ({n_samples}, n_concepts) or ({n_samples},), since X has "
            f"{n_samples} samples: pass 0 or 1 for each concept, or one label, a sample."
        )
    if values.ndim == 1:
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise ValueError("y has NaN or infinity: give each sample a label, or leave it out.")
        labels, places = np.unique(
            values.astype(str) if values.dtype == object else values, return_inverse=True
        )
        return places[:, None] == np.arange(len(labels)), [str(label) for label in labels.tolist()]
    numbers = check_numbers("y", y)
    if not np.isin(numbers, (0.0, 1.0)).all() or not numbers.size:
        raise ValueError(
            "y must hold 0 and 1 only, one column a concept, at least one: pass 1 where a sample shows a concept."
        )
    columns = getattr(y, "columns", [f"concept{k}" for k in range(numbers.shape[1])])
    return numbers == 1, [str(column) for column in columns]


def _check_counts(names: npt.NDArray[np.str_], n_positives: npt.NDArray[np.intp], n_samples: int) -> None:
    """Refuse concepts without examples of both kinds, and warn of those with few."""
    fewer = np.minimum(n_positives, n_samples - n_positives)
    for count, kind in ((0, "by no sample"), (n_samples, "by all samples")):
        if (n_positives == count).any():
            raise ValueError(
                f"y has concepts that are shown {kind}: {_listed(names[n_positives == count])}. A detector needs "
                "samples of both kinds: leave these concepts out, or add samples."
            )
    if (fewer < _FEW).any():
        warnings.warn(
            f"Fewer than {_FEW} samples show these concepts, or do not show them: {_listed(names[fewer < _FEW])}. "
            "Their probabilities mean little: add samples, or leave these concepts out.",
            UserWarning,
            stacklevel=3,
        )


def _listed(names: npt.NDArray[np.str_]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(repr(str(name)) for name in names[:_MOST_NAMED]) + more


def _least_squares(
    features: Array, signs: Array, alphas: Sequence[float]
) -> tuple[Array, Array, float, Array]:
    """Solve the least-squares problem of each concept, with the best of some penalties.

    Parameters
    ----------
    features : ndarray of shape (n_samples, n_features)
        X.
    signs : ndarray of shape (n_samples, n_concepts)
        1 and -1.
    alphas : sequence of float
        Weights of the penalty to choose from.

    Returns
    -------
    coef : ndarray of shape (n_concepts, n_features)
        Weights.
    intercept : ndarray of shape (n_concepts,)
        Intercepts.
    alpha : float
        The penalty with the least squared error of samples left out, over all concepts.
    left_out : ndarray of shape (n_samples, n_concepts)
        The score each sample has when all others are trained on, exactly.
    """
    n_samples, n_features = features.shape
    centre = features.mean(axis=0)
    rows = features - centre
    wide = n_features > n_samples
    # With rows = U S V', coordinates are U S, from whichever Gram matrix is the smaller.
    squares, basis = np.linalg.eigh(rows @ rows.T if wide else rows.T @ rows)
    squares = squares.clip(min=0.0)
    coordinates = basis * np.sqrt(squares) if wide else rows @ basis
    projected = coordinates.T @ signs
    mean = signs.mean(axis=0)
    spread = squares.sum() or 1.0
    left_out = np.empty(0)
    chosen, least = alphas[0], np.inf
    for alpha in alphas:
        shrunk = 1 / (squares + alpha * spread)
        leverage = 1 / n_samples + coordinates**2 @ shrunk
        residual = signs - mean - coordinates @ (shrunk[:, None] * projected)
        # The residual of a sample that is left out is its residual over 1 - leverage.
        residual /= np.maximum(1 - leverage, 1e-12)[:, None]
        error = float((residual**2).sum())
        if error < least:
            chosen, least, left_out = alpha, error, signs - residual
    shrunk = 1 / (squares[:, None] + chosen * spread)
    coef = rows.T @ (basis @ (basis.T @ signs * shrunk)) if wide else basis @ (projected * shrunk)
    return coef.T, mean - centre @ coef, chosen, left_out

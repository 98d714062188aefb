"""Cost-sensitive AdaBoost: the costs of the classes are exponents of the loss."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from widemargin.ranking._boosted_trees import ExponentialBoostingClassifier, class_shares
from widemargin.ranking._exponential_loss import ExponentialLoss, Step
from widemargin.ranking._weak_learners import TreeLearners
from widemargin.validation import check_number

__all__ = ["CostSensitiveBoostClassifier"]

Array = npt.NDArray[np.float64]

_MOST_REGROWN = 2
_LEAST_RATIO, _MOST_RATIO = 1e-9, 1e9


class CostSensitiveBoostClassifier(ExponentialBoostingClassifier):
    r"""Boosted trees for which the exponential loss of positives and negatives has different exponents.

    Solves, greedily over trees :math:`h_t` with outputs -1 and +1 and steps :math:`w_t`, the problem of CS-AdaBoost
    [1]_

    .. math:: \min_f \; \sum_{y_l = +1} u_l \exp(-C_1 f(x_l)) + \sum_{y_l = -1} u_l \exp(C_2 f(x_l)),
              \qquad f = \eta \sum_t w_t h_t

    where :math:`C_1 / C_2` is `cost_ratio` and :math:`(C_1 + C_2) / 2 = 1`, the shares :math:`u_l` sum to one half in
    each class, and :math:`\eta` is `learning_rate`. With current weights of total :math:`T_+, T_-` in the classes, of
    which b (positives) and d (negatives) are on the wrong side of a tree, its best step a is the root of

    .. math:: 2 C_1 b \cosh(C_1 a) + 2 C_2 d \cosh(C_2 a) = C_1 T_+ e^{-C_1 a} + C_2 T_- e^{-C_2 a}

    where the derivative of the loss by a vanishes. For a given step, the loss exceeds that of a tree without errors
    by :math:`2 b \sinh(C_1 a) + 2 d \sinh(C_2 a)`. So a tree is grown for the least error under these factors, first
    in the limit of a small step, :math:`C_1 : C_2`, then anew at the step found, twice at most and while the loss
    falls.

    A score of zero is the natural threshold: at the minimum it lies where the odds of the classes, each with half of
    the weight, are :math:`C_2 : C_1`.

    Parameters
    ----------
    cost_ratio : float, default=1.0
        Cost :math:`C_1` of a missed positive over the cost :math:`C_2` of a false alarm, from 1e-9 to 1e9. Values
        above 1 move the decision towards more positives; 1 is AdaBoost with balanced classes.
    n_estimators : int, default=100
        Most trees, at least 1.
    max_depth : int, default=2
        Most splits on the way to a leaf, from 1 (stumps) to 8.
    learning_rate : float, default=1.0
        Shrinkage of every step, in (0, 1].
    max_bins : int, default=256
        Bins of the values of a feature, from 2 to 256; one is for missing values.
    min_samples_leaf : int, default=1
        Fewest samples in a leaf, at least 1. Weights do not matter to it.
    feature_fraction : float, default=1.0
        Share of the features, in (0, 1], that each tree may use; drawn anew for every tree.
    random_state : int, RandomState instance or None, default=None
        Draws the features. Without effect if `feature_fraction` is 1.
    n_jobs : int or None, default=None
        Threads, -1 for all cores, None for one. The result does not depend on it.
    verbose : bool, default=False
        Whether to log every tenth round, with the logger "widemargin", at level INFO.

    Attributes
    ----------
    estimators_ : list of Tree
        The trees.
    estimator_weights_ : ndarray of shape (n_trees,)
        Their weights, shrinkage included.
    intercept_ : float
        Zero.
    history_ : dict of str to ndarray of shape (n_trees,)
        "objective", the loss after each round, and "error", the error of each tree by the weights in the loss.
    stop_reason_ : {"n_estimators", "separated", "no_edge"}
        Why no more trees were grown: as many as asked for; the last tree and the sum both separate the training
        samples; or no tree lowers the loss.
    feature_importances_ : ndarray of shape (n_features,)
        Gains of the splits of each feature, with the weights of the trees; they sum to 1 unless all are 0.
    classes_ : ndarray of shape (2,)
        Labels; ``classes_[1]`` is the positive class.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Names of the features, if X in `fit` has names that are all strings.

    See Also
    --------
    AdaBoostTreesClassifier : Without costs.
    AsymBoostClassifier : The costs are factors of the weights, spread over the rounds.
    PartialAUCBoostingClassifier : Trains for a range of false positive rates.

    Notes
    -----
    The paper tries every weak learner with its own best step; trees are too many for that, hence the search in turns.

    A tree without errors would have an infinite step. It gets that of half a sample misclassified, a share 1 / 2n of
    each class, and is the last if the sum separates the samples too.

    `sample_weight` counts samples: a weight of 2 is a row twice, a weight of 0 a row removed. Only
    `min_samples_leaf`, and bins of features with more distinct values than `max_bins`, look at rows instead.

    References
    ----------
    .. [1] H. Masnadi-Shirazi and N. Vasconcelos, "Cost-sensitive boosting", IEEE Transactions on Pattern Analysis and
       Machine Intelligence 33(2), 2011.

    Examples
    --------
    >>> from widemargin.datasets import make_ring_classification
    >>> from widemargin.ranking import CostSensitiveBoostClassifier
    >>> X, y = make_ring_classification(random_state=0)
    >>> alarms = [
    ...     int(CostSensitiveBoostClassifier(cost_ratio, n_estimators=20, max_depth=1).fit(X, y).predict(X).sum())
    ...     for cost_ratio in (0.5, 1.0, 2.0)
    ... ]
    >>> alarms[0] < alarms[1] < alarms[2]
    True
    """

    def __init__(
        self,
        cost_ratio: float = 1.0,
        n_estimators: int = 100,
        *,
        max_depth: int = 2,
        learning_rate: float = 1.0,
        max_bins: int = 256,
        min_samples_leaf: int = 1,
        feature_fraction: float = 1.0,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.cost_ratio = cost_ratio
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.max_bins = max_bins
        self.min_samples_leaf = min_samples_leaf
        self.feature_fraction = feature_fraction
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples, float32 or float64; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of at least 0, ones if None.

        Returns
        -------
        CostSensitiveBoostClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If a parameter is out of its range, X holds infinite values, or y does not have two classes with weight.
        TypeError
            If a parameter is not of its type.
        """
        ratio = check_number("cost_ratio", self.cost_ratio, at_least=_LEAST_RATIO, at_most=_MOST_RATIO)
        samples = self._read_samples(X, y, sample_weight)
        costs = (2.0 / (1.0 + ratio), 2.0 * ratio / (1.0 + ratio))
        self._boost(samples, class_shares(samples), costs=costs)
        return self

    def _next(self, learners: TreeLearners, loss: ExponentialLoss, real: bool) -> Step:
        """Search for tree and step in turns: each is the best that is found for the other."""
        factors = loss.costs
        step = loss.step(learners.fit(loss.signed_weights(factors)))
        for _ in range(_MOST_REGROWN):
            if step.size == 0.0:
                break
            factors_before, factors = factors, _error_factors(loss.costs * step.size)
            if np.allclose(factors, factors_before, rtol=1e-12, atol=0.0):
                break
            regrown = loss.step(learners.fit(loss.signed_weights(factors)))
            if regrown.factor >= step.factor:
                break
            step = regrown
        return step


def _error_factors(exponents: Array) -> Array:
    """Return sinh(exponents) over their mean, which does not overflow; 1 and 1 for equal exponents."""
    factors = np.exp(exponents - exponents.max()) * -np.expm1(-2.0 * exponents)
    return factors / factors.mean()

"""AsymBoost: AdaBoost with the costs of the classes spread evenly over the rounds."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from widemargin.ranking._boosted_trees import ExponentialBoostingClassifier, class_shares
from widemargin.ranking._exponential_loss import ExponentialLoss
from widemargin.validation import check_choice, check_number

__all__ = ["AsymBoostClassifier"]


class AsymBoostClassifier(ExponentialBoostingClassifier):
    r"""Boosted trees for which an error on a positive costs `asymmetry` times one on a negative.

    Solves, greedily over trees :math:`h_t` and steps :math:`w_t`,

    .. math:: \min_f \; \sum_l u_l \sqrt{k}^{\,y_l} \exp(-y_l f(x_l)), \qquad f = \eta \sum_t w_t h_t

    where k is `asymmetry`, :math:`y_l` is +1 for the class ``classes_[1]`` and -1 for the other, the shares
    :math:`u_l` sum to one half in each class, and :math:`\eta` is `learning_rate`. If all the costs were in the
    weights from the start, the first tree would absorb them: after it, boosting weighs both sides of its decision
    equally. Viola and Jones [1]_ therefore multiply the weights by :math:`\exp(y_l \log(\sqrt{k}) / T)` before each
    of the T rounds. Trees and steps are else those of `AdaBoostTreesClassifier`.

    A score of zero is the natural threshold for these costs: it lies where the odds of the classes, each with half of
    the weight, are 1 : k.

    Parameters
    ----------
    asymmetry : float, default=1.0
        Cost of a missed positive over that of a false alarm, greater than 0. Values above 1 move the decision towards
        more positives; 1 is AdaBoost with balanced classes.
    n_estimators : int, default=100
        Most trees, at least 1: the rounds T over which the asymmetry is spread.
    max_depth : int, default=2
        Most splits on the way to a leaf, from 1 (stumps) to 8.
    learning_rate : float, default=1.0
        Shrinkage of every step, in (0, 1].
    leaves : {"discrete", "real"}, default="discrete"
        Outputs of the trees: -1 and +1, or half the log-odds in the leaf; see `AdaBoostTreesClassifier`.
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
        "objective", the loss after each round with the asymmetry spread so far, and "error", the weighted error of each
        tree. The objective may rise, since the weights of the more costly class do.
    stop_reason_ : {"n_estimators", "separated", "no_edge"}
        Why no more trees were grown: as many as asked for; the last tree and the sum both separate the training
        samples; or no tree is better than chance on their weights.
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
    CostSensitiveBoostClassifier : The costs are exponents in the loss.
    PartialAUCBoostingClassifier : Trains for a range of false positive rates.

    Notes
    -----
    `sample_weight` counts samples: a weight of 2 is a row twice, a weight of 0 a row removed. Only
    `min_samples_leaf`, and bins of features with more distinct values than `max_bins`, look at rows instead.

    References
    ----------
    .. [1] P. Viola and M. Jones, "Fast and robust classification using asymmetric AdaBoost and a detector cascade",
       Advances in Neural Information Processing Systems 14, 2002.

    Examples
    --------
    >>> from widemargin.datasets import make_ring_classification
    >>> from widemargin.ranking import AsymBoostClassifier
    >>> X, y = make_ring_classification(random_state=0)
    >>> alarms = [
    ...     int(AsymBoostClassifier(asymmetry, n_estimators=20, max_depth=1).fit(X, y).predict(X).sum())
    ...     for asymmetry in (0.5, 1.0, 2.0)
    ... ]
    >>> alarms[0] < alarms[1] < alarms[2]
    True
    """

    def __init__(
        self,
        asymmetry: float = 1.0,
        n_estimators: int = 100,
        *,
        max_depth: int = 2,
        learning_rate: float = 1.0,
        leaves: str = "discrete",
        max_bins: int = 256,
        min_samples_leaf: int = 1,
        feature_fraction: float = 1.0,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.asymmetry = asymmetry
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.leaves = leaves
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
        AsymBoostClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If a parameter is out of its range, X holds infinite values, or y does not have two classes with weight.
        TypeError
            If a parameter is not of its type.
        """
        check_number("asymmetry", self.asymmetry, above=0)
        check_choice("leaves", self.leaves, ("discrete", "real"))
        samples = self._read_samples(X, y, sample_weight)
        self._boost(samples, class_shares(samples), real=self.leaves == "real")
        return self

    def _before_round(self, loss: ExponentialLoss) -> None:
        loss.tilt(math.log(self.asymmetry) / self.n_estimators)

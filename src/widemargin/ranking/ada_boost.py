"""AdaBoost on histogram trees, with Fisher's discriminant for the weights of the trees if asked for."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from widemargin.ranking._boosted_trees import ClassWeight, ExponentialBoostingClassifier, class_shares
from widemargin.ranking.fisher_weights import fisher_weights
from widemargin.validation import check_choice, check_flag

__all__ = ["AdaBoostTreesClassifier"]


class AdaBoostTreesClassifier(ExponentialBoostingClassifier):
    r"""Boosted trees for two classes that minimise the exponential loss, one tree after another.

    Solves, greedily over trees :math:`h_t` and steps :math:`w_t`,

    .. math:: \min_f \; \sum_l u_l \exp(-y_l f(x_l)), \qquad f = \eta \sum_t w_t h_t

    where :math:`y_l` is +1 for the class ``classes_[1]`` and -1 for the other, the shares :math:`u_l` sum to 1, and
    :math:`\eta` is `learning_rate`. Each round grows a tree for the weights :math:`u_l \exp(-y_l f(x_l))`:

    - discrete leaves, AdaBoost [1]_: the tree has outputs -1 and +1 and the least weighted error e that a greedy search
      finds, and the step is :math:`w_t = \tfrac12 \log \frac{1 - e}{e}`, the best for the loss;
    - real leaves [2]_: splits minimise the loss itself, a leaf has the value
      :math:`\tfrac12 \log \frac{W_+ + \epsilon}{W_- + \epsilon}` for its weights of positives and negatives, and
      :math:`w_t = 1`. The smoothing :math:`\epsilon` is half the mean weight of a sample, the value that [2]_ proposes.

    A score of zero is the natural threshold: the loss is least at half the log-odds of the classes, as weighted.

    Parameters
    ----------
    n_estimators : int, default=100
        Most trees, at least 1.
    max_depth : int, default=2
        Most splits on the way to a leaf, from 1 (stumps) to 8.
    learning_rate : float, default=1.0
        Shrinkage of every step, in (0, 1].
    leaves : {"discrete", "real"}, default="discrete"
        Outputs of the trees, see above.
    lda_post_processing : bool, default=False
        Whether the weights of the trees are chosen again by Fisher's discriminant [3]_, see Notes.
    class_weight : "balanced", dict or None, default="balanced"
        "balanced" gives each class one half of the weight; a dict maps labels to factors, 1 for those left out; None
        leaves `sample_weight` as it is. Discrete leaves soon forget class weights, see `AsymBoostClassifier`.
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
        Added to the sum of trees; 0 unless Fisher's discriminant chose the weights.
    history_ : dict of str to ndarray of shape (n_trees,)
        "objective", the loss after each round, and "error", the weighted error of each tree.
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
    AsymBoostClassifier : The same with costs that are spread over the rounds.
    CostSensitiveBoostClassifier : The same with costs inside the loss.
    PartialAUCBoostingClassifier : Trains for a range of false positive rates.

    Notes
    -----
    A tree without errors would have an infinite step. It gets that of half a sample misclassified, e = 1 / 2n, and is
    the last if the sum separates the samples too.

    With `lda_post_processing`, the vector of the trees' weights is
    :math:`(\Sigma_+ + \Sigma_- + \rho I)^{-1} (\mu_+ - \mu_-)`, where :math:`\mu` and :math:`\Sigma` are means and
    covariances of the trees' outputs in a class and the ridge :math:`\rho` is a millionth of the mean eigenvalue of the
    sum of covariances, which keeps the weights of trees that recur finite. The threshold lies halfway between the
    projected means, moved by the prior odds as weighted. If no tree's output varies within a class the criterion is
    infinite, and the weights of boosting are kept.

    `sample_weight` counts samples: a weight of 2 is a row twice, a weight of 0 a row removed. Only
    `min_samples_leaf`, and bins of features with more distinct values than `max_bins`, look at rows instead.

    References
    ----------
    .. [1] Y. Freund and R. E. Schapire, "A decision-theoretic generalization of on-line learning and an application to
       boosting", Journal of Computer and System Sciences 55(1), 1997.
    .. [2] R. E. Schapire and Y. Singer, "Improved boosting algorithms using confidence-rated predictions", Machine
       Learning 37(3), 1999, sections 4.1 and 4.2.
    .. [3] J. Wu, S. C. Brubaker, M. D. Mullin and J. M. Rehg, "Fast asymmetric learning for cascade face detection",
       IEEE Transactions on Pattern Analysis and Machine Intelligence 30(3), 2008.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.model_selection import train_test_split
    >>> from widemargin.ranking import AdaBoostTreesClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y % 2, random_state=0)
    >>> model = AdaBoostTreesClassifier(n_estimators=50).fit(X_train, y_train)
    >>> bool(model.score(X_test, y_test) > 0.93)
    True
    """

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        max_depth: int = 2,
        learning_rate: float = 1.0,
        leaves: str = "discrete",
        lda_post_processing: bool = False,
        class_weight: ClassWeight = "balanced",
        max_bins: int = 256,
        min_samples_leaf: int = 1,
        feature_fraction: float = 1.0,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.learning_rate = learning_rate
        self.leaves = leaves
        self.lda_post_processing = lda_post_processing
        self.class_weight = class_weight
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
        AdaBoostTreesClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If a parameter is out of its range, X holds infinite values, or y does not have two classes with weight.
        TypeError
            If a parameter is not of its type.
        """
        check_choice("leaves", self.leaves, ("discrete", "real"))
        check_flag("lda_post_processing", self.lda_post_processing)
        samples = self._read_samples(X, y, sample_weight)
        shares = class_shares(samples, self.class_weight)
        self._boost(samples, shares, real=self.leaves == "real")
        if self.lda_post_processing:
            fisher = fisher_weights(self.estimators_, samples.X, samples.positive, shares)
            if fisher is not None:
                self._set_sum(self.estimators_, *fisher)
        return self

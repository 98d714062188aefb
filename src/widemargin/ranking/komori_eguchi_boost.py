"""pAUCBoost: one weak learner after another for a smoothed partial AUC."""

from __future__ import annotations

import logging
import warnings
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from widemargin.ranking._boosted_trees import BoostedClassifier
from widemargin.ranking._operating_point import operating_point
from widemargin.ranking._smooth_partial_auc import SmoothPartialAUC
from widemargin.ranking._weak_learners import ClassifierLearners, WeakLearners
from widemargin.validation import check_flag, check_fpr_range, check_integer, check_number

__all__ = ["KomoriEguchiBoostClassifier"]

Array = npt.NDArray[np.float64]

logger = logging.getLogger("widemargin")

_LEAST_SMOOTHING, _MOST_SMOOTHING = 1e-6, 1e6
_SMALLEST_STEP = 2.0**-10
_LEAST_GAIN = 1e-9


class KomoriEguchiBoostClassifier(BoostedClassifier):
    r"""Boosted trees, or other weak learners, that climb a smoothed partial AUC: after pAUCBoost [1]_.

    Solves, greedily over weak learners :math:`h_t` with outputs -1 and +1 and steps :math:`w_t` in (0, 1],

    .. math:: \max_f \; \frac{1}{\beta - \alpha} \int_\alpha^\beta TPR_\sigma(c(u)) \, du, \qquad
              FPR_\sigma(c(u)) = u, \qquad f = \sum_t w_t h_t

    where the rates at a threshold c are smoothed by the normal distribution function,
    :math:`TPR_\sigma(c) = \frac1m \sum_i \Phi((f(x_i^+) - c) / \sigma)` and FPR likewise, and :math:`\sigma` is
    `smoothing`. Each round fits a weak learner to the gradient by the scores, in which only samples near the
    thresholds of the range count, and halves the step from 1 while the objective gains.

    The objective is not concave: the result is a local maximum that depends on the way there. For a convex bound
    solved to a known gap see `PartialAUCBoostingClassifier`.

    Parameters
    ----------
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        False positive rates alpha and beta, ``0 <= alpha < beta <= 1``. (0, 1) is the AUC.
    smoothing : float, default=3.0
        Standard deviation of the smoothing, in units of the outputs of weak learners, from 1e-6 to 1e6. A small
        one follows the partial AUC itself closely and learns fast; a large one looks further beyond the range, and
        generalises better if there are many rounds.
    n_estimators : int, default=100
        Most weak learners, at least 1.
    max_depth : int, default=2
        Most splits on the way to a leaf, from 1 (stumps) to 8.
    max_bins : int, default=256
        Bins of the values of a feature, from 2 to 256; one is for missing values.
    min_samples_leaf : int, default=1
        Fewest samples in a leaf, at least 1. Weights do not matter to it.
    feature_fraction : float, default=1.0
        Share of the features, in (0, 1], that each tree may use; drawn anew for every tree.
    estimator : classifier, "linear" or None, default=None
        Weak learner in place of trees: a scikit-learn classifier whose `fit` takes `sample_weight`, used through its
        predicted labels, or "linear" for a linear SVM by LIBLINEAR. `max_depth`, `max_bins`, `min_samples_leaf` and
        `feature_fraction` are then not used.
    random_state : int, RandomState instance or None, default=None
        Draws the features, and seeds other weak learners.
    n_jobs : int or None, default=None
        Threads, -1 for all cores, None for one. The result does not depend on it.
    verbose : bool, default=False
        Whether to log every tenth round, with the logger "widemargin", at level INFO.

    Attributes
    ----------
    estimators_ : list of Tree or classifier
        The weak learners.
    estimator_weights_ : ndarray of shape (n_learners,)
        Their weights.
    intercept_ : float
        What `decision_function` adds to f. The objective has none: it only puts zero at the threshold inside
        `fpr_range`, on the training samples, at which true minus false positive rate is largest.
    history_ : dict of str to ndarray of shape (n_learners,)
        "objective", the smoothed partial AUC in [0, 1] after each round, and "edge", the derivative of it along each
        weak learner. The objective rises.
    stop_reason_ : {"n_estimators", "no_edge", "no_step"}
        Why no more weak learners were added: as many as asked for; none goes along the gradient; or no step along the
        last raises the objective.
    feature_importances_ : ndarray of shape (n_features,)
        Gains of the splits of each feature, with the weights of the trees; they sum to 1 unless all are 0. For trees
        only.
    classes_ : ndarray of shape (2,)
        Labels; ``classes_[1]`` is the positive class.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str of shape (n_features,)
        Names of the features, if X in `fit` has names that are all strings.

    See Also
    --------
    PartialAUCBoostingClassifier : A convex bound of the partial AUC, with all weights solved for in every round.
    AdaBoostTreesClassifier : The same trees, for the whole range.

    Notes
    -----
    What differs from the paper:

    - Its weak learners are natural cubic splines and stumps of single features, and a penalty on the curvature of the
      sum keeps it smooth. Ours are trees or linear classifiers without a penalty; the number of rounds, and steps of
      at most 1 against `smoothing`, take its place.
    - It smooths the true positive rate alone, over the negatives between the two thresholds. Sums of trees tie much,
      and there a sum over such pairs prefers scores that are all equal (1/2) to a good first tree. With both rates
      smoothed, equal scores have the diagonal of the ROC curve.
    - It goes one step of Newton's method along every weak learner, and takes the one that gains most. Here the gradient
      chooses the weak learner, and halving the step.

    `sample_weight` counts samples: a weight of 2 is a row twice, a weight of 0 a row removed. Only
    `min_samples_leaf`, and bins of features with more distinct values than `max_bins`, look at rows instead.

    References
    ----------
    .. [1] O. Komori and S. Eguchi, "A boosting method for maximizing the partial area under the ROC curve", BMC
       Bioinformatics 11:314, 2010.

    Examples
    --------
    >>> from widemargin.datasets import make_ring_classification
    >>> from widemargin.metrics import partial_auc_score
    >>> from widemargin.ranking import KomoriEguchiBoostClassifier
    >>> X, y = make_ring_classification(random_state=0)
    >>> X_test, y_test = make_ring_classification(1000, random_state=1)
    >>> model = KomoriEguchiBoostClassifier((0, 0.2), n_estimators=50, max_depth=1).fit(X, y)
    >>> bool(partial_auc_score(y_test, model.decision_function(X_test), fpr_range=(0, 0.2)) > 0.85)
    True
    """

    def __init__(
        self,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        smoothing: float = 3.0,
        *,
        n_estimators: int = 100,
        max_depth: int = 2,
        max_bins: int = 256,
        min_samples_leaf: int = 1,
        feature_fraction: float = 1.0,
        estimator: Any = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.fpr_range = fpr_range
        self.smoothing = smoothing
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.max_bins = max_bins
        self.min_samples_leaf = min_samples_leaf
        self.feature_fraction = feature_fraction
        self.estimator = estimator
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Add weak learners.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples, float32 or float64. NaN is a missing value for trees; for another `estimator` it is an
            error.
        y : array-like of shape (n_samples,)
            Labels of two classes.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of at least 0, ones if None. If all are whole numbers the range is rounded inwards to whole
            negatives, otherwise it is exact.

        Returns
        -------
        KomoriEguchiBoostClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If a parameter is out of its range, X holds infinite values, y does not have two classes with weight, or
            `fpr_range` holds no negative; the message then has the smallest range that would do.
        TypeError
            If a parameter is not of its type.
        """
        fpr_range = check_fpr_range(self.fpr_range)
        smoothing = check_number(
            "smoothing", self.smoothing, at_least=_LEAST_SMOOTHING, at_most=_MOST_SMOOTHING
        )
        n_estimators = check_integer("n_estimators", self.n_estimators, at_least=1)
        check_flag("verbose", self.verbose)
        samples = self._read_samples(X, y, sample_weight)
        target = SmoothPartialAUC(samples.positive, samples.sample_weight, fpr_range, smoothing)
        learners = self._learners(samples.X)
        scores = np.zeros(samples.positive.size)
        objective = target.value(scores)
        chosen: list[Any] = []
        weights: list[float] = []
        objectives: list[float] = []
        edges: list[float] = []
        reason = "n_estimators"
        for number in range(1, n_estimators + 1):
            gradient = target.gradient(scores)
            learner = learners.fit(gradient)
            outputs = learner.values[learner.codes]
            edge = float(gradient @ outputs)
            step = 0.0
            if edge <= _LEAST_GAIN * np.abs(gradient).sum():
                reason = "no_edge"
            else:
                step, scores, objective = _climb(target, scores, outputs, objective)
                reason = reason if step > 0.0 else "no_step"
            if step == 0.0 and chosen:
                break
            chosen.append(learner.estimator)
            weights.append(step)
            objectives.append(objective)
            edges.append(edge)
            if step == 0.0:
                warnings.warn(
                    "No weak learner raises the partial AUC on the training samples, and all scores are equal: pass "
                    "features that differ between the classes, or a stronger weak learner.",
                    UserWarning,
                    stacklevel=2,
                )
                break
            if self.verbose and number % 10 == 0:
                logger.info("%s: %d weak learners, objective %.6g", type(self).__name__, number, objective)
        intercept = operating_point(scores, samples, fpr_range)
        self._set_sum(chosen, np.array(weights), intercept)
        self.history_ = {"objective": np.array(objectives), "edge": np.array(edges)}
        self.stop_reason_ = reason
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.estimator is None
        tags.input_tags.sparse = self.estimator is not None
        return tags

    def _learners(self, X: Any) -> WeakLearners:
        random_state = check_random_state(self.random_state)
        if self.estimator is None:
            return self._tree_learners(X, random_state, criterion="edge")
        return ClassifierLearners(X, self.estimator, random_state)


def _climb(
    target: SmoothPartialAUC, scores: Array, outputs: Array, objective: float
) -> tuple[float, Array, float]:
    """Return the step, among 1, 1/2, 1/4 and so on, up to which halving gains, and the scores and objective there."""
    best_step, best_scores, best = 0.0, scores, objective + _LEAST_GAIN
    step = 1.0
    while step >= _SMALLEST_STEP:
        moved = scores + step * outputs
        value = target.value(moved)
        if value > best:
            best_step, best_scores, best = step, moved, value
        elif best_step > 0.0:
            break
        step *= 0.5
    return best_step, best_scores, best if best_step > 0.0 else objective

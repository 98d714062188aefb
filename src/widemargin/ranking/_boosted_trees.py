"""What the boosted baselines share: predictions, and rounds under an exponential loss."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from widemargin.engine import check_n_jobs
from widemargin.ranking._base import RankingClassifier, Samples
from widemargin.ranking._exponential_loss import ExponentialLoss, Step
from widemargin.ranking._weak_learners import TreeLearners
from widemargin.ranking._weighted_sum import WeightedSum
from widemargin.trees import Tree
from widemargin.validation import LEAST_SHARE, check_flag, check_integer, check_number

__all__ = ["BoostedClassifier", "ExponentialBoostingClassifier"]

Array = npt.NDArray[np.float64]
ClassWeight = Literal["balanced"] | Mapping[Any, float] | None

logger = logging.getLogger("widemargin")


class BoostedClassifier(RankingClassifier):
    """Base of the classifiers that add weak learners one by one; subclasses define `fit`."""

    def decision_function(self, X: Any) -> Array:
        """Return the scores of samples, positive for the class ``classes_[1]``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of shape (n_samples,)
            Weighted sum of the weak learners' outputs, plus the intercept.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        check_is_fitted(self)
        return self._sum(self._check_samples(X), self._n_threads()) + self.intercept_

    def staged_decision_function(self, X: Any) -> Iterator[Array]:
        """Yield the scores of the first weak learner, of the first two, and so on.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            Scores with the final weights and the final intercept. The last are those of `decision_function`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        check_is_fitted(self)
        for scores in self._sum.partial_sums(self._check_samples(X), self._n_threads()):
            yield scores + self.intercept_

    @property
    def estimators_(self) -> list[Any]:
        """The weak learners, in the order in which they were added."""
        return self._sum.learners

    @property
    def estimator_weights_(self) -> Array:
        """Weights of the weak learners."""
        return self._sum.weights

    @property
    def feature_importances_(self) -> Array:
        """Gains of the splits of each feature, with the weights of the trees; they sum to 1 unless all are 0."""
        check_is_fitted(self)
        return self._sum.split_gains()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _n_threads(self) -> int:
        # More threads than cores only wait for each other.
        return 1 if self.n_jobs is None else min(check_n_jobs(self.n_jobs), check_n_jobs(-1))

    def _set_sum(self, learners: list[Any], weights: Array, intercept: float) -> None:
        """Set what predictions need."""
        self.intercept_ = intercept
        self._sum = WeightedSum(learners, weights)

    def _tree_learners(
        self,
        X: npt.NDArray[Any],
        random_state: np.random.RandomState,
        *,
        criterion: str,
        leaf_alpha: float = 0.0,
    ) -> TreeLearners:
        """Return the source of trees that the parameters describe."""
        return TreeLearners(
            X,
            max_bins=self.max_bins,
            max_depth=self.max_depth,
            min_samples_leaf=self.min_samples_leaf,
            criterion=criterion,
            leaf_alpha=leaf_alpha,
            feature_fraction=check_share("feature_fraction", self.feature_fraction),
            random_state=random_state,
            n_threads=self._n_threads(),
        )


class ExponentialBoostingClassifier(BoostedClassifier):
    """Base of AdaBoost and its relatives; subclasses define `fit`, and what is their own of a round."""

    def _boost(
        self, samples: Samples, shares: Array, *, real: bool = False, costs: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        """Add trees until there is a reason to stop, and set the fitted attributes.

        Parameters
        ----------
        samples : Samples
            Training samples.
        shares : ndarray of shape (n_samples,)
            What each counts in the loss, of sum 1.
        real : bool, default=False
            Whether the outputs of trees are log-odds.
        costs : tuple of (float, float), default=(1.0, 1.0)
            Exponents of negatives and positives in the loss.
        """
        n_estimators = check_integer("n_estimators", self.n_estimators, at_least=1)
        learning_rate = check_share("learning_rate", self.learning_rate)
        check_flag("verbose", self.verbose)
        n_samples = n_whole_samples(samples.sample_weight)
        loss = ExponentialLoss(samples.positive, shares, n_samples, np.array(costs))
        learners = self._tree_learners(
            samples.X,
            check_random_state(self.random_state),
            criterion="exponential" if real else "edge",
            leaf_alpha=0.5 / n_samples if real else 0.0,
        )
        trees: list[Tree] = []
        weights: list[float] = []
        objective: list[float] = []
        errors: list[float] = []
        reason = "n_estimators"
        for number in range(1, n_estimators + 1):
            self._before_round(loss)
            step = self._next(learners, loss, real)
            if step.size == 0.0:
                reason = "no_edge"
                if trees:
                    break
                warnings.warn(
                    f"No tree of depth {self.max_depth} is better than chance on the training samples, and all scores "
                    "are 0: pass features that differ between the classes, or raise max_depth.",
                    UserWarning,
                    stacklevel=3,
                )
            weight = learning_rate * step.size
            loss.add(weight * step.learner.values[step.learner.codes])
            trees.append(step.learner.estimator)
            weights.append(weight)
            objective.append(loss.value)
            errors.append(step.error)
            if self.verbose and number % 10 == 0:
                logger.info("%s: %d trees, objective %.6g", type(self).__name__, number, loss.value)
            if step.error == 0.0 and loss.separates():
                reason = "separated"
            if reason != "n_estimators":
                break
        self._set_sum(trees, np.array(weights), 0.0)
        self.history_ = {"objective": np.array(objective), "error": np.array(errors)}
        self.stop_reason_ = reason

    def _before_round(self, loss: ExponentialLoss) -> None:
        """Change the weights of the samples before a round; AdaBoost does not."""

    def _next(self, learners: TreeLearners, loss: ExponentialLoss, real: bool) -> Step:
        """Return the next tree and its step."""
        return loss.step(learners.fit(loss.signed_weights()), real=real)


def n_whole_samples(weight: Array) -> float:
    """Return how many samples there are: the sum of weights that are all whole numbers, else the number of rows."""
    return float(weight.sum() if np.all(weight == np.floor(weight)) else weight.size)


def class_shares(samples: Samples, class_weight: ClassWeight = "balanced") -> Array:
    """Return the weights of the samples, of sum 1, after the classes have got theirs.

    Raises
    ------
    ValueError
        If `class_weight` is not one of its kinds, or leaves a class without weight.
    """
    weight, labels = samples.sample_weight, samples.positive.astype(np.intp)
    if isinstance(class_weight, str) and class_weight == "balanced":
        # By weight; scikit-learn's function counts rows.
        factors = 1.0 / np.bincount(labels, weights=weight)
    elif class_weight is None or isinstance(class_weight, Mapping):
        factors = _class_factors(class_weight, samples.classes)
    else:
        raise ValueError(
            f"class_weight must be 'balanced', a dict or None, got {class_weight!r}: pass one of these."
        )
    shares = weight * factors[labels]
    shares /= shares.sum()
    if np.bincount(labels, weights=shares).min() < LEAST_SHARE:
        raise ValueError(
            f"class_weight must leave each class a share of at least {LEAST_SHARE:g} of the weight, got "
            f"{class_weight!r}: pass weights of more similar size."
        )
    return shares


def _class_factors(class_weight: Mapping[Any, float] | None, classes: npt.NDArray[Any]) -> Array:
    """Return the weights that the user gives the classes, with a largest one of 1; a class not mentioned has weight 1.

    Raises
    ------
    ValueError
        If a key is no class, or a value is not a finite number greater than 0.
    """
    given = {} if class_weight is None else dict(class_weight)
    labels = classes.tolist()
    unknown = [label for label in given if label not in labels]
    if unknown:
        raise ValueError(
            f"class_weight must be a dict from the classes {labels} to weights, got the key {unknown[0]!r}: pass "
            "weights for these classes only."
        )
    try:
        factors = np.array(
            [check_number("class_weight", given.get(label, 1.0), above=0.0) for label in labels]
        )
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"class_weight must give both classes a finite weight greater than 0, got {class_weight!r}: pass positive "
            "numbers."
        ) from error
    return factors / factors.max()


def check_share(name: str, value: Any) -> float:
    """Return a number in (0, 1] as float, or say how it misses the range."""
    share = check_number(name, value, above=0.0)
    if share > 1.0:
        raise ValueError(f"{name} must be at most 1, got {value!r}: pass a share in (0, 1].")
    return share

"""An ensemble of trees that maximises the partial AUC in a range of false positive rates."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from widemargin import _native
from widemargin.ranking._base import Samples
from widemargin.ranking._boosted_trees import BoostedClassifier
from widemargin.ranking._column_generation import ColumnGeneration, is_solved
from widemargin.ranking._operating_point import operating_point
from widemargin.ranking._totally_corrective import Round, Rules, TotallyCorrectiveBoosting
from widemargin.ranking._weak_learners import (
    ClassifierLearners,
    ConfidenceTreeLearners,
    WeakLearners,
    learner_codes,
    learner_values,
)
from widemargin.solvers.partial_auc_risk import PartialAUCRisk
from widemargin.trees import Tree
from widemargin.validation import check_choice, check_flag, check_fpr_range, check_integer, check_number

__all__ = ["PartialAUCBoostingClassifier"]

Array = npt.NDArray[np.float64]

LEAVES = ("sign", "confidence")
BOUNDS = ("tight", "structural")
HISTORY = ("objective", "dual_gap", "n_cuts", "edge", "training_pauc", "validation_pauc")


class PartialAUCBoostingClassifier(BoostedClassifier):
    r"""Boosted trees, or other weak learners, that maximise the partial AUC: pAUCEnsT [1]_.

    Minimises over the weights of weak learners :math:`h_t`, which are found one by one,

    .. math::
        \tfrac12 \|w\|^2 + \nu R(f), \qquad f(x) = \sum_t w_t h_t(x), \quad w \ge 0,

    where R, a convex upper bound of one minus the partial AUC, is the loss of the most violated ordering of positives
    and negatives (equation (8) of the paper)

    .. math::
        R(f) = \max_\pi \; \Delta(\pi) - \frac{1}{m (j_\beta - j_\alpha)} \sum_{i, j} \pi_{ij}
        \bigl(f(x_i^+) - f(x_{k_j}^-)\bigr), \qquad
        j_\alpha = \lceil n \alpha \rceil, \; j_\beta = \lfloor n \beta \rfloor,

    for m positives and n negatives: an average over pairs, so that `nu` means the same for any number of samples. After
    each new weak learner all weights are solved for again, to a relative gap of `cut_tol`, by cutting planes that are
    kept from round to round (Algorithms 1 and 2). The ordering is found exactly, in O((m + n) log(m + n)).

    Parameters
    ----------
    fpr_range : tuple of (float, float), default=(0.0, 0.1)
        False positive rates alpha and beta, ``0 <= alpha < beta <= 1``. (0, 1) is the AUC.
    nu : float, default=1.0
        Weight of the risk, > 0. The paper searches {0.1, 0.2, 0.5, 1}.
    n_estimators : int, default=100
        Number of weak learners, at least 1.
    max_depth : int, default=2
        Depth of the trees, from 1 to 8.
    max_bins : int, default=256
        Bins a feature, from 2 to 256, one of which is for missing values if there are any.
    min_samples_leaf : int, default=1
        Fewest samples in a leaf, at least 1. Samples whose weight is zero in a round, as most negatives beyond
        the range have, do not count.
    leaves : {"sign", "confidence"}, default="sign"
        Outputs of a tree: "sign" is the paper's weak classifier, -1 or +1, with splits that minimise the weighted
        error; "confidence" is G / (W + a) for the sum G of the signed weights in the leaf and the sum W of their
        sizes, with splits that maximise the sum of G^2 / (W + a), scaled to mean square 1 over the training samples.
        Deeper trees gain from it.
    leaf_alpha : float, default=0.01
        The constant a for ``leaves="confidence"``, as a share of the total weight, >= 0: pulls small leaves to zero.
    weight_smoothing : float, default=0.0
        Share, in [0, 1), of the earlier rounds' sample weights in those that a weak learner is fitted to; the problem
        that the weights w solve stays the same. In a range with few negatives the weights of one round rest on a
        handful of them, and weak learners overfit these: 0.8 helps there.
    estimator : classifier, "linear" or None, default=None
        Weak learner in place of trees: a scikit-learn classifier whose `fit` takes `sample_weight`, used through its
        predicted labels, or "linear" for a linear SVM by LIBLINEAR. `max_depth`, `max_bins`, `min_samples_leaf`,
        `leaves`, `leaf_alpha` and `feature_fraction` are then not used.
    bound : {"tight", "structural"}, default="tight"
        "tight" is pAUCEnsT; "structural" sums over all negatives and not the highest :math:`j_\beta` only, which is
        the looser bound of the earlier pAUCEns [2]_.
    cut_tol : float, default=0.05
        Relative gap to which the weights are solved in each round, > 0: share of `objective_`, or of four times the
        possible decrease ``nu - (objective_ - dual_gap_)`` from w = 0, where the objective is nu, if that is smaller.
    tol : float, default=1e-4
        Training stops when the edge of a new weak learner, ``sum_l u_l y_l h(x_l) / sum_l u_l`` for the sample weights
        u that it was fitted to, is not above it (equation (13), relative to the weights); >= 0.
    feature_fraction : float, default=1.0
        Share of the features that each tree may use, drawn at random, in (0, 1].
    early_stopping : bool, default=False
        Whether to set a part of the samples aside and to keep the number of weak learners that is best on it.
    validation_fraction : float, default=0.1
        Share of the samples set aside with `early_stopping`, in (0, 1); stratified.
    n_iter_no_change : int, default=10
        Rounds without a better validation score after which `early_stopping` stops, at least 1.
    random_state : int, RandomState or None, default=None
        Draws features and the validation part, and seeds other weak learners.
    n_jobs : int or None, default=None
        Threads; None is 1 and -1 all cores. Results do not depend on it.
    warm_start : bool, default=False
        Whether `fit` goes on from the weak learners that exist: it re-solves their weights on the data given and adds
        what is missing to `n_estimators`.
    verbose : bool, default=False
        Whether to log every tenth round, with the logger "widemargin", at level INFO.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        Labels; the second is the positive class.
    estimators_ : list of Tree or classifier
        The weak learners.
    estimator_weights_ : ndarray of shape (n_learners,)
        Their weights w, not negative.
    n_estimators_ : int
        Their number.
    intercept_ : float
        What `decision_function` adds to f. The problem has none: it only puts zero at the threshold inside
        `fpr_range`, on the training samples, at which true minus false positive rate is largest.
    objective_ : float
        Value of the problem for these weak learners and weights.
    dual_gap_ : float
        Bound on the distance of `objective_` from the optimum over the weights of these weak learners.
    converged_ : bool
        Whether ``dual_gap_ <= cut_tol * min(objective_, 4 * (nu - (objective_ - dual_gap_)))``, or the gap is only
        rounding.
    history_ : dict of str to ndarray of shape (n_rounds,)
        "objective", "dual_gap", "n_cuts" (cuts added), "edge", "training_pauc" and, with early stopping,
        "validation_pauc" after every round.
    feature_importances_ : ndarray of shape (n_features,)
        Share of each feature in the improvements of the splitting criterion, weighted by w; for trees.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if X had any.

    See Also
    --------
    PartialAUCSVC : The same problem for a linear or kernel function.
    AdaBoostTreesClassifier : The same trees, for the whole range.

    Notes
    -----
    Training breaks ties of scores against the positive; `partial_auc_score` counts them half. Missing values (NaN) go
    to the side of a split that suits them. Sample weights are multiplicities: see `fit`.

    The objective falls in every round by at least half the square of the new weight when weights are solved exactly.
    (Propositions 2 and 4 of the paper claim more than holds.)

    References
    ----------
    .. [1] S. Paisitkriangkrai, C. Shen, A. van den Hengel, "Pedestrian detection with spatially pooled features and
       structured ensemble learning", 2014, section 2.2.
    .. [2] S. Paisitkriangkrai, C. Shen, A. van den Hengel, "Efficient pedestrian detection by directly optimizing the
       partial area under the ROC curve", ICCV 2013.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.model_selection import train_test_split
    >>> from widemargin.metrics import partial_auc_score
    >>> from widemargin.ranking import PartialAUCBoostingClassifier
    >>> X, digits = load_digits(return_X_y=True)
    >>> X, X_test, y, y_test = train_test_split(X, digits % 2, random_state=0)
    >>> model = PartialAUCBoostingClassifier((0, 0.1), nu=0.3, max_depth=5, leaves="confidence").fit(X, y)
    >>> bool(partial_auc_score(y_test, model.decision_function(X_test), fpr_range=(0, 0.1)) > 0.95)
    True
    """

    def __init__(
        self,
        fpr_range: tuple[float, float] = (0.0, 0.1),
        nu: float = 1.0,
        *,
        n_estimators: int = 100,
        max_depth: int = 2,
        max_bins: int = 256,
        min_samples_leaf: int = 1,
        leaves: str = "sign",
        leaf_alpha: float = 0.01,
        weight_smoothing: float = 0.0,
        estimator: Any = None,
        bound: str = "tight",
        cut_tol: float = 0.05,
        tol: float = 1e-4,
        feature_fraction: float = 1.0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        random_state: Any = None,
        n_jobs: int | None = None,
        warm_start: bool = False,
        verbose: bool = False,
    ) -> None:
        self.fpr_range = fpr_range
        self.nu = nu
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.max_bins = max_bins
        self.min_samples_leaf = min_samples_leaf
        self.leaves = leaves
        self.leaf_alpha = leaf_alpha
        self.weight_smoothing = weight_smoothing
        self.estimator = estimator
        self.bound = bound
        self.cut_tol = cut_tol
        self.tol = tol
        self.feature_fraction = feature_fraction
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PartialAUCBoostingClassifier:
        """Train the ensemble.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples, float32 or float64. NaN is a missing value for trees; for another `estimator` it is an
            error, and sparse matrices are allowed.
        y : array-like of shape (n_samples,)
            Two labels of any kind; the larger one is the positive class.
        sample_weight : array-like of shape (n_samples,), default=None
            Multiplicities of at least 0. If all are whole numbers, a weight of 2 is the same as the sample twice, and 0
            the same as leaving it out; otherwise the range of false positive rates is that of the negatives' weight,
            and a negative at its end counts in part.

        Returns
        -------
        PartialAUCBoostingClassifier
            The fitted estimator.

        Raises
        ------
        ValueError
            If a parameter is out of its range, there are not exactly two classes, or `fpr_range` holds no negative or
            is too narrow for weights that are not whole numbers; the message then has a range that would do.
        """
        rules = self._check_rules()
        samples = self._read_samples(X, y, sample_weight)
        earlier = self._earlier_learners(samples)
        random_state = check_random_state(self.random_state)
        training, validation = self._divide(samples, random_state)
        learners = self._make_learners(training, random_state)
        problem = ColumnGeneration(
            PartialAUCRisk(training.positive, rules.fpr_range, training.sample_weight, self.bound),
            rules.nu,
            cut_tol=rules.cut_tol,
            n_samples=training.positive.size,
            n_codes=max([learners.n_codes, *(learner_values(each).size for each in earlier)]),
        )
        boosting = TotallyCorrectiveBoosting(problem, learners, training, validation, rules)
        if earlier:
            boosting.resume(earlier, self._rounds())
        boosting.run(type(self).__name__ if self.verbose else None)
        n_best = boosting.n_best()
        rounds = boosting.rounds[:n_best]
        scores = problem.scores(rounds[-1].weights)
        intercept = operating_point(scores, training, rules.fpr_range)
        self._set_sum(boosting.estimators[:n_best], rounds[-1].weights, intercept)
        self._set_rounds(rounds, rules)
        return self

    def staged_decision_function(self, X: Any) -> Iterator[Array]:
        """Yield the scores after each round: every ensemble with the weights it had, and the final intercept.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.

        Yields
        ------
        ndarray of shape (n_samples,)
            Scores of the ensemble of that round. The last are those of `decision_function`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        check_is_fitted(self)
        X = self._check_samples(X)
        columns = [learner_values(estimator) for estimator in self.estimators_]
        values = np.zeros((len(columns), max(column.size for column in columns)))
        leaves = _native.LeafMatrix(X.shape[0], values.shape[1])
        for row, column, codes in zip(values, columns, learner_codes(self.estimators_, X), strict=True):
            row[: column.size] = column
            leaves.append(codes)
        for weights in self._round_weights:
            yield leaves.scores(weights[:, None] * values[: weights.size]) + self.intercept_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.estimator is not None
        tags.input_tags.allow_nan = self.estimator is None
        return tags

    def _check_rules(self) -> Rules:
        """Check the parameters that do not describe the weak learners."""
        check_choice("bound", self.bound, BOUNDS)
        for name in ("early_stopping", "warm_start", "verbose"):
            check_flag(name, getattr(self, name))
        n_estimators = check_integer("n_estimators", self.n_estimators, at_least=1)
        if self.warm_start and n_estimators < len(getattr(self, "estimators_", ())):
            raise ValueError(
                f"n_estimators must be at least the {len(self.estimators_)} of the ensemble that warm_start goes on "
                f"from, got {n_estimators}: raise it, or pass warm_start=False."
            )
        smoothing = check_number("weight_smoothing", self.weight_smoothing, at_least=0.0)
        if smoothing >= 1.0:
            raise ValueError(
                f"weight_smoothing must be less than 1, got {self.weight_smoothing!r}: pass a share in [0, 1)."
            )
        return Rules(
            fpr_range=check_fpr_range(self.fpr_range),
            nu=check_number("nu", self.nu, above=0.0),
            cut_tol=check_number("cut_tol", self.cut_tol, above=0.0),
            tol=check_number("tol", self.tol, at_least=0.0),
            n_estimators=n_estimators,
            weight_smoothing=smoothing,
            n_iter_no_change=check_integer("n_iter_no_change", self.n_iter_no_change, at_least=1),
        )

    def _divide(
        self, samples: Samples, random_state: np.random.RandomState
    ) -> tuple[Samples, Samples | None]:
        """Set the validation samples aside, if asked for."""
        share = check_number("validation_fraction", self.validation_fraction, above=0.0)
        if share >= 1.0:
            raise ValueError(
                f"validation_fraction must be less than 1, got {self.validation_fraction!r}: pass a share in (0, 1)."
            )
        if not self.early_stopping:
            return samples, None
        try:
            training, validation = train_test_split(
                np.arange(samples.positive.size),
                test_size=share,
                stratify=samples.positive,
                random_state=random_state,
            )
        except ValueError as error:
            raise ValueError(
                f"early_stopping needs at least two samples of each class, and one of each in "
                f"validation_fraction={share:g} of the samples: {error}"
            ) from error
        return samples.take(np.sort(training)), samples.take(np.sort(validation))

    def _earlier_learners(self, samples: Samples) -> list[Any]:
        """Return the weak learners that `warm_start` goes on from."""
        if not (self.warm_start and hasattr(self, "estimators_")):
            return []
        first = self.estimators_[0]
        are_trees = isinstance(first, Tree)
        if are_trees != (self.estimator is None):
            raise ValueError(
                f"warm_start goes on from weak learners of one kind, got estimator={self.estimator!r} after "
                f"{type(first).__name__}: pass the same estimator, or warm_start=False."
            )
        n_features = first.n_features if are_trees else first.n_features_in_
        if samples.X.shape[1] != n_features:
            raise ValueError(
                f"warm_start goes on from weak learners for {n_features} features, got {samples.X.shape[1]}: pass the "
                "same features, or warm_start=False."
            )
        return self.estimators_

    def _make_learners(self, training: Samples, random_state: np.random.RandomState) -> WeakLearners:
        """Return the source of weak learners that the parameters describe."""
        if self.estimator is not None:
            return ClassifierLearners(training.X, self.estimator, random_state)
        check_choice("leaves", self.leaves, LEAVES)
        leaf_alpha = check_number("leaf_alpha", self.leaf_alpha, at_least=0.0)
        if self.leaves == "sign":
            return self._tree_learners(training.X, random_state, criterion="edge")
        trees = self._tree_learners(training.X, random_state, criterion="squared", leaf_alpha=leaf_alpha)
        return ConfidenceTreeLearners(trees, training.sample_weight)

    def _set_rounds(self, rounds: list[Round], rules: Rules) -> None:
        """Set the history and the certificate."""
        last = rounds[-1]
        self.n_estimators_ = len(rounds)
        self.objective_ = last.objective
        self.dual_gap_ = last.dual_gap
        self.converged_ = is_solved(last.objective, last.dual_gap, rules.nu, rules.cut_tol)
        self.history_ = {
            name: np.array([getattr(each, name) for each in rounds])
            for name in HISTORY
            if self.early_stopping or name != "validation_pauc"
        }
        self._round_weights = [each.weights for each in rounds]
        if last.edge <= rules.tol:
            warnings.warn(
                f"No weak learner has an edge above tol={rules.tol:g} on the training samples, the last one "
                f"{last.edge:.3g}: pass features that differ between the classes, raise max_depth, or lower tol.",
                UserWarning,
                stacklevel=3,
            )
        if not self.converged_:
            warnings.warn(
                f"PartialAUCBoostingClassifier solved for the weights to a gap of {last.dual_gap:.3g} at an objective "
                f"of {last.objective:.6g}, above cut_tol={rules.cut_tol:g} of it or of its decrease from w = 0: raise "
                "cut_tol or lower nu.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _rounds(self) -> list[Round]:
        """Return the rounds of an earlier fit."""
        columns = self.history_ | {
            name: np.full(self.n_estimators_, np.nan) for name in HISTORY if name not in self.history_
        }
        return [
            Round(weights, **{name: columns[name][t].item() for name in HISTORY})
            for t, weights in enumerate(self._round_weights)
        ]

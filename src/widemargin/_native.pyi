"""Compiled loops of widemargin.

Arrays are C-contiguous float64 and never converted; labels are -1.0 or +1.0. Shapes are checked
(`ValueError`, or `TypeError` for the wrong number of dimensions, dtype or layout), values are not: callers
validate.

Every solver stops when objective - dual_objective <= tol * abs(objective), when no move improves the dual
beyond rounding, or after `max_iter` moves; `converged` says whether the first holds for the returned point.
Both objectives are computed from the returned solution and objective >= dual_objective. An interrupt (Ctrl-C)
is raised within a fraction of a second and leaves feasible variables.
"""

import numpy as np
from numpy.typing import NDArray

def smo_svm(
    K: NDArray[np.float64],
    y: NDArray[np.float64],
    margins: NDArray[np.float64],
    C: NDArray[np.float64],
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    alpha: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float, float, int, bool]:
    """Minimise 1/2 |f|^2 + sum_i C_i max(0, margins_i - y_i (f(x_i) + b)) through its dual.

    `alpha` holds a feasible start (0 <= alpha <= C, and y'alpha = 0 with an intercept) and receives the
    solution. `margins` may have any sign; `C` is positive.

    Returns
    -------
    output : ndarray of shape (n_samples,)
        K (alpha y), the decision values without intercept; see `hinge_intercept`.
    objective, dual_objective : float
    n_iter : int
        Updates of a pair (with an intercept) or of one coordinate (without).
    converged : bool
    """

def hinge_intercept(
    output: NDArray[np.float64],
    y: NDArray[np.float64],
    margins: NDArray[np.float64],
    C: NDArray[np.float64],
) -> tuple[float, float]:
    """Minimise sum_i C_i max(0, margins_i - y_i (output_i + b)) over b exactly, in O(n log n).

    Where an interval minimises, its middle is taken, or its finite end where it is unbounded.

    Returns
    -------
    intercept, value : float
    """

def smo_svm_plus(
    K: NDArray[np.float64],
    K_privileged: NDArray[np.float64],
    y: NDArray[np.float64],
    C: NDArray[np.float64],
    privileged_alpha: float,
    tol: float,
    max_iter: int,
    alpha: NDArray[np.float64],
    beta: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float, float, float, int, bool]:
    """Minimise the hinge SVM+ objective with unpenalised biases through its dual.

    `alpha` and `beta` hold a feasible start (nonnegative, y'alpha = 0, sum(alpha + beta - C) = 0; for example
    alpha = 0 and beta = C) and receive the solution.

    Returns
    -------
    output : ndarray of shape (n_samples,)
        K (alpha y), the decision values without intercept.
    slack : ndarray of shape (n_samples,)
        K_privileged (alpha + beta - C) / privileged_alpha, the slacks without privileged intercept.
    objective, dual_objective : float
    intercept, privileged_intercept : float
    n_iter : int
    converged : bool
    """

def nonnegative_qp(
    Q: NDArray[np.float64],
    tol: float,
    max_iter: int,
    alpha: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float, float, int, bool]:
    """Minimise 1/2 a'Qa - 1'a over a >= 0: a hard-margin SVM without intercept in the features of Q.

    `alpha` holds a nonnegative start and receives the solution. The objectives are those of the SVM, scaled
    to be feasible: objective = a'Qa / (2 min(Qa)^2), infinite while some margin is not positive, and
    dual_objective = (1'a)^2 / (2 a'Qa).

    Returns
    -------
    product : ndarray of shape (n_samples,)
        Q alpha.
    objective, dual_objective : float
    n_iter : int
    converged : bool
    """

def fit_bins(
    X: NDArray[np.float32] | NDArray[np.float64],
    rows: NDArray[np.int64],
    n_bins: int,
    n_threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Find thresholds of up to `n_bins` (1 to 255) bins of values a feature, from some rows of X in any layout.

    Returns
    -------
    thresholds : ndarray of shape (n_thresholds,)
        Of all features after another.
    offsets : ndarray of int64 of shape (n_features + 1,)
        Where each feature's start.
    """

def bin_codes(
    X: NDArray[np.float32] | NDArray[np.float64],
    thresholds: NDArray[np.float64],
    offsets: NDArray[np.int64],
    n_threads: int,
) -> NDArray[np.uint8]:
    """Count the thresholds below each value; one more than there are for NaN.

    Returns
    -------
    codes : ndarray of uint8 of shape (n_features, n_samples)
    """

class TreeGrower:
    """Grows trees on codes; keeps its buffers. Thresholds and offsets are those of `fit_bins`.

    Criteria are 0 edge, 1 gini, 2 squared, 3 exponential. Calls from several threads take turns.
    """

    def __init__(
        self,
        codes: NDArray[np.uint8],
        thresholds: NDArray[np.float64],
        offsets: NDArray[np.int64],
        max_depth: int,
        min_samples_leaf: int,
        criterion: int,
        leaf_alpha: float,
        n_threads: int,
    ) -> None: ...
    def grow(
        self,
        gradient: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
        features: NDArray[np.int32] | None,
    ) -> tuple[
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.uint8],
        NDArray[np.uint8],
        NDArray[np.uint8],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.uint8],
    ]:
        """Grow a tree; `features` are increasing.

        Returns
        -------
        feature, threshold, bin, missing_bin, missing_left, left, right, value, leaf, gain : ndarrays
            One entry a node, parents before children, the left side first; `missing_left` as 0 or 1.
        leaves : ndarray of uint8 of shape (n_samples,)
            Number of each row's leaf.
        """

class TreeEnsemble:
    """Trees of at most 8 levels, ready to predict. Holds on to the arrays; children count from their tree's root."""

    def __init__(
        self,
        n_features: int,
        roots: NDArray[np.int64],
        feature: NDArray[np.int32],
        threshold: NDArray[np.float64],
        bin: NDArray[np.uint8],
        missing_bin: NDArray[np.uint8],
        missing_left: NDArray[np.bool_],
        left: NDArray[np.int32],
        right: NDArray[np.int32],
        value: NDArray[np.float64],
        leaf: NDArray[np.int32],
    ) -> None: ...
    def predict(self, X: NDArray[np.float32] | NDArray[np.float64], n_threads: int) -> NDArray[np.float64]:
        """Sum leaf values over the trees in order."""

    def predict_codes(self, codes: NDArray[np.uint8], n_threads: int) -> NDArray[np.float64]:
        """Sum leaf values over the trees in order, from codes of shape (n_features, n_samples)."""

    def leaves(self, X: NDArray[np.float32] | NDArray[np.float64], n_threads: int) -> NDArray[np.uint8]:
        """Return the number of each row's leaf in every tree, (n_trees, n_samples)."""

    def predict_early_exit(
        self,
        X: NDArray[np.float32] | NDArray[np.float64],
        thresholds: NDArray[np.float64],
        n_threads: int,
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Leave a row after tree t once its sum is below thresholds[t]; return sums and numbers of trees seen."""

class PartialAucCut:
    """Search for the most violated cut of the partial AUC's bound; keeps its buffers between calls.

    `positive` says which samples are positive; `weight` are multiplicities of at least 0, None for ones; `start` and
    `stop` are ranks among the negatives in units of weight, 0 <= start < stop <= their total; `tight` tells the tight
    bound from the structural one.
    """

    def __init__(
        self,
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64] | None,
        start: float,
        stop: float,
        tight: bool,
    ) -> None: ...
    def worst(self, scores: NDArray[np.float64], vector: NDArray[np.float64]) -> tuple[float, float]:
        """Write the cut's coefficients into `vector` and return the bound at finite `scores`, and the cut's offset.

        The bound equals offset - vector'scores.
        """

class CutModel:
    """Minimise 1/2 |w|^2 + C max(0, max_k offset_k - features_k'w) over w, or over w >= 0, through its dual.

    A solution starts from the multipliers of the last one.
    """

    def __init__(self, C: float, nonnegative: bool, n_columns: int) -> None: ...
    @property
    def n_cuts(self) -> int: ...
    @property
    def n_columns(self) -> int: ...
    @property
    def slack(self) -> float: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    @property
    def multipliers(self) -> NDArray[np.float64]: ...
    def add_cut(self, offset: float, features: NDArray[np.float64]) -> None:
        """Add a cut with features of shape (n_columns,)."""

    def append_column(self, column: NDArray[np.float64]) -> None:
        """Append a component of w, with features of shape (n_cuts,)."""

    def drop_inactive(self) -> list[int]:
        """Remove the cuts whose multiplier is zero; return the indices of the others."""

    def solve(self, tol: float, max_iter: int) -> tuple[float, float, int, bool]:
        """Return objective, dual_objective, number of steps, converged."""

def roc_area(
    scores: NDArray[np.float64],
    positive: NDArray[np.bool_],
    weight: NDArray[np.float64] | None,
    alpha: float,
    beta: float,
) -> float:
    """Return the mean true positive rate over the false positive rates [alpha, beta], with ties counted half.

    What `widemargin.metrics.partial_auc_score` returns, without its checks: scores are finite and both classes have
    weight.
    """

class LeafMatrix:
    """The leaves that trees put the same samples into, packed: four trees of four leaves share a byte.

    Trees have at most `n_leaves` leaves, from 1 to 256.
    """

    def __init__(self, n_samples: int, n_leaves: int) -> None: ...
    @property
    def n_trees(self) -> int: ...
    def append(self, leaves: NDArray[np.uint8]) -> None:
        """Add a tree, by the number below n_leaves of each sample's leaf, of shape (n_samples,)."""

    def sums(self, a: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum `a` over the samples in each leaf: the result has shape (n_trees, n_leaves)."""

    def scores(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over trees the value of each sample's leaf.

        `values` has shape (n, n_leaves) for the first n trees, the result (n_samples,).
        """

def shot_scores(
    X: NDArray[np.float32] | NDArray[np.float64],
    order: NDArray[np.int32] | None,
    W: NDArray[np.float64],
    intercept: NDArray[np.float64],
    scores: NDArray[np.float64],
) -> None:
    """Write scores[i, e] = sum_j <X[i, order[i, e, j]], W[e, j]> + intercept[e].

    `X` (n_videos, n_shots, n_features) is read in place, in any layout. `order` (n_videos, n_classes, n_shots) names
    each video's own shot at a class's position; None takes the shots as they are. `W` is (n_classes, n_shots,
    n_features), `scores` (n_videos, n_classes). Products and sums are those of float64.
    """

def shot_pass(
    X: NDArray[np.float32] | NDArray[np.float64],
    order: NDArray[np.int32] | None,
    W: NDArray[np.float64],
    intercept: NDArray[np.float64],
    targets: NDArray[np.int32],
    weight: NDArray[np.float64],
    loss: str,
    smoothing: float,
    scores: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
    """Compute sum_i weight_i loss_i, its gradient by W and the scores in one reading of X.

    Arguments are those of `shot_scores` and `shot_losses`; `gradient` has the shape of `W` and may not share its
    memory. Videos of weight 0 are not read and get scores of 0.

    Returns
    -------
    value : float
    residual_sums : ndarray of shape (n_classes,)
        Derivatives of the value by the intercepts.
    """

def shot_combination(
    X: NDArray[np.float32] | NDArray[np.float64],
    order: NDArray[np.int32] | None,
    residual: NDArray[np.float64],
    gradient: NDArray[np.float64],
) -> None:
    """Write gradient[e, j] = sum_i residual[i, e] X[i, order[i, e, j]].

    Videos whose residuals are all 0 are not read.
    """

def shot_losses(
    scores: NDArray[np.float64],
    targets: NDArray[np.int32],
    weight: NDArray[np.float64],
    loss: str,
    smoothing: float,
    residual: NDArray[np.float64],
) -> float:
    """Return sum_i weight_i loss_i and write its derivatives by the scores (n_videos, n_classes) into `residual`.

    `loss` is "squared_hinge", "hinge", "squared" or "logistic". With one column of scores, target 1 is the class of
    positive scores and target 0 the other; "hinge" is smoothed over a width of `smoothing`. With more columns, targets
    are the columns of the classes and both hinges are the multiclass hinge, smoothed alike. `smoothing` is positive
    whether used or not. Videos of weight 0 are not looked at and have residuals of 0.
    """

def prox_rows(
    rows: NDArray[np.float32] | NDArray[np.float64],
    rise: NDArray[np.float64],
    fall: NDArray[np.float64],
    sign: str,
) -> None:
    """Replace each row w of length m, in place, by its map under a penalty on the order of its entries.

    The map is argmin_z 1/2 |z - w|^2 + sum_j rise_j (z_j - z_{j-1})_+ + fall_j (z_{j-1} - z_j)_+ for sign "free", that
    of abs(w) with the signs of w (+ for zero) for "magnitude", and that under z >= 0 for "nonnegative". Rows are finite
    and contiguous; `rise` and `fall` have m - 1 elements >= 0, which may be infinite. float64 inside.
    """

def prox_shots(
    W: NDArray[np.float64],
    rise: NDArray[np.float64],
    fall: NDArray[np.float64],
    norm: int,
    sign: str,
    threshold: float,
    scale: float,
    out: NDArray[np.float64],
) -> None:
    """Map weights of shape (k, m, d) along their axis 1: each feature's (norm 1), or the norms of the shots (norm 2).

    `rise` and `fall` have shape (k, m - 1). Adds threshold |Z|_1 to the penalty, and multiplies the result by `scale`.
    Norm 2 takes sign "magnitude" (any sign) or "nonnegative". `out` may be `W`.
    """

def order_penalty(
    W: NDArray[np.float64], rise: NDArray[np.float64], fall: NDArray[np.float64], magnitude: bool
) -> float:
    """Return the penalty on the order of weights of shape (k, m, d) along their axis 1, or of their magnitudes.

    Summed over classes and features; `rise` and `fall` have shape (k, m - 1).
    """

def shot_norms(W: NDArray[np.float64], norms: NDArray[np.float64]) -> None:
    """Write the Euclidean norms of weights of shape (k, m, d) along their last axis into `norms`, of shape (k, m)."""

def plane_histogram(
    plane: NDArray[np.uint8] | NDArray[np.uint16],
    row_step: int,
    column_step: int,
    shift: int,
    counts: NDArray[np.uint32],
) -> None:
    """Add to `counts` (256,) how many samples of a plane (rows, columns), in any layout, have each value.

    Every `row_step`-th row and `column_step`-th column is read, from half a step on. Values lose their `shift` lowest
    bits first; what is then above 255 counts as 255.
    """

"""The nearly-isotonic support vector machine."""

from __future__ import annotations

import logging
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from widemargin.blas import blas_threads
from widemargin.events._base import ShotClassifier
from widemargin.events._problem import SPAN_VIDEOS, ShotProblem, ShotSamples, ShotSolution, span_pays
from widemargin.fitted import forget_fitted
from widemargin.proximal import ShotPenalty
from widemargin.solvers.shot_span import spans_solution
from widemargin.validation import (
    check_choice,
    check_features_finite,
    check_flag,
    check_integer,
    check_magnitude,
    check_number,
    check_numbers,
)

__all__ = ["NearlyIsotonicSVC"]

Array = npt.NDArray[np.float64]

_INITS = ("zeros", "random", "convex")

logger = logging.getLogger("widemargin")


class NearlyIsotonicSVC(ShotClassifier):
    r"""Linear classifier of bags of ordered parts that puts more weight on the parts ranked first.

    For videos of m shots with d features each, ordered by how salient the shots are, solves

    .. math::
        \min_{W, b} \; \frac1S \sum_i s_i \, \ell(y_i, \langle \tilde V^i, W \rangle + b)
        + \lambda \, \Omega(W) + \gamma \, R(W)

    ((3), (10) and (11) of [1]_), with :math:`\lambda` = `isotonic_alpha`, :math:`\gamma` = `alpha`, sample weights
    :math:`s_i` of sum S, so that losses are averaged, and the unpenalised intercept b that the paper does not have. The
    penalty of the order costs whatever a later shot weighs more than the one before it:

    .. math::
        \Omega(W) = \sum_{k=1}^d \sum_{j=2}^m (|W_{jk}| - |W_{j-1,k}|)_+ \;\; \text{(norm=1)}, \qquad
        \Omega(W) = \sum_{j=2}^m (\|W_j\|_2 - \|W_{j-1}\|_2)_+ \;\; \text{(norm=2)},

    and R is :math:`\|W\|_F^2` (without a factor 1/2) or :math:`\|W\|_1`. Any bag of parts that can be ranked fits: the
    shots of a video, passages of a text, tiles of a picture. With more than two classes each has its own order and
    weights, and the problem is the joint one, (33): the mean of
    :math:`\mu \log \sum_e \exp((t_e - t_y + 1 - [e = y]) / \mu)` over the scores :math:`t_e`, plus the penalties of all
    classes.

    The penalty of the order is not convex unless weights are restricted to be non-negative with ``norm=1``, or `order`
    is "increments" or "total_variation" with ``norm=1``. The solver finds a stationary point: the objective never
    increases, every step uses the exact, global proximal map, and `stationarity_` says how good the point is.

    Parameters
    ----------
    isotonic_alpha : float, default=1e-3
        Weight of the penalty of the order, >= 0; the paper's lambda. 0 is the SVM on sorted shots.
    alpha : float, default=1e-3
        Weight of the other penalty, >= 0; the paper's gamma.
    penalty : {"l2", "l1"}, default="l2"
        The other penalty: sum of squares, or of absolute values, which gives sparse weights.
    norm : {2, 1}, default=2
        Whether the norms of the shots are ordered, (11), or each feature along the shots, (10).
    order : {"nearly_isotonic", "increments", "absolute", "total_variation"}, default="nearly_isotonic"
        What a pair of neighbouring shots costs: :math:`(|w_j| - |w_{j-1}|)_+`, (5); :math:`(w_j - w_{j-1})_+`, (7);
        :math:`||w_j| - |w_{j-1}||`, (8); :math:`|w_j - w_{j-1}|`, (9). For norms, which are not negative, the first two
        are the same, and the last two.
    nonnegative : bool, default=False
        Whether weights are restricted to be non-negative, (12). Convex with ``norm=1`` or one feature only.
    loss : {"squared_hinge", "hinge", "squared", "logistic"}, default="squared_hinge"
        :math:`\frac12 (1 - yt)_+^2`; the hinge :math:`(1 - yt)_+` smoothed to :math:`\mu \log(1 + e^{(1-yt)/\mu})`;
        :math:`\frac12 (y - t)^2`; :math:`\log(1 + e^{-yt})`. With more than two classes both hinge losses are the
        smoothed joint one above, "logistic" is the cross entropy of the softmax, and "squared" the sum over classes of
        squared losses with y = 1 for the video's own class and -1 for the others.
    smoothing : float, default=0.1
        The mu of "hinge", and of both hinge losses with more than two classes, from 1e-6 to 1e6: the smoothed loss is
        above the hinge by at most mu times the logarithm of the number of classes. The smaller, the more iterations.
    fit_intercept : bool, default=True
        Whether there is an intercept; it is not penalised.
    n_shots : int or None, default=None
        Number of shots that the columns of a 2-D X are split into: columns ``j * d`` to ``(j + 1) * d - 1`` are shot j.
        None: every column is a shot of one feature. Not needed for a 3-D X.
    tie_tolerance : float, default=0.0
        Difference in saliency, >= 0, below which two neighbouring shots are not ordered: they stay in time order, and
        the penalty of a pair of positions counts the share of training videos that order it (`pair_weights_`).
    class_weight : dict, "balanced" or None, default=None
        Factors of the sample weights by class; "balanced" gives each class the same total.
    init : {"zeros", "random", "convex"} or array-like, default="zeros"
        First weights: zero; random, of scores with a standard deviation of 1; the solution with non-negative weights;
        or an array of the shape of `coef_`.
    solver : {"auto", "primal", "gram"}, default="auto"
        "primal" passes over the videos once a step. "gram" computes the Gram matrices of the shots at each position,
        and from them at most as many coordinates a shot as there are videos, which is quicker for few videos with many
        features; it needs two classes, ``norm=2``, ``penalty="l2"``, ``nonnegative=False`` and ``init="zeros"``. "auto"
        chooses "gram" for at most 100 videos, fewer than features, where it is possible.
    tol : float, default=1e-4
        Bound on `stationarity_` to reach, > 0.
    max_iter : int, default=2000
        Limit on the steps, >= 1.
    warm_start : bool, default=False
        Whether to start from the last solution, if it has the same shape, rather than from `init`.
    random_state : int, RandomState instance or None, default=None
        Seed of ``init="random"``.
    verbose : bool, default=False
        Whether to log every tenth step, with the logger "widemargin", at level INFO.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels; of two, ``classes_[1]`` is the positive one.
    coef_ : ndarray of shape (n_shots, n_features) or (n_classes, n_shots, n_features)
        Weights W, the most salient shot first.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        Intercepts.
    objective_ : float
        Value of the problem, penalties included.
    stationarity_ : float
        Share of `objective_` by which it could still fall, were the penalty convex, for an element s of the
        subdifferential by W: :math:`\|s\|^2 / (4 \gamma)` with the l2 penalty, which is a bound; :math:`\|s\| \|W\|`
        without one, an estimate that takes the optimum to be no farther than zero is. With an intercept plus what a
        step of it gains, an estimate as well. The share is that of `objective_`, or of `tol` times the loss without
        scores if that is more.
    converged_ : bool
        Whether ``stationarity_ <= tol``.
    n_iter_ : int
        Steps taken.
    history_ : ndarray of shape (n_steps + 1,)
        Objective before the first step and after each; it never increases.
    pair_weights_ : ndarray of shape (1 or n_classes, n_shots - 1)
        Share of the training videos, by weight, that order each pair of neighbouring positions.
    tie_tolerance_ : float
        The `tie_tolerance` of `fit`, which predictions use.
    sorts_shots_ : bool
        Whether `fit` had a saliency, so that predictions need one.
    n_shots_ : int
        Number of shots a video.
    n_features_in_ : int
        Number of columns of a 2-D X, n_shots * n_features.
    feature_names_in_ : ndarray of shape (n_columns,)
        Their names, if X had any.

    See Also
    --------
    NearlyIsotonicSVCCV : The same with both alphas chosen by cross-validation.
    prioritize : Bring videos of any number of shots to the most salient ones.
    recounting_scores : What each shot contributes to a video's score.
    widemargin.proximal : The proximal maps on their own.

    Notes
    -----
    A step costs one pass over X, which is read in place whatever its strides or memory map, plus a proximal map of the
    weights. Videos are centred implicitly, so that features of one sign cost no more steps than others.

    A stationary point need not be a minimum. Where the shots at a position span fewer dimensions than there are
    features, steps from zero stay in that span with ``norm=2``, and on shots of one or two dimensions weights outside
    it were better by up to a factor of 3 in the objective; ``init="random"`` leaves the span.

    With two classes the joint problem (33) is not the binary one: it has two sets of weights, each with its own order.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang, E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
       IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.events import NearlyIsotonicSVC
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([0, 1], 100)
    >>> X = rng.normal(size=(200, 10, 5))  # 200 videos of 10 shots, the most salient first
    >>> X[y == 1, :2] += 0.5  # the event shows in the two most salient shots alone
    >>> model = NearlyIsotonicSVC(isotonic_alpha=0.1, alpha=0.01).fit(X, y)
    >>> norms = np.linalg.norm(model.coef_, axis=1)
    >>> bool(norms[:2].min() > norms[2:].max())
    True
    """

    def __init__(
        self,
        isotonic_alpha: float = 1e-3,
        alpha: float = 1e-3,
        *,
        penalty: str = "l2",
        norm: int = 2,
        order: str = "nearly_isotonic",
        nonnegative: bool = False,
        loss: str = "squared_hinge",
        smoothing: float = 0.1,
        fit_intercept: bool = True,
        n_shots: int | None = None,
        tie_tolerance: float = 0.0,
        class_weight: Any = None,
        init: Any = "zeros",
        solver: str = "auto",
        tol: float = 1e-4,
        max_iter: int = 2000,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.isotonic_alpha = isotonic_alpha
        self.alpha = alpha
        self.penalty = penalty
        self.norm = norm
        self.order = order
        self.nonnegative = nonnegative
        self.loss = loss
        self.smoothing = smoothing
        self.fit_intercept = fit_intercept
        self.n_shots = n_shots
        self.tie_tolerance = tie_tolerance
        self.class_weight = class_weight
        self.init = init
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, saliency: Any = None, sample_weight: Any = None) -> NearlyIsotonicSVC:
        """Fit the classifier.

        Parameters
        ----------
        X : array-like of shape (n_videos, n_shots, n_features) or (n_videos, n_shots * n_features)
            Training videos, in float32 or float64 of any strides.
        y : array-like of shape (n_videos,)
            Labels.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of each video's own shots, larger is more salient: for the larger of two labels, or for each of
            more than two in sorted order. Shots are sorted by it, equally salient ones by position, without a copy of
            X. None: shots are in order already.
        sample_weight : array-like of shape (n_videos,), default=None
            Weights of the videos, at least 0; a weight of 2 is the same as the video twice.

        Returns
        -------
        NearlyIsotonicSVC
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            If a parameter is out of its range or an argument does not fit; the message says what would do.

        Warns
        -----
        ConvergenceWarning
            If `max_iter` steps do not reach `tol`.
        UserWarning
            If `order` is one that makes no difference under ``norm=2``, or the saliency is constant.
        """
        isotonic_alpha = check_number("isotonic_alpha", self.isotonic_alpha, at_least=0)
        alpha = check_number("alpha", self.alpha, at_least=0)
        self._check_parameters()
        last = (self.coef_, self.intercept_) if self.warm_start and hasattr(self, "coef_") else None
        forget_fitted(self)
        samples = self._read_samples(X, y, saliency, sample_weight)
        weight = self._loss_weight(samples, samples.sample_weight)
        problem = self._problem(samples, weight)
        penalty = self._penalty(isotonic_alpha, alpha, samples.pair_weights(weight))
        with blas_threads(problem.data.X.size):
            start = self._start(problem, penalty, last)
            if self._uses_gram(problem, penalty, start is None, SPAN_VIDEOS):
                problem = problem.with_span()
            solution = problem.solve(
                penalty,
                start,
                tol=self.tol,
                max_iter=self.max_iter,
                report=self._report if self.verbose else None,
            )
        self._set_solution(solution, penalty)
        if not self.converged_:
            remedy = (
                "raise max_iter, tol or the alphas, or scale the features"
                if self.n_iter_ == self.max_iter
                else "no step lowers the objective any more, but for rounding: raise tol, or scale the features"
            )
            warnings.warn(
                f"{type(self).__name__} stopped after {self.n_iter_} steps with a stationarity of "
                f"{self.stationarity_:.3g} above tol={self.tol:g}: {remedy}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _check_parameters(self) -> None:
        check_number("tol", self.tol, above=0)
        check_integer("max_iter", self.max_iter, at_least=1)
        check_choice("solver", self.solver, ("auto", "primal", "gram"))
        check_flag("warm_start", self.warm_start)
        check_flag("verbose", self.verbose)
        self._check_penalty()

    def _shared_problem(self, samples: ShotSamples, weight: Array) -> ShotProblem:
        """Return the problem for many penalties, with the bases of the shots if they pay."""
        problem = self._problem(samples, weight)
        if self._uses_gram(problem, self._penalty(0.0, 0.0, None), True, None):
            problem = problem.with_span()
        return problem

    def _uses_gram(
        self, problem: ShotProblem, penalty: ShotPenalty, from_zero: bool, most_videos: int | None
    ) -> bool:
        possible = spans_solution(penalty) and problem.data.n_scores == 1 and from_zero
        if self.solver == "gram" and not possible:
            raise ValueError(
                "solver='gram' needs two classes, norm=2, penalty='l2', nonnegative=False and a start from zero, got "
                f"{self.classes_.size} classes, norm={self.norm!r}, penalty={self.penalty!r}, "
                f"nonnegative={self.nonnegative!r}, init={self.init!r}, warm_start={self.warm_start!r}: pass "
                "solver='auto'."
            )
        if self.solver == "auto":
            return possible and span_pays(problem.data, most_videos=most_videos)
        return self.solver == "gram"

    def _start(
        self, problem: ShotProblem, penalty: ShotPenalty, last: tuple[Array, Array] | None
    ) -> tuple[Array, Array] | None:
        """Return first weights and intercepts, those of the last solution if they fit; None for zero."""
        shape = problem.data.shape
        if isinstance(self.init, str):
            check_choice("init", self.init, _INITS)
        if last is not None and last[0].shape == (shape[1:] if shape[0] == 1 else shape):
            return self._allowed(last[0].reshape(shape)), last[1].copy()
        if not isinstance(self.init, str):
            return self._allowed(self._given_start(shape)), problem.first_intercept()
        if self.init == "zeros":
            return None
        if self.init == "convex":
            convex = replace(penalty, nonnegative=True)
            return problem.solve(convex, tol=self.tol, max_iter=self.max_iter).function
        weights = check_random_state(self.random_state).standard_normal(shape)
        weights = np.abs(weights) if self.nonnegative else weights
        scores = problem.data.centred(weights)
        spread = np.sqrt(float((problem.data.weight @ scores**2).max()))
        return weights / (spread or 1.0), problem.first_intercept()

    def _given_start(self, shape: tuple[int, ...]) -> Array:
        weights = check_numbers("init", self.init)
        expected = shape[1:] if shape[0] == 1 else shape
        if weights.shape != expected:
            raise ValueError(
                f"init has shape {weights.shape}, expected {expected}: pass an array of the shape of coef_, or one of "
                f"{', '.join(map(repr, _INITS))}."
            )
        check_features_finite("init", weights)
        check_magnitude("init", weights)
        return weights.reshape(shape)

    def _allowed(self, weights: Array) -> Array:
        """Return the closest weights that `nonnegative` allows."""
        return np.maximum(weights, 0.0) if self.nonnegative else weights

    def _report(self, n_iter: int, objective: float, stationarity: float) -> None:
        if n_iter % 10 == 0:
            logger.info(
                "%s: %d steps, objective %.6g, stationarity %.2g",
                type(self).__name__,
                n_iter,
                objective,
                stationarity,
            )

    def _set_solution(self, solution: ShotSolution, penalty: ShotPenalty) -> None:
        weights, self.intercept_ = solution.function
        self.coef_ = weights[0] if self.classes_.size == 2 else weights
        self.objective_ = solution.objective
        self.stationarity_ = solution.result.stationarity
        self.converged_ = solution.result.converged
        self.n_iter_ = solution.result.n_iter
        self.history_ = np.array(solution.result.history)
        n_scores, n_shots, _ = solution.space.data.shape
        given = penalty.pair_weights
        self.pair_weights_ = np.ones((n_scores, n_shots - 1)) if given is None else given

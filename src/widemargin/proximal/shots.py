r"""Exact proximal maps of penalties on the order of the shots of a linear classifier.

Weights W have one row per shot, the most salient first, and one column per feature. The penalty compares either each
feature along the shots, or the norms of the shots:

.. math::
    \Omega(W) = \sum_f \sum_{j \ge 2} \omega(W_{jf}, W_{j-1,f}) \quad (norm = 1), \qquad
    \Omega(W) = \sum_{j \ge 2} \omega(\|W_j\|_2, \|W_{j-1}\|_2) \quad (norm = 2),

equations (10) and (11) of Chang, Yu, Yang and Xing, "Semantic pooling for complex event analysis in untrimmed videos",
IEEE TPAMI 39(8), 2017, where :math:`\omega(a, b)` is :math:`(|a| - |b|)_+` (order "nearly_isotonic", (5)),
:math:`(a - b)_+` ("increments", (7)), :math:`\bigl| |a| - |b| \bigr|` ("absolute", (8)) or :math:`|a - b|`
("total_variation", (9)). Since norms are not negative, norm 2 makes (5) and (7) one penalty, and (8) and (9) another.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.proximal._arguments import check_pair_weights, check_values, result_dtype
from widemargin.proximal._orders import ORDERS, PENALTIES, both_directions, compares_magnitudes, sign_rule
from widemargin.validation import check_choice, check_flag, check_number

__all__ = ["ShotPenalty", "ordered_penalty", "prox_ordered"]

Array = npt.NDArray[np.float64]


def prox_ordered(
    W: Any,
    t: Any,
    *,
    order: str = "nearly_isotonic",
    norm: int = 2,
    penalty: str = "l2",
    shrinkage: float = 0.0,
    nonnegative: bool = False,
) -> npt.NDArray[Any]:
    r"""Pull the shots of a classifier towards weights that follow their order, and shrink them.

    The result is

    .. math::
        \operatorname*{argmin}_Z \tfrac12 \|Z - W\|_F^2 + t \, \Omega(Z) + s \, R(Z), \qquad
        R(Z) = \|Z\|_F^2 \text{ (l2, without a half)} \text{ or } \|Z\|_1 \text{ (l1)}

    exactly, with :math:`Z \ge 0` if asked for, where :math:`\Omega` is the penalty of `ordered_penalty` (the maps
    (16) and (17) of [1]_, and Theorem 1). With ``norm=2`` the problem splits into the direction of each shot and its
    length, which solves the map for vectors; three cases need more than the paper says:

    - A shot of zeros has no direction, yet its length may have to grow: it takes the first feature's axis, which is as
      good as any.
    - With the l1 penalty W is soft-thresholded at s first, and lengths start from the norms of what is left; with a
      shot of which nothing is left, from its largest magnitude less s, along the axis of that feature.
    - Under :math:`Z \ge 0` the same holds with the positive part, and with the largest entry rather than magnitude.

    The penalty on the order is convex only with ``norm=1``, and there only for "increments" and "total_variation" or
    under :math:`Z \ge 0`. The minimiser is a global one in any case, though not always the only one.

    Parameters
    ----------
    W : array-like of shape (n_shots, n_features) or (n_classes, n_shots, n_features)
        Weights up to 1e70 in size, the most salient shot first; classes are mapped one by one. They are not changed.
    t : float or array-like of shape (n_shots - 1,) or (n_classes, n_shots - 1)
        Weight of the penalty on the order, >= 0; infinity is allowed. An array holds one for each pair of neighbours.
    order : {"nearly_isotonic", "increments", "absolute", "total_variation"}, default="nearly_isotonic"
        What is penalised: see `ordered_penalty`.
    norm : {2, 1}, default=2
        Whether the order is that of the norms of the shots (2), or that of each feature along the shots (1).
    penalty : {"l2", "l1"}, default="l2"
        R, which shrinks the weights.
    shrinkage : float, default=0.0
        Weight s of R, >= 0.
    nonnegative : bool, default=False
        Minimise under Z >= 0.

    Returns
    -------
    ndarray of the shape of W
        The minimiser Z, as float16 or float32 if W has this type, else as float64.

    Raises
    ------
    TypeError
        If t or shrinkage is no number, or nonnegative is not a bool.
    ValueError
        If W is empty, has another number of dimensions, NaN, infinity or complex numbers; if t is negative, NaN or of
        another shape; or if a parameter is not one of its choices.

    See Also
    --------
    prox_nearly_isotonic : The same for vectors.
    ordered_penalty : The penalty on the order.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, section 5.2.

    Examples
    --------
    >>> from widemargin.proximal import prox_ordered
    >>> W = [[3.0, 4.0], [0.0, 8.0]]
    >>> prox_ordered(W, 1.0)
    array([[3.6, 4.8],
           [0. , 7. ]])
    >>> prox_ordered(W, 1.0, norm=1)
    array([[3., 5.],
           [0., 7.]])
    >>> prox_ordered(W, 1.0, penalty="l1", shrinkage=3.0)
    array([[0., 2.],
           [0., 4.]])
    """
    _check_choices(order, norm, penalty, nonnegative)
    shrinkage = check_number("shrinkage", shrinkage, at_least=0)
    stack = _check_stack(W)
    rise, fall = both_directions(order, check_pair_weights("t", t, stack.shape[1] - 1, stack.shape[0]))
    result = np.empty_like(stack)
    threshold, scale = _shrinking(penalty, shrinkage)
    _native.prox_shots(stack, rise, fall, norm, sign_rule(order, norm, nonnegative), threshold, scale, result)
    return result.reshape(np.shape(W)).astype(result_dtype(W), copy=False)


def ordered_penalty(
    W: Any, *, order: str = "nearly_isotonic", norm: int = 2, pair_weights: Any = None
) -> float:
    r"""Return how much the shots of a classifier violate their order.

    With p the weight of a pair, this is

    .. math::
        \Omega(W) = \sum_{j \ge 2} p_j \sum_f \omega(W_{jf}, W_{j-1,f}) \quad (norm = 1), \qquad
        \Omega(W) = \sum_{j \ge 2} p_j \, \omega(\|W_j\|_2, \|W_{j-1}\|_2) \quad (norm = 2),

    equations (10) and (11) of [1]_, where :math:`\omega(a, b)` is :math:`(|a| - |b|)_+` for "nearly_isotonic" (5),
    :math:`(a - b)_+` for "increments" (7), :math:`\bigl| |a| - |b| \bigr|` for "absolute" (8) and :math:`|a - b|` for
    "total_variation" (9). With ``norm=2``, (5) equals (7) and (8) equals (9).

    Parameters
    ----------
    W : array-like of shape (n_shots, n_features) or (n_classes, n_shots, n_features)
        Weights up to 1e70 in size, the most salient shot first; the penalty is summed over classes.
    order : {"nearly_isotonic", "increments", "absolute", "total_variation"}, default="nearly_isotonic"
        What is penalised.
    norm : {2, 1}, default=2
        Whether the order is that of the norms of the shots (2), or that of each feature along the shots (1).
    pair_weights : float or array-like of shape (n_shots - 1,) or (n_classes, n_shots - 1), optional
        Weight of each pair of neighbours, finite and >= 0; None: 1.

    Returns
    -------
    float
        The penalty, at least 0.

    Raises
    ------
    ValueError
        If W is empty, has another number of dimensions, NaN, infinity or complex numbers; if pair_weights has a
        negative or infinite weight or another shape; or if a parameter is not one of its choices.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, sections 4.1 and 4.2.

    Examples
    --------
    >>> from widemargin.proximal import ordered_penalty
    >>> ordered_penalty([[3.0, 4.0], [0.0, 8.0]])
    3.0
    >>> ordered_penalty([[3.0, 4.0], [0.0, 8.0]], norm=1)
    4.0
    >>> ordered_penalty([[3.0, 4.0], [0.0, 8.0]], norm=1, order="absolute")
    7.0
    """
    _check_choices(order, norm, "l2", False)
    stack = _check_stack(W)
    weights = _check_finite_pairs(pair_weights, stack.shape[1] - 1, stack.shape[0])
    return _omega(stack, order, norm, weights)


@dataclass(frozen=True, eq=False)
class ShotPenalty:
    r"""Everything a solver has to know of the penalties on the weights of shots: their value and proximal map.

    .. math::
        g(W) = isotonic\_alpha \, \Omega(W) + alpha \, R(W)

    summed over classes, plus the constraint :math:`W \ge 0` if asked for; see `ordered_penalty` for :math:`\Omega`, and
    `prox_ordered` for R. The methods take arrays as solvers have them and do not look for NaN or infinity.

    Parameters
    ----------
    isotonic_alpha : float
        Weight of the penalty on the order, >= 0.
    alpha : float
        Weight of R, >= 0.
    penalty : {"l2", "l1"}, default="l2"
        R: the sum of squares, without a half, or of magnitudes.
    norm : {2, 1}, default=2
        Whether the order is that of the norms of the shots (2), or that of each feature along the shots (1).
    order : {"nearly_isotonic", "increments", "absolute", "total_variation"}, default="nearly_isotonic"
        What is penalised.
    nonnegative : bool, default=False
        Whether weights are constrained to be at least 0.
    pair_weights : ndarray of shape (n_shots - 1,) or (n_classes, n_shots - 1), optional
        Factor of each pair of neighbours in :math:`\Omega`, finite and >= 0; None: 1.

    Raises
    ------
    TypeError
        If a number or bool is none.
    ValueError
        If a parameter is out of its range or choices.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.proximal import ShotPenalty
    >>> penalty = ShotPenalty(isotonic_alpha=2.0, alpha=0.25)
    >>> W = np.array([[[3.0, 4.0], [0.0, 8.0]]])
    >>> penalty.value(W)
    28.25
    >>> penalty.prox(W, 0.5)
    array([[[2.88, 3.84],
            [0.  , 5.6 ]]])
    """

    isotonic_alpha: float
    alpha: float
    penalty: str = "l2"
    norm: int = 2
    order: str = "nearly_isotonic"
    nonnegative: bool = False
    pair_weights: npt.NDArray[Any] | None = None

    def __post_init__(self) -> None:
        check_number("isotonic_alpha", self.isotonic_alpha, at_least=0)
        check_number("alpha", self.alpha, at_least=0)
        _check_choices(self.order, self.norm, self.penalty, self.nonnegative)
        if self.pair_weights is not None:
            shape = np.shape(self.pair_weights)
            if len(shape) not in (1, 2):
                raise ValueError(
                    f"pair_weights has shape {shape}, expected (n_shots - 1,) or (n_classes, n_shots - 1): pass one "
                    "weight per pair of neighbours."
                )
            _check_finite_pairs(self.pair_weights, shape[-1], 1 if len(shape) == 1 else shape[0])

    def value(self, W: Array) -> float:
        """Return the penalties of weights, which are taken to satisfy the constraint.

        Parameters
        ----------
        W : ndarray of float64 of shape (n_classes, n_shots, n_features)
            Finite, C-contiguous weights.

        Returns
        -------
        float
            The value of g.
        """
        value = 0.0
        if self.isotonic_alpha > 0:
            value += self.isotonic_alpha * _omega(W, self.order, self.norm, self._pairs(W))
        if self.alpha > 0:
            flat = W.ravel()
            value += self.alpha * float(flat @ flat if self.penalty == "l2" else np.abs(flat).sum())
        return value

    def prox(self, W: Array, step: float, out: Array | None = None) -> Array:
        r"""Return the minimiser of :math:`\|Z - W\|_F^2 / (2 step) + g(Z)`, one of them if there are several.

        Parameters
        ----------
        W : ndarray of float64 of shape (n_classes, n_shots, n_features)
            Finite, C-contiguous weights.
        step : float
            Step size, > 0 and finite.
        out : ndarray of float64 of the shape of W, optional
            Where to write the result, C-contiguous; it may be W. None: a new array.

        Returns
        -------
        ndarray of the shape of W
            The minimiser Z: `out`, if given.
        """
        result = np.empty_like(W) if out is None else out
        rise, fall = both_directions(self.order, (step * self.isotonic_alpha) * self._pairs(W))
        sign = sign_rule(self.order, self.norm, self.nonnegative)
        threshold, scale = _shrinking(self.penalty, step * self.alpha)
        _native.prox_shots(W, rise, fall, self.norm, sign, threshold, scale, result)
        return result

    def prox_norms(self, c: Array, step: float) -> Array:
        """Return the norms of the shots of the minimiser of `prox`, from the norms of the shots of W alone.

        Each shot of the minimiser has the direction of that shot of W, and any direction if that is zero. This is what
        a solver needs that knows W as a combination of samples.

        Parameters
        ----------
        c : ndarray of float64 of shape (n_shots,)
            Norms of the shots, finite.
        step : float
            Step size, > 0 and finite.

        Returns
        -------
        ndarray of shape (n_shots,)
            The norms of the shots of the minimiser.

        Raises
        ------
        ValueError
            If the penalties are not functions of the norms of the shots: they are with ``norm=2``, ``penalty="l2"``
            and without the constraint.
        """
        if self.norm != 2 or self.penalty != "l2" or self.nonnegative:
            raise ValueError(
                "prox_norms needs norm=2, penalty='l2' and nonnegative=False, got "
                f"norm={self.norm}, penalty={self.penalty!r} and nonnegative={self.nonnegative}: use prox."
            )
        result: Array = self.prox(np.ascontiguousarray(c)[None, :, None], step)[0, :, 0]
        return result

    def _pairs(self, W: Array) -> Array:
        n_classes, n_shots, _ = W.shape
        weights = 1.0 if self.pair_weights is None else self.pair_weights
        return np.array(np.broadcast_to(weights, (n_classes, n_shots - 1)), dtype=np.float64, order="C")


def _check_choices(order: str, norm: int, penalty: str, nonnegative: bool) -> None:
    check_choice("order", order, ORDERS)
    check_choice("penalty", penalty, PENALTIES)
    check_flag("nonnegative", nonnegative)
    if isinstance(norm, bool) or not isinstance(norm, Integral) or norm not in (1, 2):
        raise ValueError(f"norm must be 1 (each feature) or 2 (norms of the shots), got {norm!r}.")


def _check_stack(W: Any) -> Array:
    """Return weights as a contiguous stack of float64 of shape (n_classes, n_shots, n_features)."""
    values = check_values("W", W)
    if values.ndim not in (2, 3):
        raise ValueError(
            f"W has shape {values.shape}, expected (n_shots, n_features) or (n_classes, n_shots, n_features): reshape "
            "a vector with one feature a shot to (-1, 1)."
        )
    stack: Array = np.ascontiguousarray(values, dtype=np.float64)
    return stack[None] if stack.ndim == 2 else stack


def _check_finite_pairs(pair_weights: Any, n_pairs: int, n_classes: int) -> Array:
    weights = check_pair_weights(
        "pair_weights", 1.0 if pair_weights is None else pair_weights, n_pairs, n_classes
    )
    if not np.all(np.isfinite(weights)):
        raise ValueError("pair_weights has an infinite weight: pass finite weights of at least 0.")
    return weights


def _omega(W: Array, order: str, norm: int, pair_weights: Array) -> float:
    if norm == 2:
        norms = np.empty(W.shape[:2])
        _native.shot_norms(W, norms)
        W = norms[:, :, None]
    return _native.order_penalty(W, *both_directions(order, pair_weights), compares_magnitudes(order))


def _shrinking(penalty: str, shrinkage: float) -> tuple[float, float]:
    """Return threshold and scale of the map of shrinkage times R."""
    return (shrinkage, 1.0) if penalty == "l1" else (0.0, 1.0 / (1.0 + 2.0 * shrinkage))

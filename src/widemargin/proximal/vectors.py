r"""Exact proximal maps of penalties on the order of the entries of a vector, for one vector or for many rows.

The maps are those of section 5.2 of the paper; all are computed by one dynamic program in time linear in the length,
on any data and for any weight, in float64 whatever the type of the input.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.proximal._arguments import check_pair_weights, check_values, result_dtype
from widemargin.proximal._orders import both_directions, sign_rule
from widemargin.validation import check_flag

__all__ = ["prox_absolute", "prox_increments", "prox_nearly_isotonic", "prox_total_variation"]


def prox_nearly_isotonic(w: Any, t: Any, *, nonnegative: bool = False) -> npt.NDArray[Any]:
    r"""Pull a vector towards entries whose magnitudes do not increase.

    The result is

    .. math::
        \operatorname*{argmin}_z \tfrac12 \|z - w\|^2 + t \sum_{j \ge 2} (|z_j| - |z_{j-1}|)_+

    exactly (equations (5) and (18) of [1]_). The problem is not convex, but its minimiser has the signs of w and, as
    magnitudes, the minimiser for :math:`|w|` under :math:`z \ge 0`, which is convex (equation (22)). Where an entry of
    w is zero both signs minimise, and + is taken.

    Parameters
    ----------
    w : array-like of shape (m,) or (..., m)
        A vector, or rows of numbers up to 1e70 in size. It is not changed.
    t : float or array-like of shape (m - 1,)
        Weight of the penalty, >= 0; infinity is allowed. An array holds the weight of each pair: its element j - 1
        multiplies the term of entries j - 1 and j (counted from 0), and a zero leaves the two unrelated.
    nonnegative : bool, default=False
        Minimise under z >= 0 instead: a convex problem, in which negative entries of w count as what they are.

    Returns
    -------
    ndarray of the shape of w
        The minimiser, as float16 or float32 if w has this type, else as float64.

    Raises
    ------
    TypeError
        If t is no number and no array, or nonnegative is not a bool.
    ValueError
        If w is empty, has NaN, infinity or complex numbers, or t is negative, NaN or of another length.

    See Also
    --------
    prox_ordered : The same for the shots of a classifier with many features.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, section 5.2.
    .. [2] N. A. Johnson, "A dynamic programming algorithm for the fused lasso and L0-segmentation", Journal of
       Computational and Graphical Statistics 22(2), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.proximal import prox_nearly_isotonic
    >>> prox_nearly_isotonic([3.0, -1.0, 2.0], 0.25)
    array([ 3.  , -1.25,  1.75])
    >>> prox_nearly_isotonic([3.0, -1.0, 2.0], np.inf)
    array([ 3. , -1.5,  1.5])

    A zero is raised like any other entry:

    >>> prox_nearly_isotonic([0.0, 1.0], 1.0)
    array([0.5, 0.5])
    """
    return _prox(w, t, "nearly_isotonic", nonnegative)


def prox_increments(w: Any, t: Any, *, nonnegative: bool = False) -> npt.NDArray[Any]:
    r"""Pull a vector towards entries that do not increase.

    The result is

    .. math::
        \operatorname*{argmin}_z \tfrac12 \|z - w\|^2 + t \sum_{j \ge 2} (z_j - z_{j-1})_+

    exactly (the penalty (7) of [1]_, nearly-isotonic regression [3]_). The result equals the map of half the total
    variation for :math:`w + \tfrac t2 (e_1 - e_m)`, but is not computed that way, which would lose the digits of w for
    a large t. With ``t=inf`` it is isotonic regression.

    Parameters
    ----------
    w : array-like of shape (m,) or (..., m)
        A vector, or rows of numbers up to 1e70 in size. It is not changed.
    t : float or array-like of shape (m - 1,)
        Weight of the penalty, >= 0; infinity is allowed. An array holds the weight of each pair: its element j - 1
        multiplies the term of entries j - 1 and j (counted from 0), and a zero leaves the two unrelated.
    nonnegative : bool, default=False
        Minimise under z >= 0 instead, which sets the negative entries of the result to zero.

    Returns
    -------
    ndarray of the shape of w
        The minimiser, as float16 or float32 if w has this type, else as float64.

    Raises
    ------
    TypeError
        If t is no number and no array, or nonnegative is not a bool.
    ValueError
        If w is empty, has NaN, infinity or complex numbers, or t is negative, NaN or of another length.

    See Also
    --------
    prox_ordered : The same for the shots of a classifier with many features.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, equation (7).
    .. [2] N. A. Johnson, "A dynamic programming algorithm for the fused lasso and L0-segmentation", Journal of
       Computational and Graphical Statistics 22(2), 2013.
    .. [3] R. J. Tibshirani, H. Hoefling and R. Tibshirani, "Nearly-isotonic regression", Technometrics 53(1), 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.proximal import prox_increments
    >>> prox_increments([3.0, -1.0, 2.0], 0.25)
    array([ 3.  , -0.75,  1.75])
    >>> prox_increments([3.0, -1.0, 2.0], np.inf)
    array([3. , 0.5, 0.5])
    """
    return _prox(w, t, "increments", nonnegative)


def prox_absolute(w: Any, t: Any, *, nonnegative: bool = False) -> npt.NDArray[Any]:
    r"""Pull a vector towards entries of equal magnitude.

    The result is

    .. math::
        \operatorname*{argmin}_z \tfrac12 \|z - w\|^2 + t \sum_{j \ge 2} \bigl| |z_j| - |z_{j-1}| \bigr|

    exactly (the penalty (8) of [1]_): the map of the total variation for :math:`|w|`, with the signs of w. Where an
    entry of w is zero both signs minimise, and + is taken.

    Parameters
    ----------
    w : array-like of shape (m,) or (..., m)
        A vector, or rows of numbers up to 1e70 in size. It is not changed.
    t : float or array-like of shape (m - 1,)
        Weight of the penalty, >= 0; infinity is allowed. An array holds the weight of each pair: its element j - 1
        multiplies the term of entries j - 1 and j (counted from 0), and a zero leaves the two unrelated.
    nonnegative : bool, default=False
        Minimise under z >= 0 instead, which is the map of the total variation under z >= 0.

    Returns
    -------
    ndarray of the shape of w
        The minimiser, as float16 or float32 if w has this type, else as float64.

    Raises
    ------
    TypeError
        If t is no number and no array, or nonnegative is not a bool.
    ValueError
        If w is empty, has NaN, infinity or complex numbers, or t is negative, NaN or of another length.

    See Also
    --------
    prox_ordered : The same for the shots of a classifier with many features.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, equation (8).
    .. [2] N. A. Johnson, "A dynamic programming algorithm for the fused lasso and L0-segmentation", Journal of
       Computational and Graphical Statistics 22(2), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.proximal import prox_absolute
    >>> prox_absolute([3.0, -1.0, 2.0], 0.25)
    array([ 2.75, -1.5 ,  1.75])
    >>> prox_absolute([3.0, -1.0, 2.0], np.inf)
    array([ 2., -2.,  2.])
    """
    return _prox(w, t, "absolute", nonnegative)


def prox_total_variation(w: Any, t: Any, *, nonnegative: bool = False) -> npt.NDArray[Any]:
    r"""Pull a vector towards a piecewise constant one.

    The result is

    .. math::
        \operatorname*{argmin}_z \tfrac12 \|z - w\|^2 + t \sum_{j \ge 2} |z_j - z_{j-1}|

    exactly (the penalty (9) of [1]_), also known as the fused lasso or total variation denoising.

    Parameters
    ----------
    w : array-like of shape (m,) or (..., m)
        A vector, or rows of numbers up to 1e70 in size. It is not changed.
    t : float or array-like of shape (m - 1,)
        Weight of the penalty, >= 0; infinity is allowed. An array holds the weight of each pair: its element j - 1
        multiplies the term of entries j - 1 and j (counted from 0), and a zero leaves the two unrelated.
    nonnegative : bool, default=False
        Minimise under z >= 0 instead, which sets the negative entries of the result to zero.

    Returns
    -------
    ndarray of the shape of w
        The minimiser, as float16 or float32 if w has this type, else as float64.

    Raises
    ------
    TypeError
        If t is no number and no array, or nonnegative is not a bool.
    ValueError
        If w is empty, has NaN, infinity or complex numbers, or t is negative, NaN or of another length.

    See Also
    --------
    prox_ordered : The same for the shots of a classifier with many features.

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017, equation (9).
    .. [2] N. A. Johnson, "A dynamic programming algorithm for the fused lasso and L0-segmentation", Journal of
       Computational and Graphical Statistics 22(2), 2013.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.proximal import prox_total_variation
    >>> prox_total_variation([3.0, -1.0, 2.0], 0.25)
    array([ 2.75, -0.5 ,  1.75])
    >>> prox_total_variation([3.0, -1.0, 2.0], [0.25, 0.0])
    array([ 2.75, -0.75,  2.  ])
    """
    return _prox(w, t, "total_variation", nonnegative)


def _prox(w: Any, t: Any, order: str, nonnegative: bool) -> npt.NDArray[Any]:
    check_flag("nonnegative", nonnegative)
    values = check_values("w", w)
    if values.ndim == 0:
        raise ValueError("w is a single number: pass a vector, or rows of numbers.")
    n_columns = values.shape[-1]
    rise, fall = both_directions(order, check_pair_weights("t", t, n_columns - 1)[0])
    result = np.array(values, order="C")
    _native.prox_rows(result.reshape(-1, n_columns), rise, fall, sign_rule(order, 1, nonnegative))
    return result.astype(result_dtype(w), copy=False)

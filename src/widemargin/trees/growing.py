"""Growing trees on binned features."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.trees.binning import BinMapper
from widemargin.trees.ensemble import Tree
from widemargin.validation import check_choice, check_integer, check_number

__all__ = ["CRITERIA", "TreeGrower"]

CRITERIA = ("edge", "gini", "squared", "exponential")
"""Names of the criteria; see `TreeGrower`."""

_MOST_LEVELS = 8


class TreeGrower:
    """Grows trees on the same codes for one vector of signed weights after another.

    With G the sum of the signed weights and W that of the weights of the rows in a leaf, splits are chosen level by
    level, each the best for

    - "edge": the sum of abs(G) over leaves, that is the least weighted error; leaf values sign(G);
    - "gini": the weighted Gini impurity of weights (W + G) / 2 and (W - G) / 2; leaf values sign(G);
    - "squared": the sum of G^2 / (W + leaf_alpha); leaf values G / (W + leaf_alpha);
    - "exponential": the sum of -sqrt(W^2 - G^2), the exponential loss with the best leaf values
      log((W + G + 2 e) / (W - G + 2 e)) / 2, where e is `leaf_alpha`, or for 0 the mean weight of a row halved
      (Schapire and Singer, 1999, section 4.2).

    "edge" is greedy at inner nodes too, though a split that changes no sign by itself could let later ones do so. It
    need not look for those: on digits and USPS (even against odd; uniform weights, AdaBoost's, and with all weight of
    negatives on the tenth with the highest scores; depths 2 to 4) no inner node of both signs lacked a split that
    improves. Trees of depth 3 had weighted errors of 0.100, 0.303 and 0.275 on USPS; with Gini's criterion and leaf
    values sign(G) they had 0.099, 0.312 and 0.287.

    sign(0) is 0. Sums are integers in fixed point (38 bits for the sum of sizes), so that trees depend neither on
    the order of the rows nor on the number of threads. Of equal splits that of the lowest feature is taken, of those
    one that sends missing values right, of those that of the lowest threshold. Where all leaves below a node have
    the same value, it becomes a leaf.

    Missing values go to the side that improves more; where a node has none, to the side of greater weight.

    Parameters
    ----------
    bins : BinMapper
        Bins of the features.
    codes : ndarray of uint8 of shape (n_features, n_samples)
        ``bins.transform(X)``; must not change while the grower is in use.
    max_depth : int, default=2
        Most splits on the way to a leaf, from 1 to 8.
    min_samples_leaf : int, default=1
        Fewest rows in a leaf, of those that have a weight.
    criterion : {"edge", "gini", "squared", "exponential"}, default="edge"
        What a split is chosen by.
    leaf_alpha : float, default=0.0
        Ridge on leaf values ("squared") or their smoothing ("exponential"), in units of weight; at least 0.
    n_threads : int, default=1
        Threads at most, used only where they pay.

    Raises
    ------
    ValueError
        If a parameter is out of its range or the codes do not belong to the bins.
    TypeError
        If a parameter is not of its type; codes must be C-contiguous.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.trees import BinMapper, TreeGrower
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> bins = BinMapper.fit(X)
    >>> grower = TreeGrower(bins, bins.transform(X), max_depth=2)
    >>> tree, leaves = grower.grow(np.array([1.0, -2.0, -2.0, 1.0]))
    >>> tree.threshold
    array([0.5, nan, 2.5, nan, nan])
    >>> tree.leaf_values[leaves]
    array([ 1., -1., -1.,  1.])
    """

    def __init__(
        self,
        bins: BinMapper,
        codes: npt.NDArray[np.uint8],
        max_depth: int = 2,
        min_samples_leaf: int = 1,
        criterion: str = "edge",
        leaf_alpha: float = 0.0,
        n_threads: int = 1,
    ) -> None:
        max_depth = check_integer("max_depth", max_depth, at_least=1)
        if max_depth > _MOST_LEVELS:
            raise ValueError(f"max_depth must be at most {_MOST_LEVELS}, got {max_depth}.")
        min_samples_leaf = check_integer("min_samples_leaf", min_samples_leaf, at_least=1)
        check_choice("criterion", criterion, CRITERIA)
        leaf_alpha = check_number("leaf_alpha", leaf_alpha, at_least=0.0)
        n_threads = check_integer("n_threads", n_threads, at_least=1)
        if codes.ndim != 2 or codes.shape[0] != bins.n_features:
            raise ValueError(
                f"codes has shape {codes.shape}, expected ({bins.n_features}, n_samples): pass bins.transform(X)."
            )
        self._n_features = bins.n_features
        self._grower = _native.TreeGrower(
            codes,
            bins.thresholds,
            bins.offsets,
            max_depth,
            min_samples_leaf,
            CRITERIA.index(criterion),
            leaf_alpha,
            n_threads,
        )

    def grow(
        self,
        gradient: npt.NDArray[np.float64],
        weight: npt.NDArray[np.float64] | None = None,
        features: Any = None,
    ) -> tuple[Tree, npt.NDArray[np.uint8]]:
        """Grow one tree.

        Parameters
        ----------
        gradient : ndarray of float64 of shape (n_samples,)
            Signed weights: the weight of a sample times its label.
        weight : ndarray of float64 of shape (n_samples,), optional
            Weights that are not negative; the sizes of `gradient` by default. Rows where both are 0 have no say in
            the splits and do not count in `min_samples_leaf`; "edge" does not look at weights beyond that.
        features : array-like of int, optional
            Features that splits may use, all by default.

        Returns
        -------
        tree : Tree
            The tree.
        leaves : ndarray of uint8 of shape (n_samples,)
            Number of every row's leaf, those without weight included.

        Raises
        ------
        ValueError
            If lengths differ, a feature does not exist, a value is not finite, or more than 16,777,215 rows have a
            weight.
        TypeError
            If `gradient` or `weight` is not a C-contiguous array of float64, or `features` are not integers.
        """
        chosen = None if features is None else self._check_features(features)
        feature, threshold, code, missing_code, missing_left, left, right, value, leaf, gain, leaves = (
            self._grower.grow(gradient, weight, chosen)
        )
        tree = Tree(
            n_features=self._n_features,
            feature=feature,
            threshold=threshold,
            bin=code,
            missing_bin=missing_code,
            missing_left=missing_left.view(np.bool_),
            left=left,
            right=right,
            value=value,
            leaf=leaf,
            gain=gain,
        )
        return tree, leaves

    def _check_features(self, features: Any) -> npt.NDArray[np.int32]:
        """Return the chosen features, sorted and each once."""
        chosen = np.asarray(features)
        if chosen.dtype.kind not in "iu" and chosen.size:
            raise TypeError(
                f"features must be integers, got an array of {chosen.dtype}: pass the numbers of the features, of a "
                "mask with np.flatnonzero(mask)."
            )
        if chosen.size and not 0 <= int(chosen.min()) <= int(chosen.max()) < self._n_features:
            raise ValueError(
                f"features must be from 0 to {self._n_features - 1}, got {int(chosen.min())} to {int(chosen.max())}: "
                "pass the numbers of features that exist."
            )
        return np.unique(chosen).astype(np.int32)

"""Trees and sums of trees as flat arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin import _native
from widemargin.trees._arrays import as_table

__all__ = ["Tree", "TreeEnsemble"]


@dataclass(frozen=True)
class Tree:
    """A binary tree: one entry a node, the root first, children after their parent.

    A row goes left where ``x <= threshold``, or where x is NaN and `missing_left` says so.

    Parameters
    ----------
    n_features : int
        Number of features of the rows it applies to.
    feature : ndarray of int32 of shape (n_nodes,)
        Feature that a node looks at, -1 for a leaf.
    threshold : ndarray of float64 of shape (n_nodes,)
        Largest value that goes left: infinite where all values do and missing ones do not, NaN for a leaf.
    bin, missing_bin : ndarray of uint8 of shape (n_nodes,)
        The same for codes: the largest code that goes left, and the code of a missing value.
    missing_left : ndarray of bool of shape (n_nodes,)
        Whether missing values go left.
    left, right : ndarray of int32 of shape (n_nodes,)
        Numbers of the children, -1 for a leaf.
    value : ndarray of float64 of shape (n_nodes,)
        Value of a leaf, 0 for other nodes.
    leaf : ndarray of int32 of shape (n_nodes,)
        Number of a leaf among the leaves, from left to right; -1 for other nodes.
    gain : ndarray of float64 of shape (n_nodes,)
        What a split improves its criterion by, 0 for a leaf.
    """

    n_features: int
    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float64]
    bin: npt.NDArray[np.uint8]
    missing_bin: npt.NDArray[np.uint8]
    missing_left: npt.NDArray[np.bool_]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    leaf: npt.NDArray[np.int32]
    gain: npt.NDArray[np.float64]

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.feature < 0))

    @property
    def leaf_values(self) -> npt.NDArray[np.float64]:
        """Values of the leaves in the order of their numbers, of shape (n_leaves,)."""
        leaves = self.feature < 0
        values = np.empty(self.n_leaves)
        values[self.leaf[leaves]] = self.value[leaves]
        return values

    def predict(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the value of the leaf that each row falls into.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As for `TreeEnsemble.predict`.

        Returns
        -------
        ndarray of float64 of shape (n_samples,)
            Values.

        Raises
        ------
        ValueError
            If X has another number of features.
        """
        return TreeEnsemble.of([self]).predict(X)


_NODE_ARRAYS = tuple(field.name for field in fields(Tree) if field.name != "n_features")


@dataclass(frozen=True)
class TreeEnsemble:
    """A weighted sum of trees, their nodes after another in the arrays of `Tree`.

    Children are counted from the root of their tree. All predictions add the trees in order, in float64: the same
    rows get the same sums to the last bit from features, from codes, and row by row.

    Nothing is checked where an ensemble is made, and all of it wherever it is used: arrays that are no binary trees of
    at most 8 levels over the features raise ValueError or TypeError.

    Parameters
    ----------
    n_features : int
        Number of features.
    roots : ndarray of int64 of shape (n_trees + 1,)
        Tree t has the nodes ``roots[t]:roots[t + 1]``.
    feature, threshold, bin, missing_bin, missing_left, left, right : ndarray of shape (n_nodes,)
        As in `Tree`.
    value : ndarray of float64 of shape (n_nodes,)
        Value of a leaf times the weight of its tree.
    leaf, gain : ndarray of shape (n_nodes,)
        As in `Tree`.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.trees import BinMapper, TreeEnsemble, TreeGrower
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0]])
    >>> bins = BinMapper.fit(X)
    >>> grower = TreeGrower(bins, bins.transform(X), max_depth=1)
    >>> tree, leaves = grower.grow(np.array([-1.0, -1.0, 1.0, 1.0]))
    >>> leaves
    array([0, 0, 1, 1], dtype=uint8)
    >>> TreeEnsemble.of([tree, tree], weights=[1.0, 0.5]).predict(X)
    array([-1.5, -1.5,  1.5,  1.5])
    """

    n_features: int
    roots: npt.NDArray[np.int64]
    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float64]
    bin: npt.NDArray[np.uint8]
    missing_bin: npt.NDArray[np.uint8]
    missing_left: npt.NDArray[np.bool_]
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    leaf: npt.NDArray[np.int32]
    gain: npt.NDArray[np.float64]

    @classmethod
    def of(cls, trees: Sequence[Tree], weights: npt.ArrayLike | None = None) -> TreeEnsemble:
        """Join trees.

        Parameters
        ----------
        trees : sequence of Tree
            At least one, all for the same number of features.
        weights : array-like of shape (n_trees,), optional
            What the leaf values of each tree are multiplied by, 1 by default.

        Returns
        -------
        TreeEnsemble
            Their weighted sum.

        Raises
        ------
        ValueError
            If there is no tree, trees differ in the number of features, or there is not one weight a tree.
        """
        if len(trees) == 0:
            raise ValueError("trees is empty: pass at least one tree.")
        counts = sorted({tree.n_features for tree in trees})
        if len(counts) > 1:
            raise ValueError(
                f"trees are for {counts} features: pass trees that were grown on the same features."
            )
        factors = np.ones(len(trees)) if weights is None else np.asarray(weights, dtype=np.float64)
        if factors.shape != (len(trees),):
            raise ValueError(
                f"weights.shape == {factors.shape}, expected ({len(trees)},): pass one weight per tree."
            )
        sizes = [len(tree.feature) for tree in trees]
        nodes = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in _NODE_ARRAYS}
        nodes["value"] = nodes["value"] * np.repeat(factors, sizes)
        return cls(
            n_features=counts[0],
            roots=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            **nodes,
        )

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.roots) - 1

    def trees(self) -> list[Tree]:
        """Return the trees, with the values of their leaves as they are here; they share the memory of the arrays.

        Returns
        -------
        list of Tree
            What `of` has joined, if all weights were 1.

        Raises
        ------
        ValueError, TypeError
            If the arrays differ in length, are of another type, or `roots` does not divide them.
        """
        self._native()
        return [
            Tree(self.n_features, **{name: getattr(self, name)[start:stop] for name in _NODE_ARRAYS})
            for start, stop in zip(self.roots[:-1], self.roots[1:], strict=True)
        ]

    def predict(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return the score of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Float32 or float64 in any memory layout, which is not copied; else converted to float64.
        n_threads : int, default=1
            Threads at most.

        Returns
        -------
        ndarray of float64 of shape (n_samples,)
            Sums of leaf values.

        Raises
        ------
        ValueError
            If X has another number of features.
        """
        return self._native().predict(as_table(X, self.n_features), n_threads)

    def predict_binned(self, codes: npt.NDArray[np.uint8], *, n_threads: int = 1) -> npt.NDArray[np.float64]:
        """Return the score of each row from the codes of the bins that the trees were grown on.

        Parameters
        ----------
        codes : ndarray of uint8 of shape (n_features, n_samples)
            As `BinMapper.transform` returns them.
        n_threads : int, default=1
            Threads at most.

        Returns
        -------
        ndarray of float64 of shape (n_samples,)
            What `predict` returns for the features.

        Raises
        ------
        ValueError
            If there are codes of another number of features.
        TypeError
            If they are not a C-contiguous array of uint8.
        """
        return self._native().predict_codes(codes, n_threads)

    def leaves(self, X: Any, *, n_threads: int = 1) -> npt.NDArray[np.uint8]:
        """Return the number of each row's leaf in every tree.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As in `predict`.
        n_threads : int, default=1
            Threads at most.

        Returns
        -------
        ndarray of uint8 of shape (n_trees, n_samples)
            Numbers of leaves, see `Tree`.

        Raises
        ------
        ValueError
            If X has another number of features.
        """
        return self._native().leaves(as_table(X, self.n_features), n_threads)

    def predict_early_exit(
        self, X: Any, thresholds: npt.ArrayLike, *, n_threads: int = 1
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]:
        """Return scores that leave out the remaining trees for rows that have fallen behind.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            As in `predict`.
        thresholds : array-like of shape (n_trees,)
            A row is left after tree t once its sum so far is less than ``thresholds[t]``.
        n_threads : int, default=1
            Threads at most.

        Returns
        -------
        scores : ndarray of float64 of shape (n_samples,)
            Sums over the trees that a row has seen.
        n_trees_used : ndarray of int32 of shape (n_samples,)
            How many these are.

        Raises
        ------
        ValueError
            If X has another number of features, or there is not one threshold a tree.
        """
        levels = np.ascontiguousarray(thresholds, dtype=np.float64)
        if levels.shape != (self.n_trees,):
            raise ValueError(
                f"thresholds.shape == {levels.shape}, expected ({self.n_trees},): pass one threshold per tree."
            )
        return self._native().predict_early_exit(as_table(X, self.n_features), levels, n_threads)

    def _native(self) -> _native.TreeEnsemble:
        return _native.TreeEnsemble(
            self.n_features,
            self.roots,
            self.feature,
            self.threshold,
            self.bin,
            self.missing_bin,
            self.missing_left,
            self.left,
            self.right,
            self.value,
            self.leaf,
        )

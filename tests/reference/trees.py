"""Binning, growing and predicting by the definitions, a row and a split at a time."""

from dataclasses import dataclass

import numpy as np


def code(x, thresholds):
    """The bin of a value: how many thresholds are below it; the number of bins for NaN."""
    return len(thresholds) + 1 if np.isnan(x) else int(np.sum(np.asarray(thresholds) < x))


def score(gradient, weight, criterion, leaf_alpha):
    """What a set of rows contributes to the criterion, larger is better."""
    G, W = gradient.sum(), weight.sum()
    if criterion == "edge":
        return abs(G)
    if criterion == "exponential":
        return -0.5 * np.sqrt(max(0.0, (W - G) * (W + G)))
    denominator = 2 * W if criterion == "gini" else W + leaf_alpha
    return G * G / denominator if denominator > 0 else 0.0


def leaf_value(gradient, weight, criterion, leaf_alpha, smoothing):
    G, W = gradient.sum(), weight.sum()
    if criterion in ("edge", "gini"):
        return np.sign(G)
    if criterion == "squared":
        return G / (W + leaf_alpha) if W + leaf_alpha > 0 else 0.0
    if smoothing == 0:
        return 0.0
    return 0.5 * np.log(((W + G) / 2 + smoothing) / ((W - G) / 2 + smoothing))


@dataclass
class Node:
    value: float = 0.0
    feature: int = -1
    bin: int = -1
    missing_left: bool = False
    gain: float = 0.0
    left: "Node | None" = None
    right: "Node | None" = None


class NaiveGrower:
    """The rules of `widemargin.trees.TreeGrower`, sums in floating point."""

    def __init__(self, codes, n_bins, max_depth, min_samples_leaf, criterion, leaf_alpha):
        self.codes, self.n_bins, self.max_depth = codes.astype(int), n_bins, max_depth
        self.least, self.criterion, self.leaf_alpha = min_samples_leaf, criterion, leaf_alpha

    def grow(self, gradient, weight=None, features=None):
        self.g = gradient
        self.w = np.abs(gradient) if weight is None else weight
        self.features = range(len(self.codes)) if features is None else sorted(set(features))
        self.active = (self.g != 0) | (self.w != 0)
        n_active = max(1, self.active.sum())
        self.smoothing = self.leaf_alpha or self.w.sum() / (2 * n_active)
        return self._node(np.ones(len(gradient), dtype=bool), 0)

    def _score(self, rows):
        return score(self.g[rows], self.w[rows], self.criterion, self.leaf_alpha)

    def _goes_left(self, feature, bin, missing_left):
        codes = self.codes[feature]
        return (codes <= bin) | (missing_left & (codes == self.n_bins[feature]))

    def _best(self, rows):
        """The first of the best splits: lowest feature, missing values right before left, lowest bin."""
        whole = self._score(rows)
        best = (whole + 1e-12 * abs(whole), None)
        for feature in self.features:
            missing = self.codes[feature] == self.n_bins[feature]
            some_missing = bool((missing & rows & self.active).any())
            for missing_left in (False, True) if some_missing else (False,):
                for bin in range(self.n_bins[feature] - (missing_left or not some_missing)):
                    goes_left = self._goes_left(feature, bin, missing_left)
                    left, right = rows & goes_left, rows & ~goes_left
                    if min((left & self.active).sum(), (right & self.active).sum()) < self.least:
                        continue
                    sides = self._score(left) + self._score(right)
                    if sides > best[0]:
                        best = (sides, (feature, bin, missing_left, some_missing))
        return best[0] - whole, best[1]

    def _node(self, rows, level):
        node = Node(leaf_value(self.g[rows], self.w[rows], self.criterion, self.leaf_alpha, self.smoothing))
        if level == self.max_depth:
            return node
        gain, split = self._best(rows)
        if split is None:
            return node
        feature, bin, missing_left, some_missing = split
        if not some_missing:
            goes_left = self._goes_left(feature, bin, False) & self.active & rows
            size = self.w if self.criterion != "edge" else np.abs(self.g)
            missing_left = size[goes_left].sum() >= size[rows & self.active & ~goes_left].sum()
        goes_left = self._goes_left(feature, bin, missing_left)
        left, right = self._node(rows & goes_left, level + 1), self._node(rows & ~goes_left, level + 1)
        if left.feature < 0 and right.feature < 0 and left.value == right.value:
            return node
        return Node(0.0, feature, bin, bool(missing_left), gain, left, right)


def predict(node, codes, n_bins):
    """The value of each row's leaf."""
    values = np.empty(codes.shape[1])
    for i in range(codes.shape[1]):
        at = node
        while at.feature >= 0:
            c = codes[at.feature, i]
            left = c <= at.bin or (at.missing_left and c == n_bins[at.feature])
            at = at.left if left else at.right
        values[i] = at.value
    return values


def preorder(node):
    """(feature, bin, missing_left) of inner nodes and None of leaves, parents first."""
    if node.feature < 0:
        return [None]
    return [(node.feature, node.bin, node.missing_left), *preorder(node.left), *preorder(node.right)]

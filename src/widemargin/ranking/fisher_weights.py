r"""Fisher's discriminant for the weights of weak learners that boosting has chosen.

Wu, Brubaker, Mullin and Rehg separate the choice of weak learners, by boosting, from that of their weights, by

.. math:: w = (\Sigma_+ + \Sigma_-)^{-1} (\mu_+ - \mu_-)

where :math:`\mu` and :math:`\Sigma` are means and covariances of the vectors of weak learners' outputs in each class.
For normal classes with covariance :math:`(\Sigma_+ + \Sigma_-) / 2` this is half the slope of the log-odds, the scale
that the exponential loss gives to scores as well.

References
----------
J. Wu, S. C. Brubaker, M. D. Mullin and J. M. Rehg, "Fast asymmetric learning for cascade face detection", IEEE
Transactions on Pattern Analysis and Machine Intelligence 30(3), 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve

from widemargin.trees import Tree, TreeEnsemble

__all__ = ["FISHER_RIDGE", "fisher_weights"]

Array = npt.NDArray[np.float64]

FISHER_RIDGE = 1e-6
"""Ridge on the scatter, relative to its mean eigenvalue: weak learners that recur share their weight evenly."""

_BLOCK = 8192
"""Rows at a time: the outputs of 100 weak learners take 6.5 MB."""


def fisher_weights(
    trees: list[Tree], X: npt.NDArray[Any], positive: npt.NDArray[np.bool_], weight: Array
) -> tuple[Array, float] | None:
    """Return Fisher's weights of trees and the intercept halfway between the classes.

    Parameters
    ----------
    trees : list of Tree
        At least one.
    X : ndarray of shape (n_samples, n_features)
        Training samples.
    positive : ndarray of bool of shape (n_samples,)
        Which samples are positive.
    weight : ndarray of shape (n_samples,)
        Weights of the samples, positive. Their totals by class are the prior odds.

    Returns
    -------
    weights : ndarray of shape (n_trees,)
        Weights of either sign.
    intercept : float
        Minus the projected middle between the means, plus half the logarithm of the prior odds.
    None
        In place of both if no tree's output varies within a class, or none differs between classes: Fisher's criterion
        is then infinite or zero.
    """
    ensemble = TreeEnsemble.of(trees)
    labels = positive.astype(np.intp)
    totals = np.bincount(labels, weights=weight)
    shares = weight / totals[labels]

    def blocks() -> Iterator[tuple[slice, Array]]:
        for start in range(0, positive.size, _BLOCK):
            rows = slice(start, start + _BLOCK)
            leaves = ensemble.leaves(X[rows])
            yield rows, np.stack([tree.leaf_values[leaf] for tree, leaf in zip(trees, leaves, strict=True)])

    means = np.zeros((2, len(trees)))
    for rows, outputs in blocks():
        weighted = outputs * shares[rows]
        means += [weighted[:, ~positive[rows]].sum(axis=1), weighted[:, positive[rows]].sum(axis=1)]
    # A second pass: products less the means' lose the scatter of trees that hardly vary.
    scatter = np.zeros((len(trees), len(trees)))
    for rows, outputs in blocks():
        outputs -= means[labels[rows]].T
        scatter += (outputs * shares[rows]) @ outputs.T
    difference = means[1] - means[0]
    if np.trace(scatter) <= 1e-12 * np.sum(means**2) or np.abs(difference).max() <= 1e-12:
        return None
    scatter[np.diag_indices(len(trees))] += FISHER_RIDGE * np.trace(scatter) / len(trees)
    weights = solve(scatter, difference, assume_a="pos")
    intercept = 0.5 * float(np.log(totals[1] / totals[0])) - 0.5 * float(weights @ (means[0] + means[1]))
    return weights, intercept

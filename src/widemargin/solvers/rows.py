"""The constraint rows of the package's large-margin problems, as products for the interior point method."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["DenseRows", "PairRows", "SlackRows"]

Array = npt.NDArray[np.float64]


class DenseRows:
    """Rows held as one dense matrix: the margins of a linear classifier.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_variables)
        Row i holds y_i x_i, and y_i last if there is an intercept.
    """

    def __init__(self, matrix: Array) -> None:
        self.matrix = matrix
        self.shape = matrix.shape

    def dot(self, u: Array) -> Array:
        """Return A u."""
        return self.matrix @ u

    def transpose_dot(self, z: Array) -> Array:
        """Return A' z."""
        return z @ self.matrix

    def normal_matrix(self, weights: Array) -> Array:
        """Return A' diag(weights) A."""
        scaled = self.matrix * np.sqrt(weights)[:, None]
        return scaled.T @ scaled  # one array on both sides: NumPy calls the symmetric product


class SlackRows:
    """Rows of SVM+: margins whose slack is itself a linear function, and that function's sign.

    The variables are (w, b, w*, b*). Row i < n_samples is (y_i x_i, y_i, x*_i, 1), the margin plus its slack;
    the following rows are (0, 0, x*_i, 1), the slack. Samples without privileged features come last, have an
    ordinary slack, and only the row (y_i x_i, y_i, 0, 0), at the very end: soft rows come after hard ones.

    Parameters
    ----------
    margin : ndarray of shape (n_samples, n_features)
        Row i holds y_i x_i, and y_i last.
    slack : ndarray of shape (n_privileged, n_privileged_features)
        Row i holds x*_i, and 1 last; n_privileged <= n_samples.
    """

    def __init__(self, margin: Array, slack: Array) -> None:
        self.margin = margin
        self.slack = slack
        self.n_privileged = len(slack)
        self.n_margin_variables = margin.shape[1]
        self.joint = np.hstack([margin[: self.n_privileged], slack])
        self.shape = (len(margin) + self.n_privileged, margin.shape[1] + slack.shape[1])

    def dot(self, u: Array) -> Array:
        """Return A u."""
        n, p = self.n_privileged, self.n_margin_variables
        outputs = self.margin @ u[:p]
        slacks = self.slack @ u[p:]
        return np.concatenate([outputs[:n] + slacks, slacks, outputs[n:]])

    def transpose_dot(self, z: Array) -> Array:
        """Return A' z."""
        n = self.n_privileged
        margin_part = np.concatenate([z[:n], z[2 * n :]]) @ self.margin
        return np.concatenate([margin_part, (z[:n] + z[n : 2 * n]) @ self.slack])

    def normal_matrix(self, weights: Array) -> Array:
        """Return A' diag(weights) A."""
        n, p = self.n_privileged, self.n_margin_variables
        root = np.sqrt(weights)[:, None]
        scaled = self.joint * root[:n]
        normal = scaled.T @ scaled
        scaled = self.slack * root[n : 2 * n]
        normal[p:, p:] += scaled.T @ scaled
        if len(self.margin) > n:
            scaled = self.margin[n:] * root[2 * n :]
            normal[:p, :p] += scaled.T @ scaled
        return normal


class PairRows:
    """Rows x_i - x_j for chosen pairs of a positive i and a negative j, never stored.

    Products cost one number a pair, and the normal matrix is the Laplacian of the pairs between two products
    with the features, so that memory grows with the number of pairs but not with pairs times features.

    Parameters
    ----------
    positive, negative : ndarray of shape (n_positive, n_features), (n_negative, n_features)
        Features of the two sides.
    first, second : ndarray of int of shape (n_pairs,)
        Row of `positive` and row of `negative` of each pair.
    """

    def __init__(
        self, positive: Array, negative: Array, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]
    ) -> None:
        self.positive, self.negative = positive, negative
        self.first, self.second = first, second
        self.shape = (first.size, positive.shape[1])
        self._cell = first * len(negative) + second

    def dot(self, u: Array) -> Array:
        """Return A u."""
        return (self.positive @ u)[self.first] - (self.negative @ u)[self.second]

    def transpose_dot(self, z: Array) -> Array:
        """Return A' z."""
        table = self._table(z)
        return table.sum(axis=1) @ self.positive - table.sum(axis=0) @ self.negative

    def normal_matrix(self, weights: Array) -> Array:
        """Return A' diag(weights) A."""
        table = self._table(weights)
        positive = self.positive * np.sqrt(table.sum(axis=1))[:, None]
        negative = self.negative * np.sqrt(table.sum(axis=0))[:, None]
        cross = self.positive.T @ (table @ self.negative)
        return positive.T @ positive + negative.T @ negative - cross - cross.T

    def _table(self, values: Array) -> Array:
        """Values of the pairs as a matrix of positives by negatives, zero where there is no pair."""
        n_positive, n_negative = len(self.positive), len(self.negative)
        table = np.bincount(self._cell, weights=values, minlength=n_positive * n_negative)
        return table.astype(float, copy=False).reshape(n_positive, n_negative)

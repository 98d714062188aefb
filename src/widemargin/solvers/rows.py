"""The constraint rows of the package's large-margin problems, as products for the interior point method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotrs

__all__ = ["ConstraintRows", "DenseRows", "KernelSlackRows", "NewtonSolver", "PairRows", "SlackRows"]

Array = npt.NDArray[np.float64]
NewtonSolver = Callable[[Array, Array], tuple[Array, Array]]


class ConstraintRows(ABC):
    """The matrix A of the constraints, and the curvature of the objective, known by their products alone.

    Parameters
    ----------
    shape : tuple of (int, int)
        Numbers of rows and of variables.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape

    @abstractmethod
    def dot(self, u: Array) -> Array:
        """Return A u."""

    @abstractmethod
    def transpose_dot(self, z: Array) -> Array:
        """Return A' z."""

    def normal_matrix(self, weights: Array) -> Array:
        """Return A' diag(weights) A as a new C-contiguous array."""
        raise NotImplementedError

    def energy(self, u: Array, curvature: Array) -> float:
        """Return 1/2 u' diag(curvature) u."""
        return 0.5 * float(curvature @ u**2)

    def newton(self, weights: Array, curvature: Array) -> NewtonSolver | None:
        """Factor diag(curvature) + A' diag(weights) A.

        Returns
        -------
        callable or None
            ``solve(r, g)`` gives du and dz = weights (r - A du) with curvature du - A' dz = -g. None if rounding has
            destroyed the matrix.
        """
        factor = _factor(lambda: self.normal_matrix(weights), curvature)
        if factor is None:
            return None

        def solve(r: Array, g: Array) -> tuple[Array, Array]:
            du, _ = dpotrs(factor, self.transpose_dot(r * weights) - g, lower=1)
            return du, (r - self.dot(du)) * weights

        return solve


class DenseRows(ConstraintRows):
    """Rows held as one dense matrix: the margins of a linear classifier.

    Parameters
    ----------
    matrix : ndarray of shape (n_rows, n_variables)
        Row i holds y_i x_i, and y_i last if there is an intercept.
    """

    def __init__(self, matrix: Array) -> None:
        super().__init__(matrix.shape)
        self.matrix = matrix

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


class SlackRows(ConstraintRows):
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
        super().__init__((len(margin) + len(slack), margin.shape[1] + slack.shape[1]))
        self.margin = margin
        self.slack = slack
        self.n_privileged = len(slack)
        self.n_margin_variables = margin.shape[1]
        self.joint = np.hstack([margin[: self.n_privileged], slack])

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


class KernelSlackRows(ConstraintRows):
    """Rows of SVM+ as of `SlackRows`, for a classifier that is known by a Gram matrix.

    The weights are w = sum_i v_i y_i x_i; the variables are (v, b, w*, b*), and products and gradients of w are those
    of its coefficients v. The Newton system is solved for the multipliers of the margins: with F the rows of the
    slack function, D1 and D2 the weights of margins and slacks and P = diag(curvature) + F' D2 F, its matrix is
    D1^-1 + Q + F P^-1 F', a sum of positive semi-definite matrices. At N = 500 with two Gaussian kernels it takes half
    the time and a third of the memory of `SlackRows` on the factors of both Gram matrices.

    Parameters
    ----------
    gram : ndarray of shape (n_samples, n_samples)
        Gram matrix K of the samples; Q = (y y') o K.
    y : ndarray of shape (n_samples,)
        Labels, -1 or 1.
    slack : ndarray of shape (n_privileged, n_slack_variables)
        Row i holds x*_i, and 1 last; n_privileged <= n_samples.
    """

    def __init__(self, gram: Array, y: Array, slack: Array) -> None:
        n, (n_privileged, n_slack_variables) = y.size, slack.shape
        super().__init__((n + n_privileged, n + 1 + n_slack_variables))
        self.gram, self.y, self.slack = gram, y, slack
        self.n_samples, self.n_privileged = n, n_privileged

    def dot(self, u: Array) -> Array:
        """Return A u."""
        n, p = self.n_privileged, self.n_samples
        outputs = self._signed_product(u[:p]) + self.y * u[p]
        slacks = self.slack @ u[p + 1 :]
        return np.concatenate([outputs[:n] + slacks, slacks, outputs[n:]])

    def transpose_dot(self, z: Array) -> Array:
        """Return A' z, the part of w as coefficients."""
        n = self.n_privileged
        margins = np.concatenate([z[:n], z[2 * n :]])
        return np.concatenate([margins, [self.y @ margins], (z[:n] + z[n : 2 * n]) @ self.slack])

    def energy(self, u: Array, curvature: Array) -> float:
        """Return half the squared norm of w plus 1/2 of curvature u^2 of the other variables."""
        v, others = u[: self.n_samples], u[self.n_samples :]
        return 0.5 * float(v @ self._signed_product(v)) + 0.5 * float(curvature[self.n_samples :] @ others**2)

    def newton(self, weights: Array, curvature: Array) -> NewtonSolver | None:
        """Factor the system of the margins' multipliers; see `ConstraintRows.newton`."""
        n, p, y, slack = self.n_privileged, self.n_samples, self.y, self.slack
        margin_weights, slack_weights = np.concatenate([weights[:n], weights[2 * n :]]), weights[n : 2 * n]

        def slack_matrix() -> Array:
            scaled = slack * np.sqrt(slack_weights)[:, None]
            return scaled.T @ scaled

        slack_factor = _factor(slack_matrix, curvature[p + 1 :])
        if slack_factor is None:
            return None

        def margin_matrix() -> Array:
            # Samples without a slack function have no columns. Fortran order, so that BLAS works in place.
            half = np.zeros((slack.shape[1], p), order="F")
            half[:, :n] = solve_triangular(slack_factor, slack.T, lower=True, check_finite=False)
            matrix = np.multiply(self.gram, y, order="F")
            matrix *= y[:, None]
            return dsyrk(1.0, half, beta=1.0, c=matrix, trans=1, lower=1, overwrite_c=1)

        factor = _factor(margin_matrix, 1.0 / margin_weights)
        if factor is None:
            return None
        along, _ = dpotrs(factor, y, lower=1)

        def solve(r: Array, g: Array) -> tuple[Array, Array]:
            margins, slacks = np.concatenate([r[:n], r[2 * n :]]), r[n : 2 * n]
            particular, _ = dpotrs(slack_factor, (slack_weights * slacks) @ slack - g[p + 1 :], lower=1)
            right = margins + self._signed_product(g[:p])
            right[:n] -= slack @ particular
            multipliers, _ = dpotrs(factor, right, lower=1)
            db = (float(y @ multipliers) - g[p]) / float(y @ along)
            multipliers -= db * along
            response, _ = dpotrs(slack_factor, multipliers[:n] @ slack, lower=1)
            d_slack = particular + response
            du = np.concatenate([multipliers - g[:p], [db], d_slack])
            dz = np.concatenate(
                [multipliers[:n], slack_weights * (slacks - slack @ d_slack), multipliers[n:]]
            )
            return du, dz

        return solve

    def _signed_product(self, v: Array) -> Array:
        """Return Q v."""
        return self.y * (self.gram @ (self.y * v))


class PairRows(ConstraintRows):
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
        super().__init__((first.size, positive.shape[1]))
        self.positive, self.negative = positive, negative
        self.first, self.second = first, second
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


def _factor(make: Callable[[], Array], diagonal: Array) -> Array | None:
    """Cholesky factor of a matrix plus a diagonal, with as little added to it as makes it positive.

    It takes the place of the matrix, which is made anew in the rare case that more must be added.
    """
    for shift in (1e-15, 1e-12, 1e-9, 1e-6):
        matrix = make()
        place = np.einsum("ii->i", matrix)
        place += diagonal
        largest = place.max()
        if not np.isfinite(largest) or largest <= 0:
            return None
        place *= 1 + shift
        place += 1e-300
        # The transpose of a C-contiguous matrix, which is symmetric, is in LAPACK's order.
        matrix = matrix if matrix.flags.f_contiguous else matrix.T
        factor, info = dpotrf(matrix, lower=1, clean=0, overwrite_a=1)
        if info == 0:
            return factor
    return None

"""The problems that every solver gets, and the certificates that hold them all to the same accuracy.

With the weights fixed both objectives are piecewise linear in the intercepts, so any solver's weights become a
feasible primal point, and any multipliers a feasible dual point, in O(n log n). The relative gap between the two is
what "equal accuracy" means here, whoever found the points and whatever the solver says of its own tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from sklearn.metrics.pairwise import rbf_kernel

Array = npt.NDArray[np.float64]


def make_data(n_samples: int, n_features: int = 20, *, seed: int = 0) -> tuple[Array, Array, Array]:
    """Overlapping Gaussian classes and privileged features that know how hard each sample is.

    A clean point z ~ N(0, I) is labelled by its side of a plane; x is z with noise. The privileged features are the
    slack that the sample needs at a teacher's plane, 10 % noise on it, and all but one of the clean features.
    Without the first of them the exact optimum of linear SVM+ is w = 0, which would be no problem to time.
    """
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=n_features)
    normal /= np.linalg.norm(normal)
    clean = rng.normal(size=(n_samples, n_features))
    y = np.where(clean @ normal > 0, 1.0, -1.0)
    X = clean + 0.5 * rng.normal(size=clean.shape)
    slack = np.maximum(0.0, 1.0 - 2.0 * y * (X @ normal)) * (1.0 + 0.1 * rng.normal(size=n_samples))
    return X, y, np.column_stack([slack, clean[:, 1:]])


@dataclass(frozen=True)
class Features:
    """One feature space: products with its kernel matrix, whatever the kernel."""

    values: Array
    kernel: str

    @cached_property
    def gram(self) -> Array:
        if self.kernel == "linear":
            return self.values @ self.values.T
        return rbf_kernel(self.values, gamma=1.0 / (self.values.shape[1] * self.values.var()))

    def function(self, expansion: Array) -> tuple[float, Array]:
        """Squared norm and values on the samples of the combination of samples with these coefficients."""
        if self.kernel == "linear":
            return self.linear_function(expansion @ self.values)
        values = self.gram @ expansion
        return float(expansion @ values), values

    def linear_function(self, weights: Array) -> tuple[float, Array]:
        """Squared norm and values of the function with these weights."""
        return float(weights @ weights), self.values @ weights


@dataclass(frozen=True)
class SVMPlusProblem:
    r"""min 1/2 |w|^2 + (g/2) |w*|^2 + C sum (<w*, x*_i> + b*) under the margins and non-negative slacks."""

    X: Array
    y: Array
    X_privileged: Array
    kernel: str = "linear"
    C: float = 1.0
    g: float = 1.0

    def spaces(self) -> tuple[Features, Features]:
        """New objects, so that nobody's kernel matrices are computed on somebody else's time."""
        return Features(self.X, self.kernel), Features(self.X_privileged, self.kernel)

    def primal_value(self, function: tuple[float, Array], slack_function: tuple[float, Array]) -> float:
        """Objective with the best feasible intercepts: b* = max((A + B) / 2, M), see below."""
        norm, outputs = function
        slack_norm, slacks = slack_function
        positive = self.y > 0
        a = np.max(1.0 - slacks[positive] - outputs[positive])
        b = np.max(1.0 - slacks[~positive] + outputs[~positive])
        b_star = max(0.5 * (a + b), -slacks.min())
        return 0.5 * norm + 0.5 * self.g * slack_norm + self.C * float(slacks.sum() + self.y.size * b_star)

    def feasible(self, alpha: Array, beta: Array) -> tuple[Array, Array]:
        """Non-negative multipliers with y' alpha = 0 and 1'(alpha + beta) = n C, by clipping and scaling."""
        alpha, beta = np.maximum(alpha, 0.0), np.maximum(beta, 0.0)
        alpha = balanced(alpha, self.y)
        total = self.y.size * self.C
        alpha = alpha * min(1.0, total / alpha.sum())
        return alpha, beta * ((total - alpha.sum()) / beta.sum())

    def certify(
        self,
        alpha: Array,
        beta: Array,
        functions: tuple[tuple[float, Array], tuple[float, Array]] | None = None,
    ) -> tuple[float, float]:
        """Primal and dual value of a solver's point; the better of its weights and those of its multipliers."""
        space, privileged = self.spaces()
        alpha, beta = self.feasible(alpha, beta)
        delta = alpha + beta - self.C
        function = space.function(alpha * self.y)
        slack_norm, slacks = privileged.function(delta / self.g)
        dual = float(alpha.sum()) - 0.5 * function[0] - 0.5 * self.g * slack_norm
        primal = self.primal_value(function, (slack_norm, slacks))
        if functions is not None:
            primal = min(primal, self.primal_value(*functions))
        return primal, dual


@dataclass(frozen=True)
class SVMProblem:
    r"""min 1/2 |w|^2 + C sum max(0, rho_i - y_i (<w, x_i> + b))."""

    X: Array
    y: Array
    margins: Array
    kernel: str = "linear"
    C: float = 1.0

    def primal_value(self, function: tuple[float, Array]) -> float:
        """Objective with the best intercept: the loss falls until as many margins of either class are missed."""
        norm, outputs = function
        knots = np.sort(self.y * self.margins - outputs)
        intercept = knots[int(np.sum(self.y > 0))]
        loss = np.maximum(0.0, self.margins - self.y * (outputs + intercept)).sum()
        return 0.5 * norm + self.C * float(loss)

    def certify(self, alpha: Array) -> tuple[float, float]:
        """Primal and dual value of a solver's multipliers."""
        alpha = balanced(np.clip(alpha, 0.0, self.C), self.y)
        function = Features(self.X, self.kernel).function(alpha * self.y)
        return self.primal_value(function), float(self.margins @ alpha) - 0.5 * function[0]


def balanced(alpha: Array, y: Array) -> Array:
    """Meet y' alpha = 0 by scaling down the class that has more."""
    positive, negative = alpha[y > 0].sum(), alpha[y < 0].sum()
    target = min(positive, negative)
    return alpha * np.where(y > 0, target / positive, target / negative)


def relative_gap(values: tuple[float, float]) -> float:
    """Difference of a feasible primal and dual value, relative to the primal one."""
    primal, dual = values
    return (primal - dual) / abs(primal)

"""The space that a kernel maps samples to, and functions of it in terms of the samples as they came."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from widemargin.kernels import Kernel, positive_part
from widemargin.solvers.space import Space
from widemargin.validation import check_choice, check_magnitude, check_number, check_square_kernel

__all__ = ["KernelSpace", "resolve_kernel"]

Array = npt.NDArray[np.float64]


class KernelSpace:
    """A kernel, the samples it was computed on, and the space the solvers work in.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    X : ndarray or sparse matrix
        Samples, or the square kernel matrix of a precomputed kernel.
    center : bool
        Whether the origin may be moved: the problem has a free intercept, or knows differences of values only.

    Warns
    -----
    UserWarning
        If the kernel matrix has a negative part, which is dropped.
    """

    def __init__(self, kernel: Kernel, X: Any, *, center: bool) -> None:
        self.kernel = kernel
        self.X = X
        self.projector: Array | None = None
        if self.is_linear:
            self.space = Space(features=X, center=center)
            return
        gram = kernel(X, X)
        if gram is X:
            gram = gram.copy()
        if callable(kernel.kernel):
            gram = check_square_kernel(f"{kernel.name}'s matrix", f"a function as {kernel.name}", gram, "")
        if not kernel.is_psd:
            gram, self.projector, smallest = positive_part(gram)
            if self.projector is not None:
                warnings.warn(
                    f"{kernel.name} is not positive semi-definite on these samples (smallest eigenvalue "
                    f"{smallest:.3g}): its negative part is dropped. Choose a kernel that is to avoid this.",
                    UserWarning,
                    stacklevel=4,
                )
        # Bounded kernels have no origin to be far from: their matrices need no centring.
        bounded = isinstance(kernel.kernel, str) and kernel.kernel in ("rbf", "laplacian")
        self.space = Space(gram=gram, center=center and not bounded)

    @property
    def is_linear(self) -> bool:
        """Whether the classifier has weights over the features themselves."""
        return isinstance(self.kernel.kernel, str) and self.kernel.kernel == "linear"

    def linear_function(self, solution: dict[str, Any], prefix: str = "") -> tuple[Array, float]:
        """Weights and intercept over the features as they came."""
        space = self.space
        weights = solution[f"{prefix}weights"]
        if weights is None:
            expansion = solution[f"{prefix}expansion"]
            coef = space.features.T @ expansion if space.is_explicit else space.explicit_weights(expansion)
        else:
            coef = weights if space.is_explicit else space.explicit_weights(solution[f"{prefix}expansion"])
        return coef, float(solution[f"{prefix}intercept"] - coef @ space.mean)

    def kernel_function(self, solution: dict[str, Any], prefix: str = "") -> tuple[Array, float]:
        """Coefficients over the samples and intercept, in terms of the kernel as it came."""
        expansion = solution[f"{prefix}expansion"]
        if expansion is None:
            expansion = self.space.expansion(solution[f"{prefix}weights"])
        coefficients, shift = self.space.kernel_expansion(expansion)
        if self.projector is not None:
            coefficients = self.projector @ coefficients
        return coefficients, float(solution[f"{prefix}intercept"] + shift)


def resolve_kernel(
    kernel: Any,
    gamma: Any,
    degree: Any,
    coef0: Any,
    X: Any,
    *,
    prefix: str = "",
    sample_weight: Array | None = None,
) -> Kernel:
    """Return the kernel that the parameters of an estimator describe, for its training samples.

    Parameters
    ----------
    kernel, gamma, degree, coef0 : object
        The parameters, of which only `kernel` has been checked.
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        Training samples, or the kernel matrix of a precomputed kernel.
    prefix : str, default=""
        What the names of the parameters begin with, for messages: "" or "privileged_".
    sample_weight : ndarray of shape (n_samples,), default=None
        Multiplicities that the variance of gamma="scale" counts, 1 by default.

    Returns
    -------
    Kernel
        The kernel, with its width as a number.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of its range, or products of the features overflow.
    """
    if isinstance(kernel, str) and kernel != "precomputed":
        check_magnitude(f"X{'_' + prefix.rstrip('_') if prefix else ''}", X)
    return Kernel(
        kernel,
        _resolve_gamma(gamma, X, sample_weight, f"{prefix}gamma"),
        check_number(f"{prefix}degree", degree, at_least=0),
        check_number(f"{prefix}coef0", coef0),
        f"{prefix}kernel",
    )


def _resolve_gamma(gamma: Any, X: Any, sample_weight: Array | None, name: str) -> float:
    """Kernel width as scikit-learn's SVC resolves it, but for multiplicities."""
    if not isinstance(gamma, str):
        return check_number(name, gamma, at_least=0)
    check_choice(name, gamma, ("scale", "auto"))
    if gamma == "auto":
        return 1.0 / X.shape[1]

    def mean(values: Any) -> float:
        return float(np.average(np.asarray(values.mean(axis=1)).ravel(), weights=sample_weight))

    variance = mean(X.multiply(X)) - mean(X) ** 2 if issparse(X) else mean((X - mean(X)) ** 2)
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0

"""What the classifiers of this part share once they are fitted: functions of X, and how labels follow."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from widemargin.privileged._training import TrainingSet
from widemargin.solvers.kernel_space import KernelSpace
from widemargin.solvers.result import SolverResult

__all__ = ["CollapseWarning", "PrivilegedClassifier"]


class CollapseWarning(UserWarning):
    """The optimum of SVM+ is w = 0, and predictions follow the intercept alone.

    Examples
    --------
    A search over many fits may hear of it once, or not at all:

    >>> import warnings
    >>> from widemargin.privileged import CollapseWarning
    >>> warnings.filterwarnings("ignore", category=CollapseWarning)
    """


class PrivilegedClassifier(ClassifierMixin, BaseEstimator):
    """Base of the classifiers that predict from X alone; subclasses define `fit`."""

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the values of the decision functions, positive for ``classes_[1]`` if there are two classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; for a precomputed kernel k(samples, training samples).

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            One column a class if there are more than two.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if hasattr(self, "coef_"):
            values = np.asarray(X @ self.coef_.T)
        elif self.support_.size == 0:
            values = np.zeros((X.shape[0], self.intercept_.size))
        elif self._kernel.kernel == "precomputed":
            values = np.asarray(X[:, self.support_] @ self.dual_coef_.T)
        else:
            values = self._kernel(X, self.support_vectors_) @ self.dual_coef_.T
        values = values + self.intercept_
        return values.ravel() if len(self.classes_) == 2 else values

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of each sample.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Samples; for a precomputed kernel k(samples, training samples).

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels of the kind passed to `fit`.

        Raises
        ------
        NotFittedError
            If `fit` has not been called.
        ValueError
            If the number of features differs from that in `fit`.
        """
        values = self.decision_function(X)
        index = (values > 0).astype(int) if len(self.classes_) == 2 else values.argmax(axis=1)
        return self.classes_[index]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.positive_only = isinstance(self.kernel, str) and self.kernel == "chi2"
        return tags

    def _check_memory(self, data: TrainingSet) -> None:
        """Raise ValueError if the kernel matrices are larger than the user allows; here is no limit."""

    def _set_decision_functions(
        self, data: TrainingSet, samples: KernelSpace, results: list[SolverResult]
    ) -> None:
        """Set the attributes that `decision_function` reads."""
        solutions = [result.solution for result in results]
        if samples.is_linear:
            functions = [samples.linear_function(solution) for solution in solutions]
            self.coef_ = np.array([weights for weights, _ in functions])
        else:
            functions = [samples.kernel_function(solution) for solution in solutions]
            dual_coef = np.array([coefficients for coefficients, _ in functions])
            # Centring leaves the rounding of a mean where a coefficient was zero.
            dual_coef[np.abs(dual_coef) <= 1e-14 * np.abs(dual_coef).max(axis=1, keepdims=True)] = 0.0
            used = np.flatnonzero(np.any(dual_coef != 0, axis=0))
            used = used[np.argsort(data.rows[used])]
            self._kernel = samples.kernel
            self.dual_coef_ = dual_coef[:, used]
            self.support_ = data.rows[used]
            if samples.kernel.kernel != "precomputed":
                self.support_vectors_ = samples.X[used]
        self.intercept_ = np.array([intercept for _, intercept in functions])

    def _set_certificate(self, results: list[SolverResult], tol: float) -> None:
        """Set objective, gap and the like; one number for one problem, else one a class."""
        objective = np.array([result.objective for result in results])
        gap = np.array([result.gap for result in results])
        single = len(results) == 1
        self.objective_ = float(objective[0]) if single else objective
        self.dual_gap_ = float(gap[0]) if single else gap
        self.n_iter_ = max(result.n_iter for result in results)
        self.converged_ = all(result.converged for result in results)
        names = [result.solver for result in results]
        self.solver_ = max(names, key=names.count)
        warn_if_not_converged(type(self).__name__, results, tol)


def warn_if_not_converged(name: str, results: list[SolverResult], tol: float, *, stacklevel: int = 4) -> None:
    """Warn with gap, tolerance and the knob to turn, if a solver stopped early.

    By default the warning points to the caller of a `fit` that calls a function that calls this one.
    """
    failed = [result for result in results if not result.converged]
    if failed:
        worst = max(failed, key=lambda result: result.gap)
        warnings.warn(
            f"{name} stopped after {worst.n_iter} iterations ({worst.solver}) with a gap of {worst.gap:.3g} at an "
            f"objective of {worst.objective:.6g}, above tol={tol:g} of it: raise max_iter or tol"
            + (", or use solver='auto'." if worst.solver == "smo" else "."),
            ConvergenceWarning,
            stacklevel=stacklevel,
        )


def warn_without_privileged(consequence: str) -> None:
    """Warn that `fit` got no privileged features, which a meta-estimator can lose silently."""
    warnings.warn(
        f"X_privileged was not given or has no row with values: {consequence}. Pass X_privileged to fit; in a "
        "meta-estimator, with metadata routing enabled.",
        UserWarning,
        stacklevel=3,
    )

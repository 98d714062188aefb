"""This package's estimators, and certificates of what they return.

What is timed is the public `fit`, validation and all. The estimators publish objective and gap but not every
multiplier, so the certificates here solve the same problem once more, untimed, through the solvers that `fit` calls.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from privileged_speed.problems import Array, Features, SVMPlusProblem, SVMProblem, relative_gap
from widemargin.privileged import MarginTransferSVC, SVMPlus
from widemargin.solvers.result import SolverResult
from widemargin.solvers.space import Space
from widemargin.solvers.svm import solve_svm
from widemargin.solvers.svm_plus import solve_svm_plus

TOLERANCE = 1e-6
EPSILON = 0.1


def fit_svm_plus(problem: SVMPlusProblem, solver: str = "auto") -> SVMPlus:
    model = SVMPlus(
        problem.C,
        problem.g,
        kernel=problem.kernel,
        privileged_kernel=problem.kernel,
        solver=solver,
        tol=TOLERANCE,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the tables say who did not converge
        return model.fit(problem.X, problem.y, problem.X_privileged)


def svm_plus_gap(problem: SVMPlusProblem, model: SVMPlus) -> float:
    space, privileged = problem.spaces()
    result = solve_svm_plus(
        _space(space),
        _space(privileged),
        problem.y,
        np.full(problem.y.size, problem.C),
        problem.g,
        tol=TOLERANCE,
    )
    alpha, delta = result.dual["alpha"], result.dual["delta"]
    if problem.kernel == "linear":
        functions = (
            space.linear_function(model.coef_[0]),
            privileged.linear_function(model.privileged_coef_[0]),
        )
    else:
        functions = (
            space.function(_expansion(model, problem.y.size)),
            privileged.function(_centred(result.solution["privileged_expansion"])),
        )
    primal = problem.primal_value(*functions)
    return relative_gap((primal, problem.certify(alpha, delta - alpha + problem.C)[1]))


def fit_margin_transfer(problem: SVMPlusProblem) -> MarginTransferSVC:
    model = MarginTransferSVC(
        problem.C,
        problem.C,
        epsilon=EPSILON,
        kernel=problem.kernel,
        privileged_kernel=problem.kernel,
        tol=TOLERANCE,
    )
    return model.fit(problem.X, problem.y, problem.X_privileged)


def margin_transfer_gap(problem: SVMPlusProblem, model: MarginTransferSVC) -> float:
    """The larger gap of the two stages."""
    y, C, kernel = problem.y, problem.C, problem.kernel
    first = SVMProblem(problem.X_privileged, y, np.ones(y.size), kernel, C)
    second = SVMProblem(problem.X, y, model.margins_, kernel, C)
    space = Features(problem.X, kernel)
    first_result, second_result = _svm(first), _svm(second)
    if kernel == "linear":
        function = space.linear_function(model.coef_[0])
        first_function = Features(problem.X_privileged, kernel).linear_function(model.privileged_coef_[0])
    else:
        function = space.function(_expansion(model, y.size))
        first_expansion = _centred(first_result.solution["expansion"])
        first_function = Features(problem.X_privileged, kernel).function(first_expansion)
    return max(
        relative_gap((first.primal_value(first_function), first.certify(first_result.dual["alpha"])[1])),
        relative_gap((second.primal_value(function), second.certify(second_result.dual["alpha"])[1])),
    )


def _svm(problem: SVMProblem) -> SolverResult:
    space = _space(Features(problem.X, problem.kernel))
    return solve_svm(space, problem.y, problem.margins, np.full(problem.y.size, problem.C), tol=TOLERANCE)


def _space(features: Features) -> Space:
    if features.kernel == "linear":
        return Space(features=features.values, center=True)
    # As `fit` does: bounded kernels are not centred.
    return Space(gram=features.gram.copy(), center=False)


def _expansion(model: SVMPlus | MarginTransferSVC, n_samples: int) -> Array:
    expansion = np.zeros(n_samples)
    expansion[model.support_] = model.dual_coef_[0]
    return expansion


def _centred(expansion: Array) -> Array:
    """Coefficients over centred samples, as coefficients over the samples; the functions differ by a constant."""
    return expansion - expansion.mean()

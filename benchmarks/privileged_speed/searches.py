"""Model selection as the paper does it: the whole grid on the same folds, by the ways there are to write it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.svm import SVC

from privileged_speed.peers import clarabel_primal
from privileged_speed.problems import Array, SVMPlusProblem
from widemargin.datasets import load_awa10
from widemargin.privileged import MarginTransferSVC, MarginTransferSVCCV, SVMPlus, SVMPlusCV

# The paper's grids for L1-normalised X, and its five folds (it draws them five times, which changes no ratio).
CS = tuple(10.0**k for k in range(6))
PRIVILEGED = tuple(10.0**k for k in range(-3, 4))
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
PAPER_FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0)
CLARABEL_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Task:
    """A pair of classes of the size of the paper's Table 1: 100 + 100 images."""

    name: str
    X: Array
    y: Array
    X_privileged: Array


def make_task() -> Task:
    """Draw word counts and probabilities of attributes as sparse and as noisy as those of animals."""
    rng = np.random.default_rng(0)
    y = np.repeat([-1.0, 1.0], 100)
    rates = rng.gamma(0.3, size=2000)
    tilt = 0.15 * rng.normal(size=2000)
    counts = rng.poisson(400 * rates / rates.sum() * np.exp(np.outer(y, tilt))) + 1e-3
    attributes = 1 / (1 + np.exp(-rng.normal(size=(200, 85)) - 0.2 * np.outer(y, rng.normal(size=85))))
    return Task("generated histograms, 100 + 100", counts / counts.sum(axis=1, keepdims=True), y, attributes)


def animal_tasks(folder: Path) -> list[Task]:
    """Draw all pairs of animals from the data set of the paper."""
    animals = load_awa10(folder)
    rng = np.random.default_rng(0)
    tasks = []
    for first, second in combinations(range(len(animals.class_names)), 2):
        rows = np.concatenate(
            [rng.permutation(np.flatnonzero(animals.y == k))[:100] for k in (first, second)]
        )
        name = f"{animals.class_names[first]} against {animals.class_names[second]}, 100 + 100"
        y = np.where(animals.y[rows] == second, 1.0, -1.0)
        tasks.append(Task(name, animals.X[rows], y, animals.X_privileged[rows]))
    return tasks


class ClarabelSVMPlus(ClassifierMixin, BaseEstimator):
    """Linear SVM+ by Clarabel, as an expert would write it: on a factor with as few columns as there are samples."""

    __metadata_request__fit = {"X_privileged": True}  # noqa: RUF012

    def __init__(self, C: float = 1.0, privileged_alpha: float = 1.0) -> None:
        self.C = C
        self.privileged_alpha = privileged_alpha

    def fit(self, X: Array, y: Array, X_privileged: Array) -> ClarabelSVMPlus:
        self.classes_ = np.unique(y)
        mean = X.mean(axis=0)
        left, values, right = np.linalg.svd(X - mean, full_matrices=False)
        problem = SVMPlusProblem(
            left * values, y, X_privileged - X_privileged.mean(axis=0), C=self.C, g=self.privileged_alpha
        )
        solution = np.array(clarabel_primal(problem, CLARABEL_TOLERANCE).x)
        self.coef_ = solution[: values.size] @ right
        self.intercept_ = solution[values.size] - mean @ self.coef_
        return self

    def predict(self, X: Array) -> Array:
        return np.where(X @ self.coef_ + self.intercept_ > 0, 1.0, -1.0)


class TwoStageSVC(ClassifierMixin, BaseEstimator):
    """Margin Transfer by two fits of SVC: samples divided by their margins and weighted by them, as in the paper."""

    __metadata_request__fit = {"X_privileged": True}  # noqa: RUF012

    def __init__(self, C: float = 1.0, privileged_C: float = 1.0) -> None:
        self.C = C
        self.privileged_C = privileged_C

    def fit(self, X: Array, y: Array, X_privileged: Array) -> TwoStageSVC:
        self.classes_ = np.unique(y)
        first = SVC(kernel="linear", C=self.privileged_C).fit(X_privileged, y)
        margins = np.maximum(0.1, y * first.decision_function(X_privileged))
        self.svc_ = SVC(kernel="linear", C=self.C).fit(X / margins[:, None], y, sample_weight=margins)
        return self

    def predict(self, X: Array) -> Array:
        return self.svc_.predict(X)


def svm_plus_searches(task: Task, step: int) -> dict[str, Callable[[], Any]]:
    """Name the ways to choose the penalties of SVM+ on every `step`-th value; the first is this package's search."""
    Cs, alphas = CS[::step], PRIVILEGED[::step]
    grid = {"C": Cs, "privileged_alpha": alphas}
    return {
        "SVMPlusCV": partial(_fit, SVMPlusCV(Cs, alphas, cv=FOLDS), task),
        "GridSearchCV over SVMPlus": partial(_fit, GridSearchCV(SVMPlus(), grid, cv=FOLDS), task),
        "GridSearchCV over Clarabel": partial(_fit, GridSearchCV(ClarabelSVMPlus(), grid, cv=FOLDS), task),
    }


def margin_transfer_searches(task: Task, step: int) -> dict[str, Callable[[], Any]]:
    """Name the ways to choose the penalties of Margin Transfer on every `step`-th value, this package's first."""
    Cs, privileged_Cs = CS[::step], PRIVILEGED[::step]
    grid = {"C": Cs, "privileged_C": privileged_Cs}
    return {
        "MarginTransferSVCCV": partial(_fit, MarginTransferSVCCV(Cs, privileged_Cs, cv=FOLDS), task),
        "GridSearchCV over MarginTransferSVC": partial(
            _fit, GridSearchCV(MarginTransferSVC(), grid, cv=FOLDS), task
        ),
        "GridSearchCV over two SVC": partial(_fit, GridSearchCV(TwoStageSVC(), grid, cv=FOLDS), task),
    }


def search_as_in_the_paper(task: Task) -> None:
    """Choose the penalties of both methods on the whole grid and five times five folds."""
    _fit(SVMPlusCV(CS, PRIVILEGED, cv=PAPER_FOLDS), task)
    _fit(MarginTransferSVCCV(CS, PRIVILEGED, cv=PAPER_FOLDS), task)


def _fit(search: Any, task: Task) -> Any:
    with sklearn.config_context(enable_metadata_routing=True):
        return search.fit(task.X, task.y, X_privileged=task.X_privileged)

"""What is measured: problems, contestants, and the ratios the package promises."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from privileged_speed import ours, peers, searches
from privileged_speed.problems import SVMPlusProblem, SVMProblem, make_data
from privileged_speed.protocol import GAP, Contestant, loosest_tolerance, take_turns


@dataclass(frozen=True)
class Row:
    """One line of the results: a solver on a problem, compared with this package's.

    Parameters
    ----------
    elapsed, cpu : float
        Medians over the rounds, seconds.
    gap : float
        Certified relative gap.
    ratio : float
        Median over the rounds of the solver's time over ours in the same round; 1 for ours.
    target : float or None
        The ratio that is promised, if one is.
    met : bool or None
        Whether it is kept, by a solution of ours that is as accurate as promised.
    """

    problem: str
    solver: str
    setting: str
    elapsed: float
    cpu: float
    gap: float
    ratio: float
    target: float | None
    met: bool | None


@dataclass(frozen=True)
class Protocol:
    """How thoroughly to measure, and on which data; ``by_cpu`` says which clock the ratios are of."""

    repetitions: int
    by_cpu: bool
    quick: bool
    data: Path | None = None


def linear(protocol: Protocol) -> Iterator[list[Row]]:
    """SVM+ with linear kernels, d = 20 + 20."""
    size = 500 if protocol.quick else 1000
    problem = SVMPlusProblem(*make_data(size))
    yield _compare(
        _name(problem),
        [_svm_plus(problem), *_cvxopt(problem), _clarabel(problem)],
        {"CVXOPT dual, dense bounds": 300, "Clarabel primal": 2},
        protocol,
    )
    problem = SVMPlusProblem(*make_data(2000 if protocol.quick else 10_000))
    yield _compare(_name(problem), [_svm_plus(problem), _clarabel(problem)], {"Clarabel primal": 5}, protocol)


def rbf(protocol: Protocol) -> Iterator[list[Row]]:
    """SVM+ with Gaussian kernels in ordinary settings."""
    for C, g in ((1.0, 1.0), (10.0, 0.1)):
        problem = SVMPlusProblem(*make_data(300 if protocol.quick else 1000), kernel="rbf", C=C, g=g)
        targets = {"CVXOPT dual, dense bounds": 5, "CVXOPT dual, sparse bounds": 5}
        yield _compare(_name(problem), [_svm_plus(problem), *_cvxopt(problem)], targets, protocol)


def margin_transfer(protocol: Protocol) -> Iterator[list[Row]]:
    """Margin Transfer against two fits of scikit-learn's SVC, at its default tolerance and at our accuracy."""
    sizes = (
        {"linear": (500, 2000), "rbf": (500,)}
        if protocol.quick
        else {"linear": (1000, 4000), "rbf": (1000, 2000)}
    )
    for kernel, numbers in sizes.items():
        for size in numbers:
            problem = SVMPlusProblem(*make_data(size), kernel=kernel)
            targets = {"two SVC fits, default tol": 1, "two SVC fits, equal gap": 1}
            yield _compare(
                f"Margin Transfer, {kernel}, N = {size:,}",
                [_margin_transfer(problem), *_two_svc(problem)],
                targets,
                protocol,
            )


def search(protocol: Protocol) -> Iterator[list[Row]]:
    """Both penalties chosen on the paper's grid, against generic searches; equal scores, not a gap, are asked for."""
    task = searches.animal_tasks(protocol.data)[0] if protocol.data else searches.make_task()
    kinds: tuple[tuple[str, Callable[..., Any], dict[str, float]], ...] = (
        (
            "SVM+",
            searches.svm_plus_searches,
            {"GridSearchCV over SVMPlus": 3, "GridSearchCV over Clarabel": 10},
        ),
        (
            "Margin Transfer",
            searches.margin_transfer_searches,
            {"GridSearchCV over MarginTransferSVC": 3, "GridSearchCV over two SVC": 10},
        ),
    )
    grid = "2 x 3" if protocol.quick else "6 x 7"
    for name, ways, targets in kinds:
        runs = ways(task, 3 if protocol.quick else 1)
        yield _compare(
            f"{name}, {grid} grid, 5 folds, {task.name}",
            [_search(way, run) for way, run in runs.items()],
            targets,
            replace(
                protocol, repetitions=1
            ),  # the slowest takes a minute, and the ratios are far from their targets
        )


def _search(name: str, run: Callable[[], Any]) -> Contestant:
    contestant = Contestant(name, "", run, lambda search: math.nan)

    def describe(search: Any) -> float:
        chosen = ", ".join(f"{key} = {value:g}" for key, value in search.best_params_.items())
        contestant.setting = f"score {search.best_score_:.4f} at {chosen}"
        return math.nan

    contestant.gap = describe
    return contestant


@dataclass(frozen=True)
class ProtocolRow:
    """Time of the published protocol of Table 1, measured on some of its pairs of classes and extrapolated."""

    n_measured: int
    cpu: float
    hours: float
    met: bool


TABLE_1_TASKS = 45 * 20
TABLE_1_CORES = 2
TABLE_1_HOURS = 2.0


def table_1(protocol: Protocol) -> ProtocolRow:
    """Both methods on whole grid and 25 folds: single pairs, evenly chosen, times the number of pairs and repeats."""
    if protocol.data is None:
        raise ValueError("the protocol of Table 1 is measured on its own data: pass their folder as --data.")
    tasks = searches.animal_tasks(protocol.data)[:: 22 if protocol.quick else 6]
    start = time.process_time()
    for task in tasks:
        searches.search_as_in_the_paper(task)
    cpu = time.process_time() - start
    hours = cpu / len(tasks) * TABLE_1_TASKS / TABLE_1_CORES / 3600
    return ProtocolRow(len(tasks), cpu, hours, hours <= TABLE_1_HOURS)


@dataclass(frozen=True)
class MemoryRow:
    """Largest memory that a fit allocates, in matrices of samples by samples."""

    problem: str
    solver: str
    matrices: float
    met: bool


MOST_MATRICES = 3.0


def memory(protocol: Protocol) -> Iterator[MemoryRow]:
    """Peak of the memory that NumPy allocates during `fit`; the compiled solvers add a few vectors."""
    X, y, X_privileged = make_data(300 if protocol.quick else 1000)
    fits = {
        "SVM+, rbf": (SVMPlusProblem(X, y, X_privileged, kernel="rbf"), ours.fit_svm_plus),
        "SVM+, rbf, X* of 1 feature, C = 100": (
            SVMPlusProblem(X, y, X_privileged[:, :1], kernel="rbf", C=100.0),
            ours.fit_svm_plus,
        ),
        "SVM+, rbf, interior point": (
            SVMPlusProblem(X, y, X_privileged, kernel="rbf"),
            partial(ours.fit_svm_plus, solver="interior_point"),
        ),
        "Margin Transfer, rbf": (SVMPlusProblem(X, y, X_privileged, kernel="rbf"), ours.fit_margin_transfer),
    }
    for name, (problem, fit) in fits.items():
        tracemalloc.start()
        model = fit(problem)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        matrices = peak / (8 * y.size**2)
        yield MemoryRow(f"{name}, N = {y.size:,}", model.solver_, matrices, matrices <= MOST_MATRICES)


@dataclass(frozen=True)
class StallRow:
    """One setting of the grid on which coordinate methods stall."""

    privileged: str
    C: float
    g: float
    solver: str
    n_iter: int
    elapsed: float
    cpu: float
    gap: float
    converged: bool
    collapsed: bool
    met: bool


STALL_SECONDS = 1.0


def stalls(protocol: Protocol) -> Iterator[StallRow]:
    """Extreme penalties, N = 500: every fit converges, and in under a second of the clock that counts."""
    X, y, X_privileged = make_data(500)
    for privileged, features in (("20 features", X_privileged), ("1 feature", X_privileged[:, :1])):
        for C in (0.01, 1.0, 100.0, 1e4):
            for g in (1e-3, 1.0, 1e3):
                problem = SVMPlusProblem(X, y, features, kernel="rbf", C=C, g=g)
                start, cpu_start = time.perf_counter(), time.process_time()
                model = ours.fit_svm_plus(problem)
                elapsed, cpu = time.perf_counter() - start, time.process_time() - cpu_start
                yield StallRow(
                    privileged,
                    C,
                    g,
                    model.solver_,
                    model.n_iter_,
                    elapsed,
                    cpu,
                    model.dual_gap_ / model.objective_,
                    model.converged_,
                    model.collapsed_,
                    model.converged_ and (cpu if protocol.by_cpu else elapsed) < STALL_SECONDS,
                )


def _name(problem: SVMPlusProblem) -> str:
    n, d = problem.X.shape
    penalties = "" if problem.C == problem.g == 1 else f", C = {problem.C:g}, alpha = {problem.g:g}"
    return f"SVM+, {problem.kernel}, N = {n:,}, d = {d} + {problem.X_privileged.shape[1]}{penalties}"


def _svm_plus(problem: SVMPlusProblem) -> Contestant:
    model = ours.fit_svm_plus(problem)
    setting = f"tol {ours.TOLERANCE:g}, {model.solver_}, {model.n_iter_} iterations"
    if model.collapsed_:
        setting += ", collapsed to w = 0"
    return Contestant(
        "SVMPlus.fit",
        setting,
        lambda: ours.fit_svm_plus(problem),
        lambda model: ours.svm_plus_gap(problem, model),
    )


def _cvxopt(problem: SVMPlusProblem) -> list[Contestant]:
    def gap(solution: Any) -> float:
        return peers.cvxopt_gap(problem, solution)

    # The iterates do not depend on how the bounds are stored, so neither does the tolerance that suffices.
    tolerance = loosest_tolerance(lambda tol: peers.cvxopt_dual(problem, tol, dense_bounds=False), gap)
    return [
        Contestant(
            f"CVXOPT dual, {storage} bounds",
            f"tolerances {tolerance:g}",
            lambda dense=storage == "dense": peers.cvxopt_dual(problem, tolerance, dense_bounds=dense),
            gap,
        )
        for storage in ("dense", "sparse")
    ]


def _clarabel(problem: SVMPlusProblem) -> Contestant:
    def gap(solution: Any) -> float:
        return peers.clarabel_gap(problem, solution)

    tolerance = loosest_tolerance(lambda tol: peers.clarabel_primal(problem, tol), gap)
    return Contestant(
        "Clarabel primal",
        f"tolerances {tolerance:g}",
        lambda: peers.clarabel_primal(problem, tolerance),
        gap,
    )


def _margin_transfer(problem: SVMPlusProblem) -> Contestant:
    model = ours.fit_margin_transfer(problem)
    return Contestant(
        "MarginTransferSVC.fit",
        f"tol {ours.TOLERANCE:g}, {model.solver_}, {model.n_iter_} iterations",
        lambda: ours.fit_margin_transfer(problem),
        lambda model: ours.margin_transfer_gap(problem, model),
    )


def _two_svc(problem: SVMPlusProblem) -> list[Contestant]:
    ones = np.ones(problem.y.size)
    first = SVMProblem(problem.X_privileged, problem.y, ones, problem.kernel, problem.C)
    second = replace(first, X=problem.X)
    stages = (first, second)
    tight = [
        loosest_tolerance(
            lambda tol, stage=stage: peers.fit_svc(stage, tol), lambda m, stage=stage: peers.svc_gap(stage, m)
        )
        for stage in stages
    ]

    def contestant(name: str, setting: str, tolerances: list[float]) -> Contestant:
        return Contestant(
            name,
            setting,
            lambda: [peers.fit_svc(stage, tol) for stage, tol in zip(stages, tolerances, strict=True)],
            lambda models: max(
                peers.svc_gap(stage, model) for stage, model in zip(stages, models, strict=True)
            ),
        )

    return [
        contestant("two SVC fits, default tol", "tol 0.001 (default)", [1e-3, 1e-3]),
        contestant("two SVC fits, equal gap", f"tol {tight[0]:g} and {tight[1]:g}", tight),
    ]


def _compare(
    problem: str, contestants: list[Contestant], targets: dict[str, float], protocol: Protocol
) -> list[Row]:
    """Measure; the first contestant is this package."""
    take_turns(contestants, protocol.repetitions)

    def clock(contestant: Contestant) -> np.ndarray:
        return np.array(contestant.cpu if protocol.by_cpu else contestant.elapsed)

    ours_ = contestants[0]
    if protocol.quick:
        targets = {}  # promised for the full sizes: the ratios grow with the number of samples
    rows = []
    for contestant in contestants:
        ratio = float(np.median(clock(contestant) / clock(ours_)))
        target = targets.get(contestant.name)
        rows.append(
            Row(
                problem,
                contestant.name,
                contestant.setting,
                float(np.median(contestant.elapsed)),
                float(np.median(contestant.cpu)),
                contestant.reached,
                ratio,
                target,
                None if target is None else ratio >= target and not ours_.reached > GAP,
            )
        )
    return rows

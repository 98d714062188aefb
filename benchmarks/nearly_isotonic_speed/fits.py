"""Whole fits: to the same objective as slower ways, without order as LinearSVC, and on a grid of both penalties."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from turns import Contestant, Row, compare, turn

from nearly_isotonic_speed import peers
from nearly_isotonic_speed.problems import Bags, Protocol, salient_bags
from widemargin.events import NearlyIsotonicSVC, RegularizationPath, regularization_path

TOL = 1e-4
REFERENCE_TOL = 1e-8
# An excess that is as good as none.
CLOSE = 1e-6
N_SHOTS = 20
# Videos and features, and the CPU seconds that are promised.
SIZES = {(500, 4096): 0.8, (5000, 512): 1.5}
QUICK_SIZES = ((100, 512), (500, 64))
GRID = np.logspace(-4, 4, 9)
GRID_SECONDS = 60.0


def solver(protocol: Protocol) -> Iterator[list[Row]]:
    """Fits at the default tolerance against plain proximal gradient that stops at an excess of just 1e-4."""
    most_steps = 100 if protocol.quick else 1000
    for bags, most_seconds in _problems(protocol):
        reference = _objective(bags, _fit(bags, tol=REFERENCE_TOL))
        excess = partial(_excess, bags, reference)
        yield compare(
            f"fit, {bags.name}, isotonic_alpha = alpha = {bags.alpha:g}",
            [
                Contestant(
                    "proximal gradient",
                    f"to an excess of {TOL:g}, or {most_steps:,} steps",
                    partial(peers.plain_proximal_gradient, bags, reference * (1 + TOL), most_steps),
                    score=lambda found, bags=bags, best=reference: bags.objective(*found) / best - 1,
                    once=True,
                ),
                Contestant(
                    "NearlyIsotonicSVC",
                    f"solver = auto, tol = {TOL:g}",
                    partial(_fit, bags),
                    score=excess,
                    most_seconds=most_seconds,
                    most_score=TOL,
                ),
                *(
                    Contestant(
                        "NearlyIsotonicSVC",
                        f"solver = {name}, tol = {TOL:g}",
                        partial(_fit, bags, solver=name),
                        score=excess,
                    )
                    for name in ("primal", "gram")
                    # Gram matrices of many videos with few features would be larger than the videos.
                    if name == "primal" or bags.X.shape[0] < bags.X.shape[2]
                ),
            ],
            protocol.repetitions,
            promised=not protocol.quick,
        )


def unordered(protocol: Protocol) -> Iterator[list[Row]]:
    """Without order and intercept, against LinearSVC at a tolerance that makes its objective as low as ours."""
    for ordered_bags, _ in _problems(protocol):
        bags = Bags(ordered_bags.X, ordered_bags.y, isotonic_alpha=0.0, fit_intercept=False)
        reference = _objective(bags, _fit(bags, tol=REFERENCE_TOL))
        enough = max(_objective(bags, _fit(bags)), reference * (1 + CLOSE))
        excess = partial(_excess, bags, reference)
        contestants = []
        # dual="auto" is the dual solver where there are fewer videos than features of all shots together, as here.
        for dual in (True, False):
            fit = partial(peers.liblinear, bags, dual=dual)
            tol = peers.loosest_tolerance(fit, partial(_objective, bags), enough)
            setting = f"dual = {dual}, tol = {tol:g}"
            contestants.append(Contestant("LinearSVC", setting, partial(fit, tol), score=excess))
        # The faster of the two comes first: it is the one to beat.
        contestants.sort(key=lambda peer: turn(peer.run)[1])
        contestants.append(
            Contestant("NearlyIsotonicSVC", f"tol = {TOL:g}", partial(_fit, bags), score=excess, most=1.0)
        )
        yield compare(
            f"fit, {bags.name}, isotonic_alpha = 0, no intercept",
            contestants,
            protocol.repetitions,
            promised=not protocol.quick,
        )


def grid(protocol: Protocol) -> Iterator[list[Row]]:
    """The paper's grid of both penalties, against fits one at a time: those on its diagonal, times their number."""
    n_videos, n_features = QUICK_SIZES[0] if protocol.quick else next(iter(SIZES))
    X, y = salient_bags(n_videos, n_features, N_SHOTS)
    diagonal = [Bags(X, y, isotonic_alpha=alpha, alpha=alpha) for alpha in GRID]
    references = [_objective(bags, _fit(bags, tol=REFERENCE_TOL)) for bags in diagonal]

    def excess_of_fits(models: list[NearlyIsotonicSVC]) -> float:
        return max(map(_excess, diagonal, references, models))

    def excess_of_path(path: RegularizationPath) -> float:
        objectives = [
            bags.objective(path.coefs[k, k], float(path.intercepts[k, k, 0]))
            for k, bags in enumerate(diagonal)
        ]
        return float(np.max(np.array(objectives) / references)) - 1

    n_points = len(GRID) ** 2
    yield compare(
        f"{n_points} pairs of penalties, {diagonal[0].name}",
        [
            Contestant(
                "NearlyIsotonicSVC",
                f"{len(GRID)} fits, times {len(GRID)}",
                lambda: [_fit(bags) for bags in diagonal],
                scale=len(GRID),
                score=excess_of_fits,
                once=True,
            ),
            Contestant(
                "regularization_path",
                f"tol = {TOL:g}",
                lambda: regularization_path(X, y, GRID, GRID),
                score=excess_of_path,
                most_seconds=GRID_SECONDS,
                most_score=TOL,
            ),
        ],
        protocol.repetitions,
        promised=not protocol.quick,
    )


def _problems(protocol: Protocol) -> Iterator[tuple[Bags, float | None]]:
    if protocol.quick:
        for n_videos, n_features in QUICK_SIZES:
            yield Bags(*salient_bags(n_videos, n_features, N_SHOTS)), None
    else:
        for (n_videos, n_features), most_seconds in SIZES.items():
            yield Bags(*salient_bags(n_videos, n_features, N_SHOTS)), most_seconds


def _fit(bags: Bags, *, tol: float = TOL, solver: str = "auto") -> NearlyIsotonicSVC:
    model = NearlyIsotonicSVC(
        bags.isotonic_alpha, bags.alpha, tol=tol, solver=solver, fit_intercept=bags.fit_intercept
    )
    return model.fit(bags.X, bags.y)


def _objective(bags: Bags, model: Any) -> float:
    """Objective of a fitted classifier, ours or scikit-learn's."""
    intercept = float(model.intercept_[0]) if bags.fit_intercept else 0.0
    return bags.objective(model.coef_, intercept)


def _excess(bags: Bags, reference: float, model: Any) -> float:
    return _objective(bags, model) / reference - 1

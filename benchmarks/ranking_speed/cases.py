"""What is measured: problems, contestants, and the ratios the package promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from turns import Contestant, Row, compare, turn

from ranking_speed import learners
from ranking_speed.problems import Problem, draw, noisy_rule, usps
from widemargin.solvers.partial_auc_risk import PartialAUCRisk


@dataclass(frozen=True)
class Protocol:
    """How thoroughly to measure, and where the real data are."""

    repetitions: int
    quick: bool
    data: Path | None = None


def training(protocol: Protocol) -> Iterator[list[Row]]:
    """Ensembles of trees of depth 2 on generated features."""
    for n_samples, n_features, most in ((2000, 100, 1.5), (20_000, 500, 1.3)):
        yield _shallow(
            noisy_rule(n_samples // (4 if protocol.quick else 1), n_features),
            most,
            protocol,
            not protocol.quick,
        )


def real_training(protocol: Protocol) -> Iterator[list[Row]]:
    """The same on digits, whose features have ties and few values; nothing is promised for them."""
    if protocol.data is None:
        raise ValueError("the case usps reads usps.npz: pass its folder as --data.")
    yield _shallow(usps(protocol.data), 1.3, protocol, promised=False)


def _shallow(problem: Problem, most: float, protocol: Protocol, promised: bool) -> list[Row]:
    return compare(
        f"fit, {learners.N_TREES} trees of depth 2, {problem.name}",
        [
            _fit("LightGBM", "4 leaves", problem, learners.shallow_lightgbm),
            _fit("HistGradientBoosting", "", problem, learners.histogram_boosting),
            _fit("PartialAUCBoosting", "nu = 1", problem, learners.ensemble, most=most),
            _fit("PartialAUCBoosting", "nu = 10", problem, lambda: learners.ensemble(nu=10.0)),
            _fit("AdaBoostTrees", "", problem, learners.ada_boost),
        ],
        protocol.repetitions,
        promised=promised,
    )


def settings(protocol: Protocol) -> Iterator[list[Row]]:
    """Settings for accuracy rather than the paper's; nothing is promised for them."""
    problem = noisy_rule(2000 if protocol.quick else 20_000, 500)
    share = f"{learners.FEATURE_FRACTION:.0%} of features"
    yield compare(
        f"fit, {learners.N_TREES} larger trees, {problem.name}",
        [
            _fit("LightGBM", f"31 leaves, {share}", problem, lambda: learners.deep_lightgbm(31)),
            _fit("LightGBM", f"63 leaves, {share}", problem, lambda: learners.deep_lightgbm(63)),
            _fit(
                "PartialAUCBoosting",
                f"depth 6, confidence, nu = 0.3, {share}",
                problem,
                learners.confident_ensemble,
            ),
        ],
        min(protocol.repetitions, 2),  # half a minute each
    )


def ada_boost(protocol: Protocol) -> Iterator[list[Row]]:
    """AdaBoost of scikit-learn, which takes minutes: a few of its rounds, which all take the same time."""
    problem = noisy_rule(2000 if protocol.quick else 20_000, 500)
    n_rounds = 2 if protocol.quick else 4
    peer = _fit(
        "AdaBoost, scikit-learn",
        f"{n_rounds} rounds, times {learners.N_TREES // n_rounds}",
        problem,
        lambda: learners.sklearn_ada_boost(n_rounds),
    )
    peer.scale = learners.N_TREES / n_rounds
    peer.score = None
    yield compare(
        f"fit, {learners.N_TREES} trees of depth 2, {problem.name}",
        [
            peer,
            _fit("AdaBoostTrees", "", problem, learners.ada_boost, most=1 / 25),
            _fit("PartialAUCBoosting", "nu = 1", problem, learners.ensemble, most=1 / 25),
        ],
        1,  # the ratios are far from their targets
        promised=not protocol.quick,
    )


def prediction(protocol: Protocol) -> Iterator[list[Row]]:
    """Scores of many samples from raw features, validation included."""
    trained = noisy_rule(5000, 500)
    n_samples = 20_000 if protocol.quick else 100_000
    X, _ = draw(n_samples, 500, seed=2)
    for trees, peer, ours, most in (
        ("trees of depth 2", learners.shallow_lightgbm(), learners.ensemble(), 1.0),
        ("trees of depth 6 or 63 leaves", learners.deep_lightgbm(63), learners.confident_ensemble(), None),
    ):
        for model in (peer, ours):
            model.fit(trained.X, trained.y)
        yield compare(
            f"prediction, {learners.N_TREES} {trees}, {n_samples:,} x 500",
            [
                Contestant("LightGBM", "raw_score", lambda model=peer: model.predict(X, raw_score=True)),
                Contestant(
                    "PartialAUCBoosting",
                    "decision_function",
                    lambda model=ours: model.decision_function(X),
                    most=most,
                ),
            ],
            protocol.repetitions,
            promised=not protocol.quick,
        )


def _fit(
    name: str, setting: str, problem: Problem, make: Callable[[], Any], most: float | None = None
) -> Contestant:
    return Contestant(name, setting, lambda: make().fit(problem.X, problem.y), most=most, score=problem.score)


@dataclass(frozen=True)
class SearchRow:
    """Time of one search for the ordering that is violated most."""

    problem: str
    cpu: float
    met: bool | None


SEARCH_SECONDS = 0.3


def search(protocol: Protocol) -> Iterator[SearchRow]:
    """The search that training repeats for every cut, at sizes of a detector, with scores of two normal classes."""
    m, n = (10_000, 100_000) if protocol.quick else (100_000, 1_000_000)
    rng = np.random.default_rng(0)
    positive = rng.permutation(np.arange(m + n) < m)
    scores = rng.normal(size=m + n) + 1.5 * positive
    for fpr_range in ((0.0, 0.1), (0.05, 0.2), (0.0, 1.0)):
        risk = PartialAUCRisk(positive, fpr_range)
        risk.worst(scores)
        cpu = float(np.median([turn(lambda risk=risk: risk.worst(scores))[1] for _ in range(3)]))
        name = f"most violated ordering, {m:,} + {n:,}, rates {fpr_range[0]:g} to {fpr_range[1]:g}"
        yield SearchRow(name, cpu, None if protocol.quick else cpu < SEARCH_SECONDS)

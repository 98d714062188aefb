"""How the time of a fit grows with samples, features and rounds: exponents of power laws, and their figure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from turns import turn

from ranking_speed import learners
from ranking_speed.cases import Protocol
from ranking_speed.problems import draw
from widemargin.plots.style import BETTER, NEUTRAL, WORSE, legend_below, tidy

MAKERS: dict[str, Callable[[int], Any]] = {
    "PartialAUCBoosting, nu = 1": lambda n_trees: learners.ensemble(1.0, n_trees),
    "PartialAUCBoosting, nu = 10": lambda n_trees: learners.ensemble(10.0, n_trees),
    "LightGBM": learners.shallow_lightgbm,
}
COLORS = dict(zip(MAKERS, (BETTER, WORSE, NEUTRAL), strict=True))
# What stays fixed while another quantity grows.
SAMPLES, FEATURES, TREES = 4000, 100, 100
# Exponents are fitted to the largest sizes: what does not grow hides the growth at small ones.
FITTED = 3


@dataclass(frozen=True)
class Curve:
    """CPU time of a learner against one quantity.

    Parameters
    ----------
    quantity, solver : str
        What grows, and who fits.
    sizes, seconds : ndarray
        The points.
    exponent : float
        Slope of the line through the last `FITTED` points, both axes logarithmic.
    """

    quantity: str
    solver: str
    sizes: np.ndarray
    seconds: np.ndarray
    exponent: float


def growth(protocol: Protocol) -> list[Curve]:
    """Measure and fit the curves."""
    quick = protocol.quick
    axes = {
        "samples": [
            (n, FEATURES, TREES)
            for n in ((1000, 2000, 4000) if quick else (1000, 2000, 4000, 8000, 16_000, 32_000))
        ],
        "features": [
            (SAMPLES, d, TREES) for d in ((50, 100, 200) if quick else (25, 50, 100, 200, 400, 800))
        ],
        "trees": [(SAMPLES, FEATURES, t) for t in ((25, 50, 100) if quick else (25, 50, 100, 200, 400))],
    }
    curves = []
    for column, (quantity, points) in enumerate(axes.items()):
        seconds: dict[str, list[float]] = {name: [] for name in MAKERS}
        for n_samples, n_features, n_trees in points:
            X, y = draw(n_samples, n_features, seed=0)
            for name, make in MAKERS.items():
                seconds[name].append(turn(lambda: make(n_trees).fit(X, y))[1])  # noqa: B023
        sizes = np.array([point[column] for point in points])
        for name, values in seconds.items():
            exponent = float(np.polyfit(np.log(sizes[-FITTED:]), np.log(values[-FITTED:]), 1)[0])
            curves.append(Curve(quantity, name, sizes, np.array(values), exponent))
    return curves


def draw_growth(curves: list[Curve], path: Path) -> None:
    """Save one panel a quantity."""
    mpl.use("agg")
    quantities = list(dict.fromkeys(curve.quantity for curve in curves))
    fixed = {"samples": f"{SAMPLES:,} samples", "features": f"{FEATURES} features", "trees": f"{TREES} trees"}
    figure, panels = plt.subplots(1, len(quantities), figsize=(11, 4.4), sharey=True, layout="constrained")
    for panel, quantity in zip(panels, quantities, strict=True):
        for curve in curves:
            if curve.quantity == quantity:
                panel.loglog(
                    curve.sizes,
                    curve.seconds,
                    marker="o",
                    color=COLORS[curve.solver],
                    label=f"{curve.solver}: exponent {curve.exponent:.2f}",
                )
        panel.set_xlabel(
            f"{quantity}, with " + ", ".join(text for name, text in fixed.items() if name != quantity)
        )
        sizes = next(curve.sizes for curve in curves if curve.quantity == quantity)
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes], fontsize=8)
        panel.set_xticks([], minor=True)
        legend_below(panel, columns=1)
        tidy(panel)
    panels[0].set_ylabel("CPU time of fit, seconds")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    plt.close(figure)

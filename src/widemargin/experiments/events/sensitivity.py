"""Ask how much the nearly-isotonic SVM depends on the weights of its penalties, and on where its solver starts.

Figure 4 of [1]_ on generated videos.

References
----------
.. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed videos",
   IEEE Transactions on Pattern Analysis and Machine Intelligence 39(8), 2017, section 8.2.6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.engine import unit_seed
from widemargin.events import NearlyIsotonicSVC
from widemargin.experiments.events.bags import ORDERS, DetectionVideos, Trial
from widemargin.experiments.events.figures import draw_starts, draw_weights
from widemargin.experiments.events.methods import TOLERANCE
from widemargin.experiments.events.printed import PAPER
from widemargin.experiments.events.tuning import score_of, train
from widemargin.experiments.experiment import (
    Drawing,
    Experiment,
    Repeats,
    Row,
    Rows,
    Settings,
    TableSpec,
    Unit,
)
from widemargin.experiments.summary import (
    Cell,
    Claim,
    Column,
    Comparison,
    Summary,
    SummaryTable,
    compare_with_paper,
    signed,
)

__all__ = ["ISOTONIC_SENSITIVITY", "SensitivityProtocol", "sensitivity_experiment"]

NAME = "isotonic-sensitivity"
WEIGHTS, STARTS = "weights", "starts"
ORDER = "small noise"
VARIANTS: dict[str, dict[str, Any]] = {
    "NI-SVM_1": {"norm": 1},
    "NI-SVM_1+": {"norm": 1, "nonnegative": True},
    "NI-SVM_2": {"norm": 2},
    "NI-SVM_2+": {"norm": 2, "nonnegative": True},
}
SWEPT = ("isotonic_alpha", "alpha")
SMALL = 2.0
"""Points of average precision up to which a range over starts is called small."""

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SensitivityProtocol:
    """What can be made smaller for a trial of the experiment.

    Parameters
    ----------
    videos : DetectionVideos, default=40 + 200 of 20 shots
        How many videos are drawn.
    values : tuple of float, default=1e-4, 1e-3, ..., 1e4
        Weights of the penalty that varies, increasing.
    fixed : tuple of float, default=(1.0, 0.001)
        Weights at which the other penalty is fixed: the paper's, and a smaller one.
    n_starts : int, default=20
        Random starts.
    at : tuple of (float, float), default=(0.01, 0.001)
        isotonic_alpha and alpha at which starts are compared.
    """

    videos: DetectionVideos = field(default_factory=DetectionVideos)
    values: tuple[float, ...] = tuple(10.0**k for k in range(-4, 5))
    fixed: tuple[float, ...] = (1.0, 1e-3)
    n_starts: int = 20
    at: tuple[float, float] = (1e-2, 1e-3)

    @property
    def name(self) -> str:
        """Name of the experiment."""
        return NAME

    @property
    def title(self) -> str:
        """Heading of the experiment."""
        return (
            "What the nearly-isotonic SVM depends on: weights of the penalties, and the start of the solver"
        )

    def facts(self, settings: Settings) -> dict[str, str]:
        """Say for the protocol what the videos are.

        Parameters
        ----------
        settings : Settings
            Of the run.

        Returns
        -------
        dict of str to str
            By what it is about.
        """
        return {
            "data": f"generated. {self.videos.words}; one event a repeat, the same for all variants",
            "order": f"noise {ORDERS[ORDER]:g} ({ORDER})",
            "measure": "average precision of the test videos; equal scores count as one place",
            "repeats": "new events, new videos, new noise",
        }

    def trials(self, settings: Settings, repeat: int) -> list[Trial]:
        """Draw the videos of every event.

        Parameters
        ----------
        settings : Settings
            Of the run.
        repeat : int
            Which repeat.

        Returns
        -------
        list of Trial
            Average precision and objective are averaged over them.
        """
        seed = unit_seed(settings.seed, NAME, repeat)
        return [Trial(*self.videos.draw(ORDERS[ORDER], seed), folds=())]

    @property
    def sweeps(self) -> list[tuple[str, float]]:
        """The penalty that varies, and the weight of the other."""
        return [(swept, fixed) for fixed in self.fixed for swept in SWEPT]


def sensitivity_experiment(protocol: SensitivityProtocol | None = None) -> Experiment:
    """Make the experiment, whole or smaller.

    Parameters
    ----------
    protocol : SensitivityProtocol or None, default=None
        What to run; None runs the whole.

    Returns
    -------
    Experiment
        For `run_experiment`.
    """
    protocol = protocol or SensitivityProtocol()
    weights: dict[str, type] = {
        _column(*sweep, value): float for sweep in protocol.sweeps for value in protocol.values
    }
    starts: dict[str, type] = {
        f"{start}_{what}": float for start in _starts(protocol) for what in ("ap", "objective")
    }
    return Experiment(
        name=protocol.name,
        title=protocol.title,
        question="Is the nearly-isotonic SVM sensitive to the weights of its penalties and to where its solver starts?",
        reference=f"{PAPER} (Figure 4)",
        repeats=Repeats(quick=1, default=10, full=10),
        tables=(TableSpec(WEIGHTS, weights), TableSpec(STARTS, starts)),
        protocol=partial(_describe, protocol),
        units=_units,
        run=partial(_run, protocol),
        summarise=partial(_summarise, protocol),
        draw=partial(_draw, protocol),
        task_noun="variant",
    )


def _column(swept: str, fixed: float, value: float) -> str:
    """Name the column of one weight; the fixed one is of the other penalty."""
    return f"{swept}_{value:g}_at_{fixed:g}"


def _starts(protocol: SensitivityProtocol) -> list[str]:
    return ["zeros", "convex", *(f"random_{number}" for number in range(1, protocol.n_starts + 1))]


def _describe(protocol: SensitivityProtocol, settings: Settings) -> dict[str, str]:
    isotonic_alpha, alpha = protocol.at
    facts = protocol.facts(settings)
    repeats = {"repeats": facts.pop("repeats")}
    return (
        facts
        | {
            "variants": f"squared hinge loss, l2 penalty, stationarity {TOLERANCE:g}",
            "weights": (
                f"one of isotonic_alpha and alpha is {', '.join(f'{value:g}' for value in protocol.values)} while the "
                f"other is {' or '.join(f'{value:g}' for value in protocol.fixed)}; 1 is the paper's"
            ),
            "starts": (
                f"{protocol.n_starts} random ones, zero, and the solution with non-negative weights, at isotonic_alpha "
                f"{isotonic_alpha:g} and alpha {alpha:g}"
            ),
        }
        | repeats
    )


def _units(settings: Settings) -> list[Unit]:
    return [
        Unit(table, variant, repeat)
        for repeat in range(settings.repeats)
        for table in (WEIGHTS, STARTS)
        for variant in VARIANTS
    ]


def _run(protocol: SensitivityProtocol, unit: Unit, settings: Settings) -> Row:
    seed = unit_seed(settings.seed, protocol.name, unit.repeat)
    trials = protocol.trials(settings, unit.repeat)
    model = NearlyIsotonicSVC(tol=TOLERANCE, **VARIANTS[unit.task])
    if unit.table == WEIGHTS:
        row: Row = {}
        for swept, fixed in protocol.sweeps:
            (other,) = (name for name in SWEPT if name != swept)
            for value in protocol.values:
                model.set_params(**{swept: value, other: fixed})
                row[_column(swept, fixed, value)] = _outcome(model, trials)[0]
        return row
    isotonic_alpha, alpha = protocol.at
    model.set_params(isotonic_alpha=isotonic_alpha, alpha=alpha)
    row = {}
    for start in _starts(protocol):
        init, _, number = start.partition("_")
        model.set_params(init=init, random_state=unit_seed(seed, number or "0"))
        row[f"{start}_ap"], row[f"{start}_objective"] = _outcome(model, trials)
    return row


def _outcome(model: NearlyIsotonicSVC, trials: Sequence[Trial]) -> tuple[float, float]:
    """Return average precision and objective, averaged over the trials."""
    found = []
    for trial in trials:
        X, arguments = trial.seen("saliency", "train")
        train(model, X, trial.train.y, arguments)
        X, arguments = trial.seen("saliency", "test")
        found.append((score_of(model, X, trial.test.y, arguments), float(model.objective_)))
    precision, objective = np.mean(found, axis=0)
    return float(precision), float(objective)


def _table_of(rows: Sequence[Row], variant: str, columns: Sequence[str]) -> Array:
    """Return the values of some columns for one variant, one row a repeat."""
    return np.array([[float(row[column]) for column in columns] for row in rows if row["task"] == variant])


def _sweep(protocol: SensitivityProtocol, rows: Rows, swept: str, fixed: float) -> dict[str, Array]:
    columns = [_column(swept, fixed, value) for value in protocol.values]
    return {
        variant: 100 * _table_of(rows[WEIGHTS], variant, columns)
        for variant in VARIANTS
        if any(row["task"] == variant for row in rows[WEIGHTS])
    }


def _started(protocol: SensitivityProtocol, rows: Rows, what: str) -> dict[str, Array]:
    """Return what came of every start, one row a repeat: zero, convex, and the random ones."""
    columns = [f"{start}_{what}" for start in _starts(protocol)]
    return {
        variant: _table_of(rows[STARTS], variant, columns)
        for variant in VARIANTS
        if any(row["task"] == variant for row in rows[STARTS])
    }


def _summarise(protocol: SensitivityProtocol, rows: Rows, settings: Settings) -> Summary:
    precision = {variant: 100 * table for variant, table in _started(protocol, rows, "ap").items()}
    findings: list[str] = []
    tables: list[SummaryTable] = []
    if rows[WEIGHTS]:
        findings += [_sweep_sentence(protocol, rows, *sweep) for sweep in protocol.sweeps]
        tables += [_weights_table(protocol, rows, *sweep) for sweep in protocol.sweeps]
    if not precision:
        return Summary(
            verdict="The starts are not finished yet.", findings=tuple(findings), tables=tuple(tables)
        )
    spreads = {variant: _spread(table) for variant, table in precision.items()}
    findings += [_start_sentence(variant, table) for variant, table in precision.items()]
    return Summary(
        verdict=(
            f"Over {protocol.n_starts} random starts average precision varies, in the mean of the repeats, by "
            f"{', '.join(f'{spread.mean():.1f} points for {variant}' for variant, spread in spreads.items())}; for the "
            "weights see the figures."
        ),
        findings=tuple(findings),
        tables=(*tables, _starts_table(protocol, rows)),
        comparisons=tuple(
            _compare_spread(variants, spreads, statement)
            for variants, statement in (
                (("NI-SVM_1", "NI-SVM_2"), "The nonconvex variants vary little with the start"),
                (("NI-SVM_1+", "NI-SVM_2+"), "The convex variants do not depend on the start"),
            )
            if all(variant in spreads for variant in variants)
        ),
    )


def _spread(table: Array) -> Array:
    """Return the range of average precision over the random starts of every repeat."""
    random = table[:, 2:]
    spread: Array = random.max(axis=1) - random.min(axis=1)
    return spread


def _compare_spread(variants: Sequence[str], spreads: Mapping[str, Array], statement: str) -> Comparison:
    """Answer by the mean range: no test can say that something is small."""
    means = {variant: float(spreads[variant].mean()) for variant in variants}
    small = max(means.values()) <= SMALL
    return compare_with_paper(
        Claim(statement, "Figure 4c", "claimed"),
        ", ".join(f"{variant} {mean:.1f}" for variant, mean in means.items()),
        answer="agrees" if small else "disagrees",
        sentence=(
            f"Range of average precision over the random starts, points, mean of the repeats: called small "
            f"up to {SMALL:g} points."
        ),
    )


def _sweep_sentence(protocol: SensitivityProtocol, rows: Rows, swept: str, fixed: float) -> str:
    """Say for every variant where the mean is best, and how far it falls."""
    (other,) = (name for name in SWEPT if name != swept)
    parts = []
    for variant, scores in _sweep(protocol, rows, swept, fixed).items():
        mean = scores.mean(axis=0)
        best, worst = int(mean.argmax()), int(mean.argmin())
        parts.append(
            f"{variant} at {protocol.values[best]:g} with {mean[best]:.1f} %, lowest at {protocol.values[worst]:g} "
            f"with {mean[worst]:.1f} %"
        )
    return f"With {other} = {fixed:g} the best {swept} is: {'; '.join(parts)}."


def _start_sentence(variant: str, table: Array) -> str:
    zero, convex, random = table[:, 0], table[:, 1], table[:, 2:]
    spread = _spread(table)
    from_zero, from_convex = (
        signed(float((scores - random.mean(axis=1)).mean())) for scores in (zero, convex)
    )
    return (
        f"{variant}: the range over {random.shape[1]} random starts is {spread.mean():.2f} points in the mean of the "
        f"repeats and {spread.max():.2f} at most; from zero average precision is {from_zero} and from the convex "
        f"solution {from_convex} points from their mean."
    )


def _weights_table(protocol: SensitivityProtocol, rows: Rows, swept: str, fixed: float) -> SummaryTable:
    (other,) = (name for name in SWEPT if name != swept)
    lines = []
    for variant, scores in _sweep(protocol, rows, swept, fixed).items():
        mean = scores.mean(axis=0)
        cells = (Cell(f"{value:.1f}", best=bool(value >= mean.max() - 1e-9)) for value in mean)
        lines.append((Cell(variant), *cells))
    part = "Figure 4a" if swept == "isotonic_alpha" else "Figure 4b"
    return SummaryTable(
        f"{swept}_at_{fixed:g}",
        f"{part}: average precision by {swept}, {other} = {fixed:g}",
        "Percent, mean over the repeats. Bold: best of the row. "
        + ("The paper fixes the same weight." if fixed == 1 else "The paper does not have it."),
        (Column("variant", numeric=False), *(Column(f"{value:g}") for value in protocol.values)),
        tuple(lines),
    )


def _starts_table(protocol: SensitivityProtocol, rows: Rows) -> SummaryTable:
    precision, objective = (_started(protocol, rows, what) for what in ("ap", "objective"))
    lines = []
    for variant, table in precision.items():
        scores, values = 100 * table, objective[variant]
        random = scores[:, 2:]
        least = values.min(axis=1, keepdims=True)
        excess = (values / least - 1)[:, 2:].max(axis=1)
        lines.append(
            (
                Cell(variant),
                Cell(f"{scores[:, 0].mean():.1f}"),
                Cell(f"{scores[:, 1].mean():.1f}"),
                Cell(f"{random.mean():.1f}"),
                Cell(f"{random.std(axis=1).mean():.2f}"),
                Cell(f"{(random.max(axis=1) - random.min(axis=1)).max():.2f}"),
                Cell(f"{100 * excess.max():.2g}"),
            )
        )
    titles = (
        "from zero",
        "convex start",
        "random starts",
        "their deviation",
        "their largest range",
        "objective",
    )
    notes = ("AP, %", "AP, %", "AP, %, mean", "points, mean", "points", "largest excess, %")
    return SummaryTable(
        STARTS,
        "Figure 4c: average precision and objective by the start",
        f"Over the repeats; {protocol.n_starts} random starts each. Objective: by how much the worst random start ends "
        "above the best start of its repeat.",
        (Column("variant", numeric=False), *(Column(*pair) for pair in zip(titles, notes, strict=True))),
        tuple(lines),
    )


def _draw(protocol: SensitivityProtocol, rows: Rows, settings: Settings) -> list[Drawing]:
    drawings = []
    if rows[WEIGHTS]:
        panels = {}
        for swept, fixed in protocol.sweeps:
            (other,) = (name for name in SWEPT if name != swept)
            panels[f"{swept}, with {other} = {fixed:g}"] = _sweep(protocol, rows, swept, fixed)
        drawings.append(draw_weights(panels, protocol.values))
    if rows[STARTS]:
        tables = {variant: 100 * table for variant, table in _started(protocol, rows, "ap").items()}
        drawings.append(
            draw_starts(
                {variant: table[:, 2:] for variant, table in tables.items()},
                {variant: table[:, 1] for variant, table in tables.items()},
            )
        )
    return drawings


ISOTONIC_SENSITIVITY = sensitivity_experiment()
"""The experiment as it is meant to run."""

"""Run the cases that were asked for, print their tables, and write the rows."""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tables import MET, table, write_rows
from turns import Row

from ranking_speed import cases
from ranking_speed.cases import SEARCH_SECONDS, Protocol, SearchRow
from ranking_speed.growth import Curve, draw_growth, growth
from ranking_speed.memory import MOST, MemoryRow, memory
from widemargin.experiments.environment import describe_versions

COMPARISONS = {
    "training": cases.training,
    "usps": cases.real_training,
    "settings": cases.settings,
    "adaboost": cases.ada_boost,
    "prediction": cases.prediction,
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--cases", nargs="+", required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--repetitions", type=int)
    arguments = parser.parse_args()
    protocol = Protocol(
        arguments.repetitions or (2 if arguments.quick else 3), arguments.quick, arguments.data
    )
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print("  ".join(f"{name} {value}" for name, value in _provenance().items()))

    rows: list[Row] = []
    for name in arguments.cases:
        for group in COMPARISONS[name](protocol) if name in COMPARISONS else ():
            console.print(_comparison_table(group))
            rows += group
    searches = list(cases.search(protocol)) if "search" in arguments.cases else []
    if searches:
        console.print(_search_table(searches))
    used = list(memory(protocol)) if "memory" in arguments.cases else []
    if used:
        console.print(_memory_table(used))
    curves = growth(protocol) if "growth" in arguments.cases else []
    if curves:
        console.print(_growth_table(curves))
    if arguments.out:
        others = [*map(_search_line, searches), *map(_memory_line, used), *map(_growth_line, curves)]
        columns = [field.name for field in fields(Row)]
        write_rows(arguments.out, _provenance(), columns, [*map(asdict, rows), *others])
        if curves:
            draw_growth(curves, arguments.out.with_name(f"{arguments.out.stem}_growth.png"))
    promised = [row.met for row in (*rows, *searches, *used) if row.met is not None]
    console.print(f"{promised.count(False)} of {len(promised)} targets missed.")
    return 1 if False in promised else 0


def _provenance() -> dict[str, str]:
    return describe_versions() | {"lightgbm": version("lightgbm")}


def _comparison_table(rows: list[Row]) -> Table:
    lines = table(
        rows[0].problem,
        "learner:",
        "setting:",
        "elapsed s",
        "CPU s",
        "partial AUC",
        f"ratio to {rows[0].solver} (CPU)",
        "target",
        "met:",
    )
    for row in rows:
        lines.add_row(
            row.solver,
            row.setting,
            f"{row.elapsed:.4g}",
            f"{row.cpu:.4g}",
            "" if math.isnan(row.score) else f"{row.score:.3f}",
            f"{row.ratio:.3g}",
            "" if row.most is None else f"<= {row.most:g}",
            MET[row.met],
        )
    return lines


def _search_table(rows: list[SearchRow]) -> Table:
    lines = table(f"One search, under {SEARCH_SECONDS:g} s", "problem:", "CPU s", "met:")
    for row in rows:
        lines.add_row(row.problem, f"{row.cpu:.3f}", MET[row.met])
    return lines


def _memory_table(rows: list[MemoryRow]) -> Table:
    lines = table(
        f"{rows[0].problem}: ratio at most {MOST:g}",
        "learner:",
        "added MB",
        "binned MB",
        "cuts MB",
        "added / (binned + cuts)",
        "met:",
    )
    for row in rows:
        sizes = (f"{value:.1f}" for value in (row.added, row.binned, row.cuts))
        lines.add_row(row.solver, *sizes, f"{row.ratio:.2f}", MET[row.met])
    return lines


def _growth_table(curves: list[Curve]) -> Table:
    lines = table("Growth of the CPU time of fit", "with:", "learner:", "from", "to", "s", "s", "exponent")
    for curve in curves:
        ends = (f"{curve.sizes[k]:,}" for k in (0, -1))
        seconds = (f"{curve.seconds[k]:.3g}" for k in (0, -1))
        lines.add_row(curve.quantity, curve.solver, *ends, *seconds, f"{curve.exponent:.2f}")
    return lines


def _search_line(row: SearchRow) -> dict[str, object]:
    setting = f"promised are {SEARCH_SECONDS:g} s"
    return {
        "problem": row.problem,
        "solver": "PartialAUCRisk.worst",
        "setting": setting,
        "cpu": row.cpu,
        "met": row.met,
    }


def _memory_line(row: MemoryRow) -> dict[str, object]:
    setting = f"{row.added:.1f} MB added, {row.binned:.1f} MB binned features, {row.cuts:.1f} MB cuts"
    target = None if row.met is None else MOST
    return {
        "problem": row.problem,
        "solver": row.solver,
        "setting": setting,
        "ratio": row.ratio,
        "most": target,
        "met": row.met,
    }


def _growth_line(curve: Curve) -> dict[str, object]:
    points = ", ".join(
        f"{size} in {seconds:.3g} s" for size, seconds in zip(curve.sizes, curve.seconds, strict=True)
    )
    return {
        "problem": f"fit, growth with {curve.quantity}",
        "solver": curve.solver,
        "setting": f"exponent {curve.exponent:.2f}: {points}",
    }


if __name__ == "__main__":
    sys.exit(main())

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

from nearly_isotonic_speed import fits, maps
from nearly_isotonic_speed.problems import Protocol
from widemargin.experiments.environment import describe_versions

# What the score of a case is, and the cases themselves.
COMPARISONS = {
    "proximal": ("largest difference", maps.proximal),
    "ordered": ("largest error", maps.ordered),
    "solver": ("excess of the objective", fits.solver),
    "unordered": ("excess of the objective", fits.unordered),
    "grid": ("excess of the objective", fits.grid),
}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--cases", nargs="+", required=True)
    parser.add_argument("--repetitions", type=int)
    arguments = parser.parse_args()
    protocol = Protocol(arguments.repetitions or (2 if arguments.quick else 3), arguments.quick)
    console = Console(width=None if sys.stdout.isatty() else 170)
    provenance = describe_versions() | {"prox_tv": version("prox_tv_sdist")}
    console.print("  ".join(f"{name} {value}" for name, value in provenance.items()))

    rows: list[Row] = []
    for name in arguments.cases:
        score, case = COMPARISONS[name]
        for group in case(protocol):
            console.print(_comparison_table(group, score))
            rows += group
    if arguments.out:
        write_rows(arguments.out, provenance, [field.name for field in fields(Row)], map(asdict, rows))
    promised = [met for row in rows for met in row.promises()]
    console.print(f"{promised.count(False)} of {len(promised)} targets missed.")
    return 1 if False in promised else 0


def _comparison_table(rows: list[Row], score: str) -> Table:
    lines = table(
        rows[0].problem,
        "solver:",
        "setting:",
        "elapsed s",
        "CPU s",
        score,
        f"ratio to {rows[0].solver} (CPU)",
        "target s",
        "met:",
        "target ratio",
        "met:",
    )
    for row in rows:
        lines.add_row(
            row.solver,
            row.setting,
            f"{row.elapsed:.3g}",
            f"{row.cpu:.3g}",
            "" if math.isnan(row.score) else f"{row.score:.1e}",
            f"{row.ratio:.3g}",
            "" if row.most_seconds is None else f"<= {row.most_seconds:g}",
            MET[row.met_seconds],
            "" if row.most is None else f"<= {row.most:g}",
            MET[row.met],
        )
    return lines


if __name__ == "__main__":
    sys.exit(main())

"""Run the cases that were asked for, print their tables, and write the rows."""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
from dataclasses import asdict, fields
from importlib.metadata import version
from pathlib import Path

import av
from rich.console import Console
from rich.table import Table
from tables import MET, table, write_rows

from events_speed.features import features
from events_speed.measuring import Row
from events_speed.memory import memory
from events_speed.shots import shots
from widemargin.experiments.environment import describe_versions

CASES = {"shots": shots, "features": features, "memory": memory}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--cases", nargs="+", required=True)
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 170)
    packages = ("av", "scenedetect", "onnxruntime")
    provenance = describe_versions() | {name: version(name) for name in packages}
    console.print("  ".join(f"{name} {value}" for name, value in provenance.items()))

    # The peer turns the encoder's messages on.
    av.logging.set_level(av.logging.ERROR)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.cases:
            for group in CASES[name](Path(folder), arguments.quick):
                console.print(_comparison_table(group))
                rows += group
    if arguments.out:
        write_rows(arguments.out, provenance, [field.name for field in fields(Row)], map(asdict, rows))
    promised = [row.met for row in rows if row.met is not None]
    console.print(f"{promised.count(False)} of {len(promised)} targets missed.")
    return 1 if False in promised and not arguments.quick else 0


def _comparison_table(rows: list[Row]) -> Table:
    lines = table(
        rows[0].problem,
        *(
            "contestant:",
            "frames",
            "CPU s",
            "frames a CPU s",
            "frames a s",
            "precision",
            "recall",
            "F1",
            "missed:",
        ),
        *("ratio", "MB", "target:", "met:"),
    )
    for row in rows:
        numbers = (row.precision, row.recall, row.f1)
        lines.add_row(
            row.contestant,
            f"{row.frames:,}",
            _number(row.cpu, ".2f"),
            _number(row.frames / row.cpu, ",.0f"),
            _number(row.frames / row.elapsed, ",.0f"),
            *(_number(number, ".3f") for number in numbers),
            row.missed,
            _number(row.ratio, ".2f"),
            _number(row.megabytes, ".0f"),
            row.target,
            MET[row.met],
        )
    return lines


def _number(value: float, pattern: str) -> str:
    return "" if math.isnan(value) else format(value, pattern)


if __name__ == "__main__":
    sys.exit(main())

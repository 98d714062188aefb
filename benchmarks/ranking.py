"""Speed of partial AUC ensembles against the boosted trees a user could pick instead, side by side in one run.

    python benchmarks/ranking.py [--quick] [--data FOLDER] [--out FILE]

Makes its own environment for the peer that this package does not depend on (LightGBM) the first time, then measures
in it. Everybody has one thread, and the same number of trees; see ranking_speed/__main__.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from peer_environment import peer_environment, run_module

CASES = ("training", "usps", "settings", "adaboost", "prediction", "search", "memory", "growth")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="smaller problems, fewer repetitions: about a minute"
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="also write every row to this CSV file, and the figure of the growth beside it",
    )
    parser.add_argument(
        "--cases", nargs="+", choices=CASES, help="which (default: all; usps only with --data)"
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="folder with usps.npz, for the case usps")
    parser.add_argument(
        "--repetitions", type=int, default=None, help="rounds of alternation (default: 3, quick 2)"
    )
    arguments = parser.parse_args()
    cases = arguments.cases or [case for case in CASES if case != "usps" or arguments.data]
    if "usps" in cases and arguments.data is None:
        parser.error("the case usps needs --data")

    python = peer_environment("ranking", ["lightgbm"])
    command = ["--cases", *cases]
    command += ["--quick"] if arguments.quick else []
    command += ["--data", str(arguments.data.resolve())] if arguments.data else []
    command += ["--out", str(arguments.out.resolve())] if arguments.out else []
    command += ["--repetitions", str(arguments.repetitions)] if arguments.repetitions else []
    return run_module(python, "ranking_speed", command)


if __name__ == "__main__":
    sys.exit(main())

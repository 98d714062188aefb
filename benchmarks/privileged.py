"""Speed of SVM+ and Margin Transfer against the solvers a user could pick instead, side by side in one run.

    python benchmarks/privileged.py [--quick] [--out FILE]

Makes its own environment for the peers (CVXOPT, Clarabel) the first time, then measures in it. Every solver is held
to the same certified relative gap, computed here from its solution; see privileged_speed/__main__.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from peer_environment import peer_environment, run_module

CASES = ("linear", "rbf", "stalls", "margin-transfer", "search", "memory", "table-1")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="smaller problems, fewer repetitions: about two minutes"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write every row to this CSV file")
    parser.add_argument(
        "--cases", nargs="+", choices=CASES, help="which (default: all; table-1 only with --data)"
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="folder with awa10_surf.npz and awa10_predicted_attributes.npz, for the cases search and table-1",
    )
    parser.add_argument(
        "--repetitions", type=int, default=None, help="rounds of alternation (default: 5, quick 3)"
    )
    parser.add_argument(
        "--threads",
        choices=("one", "default"),
        default="one",
        help="BLAS threads: one for everybody, ratios of CPU time (default); or what each solver takes by default, "
        "ratios of elapsed time",
    )
    arguments = parser.parse_args()
    cases = arguments.cases or [case for case in CASES if case != "table-1" or arguments.data]
    if "table-1" in cases and arguments.data is None:
        parser.error("the case table-1 needs --data")

    python = peer_environment("privileged", ["cvxopt", "clarabel", "scipy"])
    command = ["--threads", arguments.threads, "--cases", *cases]
    command += ["--quick"] if arguments.quick else []
    command += ["--data", str(arguments.data.resolve())] if arguments.data else []
    command += ["--out", str(arguments.out.resolve())] if arguments.out else []
    command += ["--repetitions", str(arguments.repetitions)] if arguments.repetitions else []
    return run_module(python, "privileged_speed", command, one_thread=arguments.threads == "one")


if __name__ == "__main__":
    sys.exit(main())

"""Speed of nearly-isotonic SVMs and their proximal map against what a user could pick instead, side by side in one run.

    python benchmarks/nearly_isotonic.py [--quick] [--out FILE]

Makes its own environment for the peer that this package does not depend on (prox_tv) the first time, which takes a
C++ compiler, then measures in it. Everybody has one thread; see nearly_isotonic_speed/__main__.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from peer_environment import peer_environment, run_module

CASES = ("proximal", "ordered", "solver", "unordered", "grid")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--quick", action="store_true", help="smaller problems, fewer repetitions: about a minute"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write every row to this CSV file")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES, help="which (default: all)")
    parser.add_argument(
        "--repetitions", type=int, default=None, help="rounds of alternation (default: 3, quick 2)"
    )
    arguments = parser.parse_args()

    python = peer_environment("nearly_isotonic", [], built_with_lapack=["prox_tv_sdist"])
    command = ["--cases", *arguments.cases]
    command += ["--quick"] if arguments.quick else []
    command += ["--out", str(arguments.out.resolve())] if arguments.out else []
    command += ["--repetitions", str(arguments.repetitions)] if arguments.repetitions else []
    return run_module(python, "nearly_isotonic_speed", command)


if __name__ == "__main__":
    sys.exit(main())

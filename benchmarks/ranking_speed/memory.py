"""Resident memory that a fit adds, in a process of its own: what the compiled parts allocate counts, too.

Run as ``python -m ranking_speed.memory NAME N_SAMPLES N_FEATURES``, it prints bytes; `memory` does that.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ranking_speed import learners
from ranking_speed.cases import Protocol
from ranking_speed.problems import draw
from widemargin.ranking import _column_generation
from widemargin.solvers.cutting_plane import CuttingPlaneModel

MOST = 1.5
STATUS = Path("/proc/self/status")
FITS: dict[str, tuple[str, Callable[[], Any]]] = {
    "ours": ("PartialAUCBoosting, nu = 1", learners.ensemble),
    "ours-10": ("PartialAUCBoosting, nu = 10", lambda: learners.ensemble(nu=10.0)),
    "lightgbm": ("LightGBM, 4 leaves", learners.shallow_lightgbm),
}


@dataclass(frozen=True)
class MemoryRow:
    """Peak of the resident memory during a fit, over what was resident before it.

    Parameters
    ----------
    added, binned, cuts : float
        Megabytes: that peak, the binned features, and the most cuts that were kept at one time (0 for peers).
    ratio : float
        ``added / (binned + cuts)``.
    met : bool or None
        Whether the promise is kept, if there is one.
    """

    problem: str
    solver: str
    added: float
    binned: float
    cuts: float
    ratio: float
    met: bool | None


def memory(protocol: Protocol) -> Iterator[MemoryRow]:
    """Fit in fresh processes; on Linux only, where the peak of a process can be read from ``/proc``."""
    if not STATUS.exists():
        print("The memory of a fit is measured on Linux only.")
        return
    n_samples, n_features = (5000, 500) if protocol.quick else (20_000, 500)
    for key, (name, _) in FITS.items():
        command = [sys.executable, "-m", "ranking_speed.memory", key, str(n_samples), str(n_features)]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        added, cuts = result["added"] / 1e6, result["n_cuts"] * n_samples * 8 / 1e6
        binned = n_samples * n_features / 1e6
        ratio = added / (binned + cuts)
        met = ratio <= MOST if key == "ours" and not protocol.quick else None
        yield MemoryRow(f"memory of fit, {n_samples:,} x {n_features}", name, added, binned, cuts, ratio, met)


def _measure(key: str, n_samples: int, n_features: int) -> dict[str, int]:
    make = FITS[key][1]
    make().fit(*draw(500, 20, seed=0))  # code and tables that are loaded once
    X, y = draw(n_samples, n_features, seed=0)
    before = _status("VmRSS")
    # The high water mark is that of the whole process: it counts only what rises above the data.
    if _status("VmHWM") > before + 2**20:
        raise RuntimeError(
            "drawing the data took more memory than the data: the peak of fit would hide below it."
        )
    make().fit(X, y)
    added = _status("VmHWM") - before
    return {"added": added, "n_cuts": _most_cuts(make, X, y) if key.startswith("ours") else 0}


def _most_cuts(make: Callable[[], Any], X: np.ndarray, y: np.ndarray) -> int:
    """Fit again, and count."""
    most = 0

    class Counting(CuttingPlaneModel):
        def add(self, offset: float, features: np.ndarray) -> None:
            nonlocal most
            super().add(offset, features)
            most = max(most, self.n_cuts)

    _column_generation.CuttingPlaneModel = Counting
    make().fit(X, y)
    return most


def _status(name: str) -> int:
    """Return an entry of the status of this process, in bytes."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise RuntimeError(f"{STATUS} has no {name}.")


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))

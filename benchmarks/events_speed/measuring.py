"""Rows of the results, and times that include those of finished child processes."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NAN = float("nan")


@dataclass(frozen=True)
class Row:
    """One line: what was measured, and the target if there is one.

    `ratio` is the CPU time of the first line over this, or the quotient
    that the target is about. `met` tells whether the target is kept.
    """

    problem: str
    contestant: str
    frames: int = 0
    cpu: float = NAN
    elapsed: float = NAN
    precision: float = NAN
    recall: float = NAN
    f1: float = NAN
    missed: str = ""
    ratio: float = NAN
    megabytes: float = NAN
    target: str = ""
    met: bool | None = None


def timed(run: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return elapsed and CPU seconds, those of children that have ended included, and the result."""
    start, cpu = time.perf_counter(), _cpu_seconds()
    result = run()
    return time.perf_counter() - start, _cpu_seconds() - cpu, result


def _cpu_seconds() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)

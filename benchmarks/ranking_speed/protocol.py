"""How learners are compared: rounds in which they take turns, and ratios of two times of the same round."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# Each turn lasts at least this long, so that work of milliseconds meets the same disturbances as that of seconds.
_TURN_SECONDS = 0.2


@dataclass
class Contestant:
    """Something to time.

    Parameters
    ----------
    name, setting : str
        What to print.
    run : callable
        What is timed.
    most : float or None
        Promised ratio of its CPU time to the first contestant's, at most; None if none is.
    scale : float
        Factor from what is run to what is meant, for what would take too long.
    score : callable or None
        Partial AUC of what `run` returned.
    """

    name: str
    setting: str
    run: Callable[[], Any]
    most: float | None = None
    scale: float = 1.0
    score: Callable[[Any], float] | None = None


@dataclass(frozen=True)
class Row:
    """One line of the results.

    Parameters
    ----------
    elapsed, cpu : float
        Medians over the rounds, seconds.
    score : float
        Partial AUC on other samples, so that nobody is fast by learning less.
    ratio : float
        Median over the rounds of the CPU time over the first contestant's in the same round.
    most : float or None
        The ratio that is promised, if one is.
    met : bool or None
        Whether it is kept.
    """

    problem: str
    solver: str
    setting: str
    elapsed: float
    cpu: float
    score: float
    ratio: float
    most: float | None
    met: bool | None


@dataclass
class _Clocks:
    elapsed: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def compare(
    problem: str, contestants: list[Contestant], repetitions: int, *, promised: bool = True
) -> list[Row]:
    """Measure A B C A B C ...; the others are compared with the first, which is the peer.

    `promised` says whether the problem has the size that the promises are for.
    """
    clocks = [_Clocks() for _ in contestants]
    scores = [np.nan] * len(contestants)
    for repetition in range(repetitions):
        for k, contestant in enumerate(contestants):
            elapsed, cpu, result = turn(contestant.run)
            clocks[k].elapsed.append(elapsed * contestant.scale)
            clocks[k].cpu.append(cpu * contestant.scale)
            if contestant.score is not None and repetition == 0:
                scores[k] = contestant.score(result)
    rows = []
    for contestant, clock, score in zip(contestants, clocks, scores, strict=True):
        ratio = float(np.median(np.array(clock.cpu) / np.array(clocks[0].cpu)))
        most = contestant.most if promised else None
        rows.append(
            Row(
                problem,
                contestant.name,
                contestant.setting,
                float(np.median(clock.elapsed)),
                float(np.median(clock.cpu)),
                score,
                ratio,
                most,
                None if most is None else ratio <= most,
            )
        )
    return rows


def turn(run: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return elapsed and CPU seconds of one run, averaged over as many as fill a turn, and what the last returned."""
    runs = 0
    start, cpu_start = time.perf_counter(), time.process_time()
    while runs == 0 or time.perf_counter() - start < _TURN_SECONDS:
        result = run()
        runs += 1
    return (time.perf_counter() - start) / runs, (time.process_time() - cpu_start) / runs, result

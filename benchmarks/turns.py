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
        Number about what `run` returned that is printed beside its time: what it learned, or its error.
    most_seconds : float or None
        Promised CPU time, at most.
    most_score : float or None
        Score, at most, without which no promise is kept.
    once : bool
        Run in the first round only: for what takes long and is far from its target.
    """

    name: str
    setting: str
    run: Callable[[], Any]
    most: float | None = None
    scale: float = 1.0
    score: Callable[[Any], float] | None = None
    most_seconds: float | None = None
    most_score: float | None = None
    once: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the results.

    Parameters
    ----------
    elapsed, cpu : float
        Medians over the rounds, seconds.
    score : float
        What the contestant's `score` says, so that nobody is fast by doing less; NaN without one.
    ratio : float
        Median over the rounds of the CPU time over the first contestant's in the same round.
    most, most_seconds : float or None
        The ratio and the CPU time that are promised, if they are.
    met, met_seconds : bool or None
        Whether they are kept, by a result that is as accurate as promised.
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
    most_seconds: float | None
    met_seconds: bool | None

    def promises(self) -> list[bool]:
        """Return whether each promise is kept."""
        return [met for met in (self.met, self.met_seconds) if met is not None]


@dataclass
class _Clocks:
    elapsed: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def repeat(self) -> None:
        """Take the last times for those of another round, too."""
        self.elapsed.append(self.elapsed[-1])
        self.cpu.append(self.cpu[-1])


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
            if contestant.once and repetition > 0:
                clocks[k].repeat()
                continue
            elapsed, cpu, result = turn(contestant.run)
            clocks[k].elapsed.append(elapsed * contestant.scale)
            clocks[k].cpu.append(cpu * contestant.scale)
            if contestant.score is not None and repetition == 0:
                scores[k] = contestant.score(result)
    return [
        _row(problem, contestant, clock, score, clocks[0], promised)
        for contestant, clock, score in zip(contestants, clocks, scores, strict=True)
    ]


def _row(
    problem: str, contestant: Contestant, clock: _Clocks, score: float, first: _Clocks, promised: bool
) -> Row:
    ratio = float(np.median(np.array(clock.cpu) / np.array(first.cpu)))
    cpu = float(np.median(clock.cpu))
    most = contestant.most if promised else None
    most_seconds = contestant.most_seconds if promised else None
    accurate = contestant.most_score is None or score <= contestant.most_score
    return Row(
        problem,
        contestant.name,
        contestant.setting,
        float(np.median(clock.elapsed)),
        cpu,
        score,
        ratio,
        most,
        None if most is None else ratio <= most and accurate,
        most_seconds,
        None if most_seconds is None else cpu <= most_seconds and accurate,
    )


def turn(run: Callable[[], Any]) -> tuple[float, float, Any]:
    """Return elapsed and CPU seconds of one run, averaged over as many as fill a turn, and what the last returned."""
    runs = 0
    start, cpu_start = time.perf_counter(), time.process_time()
    while runs == 0 or time.perf_counter() - start < _TURN_SECONDS:
        result = run()
        runs += 1
    return (time.perf_counter() - start) / runs, (time.process_time() - cpu_start) / runs, result

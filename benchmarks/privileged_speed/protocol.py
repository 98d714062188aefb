"""How solvers are compared: the loosest setting that is accurate enough, then rounds in which they take turns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from turns import turn

GAP = 1e-6
_TOLERANCES = tuple(mantissa * 10.0**-exponent for exponent in range(2, 13) for mantissa in (1.0, 0.3))


@dataclass
class Contestant:
    """A solver with its tolerance fixed.

    Parameters
    ----------
    name, setting : str
        What to print.
    solve : callable
        From the user's arrays to a solution; this is what is timed.
    gap : callable
        Certified relative gap of what `solve` returned.
    """

    name: str
    setting: str
    solve: Callable[[], Any]
    gap: Callable[[Any], float]
    reached: float = np.inf
    elapsed: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def loosest_tolerance(solve: Callable[[float], Any], gap: Callable[[Any], float]) -> float:
    """The largest tolerance on a grid of half decades whose solution has a relative gap of at most `GAP`.

    Raises
    ------
    RuntimeError
        If none has.
    """
    for tolerance in _TOLERANCES:
        if gap(solve(tolerance)) <= GAP:
            return tolerance
    raise RuntimeError(f"no tolerance down to {_TOLERANCES[-1]:g} reaches a relative gap of {GAP:g}")


def take_turns(contestants: list[Contestant], repetitions: int) -> None:
    """Measure A B C A B C ..., after one solution each that warms up and is certified."""
    for contestant in contestants:
        contestant.reached = contestant.gap(contestant.solve())
    for _ in range(repetitions):
        for contestant in contestants:
            elapsed, cpu, _ = turn(contestant.solve)
            contestant.elapsed.append(elapsed)
            contestant.cpu.append(cpu)

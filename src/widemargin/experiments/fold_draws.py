"""How often folds are drawn: as often as in the paper where a run has as many repeats as the paper, otherwise once.

Five draws take five times as long as one, and matter where the differences of methods are tenths of a point: when the
paper's numbers are to be met, not when a run of a few repeats shows how a method does.

Reference: V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
arXiv:1410.0389, 2014, section 4.
"""

from __future__ import annotations

__all__ = ["FULL_REPEATS", "RULE", "fold_draws", "times"]

FULL_REPEATS = 20
"""Repeats of every task in the paper."""

RULE = (
    f"the paper draws five folds five times; so does a run of {FULL_REPEATS} repeats or more, such as --full, and "
    "fewer repeats draw them once"
)
"""The rule in words, for the description of a protocol."""


def fold_draws(repeats: int, most: int) -> int:
    """Return how often folds are drawn.

    Parameters
    ----------
    repeats : int
        Repeats of the run, at least 1.
    most : int
        How often a run with `FULL_REPEATS` or more draws them, at least 1.

    Returns
    -------
    int
        `most` or 1.

    Examples
    --------
    >>> fold_draws(20, most=5), fold_draws(19, most=5)
    (5, 1)
    """
    return most if repeats >= FULL_REPEATS else 1


def times(number: int) -> str:
    """Print how often something is done.

    Parameters
    ----------
    number : int
        How often, at least 1.

    Returns
    -------
    str
        The words.

    Examples
    --------
    >>> times(1), times(5)
    ('once', '5 times')
    """
    return "once" if number == 1 else f"{number} times"

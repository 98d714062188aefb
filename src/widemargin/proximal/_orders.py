"""The four penalties on the order of weights by name, and how the native maps see them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["ORDERS", "PENALTIES", "both_directions", "compares_magnitudes", "sign_rule"]

ORDERS = ("nearly_isotonic", "increments", "absolute", "total_variation")
PENALTIES = ("l2", "l1")


def both_directions(
    order: str, weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the weights of the rises and of the falls: falls cost nothing where the penalty is one-sided."""
    two_sided = order in ("absolute", "total_variation")
    return weights, weights if two_sided else np.zeros_like(weights)


def compares_magnitudes(order: str) -> bool:
    """Say whether the penalty is on the magnitudes of numbers rather than on the numbers."""
    return order in ("nearly_isotonic", "absolute")


def sign_rule(order: str, norm: int, nonnegative: bool) -> str:
    """Return how the native maps rule the signs of the result."""
    if nonnegative:
        return "nonnegative"
    return "magnitude" if norm == 2 or compares_magnitudes(order) else "free"

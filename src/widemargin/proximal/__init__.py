"""Exact proximal maps of penalties on the order of weights: for vectors, rows, and the shots of a classifier."""

from widemargin.proximal.shots import ShotPenalty, ordered_penalty, prox_ordered
from widemargin.proximal.vectors import (
    prox_absolute,
    prox_increments,
    prox_nearly_isotonic,
    prox_total_variation,
)

__all__ = [
    "ShotPenalty",
    "ordered_penalty",
    "prox_absolute",
    "prox_increments",
    "prox_nearly_isotonic",
    "prox_ordered",
    "prox_total_variation",
]

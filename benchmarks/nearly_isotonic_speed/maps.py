"""Proximal maps of many rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from turns import Contestant, Row, compare

from nearly_isotonic_speed import peers
from nearly_isotonic_speed.problems import FloatArray, Protocol, rows_to_map
from widemargin.proximal import prox_nearly_isotonic, prox_total_variation

N_ROWS = 4096
MOST_SECONDS = {51: 0.008, 1000: 0.15}
MOST_RATIO = 1 / 10
T = 1.0
LARGE_T = 1e8
# Rounding: the maps add at most a thousand numbers of size 10.
CLOSE = 1e-10
# prox_tv's default, the other fast one for rows of every kind, and the fastest on random rows.
METHODS = ("hybridtautstring", "dp", "condat")
# The total variation itself, which prox_tv is made for, is compared on these only.
PLAIN_KINDS = ("random", "increasing")


def proximal(protocol: Protocol) -> Iterator[list[Row]]:
    """The nearly-isotonic map and that of the total variation, against prox_tv's row by row."""
    for n_columns, most_seconds in MOST_SECONDS.items():
        n_rows = N_ROWS // 16 if protocol.quick else N_ROWS
        for kind, w in rows_to_map(n_rows, n_columns).items():
            name = f"{n_rows:,} {kind} rows of {n_columns:,}, t = {T:g}"
            ours: Callable[..., FloatArray]
            for what, ours, theirs in (
                ("nearly isotonic", prox_nearly_isotonic, peers.nearly_isotonic_by_row),
                ("total variation", prox_total_variation, peers.total_variation_by_row),
            ):
                if what == "total variation" and kind not in PLAIN_KINDS:
                    continue
                # The same rows by another algorithm: what is left is rounding.
                difference = partial(_largest_difference, theirs(w, T, "dp"))
                contestants = [
                    Contestant("prox_tv", method, partial(theirs, w, T, method), score=difference)
                    for method in METHODS
                ]
                contestants.append(
                    Contestant(
                        ours.__name__,
                        "",
                        partial(ours, w, T),
                        score=difference,
                        most=MOST_RATIO,
                        most_seconds=most_seconds,
                        most_score=CLOSE,
                    )
                )
                yield compare(
                    f"{what}, {name}", contestants, protocol.repetitions, promised=not protocol.quick
                )


def ordered(protocol: Protocol) -> Iterator[list[Row]]:
    """Rows that are in order already, which no penalty may change: a map that shifts them loses their digits."""
    for n_columns, most_seconds in MOST_SECONDS.items():
        w = rows_to_map(N_ROWS // 16 if protocol.quick else N_ROWS, n_columns)["decreasing"]
        error = partial(_largest_difference, w)
        yield compare(
            f"nearly isotonic, {len(w):,} rows of {n_columns:,} in order, t = {LARGE_T:g}",
            [
                Contestant(
                    "prox_tv",
                    METHODS[0],
                    partial(peers.nearly_isotonic_by_row, w, LARGE_T, METHODS[0]),
                    score=error,
                ),
                Contestant(
                    "prox_nearly_isotonic",
                    "",
                    partial(prox_nearly_isotonic, w, LARGE_T),
                    score=error,
                    most_seconds=most_seconds,
                    most_score=0.0,
                ),
            ],
            protocol.repetitions,
            promised=not protocol.quick,
        )


def _largest_difference(expected: FloatArray, result: Any) -> float:
    return float(np.abs(result - expected).max())

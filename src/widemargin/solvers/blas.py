"""How many threads the matrix products of a solver get."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController

__all__ = ["blas_threads"]

# A product below this many operations takes under 10 ms on one core. Two threads on it gain at most 5 ms, and lose
# a factor of 40 on a machine whose cores are busy, where they wait for each other (measured at N = 1000, d = 40).
_OPERATIONS_WORTH_THREADS = 4e8


@cache
def _controller() -> ThreadpoolController:
    # Looking up the loaded libraries takes some milliseconds, limiting them microseconds.
    return ThreadpoolController()


def blas_threads(operations: float) -> AbstractContextManager[object]:
    """Context in which products of about `operations` multiply-adds run on one thread if threads do not pay."""
    if operations >= _OPERATIONS_WORTH_THREADS:
        return nullcontext()
    return _controller().limit(limits=1, user_api="blas")

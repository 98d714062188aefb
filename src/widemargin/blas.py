"""How many threads the matrix products of a solver get."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController

__all__ = ["blas_threads"]

# Two threads at most halve an iteration. On a machine whose cores are busy they wait for each other: an interior
# point of N = 500 took 5 times the processor time and 10 times the time of one thread (measured with three processes
# a core). Below about 0.3 s an iteration that risk is not worth the gain.
_OPERATIONS_WORTH_THREADS = 1e10


@cache
def _controller() -> ThreadpoolController:
    # Looking up the loaded libraries takes some milliseconds, limiting them microseconds.
    return ThreadpoolController()


def blas_threads(operations: float) -> AbstractContextManager[object]:
    """Context in which products of about `operations` multiply-adds run on one thread if threads do not pay."""
    if operations >= _OPERATIONS_WORTH_THREADS:
        return nullcontext()
    return _controller().limit(limits=1, user_api="blas")

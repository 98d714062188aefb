"""Map a function over independent pieces of work, in this process, in several, or on a cluster.

Every long computation of the package is a map over pieces that know nothing of each other (one repeat of
one task, one image, one video). `map_items` runs such a map and hands back each result as soon as it exists,
so that the caller can save it before the next one is ready; `unit_seed` gives every piece its own random
numbers, so that results depend neither on the number of processes nor on the order of completion.
"""

from __future__ import annotations

import hashlib
import logging
import os
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import partial
from numbers import Integral
from typing import Any, Literal, TypeVar, get_args

import numpy as np
from joblib import Parallel, delayed, parallel_config
from threadpoolctl import threadpool_limits

from widemargin.validation import check_choice

__all__ = ["Engine", "check_n_jobs", "map_items", "unit_seed"]

Engine = Literal["local", "dask"]
Item = TypeVar("Item")
Result = TypeVar("Result")


def check_n_jobs(n_jobs: int) -> int:
    """Return the number of processes or threads that `n_jobs` stands for.

    Parameters
    ----------
    n_jobs : int
        A positive number, or -1 for one per core this process may use.

    Returns
    -------
    int
        A number of processes or threads, at least 1.

    Raises
    ------
    TypeError
        If `n_jobs` is not an integer.
    ValueError
        If `n_jobs` is zero, or negative and not -1.
    """
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, Integral):
        raise TypeError(f"n_jobs must be an integer, got {n_jobs!r}: pass n_jobs=1, or -1 for all cores.")
    if n_jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_jobs < 1:
        raise ValueError(f"n_jobs is {n_jobs}, but must be at least 1, or -1 for all cores: pass n_jobs=1.")
    return int(n_jobs)


def unit_seed(seed: int, *key: str | int) -> int:
    """Derive the seed of one piece of work from the run's seed and the piece's name.

    The name is hashed, so adding, removing or reordering pieces leaves the seeds of the others alone.

    Parameters
    ----------
    seed : int
        The seed of the whole run, at least 0.
    *key : str or int
        What identifies the piece, for instance a task and the number of a repeat.

    Returns
    -------
    int
        An unsigned 32-bit integer, good as scikit-learn's `random_state` and for `numpy.random.default_rng`.

    Examples
    --------
    >>> unit_seed(0, "3 versus 8", 1) == unit_seed(0, "3 versus 8", 1)
    True
    >>> unit_seed(0, "3 versus 8", 1) == unit_seed(0, "3 versus 8", 2)
    False
    """
    digest = hashlib.sha256("\x1f".join(str(part) for part in key).encode()).digest()
    words = np.frombuffer(digest, dtype="<u4")
    sequence = np.random.SeedSequence([seed, *(int(word) for word in words)])
    return int(sequence.generate_state(1)[0])


def map_items(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    n_jobs: int = 1,
    engine: Engine = "local",
) -> Generator[tuple[Item, Result], None, None]:
    """Apply `function` to every item and yield ``(item, result)`` in the order of completion.

    Each process computes with one BLAS thread: the pieces are small, and threads that compete for the same
    cores cost more than they bring. Closing the generator, or an exception in the loop that consumes it
    (Ctrl-C included), stops the workers at once and drops the pieces under way.

    Parameters
    ----------
    function : callable
        Takes one item. Must be picklable if `n_jobs` is not 1.
    items : iterable
        The pieces of work; taken into a list before the first one starts.
    n_jobs : int, default=1
        Number of processes; 1 computes in this process, -1 uses every core.
    engine : {"local", "dask"}, default="local"
        Where the processes are: "local" starts them on this machine; "dask" takes the workers of the default client of
        dask.distributed, so that a cluster of machines computes. If there is no client, `n_jobs` workers are started
        on this machine for the time of the map.

    Yields
    ------
    item : object
        One of `items`.
    result : object
        ``function(item)``.

    Raises
    ------
    ValueError
        If `n_jobs` is neither positive nor -1, or `engine` is none of the two.
    ImportError
        If `engine` is "dask", and distributed is not installed.
    Exception
        Whatever `function` raises, at the item concerned; results yielded before stay valid.
    """
    check_choice("engine", engine, get_args(Engine))
    pending = list(items)
    n_processes = min(check_n_jobs(n_jobs), max(len(pending), 1))
    if engine == "dask":
        yield from _map_on_cluster(function, pending, n_processes)
        return
    if n_processes == 1:
        with threadpool_limits(limits=1):
            for item in pending:
                yield item, function(item)
        return
    yield from _map_in_processes(function, pending, n_processes)


def _map_in_processes(
    function: Callable[[Item], Result], items: Sequence[Item], n_processes: int
) -> Generator[tuple[Item, Result], None, None]:
    """Yield ``(item, result)`` from `n_processes` worker processes, stopping them if left early."""
    with parallel_config(backend="loky", inner_max_num_threads=1), _interrupts_ignored():
        parallel = Parallel(
            n_jobs=n_processes, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs"
        )
        results = parallel(delayed(_call)(function, index, item) for index, item in enumerate(items))
    finished = False
    try:
        for index, result in results:
            yield items[index], result
        finished = True
    finally:
        if not finished:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message=".*tasks which were still being processed")
                results.close()


def _map_on_cluster(
    function: Callable[[Item], Result], items: Sequence[Item], n_workers: int
) -> Generator[tuple[Item, Result], None, None]:
    """Yield ``(item, result)`` from the workers of a Dask cluster, dropping what is left if left early."""
    try:
        import distributed
    except ImportError as error:
        raise ImportError(
            "engine='dask' needs distributed, which is not installed: install it with pip install 'widemargin[dask]', "
            "or pass engine='local'."
        ) from error
    with _dask_client(distributed, n_workers) as client:
        futures = client.map(partial(_call_alone, function), range(len(items)), items, pure=False)
        try:
            for future in distributed.as_completed(futures):
                index, result = future.result()
                yield items[index], result
        finally:
            client.cancel(futures)


@contextmanager
def _dask_client(distributed: Any, n_workers: int) -> Generator[Any, None, None]:
    """Lend the default client, or one of a cluster on this machine that ends with the context."""
    try:
        client = distributed.get_client()
    except ValueError:
        pass
    else:
        yield client
        return
    with _interrupts_ignored():
        cluster = distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        )
    with cluster, distributed.Client(cluster) as client:
        yield client


@contextmanager
def _interrupts_ignored() -> Generator[None, None, None]:
    """Ignore Ctrl-C while worker processes start, which they inherit for life.

    A terminal sends the signal to the whole process group. Only the parent should act on it (it then stops
    its workers); workers that heard it too would print tracebacks into the middle of a progress bar. Blocking
    the signal, so that none is lost meanwhile, does not work: joblib's resource tracker unblocks it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _call(function: Callable[[Item], Result], index: int, item: Item) -> tuple[int, Result]:
    """Compute one item, and say which."""
    return index, function(item)


def _call_alone(function: Callable[[Item], Result], index: int, item: Item) -> tuple[int, Result]:
    """Compute one item with one BLAS thread, and say which."""
    with threadpool_limits(limits=1):
        return index, function(item)

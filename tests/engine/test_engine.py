"""The map over pieces of work: results, order, seeds, failures and leaving early."""

import os
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from widemargin.engine import check_n_jobs, map_items, unit_seed


def square(x):
    return x * x


def fail_at_three(x):
    if x == 3:
        raise RuntimeError("three")
    return x


def sleep_after_first(x):
    if x > 0:
        time.sleep(60)
    return os.getpid()


def blas_threads(_):
    np.ones((2, 2)) @ np.ones((2, 2))
    return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_every_item_comes_back_once_with_its_result(n_jobs):
    assert sorted(map_items(square, range(7), n_jobs=n_jobs)) == [(x, x * x) for x in range(7)]


def test_one_process_keeps_the_order_and_computes_lazily():
    results = map_items(fail_at_three, [1, 2, 3], n_jobs=1)
    assert [next(results), next(results)] == [(1, 1), (2, 2)]
    with pytest.raises(RuntimeError, match="three"):
        next(results)


def test_an_exception_in_a_worker_reaches_the_caller():
    with pytest.raises(RuntimeError, match="three"):
        list(map_items(fail_at_three, range(5), n_jobs=2))


def test_leaving_early_does_not_wait_for_pieces_under_way():
    results = map_items(sleep_after_first, range(4), n_jobs=2)
    next(results)
    started = time.perf_counter()
    results.close()
    # The pieces under way would take 60 s; stopping two processes takes about 0.2 s.
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_each_process_computes_with_one_blas_thread(n_jobs):
    for _, threads in map_items(blas_threads, range(2), n_jobs=n_jobs):
        assert threads
        assert set(threads) == {1}


def test_no_items_is_no_work():
    assert list(map_items(square, [], n_jobs=2)) == []


@pytest.mark.parametrize("n_jobs", [0, -2])
def test_wrong_n_jobs_is_named(n_jobs):
    with pytest.raises(ValueError, match=f"n_jobs is {n_jobs}, but must be at least 1, or -1"):
        check_n_jobs(n_jobs)


@pytest.mark.parametrize("n_jobs", [1.5, 2.0, True, np.True_, "a", None])
def test_n_jobs_is_an_integer(n_jobs):
    with pytest.raises(TypeError, match=r"n_jobs must be an integer, got .*: pass n_jobs=1, or -1"):
        check_n_jobs(n_jobs)


def test_seeds_differ_by_run_and_by_piece_and_are_fixed_for_good():
    seeds = {unit_seed(seed, task, repeat) for seed in range(3) for task in "ab" for repeat in range(5)}
    assert len(seeds) == 30
    # The value itself is part of the promise that a published run can be repeated with a later version.
    assert unit_seed(0, "3 versus 8", 1) == unit_seed(0, "3 versus 8", "1") == 1247827196


def test_an_unknown_engine_is_named():
    with pytest.raises(ValueError, match="engine must be one of 'local', 'dask', got 'spark'"):
        next(map_items(square, [1], engine="spark"))

"""The map over pieces of work on a Dask cluster: same results, failures and leaving early as on one machine."""

import sys
import time

import pytest

from widemargin.engine import map_items


def square(x):
    return x * x


def fail_at_three(x):
    if x == 3:
        raise RuntimeError("three")
    return x


def sleep_after_first(x):
    if x > 0:
        time.sleep(60)
    return x


@pytest.fixture
def client():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_every_item_comes_back_once_from_the_default_client(client):
    before = client.scheduler_info()["workers"].keys()
    assert sorted(map_items(square, range(7), engine="dask")) == [(x, x * x) for x in range(7)]
    assert client.status == "running"
    assert client.scheduler_info()["workers"].keys() == before


def test_equal_items_are_each_computed(client):
    assert list(map_items(square, [2, 2, 2], engine="dask")) == [(2, 4)] * 3


def test_an_exception_on_a_worker_reaches_the_caller(client):
    with pytest.raises(RuntimeError, match="three"):
        list(map_items(fail_at_three, range(5), engine="dask"))


def test_without_a_client_workers_are_started_and_ended():
    distributed = pytest.importorskip("distributed")
    results = map_items(sleep_after_first, range(4), n_jobs=1, engine="dask")
    assert next(results) == (0, 0)
    started = time.perf_counter()
    results.close()
    # The pieces that are left would take 180 s.
    assert time.perf_counter() - started < 30
    with pytest.raises(ValueError, match="client"):
        distributed.get_client()


def test_without_distributed_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"pip install 'widemargin\[dask\]'"):
        next(map_items(square, [1], engine="dask"))

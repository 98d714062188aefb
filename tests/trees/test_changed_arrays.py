"""Arrays of trees that were changed by whoever wrote the file: an error or some scores, but no access out of bounds."""

import subprocess
import sys

import pytest

# In a process of its own, since what it looks for would end the process.
FUZZ = """
import sys
from dataclasses import replace

import numpy as np

from widemargin.trees import BinMapper, TreeEnsemble, TreeGrower

depth = int(sys.argv[1])
rng = np.random.default_rng(depth)
X = rng.normal(size=(300, 5))
X[rng.random(X.shape) < 0.1] = np.nan
bins = BinMapper.fit(X)
codes = bins.transform(X)
grower = TreeGrower(bins, codes, depth, criterion="squared")
good = TreeEnsemble.of([grower.grow(rng.normal(size=300))[0] for _ in range(4)])
X, codes = X[:20], np.ascontiguousarray(codes[:, :20])
limits = [-2**31, -2, -1, 0, 1, 2, 4, 5, 255, 256, 2**31 - 1]
arrays = [name for name, value in vars(good).items() if isinstance(value, np.ndarray) and name != "gain"]


def changed(array):
    kind = rng.choice(["limit", "other", "noise", "length", "dtype"], p=[0.4, 0.35, 0.1, 0.1, 0.05])
    array = array.copy()
    at = rng.integers(array.size)
    if kind == "limit":
        array[at] = np.array(rng.choice(limits)).astype(array.dtype)
    elif kind == "other":
        array[at] = array[rng.integers(array.size)]
    elif kind == "noise":
        array = np.frombuffer(rng.bytes(array.nbytes), array.dtype)
    elif kind == "length":
        array = array[: rng.integers(array.size)]
    else:
        array = array.astype(rng.choice([np.int8, np.int64, np.float32]))
    return array


outcomes = {"error": 0, "scores": 0}
for _ in range(600):
    names = rng.choice(arrays, size=rng.integers(1, 3), replace=False)
    bad = replace(good, **{name: changed(getattr(good, name)) for name in names})
    if rng.random() < 0.05:
        bad = replace(bad, n_features=int(rng.choice([0, 1, 4])))
    for call in (
        lambda: bad.predict(X),
        lambda: bad.predict(X.astype(np.float32), n_threads=2),
        lambda: bad.predict_binned(codes),
        lambda: bad.leaves(X),
        lambda: bad.predict_early_exit(X, np.zeros(bad.n_trees)),
        lambda: [tree.leaf_values for tree in bad.trees()],
    ):
        try:
            call()
        except (ValueError, TypeError, IndexError):
            outcomes["error"] += 1
        else:
            outcomes["scores"] += 1
print(outcomes["error"] > 200, outcomes["scores"] > 200)
"""


@pytest.mark.parametrize("depth", [1, 3, 8])
def test_no_change_of_the_arrays_ends_the_process(depth):
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "ignore", "-c", FUZZ, str(depth)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "True True\n"

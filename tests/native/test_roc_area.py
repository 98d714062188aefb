"""The compiled area under the ROC curve against the public metric, which sorts everything."""

import numpy as np
import pytest

from widemargin import _native
from widemargin.metrics import partial_auc_score

RANGES = [(0.0, 0.1), (0.05, 0.2), (0.0, 1.0), (0.99, 1.0), (0.123, 0.1235)]


@pytest.mark.parametrize("fpr_range", RANGES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("levels", [3, 20, 10**9])
def test_equals_the_metric(fpr_range, weighted, levels):
    rng = np.random.default_rng(0)
    for n in (2, 3, 10, 200):
        positive = np.arange(n) < max(1, n // 3)
        rng.shuffle(positive)
        scores = rng.integers(levels, size=n) + 0.5 * positive
        weight = rng.uniform(0.1, 3.0, n) if weighted else None
        area = _native.roc_area(scores, positive, weight, *fpr_range)
        expected = partial_auc_score(positive, scores, fpr_range=fpr_range, sample_weight=weight)
        assert area == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scores": np.array([0.0, np.nan])}, "scores are not finite"),
        ({"positive": np.array([True, True])}, "a class has no samples"),
        ({"positive": np.array([True])}, "vectors differ in length"),
        ({"weight": np.ones(3)}, "vectors differ in length"),
        ({"beta": 0.0}, "not 0 <= alpha < beta <= 1"),
        ({"alpha": np.nan}, "not 0 <= alpha < beta <= 1"),
    ],
)
def test_wrong_arguments(changes, message):
    arguments = {
        "scores": np.zeros(2),
        "positive": np.array([True, False]),
        "weight": None,
        "alpha": 0.0,
        "beta": 0.5,
    }
    with pytest.raises(ValueError, match=message):
        _native.roc_area(**(arguments | changes))

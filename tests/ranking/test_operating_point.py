import numpy as np
import pytest

from widemargin.ranking._base import Samples
from widemargin.ranking._operating_point import operating_point


def samples_of(positive, weight=None):
    positive = np.asarray(positive, dtype=bool)
    weight = np.ones(positive.size) if weight is None else np.asarray(weight, dtype=float)
    return Samples(None, positive, weight, np.array([0, 1]), np.arange(positive.size))


def rates(scores, samples, intercept):
    predicted = scores + intercept > 0
    weight, positive = samples.sample_weight, samples.positive
    true_rate = weight[predicted & positive].sum() / weight[positive].sum()
    return true_rate, weight[predicted & ~positive].sum() / weight[~positive].sum()


@pytest.mark.parametrize("fpr_range", [(0.0, 0.1), (0.0, 1.0), (0.2, 0.4), (0.5, 1.0), (0.0, 0.01)])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_no_threshold_in_the_range_is_better(fpr_range, ties, seed):
    rng = np.random.default_rng(seed)
    samples = samples_of(rng.random(60) < 0.5, rng.integers(1, 4, 60))
    scores = rng.normal(size=60) + samples.positive
    scores = np.round(4 * scores) / 4 if ties else scores
    true_rate, false_rate = rates(scores, samples, operating_point(scores, samples, fpr_range))
    levels = np.unique(scores)
    thresholds = np.r_[levels[0] - 1, (levels[1:] + levels[:-1]) / 2, levels[-1] + 1]
    inside = [
        true - false
        for true, false in (rates(scores, samples, -threshold) for threshold in thresholds)
        if fpr_range[0] - 1e-12 <= false <= fpr_range[1] + 1e-12
    ]
    if inside:
        assert fpr_range[0] - 1e-12 <= false_rate <= fpr_range[1] + 1e-12
        assert true_rate - false_rate == pytest.approx(max(inside))


def test_threshold_is_in_the_middle_of_its_neighbours():
    samples = samples_of([1, 1, 0, 0])
    assert operating_point(np.array([3.0, 2.0, 1.0, 0.0]), samples, (0.0, 0.5)) == -1.5


def test_threshold_outside_all_scores():
    worst_ranking = np.array([0.0, 1.0, 2.0, 3.0])
    samples = samples_of([1, 1, 0, 0])
    assert operating_point(worst_ranking, samples, (0.0, 0.4)) == -(3.0 + 1.5)
    assert operating_point(worst_ranking, samples, (0.9, 1.0)) == -(0.0 - 1.5)
    assert operating_point(np.zeros(4), samples, (0.0, 0.4)) == -1.0


def test_ties_that_jump_over_the_range_leave_the_nearest_rate():
    scores = np.array([1.0, 2.0, 2.0, 0.0])
    samples = samples_of([1, 0, 0, 0])
    _, false_rate = rates(scores, samples, operating_point(scores, samples, (0.3, 0.5)))
    assert false_rate == pytest.approx(2 / 3)

import re

import numpy as np
import pytest

from reference.partial_auc import value_by_orderings, value_by_ranks
from widemargin._native import PartialAucCut
from widemargin.solvers.partial_auc_risk import PartialAUCRisk, RankRange

BOUNDS = ("tight", "structural")
RANGES = ((0.0, 0.1), (0.0, 0.5), (0.0, 1.0), (0.05, 0.2), (0.3, 0.7), (0.5, 1.0), (0.9, 1.0))


def scored(seed, n_positive=12, n_negative=40, ties=False):
    rng = np.random.default_rng(seed)
    positive = rng.permutation(np.arange(n_positive + n_negative) < n_positive)
    scores = rng.normal(size=positive.size) + 0.7 * positive
    # Halves are exact, so that margins tie too.
    return (np.round(2 * scores) / 2 if ties else scores), positive


@pytest.mark.parametrize("structural", [False, True])
@pytest.mark.parametrize(("start", "stop"), [(0, 1), (0, 3), (1, 3), (2, 3), (0, 5), (2, 5), (4, 5)])
@pytest.mark.parametrize("seed", range(4))
def test_equals_the_maximum_over_all_orderings(start, stop, structural, seed):
    scores, positive = scored(seed, n_positive=3, n_negative=5, ties=seed % 2 == 1)
    value, _ = PartialAucCut(positive, None, start, stop, not structural).worst(scores, np.empty(8))
    expected = value_by_orderings(scores[positive], scores[~positive], start, stop, structural)
    assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weights", ["ones", "whole", "real"])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("fpr_range", RANGES)
def test_cut_touches_the_risk_and_bounds_it_elsewhere(fpr_range, bound, ties, weights):
    rng = np.random.default_rng(0)
    for seed in range(5):
        scores, positive = scored(seed, ties=ties)
        weight = {
            "ones": None,
            "whole": rng.integers(1, 4, scores.size).astype(float),
            "real": rng.uniform(0.1, 3.0, scores.size),
        }[weights]
        risk = PartialAUCRisk(positive, fpr_range, weight, bound)

        def expected(f, positive=positive, weight=weight, ranks=risk.ranks):
            return value_by_ranks(f, positive, ranks.start, ranks.stop, weight, bound == "structural")

        cut = risk.worst(scores)
        assert cut.value == pytest.approx(expected(scores), abs=1e-12)
        assert cut.value == pytest.approx(cut.offset - cut.vector @ scores, abs=1e-12)
        assert cut.vector.sum() == pytest.approx(0.0, abs=1e-14)
        assert np.all(cut.vector[positive] >= 0)
        assert np.all(cut.vector[~positive] <= 0)
        for other in rng.normal(size=(5, scores.size)):
            assert cut.offset - cut.vector @ other <= expected(other) + 1e-12


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("fpr_range", RANGES)
def test_order_of_samples_does_not_matter(fpr_range, bound):
    scores, positive = scored(1, ties=True)
    order = np.random.default_rng(0).permutation(scores.size)
    cut = PartialAUCRisk(positive, fpr_range, bound=bound).worst(scores)
    permuted = PartialAUCRisk(positive[order], fpr_range, bound=bound).worst(scores[order])
    np.testing.assert_allclose(permuted.vector, cut.vector[order], atol=1e-15)
    assert permuted.value == pytest.approx(cut.value, rel=1e-13)


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("fpr_range", RANGES)
def test_weights_are_multiplicities(fpr_range, bound):
    scores, positive = scored(2)
    weight = np.random.default_rng(0).integers(0, 4, scores.size)
    copies = np.repeat(np.arange(scores.size), weight)
    cut = PartialAUCRisk(positive, fpr_range, weight.astype(float), bound).worst(scores)
    copied = PartialAUCRisk(positive[copies], fpr_range, bound=bound).worst(scores[copies])
    assert cut[:2] == pytest.approx(copied[:2], rel=1e-12)
    np.testing.assert_allclose(
        cut.vector, np.bincount(copies, copied.vector, minlength=scores.size), atol=1e-15
    )


def test_a_negative_at_the_end_of_a_range_of_real_weight_counts_in_part():
    # Ranks [0, 1.5]: all of the first negative, half of the second. Both are above the positive by 1 and 0.
    positive = np.array([True, False, False, False])
    cut = PartialAUCRisk(positive, (0.0, 0.5), np.array([1.0, 1.0, 1.5, 0.5])).worst(
        np.array([0.0, 1.0, 0.0, -5.0])
    )
    assert cut.value == pytest.approx((1.0 * 2.0 + 0.5 * 1.0) / 1.5)
    np.testing.assert_allclose(cut.vector, [1.0, -1.0 / 1.5, -0.5 / 1.5, 0.0])


@pytest.mark.parametrize("bound", BOUNDS)
def test_shift_of_all_scores_changes_nothing(bound):
    scores, positive = scored(3)
    risk = PartialAUCRisk(positive, (0.05, 0.2), bound=bound)
    cut, shifted = risk.worst(scores), risk.worst(scores + 1e6)
    # A score near 1e6 has lost six of its sixteen digits.
    assert shifted.value == pytest.approx(cut.value, rel=1e-8)
    np.testing.assert_array_equal(shifted.vector, cut.vector)


def test_structural_bound_is_the_looser_one():
    for seed in range(20):
        scores, positive = scored(seed)
        for fpr_range in RANGES:
            tight = PartialAUCRisk(positive, fpr_range).worst(scores).value
            structural = PartialAUCRisk(positive, fpr_range, bound="structural").worst(scores).value
            assert tight <= structural + 1e-13


def test_full_range_is_the_mean_hinge_loss_of_all_pairs():
    scores, positive = scored(4)
    pairs = scores[positive][:, None] - scores[~positive][None, :]
    for bound in BOUNDS:
        value = PartialAUCRisk(positive, (0.0, 1.0), bound=bound).worst(scores).value
        assert value == pytest.approx(np.maximum(0.0, 1.0 - pairs).mean(), rel=1e-12)


def test_perfect_ranking_has_no_risk_and_equal_scores_have_risk_one():
    positive = np.arange(10) < 4
    risk = PartialAUCRisk(positive, (0.0, 0.5))
    assert risk.worst(np.where(positive, 1.0, 0.0)).value == 0.0
    assert risk.worst(np.zeros(10)).value == pytest.approx(1.0)


def test_a_search_keeps_nothing_of_the_last_one():
    scores, positive = scored(5)
    risk = PartialAUCRisk(positive, (0.05, 0.2))
    first = risk.worst(scores)
    risk.worst(-scores)
    again = risk.worst(scores)
    np.testing.assert_array_equal(again.vector, first.vector)
    assert again[:2] == first[:2]


@pytest.mark.parametrize("scores", [[0.0, np.nan, 1.0], [np.inf, 0.0, 1.0]])
def test_scores_without_order_are_refused(scores):
    risk = PartialAUCRisk(np.array([True, False, False]), (0.0, 1.0))
    with pytest.raises(ValueError, match="finite"):
        risk.worst(np.array(scores))


@pytest.mark.parametrize(
    ("fpr_range", "n", "ranks"),
    [
        ((0.0, 0.29), 100, (0, 29)),
        ((0.07, 0.1), 100, (7, 10)),
        ((0.0, 0.1), 25, (0, 2)),
        ((0.05, 0.2), 50, (3, 10)),
        ((0.0, 1.0), 1, (0, 1)),
        ((0.5, 1.0), 3, (2, 3)),
        ((1 / 3, 2 / 3), 3, (1, 2)),
    ],
)
def test_ranks_are_rounded_inwards_but_not_by_rounding_errors(fpr_range, n, ranks):
    assert RankRange.of(fpr_range, n) == RankRange(*ranks)
    assert RankRange.of(fpr_range, np.ones(n)) == RankRange(*ranks)


def test_every_share_of_whole_ranks_is_exact():
    for n in range(1, 121):
        for k in range(n):
            assert RankRange.of((k / n, (k + 1) / n), n) == RankRange(k, k + 1)


def test_ranks_of_real_weights_are_exact():
    assert RankRange.of((0.1, 0.5), np.array([0.5, 1.5, 0.25])) == RankRange(0.225, 1.125)


@pytest.mark.parametrize(
    "fpr_range", [(0.0, 0.01), (0.05, 0.055), (0.999, 0.9999), (0.031, 0.049), (0.98001, 1.0)]
)
def test_empty_range_names_one_that_works(fpr_range):
    with pytest.raises(ValueError, match=r"fpr_range .* holds none of the 50 negatives") as error:
        RankRange.of(fpr_range, 50)
    text = str(error.value)
    proposal = tuple(float(end) for end in text[text.index("to (") + 4 : text.index("), the")].split(", "))
    ranks = RankRange.of(proposal, 50)
    assert ranks.stop - ranks.start == 1


def test_empty_range_message():
    message = (
        "fpr_range (0.0, 0.01) holds none of the 50 negatives: widen it, for example to (0.0, 0.02), the smallest "
        "range with one of them, or add negatives."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        RankRange.of((0.0, 0.01), 50)


@pytest.mark.parametrize("weight", [1e14, 2.0**53, 1e300])
def test_ranks_of_huge_weights_are_exact(weight):
    weights = np.full(50, weight)
    ranks = RankRange.of((0.1, 0.25), weights)
    assert (ranks.start / weights.sum(), ranks.stop / weights.sum()) == pytest.approx((0.1, 0.25), rel=1e-15)
    assert RankRange.of((0.0, 1.0), weights) == RankRange(0.0, weights.sum())


def test_huge_weights_rank_as_their_proportions():
    scores, positive = scored(6)
    cut = PartialAUCRisk(positive, (0.0, 0.3), np.full(scores.size, 1e14)).worst(scores)
    fractions = PartialAUCRisk(positive, (0.0, 0.3), np.full(scores.size, 0.5)).worst(scores)
    assert cut[:2] == pytest.approx(fractions[:2], rel=1e-12)
    np.testing.assert_allclose(cut.vector, fractions.vector, atol=1e-14)


def test_whole_ranks_are_told_apart_up_to_2_to_the_49():
    weight = 2.0**42
    assert RankRange.of((1 / 3, 0.5), np.full(3, weight)) == RankRange(weight, np.floor(1.5 * weight))


@pytest.mark.parametrize("fpr_range", [(0.3, 0.3 + 1e-14), (0.0, 5e-324), (0.5, 0.5 + 1e-10)])
def test_a_range_that_is_equal_ends_but_for_rounding(fpr_range):
    with pytest.raises(ValueError, match=r"too narrow for negatives of total weight 75: .* Widen it"):
        RankRange.of(fpr_range, np.full(50, 1.5))
    RankRange.of((fpr_range[0], fpr_range[0] + 1e-8), np.full(50, 1.5))

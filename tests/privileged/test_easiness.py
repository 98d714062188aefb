"""Scores from rankings and margins from scores, against hand-worked cases and a naive likelihood."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import check_grad, minimize
from sklearn.exceptions import ConvergenceWarning

from widemargin.privileged.easiness import aggregate_easiness, easiness_to_margins


def naive_objective(scores, rankings, alpha):
    """Penalised Plackett-Luce loss with Breslow's ties, one step after another."""
    total = alpha / 2 * sum(s * s for s in scores)
    for ranking in rankings:
        left = [item for group in ranking for item in group]
        for group in ranking:
            for item in group:
                total += math.log(sum(math.exp(scores[j]) for j in left)) - scores[item]
            left = [j for j in left if j not in group]
    return total


def naive_suffix_objective(scores, alpha):
    """The same for one ranking without ties, with scores from the easiest item to the hardest."""
    losses = [np.logaddexp.reduce(scores[k:]) - scores[k] for k in range(scores.size)]
    return sum(losses) + alpha / 2 * scores @ scores


@pytest.fixture
def rng():
    return np.random.default_rng(3)


class TestAggregate:
    def test_two_items_hand_worked(self):
        # One ranking a > b: s_a = -s_b = s minimises log(1 + exp(-2 s)) + alpha s^2, hence
        # alpha s = 1 / (1 + exp(2 s)); alpha = 1 / (1 + e^2) gives s = 1.
        result = aggregate_easiness([["a", "b"]], alpha=1 / (1 + math.exp(2)))
        assert result.items == ("a", "b")
        np.testing.assert_allclose(result.scores, [1, -1], atol=1e-6)
        assert result.as_dict() == dict(zip("ab", result.scores.tolist(), strict=True))

    def test_minimises_the_documented_objective(self, rng):
        rankings = [[[0], [1, 2], [3]], [[4, 2], [0]], [[3], [4]], [[1, 0, 4]]]
        result = aggregate_easiness(rankings, items=range(5), alpha=0.3, tol=1e-9)
        assert result.objective == pytest.approx(naive_objective(result.scores, rankings, 0.3), rel=1e-12)
        reference = minimize(naive_objective, np.zeros(5), args=(rankings, 0.3), tol=1e-10)
        # BFGS with finite differences reaches about 1e-6.
        np.testing.assert_allclose(result.scores, reference.x, atol=1e-5)
        assert result.objective <= reference.fun + 1e-12
        # The gradient of the naive objective by finite differences vanishes to their accuracy.
        assert (
            check_grad(lambda s: naive_objective(s, rankings, 0.3), lambda s: np.zeros(5), result.scores)
            < 1e-6
        )

    def test_certificate_bounds_the_true_error(self, rng):
        rankings = [rng.permutation(8)[:5].tolist() for _ in range(12)]
        rough = aggregate_easiness(rankings, items=range(8), tol=1.0)
        exact = aggregate_easiness(rankings, items=range(8), tol=1e-9)
        assert exact.converged
        assert exact.error_bound <= 1e-9
        error = np.linalg.norm(rough.scores - exact.scores)
        assert 0 < error <= rough.error_bound + exact.error_bound

    def test_full_consistent_rankings_give_their_order(self):
        result = aggregate_easiness([list("dacb")] * 3)
        assert result.items == tuple("dacb")
        assert (np.diff(result.scores) < 0).all()

    @pytest.mark.parametrize("n_shared", [1, 2, 4])
    def test_overlapping_windows_give_the_total_order(self, n_shared):
        windows = [list(range(start, start + 5)) for start in range(0, 50, 5 - n_shared)]
        n_items = windows[-1][-1] + 1
        result = aggregate_easiness(windows, items=range(n_items))
        assert (np.diff(result.scores) < 0).all()

    def test_ties_and_chains(self):
        scores = aggregate_easiness([["a", ["b", "c"]], [["b", "c"], "d"]]).as_dict()
        assert scores["a"] > scores["b"] > scores["d"]
        assert scores["b"] == pytest.approx(scores["c"], abs=1e-6)

    def test_reversing_pairwise_rankings_negates_the_scores(self, rng):
        pairs = [rng.permutation(6)[:2].tolist() for _ in range(20)]
        forward = aggregate_easiness(pairs, items=range(6), alpha=0.1)
        back = aggregate_easiness([pair[::-1] for pair in pairs], items=range(6), alpha=0.1)
        np.testing.assert_allclose(forward.scores, -back.scores, atol=2e-6)

    def test_order_of_rankings_and_within_ties_does_not_matter(self, rng):
        rankings = [[0, [1, 2], 3], [4, 1], [[3, 0], 4], [2, 4, 0], [4, 1]]
        shuffled = [rankings[k] for k in rng.permutation(5)]
        shuffled = [[e[::-1] if isinstance(e, list) else e for e in ranking] for ranking in shuffled]
        one, two = (aggregate_easiness(r, items=range(5)).scores for r in (rankings, shuffled))
        np.testing.assert_array_equal(one, two)

    def test_renamed_and_reordered_items(self, rng):
        rankings = [rng.permutation(7)[:4].tolist() for _ in range(10)]
        names = ["seal", ("rat", 1), 3.5, None, "pig", 7, "owl"]
        renamed = [[names[i] for i in ranking] for ranking in rankings]
        one = aggregate_easiness(rankings, items=range(7))
        two = aggregate_easiness(renamed, items=names[::-1])
        np.testing.assert_allclose(one.scores, two.scores[::-1], atol=2e-6)

    def test_more_wins_score_higher(self):
        rankings = [["a", "b"]] * 3 + [["b", "a"]] * 2
        base = aggregate_easiness(rankings).as_dict()
        more = aggregate_easiness([*rankings, ["a", "b"]]).as_dict()
        assert more["a"] > base["a"] > 0 > base["b"] > more["b"]

    def test_unlinked_sets_are_centred_and_independent(self):
        one, two = [["a", "b", "c"], ["b", "a"]], [["x", "y"]]
        both = aggregate_easiness(one + two).as_dict()
        assert sum(both[k] for k in "abc") == pytest.approx(0, abs=1e-6)
        assert both["x"] + both["y"] == pytest.approx(0, abs=1e-6)
        alone = aggregate_easiness(one).as_dict()
        assert [both[k] for k in "abc"] == pytest.approx([alone[k] for k in "abc"], abs=2e-6)

    def test_items_without_evidence(self):
        result = aggregate_easiness([["a", "b"], ["c"]], items=["a", "b", "c", "d"])
        np.testing.assert_array_equal(result.n_rankings, [1, 1, 1, 0])
        np.testing.assert_array_equal(result.scores[2:], [0, 0])

    def test_one_group_of_all_is_no_preference(self):
        np.testing.assert_array_equal(aggregate_easiness([[["a", "b", "c"]]]).scores, [0, 0, 0])

    def test_recovers_the_scores_that_generated_the_rankings(self, rng):
        true = np.linspace(-2, 2, 10)
        rankings = []
        for _ in range(400):
            shown = rng.permutation(10)[:6]
            rankings.append(shown[np.argsort(-true[shown] - rng.gumbel(size=6))])
        scores = aggregate_easiness(rankings, items=range(10)).scores
        # 400 rankings of 6 give a standard error of about 0.1 a score.
        np.testing.assert_allclose(scores, true, atol=0.4)

    def test_extreme_scores_stay_finite(self):
        # A range of scores above 700 would overflow exp.
        result = aggregate_easiness([range(80)], alpha=1e-8, tol=1e-2)
        assert np.ptp(result.scores) > 700
        assert np.isfinite(result.scores).all()
        assert all(a > b for a, b in pairwise(result.scores))

    def test_integer_alpha(self):
        whole, real = (aggregate_easiness([["a", "b"]], alpha=a).scores for a in (1, 1.0))
        np.testing.assert_array_equal(whole, real)

    def test_too_few_steps(self):
        with pytest.warns(ConvergenceWarning, match="after 1 Newton steps, tol is 1.0e-06: raise max_iter"):
            result = aggregate_easiness([list(range(9))] * 5, max_iter=1)
        assert not result.converged
        assert result.n_iter == 1

    @pytest.mark.parametrize(
        ("rankings", "arguments", "message"),
        [
            ([], {}, "rankings is empty"),
            ([["a", "b"], []], {}, r"rankings\[1\] is empty"),
            ([["a", []]], {}, r"rankings\[0\] has an empty group"),
            ([["a", "b", "a"]], {}, r"rankings\[0\] has 'a' 2 times"),
            ([["a", ["b", "a"]]], {}, r"rankings\[0\] has 'a' 2 times"),
            ([["a", "b"]], {"items": ["a"]}, r"rankings\[0\] has 'b', which is not in items"),
            ([["a", "b"]], {"items": ["a", "b", "a"]}, "items has 'a' twice"),
            ([["a", "b"]], {"items": ["a", "b", "b"]}, "items has 'b' twice"),
            ([["a", "b"]], {"items": ["a", "b", np.nan]}, "items has nan, a missing value"),
            ([["a", np.nan, np.float64("nan")]], {}, r"rankings\[0\] has nan, a missing value and no item"),
            (np.array([[1, 2], [3, np.nan]]), {}, r"rankings\[1\] has .*nan.*, a missing value"),
            ([["a", ["b", pd.NA]]], {}, r"rankings\[0\] has <NA>, a missing value"),
            ([["a", pd.NaT]], {}, r"rankings\[0\] has NaT, a missing value"),
            ([["a", ("b", float("nan"))]], {}, r"rankings\[0\] has \('b', nan\), a missing value"),
            ([np.ma.array([1, 2], mask=[0, 1])], {}, r"rankings\[0\] has masked.*, a missing value"),
            ([["a", "b"]], {"alpha": 0}, "alpha must be finite and greater than 0, got 0"),
            ([["a", "b"]], {"alpha": np.inf}, "alpha must be finite and greater than 0, got inf"),
            ([["a", "b"]], {"tol": -1}, "tol must be finite and greater than 0, got -1"),
            ([["a", "b"]], {"max_iter": 0}, "max_iter must be at least 1, got 0"),
        ],
    )
    def test_bad_values(self, rankings, arguments, message):
        with pytest.raises(ValueError, match=message):
            aggregate_easiness(rankings, **arguments)

    @pytest.mark.parametrize(
        ("rankings", "arguments", "message"),
        [
            (["ab"], {}, r"rankings\[0\] must be an ordered sequence of items, got 'ab'"),
            ([["a"], b"ab"], {}, r"rankings\[1\] must be an ordered sequence of items, got b'ab'"),
            ([1, 2], {}, r"rankings\[0\] must be an ordered sequence of items, got 1"),
            (np.array([1, 2]), {}, r"rankings\[0\] must be an ordered sequence of items, got .*1"),
            ([None], {}, r"rankings\[0\] must be an ordered sequence of items, got None"),
            ([{"a"}], {}, r"rankings\[0\] must be an ordered sequence of items, got {'a'}"),
            ([{"a": 1}], {}, r"rankings\[0\] must be an ordered sequence of items, got {'a': 1}"),
            ([["a", "b"]], {"items": "ab"}, "items must be an ordered sequence of items, got 'ab'"),
            ([["a", "b"]], {"items": 2}, "items must be an ordered sequence of items, got 2"),
            (None, {}, "rankings must be a sequence of rankings, got None"),
            (3, {}, "rankings must be a sequence of rankings, got 3"),
            ("ab", {}, "rankings must be a sequence of rankings, got 'ab'"),
            (np.array(3), {}, "rankings must be a sequence of rankings, got array"),
            ({"me": ["a"]}, {}, "rankings must be a sequence of rankings, got {'me'"),
            ([[{}, "a"]], {}, r"rankings\[0\] has the item {}, which is unhashable"),
            ([["a"]], {"items": ["a", []]}, r"items has the item \[\], which is unhashable"),
            ([["a", "b"]], {"alpha": "1"}, "alpha must be a real number, got '1'"),
            ([["a", "b"]], {"tol": None}, "tol must be a real number, got None"),
            ([["a", "b"]], {"max_iter": 2.5}, r"max_iter must be an integer, got 2\.5"),
        ],
    )
    def test_bad_types(self, rankings, arguments, message):
        with pytest.raises(TypeError, match=message):
            aggregate_easiness(rankings, **arguments)

    @pytest.mark.parametrize("alpha", [1e-300, 1e-17])
    @pytest.mark.parametrize(
        "rankings", [[["a", "b"]], [list(range(9))] * 5, [["a", "b"], ["b", "c"], ["x", "y"]]]
    )
    def test_alpha_lost_in_rounding(self, rankings, alpha):
        with pytest.raises(
            ValueError, match="alpha must be large enough to matter in double precision beside the rankings"
        ):
            aggregate_easiness(rankings, alpha=alpha)

    def test_accuracy_that_rounding_does_not_allow(self, rng):
        rankings = [rng.permutation(9).tolist() for _ in range(30)]
        with pytest.warns(
            ConvergenceWarning, match="Newton steps, tol is 1.0e-06: it is rounding, raise tol"
        ):
            result = aggregate_easiness(rankings, alpha=1e-11)
        # Newton's method has arrived long before max_iter; the scores are right though not certified.
        assert result.n_iter < 30
        exact = aggregate_easiness(rankings, items=result.items, alpha=1e-8)
        np.testing.assert_allclose(result.scores, exact.scores, atol=1e-4)

    def test_a_thousand_items_in_one_ranking(self, rng):
        order = rng.permutation(1000).tolist()
        result = aggregate_easiness([order], items=range(1000))
        assert result.converged
        assert (np.diff(result.scores[order]) < 0).all()
        assert result.objective == pytest.approx(
            naive_suffix_objective(result.scores[order], 1e-3), rel=1e-10
        )

    def test_many_short_rankings_of_a_thousand_items(self, rng):
        rankings = [rng.permutation(1000)[:20].tolist() for _ in range(60)]
        result = aggregate_easiness(rankings, items=range(1000), alpha=0.1)
        assert result.converged
        groups = [[[item] for item in ranking] for ranking in rankings]
        assert result.objective == pytest.approx(naive_objective(result.scores, groups, 0.1), rel=1e-12)
        np.testing.assert_array_equal(result.n_rankings, np.bincount(np.ravel(rankings), minlength=1000))


class TestMargins:
    def test_scores_of_the_study(self):
        # Ranks 1 (hardest) to 16 (easiest) on [0, 2]: margin (score - 1) * 2 / 15.
        np.testing.assert_allclose(
            easiness_to_margins([1, 16, 8.5, 4], score_range=(1, 16)), [0, 2, 1, 0.4], rtol=1e-15
        )

    def test_range_of_the_scores(self):
        np.testing.assert_array_equal(easiness_to_margins([-1.0, 0.0, 3.0]), [0, 0.5, 2])
        np.testing.assert_array_equal(easiness_to_margins([-1.0, 3.0], feature_range=(0.5, 1)), [0.5, 1])

    def test_largest_and_smallest_numbers(self):
        # high - low is infinite, or a subnormal number.
        for high in (1.7e308, 5e-324):
            np.testing.assert_array_equal(easiness_to_margins([-high, 0, high]), [0, 1, 2])
        np.testing.assert_array_equal(
            easiness_to_margins([0.0], score_range=(-1.7e308, 1.7e308), feature_range=(0, 1.7e308)), [8.5e307]
        )
        middle = easiness_to_margins([3], feature_range=(1.6e308, 1.7e308))
        np.testing.assert_allclose(middle, [1.65e308], rtol=1e-15)

    def test_ranges_as_arrays_and_masks_that_hide_nothing(self):
        scores = np.ma.array([1, 3], mask=[0, 0])
        margins = easiness_to_margins(scores, score_range=np.array([1, 5]), feature_range=[0, 1])
        np.testing.assert_array_equal(margins, [0, 0.5])

    def test_equal_scores_map_to_the_middle(self):
        np.testing.assert_array_equal(easiness_to_margins([7.0, 7.0]), [1, 1])
        np.testing.assert_array_equal(easiness_to_margins([16], score_range=(1, 16)), [2])

    def test_invariant_to_affine_maps_and_input_unchanged(self, rng):
        scores = rng.normal(size=9)
        kept = scores.copy()
        np.testing.assert_allclose(
            easiness_to_margins(scores), easiness_to_margins(3 * scores + 5), rtol=1e-12, atol=1e-14
        )
        np.testing.assert_array_equal(scores, kept)

    @pytest.mark.parametrize(
        ("scores", "arguments", "message"),
        [
            ([1, 17], {"score_range": (1, 16)}, "must lie in score_range .* at index 1"),
            ([1, np.nan], {}, "scores must be .* with 1 that are not finite"),
            ([], {}, "scores must be at least one finite number"),
            ([[1, 2]], {}, r"got shape \(1, 2\)"),
            ([1, 2], {"score_range": (16, 1)}, "score_range must be two finite increasing numbers"),
            ([1, 2], {"feature_range": (2, 2)}, "feature_range must be two finite increasing numbers"),
            ([1, 2], {"feature_range": (-1, 2)}, "feature_range must not be negative"),
            ([1, 2], {"score_range": (1, 2, 3)}, r"score_range must be two .* numbers, got \(1, 2, 3\)"),
            ([1, 2], {"score_range": "ab"}, "score_range must be two .* numbers, got 'ab'"),
            ([1, 2], {"score_range": 3}, "score_range must be two .* numbers, got 3"),
            ([1, 2], {"score_range": (1, None)}, r"score_range must be two .* numbers, got \(1, None\)"),
            ([1, 2], {"score_range": (1, np.nan)}, "score_range must be two finite increasing numbers"),
            ([1, 2], {"feature_range": ("0", "2")}, "feature_range must be two finite increasing numbers"),
            ([1, 2], {"feature_range": np.array(2)}, "feature_range must be two finite increasing numbers"),
            (["low", "high"], {}, "scores must be an array of real numbers"),
            (np.ma.array([1, 2], mask=[0, 1]), {}, "scores has 1 masked values"),
        ],
    )
    def test_bad_input(self, scores, arguments, message):
        with pytest.raises(ValueError, match=message):
            easiness_to_margins(scores, **arguments)

"""Paired tests, winners and rank agreement against hand-worked cases."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, wilcoxon

from widemargin.metrics import compare_methods, holm, kendall_tau, paired_wilcoxon, summarize_repeats


def enumerate_signs(difference, alternative):
    """P-value by walking through all 2^n signs."""
    difference = np.asarray(difference, dtype=float)
    difference = difference[difference != 0]
    ranks = rankdata(np.abs(difference))
    observed = ranks[difference > 0].sum()
    sums = np.array([np.dot(signs, ranks) for signs in product([0, 1], repeat=len(ranks))])
    greater, less = np.mean(sums >= observed), np.mean(sums <= observed)
    return {"greater": greater, "less": less, "two-sided": min(1.0, 2 * min(greater, less))}[alternative]


class TestPairedWilcoxon:
    def test_hand_worked(self):
        # Differences 1, 2, -3: positive ranks 1 + 2 = 3. Of the 8 sign patterns, the sums are
        # 0, 1, 2, 3, 3, 4, 5, 6, so P(sum >= 3) = 5/8, P(sum <= 3) = 5/8 and the two-sided value is 1.
        result = paired_wilcoxon([2, 4, 1], [1, 2, 4])
        assert result.statistic == 3
        assert result.p_value == 1.0
        assert paired_wilcoxon([2, 4, 1], [1, 2, 4], alternative="greater").p_value == 5 / 8
        assert result.mean_difference == 0
        assert result.standard_error == pytest.approx(np.sqrt(7 / 3))
        assert (result.n_pairs, result.n_nonzero) == (3, 3)

    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    def test_equals_scipy_exact_without_ties(self, alternative, rng):
        first, second = rng.normal(size=(2, 20))
        ours = paired_wilcoxon(first, second, alternative=alternative)
        theirs = wilcoxon(first, second, alternative=alternative, method="exact")
        assert ours.statistic == theirs.statistic
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-12)

    @settings(max_examples=50, deadline=None)
    @given(
        st.lists(st.integers(-4, 4), min_size=1, max_size=8),
        st.sampled_from(["two-sided", "greater", "less"]),
    )
    def test_exact_with_ties_and_zeros(self, difference, alternative):
        result = paired_wilcoxon(difference, np.zeros(len(difference)), alternative=alternative)
        expected = enumerate_signs(difference, alternative) if any(difference) else 1.0
        assert result.p_value == pytest.approx(expected, rel=1e-12)

    def test_equal_differences_tie_despite_rounding(self):
        # 0.9 - 0.8 < 0.8 - 0.7 in floating point, both are 0.1.
        rounded = paired_wilcoxon([0.9, 0.8, 0.2], [0.8, 0.7, 0.4])
        assert rounded.p_value == paired_wilcoxon([1, 1, 0], [0, 0, 2]).p_value
        assert paired_wilcoxon([0.1 + 0.2], [0.3]).n_nonzero == 0

    def test_large_sample_equals_scipy_approximation(self, rng):
        first, second = rng.normal(size=(2, 80))
        theirs = wilcoxon(first, second, method="asymptotic")
        assert paired_wilcoxon(first, second).p_value == pytest.approx(theirs.pvalue, rel=1e-12)

    def test_no_difference(self):
        result = paired_wilcoxon([0.5, 0.6], [0.5, 0.6])
        assert (result.statistic, result.p_value, result.n_nonzero) == (0.0, 1.0, 0)
        assert paired_wilcoxon(np.zeros(70), np.zeros(70)).p_value == 1.0

    def test_one_pair(self):
        result = paired_wilcoxon([0.7], [0.6])
        assert result.p_value == 1.0
        assert np.isnan(result.standard_error)

    def test_swapping_and_permuting(self, rng):
        first, second = rng.integers(0, 30, size=(2, 20)) / 30
        forward, back = paired_wilcoxon(first, second), paired_wilcoxon(second, first)
        order = rng.permutation(20)
        shuffled = paired_wilcoxon(first[order], second[order])
        assert forward.p_value == back.p_value == shuffled.p_value
        assert forward.mean_difference == -back.mean_difference
        greater = paired_wilcoxon(first, second, alternative="greater")
        assert greater.p_value == paired_wilcoxon(second, first, alternative="less").p_value

    def test_scaling_to_percent_changes_nothing(self, rng):
        first, second = rng.integers(0, 200, size=(2, 20)) / 200
        assert paired_wilcoxon(first, second).p_value == paired_wilcoxon(100 * first, 100 * second).p_value

    @pytest.mark.parametrize(
        ("first", "second", "message"),
        [
            ([1, 2], [1], "first has 2 values, second has 1"),
            ([], [], "at least one pair"),
            ([1, np.nan], [1, 2], "first must be finite, got nan at index 1"),
            ([1, 2], [np.inf, 2], "second must be finite, got inf at index 0"),
            ([[1, 2]], [[1, 2]], "first must be one-dimensional"),
        ],
    )
    def test_bad_input(self, first, second, message):
        with pytest.raises(ValueError, match=message):
            paired_wilcoxon(first, second)

    def test_bad_alternative(self):
        with pytest.raises(ValueError, match="alternative must be 'two-sided'"):
            paired_wilcoxon([1], [2], alternative="both")


class TestSummarizeRepeats:
    def test_hand_worked(self):
        # Mean 4, squared deviations 4 + 0 + 4, variance 8 / 2, error sqrt(4 / 3).
        mean, error = summarize_repeats([2, 4, 6])
        assert mean == 4
        assert error == pytest.approx(np.sqrt(4 / 3))

    def test_one_repeat(self):
        mean, error = summarize_repeats([3.5])
        assert mean == 3.5
        assert np.isnan(error)

    @pytest.mark.parametrize(("values", "message"), [([], "values is empty"), ([1, np.nan], "finite")])
    def test_bad_input(self, values, message):
        with pytest.raises(ValueError, match=message):
            summarize_repeats(values)


class TestCompareMethods:
    base = np.array([[80, 81, 82, 80, 81, 83], [70, 71, 70, 71, 70, 71], [90, 90, 91, 91, 90, 90.0]])

    @pytest.fixture
    def scores(self):
        return {
            "svm": self.base,
            "transfer": self.base + np.array([[1], [0], [-1]]),
            "plus": self.base + np.array([[0.5], [0.5], [0]]),
            "oracle": self.base + 5,
        }

    def test_hand_worked(self, scores):
        result = compare_methods(scores, "svm", exclude=["oracle"])
        assert result.methods == ("svm", "transfer", "plus", "oracle")
        np.testing.assert_allclose(result.mean[:, 0], self.base.mean(axis=1))
        np.testing.assert_array_equal(
            result.winners,
            [[False, True, False, False], [False, False, True, False], [True, False, True, False]],
        )
        assert result.win_counts == {"svm": 1, "transfer": 1, "plus": 2}
        assert result.record == {"transfer": (1, 1, 1), "plus": (2, 1, 0)}
        # Six differences of one sign: p = 2 / 2^6.
        np.testing.assert_array_equal(result.p_value[:, 1], [1 / 32, 1.0, 1 / 32])
        np.testing.assert_array_equal(result.significant_gain[:, 1], [True, False, False])
        np.testing.assert_array_equal(result.significant_loss[:, 1], [False, False, True])
        assert np.isnan(result.p_value[:, [0, 3]]).all()
        assert not result.significant_gain[:, [0, 3]].any()

    def test_level(self, scores):
        result = compare_methods(scores, "svm", level=0.99)
        assert not result.significant_gain.any()

    def test_reference_competes_unless_excluded(self, scores):
        assert compare_methods(scores, "svm").win_counts["oracle"] == 3

    def test_standard_error_rows_match_summaries(self, scores):
        result = compare_methods(scores, "svm")
        for k, name in enumerate(result.methods):
            for task in range(3):
                mean, error = summarize_repeats(scores[name][task])
                assert result.mean[task, k] == pytest.approx(mean)
                assert result.standard_error[task, k] == pytest.approx(error)

    def test_one_repeat(self):
        result = compare_methods({"a": [[1.0]], "b": [[2.0]]}, "a")
        assert np.isnan(result.standard_error).all()
        assert result.win_counts == {"a": 0, "b": 1}

    def test_reordered_repeats_tie(self, rng):
        # The same numbers summed in another order differ by rounding alone.
        values = rng.random(20)
        result = compare_methods({"a": [values], "b": [values[::-1]]}, "a")
        assert result.winners.all()
        assert result.record == {"b": (0, 1, 0)}

    def test_tie_tolerance(self):
        scores = {"a": [[81.76]], "b": [[81.758]]}
        assert compare_methods(scores, "a").win_counts == {"a": 1, "b": 0}
        assert compare_methods(scores, "a", tie_tolerance=0.005).win_counts == {"a": 1, "b": 1}

    def test_permuted_tasks_and_methods(self, scores):
        result = compare_methods(scores, "svm", exclude=["oracle"])
        order = [2, 0, 1]
        names = ["oracle", "plus", "svm", "transfer"]
        moved = compare_methods({n: scores[n][order] for n in names}, "svm", exclude=["oracle"])
        columns = [result.methods.index(n) for n in names]
        np.testing.assert_array_equal(moved.p_value, result.p_value[order][:, columns])
        np.testing.assert_array_equal(moved.winners, result.winners[order][:, columns])
        assert moved.win_counts == result.win_counts

    @pytest.mark.parametrize(
        ("change", "arguments", "message"),
        [
            ({}, {"baseline": "knn"}, "baseline must be a key of scores, got 'knn'; scores has 'svm'"),
            ({}, {"exclude": ["svm"]}, "baseline 'svm' is in exclude"),
            ({}, {"exclude": ["knn"]}, "exclude must hold keys of scores, got 'knn'"),
            ({}, {"exclude": "oracle"}, "exclude must be a collection of names"),
            ({}, {"level": 95}, "level must lie strictly between 0 and 1, got 95"),
            ({}, {"tie_tolerance": -1}, "tie_tolerance must be at least 0, got -1"),
            ({"plus": [[1, 2]]}, {}, r"scores\['plus'\] has shape \(1, 2\), scores\['svm'\] has \(3, 6\)"),
            ({"plus": [1, 2]}, {}, r"scores\['plus'\] must have shape \(n_tasks, n_repeats\)"),
            ({"plus": [[1, np.nan]]}, {}, r"scores\['plus'\] must be finite, got nan at index \(0, 1\)"),
        ],
    )
    def test_bad_input(self, scores, change, arguments, message):
        with pytest.raises(ValueError, match=message):
            compare_methods({**scores, **change}, **{"baseline": "svm", **arguments})


class TestHolm:
    def test_hand_worked(self):
        # Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1 = 0.04, 0.06, 0.06, 0.04; running maximum.
        np.testing.assert_allclose(holm([0.04, 0.01, 0.03, 0.02]), [0.06, 0.04, 0.06, 0.06])

    def test_capped_at_one(self):
        np.testing.assert_array_equal(holm([0.9, 0.8]), [1.0, 1.0])

    def test_empty_and_single(self):
        assert holm([]).size == 0
        np.testing.assert_array_equal(holm([0.3]), [0.3])

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_between_raw_and_bonferroni(self, p_values):
        p_values = np.array(p_values)
        corrected = holm(p_values)
        assert (corrected >= p_values).all()
        assert (corrected <= np.minimum(1, p_values * p_values.size)).all()
        order = np.argsort(p_values, kind="stable")
        assert (np.diff(corrected[order]) >= 0).all()

    @pytest.mark.parametrize("bad", [[0.5, 1.5], [-0.1], [np.nan]])
    def test_bad_input(self, bad):
        with pytest.raises(ValueError, match="p_values must"):
            holm(bad)


class TestKendallTau:
    def test_hand_worked(self):
        assert kendall_tau([1, 2, 3], [1, 2, 3]) == pytest.approx(1)
        assert kendall_tau([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
        # Pairs: (1,2) tied in a, (1,3) and (2,3) concordant: 2 / sqrt((3 - 1) * 3).
        assert kendall_tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / np.sqrt(6))

    @pytest.mark.parametrize(("a", "b"), [([], []), ([1], [2]), ([1, 1, 1], [1, 2, 3]), ([1, 2], [5, 5])])
    def test_undefined(self, a, b):
        assert np.isnan(kendall_tau(a, b))

    def test_monotone_maps_change_nothing(self, rng):
        a, b = rng.normal(size=(2, 30))
        assert kendall_tau(a, b) == kendall_tau(np.exp(a), b**3) == kendall_tau(b, a)
        assert kendall_tau(-a, b) == pytest.approx(-kendall_tau(a, b))

    def test_bad_input(self):
        with pytest.raises(ValueError, match="a has 3 values, b has 2"):
            kendall_tau([1, 2, 3], [1, 2])
        with pytest.raises(ValueError, match="b must be finite"):
            kendall_tau([1, 2], [1, np.nan])


@pytest.fixture
def rng():
    return np.random.default_rng(0)

"""Agreement on easiness: hand-worked, what the labels alone do, and the matrix over class pairs."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from widemargin.privileged.agreement import easiness_agreement, easiness_agreement_matrix

ORIGINAL = ("decision", "privileged_decision")
HUMAN = ("decision", "human_scores")
MASKED = np.ma.array([0, 1], mask=[False, True])


@pytest.fixture
def rng():
    return np.random.default_rng(5)


class TestAgreement:
    def test_hand_worked(self):
        # Negatives: decision -3, -1; privileged -1, -2: one pair, discordant.
        # Positives: 1, 2, 3 and 1, 3, 2: two pairs concordant, one discordant.
        # The six pairs across agree: overall (6 + 2 - 1 - 1) / 10.
        result = easiness_agreement(
            [0, 0, 1, 1, 1], decision=[-3, -1, 1, 2, 3], privileged_decision=[-1, -2, 1, 3, 2]
        )
        assert result.overall == pytest.approx({ORIGINAL: 0.6})
        assert result.per_class[ORIGINAL] == pytest.approx({0: -1, 1: 1 / 3})
        # Pairs within a class: 1 and 3, hence (-1 + 3 / 3) / 4.
        assert result.within_class == pytest.approx({ORIGINAL: 0.0})
        assert result.n_samples == {0: 2, 1: 3}

    def test_human_scores_are_signed_like_the_paper(self, rng):
        y = rng.choice(["rat", "seal"], 30)
        f, scores = rng.normal(size=30), rng.integers(1, 17, 30)
        result = easiness_agreement(y, decision=f, human_scores=scores)
        sign = np.where(y == "seal", 1, -1)
        assert result.overall[HUMAN] == pytest.approx(kendalltau(f, scores * sign).statistic)
        for label, s in (("rat", -1), ("seal", 1)):
            inside = y == label
            expected = kendalltau(s * f[inside], scores[inside]).statistic
            assert result.per_class[HUMAN][label] == pytest.approx(expected)

    def test_positive_means_agreeing_easiness_in_both_classes(self):
        # Far from the plane on the right side is easy for people too.
        y = [-1, -1, -1, 1, 1, 1]
        f = [-3, -2, -1, 1, 2, 3]
        agreeing = easiness_agreement(y, decision=f, human_scores=[3, 2, 1, 1, 2, 3])
        opposed = easiness_agreement(y, decision=f, human_scores=[1, 2, 3, 3, 2, 1])
        assert agreeing.per_class[HUMAN] == pytest.approx({-1: 1, 1: 1})
        assert opposed.per_class[HUMAN] == pytest.approx({-1: -1, 1: -1})
        assert agreeing.overall[HUMAN] == pytest.approx(1)
        # Nine of fifteen pairs cross the classes and agree, the six within do not.
        assert opposed.overall[HUMAN] == pytest.approx(3 / 15)

    def test_labels_alone_raise_only_the_overall_coefficient(self, rng):
        y = np.repeat([-1, 1], 1000)
        f, g = y * rng.random((2, 2000))
        result = easiness_agreement(y, decision=f, privileged_decision=g)
        # A tau of independent values has standard deviation sqrt(4 / (9 n)) = 0.02 at n = 1000; four of them.
        assert result.overall[ORIGINAL] == pytest.approx(0.5, abs=0.06)
        assert result.within_class[ORIGINAL] == pytest.approx(0, abs=0.06)

    def test_three_sources_give_three_pairs(self, rng):
        result = easiness_agreement(
            [0, 0, 1, 1],
            decision=rng.normal(size=4),
            privileged_decision=rng.normal(size=4),
            human_scores=[1, 2, 3, 4],
        )
        assert list(result.overall) == [ORIGINAL, HUMAN, ("privileged_decision", "human_scores")]
        assert list(result.within_class) == list(result.per_class) == list(result.overall)

    def test_swapping_the_classes_and_signs(self, rng):
        y = rng.permutation(np.repeat(["a", "b"], 10))
        f, g, human = rng.normal(size=20), rng.normal(size=20), rng.random(20)
        one = easiness_agreement(y, decision=f, privileged_decision=g, human_scores=human)
        two = easiness_agreement(y, decision=-f, privileged_decision=-g, human_scores=human, pos_label="a")
        assert one.overall == pytest.approx(two.overall)
        assert one.within_class == pytest.approx(two.within_class)
        assert list(one.n_samples) == ["a", "b"]
        assert list(two.n_samples) == ["b", "a"]

    def test_permutation_and_monotone_maps_of_a_source(self, rng):
        y = np.repeat([0, 1], 10)
        f, g = rng.normal(size=(2, 20))
        one = easiness_agreement(y, decision=f, privileged_decision=g)
        order = rng.permutation(20)
        two = easiness_agreement(y[order], decision=np.exp(f[order]), privileged_decision=g[order] ** 3)
        assert one.overall == pytest.approx(two.overall)
        assert one.within_class == pytest.approx(two.within_class)

    def test_constant_class_is_left_out_of_the_mean(self):
        result = easiness_agreement([0, 0, 1, 1], decision=[-1, -1, 1, 2], privileged_decision=[-2, -1, 1, 2])
        assert np.isnan(result.per_class[ORIGINAL][0])
        assert result.within_class[ORIGINAL] == pytest.approx(1)

    @pytest.mark.parametrize(
        ("y", "labels"),
        [
            (["rat", "cat"], ["cat", "rat"]),
            (np.array(["rat", "cat"]), ["cat", "rat"]),
            (np.array(["rat", "cat"], dtype=object), ["cat", "rat"]),
            (pd.Series(["rat", "cat"], index=[5, 6]), ["cat", "rat"]),
            (pd.Series(["rat", "cat"], dtype="category"), ["cat", "rat"]),
            ([True, False], [False, True]),
            (np.array([3, -1], dtype=object), [-1, 3]),
            ([2.0, 1.0], [1.0, 2.0]),
        ],
    )
    def test_labels_of_any_type(self, y, labels):
        result = easiness_agreement(y, decision=[1, -1], privileged_decision=[1, -1])
        assert list(result.n_samples) == labels
        flipped = easiness_agreement(y, decision=[1, -1], privileged_decision=[1, -1], pos_label=labels[0])
        assert list(flipped.n_samples) == labels[::-1]

    def test_one_sample_a_class(self):
        result = easiness_agreement([0, 1], decision=[-1, 1], privileged_decision=[-1, 1])
        assert result.overall[ORIGINAL] == pytest.approx(1)
        assert np.isnan(result.within_class[ORIGINAL])

    @pytest.mark.parametrize(
        ("y", "arguments", "message"),
        [
            ([0, 1], {"decision": [1, 2]}, "got 1 of decision, privileged_decision and human_scores"),
            ([0, 1, 2], {"decision": [1, 2, 3], "human_scores": [1, 2, 3]}, "two classes, got 3"),
            ([0, 0], {"decision": [1, 2], "human_scores": [1, 2]}, "y has one class, 0"),
            ([0, 1], {"decision": [1, 2, 3], "human_scores": [1, 2]}, r"decision has shape \(3,\), y has 2"),
            ([0, 1], {"decision": [1, np.nan], "human_scores": [1, 2]}, "decision must be finite, got nan"),
            (
                [0, 1],
                {"decision": [1, 2], "human_scores": [1, -2]},
                "human_scores must not be negative, got -2",
            ),
            (
                [0, 1],
                {"decision": [1, 2], "human_scores": [1, 2], "pos_label": 3},
                "pos_label must be one of",
            ),
            ([[0, 1]], {"decision": [1, 2], "human_scores": [1, 2]}, "y must be one-dimensional"),
            ([1, "a"], {"decision": [1, 2], "human_scores": [1, 2]}, "y must hold one label per sample, all"),
            (["a", 1], {"decision": [1, 2], "human_scores": [1, 2]}, "y must hold one label per sample, all"),
            (["a", None], {"decision": [1, 2], "human_scores": [1, 2]}, "y must hold one label per sample"),
            (
                [0, np.nan],
                {"decision": [1, 2], "human_scores": [1, 2]},
                "y must be finite, got nan at index 1",
            ),
            (MASKED, {"decision": [1, 2], "human_scores": [1, 2]}, "y has masked labels"),
            ([0, 1], {"decision": MASKED, "human_scores": [1, 2]}, "decision has 1 masked values"),
            ([0, 1], {"decision": ["a", "b"], "human_scores": [1, 2]}, "decision must be an array of real"),
        ],
    )
    def test_bad_input(self, y, arguments, message):
        with pytest.raises(ValueError, match=message):
            easiness_agreement(y, **arguments)


class TestMatrix:
    @pytest.fixture
    def tasks(self, rng):
        names = ["cat", "dog", "pig"]
        return {
            (a, b): easiness_agreement(
                np.repeat([0, 1], 5), decision=rng.normal(size=10), human_scores=rng.random(10)
            )
            for a, b in [(names[0], names[1]), (names[2], names[0])]
        }

    def test_symmetric_with_blank_diagonal_and_missing_task(self, tasks):
        result = easiness_agreement_matrix(tasks, HUMAN)
        assert result.classes == ("cat", "dog", "pig")
        for matrix, field in ((result.overall, "overall"), (result.within_class, "within_class")):
            expected = np.full((3, 3), np.nan)
            expected[0, 1] = expected[1, 0] = getattr(tasks["cat", "dog"], field)[HUMAN]
            expected[0, 2] = expected[2, 0] = getattr(tasks["pig", "cat"], field)[HUMAN]
            np.testing.assert_array_equal(matrix, expected)

    def test_order_of_sources_and_of_classes(self, tasks):
        result = easiness_agreement_matrix(tasks, HUMAN)
        moved = easiness_agreement_matrix(tasks, HUMAN[::-1], classes=["pig", "cat", "dog"])
        np.testing.assert_array_equal(moved.overall, result.overall[np.ix_([2, 0, 1], [2, 0, 1])])

    def test_bad_input(self, tasks):
        with pytest.raises(ValueError, match="was not given both 'decision' and 'privileged_decision'"):
            easiness_agreement_matrix(tasks)
        with pytest.raises(ValueError, match=r"classes lacks a class of task \('pig', 'cat'\)"):
            easiness_agreement_matrix(tasks, HUMAN, classes=["cat", "dog"])
        task = tasks["cat", "dog"]
        with pytest.raises(ValueError, match="comes in both orders"):
            easiness_agreement_matrix({**tasks, ("dog", "cat"): task}, HUMAN)
        with pytest.raises(ValueError, match="has equal classes"):
            easiness_agreement_matrix({("cat", "cat"): task}, HUMAN)

    @pytest.mark.parametrize(
        "between",
        [
            ("decision",),
            "decision",
            ("decision", "decision"),
            ("decision", "margins"),
            (*HUMAN, "x"),
            None,
            (["decision"], "human_scores"),
        ],
    )
    def test_between_is_two_sources(self, tasks, between):
        with pytest.raises(ValueError, match=r"between must be two of 'decision', .*, got "):
            easiness_agreement_matrix(tasks, between)

    def test_between_as_a_list(self, tasks):
        result = easiness_agreement_matrix(tasks, list(HUMAN))
        assert result.between == HUMAN

    def test_classes_are_distinct_labels(self, tasks):
        with pytest.raises(ValueError, match="classes has 'cat' twice"):
            easiness_agreement_matrix(tasks, HUMAN, classes=["cat", "dog", "pig", "cat"])
        for classes in ("ab", 2):
            with pytest.raises(TypeError, match="classes must be a sequence of labels, got"):
                easiness_agreement_matrix({("a", "b"): tasks["cat", "dog"]}, HUMAN, classes=classes)

    def test_tasks_are_pairs_with_agreements(self, tasks):
        with pytest.raises(TypeError, match="agreements must be a mapping, got list"):
            easiness_agreement_matrix(list(tasks.values()), HUMAN)
        task = tasks["cat", "dog"]
        for agreements in ({"ab": task}, {("a", "b", "c"): task}, {("a", "b"): 0.3}):
            with pytest.raises(TypeError, match="agreements must map pairs of classes to results of"):
                easiness_agreement_matrix(agreements, HUMAN)

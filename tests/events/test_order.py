"""The order of shots by saliency: hand-worked cases, ties and their chains, and what is said about a wrong saliency."""

import warnings
from itertools import pairwise

import numpy as np
import pytest

from widemargin.events._order import check_saliency, pair_weights, saliency_order


def order_of_one(saliency, tie_tolerance=0.0):
    order, separated = saliency_order(np.array([saliency], dtype=float), tie_tolerance)
    return order[0, 0].tolist(), separated[0, 0].tolist()


def naive_order(saliency, tie_tolerance):
    """One video, one shot at a time."""
    ranked = sorted(range(len(saliency)), key=lambda shot: (-saliency[shot], shot))
    groups = [[ranked[0]]]
    for previous, shot in pairwise(ranked):
        if saliency[previous] - saliency[shot] < tie_tolerance:
            groups[-1].append(shot)
        else:
            groups.append([shot])
    order = [shot for group in groups for shot in sorted(group)]
    numbers = [number for number, group in enumerate(groups) for _ in group]
    return order, [first != second for first, second in pairwise(numbers)]


def test_most_salient_first():
    assert order_of_one([0.2, 0.9, -1.0, 0.5]) == ([1, 3, 0, 2], [True, True, True])


def test_equal_shots_stay_in_time_order_and_are_ordered_without_a_tolerance():
    assert order_of_one([1.0, 2.0, 1.0, 2.0]) == ([1, 3, 0, 2], [True, True, True])


def test_a_tolerance_makes_groups_that_keep_time_order():
    # Sorted: 5.0 (shot 3) | 4.0 (shot 2) and 3.5 (shot 0) | 1.0 (shot 1).
    assert order_of_one([3.5, 1.0, 4.0, 5.0], 0.75) == ([3, 0, 2, 1], [True, False, True])


def test_chains_are_one_group_although_their_ends_differ_by_more():
    assert order_of_one([0.0, 1.0, 2.0, 3.0, 9.0], 1.5) == ([4, 0, 1, 2, 3], [True, False, False, False])


def test_a_difference_as_large_as_the_tolerance_orders():
    assert order_of_one([0.0, 0.5], 0.5) == ([1, 0], [True])
    assert order_of_one([0.0, 0.5], np.nextafter(0.5, 1)) == ([0, 1], [False])


def test_differences_beyond_float64_are_no_tie():
    assert order_of_one([-1e308, 1e308], 1e308) == ([1, 0], [True])


def test_single_shots_have_no_pairs():
    order, separated = saliency_order(np.array([[3.0], [1.0]]), 1.0)
    assert order.tolist() == [[[0]], [[0]]]
    assert separated.shape == (2, 1, 0)
    assert pair_weights(separated, np.ones(2)).shape == (1, 0)


@pytest.mark.parametrize("tie_tolerance", [0.0, 1e-12, 0.3, 1.0, 2.0, 100.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_all_videos_and_classes_at_once_are_those_one_at_a_time(tie_tolerance, dtype):
    generator = np.random.default_rng(0)
    # Multiples of a quarter: exact differences, and many ties.
    saliency = (generator.integers(0, 40, size=(30, 3, 9)) / 4).astype(dtype)
    before = saliency.copy()
    order, separated = saliency_order(saliency, tie_tolerance)
    assert order.dtype == np.int32
    assert order.flags.c_contiguous
    assert order.shape == (30, 3, 9)
    assert separated.dtype == bool
    assert separated.shape == (30, 3, 8)
    for video in range(30):
        for event in range(3):
            expected = naive_order(saliency[video, event].tolist(), tie_tolerance)
            assert (order[video, event].tolist(), separated[video, event].tolist()) == expected
    np.testing.assert_array_equal(saliency, before)


def test_two_dimensions_are_one_class():
    saliency = np.random.default_rng(1).normal(size=(5, 7))
    for flat, stacked in zip(
        saliency_order(saliency, 0.1), saliency_order(saliency[:, None], 0.1), strict=True
    ):
        np.testing.assert_array_equal(flat, stacked)


def test_strided_saliency_gives_a_contiguous_order():
    saliency = np.random.default_rng(2).normal(size=(7, 4, 5)).transpose(2, 1, 0)
    order, _ = saliency_order(saliency, 0.2)
    assert order.flags.c_contiguous
    np.testing.assert_array_equal(order, saliency_order(np.ascontiguousarray(saliency), 0.2)[0])


def test_pair_weights_are_weighted_shares():
    separated = np.array([[[True, False]], [[False, False]], [[True, True]]])
    assert pair_weights(separated, np.array([1.0, 2.0, 5.0])).tolist() == [[0.75, 0.625]]


def test_pair_weights_of_two_classes():
    separated = np.array([[[True], [False]], [[True], [True]]])
    assert pair_weights(separated, np.ones(2)).tolist() == [[1.0], [0.5]]


def test_pairs_on_which_all_videos_agree_have_weights_of_exactly_0_or_1():
    # Sums of these weights are rounded.
    weight = np.random.default_rng(3).random(101)
    separated = np.repeat(np.array([[[True, False]]]), 101, axis=0)
    assert pair_weights(separated, weight).tolist() == [[1.0, 0.0]]


def test_pair_weights_leave_out_videos_of_weight_0_and_do_not_overflow():
    separated = np.array([[[True]], [[False]], [[True]]])
    assert pair_weights(separated, np.array([1.5e308, 0.0, 1.5e308])).tolist() == [[1.0]]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_saliency_of_the_right_shape_passes_as_float64(n_classes):
    shape = (4, 5) if n_classes == 2 else (4, n_classes, 5)
    saliency = np.random.default_rng(4).integers(0, 9, size=shape)
    checked = check_saliency(saliency.tolist(), 4, 5, n_classes)
    assert checked.dtype == np.float64
    np.testing.assert_array_equal(checked, saliency)


@pytest.mark.parametrize(
    ("shape", "n_classes", "remedy"),
    [
        ((5, 4), 2, r"saliency has shape \(5, 4\), expected \(4, 5\): its axes .* one row per video"),
        ((4,), 2, "one value per video"),
        ((5,), 2, r"shots of one video; .* saliency\[None\]"),
        ((4, 2, 5), 2, r"saliency\[:, 1\]"),
        ((4, 1, 5), 2, "without an axis for classes"),
        ((4, 6), 2, "6 shots where 5 belong"),
        ((3, 6), 2, "3 videos where 4 belong and 6 shots where 5 belong"),
        ((), 2, "one value for each shot of each video"),
        ((4, 5, 1, 1), 2, "one value for each shot of each video"),
        ((4, 5), 3, r"does not tell the classes apart; .* np.repeat\(saliency\[:, None\], 3, axis=1\)"),
        ((4, 5, 3), 3, "classes along the second"),
        ((4,), 3, "one value per video"),
        ((4, 2, 5), 3, "2 classes where 3 belong"),
        ((5, 4), 3, "one row per class"),
    ],
)
def test_each_wrong_shape_has_its_own_remedy(shape, n_classes, remedy):
    with pytest.raises(ValueError, match=remedy):
        check_saliency(np.zeros(shape), 4, 5, n_classes)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[0.0, np.nan], [1.0, 2.0]], r"saliency contains NaN \(1 of 4 values\)"),
        ([[0.0, np.inf], [1.0, 2.0]], "saliency contains infinity"),
        ([["a", "b"], ["c", "d"]], "saliency must be an array of real numbers"),
        ([[0.0], [1.0, 2.0]], "saliency must be an array of real numbers"),
        (np.ma.masked_less(np.eye(2), 0.5), "saliency has 2 masked values"),
    ],
)
def test_saliency_that_is_no_finite_number_is_refused(value, message):
    with pytest.raises(ValueError, match=message):
        check_saliency(value, 2, 2, 2)


def test_constant_saliency_warns_where_asked():
    constant = np.array([[1.0, 1.0], [7.0, 7.0]])
    with pytest.warns(UserWarning, match="constant in every video"):
        check_saliency(constant, 2, 2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_saliency(constant, 2, 2, 2, warn_if_constant=False)


def test_saliency_that_varies_in_one_video_or_has_one_shot_does_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_saliency([[1.0, 1.0], [7.0, 8.0]], 2, 2, 2)
        check_saliency([[1.0], [7.0]], 2, 1, 2)

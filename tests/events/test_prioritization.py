"""The most salient shots: hand-worked videos, too long and too short ones, extra frames, several events, bad input."""

import numpy as np
import pytest

from widemargin.events import prioritize, select_shots


def column(*values, dtype=np.float64):
    """Shots of one feature."""
    return np.array(values, dtype=dtype).reshape(-1, 1)


def first_feature(videos):
    return videos[:, :, 0].tolist()


def test_long_videos_keep_the_most_salient_shots_first():
    shots = [column(1, 2, 3, 4), column(5, 6)]
    saliency = [[0.1, 0.9, 0.5, 0.7], [-2.0, -1.0]]
    assert first_feature(prioritize(shots, saliency, 2)) == [[2.0, 4.0], [6.0, 5.0]]


def test_equally_salient_shots_keep_time_order():
    assert first_feature(prioritize([column(1, 2, 3, 4)], [[1, 2, 1, 2]], 3)) == [[2.0, 4.0, 1.0]]


def test_all_features_of_a_shot_move_together():
    shots = np.arange(12.0).reshape(2, 3, 2)
    videos = prioritize(shots, np.array([[0, 1, 2], [2, 0, 1]]), 3)
    np.testing.assert_array_equal(videos, [shots[0, [2, 1, 0]], shots[1, [0, 2, 1]]])


def test_short_videos_repeat_their_shots_evenly():
    # Three shots at five positions: ranks 0, 0, 1, 1, 2.
    assert first_feature(prioritize([column(1, 2, 3)], [[0.1, 0.9, 0.5]], 5)) == [[2.0, 2.0, 3.0, 3.0, 1.0]]
    assert first_feature(prioritize([column(7)], [[0.0]], 3)) == [[7.0] * 3]


@pytest.mark.parametrize("n_shots", [4, 5, 7, 8, 11])
def test_repeated_shots_are_there_equally_often_give_or_take_one(n_shots):
    videos = prioritize([column(1, 2, 3, 4)], [[4, 3, 2, 1]], n_shots)
    counts = np.bincount(videos.ravel().astype(int))[1:]
    assert counts.sum() == n_shots
    assert counts.max() - counts.min() <= 1


def test_enough_extra_frames_stand_in_for_the_shots():
    frames = column(10, 11, 12, 13, 14, 15, 16)
    # Frames 0, 2 and 4 of seven are 7j // 3 for j = 0, 1, 2; the shots themselves are out.
    videos = prioritize(
        [column(1, 2)],
        [[9.0, 9.0]],
        3,
        extra_frames=[frames],
        extra_saliency=[[0.2, 9.0, 0.3, 9.0, 0.1, 9.0, 9.0]],
    )
    assert first_feature(videos) == [[12.0, 10.0, 14.0]]


def test_as_many_extra_frames_as_shots_wanted_are_all_taken():
    videos = prioritize([column(1)], [[9]], 3, extra_frames=[column(10, 11, 12)], extra_saliency=[[1, 3, 2]])
    assert first_feature(videos) == [[11.0, 12.0, 10.0]]


def test_too_few_extra_frames_are_taken_beside_the_shots():
    # Four shots wanted: two own and three frames are five, of which the most salient four stay.
    videos = prioritize(
        [column(1, 2)],
        [[0.5, 0.1]],
        4,
        extra_frames=[column(10, 11, 12)],
        extra_saliency=[[0.9, 0.2, 0.3]],
    )
    assert first_feature(videos) == [[10.0, 1.0, 12.0, 11.0]]
    # Six wanted: one own and two frames, each of them twice.
    videos = prioritize([column(1)], [[0.5]], 6, extra_frames=[column(10, 11)], extra_saliency=[[0.9, 0.2]])
    assert first_feature(videos) == [[10.0, 10.0, 1.0, 1.0, 11.0, 11.0]]


@pytest.mark.parametrize("nothing", [None, [], np.empty((0, 1))])
def test_videos_without_extra_frames_repeat_their_shots(nothing):
    videos = prioritize(
        [column(1), column(2)],
        [[0.0], [0.0]],
        2,
        extra_frames=[nothing, column(10, 11)],
        extra_saliency=[None, [0, 1]],
    )
    assert first_feature(videos) == [[1.0, 1.0], [11.0, 10.0]]


def test_extra_frames_of_long_videos_are_not_used():
    videos = prioritize([column(1, 2)], [[0, 1]], 2, extra_frames=[column(10, 11)], extra_saliency=[[9, 9]])
    assert first_feature(videos) == [[2.0, 1.0]]


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        ((np.float32, np.float32), np.float32),
        ((np.float16, np.float32), np.float32),
        ((np.float32, np.float64), np.float64),
        ((np.float32, np.int64), np.float64),
    ],
)
def test_single_precision_is_kept_where_all_videos_have_it(kinds, expected):
    shots = [column(1, 2, dtype=kind) for kind in kinds]
    videos = prioritize(shots, [[0, 1]] * 2, 2)
    assert videos.dtype == expected
    assert first_feature(videos) == [[2.0, 1.0]] * 2


def test_arguments_are_not_changed():
    shots, saliency = [column(1, 2, 3)], [np.array([0.3, 0.1, 0.2])]
    videos = prioritize(shots, saliency, 3)
    videos[:] = 0
    assert shots[0].ravel().tolist() == [1.0, 2.0, 3.0]
    assert saliency[0].tolist() == [0.3, 0.1, 0.2]


@pytest.mark.parametrize("n_shots", [1, 3, 6, 10])
def test_selected_shots_are_those_of_the_prioritized_videos(n_shots):
    generator = np.random.default_rng(0)
    shots = [generator.normal(size=(length, 2)) for length in (1, 3, 6, 9)]
    saliency = [generator.integers(0, 4, size=len(video)) for video in shots]
    kept = select_shots(saliency, n_shots)
    assert kept.shape == (4, n_shots)
    expected = prioritize(shots, saliency, n_shots)
    np.testing.assert_array_equal([video[rows] for video, rows in zip(shots, kept, strict=True)], expected)


def test_several_events_keep_shots_that_any_of_them_finds_salient_in_time_order():
    saliency = [
        # Largest under any event: 0.2, 0.9, 0.4, 0.8.
        [[0.1, 0.9, 0.0, 0.3], [0.2, 0.0, 0.4, 0.8]],
        # Two shots for three positions.
        [[0.1, 0.9], [0.2, 0.0]],
    ]
    assert select_shots(saliency, 3).tolist() == [[1, 2, 3], [0, 0, 1]]


def test_equally_salient_shots_of_several_events_are_kept_from_the_start():
    assert select_shots(np.zeros((1, 3, 5)), 2).tolist() == [[0, 1]]


GOOD = {"shots": [column(1, 2), column(3)], "saliency": [[0, 1], [2]], "n_shots": 2}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"shots": []}, "shots is for no video"),
        ({"shots": 3.0}, "shots must be a sequence with one array per video, got float"),
        ({"saliency": [[0, 1]]}, "saliency is for 1 videos, shots for 2: pass one entry per video"),
        ({"shots": [column(1, 2), np.empty((0, 1))], "saliency": [[0, 1], []]}, r"shots\[1\] has no shot"),
        ({"shots": [column(1, 2), []], "saliency": [[0, 1], []]}, r"shots\[1\] has no shot"),
        (
            {"shots": [column(1, 2), np.empty((1, 0))]},
            r"shots\[1\] has shape \(1, 0\): pass at least one feature",
        ),
        (
            {"shots": [column(1, 2), np.ones((1, 4))]},
            r"shots\[1\] has 4 features, shots\[0\] has 1: pass the same features",
        ),
        (
            {"shots": [column(1, 2), np.ones(3)]},
            r"shots\[1\] has shape \(3,\), expected \(n_shots, n_features\)",
        ),
        (
            {"shots": [column(1, np.nan), column(3)]},
            r"shots\[0\] must be an array of finite real numbers: .* NaN",
        ),
        ({"saliency": [[0, 1], [2, 3]]}, r"saliency\[1\] has shape \(2,\), but shots\[1\] has 1 rows"),
        ({"saliency": [[0, np.nan], [2]]}, r"saliency\[0\] contains NaN"),
        ({"saliency": [[0, np.inf], [2]]}, r"saliency\[0\] contains infinity"),
        ({"saliency": [["a", "b"], [2]]}, r"saliency\[0\] must be an array of real numbers"),
        ({"saliency": [np.zeros((3, 2)), [2]]}, r"saliency\[0\] has shape \(3, 2\), but .* select_shots"),
        ({"n_shots": 0}, "n_shots must be at least 1, got 0"),
        ({"extra_frames": [column(1), None]}, "extra_saliency is missing"),
        ({"extra_saliency": [[1], None]}, "extra_frames is missing"),
        (
            {"extra_frames": [column(1)], "extra_saliency": [[1]]},
            "extra_frames is for 1 videos, shots for 2: pass one entry per video, None",
        ),
        (
            {"extra_frames": [None, np.ones((2, 3))], "extra_saliency": [None, [1, 2]]},
            r"extra_frames\[1\] has 3 features, shots\[1\] has 1",
        ),
        (
            {"extra_frames": [None, column(1, 2)], "extra_saliency": [None, [1]]},
            r"extra_saliency\[1\] has shape \(1,\), but extra_frames\[1\] has 2 rows",
        ),
    ],
)
def test_wrong_arguments_are_named(changes, message):
    with pytest.raises(ValueError, match=message):
        prioritize(**(GOOD | changes))


@pytest.mark.parametrize(
    "function", [lambda n: prioritize([column(1)], [[0]], n), lambda n: select_shots([[0]], n)]
)
def test_a_number_of_shots_that_is_no_integer_is_refused(function):
    with pytest.raises(TypeError, match=r"n_shots must be an integer, got 2\.0"):
        function(2.0)


@pytest.mark.parametrize(
    ("saliency", "message"),
    [
        ([], "saliency is for no video"),
        ([[0.0], []], r"saliency\[1\] has shape \(0,\), expected \(n_shots,\) or \(n_events, n_shots\)"),
        ([0.0, 1.0], r"saliency\[0\] has shape \(\), expected"),
        ([[[0.0]], [0.0]], r"saliency\[1\] has shape \(1,\), saliency\[0\] has \(1, 1\): .* the same events"),
        ([np.zeros((2, 3)), np.zeros((3, 3))], "for the same events"),
        ([[np.nan]], r"saliency\[0\] contains NaN"),
        ("abc", "saliency must be a sequence"),
    ],
)
def test_wrong_saliency_is_named(saliency, message):
    with pytest.raises(ValueError, match=message):
        select_shots(saliency, 2)

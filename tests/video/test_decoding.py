"""One pass over a file: shots, key frames, extra frames, what is reported."""

import numpy as np
import pytest

pytest.importorskip("av")

import widemargin.video.decoding as decoding
from video_files import COLOURS, encode, pictures
from widemargin.video import ShotSettings, VideoError
from widemargin.video.decoding import decode_video


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    return encode(tmp_path_factory.mktemp("video") / "three.mp4", pictures(n_frames=75, n_shots=3))


def decode(path, **settings):
    key_frames = []
    return decode_video(path, ShotSettings(**settings), key_frames.append), key_frames


def test_shots_and_their_centres(video):
    summary, key_frames = decode(video, n_extra_frames=0)
    assert [(shot.start, shot.end) for shot in summary.shots] == [(0, 1), (1, 2), (2, 3)]
    assert sum(shot.n_frames for shot in summary.shots) == summary.n_frames == 75
    # The centre lies between two frames.
    assert [shot.key_time for shot in summary.shots] == pytest.approx([0.5, 1.5, 2.5], abs=0.021)
    for frame, colour in zip(key_frames, COLOURS, strict=False):
        # Colours at half the resolution in limited range.
        np.testing.assert_allclose(np.median(frame.pixels, axis=(0, 1)), colour, atol=12)


def test_random_key_frames_repeat_and_depend_on_the_seed(video):
    times = {}
    for seed in (0, 0, 1, 2):
        summary, _ = decode(video, key_frame="random", n_extra_frames=0, seed=seed)
        found = [shot.key_time for shot in summary.shots]
        assert all(shot.start <= shot.key_time < shot.end for shot in summary.shots)
        assert times.setdefault(seed, found) == found
    assert times[0] != times[1] != times[2]


@pytest.mark.parametrize(
    ("wanted", "n_given"), [(0, 0), (1, 0), (3, 0), (4, 4), (30, 30), (75, 75), (76, 75), (500, 75)]
)
def test_extra_frames_of_videos_with_few_shots(video, wanted, n_given):
    summary, key_frames = decode(video, n_extra_frames=wanted)
    extra = [frame for frame in key_frames if frame.shot is None]
    assert len(summary.shots) == 3
    assert len(extra) == len(summary.extra_times) == n_given
    assert [frame.time for frame in extra] == list(summary.extra_times)
    for frame in extra:
        colour = COLOURS[int(frame.time + 1e-9)]
        np.testing.assert_allclose(np.median(frame.pixels, axis=(0, 1)), colour, atol=12)


@pytest.mark.parametrize(("side", "shape"), [(16, (16, 24, 3)), (32, (32, 48, 3)), (256, (64, 96, 3))])
def test_pictures_are_made_smaller_but_never_larger(video, side, shape):
    _, key_frames = decode(video, picture_side=side)
    assert {frame.pixels.shape for frame in key_frames} == {shape}
    assert {frame.pixels.dtype for frame in key_frames} == {np.dtype(np.uint8)}


def test_min_length_and_threshold_reach_the_detector(video):
    assert len(decode(video, min_length=1.5)[0].shots) < 3
    assert len(decode(video, threshold=1000.0)[0].shots) == 1


@pytest.mark.parametrize("n_threads", [2, 3])
def test_threads_do_not_change_the_result(video, n_threads):
    settings = ShotSettings(n_extra_frames=10)
    one, many = [], []
    assert decode_video(video, settings, one.append) == decode_video(
        video, settings, many.append, n_threads=n_threads
    )
    for left, right in zip(one, many, strict=True):
        np.testing.assert_array_equal(left.pixels, right.pixels)


def test_progress_tells_seconds_and_the_length(video, monkeypatch):
    monkeypatch.setattr(decoding, "_PROGRESS_INTERVAL", -1.0)
    calls = []
    decode_video(video, ShotSettings(), lambda frame: None, lambda *call: calls.append(call))
    assert [done for done, _ in calls] == pytest.approx(np.arange(1, 76) / 25)
    assert {duration for _, duration in calls} == {3.0}


def test_progress_is_not_told_more_often_than_it_can_be_read(video):
    calls = []
    decode_video(video, ShotSettings(), lambda frame: None, lambda *call: calls.append(call))
    assert len(calls) < 75


def test_relative_names(video, monkeypatch):
    monkeypatch.chdir(video.parent)
    assert decode(video.name)[0].n_frames == 75
    with pytest.raises(VideoError, match="no such file"):
        decode("missing.mp4")

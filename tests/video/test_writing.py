import numpy as np
import pytest

from widemargin.atomic import WriteError
from widemargin.video import VideoError, write_video

av = pytest.importorskip("av")


def moving_square(n_frames, height=48, width=64):
    for number in range(n_frames):
        frame = np.full((height, width, 3), (30, 60, 90), dtype=np.uint8)
        frame[8:24, 2 * number : 2 * number + 16] = (220, 160, 40)
        yield frame


def read_back(path):
    with av.open(str(path)) as file:
        frames = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in file.decode(video=0)]
    return [time for time, _ in frames], [pixels for _, pixels in frames]


@pytest.mark.parametrize("suffix", [".mp4", ".mov", ".mkv", ".avi"])
def test_frames_and_times_come_back(tmp_path, suffix):
    path = tmp_path / f"square{suffix}"
    assert write_video(path, moving_square(12), rate=10) == 12
    times, pixels = read_back(path)
    # The container may start its clock later; a tick of Matroska is a millisecond.
    assert np.subtract(times, times[0]) == pytest.approx(np.arange(12) / 10, abs=1e-3)
    for shown, written in zip(pixels, moving_square(12), strict=True):
        # The default quality of the encoder and colours at half resolution: a few levels in the mean, while two
        # frames of the square six apart differ by 20.
        assert np.abs(shown.astype(int) - written).mean() < 6


def test_odd_sizes_need_full_colours(tmp_path):
    frames = list(moving_square(3, 33, 35))
    with pytest.raises(ValueError, match="35 x 33 pixels, and pixel_format 'yuv420p' needs even numbers"):
        write_video(tmp_path / "odd.mkv", frames)
    assert write_video(tmp_path / "odd.mkv", frames, pixel_format="yuv444p") == 3
    assert read_back(tmp_path / "odd.mkv")[1][0].shape == (33, 35, 3)


def test_key_frames_come_at_least_as_often_as_asked(tmp_path):
    path = tmp_path / "square.mkv"
    write_video(path, moving_square(20), max_key_interval=5)
    with av.open(str(path)) as file:
        keys = [number for number, frame in enumerate(file.decode(video=0)) if frame.key_frame]
    assert max(np.diff([*keys, 20])) <= 5


def test_same_frames_give_the_same_file(tmp_path):
    for name in ("a.mkv", "b.mkv"):
        write_video(tmp_path / name, moving_square(8), codec="mpeg4")
    first, second = (read_back(tmp_path / name)[1] for name in ("a.mkv", "b.mkv"))
    assert np.array_equal(first, second)


def failing_frames():
    yield from moving_square(5)
    raise RuntimeError("no more pictures")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "square.mp4"
    write_video(path, moving_square(3))
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="no more pictures"):
        write_video(path, failing_frames())
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["square.mp4"]


@pytest.mark.parametrize("codec", ["no such codec", "aac"])
def test_unknown_encoders_are_named(tmp_path, codec):
    with pytest.raises(VideoError, match=f"codec '{codec}' is no encoder of pictures"):
        write_video(tmp_path / "square.mp4", moving_square(3), codec=codec)
    assert list(tmp_path.iterdir()) == []


def test_a_size_that_the_encoder_does_not_take_is_named(tmp_path):
    # H.263 allows a few sizes only.
    with pytest.raises(VideoError, match="'h263' cannot write frames of 64 x 48 pixels"):
        write_video(tmp_path / "square.avi", moving_square(3), codec="h263")


def test_missing_folder(tmp_path):
    with pytest.raises(WriteError) as caught:
        write_video(tmp_path / "none" / "square.mp4", moving_square(3))
    assert caught.value.filename == str(tmp_path / "none" / "square.mp4")


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], "frames has no frame"),
        ([np.zeros((4, 4))], r"frames\[0\] has shape \(4, 4\)"),
        ([np.zeros((4, 4, 3))], r"frames\[0\] has type float64"),
        ([np.full((4, 4, 3), 256)], r"frames\[0\] has type int64, or values outside"),
        (
            [np.zeros((4, 4, 3), np.uint8), np.zeros((4, 6, 3), np.uint8)],
            r"frames\[1\] has shape \(4, 6, 3\), frames\[0\] has \(4, 4, 3\)",
        ),
    ],
)
def test_bad_frames(tmp_path, frames, message):
    with pytest.raises(ValueError, match=message):
        write_video(tmp_path / "bad.mp4", frames)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "square.webp"}, "path ends in '.webp'"),
        ({"rate": 0}, "rate must be finite and from 0.1 to 1000"),
        ({"pixel_format": "rgb24"}, "pixel_format must be one of"),
        ({"max_key_interval": 0}, "max_key_interval must be at least 1"),
    ],
)
def test_bad_parameters(tmp_path, arguments, message):
    path = tmp_path / arguments.pop("path", "square.mp4")
    with pytest.raises(ValueError, match=message):
        write_video(path, moving_square(3), **arguments)

import numpy as np
import pytest

from widemargin.datasets import DatasetError, splice_videos
from widemargin.video import write_video

av = pytest.importorskip("av")


def ramp(path, n_frames=20, rate=10.0):
    """A video that gets brighter by 10 levels a frame."""
    write_video(path, (np.full((48, 64, 3), 20 + 10 * number) for number in range(n_frames)), rate=rate)
    return path


def levels(path):
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24").mean() for frame in file.decode(video=0)]


def test_pieces_follow_each_other(tmp_path):
    source = ramp(tmp_path / "ramp.mp4")
    found = splice_videos(
        tmp_path / "out.mkv", [(source, 1.0, 1.3), (source, 0.0, 0.2)], rate=10, size=(64, 48)
    )
    assert found == pytest.approx(np.array([[0, 0.3], [0.3, 0.5]]))
    # Levels change by 10 a frame; coding changes them by one or two.
    assert levels(tmp_path / "out.mkv") == pytest.approx([120, 130, 140, 20, 30], abs=3)


def test_rates_may_differ_and_the_last_frame_stays(tmp_path):
    source = ramp(tmp_path / "ramp.mp4", n_frames=4)
    splice_videos(tmp_path / "out.mkv", [(source, 0.1, 0.7)], rate=20)
    assert levels(tmp_path / "out.mkv") == pytest.approx([30, 30, 40, 40, *[50] * 8], abs=3)


@pytest.mark.parametrize("content", [b"", b"no video at all"])
def test_files_that_are_no_videos(tmp_path, content):
    (tmp_path / "bad.mp4").write_bytes(content)
    with pytest.raises(DatasetError, match=r"bad\.mp4 cannot be decoded as a video"):
        splice_videos(tmp_path / "out.mp4", [(tmp_path / "bad.mp4", 0, 1)])
    assert [path.name for path in tmp_path.iterdir()] == ["bad.mp4"]


@pytest.mark.parametrize(
    ("pieces", "message"),
    [([], "pieces is empty"), ([("a.mp4", 1.0, 1.0)], r"pieces\[0\] is from 1.0 to 1.0")],
)
def test_bad_pieces(tmp_path, pieces, message):
    with pytest.raises(ValueError, match=message):
        splice_videos(tmp_path / "out.mp4", pieces)

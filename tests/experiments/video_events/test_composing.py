import numpy as np
import pytest

from experiments.video_events.collections import video
from widemargin.datasets import splice_videos
from widemargin.experiments.video_events.collection import Collection
from widemargin.experiments.video_events.composing import compose, piece_rows, splice
from widemargin.video import write_video


@pytest.fixture
def clips():
    """Twelve clips of two seconds: two shots and eight extra frames each; the first four show the event."""
    rng = np.random.default_rng(0)
    return Collection.join(
        [
            video(
                0 if number < 4 else -1,
                np.full(10, 0 if number < 4 else -1),
                np.zeros((10, 1)),
                n_extra=8,
                features=rng.normal(size=(10, 5)),
            )
            for number in range(12)
        ]
    )


def test_pieces_lie_inside_of_their_clip(clips):
    # Extra frames are at 0, 0.25, ..., 1.75 seconds; half a second is needed on both sides.
    assert clips.times[piece_rows(clips, 3, 1.0)].tolist() == [0.5, 0.75, 1.0, 1.25, 1.5]
    # Nothing fits: the frame nearest to the middle.
    assert clips.times[piece_rows(clips, 3, 5.0)].tolist() == [1.0]


def test_composed_videos(clips):
    composed = compose(
        clips,
        [0, 1, 2],
        [4, 5, 6, 7, 8],
        n_positives=6,
        n_negatives=4,
        n_shots=(4, 5),
        n_relevant=(1, 2),
        seconds=1.0,
        rng=np.random.RandomState(0),
    )
    videos = composed.videos
    assert videos.events.tolist() == [0] * 6 + [-1] * 4
    for place, rows in enumerate(composed.rows):
        own = videos.frames(place)
        assert np.array_equal(videos.features[own], clips.features[rows])
        owners = np.searchsorted(clips.starts, rows, side="right") - 1
        assert len(set(owners)) == rows.size in (4, 5)
        assert set(owners) <= {0, 1, 2, 4, 5, 6, 7, 8}
        assert (videos.shown[own] == 0).sum() in ((1, 2) if place < 6 else (0,))
        assert videos.times[own].tolist() == [0.5 + k for k in range(rows.size)]


def test_files_are_what_was_composed(clips, tmp_path):
    av = pytest.importorskip("av")
    files = []
    for number in range(12):
        files.append(tmp_path / f"clip-{number}.mp4")
        write_video(files[-1], np.full((20, 48, 64, 3), 20 + 15 * number), rate=10)
    rows = [piece_rows(clips, clip, 1.0)[2] for clip in (7, 0, 3)]
    made = splice(tmp_path, files, clips, [np.array(rows)], "event", 1.0)
    assert made.shots[0].tolist() == [[0, 1], [1, 2], [2, 3]]
    assert made.shown == (("", "event", "event"),)
    assert made.events == ("event",)
    with av.open(str(made.paths[0])) as file:
        levels = [frame.to_ndarray(format="rgb24").mean() for frame in file.decode(video=0)]
    # Twelve frames a second; coding changes levels by one or two.
    assert levels == pytest.approx(np.repeat([125, 20, 65], 12), abs=3)


def test_pieces_need_not_be_a_whole_number_of_frames(tmp_path):
    write_video(tmp_path / "clip.mp4", np.full((20, 48, 64, 3), 90), rate=10)
    found = splice_videos(tmp_path / "out.mp4", [(tmp_path / "clip.mp4", 0, 0.98)] * 2, rate=10)
    assert found.tolist() == [[0, 1], [1, 2]]

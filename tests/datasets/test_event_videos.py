from itertools import pairwise

import numpy as np
import pytest

from widemargin.datasets import make_event_videos

av = pytest.importorskip("av")

COLOURS = {"red": (200, 40, 40), "green": (40, 200, 40), "blue": (40, 40, 200)}
GREYS = [np.full((60, 80), level, dtype=np.uint8) for level in (60, 110, 160, 210)]


def plain(colour):
    return np.full((60, 90, 3), colour, dtype=np.uint8)


def coloured(*names):
    return {name: [plain(COLOURS[name])] for name in names}


def shown_in(frames):
    """Which colour a frame is of, judged by its pixels."""
    means = np.asarray(frames, dtype=float).mean(axis=(0, 1))
    return "" if np.ptp(means) < 20 else list(COLOURS)[int(means.argmax())]


def read(path):
    with av.open(str(path)) as file:
        frames = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in file.decode(video=0)]
    return [time for time, _ in frames], [pixels for _, pixels in frames]


def make(folder, pictures=None, others=GREYS, **parameters):
    settings = {"n_videos": 2, "n_shots": (4, 6), "n_relevant": (1, 2), "size": (64, 48), "random_state": 3}
    return make_event_videos(folder, pictures or coloured("red", "blue"), others, **(settings | parameters))


def test_truth_is_what_the_files_show(tmp_path):
    videos = make(tmp_path, n_other_videos=1, seconds=(0.3, 0.6))
    assert videos.events == ("red", "red", "blue", "blue", "")
    for number, (path, event, shots) in enumerate(
        zip(videos.paths, videos.events, videos.shots, strict=True)
    ):
        times, frames = read(path)
        assert len(times) == round(shots[-1, 1] * 10)
        seen = tuple(shown_in(frame) for frame in frames)
        assert seen == videos.shown_at(number, times)
        relevant = videos.shown[number].count(event)
        assert relevant in (1, 2) if event else set(videos.shown[number]) == {""}
        assert 4 <= len(shots) <= 6
        assert np.array_equal(shots[1:, 0], shots[:-1, 1])


def test_mixed_videos_show_each_other_event_once_at_most(tmp_path):
    videos = make(tmp_path, coloured(*COLOURS), (), mixed=True, n_shots=(4, 4), n_relevant=(2, 2), motion=1)
    for event, shown in zip(videos.events, videos.shown, strict=True):
        assert sorted(shown) == sorted([*COLOURS, event])


def test_windows_move_and_stay_inside(tmp_path):
    # A picture that is dark outside a border would show it if a window left it; the gradient shows that it moves.
    gradient = np.repeat(np.linspace(60, 250, 120).astype(np.uint8)[None], 80, axis=0)
    videos = make(
        tmp_path, {"gradient": [gradient]}, n_videos=6, window=(0.5, 0.5), motion=1, noise=0, seconds=(1, 1)
    )
    moves = []
    for number, path in enumerate(videos.paths):
        times, frames = read(path)
        shown = np.array(videos.shown_at(number, times)) == "gradient"
        levels = np.array(frames)[shown][..., 0].mean(axis=(1, 2))
        moves.append(np.ptp(levels))
        # Least brightness of a shot, 0.7, of the darkest column, less what the encoder changes.
        assert np.array(frames)[shown].min() > 0.7 * 60 - 6
    # Half of the picture's width is half of its range, of which some shots cross a part.
    assert max(moves) > 20


def test_same_seed_same_videos(tmp_path):
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made.append(make(tmp_path / name))
    assert made[0].shown == made[1].shown
    for one, other in zip(made[0].paths, made[1].paths, strict=True):
        assert np.array_equal(read(one)[1], read(other)[1])


def test_pictures_do_not_follow_themselves(tmp_path):
    videos = make(tmp_path, n_videos=10, n_shots=(5, 5), n_relevant=(2, 2), seconds=(0.2, 0.2))
    for event, shown in zip(videos.events, videos.shown, strict=True):
        assert all((one, other) != (event, event) for one, other in pairwise(shown))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_relevant": (1, 5)}, "at most as many relevant shots as a video has"),
        ({"n_shots": (5, 4)}, "give the least number first"),
        ({"n_shots": 5}, "n_shots must be a pair"),
        ({"window": (0.5, 1.5)}, "at most 1"),
        ({"size": (8, 48)}, "size must be at least 16"),
        ({"motion": 2}, "motion must be finite and from 0 to 1"),
        ({"others": ()}, "others is empty, and mixed is False"),
        ({"others": (), "mixed": True}, "up to 5 other shots are drawn from 1 other events"),
        ({"others": [np.zeros((4, 4))]}, r"others\[0\] has shape \(4, 4\) and type float64"),
        ({"pictures": {"": [GREYS[0]]}}, "give it a name"),
        ({"pictures": {"red": []}}, "with 0 pictures"),
    ],
)
def test_bad_parameters(tmp_path, parameters, message):
    with pytest.raises(ValueError, match=message):
        make(tmp_path, **parameters)
    assert list(tmp_path.iterdir()) == []

"""Choice of frames in one pass: against a choice that sees the whole video."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("av")

from widemargin.video.key_frames import (
    CentreFrame,
    EvenFrames,
    HeldFrame,
    RandomFrame,
    ShotFrames,
    candidates_for,
)


def frames_at(times, size=1, first=0):
    return [HeldFrame(first + i, time, f"frame {first + i}", size) for i, time in enumerate(times)]


@pytest.mark.parametrize("seed", range(20))
def test_centre_is_the_nearest_of_all_frames(seed):
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.exponential(1.0, rng.integers(1, 200))).tolist()
    end = times[-1] + rng.exponential(1.0)
    candidates = CentreFrame()
    for held in frames_at(times):
        candidates.push(held)
    distances = np.abs(np.array(times) - (times[0] + end) / 2)
    assert candidates.choose(times[0], end).number == distances.argmin()


@pytest.mark.parametrize("n_frames", [1, 10, 100, 5000])
@pytest.mark.parametrize("first", [0, 7])
def test_centre_within_a_budget(n_frames, first):
    budget = 20
    candidates = CentreFrame(max_bytes=budget)
    most = 0
    for held in frames_at(range(n_frames), first=first):
        candidates.push(held)
        most = max(most, len(candidates._held))
    assert most <= budget
    # Half of the shot is held at a spacing that fits into the budget with a factor of two to spare.
    chosen = candidates.choose(0, n_frames)
    assert abs(chosen.time - n_frames / 2) <= max(1, n_frames / budget)


def test_centre_holds_one_frame_that_is_larger_than_the_budget():
    candidates = CentreFrame(max_bytes=10)
    for held in frames_at(range(50), size=100):
        candidates.push(held)
        assert len(candidates._held) == 1
    assert candidates.choose(0, 50) is not None


def test_random_is_uniform_and_repeats():
    chosen = []
    for seed in range(4000):
        candidates = candidates_for("random", seed, 3)
        assert isinstance(candidates, RandomFrame)
        for held in frames_at(range(4)):
            candidates.push(held)
        chosen.append(candidates.choose(0, 4).number)
    # Five standard deviations of a count.
    assert all(abs(count - 1000) < 5 * np.sqrt(4000 * 0.25 * 0.75) for count in Counter(chosen).values())
    assert len(set(chosen)) == 4
    again = candidates_for("random", 3999, 3)
    for held in frames_at(range(4)):
        again.push(held)
    assert again.choose(0, 4).number == chosen[-1]


def test_random_differs_from_shot_to_shot():
    chosen = set()
    for shot in range(20):
        candidates = candidates_for("random", 0, shot)
        for held in frames_at(range(100)):
            candidates.push(held)
        chosen.add(candidates.choose(0, 100).number)
    assert len(chosen) > 10


def cut(starts, n_frames, *, lag, rule="centre", size=1, max_bytes=10**6, seed=0):
    """Pass frames at a rate of 1 with boundaries that are known `lag` frames later."""
    frames = ShotFrames(rule, seed, lag, max_bytes)
    shots = []
    for number in range(n_frames):
        frames.push(number, float(number), number, size)
        if number - lag in starts:
            shots.append(frames.close(number - lag, frames.time_of(number - lag)))
    for start in starts:
        if start > n_frames - 1 - lag:
            shots.append(frames.close(start, frames.time_of(start)))
    shots.append(frames.close(n_frames, float(n_frames)))
    return shots


@pytest.mark.parametrize("lag", [0, 1, 8, 32])
@pytest.mark.parametrize("rule", ["centre", "random"])
def test_frames_go_to_their_shots(lag, rule):
    starts = (1, 5, 40, 41, 97, 99)
    shots = cut(starts, 100, lag=lag, rule=rule)
    bounds = (0, *starts, 100)
    assert [(start, n_frames) for _, start, n_frames in shots] == [
        (start, end - start) for start, end in pairwise(bounds)
    ]
    for (held, _, _), start, end in zip(shots, bounds, bounds[1:], strict=False):
        assert start <= held.number < end
        assert held.frame == held.number
        if rule == "centre":
            assert abs(held.time - (start + end) / 2) <= 0.5


def test_centre_does_not_depend_on_the_lag():
    assert cut((30, 60), 100, lag=0) == cut((30, 60), 100, lag=20)


@pytest.mark.parametrize("size", [1, 3, 10, 100])
def test_large_frames_are_held_now_and_then(size):
    frames = ShotFrames("centre", 0, 8, max_bytes=20)
    for number in range(1000):
        frames.push(number, float(number), number, size)
        held = [item for item in frames._recent if item.frame is not None]
        assert len(held) * size <= max(20, size) + size
    held, start, n_frames = frames.close(1000, 1000.0)
    assert (start, n_frames) == (0.0, 1000)
    assert held.frame is not None


def test_a_shot_of_which_no_frame_is_held_gets_a_neighbour():
    shots = cut((17, 19), 40, lag=8, size=10, max_bytes=20)
    assert [n_frames for _, _, n_frames in shots] == [17, 2, 21]
    assert all(held.frame is not None for held, _, _ in shots)


@pytest.mark.parametrize("count", [1, 3, 64])
@pytest.mark.parametrize("n_frames", [0, 1, 2, 3, 5, 64, 127, 128, 129, 1000, 10_000])
@pytest.mark.parametrize("max_bytes", [0, 100, 10**9])
def test_even_frames(count, n_frames, max_bytes):
    made = []
    frames = EvenFrames(count, max_bytes)
    for number in range(n_frames):
        frames.push(
            number, float(number), lambda number=number: made.append(number) or np.array([number]), 10
        )
        assert len(frames._kept) <= 2 * count
        assert sum(kept.size for kept in frames._kept) <= max_bytes
    chosen = list(frames.finish())
    numbers = [int(time) for time, _ in chosen]
    assert len(numbers) == min(n_frames, count)
    assert [int(picture[0]) for _, picture in chosen] == numbers
    if max_bytes >= 20 * count:
        # Nothing is made that is not wanted.
        assert made == numbers
    if n_frames <= count:
        assert numbers == list(range(n_frames))
        return
    assert numbers[0] == 0
    gaps = np.diff([*numbers, n_frames])
    # Kept frames lie a power of two apart, and one or two steps are taken from one to the next.
    assert gaps.max() <= 2 * max(gaps.min(), 1) or count == 1
    assert len(made) <= 2 * count + count * max(0, np.log2(n_frames / count))


def test_even_frames_that_are_not_wanted_are_never_made():
    frames = EvenFrames(0)
    frames.push(0, 0.0, lambda: pytest.fail("made"), 1)
    assert list(frames.finish()) == []
    frames = EvenFrames(5)
    frames.push(0, 0.0, lambda: np.zeros(1), 1)
    frames.drop()
    frames.push(1, 1.0, lambda: pytest.fail("made"), 1)
    assert list(frames.finish()) == []

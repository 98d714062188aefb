"""Boundaries found while the frames come in, against a slow search in the whole sequence, and by what they mean."""

import numpy as np
import pytest

from widemargin.video.boundaries import BoundaryDetector
from widemargin.video.histograms import N_BINS, N_LUMA_BINS

RATE = 25.0


def scene(seed):
    """Return the histogram of a picture with many levels and colours."""
    rng = np.random.default_rng(seed)
    parts = [rng.dirichlet(np.full(n, 0.3)) for n in (N_LUMA_BINS, 24, 24)]
    return np.concatenate([0.4 * parts[0], 0.3 * parts[1], 0.3 * parts[2]]).astype(np.float32)


def black():
    histogram = np.zeros(N_BINS, np.float32)
    histogram[[0, N_LUMA_BINS + 12, N_LUMA_BINS + 36]] = 0.4, 0.3, 0.3
    return histogram


def mixed(first, second, n):
    return [first * (1 - w) + second * w for w in np.linspace(0, 1, n + 2)[1:-1].astype(np.float32)]


def found(histograms, times=None, **settings):
    detector = BoundaryDetector(**settings)
    times = np.arange(len(histograms)) / RATE if times is None else times
    starts = []
    for number, (histogram, time) in enumerate(zip(histograms, times, strict=True)):
        new = detector.push(histogram, time)
        assert all(number - start <= detector.lag for start in new)
        starts += new
    starts += detector.finish()
    assert starts == sorted(set(starts))
    return starts


A, B, C = scene(0), scene(1), scene(2)


def test_lag_is_small():
    assert BoundaryDetector().lag <= 32


def test_cuts_are_exact():
    assert found([A] * 40 + [B] * 30 + [C] * 25) == [40, 70]


def test_nothing_changes():
    assert found([A] * 200) == []
    assert found([A]) == []
    assert BoundaryDetector().finish() == []


def test_a_cut_close_to_the_ends():
    assert found([A] * 13 + [B] * 2) == [13]
    assert found([A] * 2 + [B] * 40) == []
    assert found([A] * 2 + [B] * 40, min_length=0.0) == [2]


@pytest.mark.parametrize("n_frames", [1, 3, 6])
def test_a_flash_is_no_boundary(n_frames):
    white = np.roll(black(), N_LUMA_BINS - 1)
    assert found([A] * 50 + [0.2 * A + 0.8 * white] * n_frames + [A] * 50) == []


def test_steady_movement_is_no_boundary():
    pan = [A] * 30 + [h for a, b in ((A, B), (B, C), (C, A)) for h in mixed(a, b, 40)] + [A] * 30
    assert found(pan) == []


def test_what_passes_by_is_no_boundary():
    assert found([A] * 50 + mixed(A, B, 8) + mixed(B, A, 8) + [A] * 50) == []


def test_a_cut_within_movement():
    assert found([A] * 30 + mixed(A, B, 60)[:30] + mixed(C, B, 60) + [B] * 5) == [60]


@pytest.mark.parametrize("length", [8, 12, 16, 24])
def test_a_dissolve_is_one_boundary_in_its_middle(length):
    (start,) = found([A] * 60 + mixed(A, B, length) + [B] * 60)
    assert abs(start - (60 + length / 2)) <= 2


@pytest.mark.parametrize("n_dark", [2, 10, 40])
@pytest.mark.parametrize("length", [8, 24])
def test_a_fade_is_one_boundary_where_it_is_dark(length, n_dark):
    frames = [A] * 60 + mixed(A, black(), length) + [black()] * n_dark + mixed(black(), B, length) + [B] * 60
    (start,) = found(frames)
    assert 60 + length - 2 <= start <= 60 + length + n_dark


def test_repeated_frames_hide_no_cut():
    frames = [A] * 30 + mixed(A, B, 40) + [C] * 40
    repeated = [histogram for histogram in frames for _ in range(2)]
    assert found(frames) == [70]
    assert found(repeated, np.arange(len(repeated)) / (2 * RATE)) == [140]


def test_shortest_shot_is_measured_in_seconds():
    frames = [A] * 40 + [B] * 15 + [C] * 40
    assert found(frames, min_length=0.5) == [40, 55]
    assert found(frames, min_length=0.7) == [40]
    times = np.concatenate([np.arange(40), 40 + np.arange(15) * 2.0, 70 + np.arange(40)]) / RATE
    assert found(frames, times, min_length=1.0) == [40, 55]


@pytest.mark.parametrize("rate", [6, 8, 12, 25])
def test_shots_of_a_second_are_found_at_every_rate(rate):
    shots = [scene(seed) for seed in range(12)]
    frames = [frame for frame in shots for _ in range(rate)]
    assert found(frames, np.arange(len(frames)) / rate) == list(range(rate, len(frames), rate))


def test_a_cut_between_pictures_without_colours():
    dark, light = np.zeros((2, N_BINS), np.float32)
    for picture, first in ((dark, 2), (light, 6)):
        # A third of the brightness changes, and colours are the same: 0.12 of 1 in all.
        picture[first : first + 4] = 0.03
        picture[12:20] = 0.035
        picture[N_LUMA_BINS + 12] = picture[-12] = 0.3
    assert found([dark] * 40 + [light] * 40) == [40]
    dimmer = 0.55 * dark + 0.45 * light
    assert found([dark] * 40 + [dimmer] * 40) == []


def test_a_larger_threshold_finds_fewer():
    weak = 0.7 * A + 0.3 * B
    frames = [A] * 40 + [weak] * 40 + [C] * 40
    assert found(frames, threshold=0.5) == [40, 80]
    assert found(frames, threshold=3.0) == [80]
    assert found(frames, threshold=100.0) == []


def test_bounded_memory():
    detector = BoundaryDetector()
    arrays = {name: value.nbytes for name, value in vars(detector).items() if isinstance(value, np.ndarray)}
    for number in range(1000):
        detector.push(A if number // 100 % 2 else B, number / RATE)
    assert arrays == {
        name: value.nbytes for name, value in vars(detector).items() if isinstance(value, np.ndarray)
    }
    assert sum(arrays.values()) < 200_000


@pytest.mark.parametrize("rate", [RATE, 12, 8])
@pytest.mark.parametrize("seed", range(6))
def test_equals_a_search_in_the_whole_sequence(seed, rate):
    frames = random_sequence(seed)
    times = np.arange(len(frames)) / rate
    assert found(frames, times, min_length=0.3) == slow_search(frames, times, min_length=0.3)


def random_sequence(seed):
    """Join random scenes in every way, with noise, flashes and repeated frames."""
    rng = np.random.default_rng(seed)
    frames, last = [], scene(rng.integers(10**6))
    for _ in range(12):
        new = scene(rng.integers(10**6)) if rng.random() < 0.8 else last
        frames += [last] * int(rng.integers(5, 70))
        joint = rng.integers(4)
        if joint == 1:
            frames += mixed(last, new, int(rng.integers(3, 40)))
        if joint == 2:
            frames += (
                mixed(last, black(), 10) + [black()] * int(rng.integers(1, 20)) + mixed(black(), new, 10)
            )
        if joint == 3:
            frames += [scene(rng.integers(10**6))] * int(rng.integers(1, 10))
        last = new
    noisy = [np.abs(frame + rng.normal(0, 0.001, N_BINS)).astype(np.float32) for frame in frames]
    kept = rng.random(len(noisy)) < 0.9
    return [noisy[max(0, i - 1)] if not kept[i] else noisy[i] for i in range(len(noisy))]


def slow_search(frames, times, min_length, pad=80):
    """The rules as they are documented, each looked up in all frames; beyond the ends are copies."""
    h = np.array([frames[0]] * pad + list(frames) + [frames[-1]] * pad)
    at = np.array([times[0]] * pad + list(times) + [times[-1]] * pad)
    n = len(h)

    def difference(one, other):
        luma = 0.5 * float(np.abs(one - other)[:N_LUMA_BINS].sum())
        return max(0.5 * float(np.abs(one - other).sum()), 0.65 / 0.4 * luma)

    def apart(i, j):
        return difference(h[i], h[j])

    def average(i):
        return h[i - 1 : i + 2].mean(axis=0)

    def change(i, j):
        return difference(average(i), average(j))

    inner = range(60, n - 40)
    cuts, strengths = set(), {}
    for f in inner:
        reach = max(2, sum(at[f + k] <= at[f] + 0.34 for k in range(1, 9)))
        others = {k: apart(f + k, f + k - 1) for k in range(-8, 9) if k}
        largest_near = max(value for k, value in others.items() if abs(k) <= reach)
        for side in ([k for k in others if k < -reach], [k for k in others if k > reach]):
            if side:
                others[max(side, key=lambda k: others[k])] = 0.0
        step = apart(f, f - 1)
        usual = float(np.mean(sorted(others.values())[-5:]))
        lasting = (
            min(apart(f - a, f + b) for a in range(1, reach + 1) for b in range(reach + 1)) >= 0.45 * step
        )
        if step >= max(0.16, largest_near, 1.8 * usual) and lasting:
            cuts.add(f)
        slow = [(change(f - s, f + s), change(f - 2 * s, f - s), change(f + s, f + 2 * s)) for s in (6, 12)]
        stands_out = any(c > max(0.27, 3 * before, 3 * after) for c, before, after in slow)
        strengths[f] = sum(c for c, _, _ in slow) if stands_out else 0.0
    luma = h[:, :N_LUMA_BINS]
    blank = (luma[:, :-1] + luma[:, 1:]).max(axis=1) > 0.97 * luma.sum(axis=1)

    def starts(f):
        if f in cuts:
            return True
        if blank[f] and not blank[f - 1] and blank[f + 1]:
            return not any(f + k in cuts for k in range(-3, 4))
        peak = strengths[f] and all(
            strengths[f] > strengths[f - k] and strengths[f] >= strengths[f + k] for k in range(1, 7)
        )
        if not peak or any(f + k in cuts for k in range(-15, 16)) or blank[f - 28 : f + 29].any():
            return False
        return min(apart(f - a, f + b) for a in range(12, 29) for b in range(12, 29)) >= 0.3 * strengths[f]

    found, last = [], times[0]
    for number in range(1, len(frames)):
        if starts(number + pad) and times[number] - last >= min_length:
            found.append(number)
            last = times[number]
    return found


@pytest.mark.parametrize("settings", [{"threshold": 0.0}, {"min_length": -1.0}, {"threshold": np.nan}])
def test_wrong_settings(settings):
    with pytest.raises(ValueError, match=next(iter(settings))):
        BoundaryDetector(**settings)

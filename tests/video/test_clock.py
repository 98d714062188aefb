"""Seconds from timestamps that may be missing, repeated, out of order or absurd."""

from fractions import Fraction
from types import SimpleNamespace

import pytest

from widemargin.video.clock import FrameClock

MILLISECOND = Fraction(1, 1000)


def tick_all(stamps, *, rates=(25,), duration=None, time_base=MILLISECOND, clock=None):
    clock = clock or FrameClock(MILLISECOND, rates)
    times = [
        clock.tick(SimpleNamespace(pts=stamp, dts=None, time_base=time_base, duration=duration))
        for stamp in stamps
    ]
    assert times == sorted(times)
    assert clock.end > times[-1]
    return clock, times


def test_timestamps_count_from_the_first():
    clock, times = tick_all([100_000, 100_010, 100_500])
    assert times == [0.0, 0.01, 0.5]
    assert clock.start_time == 100.0
    assert clock.end == 0.54
    assert clock.furthest == 100.54


def test_negative_start():
    clock, times = tick_all([-80, -40, 0])
    assert times == [0.0, 0.04, 0.08]
    assert clock.start_time == -0.08
    assert clock.furthest == clock.end


@pytest.mark.parametrize("rates", [(None, 50), (0, 50), (90_000, 50), (50, 25), (Fraction(50),)])
def test_without_timestamps_the_first_sane_rate_counts(rates):
    clock, times = tick_all([None] * 4, rates=rates)
    assert times == [0.0, 0.02, 0.04, 0.06]
    assert clock.end == 0.08


def test_without_any_rate():
    assert tick_all([None] * 2, rates=(None, 0, 1e9))[1] == [0.0, 0.04]


def test_an_hour_of_intervals_adds_up():
    clock, _ = tick_all([None] * 108_000, rates=(Fraction(30000, 1001),))
    # Half a nanosecond a frame.
    assert clock.end == pytest.approx(108_000 * 1001 / 30000, abs=1e-4)


def test_frames_own_length_comes_first_if_it_is_sane():
    assert tick_all([0, None], duration=500)[1] == [0.0, 0.5]
    assert tick_all([0, None], duration=10**9)[1] == [0.0, 0.04]
    assert tick_all([0, None], duration=-5)[1] == [0.0, 0.04]


def test_decoding_time_stands_in():
    clock = FrameClock(MILLISECOND, (25,))
    frames = [SimpleNamespace(pts=None, dts=dts, time_base=None, duration=None) for dts in (10, 90)]
    assert [clock.tick(frame) for frame in frames] == [0.0, 0.08]


def test_repeated_timestamps_stand_still():
    clock, times = tick_all([0, 40, 40, 80])
    assert times == [0.0, 0.04, 0.04, 0.08]
    assert clock.n_jumps == 0


def test_a_few_frames_out_of_order_do_not_matter():
    clock, times = tick_all([0, 400, 360, 480, 520])
    assert times == [0.0, 0.4, 0.44, 0.48, 0.52]
    assert clock.n_jumps == 0


def test_one_absurd_timestamp_does_not_matter():
    clock, times = tick_all([0, 40, 2**40, 120, -(2**40), 200])
    assert times == [0.0, 0.04, 0.08, 0.12, 0.16, 0.2]
    assert clock.n_jumps == 0


@pytest.mark.parametrize("start", [0, -(10**6), 10**9])
def test_a_clock_that_starts_anew_goes_on(start):
    once = [40 * i for i in range(100)]
    clock, times = tick_all([*[10_000 + stamp for stamp in once], *[start + stamp for stamp in once]])
    assert clock.n_jumps == 1
    assert times == pytest.approx([0.04 * i for i in range(200)])


def test_gaps_up_to_an_hour_are_believed():
    assert tick_all([0, 3_500_000])[1] == [0.0, 3500.0]

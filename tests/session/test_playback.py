"""Round speeds, the automatic speed and the measured one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.session import playback


@given(st.floats(1e-2, 5e6))
def test_automatic_speed_shows_a_period_in_6_to_10_seconds(period: float) -> None:
    speed = playback.automatic_speed(period)
    assert 6 * (1 - 1e-12) <= period / speed <= 10 * (1 + 1e-12)
    assert float(f"{speed:.1e}") == speed  # two figures say it


@pytest.mark.parametrize("period", [None, 0.0, math.inf, math.nan, 6.0, 7.007, 10.0])
def test_automatic_speed_is_one_where_that_fits(period: float | None) -> None:
    assert playback.automatic_speed(period) == 1.0


@pytest.mark.parametrize("period", [1e-300, 1e300])
def test_automatic_speed_stays_in_range(period: float) -> None:
    assert playback.automatic_speed(period) in (playback.SLOWEST, playback.FASTEST)


def test_faster_and_slower_go_through_round_speeds_to_the_ends() -> None:
    up = [playback.SLOWEST]
    while up[-1] < playback.FASTEST:
        up.append(playback.faster(up[-1]))
    down = [playback.FASTEST]
    while down[-1] > playback.SLOWEST:
        down.append(playback.slower(down[-1]))
    assert up == down[::-1]
    assert len(up) == 9 * 6 + 1
    assert up[:8] == [0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015]
    assert playback.faster(playback.FASTEST) == playback.FASTEST
    assert playback.slower(playback.SLOWEST) == playback.SLOWEST
    assert (playback.faster(1.2), playback.slower(1.2)) == (1.5, 1.0)


def test_the_meter_tells_the_wanted_speed_unless_time_is_left_out() -> None:
    meter = playback.SpeedMeter()
    assert meter.reached(10.0) == 10.0
    for _ in range(60):
        meter.add(1 / 60, 2 / 60, behind=True)
    assert meter.reached(10.0) == pytest.approx(2.0)
    for _ in range(60):
        meter.add(1 / 60, 10 / 60, behind=False)
    assert meter.reached(10.0) == 10.0

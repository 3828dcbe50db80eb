"""The speed of the playback: the automatic one, round ones, and the one that is reached."""

import math

import pytest
from helpers.playing import PAPER, Clock, session
from hypothesis import given
from hypothesis import strategies as st

from viewer.session import playback
from viewer.session.playback import BACKLOG, LONGEST_FRAME, PHYSICS_SHARE
from viewer.session.session import Session


def test_physics_takes_its_share_of_a_frame_and_no_more() -> None:
    frame, tick = 1 / 60, 1e-3
    running = Session(
        PAPER.with_value("playback.auto_speed", False).with_value("playback.speed", 1000.0), clock=Clock(tick)
    )
    looks = PHYSICS_SHARE * frame / tick
    running.scene.advance(frame)
    assert 0 < running.motion.time <= (looks + 2) * 256 * PAPER.solver.step
    for _ in range(120):
        running.scene.advance(frame)
    now = running.snapshot()
    assert running.scene.speed == 1000.0
    assert 0 < running.scene.speed_reached < 100.0
    assert running.scene.speed_reached == pytest.approx(now.reading.time / (121 * frame), rel=0.1)
    running.change({"playback.speed": 0.1})
    time = running.motion.time
    running.scene.advance(frame)  # no debt is left to work off
    assert running.motion.time - time <= (BACKLOG * 1000.0) * 0.1
    running.scene.advance(1000.0)
    assert running.motion.time - time < 0.1 * (LONGEST_FRAME + 3 * frame)


def test_faster_and_slower() -> None:
    running = session()
    running.change({"playback.speed": playback.faster(running.scene.speed)})
    assert (running.scene.speed, running.scenario.playback.auto_speed) == (1.5, False)
    running.change({"playback.speed": playback.slower(running.scene.speed)})
    running.change({"playback.speed": playback.slower(running.scene.speed)})
    assert running.scene.speed == 0.7


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
    assert len(up) == 16 * 6 + 1
    assert up[:8] == [1e-6, 1.5e-6, 2e-6, 3e-6, 5e-6, 7e-6, 1e-5, 1.5e-5]
    assert playback.faster(playback.FASTEST) == playback.FASTEST
    assert playback.slower(playback.SLOWEST) == playback.SLOWEST
    assert (playback.faster(1.2), playback.slower(1.2)) == (1.5, 1.0)


def test_the_meter_reports_the_wanted_speed_unless_time_is_left_out() -> None:
    meter = playback.SpeedMeter()
    assert meter.reached(10.0) == 10.0
    for _ in range(60):
        meter.add(1 / 60, 2 / 60, behind=True)
    assert meter.reached(10.0) == pytest.approx(2.0)
    for _ in range(60):
        meter.add(1 / 60, 10 / 60, behind=False)
    assert meter.reached(10.0) == 10.0

"""The speed of the playback: the automatic one, round ones, and the one that is reached."""

import math
from pathlib import Path

import numpy as np
import pytest
from helpers.playing import PAPER, Clock, session
from helpers.several_bodies import running as several
from hypothesis import given
from hypothesis import strategies as st

from viewer.physics.body import SHAPES, RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.state import State
from viewer.replay.opening import read
from viewer.scenario.presets import PRESETS
from viewer.scenario.scenario import Scenario
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


def largest_turn_a_frame(running: Session, frames: int = 60) -> float:
    """The most that anything in the picture turns from one frame to the next [turns], at its |omega| of before, beyond
    a step."""
    running.change({"playback.auto_speed": True})
    running.playback.play()
    most = 0.0
    for _ in range(frames):
        begin, now = running.motion.time, running.snapshot()
        running.scene.advance(1 / 60)
        gone = max(abs(running.motion.time - begin) - running.motion.step, 0.0)
        rates = [body.reading.omega_world for body in now.bodies or (now,)] + [lane.omega_world for lane in now.lanes]
        most = max(most, gone * float(np.linalg.norm(rates, axis=1).max()) / (2 * math.pi))
    return most


EIGHTH = 1 / 8 + 1e-9


@pytest.mark.parametrize("name", PRESETS)
def test_at_the_automatic_speed_no_preset_turns_further_than_the_eye_follows(name: str) -> None:
    assert largest_turn_a_frame(Session(Scenario.preset(name), clock=Clock())) <= EIGHTH


@pytest.mark.parametrize("name", PRESETS)
def test_nor_does_any_preset_at_the_speed_that_it_sets(name: str) -> None:
    running = Session(Scenario.preset(name), playing=False)
    turning = running.scene.bodies.turning if running.scene.bodies else [running.motion.turning]
    assert running.scene.speed <= playback.speed_limit(turning)


@pytest.mark.parametrize("shape", [name for name in SHAPES if name not in ("mesh", "composite")])
def test_nor_does_any_shape(shape: str) -> None:
    """A cylinder ran at 100 x at 6 rad/s: L takes 12 minutes once round in the body."""
    running = session(Scenario.preset("dzhanibekov"), body__shape=shape)
    assert largest_turn_a_frame(running) <= EIGHTH
    assert running.scene.speed <= 7.0


def test_nor_do_several_bodies_a_race_and_what_is_spun_up_or_pulled() -> None:
    fast = {"start.angular_velocity": (0.0, 1e-3, 70.0), "loads.external_friction": 0.0}
    for friction in (0.0, 1e-3):
        running = several()
        running.change({**fast, "loads.external_friction": friction})
        running.select(3)
        running.change({"start.angular_velocity": (0.0, 1e-3, 3.0)})
        assert largest_turn_a_frame(running) <= EIGHTH
        assert running.scene.speed <= 0.7
    race = session(Scenario.preset("race-of-five"), start__angular_velocity=(0.0, 1e-3, 300.0))
    assert largest_turn_a_frame(race) <= EIGHTH
    spun = session(
        body__shape="moments", body__moments=(1.0, 1.001, 1.002), start__angular_velocity=(0.01, 0.0, 6.0),
        loads__torque=(0.0, 0.0, 20.0), loads__torque_frame="body",
    )  # fmt: skip
    assert largest_turn_a_frame(spun, 600) <= EIGHTH
    assert float(np.linalg.norm(spun.snapshot().reading.omega_body)) > 100.0
    assert spun.scene.speed < 0.5
    spun.playback.keep_speed(1.0)
    assert spun.scene.speed == playback.speed_limit([spun.motion.turning])


@pytest.mark.slow
def test_nor_does_a_recording(tmp_path: Path) -> None:
    """A rod that spins about its long axis and wobbles slowly, with rows at 1 kHz."""
    motion = FreeRotation(RigidBody.from_moments((1.0, 1.001, 0.5)), State((1, 0, 0, 0), (0.03, 1.0, 200.0)))
    times = np.arange(0.0, 2.0, 1e-3)
    states = motion.at(times)
    rows = np.column_stack((times, states.orientation_wxyz, states.omega_body))
    np.savetxt(tmp_path / "a.csv", rows, fmt="%.17g", delimiter=",", header="t,qw,qx,qy,qz,wx,wy,wz", comments="")
    running = session()
    running.open(*read(tmp_path / "a.csv", Scenario()))
    assert len(running.snapshot().lanes) == 1
    assert largest_turn_a_frame(running) <= EIGHTH
    assert running.scene.speed <= 0.24  # 47 rad/s on the screen


def test_nor_does_any_body_in_its_exact_motion() -> None:
    """The largest rate is taken from energy and |L|; it is that of the closed form."""
    some = np.random.default_rng(4)
    for _ in range(200):
        extent = np.exp(some.uniform(-6, 0, 3))
        omega = some.normal(size=3) * np.exp(some.uniform(-3, 3, 3))
        moments = (extent.sum() - extent) * np.exp(some.uniform(-20, 20))
        shown = {"body.shape": "moments", "body.moments": tuple(moments), "start.angular_velocity": tuple(omega)}
        running = Session(Scenario().with_values(shown), playing=False)
        free = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega), precise=False)
        rate = np.linalg.norm(free.at(np.linspace(0.0, free.period or 1.0, 400)).omega_body, axis=1).max()
        assert rate <= running.motion.turning[0] * (1 + 1e-9)
        assert running.motion.turning[0] == pytest.approx(rate, rel=1e-3)  # 400 points a period
        assert running.scene.speed * rate / 60 <= math.pi / 4 * (1 + 1e-9)


def test_the_limit_does_not_make_the_speed_flicker() -> None:
    speed, found = None, []
    for limit in 10.0 + 0.5 * np.sin(np.linspace(0.0, 60.0, 600)):
        speed = playback.automatic_speed(800.0, speed, limit)
        assert speed <= limit
        found.append(speed)
    assert len(set(found)) <= 3
    assert playback.automatic_speed(8.0, None, 1e-300) == playback.SLOWEST
    assert playback.automatic_speed(None, None, 0.3) == 0.3

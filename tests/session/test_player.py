"""Time: the clock, its share of a frame, backwards, from step to step, loops and flips; the trail behind."""

import numpy as np
import pytest
from helpers.playing import PAPER, Clock, play, session

from viewer.common.errors import InputError
from viewer.physics import rotation
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario
from viewer.session.motion import TRAIL_ANGLE
from viewer.session.player import BACKLOG, LONGEST_FRAME, PHYSICS_SHARE
from viewer.session.session import Session


def test_the_clock_runs_at_the_speed() -> None:
    running = session()
    assert (running.playing, running.time, running.speed) == (True, 0.0, 1.0)
    play(running, 2.0)
    assert running.time == pytest.approx(2.0, abs=running.scenario.solver.step)
    running.change("playback.speed", 0.1)
    assert (running.speed, running.scenario.playback.auto_speed) == (0.1, False)
    play(running, 2.0)
    assert running.time == pytest.approx(2.2, abs=2 * running.scenario.solver.step)
    assert running.snapshot().speed_reached == 0.1


def test_a_frame_without_a_step_changes_nothing() -> None:
    running = session(solver__integrator="split", solver__integration_period=0.5, solver__extra_substeps=0)
    revision = running.revision
    assert not running.advance(0.1)
    assert running.revision == revision
    for _ in range(3):
        assert not running.advance(0.1)
    assert running.advance(0.11)
    assert running.time == 0.5
    for nothing in (0.0, -1.0, float("nan")):
        assert not running.advance(nothing)


def test_the_motion_is_that_of_the_physics() -> None:
    running = session()
    running.run_to(7.0)
    now = running.snapshot()
    exact = FreeRotation(now.body, PAPER.start_state()).at(now.time)
    np.testing.assert_allclose(now.omega_body, exact.omega_body, atol=1e-11)  # measured: 3e-13
    np.testing.assert_allclose(now.orientation_wxyz, exact.orientation_wxyz, atol=1e-11)
    np.testing.assert_allclose(now.rotation_world_from_body, rotation.rotation_matrix(now.orientation_wxyz))
    np.testing.assert_allclose(now.omega_world, now.rotation_world_from_body @ now.omega_body, atol=1e-14)
    assert now.period == pytest.approx(7.00707, abs=1e-5)
    assert (now.energy_min, now.energy_max) == pytest.approx((0.1975005, 0.8512953), abs=1e-7)
    assert now.energy == pytest.approx(0.2368125, rel=1e-12)
    assert now.target_energy == pytest.approx(0.2368125, rel=1e-12)
    np.testing.assert_allclose(now.angular_momentum_world, now.start_angular_momentum_world, rtol=1e-12)


def test_playing_and_running_to_a_time_agree() -> None:
    played, run = session(), session()
    play(played, 3.0)
    run.run_to(played.time)
    np.testing.assert_allclose(
        played.snapshot().orientation_wxyz, run.snapshot().orientation_wxyz, atol=1e-15
    )
    run.run_on_to(played.time + 1.0)
    assert run.time == pytest.approx(played.time + 1.0, abs=1e-4)
    with pytest.raises(InputError, match="time: 1 s is outside"):
        run.run_on_to(1.0)
    for bad in (-1.0, 2e6, float("nan")):
        with pytest.raises(InputError, match="time: "):
            run.run_to(bad)


def test_pause_step_reset() -> None:
    running = session()
    play(running, 0.5)
    running.step_once()
    time = running.time
    assert not running.playing
    assert not running.advance(1.0)
    running.step_once()
    assert running.time == pytest.approx(time + 0.002)
    running.reset()
    assert (running.time, running.playing) == (0.0, False)
    running.toggle()
    assert running.playing
    running.pause()
    running.play()
    assert running.advance(1 / 60)


def test_physics_takes_its_share_of_a_frame_and_no_more() -> None:
    frame, tick = 1 / 60, 1e-3
    running = Session(
        PAPER.with_value("playback.auto_speed", False).with_value("playback.speed", 1000.0), clock=Clock(tick)
    )
    looks = PHYSICS_SHARE * frame / tick
    running.advance(frame)
    assert 0 < running.time <= (looks + 2) * 256 * PAPER.solver.step
    for _ in range(120):
        running.advance(frame)
    now = running.snapshot()
    assert now.speed == 1000.0
    assert 0 < now.speed_reached < 100.0
    assert now.speed_reached == pytest.approx(now.time / (121 * frame), rel=0.1)
    running.change("playback.speed", 0.1)
    time = running.time
    running.advance(frame)  # no debt is left to work off
    assert running.time - time <= (BACKLOG * 1000.0) * 0.1
    running.advance(1000.0)
    assert running.time - time < 0.1 * (LONGEST_FRAME + 3 * frame)


@pytest.mark.parametrize("speed", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("name", ["paper-fig1", "ode-blog", "dzhanibekov"])
def test_the_trail_is_smooth_at_every_speed(name: str, speed: float) -> None:
    running = session(Scenario.preset(name), playback__speed=speed, playback__auto_speed=False)
    play(running, 1.0)
    trail = running.snapshot().trail
    rows = trail.rows(0, trail.count)
    assert rows[0, 0] == 0.0
    steps = np.diff(rows[:, 0])
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)
    turned = np.linalg.norm(rows[:-1, 1:4], axis=1) * steps
    assert turned.max() <= max(
        TRAIL_ANGLE, 1.01 * running.scenario.solver.step * np.linalg.norm(rows[:, 1:4], axis=1).max()
    )
    assert running.time - rows[-1, 0] <= steps[0] * (1 + 1e-9)


def test_the_trail_follows_a_force_from_rest() -> None:
    running = session(
        start__angular_velocity=(0.0, 0.0, 0.0), loads__force=(0.0, 1.0, 0.0), loads__arm=(0.5, 0.0, 0.0)
    )
    assert running.snapshot().period is None
    play(running, 3.0)
    rows = running.snapshot().trail.rows(0, running.snapshot().trail.count)
    turned = np.linalg.norm(rows[1:, 1:], axis=1) * np.diff(rows[:, 0])
    assert turned.max() <= 1.3 * TRAIL_ANGLE
    assert len(rows) > 50


def test_faster_and_slower() -> None:
    running = session()
    running.faster()
    assert (running.speed, running.scenario.playback.auto_speed) == (1.5, False)
    running.slower()
    running.slower()
    assert running.speed == 0.7


def test_slow_motion_shows_what_is_known_between_steps_and_nothing_else() -> None:
    """Steps of 1/60 s at a hundredth of the speed: a step takes 100 frames."""
    slow = {"solver__integration_period": 1 / 60, "solver__extra_substeps": 0, "playback__speed": 0.01}
    for name in ("exact-drift", "exact", "symmetric-top", "split"):
        scenario = Scenario.preset("disc" if name == "symmetric-top" else "paper-fig1")
        running = session(scenario, solver__integrator=name, playback__auto_speed=False, **slow)
        exact = FreeRotation(running.snapshot().body, running.scenario.start_state())
        times = []
        for _ in range(250):
            running.advance(1 / 60)
            now = running.snapshot()
            times.append(now.time)
            if name != "split":
                np.testing.assert_allclose(
                    now.orientation_wxyz, exact.at(now.time).orientation_wxyz, atol=1e-13
                )
        moves = np.diff(times)
        assert moves.max() == pytest.approx(1 / 6000 if name != "split" else 1 / 60, rel=1e-6)
        assert (moves == 0.0).sum() == (0 if name != "split" else 247)
        running.pause()
        assert running.snapshot().time == times[-1]  # nothing jumps
        if name != "split":
            running.reverse()
            assert running.snapshot().time == pytest.approx(times[-1], abs=1e-15)
            running.advance(1 / 60)
            assert running.snapshot().time == pytest.approx(times[-2], abs=1e-12)


def test_a_drag_on_the_timeline_and_on_from_there() -> None:
    running = session()
    play(running, 3.0)
    there = running.snapshot()
    play(running, 3.0)
    running.pause()
    begin, end = running.span
    assert (begin, end) == (0.0, running.time)
    running.seek(there.time)
    np.testing.assert_allclose(running.snapshot().omega_world, there.omega_world, rtol=1e-3)
    assert running.span == (begin, end)
    running.seek(1e9)
    assert running.time == end
    running.seek(-5.0)
    assert running.time == begin
    running.play()
    play(running, 1.0)
    assert running.time == pytest.approx(1.0, abs=1e-3)
    assert running.span == (begin, end)


def test_the_scene_has_the_loads_of_the_moment_shown() -> None:
    running = session()
    play(running, 1.0)
    running.change("loads.external_friction", 0.01)
    play(running, 1.0)
    running.change("loads.pulse", 0.5)  # of the hand, not of the moment
    assert running.span[1] == running.time
    running.seek(0.5)
    assert running.scenario.loads.external_friction == 0.0
    assert running.scenario.loads.pulse == 0.5
    play(running, 1.0)
    assert running.scenario.loads.external_friction == 0.01
    running.seek(0.5)
    running.change("loads.external_friction", 0.02)
    assert running.span[1] == running.time
    running.undo()
    assert running.scenario.loads.external_friction == 0.0


def test_backwards_over_the_start() -> None:
    running = session()
    play(running, 1.0)
    running.reverse()
    assert (running.backwards, running.playing) == (True, True)
    play(running, 2.0)
    assert running.time == pytest.approx(-1.0, abs=1e-3)
    exact = FreeRotation(running.snapshot().body, PAPER.start_state()).at(running.time)
    running.pause()
    running.seek(running.time)
    np.testing.assert_allclose(running.snapshot().omega_body, exact.omega_body, atol=1e-11)  # measured: 1e-13
    running.reverse()
    play(running, 0.5)
    assert running.time == pytest.approx(-0.5, abs=2e-3)
    running.reset()
    assert (running.time, running.backwards, running.span) == (0.0, False, (0.0, 0.0))


def test_what_cannot_run_backwards_says_why() -> None:
    running = session(solver__integrator="jolt")
    play(running, 1.0)
    running.reverse()
    assert not running.backwards
    assert running.message == "Time does not run backwards: with Jolt a step back does not undo a step"
    running.reset()
    running.change("solver.integrator", "split")
    play(running, 1.0)
    running.change("loads.internal_friction", 0.01)
    play(running, 1.0)
    running.change("loads.internal_friction", 0.0)
    play(running, 1.0)
    running.reverse()
    play(running, 2.0)  # into the segment with friction
    assert not running.playing
    assert running.time == pytest.approx(2.0, abs=1e-3)
    assert running.message is not None
    assert "internal friction" in running.message
    running.step_once(-1)
    assert running.time == pytest.approx(2.0, abs=1e-3)
    running.seek(1.5)
    assert running.scenario.loads.internal_friction == 0.01


def test_a_loop_over_one_period() -> None:
    running = session()
    play(running, 1.0)
    first = running.time
    running.toggle_loop()
    period = running.snapshot().period
    assert period is not None
    assert running.loop == (first, first + period)
    start, times = running.snapshot().omega_body, []
    for _ in range(60 * 16):
        running.advance(1 / 60)
        times.append(running.time)
    assert first <= min(times)
    assert max(times) <= first + period + 1e-4
    assert (np.diff(times) < 0).sum() == 2
    running.seek(first + period)
    np.testing.assert_allclose(running.snapshot().omega_body, start, atol=1e-3)
    running.toggle_loop()
    play(running, 1.0)
    assert running.time > first + period
    rest = session(start__angular_velocity=(0.0, 0.0, 0.0))
    rest.toggle_loop()
    assert rest.loop is None
    assert "no period" in (rest.message or "")


def test_to_the_next_flip() -> None:
    running = session()
    running.pause()
    flips = []
    for _ in range(3):
        running.jump_to_flip()
        while running.moving:
            running.advance(1 / 60)
        flips.append(running.time)
        assert abs(running.snapshot().omega_body[1]) < 1e-3  # the middle axis; within half a step
        assert not running.playing
    np.testing.assert_allclose(np.diff(flips), 3.50354, atol=2e-4)
    for preset, why in (("sphere", "no flip"), ("rod", "free motion only")):
        other = session(Scenario.preset(preset))
        other.jump_to_flip()
        assert why in (other.message or "")
        assert other.time == 0.0

"""The playback clock: its fraction of a frame, backwards, step by step, loops and flips."""

import math

import numpy as np
import pytest
from helpers.playing import PAPER, Clock, play, session

from viewer.common.errors import InputError
from viewer.physics import rotation
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


def test_the_clock_runs_at_the_speed() -> None:
    running = session()
    assert (running.playback.playing, running.motion.time, running.scene.speed) == (True, 0.0, 1.0)
    play(running, 2.0)
    assert running.motion.time == pytest.approx(2.0, abs=running.scenario.solver.step)
    running.change({"playback.speed": 0.1})
    assert (running.scene.speed, running.scenario.playback.auto_speed) == (0.1, False)
    play(running, 2.0)
    assert running.motion.time == pytest.approx(2.2, abs=2 * running.scenario.solver.step)
    assert running.scene.speed_reached == 0.1


def test_a_frame_without_a_step_changes_nothing() -> None:
    running = session(solver__integrator="split", solver__integration_period=0.5, solver__extra_substeps=0)
    revision = running.status.revision
    assert not running.scene.advance(0.1)
    assert running.status.revision == revision
    for _ in range(3):
        assert not running.scene.advance(0.1)
    assert running.scene.advance(0.11)
    assert running.motion.time == 0.5
    for nothing in (0.0, -1.0, float("nan")):
        assert not running.scene.advance(nothing)


def test_the_motion_is_that_of_the_physics() -> None:
    running = session()
    running.run_to(7.0)
    now = running.snapshot()
    exact = FreeRotation(now.body, PAPER.start_state()).at(now.reading.time)
    np.testing.assert_allclose(now.reading.omega_body, exact.omega_body, atol=1e-11)  # measured: 3e-13
    np.testing.assert_allclose(now.reading.orientation_wxyz, exact.orientation_wxyz, atol=1e-11)
    np.testing.assert_allclose(
        now.reading.rotation_world_from_body, rotation.rotation_matrix(now.reading.orientation_wxyz)
    )
    np.testing.assert_allclose(
        now.reading.omega_world, now.reading.rotation_world_from_body @ now.reading.omega_body, atol=1e-14
    )
    assert now.period == pytest.approx(7.00707, abs=1e-5)
    assert now.energy_bounds == pytest.approx((0.1975005, 0.8512953), abs=1e-7)
    assert now.reading.energy == pytest.approx(0.2368125, rel=1e-12)
    assert now.reading.target_energy == pytest.approx(0.2368125, rel=1e-12)
    np.testing.assert_allclose(now.reading.angular_momentum_world, now.start_angular_momentum_world, rtol=1e-12)


def test_playing_and_running_to_a_time_agree() -> None:
    played, run = session(), session()
    play(played, 3.0)
    run.run_to(played.motion.time)
    np.testing.assert_allclose(
        played.snapshot().reading.orientation_wxyz, run.snapshot().reading.orientation_wxyz, atol=1e-15
    )
    run.scene.run_on_to(played.motion.time + 1.0)
    assert run.motion.time == pytest.approx(played.motion.time + 1.0, abs=1e-4)
    with pytest.raises(InputError, match="time: 1 s is outside"):
        run.scene.run_on_to(1.0)
    for bad in (-1.0, math.nextafter(1e6, math.inf), float("nan")):
        with pytest.raises(InputError, match=r"time: \S+ s is outside 0 to 1e6 s"):
            run.run_to(bad)


def test_pause_step_reset() -> None:
    running = session()
    play(running, 0.5)
    running.playback.step_once()
    time = running.motion.time
    assert not running.playback.playing
    assert not running.scene.advance(1.0)
    running.playback.step_once()
    assert running.motion.time == pytest.approx(time + 0.002)
    running.reset()
    assert (running.motion.time, running.playback.playing) == (0.0, False)
    running.playback.toggle()
    assert running.playback.playing
    running.playback.pause()
    running.playback.play()
    assert running.scene.advance(1 / 60)


def test_slow_motion_shows_what_is_known_between_steps_and_nothing_else() -> None:
    """Steps of 1/60 s at a hundredth of the speed: a step takes 100 frames."""
    slow = {"solver__integration_period": 1 / 60, "solver__extra_substeps": 0, "playback__speed": 0.01}
    for name in ("exact-drift", "exact", "symmetric-top", "split"):
        scenario = Scenario.preset("disc" if name == "symmetric-top" else "paper-fig2")
        running = session(scenario, solver__integrator=name, playback__auto_speed=False, **slow)
        exact = FreeRotation(running.snapshot().body, running.scenario.start_state())
        times = []
        for _ in range(250):
            running.scene.advance(1 / 60)
            now = running.snapshot()
            times.append(now.reading.time)
            if name != "split":
                np.testing.assert_allclose(
                    now.reading.orientation_wxyz, exact.at(now.reading.time).orientation_wxyz, atol=1e-13
                )
        moves = np.diff(times)
        assert moves.max() == pytest.approx(1 / 6000 if name != "split" else 1 / 60, rel=1e-6)
        assert (moves == 0.0).sum() == (0 if name != "split" else 247)
        running.playback.pause()
        assert running.snapshot().reading.time == times[-1]  # nothing jumps
        if name != "split":
            running.playback.reverse()
            assert running.snapshot().reading.time == pytest.approx(times[-1], abs=1e-15)
            running.scene.advance(1 / 60)
            assert running.snapshot().reading.time == pytest.approx(times[-2], abs=1e-12)


def test_a_drag_on_the_timeline_and_on_from_there() -> None:
    running = session()
    play(running, 3.0)
    there = running.snapshot()
    play(running, 3.0)
    running.playback.pause()
    begin, end = running.motion.span
    assert (begin, end) == (0.0, running.motion.time)
    running.playback.seek(there.reading.time)
    np.testing.assert_allclose(running.snapshot().reading.omega_world, there.reading.omega_world, rtol=1e-3)
    assert running.motion.span == (begin, end)
    running.playback.seek(1e9)
    assert running.motion.time == end
    running.playback.seek(-5.0)
    assert running.motion.time == begin
    running.playback.play()
    play(running, 1.0)
    assert running.motion.time == pytest.approx(1.0, abs=1e-3)
    assert running.motion.span == (begin, end)


def test_the_scene_has_the_loads_of_the_moment_shown() -> None:
    running = session()
    play(running, 1.0)
    running.change({"loads.external_friction": 0.01})
    play(running, 1.0)
    running.change({"loads.pulse": 0.5})  # of the hand, not of the moment
    assert running.motion.span[1] == running.motion.time
    running.playback.seek(0.5)
    assert running.scenario.loads.external_friction == 0.0
    assert running.scenario.loads.pulse == 0.5
    play(running, 1.0)
    assert running.scenario.loads.external_friction == 0.01
    running.playback.seek(0.5)
    running.change({"loads.external_friction": 0.02})
    assert running.motion.span[1] == running.motion.time
    running.undo()
    assert running.scenario.loads.external_friction == 0.0


def test_backwards_over_the_start() -> None:
    running = session()
    play(running, 1.0)
    running.playback.reverse()
    assert (running.playback.backwards, running.playback.playing) == (True, True)
    play(running, 2.0)
    assert running.motion.time == pytest.approx(-1.0, abs=1e-3)
    exact = FreeRotation(running.snapshot().body, PAPER.start_state()).at(running.motion.time)
    running.playback.pause()
    running.playback.seek(running.motion.time)
    np.testing.assert_allclose(running.snapshot().reading.omega_body, exact.omega_body, atol=1e-11)  # measured: 1e-13
    running.playback.reverse()
    play(running, 0.5)
    assert running.motion.time == pytest.approx(-0.5, abs=2e-3)
    running.reset()
    assert (running.motion.time, running.playback.backwards, running.motion.span) == (0.0, False, (0.0, 0.0))


def test_a_press_runs_its_way_and_pauses_what_runs_that_way() -> None:
    running = session()
    play(running, 1.0)
    seen = []
    for sign in (1, 1, -1, -1, -1, 1, 1):
        running.status.report("A message")
        running.playback.press(sign)
        assert running.scene.message is None
        before = running.motion.time
        play(running, 0.5)
        seen.append(round(running.motion.time - before, 1))
    assert seen == [0.0, 0.5, -0.5, 0.0, -0.5, 0.5, 0.0]


@pytest.mark.parametrize("go", ["seek", "go_to"])
def test_between_two_steps_a_time_is_gone_to_and_not_what_the_clock_was_ahead(go: str) -> None:
    running = session(solver__integration_period=0.1, solver__extra_substeps=0, playback__speed=0.1)
    running.run_to(2.0)
    play(running, 0.5)
    assert 0.3 < running.playback.ahead < 0.7
    getattr(running.playback, go)(1.0)
    assert running.playback.ahead == 0.0
    assert running.snapshot().reading.time == pytest.approx(1.0, abs=1e-12)


def test_every_frame_on_the_way_to_a_time_is_shown() -> None:
    running = Session(PAPER, playing=False, clock=Clock(1e-3))
    running.playback.go_to(10.0)
    shown = []
    while running.scene.moving and len(shown) < 1000:
        assert running.scene.advance(1 / 60)
        shown.append(running.snapshot().reading.time)
        assert shown[-1] == running.motion.time
    assert len(shown) > 2
    assert (np.diff(shown) > 0.0).all()
    assert shown[-1] == pytest.approx(10.0, abs=PAPER.solver.step)


def test_what_cannot_run_backwards_says_why() -> None:
    running = session(solver__integrator="jolt")
    play(running, 1.0)
    running.playback.reverse()
    assert not running.playback.backwards
    assert (
        running.scene.message
        == "Time does not run backwards: with the integrator Jolt a step back does not undo a step"
    )
    running.playback.toggle()
    assert running.scene.message is None
    running.playback.toggle()
    running.reset()
    running.change({"solver.integrator": "split"})
    play(running, 1.0)
    running.change({"loads.internal_friction": 0.01})
    play(running, 1.0)
    running.change({"loads.internal_friction": 0.0})
    play(running, 1.0)
    running.playback.reverse()
    play(running, 2.0)  # into the segment with friction
    assert not running.playback.playing
    assert running.motion.time == pytest.approx(2.0, abs=1e-3)
    assert running.scene.message is not None
    assert "internal friction" in running.scene.message
    running.playback.step_once(-1)
    assert running.motion.time == pytest.approx(2.0, abs=1e-3)
    running.playback.seek(1.5)
    assert running.scenario.loads.internal_friction == 0.01


def test_a_loop_over_one_period() -> None:
    running = session()
    play(running, 1.0)
    first = running.motion.time
    running.playback.toggle_loop()
    period = running.snapshot().period
    assert period is not None
    assert running.playback.loop == (first, first + period)
    start, times = running.snapshot().reading.omega_body, []
    for _ in range(60 * 16):
        running.scene.advance(1 / 60)
        times.append(running.motion.time)
    assert first <= min(times)
    assert max(times) <= first + period + 1e-4
    assert (np.diff(times) < 0).sum() == 2
    running.playback.seek(first + period)
    np.testing.assert_allclose(running.snapshot().reading.omega_body, start, atol=1e-3)
    running.playback.toggle_loop()
    play(running, 1.0)
    assert running.motion.time > first + period
    rest = session(start__angular_velocity=(0.0, 0.0, 0.0))
    rest.playback.toggle_loop()
    assert rest.playback.loop is None
    assert "no period" in (rest.scene.message or "")


def test_to_the_next_flip() -> None:
    running = session()
    running.playback.pause()
    flips = []
    for _ in range(3):
        running.playback.jump_to_flip()
        while running.scene.moving:
            running.scene.advance(1 / 60)
        flips.append(running.motion.time)
        assert abs(running.snapshot().reading.omega_body[1]) < 1e-3  # the middle axis; within half a step
        assert not running.playback.playing
    np.testing.assert_allclose(np.diff(flips), 3.50354, atol=2e-4)
    for preset, why in (("sphere", "no flip"), ("rod", "free motion only")):
        other = session(Scenario.preset(preset))
        other.playback.jump_to_flip()
        assert why in (other.scene.message or "")
        assert other.motion.time == 0.0


def test_a_long_way_to_a_time_is_gone_in_short_parts_and_ends_in_the_same_state() -> None:
    """So that a window that saves a film is drawn and heard meanwhile."""
    fine = {"solver__integration_period": 1e-4, "solver__integrator": "split"}
    whole, parts = session(**fine), session(**fine)
    parts.scene._clock.tick = 0.02  # type: ignore[attr-defined]
    count = 0
    while not parts.scene.approach(3.0):
        count += 1
    assert count > 10
    assert 2.0 < parts.motion.time < 3.0
    one, other = (running.scene.snapshot_at(3.0).reading for running in (whole, parts))
    assert one.time == other.time
    np.testing.assert_array_equal(one.orientation_wxyz, other.orientation_wxyz)
    np.testing.assert_array_equal(one.omega_body, other.omega_body)

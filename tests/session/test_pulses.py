"""Torque pulses on a running motion."""

import numpy as np
import pytest
from helpers.playing import play, session

from viewer.scenario.scenario import Scenario
from viewer.session.session import Session
from viewer.session.snapshot import Reading


def test_a_pulse_acts_on_the_running_motion_and_is_seen_while_paused() -> None:
    running = session()
    play(running, 1.0)
    running.playback.pause()
    before, rows, revision = running.snapshot(), running.snapshot().trail.count, running.status.revision
    scenario = running.scenario
    running.pulse(2, -1)
    now = running.snapshot()
    assert running.status.revision > revision
    assert (now.reading.time, running.playback.playing, running.scenario) == (before.reading.time, False, scenario)
    change = before.body.principal_moments * (now.reading.omega_body - before.reading.omega_body)
    np.testing.assert_allclose(change, (0, 0, -0.02), atol=1e-16)
    np.testing.assert_array_equal(now.reading.rotation_world_from_body, before.reading.rotation_world_from_body)
    assert now.trail.count == rows + 2  # where it was and where it is
    np.testing.assert_allclose(  # measured 7e-16
        now.trail.rows(rows, rows + 2)[:, 1:4], (before.reading.omega_world, now.reading.omega_world), rtol=2e-15
    )
    assert now.period is not None
    assert abs(now.period - before.period) > 0.01
    assert now.reading.target_energy == pytest.approx(now.reading.energy, rel=1e-12)
    assert not np.array_equal(now.curves.polhode, before.curves.polhode)
    on_it = now.curves.polhode**2 @ now.body.principal_moments / 2
    np.testing.assert_allclose(on_it, now.reading.energy, rtol=1e-9)


def test_each_pulse_is_undone_and_redone_and_the_start_lies_before_it() -> None:
    running = session(solver__integrator="exact")
    running.change({"loads.pulse": 0.05})
    running.commit_change()
    play(running, 1.0)
    moments, free = running.motion.body.principal_moments, running.snapshot().reading.omega_body
    running.pulse(0, 1)
    kicked = running.snapshot().reading
    np.testing.assert_allclose(moments * (kicked.omega_body - free), (0.05, 0.0, 0.0), atol=1e-12)
    play(running, 0.5)
    running.pulse(1, 1)
    play(running, 0.5)
    twice = running.snapshot().reading
    running.undo()  # the second one: the motion is that after the first, at the same time
    once = running.snapshot().reading
    assert once.time == twice.time
    np.testing.assert_allclose(once.angular_momentum_world, kicked.angular_momentum_world, rtol=1e-12)
    running.undo()
    np.testing.assert_allclose(
        running.snapshot().reading.angular_momentum_world, session().snapshot().reading.angular_momentum_world,
        rtol=1e-12,
    )  # fmt: skip
    running.undo()  # the size of the pulse
    assert running.scenario.loads.pulse == 0.02
    for _ in range(3):
        running.redo()
    again = running.snapshot().reading
    assert again.time == twice.time
    np.testing.assert_allclose(again.omega_body, twice.omega_body, rtol=1e-9)
    running.reset()
    np.testing.assert_array_equal(running.snapshot().reading.omega_body, session().snapshot().reading.omega_body)
    running.change({"loads.pulse": 0.0})
    revision = running.status.revision
    running.pulse(0, 1)
    assert running.status.revision == revision


def test_undo_of_an_old_pulse_shows_nothing_of_the_way_to_the_present() -> None:
    running = session(solver__integration_period=1e-4, solver__integrator="split")
    running.pulse(0, 1)
    play(running, 2.0)
    running.playback.pause()
    before = running.snapshot()
    running.scene._clock.tick = 0.001  # type: ignore[attr-defined]
    running.undo()
    revision, shown, times = running.status.revision, running.snapshot(), []
    while running.playback.catching_up:
        assert (running.snapshot(), running.status.revision) == (shown, revision)  # no picture is drawn
        running.scene.advance(1 / 60)
        times.append(running.motion.time)
    assert shown is before
    assert len(times) > 10
    assert times == sorted(times)
    now = running.snapshot()
    assert now.reading.time == before.reading.time
    np.testing.assert_array_equal(now.reading.omega_body, _free(before.reading.time).omega_body)


def _free(time: float) -> Reading:
    """The same motion without a pulse."""
    free = session(solver__integration_period=1e-4, solver__integrator="split")
    free.run_to(time)
    return free.snapshot().reading


def test_a_pulse_sets_a_body_at_rest_in_motion() -> None:
    running = session(start__angular_velocity=(0.0, 0.0, 0.0))
    assert running.snapshot().period is None
    running.pulse(1, 1)
    assert running.snapshot().reading.omega_body[1] == pytest.approx(0.02 / 0.052)
    play(running, 0.5)
    running.pulse(1, -1)
    assert running.snapshot().reading.energy == pytest.approx(0, abs=1e-20)


def test_a_pulse_far_too_large_for_a_small_body_says_that_the_step_is_too_long() -> None:
    """1 N m s about a moment of 1e-13 kg m2: 1e13 rad/s."""
    small = {"body.shape": "moments", "body.moments": (1e-13, 2e-13, 2.5e-13), "loads.pulse": 1.0}
    running = Session(Scenario().with_values(small), playing=True)
    running.pulse(0, 1)
    assert running.snapshot().reading.omega_body[0] == pytest.approx(1e13, rel=1e-15)
    while running.playback.playing:
        running.scene.advance(0.05)
        running.snapshot()
    assert "is too long for this body at this spin; the longest is " in str(running.scene.message)

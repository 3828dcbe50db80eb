"""Which of several bodies is selected: what is read of it, how it comes back, and what diverged bodies do to it."""

import numpy as np
import pytest
from helpers.playing import play
from helpers.several_bodies import running, settle, worst

from viewer.common.errors import InputError
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session


def test_the_selected_bodys_own_motion_is_that_of_the_others() -> None:
    """What the panel and the plots read is what its cell shows: 4e-14 apart where one is stepped."""
    session = running()
    play(session, 3.0)
    for number in (3, 1, 4, 0):
        session.select(number)
        snapshot = session.snapshot()
        assert snapshot.reading.time == pytest.approx(3.0, abs=0.02)
        shown = snapshot.bodies[number].reading
        assert np.abs(shown.omega_body - snapshot.reading.omega_body).max() < 1e-12
        assert np.abs(shown.orientation_wxyz - snapshot.reading.orientation_wxyz).max() < 1e-12
        assert session.motion.span == pytest.approx((0.0, snapshot.reading.time), abs=0.02)
        assert session.scenario.body.moments[1] == pytest.approx(1.05 + 0.2 * number)
        session.playback.seek(1.0)
        settle(session)
        assert worst(session) < 1e-12
        session.playback.go_to(3.0)
        settle(session)


def test_a_body_selected_late_has_a_record_and_goes_on_from_there() -> None:
    session = running(solver__integration_period=0.1)
    session.run_to(3600.0)
    session.select(2)
    assert session.motion.time == pytest.approx(3600.0, abs=1e-6)
    settle(session)
    assert worst(session) < 1e-12
    snapshot = session.snapshot()
    assert np.abs(snapshot.bodies[2].reading.omega_body - snapshot.reading.omega_body).max() < 1e-11  # 2e-13
    session.playback.seek(1800.0)
    settle(session)
    snapshot = session.snapshot()
    assert snapshot.reading.time == pytest.approx(1800.0, abs=0.1)
    assert np.abs(snapshot.bodies[2].reading.omega_body - snapshot.reading.omega_body).max() < 1e-11


@pytest.mark.parametrize("friction", [0.0, 0.01])
def test_the_automatic_speed_is_that_of_the_scene_whichever_body_is_selected(friction: float) -> None:
    """Their periods, 14 s to 79 s, would ask for speeds of 1.5 to 10."""
    session = Session(Scenario.preset("twenty-boxes"))
    session.change({"playback.auto_speed": True, "loads.external_friction": friction})
    wanted = session.scene.speed
    periods = sorted(body.period or 0.0 for body in session.snapshot().bodies)
    assert periods[9] / wanted == pytest.approx(8.0, abs=2.0)  # s on the wall
    for number in (0, 10, 19):
        session.select(number)
        assert session.scene.speed == wanted


def test_a_body_that_has_diverged_is_not_selected_and_time_stays() -> None:
    session = running(solver__integrator="explicit-euler", solver__integration_period=0.1)
    session.change({"start.angular_velocity": (0.0, 0.0, 1.0)})  # a steady spin: it stays
    session.run_to(150.0)
    number, gone = next((n, body) for n, body in enumerate(session.snapshot().bodies) if body.stopped)
    session.select(number)
    assert session.scene.selected == 0
    assert session.motion.time == pytest.approx(150.0)
    assert session.scene.message == f"Body b{number} diverged at t = {gone.reading.time:.4g} s; scrub back to see it"
    session.playback.seek(1.0)
    session.select(number)
    assert session.scene.selected == number
    assert session.motion.time == pytest.approx(1.0)
    assert session.snapshot().stopped is None


def test_the_selected_body_that_diverges_says_so_until_time_goes_back() -> None:
    session = running(solver__integrator="explicit-euler", solver__integration_period=0.1)
    with pytest.raises(InputError, match="diverged"):
        session.run_to(400.0)
    session.playback.play()
    session.scene.advance(0.25)
    snapshot = session.snapshot()
    assert "diverged" in (snapshot.stopped or "")
    assert session.scene.message == f"Body b0: {snapshot.stopped}; to go on, select another body"
    assert snapshot.bodies[0].stopped == snapshot.stopped
    last = session.motion.time
    session.playback.seek(last - 5.0)
    assert session.snapshot().stopped is None
    session.playback.go_to(last)
    settle(session)
    assert session.snapshot().stopped
    session.change({"solver.integrator": "split"})
    assert session.snapshot().stopped is None


def test_undo_selects_the_body_that_it_changes() -> None:
    session = running()
    session.select(1)
    session.change({"body.moments": (1.0, 1.5, 2.2)})
    session.commit_change()
    session.select(3)
    session.undo()
    assert session.scene.selected == 1
    assert session.scenario.body.moments == (1.0, 1.25, 2.1)
    session.select(4)
    session.redo()
    assert session.scene.selected == 1


@pytest.mark.parametrize(("number", "seconds"), [(3, 2.0), (7, 5.3)])
def test_a_body_selected_later_comes_back_within_rounding(number, seconds):
    """After friction is set and taken back; measured: 1.8e-15."""
    session = Session(Scenario.preset("twenty-boxes"), playing=False)
    session.scene.run_on_to(seconds)
    session.select(number)
    before = session.snapshot().reading
    session.change({"loads.external_friction": 0.02})
    session.commit_change()
    session.undo()
    while session.playback.destination != session.motion.time and session.scene.moving:
        session.scene.advance(0.02)
    after = session.snapshot().reading
    assert after.time == before.time
    np.testing.assert_allclose(after.omega_body, before.omega_body, rtol=0, atol=1e-13)
    np.testing.assert_allclose(after.orientation_wxyz, before.orientation_wxyz, rtol=0, atol=1e-13)


def test_another_body_goes_on_where_the_selected_one_has_diverged() -> None:
    session = running(solver__integrator="explicit-euler", solver__integration_period=0.1)
    session.select(1)
    session.change({"start.angular_velocity": (0.0, 0.0, 1.0)})  # a steady spin: it stays
    session.select(0)
    with pytest.raises(InputError, match="diverged"):
        session.run_to(400.0)
    last = session.motion.time
    session.select(1)
    assert session.scene.selected == 1
    session.playback.play()
    session.scene.advance(0.25)
    settle(session)
    assert session.motion.time > last
    assert session.snapshot().bodies[0].stopped

"""The trail of a motion, wherever time goes: the path of omega and of the centre of mass."""

import numpy as np
import pytest
from helpers.playing import PAPER, motion, play, session

from viewer.physics.exact.free_rotation import FreeRotation
from viewer.scenario.scenario import Scenario
from viewer.session.checkpoints import POSITION_COLUMN, RECENT, TRAIL_ANGLE
from viewer.session.motion import Motion, steps_per_row


@pytest.mark.usefixtures("room")
@pytest.mark.parametrize("integrator", ["exact-drift", "split"])
def test_the_trail_after_a_jump_is_that_of_the_way_there(integrator: str) -> None:
    scenario = PAPER.with_value("solver.integrator", integrator)
    on_the_way = Motion(scenario, capacity=RECENT)
    on_the_way.run(30000)
    rows = on_the_way.snapshot().trail.rows(0, RECENT)
    moving = Motion(scenario)
    moving.run(60000)
    moving.seek(rows[-1, 0])
    again = moving.snapshot().trail.rows(0, RECENT)
    assert len(again) > 20
    spacing = np.diff(rows[:, 0])[0]
    np.testing.assert_allclose(np.diff(again[:, 0]), spacing)
    assert again[-1, 0] == pytest.approx(rows[-1, 0], abs=spacing)
    for axis in range(1, 7):  # the same curve, whatever moments its rows stand for
        np.testing.assert_allclose(again[:, axis], np.interp(again[:, 0], rows[:, 0], rows[:, axis]), atol=5e-3)


@pytest.mark.parametrize("integrator", ["exact-drift", "split"])
def test_a_trail_whose_rows_are_gone_is_made_again(integrator: str) -> None:
    """There is room for a quarter of the way; 6000 steps, which are made again, are 44 rows."""
    scenario = PAPER.with_value("solver.integrator", integrator)
    moving = Motion(scenario, capacity=64)
    moving.run(60000)
    moving.seek(2.0)
    ring = moving.snapshot().trail
    rows = ring.rows(ring.first, ring.count)
    assert len(rows) > 40
    spacing = np.diff(rows[:, 0])
    np.testing.assert_allclose(spacing, spacing[0], rtol=1e-9)
    assert 2.0 - spacing[0] <= rows[-1, 0] <= 2.0
    exact = FreeRotation(scenario.rigid_body(), scenario.start_state()).at(rows[:, 0])
    np.testing.assert_allclose(rows[:, 4:7], exact.omega_body, atol=1e-11 if integrator == "exact-drift" else 1e-6)


@pytest.mark.parametrize("integrator", ["exact-drift", "split"])
def test_a_trail_that_was_made_again_grows_with_the_motion_and_is_not_made_once_more(integrator: str) -> None:
    moving = Motion(PAPER.with_value("solver.integrator", integrator), capacity=64)
    moving.run(60000)
    moving.seek(2.0)
    began = moving.snapshot().trail
    before = began.rows(began.first, began.count)
    for _ in range(10):
        moving.run(400)
        ring = moving.snapshot().trail
        assert (ring.source, ring.generation) == (began.source, began.generation)  # so only new rows are drawn
    rows = ring.rows(ring.first, ring.count)
    np.testing.assert_array_equal(rows[: len(before)], before)
    assert len(rows) > len(before) + 20
    np.testing.assert_allclose(np.diff(rows[:, 0]), rows[1, 0] - rows[0, 0], rtol=1e-9)
    assert moving.time - (rows[1, 0] - rows[0, 0]) <= rows[-1, 0] <= moving.time


def times_of_trail(moving: Motion) -> list[float]:
    """Of all rows."""
    ring = moving.snapshot().trail
    found: list[float] = ring.rows(ring.first, ring.count)[:, 0].tolist()
    return found


@pytest.mark.parametrize("integrator", ["exact-drift", "jolt"])
def test_the_trail_is_wound_back_and_forth(integrator: str) -> None:
    moving = motion(solver__integrator=integrator)
    moving.run(20000)
    ring, times = moving.snapshot().trail, times_of_trail(moving)
    rows = ring.rows(0, ring.count)
    moving.seek(times[-40] + 1e-9)
    assert times_of_trail(moving) == times[:-39]
    moving.run(500)  # what is known comes again
    moving.seek(times[-1])
    ring = moving.snapshot().trail
    np.testing.assert_array_equal(ring.rows(0, ring.count), rows)
    assert ring.generation == 1  # so that nothing had to be drawn anew
    if integrator == "exact-drift":
        moving.run(-12000)
        assert times_of_trail(moving) == [time for time in times if time <= moving.time]
        moving.run(12000)
        assert times_of_trail(moving) == times


def test_a_trail_that_was_cut_off_does_not_come_back() -> None:
    moving = motion()
    moving.run(20000)
    moving.seek(1.0)
    moving.pulse((0.0, 0.01, 0.02))
    moving.run(20000)
    times = times_of_trail(moving)
    assert times == sorted(times)
    assert times[-1] == pytest.approx(3.5, abs=0.05)
    assert np.diff(times).max() < 0.05
    moving.seek(0.5)
    moving.seek(3.5)
    assert times_of_trail(moving) == times


def test_the_trail_turns_with_time_at_the_origin() -> None:
    moving = motion()
    moving.run(4000)
    moving.run(-4000)
    moving.run(-4000)
    assert times_of_trail(moving)[0] == 0.0
    assert times_of_trail(moving) == sorted(times_of_trail(moving), reverse=True)
    moving.run(2000)
    assert times_of_trail(moving)[-1] == pytest.approx(-0.25, abs=0.03)
    moving.run(4000)
    assert times_of_trail(moving)[0] == 0.0
    assert times_of_trail(moving) == sorted(times_of_trail(moving))
    assert times_of_trail(moving)[-1] == pytest.approx(0.25, abs=0.03)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("capacity", [64, RECENT])
@pytest.mark.parametrize("frame", ["space", "body"])
def test_the_trail_holds_the_path_of_the_centre_of_mass_wherever_it_was_made(frame: str, capacity: int) -> None:
    """A force through the centre and an initial velocity: a parabola, also where the rows are made again; and a force
    that turns with the body, against the same steps one by one."""
    loads = {"loads.force": (0.3, -0.2, 0.5), "loads.frame": frame, "start.linear_velocity": (0.2, 0.0, -0.1)}
    scenario = PAPER.with_values(loads)
    moving = Motion(scenario, capacity=capacity)
    moving.run(40000)
    moving.seek(2.0)
    ring = moving.snapshot().trail
    rows = ring.rows(ring.first, ring.count)
    assert len(rows) > 10
    times, mass = rows[:, :1], scenario.body.mass
    if frame == "space":
        path = np.array([0.2, 0.0, -0.1]) * times + np.array([0.3, -0.2, 0.5]) * times**2 / (2.0 * mass)
        np.testing.assert_allclose(rows[:, POSITION_COLUMN:], path, atol=1e-12)
        return
    simulation = scenario.simulation()
    for row in rows[:: max(1, len(rows) // 8)]:
        simulation.advance_steps(round((row[0] - simulation.time) / simulation.step))
        np.testing.assert_allclose(row[POSITION_COLUMN:], simulation.state.position, atol=1e-9)


def test_a_path_that_a_force_bends_has_rows_enough_where_the_body_does_not_turn() -> None:
    scenario = PAPER.with_values(
        {
            "start.angular_velocity": (0.0, 0.0, 0.0),
            "start.linear_velocity": (1.0, 0.0, 0.0),
            "loads.force": (0.0, 2.0, 0.0),
        }
    )
    moving = Motion(scenario)
    moving.run(round(2.0 / moving.step))
    ring = moving.snapshot().trail
    rows = ring.rows(ring.first, ring.count)
    between = 0.5 * (rows[1:, 0] + rows[:-1, 0])
    sag = between**2 / scenario.body.mass - 0.5 * (rows[1:, 8] + rows[:-1, 8])
    # of 2 m: measured 3e-4 m; with rows by the turning alone there are none but the first
    assert np.abs(sag).max() < 1e-3


@pytest.mark.parametrize("speed", [0.1, 1.0, 20.0])
@pytest.mark.parametrize("name", ["paper-fig2", "ode-blog", "dzhanibekov"])
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
    assert running.motion.time - rows[-1, 0] <= steps[0] * (1 + 1e-9)


def test_the_trail_follows_a_force_from_rest() -> None:
    running = session(start__angular_velocity=(0.0, 0.0, 0.0), loads__force=(0.0, 1.0, 0.0), loads__arm=(0.5, 0.0, 0.0))
    assert running.snapshot().period is None
    play(running, 3.0)
    rows = running.snapshot().trail.rows(0, running.snapshot().trail.count)
    turned = np.linalg.norm(rows[1:, 1:], axis=1) * np.diff(rows[:, 0])
    assert turned.max() <= 1.3 * TRAIL_ANGLE
    assert len(rows) > 50


@pytest.mark.parametrize(("force", "mass"), [(0.5, 0.4), (8.0, 0.4), (8.0, 3.0)])
def test_a_chord_of_the_path_sags_by_as_much_as_is_allowed(force: float, mass: float) -> None:
    """That of a parabola between moments t apart: F/M t^2/8, here a thousandth of the radius of gyration."""
    scenario = PAPER.with_values(
        {"body.mass": mass, "start.angular_velocity": (0.0, 0.0, 1e-3), "loads.force": (0.0, 0.0, force)}
    )
    simulation = scenario.simulation()
    apart = steps_per_row(simulation) * simulation.step
    sag = force / mass * apart**2 / 8.0
    gyration = np.sqrt(min(simulation.body.principal_moments) / mass)
    assert sag / gyration <= 1e-3
    longer = force / mass * (apart + simulation.step) ** 2 / 8.0
    assert longer / gyration > 1e-3

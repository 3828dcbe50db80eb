"""Torque in time in a session: scrubbing, playing backwards, changes on the way, undo, a race that refuses it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from viewer.common.errors import InputError
from viewer.physics.simulation import Simulation
from viewer.race.trajectory import Course
from viewer.scenario.scenario import Scenario
from viewer.session.session import Session

LOADS = {
    "loads.torque_of_time": [
        {"kind": "pulse-train", "amplitude": (0, 0, 0.05), "frame": "body", "period": 0.7, "width": 0.2, "start": 0.1},
        {"kind": "sine", "amplitude": (0.02, 0, 0), "frequency": 0.8},
    ],
    "loads.thrusters": [{"point": (0, 0.2, 0), "force": (0.1, 0, 0.1), "times": (0.55, 1.3)}],
    "start.linear_velocity": (0.1, -0.2, 0.3),
}


def now(session):
    reading = session.motion.snapshot().reading
    return np.concatenate((reading.orientation_wxyz, reading.angular_momentum_world, reading.position))


@pytest.fixture(params=["exact-drift", "exact-drift4", "jolt"])
def session(request):
    scenario = Scenario().with_values({**LOADS, "solver.integrator": request.param, "solver.integration_period": 0.05})
    return Session(scenario, playing=False)


def test_scrubbing_gives_the_same_states_bit_for_bit(session):
    states = {}
    for time in (0.3, 0.6, 1.1, 1.9, 2.5):
        session.scene.run_on_to(time)
        states[time] = now(session)
    for time in (1.1, 0.3, 2.5, 0.6, 1.9):
        session.motion.seek(time)
        assert (now(session) == states[time]).all()


def test_it_plays_backwards_through_every_edge(session):
    if session.scenario.solver.integrator == "jolt":
        with pytest.raises(ValueError, match="backwards"):
            session.motion.run_to(-0.5)
        return
    begin = now(session)
    session.scene.run_on_to(2.0)
    later = now(session)
    session.motion.run_to(-0.5)
    before = now(session)
    assert not np.allclose(before, begin, atol=1e-3)
    simulation = Simulation(
        session.motion.body, session.scenario.start_state(), session.scenario.solver.integrator,
        session.scenario.solver.step, session.scenario.loads_value(),
    )  # fmt: skip
    simulation.advance(-0.5)
    simulation.advance(2.5)
    assert_allclose(np.concatenate((simulation.state.orientation_wxyz, simulation.angular_momentum_world,
                                    simulation.state.position)), later, atol=1e-11)  # fmt: skip


def test_changes_on_the_way_are_undone_and_come_back(session):
    session.scene.run_on_to(0.8)
    session.change({"loads.torque_of_time": [{"kind": "constant", "amplitude": (0, 0.1, 0), "start": 0.0, "end": 1.2}]})
    session.commit_change()
    session.scene.run_on_to(1.6)
    there = now(session)
    session.motion.seek(0.4)
    assert len(session.motion.active.loads.torque_of_time) == 2
    session.motion.seek(1.6)
    assert (now(session) == there).all()
    session.undo()
    assert len(session.scenario.loads.torque_of_time) == 2
    session.redo()
    assert session.scenario.loads.torque_of_time[0].kind == "constant"


def test_the_snapshot_knows_what_acts_now(session):
    session.scene.run_on_to(0.75)
    snapshot = session.snapshot()
    reading, t = snapshot.reading, snapshot.reading.time
    R = reading.rotation_world_from_body
    pulse = R @ (0, 0, 0.05) if (t - 0.1) % 0.7 < 0.2 else np.zeros(3)
    sine = np.array((0.02 * np.sin(1.6 * np.pi * t), 0, 0))
    assert_allclose(snapshot.external_torque, pulse + sine + R @ np.cross((0, 0.2, 0), (0.1, 0, 0.1)), atol=1e-15)
    assert_allclose(snapshot.external_force, R @ (0.1, 0, 0.1), atol=1e-15)
    assert not snapshot.friction_torque.any()
    assert snapshot.moves


def test_a_race_refuses_it(session):
    with pytest.raises(InputError, match="loads"):
        Course.of(session.scenario)


def test_a_linear_velocity_alone_is_a_straight_line():
    session = Session(Scenario().with_value("start.linear_velocity", (0.1, -0.2, 0.3)), playing=False)
    session.scene.run_on_to(2.0)
    snapshot = session.snapshot()
    mass, v = snapshot.body.mass, np.array((0.1, -0.2, 0.3))
    assert_allclose(snapshot.reading.position, v * snapshot.reading.time, rtol=1e-13)
    assert_allclose(snapshot.reading.linear_momentum, mass * v, rtol=1e-15)
    assert snapshot.translational_energy == pytest.approx(mass * 0.14 / 2, rel=1e-14)
    assert snapshot.loads.free

"""The velocity of a point of the body, and the angular acceleration: differences of motions, states one by one."""

import numpy as np
import pytest
from helpers.varying import BODY, START
from numpy.testing import assert_allclose

from viewer import Loads, Simulation, angular_acceleration, point_velocity
from viewer.export.table import POINT_COLUMNS, Table
from viewer.physics.rotation import rotate
from viewer.scenario.scenario import Scenario

LOADS = Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, torque=(0.1, 0.2, -0.3), torque_frame="body")
POINT = (0.4, -0.1, 0.7)


def test_they_are_the_rates_of_change_of_a_motion_under_loads():
    """Central differences over 1e-3 s of a step of order 4. Measured 6e-7."""
    simulation = Simulation(BODY, START, "exact-drift4", 1e-3, LOADS)
    states = simulation.sampled(2001)
    place = states.position + rotate(states.orientation_wxyz, POINT)
    omega = rotate(states.orientation_wxyz, states.omega_body)
    wanted = [(values[2:] - values[:-2]) / 2e-3 for values in (place, omega)]
    found = point_velocity(BODY, states, POINT), angular_acceleration(BODY, states, LOADS.torques_at(states))
    for one, other in zip(found, wanted, strict=True):
        assert_allclose(one[1:-1], other, atol=1e-6)
    last = simulation.state
    torque = LOADS.torque_at(simulation.time, last) + LOADS.friction_at(last)
    assert_allclose(point_velocity(BODY, last, POINT), found[0][-1], rtol=1e-12)
    assert_allclose(angular_acceleration(BODY, last, torque), found[1][-1], rtol=1e-12)


def test_a_matrix_that_is_no_rotation_has_the_rate_of_its_own_omega():
    """omega = R J R^T L, R the matrix that has grown. Measured 3e-7."""
    simulation = Simulation(BODY, START, "matrix-euler", 0.02)
    simulation.advance(2.0)
    simulation.change(integrator="matrix-rk4", step=1e-3)
    states = simulation.sampled(3)
    omega = rotate(states.orientation_wxyz, states.omega_body)
    wanted = (omega[2] - omega[0]) / 2e-3
    assert_allclose(angular_acceleration(BODY, states)[1], wanted, atol=1e-6)
    assert np.abs(states.stretch[1][:3] - 1).max() > 0.01


def test_the_columns_of_a_table_and_a_point_that_is_none():
    scenario = Scenario.preset("dzhanibekov").with_value("start.linear_velocity", (1.0, 0.0, 0.5))
    table = Table(scenario, 1.0, 0.01, point=(0.5, 0.0, 0.0))
    rows = np.concatenate(list(table.blocks()))
    simulation = scenario.simulation()
    simulation.advance(1.0)
    names = [f"angular_acceleration_world_{axis}_rad_per_s2" for axis in "xyz"]
    at = {name: rows[-1, number] for number, name in enumerate(table.columns)}
    wanted = angular_acceleration(simulation.body, simulation.state)
    assert_allclose([at[name] for name in names], wanted, rtol=1e-9)
    wanted = point_velocity(simulation.body, simulation.state, (0.5, 0, 0))
    assert_allclose([at[name] for name in POINT_COLUMNS], wanted, rtol=1e-9)
    with pytest.raises(ValueError, match=r"point: .* is not allowed; it must be three finite numbers"):
        point_velocity(BODY, START, (1, 2))

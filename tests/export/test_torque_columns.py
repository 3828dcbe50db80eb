"""The external torque that is plotted and written: what it adds up to is the change of L."""

import numpy as np
import pytest
from scipy.integrate import simpson

from viewer.export.table import TORQUE_COLUMNS, Table
from viewer.physics.loads import Loads
from viewer.physics.state import SAMPLE, Samples
from viewer.scenario.scenario import Scenario
from viewer.session.quantities import QUANTITIES, Comparison

SCENE = Scenario.from_text(
    """
    solver = { integrator = "exact-drift", integration_period = 0.001, extra_substeps = 0 }
    loads.force = [0.3, -0.2, 0.5]
    loads.arm = [0.1, 0.4, -0.2]
    loads.torque = [0.1, 0.0, -0.3]
    loads.torque_frame = "body"
    loads.external_friction = 0.05
    [[loads.torque_of_time]]
    kind = "sine"
    amplitude = [0.4, 0.1, 0.0]
    frequency = 0.7
    """,
    "a scene",
)


def test_the_columns_of_the_torque_integrate_to_the_change_of_momentum() -> None:
    table = Table(SCENE, 2.0, 0.001)
    rows = np.concatenate(list(table.blocks()))
    at = {name: rows[:, number] for number, name in enumerate(table.columns)}
    for axis, name in zip("xyz", TORQUE_COLUMNS, strict=True):
        momentum = at[f"angular_momentum_world_{axis}_kg_m2_per_s"]
        gained = simpson(at[name], x=at["time_s"])
        assert gained == pytest.approx(momentum[-1] - momentum[0], abs=2e-7)  # the steps' own error: measured 1e-7


def test_the_plotted_torque_is_that_of_the_table_and_none_without_loads() -> None:
    simulation = SCENE.simulation()
    rows = np.empty(50, SAMPLE)
    for n in range(50):
        simulation.advance_steps(20)
        rows[n] = simulation.sample()
    comparison = Comparison(Samples(simulation.body, rows), None, None, simulation.loads)
    table = np.concatenate(list(Table(SCENE, 1.0, 0.02).blocks()))[1:]
    for number, axis in enumerate("xyz"):
        found = QUANTITIES[f"torque_{axis}"].of(comparison)
        np.testing.assert_allclose(found, table[:, -3 + number], rtol=0.0, atol=1e-13)
        free = Comparison(comparison.samples, None, None, Loads(internal_friction=1.0))
        assert QUANTITIES[f"torque_{axis}"].of(free) is None


def test_torques_at_many_states_are_those_one_by_one() -> None:
    simulation = SCENE.simulation()
    states = simulation.sampled(20, 7)
    simulation = SCENE.simulation()
    for torque in simulation.loads.torques_at(states):
        simulation.advance_steps(7)
        expected = simulation.loads.torque_at(simulation.time, simulation.state)
        np.testing.assert_allclose(torque, expected + simulation.loads.friction_at(simulation.state), atol=1e-13)

"""What a weight keeps, in tables, plots and descriptions: E + V, L along the vertical, L along the axis of a top."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from viewer.export.table import WEIGHT_COLUMNS, Table
from viewer.physics.state import SAMPLE, Samples
from viewer.scenario.scenario import Scenario
from viewer.scene.words.describe import facts
from viewer.session.quantities import QUANTITIES, Comparison
from viewer.session.session import Session

TOP: dict[str, Any] = {
    "body.shape": "moments", "body.moments": (0.75, 0.75, 0.4), "body.mass": 1.0, "body.pivot": (0.0, 0.0, -0.5),
    "start.orientation_deg": (30.0, 0.0, 0.0), "start.angular_velocity": (0.0, 0.0, 25.0), "loads.gravity": 9.81,
    "solver.integrator": "exact-drift4", "solver.integration_period": 0.002, "solver.extra_substeps": 0,
}  # fmt: skip
KEPT = ("total_energy", "vertical_momentum", "axial_momentum")


def columns(scenario: Scenario, seconds: float = 1.0) -> dict[str, Any]:
    table = Table(scenario, seconds, 0.05)
    rows = np.concatenate(list(table.blocks()))
    return {name: rows[:, number] for number, name in enumerate(table.columns)}


def plotted(scenario: Scenario) -> Comparison:
    simulation = scenario.simulation()
    rows = np.empty(20, SAMPLE)
    for n in range(len(rows)):
        simulation.advance_steps(25)
        rows[n] = simulation.sample()
    return Comparison(Samples(simulation.body, rows), None, None, simulation.loads)


def test_a_top_keeps_its_whole_energy_while_the_rotational_one_wanders() -> None:
    """Measured: 5e-15 of E + V, 3e-15 of L z; E wanders by 0.14 J, and its target with it to 4e-15."""
    found = columns(Scenario().with_values(TOP))
    E, total = found["rotational_energy_J"], found["total_energy_J"]
    assert np.ptp(E) > 0.1
    assert_allclose(found["target_energy_J"], E, rtol=2e-14)
    assert_allclose(total, total[0], rtol=2e-14)
    assert found["potential_energy_J"][0] == pytest.approx(9.81 * 0.5 * np.cos(np.radians(30)), rel=1e-15)
    momentum = found["angular_momentum_world_z_kg_m2_per_s"]
    assert_allclose(momentum, momentum[0], rtol=1e-14)


def test_a_falling_body_keeps_its_whole_energy() -> None:
    """Measured: 3e-16."""
    falling = Scenario().with_values(TOP | {"body.pivot": (0.0, 0.0, 0.0), "start.linear_velocity": (0.0, 1.0, 2.0)})
    total = columns(falling)["total_energy_J"]
    assert_allclose(total, total[0], rtol=1e-14)


def test_the_plots_show_what_the_table_has() -> None:
    scenario = Scenario().with_values(TOP)
    comparison, table = plotted(scenario), columns(scenario)
    energy, vertical, axial = (QUANTITIES[name].of(comparison) for name in KEPT)
    assert energy is not None
    assert vertical is not None
    assert_allclose(energy, table["total_energy_J"][1:], rtol=1e-15)
    assert_allclose(vertical, table["angular_momentum_world_z_kg_m2_per_s"][1:], rtol=1e-15)
    assert_allclose(axial, 0.4 * 25.0, rtol=1e-13)


def test_only_a_symmetric_top_has_a_momentum_along_its_axis() -> None:
    for changes in ({"body.moments": (0.75, 0.8, 0.4)}, {"body.pivot": (0.1, 0.0, -0.5)}):
        comparison = plotted(Scenario().with_values(TOP | changes))
        assert QUANTITIES["axial_momentum"].of(comparison) is None
        assert QUANTITIES["total_energy"].of(comparison) is not None


def test_without_gravity_there_is_none_of_them() -> None:
    scenario = Scenario().with_values(TOP | {"loads.gravity": 0.0})
    assert not set(WEIGHT_COLUMNS) & set(Table(scenario, 1.0, 0.5).columns)
    assert all(QUANTITIES[name].of(plotted(scenario)) is None for name in KEPT)
    assert facts(Session(scenario, playing=False))["total_energy_J"] is None


def test_a_description_names_what_the_weight_keeps() -> None:
    found = facts(Session(Scenario().with_values(TOP), playing=False))
    assert found["total_energy_J"] == pytest.approx(0.5 * 0.4 * 25**2 + 9.81 * 0.5 * np.cos(np.radians(30)), rel=1e-14)
    assert "The weight alone keeps the energy with its potential energy, 129 J, and L along the" in found["text"]

"""What a weight keeps, in tables, plots and descriptions: E + V, L along the vertical, L along the axis of a top."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from viewer.export.table import AXIS_COLUMNS, CENTRE_COLUMNS, WEIGHT_COLUMNS, Table
from viewer.physics.rotation import rotate
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
    return Comparison(Samples(simulation.body, rows), None, None, simulation.loads, kept=simulation.kept)


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


def test_a_table_has_the_centre_of_mass_and_the_momentum_along_the_axis() -> None:
    scenario = Scenario().with_values(TOP | {"start.position": (1.0, 2.0, 3.0)})
    found = columns(scenario)
    q = np.column_stack([found[f"orientation_{name}"] for name in "wxyz"])
    centre = np.column_stack([found[name] for name in CENTRE_COLUMNS])
    assert_allclose(centre, np.array((1.0, 2.0, 3.0)) + rotate(q, (0.0, 0.0, 0.5)), atol=1e-15)
    assert_allclose(found["position_z_m"], 3.0)
    assert_allclose(found[AXIS_COLUMNS[0]], 0.4 * 25.0, rtol=1e-13)
    free = columns(Scenario().with_values(TOP | {"loads.gravity": 0.0}))
    assert set(CENTRE_COLUMNS) < set(free)
    assert not set(AXIS_COLUMNS) & set(free)
    lying = columns(Scenario().with_values(TOP | {"body.pivot": (0.0, 0.0, 0.0)}))
    assert not {*CENTRE_COLUMNS, *AXIS_COLUMNS} & set(lying)


CRUDE = TOP | {"solver.integrator": "explicit-euler"}


def test_errors_of_a_top_are_those_of_what_its_weight_keeps() -> None:
    """In plots, descriptions and tables, whose target of E is what E + V leaves. E + V errs by 0.02 %."""
    scenario = Scenario().with_values(CRUDE)
    comparison, table = plotted(scenario), columns(scenario)
    total = table["total_energy_J"]
    largest = total[0] + 9.81 * 0.5
    wanted = (total[1:] - total[0]) / largest
    error = QUANTITIES["total_energy_error"].of(comparison)
    assert_allclose(error, wanted, atol=1e-15)
    assert np.abs(wanted).max() > 1e-4
    excess = table["rotational_energy_J"] - table["target_energy_J"]
    assert_allclose(excess, total - total[0], atol=1e-12 * largest)
    size = np.sqrt(2.0 * largest * (0.75 + 0.5**2))
    vertical = table["angular_momentum_world_z_kg_m2_per_s"]
    assert_allclose(QUANTITIES["vertical_error"].of(comparison), (vertical[1:] - vertical[0]) / size, atol=1e-15)
    assert_allclose(QUANTITIES["axial_error"].of(comparison), (table[AXIS_COLUMNS[0]][1:] - 10.0) / size, atol=1e-15)
    assert QUANTITIES["total_energy_error"].label == "E + V"
    assert QUANTITIES["energy_error"].of(comparison) is None
    assert QUANTITIES["momentum_error"].of(comparison) is None
    session = Session(scenario, playing=False)
    session.motion.run_to(1.0)
    found = facts(session)
    assert found["energy_error"] == pytest.approx(wanted[-1], rel=1e-12)
    assert found["momentum_error"] is None
    assert f"errors now: E + V {100 * wanted[-1]:.3g} %, L z " in found["text"]
    assert "J, L along the vertical, 8.66 kg m²/s, and L along the axis, 10.0 kg m²/s" in found["text"]


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


def test_a_description_of_a_falling_body_names_what_its_weight_keeps() -> None:
    falling = Scenario().with_values(TOP | {"body.pivot": (0.0, 0.0, 0.0), "start.linear_velocity": (0.0, 1.0, 2.0)})
    session = Session(falling, playing=False)
    before = facts(session)["total_energy_J"]
    session.motion.run_to(1.0)
    found = facts(session)
    assert found["total_energy_J"] == pytest.approx(before, rel=1e-14)
    assert found["pivot_m"] is None
    assert "On it act: its weight of 9.81 N." in found["text"]
    kept = "The weight alone keeps the energy of rotation, fall and height together, 127 J, and all of L."
    assert kept in found["text"]
    for further in ({"loads.force": (1.0, 0.0, 0.0)}, {"loads.external_friction": 0.1}):
        pushed = facts(Session(falling.with_values(further), playing=False))
        assert "The weight alone" not in pushed["text"]


def test_a_description_names_the_pivot_and_the_weight() -> None:
    found = facts(Session(Scenario().with_values(TOP | {"loads.torque": (0.0, 0.0, 2.0)}), playing=False))
    assert found["pivot_m"] == (0.0, 0.0, -0.5)
    place = "about a pivot, (0, 0, −0.500) m from its centre of mass; its moments are those about the pivot"
    assert place in found["text"]
    acting = "On it act: its weight of 9.81 N, the torque of 2.45 N m that the weight has about the pivot, an external"
    assert f"{acting} torque of 2.00 N m." in found["text"]
    assert "The weight alone" not in found["text"]


def test_a_description_names_what_the_weight_keeps() -> None:
    found = facts(Session(Scenario().with_values(TOP), playing=False))
    assert found["total_energy_J"] == pytest.approx(0.5 * 0.4 * 25**2 + 9.81 * 0.5 * np.cos(np.radians(30)), rel=1e-14)
    assert (
        "The weight alone keeps the energy with its potential energy, 129 J, L along the vertical, 8.66"
        in found["text"]
    )

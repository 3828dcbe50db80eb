"""Where a force takes the centre of mass, wherever a place is told: parabolas, closed forms, DOP853."""

import functools

import numpy as np
import pytest
from helpers.reference import STEPPERS, slope_of, travelled
from numpy.testing import assert_allclose

from viewer.export.table import COLUMNS, Table
from viewer.physics.body import RigidBody
from viewer.physics.centre_of_mass import NODES, WEIGHTS
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.simulation import Simulation
from viewer.physics.state import Sample, Samples, State
from viewer.scenario.scenario import Scenario

BODY = RigidBody.from_moments((1, 2, 2.5), mass=4)
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1), position=(1, 2, 3), linear_momentum=(0.1, 0, -0.2))
REST = State((0.8, 0.2, -0.4, 0.4), (0, 0, 0), position=(1, 2, 3))
FORCE = np.array((0.3, -0.5, 0.4))
THRUST = Loads(tuple(FORCE), frame="body")
AT_AN_ARM = Loads(tuple(FORCE), (0.2, 0.5, -0.3), 0.1, frame="body")
KNOWN = [name for name in (*STEPPERS, "exact") if INTEGRATORS[name].dense]  # at any moment of the free motion


@functools.cache
def moved(loads, seconds):
    """(position, momentum) by DOP853 at 1e-13."""
    return travelled(BODY, START, loads, seconds)


def rows_of(simulation, count, every):
    return Samples(BODY, simulation.advance_sampled(count, every)).states


def samples_of(simulation, count, every):
    return simulation.sampled(count, every)


@pytest.mark.parametrize("states_of", [rows_of, samples_of])
@pytest.mark.parametrize("friction", [0.0, 0.2])
@pytest.mark.parametrize("name", [*STEPPERS, "exact"])
def test_a_force_that_stands_in_space_moves_it_along_a_parabola(name, friction, states_of):
    """Every row, every sample, the state itself. Measured 9e-16."""
    if friction and name == "exact":
        return
    loads = Loads(tuple(FORCE), external_friction=friction)
    for every in (1, 5):
        simulation = Simulation(BODY, START, name, 0.02, loads)
        states = states_of(simulation, 20, every)
        t = 0.02 * every * np.arange(1, 21)[:, None]
        wanted = START.position + START.linear_momentum * t / 4 + FORCE * t**2 / 8
        assert_allclose(states.position, wanted, rtol=1e-14)
        assert_allclose(states.linear_momentum, START.linear_momentum + FORCE * t, rtol=1e-13, atol=1e-15)
        assert_allclose(simulation.state.position, wanted[-1], rtol=1e-14)


@pytest.mark.parametrize("name", [*STEPPERS, "exact"])
def test_a_thruster_moves_a_body_at_rest_along_a_parabola(name):
    simulation = Simulation(BODY, REST, name, 0.1, THRUST)
    simulation.advance(3)
    space = FreeRotation(BODY, REST)  # stands still
    turned = Simulation(BODY, REST, name, 0.1, Loads(tuple(rotated(space)))).state
    assert (turned.position == REST.position).all()
    assert_allclose(simulation.state.linear_momentum, 3 * rotated(space), rtol=1e-14)
    assert_allclose(simulation.state.position, REST.position + rotated(space) * 9 / 8, rtol=1e-14)


def rotated(motion):
    w, *v = motion.at(0.0).orientation_wxyz
    return FORCE + 2 * np.cross(v, np.cross(v, FORCE) + w * FORCE)


@pytest.mark.parametrize("name", KNOWN)
def test_a_thruster_on_a_free_motion_without_errors_brings_none_in(name):
    """Steps of .0007 to .9 rad against DOP853. Measured 2e-14."""
    position, momentum = moved(THRUST, 4.0)
    for h in (0.5, 0.125, 0.03125, 1 / 2048):
        simulation = Simulation(BODY, START, name, h, THRUST)
        simulation.advance(4.0)
        assert_allclose(simulation.state.position, position, atol=5e-13)
        assert_allclose(simulation.state.linear_momentum, momentum, atol=5e-13)


@pytest.mark.sweep
@pytest.mark.parametrize("loads", [THRUST, AT_AN_ARM], ids=["free", "at an arm"])
@pytest.mark.parametrize("name", STEPPERS)
def test_the_order_of_the_place_is_that_of_the_integrator(name, loads):
    """Under a thruster, against DOP853. Measured: .97..1.05, 1.90..2.01, 4.00..4.09."""
    entry = INTEGRATORS[name]
    order = entry.order if loads.free else entry.order_under_load
    if order > 4:
        return  # no error, see above
    steps = {1: [0.02, 0.01, 0.005], 2: [0.05, 0.025, 0.0125], 4: [0.125, 0.0625, 0.03125]}[order]
    if name == "matrix-rk4-orthonormal":  # whose next term is large
        steps = [h / 4 for h in steps]
    errors = []
    for h in steps:
        simulation = Simulation(BODY, START, name, h, loads)
        simulation.advance(4.0)
        position, momentum = moved(loads, 4.0)
        state = simulation.state
        errors.append((np.linalg.norm(state.position - position), np.linalg.norm(state.linear_momentum - momentum)))
    for column in np.array(errors).T:
        assert slope_of(steps, column) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("loads", [THRUST, Loads(tuple(FORCE))], ids=["body", "space"])
def test_between_two_steps_it_is_on_its_way(name, loads):
    """Also back. Against steps of that length, and DOP853."""
    for share in (0.3, 1.0, -0.6):
        simulation = Simulation(BODY, START, name, 0.4, loads)
        simulation.advance_steps(2)
        before = simulation.state.position
        ahead = simulation.ahead(share).state
        seconds = (2 + share) * 0.4
        position, momentum = moved(loads, seconds)
        assert_allclose(ahead.position, position, atol=5e-13)
        assert_allclose(ahead.linear_momentum, momentum, atol=5e-13)
        assert (simulation.state.position == before).all()


@pytest.mark.parametrize("name", [name for name in (*STEPPERS, "exact") if INTEGRATORS[name].reversible])
def test_steps_back_lead_it_back(name):
    """Measured 2e-13 (split4)."""
    simulation = Simulation(BODY, START, name, 0.05, THRUST)
    simulation.advance_steps(200)
    assert np.linalg.norm(simulation.state.position - START.position) > 1.0
    simulation.advance_steps(-200)
    assert_allclose(simulation.state.position, START.position, atol=2e-12)
    assert_allclose(simulation.state.linear_momentum, START.linear_momentum, atol=2e-12)


def test_the_closed_form_comes_to_the_same_place_however_the_run_is_cut():
    """Bit for bit; also from a row that it gave."""
    whole, cut, resumed = (Simulation(BODY, START, "exact", 0.7, THRUST) for _ in range(3))
    whole.advance_steps(3000)
    for _ in range(30):
        cut.advance_steps(100)
    assert (whole.state.position == cut.state.position).all()
    rows = Simulation(BODY, START, "exact", 0.7, THRUST).advance_sampled(3, 1000)
    resumed.resume(Sample.from_row(rows[1]))
    resumed.advance_steps(1000)
    assert resumed.sample() == whole.sample() == Sample.from_row(rows[2])


def test_the_free_motion_goes_straight_on():
    exact = FreeRotation(BODY, START)
    for t in (-2.0, 0.0, 5.0):
        assert_allclose(exact.at(t).position, START.position + START.linear_momentum * t / 4, rtol=1e-15)
        assert (exact.at(t).linear_momentum == START.linear_momentum).all()
    states = exact.at([0.0, 4.0])
    assert_allclose(states.position, [START.position, START.position + START.linear_momentum], rtol=1e-15)
    assert (states.linear_momentum == START.linear_momentum).all()


@pytest.mark.parametrize("set_", [{}, {"solver.integrator": "exact"}, {"loads.external_friction": 0.5}])
def test_the_table_tells_the_parabola_row_by_row(set_):
    """80 N on 80 kg: z = t^2/2. Once 0, 0, .031, .031, .281, ..: the place of the block before."""
    scenario = Scenario.preset("box-80kg").with_value("loads.force", (0.0, 0.0, 80.0))
    for field, value in set_.items():
        scenario = scenario.with_value(field, value)
    if scenario.solver.integrator == "exact":
        scenario = scenario.with_value("loads.external_friction", 0.0)
    table = np.concatenate(list(Table(scenario, 2.0, 0.25).blocks()))
    z, time = table[:, COLUMNS.index("position_z_m")], table[:, 0]
    assert_allclose(z, time**2 / 2, atol=1e-15)
    assert len(z) == 9


def test_the_table_tells_where_a_thruster_leads():
    """Every row against DOP853. Measured 4e-15."""
    scenario = Scenario.preset("box-80kg").with_value("loads.external_friction", 0.0)
    scenario = scenario.with_value("loads.force", (20.0, -60.0, 80.0)).with_value("loads.frame", "body")
    for integrator in ("exact-drift", "exact"):
        scenario = scenario.with_value("solver.integrator", integrator)
        table = np.concatenate(list(Table(scenario, 1.0, 0.25).blocks()))
        for row in table:
            wanted, momentum = travelled(scenario.rigid_body(), scenario.start_state(), scenario.loads_value(), row[0])
            energy = momentum @ momentum / 2 / 80
            found = np.delete(row[COLUMNS.index("position_x_m") :], [3, 4, 5])  # without the angular acceleration
            assert_allclose(found, [*wanted, *momentum, energy], atol=1e-12)


def test_the_nodes_are_those_of_gauss_and_legendre() -> None:
    x, w = np.polynomial.legendre.leggauss(5)
    np.testing.assert_allclose(NODES, 0.5 * (1.0 + x), rtol=1e-14)  # measured 0
    np.testing.assert_allclose(WEIGHTS, 0.5 * w, rtol=1e-14)  # measured 8e-16

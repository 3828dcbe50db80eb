"""A body about a pivot and gravity: the tensor there, what the weight does, and bodies that fall."""

import functools
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between, integrate, slope_of, steps_under_load
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads, Thruster
from viewer.physics.ode import Bodies
from viewer.physics.rotation import rotate
from viewer.physics.simulation import Simulation
from viewer.physics.solids.composite import Part
from viewer.physics.state import State

BODY = RigidBody.from_moments((1, 2, 2.5), mass=0.5).about((0.1, -0.2, 0.3))
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
GRAVITY = 9.81
FURTHER = {
    "weight": Loads(gravity=GRAVITY),
    "weight, force, friction": Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, gravity=GRAVITY),
    "weight, thrust, torque": Loads(
        (0.3, -0.5, 0.4), (0.2, 0.5, -0.3), frame="body", torque=(0.1, 0.2, 0.3), gravity=GRAVITY
    ),
}


def test_tensor_at_the_pivot_is_that_of_the_parts_about_that_point():
    """The parts' own tensors and places, summed about the pivot. Measured: 3e-16 of the largest element."""
    parts = (
        Part("box", mass=2.0, width=0.3, depth=0.2, height=0.1, position=(0.1, 0.2, 0.0), orientation_deg=(20, 0, 40)),
        Part("sphere", mass=1.0, radius=0.1, position=(-0.3, 0.1, 0.2)),
    )
    free = RigidBody.composite(parts)
    away = np.array((0.15, -0.4, 0.25))  # in the axes of the body
    body = free.about(away.tolist())
    place = free.centre + free.principal_axes @ away  # in those of the parts
    wanted = np.zeros((3, 3))
    for part in parts:
        own = part.properties()
        r = own.centre - place
        wanted += own.tensor + own.mass * (r @ r * np.eye(3) - np.outer(r, r))
    assert_allclose(body.tensor, wanted, rtol=0, atol=1e-15 * np.abs(wanted).max())
    assert_allclose(place + body.principal_axes @ body.centre_of_mass, free.centre, atol=1e-15)
    assert_allclose(body.mesh.vertices @ body.principal_axes.T + place, free.mesh.vertices @ free.principal_axes.T
                    + free.centre, atol=1e-15)  # fmt: skip


def test_a_pivot_on_a_principal_axis_keeps_the_axes():
    body = RigidBody.cylinder(2.0, 0.2, 0.1).about((0, 0, -0.3))
    assert np.array_equal(body.principal_axes, np.eye(3))
    assert body.principal_moments[0] == body.principal_moments[1]
    assert body.centre_of_mass.tolist() == [0.0, 0.0, 0.3]


@pytest.mark.parametrize("pivot", [(0, 0), (0, float("nan"), 0), (float("inf"), 0, 0)])
def test_a_pivot_that_is_not_three_finite_numbers_is_refused(pivot):
    with pytest.raises(ValueError, match=r"pivot: .* is not allowed; it must be three finite numbers"):
        RigidBody.sphere(1, 1).about(pivot)


def test_a_pivot_so_far_off_that_the_tensor_loses_the_smallest_moment_is_refused():
    """Below 1e-10 of the largest moment; just above, that moment is right to 1e-6. On a body axis none is lost."""
    body = RigidBody.cylinder(0.5, 0.1, 0.02)
    assert body.about((0.0, 0.0, -1e9)).principal_moments[2] == body.principal_moments[2]
    far = np.array((3e3, 1e3, -3e3))
    found = body.about(far).principal_moments
    with mpmath.workdps(40):
        own, place = mpmath.diag(body.principal_moments.tolist()), mpmath.matrix(far.tolist())
        away = (place.T * place)[0] * mpmath.eye(3) - place * place.T
        least = min(mpmath.eigsy(own + mpmath.mpf(body.mass) * away, eigvals_only=True))
    assert found.min() / found.max() > 1e-10
    assert found.min() == pytest.approx(float(least), rel=1e-6)  # measured 4e-7
    with pytest.raises(ValueError, match=r"pivot: 436000 m from the centre of mass is too far: .* 1e-10 of it"):
        body.about(100.0 * far)


@functools.cache
def under_the_weight():
    """The end of the motion by DOP853, with the weight as a force at an arm."""
    weight = Loads((0, 0, -GRAVITY * BODY.mass), tuple(BODY.centre_of_mass.tolist()))
    return integrate(BODY, START, weight, 4.0)


@pytest.mark.parametrize("name", STEPPERS)
def test_every_integrator_keeps_its_order_under_the_weight(name):
    """Against DOP853. Measured: 0.98 to 1.05, 1.99 to 2.12, 4.01."""
    orientation, momentum = under_the_weight()
    order = INTEGRATORS[name].order_under_load
    finer = 0.25 if order == 2 else 1.0  # the next term of buss is large
    steps, turned, moved = [finer * h for h in steps_under_load(order)], [], []
    for h in steps:
        simulation = Simulation(BODY, START, name, h, FURTHER["weight"])
        simulation.advance(4.0)
        turned.append(angle_between(simulation.state.orientation_wxyz, orientation))
        moved.append(np.linalg.norm(simulation.angular_momentum_world - momentum))
        assert not simulation.state.position.any()
        assert not simulation.state.linear_momentum.any()
    assert slope_of(steps, turned) == pytest.approx(order, abs=0.15)
    assert slope_of(steps, moved) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("loads", FURTHER.values(), ids=FURTHER)
@pytest.mark.parametrize("thrusters", [(), (Thruster((0.1, 0.2, 0.3), (0.0, 0.4, 0.2), (0.25, 0.75)),)])
def test_the_weight_acts_beside_all_other_loads(loads, thrusters):
    """Against scipy's DOP853 with the equations of `Bodies`. Measured: 5e-13 rad, 6e-13 rad/s."""
    from scipy.integrate import solve_ivp

    loads = replace(loads, thrusters=thrusters)
    simulation = Simulation(BODY, START, "exact-drift4", 1 / 512, loads)
    simulation.advance(1.0)

    def ode(y, slope, t0, t1):
        return solve_ivp(slope, (t0, t1), y, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]

    equations = Bodies([BODY], [START], [loads], ode)
    equations.advance(1.0, 4)
    state = equations.states[0]
    assert angle_between(simulation.state.orientation_wxyz, state.orientation_wxyz) < 2e-12
    assert_allclose(simulation.state.omega_body, state.omega_body, atol=2e-12)
    assert not state.position.any()
    torque = simulation.loads.torque_at(1.0, simulation.state)
    rows = simulation.loads.torques_at(simulation.states_of())[0]
    assert_allclose(torque - simulation.loads.external_friction * simulation.omega_world, rows, atol=1e-14)


def test_a_torque_function_sees_the_weight_beside_it():
    """A function that cancels the weight's torque leaves the free motion. Measured: 1e-15 rad."""

    def against(_time, state):
        return np.cross(rotate(state.orientation_wxyz, BODY.centre_of_mass), (0, 0, GRAVITY * BODY.mass))

    turned, free = (
        Simulation(BODY, START, "exact-drift", 0.01, loads)
        for loads in (Loads(torque_function=against, gravity=GRAVITY), None)
    )
    turned.advance(1.0)
    free.advance(1.0)
    assert angle_between(turned.state.orientation_wxyz, free.state.orientation_wxyz) < 1e-14


def test_lagranges_top_is_followed():
    """Against the closed form after 14 nutations; energy, L_z and L_3 stay. Measured: 1.3e-13, 9e-15, 9e-15, 4e-15."""
    top = RigidBody.from_moments((0.75, 0.75, 0.4)).about((0, 0, -0.5))
    start = State((np.cos(0.25), np.sin(0.25), 0, 0), (0, 0, 25))
    closed = LagrangeTop(top.principal_moments, top.centre_of_mass, (0, 0, -GRAVITY), start)
    simulation = Simulation(top, start, "exact-drift4", 0.001, Loads(gravity=GRAVITY))
    height = rotate(start.orientation_wxyz, top.centre_of_mass)[2]
    energy, along = simulation.rotational_energy + GRAVITY * height, simulation.angular_momentum_world[2]
    simulation.advance(10.0)
    there = closed.at(10.0)
    assert angle_between(simulation.state.orientation_wxyz, there.orientation_wxyz) < 1e-12
    height = rotate(simulation.state.orientation_wxyz, top.centre_of_mass)[2]
    assert simulation.rotational_energy + GRAVITY * height == pytest.approx(energy, rel=1e-13)
    assert simulation.angular_momentum_world[2] == pytest.approx(along, rel=1e-13)
    assert simulation.omega_body[2] == pytest.approx(25.0, rel=1e-13)


TOP = RigidBody.from_moments((0.75, 0.75, 0.4)).about((0, 0, -0.5))
ON_TOP = State((np.cos(0.25), np.sin(0.25), 0, 0), (0.3, -0.2, 25))


def test_exact_is_the_closed_form_of_a_symmetric_top():
    """Whatever the steps and the way there; energy and L are those of each time. Measured: 4e-15 and less."""
    closed = LagrangeTop(TOP.principal_moments, TOP.centre_of_mass, (0, 0, -GRAVITY), ON_TOP)
    simulation = Simulation(TOP, ON_TOP, "exact", 0.125, Loads(gravity=GRAVITY))
    kept = simulation.rotational_energy + float(simulation.loads.potential_energy(ON_TOP.orientation_wxyz, np.zeros(3)))
    rows = simulation.copy().advance_sampled(8, 3)
    for row in rows:
        simulation.advance_steps(3)
        there, now = closed.at(simulation.time), simulation.state
        assert angle_between(now.orientation_wxyz, there.orientation_wxyz) < 1e-15
        assert_allclose(now.omega_body, there.omega_body, rtol=0, atol=1e-13)
        wanted = rotate(there.orientation_wxyz, TOP.principal_moments * there.omega_body)
        assert_allclose(simulation.angular_momentum_world, wanted, rtol=0, atol=1e-13)
        assert_allclose(row["orientation_wxyz"], now.orientation_wxyz, rtol=0, atol=1e-15)
        assert simulation.target_energy == pytest.approx(simulation.rotational_energy, rel=1e-14)
        height = float(simulation.loads.potential_energy(now.orientation_wxyz, now.position))
        assert simulation.rotational_energy + height == pytest.approx(kept, rel=1e-13)
    simulation.advance_steps(-24)
    assert angle_between(simulation.state.orientation_wxyz, ON_TOP.orientation_wxyz) < 1e-15


def test_exact_goes_on_from_a_change_and_from_a_sample():
    """Without gravity from 1 s on, with another integrator from 2 s on; back to a sample. Measured: 6e-14."""
    simulation = Simulation(TOP, ON_TOP, "exact", 0.125, Loads(gravity=GRAVITY))
    stepped = Simulation(TOP, ON_TOP, "exact-drift4", 1 / 4096, Loads(gravity=GRAVITY))
    for each in (simulation, stepped):
        each.advance(1.0)
        each.change(loads=Loads())
        each.advance(1.0)
    assert angle_between(simulation.state.orientation_wxyz, stepped.state.orientation_wxyz) < 1e-12
    assert_allclose(simulation.angular_momentum_world, stepped.angular_momentum_world, rtol=0, atol=1e-12)
    simulation.change(loads=Loads(gravity=GRAVITY))
    begin = simulation.sample()
    simulation.advance(1.0)
    before = simulation.state
    simulation.resume(begin)
    simulation.advance(1.0)
    assert simulation.state.orientation_wxyz.tolist() == before.orientation_wxyz.tolist()
    simulation.change(integrator="exact-drift4", step=1 / 4096)
    assert_allclose(simulation.state.omega_body, before.omega_body, rtol=0, atol=1e-13)
    assert simulation.rotational_energy == pytest.approx(simulation.target_energy, rel=1e-14)
    simulation.change(integrator="exact")
    simulation.kick((0.0, 0.0, 0.1))
    assert simulation.omega_body[2] == pytest.approx(before.omega_body[2] + 0.1 / 0.4, rel=1e-13)


def test_exact_takes_no_other_top_and_no_load_beside_its_weight():
    for body, loads, why in (
        (BODY, Loads(gravity=1.0), "exact is for tops that are symmetric about the line to the pivot"),
        (TOP, Loads(gravity=1.0, external_friction=0.1), "exact is torque-free"),
    ):
        with pytest.raises(ValueError, match=f"solver.integrator: {why}"):
            Simulation(body, ON_TOP, "exact", loads=loads)


@pytest.mark.parametrize("integrator", ["exact", "exact-drift", "rkmk4"])
def test_a_body_without_a_pivot_falls_and_turns_as_if_it_did_not(integrator):
    body = RigidBody.from_moments((1, 2, 2.5), mass=3.0)
    start = State(START.orientation_wxyz, START.omega_body, (0, 0, 1), (6, 0, 0))
    falling, free = (Simulation(body, start, integrator, 0.01, loads) for loads in (Loads(gravity=2.0), None))
    assert falling.loads.free
    assert falling.loads.pushes
    for simulation in (falling, free):
        simulation.advance(2.0)
    assert falling.state.orientation_wxyz.tolist() == free.state.orientation_wxyz.tolist()
    assert_allclose(falling.state.position, (4.0, 0.0, 1.0 - 4.0), rtol=1e-15)
    assert_allclose(falling.state.linear_momentum, (6.0, 0.0, -12.0), rtol=1e-15)


@pytest.mark.parametrize("integrator", ["exact", "exact-drift"])
def test_gravity_adds_a_parabola_to_the_path_under_a_thrust(integrator):
    """The displacement is linear in the forces. Measured: 0."""
    body, thrust = RigidBody.from_moments((1, 2, 2.5), mass=3.0), {"force": (1.0, 2.0, 3.0), "frame": "body"}
    both, one = (Simulation(body, START, integrator, 0.01, Loads(**thrust, gravity=g)) for g in (2.0, 0.0))
    for simulation in (both, one):
        simulation.advance(1.0)
    assert_allclose(both.state.position - one.state.position, (0, 0, -1.0), atol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"loads": Loads(force_function=lambda t, s: (0, 0, 1))}, r"loads.force_function: is not allowed for .* pivot"),
        ({"start": State((1, 0, 0, 0), (0, 0, 1), (0, 0, 0), (1.0, 0, 0))}, r"start.linear_velocity: 2 m/s is not .*"),
    ],
)
def test_what_a_pivot_does_not_allow_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Simulation(BODY, **({"start": START} | arguments))


@pytest.mark.parametrize("gravity", [-1.0, float("nan"), float("inf")])
def test_gravity_that_is_negative_or_not_finite_is_refused(gravity):
    with pytest.raises(ValueError, match=r"loads.gravity: .* is not allowed; it must be finite and at least 0"):
        Loads(gravity=gravity)


def test_exact_knows_a_top_between_its_steps_and_many_states_at_once():
    """As one by one, to the last bits: samples, a path, and a fraction of a step ahead. Measured: 4e-16 rad."""
    closed = LagrangeTop(TOP.principal_moments, TOP.centre_of_mass, (0, 0, -GRAVITY), ON_TOP)
    simulation = Simulation(TOP, ON_TOP, "exact", 0.125, Loads(gravity=GRAVITY))
    assert simulation.dense
    assert not Simulation(TOP, ON_TOP, "exact-drift", 0.125, Loads(gravity=GRAVITY)).dense
    simulation.advance_steps(3)
    for fraction in (0.5, -0.25):
        there, now = closed.at(simulation.time + fraction * 0.125), simulation.ahead(fraction).state
        assert angle_between(now.orientation_wxyz, there.orientation_wxyz) < 2e-15
        assert_allclose(now.omega_body, there.omega_body, rtol=0, atol=1e-13)
    rows = simulation.closed_samples(np.arange(-20, 21))
    path = simulation.copy().path(5)
    for row in rows:
        other = Simulation(TOP, ON_TOP, "exact", 0.125, Loads(gravity=GRAVITY))
        other.advance_steps(int(row["steps"]))
        one = other.sample()
        assert row["time"] == one.time
        assert angle_between(row["orientation_wxyz"], one.orientation_wxyz) < 2e-15
        assert_allclose(row["angular_momentum"], one.angular_momentum, rtol=0, atol=1e-13)
        assert_allclose((row["target_energy"], row["target_norm"]), (one.target_energy, one.target_norm), rtol=1e-13)
    later = simulation.copy()
    later.advance_steps(5)
    states = later.states_of(path)
    assert_allclose(states.time, 0.125 * np.arange(4, 9))
    assert_allclose(states.omega_body, closed.at(states.time).omega_body, rtol=0, atol=1e-13)
    assert angle_between(states.orientation_wxyz[-1], later.state.orientation_wxyz) < 2e-15

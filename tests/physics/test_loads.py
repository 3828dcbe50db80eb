"""Torque and friction: order, targets of the energy, where they lead; the closest point on the way down."""

import functools
import math

import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between, integrate, slope_of, steps_under_load
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State
from viewer.physics.stepping.kicks import _far, target_point
from viewer.physics.stepping.projection import closest_point

BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
TORQUE = {"force": (0.3, -0.5, 0.4), "arm": (0.2, 0.5, -0.3)}
LOADS = {
    "torque": Loads(**TORQUE),
    "external friction": Loads(external_friction=0.3),
    "internal friction": Loads(internal_friction=0.02),
    "all": Loads(**TORQUE, external_friction=0.1, internal_friction=0.02),
    "in the body": Loads(**TORQUE, external_friction=0.1, frame="body"),
    "pure torque": Loads(torque=(0.3, -0.5, 0.4), external_friction=0.3),
    "pure torque in the body": Loads(**TORQUE, torque=(0.2, -0.3, 0.25), torque_frame="body"),
}


@functools.cache
def integrated(loads):
    return integrate(BODY, START, loads, 4.0)


@pytest.mark.sweep
@pytest.mark.parametrize("name", STEPPERS)
@pytest.mark.parametrize("loads", LOADS.values(), ids=LOADS)
def test_order_under_load(name, loads):
    """Against DOP853. Measured: .94..1.05, 1.97..2.01, 3.91..4.01."""
    if INTEGRATORS[name].composition and loads.internal_friction:
        return  # refused, see test_simulation
    orientation, momentum = integrated(loads)
    order = INTEGRATORS[name].order_under_load
    steps = steps_under_load(order)
    turned, moved = [], []
    for h in steps:
        simulation = Simulation(BODY, START, name, h, loads)
        simulation.advance(4.0)
        turned.append(angle_between(simulation.state.orientation_wxyz, orientation))
        moved.append(np.linalg.norm(simulation.angular_momentum_world - momentum))
    assert slope_of(steps, turned) == pytest.approx(order, abs=0.15)
    if loads.turns or loads.external_friction:  # L stays under internal friction alone
        assert slope_of(steps, moved) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("loads", LOADS.values(), ids=LOADS)
def test_energy_follows_its_target_where_the_drift_is_exact(loads):
    simulation = Simulation(BODY, START, "exact-drift", 0.05, loads)
    for _ in range(200):
        simulation.advance_steps(5)
        wanted = pytest.approx(simulation.target_energy, rel=1e-14, abs=1e-13)  # 6e-14, 3e-15 of 52 J
        assert simulation.rotational_energy == wanted


FLIPPING = (
    RigidBody.ellipsoid(1.0, 1.0, 0.5, 0.2),
    State((1, 0, 0, 0), (0.0, 3.0, 0.3)),
    Loads(external_friction=0.002),
)


@functools.cache
def flipped(seconds):
    return integrate(*FLIPPING, seconds)


@pytest.mark.parametrize(
    ("name", "most"),
    [("first-order", 0.124), ("explicit-euler", 6e-3), ("jolt", 4e-3), ("naive-rotation", 0.0181), ("implicit", 0.021)],
)
def test_the_target_is_not_led_astray_by_what_errs(name, most):
    """Beside DOP853, which the integrator misses by up to 27 %. Measured: 12.4 %, .4 %, .2 %, 1.80 %, 2.0 % at most.

    By the work at the erring state the target of first-order and naive-rotation was -50 % at 20 s.
    """
    body, start, loads = FLIPPING
    simulation = Simulation(body, start, name, 0.02, loads)
    for seconds in (5.0, 10.0, 20.0):
        orientation, momentum = flipped(seconds)
        L_b = rotate_back(orientation, momentum)
        simulation.advance(seconds - simulation.time)
        wanted = L_b @ (L_b / body.principal_moments) / 2
        assert simulation.target_energy == pytest.approx(wanted, rel=most)


@pytest.mark.sweep
@pytest.mark.parametrize("stabilisation", ["off", "gradient", "closest-point"])
@pytest.mark.parametrize("name", STEPPERS)
def test_the_target_is_always_an_energy_that_the_momentum_allows(name, stabilisation):
    """Between |L|^2/2 I_max and |L|^2/2 I_min, at steps so long that the motion itself is nonsense; kicks, too."""
    generator = np.random.default_rng(11)
    for loads in (*LOADS.values(), Loads(**TORQUE), Loads(external_friction=2.0)):
        if INTEGRATORS[name].composition and loads.internal_friction:
            continue
        simulation = Simulation(BODY, START, name, 0.4, loads, stabilisation)
        for n in range(30):
            if n == 20:
                simulation.change(integrator="split" if name == "jolt" else "jolt")
            try:
                simulation.advance_steps(1)
                simulation.kick(0.5 * generator.normal(size=3))
            except (NumericalOverflow, ValueError):
                break
            square = simulation.target_momentum**2
            low, high = square / 2 / np.array([2.5, 1.0])
            assert low * (1 - 1e-13) <= simulation.target_energy <= high * (1 + 1e-13)


def test_the_point_where_the_body_ought_to_stand():
    """On the curve, to 2e-15, however far off the body stands; the nearest point to the second order: 1.8 err^2 rad."""
    generator, J = np.random.default_rng(3), (1.0, 0.5, 0.4)
    for error in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5):
        for _ in range(200):
            p, off = generator.normal(size=3), generator.normal(size=3)
            energy, size = p @ (p * J) / 2, float(np.linalg.norm(p))
            b = p + error * size * off
            x = np.array(target_point(*b.tolist(), energy, size, J, False))
            assert np.linalg.norm(x) == pytest.approx(size, rel=3e-15)
            assert x @ (x * J) / 2 == pytest.approx(energy, rel=2e-12)  # ON_CURVE
            b *= size / np.linalg.norm(b)
            across = b * J - (b * J) @ b / size**2 * b
            if np.linalg.norm(across) > 0.2 * size:  # not beside an axis
                near = np.array(closest_point(*b.tolist(), *J, energy))
                assert np.linalg.norm(x - near) < 30 * error**2 * size
    for energy in (0.19, 0.51):  # beyond what |L| = 1 can have
        assert target_point(0.6, 0.0, 0.8, energy, 1.0, J, False) == pytest.approx(
            ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0))[energy > 0.4]
        )


@pytest.mark.slow
@pytest.mark.parametrize("quick", [False, True])
def test_a_composed_step_keeps_the_momentum_that_next_to_nothing_acts_on(quick):
    """A friction of 1e-18 over 1e5 default steps, 1e4 of them in Python, against the closed form.

    Measured: |L| 0, E 3e-12, 2e-11 rad; with the length of L_b for |L|, as once, 4e-11, 7e-11, 4e-10 rad and more.
    """
    if quick:
        pytest.importorskip("numba")
    loads, start = Loads(external_friction=1e-18), State((1, 0, 0, 0), (1, 0.7, 1.1))
    simulation = Simulation(BODY, start, "exact-drift4", 1.25e-4, loads, fast=quick)
    energy, momentum = simulation.rotational_energy, simulation.angular_momentum_world
    simulation.advance_steps(100_000 if quick else 10_000)
    assert_allclose(simulation.angular_momentum_world, momentum, rtol=1e-15)
    assert simulation.rotational_energy == pytest.approx(energy, rel=1e-11)
    wanted = FreeRotation(BODY, start).at(simulation.time).orientation_wxyz
    assert angle_between(simulation.state.orientation_wxyz, wanted) < 1e-10


def test_external_friction_slows_a_steady_spin_exactly():
    start = State((1, 0, 0, 0), (0, 0, 4))
    simulation = Simulation(BODY, start, step=0.1, loads=Loads(external_friction=0.5))
    simulation.advance(10)
    decay = math.exp(-0.5 / 2.5 * 10)
    assert simulation.state.omega_body[2] == pytest.approx(4 * decay, rel=1e-13)  # 1e-14
    assert simulation.target_energy == pytest.approx(20 * decay**2, rel=1e-13)
    simulation.advance(5000)
    assert simulation.rotational_energy == pytest.approx(0, abs=1e-300)
    assert np.isfinite(simulation.state.omega_body).all()


def test_a_pendulum_comes_to_rest_along_the_force():
    """A force along y at an arm along x: the arm turns into the force and friction eats the swing."""
    sphere, loads = RigidBody.from_moments((2, 2, 2)), Loads((0, 3, 0), (0.5, 0, 0), 0.4)
    simulation = Simulation(sphere, State((1, 0, 0, 0), (0, 0, 0)), step=0.02, loads=loads)
    simulation.advance(200)
    assert_allclose(rotate(simulation.state.orientation_wxyz, (1, 0, 0)), (0, 1, 0), atol=1e-8)  # 1e-9
    assert np.abs(simulation.state.omega_body).max() < 1e-8  # 3e-9


def test_friction_that_stops_the_body_within_a_step():
    loads = Loads(external_friction=1000.0)
    simulation = Simulation(RigidBody.from_moments((2, 2, 2)), State((1, 0, 0, 0), (0, 0, 5)), step=7.0, loads=loads)
    simulation.advance_steps(3)
    assert (simulation.state.omega_body == 0).all()
    with pytest.raises(ValueError, match="leaves nothing to go back by"):
        simulation.advance_steps(-1)


@pytest.mark.parametrize("moments", [(1, 2, 2.5), (2.5, 1, 2), (4, 4, 1), (1, 4, 4)])
@pytest.mark.parametrize("omega", [(1, 0.7, 1.1), (2, 0, 0), (0, 2, 0), (0, 0, 2)])
def test_internal_friction_ends_about_the_axis_of_the_largest_moment(moments, omega):
    """Explorer 1: also from an exact spin about the axis of the least or the middle moment, where the gradient is 0."""
    body, start = RigidBody.from_moments(moments), State((0.8, 0.2, -0.4, 0.4), omega)
    simulation = Simulation(body, start, step=0.02, loads=Loads(internal_friction=0.05))
    momentum, energy = simulation.angular_momentum_world, simulation.rotational_energy
    size = float(np.linalg.norm(momentum))
    floor = size**2 / (2 * max(moments))
    for _ in range(80):
        simulation.advance(2)
        wanted = max(energy - 0.05 * simulation.time, floor)
        assert simulation.rotational_energy == pytest.approx(wanted, abs=3e-12)  # 3e-13
        assert simulation.target_energy == pytest.approx(wanted, abs=3e-12)
        assert (simulation.angular_momentum_world == momentum).all()
    assert simulation.time > (energy - floor) / 0.05
    across = np.array(moments) < max(moments)
    assert np.abs(simulation.state.omega_body[across]).max() < 1e-13  # 1e-15
    assert np.linalg.norm(simulation.omega_world) == pytest.approx(size / max(moments), rel=1e-13)


@pytest.mark.parametrize("moments", [(0.064, 0.064, 0.064), (0.858, 0.858, 0.05), (0.05, 0.8, 0.8), (1, 2, 2.5)])
@pytest.mark.parametrize("omega", [(1, 2, 1), (-3.48, 0, -100), (0.3, 1, 0.2)])
def test_a_body_that_has_lost_all_it_can_spins_on_about_the_same_axis(moments, omega):
    """Where the largest moments are equal no direction is preferred, and round-off must not choose one."""
    body, start = RigidBody.from_moments(moments), State((0.8, 0.2, -0.4, 0.4), omega)
    simulation = Simulation(body, start, step=0.01, loads=Loads(internal_friction=1000))
    simulation.advance(20)
    omega_body = simulation.state.omega_body
    simulation.advance(20)
    size = np.linalg.norm(omega_body)
    assert_allclose(simulation.state.omega_body, omega_body, rtol=0, atol=1e-11 * size)  # 2e-12


def test_a_force_moves_the_centre_of_mass_and_friction_does_not():
    body = RigidBody.from_moments((1, 2, 2.5), mass=4)
    start = State((1, 0, 0, 0), (0, 0, 1), position=(1, 0, 0), linear_momentum=(0, 8, 0))
    simulation = Simulation(body, start, step=0.1, loads=Loads(force=(2, 0, 0), external_friction=0.1))
    simulation.advance(3)
    assert_allclose(simulation.state.position, (1 + 9 / 4, 6, 0), rtol=1e-14)
    assert_allclose(simulation.state.linear_momentum, (6, 8, 0), rtol=1e-14)
    simulation.change(loads=Loads())
    simulation.advance(2)
    assert_allclose(simulation.state.position, (1 + 9 / 4 + 3, 10, 0), rtol=1e-14)


def test_a_thruster_fixed_in_the_body_pushes_along_its_axis():
    """A steady spin about z with a force along body x: P = F (sin wt, 1 - cos wt)/w, in closed form; measured 4e-15."""
    body = RigidBody.from_moments((1, 2, 2.5), mass=4)
    loads = Loads(force=(2, 0, 0), frame="body")
    for h in (0.1, 0.05, 0.025, 0.0125):
        simulation = Simulation(body, State((1, 0, 0, 0), (0, 0, 1.5)), step=h, loads=loads)
        simulation.advance(3)
        t, w = 3.0, 1.5
        wanted = 2 / w * np.array([np.sin(w * t), 1 - np.cos(w * t), 0])
        place = 2 / (4 * w) * np.array([(1 - np.cos(w * t)) / w, t - np.sin(w * t) / w, 0])
        assert_allclose(simulation.state.linear_momentum, wanted, atol=1e-13)
        assert_allclose(simulation.state.position, place, atol=1e-13)
        assert simulation.rotational_energy == pytest.approx(2.5 * 1.5**2 / 2, rel=1e-13)


@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4", "split4"])
@pytest.mark.parametrize("axis", range(3))
def test_a_torque_along_a_principal_axis_spins_it_up_steadily(axis, name):
    """omega = M t/I, and the body stays on that axis; after 75 rad 2e-12 off at most."""
    force, arm, along = (np.roll(vector, axis) for vector in ((0.0, 0.0, 3.0), (0.0, 0.5, 0.0), (1.0, 0.0, 0.0)))
    loads, moment = Loads(tuple(force), tuple(arm), frame="body"), BODY.principal_moments[axis]
    simulation = Simulation(BODY, State((1, 0, 0, 0), (0, 0, 0)), name, 0.1, loads)
    simulation.advance(10)
    assert_allclose(simulation.state.omega_body, 1.5 * 10 / moment * along, atol=2e-13)
    assert simulation.target_energy == pytest.approx(15.0**2 / (2 * moment), rel=1e-13)
    half = 0.25 * 1.5 / moment * 10.0**2
    assert angle_between(simulation.state.orientation_wxyz, (np.cos(half), *(np.sin(half) * along))) < 1e-11


def test_what_counts_as_free():
    assert Loads().free
    assert Loads(force=(1, 0, 0)).free  # at the centre of mass
    assert Loads(arm=(1, 0, 0)).free
    assert not Loads(force=(1, 0, 0), arm=(0, 1, 0)).free
    assert not Loads(external_friction=1e-9).free
    assert not Loads(internal_friction=1e-9).free


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"force": (1, math.nan, 0)}, "loads.force: .* is not allowed; it must be three finite numbers"),
        ({"arm": (1, 0)}, "loads.arm"),
        ({"frame": "moon"}, "loads.frame: 'moon' is unknown; allowed are space, body"),
        ({"external_friction": -1}, "loads.external_friction: -1 is not allowed; it must be finite and at least 0"),
        ({"internal_friction": math.inf}, "loads.internal_friction: inf"),
    ],
)
def test_bad_loads_are_refused_by_name(fields, message):
    with pytest.raises(ValueError, match=message):
        Loads(**fields)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_steps_are_compared_by_the_component_that_differs_most(axis):
    other = [1.0, -2.0, 3.0]
    other[axis] -= 0.25
    assert _far((1.0, -2.0, 3.0), tuple(other)) == 0.25

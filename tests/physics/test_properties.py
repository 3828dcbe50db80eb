"""Symmetries that hold for every body, start and integrator: a turned world, renamed axes, other units."""

import itertools

import numpy as np
from helpers.reference import STEPPERS, angle_between
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.rotation import multiply, rotate
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.physics.stepping.projection import STABILISATIONS

NAMES = [*STEPPERS, "exact"]
# stabilised near a principal axis, where the curve shrinks to a point, 1e-16 of the energy is 1e-8 of the angle
CLOSE = {"off": 1e-10, "gradient": 2e-6, "closest-point": 2e-6}
MANY = settings(max_examples=150, deadline=None, derandomize=True)


def numbers(low, high):
    return st.floats(low, high, allow_nan=False, width=32)


@st.composite
def solids(draw):
    """Moments that a solid can have, equal ones among them."""
    extent = [draw(st.one_of(numbers(0.125, 1), st.just(0.5))) for _ in range(3)]
    return [extent[1] + extent[2], extent[0] + extent[2], extent[0] + extent[1]]


RATES = st.lists(st.one_of(numbers(-2, 2), st.just(0.0)), min_size=3, max_size=3)
TURNS = st.lists(numbers(-1, 1), min_size=4, max_size=4).filter(lambda q: max(map(abs, q)) > 0.1)
SETUPS = st.tuples(st.sampled_from(NAMES), st.sampled_from(list(STABILISATIONS)), st.booleans())


def run(moments, start, setup, force=(0.2, -0.1, 0.3), arm=(0.1, 0.2, -0.1), step=0.02, scale=(1.0, 1.0), count=25):
    """The simulation after `count` steps; under loads where the setup asks for it and the integrator takes them.

    scale: of the moments and of the time, in which the loads are measured.
    """
    name, stabilisation, loaded = setup
    weight, clock = scale
    if name == "exact":
        stabilisation, loaded = "off", False
    loads = Loads(tuple(f * weight / clock**2 for f in force), arm, 0.05 * weight / clock) if loaded else Loads()
    body = RigidBody.from_moments([moment * weight for moment in moments])
    simulation = Simulation(body, start, name, step * clock, loads, stabilisation)
    simulation.advance_steps(count)
    return simulation


@MANY
@given(solids(), RATES, TURNS, TURNS, SETUPS)
def test_turn_the_world_and_the_answer_turns(moments, omega, attitude, turn, setup):
    turn = State(turn, (0, 0, 0)).orientation_wxyz
    force = np.array((0.2, -0.1, 0.3))
    plain = run(moments, State(attitude, omega), setup, force)
    turned = run(
        moments, State(multiply(turn, State(attitude, omega).orientation_wxyz), omega), setup, rotate(turn, force)
    )
    wanted = multiply(turn, plain.state.orientation_wxyz)
    assert angle_between(turned.state.orientation_wxyz, wanted) < CLOSE[setup[1]]
    assert_allclose(turned.angular_momentum_world, rotate(turn, plain.angular_momentum_world), atol=CLOSE[setup[1]])
    assert_allclose(turned.target_energy, plain.target_energy, atol=CLOSE[setup[1]])


@MANY
@given(solids(), RATES, TURNS, SETUPS, st.sampled_from(list(itertools.permutations(range(3)))))
def test_rename_the_axes_and_nothing_happens(moments, omega, attitude, setup, order):
    """A cyclic renaming is a turn of the body frame; an odd one mirrors it, so that pseudovectors change sign."""
    order, arm = list(order), np.array((0.1, 0.2, -0.1))
    parity = float(np.linalg.det(np.eye(3)[order]))
    start = State(attitude, omega)
    w, *v = start.orientation_wxyz
    mirrored = State((w, *(parity * np.array(v)[order])), parity * start.omega_body[order])
    force = np.array((0.2, -0.1, 0.3))
    plain = run(moments, start, setup, force, arm)
    # the world is renamed with the body; force and arm are true vectors, their product is not
    renamed = run([moments[k] for k in order], mirrored, setup, force[order], arm[order])
    assert_allclose(parity * renamed.state.omega_body, plain.state.omega_body[order], atol=CLOSE[setup[1]])
    w, *v = plain.state.orientation_wxyz
    assert angle_between(renamed.state.orientation_wxyz, (w, *(parity * np.array(v)[order]))) < CLOSE[setup[1]]
    assert_allclose(renamed.rotational_energy, plain.rotational_energy, atol=CLOSE[setup[1]])


@MANY
@given(solids(), RATES, TURNS, SETUPS, st.integers(-40, 40), st.integers(-20, 20))
def test_other_units_of_mass_length_and_time_change_nothing(moments, omega, attitude, setup, weight, clock):
    """Moments by 2^weight (mass and length), time by 2^clock; the gradient's share and every angle are pure numbers."""
    mass, time = 2.0**weight, 2.0**clock
    plain = run(moments, State(attitude, omega), setup)
    scaled = run(moments, State(attitude, np.array(omega) / time), setup, scale=(mass, time))
    assert angle_between(scaled.state.orientation_wxyz, plain.state.orientation_wxyz) < CLOSE[setup[1]]
    assert_allclose(scaled.state.omega_body * time, plain.state.omega_body, atol=CLOSE[setup[1]])
    assert_allclose(scaled.rotational_energy * time**2 / mass, plain.rotational_energy, atol=CLOSE[setup[1]])


@MANY
@given(solids(), RATES, TURNS, numbers(-1000, 1000))
def test_the_exact_motion_keeps_its_invariants_and_goes_back(moments, omega, attitude, t):
    body, start = RigidBody.from_moments(moments), State(attitude, omega)
    state = FreeRotation(body, start).at(t)
    I = body.principal_moments
    before, after = I * start.omega_body, I * state.omega_body
    size = np.linalg.norm(before) + 1e-300
    assert_allclose(rotate(state.orientation_wxyz, after), rotate(start.orientation_wxyz, before), atol=1e-14 * size)
    assert_allclose(after @ (after / I), before @ (before / I), rtol=1e-13, atol=1e-300)


def test_all_entries_are_among_the_names():
    assert {*NAMES, "symmetric-top", "no-gyroscopic", "matrix-euler", "matrix-rk4", "matrix-backward-euler"} == set(
        INTEGRATORS
    )

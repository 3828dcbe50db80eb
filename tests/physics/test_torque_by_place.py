"""A torque that follows the centre of mass: what it is told, orders under a thrust against DOP853, the way back."""

import functools
from dataclasses import replace

import numpy as np
import pytest
from helpers.reference import angle_between, slope_of, steps_under_load
from helpers.varying import BODY, BURNS, POINT, START, THRUST, WEIGHT, followed, thrust, thruster
from numpy.testing import assert_allclose

from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads, Thruster
from viewer.physics.rotation import rotate
from viewer.physics.simulation import Simulation


def test_a_function_gets_the_centre_of_mass_where_it_is():
    """A spring at the origin that only turns: the position at every kick lies on the parabola."""
    seen = []

    def torque(t, state):
        seen.append((t, state.position, state.linear_momentum))
        return 0.1 * state.position

    simulation = Simulation(BODY, START, "exact-drift", 0.1, Loads(tuple(WEIGHT), torque_function=torque))
    simulation.advance(2.0)
    for t, position, momentum in seen:
        assert_allclose(position, START.position + START.linear_momentum * t / 4 + WEIGHT * t * t / 8, rtol=1e-13)
        assert_allclose(momentum, START.linear_momentum + WEIGHT * t, rtol=1e-13, atol=1e-15)


FOLLOWING = {
    "force": (Loads(tuple(THRUST), frame="body"), (), lambda t, q: rotate(q, THRUST)),
    "thruster": (
        Loads(tuple(WEIGHT), thrusters=(Thruster(tuple(POINT), tuple(THRUST), BURNS),)), BURNS, thrust,
    ),
}  # fmt: skip


def follows_the_place(position, momentum):
    return 0.3 * np.array((position[1], -position[2], position[0])) + 0.4 * np.cross(momentum, (1.0, 0.5, -0.2))


@functools.cache
def wanted_of_following(case):
    loads, edges, force = FOLLOWING[case]
    turning = thruster if loads.thrusters else lambda t, q, omega: np.zeros(3)
    return followed(BODY, START, turning, 4.0, tuple(edges), force, by_place=follows_the_place)


@pytest.mark.sweep(most=1)
@pytest.mark.parametrize(
    ("case", "name"),
    [("force", "exact-drift"), ("force", "split4"), ("thruster", "exact-drift4"), ("thruster", "jolt")],
)
def test_order_under_a_torque_that_follows_the_centre_of_mass_under_thrust(case, name):
    """Position and linear momentum are found together with the turning. Measured .99..1.02, 1.98..2.02, 3.93..4.01."""
    orientation, momentum, position, linear = wanted_of_following(case)
    loads = replace(FOLLOWING[case][0], torque_function=lambda t, s: follows_the_place(s.position, s.linear_momentum))
    order = INTEGRATORS[name].order_under_load
    errors = []
    for h in steps_under_load(order):
        simulation = Simulation(BODY, START, name, h, loads)
        simulation.advance(4.0)
        state = simulation.state
        errors.append((
            angle_between(state.orientation_wxyz, orientation),
            np.linalg.norm(simulation.angular_momentum_world - momentum),
            np.linalg.norm(state.position - position),
            np.linalg.norm(state.linear_momentum - linear),
        ))  # fmt: skip
    least = order - (0.6 if order == 4 else 0.15)
    for of_one in zip(*errors, strict=True):
        assert slope_of(steps_under_load(order), of_one) > least


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4", "split4"])
@pytest.mark.parametrize("case", FOLLOWING)
def test_the_way_back_of_a_torque_that_follows_the_centre_of_mass(case, name):
    """100 steps on and back under thrust. Measured 2e-14."""
    loads = replace(FOLLOWING[case][0], torque_function=lambda t, s: follows_the_place(s.position, s.linear_momentum))
    simulation = Simulation(BODY, START, name, 0.023, loads)
    simulation.advance_steps(100)
    assert simulation.irreversible is None
    simulation.advance_steps(-100)
    assert_allclose(simulation.state.orientation_wxyz, START.orientation_wxyz, atol=1e-12)
    assert_allclose(simulation.state.omega_body, START.omega_body, atol=1e-12)
    assert_allclose(simulation.state.position, START.position, atol=1e-12)
    assert_allclose(simulation.state.linear_momentum, START.linear_momentum, atol=1e-12)

"""A force that is a function of time and state: orders, a closed form, the way back, thrusters beside, refusals."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between, slope_of, steps_under_load
from helpers.varying import BODY, BURNS, POINT, START, THRUST, WEIGHT, followed, thrust, thruster
from numpy.testing import assert_allclose

from viewer import Bodies
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads, Thruster
from viewer.physics.rotation import rotate
from viewer.physics.simulation import NumericalOverflow, Simulation

SPRING = 2.0  # N/m
THRUSTERS = Loads(tuple(WEIGHT), thrusters=(Thruster(tuple(POINT), tuple(THRUST), BURNS),))


def force(t, state):
    """It depends on all that it is given."""
    along = rotate(state.orientation_wxyz, state.omega_body + np.array((0.5, -0.3, 0.2)))
    return 0.3 * along - SPRING * state.position - 0.2 * state.linear_momentum + 0.4 * np.array((np.sin(t), 0, 1))


def torque(t, state):
    return 0.3 * state.position[[1, 2, 0]]


def measured(name, h, loads, wanted):
    simulation = Simulation(BODY, START, name, h, loads)
    simulation.advance(4.0)
    state, (orientation, momentum, position, linear) = simulation.state, wanted
    return (
        angle_between(state.orientation_wxyz, orientation),
        np.linalg.norm(simulation.angular_momentum_world - momentum),
        np.linalg.norm(state.position - position),
        np.linalg.norm(state.linear_momentum - linear),
    )


def nothing(t, q, omega):
    return np.zeros(3)


WANTED = followed(BODY, START, nothing, 4.0, by_place=lambda x, P: 0.3 * x[[1, 2, 0]], pushes=force)


@pytest.mark.sweep("exact-drift4", "jolt")
@pytest.mark.parametrize("name", STEPPERS)
def test_order_under_a_force_that_depends_on_everything_beside_a_torque_that_follows_it(name):
    """Of orientation, L, position and linear momentum. Measured .93..1.03, 1.90..2.01, 3.99..4.00."""
    order = INTEGRATORS[name].order_under_load
    loads = Loads(torque_function=torque, force_function=force)
    errors = np.array([measured(name, h, loads, WANTED) for h in steps_under_load(order)]).T
    for of_one in errors:
        assert slope_of(steps_under_load(order), of_one) > order - (0.6 if order == 4 else 0.15)


@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4"])
def test_beside_thrusters_and_a_weight(name):
    """The forces known by number stay exact where they end inside a step. Measured 1.97..2.35, 3.92..4.00."""
    order = INTEGRATORS[name].order_under_load
    wanted = followed(BODY, START, thruster, 4.0, BURNS, thrust, pushes=force)
    loads = replace(THRUSTERS, force_function=force)
    errors = np.array([measured(name, h, loads, wanted) for h in steps_under_load(order)]).T
    for of_one in errors:
        assert slope_of(steps_under_load(order), of_one) > order - (0.6 if order == 4 else 0.15)


def test_on_a_spring_the_centre_of_mass_swings_and_nothing_turns_otherwise():
    """Closed form: x0 cos wt + P0/(m w) sin wt, w = sqrt(k/m)."""
    loads = Loads(force_function=lambda t, state: -SPRING * state.position)
    pushed, free = (Simulation(BODY, START, "split4", 0.01, each) for each in (loads, None))
    for each in (pushed, free):
        each.advance(10.0)
    w = np.sqrt(SPRING / BODY.mass)
    wanted = START.position * np.cos(10 * w) + START.linear_momentum / (BODY.mass * w) * np.sin(10 * w)
    assert_allclose(pushed.state.position, wanted, atol=1e-8)
    assert_allclose(pushed.state.orientation_wxyz, free.state.orientation_wxyz, atol=1e-12)
    assert_allclose(loads.force_at(0.0, START), -SPRING * START.position)
    assert loads.pushes
    assert not loads.changes_momentum


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4", "split4"])
@pytest.mark.parametrize("loads", [Loads(), THRUSTERS], ids=["alone", "thrusters"])
def test_the_way_back(name, loads):
    """100 steps on and back. Measured 9e-15."""
    loads = replace(loads, force_function=force, torque_function=torque)
    simulation = Simulation(BODY, START, name, 0.023, loads)
    simulation.advance_steps(100)
    assert np.linalg.norm(simulation.state.position - START.position) > 1
    simulation.advance_steps(-100)
    for part in ("orientation_wxyz", "omega_body", "position", "linear_momentum"):
        assert_allclose(getattr(simulation.state, part), getattr(START, part), atol=1e-12)


def test_bodies_behind_ode_take_it():
    loads = Loads(torque_function=torque, force_function=force)
    bodies = Bodies([BODY], [START], [loads])
    bodies.advance(4.0, 400)
    assert_allclose(bodies.states[0].position, WANTED[2], atol=1e-8)
    assert_allclose(bodies.states[0].linear_momentum, WANTED[3], atol=1e-8)


def test_what_is_no_force_is_refused_and_a_runaway_is_named():
    with pytest.raises(ValueError, match=re.escape("loads.force_function: 3 is not allowed; it must be a function")):
        Loads(force_function=3)
    simulation = Simulation(BODY, START, step=0.1, loads=Loads(force_function=lambda t, state: (t, "x", 0)))
    message = re.escape("loads.force_function: (0.0, 'x', 0) at t = 0 s is not allowed; it must give a vector in space")
    with pytest.raises(ValueError, match=message):
        simulation.advance_steps(1)
    assert simulation.steps == 0
    with pytest.raises(ValueError, match=r"solver\.integrator: exact is torque-free"):
        Simulation(BODY, START, "exact", loads=Loads(force_function=force))
    away = Simulation(BODY, START, step=0.1, loads=Loads(force_function=lambda t, state: 1e3 * state.position))
    with pytest.raises(NumericalOverflow, match=r"diverged at t = .* s \(position\)"):
        away.advance(1e4)
    assert np.isfinite(away.state.position).all()

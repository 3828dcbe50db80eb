"""A body that friction has brought to rest, and motions so slow that squares underflow."""

import math

import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between, integrate
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads
from viewer.physics.poinsot import construction
from viewer.physics.poinsot.construction import Curves
from viewer.physics.simulation import Simulation
from viewer.physics.state import AT_REST, State, at_rest
from viewer.physics.stepping.projection import STABILISATIONS

BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
BRAKED = Loads(external_friction=20.0)
SLOW = (1e-11, 1e-13, 1e-60, 1e-75, 1e-100, 1e-140, 1e-155, 1e-170, 1e-300, 1e-320)  # of START's rates


@pytest.mark.parametrize("stabilisation", STABILISATIONS)
@pytest.mark.parametrize("name", STEPPERS)
def test_a_braked_body_comes_to_rest(name: str, stabilisation: str) -> None:
    """After 95 s omega would be at most exp(-8 * 95) = 1e-330 of what it was: no such number."""
    simulation = Simulation(BODY, START, name, 0.05, BRAKED, stabilisation)
    simulation.advance(95.0)
    assert (simulation.state.omega_body == 0.0).all()
    assert simulation.rotational_energy == simulation.target_energy == simulation.target_momentum == 0.0
    stood = simulation.state.orientation_wxyz
    simulation.advance(1.0)
    assert (simulation.state.orientation_wxyz == stood).all()
    with pytest.raises(ValueError, match="leaves nothing to go back by"):
        simulation.advance_steps(-1)
    simulation.kick((0.0, 0.0, 1.0))
    simulation.change(loads=Loads())
    simulation.advance(0.05)
    assert simulation.state.omega_body[2] == pytest.approx(1.0 / 2.5)


@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4", "implicit-midpoint"])
def test_it_stands_where_the_equations_of_motion_leave_it(name: str) -> None:
    """Against DOP853. Measured 1e-5, 3e-12 and 2e-5 rad."""
    orientation, _ = integrate(BODY, START, Loads(external_friction=2.0), 45.0)
    simulation = Simulation(BODY, START, name, 0.01, Loads(external_friction=2.0))
    simulation.advance(45.0)
    assert (simulation.state.omega_body == 0.0).all()
    bound = 1e-11 if name == "exact-drift4" else 3e-5
    assert angle_between(simulation.state.orientation_wxyz, orientation) < bound


def test_when_it_comes_to_rest() -> None:
    """omega of a sphere falls as exp(-k t/I): to AT_REST at t = I/k ln(omega / AT_REST)."""
    simulation = Simulation(RigidBody.from_moments((2, 2, 2)), START, step=0.01, loads=Loads(external_friction=4.0))
    last = 0.5 * math.log(float(np.linalg.norm(START.omega_body)) / AT_REST)
    simulation.advance(last - 0.01)
    assert simulation.state.omega_body.any()
    simulation.advance(0.02)
    assert not simulation.state.omega_body.any()


def test_a_small_moment_still_turns_a_body_that_is_braked() -> None:
    """Rest is for what friction alone does: here |L| grows by 1e-16 a step. Closed form tau/k (1 - exp(-k t/I))."""
    loads = Loads(force=(0, 1e-14, 0), arm=(1, 0, 0), frame="body", external_friction=0.5)
    simulation = Simulation(BODY, State((1, 0, 0, 0), (0, 0, 0)), step=0.01, loads=loads)
    simulation.advance(2.0)
    assert_allclose(simulation.state.omega_body[2], 2e-14 * -math.expm1(-0.5 * 2.0 / 2.5), rtol=1e-9)


@pytest.mark.parametrize("stabilisation", STABILISATIONS)
@pytest.mark.parametrize("name", STEPPERS)
def test_slow_motions_stay_finite(name: str, stabilisation: str) -> None:
    for scale in SLOW:
        start = State(START.orientation_wxyz, START.omega_body * scale)
        simulation = Simulation(BODY, start, name, 0.05, stabilisation=stabilisation)
        simulation.advance(2.0)
        assert_allclose(simulation.state.omega_body, start.omega_body, rtol=1e-9, atol=1e-318)


@pytest.mark.parametrize("scale", SLOW)
def test_the_construction_of_a_slow_motion(scale: float) -> None:
    """It is as large as the rates are, until the body counts as at rest: then there is none."""
    start = State(START.orientation_wxyz, START.omega_body * scale)
    L = BODY.principal_moments * start.omega_body
    energy, size = 0.5 * float(start.omega_body @ L), math.hypot(*L)
    found = Curves(BODY, start, energy, size)
    assert at_rest(energy, size) == (scale < 1e-12)
    if scale < 1e-12:
        assert not found.polhode.any()
        assert not found.separatrix.any()
        assert found.herpolhode_radii == (0.0, 0.0)
        assert construction.plane_distance(energy, size) == 0.0
        return
    unit = BODY.principal_moments * START.omega_body
    usual = Curves(BODY, START, 0.5 * float(START.omega_body @ unit), math.hypot(*unit))
    assert_allclose(found.polhode, scale * usual.polhode, rtol=1e-9, atol=1e-12 * scale)
    assert_allclose(found.herpolhode_radii, scale * np.array(usual.herpolhode_radii), rtol=1e-9)


@pytest.mark.parametrize("name", STEPPERS)
def test_a_push_and_its_opposite_leave_a_body_at_rest(name: str) -> None:
    """The target of the energy kept a last bit beside |L| = 0, and there was no polhode to draw."""
    chance = np.random.default_rng(4)
    for _ in range(20):
        simulation = Simulation(BODY, State(START.orientation_wxyz, (0, 0, 0)), name, 0.05)
        push = chance.uniform(-1.0, 1.0, 3)
        simulation.kick(push)
        simulation.kick(-push)
        assert not simulation.angular_momentum_world.any()
        assert simulation.target_energy == simulation.target_momentum == 0.0
        assert not Curves(BODY, simulation.state, simulation.target_energy, 0.0).polhode.any()

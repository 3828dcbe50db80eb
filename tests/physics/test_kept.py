"""What the weight alone keeps of a body about a pivot: its errors, and the stabilisation that brings the body back."""

from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from helpers.reference import STEPPERS, integrate
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.ensemble import Ensemble
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.kept import Kept
from viewer.physics.loads import Loads
from viewer.physics.rotation import multiply, rotate, turn_angle
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

GRAVITY = 9.81
TOP = RigidBody.from_moments((0.75, 0.75, 0.4)).about((0, 0, -0.5))
HANGING = RigidBody.from_moments((0.75, 0.75, 0.4)).about((0, 0, 0.5))
OTHER = RigidBody.from_moments((0.75, 1.0, 0.4), mass=2.0).about((0.1, 0.2, -0.5))
START = State((cos(0.25), sin(0.25), 0, 0), (0.3, -0.2, 25), position=(1.0, 2.0, 3.0))
WEIGHT = Loads(gravity=GRAVITY)


def tilted(angle: float) -> tuple[float, float, float, float]:
    return cos(angle / 2), sin(angle / 2), 0.0, 0.0


def steady(inclination: float, spin: float, sign: int) -> State:
    """Return the start of the slow (-1) or the fast (1) steady precession of TOP at this rate about its axis."""
    across, _, along = TOP.principal_moments
    root = sqrt((along * spin) ** 2 - 4.0 * across * 0.5 * GRAVITY * cos(inclination))
    rate = (along * spin + sign * root) / (2.0 * across * cos(inclination))
    return State(tilted(inclination), (0.0, rate * sin(inclination), spin))


STARTS = {
    "any": START,
    "at rest": State(tilted(1.0), (0, 0, 0)),
    "cusps": State(tilted(0.5), (0, 0, 25)),
    "slow precession": steady(0.5, 25.0, -1),
    "fast precession": steady(0.5, 25.0, 1),
    "sleeping": State((1, 0, 0, 0), (0, 0, 25)),
    "hanging": State(tilted(pi), (0, 0, 5)),
}


def worst(kept: Kept | None, state: State) -> float:
    assert kept is not None
    return max(abs(float(error)) for error in kept.errors(state) if error is not None)


def test_the_errors_are_those_of_energy_and_momentum_as_one_computes_them_by_hand():
    simulation = Simulation(TOP, START, "explicit-euler", 0.01, WEIGHT)

    def by_hand() -> tuple[float, float, float]:
        q, omega = simulation.state.orientation_wxyz, simulation.state.omega_body
        energy = 0.5 * omega @ (TOP.principal_moments * omega) + GRAVITY * rotate(q, TOP.centre_of_mass)[2]
        return energy, rotate(q, TOP.principal_moments * omega)[2], 0.4 * omega[2]

    first = by_hand()
    simulation.advance(0.5)
    largest = first[0] + GRAVITY * 0.5
    scales = largest, *[sqrt(2.0 * largest * TOP.principal_moments.max())] * 2
    wanted = [(now - then) / scale for now, then, scale in zip(by_hand(), first, scales, strict=True)]
    assert simulation.kept is not None
    assert_allclose(simulation.kept.errors(simulation.state), wanted, atol=1e-15)
    assert abs(wanted[0]) > 1e-3
    assert simulation.rotational_energy - simulation.target_energy == pytest.approx(by_hand()[0] - first[0], rel=1e-9)
    states = simulation.states_of()
    assert_allclose(np.ravel(simulation.kept.errors(states)), wanted, atol=1e-15)


def test_the_values_are_those_since_the_loads_last_changed():
    simulation = Simulation(TOP, START, "jolt", 0.01, WEIGHT)
    simulation.advance(0.5)
    off = worst(simulation.kept, simulation.state)
    assert off > 1e-3
    simulation.change(integrator="exact-drift", step=0.001)
    assert worst(simulation.kept, simulation.state) == pytest.approx(off, rel=1e-12)
    simulation.kick((0.0, 0.1, 0.0))
    assert worst(simulation.kept, simulation.state) < 1e-15
    simulation.advance(0.5)
    simulation.change(loads=Loads(gravity=2.0))
    assert worst(simulation.kept, simulation.state) < 1e-15
    simulation.change(loads=Loads(gravity=2.0, external_friction=0.1))
    assert simulation.kept is None
    assert Simulation(RigidBody.sphere(1, 1), State((1, 0, 0, 0), (0, 0, 1)), loads=WEIGHT).kept is None


@pytest.mark.parametrize("body", [TOP, OTHER], ids=["top", "other"])
@pytest.mark.parametrize("name", STEPPERS)
def test_every_integrator_is_brought_back_to_what_the_weight_keeps(name, body):
    """In 240 steps of 1/240 s. Measured: at most 2e-15; left alone all but the composed drift by 1e-8 and more."""
    simulation = Simulation(body, START, name, 1 / 240, WEIGHT, stabilisation="closest-point")
    for _ in range(24):
        simulation.advance_steps(10)
        assert worst(simulation.kept, simulation.state) < 1e-14
    assert simulation.rotational_energy == pytest.approx(simulation.target_energy, rel=1e-12)
    assert simulation.next_step() is not None
    alone = Simulation(body, START, name, 1 / 240, WEIGHT)
    alone.advance_steps(240)
    assert (
        (worst(alone.kept, alone.state) > 1e-9) == (simulation.sample().correction > 1e-13) == (name != "exact-drift4")
    )
    with pytest.raises(ValueError, match="the stabilisation forgets the errors that it takes away"):
        simulation.advance_steps(-1)


@pytest.mark.parametrize("name", ["first-order", "jolt", "explicit-euler"])
def test_a_method_of_first_order_errs_less_in_its_orientation_when_it_is_brought_back(name):
    """Measured after 2 s: 1.2e-3, 3.5e-4, 1.5e-4 rad in place of 4.3e-2, 1.5e-1, 1.2e-1."""
    closed = LagrangeTop(TOP.principal_moments, TOP.centre_of_mass, (0, 0, -GRAVITY), START).at(2.0)
    off = []
    for method in ("off", "closest-point"):
        simulation = Simulation(TOP, START, name, 1 / 240, WEIGHT, stabilisation=method)
        simulation.advance(2.0)
        turned = multiply(closed.orientation_wxyz * (1, -1, -1, -1), simulation.state.orientation_wxyz)
        off.append(float(turn_angle(turned)))
    assert off[1] < 0.1 * off[0]
    assert off[1] < 2e-3


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize("body", [TOP, HANGING], ids=["standing", "hanging"])
def test_special_motions_are_brought_back_too(body, start):
    """Also where E is least or largest for these momenta, and where nothing moves. Measured: 2e-12 there."""
    simulation = Simulation(body, start, "explicit-euler", 1 / 960, WEIGHT, stabilisation="closest-point")
    simulation.advance(2.0)
    assert worst(simulation.kept, simulation.state) < 1e-11


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("body", [TOP, OTHER], ids=["top", "other"])
def test_the_state_that_is_reached_is_the_nearest(body, seed):
    """No state that has the values is nearer: of those a little further along in any direction none is."""
    random = np.random.default_rng(seed)
    kept = Kept.of(body, WEIGHT.on(body), START)
    assert kept is not None
    size = kept.largest_momentum
    q = START.orientation_wxyz
    L = rotate(q, body.principal_moments * START.omega_body)
    off = 1e-4 * random.normal(size=6)
    turn = np.concatenate(([1.0], 0.5 * off[:3]))
    away = multiply(turn / np.linalg.norm(turn), q), L + size * off[3:]
    found = kept.nearest(tuple(away[0].tolist()), tuple(away[1].tolist()))

    def apart(there) -> float:
        turned = turn_angle(multiply(np.array(there[0]) * (1, -1, -1, -1), away[0]))
        return float(np.hypot(turned, np.linalg.norm(np.array(there[1]) - away[1]) / size))

    least = apart(found)
    assert least <= np.linalg.norm(off)
    for _ in range(20):
        aside = 1e-5 * random.normal(size=6)
        turn = np.concatenate(([1.0], 0.5 * aside[:3]))
        other = multiply(turn / np.linalg.norm(turn), np.array(found[0])), np.array(found[1]) + size * aside[3:]
        there = kept.nearest(tuple(other[0].tolist()), tuple(other[1].tolist()))
        assert apart(there) >= least * (1.0 - 1e-3)  # the curvature of what has the values: 1e-4 of it


def test_the_papers_gradient_is_refused():
    with pytest.raises(ValueError, match=r"solver.stabilisation: gradient is not allowed for a body that its weight"):
        Simulation(TOP, START, "first-order", loads=WEIGHT, stabilisation="gradient")


def test_the_centre_of_mass_goes_round_the_pivot_as_the_equations_say():
    """Position of the centre of mass after 4 s against DOP853. Measured: 3e-13 m."""
    q, _ = integrate(OTHER, START, Loads((0, 0, -GRAVITY * OTHER.mass), tuple(OTHER.centre_of_mass.tolist())), 4.0)
    simulation = Simulation(OTHER, START, "exact-drift4", 1 / 1024, WEIGHT)
    simulation.advance(4.0)
    state = simulation.state
    assert state.position.tolist() == [1.0, 2.0, 3.0]
    found = state.position + rotate(state.orientation_wxyz, OTHER.centre_of_mass)
    assert_allclose(found, np.array((1.0, 2.0, 3.0)) + rotate(q, OTHER.centre_of_mass), rtol=0, atol=1e-11)


def test_many_bodies_at_once_take_no_stabilisation_under_their_weight():
    """Their compiled steps know only the targets of E and |L|."""
    q, omega = np.array([START.orientation_wxyz]), np.array([START.omega_body])
    with pytest.raises(ValueError, match="stabilisation: closest-point is not allowed for bodies about a pivot here"):
        Ensemble(TOP, q, omega, "split", 0.01, WEIGHT, "closest-point")

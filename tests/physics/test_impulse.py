"""Angular impulses: L changes by exactly so much, the targets follow, whatever computes the motion."""

import math

import numpy as np
import pytest
from helpers.reference import STEPPERS, angle_between
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

BODY = RigidBody.from_moments((1, 2, 2.5))
I = BODY.principal_moments
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1), (1, 2, 3), (0.1, 0, -0.2))
PULSE = np.array((0.3, -0.5, 0.2))
ALL = [*STEPPERS, "exact"]


def down_the_gradient(L_b, energy):
    """Where the great circle along the energy's gradient has that energy, by bisection."""
    across = L_b / I - (L_b / I) @ L_b / (L_b @ L_b) * L_b
    across *= np.linalg.norm(L_b) / np.linalg.norm(across)

    def at(angle):
        return np.cos(angle) * L_b + np.sin(angle) * across

    low, high = -0.1, 0.1
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if at(middle) @ (at(middle) / I) / 2 < energy else (low, middle)
    return at(low)


@pytest.mark.parametrize("name", ALL)
def test_a_kick_changes_L_by_itself_and_the_energy_target_by_its_work(name):
    """The work at the point where the body ought to stand, which is not where it stands if it errs.

    Measured 3e-15, 8e-13 where the energy errs by less than ON_CURVE.
    """
    simulation = Simulation(BODY, START, name, 0.01)
    simulation.advance(2)
    before, L, size = simulation.state, simulation.angular_momentum_world, simulation.target_momentum
    energy, time = simulation.target_energy, simulation.time
    L_b = I * before.omega_body
    due = down_the_gradient(L_b * size / np.linalg.norm(L_b), energy)
    simulation.kick(PULSE)
    now = simulation.state
    for kept in ("orientation_wxyz", "position", "linear_momentum"):
        assert_allclose(getattr(now, kept), getattr(before, kept), rtol=0, atol=1e-15)
    assert simulation.time == time
    assert_allclose(simulation.angular_momentum_world - L, rotate(before.orientation_wxyz, PULSE), atol=2e-15)
    assert_allclose(now.omega_body - before.omega_body, PULSE / I, atol=2e-15)
    assert simulation.target_energy - energy == pytest.approx((due + PULSE / 2) @ (PULSE / I), abs=2e-12)
    led = I * now.omega_body if INTEGRATORS[name].in_space else due + PULSE
    assert simulation.target_momentum == pytest.approx(np.linalg.norm(led), abs=1e-14)


@pytest.mark.parametrize("name", ALL)
def test_after_the_kick_it_moves_as_from_the_new_state(name):
    """Measured: .01, 1e-5, 2e-11 rad by order, 3e-15 for the exact drift, 0 for the closed form, which begins anew."""
    simulation = Simulation(BODY, START, name, 0.004)
    simulation.advance(1)
    simulation.kick(PULSE)
    wanted = FreeRotation(BODY, simulation.state).at(2.0)
    simulation.advance(2)
    assert simulation.time == pytest.approx(3)
    error = angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz)
    assert error < {1: 0.05, 2: 1e-4, 4: 1e-9}.get(INTEGRATORS[name].order, 1e-13)
    assert_allclose(simulation.state.position, START.position + 3 * START.linear_momentum, rtol=1e-14)


@pytest.mark.parametrize("stabilisation", ["gradient", "closest-point"])
@pytest.mark.parametrize("name", ["split", "first-order", "jolt"])
def test_stabilisation_leads_to_the_new_targets(name, stabilisation):
    """Measured: gradient 1.4e-5 at most, closest point 7e-16."""
    simulation = Simulation(BODY, START, name, 0.01, stabilisation=stabilisation)
    simulation.advance(2)
    target = simulation.target_energy
    simulation.kick(PULSE)
    assert abs(simulation.target_energy - target) > 0.1 * target
    simulation.advance(20)
    assert simulation.rotational_energy == pytest.approx(
        simulation.target_energy, rel=1e-12 if stabilisation == "closest-point" else 1e-3
    )


def test_many_kicks_keep_energy_and_target_together():
    """Under loads as well: 100 kicks of a tenth of |L|; measured 6e-16."""
    for loads in (Loads(), Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, 0.02, "body")):
        simulation = Simulation(BODY, START, loads=loads)
        for n in range(100):
            simulation.advance_steps(7)
            simulation.kick(0.3 * np.eye(3)[n % 3] * (-1) ** (n // 3))
        energy = np.sum(I * simulation.state.omega_body**2) / 2
        assert simulation.target_energy == pytest.approx(energy, rel=1e-13)
        assert simulation.time == pytest.approx(700 / 60, rel=1e-14)


def test_a_kick_sets_a_body_at_rest_in_motion_and_stops_it_again():
    for name in ALL:
        simulation = Simulation(BODY, State((1, 2, 3, 4), (0, 0, 0)), name)
        simulation.kick((0, 0, 0.5))
        assert simulation.target_energy == pytest.approx(0.05, rel=1e-15)
        simulation.advance(1)
        assert_allclose(simulation.state.omega_body, (0, 0, 0.2), atol=1e-12)
        simulation.kick(-I * simulation.state.omega_body)
        assert simulation.rotational_energy == pytest.approx(0, abs=1e-30)
        assert 0 <= simulation.target_energy < 1e-12
        assert 0 <= simulation.target_momentum < 1e-12


@pytest.mark.parametrize("bad", [(1, 2), (math.nan, 0, 0), (0, math.inf, 0), (1e308, 0, 0), 3.0])
def test_a_bad_kick_is_refused_and_changes_nothing(bad):
    simulation = Simulation(BODY, START)
    simulation.advance(1)
    before = simulation.state
    with pytest.raises(ValueError, match=r"angular_impulse_body: .* is not allowed; it must be 3 numbers"):
        simulation.kick(bad)
    assert simulation.state is before

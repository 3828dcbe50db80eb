"""The pull of a spring: against the mobility by finite differences, and that it calms a body as fast whatever it is."""

import numpy as np
import pytest

from viewer.physics.body import RigidBody
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate, rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.physics.state import State
from viewer.ui.input.spring import spring_force, turning_mass


def test_the_mass_that_a_force_has_to_move():
    rng = np.random.default_rng(8)
    for _ in range(30):
        body = RigidBody(rng.uniform(0.5, 1.0, 3), 2.0)
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        lever, R = rng.normal(size=3), rotation_matrix(q)
        across = [each - (each @ lever) * lever / (lever @ lever) for each in np.eye(3)]
        inverse = np.linalg.inv(R @ np.diag(body.principal_moments) @ R.T)
        # the velocity along each axis that a unit impulse along it gives, summed: the trace of the mobility
        gains = [np.cross(inverse @ np.cross(lever, axis), lever) @ axis for axis in across]
        own = sum(np.cross(inverse @ np.cross(lever, axis), lever) @ axis for axis in np.eye(3))
        assert sum(gains) == pytest.approx(own)
        assert turning_mass(body, q, lever) == pytest.approx(2.0 / own, rel=1e-12)


@pytest.mark.parametrize("seconds", [1 / 60, 1 / 10])
@pytest.mark.parametrize("moments", [(0.0145, 0.052, 0.0625), (14.5, 52.0, 62.5), (1.0, 1.0, 1.0), (0.01, 1.0, 1.0)])
def test_it_calms_every_body_alike(moments, seconds):
    body = RigidBody(moments, 1.0)
    simulation = Simulation(body, State((1.0, 0.0, 0.0, 0.0), (0.0, 3.0, 0.3)), step=1 / 480)
    point, target = np.array([0.4, 0.1, 0.05]), np.array([0.1, 0.5, 0.0])
    away = []
    for _ in range(round(4.0 / seconds)):
        state = simulation.state
        at = rotate(state.orientation_wxyz, point)
        force = spring_force(body, 0.55, state, point, target, 4.0, seconds)
        simulation.change(loads=Loads(torque=tuple(np.cross(at, force).tolist())))
        simulation.advance(seconds)
        away.append(np.linalg.norm(np.cross(at, target)) / (np.linalg.norm(at) * np.linalg.norm(target)))
    slender = moments[0] < 0.1 * moments[1]  # goes on spinning about its lever, which is nearly its axis
    assert max(away[len(away) // 2 :]) < (0.5 if slender else 0.05)  # measured: .42, .039
    velocity = np.cross(simulation.omega_world, rotate(simulation.state.orientation_wxyz, point))
    assert np.linalg.norm(velocity) < (0.2 if slender else 0.03)  # measured: .12, .024 m/s of 1.2 at the start


def test_it_is_as_heavy_as_the_body():
    state, point, target = State((1.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3)), (0.3, 0.0, 0.1), (0.4, 0.5, 0.6)
    one, other = (
        spring_force(RigidBody(k * np.array([1.0, 2.0, 2.5])), 0.5, state, point, target, 4.0, 0.02) for k in (1, 7)
    )
    np.testing.assert_allclose(other, 7.0 * one, rtol=1e-13)
    still = State((1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    np.testing.assert_allclose(spring_force(RigidBody([1.0, 2.0, 2.5]), 0.5, still, point, point, 4.0, 0.02), 0.0)

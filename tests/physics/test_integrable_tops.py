"""The tops that can be solved beside Lagrange's: what Kovalevskaya's and Goryachev and Chaplygin's keep."""

import numpy as np
import pytest

from viewer.physics.body import RigidBody
from viewer.physics.kovalevskaya import kovalevskaya_rate
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotate_back
from viewer.physics.simulation import Simulation
from viewer.physics.state import State, States
from viewer.scenario.scenario import Scenario

SECONDS, STEP = 3.0, 1.0 / 4096.0
G = 9.81


def run(body: RigidBody, omega: tuple[float, float, float], q=(0.8, 0.2, 0.4, 0.4)) -> tuple[Loads, States]:
    start = State(np.array(q) / np.linalg.norm(q), omega)
    simulation = Simulation(body, start, integrator="exact-drift4", step=STEP, loads=Loads(gravity=G))
    states = [start]
    while simulation.time < SECONDS:
        simulation.advance_steps(64)
        states.append(simulation.state)
    times = np.arange(len(states)) * 64 * STEP
    found = (np.array([getattr(state, name) for state in states]) for name in ("orientation_wxyz", "omega_body"))
    return simulation.loads, States(times, *found)


@pytest.mark.parametrize("omega", [(1.0, 4.0, 8.0), (-6.0, 0.5, -2.0), (0.0, 0.0, 1.0)])
@pytest.mark.parametrize("turned", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_kovalevskayas_integral_is_kept_about_each_axis(omega, turned):
    moments = np.array((0.04, 0.035, 0.015))[list(turned)]
    body = RigidBody.from_moments(moments).about(np.array((-np.sqrt(0.005), 0.0, 0.0))[list(turned)])
    loads, states = run(body, omega)
    rate = kovalevskaya_rate(body, loads, states)
    assert rate is not None
    assert np.max(np.abs(rate / rate[0] - 1.0)) < 1e-12  # measured 4e-14


def test_it_is_the_presets():
    scene = Scenario.preset("kovalevskaya-top")
    body, start = scene.rigid_body(), scene.start_state()
    loads, states = run(body, tuple(start.omega_body), start.orientation_wxyz)
    rate = kovalevskaya_rate(body, loads, states)
    assert np.max(np.abs(rate / rate[0] - 1.0)) < 1e-12  # measured 2e-14
    assert np.ptp(np.linalg.norm(states.omega_body, axis=1)) > 5.0  # while omega changes a lot


@pytest.mark.parametrize("change", ["moments", "centre", "torque", "free"])
def test_it_is_shown_only_where_it_is_kept(change):
    """Of another body or under another load the same formula wanders, and is not given."""
    body = RigidBody.box(1.0, 0.1, 0.2, 0.1 * np.sqrt(12.0)).about((-0.05, 0.0, 0.0))
    loads = Loads(gravity=G).on(body)
    state = State((0.8, 0.6, 0.0, 0.0), (1.0, 4.0, 8.0))
    assert kovalevskaya_rate(body, loads, state) is not None
    other = {
        "moments": RigidBody.box(1.0, 0.1, 0.2, 0.35).about((-0.05, 0.0, 0.0)),
        "centre": RigidBody.box(1.0, 0.1, 0.2, 0.1 * np.sqrt(12.0)).about((-0.05, 0.0, 1e-6)),
    }.get(change, body)
    acting = {"torque": Loads(gravity=G, torque=(0.0, 0.0, 1e-3)), "free": Loads()}.get(change, Loads(gravity=G))
    assert kovalevskaya_rate(other, acting.on(other), state) is None


@pytest.mark.parametrize("spin", [1.0, 6.0, -3.0])
def test_goryachev_and_chaplygins_integral_is_kept_while_l_z_is_zero(spin):
    """With A = B = 4 C and L z = 0: r (p^2 + q^2) - (m g x/C) p gamma_z (Goryachev 1900, Chaplygin 1901)."""
    moments, q = np.array((0.08, 0.08, 0.02)), np.array((0.8, 0.2, 0.4, 0.4))
    x = 0.1
    body = RigidBody.from_moments(moments - np.array((0.0, x * x, x * x))).about((-x, 0.0, 0.0))
    np.testing.assert_allclose(body.principal_moments, moments, rtol=1e-14)
    upright = rotate_back(q / np.linalg.norm(q), np.array((0.0, 0.0, 1.0)))
    across = -0.02 * spin * upright[2] / (0.08 * (upright[0] ** 2 + upright[1] ** 2))
    omega = (across * upright[0] + upright[1], across * upright[1] - upright[0], spin)

    def integral(states: States) -> np.ndarray:
        (p, q, r), up = states.omega_body.T, rotate_back(states.orientation_wxyz, np.array((0.0, 0.0, 1.0)))
        return r * (p * p + q * q) - G * x / 0.02 * p * up[:, 2]

    _, states = run(body, omega)
    found = integral(states)
    assert np.ptp(found) < 1e-12 * np.abs(states.omega_body).max() ** 3  # measured 1.5e-14
    _, others = run(body, (omega[0], omega[1], spin + 1.0))  # L z is not zero: it is not kept
    assert np.ptp(integral(others)) > 1e-3 * np.abs(others.omega_body).max() ** 3  # measured 5e-3

"""Errors against the exact motion, and the phase along the curve of L in the body."""

import numpy as np
import pytest

from viewer.physics.body import RigidBody
from viewer.physics.errors import Circling, compared
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.simulation import Simulation
from viewer.physics.state import State, States

MOTIONS = [
    ((1.0, 2.0, 2.5), (1.0, 0.7, 1.1)),
    ((1.0, 2.0, 2.5), (-1.0, 0.0, 1.2)),
    ((10.0, 4.0, 2.0), (1.0, 2.0, 3.0)),
    ((2.0, 2.0, 3.0), (0.3, 0.1, 1.0)),  # symmetric
    ((1.0, 2.0, 2.0), (0.3, 0.1, 1.0)),
    ((1.0, 2.0, 3.0), (0.02, 1.0, 0.001)),  # near the separatrix
]


def motion(moments, omega) -> tuple[RigidBody, FreeRotation]:
    body = RigidBody.from_moments(moments)
    return body, FreeRotation(body, State((1, 0, 0, 0), omega))


@pytest.mark.parametrize(("moments", "omega"), MOTIONS)
def test_the_phase_grows_evenly_by_a_turn_a_period(moments, omega):
    _, exact = motion(moments, omega)
    assert exact.period is not None
    t = np.linspace(-1.0, 2.0, 181) * exact.period
    phase = exact.phase(exact.at(t).omega_body)
    assert phase is not None
    ahead = np.unwrap(phase) - 2.0 * np.pi * t / exact.period
    # measured: 2e-15 to 3e-14; near the separatrix 1e-10
    assert np.ptp(ahead) < (1e-9 if omega[0] == 0.02 else 1e-13)


@pytest.mark.parametrize(("moments", "omega"), MOTIONS)
def test_a_motion_that_is_late_in_the_body_has_that_phase_and_no_other_error(moments, omega):
    body, exact = motion(moments, omega)
    assert exact.period is not None
    t = np.linspace(0.0, 3.0, 200) * exact.period
    late = exact.at(t - 0.01 * exact.period)
    found = compared(exact, body, States(t, late.orientation_wxyz, late.omega_body), Circling())[0]
    assert found.phase == pytest.approx(np.full(200, -0.02 * np.pi), abs=1e-9)  # measured 6e-11 at most
    for error in (found.energy, found.momentum, found.direction):
        assert np.abs(error).max() < 1e-13  # measured 3e-15
    assert found.orientation.min() > 1e-3


def test_the_exact_motion_has_no_error():
    body, exact = motion(*MOTIONS[0])
    found = compared(exact, body, exact.at(np.linspace(0.0, 500.0, 101)), Circling())[0]
    assert found.phase is not None
    for error in (found.energy, found.momentum, found.direction, found.orientation, found.phase):
        assert np.abs(error).max() < 1e-15  # measured 1.2e-16


def test_whole_periods_lost_are_counted():
    body, exact = motion(*MOTIONS[0])
    assert exact.period is not None
    t = np.linspace(0.0, 10.0, 400) * exact.period
    slow = exact.at(0.7 * t)  # 3 of 10 periods are lost
    found = compared(exact, body, States(t, slow.orientation_wxyz, slow.omega_body), Circling())[0]
    assert found.phase is not None
    assert found.phase[-1] == pytest.approx(-6.0 * np.pi, abs=1e-9)  # measured 7e-14


def test_a_known_integrator_errs_as_recorded():
    """Implicit midpoint keeps energy and L and lags in phase: order 2."""
    body, exact = motion(*MOTIONS[0])
    lags = []
    for step in (0.025, 0.0125):
        simulation = Simulation(body, exact.at(0.0), integrator="implicit-midpoint", step=step)
        states = simulation.sampled(round(16.0 / step))
        found = compared(exact, body, states, Circling())[0]
        assert found.phase is not None
        assert np.abs(found.energy).max() < 1e-13  # measured 4e-15
        lags.append(np.abs(found.phase).max())
    assert np.log2(lags[0] / lags[1]) == pytest.approx(2.0, abs=0.05)  # measured 2.000
    assert lags[0] > 1e-4


@pytest.mark.parametrize("omega", [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)])
def test_a_steady_spin_has_no_phase(omega):
    body, exact = motion((1.0, 2.0, 3.0), omega)
    assert exact.phase(omega) is None
    found = compared(exact, body, exact.at(np.linspace(0.0, 5.0, 7)), Circling())[0]
    assert found.phase is None
    assert np.abs(found.energy).max() == 0.0
    assert np.abs(found.orientation).max() < 1e-7

"""The curves and the period that a display keeps: for which motions they hold, and what they are at the limits."""

from math import pi

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.construction import LEAST, SAME, Curves, Periods
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

BODY = RigidBody.from_moments((1, 2, 2.5))
AROUND_LEAST, AROUND_LARGEST = (2.0, 0.5, 0.25), (0.25, 0.5, 2.0)


def of(omega: tuple[float, float, float], body: RigidBody = BODY) -> tuple[State, float, float]:
    """(state, energy [J], |L|) of a start."""
    I, w = body.principal_moments, np.array(omega)
    return State((1, 0, 0, 0), omega), float(0.5 * w @ (I * w)), float(np.linalg.norm(I * w))


@pytest.mark.parametrize("omega", [AROUND_LEAST, AROUND_LARGEST])
def test_curves_fit_their_motion_and_neither_the_other_branch_nor_another_energy(
    omega: tuple[float, float, float],
) -> None:
    state, energy, momentum = of(omega)
    curves = Curves(BODY, state, energy, momentum)
    later = FreeRotation(BODY, state)
    for t in np.linspace(0.0, float(later.period), 12):
        assert curves.hold_for(energy, momentum, later.at(float(t)).omega_body)
    assert not curves.hold_for(energy, momentum, -np.array(omega))
    assert curves.hold_for(energy * (1.0 + 0.5 * SAME), momentum * (1.0 - 0.5 * SAME), np.array(omega))
    assert not curves.hold_for(energy * (1.0 + 2.0 * SAME), momentum, np.array(omega))
    assert not curves.hold_for(energy, momentum * (1.0 - 2.0 * SAME), np.array(omega))


def test_curves_lie_on_both_surfaces_and_cannot_be_changed() -> None:
    state, energy, momentum = of(AROUND_LEAST)
    curves = Curves(BODY, state, energy, momentum)
    I = BODY.principal_moments
    np.testing.assert_allclose((I * curves.polhode**2).sum(axis=1), 2.0 * energy, rtol=1e-14)
    np.testing.assert_allclose(((I * curves.polhode) ** 2).sum(axis=1), momentum**2, rtol=1e-14)
    np.testing.assert_allclose((curves.separatrix**2).sum(axis=-1), momentum**2, rtol=1e-14)  # of L_b
    np.testing.assert_allclose((curves.separatrix**2 / I).sum(axis=-1), momentum**2 / I[1], rtol=1e-14)
    for curve in (curves.polhode, curves.separatrix):
        with pytest.raises(ValueError, match="read-only"):
            curve[0] = 0.0


def test_at_rest_there_is_no_curve_and_no_period() -> None:
    state, energy, momentum = of((0.0, 0.0, 0.0))
    curves = Curves(BODY, state, energy, momentum)
    assert not curves.polhode.any()
    assert curves.herpolhode_radii == (0.0, 0.0)
    assert Periods(BODY).of(state, energy, momentum) == (None, None, None, None)


def test_periods_are_those_of_the_exact_motion_and_follow_energy_and_momentum() -> None:
    periods = Periods(BODY)
    for omega in (AROUND_LEAST, AROUND_LARGEST, (0.01, 2.0, 0.01)):
        state, energy, momentum = of(omega)
        exact = FreeRotation(BODY, state)
        assert periods.of(state, energy, momentum)[:2] == (exact.period, exact.flip_period)
    assert periods.of(of((0.3, 0.0, 0.0))[0], energy, momentum)[:2] == (exact.period, exact.flip_period)  # kept


def test_the_period_of_a_spin_with_the_least_energy_is_a_turn() -> None:
    """Friction leads there; the closed form's own period has a limit of its own."""
    spin = Simulation(BODY, State((1, 0, 0, 0), (1e-9, 0.0, 2.0)))
    found = Periods(BODY).of(spin.state, spin.rotational_energy, 5.0)
    assert found == (pytest.approx(2.0 * pi / 2.0, rel=1e-15), None, None, None)
    state, energy, momentum = of((1e-4, 0.0, 2.0))
    assert energy - momentum**2 / 5.0 > LEAST * energy
    assert Periods(BODY).of(state, energy, momentum)[0] == pytest.approx(FreeRotation(BODY, state).period)


@pytest.mark.parametrize("moments", [(2, 2, 2), (1, 1, 1.5), (1, 2, 2)])
@pytest.mark.parametrize("omega", [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.3, -0.4, 1.2)])
def test_degenerate_bodies_have_finite_periods_or_none(
    moments: tuple[float, float, float], omega: tuple[float, float, float]
) -> None:
    body = RigidBody.from_moments(moments)
    for found in Periods(body).of(*of(omega, body)):
        assert found is None or 0.0 < found < 1e9


@pytest.mark.parametrize("omega", [AROUND_LEAST, AROUND_LARGEST, (0.01, 2.0, 0.01), (1.0, 0.0, 0.0)])
def test_in_a_slowly_turning_frame_the_body_stands_after_a_period_as_it_did_before(omega) -> None:
    """By scipy's rotations: what a period adds is a turn about L, of at most half a turn, which the frame makes."""
    state, energy, momentum = of(omega)
    found, exact = Periods(BODY).of(state, energy, momentum), FreeRotation(BODY, state)
    begin, end = (Rotation.from_quat(exact.at(t).orientation_wxyz[[1, 2, 3, 0]]) for t in (0.0, found.period))
    direction = BODY.principal_moments * np.array(omega) / momentum  # in space, too: the start has no turn
    turn = 0.0 if found.frame is None else 2.0 * pi * found.period / found.frame
    assert abs(turn) <= pi
    apart = (end * begin.inv()).inv() * Rotation.from_rotvec(turn * direction)
    assert apart.magnitude() < 1e-12  # 2e-14 here

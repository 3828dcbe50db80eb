"""The exact drift over very many free steps: what its orientation gathers, against another integrator's quadruples."""

import json
from typing import Any

import numpy as np
import pytest
from helpers.reference import DATA, angle_between

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import drift_constants
from viewer.physics.kernels.exact_drift import NO_CURVE, curve_through, drift_on, project_to_curve
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

pytestmark = pytest.mark.slow
RUNS: dict[str, Any] = json.loads((DATA / "long_free_runs.json").read_text())["cases"]
STEP = 0.002 / 16  # s, the default
BODY = RigidBody.from_moments((1, 2, 2.5))


def error(name: str, sample: int, fast: bool = False) -> float:
    """rad, of the orientation at one of the reference times."""
    case = RUNS[name]
    body = RigidBody.from_moments(case["principal_moments_kg_m2"])
    simulation = Simulation(body, State((1, 0, 0, 0), case["omega_body_rad_s"]), step=STEP, fast=fast)
    wanted = case["samples"][sample]
    simulation.advance(wanted["t_s"])
    return angle_between(simulation.state.orientation_wxyz, [float(x) for x in wanted["orientation_wxyz"]])


@pytest.mark.parametrize("name", RUNS)
def test_2e5_default_steps_in_python(name):
    """Measured 1.6e-13 (dzhanibekov); where nothing holds the energy 7e-8."""
    assert error(name, 0) < 1e-12


@pytest.mark.parametrize("name", RUNS)
def test_1e7_default_steps_compiled(name):
    """Measured 3.1e-11 (dzhanibekov); where nothing holds the energy 2e-7."""
    pytest.importorskip("numba")
    assert error(name, 1, fast=True) < 1e-10


@pytest.mark.parametrize(
    ("moments", "omega", "most"),
    [
        ((1, 2, 2.5), (1e-9, 0, 1), 1e-12),  # beside the outer axes, where the gradient vanishes: 9e-14
        ((1, 2, 2.5), (1, 1e-12, 0), 1e-12),  # 2e-13
        ((1, 2, 2.5), (1e-17, 1e-9, 1), 1e-12),  # 5e-14
        ((1, 2, 2.5), (0, 1, 0), 1e-12),  # on the middle one; 1.4e-14, unheld it tips over
        ((1, 2, 2.5), (3e-7, 1, 2e-7), 1e-8),  # beside it: 3e-10, unheld 2e-3
        ((2, 2, 2), (1, 2, 3), 1e-12),  # 7e-14
        ((2, 2, 3.5), (1, 0.3, 1e-10), 2e-12),  # 2e-13
        ((1, 1 + 1e-13, 2), (1, 0.2, 0.3), 2e-12),  # 2e-13
    ],
)
@pytest.mark.parametrize("fast", [False, True])
def test_motions_where_the_energy_tells_little(moments, omega, most, fast):
    """Compiled over 2e5 steps, in Python over 2e4."""
    if fast:
        pytest.importorskip("numba")
    body, start = RigidBody.from_moments(moments), State((1, 2, 3, 4), omega)
    simulation = Simulation(body, start, step=1e-3 / np.linalg.norm(omega), fast=fast)
    simulation.advance_steps(200_000 if fast else 20_000)
    wanted = FreeRotation(body, start).at(simulation.time)
    assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < most


def test_the_steps_are_the_same_however_they_are_divided_and_resumed():
    """Bit for bit, forward and back, though the body is led to its curve only now and then."""
    start = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
    for sense in (1, -1):
        whole = Simulation(BODY, start, step=0.01)
        whole.advance_steps(sense * 777)
        parts, resumed = (Simulation(BODY, start, step=0.01) for _ in range(2))
        for count in (1, 62, 2, 63, 64, 65, 130, 390):
            parts.advance_steps(sense * count)
        assert parts.sample() == whole.sample()
        parts = Simulation(BODY, start, step=0.01)
        parts.advance_steps(sense * 100)
        resumed.resume(parts.sample())
        resumed.advance_steps(sense * 677)
        assert resumed.sample() == whole.sample()


def test_another_energy_than_the_target_is_kept_as_it_is():
    """The exact drift keeps the energy that an erring integrator left; only a stabilisation leads it back."""
    simulation = Simulation(BODY, State((1, 0, 0, 0), (1, 0.7, 1.1)), "first-order", 0.02)
    simulation.advance_steps(500)
    simulation.change(integrator="exact-drift")
    energy = simulation.rotational_energy
    simulation.advance_steps(5000)
    assert simulation.rotational_energy == pytest.approx(energy, rel=1e-14)
    assert abs(energy / simulation.target_energy - 1) > 1e-3


def test_the_curve_leads_back_what_left_it_and_nothing_where_there_is_none():
    J = (1.0, 0.5, 0.4)
    curve = curve_through(0.6, 1.0, -0.8, *J)
    w, x, y, z, *L = project_to_curve(1.0, 0.0, 0.0, 0.0, 0.6 + 1e-5, 1.0, -0.8, curve)
    assert L == [0.6 + 1e-5, 1.0, -0.8]
    assert 1e-7 < abs(x) + abs(y) + abs(z) < 1e-5
    again = project_to_curve(w, x, y, z, *L, curve)
    assert angle_between((w, x, y, z), again[:4]) < 1e-10  # it was there, to the second order
    for momentum in ((0.0, 0.0, 0.0), (1e-200, 0.0, 0.0), (1e200, 0.0, 0.0)):
        assert all(value != value for value in curve_through(*momentum, *J))
    still = (1.0, 0.0, 0.0, 0.0, 0.6, 1.0, -0.8)
    assert project_to_curve(*still, NO_CURVE) == still
    on_axis = (1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0)
    assert project_to_curve(*on_axis, curve) == on_axis


@pytest.mark.parametrize(
    ("moments", "omega"),
    [((1, 2, 2.5), (1, 0.7, 1.1)), ((0.013, 0.02, 0.031), (0.3, 2, 0.1)), ((3, 1.2, 2.2), (0.4, 1, -2))],
)
def test_the_drift_of_composed_steps_keeps_energy_and_momentum_without_a_trend(moments, omega):
    """3e5 short drifts. Measured 8e-14 at most; by factors near 1, whose rounding repeats itself, 2e-13 .. 7e-11."""
    J = tuple(1.0 / moment for moment in moments)
    constants, first = drift_constants(J), tuple(np.multiply(moments, omega).tolist())
    L_b = first
    for _ in range(300_000):
        *_, x, y, z = drift_on(1.0, 0.0, 0.0, 0.0, 1.0, *L_b, 5e-5, constants)
        L_b = x, y, z
    for weights in ((1.0, 1.0, 1.0), J):
        before, after = (sum(a * b * b for a, b in zip(weights, L, strict=True)) for L in (first, L_b))
        assert abs(after / before - 1) < 1e-13

"""The one-step methods without loads: what they conserve, their order, what the exact drift promises."""

import json
from math import pi

import mpmath
import numpy as np
import pytest
from helpers.reference import CASES, DATA, STEPPERS, angle_between, body_and_start, slope_of, taylor
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import DRIFT_ANGLE, INTEGRATORS, drift_constants
from viewer.physics.kernels.exact_drift import CD_TERMS, CS_TERMS, drift_on
from viewer.physics.rotation import multiply, rotate
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))


def one_step(name, moments, omega, h):
    """Orientation after one step from the identity."""
    integrator = INTEGRATORS[name]
    constants = integrator.constants(tuple(1.0 / moment for moment in moments))
    L = [float(moment * rate) for moment, rate in zip(moments, omega, strict=True)]
    return integrator.step(1.0, 0.0, 0.0, 0.0, *L, float(h), constants)[:4]


def largest_omega(moments, omega):
    """The largest |omega| on the polhode through omega."""
    J, L = 1 / moments, moments * omega
    return np.sqrt((J.min() + J.max()) * (J @ L**2) - J.min() * J.max() * (L @ L))


def random_solids(count, seed):
    """Moments (3,) that a solid can have, and directions of omega, degenerate ones among them."""
    generator = np.random.default_rng(seed)
    for n in range(count):
        extent, omega, kind = generator.uniform(0.3, 1, 3) ** 2, generator.normal(size=3), n % 5
        if kind == 1:
            extent[1] = extent[0]
        elif kind == 2:
            omega[generator.integers(3)] = 0.0
        elif kind == 3:
            omega[generator.integers(3)] *= 1e-6
        elif kind == 4:
            extent[:] = extent[0]
        yield extent.sum() - extent, omega


def test_the_table():
    assert next(iter(INTEGRATORS)) == "exact-drift"
    assert set(INTEGRATORS) >= {  # the names that scene files may have
        *"explicit-euler jolt jolt-rotation naive-rotation modified-jolt modified-jolt-fast momentum-first".split(),
        *"symmetric-top implicit implicit-bullet first-order baraff-witkin-euler baraff-witkin-rk4 buss".split(),
        *"averaged alternating explicit-capped implicit-torque matrix-euler matrix-rk4 matrix-backward-euler".split(),
        *"matrix-euler-orthonormal matrix-rk4-orthonormal matrix-backward-euler-orthonormal".split(),
        *"magnus4 split split4 implicit-midpoint rkmk4 exact-drift exact-drift4 exact no-gyroscopic".split(),
    }
    for name, integrator in INTEGRATORS.items():
        assert integrator.name == name
        assert integrator.label
        assert integrator.source
        assert integrator.summary.endswith(".")
        assert (integrator.step is None or integrator.matrix) == integrator.torque_free_only


def test_the_series_are_those_of_the_reference():
    reference = json.loads((DATA / "exact_drift_series.json").read_text())
    for letter, terms in (("cs", CS_TERMS), ("cd", CD_TERMS)):
        wanted = {(k - j, j, a, b, c, value) for k in (1, 2, 3, 4) for j, a, b, c, value in reference[f"{letter}{k}"]}
        assert {(*row[:5], f"{row[5]}/{row[6]}") for row in terms} == wanted


@pytest.mark.parametrize(("angle", "bound"), [(0.1, 1e-15), (0.2, 3e-14), (0.3, 2e-12), (0.5, 5e-10)])
def test_error_of_one_exact_drift(angle, bound, monkeypatch):
    """Measured over 100 bodies: 5e-16, 2e-15, 2e-13, 8e-11."""
    monkeypatch.setattr("viewer.physics.integrators.DRIFT_ANGLE", 1.0)
    worst = 0.0
    for moments, omega in random_solids(100, seed=7):
        h = angle / largest_omega(moments, omega)
        wanted = taylor(moments, omega, h)
        worst = max(worst, angle_between(one_step("exact-drift", moments, omega, h), wanted))
    assert worst <= bound


def test_a_step_of_the_exact_drift_errs_by_less_than_1e_13_rad_a_turn_however_long_it_is():
    """Beside round-off, 1e-15; 400 solids, rods and moments far apart in steps of random lengths."""
    generator, solids = np.random.default_rng(11), random_solids(200, seed=3)
    for n in range(400):
        if n % 2:
            moments, omega = next(solids)
        else:
            extent = np.exp(generator.uniform(-8.0 if n % 4 else -4.0, 0.0, 3))
            moments = extent.sum() - extent if n % 4 else extent
            omega = generator.normal(size=3) * np.exp(generator.uniform(-3.0, 0.0, 3)) / moments
        L, nutation = moments * omega, max(1.0, np.ptp(moments) / moments.min())
        h = generator.uniform(0.1, 0.7) / largest_omega(moments, omega) / nutation**0.5
        turns = h * (omega @ L) / (2 * pi * np.linalg.norm(L))
        found = angle_between(one_step("exact-drift", moments, omega, h), taylor(moments, omega, h))
        assert found <= 1e-13 * turns + 2e-15, (moments, omega, h)


def test_a_symmetric_top_in_long_steps_is_where_spin_and_precession_lead():
    """860 turns in 20 000 steps of .1 s, .28 rad each: 4e-12 rad."""
    count, h, omega = 20_000, 0.1, 2.0
    simulation = Simulation(RigidBody.from_moments((1, 1, 1.9)), State((1, 0, 0, 0), (omega, 0, omega)), step=h)
    simulation.advance_steps(count)
    with mpmath.workdps(40):
        t, moment = count * mpmath.mpf(h), mpmath.mpf(1.9)
        size = omega * mpmath.sqrt(1 + moment**2)
        half, spin = size * t / 2, (1 - moment) * omega * t / 2
        around_L = [mpmath.cos(half), *(mpmath.sin(half) * part * omega / size for part in (1, 0, moment))]
        about_axis = [mpmath.cos(spin), 0, 0, mpmath.sin(spin)]
        a, b = (np.array([float(part) for part in q]) for q in (around_L, about_axis))
    turns = count * h * omega * (1 + 1.9) / np.sqrt(1 + 1.9**2) / (2 * pi)
    assert angle_between(simulation.state.orientation_wxyz, multiply(a, b)) <= 1e-13 * turns


@pytest.mark.parametrize("name", ["exact-drift", "exact-drift4"])  # the same where nothing acts
def test_order_of_the_exact_drift(name, monkeypatch):
    """The error of one step goes with h^11."""
    monkeypatch.setattr("viewer.physics.integrators.DRIFT_ANGLE", 10.0)
    steps, motion = [0.25, 0.3, 0.35, 0.4], FreeRotation(BODY, State((1, 0, 0, 0), START.omega_body))
    errors = [
        angle_between(one_step(name, BODY.principal_moments, START.omega_body, h), motion.at(h).orientation_wxyz)
        for h in steps
    ]
    assert slope_of(steps, errors) - 1 == pytest.approx(INTEGRATORS[name].order, abs=0.15)


@pytest.mark.parametrize("name", CASES)
def test_exact_drift_follows_the_reference_cases(name):
    """As long as one series reaches, for 10 s; worst 6e-10, ode_blog, which no solid is."""
    body, start = body_and_start(CASES[name])
    fastest = max(largest_omega(body.principal_moments, start.omega_body), 0.1)
    count = int(np.ceil(10 * fastest / DRIFT_ANGLE))
    simulation = Simulation(body, start, step=10 / count)
    simulation.advance_steps(count)
    wanted = FreeRotation(body, start).at(10.0)
    assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) <= 1e-9
    assert_allclose(simulation.state.omega_body, wanted.omega_body, atol=1e-9 * fastest)


@pytest.mark.parametrize("h", [1e-4, 0.05, 0.15, 3.0])  # |omega| h from 2e-4 to 5; the last is made in parts
def test_exact_drift_keeps_everything_over_1e5_steps(h):
    simulation = Simulation(BODY, START, step=h)
    energy, momentum = simulation.rotational_energy, simulation.angular_momentum_world
    worst = 0.0
    for _ in range(100):
        simulation.advance_steps(1000 if h < 1 else 100)
        worst = max(worst, abs(simulation.rotational_energy / energy - 1))
        L_b = BODY.principal_moments * simulation.state.omega_body
        assert abs(np.linalg.norm(L_b) / np.linalg.norm(momentum) - 1) <= 1e-15  # 4e-16
        assert (simulation.angular_momentum_world == momentum).all()
    assert worst <= 2e-14  # 7e-15, where the steps are made in parts
    assert simulation.target_energy == pytest.approx(energy, rel=1e-15)


def test_split_keeps_its_energy_error_bounded_and_is_exact_for_a_symmetric_top():
    simulation = Simulation(BODY, START, "split", 0.025)
    energy, worst = simulation.rotational_energy, []
    for _ in range(2):
        errors = []
        for _ in range(500):
            simulation.advance_steps(40)
            errors.append(abs(simulation.rotational_energy / energy - 1))
        worst.append(max(errors))
    assert max(worst) < 5e-6  # 4.4e-6
    assert worst[1] == pytest.approx(worst[0], rel=0.02)
    for moments in ((2, 2, 3.5), (1, 4, 4), (4, 1, 4), (2, 2, 2)):
        top = RigidBody.from_moments(moments)
        simulation = Simulation(top, START, "split", 0.5)
        simulation.advance(20)
        wanted = FreeRotation(top, START).at(20.0)
        assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < 1e-13  # 1e-14


@pytest.mark.parametrize("moments", [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)])
def test_split_takes_the_axes_in_any_order(moments):
    body = RigidBody.from_moments(moments)
    wanted = FreeRotation(body, START).at(2.0)
    simulation = Simulation(body, START, "split", 0.001)
    simulation.advance(2.0)
    assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < 3e-6  # 1e-6


def test_first_order_drives_the_energy_up():
    """It ends about the axis of the least moment, as its source's method does."""
    simulation = Simulation(BODY, START, "first-order", 0.025)
    momentum = np.linalg.norm(simulation.angular_momentum_world)
    simulation.advance(300)
    assert simulation.rotational_energy == pytest.approx(momentum**2 / 2, rel=1e-6)


@pytest.mark.parametrize("name", STEPPERS)
def test_turning_the_world_turns_the_answer(name):
    turn = State((0.3, -0.7, 0.2, 0.6), (0, 0, 0)).orientation_wxyz
    plain = Simulation(BODY, START, name, 0.02)
    turned = Simulation(BODY, State(multiply(turn, START.orientation_wxyz), START.omega_body), name, 0.02)
    plain.advance(5)
    turned.advance(5)
    wanted = multiply(turn, plain.state.orientation_wxyz)
    assert angle_between(turned.state.orientation_wxyz, wanted) < 1e-13  # 2e-14
    assert_allclose(turned.angular_momentum_world, rotate(turn, plain.angular_momentum_world), atol=1e-14)


def test_a_body_like_the_earth_and_a_speck():
    """Moments of 1e38 and 1e-30 kg m2 move like those of order one: kernels see them in a unit near the least one."""
    for scale in (2.0**-100, 2.0**127):
        plain = Simulation(BODY, START, step=0.05)
        scaled = Simulation(RigidBody.from_moments(BODY.principal_moments * scale), START, step=0.05)
        plain.advance(3)
        scaled.advance(3)
        assert (scaled.state.orientation_wxyz == plain.state.orientation_wxyz).all()
        assert scaled.rotational_energy == plain.rotational_energy * scale


@pytest.mark.parametrize("moments", [(10, 4, 2), (1, 1e-3, 1e-3), (1e-4, 1, 1.00005), (1, 1, 1e3)])
def test_exact_drift_of_slender_and_of_impossible_bodies(moments):
    """Where L runs around faster than omega turns, and where the series would cancel: shorter parts."""
    body = RigidBody.from_moments(moments)
    start = State((1, 0, 0, 0), (1.0, 0.3, -0.2))
    simulation = Simulation(body, start, step=0.3)
    simulation.advance_steps(10)
    wanted = FreeRotation(body, start).at(3.0)
    assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < 5e-12  # 5e-13


def test_kernels_say_nothing_at_rest():
    for name in STEPPERS:
        assert one_step(name, (1.0, 2.0, 2.5), (0.0, 0.0, 0.0), 0.1) == (1.0, 0.0, 0.0, 0.0)


def test_half_a_turn_in_one_step_is_still_exact():
    """|omega| h = pi: one series fails near pi/2, the parts do not."""
    spin = largest_omega(BODY.principal_moments, START.omega_body)
    h = pi / spin
    wanted = FreeRotation(BODY, State((1, 0, 0, 0), START.omega_body)).at(h)
    got = one_step("exact-drift", BODY.principal_moments, START.omega_body, h)
    assert angle_between(got, wanted.orientation_wxyz) < 1e-11  # 3e-13


def test_the_table_says_how_many_integrators_it_has() -> None:
    assert repr(INTEGRATORS) == f"<{len(list(INTEGRATORS))} integrators by name>"


@pytest.mark.parametrize("h", [1e-4, 0.01, 0.05])
def test_a_drift_of_composed_steps_is_the_closed_form(h):
    """Measured 2.2e-16 at most."""
    moments, omega = (1, 2, 2.5), (1, 0.7, 1.1)
    constants = drift_constants(tuple(1.0 / moment for moment in moments))
    found = drift_on(1.0, 0.0, 0.0, 0.0, 1.0, *np.multiply(moments, omega).tolist(), h, constants)
    exact = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega)).at(h)
    assert_allclose(np.divide(found[5:], moments), exact.omega_body, rtol=0, atol=3e-15)
    assert_allclose(found[:4] / np.linalg.norm(found[:4]), exact.orientation_wxyz, rtol=0, atol=3e-15)
    assert found[4] == pytest.approx(np.sum(np.square(found[:4])), rel=1e-14)

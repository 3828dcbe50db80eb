"""Flips and phases, counted state by state: against a plain loop over every step and Jacobi's functions of scipy."""

import numpy as np
import pytest
from scipy.special import ellipk, ellipkinc

from viewer.physics.body import RigidBody
from viewer.physics.errors import ROUND_OFF, Circling, compared
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.simulation import Simulation
from viewer.physics.state import State, States
from viewer.race.trajectory import Course, roughness, run_lane
from viewer.race.verdict import verdict
from viewer.scenario.scenario import Scenario
from viewer.scenario.sections.race import Lane


def counted(moments: np.ndarray, rates: np.ndarray, step: float) -> tuple[int, float]:
    """(flips, phase error in periods) of the rates (N, 3) after every step, from the textbook's solution alone (Landau
    and Lifshitz, Mechanics, paragraph 37)."""
    order = np.argsort(moments)
    (I1, I2, I3), omega = moments[order], rates[:, order]
    energy = np.sum(moments[order] * omega[0] ** 2)  # 2E
    square = np.sum((moments[order] * omega[0]) ** 2)
    if square < energy * I2:  # it circulates the axis of the smallest moment
        (I1, I3), omega = (I3, I1), omega[:, ::-1]
    rate = np.sqrt((I3 - I2) * (square - energy * I1) / (I1 * I2 * I3))
    m = (I2 - I1) * (energy * I3 - square) / ((I3 - I2) * (square - energy * I1))
    a = np.sqrt((energy * I3 - square) / (I1 * (I3 - I1)))
    b = np.sqrt((energy * I3 - square) / (I2 * (I3 - I2)))
    amplitude = np.unwrap(np.arctan2(omega[:, 1] / b, omega[:, 0] / a))
    turned = abs(ellipkinc(amplitude[-1], m) - ellipkinc(amplitude[0], m)) / (4.0 * ellipk(m))
    flips = np.count_nonzero(np.diff(np.sign(omega[:, 1])))
    return int(flips), float(turned - (len(rates) - 1) * step * rate / (4.0 * ellipk(m)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "step", "seconds", "integrator", "flips", "phase"),
    [
        ("ode-blog", 1 / 60, 3600.0, "momentum-first", 2537, 24.2),
        ("ode-blog", 1 / 60, 3600.0, "split", 2488, -0.03),
        ("dzhanibekov", 0.05, 10000.0, "momentum-first", 10566, 4165.98),
    ],
)
def test_a_long_race_counts_what_a_loop_over_every_step_counts(preset, step, seconds, integrator, flips, phase):
    course = Course.of(Scenario.preset(preset), step=step, seconds=seconds)
    assert course.every > 50  # so many steps from sample to sample
    found = run_lane(course, Lane(integrator))
    simulation = Simulation(course.body, course.start, integrator, step)
    rates = [simulation.state.omega_body]
    for _ in range(course.steps):
        simulation.advance_steps(1)
        rates.append(simulation.state.omega_body)
    wanted = counted(course.body.principal_moments, np.array(rates), step)
    assert found.circling.known_flips == wanted[0] == flips
    # where it errs in the energy, the textbook's amplitudes are not its own: the angle is that beside the curve
    assert found.circling.phase / (2.0 * np.pi) == pytest.approx(wanted[1], abs=1e-7)  # measured 2e-9 at most
    assert wanted[1] == pytest.approx(phase, abs=0.005)
    assert found.states.time[-1] == pytest.approx(course.steps * step)


def test_the_flips_of_an_integrator_that_is_written_anew():
    """The implicit midpoint of dL_b/dt = L_b x J L_b by fixed points, which knows nothing of quaternions."""
    course = Course.of(Scenario.preset("ode-blog"), step=1 / 60, seconds=300.0)
    moments, step = course.body.principal_moments, course.step
    (Ix, Iy, Iz), (x, y, z) = moments.tolist(), (moments * course.start.omega_body).tolist()
    kx, ky, kz = step * (1 / Iz - 1 / Iy), step * (1 / Ix - 1 / Iz), step * (1 / Iy - 1 / Ix)
    path = [(x, y, z)]
    for _ in range(course.steps):
        p, q, r = x, y, z
        for _ in range(60):
            a, b, c = 0.5 * (x + p), 0.5 * (y + q), 0.5 * (z + r)
            n = x + kx * b * c, y + ky * c * a, z + kz * a * b
            done = max(abs(n[0] - p), abs(n[1] - q), abs(n[2] - r)) < 1e-15
            p, q, r = n
            if done:
                break
        x, y, z = p, q, r
        path.append((x, y, z))
    found = run_lane(course, Lane("implicit-midpoint"))
    wanted = counted(moments, np.array(path) / moments, step)
    assert found.circling.known_flips == wanted[0]
    assert wanted[0] > 200
    assert found.circling.phase / (2.0 * np.pi) == pytest.approx(wanted[1], abs=1e-6)


def test_the_largest_errors_are_those_of_all_steps_and_the_last_steps_are_made():
    course = Course.of(Scenario.preset("paper-fig1"), step=0.02, seconds=61.0, samples=40)
    assert course.steps % course.every
    found = run_lane(course, Lane("first-order"))
    simulation = Simulation(course.body, course.start, "first-order", course.step)
    exact, energies, turns = course.exact, [0.0], [0.0]
    first = simulation.rotational_energy
    for n in range(1, course.steps + 1):
        simulation.advance_steps(1)
        energies.append(abs(simulation.rotational_energy / first - 1.0))
        p, q = simulation.state.orientation_wxyz, exact.at(n * course.step).orientation_wxyz
        turns.append(2.0 * np.arccos(min(abs(float(p @ q)), 1.0)))
    assert found.largest.energy == pytest.approx(max(energies), rel=1e-12)
    assert found.largest.orientation == pytest.approx(max(turns), abs=1e-7)
    assert np.abs(found.errors.orientation).max() < found.largest.orientation - 1e-3  # the samples alone miss it
    assert found.states.time[-1] == pytest.approx(61.0)


def test_what_has_crossed_the_separatrix_is_another_motion(monkeypatch):
    course = Course.of(Scenario.preset("paper-fig3"), step=0.002, seconds=20.0)
    found = run_lane(course, Lane("first-order"))
    simulation = Simulation(course.body, course.start, "first-order", course.step)
    low, middle, high = np.argsort(course.body.principal_moments)
    square = float(np.sum(simulation.angular_momentum_world**2))
    far = 2.0 * simulation.rotational_energy / square * course.body.principal_moments[middle] < 1.0
    axis = high if far else low  # that L circulates at first: its part along it keeps its sign
    began = simulation.state.omega_body[axis]
    while simulation.state.omega_body[axis] * began > 0.0:
        simulation.advance_steps(1)
    passed = (2.0 * simulation.rotational_energy / square * course.body.principal_moments[middle] < 1.0) != far
    assert passed
    assert found.circling.other == pytest.approx(simulation.time, abs=1e-9)
    assert found.circling.phase is None
    assert found.circling.known_flips == 9
    errors = found.errors
    assert errors.phase is not None
    assert np.isnan(errors.phase).tolist() == (found.states.time >= simulation.time - 1e-9).tolist()
    assert "9 flips in place of 6: from t = 3.278 s on it circles another axis" in verdict(found)
    right = run_lane(course, Lane("exact-drift"))
    assert right.circling.known_flips == course.exact.flips_until(20.0) == 6
    assert right.circling.other is None
    monkeypatch.setattr(FreeRotation, "flips_until", lambda exact, time: 9)
    assert "from t = 3.278 s on it circles another axis" in verdict(found)
    assert "in place of" not in verdict(found)


def test_a_body_with_two_equal_moments_never_flips():
    """It has no middle axis, whichever of the two equal ones is looked at."""
    course = Course.of(Scenario.preset("disc"), seconds=5.0)
    for name in ("jolt", "momentum-first"):
        assert run_lane(course, Lane(name)).circling.known_flips == course.exact.flips_until(5.0) == 0


def test_one_flip_is_one():
    """Far too long a step takes the lane over the separatrix after a single flip."""
    course = Course.of(Scenario.preset("dzhanibekov"), step=1.5, seconds=1000.0)
    found = run_lane(course, Lane("momentum-first"))
    assert found.circling.known_flips == 1
    assert "1 flip in place of 223: " in verdict(found)


def test_an_energy_that_swings_past_the_middle_and_back_is_the_same_motion():
    """Near the separatrix that of the split rotations does, every period, and they stay beside the exact motion."""
    course = Course.of_race(Scenario.preset("race-hidden-phase"))
    found = run_lane(course, Lane("split"))
    J = np.sort(1.0 / course.body.principal_moments)
    assert found.largest.least_factor < J[1] < found.largest.largest_factor
    assert found.circling.other is None
    assert found.circling.known_flips == course.exact.flips_until(float(found.states.time[-1])) == 40
    assert np.degrees(found.circling.phase) == pytest.approx(-1.7, abs=0.1)
    assert np.degrees(found.largest.orientation) < 8.0


def test_states_that_are_half_a_period_apart_tell_no_flips_and_no_phase():
    body = RigidBody.from_moments((1.0, 2.0, 2.5))
    exact = FreeRotation(body, State((1, 0, 0, 0), (1.0, 0.7, 1.1)))
    for apart, told in ((0.49, True), (0.51, False)):
        states = exact.at(np.arange(40) * apart * exact.period)
        there = exact.phase(states.omega_body)
        last = Circling(*Circling().after(exact, body, states, there)[-1].item())
        assert (last.known_flips is not None) is (last.phase is not None) is told
        if told:
            assert last.known_flips == exact.flips_until(float(states.time[-1]))
        else:
            assert np.isnan(compared(exact, body, states, Circling())[0].phase[1:]).all()
        sure = Circling(*Circling().after(exact, body, states, there, sure=True)[-1].item())
        assert sure.phase == pytest.approx(0.0, abs=1e-12)


def test_noise_of_a_recording_is_no_other_motion():
    """Near the separatrix it throws single rows to its other side."""
    body = RigidBody.from_moments((1.0, 2.0, 3.0))
    exact = FreeRotation(body, State((1, 0, 0, 0), (0.02, 1.0, 0.0125)))
    states = exact.at(np.arange(0.0, 100.0, 0.05))
    noise = np.random.default_rng(3).normal(scale=3e-3, size=states.omega_body.shape)
    noisy = States(states.time, states.orientation_wxyz, states.omega_body + noise)
    there = exact.phase(states.omega_body)
    blur = roughness(noisy.omega_body * body.principal_moments)
    assert blur > 100.0 * ROUND_OFF
    assert Circling(*Circling().after(exact, body, noisy, there)[-1].item()).other is not None
    last = Circling(*Circling().after(exact, body, noisy, there, blur)[-1].item())
    assert last.other is None
    assert last.phase == pytest.approx(0.0, abs=0.3)
    assert roughness(states.omega_body * body.principal_moments) < 2e-3  # measured 1.2e-3: of what the rows leave out

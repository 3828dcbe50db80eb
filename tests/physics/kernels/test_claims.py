"""What the sources claim of their integrators, each claim a test; and where it does not hold."""

from math import atan, pi

import numpy as np
import pytest
from helpers.reference import angle_between, slope_of
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.kernels import momentum, velocity
from viewer.physics.loads import Loads
from viewer.physics.rotation import multiply, rotation_matrix
from viewer.physics.simulation import Simulation
from viewer.physics.state import State

ODE, BOX = RigidBody.from_moments((10, 4, 2)), RigidBody.box(80, 1, 0.4, 0.2)
BODY = RigidBody.from_moments((1, 2, 2.5))
START = State((1, 0, 0, 0), (1, 2, 3))


def ends(name, body, seconds=600.0, h=1 / 60):
    """2E/|L|^2 after a long time, and |L| before and after."""
    simulation = Simulation(body, START, name, h)
    before = np.linalg.norm(simulation.angular_momentum_world)
    simulation.advance(seconds)
    after = np.linalg.norm(simulation.angular_momentum_world)
    return 2 * simulation.rotational_energy / after**2, before, after


def step_in_body(kernel, moments, omega, h):
    """L_b before and after one step of a velocity scheme."""
    L = np.array(moments) * omega
    return L, np.array(kernel(1.0, 0.0, 0.0, 0.0, *L.tolist(), float(h), tuple(1 / m for m in moments))[4:])


def ratios(moments, L):
    """(E, J_L, J_G, |L|^2, |G|^2)."""
    J = 1 / np.array(moments)
    G = np.cross(L, J * L)
    return L @ (J * L) / 2, L @ (J * L) / (L @ L), G @ (J * G) / (G @ G), L @ L, G @ G


@pytest.mark.parametrize("body", [ODE, BOX], ids=["ode", "box"])
def test_jolt_goes_to_the_middle_moment(body):
    ratio, before, after = ends("jolt", body)
    assert ratio == pytest.approx(sorted(body.inverse_moments)[1], rel=1e-12)  # 2e-15
    assert after == pytest.approx(before, rel=1e-10)


@pytest.mark.parametrize("body", [ODE, BOX], ids=["ode", "box"])
@pytest.mark.parametrize("name", ["naive-rotation", "first-order", "baraff-witkin-euler"])
def test_naive_rotation_and_the_first_order_method_go_to_the_largest_j(name, body):
    ratio, before, after = ends(name, body)
    assert ratio == pytest.approx(max(body.inverse_moments), rel=1e-10)
    assert after == pytest.approx(before, rel=1e-10)


@pytest.mark.parametrize("body", [ODE, BOX], ids=["ode", "box"])
def test_implicit_never_gains_energy_but_momentum_and_ends_on_a_principal_axis(body):
    simulation = Simulation(body, START, "implicit", 1 / 60)
    energies, sizes = [], []
    for _ in range(1800):
        energies.append(simulation.rotational_energy)
        sizes.append(np.linalg.norm(simulation.angular_momentum_world))
        simulation.advance_steps(1)
    assert (np.diff(energies) <= 1e-13 * energies[0]).all()
    assert (np.diff(sizes) >= -1e-13 * sizes[0]).all()
    simulation.advance(300)
    omega = np.abs(simulation.state.omega_body)
    assert np.sort(omega)[1] < 1e-9 * omega.max()
    if body is ODE:
        assert (sizes[0], sizes[-1]) == (pytest.approx(14.14, abs=0.005), pytest.approx(16.11, abs=0.005))


def test_implicit_can_always_be_solved():
    """(I - h [L]x) omega[next] = I omega, det = det(I)(1 + h^2 k) > 0: from tiny to absurd steps."""
    generator = np.random.default_rng(3)
    for h in (1e-6, 1e-2, 1.0, 1e3):
        for _ in range(50):
            moments, omega = generator.uniform(0.1, 5, 3), generator.normal(size=3)
            L, after = step_in_body(velocity.implicit, moments, omega, h)
            x, y, z = h * L
            matrix = np.diag(moments) - np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            inner = L @ (moments * L) / moments.prod()
            assert np.linalg.det(matrix) == pytest.approx(moments.prod() * (1 + h * h * inner), rel=1e-9)
            np.testing.assert_allclose(matrix @ (after / moments), L, rtol=1e-9, atol=1e-9)


def dense_implicit(moments, L, impulse, h):
    """L_b after (I - h [L]x) omega[next] = I omega + impulse, by elimination."""
    cross = np.array([[0, -L[2], L[1]], [L[2], 0, -L[0]], [-L[1], L[0], 0]])
    return moments * np.linalg.solve(np.diag(moments) - h * cross, L + impulse)


def test_the_torque_inside_the_implicit_solve():
    """By elimination, and by the polynomial that the post prints. Measured 1e-14, relative."""
    generator = np.random.default_rng(5)
    for h in (1e-6, 1e-2, 1.0, 30.0):
        for _ in range(50):
            moments, L, torque = generator.uniform(0.1, 5, 3), generator.normal(size=3), generator.normal(size=3)
            J = 1 / moments
            found = velocity.implicit_torque(
                1.0, 0.0, 0.0, 0.0, *L.tolist(), h, tuple(J.tolist()), *(h * torque).tolist()
            )[4:]
            wanted = dense_implicit(moments, L, h * torque, h)
            np.testing.assert_allclose(found, wanted, rtol=1e-11, atol=1e-11 * np.linalg.norm(wanted))
            M = J[:, None] * np.array([[0, -L[2], L[1]], [L[2], 0, -L[0]], [-L[1], L[0], 0]])
            g = 1 / (1 + h * h * J.prod() * (L @ (moments * L)))
            printed = (np.eye(3) + h * g * M + h * h * g * M @ M) @ (J * L + h * J * torque)
            np.testing.assert_allclose(found, moments * printed, rtol=1e-11, atol=1e-11 * np.linalg.norm(wanted))


@pytest.mark.parametrize("frame", ["space", "body"])
def test_a_motion_with_the_torque_inside(frame):
    """300 steps under a force and friction, the whole impulse of a step at once. Measured 2e-14."""
    loads = Loads((0.3, -0.5, 0.4), (0.2, 0.5, -0.3), 0.1, frame=frame)
    simulation = Simulation(BODY, START, "implicit-torque", 0.02, loads)
    moments, h = np.array([1.0, 2.0, 2.5]), 0.02
    turn, L = Rotation.identity(), moments * START.omega_body
    decay = np.expm1(-loads.external_friction * h / moments)
    for _ in range(300):
        force = turn.inv().apply(loads.force) if frame == "space" else np.array(loads.force)
        torque = np.cross(loads.arm, force)
        impulse = decay * L - torque * moments * decay / loads.external_friction
        L = dense_implicit(moments, L, impulse, h)
        turn = turn * Rotation.from_rotvec(h * L / moments)
    simulation.advance_steps(300)
    np.testing.assert_allclose(simulation.state.omega_body, L / moments, atol=1e-12)
    np.testing.assert_allclose(rotation_matrix(simulation.state.orientation_wxyz), turn.as_matrix(), atol=1e-12)
    plain = Simulation(BODY, START, "implicit-torque", 0.02)
    other = Simulation(BODY, START, "implicit", 0.02)
    plain.advance_steps(50)
    other.advance_steps(50)
    assert plain.sample() == other.sample()  # torque-free it is the implicit method


def test_the_capped_explicit_step():
    """Explicit until the cap bites, from then on |omega| h <= pi/4: one step by numpy, and ten minutes."""
    moments, h = np.array([10.0, 4.0, 2.0]), 1 / 60
    for omega in ((1.0, 2.0, 3.0), (30.0, -20.0, 40.0), (-100.0, 20.0, 5.0)):
        L, found = step_in_body(velocity.explicit_capped, moments.tolist(), np.array(omega), h)
        wanted = L + h * np.cross(L, L / moments)
        speed = np.linalg.norm(wanted / moments)
        np.testing.assert_allclose(found, wanted * min(1.0, pi / 4 / h / speed), rtol=1e-14)
    capped, plain = (Simulation(ODE, START, name, h) for name in ("explicit-capped", "explicit-euler"))
    capped.advance(20)
    plain.advance(20)
    assert (capped.state.omega_body == plain.state.omega_body).all()
    for _ in range(600):
        capped.advance(1)
        assert np.linalg.norm(capped.state.omega_body) <= pi / 4 * 60 * (1 + 1e-12)
    assert np.linalg.norm(capped.state.omega_body) > 40  # it stays near the cap: 45.7


def test_the_energy_of_one_step_of_jolt():
    """dE = |L|^2/2 (J_G - J_L) h^2 G^2/(|L|^2 + h^2 G^2)."""
    generator = np.random.default_rng(4)
    for _ in range(100):
        moments, omega, h = generator.uniform(0.5, 2, 3), generator.normal(size=3), generator.uniform(0.01, 1)
        L, after = step_in_body(velocity.jolt, moments, omega, h)
        E, J_L, J_G, size2, G2 = ratios(moments, L)
        wanted = size2 / 2 * (J_G - J_L) * h * h * G2 / (size2 + h * h * G2)
        assert ratios(moments, after)[0] - E == pytest.approx(wanted, abs=1e-14 * E)
        low, middle, high = sorted(1 / moments)
        assert pytest.approx(size2**2 * (J_L - low) * (middle - J_L) * (high - J_L) / G2, rel=1e-9) == J_G - J_L


def test_jolt_as_a_rotation_is_jolt_but_for_theta_in_place_of_atan_theta():
    moments, omega, h = (1.0, 2.0, 2.5), (1.0, 0.7, 1.1), 0.3
    L, jolt = step_in_body(velocity.jolt, moments, omega, h)
    J_L, (_, rotated) = ratios(moments, L)[1], step_in_body(velocity.jolt_rotation, moments, omega, h)
    theta = h * np.linalg.norm(L / moments - J_L * L)
    normal = np.cross(L, jolt) / np.linalg.norm(np.cross(L, jolt))
    for vector, angle in ((jolt, atan(theta)), (rotated, theta)):
        across = np.cross(normal, L)
        np.testing.assert_allclose(vector, np.cos(angle) * L + np.sin(angle) * across, atol=1e-15)


@pytest.mark.parametrize(("kernel", "order"), [(velocity.modified_jolt, 3), (velocity.jolt, 2)])
def test_modified_jolt_is_of_third_order_per_step_in_energy(kernel, order):
    """.. and Jolt of second. Measured 2.99, 1.99."""
    steps, errors = [0.04, 0.02, 0.01, 0.005], []
    for h in steps:
        L, after = step_in_body(kernel, BODY.principal_moments.tolist(), (1.0, 0.7, 1.1), h)
        errors.append(abs(ratios(BODY.principal_moments, after)[0] - ratios(BODY.principal_moments, L)[0]))
    assert slope_of(steps, errors) == pytest.approx(order, abs=0.15)


def test_modified_jolt_oscillates_as_h2_and_drifts_as_h3_over_many_steps():
    """The claim of third order holds per step only."""
    drifts = []
    for h in (0.1, 0.05):
        simulation = Simulation(BODY, State((1, 0, 0, 0), (1, 0.7, 1.1)), "modified-jolt", h)
        energy = simulation.rotational_energy
        simulation.advance(2000)
        drifts.append(abs(simulation.rotational_energy / energy - 1))
    assert np.log2(drifts[0] / drifts[1]) == pytest.approx(3, abs=0.4)


@pytest.mark.parametrize("moments", [(2, 2, 3.5), (1, 4, 4), (4, 1, 4), (2, 2, 2)])
@pytest.mark.parametrize("name", ["modified-jolt", "momentum-first", "symmetric-top"])
def test_a_symmetric_top_is_exact(name, moments):
    """omega in the body, at large steps; momentum schemes also the orientation. Measured 3e-15, 1e-14."""
    body, start = RigidBody.from_moments(moments), State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
    simulation = Simulation(body, start, name, 1.25)
    simulation.advance_steps(16)
    wanted = FreeRotation(body, start).at(20.0)
    np.testing.assert_allclose(simulation.state.omega_body, wanted.omega_body, atol=1e-13)
    if name != "modified-jolt":
        assert angle_between(simulation.state.orientation_wxyz, wanted.orientation_wxyz) < 1e-13
        simulation.advance_steps(1)
        assert simulation.rotational_energy == pytest.approx(simulation.target_energy, rel=1e-14)


def test_the_step_of_buss_is_that_of_an_angular_acceleration_that_stays_in_space():
    """Its third term is what makes the error of one step go with h^5, and not with h^3."""
    moments, omega = np.array((1.0, 2.0, 2.5)), np.array((1.0, 0.7, 1.1))
    L = moments * omega
    alpha = np.cross(L, omega) / moments
    errors, steps = [], [0.4, 0.2, 0.1]
    for h in steps:
        made = momentum.buss(1.0, 0.0, 0.0, 0.0, *L.tolist(), h, tuple((1.0 / moments).tolist()))
        wanted = solve_ivp(
            lambda t, q: 0.5 * multiply([0.0, *(omega + t * alpha)], q), (0.0, h), [1.0, 0.0, 0.0, 0.0],
            method="DOP853", rtol=1e-13, atol=1e-15,
        ).y[:, -1]  # fmt: skip
        errors.append(angle_between(made[:4], wanted))
    assert slope_of(steps, errors) == pytest.approx(5.0, abs=0.2)


@pytest.mark.parametrize(("angle", "loss"), [(pi / 4, 0.047), (pi / 2, 0.152)])
def test_the_fast_rotation_turns_too_little(angle, loss):
    """By 4.7 % at 45 degrees a step, by 15.2 % at 90; the length stays."""
    moments, omega = ((1.0, 1.0, 2.0), np.array([1.0, 0.0, 1.0]))  # L_b turns about z at omega_z (I_z - I_x)/I_x = 1
    L, after = step_in_body(velocity.modified_jolt_fast, moments, omega, angle)
    turned = np.arctan2(after[1], after[0]) - np.arctan2(L[1], L[0])
    assert 1 - abs(turned) / angle == pytest.approx(loss, abs=5e-4)
    assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(L), rel=1e-15)


def test_the_explicit_step_gains_energy_and_momentum_at_every_step():
    simulation = Simulation(BODY, START, "explicit-euler", 0.01)
    energies = []
    for _ in range(200):
        energies.append((simulation.rotational_energy, np.linalg.norm(simulation.angular_momentum_world)))
        simulation.advance_steps(1)
    assert (np.diff(energies, axis=0) > 0).all()


def test_without_the_gyroscopic_torque_energy_and_momentum_are_perfect_and_nothing_flips():
    """Blog on ODE: with the gyroscope off, the angular velocity is conserved in place of the angular momentum."""
    simulation = Simulation(ODE, START, "no-gyroscopic", 1 / 60)
    energy, first = simulation.rotational_energy, simulation.angular_momentum_world
    strayed = 0.0
    for _ in range(300):
        simulation.advance_steps(10)
        np.testing.assert_array_equal(simulation.state.omega_body, START.omega_body)
        assert simulation.rotational_energy == energy
        L = simulation.angular_momentum_world
        assert np.linalg.norm(L) == pytest.approx(np.linalg.norm(first), rel=1e-14)
        strayed = max(strayed, float(np.arccos(L @ first / (first @ first))))
    assert strayed > 1.0  # rad; L should stand still in space: measured 1.18
    simulation.advance_steps(-3000)
    back = angle_between(simulation.state.orientation_wxyz, START.orientation_wxyz)
    assert back < 1e-12  # measured 2e-14

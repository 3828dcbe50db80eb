"""The rotation matrix as the state: beside plain numpy on nine numbers, closed forms, and in mixed use."""

from math import cos, sin

import numpy as np
import pytest
from helpers.reference import angle_between, slope_of
from numpy.testing import assert_allclose
from scipy.linalg import polar
from scipy.spatial.transform import Rotation

from viewer.physics.body import RigidBody
from viewer.physics.ensemble import Ensemble
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.integrators import INTEGRATORS
from viewer.physics.kernels import matrix
from viewer.physics.loads import Loads
from viewer.physics.rotation import rotation_matrix
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import (
    SAMPLE,
    Sample,
    Samples,
    State,
    angular_momentum_body,
    orthogonality_error,
    rotational_energy,
    stretch_matrices,
)

BODY, START = RigidBody.from_moments((1, 2, 2.5)), State((0.8, 0.2, -0.4, 0.4), (1, 0.7, 1.1))
J = 1 / np.array([1, 2, 2.5])
PLAIN = ["matrix-euler", "matrix-rk4", "matrix-backward-euler"]


def star(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def slope(R, L):
    """Baraff & Witkin: Iinv = R Ibodyinv R^T, omega = Iinv L, dR/dt = Star(omega) R."""
    return star(R @ np.diag(J) @ R.T @ L) @ R


def euler(R, L, h):
    return R + h * slope(R, L)


def rk4(R, L, h):
    a = slope(R, L)
    b = slope(R + h / 2 * a, L)
    c = slope(R + h / 2 * b, L)
    return R + h / 6 * (a + 2 * b + 2 * c + slope(R + h * c, L))


def backward_euler(R, L, h):
    """By fixed-point iteration, where ours is Newton's."""
    found = R
    for _ in range(500):
        found = R + h * slope(found, L)
    return found


STEPS = dict(zip(PLAIN, (euler, rk4, backward_euler), strict=True))


def nine(simulation):
    """R = Q S of a simulation."""
    return rotation_matrix(simulation.state.orientation_wxyz) @ stretch_matrices(simulation.stretch)


@pytest.mark.parametrize("orthonormal", [False, True])
@pytest.mark.parametrize("name", PLAIN)
def test_the_nine_numbers_are_those_of_plain_sums(name, orthonormal):
    """200 steps, with scipy's polar factor where R is put back. Measured 2e-14 and less."""
    R = Rotation.from_quat(START.orientation_wxyz[[1, 2, 3, 0]]).as_matrix()
    L, h = R @ (START.omega_body / J), 0.02
    simulation = Simulation(BODY, START, f"{name}-orthonormal" if orthonormal else name, h)
    for _ in range(200):
        R = STEPS[name](R, L, h)
        if orthonormal:
            R = polar(R)[0]
        simulation.advance_steps(1)
        Q = polar(R)[0]
        assert_allclose(rotation_matrix(simulation.state.orientation_wxyz), Q, atol=1e-12)
        omega = R @ np.diag(J) @ R.T @ L
        assert_allclose(simulation.omega_world, omega, atol=1e-12)
        assert_allclose(simulation.state.omega_body, Q.T @ omega, atol=1e-12)
        assert simulation.rotational_energy == pytest.approx(omega @ L / 2, rel=1e-12)
        if not orthonormal:
            assert_allclose(nine(simulation), R, atol=1e-12)
            drift = float(orthogonality_error(simulation.stretch))
            assert drift == pytest.approx(np.linalg.norm(R.T @ R - np.eye(3)), rel=1e-9, abs=1e-14)
    assert_allclose(simulation.angular_momentum_world, L, rtol=1e-15)


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("matrix-euler", lambda z: abs(1 + 1j * z)),
        ("matrix-rk4", lambda z: abs(1 + 1j * z - z**2 / 2 - 1j * z**3 / 6 + z**4 / 24)),
        ("matrix-backward-euler", lambda z: 1 / abs(1 - 1j * z)),
    ],
)
@pytest.mark.parametrize("axis", range(3))
def test_a_steady_spin_stretches_across_its_axis_by_a_known_factor(name, factor, axis):
    """About a principal axis omega stays; the two columns across it grow by |p(i h omega)| a step. Measured 5e-15.

    Not for long: round-off across the axis grows with the columns.
    """
    omega, h = np.zeros(3), 0.1
    omega[axis] = -3.0
    simulation = Simulation(BODY, State((1, 0, 0, 0), omega), name, h)
    wanted = np.full(3, factor(3.0 * h) ** 12)
    wanted[axis] = 1.0
    simulation.advance_steps(12)
    assert_allclose(simulation.stretch, [*wanted, 0, 0, 0], rtol=1e-12, atol=1e-13)
    assert_allclose(simulation.state.omega_body, omega, atol=1e-12)
    drift = np.sqrt(2) * abs(wanted.prod() - 1)  # two of the three are the factor: |S^2 - 1|
    assert float(orthogonality_error(simulation.stretch)) == pytest.approx(drift, rel=1e-11)


@pytest.mark.parametrize("orthonormal", [False, True])
def test_one_step_of_euler_and_of_backward_euler_turns_by_the_arc_tangent(orthonormal):
    for name, kernel in (("euler", matrix.euler), ("backward", matrix.backward_euler)):
        kernel = getattr(matrix, kernel.__name__ + "_orthonormal") if orthonormal else kernel
        state = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, *(() if orthonormal else matrix.UNSTRETCHED))
        w, x, y, z, *_ = kernel(*state, 0.7, (1.0, 0.5, 0.4))
        angle = np.arctan(0.7 * 2.0 * 0.4)
        assert_allclose((w, x, y, z), (cos(angle / 2), 0, 0, sin(angle / 2)), atol=1e-15, err_msg=name)


@pytest.mark.parametrize(("name", "order"), [("matrix-euler", 1), ("matrix-rk4", 4), ("matrix-backward-euler", 1)])
def test_order_of_the_nearest_rotation_and_of_the_drift(name, order):
    """Measured .98..1.02, 3.96..4.03: the matrix leaves the rotations at the order of the method."""
    steps = [0.02, 0.01, 0.005] if order == 1 else [0.1, 0.05, 0.025]
    wanted, errors, drifts = FreeRotation(BODY, START).at(2.0).orientation_wxyz, [], []
    for h in steps:
        simulation = Simulation(BODY, START, name, h)
        simulation.advance(2.0)
        errors.append(angle_between(simulation.state.orientation_wxyz, wanted))
        drifts.append(float(orthogonality_error(simulation.stretch)))
    assert slope_of(steps, errors) == pytest.approx(order, abs=0.15)
    assert slope_of(steps, drifts) == pytest.approx(order, abs=0.15)
    assert order == INTEGRATORS[name].order


def test_where_they_lead():
    """Euler's matrix grows until it overflows; the backward one shrinks and takes the spin along; the nearest rotation
    cures both, but not the drift of the energy."""
    grows = Simulation(BODY, START, "matrix-euler", 0.05)
    with pytest.raises(NumericalOverflow, match=r"Matrix, Euler diverged at t = .* \(rotation matrix\)"):
        grows.advance(100)
    assert np.linalg.norm(grows.state.omega_body) > 100
    shrinks = Simulation(BODY, START, "matrix-backward-euler", 0.05)
    energy = shrinks.rotational_energy
    shrinks.advance(20)
    assert shrinks.rotational_energy < 0.9 * energy  # .85
    assert float(orthogonality_error(shrinks.stretch)) > 1.0  # 1.4: two directions have all but vanished
    square = np.sum(START.omega_body**2 / J**2)
    for name, moment in (("matrix-euler-orthonormal", 1.0), ("matrix-backward-euler-orthonormal", 2.5)):
        simulation = Simulation(BODY, START, name, 0.05)
        simulation.advance(400)
        assert simulation.rotational_energy == pytest.approx(square / 2 / moment, rel=1e-6)


@pytest.mark.parametrize("name", PLAIN)
def test_samples_hold_all_that_moves_and_give_it_back(name):
    simulation = Simulation(BODY, START, name, 0.02)
    simulation.advance_steps(30)
    kept = simulation.sample()
    rows = np.array([Simulation(BODY, START, "jolt", 0.02).sample(), kept], SAMPLE)
    samples = Samples(BODY, rows)
    assert Sample.from_row(rows[1]) == kept
    assert_allclose(samples.omega_body[1], simulation.state.omega_body, rtol=1e-14)
    assert_allclose(samples.omega_world[1], simulation.omega_world, rtol=1e-14)
    assert_allclose(samples.energy, [BODY.principal_moments @ START.omega_body**2 / 2, simulation.rotational_energy])
    assert np.isnan(samples.orthogonality_error[0])
    assert samples.orthogonality_error[1] == float(orthogonality_error(simulation.stretch)) > 1e-10
    other = simulation.copy()
    other.advance_steps(50)
    simulation.advance_steps(10)
    simulation.resume(Sample.from_row(rows[1]))
    simulation.advance_steps(50)
    assert simulation.sample() == other.sample()
    states = Simulation(BODY, START, name, 0.02).sampled(8, 10)
    assert_allclose(states.stretch[-1], other.stretch, rtol=1e-15)
    assert_allclose(states.omega_body[-1], other.state.omega_body, rtol=1e-14)
    assert_allclose(rotational_energy(BODY, states)[-1], other.rotational_energy, rtol=1e-14)
    norms = np.linalg.norm(angular_momentum_body(BODY, states), axis=1)
    assert_allclose(norms, np.linalg.norm(other.angular_momentum_world), rtol=1e-13)


@pytest.mark.parametrize("name", PLAIN)
def test_in_mixed_use(name):
    """From one matrix to another R stays; to any other method the nearest rotation goes on, and L stays."""
    simulation = Simulation(BODY, START, name, 0.02)
    simulation.advance_steps(50)
    R, L = nine(simulation), simulation.angular_momentum_world
    simulation.change(integrator="matrix-rk4", step=0.01)
    assert_allclose(nine(simulation), R, atol=1e-15)
    simulation.kick((0.1, -0.2, 0.3))
    Q = rotation_matrix(simulation.state.orientation_wxyz)
    assert_allclose(simulation.angular_momentum_world, L + Q @ (0.1, -0.2, 0.3), rtol=1e-13)
    assert_allclose(nine(simulation), R, atol=1e-15)
    for other in ("exact", "jolt", "exact-drift"):
        later = simulation.copy()
        later.change(integrator=other)
        L_b = Q.T @ simulation.angular_momentum_world
        assert later.stretch is None
        assert_allclose(later.state.omega_body, L_b * J, rtol=1e-13)
        assert_allclose(later.state.orientation_wxyz, simulation.state.orientation_wxyz, atol=1e-15)
        later.advance_steps(10)
        later.change(integrator=name)
        assert_allclose(later.stretch, matrix.UNSTRETCHED, atol=0)
        later.advance_steps(10)
        assert np.isfinite(later.state.omega_body).all()
    simulation.restart(START)
    assert_allclose(simulation.stretch, matrix.UNSTRETCHED, atol=0)


def test_what_they_do_not_take_is_one_line():
    with pytest.raises(ValueError, match="matrix-rk4 is torque-free; take away all loads or choose another"):
        Simulation(BODY, START, "matrix-rk4", loads=Loads(external_friction=0.1))
    with pytest.raises(ValueError, match="closest-point is not allowed with matrix-euler, whose matrix is no rotation"):
        Simulation(BODY, START, "matrix-euler", stabilisation="closest-point")
    with pytest.raises(ValueError, match="integrator: 'matrix-euler' is not allowed"):
        Ensemble(BODY, [[1, 0, 0, 0]], [[1, 2, 3]], "matrix-euler")


def test_the_polar_factor_is_scipys():
    """Random matrices with a positive determinant, stretched by up to 1e6, and the way to a quaternion and back."""
    generator = np.random.default_rng(8)
    for _ in range(200):
        m = Rotation.random(rng=generator).as_matrix() @ np.diag(10 ** generator.uniform(-3, 3, 3))
        m = m @ Rotation.random(rng=generator).as_matrix()
        q, s = matrix.polar(tuple(m.ravel().tolist()))
        U, S = polar(m)
        assert_allclose(rotation_matrix(np.array(q)), U, atol=1e-9)  # 1e-10: the condition is 1e6
        assert_allclose(stretch_matrices(np.array(s)), S, atol=1e-10 * np.linalg.norm(m))
    q, _ = matrix.polar((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0))
    assert np.isnan(q).all()


@pytest.mark.sweep("matrix-rk4")
@pytest.mark.parametrize("name", PLAIN)
def test_compiled_steps_are_those_of_python(name):
    pytest.importorskip("numba")
    compiled, plain = (Simulation(BODY, START, name, 0.02, fast=fast) for fast in (True, False))
    compiled.advance_steps(300)
    plain.advance_steps(300)
    assert compiled.sample() == plain.sample()  # bit for bit

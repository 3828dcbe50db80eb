"""The closed form against the reference cases, and every degenerate motion."""

import itertools
import json
import subprocess
import sys
from math import inf, pi, sqrt

import mpmath
import numpy as np
import pytest
from helpers.reference import CASES, DATA, angle_between, body_and_start, numbers
from numpy.testing import assert_allclose

from viewer.physics.body import RigidBody
from viewer.physics.exact.free_rotation import FreeRotation
from viewer.physics.poinsot.construction import largest_rate
from viewer.physics.rotation import multiply
from viewer.physics.simulation import NumericalOverflow, Simulation
from viewer.physics.state import State, angular_momentum_world, rotational_energy

SAMPLES = sum(len(case["samples"]) for case in CASES.values())


def test_all_reference_cases_are_there():
    assert len(CASES) == 13
    assert SAMPLES == 141


@pytest.mark.parametrize("name", CASES)
def test_reference_case(name):
    case = CASES[name]
    body, start = body_and_start(case)
    motion = FreeRotation(body, start)
    times = np.array([float(sample["t_s"]) for sample in case["samples"]])
    states = motion.at(times)
    error = np.maximum(
        np.abs(states.orientation_wxyz - numbers(s["orientation_wxyz"] for s in case["samples"])).max(axis=1),
        np.abs(states.omega_body - numbers(s["omega_body"] for s in case["samples"])).max(axis=1),
    )
    assert error.max() <= 5e-15  # up to 1e6 periods; worst 1.6e-15, box_1_04_02


THIN = json.loads((DATA / "thin_bodies.json").read_text())["cases"]


@pytest.mark.parametrize("case", THIN)
def test_thin_rods_plates_and_moments_far_apart(case):
    """Ratios of the moments down to 1e-8 and 1e-12, against a Taylor series in quadruple precision.

    Worst 2.6e-15 rad; by the integral of the third kind as it stands, of the large characteristic, 4e-7.
    """
    moments = np.array(case["principal_moments_kg_m2"])
    start = State((1, 0, 0, 0), case["omega_body_rad_s"])
    state = FreeRotation(RigidBody.from_moments(moments), start).at(case["t_s"])
    q, omega = (np.array([float(x) for x in case[key]]) for key in ("orientation_wxyz", "omega_body"))
    assert angle_between(state.orientation_wxyz, q) < 1e-14
    momentum = moments * omega
    assert_allclose(moments * state.omega_body, momentum, atol=2e-15 * np.linalg.norm(momentum))  # 3e-16


@pytest.mark.parametrize("name", CASES)
def test_period_of_reference_case(name):
    case = CASES[name]
    period = FreeRotation(*body_and_start(case)).period
    if case["period_s"] is None:
        assert period is None
    else:
        assert period == pytest.approx(float(case["period_s"]), rel=5e-16)  # 3.4e-16


def test_the_paper_body_flips_every_half_period():
    motion = FreeRotation(*body_and_start(CASES["ui004_ellipsoid"]))
    assert motion.period == pytest.approx(7.00707, abs=5e-6)
    assert motion.flip_period == pytest.approx(3.50354, abs=5e-6)
    assert motion.at(motion.flip_period).omega_body[1] == pytest.approx(-3.0, rel=1e-14)
    assert FreeRotation(*body_and_start(CASES["oblate"])).flip_period is None
    assert FreeRotation(*body_and_start(CASES["principal_mid"])).flip_period is None


@pytest.mark.parametrize(
    ("moments", "omega"), [((1.0, 2.0, 2.5), (-1.0, 0.0, 1.2)), ((3.0, 4.0, 6.0), (2e-9, 1.0, 1e-9))]
)
def test_cases_that_catch_a_slip_of_sign(moments, omega):
    """Against many small steps of the equations of motion."""
    from scipy.integrate import solve_ivp

    I = np.array(moments)

    def slope(_t, y):
        return np.concatenate((0.5 * multiply(y[:4], [0, *y[4:]]), np.cross(I * y[4:], y[4:]) / I))

    times = np.linspace(-20, 60, 41)
    states = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega)).at(times)
    for sense in (1, -1):
        chosen = times * sense > 0
        wanted = solve_ivp(
            slope, (0, 60 * sense), [1, 0, 0, 0, *omega], "DOP853", times[chosen][::sense], rtol=3e-14, atol=1e-15
        ).y[:, ::sense]
        assert_allclose(states.orientation_wxyz[chosen], wanted[:4].T, atol=3e-10)  # 3e-11; DOP853's own
        assert_allclose(states.omega_body[chosen], wanted[4:].T, atol=3e-10)


def test_the_order_of_the_axes_makes_no_difference():
    times = np.append(np.linspace(-3, 10, 27), 5e6)
    for moments, omega in (
        ((1.0, 2.0, 2.5), (2.0, 0.5, 0.25)),
        ((1.0, 2.0, 2.5), (0.25, -0.5, -2.0)),
        ((1.0, 4.0, 4.0), (-3.0, 0.5, -0.25)),
        ((2.0, 2.0, 3.5), (0.75, -0.5, 2.0)),
        ((3.0, 4.0, 6.0), (-2.0, 1.0, 1.0)),
    ):
        plain = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega)).at(times)
        for order in itertools.permutations(range(3)):
            parity = float(np.linalg.det(np.eye(3)[list(order)]))
            # a mirrored frame turns pseudovectors round: omega changes sign, the turn runs backward in the mirror
            body = RigidBody.from_moments([moments[k] for k in order])
            state = State((1, 0, 0, 0), [parity * omega[k] for k in order])
            other = FreeRotation(body, state).at(times)
            assert_allclose(parity * other.omega_body, plain.omega_body[:, order], atol=2e-15)  # 5e-16
            vectors = parity * other.orientation_wxyz[:, 1:]
            assert_allclose(vectors, plain.orientation_wxyz[:, 1:][:, order], atol=2e-15)  # 5e-16


@pytest.mark.parametrize("name", CASES)
def test_the_next_flip(name):
    """Where omega about the middle axis is 0, within what the time can resolve; also after 1e6 periods and before 0."""
    body, start = body_and_start(CASES[name])
    motion = FreeRotation(body, start)
    if motion.flip_period is None:
        assert motion.next_flip(3.0) is None
        return
    middle = int(np.argsort(body.principal_moments)[1])
    for t in (0.0, 0.3, -17.5, 1e6 * motion.period):
        flip = motion.next_flip(t)
        assert t < flip <= t + motion.flip_period * (1 + 1e-15)
        rate = np.abs(start.omega_body).max() ** 2 * 2
        resolution = rate * np.spacing(abs(flip)) + 5e-15
        assert abs(motion.at(flip).omega_body[middle]) <= resolution
        before, after = motion.at([flip - 0.01, flip + 0.01]).omega_body[:, middle]
        assert before * after < 0
        assert motion.next_flip(flip) - flip == pytest.approx(motion.flip_period, abs=8 * np.spacing(abs(flip) + 20))


@pytest.mark.parametrize("name", CASES)
def test_after_a_period_the_body_has_precessed_about_l(name):
    body, start = body_and_start(CASES[name])
    motion = FreeRotation(body, start)
    if motion.period is None:
        assert motion.precession_period is None
        return
    L = angular_momentum_world(body, start)
    half, axis = pi * motion.period / (motion.precession_period or motion.period), L / np.linalg.norm(L)
    turned = multiply([np.cos(half), *(np.sin(half) * axis)], start.orientation_wxyz)
    assert angle_between(motion.at(motion.period).orientation_wxyz, turned) <= 2e-14  # 5e-15


@pytest.mark.parametrize("name", CASES)
def test_energy_and_momentum_stay(name):
    body, start = body_and_start(CASES[name])
    states = FreeRotation(body, start).at(np.linspace(-50, 50, 501))
    momentum, energy = angular_momentum_world(body, start), rotational_energy(body, start)
    scale = max(np.linalg.norm(momentum), 1e-300)
    assert np.abs(angular_momentum_world(body, states) - momentum).max() <= 4e-15 * scale  # 1.9e-15
    assert np.abs(rotational_energy(body, states) - energy).max() <= 4e-15 * max(float(energy), 1e-300)


def test_forward_and_back_again():
    body, start = body_and_start(CASES["asym_around_min"])
    there = FreeRotation(body, start).at(7.3)
    back = FreeRotation(body, there).at(-7.3)
    assert angle_between(back.orientation_wxyz, start.orientation_wxyz) < 2e-14  # 3e-15
    assert_allclose(back.omega_body, start.omega_body, atol=1e-14)


@pytest.mark.parametrize("scale", [1e-200, 1e-160, 1e-8, 1e8, 1e160, 1e200])
def test_any_scale_of_omega_and_of_the_moments(scale):
    plain = FreeRotation(RigidBody.from_moments((1, 2, 2.5)), State((1, 0, 0, 0), (2, 0.5, 0.25))).at(1.0)
    start = State((1, 0, 0, 0), np.array((2, 0.5, 0.25)) * scale)
    for weight in (1e-40, 1, 1e40):
        motion = FreeRotation(RigidBody.from_moments(np.array((1, 2, 2.5)) * weight), start)
        state = motion.at(1 / scale)
        assert_allclose(state.omega_body / scale, plain.omega_body, atol=1e-14)  # 2e-15
        assert_allclose(state.orientation_wxyz, plain.orientation_wxyz, atol=1e-14)
        assert motion.period * scale == pytest.approx(5.705237643406061, rel=1e-14)


@pytest.mark.parametrize(
    ("moments", "omega"),
    [
        ((1, 2, 2.5), (0, 0, 0)),
        ((1, 2, 2.5), (1e-200, 1, 0)),
        ((1, 2, 2.5), (1, 1e-170, 1e-200)),
        ((1, 2, 2.5), (5e-324, 0, 5e-324)),
        ((1, 2, 2.5), (0.0, -1.0, -0.0)),
        ((1, 1, 1 + 2.3e-16), (1, 1, 1)),
        ((1, 1 + 1e-15, 1 + 2e-15), (1, -1, 1)),
        ((3, 4, 6), (-2, 1, -1)),
        ((3, 4, 6), (2, -1, 1)),
        ((1e-5, 1, 1), (1e-7, 1, 1)),
    ],
)
def test_degenerate_motions_are_finite_and_keep_what_they_should(moments, omega):
    body, start = RigidBody.from_moments(moments), State((1, 2, 3, 4), omega)
    states = FreeRotation(body, start).at(np.concatenate((-np.logspace(6, -6, 13), [0], np.logspace(-6, 6, 13))))
    assert np.isfinite(states.orientation_wxyz).all()
    assert np.isfinite(states.omega_body).all()
    assert_allclose(states.omega_body[13], omega, rtol=1e-14, atol=1e-14)
    assert_allclose(np.linalg.norm(states.orientation_wxyz, axis=1), 1, rtol=4e-16)
    wanted = rotational_energy(body, start)
    assert_allclose(rotational_energy(body, states), wanted, rtol=1e-13, atol=0)


def test_an_absurdly_slender_body_stays_finite():
    motion = FreeRotation(RigidBody.from_moments((1e-6, 1, 1e6)), State((1, 2, 3, 4), (1, 1, 1)))
    assert np.isfinite(motion.at(np.logspace(-6, 6, 13)).omega_body).all()
    assert_allclose(motion.at(0).omega_body, 1, atol=1e-12)  # 3.6e-13


def test_feynmans_plate_wobbles_twice_as_fast_as_it_spins():
    tilt = 0.1
    body = RigidBody.from_moments((1, 1, 2))
    # L and the disc's axis are tilt apart; the wobble is the turn of the axis about L, 2/cos tilt per spin
    omega = np.array([np.sin(tilt), 0, np.cos(tilt) / 2])
    motion = FreeRotation(body, State((1, 0, 0, 0), omega))
    spin = 2 * pi / motion.period  # of the axes in the body, (I3 - I1)/I1 omega_3
    assert spin == pytest.approx(np.cos(tilt) / 2, rel=1e-15)
    wobble = np.linalg.norm(body.principal_moments * omega)  # |L|/I1
    assert wobble / spin == pytest.approx(2 / np.cos(tilt), rel=1e-15)
    around = 2 * pi / wobble  # after it the disc's axis is where it was
    axis = [2 * (q[1] * q[3] + q[0] * q[2]) for q in motion.at(np.array([0.0, around, around / 2])).orientation_wxyz]
    assert axis[1] == pytest.approx(axis[0], abs=1e-15)
    assert abs(axis[2] - axis[0]) > 0.1


def test_toutatis():
    """5.41 d about its long axis, 7.35 d of precession (its J_L is .589031)."""
    degrees = np.array((98.15, 0, 37.03))
    body = RigidBody.from_moments((1, 3.09, 3.22))
    motion = FreeRotation(body, State((1, 0, 0, 0), np.radians(degrees)))
    momentum, energy = (np.linalg.norm(body.principal_moments * degrees), degrees @ (body.principal_moments * degrees))
    assert energy / momentum**2 == pytest.approx(0.589031, abs=5e-6)
    assert motion.period == pytest.approx(5.41, abs=0.005)
    assert motion.precession_period == pytest.approx(7.35, abs=0.005)
    # its long axis stays 50.5 to 51.2 degrees from L
    states = motion.at(np.linspace(0, motion.period, 500))
    L = body.principal_moments * states.omega_body
    tilt = np.degrees(np.arccos(L[:, 0] / np.linalg.norm(L, axis=1)))
    assert (tilt.min(), tilt.max()) == (pytest.approx(50.5, abs=0.05), pytest.approx(51.2, abs=0.05))


def test_earth_as_a_rigid_body():
    body = RigidBody.from_moments((1, 1, 1.0032845))
    motion = FreeRotation(body, State((1, 0, 0, 0), (1e-6, 0, 2 * pi)))
    assert motion.period == pytest.approx(304.46, abs=0.005)


def test_one_time_gives_a_state_and_bad_times_are_refused():
    motion = FreeRotation(*body_and_start(CASES["ode_blog"]))
    assert isinstance(motion.at(2), State)
    assert motion.at([1.0, 2.0]).orientation_wxyz.shape == (2, 4)
    assert motion.at([]).omega_body.shape == (0, 3)
    assert sqrt(sum(v * v for v in motion.at(1).orientation_wxyz)) == pytest.approx(1, rel=4e-16)
    for bad in (inf, [0.0, np.nan], [[1.0]]):
        with pytest.raises(ValueError, match=r"t: .* it must be one finite time or a list of them"):
            motion.at(bad)


def test_importing_physics_and_a_period_need_no_scipy():
    script = (
        "import sys\n"
        "from viewer.common import ring_buffer\n"
        "from viewer.physics import simulation\n"
        "from viewer.physics.exact import free_rotation\n"
        "from viewer.physics.poinsot import construction\n"
        "from viewer.physics.body import RigidBody\n"
        "from viewer.physics.state import State\n"
        "free_rotation.FreeRotation(RigidBody.from_moments((1, 2, 2.5)), State((1, 0, 0, 0), (1, 2, 3))).period\n"
        "late = {'scipy', 'mpmath', 'fractions', 'numba'} & set(sys.modules)\n"
        "assert not late, late\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.sweep(most=2)
@pytest.mark.parametrize(
    ("count", "most"), [(2.0**50, 4e-15), (2.0**53, 4e-15), (2.0**55, 4e-15), (2.0**58, 2e-14), (2.0**66, 2e-12)]
)
def test_after_more_periods_than_a_double_can_count(count, most):
    """The same time less whole periods by mpmath, and the precession in them: 1e-15, 2e-15, 2e-15, 4e-15, 7e-13."""
    moments, omega = (1.0, 2.0, 2.5), (1.0, 0.7, 1.1)
    motion = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega))
    with mpmath.workdps(75):
        I, w = [mpmath.mpf(x) for x in moments], [mpmath.mpf(x) for x in omega]
        L = [i * x for i, x in zip(I, w, strict=True)]
        size, twice = mpmath.sqrt(sum(x * x for x in L)), sum(x * y for x, y in zip(L, w, strict=True))
        J = [1 / i for i in I]
        s = twice / size**2  # L goes round the third axis
        k = (J[0] - J[1]) * (s - J[2]) / ((J[1] - J[2]) * (J[0] - s))
        rate = size * mpmath.sqrt((J[1] - J[2]) * (J[0] - s))
        period = 4 * mpmath.ellipk(k) / rate

        def around(t):  # Landau and Lifshitz, paragraph 37: d phi/dt
            a = mpmath.sqrt((s - J[2]) / (J[0] - J[2])) * mpmath.ellipfun("cn", rate * t, m=k)
            b = mpmath.sqrt((s - J[2]) / (J[1] - J[2])) * mpmath.ellipfun("sn", rate * t, m=k)
            return size * (J[0] * a * a + J[1] * b * b) / (a * a + b * b)

        turn = 4 * mpmath.quad(around, mpmath.linspace(0, period / 4, 9))
        assert float(period) == pytest.approx(motion.period, rel=1e-15)
        for offset in (0.0, 3.7, 8.0):
            t = motion.period * count * 1.001 + offset
            whole = mpmath.floor(mpmath.mpf(t) / period)
            near, half = motion.at(float(mpmath.mpf(t) - whole * period)), mpmath.fmod(whole * turn, 4 * mpmath.pi) / 2
            about = [float(mpmath.cos(half)), *(float(mpmath.sin(half) * x / size) for x in L)]
            found = motion.at(t)
            assert np.abs(found.omega_body - near.omega_body).max() < most
            assert angle_between(found.orientation_wxyz, multiply(about, near.orientation_wxyz)) < 2 * most


@pytest.mark.parametrize("omega", [(1.0, 0.7, 1.1), (0.0, 0.0, 1.0)])
def test_a_time_after_too_many_turns_is_refused(omega):
    body, start = RigidBody.from_moments((1, 2, 2.5)), State((1, 0, 0, 0), omega)
    motion = FreeRotation(body, start)
    assert np.isfinite(motion.at(0.99 * motion.latest).orientation_wxyz).all()
    for t in (1.01 * motion.latest, -1e300, [0.0, 1e300]):
        with pytest.raises(
            ValueError, match=r"t: .* s is after more turns than the closed form can count; allowed are"
        ):
            motion.at(t)
    simulation = Simulation(body, start, "exact", step=1e300)
    with pytest.raises(NumericalOverflow, match="stopped at t = 0 s: the closed form counts the turns for"):
        simulation.advance_steps(1)
    assert simulation.time == 0.0
    assert FreeRotation(body, State((1, 0, 0, 0), (0, 0, 0))).at(1e300).orientation_wxyz[0] == 1.0


def test_of_moments_far_apart_omega_errs_by_round_off_of_its_largest():
    """1e13 apart a small omega may be off by 1e-9 of itself; of the largest on the polhode 8e-16."""
    some = np.random.default_rng(0)
    for n in range(200):
        moments = some.permutation([1.0, 10.0 ** some.uniform(0, 13), 1e13])
        omega = some.normal(size=3) * np.exp(some.uniform(-12, 0, 3))
        found = FreeRotation(RigidBody.from_moments(moments), State((1, 0, 0, 0), omega), bool(n % 2)).at(0.0)
        L = moments * omega
        most = largest_rate(moments, float(omega @ L) / 2, float(np.linalg.norm(L)))
        assert np.abs(found.omega_body - omega).max() <= 4e-15 * most

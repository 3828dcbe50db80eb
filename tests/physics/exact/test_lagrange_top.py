"""Lagrange's top in closed form, against an integration, 40 digits, Jacobi's pendulum and the textbook's limits."""

from math import acos, cos, pi, sin, sqrt

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from viewer.common.errors import InputError
from viewer.physics.exact.lagrange_top import LagrangeTop
from viewer.physics.rotation import rotate, rotate_back
from viewer.physics.state import State

MOMENTS, ARM, WEIGHT = (1.0, 1.0, 0.4), (0.0, 0.0, 1.0), (0.0, 0.0, -9.81)


def tilted(angle: float) -> tuple[float, float, float, float]:
    return cos(angle / 2), sin(angle / 2), 0.0, 0.0


def integrated(moments, arm, weight, start, times):
    """Return orientations and angular velocities at these times by DOP853."""
    inertia, arm, weight = (np.array(part, dtype=float) for part in (moments, arm, weight))

    def rates(_, y):
        (w, x, u, z), omega = y[:4], y[4:]
        a, b, c = omega
        torque = np.cross(arm, rotate_back(y[:4] / np.linalg.norm(y[:4]), weight))
        turning = np.array(
            [-x * a - u * b - z * c, w * a + u * c - z * b, w * b + z * a - x * c, w * c + x * b - u * a]
        )
        return np.concatenate((0.5 * np.array(turning), (torque - np.cross(omega, inertia * omega)) / inertia))

    begin = [*start.orientation_wxyz, *start.omega_body]
    found = solve_ivp(rates, (0.0, times[-1]), begin, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=times).y.T
    return found[:, :4] / np.linalg.norm(found[:, :4], axis=1, keepdims=True), found[:, 4:]


def steady(inclination: float, spin: float, sign: int) -> float:
    """Return the slow (-1) or the fast (1) rate of a steady precession."""
    along, weight = MOMENTS[2] * spin, -WEIGHT[2] * ARM[2]
    root = sqrt(along**2 - 4.0 * MOMENTS[0] * weight * cos(inclination))
    return (along + sign * root) / (2.0 * MOMENTS[0] * cos(inclination))


STARTS = {
    "sleeping": ((1, 0, 0, 0), (0, 0, 25)),
    "strong, pushed from the vertical": ((1, 0, 0, 0), (0.1, 0.3, 25)),
    "weak, pushed from the vertical": ((1, 0, 0, 0), (0.1, 0.3, 9)),
    "hanging, spinning": ((0, 1, 0, 0), (0, 0, 5)),
    "hanging, pushed": ((0, 1, 0, 0), (0.1, 0.3, 5)),
    "pendulum": (tilted(1.0), (0, 0, 0)),
    "pendulum over the top": (tilted(1.0), (9, 0, 0)),
    "close past the vertical": (tilted(1e-7), (1e-8, 2.0, 14)),
    "cusps": (tilted(0.5), (0, 0, 25)),
    "waves": (tilted(0.5), (0, 0.5, 25)),
    "loops": (tilted(0.5), (0, -2.5, 25)),
    "slow steady precession": (tilted(0.5), (0, steady(0.5, 25, -1) * sin(0.5), 25)),
    "fast steady precession": (tilted(0.5), (0, steady(0.5, 25, 1) * sin(0.5), 25)),
}


@pytest.mark.parametrize("name", STARTS)
def test_a_motion_is_that_of_an_integration(name):
    start = State(*STARTS[name])
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, start)
    times = np.linspace(0.0, 5.0, 40)
    orientations, rates = integrated(MOMENTS, ARM, WEIGHT, start, times)
    states = top.at(times)
    assert_allclose(states.orientation_wxyz, orientations, atol=4e-12)  # 2e-12, which is the integration's
    assert_allclose(states.omega_body, rates, atol=2e-11)  # 8e-12


@pytest.mark.parametrize("seed", range(12))
def test_any_axis_either_way_along_it_under_any_weight(seed):
    random = np.random.default_rng(seed)
    axis, across = int(random.integers(3)), random.uniform(0.3, 2.0)
    moments, arm = [across] * 3, [0.0] * 3
    moments[axis], arm[axis] = random.uniform(0.1, 1.9) * across, random.choice([-1, 1]) * random.uniform(0.1, 1.0)
    weight = 5.0 * random.normal(size=3)
    start = State(random.normal(size=4), random.choice([0.1, 1.0, 5.0]) * random.normal(size=3))
    top = LagrangeTop(moments, arm, weight, start)
    assert top.nutation_period is not None
    times = np.linspace(0.0, 5.0 * top.nutation_period, 30)
    orientations, rates = integrated(moments, arm, weight, start, times)
    states = top.at(times)
    assert_allclose(states.orientation_wxyz, orientations, atol=1e-11)  # 3e-12
    assert_allclose(states.omega_body, rates, atol=1e-10)  # 1e-11
    up = np.array([rotate(q, arm) for q in states.orientation_wxyz]) @ -weight
    angles = np.arccos(up / np.linalg.norm(arm) / np.linalg.norm(weight))
    assert top.inclinations[0] - 1e-9 <= angles.min() <= angles.max() <= top.inclinations[1] + 1e-9
    assert_allclose(top.at(-times).orientation_wxyz[0], start.orientation_wxyz, atol=1e-15)


def in_forty_digits(start: State, time: float) -> np.ndarray:
    """Return the orientation at a time by inverting an elliptic integral and by quadratures over one period."""
    mp = mpmath.mp
    with mp.workdps(40):
        A, C, P = mp.mpf(MOMENTS[0]), mp.mpf(MOMENTS[2]), -mp.mpf(WEIGHT[2]) * mp.mpf(ARM[2])
        q = [mp.mpf(value) for value in start.orientation_wxyz.tolist()]
        length = mp.sqrt(sum(value**2 for value in q))
        w, x, y, z = (value / length for value in q)
        w1, w2, w3 = (mp.mpf(value) for value in start.omega_body.tolist())
        up = 2 * (x * z - w * y), 2 * (y * z + w * x), w * w + z * z - x * x - y * y
        along = C * w3
        about = A * (w1 * up[0] + w2 * up[1]) + along * up[2]
        energy = A * (w1**2 + w2**2) / 2 + P * up[2]
        cubic = [2 * P * A, -(2 * energy * A + along**2), 2 * about * along - 2 * P * A, 2 * energy * A - about**2]

        def polynomial(u):
            return ((cubic[0] * u + cubic[1]) * u + cubic[2]) * u + cubic[3]

        near = np.roots([float(coefficient) for coefficient in cubic]).real
        u1, u2, u3 = sorted(
            mp.findroot(lambda u: ((cubic[0] * u + cubic[1]) * u + cubic[2]) * u + cubic[3], mp.mpf(root))
            for root in near
        )
        lam, m = mp.sqrt(P * (u3 - u1) / (2 * A)), (u2 - u1) / (u3 - u1)
        K = mp.ellipk(m)
        first = mp.ellipf(mp.asin(mp.sqrt((up[2] - u1) / (u2 - u1))), m)
        first *= 1 if up[0] * w2 >= up[1] * w1 else -1

        def height(a):
            return u1 + (u2 - u1) * mp.ellipfun("sn", a, m=m) ** 2

        def precession(a):
            return (about - along * height(a)) / (A * (1 - height(a) ** 2)) / lam

        def spin(a):
            return along / C / lam - height(a) * precession(a)

        argument = lam * mp.mpf(time) + first
        whole = mp.nint(argument / (2 * K))
        rest = argument - 2 * K * whole
        phi, psi = (
            mp.quad(rate, [first, 0]) + whole * 2 * mp.quad(rate, [0, K / 2, K]) + mp.quad(rate, [0, rest])
            for rate in (precession, spin)
        )
        plus, minus = mp.arg(mp.mpc(w, z)), mp.arg(mp.mpc(x, y))
        phi, psi, half = phi + plus + minus, psi + plus - minus, mp.acos(height(rest)) / 2
        c, s = mp.cos(half), mp.sin(half)
        parts = c * mp.cos((phi + psi) / 2), s * mp.cos((phi - psi) / 2), s * mp.sin((phi - psi) / 2)
        return np.array([float(part) for part in (*parts, c * mp.sin((phi + psi) / 2))])


@pytest.mark.parametrize(
    "omega",
    [
        (0.3, -2.0, 25.0),
        pytest.param((1.0, 0.5, 2.0), marks=pytest.mark.slow),
        pytest.param((3.0, 1.0, -8.0), marks=pytest.mark.slow),
    ],
)
def test_ten_thousand_nutations_in_forty_digits(omega):
    start = State((0.9, 0.2, -0.3, 0.1), omega)
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, start)
    assert top.nutation_period is not None
    time = 1e4 * top.nutation_period + 0.123
    found, right = top.at(time).orientation_wxyz, in_forty_digits(start, time)
    assert min(np.abs(found - right).max(), np.abs(found + right).max()) < 2e-15  # 4e-16; the period alone: 1e-12 s


def test_a_top_without_spin_is_jacobis_pendulum():
    amplitude, rate = 2.5, sqrt(-WEIGHT[2] / MOMENTS[0])
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, State(tilted(pi - amplitude), (0, 0, 0)))
    times, m = np.linspace(0.0, 8.0, 50), sin(amplitude / 2) ** 2
    assert top.nutation_period == pytest.approx(2.0 * ellipk(m) / rate, rel=1e-14)  # of the height: half of the swing's
    sine = sin(amplitude / 2) * ellipj(rate * times + ellipk(m), m)[0]
    depth = -np.array([rotate(q, ARM)[2] for q in top.at(times).orientation_wxyz])
    assert_allclose(depth, 1.0 - 2.0 * sine**2, atol=1e-14)


def test_the_separatrix_leads_to_the_top_and_stays_there():
    top = LagrangeTop((2, 2, 1), (0, 0, 1), (0, 0, -1), State((1, 1, 0, 0), (-1, 0, 0)))  # level, with just the energy
    assert top.nutation_period is None
    assert_allclose(top.inclinations, (0.0, pi), atol=1e-15)
    rate = 1.0 / sqrt(2.0)
    for time in (1.0, 5.0, 200.0):  # a pendulum that rises to the top: cos(angle) = 1 - 2/cosh^2
        begun = np.arctanh(sin(pi / 4))
        height = rotate(top.at(time).orientation_wxyz, (0, 0, 1))[2]
        assert height == pytest.approx(1.0 - 2.0 / np.cosh(min(rate * time + begun, 300.0)) ** 2, abs=1e-14)


@pytest.mark.parametrize("sign", [-1, 1])
def test_steady_precession_has_the_textbooks_rates(sign):
    inclination, spin = 0.5, 25.0
    rate = steady(inclination, spin, sign)
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, State(tilted(inclination), (0, rate * sin(inclination), spin)))
    assert top.precession_rate == pytest.approx(rate, rel=1e-13)
    assert top.spin_rate == pytest.approx(spin - rate * cos(inclination), rel=1e-13)
    assert_allclose(top.inclinations, inclination, atol=1e-8)  # the square root of round-off


@pytest.mark.parametrize("name", STARTS)
def test_quick_constants_are_the_precise_ones(name):
    precise, quick = (LagrangeTop(MOMENTS, ARM, WEIGHT, State(*STARTS[name]), precise=one) for one in (True, False))
    assert_allclose(quick.inclinations, precise.inclinations, atol=1e-6)  # measured: 5e-7, a root of round-off
    for what in ("nutation_period", "precession_rate", "spin_rate"):
        expected = getattr(precise, what)
        assert (getattr(quick, what) is None) == (expected is None)
        if expected is not None:
            assert_allclose(getattr(quick, what), expected, rtol=1e-10)  # measured: 1.2e-11


def test_steady_rates_of_a_start():
    def rates(inclination, spin):
        start = State(tilted(inclination), (0, 0, spin))
        return LagrangeTop(MOMENTS, ARM, WEIGHT, start, precise=False).steady_rates(start.orientation_wxyz)

    assert_allclose(rates(0.5, 25), (steady(0.5, 25, -1), steady(0.5, 25, 1)), rtol=1e-14)
    assert_allclose(rates(0.5, -25), (steady(0.5, -25, 1), steady(0.5, -25, -1)), rtol=1e-14)
    assert rates(0.5, 13) is None  # the critical spin is 14.7 rad/s there
    assert_allclose(rates(2.0, 0), np.array((1, -1)) * sqrt(9.81 / -cos(2.0)), rtol=1e-14)  # a conical pendulum


def test_steady_rates_are_those_of_the_inclination_that_is_asked_for():
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, State(tilted(0.9), (0, 0, 25)), precise=False)
    assert_allclose(top.steady_rates(tilted(0.5)), (steady(0.5, 25, -1), steady(0.5, 25, 1)), rtol=1e-14)


@pytest.mark.parametrize("name", STARTS)
def test_effective_potential_meets_the_energy_where_the_axis_turns_back(name):
    start = State(*STARTS[name])
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, start)
    bounds = [angle for angle in top.inclinations if 1e-3 < angle < pi - 1e-3]
    assert_allclose(top.effective_potential(bounds), top.nodding_energy, rtol=1e-12, atol=1e-12)  # measured: 3e-14
    later = LagrangeTop(MOMENTS, ARM, WEIGHT, top.at(1.7))
    assert_allclose(later.nodding_energy, top.nodding_energy, rtol=1e-12, atol=1e-12)  # measured: 1e-14
    up = rotate_back(top.at(1.7).orientation_wxyz, (0, 0, 1))
    inside = float(np.arccos(up[2]))
    if 1e-3 < inside < pi - 1e-3:
        a, b, _ = top.at(1.7).omega_body
        sideways = (a * up[0] + b * up[1]) ** 2 / (up[0] ** 2 + up[1] ** 2)  # of the precession, squared
        assert_allclose(top.effective_potential(inside), 0.5 * sideways + 9.81 * up[2], rtol=1e-11)


def test_fast_top_precesses_as_the_elementary_formula_says():
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, State(tilted(0.5), (0, 0, 1000)))
    assert top.precession_rate == pytest.approx(9.81 / (0.4 * 1000), rel=1e-3)
    assert top.nutation_period == pytest.approx(2.0 * pi / (0.4 * 1000), rel=1e-3)


@pytest.mark.parametrize(("factor", "falls"), [(1.01, False), (0.99, True)])
def test_a_sleeping_top_stands_above_the_critical_spin(factor, falls):
    spin = factor * sqrt(4.0 * MOMENTS[0] * 9.81) / MOMENTS[2]
    top = LagrangeTop(MOMENTS, ARM, WEIGHT, State(tilted(1e-6), (0, 0, spin)))
    assert (top.inclinations[1] > 0.1) == falls


def test_inclinations_of_a_top_let_go():
    """A top released at rest falls to the other root of its cubic; the one of this top is known."""
    top = LagrangeTop((1, 1, 0.4), ARM, WEIGHT, State(tilted(pi / 6), (0, 0, 25)))
    u, b = cos(pi / 6), (0.4 * 25) ** 2 / (2.0 * 9.81)
    lower = b / 2 - sqrt(b * b / 4 - b * u + 1.0)
    assert_allclose(top.inclinations, (pi / 6, acos(lower)), atol=1e-14)
    assert np.degrees(acos(lower)) == pytest.approx(37.50516, abs=1e-5)


@pytest.mark.parametrize(
    ("moments", "arm", "weight", "text"),
    [
        ((1, 2, 3), ARM, WEIGHT, "moments, arm: (1, 2, 3), (0.0, 0.0, 1.0) "),
        (MOMENTS, (0, 0.1, 1), WEIGHT, "moments, arm: (1.0, 1.0, 0.4), (0, 0.1, 1) "),
        (MOMENTS, (0, 0, 0), WEIGHT, "moments, arm: (1.0, 1.0, 0.4), (0, 0, 0) "),
        (MOMENTS, ARM, (0, 0, 0), "weight: (0, 0, 0) is not allowed; it must be three finite numbers, not all 0"),
    ],
)
def test_what_is_no_lagrange_top_is_refused(moments, arm, weight, text):
    with pytest.raises(InputError) as error:
        LagrangeTop(moments, arm, weight, State((1, 0, 0, 0), (0, 0, 1)))
    assert str(error.value).startswith(text)

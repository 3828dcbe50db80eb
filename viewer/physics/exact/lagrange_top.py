"""Lagrange's top in closed form: a symmetric body about a fixed point on its axis, under a force fixed in space.

With Euler's angles about z, x, z the orientation is two complex numbers, alpha = cos(theta/2) exp(i (phi + psi)/2) and
beta = sin(theta/2) exp(i (phi - psi)/2): the quaternion is (Re alpha, Re beta, Im beta, Im alpha). The height u =
cos(theta) of the axis goes from u1 to u2, two roots of a cubic, as u1 + (u2 - u1) sn^2. Both phases are integrals of
the third kind. Where the axis comes near the vertical, the integral with the complementary characteristic takes the
place of the plain one (DLMF 19.7.8); the arctangent that remains is the phase of an amplitude that passes smoothly
through 0. So no angle is singular anywhere.

Names as in the literature: A is the moment across the axis, C the one about it; sn, cn, dn are Jacobi's functions, RF
and RJ Carlson's integrals.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, frexp, inf, ldexp, pi, sqrt
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.errors import refusal, shown
from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody, axis_of_top
from viewer.physics.exact.constants import DIGITS, Pair, cycles, finite_times, pair, product
from viewer.physics.exact.momentum_curves import jacobi, means
from viewer.physics.loads import Loads
from viewer.physics.rotation import conjugate, multiply, rotate, rotate_back
from viewer.physics.state import State, States

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Jacobi = tuple[Array, Array, Array]  # sn, cn, dn
Number = Any  # of mpmath
Quaternion = list[Number]

SEPARATRIX = 1e-60  # 1 - m below which the period is longer than any time that matters
NOTHING = 1e-30  # modulus below which alpha or beta counts as 0, so that its phase is that of its derivative
FROM_Z = ((0.5, 0.5, 0.5, 0.5), (0.5, -0.5, -0.5, -0.5), (1.0, 0.0, 0.0, 0.0))  # turns z to x, y, z
DOWNWARD = (0.0, 1.0, 0.0, 0.0)  # turns z to -z


class LagrangeTop:
    """The motion of a symmetric top about a fixed point, in closed form: one evaluation for any time.

    Parameters
    ----------
    moments : sequence of float
        The principal moments of inertia (3,) about the fixed point [kg m2]; the two across the arm are equal.
    arm : sequence of float
        The centre of mass (3,) [m] as seen from the fixed point; it lies on a principal axis.
    weight : sequence of float
        The force (3,) [N] on the centre of mass, fixed in space.
    start : State
        The state at t = 0.
    precise : bool, optional
        Whether the constants have twice the digits of a double, which takes 50 ms and is needed for `at`; without them,
        the attributes are there in 1 ms.

    Attributes
    ----------
    nutation_period : float or None
        The time [s] after which the inclination repeats; None for a spin about the vertical and on the separatrix.
    precession_rate, spin_rate : float or None
        The mean rates [rad/s] at which the axis goes round the vertical and the body turns about its axis; None where
        `nutation_period` is.
    latest : float
        The largest |t| [s] that `at` accepts, which is infinite.
    inclinations : tuple of float
        The least and the largest angle [rad] between the arm and the upward vertical.
    torque : float
        The weight's torque [N m] where the axis is level.
    nod_time : float or None
        The time [s] from the start to the next nod, where the axis is lowest; None if `nutation_period` is.
    nodding_energy : float
        The energy [J] of nodding, precession and weight, without that of the spin.

    Raises
    ------
    ValueError
        If the moments across the arm differ, the arm lies on no principal axis, or arm or weight are 0.

    References
    ----------
    E. T. Whittaker, Analytical Dynamics, sections 71 to 73; NIST Digital Library of Mathematical Functions, chapters
    19, 22.

    Examples
    --------
    >>> from viewer import State
    >>> from viewer.physics.exact.lagrange_top import LagrangeTop
    >>> top = LagrangeTop((1, 1, 0.4), (0, 0, 1), (0, 0, -9.81), State((1, 0.25, 0, 0), (0, 0, 25)))
    >>> round(top.nutation_period, 3), round(top.precession_rate, 3)
    (0.765, 1.075)
    """

    latest = inf

    def __init__(
        self, moments: Sequence[float], arm: Sequence[float], weight: Sequence[float], start: State,
        precise: bool = True,
    ) -> None:  # fmt: skip
        inertia, place = np.asarray(moments, dtype=np.float64), np.asarray(arm, dtype=np.float64)
        axis = axis_of_top(inertia, place)
        if axis is None:
            raise refusal(
                "moments, arm: {moments}, {arm} are not allowed; the arm must lie along one axis, with equal moments"
                " across it",
                moments=shown(moments),
                arm=shown(arm),
            )
        length, across, along = float(place[axis]), float(np.delete(inertia, axis).mean()), float(inertia[axis])
        force = np.asarray(weight, dtype=np.float64)
        size = float(np.linalg.norm(force))
        if not (np.isfinite(size) and size > 0.0):
            raise refusal(
                "weight: {given} is not allowed; it must be three finite numbers, not all 0", given=shown(weight)
            )
        self.start, self._upward = start, -force / size
        # the top's own axes have z along the arm, those of its space have z against the weight
        self._body_from_top = multiply(FROM_Z[axis], DOWNWARD) if length < 0.0 else np.array(FROM_Z[axis])
        self._space_from_top = _turn_from_z(self._upward)
        pull = abs(length) * size
        self._motion = _Motion(across, along, pull, self._space_from_top, start, self._body_from_top, precise)
        self.nutation_period = self._motion.period
        self.precession_rate, self.spin_rate = self._motion.mean_rates
        self.nod_time, self.inclinations = self._motion.nod_time, self._motion.inclinations
        vertical = self._vertical(start.orientation_wxyz)
        a, b, c = (across, across, along) * rotate_back(self._body_from_top, start.omega_body)
        self.torque, self._across = pull, across
        self._momenta = float((a, b, c) @ vertical), float(c)  # L along the vertical and along the axis
        self.nodding_energy = float((a * a + b * b) / (2.0 * across) + pull * vertical[2])

    def steady_rates(self, orientation: Array) -> tuple[float, float] | None:
        """Return the slow and the fast rate [rad/s] of steady precession with this spin at an inclination.

        The inclination is that of an orientation (4,); the result is None if the spin is too slow for it.
        """
        return _steady_rates(self._across, self._momenta[1], self.torque, float(self._vertical(orientation)[2]))

    def _vertical(self, orientation: Array) -> Array:
        """Return the upward vertical (3,) in the top's own axes."""
        return np.asarray(rotate_back(multiply(orientation, self._body_from_top), self._upward))

    def effective_potential(self, inclination: ArrayLike) -> Array:
        """Return the potential [J] in which the inclination moves; at its bounds it is `nodding_energy`.

        Parameters
        ----------
        inclination : array_like
            Angles [rad] between the arm and the upward vertical, between 0 and pi.
        """
        u, (vertical, axial) = np.cos(inclination), self._momenta
        return np.asarray((vertical - axial * u) ** 2 / (2.0 * self._across * (1.0 - u * u)) + self.torque * u)

    @classmethod
    def of(cls, body: RigidBody, loads: Loads, start: State, precise: bool = True) -> LagrangeTop:
        """Return the motion of a body about its pivot under the weight, from a state on."""
        moments, arm = body.principal_moments.tolist(), body.centre_of_mass.tolist()
        return cls(moments, arm, (0.0, 0.0, -loads.weight), start, precise)

    @property
    def period(self) -> float | None:
        """The nutation period, which takes the place of the period of a free motion."""
        return self.nutation_period

    def phase(self, omega_body: ArrayLike) -> None:
        """Return None: angular velocities of a top lie on no closed curve, as they do in a free motion."""

    @overload
    def at(self, t: float) -> State: ...

    @overload
    def at(self, t: Sequence[float] | Array) -> States: ...

    def at(self, t: ArrayLike) -> State | States:
        """Return the state at a time or at many, without position and linear momentum.

        Parameters
        ----------
        t : array_like
            One time [s], or times (N,).

        Returns
        -------
        State or States
            A `State` for one time, `States` for many.

        Raises
        ------
        ValueError
            If a time is not finite.
        """
        times = finite_times(t)
        turned, rates = self._motion.at(np.atleast_1d(times))
        q = multiply(multiply(self._space_from_top, turned), conjugate(self._body_from_top))
        q = q / np.linalg.norm(q, axis=1, keepdims=True)
        omega = rotate(self._body_from_top, rates)
        return State(q[0], omega[0]) if times.ndim == 0 else States(times, q, omega)


def _steady_rates(across: float, momentum: float, pull: float, up: float) -> tuple[float, float] | None:
    """Return the roots of across up rate^2 - momentum rate + pull = 0, the smaller first; None if they are not real.

    `momentum` is that about the axis, `up` the cosine of the inclination.
    """
    square = momentum * momentum - 4.0 * across * pull * up
    if not square > 0.0:
        return None
    root = 0.5 * (momentum + copysign(sqrt(square), momentum))
    return pull / root, root / (across * up) if up else copysign(inf, root)


def _turn_from_z(direction: Array) -> Array:
    """Return a quaternion (4,) that turns z to a unit vector (3,)."""
    x, y, z = direction.tolist()
    if z < 0.0:  # half a turn first, so that no small number is divided by
        return np.asarray(multiply(_turn_from_z(-direction), DOWNWARD))
    q = np.array([1.0 + z, -y, x, 0.0])
    return np.asarray(q / np.linalg.norm(q))


class _Begin(NamedTuple):
    """The start in the top's own axes: orientation, omega, and the upward vertical in the body; then what is conserved.

    `energy` is that of the tilting and of the weight, without that of the spin.
    """

    q: Quaternion
    omega: list[Number]
    vertical: tuple[Number, Number, Number]
    energy: Number
    about_vertical: Number  # of L
    about_axis: Number

    @classmethod
    def of(cls, A: Number, C: Number, P: Number, q: Quaternion, omega: list[Number]) -> _Begin:
        w, x, y, z = q
        w1, w2, w3 = omega
        g1, g2, u = 2 * (x * z - w * y), 2 * (y * z + w * x), w * w + z * z - x * x - y * y
        about_vertical = A * (w1 * g1 + w2 * g2) + C * w3 * u
        return cls(q, omega, (g1, g2, u), A * (w1 * w1 + w2 * w2) / 2 + P * u, about_vertical, C * w3)

    @property
    def upright(self) -> bool:
        """Whether the top spins about the vertical and stays so: it sleeps, or hangs."""
        return not any((*self.vertical[:2], *self.omega[:2]))

    def alpha_and_beta(self, mp: Any) -> tuple[Number, Number]:
        w, x, y, z = self.q
        return mp.mpc(w, z), mp.mpc(x, y)

    def rates_of_both(self, mp: Any) -> tuple[Number, Number]:
        """Return twice the derivatives of alpha and beta."""
        w, x, y, z = _product(self.q, [mp.mpf(0), *self.omega])
        return mp.mpc(w, z), mp.mpc(x, y)


@frozen
class _Phasor:
    """Alpha or beta as a function of Jacobi's argument a and of time.

    The modulus is |even cn dn + i odd sn|/sqrt(1 + p sn^2), or even sqrt(1 + p sn^2) if it is `direct`. The phase is
    that of this numerator, plus linear a + factor J(p), where J(p) is the integral of sn^2/(1 + p sn^2), plus a part
    that grows evenly with time.
    """

    direct: bool
    even: float
    odd: float
    p: float
    beyond: float  # 1 + p
    linear: float
    factor: float
    advance: Pair  # of the phase in a period of the height, beyond that of the numerator, in turns
    start: Pair  # turns
    rate: Pair  # turns per scaled second

    def at(
        self, t: Array, count: tuple[Array, Array], a: Array, functions: Jacobi, lam: float, m: float
    ) -> tuple[Complex, Complex]:
        """Return the number and its derivative by scaled time, (N,) each.

        `count` are the whole periods of the height that are over, a sum of two; `a` is the rest of Jacobi's argument,
        `functions` are those of it, and `lam` is da/dt.
        """
        from scipy.special import elliprj  # here: scipy takes .15 s to import

        sn, cn, dn = functions
        whole, further = count
        s2 = sn * sn
        below = cn * cn + self.beyond * s2  # 1 + p sn^2
        root = np.sqrt(below)
        if self.direct:
            real, imaginary = self.even * root, np.zeros_like(t)
            real_slope, imaginary_slope = self.even * self.p * sn * cn * dn / root, imaginary
        else:  # cn dn and sn change sign in a period
            side = np.where(np.fmod(whole, 2.0) == np.fmod(further, 2.0), 1.0, -1.0) / root
            bend = self.p * sn * cn * dn / below  # the root's relative slope
            real, imaginary = self.even * side * cn * dn, self.odd * side * sn
            real_slope = -self.even * side * sn * (dn * dn + m * cn * cn) - bend * real
            imaginary_slope = self.odd * side * cn * dn - bend * imaginary
        integral = sn * s2 / 3.0 * elliprj(cn * cn, dn * dn, 1.0, below)
        turns = cycles(t, self.rate, self.start)[1] + cycles(whole, self.advance, (0.0, 0.0))[1]
        turns = turns + further * self.advance[0]
        phase = np.exp(1j * (2.0 * pi * turns + self.linear * a + self.factor * integral))
        rate = lam * (self.linear + self.factor * s2 / below) + 2.0 * pi * self.rate[0]
        number = real + 1j * imaginary
        slope = lam * (real_slope + 1j * imaginary_slope) + 1j * rate * number
        return np.asarray(number * phase), np.asarray(slope * phase)


class _Motion:
    """The motion of a top whose centre of mass is on the z axis of the body, under a weight along -z of its space.

    A scaled second is 2^-exponent s, so that the rates of the phases are of order one.
    """

    def __init__(self, A: float, C: float, P: float, space: Array, start: State, body: Array, precise: bool) -> None:
        """Find the constants; P [N m] is the weight's torque where the arm is level.

        `space` and `body` are the turns from the top's own axes to those in which the start is given.
        """
        from mpmath import fp  # here: importing it takes .1 s
        from mpmath import mp as digits

        mp: Any = digits if precise else fp
        self.period: float | None = None
        self.nod_time: float | None = None
        self.mean_rates: tuple[float | None, float | None] = None, None
        self._spin = float(start.omega_body @ rotate(body, [0.0, 0.0, 1.0]))
        with digits.workdps(2 * DIGITS):  # near the separatrix two roots nearly meet, which costs half of the digits
            to_body = _exact(mp, body)
            q = _product(_product(_inverse(_exact(mp, space)), _exact(mp, start.orientation_wxyz)), to_body)
            omega = _turned(_inverse(to_body), [mp.mpf(float(value)) for value in start.omega_body])
            begin = _Begin.of(mp.mpf(A), mp.mpf(C), mp.mpf(P), q, omega)
            self._upright = [float(value) for value in q] if begin.upright else None
            if begin.upright:
                self._spinning = pair(omega[2] / (4 * mp.pi))
                self.inclinations = (0.0, 0.0) if begin.vertical[2] > 0 else (pi, pi)
            else:
                self._prepare(mp, mp.mpf(A), mp.mpf(C), mp.mpf(P), begin)

    def _prepare(self, mp: Any, A: Number, C: Number, P: Number, begin: _Begin) -> None:
        """Find the constants of a motion that is no spin about the vertical."""
        u1, u2, u3 = _heights(mp, A, P, begin)
        self.inclinations = float(mp.acos(u2)), float(mp.acos(u1))
        rate = mp.sqrt(P * (u3 - u1) / (2 * A))
        m, m1 = (u2 - u1) / (u3 - u1), (u3 - u2) / (u3 - u1)
        K = mp.elliprf(0, m1, 1) if m1 >= SEPARATRIX else mp.inf
        g1, g2, u = begin.vertical
        s2 = min(max((u - u1) / (u2 - u1), mp.mpf(0)), mp.mpf(1)) if u2 > u1 else mp.mpf(0)
        c2, d2 = 1 - s2, 1 - m * s2
        sn = mp.sqrt(s2) * (1 if g1 * begin.omega[1] >= g2 * begin.omega[0] else -1)  # 1: the axis rises
        level = mp.sqrt(c2 * d2)  # cn dn
        a = sn * mp.elliprf(c2, d2, 1)
        self._exponent = frexp(float(rate))[1]
        even = begin.about_axis * (1 / C - 1 / A) / 2
        phasors, advances = [], []
        numbers = zip((1, -1), begin.alpha_and_beta(mp), begin.rates_of_both(mp), strict=True)
        for sign, number, derivative in numbers:
            foot, head = 1 + sign * u1, 1 + sign * u2
            momentum = (begin.about_vertical + sign * begin.about_axis) / (2 * A * rate)
            n = sign * (u2 - u1) / foot if foot > 0 else mp.inf
            direct = bool(n < 1 if sign > 0 else n * n < m)
            p = n if direct else sign * foot / (u3 - u1)
            linear = momentum / foot if direct else mp.mpf(0)
            factor = -momentum / foot * n if direct else sign * momentum / (u3 - u1)
            side = 1 if momentum >= 0 else -1
            first, second = mp.sqrt(foot / 2), mp.mpf(0) if direct else side * mp.sqrt(head * (1 + p) / 2)
            numerator = mp.mpc(first) if direct else mp.mpc(first * level, second * sn)
            if abs(numerator) < NOTHING:
                numerator, number = mp.mpc(-first * sn * m1, second * level), derivative
            phase = linear * a + factor * sn**3 / 3 * mp.elliprj(c2, d2, 1, 1 + p * s2)
            start = mp.arg(number / numerator) - phase if abs(number) > 0 else mp.mpf(0)
            advance = 2 * (linear * K + factor * mp.elliprj(0, m1, 1, 1 + p) / 3) if mp.inf > K else mp.mpf(0)
            advances.append(advance + (0 if direct else side * mp.pi))
            whole = 2 * mp.pi
            phasors.append(
                _Phasor(
                    direct, float(first), float(second), float(p), float(1 + p), float(linear), float(factor),
                    pair(advance / whole), pair(start / whole), pair(mp.ldexp(sign * even, -self._exponent) / whole),
                )
            )  # fmt: skip
        self._alpha, self._beta = phasors
        self._m, self._m1, self._K, self._begin = float(m), float(m1), float(K), float(a)
        scaled = mp.ldexp(rate, -self._exponent)
        self._lam = float(scaled)
        if mp.inf > K:
            self._double_K, self._start, self._periods = pair(2 * K), pair(a / (2 * K)), pair(scaled / (2 * K))
            period, (plus, minus) = 2 * K / rate, advances
            self.period, self.nod_time = float(period), float(-a / rate if a < 0 else period - a / rate)
            self.mean_rates = float((plus + minus) / period), float((plus - minus) / period + 2 * even)

    def at(self, t: Array) -> tuple[Array, Array]:
        """Return orientations (N, 4) and angular velocities (N, 3) [rad/s] in the top's own axes at times (N,) [s]."""
        spin, none = np.full(len(t), self._spin), np.zeros(len(t))
        if self._upright is not None:
            half = 2.0 * pi * cycles(t, self._spinning, (0.0, 0.0))[1]
            turn = np.stack((np.cos(half), none, none, np.sin(half)), axis=1)
            return multiply(self._upright, turn), np.stack((none, none, spin), axis=1)
        t = np.ldexp(t, self._exponent)
        count, a, functions = self._jacobi(t)
        both = [one.at(t, count, a, functions, self._lam, self._m) for one in (self._alpha, self._beta)]
        (alpha, alpha_rate), (beta, beta_rate) = both
        across = ldexp(2.0, self._exponent) * (np.conj(alpha) * beta_rate - beta * np.conj(alpha_rate))
        omega = np.stack((across.real, across.imag, spin), axis=1)
        return np.stack((alpha.real, beta.real, beta.imag, alpha.imag), axis=1), omega

    def _jacobi(self, t: Array) -> tuple[tuple[Array, Array], Array, Jacobi]:
        """Return the whole periods that are over, the rest of the argument, and the functions of that rest."""
        if inf == self._K:
            a, none = self._lam * t + self._begin, np.zeros_like(t)
            level = 1.0 / np.cosh(np.clip(a, -300.0, 300.0))
            return (none, none), a, (np.tanh(a), level, level)
        count, part, rest = cycles(t, self._periods, self._start)
        a, e = product(part, self._double_K[0])
        e = e + self._double_K[1] * part + self._double_K[0] * rest
        sn, cn, dn = jacobi(np.clip(a, -self._K, self._K), means(self._m1))
        return count, a, (sn + e * cn * dn, cn - e * sn * dn, dn - e * self._m * sn * cn)


def _heights(mp: Any, A: Number, P: Number, begin: _Begin) -> tuple[Number, Number, Number]:
    """Return the roots u1 <= u2 <= 1 <= u3 of the cubic that is (A du/dt)^2, positive from u1 to u2."""
    about_vertical, about_axis, first = begin.about_vertical, begin.about_axis, 2 * P * A
    b = -(2 * begin.energy * A + about_axis**2) / first
    c = (2 * about_vertical * about_axis - first) / first
    d = (2 * begin.energy * A - about_vertical**2) / first
    spread = mp.sqrt(max(b * b / 9 - c / 3, mp.mpf(0)))
    cosine = (b * c / 6 - d / 2 - b**3 / 27) / spread**3 if spread > 0 else mp.mpf(1)
    turn = mp.acos(min(max(cosine, mp.mpf(-1)), mp.mpf(1))) / 3
    u1, u2, u3 = sorted(2 * spread * mp.cos(turn - 2 * mp.pi * k / 3) - b / 3 for k in range(3))
    return max(u1, mp.mpf(-1)), min(u2, mp.mpf(1)), max(u3, mp.mpf(1))


def _exact(mp: Any, q: ArrayLike) -> Quaternion:
    """Return a quaternion of doubles, normalised to all digits."""
    numbers = [mp.mpf(value) for value in np.asarray(q, dtype=np.float64).tolist()]
    length = mp.sqrt(sum(value * value for value in numbers))
    return [value / length for value in numbers]


def _inverse(q: Quaternion) -> Quaternion:
    return [q[0], -q[1], -q[2], -q[3]]


def _product(p: Quaternion, q: Quaternion) -> Quaternion:
    a, b, c, d = p
    w, x, y, z = q
    return [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]


def _turned(q: Quaternion, vector: list[Number]) -> list[Number]:
    return _product(_product(q, [0 * vector[0], *vector]), _inverse(q))[1:]

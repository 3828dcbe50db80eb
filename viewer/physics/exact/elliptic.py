"""The torque-free motion that is not steady, by elliptic functions, in scaled units.

Jacobi's functions move L in the body; the angle chi about the axis c that L circles gives the orientation: q(t) = q0
S(L_b(0))* exp(c chi) S(L_b(t)), S(L) = (1 + Lhat.c, Lhat x c) normalised. With Lhat.c >= 0 no coordinates are singular
anywhere. chi needs an integral of the third kind with the characteristic -nu, nu = (J_a - J_b)/(J_b - J_c); if nu is
above 1, as for a thin rod, the integral with the characteristic -m/nu takes its place (DLMF 19.7.8). Names as in the
literature: RF, RJ are Carlson's integrals, sn, cn, dn Jacobi's functions.
"""

from functools import cached_property
from math import asinh, hypot, isfinite, pi, sqrt
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.exact import constants
from viewer.physics.exact.constants import PeriodicConstants, cycles, product
from viewer.physics.exact.momentum_curves import MomentumCurves, argument, cel, jacobi, means
from viewer.physics.rotation import conjugate, multiply

Array = NDArray[np.float64]


def _excess(moments: list[float], omega: list[float]) -> float:
    """Return w3^2 I3 (I3 - I2) - w1^2 I1 (I2 - I1) = |L|^2 - 2 E I2, computed exactly and then rounded once."""
    (I1, w1), (I2, _), (I3, w3) = sorted(zip(moments, omega, strict=True), key=itemgetter(0))
    rates, rate_unit = _integers(w1, w3)
    (i1, i2, i3), moment_unit = _integers(I1, I2, I3)
    exact = rates[1] ** 2 * i3 * (i3 - i2) - rates[0] ** 2 * i1 * (i2 - i1)
    return exact / (rate_unit**2 * moment_unit**2)


def _integers(*values: float) -> tuple[list[int], int]:
    """Return floats as integers over one common denominator, exactly."""
    ratios = [value.as_integer_ratio() for value in values]
    unit = max(denominator for _, denominator in ratios)
    return [numerator * (unit // denominator) for numerator, denominator in ratios], unit


@frozen
class Elliptic:
    """The constants of a motion that is not steady, in scaled units.

    Vectors (3,) are in the order a, b, c of the axes: c is the axis that L circles, b the middle axis. The signs
    make L_c >= 0 and the axes a right-handed frame.
    """

    axes: tuple[int, int, int]
    moments: tuple[float, float, float]
    rates: tuple[float, float, float]  # omega, signed
    signs: Array
    J: tuple[float, float, float]
    L_start: Array  # in the order a, b, c, signed
    L_norm: float
    amplitudes: tuple[float, float, float]
    side: float  # sign of J_b - J_c
    lam: float
    nu: float  # rho - 1
    m1: float
    K: float
    flips: bool

    @classmethod
    def of(cls, moments: list[float], omega: list[float]) -> "Elliptic":
        """Return the constants of the motion with these scaled moments and angular velocity."""
        curves = MomentumCurves.of(np.array([moments]), np.array([omega]), np.array([_excess(moments, omega)]))
        a, b, c = curves.axes[0].tolist()
        Ia, Ib, Ic = curves.moments[0].tolist()
        wa, wb, wc = curves.rates[0].tolist()
        Aa, Ab, Ac = curves.amplitudes[0].tolist()
        return cls(
            axes=(a, b, c), moments=(Ia, Ib, Ic), rates=(wa, wb, wc), signs=curves.signs[0],
            J=(1.0 / Ia, 1.0 / Ib, 1.0 / Ic), L_start=curves.momenta[0], L_norm=hypot(*curves.momenta[0].tolist()),
            amplitudes=(Aa, Ab, Ac), side=float(curves.side[0]), lam=float(curves.lam[0]), nu=float(curves.nu[0]),
            m1=float(curves.m1[0]), K=float(curves.K[0]), flips=Ia != Ib and Ib != Ic,
        )  # fmt: skip

    def motion(self, t: Array, precise: bool = True) -> tuple[Array, Array]:
        """Return the turn since t = 0 as quaternions (N, 4), and omega (N, 3), both along the body axes x, y, z."""
        L, turns = self._periodic(t, precise) if isfinite(self.K) else self._separatrix(t)
        turn = turn_between(self.L_start[None] / self.L_norm, L, turns)
        omega, quaternions = np.empty((len(t), 3)), np.empty((len(t), 4))
        quaternions[:, 0] = turn[:, 0]
        for n, k in enumerate(self.axes):
            omega[:, k] = self.signs[n] * self.J[n] * L[:, n]
            quaternions[:, 1 + k] = self.signs[n] * turn[:, 1 + n]
        return quaternions, omega

    @cached_property
    def precise(self) -> PeriodicConstants:
        """The constants to twice the digits of a double, computed when first needed; importing mpmath takes 0.1 s."""
        return constants.periodic(self.moments, self.rates, self.side)

    @property
    def fastest_rate(self) -> float:
        """The larger of the two rates at which phases are counted, in half periods or turns per scaled second."""
        return max(self.lam / (2.0 * self.K), self.L_norm * self.J[1] / (2.0 * pi))

    @property
    def precession_rate(self) -> float:
        """The mean rate at which the axis c goes round L, in rad per scaled second.

        It is the mean over a period of |L| (J_a L_a^2 + J_b L_b^2)/(L_a^2 + L_b^2), Landau and Lifshitz, Mechanics,
        paragraph 37; written as one complete integral all of whose terms are positive, DLMF 19.2.11.
        """
        Ja, Jb, _ = self.J
        rho = 1.0 + self.nu
        return self.L_norm * cel(sqrt(self.m1), rho, Ja, Jb * rho) / self.K

    def phase(self, omega: Array) -> Array:
        """Return the phases (N,) [rad], -pi..pi, of angular velocities (N, 3) along the closed curve of L_b.

        A phase grows evenly with time, by 2 pi in a period. A point off the curve gets the phase of the curve's point
        in the same direction about the axis c.
        """
        La, Lb = (self.signs[n] * omega[:, k] / self.J[n] for n, k in enumerate(self.axes[:2]))
        Aa, Ab, _ = self.amplitudes
        return np.asarray(argument(La / Aa, self.side * Lb / Ab, self.m1, self.K) * (pi / (2.0 * self.K)))

    def _periodic(self, t: Array, precise: bool) -> tuple[Array, Array]:
        if precise:
            return periodic_motion(t, self.precise, self.K, self.side)
        in_doubles = constants.periodic_in_doubles(self.moments, self.rates, self.side, self.m1)
        return periodic_motion(t, in_doubles, self.K, self.side)

    def _separatrix(self, t: Array) -> tuple[Array, Array]:
        Aa, Ab, Ac = self.amplitudes
        half = -1.0 if self.L_start[0] < 0.0 else 1.0  # the other half of the curve: this one turned about c
        sn0, cn0 = half * self.side * self.L_start[1] / Ab, half * self.L_start[0] / Aa
        u0 = asinh(sn0 / cn0)
        u = np.concatenate(([u0], self.lam * t + u0))
        decay = np.exp(-np.minimum(np.abs(u), 300.0))  # 300: its square does not underflow
        sn, cn = np.tanh(u), 2.0 * decay / (1.0 + decay * decay)
        phase = self.side * (np.arctan(sqrt(self.nu) * sn) - np.arctan2(sqrt(1.0 + self.nu) * sn, cn))
        _, turning = constants.steady_rate(self.moments, self.rates)
        turns = cycles(t, turning, (0.0, 0.0))[1] + (phase[1:] - phase[0]) / (4.0 * pi)
        sn, cn = sn[1:], cn[1:]
        return np.stack((half * Aa * cn, half * self.side * Ab * sn, Ac * cn), axis=1), turns


def periodic_motion(t: Array, c: PeriodicConstants, K: Any, side: Any) -> tuple[Array, Array]:
    """Return L (N, 3) in the order a, b, c and the turns (N,) about c, in units of 4 pi, at scaled times t (N,).

    The constants are numbers, for one motion, or arrays (N,), for N motions with one time each. Their nu must all be <=
    1 or all > 1.
    """
    from scipy.special import elliprj  # here: scipy takes .15 s to import

    (N, further), part, rest = cycles(t, c.half_periods, c.start)
    r, e = product(part, c.double_K[0])
    e = e + c.double_K[1] * part + c.double_K[0] * rest  # u = 2K N + r + e
    sn, cn, dn = jacobi(np.clip(r, -K, K), means(c.m1))
    sn, cn, dn = sn + e * cn * dn, cn - e * sn * dn, dn - e * c.m * sn * cn
    s2, c2 = sn * sn, cn * cn
    rho = 1.0 + c.nu
    if np.all(np.less_equal(c.nu, 1.0)):
        Gr = r - rho / 3.0 * sn * s2 * elliprj(c2, dn * dn, 1.0, c2 + rho * s2)
        local = c.Cq * Gr - side * np.arctan2(np.sqrt(rho) * sn, cn)
    else:  # the same by the integral of the complementary characteristic: no large terms that cancel
        n = c.m / c.nu
        b = np.sqrt(1.0 + n)
        Gr = r - rho * n / 3.0 * sn * s2 * elliprj(c2, dn * dn, 1.0, 1.0 + n * s2)
        rise = np.sqrt(rho) * (n + c.m * s2) / (b + dn)
        local = side * np.arctan2(rise * sn * cn, c2 * dn + rho * b * s2) - c.Cq / c.nu * Gr
    steady = cycles(t, c.turning, c.chi_minus_start)[1]
    by_halves = cycles(N, c.advance, (0.0, 0.0))[1] + further * c.advance[0]
    sign = np.where(np.fmod(N, 2.0) == np.fmod(further, 2.0), 1.0, -1.0)
    Aa, Ab, Ac = c.amplitudes
    L = np.stack((sign * Aa * cn, sign * side * Ab * sn, Ac * dn), axis=1)
    return L, steady + by_halves + local / (4.0 * pi)


def turn_between(start: Array, L: Array, turns: Array) -> Array:
    """Return the turn (N, 4) that goes with a motion of L in the body, in the order a, b, c.

    L moves from the unit vectors `start`, (1, 3) or (N, 3), to L (N, 3), and the body makes `turns` (N,) about c, in
    units of 4 pi.
    """
    first = multiply(conjugate(_upright(start)), _about_c(turns))
    return multiply(first, _upright(L / np.linalg.norm(L, axis=1, keepdims=True)))


def _upright(direction: Array) -> Array:
    """Return the quaternions S (N, 4) of the module's formula, for directions (N, 3) of L in the order a, b, c."""
    a, b, c = direction.T
    q = np.stack((1.0 + c, b, -a, np.zeros_like(a)), axis=1)
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def _about_c(turns: Array) -> Array:
    """Return the quaternions (N, 4) of turns about c, given in units of 4 pi."""
    q = np.zeros((len(turns), 4))
    q[:, 0], q[:, 3] = np.cos(2.0 * pi * turns), np.sin(2.0 * pi * turns)
    return q

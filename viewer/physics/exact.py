"""The torque-free motion in closed form: one evaluation for any time, forward and back.

Jacobi's elliptic functions move L in the body; the angle chi about the axis c that L circulates gives the orientation:
q(t) = q0 S(L_b(0))* exp(c chi) S(L_b(t)), S(L) = (1 + Lhat.c, Lhat x c) normalised. With Lhat.c >= 0 no coordinates
are singular anywhere. Names as in the literature: RF, RJ are Carlson's integrals, sn, cn, dn Jacobi's functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import asinh, copysign, frexp, hypot, inf, isfinite, ldexp, pi, sqrt
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.body import RigidBody
from viewer.physics.rotation import multiply
from viewer.physics.state import State, States

Array = NDArray[np.float64]

NOTHING = 1e-150  # of the largest component of omega; its square is lost even in 1 - m
SEPARATRIX = 1e-120  # 1 - m below which the period is longer than any time that matters


class FreeRotation:
    """The torque-free motion of `body` from `start` at t = 0.

    period: after which omega_body repeats [s]; of a steady spin the time of a turn; None at rest and on the separatrix.
    flip_period: between two reversals of the sense about the middle axis [s]; None where there are none.
    """

    def __init__(self, body: RigidBody, start: State) -> None:
        self._start = start
        self._orientation = start.orientation_wxyz
        self._omega = start.omega_body
        # powers of two: inertia and omega of order one, exactly; time runs inversely to omega
        fastest = float(np.abs(self._omega).max())
        exponent = frexp(fastest)[1] if fastest > 0.0 else 0
        self._rate_exponent = exponent
        weight = frexp(float(body.principal_moments.min()))[1]
        moments = [ldexp(float(value), -weight) for value in body.principal_moments]
        omega = [ldexp(float(value), -exponent) for value in self._omega]
        omega = [value if abs(value) > NOTHING else 0.0 for value in omega]
        self._elliptic = None if _steady(moments, omega) else _Elliptic.of(moments, omega)

        self.period: float | None = None
        self.flip_period: float | None = None
        if self._elliptic is None:
            speed = hypot(*omega)
            self.period = self._seconds(2.0 * pi / speed) if speed > 0.0 else None
        elif isfinite(self._elliptic.K):
            half = 2.0 * self._elliptic.K / self._elliptic.lam
            self.period = self._seconds(2.0 * half)
            self.flip_period = self._seconds(half) if self._elliptic.flips else None

    def _seconds(self, scaled: float) -> float | None:
        try:
            return ldexp(scaled, -self._rate_exponent)
        except OverflowError:
            return None

    @overload
    def at(self, t: float) -> State: ...

    @overload
    def at(self, t: Sequence[float] | Array) -> States: ...

    def at(self, t: ArrayLike) -> State | States:
        """The state at time t [s]: a `State` for one time, `States` for times (N,)."""
        times = np.asarray(t, dtype=np.float64)
        if times.ndim > 1 or not np.isfinite(times).all():
            raise ValueError(f"t: {t!r} is not allowed; it must be one finite time or a list of them")
        scaled = np.ldexp(np.atleast_1d(times), self._rate_exponent)
        if self._elliptic is None:
            orientation = multiply(
                self._orientation, _spin(np.ldexp(self._omega, -self._rate_exponent), scaled)
            )
            omega = np.broadcast_to(self._omega, (len(scaled), 3))
        else:
            turn, rates = self._elliptic.motion(scaled)
            orientation = multiply(self._orientation, turn)
            omega = np.ldexp(rates, self._rate_exponent)
        orientation = orientation / np.linalg.norm(orientation, axis=-1, keepdims=True)
        if times.ndim == 0:
            return State(orientation[0], omega[0], self._start.position, self._start.momentum)
        return States(times, orientation, np.array(omega))


def _steady(moments: list[float], omega: list[float]) -> bool:
    """Whether omega stays where it is: a sphere, a principal axis, rest."""
    return not any(
        omega[i] != 0.0 and omega[j] != 0.0 and moments[i] != moments[j] for i, j in ((0, 1), (1, 2), (2, 0))
    )


def _spin(omega: Array, times: Array) -> Array:
    """The quaternions (N, 4) of a steady turn about omega (3,) for times (N,)."""
    speed = float(np.linalg.norm(omega))
    axis = omega / speed if speed > 0.0 else omega
    half = 0.5 * speed * times
    return np.concatenate((np.cos(half)[:, None], np.sin(half)[:, None] * axis), axis=1)


def _excess(w1: float, w3: float, I1: float, I2: float, I3: float) -> float:
    """d2 = w3^2 I3 (I3 - I2) - w1^2 I1 (I2 - I1) = |L|^2 - 2 E I2, exact and then rounded once."""
    rates, rate_unit = _integers(w1, w3)
    (i1, i2, i3), moment_unit = _integers(I1, I2, I3)
    exact = rates[1] ** 2 * i3 * (i3 - i2) - rates[0] ** 2 * i1 * (i2 - i1)
    return exact / (rate_unit**2 * moment_unit**2)


def _integers(*values: float) -> tuple[list[int], int]:
    """Floats as integers over one common denominator, exactly."""
    ratios = [value.as_integer_ratio() for value in values]
    unit = max(denominator for _, denominator in ratios)
    return [numerator * (unit // denominator) for numerator, denominator in ratios], unit


@dataclass(frozen=True)
class _Elliptic:
    """Constants of a motion that is not steady, in scaled units. Vectors (3,) in the order a, b, c of the axes:
    c is the one that L circulates, b the middle one; signs bring L_c to >= 0 and the axes to a right-handed frame."""

    axes: tuple[int, int, int]
    signs: Array
    J: tuple[float, float, float]
    L_start: Array  # in the order a, b, c, signed
    L_norm: float
    amplitudes: tuple[float, float, float]
    side: float  # sign of J_b - J_c
    lam: float
    rho: float
    m1: float
    K: float
    Cq: float
    flips: bool

    @classmethod
    def of(cls, moments: list[float], omega: list[float]) -> "_Elliptic":
        one, two, three = sorted(range(3), key=lambda k: moments[k])
        I1, I2, I3 = moments[one], moments[two], moments[three]
        d2 = _excess(omega[one], omega[three], I1, I2, I3)
        around_three = I2 != I3 and (I1 == I2 or d2 >= 0.0)
        axes = (one, two, three) if around_three else (three, two, one)
        parity = 1.0 if (axes[1] - axes[0]) % 3 == 1 else -1.0
        c_sign = copysign(1.0, omega[axes[2]]) if omega[axes[2]] != 0.0 else 1.0
        signs = np.array([1.0, c_sign * parity, c_sign])
        Ia, Ib, Ic = (moments[k] for k in axes)
        La, Lb, Lc = (float(signs[n]) * moments[k] * omega[k] for n, k in enumerate(axes))
        dab, dbc, dac = (Ib - Ia) / (Ia * Ib), (Ic - Ib) / (Ib * Ic), (Ic - Ia) / (Ia * Ic)
        dc = La * La * dac + Lb * Lb * dbc  # 2E - J_i |L|^2 for the three axes
        da = -(Lb * Lb * dab + Lc * Lc * dac)
        db = -d2 / I2
        amplitudes = (sqrt(dc / dac), sqrt(dc / dbc), sqrt(-da / dac))
        lam, rho = sqrt(abs(da * dbc)), dac / dbc
        m1 = dac * -db / (-da * dbc)
        norm = hypot(La, Lb, Lc)
        K = pi / (2.0 * _agm(1.0, sqrt(m1))) if m1 >= SEPARATRIX else inf
        return cls(
            axes=axes,
            signs=signs,
            J=(1.0 / Ia, 1.0 / Ib, 1.0 / Ic),
            L_start=np.array([La, Lb, Lc]),
            L_norm=norm,
            amplitudes=amplitudes,
            side=copysign(1.0, dbc),
            lam=lam,
            rho=rho,
            m1=m1,
            K=K,
            Cq=norm * dab / lam,
            flips=I1 != I2 and I2 != I3,
        )

    def motion(self, t: Array) -> tuple[Array, Array]:
        """(turn since t = 0 as quaternions (N, 4), omega (N, 3)), both in the body's own order of axes."""
        if isfinite(self.K):
            L, chi = self._periodic(t)
        else:
            L, chi = self._separatrix(t)
        turn = multiply(
            multiply(_conjugate(_upright(self.L_start[None] / self.L_norm)), _about_c(chi)),
            _upright(L / np.linalg.norm(L, axis=1, keepdims=True)),
        )
        omega, quaternions = np.empty((len(t), 3)), np.empty((len(t), 4))
        quaternions[:, 0] = turn[:, 0]
        for n, k in enumerate(self.axes):
            omega[:, k] = self.signs[n] * self.J[n] * L[:, n]
            quaternions[:, 1 + k] = self.signs[n] * turn[:, 1 + n]
        return quaternions, omega

    def _periodic(self, t: Array) -> tuple[Array, Array]:
        from scipy.special import elliprf, elliprj  # here: scipy takes .15 s to import

        Aa, Ab, Ac = self.amplitudes
        sn0, cn0, dn0 = self.side * self.L_start[1] / Ab, self.L_start[0] / Aa, self.L_start[2] / Ac
        first = float(sn0 * elliprf(cn0 * cn0, dn0 * dn0, 1.0))
        u0 = first if cn0 >= 0.0 else copysign(2.0 * self.K, sn0) - first
        GK = self.K - self.rho / 3.0 * float(elliprj(0.0, self.m1, 1.0, self.rho))

        u = np.concatenate(([u0], self.lam * t + u0))
        N = np.rint(u / (2.0 * self.K))
        r = np.clip(u - 2.0 * self.K * N, -self.K, self.K)
        sn, cn, dn = _jacobi(r, self.m1)
        Gr = r - self.rho / 3.0 * sn**3 * elliprj(cn * cn, dn * dn, 1.0, cn * cn + self.rho * sn * sn)
        phase = self.Cq * (2.0 * N * GK + Gr) - self.side * (N * pi + np.arctan2(sqrt(self.rho) * sn, cn))
        chi = self.L_norm * self.J[1] * t + phase[1:] - phase[0]
        sign = np.where(np.fmod(N[1:], 2.0) == 0.0, 1.0, -1.0)
        L = np.stack((sign * Aa * cn[1:], sign * self.side * Ab * sn[1:], Ac * dn[1:]), axis=1)
        return L, chi

    def _separatrix(self, t: Array) -> tuple[Array, Array]:
        Aa, Ab, Ac = self.amplitudes
        half = (
            -1.0 if self.L_start[0] < 0.0 else 1.0
        )  # the other half of the curve is this one turned about c
        sn0, cn0 = half * self.side * self.L_start[1] / Ab, half * self.L_start[0] / Aa
        u0 = asinh(sn0 / cn0)
        u = np.concatenate(([u0], self.lam * t + u0))
        decay = np.exp(-np.minimum(np.abs(u), 300.0))  # 300: its square does not underflow
        sn, cn = np.tanh(u), 2.0 * decay / (1.0 + decay * decay)
        rest = sqrt(self.rho - 1.0)
        Gr = np.arctan(rest * sn) / rest
        phase = self.Cq * Gr - self.side * np.arctan2(sqrt(self.rho) * sn, cn)
        chi = self.L_norm * self.J[1] * t + phase[1:] - phase[0]
        sn, cn = sn[1:], cn[1:]
        return np.stack((half * Aa * cn, half * self.side * Ab * sn, Ac * cn), axis=1), chi


def _upright(direction: Array) -> Array:
    """S: quaternions (N, 4) from directions (N, 3) of L in the order a, b, c: (1 + Lhat.c, Lhat x c) normalised."""
    a, b, c = direction.T
    q = np.stack((1.0 + c, b, -a, np.zeros_like(a)), axis=1)
    return np.asarray(q / np.linalg.norm(q, axis=1, keepdims=True))


def _about_c(angle: Array) -> Array:
    q = np.zeros((len(angle), 4))
    q[:, 0], q[:, 3] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return q


def _conjugate(q: Array) -> Array:
    return np.asarray(q * np.array([1.0, -1.0, -1.0, -1.0]))


def _agm(a: float, b: float) -> float:
    """The arithmetic-geometric mean of two positive numbers."""
    while abs(a - b) > 1e-8 * a:  # the next step squares this
        a, b = 0.5 * (a + b), sqrt(a * b)
    return 0.5 * (a + b)


def _jacobi(u: Array, m1: float) -> tuple[Array, Array, Array]:
    """sn, cn, dn (N,) of |u| <= K for the complementary parameter m1 = 1 - m in (0, 1] (R. Bulirsch, 1965)."""
    a, emc, levels = 1.0, m1, []
    c = 1.0
    for _ in range(60):
        emc_root = sqrt(emc)
        levels.append((a, emc_root))
        c = 0.5 * (a + emc_root)
        if abs(a - emc_root) <= 1e-8 * a:
            break
        emc = emc_root * a
        a = c
    small = np.abs(u) < 1e-9  # there sn u = u, cn u = dn u = 1 to round-off
    angle = np.where(small, 1.0, u) * c
    sine = np.sin(angle)
    ratio = np.cos(angle) / sine
    cot = c * ratio
    dn = np.ones_like(u)
    for a, root in reversed(levels):
        ratio = cot * ratio
        cot = dn * cot
        dn = (root + ratio) / (a + ratio)
        ratio = cot / a
    sn = np.copysign(1.0 / np.sqrt(cot * cot + 1.0), sine)
    cn = cot * sn
    return np.where(small, u, sn), np.where(small, 1.0, cn), np.where(small, 1.0, dn)

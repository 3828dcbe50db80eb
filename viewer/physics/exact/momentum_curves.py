"""Jacobi's functions, and the closed curves of L in the body of many torque-free motions at a time, in scaled units.

The motions must not be steady. Names as in the literature: sn, cn, dn are Jacobi's functions of u, which grows evenly
with time, and K is a quarter of their period. Integrals and functions are computed by iterations that square their
error.
"""

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen

Array = NDArray[np.float64]

NEAR = 1e-8  # relative; the next step squares this
SMALL_ARGUMENT = 1e-9  # u below which sn u = u, cn u = dn u = 1 to round-off
Means = tuple[list[tuple[Any, Any]], Any]
Numbers = NDArray[np.intp]
SEPARATRIX = 1e-120  # 1 - m below which the period is longer than any time that matters


def means(m1: Any) -> Means:
    """Return the steps to the arithmetic-geometric mean of 1 and sqrt(m1), and that mean, which is pi/(2K).

    `m1` is a number or an array (N,).
    """
    a: Any = 1.0
    b, steps = np.sqrt(m1), []
    while True:
        steps.append((a, b))
        mean = 0.5 * (a + b)
        if not np.any(abs(a - b) > NEAR * a):
            return steps, mean
        a, b = mean, np.sqrt(a * b)


def cel(kc: float, p: float, a: float, b: float) -> float:
    """Return Bulirsch's complete integral (R. Bulirsch, 1969), for kc, p > 0.

    It is the integral of (a cos^2 + b sin^2)/((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)) from 0 to pi/2.
    """
    p = sqrt(p)
    b /= p
    e, m = kc, 1.0
    while True:
        f, g = a, e / p
        a += b / p
        b = 2.0 * (b + f * g)
        p += g
        g = m
        m += kc
        if abs(g - kc) <= NEAR * g:
            return 0.5 * pi * (b + a * m) / (m * (m + p))
        kc = 2.0 * sqrt(e)
        e = kc * m


def jacobi(u: Array, steps: Means) -> tuple[Array, Array, Array]:
    """Return sn, cn, dn (N,) of |u| <= K (R. Bulirsch, 1965).

    `steps` are the `means` of the complementary parameter m1 = 1 - m in (0, 1].
    """
    levels, c = steps
    small = np.abs(u) < SMALL_ARGUMENT
    angle = np.where(small, 1.0, u) * c
    sine = np.sin(angle)
    ratio = np.cos(angle) / sine
    cot = c * ratio
    dn = np.ones_like(u)
    for a, b in reversed(levels):
        ratio = cot * ratio
        cot = dn * cot
        dn = (b + ratio) / (a + ratio)
        ratio = cot / a
    sn = np.copysign(1.0 / np.sqrt(cot * cot + 1.0), sine)
    cn = cot * sn
    return np.where(small, u, sn), np.where(small, 1.0, cn), np.where(small, 1.0, dn)


@frozen
class MomentumCurves:
    """The constants of P motions, as arrays (P,).

    Vectors (P, 3) are in the order a, b, c of the axes: c is the axis that L circles, b the middle axis. The signs
    make L_c >= 0 and the axes a right-handed frame.
    """

    axes: Numbers
    signs: Array
    moments: Array
    rates: Array  # omega, signed
    momenta: Array  # L, signed
    amplitudes: Array
    side: Array  # sign of J_b - J_c
    lam: Array  # du/dt
    nu: Array  # dab/dbc
    m1: Array
    K: Array  # infinite on the separatrix
    means: Means  # of m1 (P, 1)

    @classmethod
    def of(cls, moments: Array, omega: Array, excess: Array | None = None) -> "MomentumCurves":
        """Return the constants of the motions with these moments and this omega, (P, 3) along the body axes.

        `excess` (P,) is |L|^2 - 2 E I2. Give it if you know it better than it can be computed here: near the
        separatrix, its round-off decides how long the period is.
        """
        order = np.argsort(moments, axis=1, kind="stable")
        each = np.arange(len(moments))[:, None]
        I1, I2, I3 = moments[each, order].T
        if excess is None:
            w1, _, w3 = omega[each, order].T
            excess = w3 * w3 * I3 * (I3 - I2) - w1 * w1 * I1 * (I2 - I1)
        around_three = (I2 != I3) & ((I1 == I2) | (excess >= 0.0))
        axes = np.where(around_three[:, None], order, order[:, ::-1])
        handed = np.where((axes[:, 1] - axes[:, 0]) % 3 == 1, 1.0, -1.0)
        moments, omega = moments[each, axes], omega[each, axes]
        upright = np.where(omega[:, 2] < 0.0, -1.0, 1.0)
        signs = np.stack((np.ones_like(upright), upright * handed, upright), axis=1)
        rates = signs * omega
        momenta = moments * rates
        (Ia, Ib, Ic), (La, Lb, Lc) = moments.T, momenta.T
        dab, dbc, dac = (Ib - Ia) / (Ia * Ib), (Ic - Ib) / (Ib * Ic), (Ic - Ia) / (Ia * Ic)
        dc = La * La * dac + Lb * Lb * dbc  # 2E - J_i |L|^2 for the three axes
        da = -(Lb * Lb * dab + Lc * Lc * dac)
        db = -excess / I2
        m1 = dac * -db / (-da * dbc)
        periodic = m1 >= SEPARATRIX
        steps = means(np.where(periodic, m1, 1.0)[:, None])
        return cls(
            axes=axes, signs=signs, moments=moments, rates=rates, momenta=momenta,
            amplitudes=np.sqrt(np.stack((dc / dac, dc / dbc, -da / dac), axis=1)), side=np.copysign(1.0, dbc),
            lam=np.sqrt(np.abs(da * dbc)), nu=dab / dbc, m1=m1, means=steps,
            K=np.where(periodic, pi / (2.0 * steps[1][:, 0]), np.inf),
        )  # fmt: skip

    def start(self) -> Array:
        """Return u (P,) at the angular velocities given to `of`."""
        (La, Lb, _), (Aa, Ab, _) = self.momenta.T, self.amplitudes.T
        return argument(La / Aa, self.side * Lb / Ab, self.m1, self.K)

    def omega(self, u: Array) -> Array:
        """Return omega (P, 3, N), along the body axes, at u (P, N)."""
        period = 2.0 * self.K[:, None]
        halves = np.round(u / period)
        sn, cn, dn = jacobi(u - halves * period, self.means)
        sign = np.where(np.fmod(halves, 2.0) == 0.0, 1.0, -1.0)
        found, sizes = np.empty((len(u), 3, u.shape[1])), self.signs * self.amplitudes / self.moments
        by_curve = np.stack((sign * cn, sign * sn * self.side[:, None], dn), axis=1) * sizes[:, :, None]
        found[np.arange(len(u))[:, None], self.axes] = by_curve
        return found


def argument(x: Array, y: Array, m1: Array | float, K: Array | float) -> Array:
    """Return u (N,) in -2K..2K such that (cn u, sn u) has the direction of (x, y)."""
    from scipy.special import elliprf  # here: scipy takes .15 s to import

    angle = np.arctan2(y, x)
    sn, cn = np.sin(angle), np.cos(angle)
    quarter = sn * elliprf(cn * cn, cn * cn + m1 * sn * sn, 1.0)
    return np.asarray(np.where(cn >= 0.0, quarter, np.copysign(2.0 * K, sn) - quarter))

"""The closed curves of L in the body, of many torque-free motions at a time, in scaled units.

They stand for motions that are not steady. Names as in the literature: sn, cn, dn are Jacobi's functions of u, which
grows evenly in time, K the quarter of their period.
"""

from math import pi

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.exact.special import Means, jacobi, means

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]

SEPARATRIX = 1e-120  # 1 - m below which the period is longer than any time that matters


@frozen
class MomentumCurves:
    """Constants (P,) of P motions. Vectors (P, 3) in the order a, b, c of the axes: c is the one that L circulates, b
    the middle one; signs bring L_c to >= 0 and the axes to a right-handed frame."""

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
        """Moments and omega (P, 3) by the body's axes. excess (P,): |L|^2 - 2 E I2, where it is known better than it is
        computed here; next to the separatrix its round-off is what makes the period long or longer."""
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
        """u (P,) at the rates that they are made of."""
        (La, Lb, _), (Aa, Ab, _) = self.momenta.T, self.amplitudes.T
        return argument(La / Aa, self.side * Lb / Ab, self.m1, self.K)

    def omega(self, u: Array) -> Array:
        """omega (P, 3, N), by the body's axes, at u (P, N)."""
        period = 2.0 * self.K[:, None]
        halves = np.round(u / period)
        sn, cn, dn = jacobi(u - halves * period, self.means)
        sign = np.where(np.fmod(halves, 2.0) == 0.0, 1.0, -1.0)
        found, sizes = np.empty((len(u), 3, u.shape[1])), self.signs * self.amplitudes / self.moments
        by_curve = np.stack((sign * cn, sign * sn * self.side[:, None], dn), axis=1) * sizes[:, :, None]
        found[np.arange(len(u))[:, None], self.axes] = by_curve
        return found


def argument(x: Array, y: Array, m1: Array | float, K: Array | float) -> Array:
    """u (N,) in -2K..2K at points in the direction of x = cn u, y = sn u."""
    from scipy.special import elliprf  # here: scipy takes .15 s to import

    angle = np.arctan2(y, x)
    sn, cn = np.sin(angle), np.cos(angle)
    quarter = sn * elliprf(cn * cn, cn * cn + m1 * sn * sn, 1.0)
    return np.asarray(np.where(cn >= 0.0, quarter, np.copysign(2.0 * K, sn) - quarter))

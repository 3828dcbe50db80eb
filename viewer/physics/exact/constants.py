"""The constants of the closed form to twice the digits of a double, computed once for each motion with mpmath.

Such a number is an unevaluated sum of two doubles (hi, lo). A phase that runs over many periods needs its 32 digits.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.common.frozen import frozen

Array = NDArray[np.float64]
Pair = tuple[float, float]

SPLITTER = 134217729.0  # 2^27 + 1
DIGITS = 75  # products of four doubles are exact
Three = tuple[float, float, float]


def pair(value: Any) -> Pair:
    """Return an mpmath number rounded to a sum of two doubles (hi, lo)."""
    high = float(value)
    return high, float(value - high)


def finite_times(t: ArrayLike) -> Array:
    """Return one time or times (N,) [s] as an array; raises ValueError if they are anything else, or not finite."""
    times = np.asarray(t, dtype=np.float64)
    if times.ndim > 1 or not np.isfinite(times).all():
        raise ValueError(f"t: {t!r} is not allowed; it must be one finite time or a list of them")
    return times


def _split(a: Any) -> tuple[Any, Any]:
    """Return a number as the sum of two numbers of 26 bits (Veltkamp)."""
    c = SPLITTER * a
    high = c - (c - a)
    return high, a - high


def product(a: Array, b: float) -> tuple[Array, Array]:
    """Return p and e with p + e = a b, exactly (Dekker), however large `a` is."""
    mantissa, exponent = np.frexp(a)
    p = mantissa * b
    (ah, al), (bh, bl) = _split(mantissa), _split(b)
    e = ((ah * bh - p) + ah * bl + al * bh) + al * bl
    return np.ldexp(p, exponent), np.ldexp(e, exponent)


def added(a: Array, b: Array | float) -> tuple[Array, Array]:
    """Return s and e with s + e = a + b, exactly (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def cycles(t: Array, rate: Pair, start: Pair) -> tuple[tuple[Array, Array], Array, Array]:
    """Return rate t + start as a whole number N + n and a remainder hi + lo: ((N, n), hi, lo).

    |hi + lo| <= 1/2. One double would not hold the digits of N + n. `rate` must be of order one; the remainder is then
    accurate to 1e-31 of rate t.
    """
    p, e = product(t, rate[0])
    whole = np.rint(p)
    high, low = added(p - whole, start[0])
    high, more = added(high, e)
    low = low + more + (t * rate[1] + start[1])
    high, low = added(high, low)
    turn = np.rint(high)
    high, low = added(high - turn, low)
    return added(whole, turn), high, low


@frozen
class PeriodicConstants:
    """The constants of a motion whose L_b is periodic; names as in `exact.elliptic`.

    Rates are per scaled second, angles in turns of 4 pi.
    """

    amplitudes: Three
    nu: float  # rho - 1 = dab/dbc
    m: float
    m1: float
    Cq: float
    double_K: Pair  # half a period of sn
    half_periods: Pair  # lam/(2K), half periods per second
    start: Pair  # u0/(2K)
    turning: Pair  # |L| J_b/(4 pi)
    advance: Pair  # of chi in half a period, in addition to |L| J_b t: (2 Cq GK - side pi)/(4 pi)
    chi_minus_start: Pair  # minus what chi would be at u0


def periodic(moments: Three, omega: Three, side: float) -> PeriodicConstants:
    """Return the constants, the pairs to twice the digits of a double.

    `moments` and `omega` are along the axes a, b, c of `exact.elliptic`, with signs that make the frame right-handed
    and omega_c >= 0. `side` is the sign of J_b - J_c.
    """
    from mpmath import mp

    with mp.workdps(DIGITS):
        return _periodic(mp, moments, omega, side)


def periodic_in_doubles(moments: Three, omega: Three, side: float, m1: float) -> PeriodicConstants:
    """Return the constants of `periodic` to the digits of a double, in a twentieth of the time.

    `m1` is the best known value of that constant.
    """
    return _periodic(_Doubles, moments, omega, side, m1)


class _Doubles:
    """The functions of mpmath that `_periodic` needs, for plain doubles."""

    mpf, pi = float, math.pi
    sqrt, atan2 = staticmethod(math.sqrt), staticmethod(math.atan2)

    @staticmethod
    def agm(a: float, b: float) -> float:
        while abs(a - b) > 1e-8 * a:  # the last step squares it
            a, b = 0.5 * (a + b), math.sqrt(a * b)
        return 0.5 * (a + b)

    @staticmethod
    def elliprf(x: float, y: float, z: float) -> float:
        from scipy.special import elliprf  # here: scipy takes .15 s to import

        return float(elliprf(x, y, z))

    @staticmethod
    def elliprj(x: float, y: float, z: float, p: float) -> float:
        from scipy.special import elliprj

        return float(elliprj(x, y, z, p))


def _periodic(n: Any, moments: Three, omega: Three, side: float, m1: Any = None) -> PeriodicConstants:
    """Return the constants of `periodic`, computed with the functions of `n`: mpmath's context, or `_Doubles`."""
    Ia, Ib, Ic = (n.mpf(value) for value in moments)
    La, Lb, Lc = (n.mpf(moment) * n.mpf(rate) for moment, rate in zip(moments, omega, strict=True))
    dab, dbc, dac = (Ib - Ia) / (Ia * Ib), (Ic - Ib) / (Ib * Ic), (Ic - Ia) / (Ia * Ic)
    dc = La * La * dac + Lb * Lb * dbc
    da = -(Lb * Lb * dab + Lc * Lc * dac)
    lam, rho = n.sqrt(abs(da * dbc)), dac / dbc
    m1 = dac * (La * La * dab - Lc * Lc * dbc) / (da * dbc) if m1 is None else m1
    size = n.sqrt(La * La + Lb * Lb + Lc * Lc)
    amplitudes = (n.sqrt(dc / dac), n.sqrt(dc / dbc), n.sqrt(-da / dac))
    K = n.pi / (2 * n.agm(1, n.sqrt(m1)))
    Cq = size * dab / lam
    sn, cn, dn = side * Lb / amplitudes[1], La / amplitudes[0], Lc / amplitudes[2]
    first = sn * n.elliprf(cn * cn, dn * dn, 1)
    half, r, s = n.mpf(0), first, sn  # u0 = 2K half + r, s = sn r
    if cn < 0:
        half, r, s = n.mpf(1 if sn >= 0 else -1), -first, -sn
    GK = K - rho / 3 * n.elliprj(0, m1, 1, rho) if dab else K
    Gr = r - rho / 3 * s**3 * n.elliprj(cn * cn, dn * dn, 1, cn * cn + rho * s * s) if dab else r
    local = n.atan2(n.sqrt(rho) * s, abs(cn))
    advance = 2 * Cq * GK - side * n.pi
    chi_start = half * advance + Cq * Gr - side * local
    turning = size / Ib
    return PeriodicConstants(
        amplitudes=(float(amplitudes[0]), float(amplitudes[1]), float(amplitudes[2])),
        nu=float(dab / dbc),
        m=float(1 - m1),
        m1=float(m1),
        Cq=float(Cq),
        double_K=pair(2 * K),
        half_periods=pair(lam / (2 * K)),
        start=pair(half + r / (2 * K)),
        turning=pair(turning / (4 * n.pi)),
        advance=pair(advance / (4 * n.pi)),
        chi_minus_start=pair(-chi_start / (4 * n.pi)),
    )


def steady_rate(moments: Three, omega: Three) -> tuple[Pair, Pair]:
    """Return |omega|/(4 pi), the rate of a steady spin, and |L| J_b/(4 pi), the rate on the separatrix.

    `moments` and `omega` are along a, b, c.
    """
    from mpmath import mp

    with mp.workdps(DIGITS):
        rates = [mp.mpf(value) for value in omega]
        momenta = [mp.mpf(moment) * rate for moment, rate in zip(moments, rates, strict=True)]
        speed, size = (mp.sqrt(sum(part * part for part in vector)) for vector in (rates, momenta))
        return pair(speed / (4 * mp.pi)), pair(size / mp.mpf(moments[1]) / (4 * mp.pi))

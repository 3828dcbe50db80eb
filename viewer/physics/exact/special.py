"""Jacobi's functions and complete elliptic integrals, by steps that square their error."""

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NEAR = 1e-8  # relative; the next step squares this
SMALL = 1e-9  # u below which sn u = u, cn u = dn u = 1 to round-off
Means = tuple[list[tuple[Any, Any]], Any]


def means(m1: Any) -> Means:
    """The steps to the arithmetic-geometric mean of 1 and sqrt(m1), and that mean, pi/(2K); m1 a number or (N,)."""
    a: Any = 1.0
    b, steps = np.sqrt(m1), []
    while True:
        steps.append((a, b))
        mean = 0.5 * (a + b)
        if not np.any(abs(a - b) > NEAR * a):
            return steps, mean
        a, b = mean, np.sqrt(a * b)


def cel(kc: float, p: float, a: float, b: float) -> float:
    """Bulirsch's complete integral of (a cos^2 + b sin^2)/((cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2)), 0 to pi/2, for
    kc, p > 0 (R. Bulirsch, 1969)."""
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
    """sn, cn, dn (N,) of |u| <= K by the `means` of the complementary parameter m1 = 1 - m in (0, 1] (R. Bulirsch,
    1965)."""
    levels, c = steps
    small = np.abs(u) < SMALL
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

"""Numbers as unevaluated sums of two doubles (hi, lo), some 32 digits: for a phase that runs over many periods."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pair = tuple[float, float]

SPLITTER = 134217729.0  # 2^27 + 1


def pair(value: Any) -> Pair:
    """An mpmath number, rounded to hi + lo."""
    high = float(value)
    return high, float(value - high)


def _split(a: Any) -> tuple[Any, Any]:
    """a as the sum of two numbers of 26 bits (Veltkamp)."""
    c = SPLITTER * a
    high = c - (c - a)
    return high, a - high


def product(a: Array, b: float) -> tuple[Array, Array]:
    """a b = p + e, exactly (Dekker); the size of `a` does not matter."""
    mantissa, exponent = np.frexp(a)
    p = mantissa * b
    (ah, al), (bh, bl) = _split(mantissa), _split(b)
    e = ((ah * bh - p) + ah * bl + al * bh) + al * bl
    return np.ldexp(p, exponent), np.ldexp(e, exponent)


def added(a: Array, b: Array | float) -> tuple[Array, Array]:
    """a + b = s + e, exactly (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def cycles(t: Array, rate: Pair, start: Pair) -> tuple[tuple[Array, Array], Array, Array]:
    """rate t + start as a whole number, N + n where it has more digits than one double, and the rest,
    |hi + lo| <= 1/2: ((N, n), hi, lo).

    `rate` of order one; the rest is good to 1e-31 of rate t.
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

"""What a spin does in the body: the axis that L circles, how far L strays from it, and L at another energy.

Angular momenta are (3,) in the body frame, moments (3,) in the same order. Ranks 0, 1, 2 stand for the axes of the
smallest, the middle and the largest moment.
"""

from math import asin, sqrt

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.solids.inertia import EQUAL

Array = NDArray[np.float64]

ALIKE = 1e-12  # relative; inverse moments closer than this are the same to round-off
STEADY = 1e-6  # rad: L that strays less than this from an axis counts as lying along it
TUMBLING = np.radians(75.0)  # L that strays further comes near the middle axis, where it dwells and flips
ACROSS = np.radians(89.9)  # L that strays further from the axis of symmetry counts as perpendicular to it
ASIDE = 1e-3  # of |L|: the value given to a component that is 0 and has to grow
ROUNDS = 120  # halvings of an interval
VANISHED = 80.0  # exp(-80) of a component leaves nothing of it


@frozen
class Circulation:
    """The torque-free motion of L in the body.

    Attributes
    ----------
    axis
        The body axis 0, 1 or 2 around which L goes; None if every axis is a principal axis or nothing turns.
    rank
        The rank of that axis' moment.
    sign
        The sign of the component of L along that axis.
    stray
        The largest angle between L and that axis [rad].
    symmetric
        Whether two moments are equal.
    """

    axis: int | None
    rank: int
    sign: int
    stray: float
    symmetric: bool = False

    @property
    def steady(self) -> bool:
        """Whether L does not move in the body."""
        return self.stray < STEADY

    @property
    def stable(self) -> bool:
        """Whether a small disturbance changes the motion only a little."""
        return self.rank != 1 and self.stray < TUMBLING

    @property
    def flips(self) -> bool:
        """Whether L comes near the middle axis again and again, now on one side of the body, now on the other."""
        return not (self.axis is None or self.steady or self.stable or self.symmetric)

    @property
    def wobbles(self) -> bool:
        """Whether the axis that L circles goes round L at an angle other than 0° and 90°, without flips."""
        moving = self.axis is not None and not self.steady and not self.flips
        return moving and not (self.symmetric and self.stray > ACROSS)


def circulation(moments: Array, momentum: Array) -> Circulation:
    """Return how L goes round in the body; it is computed from differences that lose no digits."""
    low, middle, high = (int(i) for i in np.argsort(moments, kind="stable"))
    square = float(momentum @ momentum)
    largest = float(moments[high])
    if square == 0.0 or largest - moments[low] <= EQUAL * largest:
        return Circulation(None, 2, 1, 0.0, True)
    below, above = _gap(moments, low, middle), _gap(moments, middle, high)
    symmetric = below == 0.0 or above == 0.0
    inward, outward = float(momentum[low]) ** 2 * below, float(momentum[high]) ** 2 * above
    if inward == outward == 0.0:  # exactly along the middle axis; with two equal moments, across the third
        axis = max(range(3), key=lambda i: abs(momentum[i]))
        rank = (0 if below == 0.0 else 2) if symmetric else 1
        return Circulation(axis, rank, _sign(momentum[axis]), 0.0, symmetric)
    axis, pole, gap = (high, 2, above) if outward >= inward else (low, 0, below)
    others = [i for i in (low, middle, high) if i != axis]
    off = sum(float(momentum[i]) ** 2 * _gap(moments, *sorted((i, axis), key=lambda k: moments[k])) for i in others)
    return Circulation(axis, pole, _sign(momentum[axis]), asin(sqrt(min(1.0, off / (gap * square)))), symmetric)


def separatrix_energy(moments: Array, momentum: Array) -> float:
    """Return |L|²/(2 I_middle) [J], the energy of the steady spin about the middle axis with this |L|."""
    return float(momentum @ momentum) / (2.0 * float(np.sort(moments)[1]))


def at_energy(moments: Array, momentum: Array, energy: float) -> Array:
    """Return the L of the same length that has this energy [J], limited to what |L| allows.

    L is moved along the gradient of the energy: L_i ~ L_i exp(-t/I_i). No component changes its sign, so that the way
    back leads to the same L. Only at the ends of the path, which are spins about an axis, are other components 0. A
    component that is 0 and has to grow becomes positive.
    """
    inverse = 1.0 / np.asarray(moments, dtype=np.float64)
    size = sqrt(float(momentum @ momentum))
    if size == 0.0:
        return np.array(momentum, dtype=np.float64)
    aim = 2.0 * energy / size**2  # L.J L/|L|^2, between the least and the largest J
    for end, beyond in ((inverse.min(), aim <= inverse.min()), (inverse.max(), aim >= inverse.max())):
        if beyond:
            return _at_end(inverse, momentum, end) * size
    unit = _spread(inverse, momentum / size)
    gaps = np.diff(np.sort(inverse))

    def moved(t: float) -> Array:
        grown = -(inverse - inverse[0]) * t
        weights = unit * np.exp(grown - np.max(grown[unit != 0.0]))
        return np.asarray(weights / sqrt(float(weights @ weights)))

    high = (VANISHED - np.log(ASIDE)) / float(gaps[gaps > ALIKE * inverse.max()].min())
    low = -high
    for _ in range(ROUNDS):
        t = 0.5 * (low + high)
        at = moved(t)
        # 2E/|L|^2 - aim, without the cancellation that 2E/|L|^2 would bring
        low, high = (t, high) if float(at * at @ (inverse - aim)) > 0.0 else (low, t)
    return moved(0.5 * (low + high)) * size


def _at_end(inverse: Array, momentum: Array, end: float) -> Array:
    """Return the unit vector of a spin about the axis whose inverse moment is `end`.

    If two axes have that moment, the spin keeps its direction in their plane.
    """
    there = np.abs(inverse - end) <= ALIKE * end
    kept = np.where(there, momentum, 0.0)
    if not kept.any():
        kept[int(np.argmax(there))] = 1.0
    return np.asarray(kept / sqrt(float(kept @ kept)))


def _spread(inverse: Array, unit: Array) -> Array:
    """Return the vector `unit` with ASIDE along the axis of the least or largest inverse moment if it is 0 there."""
    filled = np.array(unit, dtype=np.float64)
    for end in (inverse.min(), inverse.max()):
        there = np.abs(inverse - end) <= ALIKE * end
        if not filled[there].any():
            filled[int(np.argmax(there))] = ASIDE
    return filled


def _gap(moments: Array, small: int, large: int) -> float:
    """Return J_small - J_large = (I_large - I_small)/(I_large I_small), 0 where the two are equal."""
    a, b = float(moments[small]), float(moments[large])
    return (b - a) / (a * b) if b - a > EQUAL * float(moments.max()) else 0.0


def _sign(value: float) -> int:
    return -1 if value < 0.0 else 1

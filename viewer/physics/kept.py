"""What the weight alone keeps of a body about a pivot: E + V, L along the vertical, and L along the axis of a top."""

from __future__ import annotations

from functools import cached_property
from math import hypot, inf, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.frozen import frozen
from viewer.physics.body import RigidBody
from viewer.physics.kernels.quaternion import Four, Three, exp, product, to_body
from viewer.physics.loads import Loads
from viewer.physics.state import State, States, angular_momentum_body, angular_momentum_world, rotational_energy

Array = NDArray[np.float64]

UPWARD = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)  # the slopes of L along the vertical
TRIES = 12  # steps towards the nearest state that has the right values
CLOSE = 2e-15  # an error below which a state has them
SINGULAR = 1e-8  # of the slopes: a top that precesses steadily has the least energy, which then has no slope left
LARGEST_TURN = 0.3  # rad a step


class KeptErrors(NamedTuple):
    """The errors of what the weight keeps, (N,) each or numbers.

    `energy` is that of E + V, over the largest E that E + V allows. `vertical` and `axial` are those of L along the
    vertical and along the axis of a symmetric top, over the largest |L| at that energy; `axial` is None for others.
    """

    energy: Array
    vertical: Array
    axial: Array | None

    @property
    def momentum(self) -> Array:
        """The larger of the errors of the two components of L."""
        if self.axial is None:
            return self.vertical
        return np.where(np.abs(self.axial) > np.abs(self.vertical), self.axial, self.vertical)


@frozen
class Kept:
    """The values that the weight alone keeps, since the loads last changed.

    Attributes
    ----------
    body, loads
        The body, and the loads as they act on it.
    energy
        E + V [J], with V = 0 where the centre of mass is as high as the pivot.
    vertical
        L along the vertical [kg m2/s].
    axial
        L along the axis of a symmetric top [kg m2/s]; None for other bodies.
    """

    body: RigidBody
    loads: Loads
    energy: float
    vertical: float
    axial: float | None

    @classmethod
    def of(cls, body: RigidBody, loads: Loads, state: State) -> Kept | None:
        """Return what is kept from a state on; None if the weight does not act alone, or there is no pivot."""
        if not loads.only_weight:
            return None
        energy, vertical, axial = kept_values(body, loads, state)
        return cls(body, loads, float(energy), float(vertical), None if axial is None else float(axial))

    @cached_property
    def largest_energy(self) -> float:
        """The largest E [J] that E + V allows: that of a body that hangs."""
        return max(self.energy + self.loads.weight * hypot(*self.loads.centre_of_mass), 0.0)

    @cached_property
    def largest_momentum(self) -> float:
        """The largest |L| [kg m2/s] that this energy allows."""
        return sqrt(2.0 * self.largest_energy * float(self.body.principal_moments.max()))

    @cached_property
    def _inverse(self) -> list[float]:
        return self.body.inverse_moments.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _axis(self) -> list[float]:
        """The axis of a symmetric top, in the body."""
        return np.eye(3)[self.body.top_axis or 0].tolist()  # type: ignore[no-any-return]

    def errors(self, states: State | States) -> KeptErrors:
        """Return the errors of a state or of N states; all are 0 for a body that hangs at rest."""
        energy, vertical, axial = kept_values(self.body, self.loads, states)
        E, L = self.largest_energy or inf, self.largest_momentum or inf
        off = None if axial is None or self.axial is None else np.asarray((axial - self.axial) / L)
        return KeptErrors(np.asarray((energy - self.energy) / E), np.asarray((vertical - self.vertical) / L), off)

    def nearest(self, q: Four, L: Three) -> tuple[Four, Three]:
        """Return the orientation and L in space nearest to the given ones that have these values.

        The distance is that of the turn [rad] and of L over the largest |L|, taken together. Each step leads to the
        nearest state in which the values, taken as linear, are right; it is halved until the errors shrink. If no state
        has the values, as an error may make it for a steady precession, the result is one that errs less.
        """
        if not self.largest_energy:
            return q, L
        size, (off, slopes) = self.largest_momentum, self._off(q, L)
        for _ in range(TRIES):
            error = hypot(*off)
            if error <= CLOSE:
                break
            step = np.linalg.lstsq(slopes, off, SINGULAR)[0].tolist()
            part = min(1.0, LARGEST_TURN / hypot(*step))
            for _ in range(TRIES):
                x, y, z, a, b, c = (-part * value for value in step)
                turned = product(*exp(x, y, z), *q)
                moved = L[0] + size * a, L[1] + size * b, L[2] + size * c
                left, further = self._off(turned, moved)
                if hypot(*left) < error:
                    break
                part *= 0.5
            else:
                break
            q, L, off, slopes = turned, moved, left, further
        return q, L

    def _off(self, q: Four, L: Three) -> tuple[list[float], list[tuple[float, ...]]]:
        """Return the two or three errors of a state, and their slopes along a turn in space and along L, 6 each."""
        E, size, weight = self.largest_energy, self.largest_momentum, self.loads.weight
        (w, x, y, z), (lx, ly, lz), (i, j, k) = q, L, self._inverse
        bx, by, bz = to_body(w, x, y, z, lx, ly, lz)
        ox, oy, oz = to_body(w, -x, -y, -z, i * bx, j * by, k * bz)  # omega in space
        ax, ay, az = to_body(w, -x, -y, -z, *self.loads.centre_of_mass)
        energy = 0.5 * (i * bx * bx + j * by * by + k * bz * bz) + weight * az - self.energy
        turned = oy * lz - oz * ly + weight * ay, oz * lx - ox * lz - weight * ax, ox * ly - oy * lx
        off = [energy / E, (lz - self.vertical) / size]
        slopes = [(*(value / E for value in turned), *(value * size / E for value in (ox, oy, oz))), UPWARD]
        if self.axial is not None:
            nx, ny, nz = to_body(w, -x, -y, -z, *self._axis)
            off.append((nx * lx + ny * ly + nz * lz - self.axial) / size)
            across = (ny * lz - nz * ly) / size, (nz * lx - nx * lz) / size, (nx * ly - ny * lx) / size
            slopes.append((*across, nx, ny, nz))
        return off, slopes


def kept_values(body: RigidBody, loads: Loads, states: State | States) -> tuple[Array, Array, Array | None]:
    """Return E + V, L along the vertical, and L along the axis of a symmetric top or None."""
    energy = rotational_energy(body, states) + loads.potential_energy(states.orientation_wxyz, np.zeros(3))
    vertical, axis = angular_momentum_world(body, states)[..., 2], body.top_axis
    return energy, vertical, None if axis is None else angular_momentum_body(body, states)[..., axis]

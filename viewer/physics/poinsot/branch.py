"""One closed branch of a polhode by an angle around its axis, its arc length, and marks at equal lengths along it.

With the axes a, b across and c along the one that the polhode goes around, and L̂ the direction of L in the body:
L̂_a = A cos θ, L̂_b = B sin θ, L̂_c² = C² cos² θ + m sin² θ solve both quadrics. Every quarter of it is a mirror image of
the first.
What rolls without slipping goes as far on the polhode as on the herpolhode, for d omega/dt is the same in space and in
the body: as a tooth of a wheel does, each mark on the one leaves a mark on the other.
"""

from functools import cached_property
from math import pi, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

CELLS = 48  # of a quarter, into which its arc length is parted: geometrically finer towards where it may have a corner
CORNER = 1e-12  # rad: the finest that a corner is resolved
NEWTON = 8  # steps to the angle of an arc length
# Gauss and Legendre's, of eight points, to the last digit: numpy's own cost every start its package of polynomials
NODES = np.array([0.1834346424956498, 0.525532409916329, 0.7966664774136267, 0.9602898564975363])
WEIGHTS = np.array([0.362683783378362, 0.31370664587788727, 0.22238103445337448, 0.10122853629037626])
NODES, WEIGHTS = np.append(-NODES[::-1], NODES), np.append(WEIGHTS[::-1], WEIGHTS)


class Branch:
    """`J`: inverse moments (3,). `axes`: (axis that it goes around, axes of the least, middle and largest J).

    `ratio`: 2E/L². `sign`: of the component of omega along the axis that it goes around.
    """

    def __init__(self, J: Array, axes: tuple[int, int, int, int], ratio: float, L_norm: float, sign: float) -> None:
        around, low, middle, high = axes
        a, b, c = (high, middle, low) if around == low else (low, middle, high)
        self._axes, self._scale, self._side = (a, b, c), J * L_norm, float(np.copysign(1.0, sign))
        self.is_point = bool(J[a] == J[c])  # a sphere
        fraction = 0.0 if self.is_point else min(max((ratio - J[c]) / (J[a] - J[c]), 0.0), 1.0)
        self._A = sqrt(fraction)
        self._B = sqrt(min((ratio - J[c]) / (J[b] - J[c]), 1.0)) if fraction > 0.0 else 0.0
        self._C = sqrt(1.0 - fraction)
        self._m = 1.0 if self.is_point else min(max((J[b] - ratio) / (J[b] - J[c]), 0.0), 1.0)  # L̂_c² where L̂_a = 0

    def at(self, angle: Array) -> Array:
        """omega in the body, (N, 3) [rad/s], at angles (N,)."""
        cosine, sine = np.cos(angle), np.sin(angle)
        a, b, c = self._axes
        curve = np.empty((len(angle), 3))
        curve[:, a] = self._A * cosine
        curve[:, b] = self._B * sine
        curve[:, c] = self._side * np.sqrt(self._C**2 * cosine * cosine + self._m * sine * sine)
        return np.asarray(self._scale * curve)

    def tangent(self, angle: Array) -> Array:
        """Its derivative by the angle, (N, 3)."""
        cosine, sine = np.cos(angle), np.sin(angle)
        a, b, c = self._axes
        along = np.sqrt(self._C**2 * cosine * cosine + self._m * sine * sine)
        slope = np.empty((len(angle), 3))
        slope[:, a] = -self._A * sine
        slope[:, b] = self._B * cosine
        slope[:, c] = self._side * sine * cosine * (self._m - self._C**2) / np.maximum(along, 1e-300)
        return np.asarray(self._scale * slope)

    def angle_of(self, omega_body: Array) -> Array:
        """The angles, (N,), 0 to 2 pi, of the omegas (N, 3); of what lies beside it, of where it is nearest or so."""
        a, b, _ = self._axes
        across = omega_body / self._scale
        return np.asarray(np.arctan2(across[:, b] * self._A, across[:, a] * self._B) % (2.0 * pi))

    @cached_property
    def length(self) -> float:
        """Of all of it [rad/s]."""
        return 4.0 * float(self._quarter[1][-1])

    def angle_at(self, length: Array) -> Array:
        """Return the angles, (N,), 0 to 2 pi, up to which the arc length is that, (N,) [rad/s]."""
        quarter = 0.25 * self.length
        halves, fold = np.divmod(length, 2.0 * quarter)
        first = fold <= quarter
        wanted = np.where(first, fold, 2.0 * quarter - fold)
        ends, lengths = self._quarter
        angle = np.interp(wanted, lengths, ends)
        for _ in range(NEWTON):
            speed = np.linalg.norm(self.tangent(angle), axis=1)
            angle = np.clip(angle - (self._within_quarter(angle) - wanted) / np.maximum(speed, 1e-300), 0.0, 0.5 * pi)
        return np.asarray(pi * halves + np.where(first, angle, pi - angle))

    @cached_property
    def _quarter(self) -> tuple[Array, Array]:
        """The ends of CELLS + 1 cells of the first quarter, and the arc length up to each."""
        corner = sqrt(self._m) / self._C if self._C > 0.0 else 1.0  # rad: how blunt it is where L̂_a = 0
        before = np.geomspace(0.5 * pi, 0.25 * min(max(corner, CORNER), 1.0), CELLS)
        ends = 0.5 * pi - np.append(before, 0.0)
        return ends, np.append(0.0, np.cumsum(self._integral(ends[:-1], ends[1:])))

    def _integral(self, start: Array, end: Array) -> Array:
        """Return the arc length from angles (N,) to angles (N,) of the same cell."""
        half = 0.5 * (end - start)
        angles = start + half + half * NODES[:, None]
        speeds = np.linalg.norm(self.tangent(angles.ravel()), axis=1).reshape(angles.shape)
        return np.asarray(half * (WEIGHTS @ speeds))

    def _within_quarter(self, angle: Array) -> Array:
        ends, lengths = self._quarter
        cell = np.clip(np.searchsorted(ends, angle, side="right") - 1, 0, CELLS - 1)
        return np.asarray(lengths[cell] + self._integral(ends[cell], angle))


class RollingMarks:
    """`count` marks on a branch, `spacing` [rad/s] of arc length apart.

    `points`: (count, 3), omega in the body [rad/s]. `normals`: (count, 3), unit vectors of L there, upright on the
    ellipsoid. `sides`: (count, 3), unit vectors across the polhode, in the plane. `radial`, `around`: (count,), their
    components away from L and around it: the same in space, whatever the body's orientation.
    """

    def __init__(self, branch: Branch, principal_moments: ArrayLike, count: int) -> None:
        self.count, self.spacing, self._branch = count, branch.length / count, branch
        angles = branch.angle_at(np.arange(count, dtype=np.float64) * self.spacing)
        self._knots = np.append(angles, 2.0 * np.pi)
        self.points, along = branch.at(angles), branch.tangent(angles)
        self.normals = _units(self.points * np.asarray(principal_moments))
        self.sides = _units(np.cross(self.normals, along))
        away = _units(self.points - np.sum(self.points * self.normals, axis=1, keepdims=True) * self.normals)
        self.radial = np.sum(self.sides * away, axis=1)
        self.around = np.sum(self.sides * np.cross(self.normals, away), axis=1)

    def passed(self, omega_body: Array) -> Array:
        """Return how many marks beyond the vertex omegas (N, 3) in the body are: (N,), 0 to `count`; whole on marks."""
        return np.asarray(np.interp(self._branch.angle_of(omega_body), self._knots, np.arange(self.count + 1.0)))


def _units(vectors: Array) -> Array:
    """(N, 3), those of no length as they are."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300))

"""Marks at equal arc lengths on the polhode, as teeth on a wheel: where it rolls, each leaves one on the herpolhode.

What rolls without slipping goes as far on one curve as on the other: d omega/dt is the same in space and in the body.
Counted from the polhode's vertex, the marks stay where they are, whenever one looks.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from viewer.physics.poinsot.branch import Branch

Array = NDArray[np.float64]


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
        """How many marks beyond the vertex omegas (N, 3) in the body are: (N,), 0 to `count`; whole on marks."""
        return np.asarray(np.interp(self._branch.angle_of(omega_body), self._knots, np.arange(self.count + 1.0)))


def _units(vectors: Array) -> Array:
    """(N, 3), those of no length as they are."""
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300))

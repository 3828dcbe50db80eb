"""Mass properties of what triangles enclose, and of the surface that they are: exact for flat faces.

The integrals over a tetrahedron and a triangle of products of coordinates: e.g. J. Blow and A. J. Binstock, "How to
find the inertia tensor of a 3D solid body" (2004).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class MassProperties(NamedTuple):
    """`mass` [kg], `centre` (3,) [m] and `tensor` (3, 3) [kg m2] about the centre, along the axes of some frame.

    The off-diagonal elements of a tensor are -integral x y dm and so on, as everywhere here.
    """

    mass: float
    centre: Array
    tensor: Array

    def times(self, factor: float) -> "MassProperties":
        """The same solid, so many times as dense."""
        return MassProperties(self.mass * factor, self.centre, self.tensor * factor)

    def scaled(self, factor: float) -> "MassProperties":
        """The same mass in a solid so many times as large."""
        return MassProperties(self.mass, self.centre * factor, self.tensor * factor**2)

    def moved(self, rotation: Array, position: Array) -> "MassProperties":
        """The same solid, turned about its frame's origin by `rotation` (3, 3), then moved by `position` (3,)."""
        tensor = rotation @ self.tensor @ rotation.T
        return MassProperties(self.mass, rotation @ self.centre + position, 0.5 * (tensor + tensor.T))

    @classmethod
    def total(cls, parts: "list[MassProperties]") -> "MassProperties":
        """The sum by parallel axes; masses below zero are holes. The sum of the masses must not be zero."""
        mass = sum(part.mass for part in parts)
        centre = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
        tensor = sum((part.tensor + part.mass * _steiner(part.centre - centre) for part in parts), np.zeros((3, 3)))
        return cls(mass, centre, tensor)


def enclosed(vertices: Array, faces: NDArray[np.integer]) -> MassProperties:
    """Of the solid of density 1 that the faces enclose, counter-clockwise seen from outside.

    `vertices` (V, 3), `faces` (F, 3). Space that is enclosed n times counts n times, inside out -1 times. The mass may
    thus be zero or less; then the centre is the middle of the vertices.
    """
    origin = _middle(vertices)  # near the solid, so that nothing cancels
    corners = (vertices - origin)[faces]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0  # of the tetrahedra from the origin
    return _collected(origin, volumes, corners, corners.sum(axis=1), 4, 20.0)


def surface(vertices: Array, faces: NDArray[np.integer]) -> MassProperties:
    """Of a sheet of 1 kg/m2 along the faces; arguments as of `enclosed`."""
    origin = _middle(vertices)
    corners = (vertices - origin)[faces]
    areas = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    return _collected(origin, areas, corners, corners.sum(axis=1), 3, 12.0)


def _collected(origin: Array, sizes: Array, corners: Array, sums: Array, count: int, divisor: float) -> MassProperties:
    """The integrals over simplices of these sizes, each with `count` corners of which one may be the origin."""
    size = float(np.sum(sizes))
    first = sizes @ sums / count
    each = np.einsum("i,ikm,ikn->mn", sizes, corners, corners, optimize=True)
    second = (each + np.einsum("i,im,in->mn", sizes, sums, sums, optimize=True)) / divisor
    middle = first / size if size else np.zeros(3)
    second = second - size * np.outer(middle, middle)
    return MassProperties(size, origin + middle, np.asarray(np.trace(second) * np.eye(3) - second))


def _middle(vertices: Array) -> Array:
    return np.asarray(0.5 * (vertices.min(axis=0) + vertices.max(axis=0)))


def _steiner(offset: Array) -> Array:
    """The tensor of 1 kg at a distance (3,) from the point of reference."""
    return np.asarray(float(offset @ offset) * np.eye(3) - np.outer(offset, offset))

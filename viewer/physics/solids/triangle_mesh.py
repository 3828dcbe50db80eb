"""A surface of triangles, the connected parts of a graph, and the surfaces of simple solids."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Cut(NamedTuple):
    """A part of a composite body with holes, as a solid of unit size.

    Its own coordinates are `unit_from_body` @ p + `shift`. In them it is the box or the ellipsoid of half extents 1,
    the cylinder of radius 1 from z = -1 to 1, or the cone of radius 1 from z = 0 to 1.
    """

    kind: str
    unit_from_body: NDArray[np.float64]
    shift: NDArray[np.float64]
    hole: bool


@dataclass(frozen=True, eq=False)
class TriangleMesh:
    """A surface of triangles; an optional field is None, or empty, if the mesh has no such thing.

    Attributes
    ----------
    vertices
        The vertices (V, 3) [m].
    faces
        The faces (F, 3), as rows of `vertices`, counter-clockwise seen from outside.
    vertex_colors
        The colours (V, 3) of the vertices: sRGB, 0..255.
    uv
        The coordinates (V, 2) of the vertices in the texture.
    texture
        The texture (H, W, 3): sRGB; its first row has v = 1.
    parts
        The number (F,) of the part of a composite body that each face belongs to.
    cuts
        Those parts as solids, if there are holes among them.
    """

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    vertex_colors: NDArray[np.uint8] | None = None
    uv: NDArray[np.float64] | None = None
    texture: NDArray[np.uint8] | None = None
    parts: NDArray[np.int32] | None = None
    cuts: tuple[Cut, ...] = ()

    def moved(self, centre: NDArray[np.float64], axes: NDArray[np.float64]) -> "TriangleMesh":
        """Return the mesh in the frame with this centre (3,), whose axes are the columns of `axes` (3, 3)."""
        cuts = tuple(
            cut._replace(unit_from_body=cut.unit_from_body @ axes, shift=cut.shift + cut.unit_from_body @ centre)
            for cut in self.cuts
        )
        return replace(self, vertices=(self.vertices - centre) @ axes, cuts=cuts)

    @cached_property
    def outer_squares(self) -> NDArray[np.float64]:
        """The squares x², y², z² (N, 3) of those vertices that may be farthest from the origin.

        Every sum a x² + b y² + c z² with a, b, c >= 0 is largest at one of them. Vertices that another vertex exceeds
        along all three axes are left out.
        """
        used = np.zeros(len(self.vertices), dtype=bool)
        used[self.faces] = True
        squares = np.ascontiguousarray(self.vertices[used].T) ** 2
        least = np.linspace(0.0, 1.0, 9)
        for weights in ((a, b, 1.0 - a - b) for a in least for b in least if a + b <= 1.0):
            x, y, z = largest = squares[:, np.argmax(weights @ squares)]
            lower = (squares[0] <= x) & (squares[1] <= y) & (squares[2] <= z)
            squares = np.concatenate([squares[:, ~lower], largest[:, None]], axis=1)
        return np.ascontiguousarray(squares.T)

    @cached_property
    def reach(self) -> NDArray[np.float64]:
        """The reach from the origin along the axes, (3,) [m]."""
        return np.asarray(np.sqrt(np.max(self.outer_squares, axis=0)))

    @cached_property
    def radius(self) -> float:
        """The reach from the origin [m]."""
        return float(np.sqrt(np.max(np.sum(self.outer_squares, axis=1))))


def connected(count: int, one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each of `count` things the number of the connected part to which it belongs.

    The things `one` (P,) and `other` (P,) are connected in pairs. Parts are numbered from 0 in the order of their first
    things. SciPy can do this as well, but takes long to import.
    """
    root = np.arange(count)  # the first thing that each is known to be connected with
    while len(one):
        low, high = np.sort((root[one], root[other]), axis=0)
        apart = low != high
        one, other = low[apart], high[apart]
        np.minimum.at(root, other, one)
        while not np.array_equal(root, first := root[root]):
            root = first
    return np.asarray(np.unique(root, return_inverse=True)[1], dtype=np.int64)


Array = NDArray[np.float64]

AROUND = 64  # facets around an axis
ALONG = 32  # of half a circle from pole to pole


def box(width: float, depth: float, height: float) -> TriangleMesh:
    """Return a box with these full extents in metres along x, y, z."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    return TriangleMesh(corners * (width, depth, height), np.array(faces, dtype=np.int32))


def ellipsoid(width: float, depth: float, height: float) -> TriangleMesh:
    """Return an ellipsoid with these full axes in metres along x, y, z."""
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, ALONG + 1)
    ball = revolved(0.5 * np.column_stack([np.cos(angles), np.sin(angles)]))
    return TriangleMesh(ball.vertices * (width, depth, height), ball.faces)


def cylinder(radius: float, height: float) -> TriangleMesh:
    """Return a cylinder about z with its middle at the origin; lengths are in metres."""
    return revolved(np.array([[0.0, -0.5], [radius, -0.5], [radius, 0.5], [0.0, 0.5]]) * (1.0, height))


def cone(radius: float, height: float) -> TriangleMesh:
    """Return a cone about z with its base at z = 0; lengths are in metres."""
    return revolved(np.array([[0.0, 0.0], [radius, 0.0], [0.0, height]]))


def ring(radius: float, thickness: float) -> TriangleMesh:
    """Return a torus about z; `radius` is that of its middle line, `thickness` the diameter of its section [m]."""
    angles = np.linspace(0.0, 2.0 * np.pi, ALONG + 1)
    section = 0.5 * thickness * np.column_stack([np.cos(angles), np.sin(angles)])
    return revolved(section + np.array([radius, 0.0]))


def revolved(profile: Array) -> TriangleMesh:
    """Return the surface that a line of points (r, z), (P, 2), sweeps out about z, the outside on the line's right.

    Points with r = 0 are poles. If the last point is the first, the surface is a ring.
    """
    angles = np.arange(AROUND) * (2.0 * np.pi / AROUND)
    closed = bool(np.allclose(profile[0], profile[-1]))
    rows = profile[:-1] if closed else profile
    vertices, starts, sizes = [], [], list[int]()
    for radius, height in rows.tolist():
        pole = radius <= 1e-12
        turn = np.zeros(1) if pole else angles
        starts.append(sum(sizes))
        sizes.append(len(turn))
        vertices.append(np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.full(len(turn), height)]))
    faces = []
    around = np.arange(AROUND)
    after = (around + 1) % AROUND
    for low in range(len(rows) if closed else len(rows) - 1):
        high = (low + 1) % len(rows)
        a, b = starts[low] + around % sizes[low], starts[low] + after % sizes[low]
        c, d = starts[high] + around % sizes[high], starts[high] + after % sizes[high]
        if sizes[low] > 1:
            faces.append(np.column_stack([a, b, d if sizes[high] > 1 else c]))
        if sizes[high] > 1:
            faces.append(np.column_stack([a, d, c]))
    return TriangleMesh(np.concatenate(vertices), np.concatenate(faces).astype(np.int32))

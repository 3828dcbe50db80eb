"""Triangles of simple solids, for drawing: fine enough that no facet is seen at the size of a part."""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh

Array = NDArray[np.float64]

AROUND = 64  # facets around an axis
ALONG = 32  # of half a circle from pole to pole


def box(width: float, depth: float, height: float) -> TriangleMesh:
    """Full extents in metres along x, y, z."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    return TriangleMesh(corners * (width, depth, height), np.array(faces, dtype=np.int32))


def ellipsoid(width: float, depth: float, height: float) -> TriangleMesh:
    """Full axes in metres along x, y, z."""
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, ALONG + 1)
    ball = revolved(0.5 * np.column_stack([np.cos(angles), np.sin(angles)]))
    return TriangleMesh(ball.vertices * (width, depth, height), ball.faces)


def cylinder(radius: float, height: float) -> TriangleMesh:
    """About z, its middle at the origin; metres."""
    return revolved(np.array([[0.0, -0.5], [radius, -0.5], [radius, 0.5], [0.0, 0.5]]) * (1.0, height))


def cone(radius: float, height: float) -> TriangleMesh:
    """About z, its base at z = 0; metres."""
    return revolved(np.array([[0.0, 0.0], [radius, 0.0], [0.0, height]]))


def ring(radius: float, thickness: float) -> TriangleMesh:
    """A torus about z: the radius of its middle line, and the diameter of its section; metres."""
    angles = np.linspace(0.0, 2.0 * np.pi, ALONG + 1)
    section = 0.5 * thickness * np.column_stack([np.cos(angles), np.sin(angles)])
    return revolved(section + np.array([radius, 0.0]))


def revolved(profile: Array) -> TriangleMesh:
    """What a line of points (r, z), (P, 2), sweeps out about z; it runs so that the outside is on its right.

    Points with r = 0 are poles; a last point like the first closes a ring.
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

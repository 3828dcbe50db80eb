"""Vertex arrays for the renderer: triangles as (N, 3) float32, three rows each, anticlockwise seen from outside."""

from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Triangles = NDArray[np.float32]


def cube() -> Triangles:
    """Return the cube [-1, 1]^3."""
    faces: list[NDArray[np.float64]] = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = np.roll(np.eye(3), axis, axis=1)[1:]
            n = np.roll(np.eye(3), axis, axis=1)[0]
            corners = [side * n + a * u + b * v for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            order = (0, 1, 2, 0, 2, 3) if side > 0 else (0, 2, 1, 0, 3, 2)
            faces.extend(corners[i] for i in order)
    return np.array(faces, dtype=np.float32)


@cache
def sphere_hull() -> Triangles:
    """Return a polyhedron of 80 faces around the unit sphere, with room for a soft edge."""
    golden = 0.5 * (1.0 + 5.0**0.5)
    points = np.array([[-1, golden, 0], [1, golden, 0], [-1, -golden, 0], [1, -golden, 0]])
    points = np.concatenate([np.roll(points, shift, axis=1) for shift in range(3)])
    points /= np.linalg.norm(points[0])
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    joined = apart < 1.01 * apart[0, 1:].min()
    faces = []
    for i, j, k in combinations(range(12), 3):
        if joined[i, j] and joined[j, k] and joined[i, k]:
            a, b, c = points[[i, j, k]]
            faces.append((a, b, c) if np.dot(np.cross(b - a, c - a), a) > 0 else (a, c, b))
    split = []
    for a, b, c in faces:
        ab, bc, ca = (m / np.linalg.norm(m) for m in (a + b, b + c, c + a))
        split += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    hull = np.array(split)
    normals = np.cross(hull[:, 1] - hull[:, 0], hull[:, 2] - hull[:, 0])
    inner = np.min(np.sum(normals * hull[:, 0], axis=1) / np.linalg.norm(normals, axis=1))
    return np.asarray(hull.reshape(-1, 3) * (1.03 / inner), dtype=np.float32)


def box_edges() -> NDArray[np.float32]:
    """Return the 12 edges of the cube [-1, 1]^3, (12, 4, 3): start, end, and the normals of both faces."""
    edges = []
    for axis in range(3):
        for a in (-1.0, 1.0):
            for b in (-1.0, 1.0):
                rows = ([-1.0, a, b], [1.0, a, b], [0.0, a, 0.0], [0.0, 0.0, b])
                edges.append([np.roll(row, axis) for row in rows])
    return np.array(edges, dtype=np.float32)

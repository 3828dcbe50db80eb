"""Surfaces of triangles for tests, made from formulas."""

import numpy as np

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.render import meshes


def box(half_extents: np.ndarray) -> TriangleMesh:
    """Twelve triangles that share no vertex, as in an STL file."""
    corners = meshes.cube().astype(np.float64) * half_extents
    return TriangleMesh(corners, np.arange(36, dtype=np.int32).reshape(-1, 3))


def ellipsoid(half_extents: np.ndarray, rows: int) -> TriangleMesh:
    """`rows` rows of 2 `rows` pairs of triangles about z; the poles are one vertex each."""
    around = 2 * rows
    polar, azimuth = np.meshgrid(
        np.linspace(0.0, np.pi, rows + 1)[1:-1], 2 * np.pi * np.arange(around) / around, indexing="ij"
    )
    ring = np.stack([np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)], axis=-1)
    vertices = np.concatenate([ring.reshape(-1, 3), [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]]) * half_extents
    i, j = np.meshgrid(np.arange(rows - 2), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    c, d = a + around, b + around
    sides = np.concatenate([np.stack([a, c, d], -1).reshape(-1, 3), np.stack([a, d, b], -1).reshape(-1, 3)])
    j = np.arange(around)
    top, last = len(vertices) - 2, (rows - 2) * around
    caps = [
        np.stack([np.full(around, top), j, (j + 1) % around], axis=1),
        np.stack([np.full(around, top + 1), last + (j + 1) % around, last + j], axis=1),
    ]
    return TriangleMesh(vertices, np.concatenate([sides, *caps]).astype(np.int32))


def torus(radius: float, tube: float, around: int = 48, across: int = 24) -> TriangleMesh:
    """About z."""
    u, v = np.meshgrid(2 * np.pi * np.arange(around) / around, 2 * np.pi * np.arange(across) / across, indexing="ij")
    away = radius + tube * np.cos(v)
    vertices = np.stack([away * np.cos(u), away * np.sin(u), tube * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = i * across + j, (i + 1) % around * across + j
    c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return TriangleMesh(vertices, faces.astype(np.int32))


def wing_nut() -> TriangleMesh:
    """A cylinder about z with two wings along x: parts that lie in one another."""
    n = 40
    around = 2 * np.pi * np.arange(n) / n
    rim = 0.035 * np.stack([np.cos(around), np.sin(around)], axis=1)
    low, high = np.c_[rim, np.full(n, -0.03)], np.c_[rim, np.full(n, 0.03)]
    hub = np.concatenate([low, high, [[0.0, 0.0, -0.03], [0.0, 0.0, 0.03]]])
    i, j = np.arange(n), (np.arange(n) + 1) % n
    faces = [
        np.stack([i, j, n + j], axis=1), np.stack([i, n + j, n + i], axis=1),
        np.stack([np.full(n, 2 * n), j, i], axis=1), np.stack([np.full(n, 2 * n + 1), n + i, n + j], axis=1),
    ]  # fmt: skip
    vertices = [hub]
    wing = box(np.array([0.03, 0.007, 0.025]))
    for side in (-1.0, 1.0):
        c, s = np.cos(0.5), side * np.sin(0.5)
        turn = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
        faces.append(wing.faces + sum(map(len, vertices)))
        vertices.append(wing.vertices @ turn.T + [side * 0.055, 0.0, 0.025])
    points = np.concatenate(vertices)
    return TriangleMesh(points - [0.0, 0.0, 0.01], np.concatenate(faces).astype(np.int32))

"""Surfaces of triangles with a normal for each corner: of solids, and of tubes along curves."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import linear_from_srgb
from viewer.common.frozen import frozen
from viewer.physics.solids.triangle_mesh import TriangleMesh, box, cylinder, ellipsoid
from viewer.render.mesh_surface import CREASE
from viewer.scene.constructions.solids import SolidSize

Array = NDArray[np.float64]

SIDES = 8  # of a tube
SIMPLE: dict[str, Callable[[float, float, float], TriangleMesh]] = {
    "box": box,
    "ellipsoid": ellipsoid,
    "cylinder": lambda width, _depth, height: cylinder(0.5 * width, height),
}


@frozen
class Surface:
    """Triangles: points and normals (N, 3), and their indices (F, 3); linear colours (N, 3) and places in a texture."""

    points: Array
    normals: Array
    corners: NDArray[np.int64]
    colors: Array | None = None
    uv: Array | None = None


def surface(mesh: TriangleMesh) -> Surface:
    """Return a mesh with a normal for each corner, smooth across edges at which its faces turn by less than CREASE."""
    from scipy.sparse import csr_array

    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    kept = areas > 1e-12 * float(areas.max(initial=0.0))
    faces, normals = mesh.faces[kept], normals[kept] / areas[kept, None]
    _, place = np.unique(mesh.vertices, axis=0, return_inverse=True)
    at, of = place.ravel()[faces].ravel(), np.repeat(np.arange(len(faces)), 3)
    size = (len(at), int(at.max()) + 1)
    corner_at = csr_array((np.ones(len(at)), (np.arange(len(at)), at)), shape=size)
    face_at = csr_array((_angles(mesh.vertices[faces]).ravel(), (at, of)), shape=(size[1], len(faces)))
    pairs = (corner_at @ face_at).tocoo()  # a corner, a face at the same place, and that face's angle there
    smooth = np.sum(normals[of[pairs.row]] * normals[pairs.col], axis=1) > math.cos(CREASE)
    weights = csr_array((pairs.data[smooth], (pairs.row[smooth], pairs.col[smooth])), shape=(len(at), len(faces)))
    own = weights @ normals
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    vertex = faces.ravel()
    rows = np.column_stack([vertex, own.astype(np.float32)])
    _, first, index = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    vertex, own = vertex[first], own[first]
    colors = None if mesh.vertex_colors is None else linear_from_srgb(mesh.vertex_colors[vertex] / 255.0)
    uv = None if mesh.uv is None else mesh.uv[vertex] * (1.0, -1.0) + (0.0, 1.0)
    return Surface(mesh.vertices[vertex], own, index.reshape(-1, 3), colors, uv)


def _angles(corners: Array) -> Array:
    """Return the angles (F, 3) [rad] of triangles (F, 3, 3) at their corners."""
    ahead, back = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    cross, dot = np.linalg.norm(np.cross(ahead, back), axis=2), np.sum(ahead * back, axis=2)
    return np.asarray(np.arctan2(cross, dot))


def tube(points: Array, radius: float, closed: bool) -> Surface:
    """Return a tube about a line through points (N, 3), the first of which is not repeated if it is closed."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    points = points[np.append(True, steps > 1e-3 * radius)]
    after = np.roll(points, -1, axis=0) if closed else np.vstack([points[1:], 2.0 * points[-1] - points[-2]])
    before = np.roll(points, 1, axis=0) if closed else np.vstack([2.0 * points[0] - points[1], points[:-1]])
    along = after - before
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    side = np.empty_like(points)
    side[0] = np.cross(along[0], np.eye(3)[np.argmin(np.abs(along[0]))])
    for n in range(1, len(points)):  # carried along, so that the tube is not twisted
        side[n] = side[n - 1] - (side[n - 1] @ along[n]) * along[n]
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    other = np.cross(along, side)
    angles = 2.0 * math.pi * np.arange(SIDES) / SIDES
    normals = np.cos(angles)[:, None] * side[:, None] + np.sin(angles)[:, None] * other[:, None]
    rings = np.arange(len(points) if closed else len(points) - 1)
    shift = 0
    if closed:  # the side comes back turned by some angle: the last ring meets the first where it fits best
        shift = int(np.argmax(normals[0] @ normals[-1][0]))
    a = (SIDES * rings[:, None] + np.arange(SIDES)).ravel()
    b = (SIDES * rings[:, None] + (np.arange(SIDES) + 1) % SIDES).ravel()
    c, d = a + SIDES, b + SIDES
    if closed:
        last = slice(SIDES * (len(points) - 1), None)
        c[last], d[last] = (np.arange(SIDES) + shift) % SIDES, (np.arange(SIDES) + 1 + shift) % SIDES
    corners = np.concatenate([np.column_stack([a, b, d]), np.column_stack([a, d, c])])
    flat = normals.reshape(-1, 3)
    return Surface(np.repeat(points, SIDES, axis=0) + radius * flat, flat, corners)


def solid_surfaces(size: SolidSize) -> list[Surface]:
    """Return the surfaces of a body along its axes."""
    if size.mesh is not None:
        return [surface(size.mesh)]
    if size.kind != "t-handle":
        return [surface(SIMPLE[size.kind](*(2.0 * size.half_extents)))]
    parts = []
    for part, middle, order in size.cylinders():
        bar = SIMPLE["cylinder"](*(2.0 * part.half_extents))
        parts.append(surface(TriangleMesh(bar.vertices @ np.eye(3)[order] + middle, bar.faces)))
    return parts

"""The kinds of solid: how far each kind reaches, where a line meets it, and which points it hides.

Lengths are in metres along the body axes, from the centre of mass.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.scene.camera.camera import smooth_step

Array = NDArray[np.float64]

THINNEST = 1e-6  # of a mesh's longest half extent: it is drawn at least this thick
PARALLEL = 1e-12  # component of a unit vector below which a line counts as parallel to a side
HIDDEN = (0.985, 1.05)  # closeness of the line of sight, 1 on the surface: hidden, in clear view
PAST = np.linspace(-1.8, 1.8, 37)  # samples of a line that passes a solid, in half extents; a box's corner is at 1.73


class SolidSize(NamedTuple):
    """An "ellipsoid", "box", "cylinder" about body z, "t-handle" (crossbar along x, stem along -z) or "mesh".

    `half_extents` is (3,). `bar` is the z at which a T-handle's crossbar crosses the z axis. A mesh has its centre of
    mass at the origin and lies between minus and plus the half extents.
    """

    kind: str
    half_extents: Array
    bar: float = 0.0
    mesh: TriangleMesh | None = None

    @property
    def reach(self) -> Array:
        """How far the solid reaches from the origin along the body axes, (3,), m."""
        if self.kind != "t-handle":
            return self.half_extents
        return np.array([*self.half_extents[:2], max(self._ends)])

    @property
    def radius(self) -> float:
        """How far the solid reaches from its centre of mass, m."""
        return math.sqrt(self.furthest(np.ones(3))) if self.mesh is None else self.mesh.radius

    @property
    def _ends(self) -> tuple[float, float]:
        """How far a T-handle reaches along +z and -z."""
        top = self.bar + float(self.half_extents[1])
        return top, 2.0 * float(self.half_extents[2]) - top

    def furthest(self, factors: Array) -> float:
        """Return the largest sum of `factors` (3,) times p^2 over the points p of the solid; all are positive."""
        if self.mesh is not None:
            return float(np.max(self.mesh.outer_squares @ factors))
        if self.kind == "t-handle":  # the point lies on one of the circles around the ends
            (x, r, _), (_, bottom), (fx, fy, fz) = self.half_extents.tolist(), self._ends, factors.tolist()
            high = 1.0 if fy <= fz else min(1.0, fz * self.bar / (r * (fy - fz)))  # z above the crossbar's axis, over r
            at_bar = fx * x**2 + fy * r**2 * (1.0 - high**2) + fz * (self.bar + high * r) ** 2
            return float(max(at_bar, max(fx, fy) * r**2 + fz * bottom**2))
        reach = factors * self.half_extents**2
        if self.kind == "ellipsoid":
            return float(np.max(reach))
        if self.kind == "cylinder":
            return float(reach[2] + max(reach[0], reach[1]))
        return float(np.sum(reach))

    def cylinders(self) -> list[tuple["SolidSize", Array, list[int]]]:
        """Return a T-handle's crossbar and stem.

        Each is given by a cylinder, the position (3,) of its middle, and the body axes that are the cylinder's x, y, z.
        """
        x, radius, z = self.half_extents.tolist()
        stem = 0.5 * (2.0 * z - radius)  # half its length: it begins on the crossbar's axis
        parts = ((x, self.bar, [1, 2, 0]), (stem, self.bar - stem, [0, 1, 2]))
        return [
            (SolidSize("cylinder", np.array([radius, radius, half])), np.array([0.0, 0.0, middle]), order)
            for half, middle, order in parts
        ]

    def support(self, direction: Array) -> float:
        """Return how far the solid reaches from its middle in a direction, (3,), m."""
        if self.kind == "t-handle":
            return max(
                float(middle @ direction) + part.support(direction[order]) for part, middle, order in self.cylinders()
            )
        if self.mesh is not None:
            return float(np.max(self.mesh.vertices @ direction))
        pull = np.abs(self.half_extents * direction)
        if self.kind == "box":
            return float(np.sum(pull))
        if self.kind == "cylinder":
            return math.hypot(pull[0], pull[1]) + float(pull[2])
        return float(np.linalg.norm(pull))

    def closeness(self, points: Array, eye: Array) -> list[float]:
        """Return how close the lines from (N, 3) points to the eye come to the middle, with the surface at 1.

        A mesh counts as an ellipsoid.
        """
        if self.kind == "t-handle":
            found = [
                part.closeness((points - middle)[:, order], (eye - middle)[order])
                for part, middle, order in self.cylinders()
            ]
            return [min(pair) for pair in zip(*found, strict=True)]
        start, ahead = points / self.half_extents, (eye - points) / self.half_extents
        length = np.linalg.norm(ahead, axis=1, keepdims=True)
        ahead /= length
        along = np.clip(PAST - np.sum(start * ahead, axis=1, keepdims=True), 0.0, length)
        return self._least(start.T[:, :, None] + along * ahead.T[:, :, None])

    def misses(self, points: Array, eye: Array) -> list[float]:
        """Return how close the whole lines from the eye through the points come to the middle, with the surface at 1.

        A mesh or a T-handle counts as an ellipsoid.
        """
        start, through = eye / self.half_extents, (points - eye) / self.half_extents
        ahead = through / np.linalg.norm(through, axis=1, keepdims=True)
        nearest = start - (ahead @ start)[:, None] * ahead
        return self._least(nearest.T[:, :, None] + PAST * ahead.T[:, :, None])

    def _least(self, units: Array) -> list[float]:
        """Return the least distance (N,) of M points from the middle; it and `units` (3, N, M) are in half extents."""
        x, y, z = np.abs(units)
        if self.kind == "box":
            away = np.maximum(np.maximum(x, y), z)
        elif self.kind == "cylinder":
            away = np.maximum(np.hypot(x, y), z)
        else:
            away = np.sqrt(x * x + y * y + z * z)
        nearest: list[float] = np.min(away, axis=1).tolist()
        return nearest

    def visibility(self, points: Array, eye: Array) -> list[float]:
        """Return 1 for each of (N, 3) points that the eye sees past the solid, 0 for one that the solid hides."""
        return [smooth_step(close, *HIDDEN) for close in self.closeness(points, eye)]


def size_of_mesh(mesh: TriangleMesh) -> SolidSize:
    """Return the size of a mesh in the body frame."""
    return SolidSize("mesh", np.maximum(mesh.reach, THINNEST * float(np.max(mesh.reach))), mesh=mesh)


def hit(solid: SolidSize, point: Array, direction: Array) -> float | None:
    """Return how far from `point` a line first meets the solid, m; None if it misses.

    `direction` is a unit vector. The part of the line behind `point` counts, too.
    """
    kind, half_extents, _, mesh = solid
    if mesh is not None:
        if hit(SolidSize("box", half_extents), point, direction) is None:
            return None
        found = first_face(mesh.vertices, mesh.faces, point, direction)
        return None if found is None else found[0]
    if kind == "t-handle":
        hits = [hit(part, (point - middle)[order], direction[order]) for part, middle, order in solid.cylinders()]
        return min((each for each in hits if each is not None), default=None)
    if kind == "box":
        spans = [_slab(*each) for each in zip(point.tolist(), direction.tolist(), half_extents.tolist(), strict=True)]
    elif kind == "cylinder":
        spans = [_ball((point / half_extents)[:2], (direction / half_extents)[:2])]
        spans.append(_slab(float(point[2]), float(direction[2]), float(half_extents[2])))
    else:
        spans = [_ball(point / half_extents, direction / half_extents)]
    first, last = max(span[0] for span in spans), min(span[1] for span in spans)
    return first if first <= last else None


def _slab(point: float, direction: float, half: float) -> tuple[float, float]:
    """Return the distances along a line between which a coordinate lies within -half..half."""
    if abs(direction) < PARALLEL:
        return (-math.inf, math.inf) if abs(point) <= half else (math.inf, -math.inf)
    ends = (-half - point) / direction, (half - point) / direction
    return min(ends), max(ends)


def _ball(point: Array, direction: Array) -> tuple[float, float]:
    """Return the distances along a line between which it lies within 1 of the origin, in the coordinates given."""
    square = float(direction @ direction)
    if square < PARALLEL**2:
        return (-math.inf, math.inf) if float(point @ point) <= 1.0 else (math.inf, -math.inf)
    middle = -float(point @ direction) / square
    nearest = point + middle * direction
    room = (1.0 - float(nearest @ nearest)) / square
    return (middle - math.sqrt(room), middle + math.sqrt(room)) if room >= 0.0 else (math.inf, -math.inf)


def first_face(vertices: Array, faces: NDArray[np.int32], point: Array, direction: Array) -> tuple[float, int] | None:
    """Return how far from `point` a line first meets a triangle, and the triangle's number; None if it misses all.

    `vertices` is (V, 3), `faces` (F, 3) has indices of them, `direction` is a unit vector. The part of the line behind
    `point` counts, too. The line meets a triangle if, seen along it, it passes all three edges on the same side, so
    that no line slips through between two triangles that share an edge.
    """
    across = np.linalg.svd(direction[None])[2][1:]
    x, y = across @ (vertices - point).T
    (xa, xb, xc), (ya, yb, yc) = x[faces.T], y[faces.T]
    a, b, c = xb * yc - xc * yb, xc * ya - xa * yc, xa * yb - xb * ya
    total = a + b + c
    met = ((np.minimum(np.minimum(a, b), c) >= 0.0) | (np.maximum(np.maximum(a, b), c) <= 0.0)) & (total != 0.0)
    if not met.any():
        return None
    depths = (vertices[faces[met]] - point) @ direction
    weights = np.stack([a[met], b[met], c[met]], axis=1) / total[met, None]
    along = np.sum(weights * depths, axis=1)
    first = int(np.argmin(along))
    return float(along[first]), int(np.flatnonzero(met)[first])

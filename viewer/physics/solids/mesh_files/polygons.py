"""Triangles of polygons, concave ones too."""

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

STARTS = 8  # corners of a polygon from which a fan is tried
MOST_CORNERS = 2_000  # of a polygon that no fan fills: the time grows with the square


def triangulated(vertices: Array, corners: Ints, counts: Ints) -> Ints:
    """The triangles (F, 3) of polygons, in their order: n - 2 of one with n corners, wound as it is.

    `vertices` (V, 3); `corners` (C,): rows of them, of one polygon after the other; `counts` (P,): of each, how many,
    three at least. A fan where one fills the polygon, else ears cut off; inside is what its Newell normal says.
    """
    begin, first = np.cumsum(counts) - counts, np.cumsum(counts - 2) - (counts - 2)
    faces = np.empty((int(np.sum(counts - 2)), 3), dtype=np.int64)
    for count in np.unique(counts):
        which = np.flatnonzero(counts == count)
        rows = corners[begin[which][:, None] + np.arange(count)]
        target = first[which][:, None] + np.arange(count - 2)
        if count > 3:
            flat = _flattened(vertices, rows)
            start, filled = _fans(flat)
            for one in np.flatnonzero(~filled):
                faces[target[one]] = rows[one][_ears(flat[one])]
            order = (start[filled, None] + np.arange(count)) % count
            rows, target = np.take_along_axis(rows[filled], order, axis=1), target[filled]
        faces[target, 0] = rows[:, :1]
        faces[target, 1] = rows[:, 1:-1]
        faces[target, 2] = rows[:, 2:]
    return faces


def _flattened(vertices: Array, rows: Ints) -> Array:
    """The corners (P, N, 2) of polygons (P, N), seen along the axis nearest to their Newell normals, which point to
    the eye: coordinates are left out or change their sign, none is rounded."""
    normals = np.zeros((len(rows), 3))
    origin = vertices[rows[:, 0]]
    for one, other in zip(rows.T, np.roll(rows, -1, axis=1).T, strict=True):
        normals += np.cross(vertices[one] - origin, vertices[other] - origin)
    axis = np.argmax(np.abs(normals), axis=1)
    sign = np.sign(normals[np.arange(len(rows)), axis])
    u, v = vertices[rows, (axis[:, None] + 1) % 3], vertices[rows, (axis[:, None] + 2) % 3]
    return np.stack([u * sign[:, None], v], axis=2)


def _fans(flat: Array) -> tuple[Ints, NDArray[np.bool_]]:
    """Of polygons (P, N, 2): the corner that a fan starts at (P,), the first one where it will do; whether it fills
    the polygon (P,): none of its triangles is turned over."""
    count = flat.shape[1]
    start, best = np.zeros(len(flat), dtype=np.int64), np.full(len(flat), -np.inf)
    for corner in range(min(count, STARTS)):
        open_ones = np.flatnonzero(~(best > 0.0))
        sides = np.roll(flat[open_ones], -corner, axis=1)
        sides = sides[:, 1:] - sides[:, :1]
        least = np.min(sides[:, :-1, 0] * sides[:, 1:, 1] - sides[:, :-1, 1] * sides[:, 1:, 0], axis=1)
        better = least > best[open_ones]
        start[open_ones[better]], best[open_ones[better]] = corner, least[better]
    return start, best >= 0.0


def _ears(flat: Array) -> Ints:
    """The triangles (N - 2, 3) of a polygon (N, 2), counter-clockwise.

    A corner is cut off where its triangle holds no other corner; where there is none such, for the polygon crosses
    itself or has no area, any.
    """
    if len(flat) > MOST_CORNERS:
        raise refusal(
            "has a concave face of {count} corners; allowed are at most {most}",
            count=f"{len(flat):,}",
            most=f"{MOST_CORNERS:,}",
        )
    left, at, tried, found = np.arange(len(flat)), 0, 0, []
    while len(left) > 3:
        ear = left[[at - 1, at, (at + 1) % len(left)]]
        if tried < len(left) and not _is_ear(flat[ear], flat[left]):
            at, tried = (at + 1) % len(left), tried + 1
            continue
        found.append(ear)
        left = np.delete(left, at)
        at, tried = (at - 1) % len(left), 0
    return np.array([*found, left])


def _is_ear(ear: Array, others: Array) -> bool:
    """Whether a triangle (3, 2) turns left and holds none of these points (N, 2) but such as are its corners."""
    side = np.roll(ear, -1, axis=0) - ear
    if not side[0, 0] * side[1, 1] - side[0, 1] * side[1, 0] > 0.0:
        return False
    way = others[:, None] - ear  # (N, 3, 2)
    inside = np.all(side[:, 0] * way[:, :, 1] - side[:, 1] * way[:, :, 0] >= 0.0, axis=1)
    return not np.any(inside & np.all(np.any(way != 0.0, axis=2), axis=1))

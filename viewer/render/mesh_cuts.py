"""Holes of a composite body: which parts of its surfaces remain, as in `shaders/include/cuts.glsl`.

A solid part's surface ends where a hole is, and a hole's surface where no solid part is. Where both lie in the same
plane neither remains, so that a hole through a block is open at both ends.
"""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import Cut, TriangleMesh

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

KINDS = ("box", "cylinder", "ellipsoid", "cone")
FACETED = 0.9975  # of a round part's radius: its facets are at least this far out
SAME = 1e-4  # of a half extent: two planes that are closer count as the same
MOST = 64  # parts
PIECES = 32  # of an edge of which only some pieces remain


def of_holes(mesh: TriangleMesh) -> Flags:
    """Return which faces belong to holes, (F,)."""
    holes = np.array([cut.hole for cut in mesh.cuts])
    assert mesh.parts is not None
    return np.asarray(holes[mesh.parts])


def left(points: Array, on_hole: Flags, cuts: tuple[Cut, ...]) -> Flags:
    """Return which points of surfaces, (N, 3) m in the body, remain when the holes are cut.

    A point lies on the surface of a hole if `on_hole`, else on that of a solid part. The rim of a hole in the plane of
    a solid part's face remains, because it is an edge.
    """
    in_solid, in_hole, deep_in_hole = (np.zeros(len(points), dtype=bool) for _ in range(3))
    for cut in cuts:
        unit = points @ cut.unit_from_body.T + cut.shift
        if not cut.hole:
            in_solid |= _inside(cut.kind, unit, 1.0 + SAME, 1.0 + SAME)
        elif cut.kind in KINDS:
            in_hole |= _inside(cut.kind, unit, FACETED, 1.0 + SAME)
            deep_in_hole |= _inside(cut.kind, unit, FACETED, 1.0 - SAME)
    return np.where(on_hole, in_solid & ~deep_in_hole, ~in_hole)


def _inside(kind: str, unit: Array, curved: float, flat: float) -> Flags:
    """Return whether points, (N, 3) in a part's own coordinates, are within these extents of a part of that kind."""
    x, y, z = unit.T
    if kind == "cylinder":
        return np.asarray((np.hypot(x, y) < curved) & (np.abs(z) < flat))
    if kind == "ellipsoid":
        return np.asarray(x * x + y * y + z * z < curved * curved)
    if kind == "cone":
        return np.asarray((np.hypot(x, y) + z < curved) & (1.0 - z < flat))
    return np.asarray(np.max(np.abs(unit), axis=1) < flat)


def edges_left(rows: Array, on_hole: Flags, cuts: tuple[Cut, ...]) -> tuple[Array, NDArray[np.intp]]:
    """Return the pieces that remain of edges (E, 6), from start to end, m, and each one's edge, in rising order."""
    at = (np.arange(PIECES) + 0.5)[:, None, None] / PIECES
    between = rows[:, :3] + at * (rows[:, 3:] - rows[:, :3])
    kept = left(between.reshape(-1, 3), np.tile(on_hole, PIECES), cuts).reshape(PIECES, -1)
    pieces, numbers = [], []
    for number in np.flatnonzero(kept.any(axis=0)):
        start, along = rows[number, :3], rows[number, 3:] - rows[number, :3]
        steps = np.flatnonzero(np.diff(np.concatenate([[False], kept[:, number], [False]]).astype(np.int8)))
        for first, end in steps.reshape(-1, 2) / PIECES:
            pieces.append([*(start + first * along), *(start + end * along)])
            numbers.append(number)
    return np.array(pieces, dtype=np.float64).reshape(-1, 6), np.array(numbers, dtype=np.intp)


def uniforms(cuts: tuple[Cut, ...]) -> dict[str, object]:
    """Return the uniforms of `shaders/include/cuts.glsl`: three rows and the kind of each part, plus 10 for holes."""
    used = [cut for cut in cuts if cut.kind in KINDS]
    rows, kinds = np.zeros((MOST, 3, 4)), np.zeros(MOST)
    for number, cut in enumerate(used):
        rows[number] = np.column_stack([cut.unit_from_body, cut.shift])
        kinds[number] = KINDS.index(cut.kind) + 10 * cut.hole
    return {"cut_rows": rows, "cut_kinds": kinds, "cuts": len(used)}

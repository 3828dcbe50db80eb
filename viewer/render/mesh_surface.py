"""The drawn data of a surface of triangles: corners with their normals, edges, and the places of the axes' marks.

Two triangles that share an edge at which they turn by less than CREASE are one smooth surface; any other edge is sharp.
Vertices at the same place count as one, whatever their colours.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import Cut, TriangleMesh, connected
from viewer.render.mesh_cuts import edges_left, left, of_holes
from viewer.scene.constructions.solids import first_face

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Integers = NDArray[np.int32]

CREASE = math.radians(35.0)
STRAY = 0.3  # of the longest half extent: shorter lines of sharp edges that end on a smooth surface are not sharp
BEND = 0.02  # rad per half extent along the surface: it is flat where it turns by less
NOISE = 5e-8  # of a half extent: the largest error of a vertex
GAP = 0.06  # of the longest half extent: the outline of a round surface is drawn if there is this much depth behind it
NO_FACE = -1
HOLE = 2.0**23  # added to the packed normals of a hole, for mesh.frag
STEPS = 2048  # of a normal's direction: so few that it is exact in a float, with the flag added
MARK_ROOM = 1.5  # of the distance to the next sharp edge
OUTER = 0.1  # of the height: a mark beside the axis lies at most this far in
MARK_DEPTH = 0.5  # of the distance from the centre of mass
NEAR = 0.5  # of the longest half extent: edges farther in than this do not bound a mark
LEAST_ROOM = 0.3  # of the median half extent


class Edges(NamedTuple):
    """The edges of a surface.

    `rows` (E, 7) have start and end in the body, and how much farther away the surface on one side must be for the edge
    to be drawn, m. `faces` (E, 2) are the triangles that meet there, NO_FACE for a missing one.

    The first `sharp` edges are drawn wherever one of their faces is seen, the others only where they are the outline.
    """

    rows: Floats
    faces: Integers
    sharp: int


class MeshSurface(NamedTuple):
    """A mesh as it is drawn; lengths are in units of `half_extents` unless m is given.

    Attributes
    ----------
    vertices, faces
        The points (V, 3), and their indices for each triangle, (F, 3).
    triangles
        The corners (F, 3, 4), each with its normal as `_packed` returns it.
    paint
        The corners' colours or places in the texture, (F, 3, 4), or None.
    planes
        The faces' normals and distances from the origin, (F, 4), m.
    closed
        Whether every edge has two triangles that agree on which side is outside.
    marks
        The places of the marks +x, -x, +y .. -z, and the room of each, (2, 6, 3), m.
    parts
        The number of each face's part, (F,), rising; None if the body is not composite.
    cuts
        As in `TriangleMesh`.
    """

    vertices: Floats
    faces: Integers
    triangles: Floats
    paint: Floats | None
    edges: Edges
    planes: Floats
    closed: bool
    marks: Array
    parts: Integers | None = None
    cuts: tuple[Cut, ...] = ()

    def faces_of(self, part: int | None) -> tuple[float, float]:
        """Return the numbers of a part's first face and of the face after its last, equal if the part has no faces."""
        if part is None or self.parts is None:
            return 0.0, 0.0
        first, end = np.searchsorted(self.parts, (part, part + 1))
        return float(first), float(end)


def mesh_surface(mesh: TriangleMesh, half_extents: Array) -> MeshSurface:
    """Return the surface of a mesh with these half extents (3,) [m] along the body axes."""
    scaled = np.asarray(mesh.vertices / half_extents, dtype=np.float32) + np.float32(0.0)  # no -0
    vertices, merged = _merged(scaled)
    faces = merged[mesh.faces]
    corners = (vertices.astype(np.float64) * half_extents)[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    kept = areas > 1e-12 * float(np.max(areas, initial=0.0))
    faces, corners, normals = faces[kept], corners[kept], normals[kept] / areas[kept, None]
    pairs, links, turns, closed = _edges(faces, normals)
    smooth = turns < CREASE
    ends = (vertices.astype(np.float64) * half_extents)[pairs].reshape(-1, 6)
    lengths = np.linalg.norm(ends[:, 3:] - ends[:, :3], axis=1) / float(np.max(half_extents))
    smooth[~smooth] = _stray(pairs[~smooth], lengths[~smooth]) & (links[~smooth, 1] != NO_FACE)
    order = np.argsort(smooth, kind="stable")
    if mesh.cuts:
        on_hole = of_holes(mesh)[kept]
        ends, of = edges_left(ends[order], on_hole[links[order, 0]], mesh.cuts)
        order = order[of]
    else:
        ends = ends[order]
    rows = np.column_stack([ends, GAP * float(np.max(half_extents)) * smooth[order]]).astype(np.float32)
    edges = Edges(rows, links[order], int(np.count_nonzero(~smooth[order])))
    triangles = np.empty((len(faces), 3, 4), dtype=np.float32)
    triangles[:, :, :3] = vertices[faces]
    own, flat = _corner_normals(faces, corners, normals, pairs[smooth], links[smooth], turns[smooth])
    triangles[:, :, 3] = _packed(own, flat)
    seen = np.ones(len(faces), dtype=bool)
    if mesh.cuts:
        triangles[:, :, 3] += HOLE * on_hole[:, None]
        seen = ~on_hole & left(np.mean(corners, axis=1), on_hole, mesh.cuts)
    distances = np.sum(normals * corners[:, 0], axis=1)
    planes = np.column_stack([normals, distances]).astype(np.float32)
    marks = _marks(corners, areas[kept], normals, half_extents, edges, seen, mesh.cuts)
    parts = None if mesh.parts is None else mesh.parts[kept]
    return MeshSurface(vertices, faces, triangles, _paint(mesh, kept), edges, planes, closed, marks, parts, mesh.cuts)


def _merged(vertices: Floats) -> tuple[Floats, Integers]:
    """Return the distinct points among `vertices` (V, 3), and each vertex's index among the distinct points."""
    rows = np.ascontiguousarray(vertices).view(np.dtype((np.void, 12)))[:, 0]
    _, first, merged = np.unique(rows, return_index=True, return_inverse=True)
    return vertices[first], merged.astype(np.int32)


def _edges(faces: Integers, normals: Array) -> tuple[Integers, Integers, Array, bool]:
    """Return each edge's two vertices (E, 2) and two faces (E, 2), the angle between these (E,), and whether all agree.

    Two faces agree if both have the same side outside. The angle is pi at an edge without two faces that agree.
    """
    starts, ends = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    order = np.lexsort((high, low))
    low, high, upwards, owners = low[order], high[order], (starts < ends)[order], order // 3
    new = np.flatnonzero(np.append(True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])))
    counts = np.diff(np.append(new, len(low)))
    first, second = owners[new], owners[np.minimum(new + 1, len(low) - 1)]
    agree = (counts == 2) & (upwards[new] != upwards[np.minimum(new + 1, len(low) - 1)])
    links = np.column_stack([first, np.where(counts > 1, second, NO_FACE)]).astype(np.int32)
    sines = np.linalg.norm(np.cross(normals[first], normals[second]), axis=1)
    turns = np.arctan2(sines, np.sum(normals[first] * normals[second], axis=1))
    return np.column_stack([low[new], high[new]]), links, np.where(agree, turns, np.pi), bool(np.all(agree))


def _stray(pairs: Integers, lengths: Array) -> NDArray[np.bool_]:
    """Return which edges between two vertices, (E, 2), form connected lines that have an end and are short in all."""
    vertices, numbered = np.unique(pairs, return_inverse=True)
    numbered = numbered.reshape(-1, 2)
    count = len(vertices)
    line = connected(count, numbered[:, 0], numbered[:, 1])
    lines = int(line.max(initial=-1)) + 1
    loose = np.zeros(lines, dtype=bool)
    loose[line[np.bincount(numbered.ravel(), minlength=count) == 1]] = True
    short = np.bincount(line[numbered[:, 0]], lengths, lines) < STRAY
    return np.asarray((loose & short)[line[numbered[:, 0]]])


def _corner_normals(
    faces: Integers, corners: Array, normals: Array, pairs: Integers, links: Integers, turns: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Return the surface's normals at the corners, (F, 3, 3), and whether it is flat all around a corner, (F, 3).

    A normal is the mean of the triangles around the vertex, up to the next sharp edge on both sides, weighted by their
    angles there.
    """
    count = len(faces)
    joined = []  # corners that meet across a smooth edge, as 3 * face + number
    for end in (0, 1):
        vertex = pairs[:, end : end + 1]
        joined.append([3 * face + np.argmax(faces[face] == vertex, axis=1) for face in links.T])
    one, other = (np.concatenate([pair[side] for pair in joined]) for side in (0, 1))
    fan = connected(3 * count, one, other)
    fans = int(fan.max(initial=-1)) + 1
    along = np.roll(corners, -1, axis=1) - corners
    back = np.roll(corners, 1, axis=1) - corners
    angles = np.arctan2(np.linalg.norm(np.cross(along, back), axis=2), np.sum(along * back, axis=2)).ravel()
    sums = np.stack([np.bincount(fan, angles * np.repeat(n, 3), fans) for n in normals.T], axis=1)
    lengths = np.linalg.norm(sums, axis=1)
    means = sums / np.maximum(lengths, 1e-30)[:, None]
    middles = np.mean(corners, axis=1)
    apart = np.linalg.norm(middles[links[:, 0]] - middles[links[:, 1]], axis=1) / float(np.max(np.abs(corners)))
    bent = turns > BEND * apart + NOISE / np.maximum(apart, 1e-12)
    flat = np.ones(fans, dtype=bool)
    flat[fan[np.concatenate([one, other])[np.tile(bent, 4)]]] = False
    own = np.where((lengths > 1e-6)[fan, None], means[fan], np.repeat(normals, 3, axis=0))
    return own.reshape(count, 3, 3), flat[fan].reshape(count, 3)


def _packed(normals: Array, flat: NDArray[np.bool_]) -> Array:
    """Return each normal as one number: its cell of STEPS x STEPS on an unfolded octahedron, plus STEPS² if `flat`."""
    x, y, z = np.moveaxis(normals, -1, 0) / np.sum(np.abs(normals), axis=-1)
    under = np.maximum(-z, 0.0)
    across, up = x + under * np.where(x < 0.0, -1.0, 1.0), y + under * np.where(y < 0.0, -1.0, 1.0)
    steps = [np.round(0.5 * (part + 1.0) * (STEPS - 1)) for part in (across, up)]
    return np.asarray(steps[0] + STEPS * steps[1] + STEPS**2 * flat)


def _paint(mesh: TriangleMesh, kept: NDArray[np.bool_]) -> Floats | None:
    """Return the corners' places in the texture or, without one, their colours, (F, 3, 4); None without both."""
    faces = mesh.faces[kept]
    if mesh.uv is not None and mesh.texture is not None:
        values = mesh.uv[faces]
    elif mesh.vertex_colors is not None:
        values = mesh.vertex_colors[faces] / 255.0
    else:
        return None
    paint = np.zeros((len(faces), 3, 4), dtype=np.float32)
    paint[:, :, : values.shape[2]] = values
    return paint


def _marks(
    corners: Array, areas: Array, normals: Array, half_extents: Array, edges: Edges, seen: NDArray[np.bool_],
    cuts: tuple[Cut, ...],
) -> Array:  # fmt: skip
    """Return the points at which the halves of the body axes leave the surface, and the room around them, (2, 6, 3) m.

    If the axis misses the surface, the mark is in the middle of one of the outermost triangles in that direction. On
    round surfaces the room has the body's proportions: it is longer along an axis on which the body is longer.
    """
    marks = np.zeros((2, 6, 3))
    ends = edges.rows[:, :6].reshape(-1, 2, 3).astype(np.float64)
    bounded, sharp = edges.faces[:, 1] == NO_FACE, np.arange(len(ends)) < edges.sharp
    seen = seen if seen.any() else ~seen
    outer = corners[seen]
    points, faces = outer.reshape(-1, 3), np.arange(3 * len(outer), dtype=np.int32).reshape(-1, 3)
    for number in range(6):
        axis, sign = number // 2, 1.0 - 2.0 * (number % 2)
        others = np.delete(np.arange(3), axis)
        direction = np.zeros(3)
        direction[axis] = -sign
        met = first_face(points, faces, -2.0 * half_extents[axis] * direction, direction)
        place = np.zeros(3) if met is None else (met[0] - 2.0 * half_extents[axis]) * direction
        if met is None or not left(place[None], np.zeros(1, dtype=bool), cuts)[0]:
            place = _outermost(outer, areas[seen], normals[seen], axis, sign)
        inwards = sign * place[axis] - np.maximum(sign * ends[:, 0, axis], sign * ends[:, 1, axis])
        near = inwards < NEAR * float(np.max(half_extents))
        facing = sign * normals[:, axis] > 0.0
        turns_away = bounded | (facing[edges.faces[:, 0]] != facing[edges.faces[:, 1]])
        shape = half_extents[others]
        bounds, outline = ((ends[which] - place)[:, :, others] for which in (near & sharp, near & turns_away & ~sharp))
        to_edge = float(np.min(_away(bounds), initial=np.inf))
        to_outline = float(np.min(_away(outline / shape), initial=np.inf))
        rooms = np.minimum(MARK_ROOM * min(to_edge, float(np.min(shape))), to_outline * shape)
        if not math.isfinite(to_edge):
            rooms = np.minimum(to_outline, 1.0) * shape
        least = LEAST_ROOM * float(np.median(half_extents))
        marks[0, number] = place
        marks[1, number, others] = np.maximum(rooms, least)
        marks[1, number, axis] = max(MARK_DEPTH * abs(place[axis]), float(np.min(rooms)), least)
    return marks


def _outermost(corners: Array, areas: Array, normals: Array, axis: int, sign: float) -> Array:
    """Return the middle (3,) of the largest of the outermost triangles along half an axis that face outwards."""
    a, b, c = corners[:, :, axis].T
    heights = sign * (a + b + c) / 3.0
    outer = heights > np.max(heights) - OUTER * np.ptp(heights)
    best = np.argmax(areas * outer * np.maximum(sign * normals[:, axis], 1e-6))
    return np.asarray(np.mean(corners[best], axis=0))


def _away(ends: Array) -> Array:
    """Return the distances of straight lines in a plane, (E, 2, 2) from end to end, from its origin."""
    start, along = ends[:, 0], ends[:, 1] - ends[:, 0]
    squares = np.sum(along * along, axis=1)
    part = np.clip(-np.sum(start * along, axis=1) / np.where(squares > 0.0, squares, 1.0), 0.0, 1.0)
    return np.asarray(np.linalg.norm(start + part[:, None] * along, axis=1))

"""Finds out whether triangles enclose a solid; a fault is mended if possible, or else described in a line."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, refusal
from viewer.common.language import marked
from viewer.physics.solids.crossings import Crossings, meetings
from viewer.physics.solids.triangle_mesh import connected

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]

SMALLEST = 1e-30  # units of the file: the least longest extent, for which no product of a few lengths is 0
MERGED = 1e-7  # of the longest extent: vertices closer than that are one; files of float32 are no better
PROBES = 1000  # the most points at which it is tested which side of the surface is inside
TURNED = marked("faces turned over, so that all face outward: {count}")
TWICE = marked("faces given twice, left out once: {count}")
WALLS = marked("faces of inner walls and fins, left out: {count}")
PROBE_DEPTH = 1e-6  # of the face's size: the distance of a probe from the surface


@dataclass
class Surface:
    """The triangles after mending.

    Attributes
    ----------
    vertices
        The vertices (V, 3); those at the same place are merged into one.
    faces
        The faces (F, 3), as rows of `vertices`.
    kept
        The index (F,) of each face among the given faces.
    flipped
        Whether each face (F,) was turned over.
    fault
        Why the faces enclose no solid; None if they enclose one.
    notes
        A line for each thing that was mended, and for each fault besides `fault`.
    """

    vertices: Array
    faces: Ints
    kept: Ints
    flipped: Marks
    fault: Wording | None = None
    notes: list[Wording] = field(default_factory=list)

    def flip(self, which: Marks) -> None:
        """Reverse the winding of the faces that `which` (F,) marks."""
        self.faces[which] = self.faces[which][:, ::-1]
        self.flipped ^= which


def judged(vertices: Array, faces: NDArray[np.integer]) -> Surface:
    """Return the surface of triangles, mended as far as possible.

    `vertices` (V, 3) must be finite; `faces` is (F, 3). Vertices at the same place are merged first, because files with
    textures split them. Then faces without area and faces given twice are left out, and the winding is made consistent
    and outward. Finally some points just below the surface are tested: each must be enclosed exactly once. Raises
    InputError if no face has an area.
    """
    if not np.max(np.ptp(vertices[faces.ravel()], axis=0)) >= SMALLEST:
        raise refusal("mesh: it has no face with an area")
    places, merged = _merged(vertices)
    found = Surface(places, merged[faces], np.arange(len(faces)), np.zeros(len(faces), dtype=bool))
    _drop_needless(found)
    if len(found.faces) == 0:
        raise refusal("mesh: it has no face with an area")
    edges = Edges.of(found.faces)
    if not edges.consistent:
        _wind(found, edges)
        edges = Edges.of(found.faces)
    if faults := edges.faults:
        found.fault = faults[0]
        found.notes.extend(faults[1:])
    elif found.fault is None and not edges.consistent:
        found.fault = Wording("no consistent winding")
    if found.fault is None:
        one, other, _ = edges.pairs
        _probe(found, connected(len(found.faces), one, other))
    return found


def _merged(vertices: Array) -> tuple[Array, Ints]:
    """Return the distinct places (V', 3) of vertices (V, 3), and the index (V,) of the place of each vertex."""
    extent = float(np.max(np.ptp(vertices, axis=0))) if len(vertices) else 0.0
    grid = np.rint((vertices - vertices.min(axis=0)) / (MERGED * extent or 1.0)).astype(np.int64)
    _, code = np.unique(grid[:, 0] * (int(1.0 / MERGED) + 2) + grid[:, 1], return_inverse=True)
    _, code = np.unique(code * (int(1.0 / MERGED) + 2) + grid[:, 2], return_inverse=True)
    first = np.full(int(code.max()) + 1, len(vertices))
    np.minimum.at(first, code, np.arange(len(vertices)))
    return np.ascontiguousarray(vertices[first], dtype=np.float64), code


def _drop_needless(found: Surface) -> None:
    """Leave out faces with two corners at the same place, and all but the first of faces with the same corners.

    If the faces are closed only then, two such faces back to back, which are a wall between solids, are both left out,
    or two that face the same way, which belong to solids that overlap, are both kept.
    """
    faces = found.faces
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    if not real.all():
        found.notes.append(Wording("faces without an area, left out: {count}", count=int(np.sum(~real))))
        _keep(found, real)
    ordered = np.sort(found.faces, axis=1)
    order = np.lexsort(ordered.T)
    repeats = np.all(ordered[order][1:] == ordered[order][:-1], axis=1)
    first, again = order[:-1][repeats], order[1:][repeats]  # lexsort is stable
    if len(again) == 0:
        return
    single = np.ones(len(ordered), dtype=bool)
    single[again] = False
    upward = np.sum(found.faces < np.roll(found.faces, -1, axis=1), axis=1) == 2  # of the two ways round
    alike = upward[first] == upward[again]
    outside, overlapping = single.copy(), single.copy()
    outside[first[~alike]] = False
    overlapping[again[alike]] = True
    ways = ((single, TWICE), (outside, WALLS), (overlapping, TWICE))
    which, said = next((way for way in ways if way[0].any() and Edges.of(found.faces[way[0]]).closed), ways[0])
    if not which.all():
        found.notes.append(Wording(said, count=int(np.sum(~which))))
        _keep(found, which)


def _keep(found: Surface, which: Marks) -> None:
    found.faces, found.kept, found.flipped = found.faces[which], found.kept[which], found.flipped[which]


class Edges(NamedTuple):
    """The edges of faces (F, 3), and the 3 F uses of edges by faces; each face uses three edges.

    `ends` (E, 2) has the lower and the higher vertex of each edge. For each use, `edge` is the number of the edge,
    `face` that of the face, and `forward` says whether the face runs along the edge from the lower to the higher
    vertex. `uses` has, for each edge, how often it is used.
    """

    ends: Ints
    edge: Ints
    face: Ints
    forward: Marks
    uses: Ints

    @classmethod
    def of(cls, faces: Ints) -> "Edges":
        """Return the edges of faces (F, 3)."""
        begin, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
        count = int(faces.max()) + 1
        codes, edge, uses = np.unique(
            np.minimum(begin, end) * count + np.maximum(begin, end), return_inverse=True, return_counts=True
        )
        ends = np.column_stack(np.divmod(codes, count))
        return cls(ends, edge, np.repeat(np.arange(len(faces)), 3), begin < end, uses)

    @property
    def faults(self) -> list[Wording]:
        """How many edges belong to one face only, and how many to an odd number of faces from three on, in words."""
        open_ones, crowded = int(np.sum(self.uses == 1)), int(np.sum((self.uses > 1) & (self.uses % 2 == 1)))
        found = []
        if open_ones:
            one = Wording("{count} open edge", count=1)
            found.append(one if open_ones == 1 else Wording("{count} open edges", count=open_ones))
        if crowded:
            one = Wording("{count} edge of three or more faces", count=1)
            found.append(one if crowded == 1 else Wording("{count} edges of three or more faces", count=crowded))
        return found

    @property
    def net(self) -> Ints:
        """How much more often each edge (E,) is used forward than backward."""
        return np.bincount(self.edge, np.where(self.forward, 1.0, -1.0), len(self.uses)).astype(np.int64)

    @property
    def consistent(self) -> bool:
        """Whether each edge is used as often in one direction as in the other."""
        return not np.any(self.net)

    @property
    def closed(self) -> bool:
        """Whether each edge belongs to an even number of faces."""
        return not np.any(self.uses % 2)

    @property
    def pairs(self) -> tuple[Ints, Ints, Marks]:
        """The two faces at each edge that has exactly two faces, and whether these are wound alike."""
        order = np.argsort(self.edge, kind="stable")
        order = order[self.uses[self.edge[order]] == 2]
        first, second = order[::2], order[1::2]
        return self.face[first], self.face[second], self.forward[first] != self.forward[second]


def _wind(found: Surface, edges: Edges) -> None:
    """Turn over as few faces as possible so that neighbours are wound alike.

    In a graph that has each face twice, as it is and turned over, neighbours that are then wound alike are joined. If
    a face is connected with its turned copy, the surface has only one side.
    """
    count = len(found.faces)
    one, other, alike = edges.pairs
    across = np.where(alike, 0, count)
    rows, columns = np.concatenate([one, one + count]), np.concatenate([other + across, other + count - across])
    label = connected(2 * count, rows, columns)
    if np.any(label[:count] == label[count:]):
        found.fault = Wording("the surface has only one side")
        return
    turned = label[:count] > label[count:]
    part = np.minimum(label[:count], label[count:])
    turned ^= 2 * np.bincount(part, turned)[part] > np.bincount(part)[part]
    found.flip(turned)
    if turned.any():
        found.notes.append(_turned_over(turned))


def _turned_over(which: Marks) -> Wording:
    return Wording(TURNED, count=int(np.sum(which)))


def _probe(found: Surface, part: Ints) -> None:
    """Mark a surface that overlaps itself, and turn over parts that are inside out.

    The connected parts (F,) of the faces hang together by edges with just two faces.

    The test is how many times points just below some of the faces are enclosed, and whether faces pass through one
    another. Of a part that is inside out, no point below a face is enclosed.
    """
    corners = found.vertices[found.faces] - found.vertices.mean(axis=0)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])  # twice as long as a face is large
    areas = np.linalg.norm(normals, axis=1)
    probes = _probes(part, areas, PROBES)
    probes = probes[areas[probes] > 0.0]
    depths = PROBE_DEPTH / np.sqrt(areas[probes, None])
    times = Crossings(corners, 2.0).times(corners[probes].mean(axis=1) - normals[probes] * depths)  # outside: one less
    inverted, upright = np.unique(part[probes[times == 0.0]]), part[probes[times == 1.0]]
    odd = np.any((times != 0.0) & (times != 1.0)) or np.isin(inverted, upright).any()
    if odd or np.any(meetings(corners, found.faces, part).through):
        found.fault = Wording("it overlaps itself")
        return
    if len(inverted):
        which = np.isin(part, inverted)
        found.flip(which)
        found.notes[:] = [note for note in found.notes if note.text != TURNED]
        if found.flipped.all():
            found.notes.append(Wording("the winding was inside out; all faces were turned over"))
        else:
            found.notes.append(_turned_over(found.flipped))


def _probes(part: Ints, areas: Array, count: int) -> Ints:
    """Return the faces to probe: the largest face of each part, the largest parts first, then faces chosen by area.

    There are at most `count` of the largest faces. If there are no more than `count` faces, all are probed. A face
    that is probed twice does no harm.
    """
    order = np.lexsort((-areas, part))
    first = order[np.concatenate([[True], part[order][1:] != part[order][:-1]])]
    first = first[np.argsort(-np.bincount(part, areas)[part[first]], kind="stable")][:count]
    if len(areas) <= count:
        return np.concatenate([first, np.arange(len(areas))])
    total = np.cumsum(areas)
    even = np.searchsorted(total, (np.arange(count) + 0.5) / count * total[-1])
    return np.concatenate([first, np.minimum(even, len(areas) - 1)])

"""Finds out whether triangles enclose a solid; a fault is mended if possible, or else described in a line."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording, refusal
from viewer.physics.solids.triangle_mesh import connected

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

SMALLEST = 1e-30  # units of the file: the least longest extent, for which no product of a few lengths is 0
MERGED = 1e-7  # of the longest extent: vertices closer than that are one; files of float32 are no better
PROBES = 1000  # the most points at which it is tested which side of the surface is inside
PROBE_WORK = 2_000_000  # the most faces times probes; but there are at least 8 probes
PROBE_DEPTH = 1e-6  # of the face's size: the distance of a probe from the surface
# the lines run along the last column: no direction of a part that people make, so that they meet no edge
_ALONG = np.linalg.qr(np.array([[0.6180339887, 0.2718281828, 0.3141592654],
                                [-0.1732050808, 0.5772156649, 0.4142135624],
                                [0.2236067977, -0.3678794412, 0.6931471806]]))[0]  # fmt: skip
_ALONG *= np.linalg.det(_ALONG)
CLEAR = 1e-6  # of the longest extent: an edge that passes no deeper through a triangle only touches it
PAIRS = 3_000_000  # pairs of triangles above which it is not tested whether they pass through one another


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
    flipped: NDArray[np.bool_]
    fault: Wording | None = None
    notes: list[Wording] = field(default_factory=list)

    def flip(self, which: NDArray[np.bool_]) -> None:
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
    edges = _Edges.of(found.faces)
    if faults := edges.faults:
        found.fault = faults[0]
        found.notes.extend(faults[1:])
    elif not edges.consistent:
        _wind(found, edges)
        if found.fault is None and not _Edges.of(found.faces).consistent:
            found.fault = Wording("no consistent winding")
    if found.fault is None:
        _probe(found)
    return found


def _merged(vertices: Array) -> tuple[Array, Ints]:
    """Return the distinct places (V', 3) of vertices (V, 3), and the index (V,) of the place of each vertex."""
    extent = float(np.max(np.ptp(vertices, axis=0))) if len(vertices) else 0.0
    grid = np.rint((vertices - vertices.min(axis=0)) / (MERGED * extent or 1.0)).astype(np.int64)
    code = np.zeros(len(vertices), dtype=np.int64)
    for axis in range(3):  # the different beginnings of rows are numbered anew, so that no product overflows
        _, column = np.unique(grid[:, axis], return_inverse=True)
        _, code = np.unique(code * (int(column.max()) + 1) + column, return_inverse=True)
    first = np.full(int(code.max()) + 1, len(vertices))
    np.minimum.at(first, code, np.arange(len(vertices)))
    return np.ascontiguousarray(vertices[first], dtype=np.float64), code


def _drop_needless(found: Surface) -> None:
    """Leave out faces with two corners at the same place, and all but the first of faces with the same corners."""
    faces = found.faces
    real = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    if not real.all():
        found.notes.append(Wording("faces without an area, left out: {count}", count=int(np.sum(~real))))
        _keep(found, real)
    ordered = np.sort(found.faces, axis=1)
    order = np.lexsort(ordered.T)
    repeats = np.all(ordered[order][1:] == ordered[order][:-1], axis=1)
    single = np.ones(len(ordered), dtype=bool)
    single[order[1:][repeats]] = False  # lexsort is stable: the first one stays
    if not single.all():
        found.notes.append(Wording("faces given twice, left out once: {count}", count=int(np.sum(~single))))
        _keep(found, single)


def _keep(found: Surface, which: NDArray[np.bool_]) -> None:
    found.faces, found.kept, found.flipped = found.faces[which], found.kept[which], found.flipped[which]


class _Edges(NamedTuple):
    """The edges of faces (F, 3), and the 3 F uses of edges by faces; each face uses three edges.

    For each use, `edge` is the number of the edge, `face` that of the face, and `forward` says whether the face runs
    along the edge from the lower to the higher vertex. `uses` has, for each edge, how often it is used.
    """

    edge: Ints
    face: Ints
    forward: NDArray[np.bool_]
    uses: Ints

    @classmethod
    def of(cls, faces: Ints) -> "_Edges":
        """Return the edges of faces (F, 3)."""
        begin, end = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
        code = np.minimum(begin, end) * (int(faces.max()) + 1) + np.maximum(begin, end)
        _, edge, uses = np.unique(code, return_inverse=True, return_counts=True)
        return cls(edge, np.repeat(np.arange(len(faces)), 3), begin < end, uses)

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
    def consistent(self) -> bool:
        """Whether each edge is used as often in one direction as in the other."""
        return bool(np.all(np.bincount(self.edge, np.where(self.forward, 1.0, -1.0)) == 0.0))

    @property
    def pairs(self) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """The two faces at each edge that has exactly two faces, and whether these are wound alike."""
        order = np.argsort(self.edge, kind="stable")
        order = order[self.uses[self.edge[order]] == 2]
        first, second = order[::2], order[1::2]
        return self.face[first], self.face[second], self.forward[first] != self.forward[second]


def _wind(found: Surface, edges: _Edges) -> None:
    """Turn faces over so that neighbours are wound alike, and each connected part outward.

    In a graph that has each face twice, as it is and turned over, neighbours that are then wound alike are joined. If
    a face is connected with its turned copy, the surface has only one side.
    """
    count = len(found.faces)
    one, other, alike = edges.pairs
    across = np.where(alike, 0, count)
    rows, columns = np.concatenate([one, one + count]), np.concatenate([other + across, other + count - across])
    label = connected(2 * count, rows, columns)
    same = label[:count] == label[count:]
    if same.any():
        found.fault = Wording("the surface has only one side")
        return
    turned = label[:count] > label[count:]
    part = np.minimum(label[:count], label[count:])
    found.flip(turned)
    a, b, c = np.moveaxis((found.vertices - found.vertices.mean(axis=0))[found.faces], 1, 0)
    volumes = np.bincount(part, np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0)
    inward = volumes[part] < 0.0
    found.flip(inward)
    found.notes.append(_turned_over(found.flipped))


def _turned_over(which: NDArray[np.bool_]) -> Wording:
    return Wording("faces turned over, so that all face outward: {count}", count=int(np.sum(which)))


def _probe(found: Surface) -> None:
    """Mark a surface that overlaps itself, and turn over parts that are inside out.

    The test is how many times points just below some of the faces are enclosed, and whether faces pass through one
    another.
    """
    part = _parts(found)
    corners = found.vertices[found.faces] - found.vertices.mean(axis=0)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])  # twice as long as a face is large
    areas, crossings = np.linalg.norm(normals, axis=1), Crossings(corners)
    probes = _probes(part, areas, max(8, min(PROBES, PROBE_WORK // len(areas))))
    inverted: set[int] = set()
    for face in probes.tolist():
        if areas[face] <= 0.0 or int(part[face]) in inverted:
            continue
        inside = corners[face].mean(axis=0) - normals[face] * (PROBE_DEPTH / np.sqrt(areas[face]))
        times = crossings.times(inside[None])[0]  # outside: one less
        if times == 0:
            inverted.add(int(part[face]))
        elif times != 1:
            found.fault = Wording("it overlaps itself")
            return
    if pass_through(corners):
        found.fault = Wording("it overlaps itself")
        return
    if inverted:
        which = np.isin(part, list(inverted))
        found.flip(which)
        if which.all():
            found.notes.append(Wording("the winding was inside out; all faces were turned over"))
        else:
            found.notes.append(_turned_over(which))


def _parts(found: Surface) -> Ints:
    """Return the number (F,) of the connected part of each face; edges with just two faces connect them."""
    one, other, _ = _Edges.of(found.faces).pairs
    return connected(len(found.faces), one, other)


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


class Crossings:
    """A counter of how many times closed faces enclose a point.

    `corners` (F, 3, 3) are counter-clockwise seen from outside. The count is how many times more often a half-line from
    the point leaves the enclosed space than it enters it.
    """

    def __init__(self, corners: Array) -> None:
        self._corners = corners @ _ALONG
        (self._left, self._below, _), (self._right, self._above, _) = (
            np.ascontiguousarray(np.moveaxis(edge, -1, 0))
            for edge in (self._corners.min(axis=1), self._corners.max(axis=1))
        )

    def times(self, points: Array) -> Array:
        """Return how many times (N,) the faces enclose each of the points (N, 3), which must not lie on a face."""
        return np.array([self._times(point) for point in points @ _ALONG], dtype=np.float64)

    def _times(self, point: Array) -> int:
        x, y = point[:2].tolist()
        met = np.flatnonzero((self._left <= x) & (x <= self._right) & (self._below <= y) & (y <= self._above))
        a, b, c = np.moveaxis(self._corners[met] - point, (1, 2), (0, 1))
        opposite = np.array(
            [_turn(b, c), _turn(c, a), _turn(a, b)]
        )  # of each corner: twice an area, seen along the line
        up, down = np.all(opposite > 0.0, axis=0), np.all(opposite < 0.0, axis=0)
        height = opposite[0] * a[2] + opposite[1] * b[2] + opposite[2] * c[2]
        return int(np.count_nonzero(up & (height > 0.0)) - np.count_nonzero(down & (height < 0.0)))


def _turn(one: Array, other: Array) -> Array:
    return np.asarray(one[0] * other[1] - one[1] * other[0])


def pass_through(corners: Array) -> bool:
    """Return whether an edge of one of the triangles (F, 3, 3) passes through another triangle, not only touches it.

    Returns False if there are more than PAIRS pairs to test.
    """
    low, high = corners.min(axis=1), corners.max(axis=1)
    order = np.argsort(low[:, 0])
    corners, low, high = corners[order], low[order], high[order]
    ends = np.searchsorted(low[:, 0], high[:, 0])
    counts = np.maximum(ends - np.arange(1, len(order) + 1), 0)  # those behind each that begin before it ends
    if int(counts.sum()) > PAIRS:
        return False
    one = np.repeat(np.arange(len(order)), counts)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(counts) - counts, counts)
    meet = np.all((low[one, 1:] < high[other, 1:]) & (low[other, 1:] < high[one, 1:]), axis=1)
    one, other = one[meet], other[meet]
    clear = CLEAR * float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    return any(_pierce(corners[a], corners[b], clear) for a, b in ((one, other), (other, one)))


def _pierce(edges: Array, faces: Array, clear: float) -> bool:
    """Return whether an edge of a triangle of `edges` (N, 3, 3) passes through the triangle of `faces` in its row.

    It passes through if it reaches farther than `clear` to both sides and to the inside.
    """
    a, sides = faces[:, 0], np.roll(faces, -1, axis=1) - faces
    normals = np.cross(sides[:, 0], sides[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    inwards = np.cross(normals[:, None], sides)
    inwards /= np.maximum(np.linalg.norm(inwards, axis=2, keepdims=True), 1e-300)
    heights = np.einsum("nij,nj->ni", edges - a[:, None], normals)
    for here in range(3):
        there = (here + 1) % 3
        through = (heights[:, here] > clear) & (heights[:, there] < -clear)
        through |= (heights[:, here] < -clear) & (heights[:, there] > clear)
        begin, end = edges[through, here], edges[through, there]
        fraction = heights[through, here] / (heights[through, here] - heights[through, there])
        meets = begin + fraction[:, None] * (end - begin)
        within = np.einsum("nij,nij->ni", meets[:, None] - faces[through], inwards[through])
        if np.any(np.all(within > clear, axis=1)):
            return True
    return False

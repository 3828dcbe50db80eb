"""How often closed triangles enclose a point, which of them meet, and what share each has in the surface of the union.

The union of closed solids is the space that is enclosed at least once. Its surface is made of the triangles that have
such space on one side only. Triangles that meet others are cut along the planes of these first, so that every piece
lies on the surface as a whole or not at all. Only rounding errors remain.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]

TILT = (0.0271828, 0.0141421)  # of the lines against an axis: no direction in parts that people make, which have edges
CLEAR = 1e-6  # of the longest extent: an edge that passes no deeper through a triangle only touches it
BESIDE = 3e-7  # of the longest extent: the distance from a piece of a triangle at which it is asked what encloses it
ROUNDING = 1e-11  # of the longest extent: a corner that is nearer to a plane lies on it
CHUNK = 500_000  # pairs that are tested at a time
POINTS = 5_000  # points for which it is counted at a time what encloses them
PAIRS = 60_000_000  # pairs above which it is not tested whether triangles meet
PIECES = 1_000_000  # pieces of triangles above which it is not found out which of them lie on the surface


class Boxes:
    """The cells of a grid of `dimensions` axes that the boxes of N things reach into.

    `low` and `high` (N, D) are the corners of the boxes. A cell is `size` times as long as the boxes are on average,
    but no smaller than would give too many entries.
    """

    def __init__(self, low: Array, high: Array, size: float) -> None:
        self._origin, extent = low.min(axis=0), float(np.max(high.max(axis=0) - low.min(axis=0)))
        dimensions = low.shape[1]
        size = max(size * float(np.mean(high - low)), 0.5 * extent / len(low) ** 0.5, 1e-300)
        while True:
            first, last = (np.floor((corner - self._origin) / size).astype(np.int64) for corner in (low, high))
            spans = last - first + 1
            totals = np.prod(spans, axis=1)
            if float(np.sum(totals.astype(np.float64))) <= 40.0 * len(low) + 1000.0:
                break
            size *= 1.3
        self.size, self.first = size, first
        self._counts = last.max(axis=0) + 1
        self.thing = np.repeat(np.arange(len(low)), totals)
        rest = np.arange(len(self.thing)) - np.repeat(np.cumsum(totals) - totals, totals)
        self.code = np.zeros(len(self.thing), dtype=np.int64)
        for axis in range(dimensions):
            span = spans[self.thing, axis]
            self.code = self.code * self._counts[axis] + first[self.thing, axis] + rest % span
            rest = rest // span
        order = np.argsort(self.code, kind="stable")
        self.thing, self.code = self.thing[order], self.code[order]

    def codes(self, cells: Ints) -> Ints:
        """Return the numbers (M,) of cells given by their places (M, D) along the axes; -1 outside the grid."""
        found = np.zeros(len(cells), dtype=np.int64)
        for axis, count in enumerate(self._counts.tolist()):
            found = found * count + cells[:, axis]
        return np.where(np.all((cells >= 0) & (cells < self._counts), axis=1), found, -1)

    def at(self, points: Array) -> tuple[Ints, Ints]:
        """Return pairs of a point of (M, D) and a thing whose box reaches into the point's cell."""
        codes = self.codes(np.floor((points - self._origin) / self.size).astype(np.int64))
        begin, end = np.searchsorted(self.code, codes), np.searchsorted(self.code, codes, side="right")
        return _ranges(begin, np.where(codes < 0, 0, end - begin), self.thing)

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield all pairs of things that reach into the same cell, each pair once, about CHUNK pairs at a time."""
        end = np.searchsorted(self.code, self.code, side="right")
        counts = end - np.arange(len(self.code)) - 1
        total = np.cumsum(counts)
        if not len(total) or total[-1] > PAIRS:
            return
        begin = 0
        while begin < len(counts):
            stop = max(int(np.searchsorted(total, total[begin] - counts[begin] + CHUNK)), begin + 1)
            rows, other = _ranges(np.arange(begin, stop) + 1, counts[begin:stop], self.thing)
            one, code = self.thing[rows + begin], self.code[rows + begin]
            own = self.codes(np.maximum(self.first[one], self.first[other])) == code  # the first cell that they share
            yield one[own], other[own]
            begin = stop


def _ranges(begin: Ints, counts: Ints, things: Ints) -> tuple[Ints, Ints]:
    """Return for each row the things from `begin` on, `counts` of them: the rows' numbers, and the things."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, things[np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts - begin, counts)]


class Crossings:
    """A counter of how many times closed faces enclose a point.

    `corners` (F, 3, 3) are counter-clockwise seen from outside. The count is how many times more often a half-line from
    the point leaves the enclosed space than it enters it.
    """

    def __init__(self, corners: Array) -> None:
        extents = np.ptp(corners, axis=1) / np.maximum(np.ptp(corners.reshape(-1, 3), axis=0), 1e-300)
        met = [np.sum(extents[:, axis - 2] * extents[:, axis - 1]) for axis in range(3)]
        self._turned = _line(int(np.argmin(met)))  # the lines run along the axis along which they meet fewest faces
        self._corners = corners @ self._turned
        low, high = self._corners[..., :2].min(axis=1), self._corners[..., :2].max(axis=1)
        self._boxes = Boxes(low, high, 0.5)
        self._left, self._below, self._right, self._above = np.concatenate([low, high], axis=1).T.copy()

    def times(self, points: Array) -> Array:
        """Return how many times (N,) the faces enclose each of the points (N, 3), which must not lie on a face."""
        found = np.zeros(len(points))
        turned = points @ self._turned
        for begin in range(0, len(points), POINTS):
            some = turned[begin : begin + POINTS]
            point, face = self._boxes.at(some[:, :2])
            for low, high, place in ((self._left, self._right, some[:, 0]), (self._below, self._above, some[:, 1])):
                here = place[point]
                near = np.flatnonzero((low[face] <= here) & (here <= high[face]))
                point, face = point[near], face[near]
            found[begin : begin + len(some)] = np.bincount(point, self._crossed(some[point], face), len(some))
        return found

    def _crossed(self, points: Array, faces: Ints) -> Array:
        """Return 1 where the line from the point of a row leaves through the face of the row, -1 where it enters."""
        a, b, c = (np.ascontiguousarray((self._corners[faces, corner] - points).T) for corner in range(3))
        p, q, r = _turn(b, c), _turn(c, a), _turn(a, b)  # twice the areas opposite to the corners, seen along the line
        up, down = (p > 0.0) & (q > 0.0) & (r > 0.0), (p < 0.0) & (q < 0.0) & (r < 0.0)
        height = p * a[2] + q * b[2] + r * c[2]
        return np.asarray((up & (height > 0.0)).astype(np.float64) - (down & (height < 0.0)))


def _line(axis: int) -> Array:
    """Return a rotation (3, 3) whose last column is a direction near an axis."""
    near = np.roll(np.eye(3) + np.outer((*TILT, 0.0), (0.0, 0.0, 1.0)), axis + 1, axis=0)
    rotation = np.linalg.qr(near[:, ::-1])[0][:, ::-1]
    return np.asarray(rotation * np.linalg.det(rotation))


def _turn(one: Array, other: Array) -> Array:
    return np.asarray(one[0] * other[1] - one[1] * other[0])


class Meetings(NamedTuple):
    """The pairs of triangles that meet: `one` and `other` (P,), each pair once.

    `through` (P,) says that an edge of one passes through the other, or that one is folded over the other, `flat` (P,)
    that they overlap in one plane; others only touch. Triangles that share a corner meet only if they do more than
    that.
    """

    one: Ints
    other: Ints
    through: Marks
    flat: Marks

    def among(self, which: Marks) -> "Meetings":
        """Return those pairs whose triangles are both marked, in the numbers of the marked triangles alone."""
        both = which[self.one] & which[self.other]
        number = np.cumsum(which) - 1
        return Meetings(number[self.one[both]], number[self.other[both]], self.through[both], self.flat[both])


def meetings(corners: Array, faces: Ints) -> Meetings:
    """Return the pairs of the triangles (F, 3, 3) that meet; `faces` (F, 3) are the numbers of their corners."""
    clear = CLEAR * float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    low, high = corners.min(axis=1) - clear, corners.max(axis=1) + clear
    normals = _normals(corners)
    empty = np.zeros(0, dtype=np.int64)
    found = [Meetings(empty, empty, empty > 0, empty > 0)]
    bounds = list(zip(low.T.copy(), high.T.copy(), strict=True))
    for one, other in Boxes(low, high, 2.0).pairs():
        for least, most in bounds:
            near = np.flatnonzero((least[one] < most[other]) & (least[other] < most[one]))
            one, other = one[near], other[near]
        flat = np.zeros(len(one), dtype=bool)
        for turned in (False, True):  # each reaches to both sides of the other's plane
            plane, third = (other, one) if turned else (one, other)
            heights = np.einsum("nij,nj->in", corners[third] - corners[plane, :1], normals[plane])
            lowest, highest = _least_and_most(heights)
            flat |= (lowest > -clear) & (highest < clear)
            near = np.flatnonzero((lowest < clear) & (highest > -clear))
            one, other, flat = one[near], other[near], flat[near]
        a, b = corners[one], corners[other]
        corner = [faces[one, i] == faces[other, k] for i in range(3) for k in range(3)]
        shared = np.sum(corner, axis=0)
        may = np.flatnonzero(~flat & (shared < 2))
        through = np.zeros(len(one), dtype=bool)
        through[may] = pierce(a[may], b[may], clear) | pierce(b[may], a[may], clear)
        apart = ~flat & (shared == 0)
        flat[flat] = _cover(a[flat], b[flat], clear)
        through |= flat & (shared > 0) & (np.einsum("ij,ij->i", normals[one], normals[other]) < 0.0)
        kept = through | apart | flat
        found.append(Meetings(one[kept], other[kept], through[kept], flat[kept]))
    return Meetings(*(np.concatenate(rows) for rows in zip(*found, strict=True)))


def pierce(edges: Array, faces: Array, clear: float) -> Marks:
    """Return (N,) whether an edge of the triangle of `edges` (N, 3, 3) passes through that of `faces` in its row.

    It passes through if it reaches farther than `clear` to both sides and to the inside.
    """
    a, sides = faces[:, 0], np.roll(faces, -1, axis=1) - faces
    normals = np.cross(sides[:, 0], sides[:, 1])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    heights = np.einsum("nij,nj->ni", edges - a[:, None], normals)
    found = np.zeros(len(edges), dtype=bool)
    for here in range(3):
        there = (here + 1) % 3
        through = (heights[:, here] > clear) & (heights[:, there] < -clear)
        through |= (heights[:, here] < -clear) & (heights[:, there] > clear)
        rows = np.flatnonzero(through)
        begin, end = edges[rows, here], edges[rows, there]
        fraction = heights[rows, here] / (heights[rows, here] - heights[rows, there])
        meets = begin + fraction[:, None] * (end - begin)
        inwards = np.cross(normals[rows, None], sides[rows])
        inwards /= np.maximum(np.linalg.norm(inwards, axis=2, keepdims=True), 1e-300)
        within = np.einsum("nij,nij->ni", meets[:, None] - faces[rows], inwards)
        found[rows] |= np.all(within > clear, axis=1)
    return found


def _cover(one: Array, other: Array, clear: float) -> Marks:
    """Return (N,) whether two triangles (N, 3, 3) in one plane overlap: no side of either has the other beyond it."""
    found = np.ones(len(one), dtype=bool)
    for a, b in ((one, other), (other, one)):
        sides = np.roll(a, -1, axis=1) - a
        inwards = np.cross(_normals(a)[:, None], sides)
        inwards /= np.maximum(np.linalg.norm(inwards, axis=2, keepdims=True), 1e-300)
        depth = np.einsum("nkij,nij->nik", b[:, :, None] - a[:, None], inwards).max(axis=2)
        found &= np.all(depth > clear, axis=1)
    return found


class _Cuts(NamedTuple):
    """Lines along which triangles are cut, each in the plane of another triangle and as long as that triangle is there.

    `plane` (N, 4) is the plane: its normal n, and d in n.x = d. `along` (N, 3) is the direction of the line, from
    `begin` to `end` (N,): products of a point with that direction.
    """

    plane: Array
    along: Array
    begin: Array
    end: Array

    @classmethod
    def of(cls, corners: Array, cutters: Array, clear: float) -> "_Cuts":
        """Return the lines on triangles (N, 3, 3) in which each is met by another (N, 3, 3); end < begin if by none."""
        normals, own = _normals(cutters), _normals(corners)
        along = np.cross(own, normals)
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
        heights = np.einsum("nij,nj->ni", cutters - corners[:, :1], own)
        begin, end = np.full(len(corners), np.inf), np.full(len(corners), -np.inf)
        for here in range(3):
            there = (here + 1) % 3
            low, high = heights[:, here], heights[:, there]
            fraction = low / np.where(low * high < 0.0, low - high, np.inf)
            meets = cutters[:, here] + fraction[:, None] * (cutters[:, there] - cutters[:, here])
            place = np.einsum("ij,ij->i", meets, along)
            there_is = (low * high < 0.0) | (np.abs(low) <= clear)
            begin = np.where(there_is, np.minimum(begin, place), begin)
            end = np.where(there_is, np.maximum(end, place), end)
        plane = np.column_stack([normals, np.einsum("ij,ij->i", normals, cutters[:, 0])])
        return cls(plane, along, begin - clear, end + clear)

    @classmethod
    def around(cls, cutters: Array, clear: float) -> "_Cuts":
        """Return the lines along the sides of triangles (N, 3, 3), three for each."""
        begin, sides = cutters.reshape(-1, 3), (np.roll(cutters, -1, axis=1) - cutters).reshape(-1, 3)
        along = sides / np.maximum(np.linalg.norm(sides, axis=1, keepdims=True), 1e-300)
        normals = np.cross(np.repeat(_normals(cutters), 3, axis=0), along)
        plane = np.column_stack([normals, np.einsum("ij,ij->i", normals, begin)])
        place = np.einsum("ij,ij->i", begin, along)
        return cls(plane, along, place - clear, place + np.einsum("ij,ij->i", sides, along) + clear)

    def rows(self, which: Ints) -> "_Cuts":
        """Return the lines with these numbers."""
        return _Cuts(*(column[which] for column in self))


def _least_and_most(rows: Array) -> tuple[Array, Array]:
    """Return the smallest and the largest (N,) of three numbers (3, N); NumPy takes longer along such a short axis."""
    a, b, c = rows
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _normals(corners: Array) -> Array:
    """Return the normals (N, 3) of length 1 of triangles (N, 3, 3); 0 for those without an area."""
    found = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300))


def cut(corners: Array, met: Meetings) -> tuple[Array, Ints]:
    """Return the triangles (F, 3, 3) cut where they meet others: pieces (N, 3, 3), and the triangle (N,) of each.

    Raises OverflowError if there are more pieces than PIECES.
    """
    extent = float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    one, other = np.concatenate([met.one, met.other]), np.concatenate([met.other, met.one])
    flat = np.concatenate([met.flat, met.flat])
    crossed = _Cuts.of(corners[one[~flat]], corners[other[~flat]], CLEAR * extent)
    around = _Cuts.around(corners[other[flat]], CLEAR * extent)
    cuts = _Cuts(*(np.concatenate(both) for both in zip(crossed, around, strict=True)))
    one = np.concatenate([one[~flat], np.repeat(one[flat], 3)])
    order = np.argsort(one, kind="stable")
    order = order[cuts.begin[order] <= cuts.end[order]]
    one, cuts = one[order], cuts.rows(order)
    counts = np.bincount(one, minlength=len(corners))
    starts = np.cumsum(counts) - counts
    done, owners = [corners[counts == 0]], [np.flatnonzero(counts == 0)]
    pieces, owner = corners[counts > 0], np.flatnonzero(counts > 0)
    turn = total = 0
    while len(pieces):
        pieces, row = _halves(pieces, cuts.rows(starts[owner] + turn), ROUNDING * extent)
        owner = owner[row]
        turn += 1
        ended = counts[owner] <= turn
        done.append(pieces[ended])
        owners.append(owner[ended])
        total += len(done[-1])
        pieces, owner = pieces[~ended], owner[~ended]
        if total + len(pieces) > PIECES:
            raise OverflowError
    return np.concatenate(done), np.concatenate(owners)


def _halves(pieces: Array, cuts: _Cuts, rounding: float) -> tuple[Array, Ints]:
    """Return triangles (N, 3, 3) cut along a line each if it crosses them, and the row that each piece comes from."""
    heights = np.einsum("nij,nj->ni", pieces, cuts.plane[:, :3]) - cuts.plane[:, 3:]
    heights[np.abs(heights) <= rounding] = 0.0
    low, high = _least_and_most(heights.T)
    rows = np.flatnonzero((low < 0.0) & (high > 0.0))
    alone = np.where(np.sum(heights[rows] > 0.0, axis=1) == 1, 1.0, -1.0)  # the side with one corner
    first = np.argmax(heights[rows] * alone[:, None], axis=1)
    order = (first[:, None] + np.arange(3)) % 3
    v = np.take_along_axis(pieces[rows], order[..., None], axis=1)
    h = np.take_along_axis(heights[rows], order, axis=1)
    p, q = (v[:, 0] + (h[:, 0] / (h[:, 0] - h[:, k]))[:, None] * (v[:, k] - v[:, 0]) for k in (1, 2))
    places = np.einsum("kni,ni->kn", np.stack([p, q]), cuts.along[rows])
    met = (places.min(axis=0) < cuts.end[rows]) & (places.max(axis=0) > cuts.begin[rows])
    whole = np.ones(len(pieces), dtype=bool)
    whole[rows[met]] = False
    v, p, q = v[met], p[met], q[met]
    new = np.stack([v[:, 0], p, q, p, v[:, 1], v[:, 2], p, v[:, 2], q], axis=1).reshape(-1, 3, 3)
    real = np.any(_normals(new) != 0.0, axis=1)
    row = np.concatenate([np.flatnonzero(whole), np.repeat(rows[met], 3)[real]])
    return np.concatenate([pieces[whole], new[real]]), row


class Sheets(NamedTuple):
    """The pieces (N, 3, 3) of closed triangles, and how often the space on their two sides is enclosed.

    `owner` (N,) is the triangle that a piece comes from; `inner` and `outer` (N,) belong to the side below and above.
    """

    pieces: Array
    owner: Ints
    inner: Array
    outer: Array

    def shares(self, inside: Array, outside: Array) -> Array:
        """Return the share (N,) of each piece in a surface with something on its lower and its upper side.

        What is there, (N,) each, is a function of how often the space is enclosed. Pieces at the same place, whose
        numbers of times differ by more than one, have the share in common.
        """
        jump = self.inner - self.outer
        return np.where(jump == 0.0, 0.0, (inside - outside) / np.where(jump == 0.0, 1.0, jump))

    @property
    def union(self) -> Array:
        """The share (N,) of each piece in the surface of the space that is enclosed at least once."""
        return self.shares((self.inner > 0.5).astype(np.float64), (self.outer > 0.5).astype(np.float64))

    @property
    def excess(self) -> Array:
        """The share (N,) of each piece in what encloses space more than once, or inside out."""
        inner, outer = (np.abs(times - (times > 0.5)) for times in (self.inner, self.outer))
        return self.shares(inner, outer)


def sheets(corners: Array, region: Ints, met: Meetings) -> Sheets:
    """Return the pieces of closed triangles (F, 3, 3), which are counter-clockwise seen from outside.

    Triangles that meet no others are taken as wholes, and those of the same `region` (F,) have the same on both sides.
    Raises OverflowError if there are too many pieces.
    """
    pieces, owner = cut(corners, met)
    sizes = np.linalg.norm(np.cross(pieces[:, 1] - pieces[:, 0], pieces[:, 2] - pieces[:, 0]), axis=1)
    alone, covered = np.ones(len(corners), dtype=bool), np.zeros(len(corners), dtype=bool)
    alone[met.one] = alone[met.other] = False
    covered[met.one[met.flat]] = covered[met.other[met.flat]] = True
    group = np.where(alone[owner], region[owner], region.max() + 1 + np.arange(len(owner)))
    order = np.lexsort((-sizes, group))
    asked = order[np.concatenate([[True], group[order][1:] != group[order][:-1]])]  # the largest piece of each group
    inner, outer = enclosing(corners, pieces[asked], covered[owner[asked]])
    row = np.searchsorted(group[asked], group)
    return Sheets(pieces, owner, inner[row], outer[row])


def enclosing(corners: Array, pieces: Array, covered: Marks) -> tuple[Array, Array]:
    """Return how often closed triangles (F, 3, 3) enclose the space below and above pieces (N, 3, 3) of them.

    The space below is enclosed once more than that above, except at `covered` (N,) pieces, where others may lie.
    """
    extent = float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    middles, offset = pieces.mean(axis=1), BESIDE * extent * _normals(pieces)
    counter = Crossings(corners)
    inner = counter.times(middles - offset)
    outer = inner - 1.0
    outer[covered] = counter.times((middles + offset)[covered])
    return inner, outer

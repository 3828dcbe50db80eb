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
ANYWHERE = (0.6180340, 0.3819660, 0.2360680)  # a direction in parts that people make has no need to avoid
FACING = 0.1  # the least cosine of the angle between a face and the mean of those around its corner
CLEAR = 1e-6  # of the longest extent: triangles that pass no deeper through each other only touch
BESIDE = 3e-7  # of the longest extent: the distance from a piece of a triangle at which it is asked what encloses it
ROUNDING = 1e-11  # of the longest extent: a corner that is nearer to a plane lies on it
CHUNK = 500_000  # pairs that are tested at a time
POINTS = 5_000  # points for which it is counted at a time what encloses them
PAIRS = 60_000_000  # pairs above which it is not tested whether triangles meet
CUTS = 80_000  # pairs of triangles that meet above which these are not cut along each other
EVEN = 200_000  # pieces into which they are divided then


class Boxes:
    """The cells of a grid of D axes that the boxes of N things reach into.

    `low` and `high` (D, N) are the corners of the boxes. A cell is `size` times as long as the boxes are on average,
    but no smaller than would give too many entries.
    """

    def __init__(self, low: Array, high: Array, size: float) -> None:
        self._low, self._high, things = low, high, low.shape[1]
        self._origin = low.min(axis=1, keepdims=True)
        extent = float(np.max(high.max(axis=1) - self._origin[:, 0]))
        size = max(size * float(np.mean(high - low)), 0.5 * extent / things**0.5, 1e-300)
        while True:
            first, last = (np.floor((corner - self._origin) / size).astype(np.int32) for corner in (low, high))
            spans = last - first + 1
            totals = np.prod(spans, axis=0, dtype=np.int32)
            if float(np.sum(np.prod(spans, axis=0, dtype=np.float64))) <= 40.0 * things + 1000.0:
                break
            size *= 1.3
        self._size, self._first = size, first
        self._counts = last.max(axis=1) + 1
        thing = np.repeat(np.arange(things, dtype=np.int32), totals)
        rest = np.arange(len(thing), dtype=np.int32) - np.repeat(np.cumsum(totals, dtype=np.int32) - totals, totals)
        code = np.zeros(len(thing), dtype=np.int64)
        for count, begin, span in zip(self._counts.tolist(), first, spans, strict=True):
            across = span[thing]
            code = code * count + begin[thing] + rest % across
            rest = rest // across
        order = np.argsort(code, kind="stable")
        self._thing, self._code = thing[order].astype(np.int64), code[order]

    def _codes(self, cells: Ints) -> Ints:
        """Return the numbers (M,) of cells given by their places (D, M) along the axes."""
        found = np.zeros(cells.shape[1], dtype=np.int64)
        for count, place in zip(self._counts.tolist(), cells, strict=True):
            found = found * count + place
        return found

    def at(self, points: Array) -> tuple[Ints, Ints]:
        """Return the pairs of a point of (D, M) and a thing whose box it lies in."""
        cells = np.floor((points - self._origin) / self._size)  # of points far away beyond any whole number
        inside = np.all((cells >= 0.0) & (cells < self._counts[:, None]), axis=0)
        codes = np.where(inside, self._codes(np.where(inside, cells, 0.0).astype(np.int64)), -1)
        begin, end = np.searchsorted(self._code, codes), np.searchsorted(self._code, codes, side="right")
        point, thing = _ranges(begin, end - begin, self._thing)
        for low, high, place in zip(self._low, self._high, points, strict=True):
            here = place[point]
            near = np.flatnonzero((low[thing] <= here) & (here <= high[thing]))
            point, thing = point[near], thing[near]
        return point, thing

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Yield all pairs of things whose boxes overlap, each pair once, those of about CHUNK pairs at a time."""
        end = np.searchsorted(self._code, self._code, side="right")
        counts = end - np.arange(len(self._code)) - 1
        total = np.cumsum(counts)
        if not len(total) or total[-1] > PAIRS:
            return
        begin = 0
        while begin < len(counts):
            stop = max(int(np.searchsorted(total, total[begin] - counts[begin] + CHUNK)), begin + 1)
            rows, other = _ranges(np.arange(begin, stop) + 1, counts[begin:stop], self._thing)
            one = self._thing[begin:stop][rows]
            for low, high in zip(self._low, self._high, strict=True):
                near = np.flatnonzero((low[one] < high[other]) & (low[other] < high[one]))
                one, other, rows = one[near], other[near], rows[near]
            first = np.maximum(self._first[:, one], self._first[:, other])
            own = np.flatnonzero(self._codes(first) == self._code[begin:stop][rows])  # the first cell that they share
            yield one[own], other[own]
            begin = stop


def _ranges(begin: Ints, counts: Ints, things: Ints) -> tuple[Ints, Ints]:
    """Return for each row the things from `begin` on, `counts` of them: the rows' numbers, and the things."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, things[np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts - begin, counts)]


class Crossings:
    """A counter of how many times closed faces enclose a point.

    `corners` (F, 3, 3) are counter-clockwise seen from outside. The count is how many times more often a half-line from
    the point leaves the enclosed space than it enters it. The half-lines are looked up in cells, `size` times as long
    as faces are on average: large cells are made in less time, small ones have fewer faces.
    """

    def __init__(self, corners: Array, size: float = 0.5) -> None:
        low, high = _reach(corners)
        extents = (high - low) / np.maximum(high.max(axis=1) - low.min(axis=1), 1e-300)[:, None]
        met = [extents[axis - 2] @ extents[axis - 1] for axis in range(3)]
        self._turned = _line(int(np.argmin(met)))  # the lines run along the axis along which they meet fewest faces
        self._corners = corners @ self._turned
        self._boxes = Boxes(*_reach(self._corners[..., :2]), size)

    def times(self, points: Array) -> Array:
        """Return how many times (N,) the faces enclose each of the points (N, 3), which must not lie on a face."""
        found = np.zeros(len(points))
        turned = points @ self._turned
        for begin in range(0, len(points), POINTS):
            some = turned[begin : begin + POINTS]
            point, face = self._boxes.at(some[:, :2].T.copy())
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

    `through` (P,) says that they pass through each other, or that one is folded over the other, `flat` (P,) that they
    overlap in one plane; others only touch. Triangles that share a corner meet only if they do more than that.
    """

    one: Ints
    other: Ints
    through: Marks
    flat: Marks


def meetings(corners: Array, faces: Ints, part: Ints) -> Meetings:
    """Return the pairs of closed triangles (F, 3, 3) that meet; `faces` (F, 3) are the numbers of their corners.

    Each triangle belongs to a part (F,), and is folded over others of its part only: solids side by side may touch.
    """
    low, high = _reach(corners)
    clear = CLEAR * float(np.max(high.max(axis=1) - low.min(axis=1)))
    normals = _normals(corners)
    plain = _plain(corners, faces, normals)
    numbers = np.ascontiguousarray(faces.T, dtype=np.int32)
    names = np.where(plain[numbers], numbers, -1)  # of corners at which no faces meet
    empty = np.zeros(0, dtype=np.int64)
    found = [Meetings(empty, empty, empty > 0, empty > 0)]
    for one, other in Boxes(low - clear, high + clear, 2.0).pairs():
        beside = np.zeros(len(one), dtype=bool)
        for name in names[:, one]:
            for number in numbers:
                beside |= name == number[other]
        one, other = one[~beside], other[~beside]
        flat, across = np.zeros(len(one), dtype=bool), np.ones(len(one), dtype=bool)
        for turned in (False, True):  # each reaches to both sides of the other's plane
            plane, third = (other, one) if turned else (one, other)
            heights = np.einsum("nij,nj->in", corners[third] - corners[plane, :1], normals[plane])
            lowest, highest = _least_and_most(heights)
            flat |= (lowest > -clear) & (highest < clear)
            across &= (lowest < -clear) & (highest > clear)
            near = np.flatnonzero((lowest < clear) & (highest > -clear))
            one, other, flat, across = one[near], other[near], flat[near], across[near]
        a, b = corners[one], corners[other]
        corner = [first[one] == second[other] for first in numbers for second in numbers]
        shared = np.sum(corner, axis=0)
        through = across & (shared < 2)
        through[through] = _share(a[through], b[through]) > clear
        apart = ~flat & (shared == 0)
        flat[flat] = _cover(a[flat], b[flat], clear)
        folded = flat & (shared > 0) & (part[one] == part[other])
        through |= folded & (np.einsum("ij,ij->i", normals[one], normals[other]) < 0.0)
        kept = through | apart | flat
        found.append(Meetings(one[kept], other[kept], through[kept], flat[kept]))
    return Meetings(*(np.concatenate(rows) for rows in zip(*found, strict=True)))


def _plain(corners: Array, faces: Ints, normals: Array) -> Marks:
    """Return the vertices (V,) around which closed triangles do not meet: seen from somewhere they lie side by side.

    All face the direction of their mean normal, and they go around it once: a half-plane from there crosses one.
    """
    vertices = faces.ravel()
    mean: Array = np.column_stack([np.bincount(vertices, np.repeat(column, 3)) for column in normals.T])
    mean /= np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-300)
    across = np.cross(mean, ANYWHERE)
    plain = np.ones(len(mean), dtype=bool)
    turns = np.zeros(len(mean))
    for here in range(3):
        vertex = faces[:, here]
        plain[vertex[np.einsum("ij,ij->i", mean[vertex], normals) < FACING]] = False
        to = across[vertex]
        begin, end = (np.einsum("ij,ij->i", corners[:, here - k] - corners[:, here], to) for k in (2, 1))
        turns += np.bincount(vertex, (begin <= 0.0) & (end > 0.0), len(turns))
    return np.asarray(plain & (turns == 1.0))


def _share(one: Array, other: Array) -> Array:
    """Return how long (N,) the line is in which two triangles (N, 3, 3) meet that reach across each other's planes."""
    here, there = _Cuts.of(one, other, 0.0), _Cuts.of(other, one, 0.0)  # along opposite directions
    return np.minimum(here.end, -there.begin) - np.maximum(here.begin, -there.end)


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


def _reach(corners: Array) -> tuple[Array, Array]:
    """Return the lowest and the highest coordinates (D, N) of triangles (N, 3, D)."""
    return _least_and_most(np.ascontiguousarray(corners.T).swapaxes(0, 1))


def _normals(corners: Array) -> Array:
    """Return the normals (N, 3) of length 1 of triangles (N, 3, 3); 0 for those without an area."""
    found = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-300))


def areas_of(corners: Array) -> Array:
    """Return the areas (N,) of triangles (N, 3, 3)."""
    return np.asarray(
        0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    )


def cut(corners: Array, met: Meetings) -> tuple[Array, Ints]:
    """Return the triangles (F, 3, 3) cut where they meet others: pieces (N, 3, 3), and the triangle (N,) of each."""
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
    turn = 0
    while len(pieces):
        pieces, row = _halves(pieces, cuts.rows(starts[owner] + turn), ROUNDING * extent)
        owner = owner[row]
        turn += 1
        ended = counts[owner] <= turn
        done.append(pieces[ended])
        owners.append(owner[ended])
        pieces, owner = pieces[~ended], owner[~ended]
    return np.concatenate(done), np.concatenate(owners)


def _divided(corners: Array, met: Meetings) -> tuple[Array, Ints]:
    """Return what `cut` does, but with those that meet others halved until all pieces of them are about as small.

    The two halves of each last division are neighbours in the list, at its end.
    """
    owner = np.unique(np.concatenate([met.one, met.other]))
    alone = np.setdiff1d(np.arange(len(corners)), owner)
    pieces, done, owners = corners[owner], [corners[alone]], [alone]
    largest = 2.0 * np.sum(areas_of(pieces)) / EVEN
    while len(pieces):
        small = np.repeat(areas_of(pieces) <= largest, 2)
        longest = np.argmax(np.linalg.norm(np.roll(pieces, -1, axis=1) - pieces, axis=2), axis=1)
        order = (longest[:, None] + np.arange(3)) % 3  # from the first corner to the second is the longest side
        a, b, c = np.moveaxis(np.take_along_axis(pieces, order[..., None], axis=1), 1, 0)
        pieces = np.stack([a, 0.5 * (a + b), c, 0.5 * (a + b), b, c], axis=1).reshape(-1, 3, 3)
        owner = np.repeat(owner, 2)
        done.append(pieces[small])
        owners.append(owner[small])
        pieces, owner = pieces[~small], owner[~small]
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
    Of the last `sampled` pieces, which are pairs of neighbours, they are known at one point each, chosen by chance.
    """

    pieces: Array
    owner: Ints
    inner: Array
    outer: Array
    sampled: int

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
    If more than CUTS pairs meet, these are not cut along each other but divided into pieces as many as EVEN, of which
    each is taken to have the same everywhere on its sides.
    """
    exact = len(met.one) <= CUTS
    pieces, owner = cut(corners, met) if exact else _divided(corners, met)
    sizes = areas_of(pieces)
    alone, covered = np.ones(len(corners), dtype=bool), np.zeros(len(corners), dtype=bool)
    alone[met.one] = alone[met.other] = False
    covered[met.one[met.flat]] = covered[met.other[met.flat]] = True
    group = np.where(alone[owner], region[owner], region.max() + 1 + np.arange(len(owner)))
    order = np.lexsort((-sizes, group))
    asked = order[np.concatenate([[True], group[order][1:] != group[order][:-1]])]  # the largest piece of each group
    weights = 1.0 / 3.0 if exact else np.random.default_rng(0).dirichlet((1.0, 1.0, 1.0), len(asked))
    inner, outer = enclosing(corners, pieces[asked], covered[owner[asked]], weights)
    row = np.searchsorted(group[asked], group)
    return Sheets(pieces, owner, inner[row], outer[row], 0 if exact else int(np.sum(~alone[owner])))


def enclosing(corners: Array, pieces: Array, covered: Marks, weights: Array | float = 1.0 / 3.0) -> tuple[Array, Array]:
    """Return how often closed triangles (F, 3, 3) enclose the space below and above pieces (N, 3, 3) of them.

    It is that at one point of each piece, with the `weights` (N, 3) of its corners. The space below is enclosed once
    more than that above, except at `covered` (N,) pieces, where others may lie.
    """
    extent = float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    offset = BESIDE * extent * _normals(pieces)
    points = np.sum(pieces * np.broadcast_to(weights, pieces.shape[:2])[..., None], axis=1)
    counter = Crossings(corners)
    inner = counter.times(points - offset)
    outer = inner - 1.0
    outer[covered] = counter.times((points + offset)[covered])
    return inner, outer

"""The solid that faulty triangles enclose: openings are closed, overlaps count once, and the remaining doubt is told.

An opening is closed by a fan of triangles about its middle. What may be missing there is about a dome over it at most:
its area times its circumference / 3 pi, which for a circle is half a ball. If this is much for the part, the part is
open, and its own convex hull stands in its place, unless all parts are open.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import Wording
from viewer.physics.solids.crossings import Meetings, Sheets, areas_of, enclosing, meetings, sheets
from viewer.physics.solids.inertia import LEAST_VOLUME, TOLD, MassProperties, enclosed, enclosed_by, hull_faces, surface
from viewer.physics.solids.repair import WALLS, Edges, Surface
from viewer.physics.solids.triangle_mesh import connected

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.bool_]

PROBES = 64  # faces of each part below which it is asked whether the part is there
SLIT = 0.5  # of its area: the square of the width of an opening that is only a slit
SIGMAS = 3.0  # standard deviations of an estimate from samples that are told
UNSURE = 1.5  # how much farther out of place a vertex may be than its neighbours say
OPEN = 0.25  # of a part's volume: a part whose openings leave more doubt is open


class Closed(NamedTuple):
    """Closed triangles in place of faulty ones.

    Attributes
    ----------
    corners
        The corners (F, 3, 3) of the triangles, counter-clockwise seen from outside.
    properties
        The mass properties of what they enclose at least once, of density 1.
    volume_error
        The largest error of the volume to be expected, as a part of it.
    bounds
        The tensors (3, 3) about the centre between which the true one lies, for a given density.
    notes
        A line for each thing that was done.
    all_open
        Whether all parts are open.
    """

    corners: Array
    properties: MassProperties
    volume_error: float
    bounds: tuple[Array, Array]
    notes: tuple[Wording, ...]
    all_open: bool


def closed(found: Surface) -> Closed | None:
    """Return closed triangles in place of those of a surface, or None if they enclose no volume."""
    mesh = _Parts.of(found)
    all_open = mesh.close()
    if len(mesh.faces) == 0:
        return None
    mesh.turn_outward()
    corners = mesh.vertices[mesh.faces]
    one, other, alike = Edges.of(mesh.faces).pairs
    met = meetings(corners, mesh.faces, connected(len(corners), one, other))
    alone = np.ones(len(corners), dtype=bool)
    alone[met.one] = alone[met.other] = False
    joined = alone[one] & alone[other] & alike
    cut = sheets(corners, connected(len(corners), one[joined], other[joined]), met)
    mesh.doubt_overlaps(met, cut)
    middle = 0.5 * (corners.min(axis=(0, 1)) + corners.max(axis=(0, 1)))
    shares, extent = cut.union, float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    properties = enclosed_by(cut.pieces, shares, middle)
    if properties.mass <= LEAST_VOLUME * extent**3:
        return None
    twice = enclosed_by(cut.pieces, cut.excess, middle).mass / properties.mass
    if twice > TOLD:
        mesh.notes.append(Wording("overlaps, counted once: {percent:.2g} %", percent=100.0 * twice))
    sides = cut.pieces[:, 1:] - cut.pieces[:, :1]
    along = np.cross(sides[:, 0], sides[:, 1]) / 2.0
    unsure = extent / 3.0 * float(np.linalg.norm(shares @ along))  # 0 for what is closed
    if sampled := cut.sampled:
        heights = np.einsum("ij,ij->i", along[-sampled:], cut.pieces[-sampled:, 0] - properties.centre)
        changes = np.diff(
            (shares[-sampled:] * heights / 3.0).reshape(-1, 2)
        )  # between neighbours: they tell the spread
        unsure += SIGMAS * float(np.linalg.norm(changes))
    mesh.doubts.append(properties.times(unsure / properties.mass))
    more, above = _summed(mesh.doubts, properties.centre)
    less, below = _summed(mesh.doubts + mesh.surplus, properties.centre)
    volume = max(min(less / properties.mass, 1.0), more / properties.mass)
    wider = 1.0 + volume  # as the centre moves, too; about that of more, no moment is larger than about this one
    bounds = properties.tensor - wider * below, properties.tensor + above
    return Closed(corners, properties, volume, bounds, tuple(mesh.notes), all_open)


def _summed(parts: list[MassProperties], centre: Array) -> tuple[float, Array]:
    """Return the volume of all parts, of density 1, and their tensor (3, 3) about a centre (3,)."""
    tensors = (part.tensor_about(centre) for part in parts)
    return sum(part.mass for part in parts), sum(tensors, np.zeros((3, 3)))


class _Parts:
    """The parts of a surface while they are closed, one after the other step; `part` (F,) has the part of each face."""

    def __init__(self, vertices: Array, faces: Ints, part: Ints, openings: "list[_Opening]") -> None:
        self.vertices, self.faces, self.part, self._openings = vertices, faces, part, openings
        self.doubts: list[MassProperties] = []  # what may be missing or too much
        self.surplus: list[MassProperties] = []  # what may be too much
        self.notes: list[Wording] = []

    @classmethod
    def of(cls, found: Surface) -> "_Parts":
        """Return the parts of a surface without walls and fins: closed pieces, and what hangs together of the rest."""
        walls = _walls(found)
        faces = found.faces[~walls]
        edges = Edges.of(faces)
        one, other, _ = edges.pairs
        rims = _Rims.of(edges, connected(len(faces), one, other))
        same = rims.edge[1:] == rims.edge[:-1]
        part = connected(
            len(faces), np.concatenate([one, rims.face[:-1][same]]), np.concatenate([other, rims.face[1:][same]])
        )
        first = np.concatenate([[True], ~same])[: len(rims.edge)]
        edge, face = rims.edge[first], rims.face[first]
        net = edges.net[edge]
        ends = np.where((net > 0)[:, None], edges.ends[edge][:, ::-1], edges.ends[edge])
        times = np.abs(net)
        arcs = np.repeat(ends, times, axis=0)
        mesh = cls(found.vertices, faces, part, _loops(arcs, np.repeat(face, times), np.repeat(part[face], times)))
        if walls.any():
            mesh.notes.append(Wording(WALLS, count=int(np.sum(walls))))
        return mesh

    def close(self) -> bool:
        """Close the openings, and put convex hulls in place of open parts; return whether all parts are open."""
        count = int(self.part.max()) + 1
        bare = self.vertices
        middles = np.zeros((len(self._openings), 3))
        caps, owners, domes = [self.faces], [self.part], list[MassProperties]()
        for number, opening in enumerate(self._openings):
            ring = bare[opening.loop]
            lengths = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)
            middles[number] = (lengths + np.roll(lengths, 1)) @ ring / (2.0 * np.sum(lengths))
            if len(ring) == 3:
                caps.append(opening.loop[None])
            else:
                fan = np.full(len(ring), len(bare) + number)
                caps.append(np.column_stack([opening.loop, np.roll(opening.loop, -1), fan]))
            owners.append(np.full(len(caps[-1]), opening.part))
        self.vertices = np.concatenate([bare, middles])
        domes = [self._missing(opening, cap) for opening, cap in zip(self._openings, caps[1:], strict=True)]
        self.faces, self.part = np.concatenate(caps), np.concatenate(owners)
        volumes = self._volumes()
        of_opening = np.array([opening.part for opening in self._openings], dtype=np.int64)
        is_open = np.bincount(of_opening, [dome.mass for dome in domes], count) > OPEN * np.abs(volumes)
        flat = np.abs(volumes) <= LEAST_VOLUME * float(np.max(np.ptp(bare, axis=0))) ** 3
        is_open |= flat & (np.bincount(of_opening, minlength=count) > 0)
        all_open = bool(is_open.all())
        replaced = flat if all_open else is_open
        capped = ~replaced[of_opening]
        self.doubts += [domes[number] for number in np.flatnonzero(capped)]
        if replaced.any():
            self._take_hulls(np.flatnonzero(replaced), bare)
        if capped.any():
            self.notes.append(Wording("openings closed: {count}", count=int(np.sum(capped))))
        return all_open

    def _missing(self, opening: "_Opening", cap: Ints) -> MassProperties:
        """Return the mass properties of what may be missing at an opening that is closed by `cap` (N, 3).

        Along a slit the faces beside it may also be out of place by its width.
        """
        ring = self.vertices[opening.loop]
        length = float(np.sum(np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)))
        sheet = _sheet(self.vertices[cap])
        dome = _dome(sheet, length)
        width = 4.0 * sheet.mass / length
        if width**2 > SLIT * sheet.mass or not dome.mass:
            return dome
        beside = _sheet(self.vertices[self.faces[opening.beside]])
        return MassProperties.total([dome, beside.times(width / 3.0)])

    def _volumes(self) -> Array:
        """Return the signed volume of each part, whose faces are closed."""
        origin = self.vertices.mean(axis=0)
        a, b, c = np.moveaxis((self.vertices - origin)[self.faces], 1, 0)
        return np.asarray(np.bincount(self.part, np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0), dtype=np.float64)

    def _take_hulls(self, numbers: Ints, bare: Array) -> None:
        """Put the convex hulls of these parts in their place; of a flat part nothing is left."""
        kept = ~np.isin(self.part, numbers)
        order = np.argsort(self.part, kind="stable")
        ends = np.searchsorted(self.part[order], numbers, side="right")
        begins = np.searchsorted(self.part[order], numbers)
        faces, parts, flat = [self.faces[kept]], [self.part[kept]], 0
        for number, begin, end in zip(numbers.tolist(), begins.tolist(), ends.tolist(), strict=True):
            used = np.unique(self.faces[order[begin:end]])
            used = used[used < len(bare)]
            hull = hull_faces(bare[used])
            if hull is None:
                flat += 1
                continue
            faces.append(used[hull])
            parts.append(np.full(len(hull), number))
            self.surplus.append(enclosed(bare, used[hull]))
        self.faces, self.part = np.concatenate(faces), np.concatenate(parts)
        if len(numbers) > flat:
            self.notes.append(
                Wording("open parts, taken as their own convex hulls: {count}", count=len(numbers) - flat)
            )
        if flat:
            self.notes.append(Wording("flat parts, which enclose nothing: {count}", count=flat))

    def turn_outward(self) -> None:
        """Turn over parts that are inside out: they lie above their faces, and below most of the largest is nothing."""
        corners = self.vertices[self.faces]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        sizes = np.linalg.norm(normals, axis=1)
        order = np.lexsort((-sizes, self.part))
        begins = np.searchsorted(self.part[order], np.arange(int(self.part.max()) + 1))
        asked = order[np.arange(len(order)) - begins[self.part[order]] < PROBES]
        asked = asked[sizes[asked] > 0.0]
        inner, _ = enclosing(corners, corners[asked], np.zeros(len(asked), dtype=bool))
        inverted = np.bincount(self.part[asked], np.where(inner > 0.5, sizes[asked], -sizes[asked])) < 0.0
        which = inverted[self.part]
        self.faces[which] = self.faces[which][:, ::-1]

    def doubt_overlaps(self, met: Meetings, found: Sheets) -> None:
        """Note the doubt of parts that pass through themselves, or lie within others as if they were solid there."""
        part = self.part
        through = met.through & (part[met.one] == part[met.other])
        one, other = met.one[through], met.other[through]
        if len(one):
            self.doubts.append(_out_of_place(self.vertices, self.faces, one, other))
        owner, areas = part[found.owner], areas_of(found.pieces)
        nested = np.bincount(owner, np.where(found.outer > 0.5, areas, 0.0)) >= 0.999 * np.bincount(owner, areas)
        volumes = self._volumes()
        inner = np.flatnonzero(nested & (volumes > 0.0))
        self.surplus += [enclosed(self.vertices, self.faces[part == number]) for number in inner]
        if len(inner):
            self.notes.append(
                Wording("parts within others, taken as solid, not as cavities: {count}", count=len(inner))
            )


class _Rims(NamedTuple):
    """The places where patches of faces are not closed: an `edge`, the `patch`, and a `face` (N,) of it at that edge.

    `net` (N,) is how much more often the patch uses the edge forward than backward, `uses` (N,) how often at all. They
    are in the order of the edges.
    """

    edge: Ints
    patch: Ints
    face: Ints
    net: Ints
    uses: Ints

    @classmethod
    def of(cls, edges: Edges, patch: Ints) -> "_Rims":
        """Return the rims of the patches (F,) of faces."""
        code = edges.edge * (int(patch.max()) + 1) + patch[edges.face]
        _, first, row, uses = np.unique(code, return_index=True, return_inverse=True, return_counts=True)
        net = np.bincount(row, np.where(edges.forward, 1.0, -1.0)).astype(np.int64)
        rim = np.flatnonzero(net)
        first = first[rim]
        return cls(edges.edge[first], patch[edges.face[first]], edges.face[first], net[rim], uses[rim])


def _walls(found: Surface) -> Marks:
    """Return the faces (F,) of patches that hang on others which are closed without them, the smallest first."""
    edges = Edges.of(found.faces)
    one, other, _ = edges.pairs
    patch = connected(len(found.faces), one, other)
    rims = _Rims.of(edges, patch)
    net, uses = edges.net, edges.uses.copy()
    a, b, c = np.moveaxis(found.vertices[found.faces], 1, 0)
    areas = np.bincount(patch, np.linalg.norm(np.cross(b - a, c - a), axis=1))
    closing = np.bincount(rims.patch, net[rims.edge] != rims.net, len(areas)) == 0.0
    hanging = np.bincount(rims.patch, uses[rims.edge] > rims.uses, len(areas)) > 0.0
    candidates = np.flatnonzero(closing & hanging)
    order = np.argsort(rims.patch, kind="stable")
    begins, ends = (np.searchsorted(rims.patch[order], candidates, side=side) for side in ("left", "right"))
    left_out = np.zeros(len(areas), dtype=bool)
    for number in np.argsort(areas[candidates], kind="stable").tolist():
        rows = order[begins[number] : ends[number]]
        edge = rims.edge[rows]
        if np.all(net[edge] == rims.net[rows]) and np.any(uses[edge] > rims.uses[rows]):
            net[edge] -= rims.net[rows]
            uses[edge] -= rims.uses[rows]
            left_out[candidates[number]] = True
    return left_out[patch]


def _sheet(corners: Array) -> MassProperties:
    """Return the mass properties of a sheet of 1 kg/m2 along triangles (N, 3, 3)."""
    return surface(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))


def _dome(sheet: MassProperties, length: float) -> MassProperties:
    """Return the mass properties of a dome over a sheet of 1 kg/m2 with an edge of this length.

    To the tensor of the sheet twice that of half a ball about the middle of its base is added.
    """
    volume = sheet.mass * length / (3.0 * np.pi)
    tensor = sheet.tensor * (length / (3.0 * np.pi)) + 0.5 * volume ** (5.0 / 3.0) * np.eye(3)
    return MassProperties(volume, sheet.centre, tensor)


def _out_of_place(vertices: Array, faces: Ints, one: Ints, other: Ints) -> MassProperties:
    """Return how the volume of closed faces (F, 3) may change with the vertices of those that pass through others.

    `one` and `other` (P,) are the faces that pass through one another. As few vertices as possible are taken to be out
    of place: if k pairs of faces have one in common, it is the fault of all, and each has a k-th of the change. The
    volume is linear in the place of a vertex: its gradient is a third of the vector area of the faces around. As no
    vertex of a curved surface lies amid its neighbours, the change by moving it there is compared with that of the
    vertices around, and the spread of theirs is added. The larger the part of the surface that the faces around a
    vertex make up, the less do its neighbours say. One of each pair's vertices with the largest change stands for it.
    """
    count = len(vertices)
    pairs = np.sort(np.column_stack([faces[one], faces[other]]), axis=1)
    new = np.diff(pairs, axis=1, prepend=-1) > 0
    shared = np.bincount(pairs[new], minlength=count)
    patch = connected(count, np.repeat(pairs[:, 0], 5), pairs[:, 1:].ravel())
    origin = vertices[pairs.ravel()].mean(axis=0)
    gradient, middle = np.zeros((count, 3)), np.zeros((count, 3))
    for first in range(3):
        v, x, y = np.roll(faces, -first, axis=1).T
        a, b = vertices[x] - origin, vertices[y] - origin
        np.add.at(gradient, v, np.cross(a, b) / 6.0)
        np.add.at(middle, v, a)
    uses = np.maximum(np.bincount(faces.ravel(), minlength=count), 1)
    rise = np.einsum("ij,ij->i", gradient, vertices - origin - middle / uses[:, None])
    begin, end = np.roll(faces, -1, axis=1).ravel(), faces.ravel()
    beside = (shared[begin] > 0) & (shared[end] == 0)
    there, around = np.divmod(np.unique(patch[begin[beside]] * count + end[beside]), count)
    number = np.maximum(np.bincount(there, minlength=count), 1)
    usual = np.bincount(there, rise[around], count) / number
    spread = np.bincount(there, np.abs(rise[around] - usual[there]), count) / number
    areas = 3.0 * np.linalg.norm(gradient, axis=1)  # of the faces around
    coarse = 1.0 + 3.0 * areas / surface(vertices, faces).mass
    change = UNSURE * (np.abs(rise - usual[patch]) + spread[patch]) * coarse
    volumes = change[pairs].max(axis=1) / shared[pairs].max(axis=1) + 1e-300  # their centre is to be known
    far = np.argmax(np.linalg.norm(vertices[pairs] - vertices.mean(axis=0), axis=2), axis=1)
    places = vertices[pairs[np.arange(len(pairs)), far]]
    centre = volumes @ places / np.sum(volumes)
    offsets = places - centre
    trace = volumes @ (2.0 * areas[pairs].max(axis=1) + np.einsum("ij,ij->i", offsets, offsets))
    return MassProperties(float(np.sum(volumes)), centre, trace * np.eye(3) - offsets.T @ (volumes[:, None] * offsets))


class _Opening(NamedTuple):
    """An opening: the `loop` of vertices around it, in the direction of what closes it, and the faces `beside` it.

    `part` is the part that it belongs to.
    """

    loop: Ints
    beside: Ints
    part: int


def _loops(arcs: Ints, faces: Ints, part: Ints) -> list[_Opening]:
    """Return closed loops of vertices along directed edges (A, 2), of one face (A,) each, within parts (A,).

    As many edges of a part must lead to a vertex as lead away from it.
    """
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (begin, end), face, number in zip(arcs.tolist(), faces.tolist(), part.tolist(), strict=True):
        onward.setdefault((number, begin), []).append((end, face))
    found = []
    for number, start in list(onward):
        path, beside, place = [start], list[int](), {start: 0}
        while onward[number, path[-1]]:
            end, face = onward[number, path[-1]].pop()
            beside.append(face)
            if end not in place:
                place[end] = len(path)
                path.append(end)
                continue
            first = place[end]
            if len(path) - first > 2:
                found.append(_Opening(np.array(path[first:]), np.unique(beside[first:]), number))
            for vertex in path[first + 1 :]:
                del place[vertex]
            del path[first + 1 :], beside[first:]
    return found

"""Reads OBJ and OFF files line by line: vertices, their colours, faces; everything else is passed over.

The readers of STL in text and of PLY use its functions for lines, numbers and polygons. Polygons become triangles,
concave ones too.
"""

import io
import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, refusal, shown
from viewer.physics.solids.limits import check_faces, check_vertices

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Triangles = tuple[Array, Ints, Array | None]  # vertices (V, 3), triangles (F, 3), colours (V, 3), 0..1, if any
Line = tuple[int, list[bytes]]  # its number and its words

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MOST_LINE = 200_000  # bytes
MOST_LINES = 8_000_000  # at 7.5 bytes a line, a file is then as large as allowed; a vertex or a face takes 8 bytes
LARGEST = 10**15  # more than any number of vertices

STARTS = 8  # corners of a polygon from which a fan is tried
MOST_CORNERS = 2_000  # of a polygon that no fan fills: the time grows with the square


class Surface:
    """The vertices and faces of a file while it is read.

    `places` has the three coordinates of each vertex, one after the other. `colors` has three numbers, 0..1, for each
    vertex that has a colour.
    """

    def __init__(self) -> None:
        self.places, self.colors = array("d"), array("d")
        self._corners, self._counts, self._lines = array("q"), array("q"), array("q")
        self._faces = 0

    @property
    def count(self) -> int:
        """The number of vertices so far."""
        return len(self.places) // 3

    def add_vertex(self, line: int, words: list[bytes]) -> None:
        """Add a vertex, from the first three words."""
        self.places.extend(_three(line, words))
        check_vertices(self.count)

    def add_face(self, line: int, corners: list[int]) -> None:
        """Add a polygon, whose corners are counted from 0; one with fewer than three is ignored."""
        if len(corners) < 3:
            return
        self._faces += len(corners) - 2
        check_faces(self._faces)
        self._counts.append(len(corners))
        self._lines.append(line)
        self._corners.extend(corners)

    def finished(self) -> Triangles:
        """Return vertices and triangles, and colours if every vertex has one."""
        vertices = np.frombuffer(self.places, dtype=np.float64).reshape(-1, 3)
        corners, counts = np.frombuffer(self._corners, dtype=np.int64), np.frombuffer(self._counts, dtype=np.int64)
        if len(missing := np.flatnonzero(corners >= len(vertices))):
            face = int(np.searchsorted(np.cumsum(counts), missing[0], side="right"))
            raise _not_there(self._lines[face])
        colors = np.frombuffer(self.colors, dtype=np.float64) if len(self.colors) == len(self.places) else None
        faces = triangulated(vertices, corners, counts)
        return vertices, faces, None if colors is None else colors.reshape(-1, 3)


def read_obj(data: bytes) -> Triangles:
    """Read a Wavefront file: v with x, y, z and perhaps r, g, b; f with corners counted from 1, or back from -1."""
    found = Surface()
    for line, words in lines_of(data):
        kind = words[0].lower()
        if kind == b"v":
            found.add_vertex(line, words[1:4])
            if len(words) >= 7:
                found.colors.extend(_three(line, words[4:7]))
        elif kind == b"f":
            corners = _whole(line, [word.partition(b"/")[0] for word in words[1:]])
            if corners and min(corners) < 1:
                if 0 in corners or min(corners) < -found.count:
                    raise _not_there(line)
                corners = [corner if corner > 0 else corner + found.count + 1 for corner in corners]
            found.add_face(line, [corner - 1 for corner in corners])
    return found.finished()


def read_off(data: bytes) -> Triangles:
    """Read a Geomview file with three coordinates per vertex; whatever else vertices and faces have is ignored."""
    found, lines = Surface(), lines_of(data)
    line, words = next(lines, (0, [b""]))
    head = re.fullmatch(rb"(4?n?)(?:ST)?C?N?OFF(\d*)", words[0]) or re.fullmatch(rb"()c?off(\d*)", words[0])
    if head is None:
        raise refusal("is no OFF file: it has no header")
    if head[1] or words[1:2] == [b"BINARY"]:
        value = shown(b" ".join(words[:2]).decode(errors="replace"))
        raise refusal("its header is {value}; allowed is OFF in text, of three coordinates", value=value)
    words = ([head[2]] if head[2] else []) + words[1:]
    while len(words) < 2:
        line, more = next(lines, (0, []))
        if not more:
            raise refusal("is no OFF file: it has no header")
        words = words + more
    vertices, faces = whole(words[0]), whole(words[1])
    for count, name in ((vertices, "vertices"), (faces, "faces")):
        if 2 * count > len(data):
            raise promise(count, name, len(data))
    check_vertices(vertices)
    check_faces(faces)
    rows = (
        _regrouped(line, vertices, chain(words[3:], (word for _, more in lines for word in more)))
        if words[3:]
        else lines
    )
    for number in range(vertices):
        line, words = next(rows, (0, []))
        if not words:
            raise _ends(vertices, "vertices", number)
        found.add_vertex(line, words[:3])
    for number in range(faces):
        line, words = next(rows, (0, []))
        if not words:
            raise _ends(faces, "faces", number)
        count = _whole(line, words[:1])[0]
        corners = _whole(line, words[1 : 1 + count])
        if len(corners) < count:
            raise refusal(
                "line {line}: a face promises {count} corners; there are {there}",
                line=line,
                count=f"{count:,}",
                there=len(corners),
            )
        if corners and min(corners) < 0:
            raise _not_there(line)
        found.add_face(line, corners)
    return found.finished()


def lines_of(data: bytes) -> Iterator[Line]:
    """Yield the lines that have words, without comments; a line that ends in a backslash is joined to the next."""
    held: list[bytes] = []
    text = data.removeprefix(BYTE_ORDER_MARK).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if (count := text.count(b"\n")) > MOST_LINES:
        raise refusal("has {count} lines; allowed are at most {most}", count=f"{count:,}", most=f"{MOST_LINES:,}")
    for number, line in enumerate(io.BytesIO(text), 1):
        if b"#" in line:
            line = line.partition(b"#")[0]
        if len(line) + len(held) > MOST_LINE:
            raise refusal("line {line}: is longer than {most} bytes, the limit", line=number, most=f"{MOST_LINE:,}")
        words = line.split()
        if b"\\" in line and words[-1].endswith(b"\\"):
            held += filter(None, [*words[:-1], words[-1][:-1]])
            continue
        if held:
            words, held = held + words, []
        if words:
            yield number, words


def _regrouped(line: int, vertices: int, words: Iterator[bytes]) -> Iterator[Line]:
    """Yield the rows of an OFF file that is one line: three words for a vertex, a count and corners for a face."""
    for _ in range(vertices):
        yield line, list(islice(words, 3))
    for count in words:
        yield line, [count, *islice(words, min(max(0, _whole(line, [count])[0]), MOST_LINE))]


def _three(line: int, words: list[bytes]) -> Iterable[float]:
    if len(words) < 3:
        raise refusal("line {line}: numbers of the vertex: {count}; allowed are three", line=line, count=len(words))
    try:
        if b"_" in words[0] + words[1] + words[2]:  # Python alone takes 1_000
            raise ValueError
        return float(words[0]), float(words[1]), float(words[2])
    except ValueError:
        raise _no_number(line, words, float) from None


def _whole(line: int, words: list[bytes]) -> list[int]:
    """Return words of a face's line as whole numbers: its corners, or how many it has."""
    try:
        if any(b"_" in word for word in words):
            raise ValueError
        corners = list(map(int, words))
    except ValueError:
        raise _no_number(line, words, int) from None
    if corners and max(corners) >= LARGEST:
        raise _not_there(line)
    return corners


def whole(text: bytes) -> int:
    """Return the number that a header gives; raise InputError if it is not a whole number."""
    if not re.fullmatch(rb"\d{1,15}", text):
        raise refusal("{value} in its header is not a whole number", value=repr(text[:40])[1:])
    return int(text)


def promise(count: int, name: str, there: int) -> InputError:
    """Return the error for a header that promises more elements than the file has bytes for."""
    return refusal(
        "its header promises {count} of {name}; there are only {there} bytes",
        count=f"{count:,}", name=name[:20], there=f"{there:,}",
    )  # fmt: skip


def _no_number(line: int, words: list[bytes], kind: type[int] | type[float]) -> InputError:
    """Return the error for the first word that is not a number of this kind."""
    for word in words:
        try:
            kind(word.replace(b"_", b" "))
        except ValueError:
            break
    value = shown(word.decode(errors="replace"))
    if kind is int:
        return refusal("line {line}: {value} is not a whole number", line=line, value=value)
    if re.fullmatch(rb"[-+]?\d*,\d+(?:[eE][-+]?\d+)?", word):
        return refusal("line {line}: {value} is not a number; the decimal sign is the point", line=line, value=value)
    return refusal("line {line}: {value} is not a number", line=line, value=value)


def _not_there(line: int) -> InputError:
    return refusal("line {line}: a face has a corner that is not there", line=line)


def _ends(count: int, name: str, there: int) -> InputError:
    return refusal(
        "its header promises {count} of {name}; there are only {there}",
        count=f"{count:,}",
        name=name,
        there=f"{there:,}",
    )


def triangulated(vertices: Array, corners: Ints, counts: Ints) -> Ints:
    """Return the triangles (F, 3) of polygons, in their order: n - 2 for a polygon with n corners, wound as it is.

    `corners` (C,) are rows of `vertices` (V, 3), one polygon after the other; `counts` (P,) says how many corners each
    polygon has, at least three. If a fan of triangles fills a polygon, it is taken; otherwise triangles are cut off
    corner by corner (ears). The Newell normal tells which side of an edge is inside.
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
    """Return the corners (P, N, 2) of polygons (P, N), seen along the axes nearest to their Newell normals.

    The normals point to the viewer. Coordinates are left out or change their sign; none is rounded.
    """
    normals = np.zeros((len(rows), 3))
    origin = vertices[rows[:, 0]]
    for one, other in zip(rows.T, np.roll(rows, -1, axis=1).T, strict=True):
        normals += np.cross(vertices[one] - origin, vertices[other] - origin)
    axis = np.argmax(np.abs(normals), axis=1)
    sign = np.sign(normals[np.arange(len(rows)), axis])
    u, v = vertices[rows, (axis[:, None] + 1) % 3], vertices[rows, (axis[:, None] + 2) % 3]
    return np.stack([u * sign[:, None], v], axis=2)


def _fans(flat: Array) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the corner (P,) at which a fan of each polygon (P, N, 2) starts, and whether the fan fills it (P,).

    It is the first corner if its fan fills the polygon. A fan fills a polygon if none of its triangles is turned over.
    """
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
    """Return the triangles (N - 2, 3) of a polygon (N, 2), counter-clockwise.

    A corner is cut off if its triangle contains no other corner. If there is no such corner, because the polygon
    crosses itself or has no area, any corner is cut off.
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
    """Return whether a triangle (3, 2) turns left and contains none of the points (N, 2), other than its corners."""
    side = np.roll(ear, -1, axis=0) - ear
    if not side[0, 0] * side[1, 1] - side[0, 1] * side[1, 0] > 0.0:
        return False
    offset = others[:, None] - ear  # (N, 3, 2)
    inside = np.all(side[:, 0] * offset[:, :, 1] - side[:, 1] * offset[:, :, 0] >= 0.0, axis=1)
    return not np.any(inside & np.all(np.any(offset != 0.0, axis=2), axis=1))

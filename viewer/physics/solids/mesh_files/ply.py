"""Reads PLY files, in text and binary: places and colours of vertices, faces with any number of corners.

All else that a file holds is passed over. Polygons become triangles, concave ones too.
"""

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, Wording, refusal
from viewer.physics.solids.limits import check_faces, check_vertices
from viewer.physics.solids.mesh_files.text_formats import Array, Ints, Triangles, promise, triangulated, whole

MOST_HEADER = 20_000  # bytes
KINDS = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "float": "f4",
    "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4",
    "float32": "f4", "float64": "f8",
}  # fmt: skip
ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
CORNERS = ("vertex_indices", "vertex_index")
COLORS = ("red", "green", "blue")


class Property(NamedTuple):
    """A property of an element, its kind in numpy's letters; `counted`: that of the length of a list, else empty."""

    name: str
    kind: str
    counted: str


Column = tuple[np.dtype[Any], np.dtype[Any] | None]  # kind of the numbers of a property, and of the length of a list
Elements = dict[str, tuple[int, list[Property]]]  # number of rows, and what each holds
Table = dict[str, tuple[NDArray[Any], Ints]]  # numbers of all rows of a property, one after the other; how many in each


def read_ply(data: bytes) -> Triangles:
    """Return the triangles of a PLY file; colours of faces split the vertices.

    Raises InputError where the file is not what its header says, or has more than a body may have.
    """
    order, elements, at = _header(data)
    body = memoryview(data)[at:] if order else _doubles(data[at:])
    tables, at = dict[str, Table](vertex={}, face={}), 0
    try:
        for name, (count, properties) in elements.items():
            tables[name], at = _table(count, properties, order, body, at)
    except (TypeError, ValueError, OverflowError):  # TypeError: of a kind that there is not
        raise _damaged() from None
    if at != len(body):
        raise _damaged()
    vertex, face = tables["vertex"], tables["face"]
    for axis in "xyz":
        if axis not in vertex:
            why = Wording("{name} is missing", name=repr(axis))
            raise refusal("cannot be read as {format}: {why}", format="PLY", why=why)
    vertices = np.column_stack([vertex[axis][0] for axis in "xyz"]).astype(np.float64)
    name = next((name for name in CORNERS if name in face), "")
    corners, counts = face.get(name, (np.empty(0), np.empty(0, dtype=np.int64)))
    if corners.size and not 0 <= corners.min() <= corners.max() < len(vertices):
        raise refusal("a face has a corner that is not there")
    polygon = counts >= 3
    check_faces(int(np.sum(counts[polygon] - 2)))
    faces = triangulated(vertices, corners[np.repeat(polygon, counts)].astype(np.int64), counts[polygon])
    colors = _colors("vertex", elements, vertex)
    if colors is None and (of_faces := _colors("face", elements, face)) is not None:
        colors = np.repeat(of_faces[polygon], 3 * (counts[polygon] - 2), axis=0)
        vertices, faces = vertices[faces.ravel()], np.arange(faces.size).reshape(-1, 3)
    return vertices, faces, colors


def _damaged() -> InputError:
    return refusal("is shorter or longer than its header says")


def _header(data: bytes) -> tuple[str, Elements, int]:
    """Return numpy's letter for the order of bytes, none for a text; what the header promises; and where it ends."""
    end = re.compile(rb"end_header[ \t]*(\r\n|\r|\n)").search(data, 0, MOST_HEADER)
    if not data.startswith(b"ply") or end is None:
        raise refusal("is no PLY file: it has no header")
    order, elements, properties, left = "", Elements(), list[Property](), len(data) - end.end()
    for words in map(str.split, data[: end.start()].decode("latin-1").splitlines()):
        match words:
            case ["format", name, *_]:
                order = ORDERS.get(name, "")
            case ["element", name, number, *_]:
                if (count := whole(number.encode("latin-1"))) > left:
                    raise promise(count, name, left)
                (check_faces if name == "face" else check_vertices)(count)
                properties = []
                elements[name] = count, properties
            case ["property", "list", counted, kind, name, *_]:
                if not KINDS.get(counted, "").startswith(("i", "u")):
                    raise refusal(
                        "a list in its header is counted in {kind}; allowed are kinds of whole numbers", kind=counted
                    )
                properties.append(Property(name, KINDS.get(kind, ""), KINDS[counted]))
            case ["property", kind, name, *_]:
                properties.append(Property(name, KINDS.get(kind, ""), ""))
    return order, elements, end.end()


def _doubles(text: bytes) -> memoryview:
    """Return the numbers in a text as doubles, one after the other."""
    try:
        return np.fromstring(text, sep=" ").data.cast("B") if text.strip() else memoryview(b"")
    except ValueError:
        raise _damaged() from None


def _table(count: int, properties: list[Property], order: str, body: memoryview, at: int) -> tuple[Table, int]:
    """Return the rows of an element, whose bytes begin at `at`, and where they end; in a text all numbers are doubles.

    They are read at once where all lists are as long as those of the first row, as in most files, else one by one.
    Raises ValueError or OverflowError where they are not there.
    """
    if not (count and properties):
        return {}, at

    def stored(kind: str) -> np.dtype[Any]:
        return np.dtype(order + kind if order else "f8")

    columns = [(stored(one.kind), stored(one.counted) if one.counted else None) for one in properties]
    first, _ = _row(columns, body, at)
    fields: list[Any] = []
    for one, (kind, counted), values in zip(properties, columns, first, strict=True):
        fields += [(f"#{one.name}", counted)] if counted else []
        fields.append((one.name, kind, (len(values),)))
    lengths = {one.name: np.full(count, len(values)) for one, values in zip(properties, first, strict=True)}
    end = at + count * np.dtype(fields).itemsize
    if end <= len(body):
        rows = np.frombuffer(body, fields, count, at)
        if all(np.array_equal(rows[f"#{one.name}"], lengths[one.name]) for one in properties if one.counted):
            return {name: (rows[name].ravel(), length) for name, length in lengths.items()}, end
    each = []
    for _ in range(count):
        row, at = _row(columns, body, at)
        each.append(row)
    lists = zip(lengths, zip(*each, strict=True), strict=True)
    return {name: (np.concatenate(rows), np.array([*map(len, rows)])) for name, rows in lists}, at


def _row(columns: list[Column], body: memoryview, at: int) -> tuple[list[NDArray[Any]], int]:
    """Return the numbers of one row, an array of each property, and where its bytes end."""
    found = []
    for kind, counted in columns:
        count = 1
        if counted is not None:
            count, at = int(np.frombuffer(body, counted, 1, at)[0]), at + counted.itemsize
            if not 0 <= count <= len(body) - at:
                raise ValueError(count)
        found.append(np.frombuffer(body, kind, count, at) if count else np.empty(0))
        at += count * kind.itemsize
    return found, at


def _colors(name: str, elements: Elements, table: Table) -> Array | None:
    """Return the colours (N, 3), 0..1, of an element where it has some: bytes up to 255, or numbers up to 1."""
    kinds = {one.name: one.kind[:1] if one.kind != "u1" else "byte" for one in elements[name][1]} if table else {}
    own = {kinds.get(color) for color in COLORS}
    if own not in ({"byte"}, {"f"}):
        return None
    colors = np.column_stack([table[color][0] for color in COLORS]).astype(np.float64)
    return np.asarray(colors / 255.0 if own == {"byte"} else np.nan_to_num(colors))

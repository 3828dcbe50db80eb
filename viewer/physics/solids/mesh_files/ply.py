"""Reads PLY files, in text and binary: positions and colours of vertices, and faces with any number of corners.

Everything else in a file is passed over. Polygons become triangles, concave ones too.
"""

import re
import struct
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, Wording, refusal, shown
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
    """A property of an element; `kind` is the kind of its numbers in numpy's letters.

    If the property is a list, `counted` is the kind of the number that gives its length, else "".
    """

    name: str
    kind: str
    counted: str


Column = tuple[int, struct.Struct | None]  # the bytes of a number of a property, and the reader of the length of a list
Elements = dict[str, tuple[int, list[Property]]]  # by name: the number of rows, and the properties in each
Table = dict[str, tuple[NDArray[Any], Ints]]  # by property: the numbers of all rows in turn, and how many each row has


def read_ply(data: bytes) -> Triangles:
    """Return the triangles of a PLY file; colours of faces split the vertices.

    Raises InputError if the file is not as its header says, or has more vertices or faces than a body may have.
    """
    order, elements, at = _header(data)
    body = memoryview(data)[at:] if order else _doubles(data[at:])
    tables, at = dict[str, Table](vertex={}, face={}), 0
    try:
        for name, (count, properties) in elements.items():
            table, at = _table(count, properties, _kept(name, properties), order, body, at)
            if name in tables:
                tables[name] = table
    except (ValueError, OverflowError, struct.error):
        raise _damaged(order) from None
    if at != len(body):
        raise _damaged(order)
    vertex, face = tables["vertex"], tables["face"]
    for axis in "xyz":
        if axis not in vertex:
            why = Wording("{name} is missing", name=repr(axis))
            raise refusal("cannot be read as {format}: {why}", format="PLY", why=why)
    vertices = np.column_stack([vertex[axis][0] for axis in "xyz"]).astype(np.float64)
    name = _corners(elements["face"][1]) if face else ""
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


def _damaged(order: str) -> InputError:
    if order:
        return refusal("is shorter or longer than its header says")
    return refusal("its rows do not hold the numbers that its header promises")


def _kept(name: str, properties: list[Property]) -> set[str]:
    """Return the properties of an element that are read: positions, colours, corners; the others are passed over."""
    wanted = {"vertex": {*"xyz", *COLORS}, "face": {*COLORS}}.get(name, set())
    single = {one.name for one in properties if not one.counted}
    return wanted & single | ({_corners(properties)} if name == "face" else set())


def _corners(properties: list[Property]) -> str:
    """Return the name of the list that holds a face's corners; "" if there is none.

    It is one of CORNERS, or, if the face has only one list and that holds integers, any name.
    """
    lists = {one.name: one.kind[:1] for one in properties if one.counted}
    single = next(iter(lists)) if [*lists.values()] in (["i"], ["u"]) else ""
    return next((name for name in CORNERS if name in lists), single)


def _header(data: bytes) -> tuple[str, Elements, int]:
    """Return numpy's letter for the byte order ("" for text), the announced elements, and where the header ends."""
    end = re.compile(rb"end_header[ \t]*(\r\n|\r|\n)").search(data, 0, MOST_HEADER)
    if not data.startswith(b"ply") or end is None:
        raise refusal("is no PLY file: it has no header")
    order, elements, properties, left = "", Elements(), list[Property](), len(data) - end.end()
    promised = others = 0  # rows of all elements, and of those that are passed over
    for words in map(str.split, data[: end.start()].decode("latin-1").splitlines()):
        match words:
            case ["format", name, *_]:
                order = ORDERS.get(name, "")
            case ["element", name, number, *_]:
                if (count := whole(number.encode("latin-1"))) > left:
                    raise promise(count, name, left)
                (check_faces if name == "face" else check_vertices)(count)
                others += count if name not in ("vertex", "face") else 0
                check_vertices(others)
                promised += count
                if promised > left:
                    raise refusal(
                        "its header promises {count} rows; there are only {there} bytes",
                        count=f"{promised:,}",
                        there=f"{left:,}",
                    )
                properties = []
                elements[name] = count, properties
            case ["property", "list", counted, kind, name, *_]:
                if not KINDS.get(counted, "").startswith(("i", "u")):
                    raise refusal(
                        "a list in its header is counted in {kind}; allowed are kinds of whole numbers", kind=counted
                    )
                properties.append(Property(name, _kind(kind, order), KINDS[counted]))
            case ["property", kind, name, *_]:
                properties.append(Property(name, _kind(kind, order), ""))
    for properties in (properties for _, properties in elements.values()):
        names = [one.name for one in properties]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise refusal("its header gives the property {name} twice; allowed is once", name=shown(twice))
    return order, elements, end.end()


def _kind(kind: str, order: str) -> str:
    """Return numpy's letters for a kind of number; for an unknown kind, which a text may have, ""."""
    if order and kind not in KINDS:
        raise refusal("kind: {kind} is unknown; allowed are {kinds}", kind=shown(kind), kinds=", ".join(KINDS))
    return KINDS.get(kind, "")


def _doubles(text: bytes) -> memoryview:
    """Return the numbers in a text as doubles, one after the other."""
    try:
        return np.fromstring(text, sep=" ").data.cast("B") if text.strip() else memoryview(b"")
    except ValueError:
        raise _damaged("") from None


def _table(
    count: int, properties: list[Property], kept: set[str], order: str, body: memoryview, at: int
) -> tuple[Table, int]:
    """Return the `kept` properties of an element's rows, whose bytes begin at `at`, and where the rows end.

    If all lists are as long as those of the first row, as in most files, the rows are read at once, else one by one.
    In a text all numbers are read as doubles. Raises ValueError, OverflowError or struct.error if rows are missing.
    """
    if not (count and properties):
        return {}, at

    def stored(kind: str) -> np.dtype[Any]:
        return np.dtype(order + kind if order else "f8")

    kinds = {one.name: stored(one.kind) for one in properties}
    columns = [
        (kinds[one.name].itemsize, struct.Struct(order + stored(one.counted).char) if one.counted else None)
        for one in properties
    ]
    lengths = {one.name: many for one, (many, _, _) in zip(properties, _row(columns, body, at), strict=True)}
    fields: list[Any] = []
    for one in properties:
        fields += [(f"#{one.name}", stored(one.counted))] if one.counted else []
        fields.append((one.name, kinds[one.name], (lengths[one.name],)))
    end = at + count * np.dtype(fields).itemsize
    if end <= len(body):
        rows = np.frombuffer(body, fields, count, at)
        if all((rows[f"#{one.name}"] == lengths[one.name]).all() for one in properties if one.counted):
            return {name: (rows[name].ravel(), np.full(count, lengths[name])) for name in kept & {*kinds}}, end
    numbers = [bytearray() if one.name in kept else None for one in properties]
    counts = [array("q") for _ in properties]
    for _ in range(count):
        for values, many_of, (many, begin, end) in zip(numbers, counts, _row(columns, body, at), strict=True):
            at = end
            if values is not None:
                values += body[begin:end]
                many_of.append(many)
    return {
        one.name: (np.frombuffer(values, kinds[one.name]), np.frombuffer(many_of, dtype=np.int64))
        for one, values, many_of in zip(properties, numbers, counts, strict=True)
        if values is not None
    }, at


def _row(columns: list[Column], body: memoryview, at: int) -> Iterator[tuple[int, int, int]]:
    """Yield, for each property of a row, how many numbers it has, where their bytes begin, and where they end.

    The bytes of the row begin at `at`. Raises ValueError, OverflowError or struct.error if the row is incomplete.
    """
    for size, counted in columns:
        many = 1
        if counted is not None:
            many, at = int(counted.unpack_from(body, at)[0]), at + counted.size
        end = at + many * size
        if not at <= end <= len(body):
            raise ValueError(many)
        yield many, at, end
        at = end


def _colors(name: str, elements: Elements, table: Table) -> Array | None:
    """Return the colours (N, 3), 0..1, of an element; None if it has none.

    They are stored as whole numbers of one or two bytes, or as floats. Numbers of one byte run from 0 to 255. Those of
    two bytes run from 0 to 65535, or to 255 if none is greater.
    """
    kinds = {one.name: one.kind.rstrip("48") for one in elements[name][1] if one.name in table} if table else {}
    own = {kinds.get(color) for color in COLORS}  # "u" and "i" of four bytes are no colours
    if own not in ({"u1"}, {"u2"}, {"f"}):
        return None
    colors = np.column_stack([table[color][0] for color in COLORS]).astype(np.float64)
    if own == {"f"}:
        return np.asarray(np.nan_to_num(colors))
    return np.asarray(colors / (255.0 if colors.max(initial=0.0) <= 255.0 else 65535.0))

"""PLY files: the plainest ones without trimesh, and faces that are no triangles."""

import re
import struct
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import refusal
from viewer.physics.solids.mesh_files.text_formats import Surface, triangulated

MIXED = "unexpected length"  # so trimesh says of a binary file that mixes triangles and other polygons
NAMES = ("vertex_indices", "vertex_index")
COLORS = ("red", "green", "blue")
KINDS = {
    "char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d",
    "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "float32": "f",
    "float64": "d",
}  # fmt: skip

_PLAIN = re.compile(
    rb"ply\r?\nformat binary_little_endian 1\.0\r?\n(comment (?!TextureFile)[^\n]*\n)*"
    rb"element vertex (?P<vertices>\d{1,9})\r?\n"
    rb"(?P<properties>(property [a-z0-9]+ (x|y|z|nx|ny|nz|red|green|blue|alpha)\r?\n)+)"
    rb"element face (?P<faces>\d{1,9})\r?\n"
    rb"property list (uchar|uint8) u?int(32)? vertex_ind(ices|ex)\r?\nend_header\r?\n"
)
_TRIANGLE = np.dtype([("count", "u1"), ("corners", "<i4", 3)])


def read_triangles(data: bytes) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.uint8] | None] | None:
    """Vertices (V, 3), faces (F, 3) and colours (V, 3) of a binary PLY file of triangles and nothing else; None for any
    other: what is wrong with it is said by trimesh, which takes long to import."""
    head = _PLAIN.match(data)
    words = [line.split() for line in head["properties"].decode("ascii").splitlines()] if head else []
    kinds = {name: KINDS.get(kind, "") for _, kind, name in words}
    if head is None or len(kinds) < len(words) or "" in kinds.values() or not set("xyz") <= set(kinds):
        return None
    colors = [color for color in COLORS if color in kinds]
    vertex = np.dtype([(name, "<" + kind) for name, kind in kinds.items()])
    split = head.end() + int(head["vertices"]) * vertex.itemsize
    whole = len(data) == split + int(head["faces"]) * _TRIANGLE.itemsize
    if not whole or len(colors) not in (0, 3) or any(kinds[color] != "B" for color in colors):
        return None
    rows, faces = np.frombuffer(data[head.end() : split], vertex), np.frombuffer(data[split:], _TRIANGLE)
    corners = faces["corners"].astype(np.int64)
    if not (faces["count"] == 3).all() or not 0 <= corners.min(initial=0) <= corners.max(initial=0) < max(len(rows), 1):
        return None
    places = np.column_stack([rows[axis] for axis in "xyz"]).astype(np.float64)
    return places, corners, np.column_stack([rows[color] for color in colors]) if colors else None


def read_mixed(data: bytes) -> Surface:
    """Of a binary PLY file: places, colours of vertices where they have a byte each, and faces of any polygons.

    Raises struct.error, LookupError or ValueError where it is not what its header says, InputError of its faces.
    """
    found, end = Surface(), re.search(rb"end_header\r?\n", data)
    head, at = data[: end.end() if end else 0].decode("latin-1"), end.end() if end else 0
    order = "<" if "binary_little_endian" in head else ">"
    for element in head.split("\nelement ")[1:]:
        (name, count), *lines = (line.split() for line in element.splitlines())
        properties = [words[1:] for words in lines if words[:1] == ["property"]]
        if all(len(words) == 2 for words in properties):
            plain = {called: KINDS[kind] for kind, called in properties}
            kinds = np.dtype([(called, order + kind) for called, kind in plain.items()])
            if at + int(count) * kinds.itemsize > len(data):
                raise LookupError(at)
            rows = np.frombuffer(data, kinds, int(count), at)
            at += rows.nbytes
            if name == "vertex":
                found.places.extend(np.column_stack([rows[axis] for axis in "xyz"]).astype(np.float64).ravel())
                if all(plain.get(color) == "B" for color in COLORS):
                    found.colors.extend(np.column_stack([rows[color] for color in COLORS]).ravel() / 255.0)
            continue
        for number in range(int(count)):
            for words in properties:
                many = 1
                if words[0] == "list":
                    (many,) = struct.unpack_from(order + KINDS[words[1]], data, at)
                    at += struct.calcsize(order + KINDS[words[1]])
                kind = f"{order}{many}{KINDS[words[-2]]}"
                corners = struct.unpack_from(kind, data, at)
                at += struct.calcsize(kind)
                if name == "face" and words[-1] in NAMES:
                    if not 0 <= min(corners, default=0) <= max(corners, default=0) < found.count:
                        raise refusal("a face has a corner that is not there")
                    found.add_face(number, list(corners))
    if at != len(data):
        raise LookupError(at)
    return found


def concave_too(geometry: Any, faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the triangles (F, 3) of a `trimesh.Trimesh` from a PLY file: trimesh makes fans of all its polygons; here
    those that are not convex are right. As given where colours of faces or places in a texture hang on them.

    Raises ValueError of MIXED where faces were read as if all had as many corners as the first one.
    """
    stored = geometry.metadata.get("_ply_raw", {}).get("face", {}).get("data")
    names = () if stored is None else stored.dtype.names or () if isinstance(stored, np.ndarray) else stored
    name = next((name for name in NAMES if name in names), None)
    if name is None:
        return faces
    if isinstance(stored, np.ndarray) and np.ptp(stored[name]["f0"].astype(np.int64)):
        raise ValueError(MIXED)
    if geometry.visual.kind not in (None, "vertex"):
        return faces
    rows = stored[name]["f1"] if isinstance(stored, np.ndarray) else stored[name]
    counts = np.fromiter(map(len, rows), dtype=np.int64)
    if counts.size == 0 or counts.max() <= 3 or counts.min() < 3:
        return faces
    corners = np.fromiter(chain.from_iterable(rows), dtype=np.int64)
    if not 0 <= corners.min() <= corners.max() < len(geometry.vertices):
        return faces
    return triangulated(np.asarray(geometry.vertices, dtype=np.float64), corners, counts)

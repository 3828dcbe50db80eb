"""Reads STL files, in text and binary: the corners of the facets; names, normals and attributes are passed over."""

import numpy as np

from viewer.common.errors import refusal
from viewer.physics.solids.limits import check_faces
from viewer.physics.solids.mesh_files.text_formats import Surface, Triangles, lines_of

HEAD = 84  # bytes, of which the last four are the number of facets
FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_stl(data: bytes) -> Triangles:
    """Return vertices, triangles and no colours; each facet has three vertices of its own."""
    count = int.from_bytes(data[80:HEAD], "little")
    promised = HEAD + FACET.itemsize * count
    if len(data) != promised and _is_text(data):
        return _read_text(data)
    if len(data) < HEAD:
        raise refusal("is no STL file: it ends in its header")
    if len(data) != promised:
        raise refusal(
            "its header promises {count} faces, {bytes} bytes; there are {there}",
            count=f"{count:,}", bytes=f"{promised:,}", there=f"{len(data):,}",
        )  # fmt: skip
    check_faces(count)
    corners = np.frombuffer(data, FACET, count, HEAD)["corners"]
    return corners.reshape(-1, 3).astype(np.float64), np.arange(3 * count).reshape(-1, 3), None


def _is_text(data: bytes) -> bool:
    """Return whether the file begins with "solid" and has a facet, as the text form does."""
    head = data[:2000].lower()
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(b"solid") and (b"facet" in head or b"endsolid" in head) and b"\0" not in head


def _read_text(data: bytes) -> Triangles:
    found, line, inside, within = Surface(), 0, 0, False
    for line, words in lines_of(data):
        kind = words[0].lower()
        if kind == b"vertex":
            found.add_vertex(line, words[1:4])
            inside += 1
        elif kind == b"endloop":
            if inside != 3:
                raise refusal("line {line}: vertices of the facet: {count}; allowed are three", line=line, count=inside)
            found.add_face(line, [found.count - 3, found.count - 2, found.count - 1])
            inside = 0
        elif kind in (b"facet", b"endfacet"):
            within = kind == b"facet"
    if within:
        raise refusal("line {line}: the file ends within a facet", line=line)
    return found.finished()

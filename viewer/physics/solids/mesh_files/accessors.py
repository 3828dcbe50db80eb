"""Numbers in the binary part of a GLB file: that they are there, and as the loader can read them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
FLOAT, WHOLE = 5126, 5125
TRIANGLES, FAN = 4, 6  # how a primitive's corners make its triangles

Tree = dict[str, Any]


def check_views(tree: Tree, binary: bytes) -> None:
    """Raises ValueError where a part of the file, or numbers in it, would reach past its end."""
    for number, view in enumerate(tree.get("bufferViews", ())):
        start, length = view.get("byteOffset", 0), view["byteLength"]
        if not 0 <= start <= start + length <= len(binary):
            raise ValueError(f"buffer view {number} asks for bytes {start:,} to {start + length:,} of {len(binary):,}")
    for number, accessor in enumerate(tree["accessors"]):
        if "bufferView" in accessor and accessor["count"] > 0:
            size = SIZES[accessor["type"]] * np.dtype(KINDS[accessor["componentType"]]).itemsize
            view = tree["bufferViews"][accessor["bufferView"]]
            end = accessor.get("byteOffset", 0) + (accessor["count"] - 1) * view.get("byteStride", size) + size
            if end > view["byteLength"]:
                raise ValueError(f"accessor {number} asks for {end:,} bytes of {view['byteLength']:,}")


def with_plain_numbers(tree: Tree, binary: bytes) -> bytes:
    """The binary part, and behind it what the loader does not read: positions, places in textures and corners that are
    normalised integers or sparse, and the corners of fans, as triangles; the tree names these then."""
    parts = [part for mesh in tree.get("meshes", ()) for part in mesh["primitives"]]
    fans = [(part, _fan(tree, binary, part)) for part in parts if part.get("mode", TRIANGLES) == FAN]
    for part, corners in fans:
        tree["accessors"].append({"componentType": WHOLE, "type": "SCALAR", "count": corners.size})
        part |= {"mode": TRIANGLES, "indices": len(tree["accessors"]) - 1}
    of_fans = {part["indices"]: corners for part, corners in fans}
    used = {part["indices"] for part in parts if "indices" in part}
    used |= {accessor for part in parts for name, accessor in part["attributes"].items()
             if name == "POSITION" or name.startswith("TEXCOORD_")}  # fmt: skip
    binary += b"\0" * (-len(binary) % 4)
    pieces, end = [binary], len(binary)
    for number in sorted(used):
        accessor = tree["accessors"][number]
        if number not in of_fans and "sparse" not in accessor and not accessor.get("normalized"):
            continue
        values = of_fans[number] if number in of_fans else _values(tree, binary, accessor)
        if accessor.get("normalized") and np.issubdtype(values.dtype, np.integer):
            values = np.maximum(values / np.iinfo(values.dtype).max, -1.0).astype("<f4")
            accessor["componentType"] = FLOAT
        for name in ("normalized", "sparse", "byteOffset", "min", "max"):
            accessor.pop(name, None)
        data = values.tobytes()
        accessor["bufferView"] = len(tree.setdefault("bufferViews", []))
        tree["bufferViews"].append({"buffer": 0, "byteOffset": end, "byteLength": len(data)})
        pieces += [data, bytes(-len(data) % 4)]
        end += len(data) + -len(data) % 4
    if len(pieces) > 1:
        tree["buffers"][0]["byteLength"] = end
    return b"".join(pieces)


def _fan(tree: Tree, binary: bytes, part: Tree) -> NDArray[np.uint32]:
    """The corners of its triangles, (N, 3), which all have the first of the fan's."""
    if "indices" in part:
        corners = _values(tree, binary, tree["accessors"][part["indices"]])[:, 0].astype("<u4")
    else:
        corners = np.arange(tree["accessors"][part["attributes"]["POSITION"]]["count"], dtype="<u4")
    first = np.repeat(corners[:1], max(len(corners) - 2, 0))
    return np.stack([first, corners[1:-1], corners[2:]], axis=1)


def _values(tree: Tree, binary: bytes, accessor: Tree) -> NDArray[Any]:
    """(N, numbers) as they are stored, the sparse ones put in."""
    count, width, kind = accessor["count"], SIZES[accessor["type"]], KINDS[accessor["componentType"]]
    if "bufferView" in accessor:
        values = _rows(tree, binary, accessor, kind, count, width).copy()
    else:
        values = np.zeros((count, width), dtype=kind)
    if sparse := accessor.get("sparse"):
        if not 0 <= sparse["count"] <= count:
            raise ValueError(f"{sparse['count']} of {count} numbers are sparse")
        where, new = sparse["indices"], sparse["values"]
        rows = _rows(tree, binary, where, KINDS[where["componentType"]], sparse["count"], 1)
        values[rows[:, 0]] = _rows(tree, binary, new, kind, sparse["count"], width)
    return values


def _rows(tree: Tree, binary: bytes, place: Tree, kind: str, count: int, width: int) -> NDArray[Any]:
    view = tree["bufferViews"][place["bufferView"]]
    item = np.dtype(kind).itemsize
    start = view.get("byteOffset", 0) + place.get("byteOffset", 0)
    strides = view.get("byteStride", item * width), item
    return np.ndarray((count, width), kind, binary, start, strides)

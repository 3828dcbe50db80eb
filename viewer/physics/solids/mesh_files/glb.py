"""Checks a GLB file before it is loaded: that it does not ask for too much, and names no other file."""

import contextlib
import io
import json
import struct
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.errors import InputError, Wording, refusal, shown
from viewer.physics.solids.limits import MOST_FACES

MOST_JSON = 4_000_000  # bytes
MOST_NODES = 10_000
MOST_PIXELS = 16_777_216  # of all textures together: 4096 x 4096
COMPRESSED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression")
QUANTIZED = "KHR_mesh_quantization"
INSTANCES = "EXT_mesh_gpu_instancing"
SKINNED = Wording("its bones are not read: the mesh is in its bind pose")
NOT_NEEDED = ("KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_xmp_")  # for the shape


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress a loader's warnings and log messages inside the block."""
    import logging  # here: 3 ms of every start

    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def checked(data: bytes) -> tuple[bytes, tuple[Wording, ...]]:
    """Return the bytes of a GLB file without references to other files, and notes on what is not read.

    Raises InputError if the file has anything that is not allowed.
    """
    try:
        tree, binary = _chunks(data)
        _check_extensions(tree)
        _check_meshes(tree)
        _check_nodes(tree)
        check_views(tree, binary)
        _strip(tree)
        binary = with_plain_numbers(tree, binary)
        notes = _drop_images(tree, binary)
    except InputError:
        raise
    except struct.error:
        raise refusal("is no GLB file: it ends too early") from None
    except RecursionError:
        raise refusal("is no GLB file: its parts are nested too deeply") from None
    except KeyError as error:
        raise refusal("is no GLB file: {name} is missing", name=shown(error.args[0])) from None
    except IndexError:
        raise refusal("is no GLB file: it names a part that is not there") from None
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise refusal("is no GLB file: {why}", why=" ".join(str(error).split())[:120]) from None
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    skinned = any("skin" in node and "mesh" in node for node in tree.get("nodes", ()))
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks, ((SKINNED,) if skinned else ()) + notes


def _chunks(data: bytes) -> tuple[dict[str, Any], bytes]:
    magic, version, _ = struct.unpack_from("<4sII", data)
    if magic != b"glTF" or version != 2:
        raise ValueError("it does not begin with glTF 2")
    length, kind = struct.unpack_from("<I4s", data, 12)
    if kind != b"JSON" or length > min(MOST_JSON, len(data) - 20):
        raise ValueError(f"its first part has {length:,} bytes")
    tree = json.loads(data[20 : 20 + length])
    if not isinstance(tree, dict):
        raise ValueError("its first part is no table")
    rest, binary = 20 + length, b""
    if len(data) >= rest + 8:
        length, kind = struct.unpack_from("<I4s", data, rest)
        if kind != b"BIN\0" or length > len(data) - rest - 8:
            raise ValueError(f"its second part promises {length:,} bytes")
        binary = data[rest + 8 : rest + 8 + length]
    return tree, binary


def _check_extensions(tree: dict[str, Any]) -> None:
    """Refuse extensions and morph weights that would change the shape, as they are not read."""
    required = tree.get("extensionsRequired", ())
    for name in (*required, *tree.get("extensionsUsed", ())):
        if name in COMPRESSED:
            raise refusal("is compressed by {name}; allowed is a GLB without it", name=name)
    nodes, meshes = tree.get("nodes", ()), tree.get("meshes", ())
    found = [shown(name) for name in required if name != QUANTIZED and not name.startswith(NOT_NEEDED)]
    found += [INSTANCES for node in nodes if INSTANCES in node.get("extensions", ())]
    found += ["morph weights" for part in (*nodes, *meshes) if any(part.get("weights", ()))]
    if found:
        raise refusal("has {name}, not read here; allowed is a GLB without it", name=found[0])


def _check_meshes(tree: dict[str, Any]) -> None:
    """Refuse too many numbers in all accessors together, and too many faces.

    The faces of a mesh count once for every node that uses it.
    """
    if any("uri" in buffer for buffer in tree.get("buffers", ())):
        raise refusal("has its data in another file; allowed is a GLB that holds it")
    accessors = tree.setdefault("accessors", [])
    total = 0
    for accessor in accessors:
        count = accessor["count"]
        if not isinstance(count, int) or count < 0:
            raise ValueError(f"a count is {count}")
        total += count * SIZES[accessor["type"]]
    if total > 12 * MOST_FACES:
        raise refusal(
            "asks for {count} numbers; allowed are at most {most}", count=f"{total:,}", most=f"{12 * MOST_FACES:,}"
        )
    sizes = []
    for mesh in tree.get("meshes", ()):
        used = [part.get("indices", part["attributes"]["POSITION"]) for part in mesh["primitives"]]
        sizes.append(sum(accessors[number]["count"] for number in used))
    corners = sum(sizes[node["mesh"]] for node in tree.get("nodes", ()) if "mesh" in node)
    if corners > 3 * MOST_FACES or sum(sizes) > 3 * MOST_FACES:
        raise refusal(
            "has {count} faces; allowed are at most {most}",
            count=f"{max(corners, sum(sizes)) // 3:,}",
            most=f"{MOST_FACES:,}",
        )


def _check_nodes(tree: dict[str, Any]) -> None:
    """Refuse too many nodes, nodes with two parents, which would multiply the meshes, and an undefined scene."""
    nodes = tree.get("nodes", ())
    children = [child for node in nodes for child in node.get("children", ())]
    if len(nodes) > MOST_NODES:
        raise ValueError(f"it has {len(nodes):,} nodes")
    if len(set(children)) < len(children):
        raise ValueError("a node has two parents")
    scene, scenes = tree.get("scene", 0), tree.get("scenes", ())
    if "scenes" in tree and not 0 <= scene < len(scenes):
        raise ValueError(f"it names scene {scene}; there are {len(scenes)}")


def _strip(tree: dict[str, Any]) -> None:
    """Remove what would be fetched, decoded or passed to a handler; all of it concerns only the looks."""
    for image in tree.get("images", ()):
        image.pop("uri", None)
    for material in tree.get("materials", ()):
        material.pop("extensions", None)
    for texture in tree.get("textures", ()):
        texture.pop("extensions", None)
    for mesh in tree.get("meshes", ()):
        for part in mesh["primitives"]:
            part.pop("extensions", None)


def _drop_images(tree: dict[str, Any], binary: bytes) -> tuple[Wording, ...]:
    """Leave out textures that are no pictures, and all if their headers say that they have too many pixels."""
    import PIL.Image

    pixels = 0
    images = [image for image in tree.get("images", ()) if "bufferView" in image]
    for image in images:
        view = tree["bufferViews"][image["bufferView"]]
        start = view.get("byteOffset", 0)
        try:
            with quiet(), PIL.Image.open(io.BytesIO(binary[start : start + view["byteLength"]])) as picture:
                pixels += picture.width * picture.height
        except (OSError, SyntaxError, PIL.Image.DecompressionBombError):
            image.pop("bufferView")
    if pixels <= MOST_PIXELS:
        return ()
    for image in images:
        image.pop("bufferView", None)
    said = Wording(
        "its textures have {count} pixels and are not read; at most {most} are allowed",
        count=f"{pixels:,}",
        most=f"{MOST_PIXELS:,}",
    )
    return (said,)


SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
FLOAT, WHOLE = 5126, 5125
TRIANGLES, FAN = 4, 6  # how a primitive's corners make its triangles

Tree = dict[str, Any]


def check_views(tree: Tree, binary: bytes) -> None:
    """Raise ValueError if a buffer view reaches past the end of the file, or an accessor past the end of its view."""
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
    """Rewrite numbers that the loader does not read: append plain ones to the binary part, and change the tree.

    They are positions, texture coordinates and indices of corners that are normalised integers or sparse, and the
    corners of fans, which become triangles. Returns the new binary part.
    """
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
    """Return the corners (N, 3) of a fan's triangles, which all begin with the fan's first corner."""
    if "indices" in part:
        corners = _values(tree, binary, tree["accessors"][part["indices"]])[:, 0].astype("<u4")
    else:
        corners = np.arange(tree["accessors"][part["attributes"]["POSITION"]]["count"], dtype="<u4")
    first = np.repeat(corners[:1], max(len(corners) - 2, 0))
    return np.stack([first, corners[1:-1], corners[2:]], axis=1)


def _values(tree: Tree, binary: bytes, accessor: Tree) -> NDArray[Any]:
    """Return the numbers of an accessor, (count, width), as they are stored, with sparse ones filled in."""
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

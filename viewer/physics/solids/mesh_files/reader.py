"""Reads mesh files: STL, OBJ, PLY and OFF by readers of our own, GLB by trimesh after a check.

Nothing that a file refers to is opened or fetched, archives are not read, and bytes, faces and pixels are limited.
"""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from viewer.common import input_files
from viewer.common.color import linear_from_srgb, srgb_from_linear
from viewer.common.errors import InputError, Wording, allowed_names, prefixed, refusal, shown
from viewer.physics.solids import limits
from viewer.physics.solids.limits import SUFFIXES
from viewer.physics.solids.mesh_files import glb, ply, stl, text_formats
from viewer.physics.solids.mesh_files.text_formats import Triangles

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]

PLAIN = (200, 200, 200)  # sRGB of a mesh without colours, if other meshes in the file have some
READERS: dict[str, Callable[[bytes], Triangles]] = {
    ".obj": text_formats.read_obj,
    ".off": text_formats.read_off,
    ".ply": ply.read_ply,
    ".stl": stl.read_stl,
}
LARGEST = 1e30  # units of the file: products of a few of them stay finite


@dataclass(frozen=True, eq=False)
class Appearance:
    """The looks of a mesh; a field is None if the mesh has no such thing.

    `colors` (V, 3) are sRGB, 0..255; `uv` (V, 2) are coordinates in `texture` (H, W, 3), whose first row has v = 1.
    """

    colors: Bytes | None = None
    uv: Array | None = None
    texture: Bytes | None = None


def appearance_of(geometry: Any) -> tuple[Array, NDArray[np.int64], Appearance]:
    """Return vertices (V, 3), faces (F, 3) and looks of a `trimesh.Trimesh` from a GLB file.

    In a GLB file the colours of vertices and materials are linear light, while textures are sRGB.
    """
    vertices = np.asarray(geometry.vertices, dtype=np.float64)
    faces = np.asarray(geometry.faces, dtype=np.int64)
    visual, kind = geometry.visual, geometry.visual.kind
    if kind == "vertex":
        return vertices, faces, Appearance(_srgb(np.asarray(visual.vertex_colors)[:, :3]))
    if kind == "texture":
        return vertices, faces, _material(visual, len(vertices))
    return vertices, faces, Appearance()


def _material(visual: Any, count: int) -> Appearance:
    """Return the looks of a material: its texture or its vertex colours, times the base colour, or that alone."""
    material = visual.material
    factor = getattr(material, "baseColorFactor", None)
    tint = np.ones(3) if factor is None else np.asarray(factor, dtype=np.float64)[:3] / 255.0
    own = visual.vertex_attributes.get("color") if hasattr(visual, "vertex_attributes") else None
    picture, uv = getattr(material, "baseColorTexture", None), visual.uv
    if picture is not None and uv is not None and np.shape(uv) == (count, 2) and np.all(np.isfinite(uv)):
        try:
            texture = np.asarray(picture.convert("RGB"), dtype=np.uint8)
        except (OSError, SyntaxError, ValueError):  # it is damaged: the body is shown without it
            return Appearance()
        if np.any(tint != 1.0):
            texture = _bytes(srgb_from_linear(linear_from_srgb(texture / 255.0) * tint))
        return Appearance(None, np.asarray(uv, dtype=np.float64), texture)
    if own is not None and np.shape(own)[:1] == (count,) and np.shape(own)[1] >= 3:
        scale = 1.0 if np.issubdtype(np.asarray(own).dtype, np.floating) else float(np.iinfo(np.asarray(own).dtype).max)
        return Appearance(_bytes(srgb_from_linear(np.asarray(own, dtype=np.float64)[:, :3] / scale * tint)))
    if factor is None:
        return Appearance()
    return Appearance(_srgb(np.tile(np.rint(tint * 255.0), (count, 1))))


def joined(looks: list[Appearance], counts: list[int]) -> Appearance:
    """Return the looks of several meshes as one: a single texture is kept, several are turned into vertex colours."""
    if len(looks) == 1:
        return looks[0]
    if all(look.texture is None and look.colors is None for look in looks):
        return Appearance()
    uvs = [look.uv for look in looks if look.uv is not None]
    if len(uvs) == len(looks) and all(_same(look.texture, looks[0].texture) for look in looks[1:]):
        return Appearance(None, np.concatenate(uvs), looks[0].texture)
    return Appearance(np.concatenate([_flat(look, count) for look, count in zip(looks, counts, strict=True)]))


def _same(one: Bytes | None, other: Bytes | None) -> bool:
    return one is not None and other is not None and np.array_equal(one, other)


def _flat(look: Appearance, count: int) -> Bytes:
    """Return the colours of the vertices (V, 3): their own, or those of the texture, or PLAIN."""
    if look.colors is not None:
        return look.colors
    if look.texture is None or look.uv is None:
        return np.tile(np.array(PLAIN, dtype=np.uint8), (count, 1))
    height, width = look.texture.shape[:2]
    u, v = (look.uv % 1.0).T
    colors: Bytes = look.texture[
        np.minimum(((1.0 - v) * height).astype(int), height - 1), np.minimum((u * width).astype(int), width - 1)
    ]
    return colors


def _srgb(linear: NDArray[Any]) -> Bytes:
    """Return linear light, 0..255, as sRGB."""
    return _bytes(srgb_from_linear(linear / 255.0))


def _bytes(colors: Array) -> Bytes:
    return np.rint(255.0 * np.clip(colors, 0.0, 1.0)).astype(np.uint8)


class MeshFile(NamedTuple):
    """The mesh in a file: `vertices` (V, 3) in the file's unit and `faces` (F, 3), as stored, and its looks.

    `unit` is the unit that the format prescribes, None if it prescribes none; `notes` say what is not read.
    """

    vertices: Array
    faces: NDArray[np.int64]
    appearance: Appearance
    unit: str | None
    notes: tuple[Wording, ...] = ()


def read_mesh(path: str | os.PathLike[str]) -> MeshFile:
    """Return the mesh in a file. Raises InputError if the file is no mesh file, too large, or damaged."""
    if not os.fspath(path):
        raise refusal("mesh: '' is the name of no file; allowed are {allowed}", allowed=", ".join(SUFFIXES))
    name, suffix = input_files.name_shown(path), Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise refusal("{name}: is no mesh file; {allowed}", name=name, allowed=allowed_names(suffix, SUFFIXES))
    data = input_files.read_bytes(path, limits.MOST_BYTES)
    try:
        if not data.strip():
            raise refusal("is empty")
        with np.errstate(all="ignore"):  # numbers that are not finite are refused below
            found = _read(data, suffix)
        _check(found)
    except InputError as error:
        raise prefixed(f"{name}: ", error) from None
    if len(found.faces) == 0:
        raise refusal("{file}: has no triangles", file=name)
    return found


def _read(data: bytes, suffix: str) -> MeshFile:
    if suffix == ".glb":
        data, notes = glb.checked(data)
        return _loaded(data)._replace(notes=notes)
    vertices, faces, colors = READERS[suffix](data)
    return MeshFile(vertices, faces, Appearance() if colors is None else Appearance(_bytes(colors)), None)


def _loaded(data: bytes) -> MeshFile:
    """Return the mesh that trimesh reads from the bytes of a GLB file; whatever it raises becomes an InputError."""
    import trimesh  # here: it takes long to import

    try:
        with glb.quiet():
            scene = trimesh.load_scene(io.BytesIO(data), file_type="glb", resolver=None, process=False)
            return _collected(scene)
    except InputError:
        raise
    except Exception as error:  # it may be any: the loader does not check what it reads
        what = " ".join(str(error).split())
        what = what if len(what) <= 120 else what[:117] + "..."
        why = Wording("{name} is missing", name=what) if isinstance(error, KeyError) else what or type(error).__name__
        raise refusal("cannot be read as {format}: {why}", format="GLB", why=why) from None


def _collected(scene: Any) -> MeshFile:
    """Return all meshes of a scene as one, each at the position that its nodes give it."""
    import trimesh

    placed = []
    for node in scene.graph.nodes_geometry:
        matrix, name = scene.graph[node]
        geometry = scene.geometry[name]
        if isinstance(geometry, trimesh.Trimesh) and len(geometry.faces):
            placed.append((np.asarray(matrix, dtype=np.float64), geometry))
    limits.check_faces(sum(len(geometry.faces) for _, geometry in placed))
    vertices, faces, looks, count = [], [], [], 0
    for matrix, geometry in placed:
        own, corners, look = appearance_of(geometry)
        if own.ndim != 2 or own.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
            raise refusal("its vertices or faces are not rows of three")
        if corners.size and not 0 <= int(corners.min()) <= int(corners.max()) < len(own):
            raise refusal("a face has a corner that is not there")
        if np.linalg.det(matrix[:3, :3]) < 0.0:  # a mirror turns the winding over
            corners = corners[:, ::-1]
        still = np.array_equal(matrix, np.eye(4))
        vertices.append(own if still else own @ matrix[:3, :3].T + matrix[:3, 3])
        faces.append(corners + count)
        looks.append(look)
        count += len(own)
    if not placed:
        return MeshFile(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64), Appearance(), "m")
    return MeshFile(np.concatenate(vertices), np.concatenate(faces), joined(looks, [len(v) for v in vertices]), "m")


def _check(found: MeshFile) -> None:
    used = found.vertices[found.faces.ravel()]
    if not np.all(np.abs(used) <= LARGEST):
        row = int(found.faces.ravel()[int(np.argmin(np.all(np.abs(used) <= LARGEST, axis=1)))])
        value = found.vertices[row].tolist()
        raise refusal(
            "vertex {number} is {value}; allowed are numbers from -1e30 to 1e30", number=row + 1, value=shown(value)
        )

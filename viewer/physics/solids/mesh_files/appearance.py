"""How a mesh from a file looks: colours of its vertices, or one texture."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common.color import linear_from_srgb, srgb_from_linear

Array = NDArray[np.float64]
Bytes = NDArray[np.uint8]

PLAIN = (200, 200, 200)  # sRGB of what has no colour beside what has one


@dataclass(frozen=True, eq=False)
class Appearance:
    """`colors` (V, 3) sRGB, 0..255; `uv` (V, 2) in `texture` (H, W, 3), whose first row has v = 1. None: none."""

    colors: Bytes | None = None
    uv: Array | None = None
    texture: Bytes | None = None


def appearance_of(geometry: Any, linear: bool) -> tuple[Array, NDArray[np.int64], Appearance]:
    """Vertices (V, 3), faces (F, 3) and looks of a `trimesh.Trimesh`; colours of faces split its vertices.

    `linear`: colours of vertices and materials are linear light, as in GLB, not sRGB; textures are sRGB always.
    """
    vertices = np.asarray(geometry.vertices, dtype=np.float64)
    faces = np.asarray(geometry.faces, dtype=np.int64)
    visual, kind = geometry.visual, geometry.visual.kind
    if kind == "face":
        colors = np.repeat(np.asarray(visual.face_colors)[:, :3], 3, axis=0)
        return vertices[faces.ravel()], np.arange(3 * len(faces)).reshape(-1, 3), Appearance(_srgb(colors, linear))
    if kind == "vertex":
        return vertices, faces, Appearance(_srgb(np.asarray(visual.vertex_colors)[:, :3], linear))
    if kind == "texture":
        return vertices, faces, _material(visual, len(vertices), linear)
    return vertices, faces, Appearance()


def _material(visual: Any, count: int, linear: bool) -> Appearance:
    """Base colour and its texture; where vertices have colours of their own, too, these are multiplied."""
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
    return Appearance(_srgb(np.tile(np.rint(tint * 255.0), (count, 1)), linear))


def joined(looks: list[Appearance], counts: list[int]) -> Appearance:
    """Of several meshes with these numbers of vertices: one texture stays, several become colours of the vertices."""
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
    """Colours of the vertices (V, 3), from the texture where there is one."""
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


def _srgb(colors: NDArray[Any], linear: bool) -> Bytes:
    return _bytes(srgb_from_linear(colors / 255.0)) if linear else np.asarray(colors, dtype=np.uint8)


def _bytes(colors: Array) -> Bytes:
    return np.rint(255.0 * np.clip(colors, 0.0, 1.0)).astype(np.uint8)

"""Writes glTF 2.0 files (.glb): meshes, materials, nodes and animations in one file."""

import io
import json
import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.common import __version__
from viewer.common.color import Color, linear_from_srgb
from viewer.export.gltf.surfaces import Surface

Array = NDArray[np.float64]
Track = tuple[int, str, Array]  # a node, what of it moves, and its keys

LOOKS = {"paint": (0.0, 0.45), "wood": (0.0, 0.7), "metal": (1.0, 0.35), "paper": (0.0, 0.95)}  # metallic, roughness
FLOAT, UNSIGNED, ARRAYS, INDICES = 5126, 5125, 34962, 34963  # of glTF


class GlbWriter:
    """Gathers nodes, meshes, materials and animations; `data` is the file."""

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {"asset": {"version": "2.0", "generator": f"Poinsot {__version__}"}}
        self._binary = bytearray()

    def add(self, kind: str, **fields: Any) -> int:
        """Add an entry to a list of the file, such as "nodes", and return its index there."""
        entries = self.tree.setdefault(kind, [])
        entries.append({name: value for name, value in fields.items() if value not in (None, [], {})})
        return len(entries) - 1

    def values(self, rows: NDArray[Any], shape: str, target: int | None = None, bounds: bool = False) -> int:
        """Add numbers, (N,) or (N, k), and return the index of their accessor."""
        kind = UNSIGNED if rows.dtype.kind in "iu" else FLOAT
        rows = np.ascontiguousarray(rows, dtype="<u4" if kind == UNSIGNED else "<f4")
        flat = rows.reshape(len(rows), -1)
        limits = {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()} if bounds else {}
        view = self.view(rows.tobytes(), target)
        return self.add("accessors", bufferView=view, componentType=kind, count=len(rows), type=shape, **limits)

    def view(self, data: bytes, target: int | None = None) -> int:
        """Add bytes and return the index of their buffer view."""
        self._binary += b"\0" * (-len(self._binary) % 4)
        view = self.add("bufferViews", buffer=0, byteLength=len(data), target=target)
        self.tree["bufferViews"][view]["byteOffset"] = len(self._binary)
        self._binary += data
        return view

    def material(self, name: str, color: Color, alpha: float = 1.0, look: str = "paint", **fields: Any) -> int:
        """Add a material of a colour in sRGB."""
        metallic, roughness = LOOKS[look]
        light = [*linear_from_srgb(np.array(color)).tolist(), alpha]
        shading: dict[str, Any] = {"baseColorFactor": light, "metallicFactor": metallic, "roughnessFactor": roughness}
        shading |= {"baseColorTexture": {"index": fields.pop("texture")}} if "texture" in fields else {}
        mode = {"alphaMode": "BLEND", "doubleSided": True} if alpha < 1.0 else {}
        return self.add("materials", name=name, pbrMetallicRoughness=shading, **mode, **fields)

    def texture(self, pixels: NDArray[np.uint8]) -> int:
        """Add a picture (H, W, 3) in sRGB as a texture."""
        from PIL import Image

        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        image = self.add("images", bufferView=self.view(file.getvalue()), mimeType="image/png")
        return self.add("textures", source=image)

    def mesh(self, name: str, parts: Sequence[Surface], material: int) -> int:
        """Add a mesh of one or several surfaces."""
        primitives = []
        for part in parts:
            attributes = {
                "POSITION": self.values(part.points, "VEC3", ARRAYS, bounds=True),
                "NORMAL": self.values(part.normals, "VEC3", ARRAYS),
            }
            if part.colors is not None:
                attributes["COLOR_0"] = self.values(part.colors, "VEC3", ARRAYS)
            if part.uv is not None:
                attributes["TEXCOORD_0"] = self.values(part.uv, "VEC2", ARRAYS)
            corners = self.values(part.corners.ravel(), "SCALAR", INDICES)
            primitives.append({"attributes": attributes, "indices": corners, "material": material})
        return self.add("meshes", name=name, primitives=primitives)

    def animation(self, name: str, times: Array, tracks: Sequence[Track]) -> None:
        """Add an animation; a track is a node, what of it moves ("rotation" is xyzw), and the keys at the times."""
        clock = self.values(times, "SCALAR", bounds=True)
        samplers, channels = list[dict[str, Any]](), list[dict[str, Any]]()
        for node, path, keys in tracks:
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            samplers.append({"input": clock, "output": self.values(keys, f"VEC{keys.shape[1]}")})
        self.add("animations", name=name, samplers=samplers, channels=channels)

    def data(self) -> bytes:
        """Return the file."""
        self._binary += b"\0" * (-len(self._binary) % 4)
        self.tree["buffers"] = [{"byteLength": len(self._binary)}]
        text = json.dumps(self.tree, separators=(",", ":"), ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(self._binary)
        head = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON") + text
        return head + struct.pack("<I4s", len(self._binary), b"BIN\0") + bytes(self._binary)


def xyzw(turns: Array) -> Array:
    """Return quaternions (N, 4) or (4,) in glTF's order, neighbours on one hemisphere."""
    rows = np.atleast_2d(turns)
    flips = np.append(0, np.cumsum(np.sum(rows[1:] * rows[:-1], axis=1) < 0.0))
    return np.asarray(np.roll(np.where(flips % 2 == 1, -1.0, 1.0)[:, None] * rows, -1, axis=1).reshape(turns.shape))

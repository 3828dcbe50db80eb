"""A body made of triangles, as a page draws it: the surface of `render/mesh_surface.py` in base64."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.render import mesh_cuts
from viewer.render.mesh_surface import mesh_surface

Array = NDArray[np.float64]


def mesh_data(mesh: TriangleMesh, half_extents: Array) -> dict[str, Any]:
    """Return a mesh with these half extents (3,) [m] in plain values, as `MeshSurface` has it.

    In base64, little-endian: `triangles` (F, 3, 4) float32; `paint` (F, 3, 4) uint8 or null, of a texture its colours
    at the corners; `edges`, the ends (E, 6) float32 in m of each edge, and `links` (E, 2) int32, its faces. The first
    `sharp` edges are sharp, and the others are drawn before a gap of `gap` m. `marks` has places and rooms (2, 6, 3) m;
    `cuts` the rows (N, 3, 4) and the kinds (N,) of `mesh_cuts.uniforms`.
    """
    surface = mesh_surface(mesh, half_extents)
    edges, paint = surface.edges, surface.paint
    if paint is not None and mesh.texture is not None and mesh.uv is not None:
        height, width, _ = mesh.texture.shape
        across, up = (np.mod(paint[..., axis], 1.0) for axis in (0, 1))
        rows, columns = ((1.0 - up) * (height - 1)).astype(int), (across * (width - 1)).astype(int)
        paint = np.concatenate([mesh.texture[rows, columns] / 255.0, np.ones((*rows.shape, 1))], axis=2)
    held = mesh_cuts.uniforms(surface.cuts)
    count = int(str(held["cuts"]))
    return {
        "triangles": _text(surface.triangles, "<f4"),
        "paint": None if paint is None else _text(np.round(255.0 * paint), "u1"),
        "edges": _text(edges.rows[:, :6], "<f4"),
        "links": _text(edges.faces, "<i4"),
        "sharp": edges.sharp,
        "gap": float(np.max(edges.rows[:, 6], initial=0.0)),
        "closed": surface.closed,
        "marks": surface.marks.tolist(),
        "cuts": {name: np.asarray(held[f"cut_{name}"])[:count].tolist() for name in ("rows", "kinds")},
    }


def _text(values: NDArray[Any], kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(values).astype(kind).tobytes()).decode()

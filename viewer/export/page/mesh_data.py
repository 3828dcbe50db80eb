"""A body made of triangles, as a page draws it: the surface of `render/mesh_surface.py` in base64."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh
from viewer.render import mesh_cuts
from viewer.render.mesh_surface import mesh_surface

Array = NDArray[np.float64]
Rows = NDArray[np.integer[Any]]

STEPS = 2**20  # of a half extent: points are rounded to whole steps, which pack to half the size of floats


def mesh_data(mesh: TriangleMesh, half_extents: Array) -> dict[str, Any]:
    """Return a mesh with these half extents (3,) [m] in plain values, as `MeshSurface` has it.

    As `_text` has them: `points` (P, 3) in steps of 2^-20 half extents; `corners` (C, 3): a point, the normal there,
    packed, and its colour, R, G, B, A from the lowest byte on; the corners of `faces` (F, 3); the points of `edges`
    (E, 2), and `links` (E, 2), the faces of these. The first `sharp` edges are sharp, and the others are drawn before a
    gap of `gap` m. `painted` says whether corners have colours; of a texture these are those of the corners. `marks`
    has places and rooms (2, 6, 3) m, and `cuts` the rows (N, 3, 4) and kinds (N,) of `mesh_cuts.uniforms`.

    Points and corners are numbered in the order in which the faces use them, and the edges are sorted by their faces:
    so the numbers of neighbouring rows differ little, and pack well.
    """
    surface = mesh_surface(mesh, half_extents)
    edges, paint, count = surface.edges, surface.paint, len(surface.triangles)
    if paint is not None and mesh.texture is not None and mesh.uv is not None:
        height, width, _ = mesh.texture.shape
        across, up = (np.mod(paint[..., axis], 1.0) for axis in (0, 1))
        rows, columns = ((1.0 - up) * (height - 1)).astype(int), (across * (width - 1)).astype(int)
        paint = np.concatenate([mesh.texture[rows, columns] / 255.0, np.ones((*rows.shape, 1))], axis=2)
    colors = np.zeros((count, 3, 4)) if paint is None else 255.0 * paint
    order = np.lexsort((*edges.faces.T[::-1], np.arange(len(edges.rows)) >= edges.sharp))
    ends = edges.rows[order, :6].reshape(-1, 3) / half_extents
    every = np.round(STEPS * np.concatenate([surface.triangles[..., :3].reshape(-1, 3), ends])).astype(np.int32)
    points, of = _distinct(every)
    packed = np.round(colors).astype("u1").reshape(-1, 4).view("<i4")[:, 0]
    described = np.column_stack([of[: 3 * count], surface.triangles[..., 3].ravel(), packed]).astype(np.int32)
    corners, faces = _distinct(described)
    tables = {
        "points": points,
        "corners": corners,
        "faces": faces.reshape(-1, 3),
        "edges": np.sort(of[3 * count :].reshape(-1, 2), axis=1),
        "links": edges.faces[order],
    }
    held = mesh_cuts.uniforms(surface.cuts)
    parts = int(str(held["cuts"]))
    return {
        **{name: _text(values) for name, values in tables.items()},
        "sharp": edges.sharp,
        "gap": float(np.max(edges.rows[:, 6], initial=0.0)),
        "painted": paint is not None,
        "closed": surface.closed,
        "marks": surface.marks.tolist(),
        "cuts": {name: np.asarray(held[f"cut_{name}"])[:parts].tolist() for name in ("rows", "kinds")},
    }


def _distinct(rows: Rows) -> tuple[Rows, Rows]:
    """Return the distinct ones of `rows` in the order of their first use, and the number of each row's among them."""
    found, first, numbers = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return found[order], np.argsort(order)[numbers.ravel()]


def _text(rows: Rows) -> str:
    """Return whole numbers (N, C) in base64, as differences of int32 from those in the row before, column by column.

    A difference is 2 d, or -2 d - 1 if d is negative. First come the lowest bytes of all, and the highest come last.
    """
    steps = np.diff(rows.astype("<i4"), axis=0, prepend=np.zeros_like(rows[:1], dtype="<i4")).T.ravel()
    signless = np.ascontiguousarray(steps << 1 ^ steps >> 31)
    return base64.b64encode(signless.view("u1").reshape(-1, 4).T.tobytes()).decode()

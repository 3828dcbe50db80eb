"""A surface of fewer triangles that looks much the same: what a slow machine draws while the body moves."""

import numpy as np

from viewer.physics.solids.triangle_mesh import TriangleMesh

MOST = 20_000  # triangles: those of a mesh of no more are all drawn
CELLS = 44  # along the longest side: vertices in the same cell become one


def coarser(mesh: TriangleMesh) -> TriangleMesh:
    """The mesh with one vertex in each cell of a grid, in the middle of those that lie there, or as it is if it has few
    triangles. (Rossignac and Borrel, Multi-resolution 3D approximations, 1993.)

    Colours and places in the texture are those of one of them.
    """
    if len(mesh.faces) <= MOST:
        return mesh
    low = np.min(mesh.vertices, axis=0)
    cell = float(np.max(np.max(mesh.vertices, axis=0) - low)) / CELLS
    x, y, z = np.floor((mesh.vertices - low) / cell).astype(np.int64).T
    _, first, merged = np.unique((x * (CELLS + 1) + y) * (CELLS + 1) + z, return_index=True, return_inverse=True)
    counts = np.bincount(merged)
    middles = np.stack([np.bincount(merged, along) / counts for along in mesh.vertices.T], axis=1)
    faces = merged[mesh.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    turned = np.argmin(faces, axis=1)[:, None]  # each begins with its lowest vertex: the same ones are then equal
    faces = np.unique(np.take_along_axis(faces, (turned + np.arange(3)) % 3, axis=1), axis=0)
    return TriangleMesh(
        middles,
        np.asarray(faces, dtype=np.int32),
        None if mesh.vertex_colors is None else mesh.vertex_colors[first],
        None if mesh.uv is None else mesh.uv[first],
        mesh.texture,
    )

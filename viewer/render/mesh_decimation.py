"""A surface of fewer triangles that looks much the same: what a slow machine draws while the body moves."""

import numpy as np
from numpy.typing import NDArray

from viewer.physics.solids.triangle_mesh import TriangleMesh

Array = NDArray[np.float64]

MOST = 5_000  # triangles: those of a mesh of no more are all drawn
CELLS = 36  # along the longest side: vertices in the same cell become one
AGREEMENT = 0.9  # length of the mean of unit normals: from there on the surface in a cell is smooth


def coarser(mesh: TriangleMesh) -> tuple[TriangleMesh, Array | None]:
    """The mesh with one vertex in each cell of a grid, or as it is if it has few triangles or holes. (Rossignac
    and Borrel, Multi-resolution 3D approximations, 1993.) And, (V, 3), the mean normals of the surface in the cells, 0
    where it is not smooth: so light falls on the few triangles as on the many.

    A vertex lies in the middle of those in the cell, but on the surface. Colours and places in the texture are those of
    one of them. Parts of a composite body are not joined.
    """
    if len(mesh.faces) <= MOST or mesh.cuts:
        return mesh, None
    low = np.min(mesh.vertices, axis=0)
    cell = float(np.max(np.max(mesh.vertices, axis=0) - low)) / CELLS
    x, y, z = np.floor((mesh.vertices - low) / cell).astype(np.int64).T
    part = np.zeros(len(mesh.vertices), dtype=np.int64)
    if mesh.parts is not None:
        part[mesh.faces] = mesh.parts[:, None]
    own = ((part * (CELLS + 1) + x) * (CELLS + 1) + y) * (CELLS + 1) + z
    _, first, merged = np.unique(own, return_index=True, return_inverse=True)
    counts = np.bincount(merged)
    middles = np.stack([np.bincount(merged, along) / counts for along in mesh.vertices.T], axis=1)
    faces = merged[mesh.faces]
    normals, away = _mean_normals(mesh.vertices[mesh.faces], faces, middles)
    middles += away[:, None] * normals
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    turned = np.argmin(faces, axis=1)[:, None]  # each begins with its lowest vertex: the same ones are then equal
    faces = np.unique(np.take_along_axis(faces, (turned + np.arange(3)) % 3, axis=1), axis=0)
    few = TriangleMesh(
        middles,
        np.asarray(faces, dtype=np.int32),
        None if mesh.vertex_colors is None else mesh.vertex_colors[first],
        None if mesh.uv is None else mesh.uv[first],
        mesh.texture,
        None if mesh.parts is None else part[first][faces[:, 0]].astype(np.int32),
    )
    return few, normals


def _mean_normals(corners: Array, cells: NDArray[np.int64], middles: Array) -> tuple[Array, Array]:
    """Of the triangles, (F, 3, 3) corners, that have one of them in a cell, by their areas: the mean normal, (N, 3), 0
    where they do not agree; and how far along it the point nearest to their planes is from the `middles`, (N,)."""
    count, cell = len(middles), cells.ravel()
    a, b, c = np.moveaxis(corners, 1, 0)
    crossed = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    areas = np.linalg.norm(crossed, axis=1)
    sums = np.stack([np.bincount(cell, along, count) for along in crossed.T], axis=1)
    lengths = np.linalg.norm(sums, axis=1)
    smooth = lengths > AGREEMENT * np.bincount(cell, areas, count)
    normals = sums / np.where(smooth, lengths, np.inf)[:, None]
    facing = np.sum(crossed * normals[cell], axis=1) / np.maximum(areas, np.finfo(float).tiny)
    to_plane = np.sum(crossed * (np.repeat(a, 3, axis=0) - middles[cell]), axis=1)  # times the area
    away = np.bincount(cell, facing * to_plane, count) / np.where(
        smooth, np.bincount(cell, areas * facing**2, count), 1.0
    )
    return normals, away
